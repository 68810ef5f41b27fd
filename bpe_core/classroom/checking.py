"""check(): one answer in, one card out, and one line in the progress file."""

import random
import sys
from typing import Any

from . import records
from .cards import Result
from .exercises import exercises, find
from .mistakes import STRONG, WEAK, find_mistake
from .spec import (
    SEED,
    ChooseExercise,
    Exercise,
    FunctionExercise,
    PredictExercise,
    WorkExercise,
    explained,
    read_letter,
)
from .values import holds, kind_of, loosen, read, show, type_difference
from .verdicts import Verdict, article, example_rows, is_result, judge, type_note

MISSING = object()


def check(id: str, answer: Any = MISSING, *, seed: int = SEED) -> Result:
    """Check an answer to an exercise and say what is right or wrong about it.

    A function runs for two seconds at most. What Python cannot interrupt, not even by the stop
    button, is one long call of its own, such as ``sum(range(10**12))``: then restart the kernel.

    Args:
        id: the exercise, such as ``"2.1"``.
        answer: the function itself (without calling it), the value, or the letter. Left out,
            it is looked for in the notebook by the name that the exercise gives it.
        seed: for the random inputs; the same seed gives the same card.

    Returns:
        A card. Its ``outcome`` is "not attempted", "passed", "wrong" or "error", its
        ``mistake`` the name of the mistake, its ``message`` the reason.

    Raises:
        LookupError: there is no such exercise; the error lists the nearest ones.
        TypeError: the id is no text.

    Example:
        >>> check("2.1", ...)
        ○ Not attempted · Exercise 2.1 · Count the pairs of one word
          Fill in the cell above, run it, then run this one again.
          20 points. Stuck? `hint("2.1")`
    """
    exercise = find(id)
    answer = sys._getframe(1).f_globals.get(exercise.name, MISSING) if answer is MISSING else answer
    if answer is MISSING:
        return _card(exercise, Verdict("not attempted", None, _no_such_name(exercise.name)))
    if exercise.is_untouched(answer):
        return _card(exercise, Verdict("not attempted", None, TO_DO[exercise.kind]))
    verdict = JUDGES[type(exercise)](exercise, answer, seed)
    records.record(exercise.id, verdict.outcome, verdict.mistake)
    return _card(exercise, verdict, records.trouble())


TO_DO = {
    "write": "Fill in the cell above, run it, then run this one again.",
    "mend": "The code above is still as you found it. Find what is wrong, mend it, run the cell, then run this one again.",
    "predict": "Write your prediction in place of `...` in the cell above, run it, then run this one again.",
    "choose": "Write the letter of your choice in place of `...` in the cell above, run it, then run this one again.",
    "work": "Put your work in place of `...` in the cell above, run it, then run this one again.",
}


def _no_such_name(name: str) -> str:
    return f"There is no `{name}` yet: run the cell above that makes it, then run this one again."


def say_which_cell(result: Any) -> None:
    """Add a line to a NameError that comes from a check whose stub has not been run; IPython calls it after a cell."""
    name = getattr(result.error_in_exec, "name", None) if isinstance(result.error_in_exec, NameError) else None
    if name in {exercise.name for exercise in exercises().values()}:
        print(_no_such_name(name).replace("`", ""))


def _card(exercise: Exercise, verdict: Verdict, trouble: tuple[str, ...] = ()) -> Result:
    lines = verdict.run.failure.lines if verdict.run and verdict.run.failure else ()
    stopped = ["The input it was given, and your code; `>` marks the line where it stopped:"] if lines else []
    points, again = exercise.points, "Change your answer, run both cells again."
    footers = {
        "passed": f"{points} of {points} points.",
        "not attempted": f'{points} points. Stuck? `hint("{exercise.id}")`',
    }
    return Result(
        verdict.outcome,
        exercise.heading,
        (verdict.message, *stopped, *trouble),
        rows=example_rows(exercise, verdict),
        code="\n".join(f"{'>' if here else ' '} {number:>3} | {text}" for number, text, here in lines),
        footer=footers.get(verdict.outcome, f'{again} Stuck? `hint("{exercise.id}")` · 0 of {points} points'),
        exercise=exercise.id,
        mistake=verdict.mistake,
    )


# --- Functions -----------------------------------------------------------------------------


