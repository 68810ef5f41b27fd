"""Verdicts: from the runs of a learner's function to the one thing to tell the learner.

The order matters. First what stopped the run; then a known mistake that behaves in the same
way; then what can be proven about any function (``mistakes``); then a known mistake that
explains most, as a guess; and when nothing fits, the smallest input that goes wrong.
"""

import ast
import builtins
import inspect
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from .mistakes import (
    STRONG,
    WEAK,
    changed_arguments,
    error_advice,
    find_mistake,
    leaves_at_once,
    list_against_tuple,
    none_method,
    parsed,
)
from .running import Failure, Run, namespace, plain_function, run_all
from .spec import ByResult, FunctionExercise, WrongAnswer
from .values import fit, holds, kind_of, loosen, plain, read, show, size, type_difference


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

    def is_right(self, i: int, run: Run) -> bool:
        """Say whether a run on probe number i does what it should."""
        return not run.failure and not run.changed and self.exercise.accepts(run.value, self.expected[i])

    def is_edge(self, i: int) -> bool:
        """Say whether an argument of probe number i is empty or zero."""
        return any(argument is not False and not argument for argument in self.probes[i])

    def numbers(self, test: Callable[[int, Run], bool]) -> list[int]:
        """Return the numbers of some runs: first those with another content, then the smallest."""
        found = [i for i, run in enumerate(self.runs) if test(i, run)]
        return sorted(found, key=lambda i: (self.only_type(i), size(self.runs[i].arguments), i))

    @cached_property
    def wrong(self) -> list[int]:
        """The numbers of the runs that gave a wrong value."""
        return self.numbers(lambda i, run: not run.failure and not self.exercise.accepts(run.value, self.expected[i]))

    @cached_property
    def failed(self) -> list[int]:
        """The numbers of the runs that ended in a failure."""
        return self.numbers(lambda i, run: bool(run.failure))

    @cached_property
    def changed(self) -> list[int]:
        """The numbers of the runs that changed an argument or an earlier result, or gave back what must be new."""
        return self.numbers(lambda i, run: run.changed or run.altered() or (run.aliased and self.exercise.fresh))

    @cached_property
    def right(self) -> list[int]:
        """The numbers of the runs that are right, but for empty arguments."""
        return self.numbers(lambda i, run: self.is_right(i, run) and not self.is_edge(i))

    @cached_property
    def cases(self) -> list[tuple]:
        """(result, right result, arguments) of each wrong run; [] if some are not of built-in types."""
        try:
            return [(plain(self.runs[i].value), plain(self.expected[i]), self.probes[i]) for i in self.wrong]
        except ValueError:
            return []

    @cached_property
    def models(self) -> list[tuple[WrongAnswer, list[Run], set[int]]]:
        """The known mistakes that are functions: each with its runs, and the numbers of those that the learner's are like."""
        models = [
            (known, run_all(model, self.probes, seconds=self.exercise.seconds))
            for known in self.exercise.wrong_answers
            if not isinstance(known.answer, ByResult)
            for model in known.samples
        ]
        return [
            (*model, {i for i, pair in enumerate(zip(self.runs, model[1])) if self.alike(*pair)}) for model in models
        ]

    def call_again(self, i: int) -> list[Run]:
        """Call the answer twice more with the arguments of probe number i."""
        return run_all(self.answer, [self.probes[i]] * 2, seconds=self.exercise.seconds)

    def only_type(self, i: int) -> bool:
        """Say whether run number i gave the right content."""
        value = self.runs[i].value
        return value is not None and loosen(value) == loosen(self.expected[i])

    def alike(self, mine: Run, other: Run) -> bool:
        """Say whether two runs on the same probe show the same behavior: value, error and change."""
        if mine.failure or other.failure:  # what is said of a loop is false where there is none
            return mine.outcome() == other.outcome() and mine.failure.loops >= other.failure.loops
        accepts = self.exercise.accepts  # an int is taken for a float, whichever of the two has it
        same = accepts(mine.value, other.value) or accepts(other.value, mine.value)
        return (mine.changed, mine.altered()) == (other.changed, other.altered()) and same

    def few(self) -> str:
        """Say that few results are wrong, so that what follows is a guess from these, or ``""``."""
        wrong, all_ = len(self.wrong), len(self.wrong) + len(self.right)
        are, them = ("is", "it") if wrong == 1 else ("are", "them")
        return f"Only {wrong} of {all_} results {are} wrong; a guess from {them}: " * (wrong < max(3, 0.2 * all_))

    def and_errors(self) -> str:
        """Say where it stops with an error besides, or ``""``."""
        if not self.failed:
            return ""
        run = self.runs[self.failed[0]]
        given = ", ".join(show(argument, 40) for argument in run.arguments[1])
        return f" (And for {given} it stops with {run.failure.name}.)"

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
    return next(verdict for step in STEPS if (verdict := step(evidence)))


