"""Values read without trust: what a learner's code returned, as plain tagged tuples.

A learner's object may have an ``__eq__`` that always says yes, a ``__repr__`` that never
ends, or a million items. So nothing here calls a method that the object could have
written itself. ``read`` turns a value into nested tuples that begin with the exact type's
name; ``same``, ``loosen``, ``type_difference`` and ``show`` work on those only.
"""

import math
from collections import Counter, OrderedDict, defaultdict
from typing import Any

MAX_NODES = 100_000
MAX_DEPTH = 40
MAX_TEXT = 1_000_000

ATOMS = (int, float, bool, str, bytes)
SEQUENCES = (list, tuple)
SETS = (set, frozenset)
DICTS = (dict, Counter, OrderedDict, defaultdict)

Tagged = tuple


def read(value: Any) -> Tagged:
    """Turn a value into tagged tuples, exact type first.

    Args:
        value: anything at all.

    Returns:
        ``("int", 3)``, ``("list", (item, ...))``, ``("dict", ((key, value), ...))``;
        ``("subclass", name, base)`` for a subclass of a built-in type, ``("other", name)``
        for anything else, ``("huge", why)`` for what is too large to look at.

    Example:
        >>> read([("a", True)])
        ('list', (('tuple', (('str', 'a'), ('bool', True))),))
    """
    budget = [MAX_NODES]
    try:
        return _read(value, budget, 0)
    except _TooLarge as error:
        return ("huge", str(error))


class _TooLarge(Exception):
    pass


def _read(value: Any, budget: list, depth: int) -> Tagged:
    budget[0] -= 1
    if budget[0] < 0:
        raise _TooLarge(f"more than {MAX_NODES:,} items")
    if depth > MAX_DEPTH:
        raise _TooLarge(f"nested more than {MAX_DEPTH} levels deep")
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
    for base in (*ATOMS, *SEQUENCES, *SETS, dict):
        if base is not bool and issubclass(exact, base):
            return ("subclass", type_name(exact), _read(_as_base(value, base), budget, depth + 1))
    return ("other", type_name(exact))


def _items(value: Any, exact: type, budget: list, depth: int) -> tuple:
    if exact in DICTS:
        pairs = dict.items(value)
        return tuple((_read(k, budget, depth + 1), _read(v, budget, depth + 1)) for k, v in pairs)
    items = tuple(_read(item, budget, depth + 1) for item in value)
    return tuple(sorted(items, key=repr)) if exact in SETS else items


def _as_base(value: Any, base: type) -> Any:
    # The base type's own methods, not those that the subclass may have replaced.
    if base is dict:
        return dict(dict.items(value))
    if base in (*SEQUENCES, *SETS):
        return base(base.__iter__(value))
    if base is str:
        return "".join(str.__iter__(value))
    if base is bytes:
        return bytes(bytes.__iter__(value))
    return int.__int__(value) if base is int else float.__float__(value)


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
    kind, content = tagged[0], tagged[1]
    if kind in ("subclass", "other", "huge"):
        raise ValueError(f"no plain value: {kind}")
    if kind in ("list", "tuple", "set", "frozenset"):
        made = [plain(item) for item in content]
        return {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}[kind](made)
    if kind in DICT_NAMES:
        return {plain(key): plain(item) for key, item in content}
    return content


DICT_NAMES = tuple(kind.__name__ for kind in DICTS)


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
    if got[0] != expected[0] or got[0] in ("subclass", "other", "huge"):
        return False
    kind, a, b = got[0], got[1], expected[1]
    if kind == "float":
        return a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= tolerance
    if kind in DICT_NAMES:
        if len(a) != len(b) or (ordered and [key for key, _ in a] != [key for key, _ in b]):
            return False
        other = dict(b)
        return all(key in other and same(item, other[key], tolerance=tolerance, ordered=ordered) for key, item in a)
    if kind in ("list", "tuple", "set", "frozenset"):
        return len(a) == len(b) and all(same(x, y, tolerance=tolerance, ordered=ordered) for x, y in zip(a, b))
    return a == b


def as_dict(tagged: Tagged) -> Tagged:
    """Let a Counter, defaultdict or OrderedDict pass for a dict.

    Example:
        >>> as_dict(read(Counter("aa")))
        ('dict', ((('str', 'a'), ('int', 2)),))
    """
    return ("dict", tagged[1]) if tagged[0] in DICT_NAMES else tagged


