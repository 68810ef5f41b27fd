"""What an exercise is: one spec holds all that the notebook, check, hint and solution need.

A wrong answer is its own detector: an exercise lists the wrong answers that learners
really give, each with the words that help. Four classes cover five kinds:

=================  =======================  ==========================================
kind               class                    the learner gives
=================  =======================  ==========================================
``write, mend``    ``FunctionExercise``     a function, from a stub or from broken code
``predict``        ``PredictExercise``      a value, before running anything
``choose``         ``ChooseExercise``       the letter of an explanation
``work``           ``WorkExercise``         a piece of work, such as a tokenizer with its numbers
=================  =======================  ==========================================
"""

import ast
import inspect
import random
import textwrap
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .running import plain_function
from .values import DICT_NAMES, Tagged, fit, read, same

LETTERS = "abcdefgh"  # of options, in exercises and quizzes
SEED = 20260  # check() is reproducible: the same answer gets the same card


@dataclass(frozen=True)
class ByResult:
    """A mistake known by what it returns: it must hold for every wrong result.

    Attributes:
        predicate: takes the learner's result, the right one and the arguments, all of
            built-in types; says whether this is the mistake. An exception is a no.
        sample: a buggy function that makes the mistake, for the tests.
    """

    predicate: Callable[..., bool]
    sample: Callable


@dataclass(frozen=True)
class WrongAnswer:
    """A wrong answer that is known.

    Attributes:
        name: a short name for the progress file, such as ``"skips-last-pair"``.
        answer: the buggy function, several of them, or a ByResult; for a prediction, the
            value, or a function that says of a value whether this is the mistake; for a piece
            of work, a function that spoils a good one.
        message: what to tell the learner: what went wrong, never the solution.
    """

    name: str
    answer: Any
    message: str

    @property
    def samples(self) -> tuple[Callable, ...]:
        """The buggy functions that show the mistake."""
        shown = self.answer.sample if isinstance(self.answer, ByResult) else self.answer
        return shown if isinstance(shown, tuple) else (shown,)


@dataclass(frozen=True)
class Option:
    """One option of a choice: its text, whether it is right, and why or why not."""

    text: str
    right: bool
    why: str


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """What all exercises have.

    Attributes:
        id: notebook and number, ``"2.1"``.
        title: a few words.
        points: what it is worth, once.
        hints: from vague to concrete; none gives the solution away.
        wrong_answers: the known mistakes.
    """

    id: str
    title: str
    points: int
    hints: tuple[str, ...]
    wrong_answers: tuple[WrongAnswer, ...] = ()

    @property
    def heading(self) -> str:
        """The first line of its cards."""
        return f"Exercise {self.id} · {self.title}"


@dataclass(frozen=True, kw_only=True)
class FunctionExercise(Exercise):
    """Write a function, or mend one.

    Attributes:
        reference: the right function. Its source is the shown solution; its docstring is
            the task, and the examples in it are the visible ones.
        make_probes: takes a random.Random, returns more tuples of arguments.
        expects: the kind of result, in words.
        buggy: for "mend", the function as the learner finds it.
        needs: lines of import that stand above the function.
        any_dict: whether a Counter or defaultdict passes for a dict, without a word.
        exact_types: whether the type is the point, so that nothing passes for it.
        fresh: whether the result must be a new object, not an argument itself.
        ordered: whether the order of a dict's keys counts.
        tolerance: how far a float may be off.
        seconds: the time limit for all calls together.
        forbidden: names of bpe_core's that answer the exercise by themselves; grading stops them.
        helpers: classes of the probes, which grading carries along by their source and ``__reduce__``.
    """

    reference: Callable
    make_probes: Callable[[random.Random], list]
    expects: str
    buggy: Callable | None = None
    needs: str = ""
    any_dict: bool = False
    exact_types: bool = False
    fresh: bool = False
    ordered: bool = False
    tolerance: float = 0.0
    seconds: float = 2.0
    forbidden: tuple[str, ...] = ()
    helpers: tuple[type, ...] = ()

    @property
    def blocked(self) -> tuple[str, ...]:
        """What of bpe_core an answer may not use in grading: all of it, unless the stub imports from it."""
        return self.forbidden if "bpe_core" in self.needs else ("bpe_core",)

    @property
    def kind(self) -> str:
        """``"write"`` or ``"mend"``."""
        return "mend" if self.buggy else "write"

    @property
    def name(self) -> str:
        """The name of the function that the learner writes."""
        return self.reference.__name__

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of its parameters."""
        return tuple(inspect.signature(self.reference).parameters)

    @cached_property
    def examples(self) -> tuple[tuple, ...]:
        """The arguments of the docstring's examples, which the learner sees."""
        return tuple(docstring_calls(self.reference))

    def probes(self, seed: int = SEED) -> list[tuple]:
        """Return the tuples of arguments to try: the visible examples, then others.

        The seed changes the random ones only.
        """
        return [*self.examples, *self.make_probes(random.Random(f"{self.id}/{seed}"))]

    @cached_property
    def solution(self) -> str:
        """The text that solves the exercise when it replaces the stub."""
        return self.needs + inspect.getsource(self.reference).rstrip()

    @cached_property
    def stub(self) -> str:
        """The text of the notebook's cell: signature, docstring and ``...``, or the broken code."""
        if self.buggy:
            return self.needs + _renamed_source(self.buggy, self.reference)
        return self.needs + _head(self.reference) + "    ..."

    def accepts(self, got: Tagged, expected: Tagged) -> bool:
        """Say whether a result, as ``values.read`` gives it, is right."""
        got, expected = self.tidy(got), self.tidy(expected)
        return same(
            got if self.exact_types else fit(got, expected), expected, tolerance=self.tolerance, ordered=self.ordered
        )

    def tidy(self, got: Tagged) -> Tagged:
        """Let a Counter, defaultdict or OrderedDict pass for a dict where the spec says so."""
        return ("dict", got[1]) if self.any_dict and got[0] in DICT_NAMES else got

    def is_untouched(self, answer: Any) -> bool:
        """Say whether the answer is the stub, unchanged."""
        if (function := plain_function(answer)) is None:
            return answer is ...
        code = function.__code__
        if self.buggy:
            return _fingerprint(code) == self._stub_fingerprint
        constants = set(code.co_consts) - {None, ..., function.__doc__}
        return code.co_code in EMPTY_BODIES and not code.co_names and not constants

    @cached_property
    def _stub_fingerprint(self) -> tuple:
        return _fingerprint(_compiled(self.stub, self.name))


