"""Values read without trust: what a learner's code returned, as plain tagged tuples.

A learner's object may have an ``__eq__`` that always says yes, a ``__repr__`` that never
ends, or a million items. So nothing here calls a method that the object could have
written itself. ``read`` turns a value into nested tuples that begin with the exact type's
name; ``same``, ``fit``, ``loosen``, ``type_difference`` and ``show`` work on those only.
"""

import math
import sys
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import Any

MAX_NODES = 100_000
MAX_DEPTH = 40
MAX_TEXT = 1_000_000

ATOMS = (int, float, bool, str, bytes)
SEQUENCES = (list, tuple)
SETS = (set, frozenset)
DICTS = (dict, Counter, OrderedDict, defaultdict)
SCALARS = (("numpy", "generic"), ("fractions", "Fraction"), ("decimal", "Decimal"))

Tagged = tuple
BUILT = {kind.__name__: kind for kind in (*SEQUENCES, *SETS)}
DICT_NAMES = tuple(kind.__name__ for kind in DICTS)
WRAPPED = ("subclass", "scalar")
UNKNOWN = ("subclass", "scalar", "other", "huge")


def read(value: Any) -> Tagged:
    """Turn a value into tagged tuples, exact type first.

    Args:
        value: anything at all.

    Returns:
        ``("int", 3)``, ``("list", (item, ...))``, ``("dict", ((key, value), ...))``;
        ``("subclass", name, base)`` for a subclass of a built-in type, ``("scalar", name, base)``
        for a number of NumPy, a Fraction or a Decimal, ``("other", name)`` for anything else, ``("huge", why)`` for what is too large to look at.

    Example:
        >>> read([("a", True)])
        ('list', (('tuple', (('str', 'a'), ('bool', True))),))
    """
    try:
        return _read(value, [MAX_NODES], 0)
    except _TooLarge as error:
        return ("huge", str(error))


class _TooLarge(Exception):
    pass


def _read(value: Any, budget: list, depth: int) -> Tagged:
    budget[0] -= 1
    if budget[0] < 0 or depth > MAX_DEPTH:
        raise _TooLarge(
            f"nested more than {MAX_DEPTH} levels deep" if budget[0] >= 0 else f"more than {MAX_NODES:,} items"
        )
    exact = type(value)
    if value is None:
        return ("None", None)
    if exact in ATOMS:
        if exact in (str, bytes) and len(value) > MAX_TEXT:
            raise _TooLarge(f"a {exact.__name__} of {len(value):,} characters")
        return (exact.__name__, value)
    for family in (SEQUENCES, SETS, DICTS):
        if exact in family:
            return (exact.__name__, _items(value, exact, budget, depth))
    for module, name in SCALARS:  # none of them is imported for this
        if issubclass(exact, getattr(sys.modules.get(module), name, ())):
            return _scalar(value, exact)
    for base in (*ATOMS, *SEQUENCES, *SETS, dict):
        if base is not bool and issubclass(exact, base):
            plain = AS_BASE[base](value) if base in AS_BASE else base(base.__iter__(value))
            return ("subclass", type_name(exact), _read(plain, budget, depth + 1))
    return ("other", type_name(exact))


def _scalar(value: Any, exact: type) -> Tagged:
    try:
        plain = value.item() if hasattr(value, "item") else int(value) if value == int(value) else float(value)
    except (ValueError, OverflowError):  # not a number, or infinite
        return ("other", type_name(exact))
    return ("scalar", type_name(exact), _read(plain, [1], 0)) if type(plain) in ATOMS else ("other", type_name(exact))


def _items(value: Any, exact: type, budget: list, depth: int) -> tuple:
    if exact in DICTS:
        pairs = dict.items(value)
        return tuple((_read(k, budget, depth + 1), _read(v, budget, depth + 1)) for k, v in pairs)
    items = tuple(_read(item, budget, depth + 1) for item in value)
    return tuple(sorted(items, key=repr)) if exact in SETS else items


# The base types' own methods, not those that a subclass may have replaced.
AS_BASE = {
    dict: lambda value: dict(dict.items(value)),
    str: lambda value: "".join(str.__iter__(value)),
    bytes: lambda value: bytes(bytes.__iter__(value)),
    int: int.__int__,
    float: float.__float__,
}


def type_name(kind: type) -> str:
    """Return a type's name, even where its metaclass tells another.

    Example:
        >>> type_name(type(1))
        'int'
    """
    return type.__dict__["__name__"].__get__(kind)