def judge_passed(evidence: Evidence) -> Verdict | None:
    """All right; a type that was taken for another is named."""
    if evidence.wrong or evidence.failed or evidence.changed:
        return None
    pairs = [(evidence.exercise.tidy(run.value), right) for run, right in zip(evidence.runs, evidence.expected)]
    notes = [note for got, right in pairs if (note := type_note(got, right))]
    return Verdict("passed", None, "Right on every input tried." + (notes[0] if notes else ""))


def type_note(got: tuple, expected: tuple, *, subject: str = "your function returns", loose: bool = False) -> str:
    """Return one line about a type that was taken for another, or ``""``.

    Example:
        >>> type_note(read(2), read(2.0))
        ' (One thing: your function returns an int, taken for the float that was asked for.)'
    """
    difference = type_difference(got, fit(got, expected, loose=loose))
    if not difference:
        return ""
    where, found, wanted = difference
    start = f"{where} is" if where else subject
    return f" (One thing: {start} {article(found)}, taken for the {wanted} that was asked for.)"


def refuse_signature(exercise: FunctionExercise, answer: object) -> Verdict | None:
    """Say so when the function cannot take the arguments at all."""
    function = plain_function(answer)
    if function is None or function is not answer:
        return None
    code, wanted = function.__code__, exercise.parameters
    try:
        inspect.signature(function, follow_wrapped=False).bind(*wanted)
    except TypeError:
        yours = ", ".join(code.co_varnames[: code.co_argcount]) or "nothing"
        asked = f"{count(len(wanted), 'argument')}: {', '.join(wanted)}"
        return Verdict("wrong", "wrong-parameters", f"`{exercise.name}` must take {asked}. Yours takes {yours}.")
    is_async = Verdict("wrong", "async", "Your function is an `async def`. Write a plain `def`.")
    return is_async if code.co_flags & 0x280 else None


# --- What stops the run ----------------------------------------------------------------------


def judge_stopped(evidence: Evidence) -> Verdict | None:
    """An endless loop, a flood of output, exit(), no memory left, or a huge result."""
    last, run = len(evidence.runs) - 1, evidence.runs[-1]
    if not run.stops():
        return None
    mistake, words = STOPPED[run.failure.kind if run.failure else "huge"]
    message = words.format(seconds=evidence.exercise.seconds, why=run.value and run.value[1])
    return evidence.verdict("error" if run.failure else "wrong", mistake, message, last)


STOPPED = {
    "time": (
        "endless-loop",
        "Your function did not finish within {seconds:g} seconds, so it was stopped at the "
        "marked line. A loop that never ends? Look at what should change in each turn, and at what ends the loop. Or "
        "is there something slow, such as a plot, in each call?",
    ),
    "output": (
        "too-much-output",
        "Your function printed or displayed more than 20,000 characters in one call, so it was stopped. Is there a `print` in a "
        "loop that never ends?",
    ),
    "exit": (
        "exit",
        "Your function ends the whole program: it calls `exit()`, `quit()` or `sys.exit()`. End it with `return`.",
    ),
    "input": (
        "asks",
        "Your function asks for input, by `input()` or a debugger. Here nobody answers: all that it needs comes as its "
        "arguments.",
    ),
    "memory": (
        "too-much-memory",
        "Your function asked for more than 1 GB of memory, so it was stopped. Does something grow in every turn of "
        "a loop?",
    ),
    "huge": ("huge-result", "Your function returns far too much: {why}. Does something grow in a loop?"),
}


# --- Known mistakes ----------------------------------------------------------------------------


