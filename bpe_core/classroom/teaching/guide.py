"""The second half of notebooks/INSTRUCTORS.md: predictions with their answers, and what goes wrong in exercises.

Both are made from the notebooks and the specs, so that they cannot drift:

    python -m bpe_core.classroom.teaching.guide notebooks/INSTRUCTORS.md
"""

import argparse
import re
from pathlib import Path

import nbformat

from ..exercises import lessons
from ..spec import ChooseExercise, Lesson

MARK = "<!-- What follows is made by bpe_core/classroom/teaching/guide.py: change the notebooks and the specs. -->"
PREDICT = "**Predict.**"
_NO_ANSWER = ("#", "**In plain words.**", "**In code.**", PREDICT, "<details>", "|")


def predictions(notebook: nbformat.NotebookNode) -> list[tuple[str, str]]:
    """Return each question of a lesson, with the paragraph that answers it.

    Example:
        >>> cells = [nbformat.v4.new_markdown_cell(text) for text in ("**Predict.** How many?", "Two, a and b.")]
        >>> predictions(nbformat.v4.new_notebook(cells=cells))
        [('How many?', 'Two, a and b.')]
    """
    cells, found = notebook.cells, []
    for place, cell in enumerate(cells):
        if cell.cell_type != "markdown" or PREDICT not in cell.source:
            continue
        rest = cells[place + 1 :]
        text = next((one.source.split("\n\n")[0] for one in rest if one.cell_type == "markdown"), "")
        printed = next(("".join(out.get("text", "") for out in one.outputs) for one in rest if one.get("outputs")), "")
        shown = f"`{printed.strip()}`" if printed.strip() and "\n" not in printed.strip() else ""
        answer = " ".join(filter(None, [shown, "" if text.startswith(_NO_ANSWER) else text]))
        for question in cell.source.split(PREDICT)[1:]:
            found.append((question.split("\n\n")[0].strip(), answer or "See the cell's output."))
    return found


def mistakes(lesson: Lesson) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the heading of each exercise, with (name, message) of every mistake that it knows.

    Example:
        >>> heading, known = mistakes(lessons()[2])[0]
        >>> heading, known[0][0]
        ('Exercise 2.1 · Count the pairs of one word', 'skips-last-pair')
    """
    found = []
    for exercise in lesson.exercises:
        if isinstance(exercise, ChooseExercise):
            options = zip(exercise.letters, exercise.options)
            known = [
                (f"option-{letter}", f"*{option.text}* {option.why}") for letter, option in options if not option.right
            ]
        else:
            known = [(wrong.name, wrong.message) for wrong in exercise.wrong_answers]
        found.append((exercise.heading, known))
    return found


def guide(folder: Path) -> str:
    """Write the generated part for all lessons of a folder, as Markdown."""
    lines = [MARK]
    for path in sorted(folder.glob("[0-9]*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        title = re.search(r"(?m)^# (.+)$", notebook.cells[0].source)[1]
        lines += ["", f"## {title}"]
        lines += ["", "**Predictions**", ""]
        for number, (question, answer) in enumerate(predictions(notebook), 1):
            lines.append(" ".join(f"{number}. {question} → {answer}".split()))
        for heading, known in mistakes(lessons()[int(path.name[:2])]) if int(path.name[:2]) in lessons() else ():
            lines += ["", f"**{heading}**", ""]
            lines += [" ".join(f"- `{name}`: {message}".split()) for name, message in known]
    return "\n".join(lines) + "\n"


def rewrite(path: Path) -> str:
    """Return the text of INSTRUCTORS.md with its generated part made anew."""
    return path.read_text(encoding="utf-8").split(MARK)[0] + guide(path.parent)


def main(arguments: list[str] | None = None) -> None:
    """Rewrite the generated part of the file named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    path = parser.parse_args(arguments).file
    path.write_text(rewrite(path), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
