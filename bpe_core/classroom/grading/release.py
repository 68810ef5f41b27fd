"""A copy of a lesson for nbgrader: python -m bpe_core.classroom.grading.release NOTEBOOK OUT.

nbgrader runs a learner's notebook and its tests in one process, so that code which lies to its tests
gets points there. ``python -m bpe_core.classroom.grading`` does not.
"""

import argparse
import sys
from pathlib import Path

import nbformat

from ..exercises import find

# The stubs stay as they are: nbgrader would put its own words in the place of each.
CONFIG = "c = get_config()\nc.ClearSolutions.enabled = False\n"
TEST = 'result = check("{id}", {name})\nassert result.passed, result\n'
WARNING = (
    "nbgrader runs these tests in the learner's process: code that lies to them gets points. For points that "
    "can be trusted, use: make grade"
)


def release(path: Path, out: Path) -> Path:
    """Write a lesson as an assignment of an nbgrader course, and the course's settings.

    Args:
        path: the lesson's notebook.
        out: the course's folder; it is made if it is missing.

    Returns:
        The notebook written.

    Raises:
        OSError: a file cannot be read or written.
        nbformat.reader.NotJSONError: the file is no notebook.
    """
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        exercise = cell.metadata.get("bpe_course", {}).get("exercise")
        tags = cell.metadata.get("tags", [])
        if exercise and ("exercise" in tags or "check" in tags):
            asked = find(exercise)
            test = "check" in tags
            if test:
                cell.source = TEST.format(id=exercise, name=asked.name)
            cell.outputs, cell.execution_count = [], None
            cell.metadata["nbgrader"] = {
                "schema_version": 3,
                "grade_id": f"{'test' if test else 'answer'}-{exercise.replace('.', '-')}",
                "grade": test,
                "locked": test,
                "solution": not test,
                "task": False,
                **({"points": asked.points} if test else {}),
            }
    made = out / "source" / path.stem / path.name
    made.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, made)
    (out / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    return made


def main() -> int:
    """Read the command line and write the copy."""
    parser = argparse.ArgumentParser(prog="python -m bpe_core.classroom.grading.release", description=__doc__)
    parser.add_argument("notebook", type=Path, help="a lesson, such as notebooks/03_merging.ipynb")
    parser.add_argument("out", type=Path, help="the folder of an nbgrader course")
    options = parser.parse_args()
    try:
        made = release(options.notebook, options.out)
    except (OSError, ValueError) as error:
        print(f"Nothing was written: {error}.", file=sys.stderr)
        return 1
    print(f"Written: {made}\n{WARNING}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