@dataclass(frozen=True, kw_only=True)
class ValueExercise(Exercise):
    """Give a value by a name: what a prediction and a choice share.

    Attributes:
        question: the task, shown as comments in the stub.
        variable: the name that the learner assigns to.
    """

    question: str
    variable: str

    @property
    def name(self) -> str:
        """The variable."""
        return self.variable

    @property
    def task(self) -> str:
        """The question as comments."""
        return comment(self.question)

    @property
    def solution(self) -> str:
        """The text that solves the exercise when it replaces the stub."""
        return f"{self.task}\n{self.variable} = {self.answer!r}"

    @property
    def stub(self) -> str:
        """The text of the notebook's cell."""
        return f"{self.task}\n{self.variable} = ...  # {self.expects}"

    def is_untouched(self, answer: Any) -> bool:
        """Say whether nothing was filled in."""
        return answer is ... or answer is None


@dataclass(frozen=True, kw_only=True)
class PredictExercise(ValueExercise):
    """Say what comes out, before running it.

    Attributes:
        answer: the right value.
        expects: the kind of value, in words.
        why: why it is so, for the solution.
        proof: a function without parameters that computes the answer; its source is shown.
        tolerance: how far a float may be off.
    """

    answer: Any
    expects: str
    why: str
    proof: Callable
    tolerance: float = 0.0
    kind: str = field(default="predict", init=False)

    def accepts(self, got: Tagged) -> bool:
        """Say whether a value, as ``values.read`` gives it, is right."""
        expected = read(self.answer)
        return same(fit(got, expected, loose=True), expected, tolerance=self.tolerance)


@dataclass(frozen=True, kw_only=True)
class ChooseExercise(ValueExercise):
    """Choose the right explanation.

    Attributes:
        options: exactly one is right; each says why or why not. They stand below the question.
    """

    options: tuple[Option, ...]
    kind: str = field(default="choose", init=False)

    @property
    def letters(self) -> str:
        """The letters of the options, such as ``"abcd"``."""
        return LETTERS[: len(self.options)]

    @property
    def expects(self) -> str:
        """The kind of value, in words."""
        quoted = [f'"{letter}"' for letter in self.letters]
        return ", ".join(quoted[:-1]) + " or " + quoted[-1]

    @property
    def answer(self) -> str:
        """The right letter."""
        return next(letter for letter, option in zip(self.letters, self.options) if option.right)

    @property
    def task(self) -> str:
        """The question and the options as comments."""
        options = [comment(f"{letter}) {option.text}", "   ") for letter, option in zip(self.letters, self.options)]
        return "\n".join([comment(self.question), *options])