def _check_function(exercise: FunctionExercise, answer: Any, seed: int) -> Verdict:
    if callable(answer):
        return judge(exercise, answer, seed)
    call = f'check("{exercise.id}", {exercise.name})'
    value = read(answer)
    if value == ("str", exercise.name):
        message = f"This is the function's name as a text. Give the function itself, without quotes: `{call}`."
    elif value == ("None", None) or is_result(exercise, value):
        message = (
            f"This is {article(kind_of(value))}, as one gets it by calling the function. Give the function itself, "
            f"without calling it: `{call}`."
        )
    else:
        message = f"This is {article(kind_of(value))}. What is expected is your function: `{call}`."
    return Verdict("wrong", "no-function", message)


# --- Predictions ---------------------------------------------------------------------------


def _check_prediction(exercise: PredictExercise, answer: Any, _seed: int) -> Verdict:
    value, expected = read(answer), read(exercise.answer)
    accepted = exercise.accepts(value)
    for known in exercise.wrong_answers:  # a value that is listed is wrong, even if another type would pass for it
        if not (accepted and callable(known.answer)) and _is_known(known.answer, value, answer):
            return Verdict("wrong", known.name, known.message)
    if accepted:
        return Verdict("passed", None, exercise.why + type_note(value, expected, subject="your answer is", loose=True))
    if message := _wrong_type(exercise, answer, value, expected):
        return Verdict("wrong", "wrong-type", message)
    rows = [row for row in (*STRONG, WEAK[0]) if row[0] not in GIVE_AWAY]
    if value[0] == expected[0] and (found := find_mistake(rows, [(answer, exercise.answer, ())])):
        return Verdict("wrong", *found)
    message = (
        f"`{show(value)}` is not what comes out. Go through it again, one step at a time, and write each step down."
    )
    return Verdict("wrong", None, message + _how_far(answer, exercise.answer))


# Nearly the answer itself.
GIVE_AWAY = ("cut-to-whole", "upside-down", "order", "reversed", "one-too-high", "one-too-low", "factor")


def _wrong_type(exercise: PredictExercise, answer: Any, value: tuple, expected: tuple) -> str:
    # What is wrong with the type of a prediction, or "".
    if callable(answer):
        return f"This is a function. What is expected is a value: {exercise.expects}."
    if expected[0] in ("int", "float") and value[0] == "tuple":
        return "With commas Python reads several numbers. Write it without commas; `524_288` is fine for 524,288."
    difference = type_difference(value, expected)
    if not difference or (difference[0] and loosen(value) != loosen(expected)):
        return ""
    where, found, wanted = difference
    place = f"{where[0].upper()}{where[1:]} is" if where else "Your answer is"
    quotes = " Write it without quotes." if found == "str" and wanted in ("int", "float") else ""
    return f"{place} {article(found)}; expected is {exercise.expects}.{quotes}"


def _how_far(answer: Any, right: Any) -> str:
    # For a list of pieces: is it the whole text, and how far is it right?
    if not (type(answer) is type(right) is list and right and all(type(part) is str for part in [*answer, *right])):
        return ""
    first = next((i for i, (mine, good) in enumerate(zip(answer, right)) if mine != good), min(len(answer), len(right)))
    start = f"The first {first} of your parts are right" if first > 1 else "Your first part is right" if first else ""
    whole = "Joined, your parts are the whole text" if "".join(answer) == "".join(right) else ""
    said = "; ".join(filter(None, [whole, start[:1].lower() + start[1:] if whole else start]))
    return f" {said}." if said else ""


def _is_known(known: Any, value: tuple, answer: Any) -> bool:
    plain = value[0] not in ("subclass", "other", "huge")
    return plain and holds(known, answer) if callable(known) else value == read(known)


# --- Choices -------------------------------------------------------------------------------


def _check_choice(exercise: ChooseExercise, answer: Any, _seed: int) -> Verdict:
    letter = read_letter(answer, exercise.letters)
    if letter is None:
        message = f"`{show(read(answer), 40)}` is none of the options. Expected is {exercise.expects}."
        return Verdict("wrong", "no-option", message)
    if letter == exercise.answer:
        return Verdict("passed", None, explained(exercise.options))
    return Verdict("wrong", f"option-{letter}", f"{letter}) {exercise.options[exercise.letters.index(letter)].why}")


# --- Pieces of work ------------------------------------------------------------------------


def _check_work(exercise: WorkExercise, answer: Any, seed: int) -> Verdict:
    mistake, found = exercise.look(answer, random.Random(f"{exercise.id}/{seed}"))
    if mistake is None:
        return Verdict("passed", None, found)
    message = next(known.message for known in exercise.wrong_answers if known.name == mistake)
    return Verdict("wrong", mistake, f"{message} {found}".rstrip())


JUDGES = {
    FunctionExercise: _check_function,
    PredictExercise: _check_prediction,
    ChooseExercise: _check_choice,
    WorkExercise: _check_work,
}
