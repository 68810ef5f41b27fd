"""Values on their way between two processes: what ``values.read`` gives, as JSON and back."""

from typing import Any

from ..values import BUILT, DICT_NAMES, MAX_DEPTH, WRAPPED, Tagged, fold

WORDS = ("other", "huge")


def pack(tagged: Tagged) -> list:
    """Turn a read value into what JSON can hold.

    Example:
        >>> pack(("tuple", (("int", 10), ("bytes", b"a"))))
        ['tuple', [['int', '0xa'], ['bytes', '61']]]
    """
    kind, content = tagged[:2]
    if kind in WRAPPED:
        return [kind, content, pack(tagged[2])]
    if kind in BUILT:
        return [kind, [pack(item) for item in content]]
    if kind in DICT_NAMES:
        return [kind, [[pack(key), pack(item)] for key, item in content]]
    return [kind, hex(content) if kind == "int" else content.hex() if kind == "bytes" else content]


def unpack(packed: Any) -> Tagged:
    """Turn what ``pack`` made back into a read value, whoever wrote it.

    Raises:
        ValueError: it is nothing that ``pack`` makes.

    Example:
        >>> unpack(["list", [["int", "0xa"]]])
        ('list', (('int', 10),))
    """
    try:
        tagged = _unpack(packed)
        # Keys that no dict can have raise here.
        fold(tagged, lambda kind, items: BUILT[kind](items), dict, lambda kind, content: content)
        return tagged
    except (TypeError, KeyError, RecursionError, OverflowError) as error:
        raise ValueError("no value of built-in types") from error


def _unpack(packed: Any, depth: int = 0) -> Tagged:
    kind, content = packed[:2]
    if depth > MAX_DEPTH + 1:
        raise ValueError("nested too deep")
    if kind in WRAPPED:
        return (kind, _checked(content, str)[:100], _unpack(packed[2], depth + 1))
    if kind in BUILT:
        return (kind, tuple(_unpack(item, depth + 1) for item in _checked(content, list)))
    if kind in DICT_NAMES:
        pairs = _checked(content, list)
        return (kind, tuple((_unpack(key, depth + 1), _unpack(item, depth + 1)) for key, item in pairs))
    return (kind, READERS[kind](content))


def _checked(content: Any, kind: type) -> Any:
    if type(content) is not kind:
        raise TypeError(f"a {type(content).__name__} for a {kind.__name__}")
    return content


READERS = {
    "int": lambda content: int(content, 16),
    "bytes": lambda content: bytes.fromhex(content),
    "None": lambda content: _checked(content, type(None)),
    "float": lambda content: _checked(content, float),
    "bool": lambda content: _checked(content, bool),
    "str": lambda content: _checked(content, str),
    **{word: lambda content: _checked(content, str)[:200] for word in WORDS},
}
