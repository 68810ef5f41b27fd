"""Running a template that nobody has checked; skip this file on a first reading.

Jinja2's sandbox keeps a template away from Python's internals, but not from using up time and
memory: loops can be nested, and ``'a' * 10**9`` is one step. So every step is paid for from a budget.
``Guard`` changes the program before it is compiled, so that each turn of a loop, each comparison and each
joining asks ``Sandbox`` for its share; operators, filters, tests and methods are wrapped. What grows
faster than its input is paid for before it is done. The budget counts steps and characters, not seconds,
so the outcome is the same on every computer and in every thread.

On the way, Guard can do two more things, which ``chat_spans`` needs: put one character for each
control token in the template's own texts, and have the output say which message is where.

Source: the set-up of Jinja2 in Hugging Face transformers, ``chat_template_utils.py``.
"""

import functools
import json
import re
from collections.abc import Callable, Iterator, MappingView
from types import CodeType
from typing import NamedTuple

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.filters import FILTERS
from jinja2.runtime import LoopContext, markup_join
from jinja2.sandbox import ImmutableSandboxedEnvironment, SecurityError
from jinja2.tests import TESTS
from jinja2.utils import Namespace
from jinja2.visitor import NodeTransformer

from .patterns import special_regex

MAX_SOURCE = 60_000  # characters; compiling takes time too
MAX_STEPS = 200_000  # and 200 for each value in the messages
MAX_CHARACTERS = 5_000_000  # and 50 for each character in the messages
MAX_BITS = 2_000  # of a whole number
MAX_WIDTH = 1_000  # of a number in a format, or of an indentation

# What a template may use is listed, so that what Jinja2 or Python add later stays out.
STR_METHODS = (
    "strip lstrip rstrip split rsplit splitlines partition rpartition startswith endswith removeprefix removesuffix "
    "lower upper title capitalize swapcase casefold replace join find rfind index rindex count "
    "isalnum isalpha isascii isdecimal isdigit islower isnumeric isspace isupper".split()
)
METHODS = {
    str: STR_METHODS,
    dict: ("get", "items", "keys", "values", "copy"),
    list: ("index", "count", "copy"),
    tuple: ("index", "count"),
}
SLOW_METHODS = "strip lstrip rstrip rsplit rpartition rfind rindex".split()  # steps: text times argument
# The filters that hand on values, or make them one by one, and those that work on the whole value.
LAZY_FILTERS = "count d default first items last length list map reject rejectattr reverse select selectattr".split()
WHOLE_FILTERS = (
    "abs capitalize dictsort e escape float format groupby indent int join lower max min replace safe sort string "
    "title tojson trim truncate unique upper wordcount".split()
)
# The tests that look at the type of a value, and those that look at the whole of it.
TYPE_TESTS = (
    "boolean callable defined escaped false filter float integer iterable mapping none number sameas sequence string "
    "test true undefined".split()
)
WHOLE_TESTS = (
    "== != < <= > >= divisibleby eq equalto even ge greaterthan gt in le lessthan lower lt ne odd upper".split()
)
NUMBER_TESTS = ("divisibleby", "even", "odd")  # they compute with %, which for a text would be a format

# Characters that no content can hold: lone surrogates, halves of a character, which check_text refuses.
BEGIN, END, PUSH, POP, TURN = "\ud800\ud801\ud802\ud803\ud804"  # marks of places, which chat_spans reads
DIGITS = 0xD900  # the three bytes of a message's number are written with 256 characters from here on
CODES = 0xDC00  # control tokens, up to 1,024 in one template


class Job(NamedTuple):
    """A template and what it is to be run on, checked and copied."""

    label: str  # what errors call the template
    source: str
    messages: list[dict]
    extras: dict  # more variables
    tokens: dict[str, str]  # variables that hold control tokens
    markers: tuple[str, ...]  # the control tokens that are to be told from content
    prompt: bool  # whether to end with the words that open the assistant's turn


class Program(NamedTuple):
    """A compiled template, and {control token: the character that stands for it}."""

    code: CodeType
    codes: dict[str, str]


class Stopped(ValueError):
    """A template asked for more than it may have."""


class Refused(jinja2.TemplateError):
    """What raise_exception raises."""


