"""Grade a class: python -m bpe_core.classroom.grading DIR OUT [--lesson 3]."""

import argparse
import hashlib
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from tqdm import tqdm

import bpe_core

from ..exercises import find_lesson
from ..spec import SEED, Exercise, FunctionExercise
from .comparing import ask, expected, judge
from .finding import Answer, Notebook, Submission, submissions
from .isolation import Isolation
from .writing import Graded, Kept, Row, save


def grade_class(folder: Path, out: Path, *, lesson: int | None = None, seed: int = SEED, wrapped: bool | None = None):
    """Grade a folder of submissions and write the results.

    Args:
        folder: holds a folder for each student.
        out: where the results go; it is made if it is missing.
        lesson: grade this lesson only; left out, each notebook says which it is.
        seed: for the random inputs.
        wrapped: whether to use bubblewrap; left out, where it runs.

    Returns:
        What each notebook got, in the order of the tables.

    Raises:
        ValueError: there is nothing to grade, or ``out`` lies in ``folder``.
        OSError: ``folder`` cannot be read, or a result cannot be written.
    """
    if out.resolve().is_relative_to(folder.resolve()):
        raise ValueError(f"OUT ({out}) lies inside DIR ({folder}); the results would be graded as a submission")
    if lesson is not None:
        find_lesson(lesson)
    found = [
        pair
        for _, theirs in groupby(submissions(folder), lambda one: one.student)
        for pair in _of_student(theirs, lesson)
    ]
    if not found:
        raise ValueError(f"{folder} holds no folder of a student")
    out.mkdir(parents=True, exist_ok=True)
    kept, graded = Kept(out / ".graded.jsonl"), []
    # A stale mark of where answers ran would be false, so it is part of the key.
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(os.cpu_count()) as pool:
        isolation = Isolation(Path(place), wrapped=wrapped)
        print(f"Answers run {isolation.words}.")
        keys = [_key(one, number, seed, isolation.words) for one, number in found]
        try:
            asked = [
                [] if key in kept.known else list(_asked(one, number, isolation, seed, pool))
                for key, (one, number) in zip(keys, found)
            ]
            for key, (one, _), answers in tqdm(list(zip(keys, found, asked)), unit="notebook", disable=None):
                if key not in kept.known:
                    rows = tuple(_row(exercise, answer, told.result(), seed) for exercise, answer, told in answers)
                    kept.add(key, Graded(one.student, one.assignment, rows, one.trouble))
                    kept.known[key] = Graded(one.student, one.assignment, rows, one.trouble)
                graded.append(kept.known[key])
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    save(graded, out)
    return graded


def _of_student(found: Iterator[Submission], lesson: int | None) -> list[tuple[Submission, int | None]]:
    # A student's submissions, each with its lesson, or with what its trouble is.
    numbered = []
    for one in found:
        number = None
        try:
            number = None if one.trouble else Notebook(one.content).lesson(one.assignment) or lesson
            trouble = (
                one.trouble if number or one.trouble else "It is not known which lesson this is; name it by LESSON."
            )
        except ValueError as error:
            trouble = f"It cannot be graded: {error}."
        numbered.append((replace(one, trouble=trouble), number))
    chosen = [(one, number) for one, number in numbered if lesson in (None, number) or one.trouble]
    if not chosen:  # they handed in other lessons only
        one = numbered[0][0]
        return [(Submission(one.student, f"lesson {lesson:02}", trouble=f"No notebook of lesson {lesson:02}."), None)]
    return chosen


def _key(one: Submission, number: int | None, seed: int, words: str) -> str:
    parts = (one.student, one.assignment, one.trouble, number, seed, words, bpe_core.__version__)
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass") + one.content).hexdigest()


def _asked(one: Submission, number: int | None, isolation: Isolation, seed: int, pool: ThreadPoolExecutor):
    # Each exercise with the code found for it, and with the report that will come.
    if one.trouble:
        return
    notebook = Notebook(one.content)
    for exercise in find_lesson(number).exercises:
        answer = notebook.answer(exercise)
        if isinstance(exercise, FunctionExercise):
            expected(exercise, seed)  # here, since only the main thread can stop a call
        yield exercise, answer, pool.submit(ask, exercise, answer, isolation, seed)


def _row(exercise: Exercise, answer: Answer, told, seed: int) -> Row:
    card = judge(exercise, answer, told, seed)
    got = None if card.outcome == "by hand" else exercise.points * card.passed
    return Row(exercise.id, card.outcome, card.mistake or "", got, exercise.points, card._repr_html_())


def main() -> int:
    """Read the command line, grade, and say in a few lines what came out."""
    parser = argparse.ArgumentParser(prog="python -m bpe_core.classroom.grading", description=__doc__)
    parser.add_argument("dir", type=Path, help="holds a folder for each student, with notebooks in it")
    parser.add_argument("out", type=Path, help="where the tables and pages go; not inside DIR")
    parser.add_argument("--lesson", type=int, help="grade this lesson only, such as 3")
    parser.add_argument("--seed", type=int, default=SEED, help="for the random inputs; one of your own for each term")
    options = parser.parse_args()
    if sys.platform != "linux":
        return _say("Grading keeps answers apart by means that only Linux has. On Windows, use WSL.")
    if os.getuid() == 0 and os.environ.get("AS_ROOT") != "1":
        return _say("Grading as root gives learners' code root's rights. Use another user, or set AS_ROOT=1.")
    try:
        graded = grade_class(options.dir, options.out, lesson=options.lesson, seed=options.seed)
    except KeyboardInterrupt:
        return _say("Interrupted. The same command goes on where this one stopped.")
    except (OSError, ValueError, LookupError) as error:
        return _say(f"Nothing more was graded: {error}.")
    outcomes = Counter(row.outcome for one in graded for row in one.rows)
    print(f"{len(graded)} notebooks: {', '.join(f'{n} {outcome}' for outcome, n in sorted(outcomes.items()))}.")
    for one in graded:
        missing = ", ".join(row.exercise for row in one.rows if row.outcome == "not found")
        if one.trouble or missing:
            print(f"  {one.student!r}, {one.assignment!r}: {one.trouble or f'not found: {missing}'}")
    print(f"Written: {options.out / 'grades.csv'}, exercises.csv, feedback/")
    return 0


def _say(line: str) -> int:
    print(line, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
