"""Verdicts: from the runs of a learner's function to the one thing to tell the learner.

The order matters. First what stopped the run, then a mistake that is known, then the
mistakes that any function can have (None, print, wrong type, a changed argument), and
when nothing fits, the smallest input that goes wrong.
"""

import builtins
from dataclasses import dataclass

from .running import Failure, Run, namespace, plain_function, run_all
from .spec import ByResult, FunctionExercise, WrongAnswer
from .values import as_dict, kind_of, loosen, plain, show, size, type_difference


@dataclass(frozen=True)
class Verdict:
    """Outcome, the mistake's name, the reason in words, and the run that shows it."""

    outcome: str
    mistake: str | None
    message: str
    run: Run | None = None
    expected: tuple | None = None


@dataclass(frozen=True)
class Evidence:
    """All that is known of an answer: the probes, and in their order its runs beside the right results."""

    exercise: FunctionExercise
    answer: object
    probes: list[tuple]
    runs: list[Run]
    expected: list[tuple]

    def wrong(self) -> list[int]:
        """Return the numbers of the runs that gave a wrong value, the smallest input first."""
        found = [
            i
            for i, (run, expected) in enumerate(zip(self.runs, self.expected))
            if run.failure is None and not self.exercise.accepts(run.value, expected)
        ]
        return sorted(found, key=lambda i: (size(self.runs[i].arguments), i))

    def failed(self) -> list[int]:
        """Return the numbers of the runs that ended in a failure, the smallest input first."""
        found = [i for i, run in enumerate(self.runs) if run.failure]
        return sorted(found, key=lambda i: (size(self.runs[i].arguments), i))

    def verdict(self, outcome: str, mistake: str | None, message: str, i: int) -> Verdict:
        """Make a verdict that shows run number i."""
        return Verdict(outcome, mistake, message, self.runs[i], self.expected[i])


def judge(exercise: FunctionExercise, answer: object, seed: int) -> Verdict:
    """Run a function on all probes and say what is right or wrong about it.

    Args:
        exercise: the spec.
        answer: a callable.
        seed: for the random probes.

    Returns:
        The verdict.
    """
    if refusal := refuse_signature(exercise, answer):
        return refusal
    probes = exercise.probes(seed)
    expected = [run.value for run in run_all(exercise.reference, probes, seconds=20)]
    evidence = Evidence(exercise, answer, probes, run_all(answer, probes, seconds=exercise.seconds), expected)
    for step in (
        judge_stopped,
        judge_known,
        judge_errors,
        judge_none,
        judge_type,
        judge_mostly,
        judge_value,
        judge_change,
    ):
        if verdict := step(evidence):
            return verdict
    return Verdict("passed", None, "Right on every input tried.")


def refuse_signature(exercise: FunctionExercise, answer: object) -> Verdict | None:
    """Say so when the function cannot take the arguments at all."""
    function = plain_function(answer)
    if function is None or function is not answer:
        return None
    code, wanted = function.__code__, exercise.parameters
    least = code.co_argcount - len(function.__defaults__ or ())
    most = 99 if code.co_flags & 0x04 else code.co_argcount  # *args
    missing = code.co_kwonlyargcount - len(function.__kwdefaults__ or ())
    if least <= len(wanted) <= most and missing <= 0:
        if code.co_flags & 0x280:  # async def
            return Verdict("wrong", "async", "Your function is an `async def`. Write a plain `def`.")
        return None
    yours = ", ".join(code.co_varnames[: code.co_argcount]) or "nothing"
    message = f"`{exercise.name}` must take {count(len(wanted), 'argument')}: {', '.join(wanted)}. Yours takes {yours}."
    return Verdict("wrong", "wrong-parameters", message)


# --- What stops the run ----------------------------------------------------------------------


