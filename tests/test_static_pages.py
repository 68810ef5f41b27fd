"""The pages that make pages writes: no request to anywhere, answers behind a fold, both themes, phone width."""

import re
from html.parser import HTMLParser

import nbformat
import pytest
from browsing import any_chromium, heard, names_of
from conftest import NO_BROWSER, NOTEBOOKS

from bpe_core.classroom.teaching.pages import page, save_pages


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    save_pages(NOTEBOOKS, folder)
    return folder


@pytest.fixture(scope="module")
def browser():
    with any_chromium() as browser:
        if browser is None:
            pytest.skip(NO_BROWSER)
        yield browser


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found, self.said = [], ""
        self.feed(text)

    def handle_data(self, data):
        self.said += "".join(data.split())

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


@pytest.mark.parametrize("lesson", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_page_asks_for_nothing_and_names_its_pictures(folder, lesson):
    text = (folder / f"{lesson.stem}.html").read_text(encoding="utf-8")
    tags = Tags(text).found
    assert not {tag for tag, _ in tags} & {"script", "link", "iframe", "object", "embed"}
    assert "@import" not in text and not re.search(r"url\(\s*['\"]?(?!data:)", text)
    pictures = [about for tag, about in tags if tag == "img"]
    notebook = nbformat.read(lesson, as_version=4)
    assert len(pictures) == sum(
        "image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])
    )
    assert all(about["src"].startswith("data:") and len(about["alt"]) > 40 for about in pictures)
    inside = {path.name for path in folder.iterdir()}
    for about in (about for tag, about in tags if tag == "a" and "href" in about):
        target = about["href"].partition("#")[0]
        assert not target or target.startswith("https://") or target in inside, target


@pytest.mark.parametrize("lesson", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_saved_output_is_on_its_page(folder, lesson):
    text = (folder / f"{lesson.stem}.html").read_text(encoding="utf-8")
    said, cells = Tags(text).said, nbformat.read(lesson, as_version=4).cells
    for cell in cells:
        for output in cell.get("outputs", []):
            html = output.get("data", {}).get("text/html")
            assert "".join(output.get("text", "").split()) in said
            assert html is None or Tags(html).said in said
    folds = sum(cell.metadata.get("jupyter", {}).get("outputs_hidden", False) for cell in cells)
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


CONTRAST = """() => {
    const light = (color) => { const c = color.match(/[\\d.]+/g).map(Number).slice(0, 3)
        .map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; };
    const behind = (node) => { for (; node; node = node.parentElement) {
        const color = getComputedStyle(node).backgroundColor;
        if (!/, 0\\)$|transparent/.test(color)) return color; } return "rgb(255, 255, 255)"; };
    const bad = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) { const node = walk.currentNode.parentElement;
        if (!walk.currentNode.data.trim() || getComputedStyle(node).fontSize === "0px") continue;
        const [a, b] = [light(getComputedStyle(node).color), light(behind(node))].sort((x, y) => y - x);
        if ((a + 0.05) / (b + 0.05) < 4.5) bad.push(walk.currentNode.data.slice(0, 40)); }
    return bad; }"""


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
        assert tab.evaluate(CONTRAST) == [], lesson.stem
    context.close()


def test_a_screen_reader_hears_what_each_picture_shows(browser, folder):
    tab = browser.new_page()
    for lesson in NOTEBOOKS[2:4]:  # asking for the tree of a long page takes seconds
        tab.goto((folder / f"{lesson.stem}.html").as_uri())
        tab.evaluate("document.querySelectorAll('details').forEach((fold) => fold.open = true)")
        by_role = heard(tab, "main")
        said = names_of(by_role.get("image", []) + by_role.get("img", []))
        alt = [about["alt"] for tag, about in Tags(tab.content()).found if tag == "img"]
        assert alt and {" ".join(text.split()) for text in alt} <= {" ".join(name.split()) for name in said}, (
            lesson.stem
        )
    tab.close()


def test_a_file_that_is_no_notebook_is_named(tmp_path):
    (tmp_path / "x.ipynb").write_text("no", encoding="utf-8")
    with pytest.raises(nbformat.reader.NotJSONError):
        save_pages([tmp_path / "x.ipynb"], tmp_path)
