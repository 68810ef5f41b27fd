"""What stops a class: a table from progress files that learners chose to hand in.

    python -m bpe_core.classroom.teaching.class_view FOLDER --to dist/class

Learners write them with ``progress(export="FILE")``. What they hold is self-reported: grading
runs the answers again, this does not. Nobody is named; the numbers are of learners, not of attempts.
"""

import argparse
import csv
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from ... import views
from .. import records
from ..exercises import exercises
from ..spec import Exercise


class Row(NamedTuple):
    """One exercise: learners who tried it, who passed it, and [(mistake, learners who made it, what it means)]."""

    exercise: Exercise
    tried: int
    passed: int
    mistakes: list[tuple[str, int, str]]


def read_class(folder: Path) -> tuple[list[list[dict]], list[str]]:
    """Return the attempts of each learner, and a line for each file that could not be read.

    Raises:
        FileNotFoundError: there is no such folder, or no progress file in it.
    """
    found, problems = [], []
    for path in sorted(folder.glob("*.json")):
        try:
            found.append(records.parse(path.read_text(encoding="utf-8-sig"))["attempts"])
        except (OSError, ValueError, RecursionError) as error:
            problems.append(f"{path.name} is left out: {type(error).__name__}, {error}")
    if not found and not problems:
        raise FileNotFoundError(f"{folder} holds no progress file (*.json)")
    return found, problems


def table(learners: list[list[dict]]) -> list[Row]:
    """Count for each exercise that somebody tried who tried it, who passed it, and with which mistakes.

    Example:
        >>> attempt = {"exercise": "2.1", "outcome": "wrong", "mistake": "too-short"}
        >>> [(row.exercise.id, row.tried, row.passed, row.mistakes[0][:2]) for row in table([[attempt], [attempt]])]
        [('2.1', 2, 0, ('too-short', 2))]
    """
    rows = []
    for id, exercise in exercises().items():
        words = {known.name: known.message for known in getattr(exercise, "wrong_answers", ())}
        mine = [[entry for entry in learner if entry["exercise"] == id] for learner in learners]
        made = Counter(mistake for entries in mine for mistake in {e["mistake"] for e in entries if e["mistake"]})
        passed = sum(any(entry["outcome"] == "passed" for entry in entries) for entries in mine)
        mistakes = [(name, count, words.get(name, "")) for name, count in made.most_common()]
        if tried := sum(map(bool, mine)):
            rows.append(Row(exercise, tried, passed, mistakes))
    return rows


def save_class(folder: Path, target: Path) -> list[str]:
    """Write class.html and class.csv; return what is to be said, a line each."""
    learners, problems = read_class(folder)
    rows = sorted(table(learners), key=lambda row: row.passed - row.tried)  # those that stop most come first
    target.mkdir(parents=True, exist_ok=True)
    with open(target / "class.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["exercise", "title", "tried", "passed", "mistake", "learners"])
        for row in rows:
            for name, count, _ in row.mistakes or [("", "", "")]:
                writer.writerow([row.exercise.id, row.exercise.title, row.tried, row.passed, name, count])
    lines = [f"{len(learners)} progress files, self-reported.", *problems]
    parts = [*lines, "Exercises that stop most come first. Numbers are of learners."]
    for row in rows:
        parts.append(f"# {row.exercise.heading}: {row.passed} of {row.tried} passed")
        said = [
            Markup("<li>{} × <b>{}</b> {}</li>").format(count, name, words) for name, count, words in row.mistakes[:5]
        ]
        parts += [views.View(Markup("<ul>{}</ul>").format(Markup().join(said)), "")] if said else []
    views.save_report(target / "class.html", "What stops the class", *parts)
    return [*lines, f"Written: {target / 'class.html'} and {target / 'class.csv'}"]


def main(arguments: list[str] | None = None) -> None:
    """Read the command line and write the page and the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--to", type=Path, default=Path("dist/class"), help="the folder for the page and the table")
    options = parser.parse_args(arguments)
    try:
        print("\n".join(save_class(options.folder, options.to)))
    except FileNotFoundError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