def judge_stopped(evidence: Evidence) -> Verdict | None:
    """An endless loop, a flood of output, exit(), no memory left, or a huge result."""
    last = len(evidence.runs) - 1
    if not evidence.runs[last].stops():
        return None
    failure = evidence.runs[last].failure
    if failure is None:
        message = f"Your function returns far too much: {evidence.runs[last].value[1]}. Does something grow in a loop?"
        return evidence.verdict("wrong", "huge-result", message, last)
    messages = {
        "time": (
            "endless-loop",
            f"Your function did not finish within {evidence.exercise.seconds:g} seconds, so it was stopped at the "
            "marked line. A loop that never ends? Look at what should change in each turn, and at what ends the loop.",
        ),
        "output": (
            "too-much-output",
            "Your function printed more than 20,000 characters in one call, so it was stopped. Is there a `print` in a "
            "loop that never ends?",
        ),
        "exit": (
            "exit",
            "Your function ends the whole program: it calls `exit()`, `quit()` or `sys.exit()`. End it with `return`.",
        ),
        "memory": (
            "too-much-memory",
            "Your function asked for more than 1 GB of memory, so it was stopped. Does something grow in every turn of "
            "a loop?",
        ),
    }
    mistake, message = messages[failure.kind]
    return evidence.verdict("error", mistake, message, last)


# --- Known mistakes ----------------------------------------------------------------------------


def judge_known(evidence: Evidence) -> Verdict | None:
    """A known wrong answer that gives the same as the learner's on every probe."""
    bad = evidence.wrong() + evidence.failed()
    changed = [i for i, run in enumerate(evidence.runs) if run.changed]
    if not bad and not changed:
        return None
    for known in evidence.exercise.wrong_answers:
        if explains(evidence, known):
            outcome = "error" if evidence.failed() and not evidence.wrong() else "wrong"
            return evidence.verdict(outcome, known.name, known.message, (bad or changed)[0])
    return None


def explains(evidence: Evidence, known: WrongAnswer) -> bool:
    """Say whether a known mistake accounts for all that the learner's function does."""
    if isinstance(known.answer, ByResult):
        wrong = evidence.wrong()
        return bool(wrong) and not evidence.failed() and all(holds(evidence, known.answer, i) for i in wrong)
    for model in known.samples:
        theirs = run_all(model, evidence.probes, seconds=evidence.exercise.seconds)
        if all(alike(evidence.exercise, mine, other) for mine, other in zip(evidence.runs, theirs)):
            return True
    return False


def holds(evidence: Evidence, known: ByResult, i: int) -> bool:
    """Say whether result number i shows a mistake that is known by its result."""
    try:
        got, expected = plain(evidence.runs[i].value), plain(evidence.expected[i])
        return bool(known.predicate(got, expected, *plain(evidence.runs[i].arguments)))
    except Exception:  # a result of another type
        return False


def alike(exercise: FunctionExercise, mine: Run, other: Run) -> bool:
    """Say whether two runs show the same behavior: value, error and change."""
    if mine.failure or other.failure:
        return mine.outcome() == other.outcome()
    return mine.changed == other.changed and exercise.accepts(mine.value, other.value)


def judge_mostly(evidence: Evidence) -> Verdict | None:
    """A known wrong answer that explains most of the wrong results, but not all."""
    wrong = evidence.wrong()
    best: tuple[int, WrongAnswer | None] = (0, None)
    for known in evidence.exercise.wrong_answers:
        for model in () if isinstance(known.answer, ByResult) else known.samples:
            theirs = run_all(model, [evidence.probes[i] for i in wrong], seconds=evidence.exercise.seconds)
            hits = sum(alike(evidence.exercise, evidence.runs[i], other) for i, other in zip(wrong, theirs))
            if hits > best[0]:
                best = (hits, known)
    hits, known = best
    if known is None or len(wrong) < 3 or hits < 0.75 * len(wrong) or shadowing(evidence.answer):
        return None
    shown = "all" if hits == len(wrong) else f"{hits}"
    message = f"{known.message} (This explains {shown} of the {len(wrong)} wrong results.)"
    return evidence.verdict("wrong", known.name, message, wrong[0])


# --- Mistakes that any function can have -----------------------------------------------------------


