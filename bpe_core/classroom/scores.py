"""Points, and progress(): what the attempts in the progress file are worth, and the next step."""

import os

from . import records
from .cards import Card
from .exercises import lessons
from .spec import Lesson

FINISHED, RIGHT_ANSWER, PERFECT_QUIZ = 50, 10, 25


def question_id(number: int, question: int) -> str:
    """Return the id under which an answer to question 1, 2, ... of a quiz is recorded.

    Example:
        >>> question_id(2, 1)
        'quiz 2.1'
    """
    return f"quiz {number}.{question}"


def perfect_id(number: int) -> str:
    """Return the id under which a perfect quiz is recorded.

    Example:
        >>> perfect_id(2)
        'quiz 2 perfect'
    """
    return f"quiz {number} perfect"


def standing(lesson: Lesson, passed: set[str], tried: set[str]) -> tuple[int, int, bool, tuple[str, str], str]:
    """Say where a learner stands in one notebook.

    Args:
        lesson: the notebook.
        passed: the ids of what was passed at some time.
        tried: the ids of what was tried.

    Returns:
        The points won in it, where everything counts once; the most that it can bring; whether all exercises
        are passed and all quiz questions answered; (name, value) for the card; the next step, or "".

    Example:
        >>> standing(lessons()[2], {"2.1"}, {"2.1"})[0]
        20
    """
    number, exercises = lesson.number, lesson.exercises
    questions = [question_id(number, i) for i, _ in enumerate(lesson.questions, 1)]
    worth = {exercise.id: exercise.points for exercise in exercises} | dict.fromkeys(questions, RIGHT_ANSWER)
    worth |= {perfect_id(number): PERFECT_QUIZ} if questions else {}
    still_open = [exercise for exercise in exercises if exercise.id not in passed]
    finished = not still_open and tried.issuperset(questions)
    points = sum(worth[id] for id in worth if id in passed) + FINISHED * finished
    most = sum(worth.values()) + FINISHED
    marks = " ".join(f"{'✓' if exercise.id in passed else '○'} {exercise.id}" for exercise in exercises)
    quiz = f" · quiz {len(passed.intersection(questions))} of {len(questions)} right" if questions else ""
    value = f"{'✓ finished' if finished else '○ open'} · {points} of {most} points{quiz}\n{marks}"
    step = f"Next: the quiz of notebook {number:02}, `quiz({number})`."
    if still_open:
        step = f"Next: exercise {still_open[0].id}, {still_open[0].title} (notebook {number:02})."
    return points, most, finished, (f"{number:02} {lesson.title}", value), "" if finished else step


def progress(*, export: str | os.PathLike | None = None, name: str | None = None) -> Card:
    """Show what is done and open in each notebook, the points, and the next step.

    Args:
        export: a file to write the attempts into, to be handed in: without times, and without a name.
        name: a name to write into that file.

    Returns:
        A card. The file behind it, and how to begin anew: see ``records.progress_path``.

    Example:
        >>> progress().heading.startswith("Your course")
        True
    """
    passed, tried = records.passed(), {entry["exercise"] for entry in records.attempts()}
    all_standings = [standing(lesson, passed, tried) for lesson in lessons().values()]
    points, most, finished, rows, steps = zip(*all_standings)
    heading = f"Your course · {sum(points)} of {sum(most)} points · {sum(finished)} of {len(rows)} notebooks finished"
    step = next(filter(None, steps), "Everything here is done.")
    footer = f"{step} Kept in `{records.progress_path()}`. Delete this file to begin anew."
    if export is not None:
        records.export(export, name)
        footer = f"Written to `{export}`, {f'with the name {name}' if name else 'without a name'}. {footer}"
    return Card("progress", heading, ("✓ passed, ○ open.", *records.trouble()), rows, footer=footer)
