"""Break every reference answer in many small ways and list what `check` lets pass.

    make mutants                          all exercises
    make mutants LESSON=03                those of one lesson
    make mutants EXERCISE=3.1             one
    make mutants EXERCISE=3.1 SHOW=all    and every mutant, with the verdict it got

Two kinds of wrong answers are made: the reference with one place of its syntax tree changed,
and the reference behind a wrapper that breaks one kind of input. Each runs through the real
`check`. What passes is compared with the reference on many more inputs: the probes of other
seeds, and probes with one value changed. A survivor is listed with the smallest input that
tells it apart. ``mutants.toml`` keeps, with the reason, those that are no mistake.
"""

import argparse
import ast
import copy
import dataclasses
import itertools
import random
import re
import sys
import tomllib
import unicodedata
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bpe_core.classroom import checking, verdicts
from bpe_core.classroom.exercises import exercises
from bpe_core.classroom.running import run_all
from bpe_core.classroom.spec import FunctionExercise
from bpe_core.classroom.values import read, show, size

KNOWN = Path(__file__).with_suffix(".toml")
LEAST = 30  # mutants of the tree of one reference
SECONDS = 1.0  # for all calls of one mutant
FUNCTIONS = {id: e for id, e in exercises().items() if isinstance(e, FunctionExercise)}

# --- Mutants of the syntax tree ----------------------------------------------------------------

COMPARISONS = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.GtE), ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
ARITHMETIC = {
    ast.Add: (ast.Sub, ast.Mult), ast.Sub: (ast.Add,), ast.Mult: (ast.Add, ast.FloorDiv, ast.Pow),
    ast.Div: (ast.FloorDiv, ast.Mult), ast.FloorDiv: (ast.Div, ast.Mult), ast.Mod: (ast.FloorDiv, ast.Mult),
    ast.BitAnd: (ast.BitOr,), ast.BitOr: (ast.BitAnd,),
}  # fmt: skip
NAMES = {
    "max": "min", "min": "max", "any": "all", "all": "any", "sum": "len", "len": "sum", "startswith": "endswith",
    "isalpha": "isalnum", "isdigit": "isdecimal", "isspace": "isalpha", "encode_ordinary": "encode", "append": "extend",
    "findall": "split", "start": "end", "end": "start", "removesuffix": "rstrip", "values": "keys", "index": "count",
    "sorted": "list", "extend": "append", "find": "rfind", "finditer": "findall", "add": "discard",
}  # fmt: skip