def run(job: Job, apart: bool = False, marked: bool = False) -> str:
    """Run a template.

    Args:
        job: the template and its variables.
        apart: write one character for each control token of the template.
        marked: write marks too, which say whose turn it is.

    Raises:
        ValueError: the template has a syntax error, fails, refuses the messages or had to be stopped.
    """
    program = compile_job(job, apart, marked)
    variables = {"tools": None, "documents": None} | job.extras
    variables |= {key: program.codes.get(token, token) for key, token in job.tokens.items()}
    variables |= {"messages": job.messages, "add_generation_prompt": job.prompt}
    values, characters = measure([job.messages, job.extras])
    environment = Sandbox(MAX_STEPS + 200 * values, MAX_CHARACTERS + 50 * characters, job.messages)
    template = jinja2.Template.from_code(environment, program.code, environment.make_globals(None))
    chunks = []
    try:
        for chunk in template.root_render_func(template.new_context(variables)):
            environment.spend(1, len(chunk))
            chunks.append(chunk)
    except (RecursionError, MemoryError):
        raise ValueError(f"{job.label} was stopped: it is nested too deep, or too large") from None
    except Exception as error:  # whatever Python raises for the operations that a template asks for
        raise ValueError(f"{job.label} {explain(error)}") from None
    return "".join(chunks)


def explain(error: Exception) -> str:
    """Say what went wrong in a template, and in which line of it."""
    line, trace = "", error.__traceback__
    while trace is not None:
        if template := trace.tb_frame.f_globals.get("__jinja_template__"):
            line = f" in line {template.get_corresponding_lineno(trace.tb_lineno)}"
        trace = trace.tb_next
    if isinstance(error, (Stopped, OverflowError)):  # the latter for a range above Jinja2's own limit
        return f"was stopped{line}: {error}"
    if isinstance(error, SecurityError):
        return f"was stopped{line}: it reaches for what it may not use: {error}"
    if isinstance(error, Refused):
        return f"refuses the messages{line}: {error}"
    return f"failed{line}: {type(error).__name__}: {str(error)[:500]}"


def measure(data: object) -> tuple[int, int]:
    """Return how many values there are in plain data, and how many characters."""
    values = characters = 0
    stack = [data]
    while stack:
        item = stack.pop()
        values += 1
        if isinstance(item, str):
            characters += len(item)
        elif isinstance(item, dict):
            stack += [*item, *item.values()]
        elif isinstance(item, list):
            stack += item
    return values, characters


def compile_job(job: Job, apart: bool, marked: bool) -> Program:
    """Compile a template; for one that was compiled before, return the same again."""
    if not apart:
        return _compile(job.source, (), (), False)
    return _compile(job.source, job.markers, tuple(job.tokens.values()), marked)


@functools.lru_cache(maxsize=64)
def _compile(source: str, markers: tuple[str, ...], in_variables: tuple[str, ...], marked: bool) -> Program:
    environment = Sandbox(0, 0, [])  # with no budget, Jinja2 works nothing out ahead of the run
    found = special_regex(markers) if markers else None
    codes: dict[str, str] = {}

    def code_of(marker: str) -> str:
        if marker not in codes and len(codes) == 1024:
            raise ValueError("the template writes more than 1,024 different control tokens")
        return codes.setdefault(marker, chr(CODES + len(codes)))

    def swap(text: str) -> str:
        return found.sub(lambda match: code_of(match.group()), text) if found else text

    for marker in filter(None, in_variables):
        code_of(marker)
    try:
        tree = Guard(swap, marked).visit(environment.parse(source))
        tree.set_environment(environment)
        return Program(environment.compile(tree), codes)
    except jinja2.TemplateSyntaxError as error:
        raise ValueError(f"the template has a syntax error in line {error.lineno}: {error.message}") from None
    except (RecursionError, MemoryError, SyntaxError):  # Python's own, for what Jinja2 wrote
        raise ValueError("the template is nested too deep, or too large") from None


def digits(number: int) -> str:
    """Write the number of a message for a mark."""
    return "".join(chr(DIGITS + byte) for byte in number.to_bytes(3, "big"))


# What transformers adds to Jinja2


def raise_exception(message: str) -> None:
    """Let a template refuse its messages."""
    raise Refused(str(message)[:1000])


