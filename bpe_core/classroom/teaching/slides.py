"""Slides of the lessons' core paths: one HTML file each, which opens from disk and asks nothing of any network.

    python -m bpe_core.classroom.teaching.slides notebooks/*.ipynb --to dist/slides

reveal.js is put into each file. npm fetches it once, in the version that is named here.
"""

import argparse
import hashlib
import inspect
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
from nbconvert import HTMLExporter

from ..exercises import find
from .pages import FILE_LINK, FOLDER, LESSON_LINK

REVEAL = "reveal.js@4.6.1"
SHA256 = "4f4121ef2b8e7e9398bdecd7b3b6ce5e0ee3a2f5af221708eb6c4ce03bcae6be"
FILES = {"style": "dist/reveal.css", "script": "dist/reveal.js", "notes": "plugin/notes/notes.js"}
WORDS = 70  # of prose on one slide; what is left over is said in the notes
ROWS = 12  # of a table
LINES = 14  # of code, beside which a short output still has its place
_HIDDEN = {"check", "quiz", "live"}


def reveal(archive: Path | None = None) -> dict[str, str]:
    """Return the parts of reveal.js, {name: text}, from npm or from its archive.

    Raises:
        SystemExit: npm is missing, fails, or gives another file than the one known here.
    """
    with tempfile.TemporaryDirectory() as folder:
        if archive is None:
            if (npm := shutil.which("npm")) is None:
                sys.exit(f"Slides need npm, which fetches {REVEAL} once. Or give its archive: --reveal FILE.tgz")
            done = subprocess.run(
                [npm, "pack", "--silent", REVEAL], cwd=folder, capture_output=True, text=True, encoding="utf-8"
            )
            if done.returncode:
                sys.exit(f"npm could not fetch {REVEAL}: {(done.stderr.strip() or 'no word of why').splitlines()[-1]}")
            archive = next(Path(folder).glob("*.tgz"))
        if hashlib.sha256(archive.read_bytes()).hexdigest() != SHA256:
            sys.exit(f"{archive.name} is not the {REVEAL} that this course knows.")
        shutil.unpack_archive(archive, folder, "gztar", filter="data")
        return {name: Path(folder, "package", path).read_text(encoding="utf-8") for name, path in FILES.items()}


