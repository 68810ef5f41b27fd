"""Points: expected values and verdicts stay in this process, which never runs a learner's code.

The verdict is the one of ``check``, with the same words. It is made from what the other process
reported: nothing but values of built-in types, compared with types and all.
"""

import ast
import inspect
import linecache
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from ..cards import Result
from ..checking import JUDGES, TO_DO, _card
from ..running import Failure, Run, run_all
from ..spec import Exercise, FunctionExercise, WorkExercise
from ..values import Tagged, plain, read
from ..verdicts import STEPS, Evidence, Verdict, refuse_signature
from .carrying import pack, unpack
from .finding import HERE, Answer, function_of, parsed
from .isolation import REFUSAL, Isolation

KINDS = ("error", "time", "output", "input", "exit", "memory")


@dataclass(frozen=True)
class Reported(Run):
    """A run in another process: whether its result was altered later is what that process says."""

    later: bool = field(default=False, compare=False)

    def altered(self) -> bool:
        """Say whether the result changed after it came back."""
        return self.later


class Told(Evidence):
    """Evidence about a function that cannot be called here."""

    def call_again(self, i: int) -> list[Run]:
        """Return the run that there is: whether another would differ is not known."""
        return [self.runs[i]]


def grade(exercise: Exercise, answer: Answer, isolation: Isolation, seed: int) -> Result:
    """Run an answer elsewhere and judge what came back.

    Args:
        exercise: the spec.
        answer: what was found for it.
        isolation: where to run it.
        seed: for the random inputs.

    Returns:
        The card that ``check`` would show, with two outcomes more: "not found" and "by hand".
    """
    return judge(exercise, answer, ask(exercise, answer, isolation, seed), seed)


def ask(exercise: Exercise, answer: Answer, isolation: Isolation, seed: int) -> Any:
    """Run an answer elsewhere and return what was reported, unread; None where there is nothing to run."""
    if answer.outcome or isinstance(exercise, WorkExercise) or forbidden_names(exercise, answer):
        return None
    if not isinstance(exercise, FunctionExercise):
        return isolation.run(answer.source, exercise.name, None, seconds=2.0)
    probes = [[_carried(argument, exercise.helpers) for argument in probe] for probe in expected(exercise, seed)[0]]
    helpers = "\n\n".join(map(inspect.getsource, exercise.helpers))
    return isolation.run(answer.source, exercise.name, probes, exercise.seconds, exercise.blocked, helpers)


def _carried(argument: Any, helpers: tuple[type, ...]) -> list:
    if type(argument) in helpers:
        kind, given = argument.__reduce__()
        return ["made", kind.__name__, pack(read(given))]
    return pack(read(argument))


@lru_cache(maxsize=200)
def expected(exercise: Exercise, seed: int) -> tuple[list, list]:
    """Return the probes and the right results."""
    probes = exercise.probes(seed)
    return probes, [run.value for run in run_all(exercise.reference, probes, seconds=20)]


def judge(exercise: Exercise, answer: Answer, report: Any, seed: int) -> Result:
    """Judge a report; it is not trusted in any way."""
    if answer.outcome:
        words = TO_DO[exercise.kind] if answer.outcome == "not attempted" else answer.reason
        verdict = Verdict(answer.outcome, answer.mistake, words)
    elif isinstance(exercise, WorkExercise):
        verdict = Verdict("by hand", None, BY_HAND)
    elif names := forbidden_names(exercise, answer):
        verdict = Verdict("wrong", "forbidden", f"It uses {', '.join(names)} of the course's module: {REFUSAL}.")
    elif report is None:
        verdict = Verdict("error", "no-report", NO_REPORT)
    else:
        verdict = _judge_report(exercise, answer, report, seed)
    if answer.left_out and verdict.outcome != "passed":
        names = ", ".join(f"`{name}`" for name in sorted(answer.left_out)[:5])
        verdict = replace(verdict, mistake="needs-other-code", message=f"{verdict.message} {LEFT_OUT.format(names)}")
    stuck = "" if verdict.outcome in ("passed", "by hand") else f' Stuck? `hint("{exercise.id}")`'
    return replace(_card(exercise, verdict), footer=f"{points(exercise, verdict.outcome)} points.{stuck}")