def judge_known(evidence: Evidence) -> Verdict | None:
    """A known mistake that does the same on every probe.

    On an empty or zero argument it may differ where one of the two stops with an error, or where
    the learner is right: a guard there changes nothing about the mistake.
    """
    bad = dict.fromkeys([*evidence.wrong, *evidence.failed, *evidence.changed])
    known_by_result = [known for known in evidence.exercise.wrong_answers if holds_for_all(evidence, known.answer)]
    found = [(len(evidence.failed), known, evidence.wrong) for known in known_by_result]
    for known, theirs, alike in evidence.models:
        off = set(range(len(evidence.runs))) - alike
        agreed = [i for i in bad if i in alike]
        if agreed and len(theirs) == len(evidence.runs) and all(may_differ(evidence, i, theirs[i]) for i in off):
            found.append((len(off), known, agreed))
    if not found:
        return None
    differ, known, agreed = min(found, key=lambda one: one[0])
    message = known.message + (evidence.and_errors() if differ and evidence.wrong else "")
    outcome = "error" if evidence.failed and not evidence.wrong else "wrong"
    return evidence.verdict(outcome, known.name, message, most_telling(evidence, known, agreed))


def may_differ(evidence: Evidence, i: int, other: Run) -> bool:
    """Say whether a difference from a known mistake on probe number i does not matter."""
    mine = evidence.runs[i]
    return evidence.is_edge(i) and bool(mine.failure or other.failure or evidence.is_right(i, mine))


def most_telling(evidence: Evidence, known: WrongAnswer, agreed: list[int]) -> int:
    """Return the small input that the fewest other known mistakes explain as well."""
    others = [alike for one, _, alike in evidence.models if one is not known]
    return min(agreed[:4], key=lambda i: sum(i in alike for alike in others))


def holds_for_all(evidence: Evidence, known: object) -> bool:
    """Say whether a mistake is known by its result and holds for every wrong one."""
    cases = evidence.cases if isinstance(known, ByResult) else []
    return bool(cases) and all(holds(known.predicate, got, right, *given) for got, right, given in cases)


def judge_mostly(evidence: Evidence) -> Verdict | None:
    """A known mistake that agrees on most of the inputs on which either is wrong: a guess."""
    guesses = []
    for known, theirs, alike in evidence.models:
        hits = [i for i in evidence.wrong if i in alike]
        either = len(theirs) - sum(
            evidence.is_right(i, mine) and evidence.is_right(i, run)
            for i, (mine, run) in enumerate(zip(evidence.runs, theirs))
        )
        if len(hits) >= max(3, 0.6 * either):
            guesses.append((len(hits) / either, known, hits))
    if not guesses or all(map(evidence.only_type, evidence.wrong)):
        return None
    _, known, hits = max(guesses, key=lambda guess: guess[0])
    some = "All" if len(hits) == len(evidence.wrong) else "Most"
    look = f"{some} wrong results ({len(hits)} of {len(evidence.wrong)}) look as if this were the mistake"
    message = f"{look}: {known.message}{evidence.and_errors()}"
    return evidence.verdict("wrong", known.name, message, most_telling(evidence, known, hits))


# --- Mistakes that any function can have -----------------------------------------------------------


Fact = tuple | None  # name and words of a mistake, true whenever they are said; the number of a run that shows it


def by_fact(find: Callable[[Evidence], Fact]) -> Callable[[Evidence], Verdict | None]:
    """Make a step of judging from a function that says something about wrong results."""

    def step(evidence: Evidence) -> Verdict | None:
        if not evidence.wrong or not (found := find(evidence)):
            return None
        name, words, i = (*found, evidence.wrong[0])[:3]
        return evidence.verdict("wrong", name, words + evidence.and_errors(), i)

    return step


def compares_list_with_tuple(evidence: Evidence) -> Fact:
    """A list compared with a tuple in the learner's own lines."""
    names = getattr(getattr(plain_function(evidence.answer), "__code__", None), "co_varnames", ())
    found = list_against_tuple(parsed(evidence.answer), dict(zip(names, evidence.probes[evidence.wrong[0]])))
    words = f"`{found}` compares a list with a tuple, and these are never equal. Write `tuple(...)` around the list."
    return ("list-against-tuple", words) if found else None


