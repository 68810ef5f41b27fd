"""Slides: the core path and nothing else, every slide on one screen, and no request to anywhere."""

import re

import nbformat
import pytest
from conftest import NOTEBOOKS, REPOSITORY
from reading import PREDICT, read, sections, text_of, unfolded

from bpe_core.classroom.teaching import slides

LESSON = REPOSITORY / "notebooks" / "07_special_tokens_and_chat_templates.ipynb"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_slides_are_those_of_the_core_path(path):
    notebook = read(path)
    made = slides.cut(notebook)
    core = [cell for section in sections(notebook) if not section.further for cell in section.cells]
    further = [section for section in sections(notebook) if section.further]
    text = "\n".join(cell.source for cell in made)
    assert text.count("### Predict") == unfolded(text_of(core)).count(PREDICT)
    assert not any(section.title in text for section in further)
    exercises = [
        cell.metadata["bpe_course"]["exercise"] for cell in core if "exercise" in cell.metadata.get("tags", ())
    ]
    assert re.findall(r"### Exercise (\d+\.\d+) ", text) == exercises
    shown = [cell for cell in made if cell.cell_type == "code"]
    assert all(cell.source in {one.source for one in core} for cell in shown) and not [
        c for c in shown if "check(" in c.source[:7]
    ]
    nbformat.validate(nbformat.v4.new_notebook(cells=made))


def test_what_does_not_fit_is_said_in_the_notes():
    long = " ".join(["word"] * 60)
    cell = nbformat.v4.new_markdown_cell(f"## 1. Title\n\n{long}\n\n{long} two\n\n{long} three")
    (slide,) = slides.cut(nbformat.v4.new_notebook(cells=[cell]))
    assert "two" in slide.source and "three" not in slide.source and "three" in slide.metadata.notes


def test_without_npm_and_with_another_archive_one_line_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(slides.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match="Slides need npm"):
        slides.reveal()
    (tmp_path / "x.tgz").write_bytes(b"x")
    with pytest.raises(SystemExit, match="x.tgz is not the reveal.js@4.6.1 that this course knows"):
        slides.reveal(tmp_path / "x.tgz")


@pytest.fixture(scope="module")
def parts():
    try:
        return slides.reveal()
    except SystemExit as told:  # no npm, or no network at this moment
        pytest.skip(str(told))


def look_at(browser, path, scheme):
    """Open slides in a browser; return how small each was made, and the boxes of all, one after the other."""
    page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme=scheme)
    asked, wrong = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(path.as_uri())
    page.wait_for_function("window.Reveal && Reveal.isReady()")
    zooms = page.evaluate("[...document.querySelectorAll('.fit')].map(one => +one.dataset.zoom)")
    boxes = page.evaluate(
        """[...document.querySelectorAll('.slides > section')].map((_, i) => { Reveal.slide(i);
           const box = document.querySelector('section.present .fit').getBoundingClientRect();
           return [box.left, box.top, box.right, box.bottom]; })"""
    )
    colors = page.evaluate("[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]")
    page.close()
    assert wrong == [] and [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    return zooms, boxes, colors


def fits(zooms, boxes):
    assert len(zooms) == len(boxes) > 15 and min(zooms) >= 0.38
    return all(left >= 0 and top >= 0 and right <= 1280 and bottom <= 720 for left, top, right, bottom in boxes)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_slide_fits_the_screen_and_nothing_is_asked_for(browser, parts, tmp_path, scheme):
    (path,) = slides.save_slides([LESSON], tmp_path, parts)
    zooms, boxes, (ink, paper) = look_at(browser, path, scheme)
    assert fits(zooms, boxes)
    assert (sum(map(int, re.findall(r"\d+", ink)[:3])) > sum(map(int, re.findall(r"\d+", paper)[:3]))) == (
        scheme == "dark"
    )
    html = path.read_text(encoding="utf-8")
    assert "RevealNotes" in html and html.count('class="notes"') > 10
    assert html.count("<bdi") > 20, "chips stay chips"


@pytest.mark.long
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_slides_of_every_lesson_fit(browser, parts, tmp_path, path):
    (saved,) = slides.save_slides([path], tmp_path, parts)
    zooms, boxes, _ = look_at(browser, saved, "light")
    assert fits(zooms, boxes), [(i, zoom) for i, zoom in enumerate(zooms) if zoom < 0.4]
