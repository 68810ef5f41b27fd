"""hint() and solution(): help in small steps."""

from . import records
from .cards import Card
from .exercises import find
from .spec import Exercise, FunctionExercise, PredictExercise, WorkExercise, docstring_free_source, explained

ATTEMPTS = 2  # after so many, solution() shows at once

_hints_shown: dict[str, int] = {}
_asked: set[str] = set()


def hint(id: str) -> Card:
    """Show the next hint of an exercise, from vague to concrete; after the last, the last again.

    Args:
        id: the exercise, such as ``"2.1"``.

    Returns:
        A card.

    Raises:
        LookupError: there is no such exercise.

    Example:
        >>> hint("2.1").heading.startswith("Exercise 2.1 · Count the pairs of one word · hint")
        True
    """
    exercise = find(id)
    number = min(_hints_shown.get(exercise.id, 0) + 1, len(exercise.hints))
    _hints_shown[exercise.id] = number
    more = f'Need more? Run `hint("{exercise.id}")` again.'
    last = f'This is the last hint. `solution("{exercise.id}")` shows the solution.'
    return Card(
        "hint",
        f"{exercise.heading} · hint {number} of {len(exercise.hints)}",
        (exercise.hints[number - 1],),
        footer=last if number == len(exercise.hints) else more,
    )


def solution(id: str) -> Card:
    """Show the solution of an exercise: after two attempts, after the last hint, or when asked twice.

    Args:
        id: the exercise, such as ``"2.1"``.

    Returns:
        A card: the solution, or a line that says how to see it.

    Raises:
        LookupError: there is no such exercise.

    Example:
        >>> "again" in repr(solution("2.1"))
        True
    """
    exercise = find(id)
    id = exercise.id
    outcomes = [entry["outcome"] for entry in records.attempts() if entry["exercise"] == id]
    done = "passed" in outcomes or _hints_shown.get(id, 0) == len(exercise.hints)  # the last hint promises it
    if not done and len(outcomes) < ATTEMPTS and id not in _asked:
        _asked.add(id)
        text = "You learn more from an attempt of your own. The solution shows by itself once you have made two."
        footer = f'To see it now, run `solution("{id}")` again. A hint first: `hint("{id}")`'
        return Card("solution", exercise.heading, (text,), footer=footer)
    return _solution_card(exercise)


def _solution_card(exercise: Exercise) -> Card:
    if isinstance(exercise, FunctionExercise | WorkExercise):
        return Card("solution", exercise.heading, ("One way to write it:",), code=exercise.solution)
    if isinstance(exercise, PredictExercise):
        rows = ((exercise.variable, repr(exercise.answer)),)
        code = docstring_free_source(exercise.proof)
        return Card("solution", exercise.heading, (exercise.why, "Computed:"), rows, code)
    return Card(
        "solution", exercise.heading, (explained(exercise.options),), ((exercise.variable, f'"{exercise.answer}"'),)
    )
