r"""Pre-tokenization: regular expressions that cut a text into pieces before any merge.

Merges stay inside a piece. The patterns of four well-known tokenizers stand here one
alternative at a time; at each position the first alternative that matches wins, as in
any regular expression.

How to read them: ``\p{L}`` is any letter, ``\p{N}`` any number, ``\p{M}`` any mark that sits on
a letter, ``\p{Lu}`` an upper-case and ``\p{Ll}`` a lower-case letter, ``\s`` white space, ``\S``
anything else. ``(?!\S)`` looks ahead without taking: what follows is no visible character.

Sources: tiktoken, tiktoken_ext/openai_public.py (gpt2, cl100k, o200k); the tokenizer.json
that the makers of Qwen2.5 publish (qwen2). Written here without possessive
quantifiers, which change the speed and not the pieces.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from .checks import check_text

if TYPE_CHECKING:
    import regex


class Alternative(NamedTuple):
    """One alternative of a pattern, and what it is for."""

    regex: str
    meaning: str


_SPACES_BEFORE_A_WORD = Alternative(
    r"\s+(?!\S)", "white space before a word, but for its last character; at the end of the text, all of it"
)
_TAIL_OF_THE_WORD = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_BIG = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}"
_SMALL = r"\p{Ll}\p{Lm}\p{Lo}\p{M}"

PATTERNS: dict[str, tuple[Alternative, ...]] = {
    "gpt2": (
        Alternative(r"'(?:[sdmt]|ll|ve|re)", "the end of an English contraction, lower case only"),
        Alternative(r" ?\p{L}+", "letters, with one space before them"),
        Alternative(r" ?\p{N}+", "digits, however many, with one space before them"),
        Alternative(r" ?[^\s\p{L}\p{N}]+", "everything else that is visible, with one space before it"),
        _SPACES_BEFORE_A_WORD,
        Alternative(r"\s+", "any white space that is left"),
    ),
    "cl100k": (
        Alternative(r"'(?i:[sdmt]|ll|ve|re)", "the end of an English contraction, in either case"),
        Alternative(
            r"[^\r\n\p{L}\p{N}]?\p{L}+", "letters, with one other character before them: a space, a quote, a dot"
        ),
        Alternative(r"\p{N}{1,3}", "up to three digits"),
        Alternative(r" ?[^\s\p{L}\p{N}]+[\r\n]*", "punctuation, with one space before it and line ends after it"),
        Alternative(r"\s+\Z", "white space at the very end of the text"),
        Alternative(r"\s*[\r\n]", "white space up to and including the last line end"),
        _SPACES_BEFORE_A_WORD,
        Alternative(r"\s", "any white space that is left"),
    ),
    "o200k": (
        Alternative(
            rf"[^\r\n\p{{L}}\p{{N}}]?[{_BIG}]*[{_SMALL}]+{_TAIL_OF_THE_WORD}",
            "capitals, then small letters: a new piece begins where a capital follows a small letter; "
            "marks count as letters, and a contraction stays with its word",
        ),
        Alternative(
            rf"[^\r\n\p{{L}}\p{{N}}]?[{_BIG}]+[{_SMALL}]*{_TAIL_OF_THE_WORD}",
            "the same for words without small letters",
        ),
        Alternative(r"\p{N}{1,3}", "up to three digits"),
        Alternative(r" ?[^\s\p{L}\p{N}]+[\r\n/]*", "punctuation, with line ends and slashes after it"),
        Alternative(r"\s*[\r\n]+", "white space up to and including the last line end"),
        _SPACES_BEFORE_A_WORD,
        Alternative(r"\s+", "any white space that is left"),
    ),
    "qwen2": (
        Alternative(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)", "the end of an English contraction, in either case"),
        Alternative(r"[^\r\n\p{L}\p{N}]?\p{L}+", "letters, with one other character before them"),
        Alternative(r"\p{N}", "one digit at a time"),
        Alternative(r" ?[^\s\p{L}\p{N}]+[\r\n]*", "punctuation, with one space before it and line ends after it"),
        Alternative(r"\s*[\r\n]+", "white space up to and including the last line end"),
        _SPACES_BEFORE_A_WORD,
        Alternative(r"\s+", "any white space that is left"),
    ),
}


def pattern_regex(pattern: str | None) -> str | None:
    """Return the regular expression of a named pattern; any other text is one already.

    Raises:
        TypeError: the pattern is neither a str nor None.
        ValueError: the text looks like a name (letters, digits, ``_`` and ``-`` only) and
            is not one, or is no valid regular expression.

    Example:
        >>> pattern_regex("qwen2").split("|")[8]
        '\\\\p{N}'
    """
    if pattern is None:
        return None
    if not isinstance(pattern, str):
        raise TypeError(f"pattern is {pattern!r}; it must be a name, a regular expression (str) or None")
    if pattern in PATTERNS:
        return "|".join(alternative.regex for alternative in PATTERNS[pattern])
    if re.fullmatch(r"[A-Za-z0-9_-]+", pattern):
        raise ValueError(
            f"pattern is {pattern!r}, which is not the name of a pattern; the names are {', '.join(PATTERNS)} "
            "(a regular expression made of letters only would cut at that word: write it in brackets)"
        )
    compile_pattern(pattern)
    return pattern


def compile_pattern(expression: str) -> regex.Pattern:
    """Compile a regular expression, or raise a ValueError that shows where it fails.

    Example:
        >>> compile_pattern(r"\\w+").findall("one, two")
        ['one', 'two']
    """
    import regex  # here, because importing bpe_core takes the standard library only

    try:
        return regex.compile(expression)
    except regex.error as error:
        raise ValueError(f"pattern {expression!r} is no valid regular expression: {error}") from None


def splitter_of(pattern: str | None) -> regex.Pattern | None:
    """Return the compiled regular expression of a pattern, or None for no pattern.

    Args:
        pattern: a name, a regular expression, or None, as in ``pattern_regex``.

    Example:
        >>> splitter_of("gpt2").findall("It's")
        ['It', "'s"]
    """
    expression = pattern_regex(pattern)
    return None if expression is None else compile_pattern(expression)


def name_of(expression: str | None) -> str | None:
    r"""Return the name under which an expression is known here, else the expression itself.

    Example:
        >>> name_of(pattern_regex("o200k")), name_of(r"\w+")
        ('o200k', '\\w+')
    """
    return next((name for name in PATTERNS if pattern_regex(name) == expression), expression)


def split(text: str, pattern: str | regex.Pattern | None) -> list[str]:
    """Cut a text into pieces; joined, they are the text again.

    Text that the pattern passes over becomes pieces of its own, so that nothing is lost.

    Args:
        text: any text.
        pattern: a name, a regular expression, a compiled one, or None for one piece.

    Example:
        >>> split("It's 1234 times", "gpt2")
        ['It', "'s", ' 1234', ' times']
        >>> split("It's 1234 times", "cl100k")
        ['It', "'s", ' ', '123', '4', ' times']
        >>> split("one, two", r"\\w+")
        ['one', ', ', 'two']
    """
    if not text:
        return []
    if pattern is None:
        return [text]
    if isinstance(pattern, str):
        pattern = splitter_of(pattern)
    if (quick := _quick_splitter(pattern.pattern)) is not None:
        if text.isascii():
            return quick.findall(text)
        if len(text.encode("utf-8")) > 1.2 * len(text):
            return pattern.findall(text)  # so few lines are ASCII that looking for them costs more than it gains
        *lines, last = _BETWEEN_LINES.split(text)
        pieces = []
        for is_ascii, stretch in groupby([*(line + "\n" for line in lines), last], str.isascii):
            pieces += (quick if is_ascii else pattern).findall("".join(stretch))
        return pieces
    # With groups, findall would give the groups and not the match.
    pieces = [] if pattern.groups else pattern.findall(text)
    if "" not in pieces and sum(map(len, pieces)) == len(text):
        return pieces
    pieces, end = [], 0
    for match in pattern.finditer(text):
        pieces += [text[end : match.start()], match.group()]
        end = match.end()
    return [piece for piece in [*pieces, text[end:]] if piece]


# Behind such a line end all four named patterns cut: one alone, before a visible character that is no "/".
# It stands first in the expression, because re finds a plain character fastest.
_BETWEEN_LINES = re.compile(r"\n(?<=\S\n)(?=[^\s/])")
_IN_ASCII = {
    r"\s": r"\t-\r ",
    r"\S": r"^\t-\r ",
    r"\p{L}": "A-Za-z",
    r"\p{N}": "0-9",
    r"\p{Lu}": "A-Z",
    r"\p{Ll}": "a-z",
}


@cache
def _quick_splitter(expression: str) -> re.Pattern | None:
    # For a named pattern what Python's own ``re``, which is twice as fast, needs for text in ASCII; else None.
    return re.compile(in_ascii(expression)) if name_of(expression) != expression else None


def in_ascii(expression: str) -> str:
    r"""Write the classes of an expression out with the characters that they have in ASCII.

    Python's ``re`` knows no ``\p{L}``, and its ``\s`` takes U+001C to U+001F, which are no white
    space to ``regex`` and tiktoken.

    Example:
        >>> in_ascii(r" ?[^\s\p{L}]+|\p{N}{1,3}|\s+(?!\S)")
        ' ?[^\\t-\\r A-Za-z]+|[0-9]{1,3}|[\\t-\\r ]+(?![^\\t-\\r ])'
    """
    written, inside = "", False
    for part in re.findall(r"\\p\{\w+\}|\\.|.", expression):
        inside = part == "[" or inside and part != "]"
        if part in _IN_ASCII or part.startswith(r"\p"):  # ASCII has no marks and no other letters
            part = _IN_ASCII.get(part, "")
            part = part if inside else f"[{part}]"
        written += part
    return written


def special_regex(special_tokens: Iterable[str]) -> regex.Pattern:
    """Compile a pattern that finds special tokens, the longest first, in one group.

    Example:
        >>> special_regex(["<a>", "<a>b"]).split("x<a>bc")
        ['x', '<a>b', 'c']
    """
    longest_first = sorted(special_tokens, key=lambda text: (-len(text), text))
    return compile_pattern("(" + "|".join(map(re.escape, longest_first)) + ")")


def count_words(
    corpus: str | Iterable[str], pattern: str | None = None, *, special_tokens: Collection[str] = ()
) -> Counter:
    """Count the pieces of a corpus; the Counters of its parts add up to that of the whole.

    Args:
        corpus: a text, or an iterable of texts.
        pattern: how text is cut, as in ``ByteBPE.train``.
        special_tokens: cut out first, and not counted.

    Returns:
        Counter {piece: count}, where a piece is its UTF-8 bytes written as a str with one
        character for each byte: the form that ``learn_merges`` takes.

    Example:
        >>> count_words("to be or not to be", "gpt2")[" be"]
        2
    """
    if isinstance(corpus, str):
        corpus = [corpus]
    elif isinstance(corpus, (bytes, bytearray)) or not isinstance(corpus, Iterable):
        raise TypeError(f"corpus is of type {type(corpus).__name__}; it must be a str or an iterable of str")
    splitter = splitter_of(pattern)
    specials = special_regex(special_tokens) if special_tokens else None
    counts = Counter()
    for text in corpus:
        check_text(text, "a text of the corpus")
        for part in specials.split(text)[::2] if specials else [text]:
            counts.update(split(part, splitter))
    return Counter({pack_bytes(piece): n for piece, n in counts.items()})


def pack_bytes(text: str) -> str:
    r"""Write the UTF-8 bytes of a text as a str with one character for each byte.

    Example:
        >>> pack_bytes("é!")
        'Ã©!'
    """
    return text.encode("utf-8").decode("latin-1")


# Where a text can be cut, whatever follows, so that a long text can be cut into pieces
# bit by bit. No alternative of the four patterns reaches over these places, and none of
# them looks back: (1) a visible character, then a space; (2) a line end, then a visible
# character other than "/"; (3) a letter, then punctuation other than an apostrophe.
_SAFE_CUT = r"(?<=\S)(?= )|(?<=[\r\n])(?=[^\s/])|(?<=\p{L})(?=[^\s\p{L}\p{M}\p{N}'])"


def last_safe_cut(text: str, end: int) -> int:
    """Return the last place before ``end`` where all four named patterns cut, or 0.

    Args:
        text: the beginning of a longer text.
        end: look no further than this, at most ``len(text)``.

    Example:
        >>> last_safe_cut("two words", 9)
        3
    """
    cuts = compile_pattern(_SAFE_CUT)
    for window in (256, 16_384, end):  # most texts have one near the end
        start = max(0, end - window)
        places = [match.start() for match in cuts.finditer(text, start, end) if match.start()]
        if places:
            return places[-1]
    return 0


# What the patterns did to a text


class Took(NamedTuple):
    """One piece, and the number of the alternative that took it: 1 for the first, 0 for none."""

    piece: str
    number: int


def alternatives_of(pattern: str) -> tuple[Alternative, ...]:
    """Return the alternatives of a named pattern; a regular expression of your own counts as one.

    Example:
        >>> alternatives_of("[a-z]+")[0].meaning
        'what the pattern matches'
    """
    return PATTERNS.get(pattern) or (Alternative(pattern, "what the pattern matches"),)


def took(text: str, pattern: str) -> list[Took]:
    """Cut a text, and say of each piece which alternative of the pattern took it.

    Args:
        text: any text.
        pattern: a name, or a regular expression.

    Returns:
        One Took for each piece; joined, the pieces are the text.

    Example:
        >>> took("It's 12", "gpt2")
        [Took(piece='It', number=2), Took(piece="'s", number=1), Took(piece=' 12', number=3)]
        >>> [number for _, number in took("a, b", "[a-z]")]
        [1, 0, 1]
    """
    compiled = [compile_pattern(alternative.regex) for alternative in alternatives_of(pattern)]
    found, place = [], 0
    for piece in split(text, pattern):
        matches = (expression.match(text, place) for expression in compiled)
        number = next((i for i, match in enumerate(matches, 1) if match and match.group() == piece), 0)
        found.append(Took(piece, number))
        place += len(piece)
    return found


def is_glued(token: str | bytes) -> bool:
    r"""Say whether a token holds characters of more than one word.

    Example:
        >>> is_glued(" the"), is_glued(". The"), is_glued("of the")
        (False, True, True)
    """
    return len(token.split()) > 1
