"""The rules that every lesson keeps: questions before answers, minutes by one rule, depths that are marked."""

import ast
import builtins
import re
import unicodedata

import pytest
from conftest import NOTEBOOKS
from reading import (
    PREDICT,
    map_in_readme,
    minutes,
    minutes_in_row,
    read,
    said_in_head,
    sections,
    tags,
    text_of,
    unfolded,
)

from bpe_core.classroom.exercises import find
from bpe_core.classroom.spec import PredictExercise

pytestmark = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def hidden(cell):
    return cell.metadata.get("jupyter", {}).get("outputs_hidden", False)


def printed(cell):
    """Everything that a cell prints, as text."""
    texts = (output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.get("outputs", []))
    return "\n".join(texts)


def test_the_answer_to_a_prediction_is_folded(path):
    asked = False
    for cell in read(path).cells:
        if cell.cell_type == "markdown":
            asked = asked or PREDICT in cell.source
        elif "exercise" in tags(cell):
            asked = False  # the prediction is the exercise; check answers it
        elif cell.get("outputs") and asked:
            assert hidden(cell), f"folds its output, for a Predict stands above it:\n{cell.source}"
            asked = False
    assert not asked, "a Predict that no cell answers"


def test_no_output_gives_away_the_value_that_an_exercise_asks_for(path):
    open_outputs = "\n".join(
        printed(cell) for cell in read(path).cells if cell.cell_type == "code" and not hidden(cell)
    )
    for cell in read(path).cells:
        if "exercise" in tags(cell):
            spec = find(cell.metadata["bpe_course"]["exercise"])
            if isinstance(spec, PredictExercise) and len(repr(spec.answer)) >= 8:
                assert repr(spec.answer) not in open_outputs, f"{spec.id}: its answer is printed on the page"


def test_minutes_are_those_of_the_rule(path):
    rule, said = minutes(read(path)), said_in_head(read(path))
    for number, told in ((rule.core, said.core), (rule.all, said.all), (rule.exercises, said.exercises)):
        assert abs(told - number) <= max(1, number / 10), (rule, said)
    assert rule.core <= 25.5, rule


def test_map_and_readme_name_the_minutes_of_the_head(path):
    said = said_in_head(read(path))
    start = next(lesson for lesson in NOTEBOOKS if lesson.stem.startswith("00"))
    for table in (map_in_readme(), text_of(read(start).cells)):
        if path != start or table == map_in_readme():
            assert minutes_in_row(table, path.name) == [said.core, said.all, said.exercises]


def test_the_end_of_the_core_path_is_marked(path):
    found = sections(read(path))
    further = [section for section in found if section.further]
    numbered = [section for section in found if section.numbered]
    assert numbered[len(numbered) - len(further) :] == further, "core sections first, then the further ones"
    mark = "**The core path ends here.**"
    if further:
        before = found[found.index(further[0]) - 1]
        assert text_of(before.cells).count(mark) == text_of(read(path).cells).count(mark) == 1
    else:
        assert mark not in text_of(read(path).cells)


def names_in(cells):
    """The names that code cells bind, and those that they read, at any depth; an exercise binds only."""
    bound, used = set(), set()
    for cell in cells:
        if cell.cell_type != "code":
            continue
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Name):
                (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                bound.add(node.name)
            elif isinstance(node, ast.arg):
                bound.add(node.arg)
            elif isinstance(node, ast.ExceptHandler) and node.name:
                bound.add(node.name)
            elif isinstance(node, ast.alias):
                bound.add((node.asname or node.name).split(".")[0])
    return bound, used


def test_the_core_path_and_each_further_section_stand_alone(path):
    found = sections(read(path))
    core = [cell for section in found if not section.further for cell in section.cells]
    known, used = names_in(core)
    known |= set(dir(builtins))
    assert used <= known, "the core path needs names of a further section"
    for section in found:
        if section.further:
            bound, used = names_in(section.cells)
            assert used <= bound | known, f"{section.title} needs names of another further section"


def test_folded_words_are_at_most_half_of_the_open_ones(path):
    text = text_of(read(path).cells)
    open_words = len(unfolded(text).split())
    assert len(text.split()) - open_words <= open_words / 2


def test_every_section_begins_in_plain_words_and_marks_its_code(path):
    for section in sections(read(path)):
        if not section.numbered:
            continue
        first = section.cells[0].source.removeprefix(section.title).strip()
        assert first.startswith("**In plain words.**"), section.title
        told = ""
        for cell in section.cells:
            if cell.cell_type == "markdown":
                told += cell.source
            elif not tags(cell) & {"exercise", "check", "quiz", "live"}:
                assert "**In code.**" in told, f"{section.title}: code begins without its mark"
                break


def test_folds_are_marked(path):
    text = text_of(read(path).cells)
    assert text.count("<details>") == text.count("<summary><b>Going deeper:</b>") + text.count("<summary><b>Show")


def test_the_head_says_in_two_lines_what_it_takes_from_other_lessons(path):
    if path.stem.startswith("00"):
        return
    head = text_of(sections(read(path))[0].cells)
    taken = re.search(r"(?m)^\*\*From other lessons\.\*\* .*$", head)
    assert taken and re.search(r"\]\(\d\d_\w+\.ipynb\)", taken[0])
    assert len(re.sub(r"\]\([^)]*\)", "]", taken[0])) <= 330, "two lines"


def width(line):
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)


def test_printed_lines_fit_the_page(path):
    for cell in read(path).cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            text = output.get("text") or ("" if {"text/html", "image/png"} & set(data) else data.get("text/plain", ""))
            for line in text.splitlines():
                assert width(line) <= 88, (width(line), line)


def test_spaces_at_the_ends_can_be_seen(path):
    """A code span, an option or a printed line that ends in a space shows it as a dot."""
    notebook = read(path)
    spans = re.findall(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", text_of(notebook.cells).replace("```", ""))
    assert not [span for _, span in spans if span != span.strip() and "`" not in span]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            for output in cell.get("outputs", []):
                assert not re.search(r"(?m)[ \t]+$", output.get("text", "")), output
        if "exercise" in tags(cell):
            assert not re.search(r"(?m)[^\s] +$", cell.source)