def plain(tagged: Tagged) -> Any:
    """Return the value that the tags describe, made of built-in types only.

    Raises:
        ValueError: it holds something that is no built-in type.

    Example:
        >>> plain(read({"a": [1, 2]}))
        {'a': [1, 2]}
    """

    def atom(kind: str, content: Any, base: Any = None) -> Any:
        if kind in ("subclass", "other", "huge"):
            raise ValueError(f"no plain value: {kind}")
        return base if kind == "scalar" else content

    return fold(tagged, lambda kind, items: BUILT[kind](items), dict, atom, atom)


def holds(test: Callable[..., Any], *given: Any) -> bool:
    """Say whether a test holds; where it raises, because the values are of another type, it does not.

    Example:
        >>> holds(lambda a, b: a < b, 1, 2), holds(lambda a, b: a < b, 1, "b")
        (True, False)
    """
    try:
        return bool(test(*given))
    except Exception:
        return False


def same(got: Tagged, expected: Tagged, *, tolerance: float = 0.0, ordered: bool = False) -> bool:
    """Say whether two read values have the same types and the same content.

    Args:
        got: a value from ``read``.
        expected: the other.
        tolerance: how far a float may be off, in the float's own unit.
        ordered: whether the order of a dict's keys counts.

    Example:
        >>> same(read({"a": 1, "b": 2}), read({"b": 2, "a": 1})), same(read(True), read(1))
        (True, False)
    """
    if got[0] != expected[0] or got[0] in UNKNOWN:
        return False
    kind, a, b = got[0], got[1], expected[1]
    if kind == "float":
        return a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= tolerance
    if kind in DICT_NAMES:  # key, value, key, value, ...
        a, b = (list(chain(*(one if ordered else sorted(one, key=repr)))) for one in (a, b))
    if kind in BUILT or kind in DICT_NAMES:
        return len(a) == len(b) and all(same(x, y, tolerance=tolerance, ordered=ordered) for x, y in zip(a, b))
    return a == b


def fit(got: Tagged, expected: Tagged, *, loose: bool = False) -> Tagged:
    """Take another type for the expected one where it stands for the same value.

    A number of NumPy, a Fraction or a Decimal is taken for a plain number, an int for the
    float that it equals, a Counter for a dict.

    Args:
        got: a value from ``read``.
        expected: what it should be.
        loose: also take a float for the int that it equals, and a tuple for a list.

    Example:
        >>> fit(read(Counter("aa")), read({"a": 2}))
        ('dict', ((('str', 'a'), ('int', 2)),))
        >>> fit(read([1, 2]), read([1.0, 3.0]))
        ('list', (('float', 1.0), ('int', 2)))
    """
    if got[0] == "scalar":
        got = got[2]
    kinds = got[0], expected[0]
    if kinds == ("int", "float") or (loose and kinds == ("float", "int")):
        return expected if got[1] == expected[1] else got
    if expected[0] in DICT_NAMES and got[0] in DICT_NAMES:
        wanted = {loosen(key): item for key, item in expected[1]}
        items = tuple((fit(k, k), fit(v, wanted.get(loosen(k), v), loose=loose)) for k, v in got[1])
        return (expected[0], items)
    if got[0] in ("set", "frozenset"):
        return (got[0], tuple(sorted((fit(item, item) for item in got[1]), key=repr)))
    if got[0] in ("list", "tuple"):
        kind = "list" if loose and kinds == ("tuple", "list") else got[0]
        others = expected[1] if kind == expected[0] and len(expected[1]) == len(got[1]) else got[1]
        return (kind, tuple(fit(x, y, loose=loose) for x, y in zip(got[1], others)))
    return got


def loosen(tagged: Tagged) -> Tagged:
    """Forget the exact types, so that only the content is left to compare.

    Example:
        >>> loosen(read([1, 2])) == loosen(read((1.0, 2)))
        True
    """
    return fold(
        tagged,
        lambda kind, items: ("set", frozenset(items)) if "set" in kind else ("sequence", tuple(items)),
        lambda entries: ("mapping", frozenset(entries)),
        lambda kind, content: ("number" if kind in ("bool", "int", "float") else kind, content),
    )


