"""The pages that make pages writes: no request to anywhere, answers behind a fold, both themes, phone width."""

import re

import nbformat
import pytest
from browsing import CONTRASTS, heard, names_of
from conftest import NOTEBOOKS
from drawn import Page

from bpe_core.classroom.teaching.pages import page, save_pages, start_page


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    save_pages(NOTEBOOKS, folder)
    return folder


@pytest.mark.parametrize("lesson", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_page_asks_for_nothing_and_names_its_pictures(folder, lesson):
    text = (folder / f"{lesson.stem}.html").read_text(encoding="utf-8")
    page = Page(text)
    assert not set(page.tags) & {"script", "link", "iframe", "object", "embed"}
    assert "@import" not in text and not re.search(r"url\(\s*['\"]?(?!data:)", text)
    pictures = [element.attributes for element in page.elements if element.tag == "img"]
    notebook = nbformat.read(lesson, as_version=4)
    assert len(pictures) == sum(
        "image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])
    )
    assert all(about["src"].startswith("data:") and len(about["alt"]) > 40 for about in pictures)
    inside = {path.name for path in folder.iterdir()}
    for link in (element.attributes["href"] for element in page.elements if "href" in element.attributes):
        target = link.partition("#")[0]
        assert not target or target.startswith("https://") or target in inside, target


def test_the_start_page_leads_to_every_lesson():
    html = start_page(nbformat.read(NOTEBOOKS[0], as_version=4))
    links = [element.attributes["href"] for element in Page(html).elements if element.tag == "a"]
    assert [link for link in links if not link.startswith("#")] == [f"{path.stem}.html" for path in NOTEBOOKS]


def squeezed(html):
    return "".join(Page(html).text.split())


@pytest.mark.parametrize("lesson", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_saved_output_is_on_its_page(folder, lesson):
    text = (folder / f"{lesson.stem}.html").read_text(encoding="utf-8")
    said, cells = squeezed(text), nbformat.read(lesson, as_version=4).cells
    for cell in cells:
        for output in cell.get("outputs", []):
            html = output.get("data", {}).get("text/html")
            assert "".join(output.get("text", "").split()) in said
            assert html is None or squeezed(html) in said
    folds = sum(len(cell.metadata.get("jupyter", {})) for cell in cells)  # of what a cell gives, or of its code
    assert text.count('<details class="answer">') == folds


SMALL = nbformat.v4.new_notebook(
    cells=[
        nbformat.v4.new_markdown_cell("# A lesson\n\n| a | b |\n|---|---|\n| " + "wide " * 60 + "| `x` |"),
        nbformat.v4.new_code_cell(
            "print('first')  # " + "long " * 60, outputs=[nbformat.v4.new_output("stream", text="<b>first</b> " * 40)]
        ),
        nbformat.v4.new_code_cell(
            "print('second')",
            metadata={"jupyter": {"outputs_hidden": True}},
            outputs=[nbformat.v4.new_output("stream", text="the answer")],
        ),
    ]
)


def test_an_answer_shows_after_a_click(browser, tmp_path):
    (tmp_path / "small.html").write_text(page(SMALL, "A < lesson"), encoding="utf-8")
    tab = browser.new_page()
    tab.goto((tmp_path / "small.html").as_uri())
    assert tab.title() == "A < lesson"
    assert tab.get_by_text("<b>first</b>").is_visible(), "printed text is text"
    assert not tab.get_by_text("the answer").is_visible()
    tab.get_by_text("Show what this cell gives").click()
    assert tab.get_by_text("the answer").is_visible()
    tab.close()


OPEN_FOLDS = "document.querySelectorAll('details').forEach((fold) => fold.open = true)"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_read_in_both_themes_on_a_phone(browser, folder, theme):
    asked = []
    context = browser.new_context(viewport={"width": 360, "height": 740}, color_scheme=theme)
    tab = context.new_page()
    tab.on("request", lambda request: asked.append(request.url))
    for lesson in NOTEBOOKS:
        asked.clear()
        tab.goto((folder / f"{lesson.stem}.html").as_uri())
        assert [url for url in asked if not url.startswith("data:")] == [tab.url], "a page asks for nothing else"
        assert tab.evaluate("document.documentElement.scrollWidth") <= 360, f"{lesson.stem} is wider than a phone"
        tab.evaluate(OPEN_FOLDS)
        assert [(text, ratio) for text, ratio in tab.evaluate(CONTRASTS, ["body", "*"]) if ratio < 4.5] == [], (
            lesson.stem
        )
    context.close()


def test_a_screen_reader_hears_what_each_picture_shows(browser, folder):
    tab = browser.new_page()
    for lesson in NOTEBOOKS[2:4]:  # asking for the tree of a long page takes seconds
        tab.goto((folder / f"{lesson.stem}.html").as_uri())
        tab.evaluate(OPEN_FOLDS)
        by_role = heard(tab, "main")
        said = names_of(by_role.get("image", []) + by_role.get("img", []))
        alt = [element.attributes["alt"] for element in Page(tab.content()).elements if element.tag == "img"]
        assert alt and {" ".join(text.split()) for text in alt} <= {" ".join(name.split()) for name in said}, (
            lesson.stem
        )
    tab.close()


def test_a_file_that_is_no_notebook_is_named(tmp_path):
    (tmp_path / "x.ipynb").write_text("no", encoding="utf-8")
    with pytest.raises(nbformat.reader.NotJSONError):
        save_pages([tmp_path / "x.ipynb"], tmp_path)