def judge_errors(evidence: Evidence) -> Verdict | None:
    """An exception in the learner's code."""
    failed = evidence.failed()
    if not failed:
        return None
    failure = evidence.runs[failed[0]].failure
    if name := shadowed_builtin(failure, evidence.answer):
        return evidence.verdict("error", "shadowed-builtin", shadow_message(name, failure), failed[0])
    advice = {
        "NameError": " Is it spelled right? Has the cell that defines or imports it been run?",
        "IndexError": " Look at the last turn of the loop: which index does it ask for?",
        "KeyError": " The key is not in the dict when you ask for it.",
        "RecursionError": " The function calls itself without end; a loop is enough here.",
    }.get(failure.name, "")
    if "unhashable type: 'list'" in failure.text:
        advice = " A key of a dict, or a member of a set, must be a tuple and not a list: write `tuple(...)` around it."
    elif failure.text.endswith("is not in list"):
        advice = " Not every input holds what you look for: ask first whether it is there."
    text = f"{failure.name}: {failure.text}".rstrip(": ")
    end = "" if text.endswith((".", "?", "!")) else "."
    return evidence.verdict("error", failure.name, f"Your code stopped with {text}{end}{advice}", failed[0])


def shadowed_builtin(failure: Failure, answer: object) -> str | None:
    """Return the name of Python's own that the learner has used for something else, if that is the cause."""
    taken = shadowing(answer)
    if failure.name == "TypeError" and failure.text.endswith("object is not callable"):
        local = [name for name in failure.variables if callable(getattr(builtins, name, None))]
        marked = " ".join(text for _, text, here in failure.lines if here)
        return next((name for name in sorted(taken) + sorted(local) if f"{name}(" in marked), None) or (
            sorted(taken)[0] if taken else None
        )
    if failure.name == "UnboundLocalError":
        return next((n for n in sorted(failure.variables) if f"'{n}'" in failure.text and hasattr(builtins, n)), None)
    return None


def shadowing(answer: object) -> set[str]:
    """Return the names of Python's own that the function uses and the notebook has assigned to."""
    names, function = namespace(answer), plain_function(answer)
    if names is None:
        return set()
    used = set(function.__code__.co_names)
    for constant in function.__code__.co_consts:
        used |= set(getattr(constant, "co_names", ()))
    return {name for name in used - IPYTHON_NAMES if name in names and hasattr(builtins, name)}


IPYTHON_NAMES = {"open", "exit", "quit", "display", "__name__", "__doc__"}  # IPython sets these itself


def shadow_message(name: str, failure: Failure | None = None) -> str:
    """Say that a name of Python's own stands for something else now.

    Example:
        >>> shadow_message("len").startswith("`len` is no longer Python's own")
        True
    """
    if failure and name in failure.variables:
        return (
            f"Inside your function, `{name}` is a variable of yours, so Python's own `{name}` cannot be reached there. "
            "Give your variable another name."
        )
    return (
        f"`{name}` is no longer Python's own `{name}`: a cell of this notebook has assigned something else to that name. "
        f"Run `del {name}` in a cell, and give your variable another name."
    )


def judge_none(evidence: Evidence) -> Verdict | None:
    """None came back: nothing was returned, or it was printed."""
    empty = [i for i in evidence.wrong() if evidence.runs[i].value == ("None", None)]
    if not empty:
        return None
    if any(evidence.runs[i].printed.strip() for i in empty) and len(empty) == len(evidence.runs):
        message = "Your function prints its result instead of returning it. Put `return` where `print` stands."
        return evidence.verdict("wrong", "prints", message, empty[0])
    if len(empty) == len(evidence.runs):
        message = (
            "Your function returns None: it has no `return` at its end, or the variable that it returns was never set. "
            f"It must return {evidence.exercise.expects}."
        )
        return evidence.verdict("wrong", "returns-none", message, empty[0])
    message = "For this input your function returns None: it reaches its end on a way without `return`."
    return evidence.verdict("wrong", "sometimes-none", message, empty[0])


