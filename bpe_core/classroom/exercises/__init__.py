"""The exercises and quizzes: one module a notebook, each with a LESSON.

A new module ``nb05.py`` needs no entry anywhere: it is found by its name, and the tests
in ``tests/test_exercises.py`` try everything that it lists.
"""

import difflib
import importlib
import pkgutil
from functools import cache

from ..spec import Exercise, Lesson


@cache
def lessons() -> dict[int, Lesson]:
    """Return {notebook number: lesson}, in order.

    Example:
        >>> lessons()[2].title
        'Counting pairs'
    """
    names = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name.startswith("nb"))
    found = [importlib.import_module(f"{__name__}.{name}").LESSON for name in names]
    return {lesson.number: lesson for lesson in found}


def exercises() -> dict[str, Exercise]:
    """Return {id: exercise} of all notebooks, in order."""
    return {exercise.id: exercise for lesson in lessons().values() for exercise in lesson.exercises}


def find(id: str) -> Exercise:
    """Return the exercise with this id.

    Raises:
        TypeError: the id is no text.
        LookupError: there is none; the error lists the nearest ids.

    Example:
        >>> find("2.1").name
        'count_pairs_in_word'
    """
    known = exercises()
    if type(id) is not str:
        given = repr(id) if type(id) in (int, float) else f"of type {type(id).__name__}"
        raise TypeError(f'the exercise id is {given}; it must be a text in quotes, such as "2.1"')
    if id.strip() in known:
        return known[id.strip()]
    likeness = {other: difflib.SequenceMatcher(None, id, other).ratio() for other in known}
    near = sorted((other for other in known if likeness[other] > 0.4), key=likeness.get, reverse=True)[:3]
    nearest = f" Nearest: {', '.join(near)}." if near else ""
    raise LookupError(f"there is no exercise {id[:40]!r}.{nearest} `progress()` lists all.")


def find_lesson(number: int) -> Lesson:
    """Return what a notebook brings to the classroom.

    Raises:
        TypeError: the number is no int.
        LookupError: nothing is registered for this notebook; the error lists those that are.
    """
    if type(number) is not int:
        raise TypeError(f"the notebook's number is of type {type(number).__name__}; it must be an int, such as 2")
    if number not in lessons():
        raise LookupError(f"there is no quiz for notebook {number}. There are: {', '.join(map(str, lessons()))}.")
    return lessons()[number]
