"""Handouts: copies without outputs, copies that solve every exercise, and a sheet that agrees with the trainer."""

import re
import zipfile

import nbformat
import pytest
from conftest import REPOSITORY
from drawn import Page

from bpe_core import WordBPE, datasets
from bpe_core.classroom.exercises import lessons
from bpe_core.classroom.teaching import handouts

LESSON = REPOSITORY / "notebooks" / "03_merging.ipynb"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist") / "handouts"
    return folder, handouts.save_handouts([LESSON], folder)


def cells(path, tag):
    return [cell for cell in nbformat.read(path, as_version=4).cells if tag in cell.metadata.get("tags", ())]


def test_a_copy_for_students_has_stubs_and_no_outputs(made):
    copy = made[0] / "student" / LESSON.name
    for cell in nbformat.read(copy, as_version=4).cells:
        assert cell.cell_type != "code" or (cell.outputs == [] and cell.execution_count is None)
    assert [cell.source for cell in cells(copy, "exercise")] == [cell.source for cell in cells(LESSON, "exercise")]


def test_the_solved_copy_passes_every_check_and_runs_every_cell(made):
    copy = made[0] / "solved" / LESSON.name
    said = [cell.outputs[-1].data["text/plain"] for cell in cells(copy, "check")]
    assert len(said) == len(lessons()[3].exercises) and all(text.startswith("✓ Passed") for text in said)
    notebook = nbformat.read(copy, as_version=4)
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code")
    assert not [out for cell in notebook.cells for out in cell.get("outputs", []) if out.output_type == "error"]


def test_pages_and_sheets_ask_nothing_of_any_network(made):
    folder, archive = made
    pages = sorted(folder.rglob("*.html"))
    assert [page.relative_to(folder).as_posix() for page in pages] == [
        "merging_by_hand.html", "merging_by_hand_solved.html", "solved/03_merging.html", "student/03_merging.html",
    ]  # fmt: skip
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"<(?:script|link)\b|url\(\s*['\"]?https?:|\bsrc=['\"]https?:", text)
    with zipfile.ZipFile(archive) as packed:
        assert {"student/03_merging.ipynb", "solved/03_merging.html"} <= set(packed.namelist())
        assert len(packed.namelist()) >= 2 + len([path for path in folder.rglob("*") if path.is_file()])


def test_the_sheet_is_what_the_trainer_learns():
    empty, solved = (handouts.merging_sheet(answered)[1] for answered in (False, True))
    history = WordBPE.train(datasets.toy_words(), num_merges=8).history
    assert [row[1:3] for row in solved.data[1:]] == [[" + ".join(m.pair), str(m.count)] for m in history]
    assert [row[0] for row in empty.data] == [row[0] for row in solved.data] and not any(
        map(any, (r[1:] for r in empty.data[1:]))
    )
    for row in solved.data:
        assert ["".join(cell.split()).removesuffix("</w>") for cell in row[3:]] == list(datasets.toy_words())
    assert Page(empty.html).text.count("low, 5 times") == 1
    assert "lowest: low est</w>" in handouts.merging_sheet(True)