def judge_type(evidence: Evidence) -> Verdict | None:
    """The results are of a wrong type, or hold something of a wrong type."""
    wrong = evidence.wrong()
    if not wrong:
        return None
    exercise, runs = evidence.exercise, evidence.runs
    tidy = as_dict if exercise.any_dict else (lambda value: value)
    i = wrong[0]
    same_content = all(loosen(runs[j].value) == loosen(evidence.expected[j]) for j in wrong)
    if not same_content and any(kind_of(tidy(runs[j].value)) == kind_of(tidy(evidence.expected[j])) for j in wrong):
        return None
    got, expected = tidy(runs[i].value), tidy(evidence.expected[i])
    where, found, wanted = type_difference(got, expected) or ("", kind_of(got), kind_of(expected))
    place = f"{where} is" if where else "your function returns"
    start = "The content is right, the type is not" if same_content else "The type is wrong"
    message = f"{start}: {place} {article(found)}, and it must be {article(wanted)}. Asked for: {exercise.expects}."
    return evidence.verdict("wrong", "wrong-type", message + TYPE_ADVICE.get(found, ""), i)


TYPE_ADVICE = {
    "generator": " A generator makes its items later; `list(...)` around it collects them now.",
    "zip": " `list(...)` around it collects its items.",
    "map": " `list(...)` around it collects its items.",
    "dict_items": " `dict(...)` or `list(...)` around it makes a value of its own.",
}


def judge_value(evidence: Evidence) -> Verdict | None:
    """Nothing known fits: show the smallest input that goes wrong."""
    wrong = evidence.wrong()
    if not wrong:
        return None
    if taken := sorted(shadowing(evidence.answer)):
        return evidence.verdict("wrong", "shadowed-builtin", shadow_message(taken[0]), wrong[0])
    if min(wrong) >= len(evidence.exercise.examples):
        others = len(evidence.runs) - len(evidence.exercise.examples)
        message = (
            f"Right on the examples shown, wrong on others ({len(wrong)} of {others}). Which rule do the examples follow? "
            "The smallest input that goes wrong:"
        )
        return evidence.verdict("wrong", "examples-only", message, wrong[0])
    message = f"Wrong for {len(wrong)} of {count(len(evidence.probes), 'input')}. The smallest one that goes wrong:"
    return evidence.verdict("wrong", None, message, wrong[0])


def judge_change(evidence: Evidence) -> Verdict | None:
    """The results are right, but an argument is not what it was."""
    changed = [i for i, run in enumerate(evidence.runs) if run.changed]
    if not changed:
        return None
    i = min(changed, key=lambda i: size(evidence.runs[i].arguments))
    message = (
        "The result is right, but your function changes the argument that it was given; whoever called it finds another "
        "value there afterwards. Build a new object and leave the argument as it was."
    )
    return evidence.verdict("wrong", "changes-argument", message, i)


def count(n: int, noun: str) -> str:
    """Return a number with its noun.

    Example:
        >>> count(1, "argument"), count(2, "argument")
        ('1 argument', '2 arguments')
    """
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def article(name: str) -> str:
    """Return a type's name with its article.

    Example:
        >>> article("int"), article("list"), article("None")
        ('an int', 'a list', 'None')
    """
    if name == "None":
        return name
    return f"an {name}" if name[0] in "aeioAEIO" else f"a {name}"


def example_rows(exercise: FunctionExercise, verdict: Verdict) -> tuple[tuple[str, str], ...]:
    """Return the table of the failing example: the arguments, what came, what should have come."""
    run = verdict.run
    if run is None:
        return ()
    rows = [(name, show(argument)) for name, argument in zip(exercise.parameters, run.arguments[1])]
    if run.printed.strip():
        printed = run.printed.strip().splitlines()
        rows.append(("printed", "\n".join(line[:100] for line in printed[:3]) + ("\n…" if len(printed) > 3 else "")))
    if run.failure is None:
        rows.append(("you return", show(run.value)))
    rows.append(("expected", show(verdict.expected)))
    return tuple(rows)


def is_result(exercise: FunctionExercise, value: tuple) -> bool:
    """Say whether a value could be what the function returns: then the learner has called it."""
    kinds = {run.value[0] for run in run_all(exercise.reference, list(exercise.examples))}
    if exercise.any_dict and "dict" in kinds:
        kinds |= {"Counter", "defaultdict"}
    try:
        plain(value)
    except ValueError:
        return False
    return value[0] in kinds