def points(exercise: Exercise, outcome: str) -> str:
    """Return what an outcome earns of what there is, in words."""
    got = "Not yet counted: up to" if outcome == "by hand" else f"{exercise.points * (outcome == 'passed')} of"
    return f"{got} {exercise.points}"


BY_HAND = "This is a piece of work made of objects, which only its maker's own process can hold: look at it by hand."
NO_REPORT = (
    "The process that ran this answer ended, or was stopped, before it said anything: it ran out of time or memory, "
    "wrote far too much, or left Python."
)
UNREADABLE = "What came back is no value of Python's built-in types."
LEFT_OUT = (
    "The answer uses {}, which other code makes: of a notebook only imports, definitions and assignments are run here."
)


def forbidden_names(exercise: Exercise, answer: Answer) -> list[str]:
    """Return what an answer takes from bpe_core although it answers the exercise by itself."""
    blocked = exercise.blocked if isinstance(exercise, FunctionExercise) else ()
    nodes = list(ast.walk(parsed(answer.source)))
    own = {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    found = []
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "bpe_core":
            found += [node.module, *node.module.split("."), *(alias.name for alias in node.names)]
        elif isinstance(node, ast.Import):
            found += [part for alias in node.names if "bpe_core" in alias.name for part in alias.name.split(".")]
        elif isinstance(node, ast.Attribute) and node.attr not in own:
            found.append(node.attr)
    return [f"`{name}`" for name in blocked if name in found]


def _judge_report(exercise: Exercise, answer: Answer, report: dict, seed: int) -> Verdict:
    try:
        if "made" in report:
            return _not_made(_run(report["made"], read(())))
        if "value" in report:
            return _judge_value(exercise, unpack(report["value"]), seed)
        probes, right = expected(exercise, seed)
        runs = [_run(one, read(probe)) for one, probe in zip(report["runs"], probes)]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return Verdict("error", "unreadable", UNREADABLE)
    if not runs or (len(runs) < len(probes) and not runs[-1].stops()):
        return Verdict("error", "no-report", NO_REPORT)
    for run, wanted in zip(runs, right):
        if run.failure and (run.failure.name == "NotAllowed" or run.failure.text == REFUSAL):
            return Verdict("wrong", "forbidden", f"{run.failure.text[:1].upper()}{run.failure.text[1:]}.", run, wanted)
    linecache.cache[HERE] = (len(answer.source), None, answer.source.splitlines(keepends=True), HERE)
    function = function_of(answer.source, exercise.name)
    if function and (refusal := refuse_signature(exercise, function)):
        return refusal
    evidence = Told(exercise, function, probes, runs, right)
    return next(verdict for step in STEPS if (verdict := step(evidence)))


def _not_made(run: Run) -> Verdict:
    failure = run.failure
    text = f"{failure.name}: {failure.text}".rstrip(": .")
    line = next((f", at the line `{line.strip()}`" for _, line, here in failure.lines if here), "")
    mistake = "forbidden" if failure.name == "NotAllowed" or failure.text == REFUSAL else failure.name
    return Verdict("error", mistake, f"The code of the answer, or what it needs, stops with {text}{line}.")


def _judge_value(exercise: Exercise, value: Tagged, seed: int) -> Verdict:
    if value == ("None", None) or value == ("other", "ellipsis"):
        return Verdict("not attempted", None, TO_DO[exercise.kind])
    try:
        given = plain(value)
    except ValueError:
        return Verdict("wrong", "wrong-type", f"{UNREADABLE[:-1]}; expected is {exercise.expects}.")
    return JUDGES[type(exercise)](exercise, given, seed)


def _run(told: dict, arguments: Tagged) -> Reported:
    failure = told["failure"] and _failure(told["failure"])
    value = None if failure else unpack(told["value"])
    flags = [told[name] is True for name in ("changed", "aliased", "altered")]
    return Reported(arguments, value, failure, str(told["printed"])[:2000], *flags[:2], later=flags[2])


def _failure(told: dict) -> Failure:
    if told["kind"] not in KINDS:
        raise ValueError(f"no kind of failure: {told['kind']!r}")
    lines = tuple((int(number), str(text)[:200], here is True) for number, text, here in told["lines"][:5])
    variables = frozenset(map(str, told["variables"][:100]))
    return Failure(
        told["kind"], str(told["name"])[:100], str(told["text"])[:300], lines, variables, bool(told["loops"])
    )