@dataclass(frozen=True, kw_only=True)
class WorkExercise(ValueExercise):
    """Hand in a piece of work that nobody else has: it is measured again, and tried on probes.

    Attributes:
        expects: the kind of value, in words.
        look: takes the work and a random.Random; returns (the name of a wrong answer, or None
            if all is well, and what was found, in words).
        made: a function without parameters that makes a good one; its source is the solution.
    """

    expects: str
    look: Callable[[Any, random.Random], tuple[str | None, str]]
    made: Callable[[], Any]
    kind: str = field(default="work", init=False)

    @property
    def solution(self) -> str:
        """The text that solves the exercise when it replaces the stub."""
        return f"{inspect.getsource(self.made).rstrip()}\n\n\n{self.variable} = {self.made.__name__}()"


@dataclass(frozen=True)
class Question:
    """One question of a quiz, with its options."""

    text: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Lesson:
    """What one notebook brings to the classroom: its exercises and its quiz."""

    number: int
    title: str
    exercises: tuple[Exercise, ...]
    questions: tuple[Question, ...] = ()


def read_letter(answer: Any, letters: str) -> str | None:
    """Return the letter that an answer names, or None if it is none of those.

    Example:
        >>> read_letter(" B)", "abcd"), read_letter("e", "abcd"), read_letter(2, "abcd")
        ('b', None, None)
    """
    letter = answer.strip(" ().").lower() if type(answer) is str else ""
    return letter if len(letter) == 1 and letter in letters else None


def explained(options: Iterable[Option]) -> str:
    """Return one line for each option: right or not, and why."""
    return "\n".join(
        f"{'✓ right' if option.right else '✗ wrong'} · {letter}) {option.why}"
        for letter, option in zip(LETTERS, options)
    )


# --- Reading source ------------------------------------------------------------------------


def comment(text: str, indent: str = "") -> str:
    """Write a text as comment lines of at most 74 characters.

    Example:
        >>> comment("How many?")
        '# How many?'
    """
    return "\n".join(
        textwrap.fill(
            line,
            74,
            initial_indent="# ",
            subsequent_indent="# " + indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in text.splitlines()
    )


def docstring_calls(function: Callable) -> list[tuple]:
    """Return the arguments of each ``>>> function(...)`` line in a function's docstring.

    Example:
        >>> def double(n):
        ...     '''Double it.
        ...
        ...     >>> double(2)
        ...     4
        ...     '''
        >>> docstring_calls(double)
        [(2,)]
    """
    if not function.__doc__:  # python -OO
        raise RuntimeError("the tasks are written in docstrings; start Python without the option -OO")
    lines = [line.strip() for line in inspect.getdoc(function).splitlines()]
    calls = [ast.parse(line[4:], mode="eval").body for line in lines if line.startswith(f">>> {function.__name__}(")]
    return [tuple(map(ast.literal_eval, call.args)) for call in calls]


def _head(function: Callable) -> str:
    # From "def" to the end of the docstring.
    source = inspect.getsource(function)
    docstring = ast.parse(source).body[0].body[0]
    return "".join(source.splitlines(keepends=True)[: docstring.end_lineno])


def _first_line(source: str) -> int:
    # The line, from 1, of a function's first statement behind the docstring.
    function = ast.parse(source).body[0]
    return function.body[1 if ast.get_docstring(function) else 0].lineno


def _renamed_source(buggy: Callable, reference: Callable) -> str:
    # The broken body under the reference's signature and docstring.
    source = inspect.getsource(buggy)
    lines = source.rstrip().splitlines(keepends=True)
    above = _first_line(source) - 1
    while lines[above - 1].lstrip().startswith("#"):
        above -= 1
    return _head(reference) + "".join(lines[above:])


def _compiled(source: str, name: str) -> types.CodeType:
    # Statement by statement, as IPython compiles a cell: an import in the same unit gives other bytecode.
    units = [compile(ast.Module([one], []), "<stub>", "exec") for one in ast.parse(source).body]
    constants = [constant for unit in units for constant in unit.co_consts if isinstance(constant, types.CodeType)]
    return next(code for code in constants if code.co_name == name)


EMPTY_BODIES = {
    _compiled(f"def f(a):\n    {body}", "f").co_code
    for body in ("...", "pass", "return", "return None", "'doc'", "'doc'; ...", "'doc'; pass", "'doc'; return None")
}


def _fingerprint(code: types.CodeType) -> tuple:
    constants = tuple(_fingerprint(c) if isinstance(c, types.CodeType) else repr(c) for c in code.co_consts)
    return code.co_code, code.co_names, code.co_varnames, constants


def docstring_free_source(function: Callable) -> str:
    """Return the body of a function as lines of a cell, without signature, docstring and ``return``."""
    source = textwrap.dedent(inspect.getsource(function))
    lines = textwrap.dedent("\n".join(source.splitlines()[_first_line(source) - 1 :]))
    return lines.replace("return ", "", 1) if lines.count("return ") == 1 else lines