def returns_in_first_turn(evidence: Evidence) -> Fact:
    """A loop that never reaches its second turn."""
    words = "A `return` at the end of the loop's body ends the function in the first turn. It belongs behind the loop."
    return ("returns-in-first-turn", words) if leaves_at_once(parsed(evidence.answer)) else None


def uses_shadowed_name(evidence: Evidence) -> Fact:
    """A name of Python's own that the notebook has assigned to."""
    taken = sorted(shadowing(evidence.answer))
    return ("shadowed-builtin", shadow_message(taken[0])) if taken and not evidence.failed else None


def is_constant(evidence: Evidence) -> Fact:
    """The same result for every input."""
    first, *rest = [run.value and evidence.exercise.tidy(run.value) for run in evidence.runs]
    if not first or not rest or any(value != first for value in rest) or first[0] != evidence.expected[0][0]:
        return None
    return "constant", f"Your function returns `{show(first, 60)}` for every input. It must depend on what it is given."


def keeps_state(evidence: Evidence) -> Fact:
    """Called again with the same argument, the function returns something else."""
    i = evidence.wrong[0]
    again = evidence.call_again(i)
    words = (
        "Called twice with the same argument, your function returns two different things: something is kept from call to "
        "call. Is there a list or dict outside of the function, or as the default of a parameter? Make it inside."
    )
    return ("keeps-state", words) if any(run.outcome() != evidence.runs[i].outcome() for run in again) else None


def is_in_table(rows: tuple) -> Callable[[Evidence], Fact]:
    """A general mistake that holds for every wrong result."""

    def find(evidence: Evidence) -> Fact:
        if not evidence.cases:
            return None
        others = [plain(evidence.expected[i]) for i in evidence.right]
        found = find_mistake(rows, evidence.cases, evidence.exercise.parameters, others)
        return found and (found[0], evidence.few() + found[1])

    return find


def is_right_for_other_arguments(evidence: Evidence) -> Fact:
    """Every wrong result is what is right for arguments that differ in one way, and the right ones do not deny it."""
    wrong = evidence.wrong if evidence.cases else []
    for name, words, change in changed_arguments(evidence.exercise.parameters):
        if count_as_if(evidence, wrong[:2], change)[0] == len(wrong[:2]) > 0:
            explained, (_, denied) = (
                count_as_if(evidence, wrong, change)[0],
                count_as_if(evidence, evidence.right, change),
            )
            if explained == len(wrong) > 1.5 * denied:
                start = "A guess: every" if denied or len(wrong) < 3 else "Every"
                return name, f"{start} wrong result is the right one for something else: it is as {words}."
    return None


def count_as_if(evidence: Evidence, chosen: list[int], change: Callable[[tuple], tuple]) -> tuple[int, int]:
    """Return how many of the chosen results are what the reference gives for changed arguments, and how many not."""
    probes = {}
    for i in chosen:
        with suppress(TypeError, AttributeError, ValueError, KeyError):  # not for arguments of this type
            probes[i] = change(evidence.probes[i])
    runs = zip(probes, run_all(evidence.exercise.reference, list(probes.values())))
    alike = [not run.failure and evidence.exercise.accepts(evidence.runs[i].value, run.value) for i, run in runs]
    return sum(alike), len(alike) - sum(alike)


def judge_errors(evidence: Evidence) -> Verdict | None:
    """An exception in the learner's code, on more than an empty input."""
    return None if evidence.wrong and all(map(evidence.is_edge, evidence.failed)) else judge_any_error(evidence)


def judge_any_error(evidence: Evidence) -> Verdict | None:
    """An exception in the learner's code."""
    if not evidence.failed:
        return None
    i = evidence.failed[0]
    failure = evidence.runs[i].failure
    if name := shadowed_builtin(failure, evidence.answer):
        return evidence.verdict("error", "shadowed-builtin", shadow_message(name, failure), i)
    text = f"{failure.name}: {failure.text}".rstrip(": ")
    end = "" if text.endswith((".", "?", "!")) else "."
    return evidence.verdict(
        "error", failure.name, f"Your code stopped with {text}{end}{error_advice(failure, evidence.is_edge(i))}", i
    )


# --- Names of Python's own -----------------------------------------------------------------------