def to_json(value: object, ensure_ascii=False, indent=None, separators=None, sort_keys=False) -> str:
    """Write JSON as transformers does: no HTML escapes, characters as they are."""
    if indent is not None and not 0 <= (len(indent) if isinstance(indent, str) else indent) <= 16:
        raise Stopped("tojson with too wide an indent; it may be 0 to 16")
    if separators is not None and sum(map(len, separators)) > 16:
        raise Stopped("tojson with too long separators; together they may have 16 characters")
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


class Generation(Extension):
    """The tag {% generation %}, with which some templates surround an assistant's words; it changes no text."""

    tags = {"generation"}

    def parse(self, parser) -> list[nodes.Node]:
        """Return what stands between the tags."""
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja2's sandbox, with a budget of steps and of characters; made anew for each run."""

    intercepted_binops = frozenset(("+", "-", "*", "/", "//", "%", "**"))

    def __init__(self, steps: int, characters: int, messages: list[dict]):
        """Set the budget; messages are known by identity, to say whose turn it is."""
        self.steps, self.characters = steps, characters
        self.numbers = {id(message): i for i, message in enumerate(messages)}
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            optimized=False,
            extensions=["jinja2.ext.loopcontrols", Generation],
            finalize=self.printed,
            cache_size=0,
        )
        known = FILTERS | {"tojson": to_json}
        self.filters = {name: self.filter(known[name], name) for name in (*LAZY_FILTERS, *WHOLE_FILTERS)}
        self.tests = {name: TESTS[name] for name in TYPE_TESTS}
        self.tests |= {name: self.test(TESTS[name], name) for name in WHOLE_TESTS}
        self.globals = {name: self.globals[name] for name in ("range", "dict", "namespace")}
        self.globals["raise_exception"] = raise_exception

    # The budget

    def spend(self, steps: int, characters: int = 0) -> None:
        """Take from the budget, or raise Stopped."""
        self.steps -= steps
        self.characters -= characters
        if self.steps < 0:
            raise Stopped("it takes too many steps")
        if self.characters < 0:
            raise Stopped("it makes too much text")

    def tick(self, characters: int) -> bool:
        """Pay for a turn of a loop, whose body holds that many characters of text."""
        self.spend(1, characters)
        return True

    def cost(self, value: object) -> int:
        """Pay for going through a value and all that is in it; return how much that was."""
        stack, total = [value], 0
        while stack:
            item = stack.pop()
            size = len(item) if isinstance(item, (str, dict, list, tuple, range)) else 1
            total += size + 1
            if isinstance(item, str):
                self.spend(1, size)
                continue
            self.spend(1 + size)
            if isinstance(item, dict):
                stack += [*item, *item.values()]
            elif isinstance(item, (list, tuple, MappingView)):
                stack += item
            elif isinstance(item, int):
                self.check_numbers(item)
            elif isinstance(item, Namespace):  # it could hold itself
                raise Stopped("a namespace can be neither printed nor compared, nor be in a list")
        return total

    def check_numbers(self, *values: object) -> None:
        """Stop at a whole number too large to compute with or to write out."""
        if any(isinstance(value, int) and value.bit_length() > MAX_BITS for value in values):
            raise Stopped("it computes with too large a number")

    def weigh(self, value: object) -> object:
        """Pay for a value and return it."""
        self.cost(value)
        return value

    def made(self, value: object) -> object:
        """Pay for what a step has made, not for what is in it; iterators pay as they go."""
        if isinstance(value, str):
            self.spend(0, len(value))
        elif isinstance(value, (list, tuple, dict)):
            self.spend(len(value))
        elif isinstance(value, Iterator) and not isinstance(value, LoopContext):
            return self.counted(value)
        return value

    def counted(self, values: Iterator) -> Iterator:
        """Pay for each value as it comes."""
        for value in values:
            self.spend(1)
            yield value

    # What the compiled template calls

    def printed(self, value: object) -> object:
        """Pay for a value that is printed; with marks in it, say whose turn it is."""
        self.cost(value)
        if isinstance(value, str) and BEGIN in value:
            owners = set(re.findall(f"{BEGIN}(...)", value, re.DOTALL))
            if len(owners) == 1:
                return PUSH + TURN + owners.pop() + value + POP
        return value

    def turn(self, *values: object) -> str:
        """Mark the turn of a message, if one of the values is one."""
        for value in values:
            if id(value) in self.numbers:
                return TURN + digits(self.numbers[id(value)])
        return ""

    def joined(self, *values: object) -> str:
        """Do what ~ does."""
        self.cost(values)
        return markup_join(values)

    def call_binop(self, context, operator: str, left: object, right: object) -> object:
        """Do what an operator does, if it is not too much."""
        self.spend(1)
        self.check_numbers(left, right)
        if operator == "**" and isinstance(left, int) and isinstance(right, int):
            if left.bit_length() * abs(right) > MAX_BITS:
                raise Stopped(f"{str(left)[:20]} ** {str(right)[:20]} is too large")
        elif operator == "*":
            for value, times in ((left, right), (right, left)):
                if isinstance(value, (str, list, tuple)) and isinstance(times, int):
                    self.spend_size(value, len(value) * max(times, 0))
        elif operator == "%" and isinstance(left, str):
            self.check_format(left, right)
        elif operator == "+" and isinstance(left, (str, list, tuple)) and isinstance(right, (str, list, tuple)):
            self.spend_size(left, len(left) + len(right))
        return super().call_binop(context, operator, left, right)

    def spend_size(self, like: object, size: int) -> None:
        """Pay for a str or a list of that size."""
        self.spend(*((0, size) if isinstance(like, str) else (size, 0)))

    def call(self, context, obj, /, *args, **kwargs) -> object:
        """Call a method, a macro, or a hook of this class, if it is not too much."""
        owner = getattr(obj, "__self__", None)
        if owner is self:
            return obj(*args)
        self.spend(1)
        for value in (*args, *kwargs.values()):
            if isinstance(value, tuple):
                self.cost(value)
        if isinstance(owner, str):
            self.spend(0, len(owner))
            args = self.check_method(owner, obj.__name__, args)
        elif isinstance(owner, (list, tuple, LoopContext)):  # index, count, changed: they compare
            self.cost([*args, *owner] if obj.__name__ in ("index", "count") else args)
        result = super().call(context, obj, *args, **kwargs)
        return self.weigh(result) if obj is dict else self.made(result)

    def check_method(self, owner: str, name: str, args: tuple) -> tuple:
        """Pay for a str method that may make more text than it was given, or look at it more than once."""
        if name in SLOW_METHODS and args and isinstance(args[0], str):
            self.spend(0, len(owner) * len(args[0]))
        if name == "replace" and len(args) >= 2 and all(isinstance(arg, str) for arg in args[:2]):
            self.spend(0, (owner.count(args[0]) + 1) * len(args[1]))
        elif name == "join" and args and not isinstance(args[0], str):
            args = (list(self.made(iter(args[0]))),)
            self.cost(args)
            self.spend(0, len(owner) * len(args[0]))
        elif name == "join" and args:
            self.spend(len(args[0]), len(owner) * len(args[0]))
        return args

    # Attributes and items

    def is_safe_attribute(self, obj: object, attr: str, value: object) -> bool:
        """Say whether a template may use an attribute: data, and the methods that chat templates need."""
        if not super().is_safe_attribute(obj, attr, value):
            return False
        if not callable(value) or isinstance(obj, (LoopContext, Namespace)):
            return True
        return any(isinstance(obj, kind) and attr in names for kind, names in METHODS.items())

    def wrap_str_format(self, value: object) -> None:
        """Make no exception for str.format: it is no method that chat templates need."""
        return None

    def unsafe_undefined(self, obj: object, attribute: str) -> jinja2.Undefined:
        """Stop at once, rather than when the value is used."""
        raise SecurityError(f"the attribute {attribute!r} of a value of type {type(obj).__name__}")

    def getitem(self, obj: object, argument: object) -> object:
        """Return an item; a tuple as key is paid for, as it has to be hashed."""
        self.spend(1)
        if isinstance(argument, tuple):
            self.cost(argument)
        return super().getitem(obj, argument)

    # Filters and tests

    def filter(self, function: Callable, name: str) -> Callable:
        """Wrap a filter: pay for what goes in (if it uses the whole of it) and for what comes out."""
        skip = 1 if hasattr(function, "jinja_pass_arg") else 0  # then Jinja2 puts an argument of its own first

        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            self.spend(1)
            if name in WHOLE_FILTERS and len(args) > skip:
                value = args[skip]
                if isinstance(value, Iterator) and not isinstance(value, LoopContext):
                    value = list(self.made(value))
                args = (*args[:skip], value, *args[skip + 1 :])
                self.cost(args[skip:])
                self.cost(kwargs)
                self.check_filter(name, value, args[skip + 1 :], kwargs)
            return self.made(function(*args, **kwargs))

        return wrapped

    def check_filter(self, name: str, value: object, args: tuple, kwargs: dict) -> None:
        """Pay for a filter that may make more text than it was given."""
        if name == "format":
            self.check_format(str(value), args or kwargs)
        elif name == "trim":
            self.spend(0, len(str(value)) * len(str(args[0] if args else kwargs.get("chars") or "")))
        elif name == "indent":
            width = args[0] if args else kwargs.get("width", 4)
            width = len(width) if isinstance(width, str) else width
            if not isinstance(width, int) or not 0 <= width <= MAX_WIDTH:
                raise Stopped(f"indent by {width!r:.40}; it may be 0 to {MAX_WIDTH}")
            self.spend(0, width * (1 + len(str(value).splitlines())))
        elif name == "replace":
            if kwargs:
                raise Stopped("replace takes what to replace, and by what, without names")
            if len(args) >= 2:
                self.spend(0, (str(value).count(str(args[0])) + 1) * len(str(args[1])))
        elif name == "join":
            between = str(args[0] if args else kwargs.get("d", ""))
            self.spend(0, len(between) * (len(value) if hasattr(value, "__len__") else 0))

    def check_format(self, form: str, values: object) -> None:
        """Pay for a text made by %."""
        if re.search(r"%\([^()]*\(|%(\([^()]*\))?[^a-zA-Z%]*(\*|\d{4})", form):
            raise Stopped(f"a format with a width of {MAX_WIDTH} or more, or one given elsewhere")
        count = form.count("%")
        self.spend(0, len(form) + count * (MAX_WIDTH + self.cost(values)))

    def test(self, function: Callable, name: str) -> Callable:
        """Wrap a test that uses the whole of its values: pay for them."""

        @functools.wraps(function)
        def wrapped(*args):
            self.cost(args)
            if name in NUMBER_TESTS and not all(isinstance(value, (int, float)) for value in args):
                raise TypeError(f"the test {name!r} is for numbers")
            return function(*args)

        return wrapped


