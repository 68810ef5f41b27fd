"""Handouts: of each lesson a copy for students and a solved one, as notebook and as page, and a sheet for pencils.

python -m bpe_core.classroom.teaching.handouts notebooks/*.ipynb --to dist/handouts
"""

import argparse
import copy
import os
import shutil
import tempfile
from pathlib import Path

import nbformat
from markupsafe import Markup
from nbclient import NotebookClient

from ... import datasets, views
from ...pairs import merge_pair
from ...word_bpe import WordBPE
from ..exercises import find
from .pages import save_pages

MERGES_ON_PAPER = 8


def for_students(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return a copy without outputs; the stubs stay as they are.

    Example:
        >>> cell = nbformat.v4.new_code_cell("1 + 1", execution_count=7)
        >>> for_students(nbformat.v4.new_notebook(cells=[cell])).cells[0].execution_count is None
        True
    """
    made = copy.deepcopy(notebook)
    for cell in made.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return made


def with_solutions(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return a copy with the solution of each exercise in its cell; it is not run yet."""
    made = copy.deepcopy(notebook)
    for cell in made.cells:
        if "exercise" in cell.metadata.get("tags", ()):
            cell.source = find(cell.metadata["bpe_course"]["exercise"]).solution
    return made


def run(notebook: nbformat.NotebookNode, folder: Path) -> nbformat.NotebookNode:
    """Run all cells in a folder, with a progress file that is thrown away; return the notebook."""
    with tempfile.TemporaryDirectory() as place:
        environment = {**os.environ, "BPE_COURSE_PROGRESS": str(Path(place, "progress.json"))}
        NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(folder)}}).execute(env=environment)
    return notebook


def merging_sheet(solved: bool) -> list[views.View | str]:
    """Return the parts of a page on which the toy corpus is merged by hand, or of its solution.

    Example:
        >>> merging_sheet(True)[1].data[1]
        ['1', 'e + s', '9', 'l o w </w>', 'l o w e r </w>', 'n e w es t </w>', 'w i d es t </w>']
    """
    toy = datasets.toy_words()
    words = {word: [*word, "</w>"] for word in toy}
    trained = WordBPE.train(toy, num_merges=MERGES_ON_PAPER)
    rows = [["", "", "", *map(" ".join, words.values())]]
    for merge in trained.history:
        words = {word: merge_pair(symbols, merge.pair, merge.new) for word, symbols in words.items()}
        written = [" + ".join(merge.pair), str(merge.count), *map(" ".join, words.values())]
        rows.append([str(merge.step), *(written if solved else [""] * len(written))])
    heads = ["merge", "pair", "count", *(f"{word}, {n} times" for word, n in toy.items())]
    lines = [Markup("<tr>{}</tr>").format(Markup().join(map(Markup("<th>{}</th>").format, heads)))]
    lines += [Markup("<tr>{}</tr>").format(Markup().join(map(Markup("<td>{}</td>").format, row))) for row in rows]
    table = _PAPER + Markup("<table>{}</table>").format(Markup().join(lines))
    cuts = {word: " ".join(trained.tokenize(word)) if solved else "" for word in ("lowest", "nest", "new")}
    return [
        "Four words, and how often each occurs. For each line count all pairs of neighbors: every place counts as often "
        "as its word occurs. Write down the most frequent pair (of equals the one that is met first, read from the left), "
        "and the words anew, with the pair fused wherever it stands.",
        views.View(table, "\n".join(map("\t".join, [heads, *rows])), rows),
        "# With these merges, in their order: how are these words cut?",
        *(f"{word}: {cut or '_' * 30}" for word, cut in cuts.items()),
    ]


_PAPER = Markup(
    "<style>@page{size:A4 landscape;margin:12mm}@media print{body{margin:0;max-width:none}h1,h2,p{margin:2mm 0}}"
    "table{border-collapse:collapse;width:100%}th,td{border:1px solid #14212B;padding:2px 6px;height:8mm;"
    "text-align:left;font-family:monospace}th:nth-child(2){min-width:32mm}th:nth-child(3){width:16mm}</style>"
)


def save_handouts(notebooks: list[Path], folder: Path) -> Path:
    """Write all handouts into a folder, and all of them into one zip file beside it.

    Args:
        notebooks: the lessons.
        folder: it gets the folders student and solved, and the sheets; what was there before goes.

    Returns:
        The path of the zip file.

    Raises:
        OSError: a file cannot be read or written.
        nbclient.exceptions.CellExecutionError: a cell of a lesson fails.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("student", "solved"):
        (folder / name).mkdir(parents=True)
    for path in notebooks:
        notebook = nbformat.read(path, as_version=4)
        solved = run(with_solutions(for_students(notebook)), path.parent)
        for name, made in (("student", for_students(notebook)), ("solved", solved)):
            nbformat.write(made, folder / name / path.name)
    for name in ("student", "solved"):
        save_pages(sorted((folder / name).glob("*.ipynb")), folder / name)
    for name, solved in (("merging_by_hand", False), ("merging_by_hand_solved", True)):
        title = "Merging by hand" + (", solved" if solved else "")
        views.save_report(folder / f"{name}.html", title, *merging_sheet(solved))
    return Path(shutil.make_archive(str(folder), "zip", folder))


def main(arguments: list[str] | None = None) -> None:
    """Read the command line and write the handouts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--to", type=Path, default=Path("dist/handouts"), help="the folder for the handouts")
    options = parser.parse_args(arguments)
    print(f"Running {len(options.notebooks)} lessons with their solutions.")
    print(f"Handouts in {options.to}, all of them in {save_handouts(options.notebooks, options.to)}")


if __name__ == "__main__":
    main()