def shadowed_builtin(failure: Failure, answer: object) -> str | None:
    """Return the name of Python's own that the learner has used for something else, if that is the cause."""
    taken, variables = sorted(shadowing(answer)), sorted(failure.variables)
    if failure.name == "UnboundLocalError":
        return next((name for name in variables if f"'{name}'" in failure.text and hasattr(builtins, name)), None)
    if failure.name != "TypeError" or not failure.text.endswith("object is not callable"):
        return None
    marked = " ".join(text for _, text, here in failure.lines if here)
    local = [name for name in variables if callable(getattr(builtins, name, None))]
    return next((name for name in taken + local if f"{name}(" in marked), taken[0] if taken else None)


def shadowing(answer: object) -> set[str]:
    """Return the names of Python's own that the function uses and the notebook has assigned to."""
    names, function = namespace(answer), plain_function(answer)
    if names is None:
        return set()
    codes = [function.__code__, *function.__code__.co_consts]
    used = {name for code in codes for name in getattr(code, "co_names", ())}
    return {name for name in used - IPYTHON_NAMES if name in names and hasattr(builtins, name)}


IPYTHON_NAMES = {"open", "exit", "quit", "display", "__name__", "__doc__"}  # IPython sets these itself


def shadow_message(name: str, failure: Failure | None = None) -> str:
    """Say that a name of Python's own stands for something else now.

    Example:
        >>> shadow_message("len").startswith("`len` is no longer Python's own")
        True
    """
    inside = (
        f"Inside your function, `{name}` is a variable of yours, so Python's own `{name}` cannot be reached there. "
        "Give your variable another name."
    )
    outside = (
        f"`{name}` is no longer Python's own `{name}`: a cell of this notebook has assigned something else to that name. "
        f"Run `del {name}` in a cell, and give your variable another name."
    )
    return inside if failure and name in failure.variables else outside


# --- Results, one by one ---------------------------------------------------------------------------


def returns_none(evidence: Evidence) -> Fact:
    """None came back: nothing was returned, or it was printed."""
    runs, exercise = evidence.runs, evidence.exercise
    empty = [i for i in evidence.wrong if runs[i].value == ("None", None)]
    if not empty:
        return None
    if len(empty) == len(runs) and all(printed_result(evidence, i) for i in empty):
        return "prints", "Your function prints its result instead of returning it. Put `return` where `print` stands."
    name, where = ("returns-none", "") if len(empty) == len(runs) else ("sometimes-none", "For this input ")
    reason = "it ends without a `return`, or the variable that it returns was never set."
    if method := none_method(parsed(evidence.answer)):
        reason = f"`{method}` changes its object and returns None. Call it on a line of its own."
    return (
        name,
        f"{where}{'y' if where else 'Y'}our function returns None: {reason} It must return {exercise.expects}.",
        empty[0],
    )


def printed_result(evidence: Evidence, i: int) -> bool:
    """Say whether run number i printed what it should return, as text or as Python writes it."""
    printed, right = evidence.runs[i].printed.strip(), evidence.expected[i]
    is_read_as_right = holds(lambda: evidence.exercise.accepts(read(ast.literal_eval(printed)), right))
    return is_read_as_right or printed in (str(plain(right)).strip(), repr(plain(right)))


def is_of_another_type(evidence: Evidence) -> Fact:
    """The results are of a wrong type, or hold something of a wrong type."""
    exercise, wrong = evidence.exercise, evidence.wrong
    values = {i: (exercise.tidy(evidence.runs[i].value), evidence.expected[i]) for i in wrong}
    found = {i: difference for i in wrong if (difference := type_difference(*values[i]))}
    if len(found) < 0.6 * len(wrong) or len({difference[1:] for difference in found.values()}) > 1:
        found = {i: ("", kind_of(got), kind_of(right)) for i, (got, right) in values.items()}
        if any(kind == wanted for _, kind, wanted in found.values()):
            return None
    i, (where, kind, wanted) = next(iter(found.items()))
    place = f"{where} is" if where else "your function returns"
    start = "The content is right, the type is not" if all(map(evidence.only_type, wrong)) else "The type is wrong"
    message = f"{start}: {place} {article(kind)}, and it must be {article(wanted)}. Asked for: {exercise.expects}."
    return "wrong-type", message + type_advice(kind, wanted), i