def fold(
    tagged: Tagged, sequence: Callable, mapping: Callable, atom: Callable, wrapped: Callable = lambda *given: given[2]
) -> Any:
    """Make something of a read value, from its innermost parts outward.

    Args:
        tagged: a value from ``read``.
        sequence: takes the type's name and what was made of the items.
        mapping: takes pairs of what was made of each key and its value.
        atom: takes the type's name and the content of anything else.
        wrapped: takes "subclass" or "scalar", the type's name and what was made of the value that it is based on;
            left out, this value stands for it.

    Example:
        >>> fold(read([1, [2]]), lambda kind, items: sum(items), len, lambda kind, content: content)
        3
    """
    kind, content = tagged[0], tagged[1]
    again = partial(fold, sequence=sequence, mapping=mapping, atom=atom, wrapped=wrapped)
    if kind in WRAPPED:
        return wrapped(kind, content, again(tagged[2]))
    if kind in BUILT:
        return sequence(kind, map(again, content))
    if kind in DICT_NAMES:
        return mapping((again(key), again(item)) for key, item in content)
    return atom(kind, content)


def type_difference(got: Tagged, expected: Tagged, where: str = "") -> tuple[str, str, str] | None:
    """Find the first place where two values differ in type.

    Returns:
        (where, type found, type expected), or None; where is ``""`` for the value itself.

    Example:
        >>> type_difference(read(["a"]), read([("a",)]))
        ('item 0', 'str', 'tuple')
    """
    if got[0] != expected[0]:
        return where, _name(got), _name(expected)
    places = []
    if got[0] in ("list", "tuple"):
        of = f" of {where}" if where else ""
        places = [(x, y, f"item {i}{of}") for i, (x, y) in enumerate(zip(got[1], expected[1]))]
    if got[0] in DICT_NAMES:
        wanted = {loosen(key): (key, item) for key, item in expected[1]}
        for key, item in got[1]:
            known, right = wanted.get(loosen(key), (key, item))
            places += [(key, known, "a key"), (item, right, f"the value of {show(key)}")]
    return next((found for place in places if (found := type_difference(*place))), None)


def _name(tagged: Tagged) -> str:
    return f"{tagged[1]} (a subclass of {_name(tagged[2])})" if tagged[0] == "subclass" else kind_of(tagged)


def kind_of(tagged: Tagged) -> str:
    """Return the name of the type that was read.

    Example:
        >>> kind_of(read(True))
        'bool'
    """
    return tagged[1] if tagged[0] in (*WRAPPED, "other") else tagged[0]


def size(tagged: Tagged) -> int:
    """Return how large a value is to a reader: one for each item and each character.

    Example:
        >>> size(read(["a", 1]))
        4
    """
    return fold(
        tagged,
        lambda kind, items: 1 + sum(items),
        lambda entries: 1 + sum(map(sum, entries)),
        lambda kind, content: 1 + (len(content) if kind in ("str", "bytes") else kind == "int" and abs(content) > 9),
    )


def show(tagged: Tagged, limit: int = 160) -> str:
    """Write a read value as Python would, cut after ``limit`` characters.

    Example:
        >>> show(read({("a", "b"): 1}))
        "{('a', 'b'): 1}"
        >>> show(read(list(range(100))), limit=12)
        '[0, 1, 2, 3, …'
    """
    text = _text(tagged, limit + 1)
    return text if len(text) <= limit else text[:limit].rstrip() + " …"


def _text(tagged: Tagged, limit: int) -> str:
    kind, content = tagged[0], tagged[1]
    if kind in ("huge", "other"):
        return f"<{content} object>" if kind == "other" else f"<{content}>"
    if kind in WRAPPED:
        return f"{content}({_text(tagged[2], limit)})"
    if kind == "int" and content.bit_length() > 2000:
        return f"<an int of {content.bit_length():,} bits>"
    if kind in DICT_NAMES:
        inner = ", ".join(f"{_text(key, limit)}: {_text(item, limit)}" for key, item in content[:limit])
        return f"{{{inner}}}" if kind == "dict" else f"{kind}({{{inner}}})"
    if kind in BUILT:
        inner = ", ".join(_text(item, limit) for item in content[:limit])
        comma = "," if kind == "tuple" and len(content) == 1 else ""
        start, end = BRACKETS[kind] if content or kind in ("list", "tuple") else (f"{kind}(", ")")
        return start + inner + comma + end
    return repr(content[:limit] if kind in ("str", "bytes") else content)


BRACKETS = {"list": "[]", "tuple": "()", "set": "{}", "frozenset": ("frozenset({", "})")}
