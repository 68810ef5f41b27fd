"""Run notebooks and save their outputs; with --from FILE.py, make one from a py:percent file first.

    python tests/run_notebooks.py notebooks/02_counting_pairs.ipynb
    python tests/run_notebooks.py --from draft.py notebooks/02_counting_pairs.ipynb

What is saved is the same on every machine: no Python version, no times, no widget state,
and cell ids that come from the cells' own text. A cell that fails stops the run, and the
file stays as it was.
"""

import argparse
import hashlib
import os
import sys
import tempfile
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from reading import minutes

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = ("tags", "bpe_course", "slideshow", "jupyter")  # what the course gives its cells, and nothing else
# comment_magics off: else a comment that ends in "?" would be taken for IPython's help.
DRAFT = {"extension": ".py", "format_name": "percent", "comment_magics": False}


def run(notebook, folder):
    """Run all cells in order, in the folder of the notebook."""
    resources = {"metadata": {"path": str(folder)}}
    client = NotebookClient(notebook, timeout=120, kernel_name="python3", resources=resources, store_widget_state=False)
    client.execute()


def tidy(notebook):
    """Remove what differs from run to run, and what Jupytext and other tools leave behind."""
    notebook.metadata = nbformat.from_dict(METADATA)
    seen = set()
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict(
            {key: cell.metadata[key] for key in sorted(cell.metadata) if key in CELL_METADATA}
        )
        for output in cell.get("outputs", []):
            # Without the state of its widgets a page would say "model not found"; the HTML
            # beside it shows the first view.
            output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)
        if "outputs" in cell:
            cell.outputs = joined(cell.outputs)
            hide_progress_path(cell.outputs)
        digest = hashlib.sha256(cell.source.encode("utf-8")).hexdigest()
        length = 8
        while (name := digest[:length]) in seen:
            length += 1
            digest = digest + hashlib.sha256(digest.encode()).hexdigest()
        seen.add(name)
        cell.id = name
    return notebook


def hide_progress_path(outputs):
    """Write a general name where progress() shows the place of the file of this run."""
    for output in outputs:
        data = output.get("data", {})
        for kind, text in data.items():
            if isinstance(text, str):
                data[kind] = text.replace(os.environ.get("BPE_COURSE_PROGRESS") or "\0", "bpe-course/progress.json")


def joined(outputs):
    """Join what was printed in several goes: how it was chunked differs from run to run."""
    done = []
    for output in outputs:
        last = done[-1] if done else None
        if last is not None and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            done.append(output)
    return done


def main():
    """Read the command line and run what it names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--from", dest="source", help="a py:percent file to make the notebook from")
    parser.add_argument("notebooks", nargs="+", type=Path)
    options = parser.parse_args()
    if options.source and len(options.notebooks) > 1:
        parser.error("--from makes one notebook; name one")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["BPE_COURSE_PROGRESS"] = str(Path(folder, "progress.json"))
        run_and_save(options)


def run_and_save(options):
    """Run the notebooks that the command line names."""
    for path in options.notebooks:
        if options.source:
            notebook = jupytext.read(options.source, fmt=DRAFT)
        else:
            notebook = nbformat.read(path, as_version=4)
        run(tidy(notebook), path.resolve().parent)
        path.write_text(nbformat.writes(tidy(notebook)) + "\n", encoding="utf-8", newline="\n")
        spent = minutes(notebook)
        told = f"core path {spent.core:.1f}, all {spent.all:.1f}, exercises {spent.exercises}"
        print(f"{path}: minutes by the rule: {told}", file=sys.stderr)


if __name__ == "__main__":
    main()