def variants(node):
    """Yield what may stand in place of an expression."""
    kind = type(node)
    if kind is ast.Compare:
        for i, op in enumerate(node.ops):
            for other in COMPARISONS[type(op)]:
                yield replaced(node, ops=[*node.ops[:i], other(), *node.ops[i + 1 :]])
    elif kind in (ast.BinOp, ast.AugAssign):
        for other in ARITHMETIC.get(type(node.op), ()):
            yield replaced(node, op=other())
        if kind is ast.BinOp:
            yield from (node.left, node.right)
            if not any(isinstance(side, ast.Constant) and type(side.value) is int for side in (node.left, node.right)):
                yield ast.BinOp(node.right, node.op, node.left)
        else:
            yield ast.Assign([node.target], node.value, lineno=0)
    elif kind is ast.BoolOp:
        yield replaced(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        yield from node.values
    elif kind is ast.UnaryOp:
        yield node.operand
    elif kind is ast.Constant:
        yield from map(ast.Constant, constants(node.value))
    elif kind is ast.JoinedStr:
        yield from (replaced(node, values=left_out) for left_out in one_less(node.values))
    elif kind is ast.Subscript and isinstance(node.slice, ast.Slice):
        yield from slices(node)
    elif kind is ast.Subscript:
        yield replaced(node, slice=ast.BinOp(node.slice, ast.Add(), ast.Constant(1)))
        yield replaced(node, slice=ast.BinOp(node.slice, ast.Sub(), ast.Constant(1)))
    elif kind is ast.IfExp:
        yield from (ast.IfExp(node.test, node.orelse, node.body), node.body, node.orelse)
    elif kind is ast.Call:
        yield from calls(node)
    elif kind in (ast.Tuple, ast.List) and isinstance(node.ctx, ast.Load):
        yield replaced(node, elts=node.elts[::-1])
        yield from (replaced(node, elts=left_out) for left_out in one_less(node.elts))
    elif kind is ast.comprehension:
        yield from (replaced(node, ifs=left_out) for left_out in one_less(node.ifs))
        yield from (replaced(node, iter=other) for other in loops(node.iter))
        yield from (replaced(node, ifs=[negated(test)]) for test in node.ifs)
    elif kind in (ast.If, ast.While):
        yield from (replaced(node, test=test) for test in (ast.Constant(True), ast.Constant(False), negated(node.test)))
    elif kind is ast.For:
        yield from (replaced(node, iter=other) for other in loops(node.iter))
    elif kind in (ast.Break, ast.Continue):
        yield ast.Continue() if kind is ast.Break else ast.Break()


def constants(value):
    """Return other values for a constant."""
    if type(value) is bool or value is None:
        return [not value] if value is not None else [0]
    if type(value) in (int, float):
        return [value + 1, value - 1, value * 2]
    parts = [part for part in re.split(r"(\{.*?\}+|\n)", value) if part] if type(value) is str else []
    dropped = ["".join(rest) for rest in one_less(parts)] if len(parts) > 1 else []
    edges = [value[1:], value[:-1], value + value[-1:], value[:0]] + ([value.upper()] if type(value) is str else [])
    return [other for other in dict.fromkeys(dropped + edges) if other != value]


def slices(node):
    """Yield a slice without one of its ends, and with each end one off."""
    yield node.value
    for end in ("lower", "upper", "step"):
        if bound := getattr(node.slice, end):
            changed = [None, *(ast.BinOp(bound, op(), ast.Constant(1)) for op in (ast.Add, ast.Sub))]
            yield from (replaced(node, slice=replaced(node.slice, **{end: other})) for other in changed)


def calls(node):
    """Yield a call with arguments lost or in another order, another name, or nothing but what it is given."""
    yield from (replaced(node, args=left_out) for left_out in one_less(node.args))
    yield from (replaced(node, keywords=left_out) for left_out in one_less(node.keywords))
    if len(node.args) > 1:
        yield replaced(node, args=node.args[::-1])
    if len(node.args) == 1 and isinstance(node.func, ast.Name):
        yield node.args[0]
        if node.func.id == "range":
            yield from (
                replaced(node, args=[ast.BinOp(node.args[0], op(), ast.Constant(1))]) for op in (ast.Add, ast.Sub)
            )
            yield replaced(node, args=[ast.Constant(1), node.args[0]])
    if isinstance(node.func, ast.Attribute):
        yield node.func.value
        if node.func.attr in NAMES:
            yield replaced(node, func=replaced(node.func, attr=NAMES[node.func.attr]))
    elif node.func.id in NAMES:
        yield replaced(node, func=ast.Name(NAMES[node.func.id], ast.Load()))


def loops(iterated):
    """Return other things to loop over: the first or last item lost, reversed, sorted, without repeats."""
    text = ast.unparse(iterated)
    forms = ("list({})[1:]", "list({})[:-1]", "list({})[::-1]", "sorted({})", "dict.fromkeys({})", "list({})[:1]")
    return [ast.parse(form.format(text), mode="eval").body for form in forms]


def bodies(statements):
    """Yield a block with a statement lost, two exchanged, or the return inside of the loop above it."""
    for i, statement in enumerate(statements):
        rest = statements[:i] + statements[i + 1 :]
        yield rest or [ast.Pass()]
        if isinstance(statement, ast.Return) and statement.value:
            yield [*statements[:i], ast.Expr(statement.value), *statements[i + 1 :]]
            above = statements[i - 1] if i else None
            if isinstance(above, (ast.For, ast.While)):
                yield [*statements[: i - 1], replaced(above, body=[*above.body, statement]), *statements[i + 1 :]]
        if i and not isinstance(statement, (ast.Return, ast.FunctionDef)):
            yield [*statements[: i - 1], statement, statements[i - 1], *statements[i + 1 :]]
        if isinstance(statement, ast.If) and not statement.orelse:
            yield [*statements[:i], *statement.body, *statements[i + 1 :]]
        elif isinstance(statement, ast.If):
            yield [*statements[:i], replaced(statement, orelse=[]), *statements[i + 1 :]]
            yield [
                *statements[:i],
                replaced(statement, body=statement.orelse, orelse=statement.body),
                *statements[i + 1 :],
            ]


def other_names(function):
    """Yield (node, field value) for every use of a variable: another variable of the function in its place."""
    names = [argument.arg for argument in function.args.args]
    names += [node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    names = list(dict.fromkeys(names))
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
            yield node, [name for name in names if name != node.id]


def replaced(node, **fields):
    """Return a shallow copy of a node with other fields."""
    other = copy.copy(node)
    vars(other).update(fields)
    return other


def negated(test):
    """Return `not test`."""
    return ast.UnaryOp(ast.Not(), test)


def one_less(items):
    """Return the list without each of its items in turn."""
    return [items[:i] + items[i + 1 :] for i in range(len(items))]


def tree_mutants(exercise):
    """Return {what was changed: source} for one reference, each different."""
    tree = ast.parse(exercise.solution)
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    function.body = function.body[1:]  # the docstring
    original = ast.unparse(tree).splitlines()
    found = {}

    def keep():
        source = ast.unparse(ast.fix_missing_locations(tree))
        try:
            code = compile(source, "<mutant>", "exec")
        except SyntaxError:
            return
        if source.splitlines() != original and code:
            found.setdefault(difference(original, source.splitlines()), source)

    for parent in [function, *itertools.chain(*map(ast.walk, function.body))]:
        for field, value in list(ast.iter_fields(parent)):
            if field in ("returns", "annotation", "args", "targets", "target") and not isinstance(parent, ast.Call):
                continue
            whole = [value] if isinstance(value, ast.AST) else value if isinstance(value, list) else []
            for i, node in enumerate(whole):
                for other in variants(node) if isinstance(node, ast.AST) else ():
                    setattr(parent, field, [*value[:i], other, *value[i + 1 :]] if value is whole else other)
                    keep()
            if value is whole and field in ("body", "orelse") and value and isinstance(value[0], ast.stmt):
                for other in bodies(value):
                    setattr(parent, field, other)
                    keep()
            setattr(parent, field, value)
    for node, names in other_names(function) if len(found) < LEAST else ():
        before = node.id
        for node.id in names:
            keep()
        node.id = before
    return found


def difference(before, after):
    """Return the lines that two sources do not share, as one line: ``old -> new``."""
    start = next((i for i, (a, b) in enumerate(zip(before, after)) if a != b), min(len(before), len(after)))
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old, new = (" ¶ ".join(line.strip() for line in lines[start : len(lines) - end]) for lines in (before, after))
    where = f" (line {start + 1})" if before.count(before[min(start, len(before) - 1)]) > 1 else ""
    return f"{old or '(nothing)'} -> {new or '(lost)'}{where}"


def compiled(exercise, source):
    """Run a source as a cell and return the function that it defines."""
    names = {}
    exec(compile(source, "<mutant>", "exec"), names)
    return names[exercise.name]


# --- Wrappers that break one kind of input ----------------------------------------------------


def deep(change):
    """Apply a change to every part of a value, the innermost first."""

    def apply(value):
        kind = type(value)
        if kind in (list, tuple, set):
            value = kind(map(apply, value))
        elif kind is dict:
            value = {apply(key): apply(item) for key, item in value.items()}
        return change(value)

    return apply


def of(kind, change):
    """Apply a change to values of one type only."""
    return deep(lambda value: change(value) if type(value) is kind else value)


def bare(text):
    """Drop accents and other combining marks."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def once(items):
    """Drop what was there before."""
    return [item for i, item in enumerate(items) if item not in items[:i]]


def no_runs(items):
    """Leave one of several equal neighbors."""
    return [item for i, item in enumerate(items) if i == 0 or item != items[i - 1]]


INPUTS = {  # name: what happens to the arguments before the reference sees them
    "case folded": of(str, str.lower),
    "accents and combining marks dropped": of(str, bare),
    "combining marks dropped": of(str, lambda text: "".join(c for c in text if not unicodedata.combining(c))),
    "other letters taken for signs": of(str, lambda text: re.sub(r"[^\W\d_a-zA-Z]", "·", text)),
    "letters beyond Latin taken for signs": of(str, lambda text: re.sub(r"[^\W\d_\u0000-\u024f]", "·", text)),
    "only ASCII kept": of(str, lambda text: text.encode("ascii", "ignore").decode()),
    "digits of other scripts read as 0 to 9": of(str, lambda text: re.sub(r"\d", lambda m: str(int(m[0])), text)),
    "digits of other scripts taken for signs": of(str, lambda text: re.sub(r"(?![0-9])[\d\u00b2\u00bd]", "·", text)),
    "signs dropped": of(str, lambda text: re.sub(r"[^\w\s</>|]", "", text)),
    "underscore taken for a sign": of(str, lambda text: text.replace("_", "·")),
    "typographic signs made plain": of(str, lambda text: text.translate(str.maketrans("’“”…–", "'\"\".-"))),
    "tabs and line ends made spaces": of(str, lambda text: re.sub(r"[\t\n\r]", " ", text)),
    "other spaces made spaces": of(str, lambda text: re.sub(r"[^\S \t\n\r]", " ", text)),
    "other spaces taken for letters": of(str, lambda text: re.sub(r"[^\S \t\n\r]", "x", text)),
    "ends stripped": of(str, str.strip),
    "spaces collapsed": of(str, lambda text: re.sub(" +", " ", text)),
    "special tokens' text dropped": of(str, lambda text: re.sub(r"<\|.*?\|>", "", text)),
    "end-of-word mark dropped": of(str, lambda text: text.replace("</w>", "")),
    "signs of HTML escaped": of(str, lambda text: text.replace("&", "&amp;").replace("<", "&lt;")),
    "texts cut at 40 characters": of(str, lambda text: text[:40]),
    "bytes cut at 40": of(bytes, lambda data: data[:40]),
    "broken bytes dropped": of(bytes, lambda data: data.decode(errors="ignore").encode()),
    "bytes beyond ASCII dropped": of(bytes, lambda data: bytes(b for b in data if b < 128)),
    "lists cut at 12": of(list, lambda items: items[:12]),
    "runs collapsed": of(list, no_runs),
    "runs of characters collapsed": of(str, lambda text: "".join(no_runs(text))),
    "repeated items dropped": of(list, once),
    "empty items dropped": of(list, lambda items: [item for item in items if item not in ("", b"")]),
    "list reversed": of(list, lambda items: items[::-1]),
    "list sorted": of(list, lambda items: sorted(items, key=repr)),
    "only the first 3 items": of(list, lambda items: items[:3]),
    "first letters of symbols only": of(list, lambda items: [item[:1] if type(item) is str else item for item in items]),
    "dict reversed: ties to the last": of(dict, lambda table: dict(list(table.items())[::-1])),
    "dict sorted by key": of(dict, lambda table: dict(sorted(table.items(), key=repr))),
    "numbers in a dict by its order": of(dict, lambda t: dict(zip(t, range(len(t)))) if ints(t) else t),
    "numbers in a dict all 1": of(dict, lambda t: dict.fromkeys(t, 1) if ints(t) else t),
    "numbers in a dict above 10,000 dropped": of(dict, lambda t: {k: v for k, v in t.items() if not ints(t) or v <= 10_000}),
    "numbers in a dict above 255 dropped": of(dict, lambda t: {k: v for k, v in t.items() if not ints(t) or v <= 255}),
    "int keys from 0": of(dict, lambda t: dict(enumerate(t.values())) if ints(dict.fromkeys(t) and dict(zip(t, t))) else t),
    "numbers above 10,000 cut": of(int, lambda number: min(number, 10_000)),
    "numbers above 100 cut": of(int, lambda number: min(number, 100)),
    "fractions cut": of(float, int),
    "flags ignored: False": of(bool, lambda flag: False),
    "flags ignored: True": of(bool, lambda flag: True),
}  # fmt: skip


def ints(table):
    """Say whether the values of a dict are whole numbers."""
    return bool(table) and all(type(value) is int for value in table.values())


RESULTS = {  # name: what happens to the result of the reference
    "result reversed": lambda r: r[::-1] if type(r) in (list, tuple, str) else dict([*r.items()][::-1]) if type(r) is dict else r,
    "result sorted": lambda r: sorted(r) if type(r) is list else r,
    "result without repeats": lambda r: once(r) if type(r) is list else r,
    "result without empty items": lambda r: [x for x in r if x not in ("", b"")] if type(r) is list else r,
    "result stripped": lambda r: r.strip() if type(r) is str else r,
    "result rounded to 3 places": lambda r: round(r, 3) if type(r) is float else r,
    "result rounded to 6 places": lambda r: round(r, 6) if type(r) is float else r,
    "result at least 1": lambda r: max(1.0, r) if type(r) is float else r,
    "result at most 1": lambda r: min(1.0, r) if type(r) is float else r,
    "result at most 10,000": lambda r: min(10_000, r) if type(r) is int else r,
    "result in lower case": of(str, str.lower),
    "result cut at 20": lambda r: r[:20] if type(r) in (list, str) else r,
}  # fmt: skip


def wrappers(exercise):
    """Return {name: function} of the reference behind each wrapper."""
    reference = exercise.reference
    found = {f"input: {name}": broken_input(reference, change) for name, change in INPUTS.items()}
    found |= {f"{name}": broken_result(reference, change) for name, change in RESULTS.items()}
    for place in range(len(exercise.parameters)):
        for name, test in {"empty": is_empty, "one item": is_single}.items():
            found[f"error if argument {place + 1} has {name}"] = failing(reference, place, test)
            found[f"None if argument {place + 1} has {name}"] = failing(reference, place, test, error=False)
        found[f"argument {place + 1} changed"] = emptied(reference, place)
        found[f"argument {place + 1} overwritten and returned"] = returned(reference, place)
    found["error on the text of a special token"] = refusing(reference)
    found["returns its argument when it equals the result"] = same_object(reference)
    found["one result kept and shown again"] = shelved(reference, anew=True)
    if len(exercise.parameters) > 1:
        found["remembers the first argument only"] = remembering(reference)
    found["results add up from call to call"] = shelved(reference, anew=False)
    return found


def broken_input(reference, change):
    """The reference on changed arguments."""

    def function(*arguments):
        return reference(*map(change, arguments))

    function.touches = lambda arguments: repr(change(arguments)) != repr(arguments)
    return function


def broken_result(reference, change):
    """The reference with a changed result."""
    return lambda *arguments: change(reference(*arguments))


def is_empty(value):
    """Say whether there is nothing in it."""
    return hasattr(value, "__len__") and len(value) == 0


def is_single(value):
    """Say whether there is one thing in it."""
    return hasattr(value, "__len__") and len(value) == 1


def failing(reference, place, test, error=True):
    """The reference that stops, or gives None, on some inputs."""

    def function(*arguments):
        if test(arguments[place]):
            return [][0] if error else None
        return reference(*arguments)

    return function


def emptied(reference, place):
    """The reference, which uses up one argument."""

    def function(*arguments):
        result = reference(*copy.deepcopy(arguments))
        if type(arguments[place]) in (list, dict, set) and arguments[place]:
            arguments[place].pop(*([next(iter(arguments[place]))] if type(arguments[place]) is dict else []))
        return result

    return function


def returned(reference, place):
    """The reference, which writes the result into its argument and returns that."""

    def function(*arguments):
        result = reference(*copy.deepcopy(arguments))
        if type(result) is type(arguments[place]) and type(result) in (list, dict):
            arguments[place].clear()
            (arguments[place].extend if type(result) is list else arguments[place].update)(result)
            return arguments[place]
        return result

    return function


def refusing(reference):
    """The reference with `.encode` for `.encode_ordinary`."""

    def function(*arguments):
        if "<|" in repr(arguments):
            raise ValueError("special token")
        return reference(*arguments)

    return function


def same_object(reference):
    """The reference, which returns an argument instead of an equal result."""

    def function(*arguments):
        result = reference(*arguments)
        return next((argument for argument in arguments if type(argument) is list and argument == result), result)

    return function


def shelved(reference, anew):
    """The reference with one list or dict for all calls: filled anew and given out itself, or added to and copied."""
    shelf = {}

    def function(*arguments):
        result = reference(*arguments)
        if type(result) not in (list, dict):
            return result
        mine = shelf.setdefault(type(result), type(result)())
        if anew:
            mine.clear()
        (mine.extend if type(result) is list else mine.update)(result)
        return mine if anew else type(result)(mine)

    return function


def remembering(reference):
    """The reference behind a cache whose key is the first argument alone."""
    shelf = {}
    return lambda *arguments: shelf.setdefault(repr(arguments[0]), reference(*arguments))


# --- Inputs of our own ---------------------------------------------------------------------------

TEXTS = (
    "A", "é", "e\u0301", "ß", "水", "п", "٣", "²", "½", "_", "'", "’", "…", "-", ".", "\t", "\u00a0", "\n", " ", "  ",
    "&", "<", "<|endoftext|>", "<|im_end|>", "</w>", "a", "ab", "b", "0", "7", "🙂", "\ufffd", "Low", "İ",
)  # fmt: skip
BYTES = (b"\0", b"a", b" ", b"\xc3", b"\xa9", b"\xc3\xa9", b"\xff", b"\n", b"ab", b"\xc2\xa0", b"<|endoftext|>")


def changed(value, rng):
    """Return a value of the same type that differs in one place, or in its order or length."""
    kind = type(value)
    if kind is str:
        return changed_sequence(value, rng, rng.choice(TEXTS))
    if kind is bytes:
        return changed_sequence(value, rng, rng.choice(BYTES))
    if kind is bool:
        return not value
    if kind is int:
        return rng.choice([0, 1, 2, 3, value + 1, max(value - 1, 0), value * 2, rng.randint(0, 40), 300, 12_345])
    if kind is float:
        return rng.choice([0.0, 1.0, value / 2, value * 3, value + 0.125])
    if kind is list:
        return changed_list(value, rng)
    if kind is tuple and value:
        i = rng.randrange(len(value))
        return (*value[:i], changed_item(value[i], rng), *value[i + 1 :])
    if kind is set:
        return set(changed_list(sorted(value), rng))
    if kind is dict and value:
        return changed_dict(list(value.items()), rng)
    return value


def changed_sequence(value, rng, piece):
    """Put a piece into a text or bytes, in place of something or of nothing; or cut, reverse, repeat."""
    i = rng.randint(0, len(value))
    j = rng.choice([i, i, i + 1, len(value)])
    plain = [value[:i] + piece + value[j:]] * 4
    return rng.choice(
        [*plain, value[:i] + value[i + 1 :], value[:0], piece, value[::-1], value * 2, value * 20, piece + value]
    )


def changed_item(item, rng):
    """Change what stands in a list, tuple or dict: a symbol, a token or a name never becomes empty."""
    other = changed(item, rng)
    return item if other in ("", b"") else other


def changed_list(value, rng):
    """Lose, repeat or change an item; or reverse, sort, empty, repeat the list."""
    if not value:
        return value
    i = rng.randrange(len(value))
    one = [*value[:i], changed_item(value[i], rng), *value[i + 1 :]]
    twice = [*value[: i + 1], *value[i:]]
    moved = rng.sample(value, len(value))
    return rng.choice(
        [one, one, one, twice, value[:i] + value[i + 1 :], value[::-1], moved, value[i : i + 1], [], value * 5]
    )


def changed_dict(items, rng):
    """Lose, repeat or change an entry; or give the numbers, or the order, to others."""
    i = rng.randrange(len(items))
    (key, item), keys, values = items[i], [k for k, _ in items], [v for _, v in items]
    forms = [
        dict(items) | {key: changed(item, rng)}, dict([*items[:i], (changed_item(key, rng), item), *items[i + 1 :]]),
        dict(items[::-1]), dict(rng.sample(items, len(items))), dict(items[:i] + items[i + 1 :]),
        dict(zip(keys, rng.sample(values, len(values)))), {key: item}, {},
    ]  # fmt: skip
    if ints(dict(items)):
        forms.append({k: v + 20_000 for k, v in items})
    return rng.choice(forms)


def inputs_of(exercise, seeds=12, changes=3000):
    """Return tuples of arguments: the probes of other seeds first, then changed ones, each once."""
    rng = random.Random(f"{exercise.id}/mutants")
    base = list(itertools.chain(*(exercise.probes(seed) for seed in range(seeds))))
    wide = []
    for _ in range(changes):
        one = changed(rng.choice(base), rng)
        wide.append(changed(one, rng) if rng.random() < 0.5 else one)
    found = {repr(arguments): arguments for arguments in [*base, *wide] if len(repr(arguments)) < 3000}
    return list(found.values()), len({repr(arguments) for arguments in base})


class Judge:
    """The right results on many inputs, made once for an exercise."""

    def __init__(self, exercise):
        """Run the reference on every input; what it cannot take is no input."""
        self.exercise = exercise
        inputs, base = inputs_of(exercise)
        runs = runs_of(exercise.reference, inputs)
        found = [
            (i >= base, size(run.arguments), arguments, run.value)
            for i, (arguments, run) in enumerate(zip(inputs, runs))
            if run and run.failure is None and run.value[0] != "huge"
        ]
        self.inputs = sorted(found, key=lambda given: given[:2])

    def tell_apart(self, function):
        """Return in words (where from, the smallest input, wrong, right), or None if nothing tells them apart."""
        touches = getattr(function, "touches", lambda arguments: True)
        inputs = [given for given in self.inputs if touches(given[2])]
        for start in range(0, len(inputs), 100):
            part = inputs[start : start + 100]
            for (wide, _, arguments, right), run in zip(part, runs_of(function, [given[2] for given in part])):
                if run is None or run.failure or not self.exercise.accepts(run.value, right):
                    wrong = "no end" if run is None else run.failure.name if run.failure else show(run.value, 80)
                elif run.changed:
                    wrong = "its argument changed"
                else:
                    continue
                return "changed probe" if wide else "other seed", show(read(arguments)), wrong, show(right, 80)
        return self.shares(function)

    def shares(self, function):
        """Say whether a result is an argument, or comes back in a later call, where the reference's is neither."""
        for _, _, arguments, _ in self.inputs[:300]:
            ours, theirs = objects(function, arguments), objects(self.exercise.reference, arguments)
            if ours and not theirs:
                return "result shared", show(read(arguments)), ours, "an object of its own"
        return None


def runs_of(function, inputs):
    """Return a run for each input, or None where the time of all was over."""
    runs = []
    while len(runs) < len(inputs):
        runs += run_all(function, inputs[len(runs) :], seconds=10)
        if runs[-1].failure and runs[-1].failure.kind == "time":
            runs[-1] = None
    return runs


def objects(function, arguments):
    """Say in words whether a result is one of the arguments, or the same object in two calls."""
    given = copy.deepcopy(arguments)
    first, second = function(*given), function(*copy.deepcopy(arguments))
    if type(first) not in (list, dict):
        return ""
    if any(first is argument for argument in given):
        return "the argument itself"
    return "the same object in each call" if first is second else ""


# --- The report ----------------------------------------------------------------------------------


def known_reasons():
    """Return {exercise: {mutant: why it is no mistake}} from the list."""
    listed = tomllib.loads(KNOWN.read_text(encoding="utf-8")) if KNOWN.exists() else {}
    return {
        id: {mutant: reason for reason, mutants in groups.items() for mutant in mutants}
        for id, groups in listed.items()
    }


def examine(id):
    """Run every mutant of one exercise through `check`.

    Returns:
        (id, how many of the tree, how many wrappers, [(mutant, verdict, telling)]); the verdict is the
        mistake's name, "passed", "not told apart" or a reason from the list; telling is what tells it apart.
    """
    exercise = dataclasses.replace(FUNCTIONS[id], seconds=SECONDS)
    warnings.simplefilter("ignore", SyntaxWarning)  # `is` with a number
    checking.find = lambda _: exercise
    checking.records.record = lambda *entry: None
    verdicts.run_all = remembered(verdicts.run_all, exercise)
    judge, rows = None, []
    listed = dict(known_reasons().get(id, {}))
    sources = tree_mutants(exercise)
    for name in [*sources, *wrappers(exercise)]:

        def made(name=name):  # a new one each time: some keep state
            return compiled(exercise, sources[name]) if name in sources else wrappers(exercise)[name]

        result = checking.check(id, made())
        if not result.passed:
            rows.append((name, result.mistake or result.outcome, None))
            continue
        judge = judge or Judge(exercise)
        telling = judge.tell_apart(made())
        reason = listed.pop(name, None)
        rows.append((name, reason or ("passed" if telling else "not told apart"), telling))
    stale = [(name, "stale", None) for name in listed]
    return id, len(sources), len(rows) - len(sources), rows + stale


def remembered(run_all, exercise):
    """Return run_all with a memory for the reference and the known wrong answers, which every check runs."""
    ours = {exercise.reference, *itertools.chain(*(known.samples for known in exercise.wrong_answers))}
    memory = {}

    def run(function, probes, **limits):
        if function not in ours:
            return run_all(function, probes, **limits)
        key = function, repr(probes)
        if key not in memory:
            memory[key] = run_all(function, probes, **limits)
        return memory[key]

    return run


def report(id, tree, others, rows, show_all):
    """Print what passed, and return the counts of one exercise."""
    counts = Counter("reason" if telling is not None and v not in ("passed",) else v for _, v, telling in rows)
    print(f"\n{id}: {tree} mutants of the tree, {others} wrappers", end="")
    print(f" (the reference gives no {LEAST})" if tree < LEAST else "", flush=True)
    for name, verdict, telling in rows:
        if verdict == "passed":
            where, arguments, wrong, right = telling
            print(f"  PASSES  {name}\n          {where}: {arguments}: {wrong} for {right}")
        elif verdict == "stale":
            print(f"  STALE   {name}: in {KNOWN.name}, but no mutant of this name passes now")
        elif verdict == "not told apart" and name not in wrapper_names(id):
            print(f"  equal?  {name}")
        elif show_all:
            print(f"  {verdict}: {name}")
    return counts


def wrapper_names(id):
    """Return the names of the wrappers: one that cannot be told apart does not concern the exercise."""
    return wrappers(FUNCTIONS[id]).keys()


def main():
    """Read the command line, examine, report; exit code 1 if a wrong answer passes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lesson", type=int)
    parser.add_argument("--exercise")
    parser.add_argument("--show", choices=["all"], help="every mutant, with the verdict it got")
    options = parser.parse_args()
    chosen = [
        id for id in FUNCTIONS if options.lesson in (None, int(id.split(".")[0])) and options.exercise in (None, "", id)
    ]
    if not chosen:
        parser.error("no exercise with a function of that number")
    with ProcessPoolExecutor(2) as pool:
        table = []
        for id, tree, others, rows in pool.map(examine, chosen):
            counts = report(id, tree, others, rows, options.show == "all")
            table.append((id, tree, others, counts["passed"], counts["stale"]))
    print(f"\n{'exercise':<10}{'tree':>6}{'wrappers':>10}{'pass':>6}{'stale':>7}")
    for row in [*table, ("all", *map(sum, zip(*(row[1:] for row in table))))]:
        print("{:<10}{:>6}{:>10}{:>6}{:>7}".format(*row))
    sys.exit(any(row[3] or row[4] for row in table))


if __name__ == "__main__":
    main()
