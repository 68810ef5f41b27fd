"""What every notebook must have, read from its saved form; nbval runs the cells themselves."""

import json
import re

import jupytext
import nbformat
import pytest
from conftest import NOTEBOOKS
from run_notebooks import CELL_METADATA, DRAFT, METADATA, tidy

from bpe_core.classroom import progress, records, scores

pytestmark = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path):
    return nbformat.read(path, as_version=4)


def code_cells(path):
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def markdown(path):
    return "\n\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")


def test_every_code_cell_was_run_in_order_without_error_or_warning(path):
    cells = code_cells(path)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    for cell in cells:
        for output in cell.outputs:
            assert output.output_type != "error", cell.source
            assert output.get("name") != "stderr", (cell.source, output)
            assert "Warning" not in json.dumps(output.get("data", {}).get("text/plain", "")), cell.source


def test_saved_form_is_the_same_everywhere(path):
    notebook = read(path)
    assert notebook.metadata == METADATA
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert set(cell.metadata) <= set(CELL_METADATA), "run tests/run_notebooks.py: it removes what tools left here"
    for cell in code_cells(path):
        for output in cell.outputs:
            assert "application/vnd.jupyter.widget-view+json" not in output.get("data", {})
            if "live" in cell.metadata.get("tags", []):
                assert "Run this cell" in output.data["text/html"], "a live cell says what it needs"


def test_the_way_through_jupytext_leaves_no_trace(path):
    notebook = read(path)
    back = tidy(jupytext.reads(jupytext.writes(notebook, fmt=DRAFT), fmt=DRAFT))
    assert back.metadata == notebook.metadata
    for before, after in zip(notebook.cells, back.cells, strict=True):
        for part in ("cell_type", "id", "metadata", "source"):
            assert before[part] == after[part], f"{part} of the cell is not the same after ipynb -> py -> ipynb"


def test_points_on_saved_pages_are_those_of_the_specs(path, tmp_path, monkeypatch):
    # nbval skips progress(), whose card names a file of the machine: so it is compared here.
    monkeypatch.setenv("BPE_COURSE_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.setattr(records, "_memory", [])
    now = repr(progress()).replace(str(tmp_path / "progress.json"), "bpe-course/progress.json")
    for cell in code_cells(path):
        if cell.source.strip() == "progress()":
            saved = cell.outputs[-1].data
            assert saved["text/plain"] == now, f"the saved card is old: run tests/run_notebooks.py {path.name}"
            counts = [set(re.findall(r"\d+ of \d+ points", text)) for text in (saved["text/html"], now)]
            assert counts[0] == counts[1], "the card's HTML counts other points than its text"
    said = re.findall(r"quiz answer brings (\d+), a perfect quiz (\d+) more, a finished notebook (\d+)", markdown(path))
    assert set(said) <= {tuple(map(str, (scores.RIGHT_ANSWER, scores.PERFECT_QUIZ, scores.FINISHED)))}


def test_cells_are_short(path):
    for cell in code_cells(path):
        if "exercise" not in cell.metadata.get("tags", []):
            assert len(cell.source.splitlines()) <= 25, cell.source


def test_code_fits_the_page(path):
    for cell in code_cells(path):
        assert max(map(len, cell.source.splitlines())) <= 77, cell.source


def test_formulas_need_no_math_library(path):
    assert not re.search(r"\$[^$\n]*\\[a-z]+[^$\n]*\$|\\frac|\\ell", markdown(path))


def test_the_voice(path):
    banned = r"\b(simply|obviously|let's|let us|dive in|super|awesome|of course|powerful)\b|!(?=\s|$)"
    assert not re.findall(banned, markdown(path), flags=re.IGNORECASE | re.MULTILINE)


def test_images_have_words_beside_them(path):
    for cell in code_cells(path):
        for output in cell.outputs:
            if "image/png" in output.get("data", {}):
                assert len(output.data.get("text/plain", "")) > 40, "a picture needs a caption as its text twin"
                assert "Figure size" not in output.data["text/plain"]


def test_the_parts_that_every_lesson_has(path):
    text = markdown(path)
    parts = ["## Common mistakes", "## Recap", "## Quiz", "## What comes next", "**In plain words.**", "Going deeper:"]
    for part in parts:
        if path.stem[:2] != "00":
            assert part in text, part
    assert re.search(r"(?m)^# ", text) and re.search(r"\d+ minutes", text)
    assert "you will be able to" in text


def test_three_exercises_at_least(path):
    if path.stem[:2] == "00":
        return
    checks = [cell for cell in code_cells(path) if "check" in cell.metadata.get("tags", [])]
    assert len(checks) >= 3


def test_american_spelling(path):
    british = (
        r"\b(colour|behaviour|licence|neighbour|centre|normalis|tokenis|organis|recognis|analyse|grey|favour|labell)\w*"
    )
    assert not re.findall(british, markdown(path), flags=re.IGNORECASE)
