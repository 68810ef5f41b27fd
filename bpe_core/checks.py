"""What counts as bad input, and how the error says so; skip this file on a first reading."""

from collections.abc import Container, Iterable, Mapping

TIE_BREAKS = ("first", "lowest_id", "greatest")


def check_tie_break(tie_break: str) -> None:
    """Raise ValueError unless the tie rule is one of TIE_BREAKS."""
    if tie_break not in TIE_BREAKS:
        raise ValueError(f"tie_break is {tie_break!r}; it must be one of {', '.join(map(repr, TIE_BREAKS))}")


def check_whole_number(name: str, value: int, least: int = 0) -> int:
    """Return the value, or raise TypeError or ValueError that names the argument.

    Example:
        >>> check_whole_number("vocab_size", 300)
        300
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is {value!r}; it must be a whole number (int)")
    if value < least:
        raise ValueError(f"{name} is {value}; it must be {least} or more")
    return int(value)


def check_frequency(word: object, frequency: int) -> int:
    """Return the frequency of a word, or raise an error that names the word."""
    return check_whole_number(f"the frequency of {word!r}", frequency)


def check_text(text: str, name: str = "text") -> str:
    """Return the text, or raise TypeError for other things and ValueError for a lone surrogate.

    Example:
        >>> check_text("x\\ud83dy")
        Traceback (most recent call last):
        ValueError: text holds a lone surrogate, '\\ud83d', at index 1: half of a character, which UTF-8 cannot write
    """
    if not isinstance(text, str):
        hint = "; decode the bytes first, as with .decode('utf-8')" if isinstance(text, (bytes, bytearray)) else ""
        raise TypeError(f"{name} is of type {type(text).__name__}; it must be a str{hint}")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{name} holds a lone surrogate, {text[error.start]!r}, at index {error.start}: "
            "half of a character, which UTF-8 cannot write"
        ) from None
    return text


def check_id_type(i: int) -> int:
    """Return the id, or raise TypeError for what is no whole number; True and 1.0 are none.

    Example:
        >>> check_id_type(7)
        7
    """
    if isinstance(i, bool) or not hasattr(i, "__index__"):
        raise TypeError(f"the id {i!r} is of type {type(i).__name__}; ids must be whole numbers (int)")
    return i


def check_id(i: int, size: int) -> int:
    """Return the id, or raise TypeError for what is no int and KeyError for an unknown one.

    Example:
        >>> check_id(7, 10)
        7
    """
    check_id_type(i)
    if not 0 <= i < size:
        raise KeyError(f"unknown id {i}: the vocabulary has the ids 0 to {size - 1}")
    return int(i)


def check_vocab(vocab: Mapping[int, bytes]) -> dict[int, bytes]:
    """Return {id: bytes} as a dict, or raise an error that names the id at fault.

    Example:
        >>> check_vocab({0: b"a", 1: b"b"})
        {0: b'a', 1: b'b'}
    """
    seen: dict[bytes, int] = {}
    for i, token in vocab.items():
        check_whole_number("an id of the vocabulary", i)
        if not isinstance(token, bytes) or not token:
            raise ValueError(f"the token with id {i} is {token!r}; it must be bytes, and not empty")
        if token in seen:
            raise ValueError(f"the vocabulary holds {token!r} under two ids: {seen[token]} and {i}")
        seen[token] = i
    return dict(vocab)


def check_special_names(names: Iterable[str]) -> list[str]:
    """Return the texts of special tokens as a list, or raise an error that names one at fault.

    Example:
        >>> check_special_names(("<s>", "</s>"))
        ['<s>', '</s>']
    """
    if isinstance(names, str):
        raise TypeError(f"special_tokens is one str, {names!r}; it must be a list of texts")
    names = list(names)
    for name in names:
        if not check_text(name, "a special token"):
            raise ValueError("a special token is empty; it must have a character")
        if names.count(name) > 1:
            raise ValueError(f"special_tokens holds {name!r} twice")
    return names


def check_special_tokens(special_tokens: Mapping[str, int], vocab: Mapping[int, bytes]) -> dict[str, int]:
    """Return {text: id} as a dict, or raise ValueError where an id stands for two things.

    Example:
        >>> check_special_tokens({"<s>": 2}, {0: b"a", 1: b"b"})
        {'<s>': 2}
    """
    if not isinstance(special_tokens, Mapping):
        raise TypeError(f"special_tokens is a {type(special_tokens).__name__}; it must be a mapping {{text: id}}")
    check_special_names(special_tokens)
    owner: dict[int, str | bytes] = {}
    for name, i in special_tokens.items():
        check_whole_number(f"the id of the special token {name!r}", i)
        if (other := owner.setdefault(i, vocab.get(i, name))) != name:
            raise ValueError(f"the special token {name!r} has the id {i}, which is that of the token {other!r}")
    return dict(special_tokens)


def check_merges(merges: Mapping, vocab: Mapping[int, bytes]) -> dict[tuple[int, int], int]:
    """Return the merges as a dict, or raise ValueError for one that does not fit the vocabulary.

    Example:
        >>> check_merges({(0, 1): 2}, {0: b"a", 1: b"b", 2: b"ab"})
        {(0, 1): 2}
    """
    for number, ((left, right), new) in enumerate(merges.items()):
        for i in (left, right, new):
            if i not in vocab:
                raise ValueError(
                    f"merge number {number}, ({left}, {right}) -> {new}: the id {i} is not in the vocabulary"
                )
        if vocab[left] + vocab[right] != vocab[new]:
            raise ValueError(
                f"merge number {number}, ({left}, {right}) -> {new}: "
                f"{vocab[left]!r} + {vocab[right]!r} is not {vocab[new]!r}"
            )
    return dict(merges)


def missing_byte(tokens: Container[bytes]) -> int | None:
    """Return the first of the 256 bytes that is no token by itself, or None.

    Example:
        >>> missing_byte({b"\\x00": 0, b"\\x02": 1})
        1
    """
    return next((byte for byte in range(256) if bytes([byte]) not in tokens), None)
