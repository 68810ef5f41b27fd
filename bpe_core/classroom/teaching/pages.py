"""Static pages of the lessons: one HTML file each, which asks nothing of any network.

An output that its notebook folds, because a prediction or an exercise asks for it, stands
behind a "show". Pages follow the light or dark theme of the reader, and fit a phone.

    python -m bpe_core.classroom.teaching.pages notebooks/*.ipynb --to dist/pages
"""

import argparse
import re
from pathlib import Path

import nbformat
from nbconvert import HTMLExporter

FOLDER = Path(__file__).resolve().parent
LESSON_LINK = re.compile(r'(<a\b[^>]*\bhref=")([\w-]+)\.ipynb(?=[#"])')
FILE_LINK = re.compile(r'(<a\b[^>]*?) href="(?!https?:|#|[\w-]+\.html[#"])[^"]*"')  # to what no page holds


def page(notebook: nbformat.NotebookNode, title: str) -> str:
    """Give a lesson as one HTML page, with its outputs as they are saved in it.

    Args:
        notebook: a notebook of version 4.
        title: the page's title.

    Returns:
        The HTML; links to other lessons lead to their pages, links to other files
        of the course become text.

    Example:
        >>> cell = nbformat.v4.new_markdown_cell("See [merging](03_merging.ipynb).")
        >>> made = page(nbformat.v4.new_notebook(cells=[cell]), "A lesson")
        >>> 'See <a href="03_merging.html">merging</a>.' in made
        True
    """
    exporter = HTMLExporter(template_name="page", extra_template_basedirs=[str(FOLDER)])
    html, _ = exporter.from_notebook_node(notebook, resources={"metadata": {"name": title}})
    return FILE_LINK.sub(r"\1", LESSON_LINK.sub(r"\1\2.html", html))


def save_pages(notebooks: list[Path], folder: Path) -> list[Path]:
    """Write the page of each notebook into a folder, which is made if it is missing.

    Raises:
        OSError: if a file cannot be read or written.
        nbformat.reader.NotJSONError: if a file is no notebook.
    """
    folder.mkdir(parents=True, exist_ok=True)
    saved = []
    for path in notebooks:
        notebook = nbformat.read(path, as_version=4)
        heading = re.search(r"(?m)^# (.+)$", "\n".join(cell.source for cell in notebook.cells))
        saved.append(folder / f"{path.stem}.html")
        html = page(notebook, heading[1] if heading else path.stem)
        saved[-1].write_text(html, encoding="utf-8", newline="\n")
    return saved


def start_page(first: nbformat.NotebookNode) -> str:
    """Give a page that leads to all lessons: the map that stands in the first one.

    Example:
        >>> cell = nbformat.v4.new_markdown_cell("| no. | notebook |\\n|---|---|\\n| 1 | [One](01_one.ipynb) |")
        >>> 'href="01_one.html"' in start_page(nbformat.v4.new_notebook(cells=[cell]))
        True
    """
    (table,) = (cell.source for cell in first.cells if "| no. | notebook |" in cell.source)
    table = table[table.index("| no.") :].replace("| Start here |", "| [Start here](00_start_here.ipynb) |")
    text = f"# Byte-pair encoding, by hand\n\n{table}"
    return page(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)]), "Byte-pair encoding, by hand")


def main() -> None:
    """Read the command line and write the pages."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--to", type=Path, default=Path("dist/pages"), help="the folder for the pages")
    parser.add_argument("--start", action="store_true", help="write a start page, index.html, too")
    options = parser.parse_args()
    saved = save_pages(options.notebooks, options.to)
    if options.start:
        saved.insert(0, options.to / "index.html")
        html = start_page(nbformat.read(min(options.notebooks), as_version=4))
        saved[0].write_text(html, encoding="utf-8", newline="\n")
    print(f"{len(saved)} pages. Open {saved[0]}")


if __name__ == "__main__":
    main()