class Guard(NodeTransformer):
    """Changes a parsed template: counts steps, puts characters for control tokens, marks turns."""

    def __init__(self, swap: Callable[[str], str], marked: bool):
        """Set what is to be done to the template's own texts, and whether turns are marked."""
        self.swap, self.marked = swap, marked
        self.quiet = 0  # above 0 where a text is compared, not printed
        self.captured = 0  # above 0 where output goes into a variable

    def quietly(self, node: nodes.Node | list | None) -> nodes.Node | list | None:
        """Visit a part whose texts are not for printing."""
        self.quiet += 1
        try:
            return [self.visit(item) for item in node] if isinstance(node, list) else node and self.visit(node)
        finally:
            self.quiet -= 1

    def hook(self, name: str, args: list[nodes.Expr], line: int) -> nodes.Call:
        """Make a call of a method of the Sandbox, by a way that a template cannot bend."""
        method = nodes.EnvironmentAttribute(name, lineno=line)
        return nodes.Call(method, args, [], None, None, lineno=line)

    def weighed(self, node: nodes.Expr) -> nodes.Expr:
        """Make a node that pays for the value."""
        return node if isinstance(node, nodes.Const) else self.hook("weigh", [node], node.lineno)

    # Texts

    def visit_TemplateData(self, node: nodes.TemplateData) -> nodes.Node:
        """Swap control tokens in what stands outside of the braces."""
        node.data = self.swap(node.data)
        return node

    def visit_Const(self, node: nodes.Const) -> nodes.Node:
        """Swap control tokens in a text, unless it is only looked for."""
        if isinstance(node.value, str) and not self.quiet:
            node.value = self.swap(node.value)
        return node

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:
        """Pay for both sides."""
        node.expr = self.weighed(self.quietly(node.expr))
        for operand in node.ops:
            operand.expr = self.weighed(self.quietly(operand.expr))
        return node

    def visit_Filter(self, node: nodes.Filter) -> nodes.Node:
        """Leave the texts in the arguments."""
        node.node = node.node and self.visit(node.node)
        return self.leave_arguments(node)

    def visit_Test(self, node: nodes.Test) -> nodes.Node:
        """Leave the texts in the arguments."""
        node.node = self.quietly(node.node)
        return self.leave_arguments(node)

    def visit_Call(self, node: nodes.Call) -> nodes.Node:
        """Leave the texts in the arguments of a method, such as split."""
        if not isinstance(node.node, (nodes.Getattr, nodes.Getitem)):
            return self.generic_visit(node)
        node.node = self.visit(node.node)
        return self.leave_arguments(node)

    def leave_arguments(self, node: nodes.Filter | nodes.Test | nodes.Call) -> nodes.Node:
        """Visit arguments without swapping."""
        node.args, node.kwargs = self.quietly(node.args), self.quietly(node.kwargs)
        node.dyn_args, node.dyn_kwargs = self.quietly(node.dyn_args), self.quietly(node.dyn_kwargs)
        return node

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Node:
        """Pay for a slice, which is a copy."""
        node.node, node.arg = self.visit(node.node), self.quietly(node.arg)
        return self.hook("made", [node], node.lineno) if isinstance(node.arg, nodes.Slice) else node

    # Values

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:
        """Let the sandbox do what ~ does."""
        return self.hook("joined", [self.visit(item) for item in node.nodes], node.lineno)

    def visit_List(self, node: nodes.List) -> nodes.Node:
        """Pay for a list."""
        return self.weighed(self.generic_visit(node))

    def visit_Tuple(self, node: nodes.Tuple) -> nodes.Node:
        """Pay for a tuple, unless it names variables."""
        node = self.generic_visit(node)
        return node if node.ctx == "store" else self.weighed(node)

    def visit_Dict(self, node: nodes.Dict) -> nodes.Node:
        """Pay for a dict, and for its keys before they are hashed."""
        for pair in node.items:
            pair.key, pair.value = self.weighed(self.quietly(pair.key)), self.visit(pair.value)
        return self.weighed(node)

    # Loops and macros

    def visit_For(self, node: nodes.For) -> nodes.Node | list[nodes.Node]:
        """Count the turns of a loop; mark whose turn it is, if it goes over messages."""
        line = node.lineno
        marked = self.marked and not self.captured
        node = self.generic_visit(node)
        if node.test is not None:
            node.test = nodes.And(self.ticker(node, line), node.test, lineno=line)
        names = [node.target, *node.target.find_all(nodes.Name)]
        names = [nodes.Name(name.name, "load", lineno=line) for name in names if isinstance(name, nodes.Name)]
        start = [nodes.ExprStmt(self.ticker(node, line), lineno=line)]
        if marked:
            start.append(nodes.Output([self.hook("turn", names, line)], lineno=line))
        node.body = start + node.body
        if not marked:
            return node
        push, pop = (nodes.Output([nodes.TemplateData(mark, lineno=line)], lineno=line) for mark in (PUSH, POP))
        return [push, node, pop]

    def ticker(self, node: nodes.Node, line: int) -> nodes.Call:
        """Make a call that pays for one turn and the texts in it."""
        size = sum(len(text.data) for text in node.find_all(nodes.TemplateData))
        size += sum(len(text.value) for text in node.find_all(nodes.Const) if isinstance(text.value, str))
        return self.hook("tick", [nodes.Const(size, lineno=line)], line)

    def visit_Macro(self, node: nodes.Macro) -> nodes.Node:
        """Count the calls of a macro."""
        node = self.capture(node)
        node.body = [nodes.ExprStmt(self.ticker(node, node.lineno), lineno=node.lineno), *node.body]
        return node

    def capture(self, node: nodes.Node) -> nodes.Node:
        """Visit a node whose output goes into a variable."""
        self.captured += 1
        try:
            return self.generic_visit(node)
        finally:
            self.captured -= 1

    visit_AssignBlock = visit_FilterBlock = capture

    def refuse(self, node: nodes.Node) -> nodes.Node:
        """Refuse what no chat template needs: other files, blocks."""
        kind = type(node).__name__.lower()
        raise jinja2.TemplateSyntaxError(f"a chat template has no use for {kind!r}", node.lineno)

    visit_Include = visit_Import = visit_FromImport = visit_Extends = visit_Block = visit_CallBlock = refuse
    visit_ScopedEvalContextModifier = visit_EvalContextModifier = refuse