def type_advice(found: str, wanted: str) -> str:
    """Return how to get from one type to the other, or ``""``.

    Example:
        >>> type_advice("zip", "list")
        ' `list(...)` around it collects its items.'
    """
    if found in ("ndarray", "Series", "Index"):
        return " `.to_dict()` makes a dict of it." if wanted == "dict" else " `.tolist()` makes a list of it."
    if found not in (
        "generator",
        "zip",
        "map",
        "filter",
        "dict_items",
        "dict_keys",
        "dict_values",
        "deque",
        "reversed",
    ):
        return ""
    collects = wanted in ("list", "tuple", "set") or (wanted, found) == ("dict", "dict_items")
    made = f"`{wanted}(...)` around it collects its items"
    return f" {made}." if collects else f" It only goes over items. Make {article(wanted)} of them."


def is_wrong_somewhere(evidence: Evidence) -> Fact:
    """Nothing known fits: show the smallest input that goes wrong."""
    wrong, examples = evidence.wrong, len(evidence.exercise.examples)
    if min(wrong) < examples:
        return (
            None,
            f"Wrong for {len(wrong)} of {count(len(evidence.probes), 'input')}. The smallest one that goes wrong:",
        )
    return (
        "examples-only",
        f"Right on the examples shown, wrong on others ({len(wrong)} of {len(evidence.runs) - examples}). Read the "
        "description again: the examples do not show all that it says. The smallest input that goes wrong:",
    )


def judge_change(evidence: Evidence) -> Verdict | None:
    """The results are right, but an argument or an earlier result is not what it was, or an argument has come back."""
    i = evidence.changed[0]
    run = evidence.runs[i]
    return evidence.verdict(
        "wrong", *(CHANGES_IT if run.changed else RETURNS_IT if run.aliased else CHANGES_EARLIER), i
    )


CHANGES_IT = (
    "changes-argument",
    "The result is right, but your function changes the argument that it was given; whoever called it finds another "
    "value there afterwards. Build a new object and leave the argument as it was.",
)
RETURNS_IT = (
    "returns-same-object",
    "The content is right, but for this input your function returns the very object that it was given. Whoever "
    "changes one of them later changes the other. Return a new one.",
)
CHANGES_EARLIER = (
    "keeps-state",
    "The result is right, but the result of an earlier call changes when your function is called again: both are one "
    "object, kept outside of the function. Make a new object inside.",
)


STEPS: tuple[Callable[[Evidence], Verdict | None], ...] = (
    judge_stopped,
    judge_passed,
    by_fact(compares_list_with_tuple),
    judge_known,
    by_fact(returns_in_first_turn),
    by_fact(uses_shadowed_name),
    by_fact(is_constant),
    by_fact(keeps_state),
    judge_errors,
    by_fact(is_in_table(STRONG)),
    by_fact(is_right_for_other_arguments),
    by_fact(returns_none),
    judge_mostly,
    by_fact(is_of_another_type),
    by_fact(is_in_table(WEAK)),
    judge_any_error,
    by_fact(is_wrong_somewhere),
    judge_change,
)


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
    return name if name in ("None", "bytes") else f"an {name}" if name[0] in "aeioAEIO" else f"a {name}"


def example_rows(exercise: FunctionExercise, verdict: Verdict) -> tuple[tuple[str, str], ...]:
    """Return the table of the failing example: the arguments, what came, what should have come."""
    run = verdict.run
    if run is None:
        return ()
    lines = [] if run.failure and run.failure.kind == "input" else run.printed.strip().splitlines()
    printed = "\n".join(line[:100] for line in lines[:3]) + "\n…" * (len(lines) > 3)
    return (
        *((name, show(argument)) for name, argument in zip(exercise.parameters, run.arguments[1])),
        *([("printed", printed)] if lines else []),
        *([] if run.failure else [("you return", show(run.value))]),
        ("expected", show(verdict.expected)),
    )


def is_result(exercise: FunctionExercise, value: tuple) -> bool:
    """Say whether a value could be what the function returns: then the learner has called it."""
    kinds = {exercise.tidy(run.value)[0] for run in run_all(exercise.reference, list(exercise.examples))}
    return exercise.tidy(value)[0] in kinds and holds(lambda: [plain(value)])