def cut(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """Cut the core path of a lesson into slides.

    Returns:
        Cells. A markdown cell is prose, a code cell code with its output; in their metadata stand ``show``
        ("code", "output" or "both"), ``notes``, and ``joins`` where the cell goes on with the slide before it:
        code stands below its prediction, and the answer below the output.

    Example:
        >>> texts = ["## 1. Title\\n\\n**In plain words.** Why.\\n\\n**Predict.** How many?", "## 2. Further: More"]
        >>> cells = [nbformat.v4.new_markdown_cell(text) for text in texts]
        >>> [slide.source.splitlines()[-1] for slide in cut(nbformat.v4.new_notebook(cells=cells))]
        ['**In plain words.** Why.', 'How many?']
    """
    slides, further = [], False
    for cell in notebook.cells:
        tags = set(cell.metadata.get("tags", ()))
        if cell.cell_type == "markdown":
            for part in re.split(r"(?m)^(?=## )", cell.source):
                heading = re.match(r"## (.+)", part)
                further = bool(re.match(r"\d+\. Further: |Quiz|What comes next", heading[1])) if heading else further
                slides += [] if further else _prose(part, slides)
        elif further or tags & _HIDDEN or cell.source == "progress()":
            continue
        elif "exercise" in tags:
            exercise = find(cell.metadata["bpe_course"]["exercise"])
            written = getattr(exercise, "reference", None)
            task = inspect.getdoc(written).splitlines()[0] if written else exercise.question
            slides.append(_slide(f"### {exercise.heading}\n\n{task}", cell.source))
        else:
            slides += _code(cell, slides)
    return slides


def _slide(source: str, notes: str = "", joins: bool = False) -> nbformat.NotebookNode:
    return nbformat.v4.new_markdown_cell(source, metadata={"notes": notes, "joins": joins})


def _prose(text: str, before: list) -> list[nbformat.NotebookNode]:
    # Predictions get slides of their own; of the rest so much as fits, and all of it in the notes.
    text = re.sub(r"(?s)<details>.*?</details>", "", text).strip()
    slides, shown = [], []
    for paragraph in filter(None, re.split(r"\n{2,}", text)):
        if "**Predict.**" in paragraph:
            question = paragraph.split("**Predict.**")[1].strip()
            slides.append(_slide(f"### Predict\n\n{question}"))
        elif paragraph.startswith("**From other lessons.**") or paragraph.count("\n|") > ROWS:
            continue
        elif sum(len(one.split()) for one in shown) < WORDS:
            shown.append(paragraph)
    if shown and not (len(shown) == 1 and shown[0].startswith("**In code.**")):
        last = before[-1] if before else _slide("")
        answers = (
            last.metadata.get("show") in ("output", "both") and not text.startswith("#") and not _has(last, "image/png")
        )
        slides.insert(0, _slide("\n\n".join(shown), text, answers))
    return slides


def _code(cell: nbformat.NotebookNode, before: list) -> list[nbformat.NotebookNode]:
    printed = sum(len(out.get("text", "").splitlines()) for out in cell.outputs)
    rich = _has(cell, "text/html") or _has(cell, "image/png")
    folded = cell.metadata.get("jupyter", {}).get("outputs_hidden")
    lines = len(cell.source.splitlines())
    kinds = ["code", "output"] if rich or folded or lines + printed > LINES + 6 else ["both"]
    kinds = ["code"] if not cell.outputs else kinds
    asked = bool(before) and before[-1].cell_type == "markdown" and kinds[0] == "code"
    about = [{"show": kind, "notes": "", "joins": asked and kind == "code"} for kind in kinds]
    return [nbformat.v4.new_code_cell(cell.source, outputs=cell.outputs, metadata=one) for one in about]


def _has(cell: nbformat.NotebookNode, kind: str) -> bool:
    return any(kind in out.get("data", ()) for out in cell.get("outputs", ()))


def deck(notebook: nbformat.NotebookNode, title: str, parts: dict[str, str]) -> str:
    """Give the slides of a lesson as one HTML page."""
    exporter = HTMLExporter(template_name="deck", extra_template_basedirs=[str(FOLDER)])
    made = nbformat.v4.new_notebook(cells=cut(notebook), metadata=notebook.metadata)
    html, _ = exporter.from_notebook_node(made, resources={"metadata": {"name": title}, "reveal": parts})
    return FILE_LINK.sub(r"\1", LESSON_LINK.sub(r"\1\2.html", html))


def save_slides(notebooks: list[Path], folder: Path, parts: dict[str, str]) -> list[Path]:
    """Write the slides of each notebook into a folder, which is made if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    saved = []
    for path in notebooks:
        notebook = nbformat.read(path, as_version=4)
        heading = re.search(r"(?m)^# (.+)$", notebook.cells[0].source)
        saved.append(folder / f"{path.stem}.html")
        saved[-1].write_text(deck(notebook, heading[1], parts), encoding="utf-8", newline="\n")
    return saved


def main(arguments: list[str] | None = None) -> None:
    """Read the command line and write the slides."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--to", type=Path, default=Path("dist/slides"), help="the folder for the slides")
    parser.add_argument("--reveal", type=Path, help=f"the archive of {REVEAL}, where npm is not at hand")
    options = parser.parse_args(arguments)
    saved = save_slides(options.notebooks, options.to, reveal(options.reveal))
    print(f"{len(saved)} files. Open {saved[0]}; the key S shows the notes.")


if __name__ == "__main__":
    main()
