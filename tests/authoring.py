"""Put the cells of an exercise into its notebook, or try an answer and see its card.

    python tests/authoring.py --insert 10.7 --after 10.6
    python tests/authoring.py --try 10.7 answer.py

It stands beside run_notebooks.py, out of the package: learners never need it, and its libraries
belong to the tests. bpe_core/classroom/exercises/README.md is the page that leads here.
"""

import argparse
import os
import re
import tempfile
from pathlib import Path

import nbformat

from bpe_core.classroom import check
from bpe_core.classroom.exercises import exercises, find
from bpe_core.classroom.running import run_all
from bpe_core.classroom.spec import SEED, FunctionExercise
from bpe_core.classroom.values import show, size

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
SHOWN = 8  # failing probes shown by --try


class Refusal(Exception):
    """What is wrong with a request, in words for the one who asked."""


def insert(id, after, folder=NOTEBOOKS):
    """Put the stub cell and the check cell of an exercise behind another exercise's check cell.

    Args:
        id: the exercise, which must be listed in its lesson.
        after: an exercise that stands on the same page.
        folder: where the notebooks are.

    Returns:
        A line that says what was done. Cells that are there already stay where they are; where the
        spec has changed they get its text.

    Raises:
        Refusal: the exercise is not listed, the page is missing, or AFTER is not on it.
    """
    number = int(listed(id).id.split(".")[0])
    pages = sorted(folder.glob(f"{number:02}_*.ipynb"))
    if not pages:
        raise Refusal(f"there is no notebook {number:02}_….ipynb in {folder}")
    notebook = nbformat.read(pages[0], as_version=4)
    places = {kind: i for i, cell in enumerate(notebook.cells) if (kind := cell_kind(cell))}
    sources = {"exercise": find(id).stub, "check": check_call(id)}
    there = [kind for kind in sources if (kind, id) in places]
    if len(there) == 1:
        raise Refusal(f"{pages[0].name} has only the {there[0]} cell of {id}; delete that cell and insert again")
    if there:
        old = [kind for kind in sources if notebook.cells[places[kind, id]].source != sources[kind]]
        for kind in old:
            notebook.cells[places[kind, id]].source = sources[kind]
        nbformat.write(notebook, pages[0])
        done = f"the {' and the '.join(old)} cell now says what the spec says" if old else "nothing was changed"
        return f"{pages[0].name} has the cells of {id} already; {done}"
    if ("check", after) not in places:
        on_page = ", ".join(other for kind, other in places if kind == "check") or "none"
        raise Refusal(f"{pages[0].name} has no check cell of {after!r} to insert after. There are: {on_page}")
    place = places["check", after] + 1
    notebook.cells[place:place] = [cell(id, kind, source) for kind, source in sources.items()]
    nbformat.write(notebook, pages[0])
    return f"{pages[0].name}: two cells of {id} after {after}. Now run: python tests/run_notebooks.py notebooks/{pages[0].name}"


def check_call(id):
    """Return the text of the check cell, which carries the tag ``check``.

    Example:
        >>> check_call("2.1")
        'check("2.1", count_pairs_in_word)'
    """
    return f'check("{id}", {find(id).name})'


def cell_kind(cell):
    """Say whether a notebook's cell is the stub or the check cell of an exercise.

    Args:
        cell: a cell as nbformat reads it.

    Returns:
        ("exercise" or "check", id), or None. Metadata decide; a cell that lost them is
        known by the name that it defines or the check that it calls.

    Example:
        >>> cell_kind({"cell_type": "code", "metadata": {}, "source": 'check("2.1", f)'})
        ('check', '2.1')
    """
    if cell["cell_type"] != "code":
        return None
    id = cell["metadata"].get("bpe_course", {}).get("exercise")
    tags = cell["metadata"].get("tags", [])
    for kind in ("exercise", "check"):
        if id and kind in tags:
            return kind, id
    if found := re.search(r"^check\(\s*[\"']([^\"']+)[\"']", cell["source"], re.MULTILINE):
        return "check", found[1]
    for id, exercise in exercises().items():
        if re.search(rf"^(def {exercise.name}\(|{exercise.name}\s*=)", cell["source"], re.MULTILINE):
            return "exercise", id
    return None


def cell(id, kind, source):
    """Return a cell with the tag and the metadata by which it is found; its id comes with the first run."""
    metadata = {"bpe_course": {"exercise": id}, "tags": [kind]}
    return nbformat.v4.new_code_cell(source, id=f"new-{kind}-{id.replace('.', '-')}", metadata=metadata)


def listed(id):
    """Return the exercise, or refuse."""
    try:
        return find(id)
    except LookupError:
        raise Refusal(
            f"there is no exercise {id!r}: has its spec been put into LESSON, at the end of its module?"
        ) from None


def try_answer(id, file):
    """Run a file as a learner's cell and check what it defines.

    Returns:
        The card as text; for a function that fails, also the smallest probes on which it does.

    Raises:
        Refusal: the file cannot be read or run, or does not define the exercise's name.
    """
    exercise, names = listed(id), {"__name__": "answer"}
    try:
        exec(compile(Path(file).read_text(encoding="utf-8"), str(file), "exec"), names)
    except Exception as error:
        raise Refusal(f"{file} does not run: {type(error).__name__}: {error}") from None
    if exercise.name not in names:
        raise Refusal(f"{file} does not define {exercise.name}, the name that exercise {id} asks for")
    answer = names[exercise.name]
    card = check(id, answer)
    lines = [repr(card), f"mistake: {card.mistake}"] if card.mistake else [repr(card)]
    if card.outcome in ("wrong", "error") and isinstance(exercise, FunctionExercise) and callable(answer):
        lines.append(failing_probes(exercise, answer))
    return "\n".join(lines)


def failing_probes(exercise, answer):
    """Return how many probes fail, and lines with the smallest: input, what came, what is right."""
    probes = exercise.probes(SEED)
    right = [run.value for run in run_all(exercise.reference, probes, seconds=20)]
    runs = run_all(answer, probes, seconds=exercise.seconds)
    lines = [
        (size(run.arguments), f"  {show(run.arguments)}: {result(run)}; right is {show(expected)}")
        for run, expected in zip(runs, right)
        if run.failure or run.changed or not exercise.accepts(run.value, expected)
    ]
    heading = f"fails on {len(lines)} of {len(runs)} probes" + (
        f", the {SHOWN} smallest:" if len(lines) > SHOWN else ":"
    )
    return "\n".join([heading, *(line for _, line in sorted(lines)[:SHOWN])])


def result(run):
    """Say in words what came back from one call."""
    if run.failure:
        return f"{run.failure.name} {run.failure.text}".strip()
    return show(run.value) + (", and the argument was changed" if run.changed else "")


def main():
    """Read the command line and do what it asks; a refusal is one line and exit code 2."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--insert", metavar="ID", help="the exercise whose cells the notebook lacks")
    parser.add_argument("--after", metavar="ID", help="the exercise on the page behind whose check cell they go")
    parser.add_argument(
        "--try", dest="tried", nargs=2, metavar=("ID", "FILE.py"), help="an answer, as a learner's cell"
    )
    options = parser.parse_args()
    if bool(options.insert) != bool(options.after) or bool(options.insert) == bool(options.tried):
        parser.error("either --insert ID --after ID, or --try ID FILE.py")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["BPE_COURSE_PROGRESS"] = str(Path(folder, "progress.json"))
        try:
            print(try_answer(*options.tried) if options.tried else insert(options.insert, options.after))
        except Refusal as refusal:
            parser.exit(2, f"{parser.prog}: {refusal}\n")


if __name__ == "__main__":
    main()
