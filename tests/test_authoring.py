"""The two tools for authors: cells put into a page, an answer tried from the command line."""

import importlib.util
import re
import shutil

import authoring
import nbformat
import pytest
from authoring import Refusal, cell_kind, check_call, insert, try_answer
from conftest import NOTEBOOKS, REPOSITORY

from bpe_core.classroom.exercises import find
from bpe_core.classroom.spec import SEED
from bpe_core.classroom.verdicts import judge

PAGE = next(path for path in NOTEBOOKS if path.name.startswith("03_"))


@pytest.fixture
def page(tmp_path):
    """A copy of notebook 03 that lacks the cells of 3.6."""
    notebook = nbformat.read(PAGE, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell_kind(cell) not in (("exercise", "3.6"), ("check", "3.6"))]
    nbformat.write(notebook, tmp_path / PAGE.name)
    return tmp_path / PAGE.name


@pytest.mark.parametrize("after", ["3.5", "3.1", "3.7"])
def test_insert_adds_two_cells_and_changes_no_other_line(page, after):
    before = page.read_text(encoding="utf-8").splitlines()
    assert "two cells of 3.6" in insert("3.6", after, page.parent)
    cells = nbformat.read(page, as_version=4).cells
    kinds = [cell_kind(cell) for cell in cells]
    place = kinds.index(("check", after))
    assert kinds[place + 1 : place + 3] == [("exercise", "3.6"), ("check", "3.6")]
    stub, check = cells[place + 1 : place + 3]
    assert (stub.source, check.source) == (find("3.6").stub, check_call("3.6"))
    assert stub.metadata == {"tags": ["exercise"], "bpe_course": {"exercise": "3.6"}}
    lines = iter(page.read_text(encoding="utf-8").splitlines())
    assert all(line in lines for line in before), "a line of the page that was there is gone or changed"
    with_cells = page.read_bytes()
    assert "already" in insert("3.6", after, page.parent)
    assert page.read_bytes() == with_cells
    notebook = nbformat.read(page, as_version=4)
    notebook.cells[place + 1].source = "an older stub"
    nbformat.write(notebook, page)
    assert "the exercise cell now says" in insert("3.6", "3.6", page.parent)
    assert page.read_bytes() == with_cells


def test_insert_gives_the_page_that_is_kept(page):
    insert("3.6", "3.5", page.parent)
    saved, made = nbformat.read(PAGE, as_version=4), nbformat.read(page, as_version=4)
    for part in ("cell_type", "source", "metadata"):
        assert [cell[part] for cell in made.cells] == [cell[part] for cell in saved.cells]


def test_insert_refuses_in_words(page):
    shutil.copy(page, page.with_name("kept"))
    refusals = {
        ("3.99", "3.5"): "no exercise '3.99'.*LESSON",
        ("3.6", "2.1"): "no check cell of '2.1'.*3.1, 3.2",
        ("3.6", "3.6"): "no check cell of '3.6'",
        ("2.1", "2.2"): "no notebook 02_",
    }
    for (id, after), words in refusals.items():
        with pytest.raises(Refusal, match=words):
            insert(id, after, page.parent)
    assert page.read_bytes() == page.with_name("kept").read_bytes()
    insert("3.6", "3.5", page.parent)
    notebook = nbformat.read(page, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell_kind(cell) != ("check", "3.6")]
    nbformat.write(notebook, page)
    with pytest.raises(Refusal, match="only the exercise cell of 3.6"):
        insert("3.6", "3.5", page.parent)


def test_a_wrong_answer_shows_its_card_and_the_probes_it_fails(tmp_path):
    file = tmp_path / "answer.py"
    file.write_text(find("3.1").stub.replace("    ...", "    return list(symbols)"), encoding="utf-8")
    known = next(known for known in find("3.1").wrong_answers if known.name == "unchanged")
    text = try_answer("3.1", file)
    assert known.message in text and "mistake: unchanged" in text
    assert "fails on" in text and "(['a', 'a'], ('a', 'a')): ['a', 'a']; right is ['aa']" in text


def test_right_answers_and_values_show_their_card(tmp_path):
    file = tmp_path / "answer.py"
    for id in ("3.1", "3.4", "3.5"):
        file.write_text(find(id).solution, encoding="utf-8")
        text = try_answer(id, file)
        assert text.startswith("✓ Passed") and "probes" not in text
    file.write_text(find("3.1").stub, encoding="utf-8")
    text = try_answer("3.1", file)
    assert text.startswith("○ Not attempted") and "probes" not in text


def test_try_refuses_in_words(tmp_path):
    file = tmp_path / "answer.py"
    for source, words in {"def other(): pass": "does not define merge_in_word", "1 +": "SyntaxError"}.items():
        file.write_text(source, encoding="utf-8")
        with pytest.raises(Refusal, match=words):
            try_answer("3.1", file)
    with pytest.raises(Refusal, match="FileNotFoundError"):
        try_answer("3.1", tmp_path / "none.py")


def test_the_command_line_refuses_with_one_line(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["authoring.py", "--insert", "3.99", "--after", "3.1"])
    with pytest.raises(SystemExit) as stop:
        authoring.main()
    assert stop.value.code == 2 and capsys.readouterr().err.count("\n") == 1


def test_the_exercise_on_the_authors_page_is_whole(tmp_path):
    page = (REPOSITORY / "bpe_core/classroom/exercises/README.md").read_text(encoding="utf-8")
    file = tmp_path / "on_the_page.py"
    block = re.search(r"(?s)```python\n(.*?)```", page)[1]
    file.write_text(f"from bpe_core.classroom.spec import FunctionExercise, WrongAnswer\n{block}", encoding="utf-8")
    spec = importlib.util.spec_from_file_location("on_the_page", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    exercise = module.PADDED_ROWS
    assert len(exercise.probes()) >= 20 and len(exercise.hints) == 3 and len(exercise.wrong_answers) >= 4
    assert exercise.stub.endswith("    ...") and len(exercise.examples) == 2
    assert judge(exercise, exercise.reference, SEED).outcome == "passed"
    for known in exercise.wrong_answers:
        for sample in known.samples:
            assert judge(exercise, sample, SEED).mistake == known.name