def loosen(tagged: Tagged) -> Tagged:
    """Forget the exact types, so that only the content is left to compare.

    Example:
        >>> loosen(read([1, 2])) == loosen(read((1.0, 2)))
        True
    """
    kind = tagged[0]
    if kind == "subclass":
        return loosen(tagged[2])
    if kind in ("list", "tuple"):
        return ("sequence", tuple(map(loosen, tagged[1])))
    if kind in ("set", "frozenset"):
        return ("set", frozenset(map(loosen, tagged[1])))
    if kind in DICT_NAMES:
        return ("mapping", frozenset((loosen(key), loosen(item)) for key, item in tagged[1]))
    if kind in ("bool", "int", "float"):
        return ("number", tagged[1])
    return tagged


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
    if got[0] in ("list", "tuple"):
        for i, (x, y) in enumerate(zip(got[1], expected[1])):
            if found := type_difference(x, y, f"item {i}" + (f" of {where}" if where else "")):
                return found
    if got[0] in DICT_NAMES:
        wanted = {loosen(key): (key, item) for key, item in expected[1]}
        for key, item in got[1]:
            if pair := wanted.get(loosen(key)):
                found = type_difference(key, pair[0], "a key") or type_difference(
                    item, pair[1], f"the value of {show(key)}"
                )
                if found:
                    return found
    return None


def _name(tagged: Tagged) -> str:
    return f"{tagged[1]} (a subclass of {_name(tagged[2])})" if tagged[0] == "subclass" else kind_of(tagged)


def kind_of(tagged: Tagged) -> str:
    """Return the name of the type that was read.

    Example:
        >>> kind_of(read(True))
        'bool'
    """
    return tagged[1] if tagged[0] in ("subclass", "other") else tagged[0]


def size(tagged: Tagged) -> int:
    """Return how large a value is to a reader: one for each item and each character.

    Example:
        >>> size(read(["a", 1]))
        4
    """
    kind, content = tagged[0], tagged[1]
    if kind == "subclass":
        return size(tagged[2])
    if kind in ("list", "tuple", "set", "frozenset"):
        return 1 + sum(map(size, content))
    if kind in DICT_NAMES:
        return 1 + sum(size(key) + size(item) for key, item in content)
    return 1 + len(content) if kind in ("str", "bytes") else 1 + (kind == "int" and abs(content) > 9)


def show(tagged: Tagged, limit: int = 160) -> str:
    """Write a read value as Python would, cut after ``limit`` characters.

    Example:
        >>> show(read({("a", "b"): 1}))
        "{('a', 'b'): 1}"
        >>> show(read(list(range(100))), limit=12)
        '[0, 1, 2, 3, …'
    """
    text = ""
    for piece in _pieces(tagged):
        text += piece
        if len(text) > limit:
            return text[:limit].rstrip() + " …"
    return text


def _pieces(tagged: Tagged):
    kind, content = tagged[0], tagged[1]
    if kind == "huge":
        yield f"<{content}>"
    elif kind == "other":
        yield f"<{content} object>"
    elif kind == "subclass":
        yield f"{content}("
        yield from _pieces(tagged[2])
        yield ")"
    elif kind == "int" and content.bit_length() > 2000:
        yield f"<an int of {content.bit_length():,} bits>"
    elif kind in ("str", "bytes"):
        yield repr(content[:2000])
    elif kind in DICT_NAMES:
        yield "{" if kind == "dict" else f"{kind}({{"
        for i, (key, item) in enumerate(content):
            yield ", " if i else ""
            yield from _pieces(key)
            yield ": "
            yield from _pieces(item)
        yield "}" if kind == "dict" else "})"
    elif kind in ("list", "tuple", "set", "frozenset"):
        yield from _bracketed(kind, content)
    else:
        yield repr(content)


def _bracketed(kind: str, content: tuple):
    if kind in ("set", "frozenset") and not content:
        yield f"{kind}()"
        return
    opening, closing = {"list": "[]", "tuple": "()", "set": "{}", "frozenset": ("frozenset({", "})")}[kind]
    yield opening
    for i, item in enumerate(content):
        yield ", " if i else ""
        yield from _pieces(item)
    yield "," + closing if kind == "tuple" and len(content) == 1 else closing
