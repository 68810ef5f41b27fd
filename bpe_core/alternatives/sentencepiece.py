"""SentencePiece's view of text: a space is a character like any other, ``▁``, and nothing is lost.

SentencePiece is a library and no algorithm: it trains BPE or Unigram on text that is written this
way. Its symbols are Unicode characters. Bytes come in where a character is no piece, as pieces
of their own, ``<0xE2>``; that is byte fallback, and not byte-level BPE.

Source: Kudo and Richardson, "SentencePiece" (2018); the defaults are those of the library's
trainer: add_dummy_prefix, remove_extra_whitespaces, split_by_whitespace.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from itertools import groupby

from ..checks import check_text
from .unigram import Unigram

SPACE = "▁"  # U+2581, no underscore
UNKNOWN_PENALTY = 10  # an unknown character's score is this much below the least of the pieces
_BYTE = re.compile(r"<0x([0-9A-F]{2})>")


def write_spaces(text: str, *, normalization: str | None = "NFKC", keep_spaces: bool = False) -> str:
    """Normalize a text, put a space in front, and write every space as ``▁``.

    Args:
        text: any text.
        normalization: a Unicode form, or None. The library's default, nmt_nfkc, is NFKC and some rules more.
        keep_spaces: keep runs of spaces, and spaces at the ends; otherwise a run becomes one, and the ends go.

    Returns:
        The text that pieces are looked for in; ``""`` for a text without characters.

    Example:
        >>> write_spaces("Hello  world "), write_spaces("  x", keep_spaces=True)
        ('▁Hello▁world', '▁▁▁x')

    """
    text = unicodedata.normalize(normalization, check_text(text)) if normalization else check_text(text)
    if not keep_spaces:
        text = re.sub(" +", " ", text).strip(" ")
    return (SPACE + text.replace(" ", SPACE)) if text else ""


def read_spaces(pieces: Iterable[str]) -> str:
    """Put a text together again: byte pieces become characters, ``▁`` a space, and the first space goes.

    Example:
        >>> read_spaces(["▁na", "<0xC3>", "<0xAF>", "ve"])
        'naïve'
    """
    parts = (
        bytes.fromhex(found[1]) if (found := _BYTE.fullmatch(piece)) else piece.replace(SPACE, " ").encode("utf-8")
        for piece in pieces
    )
    return b"".join(parts).decode("utf-8", "replace").removeprefix(" ")


def marked_words(written: str) -> list[str]:
    """Cut before every ``▁`` that follows another character, as the library does before training.

    Example:
        >>> marked_words("▁a▁rose▁is")
        ['▁a', '▁rose', '▁is']
    """
    return re.findall(f"{SPACE}?[^{SPACE}]+|{SPACE}", written)


def count_marked_words(text: str) -> Counter:
    """Count the words of a text with their ``▁``: what Unigram and BPE train on in SentencePiece.

    Example:
        >>> count_marked_words("a rose is a rose")["▁rose"]
        2
    """
    return Counter(word for line in text.splitlines() for word in marked_words(write_spaces(line)))


def encode_pieces(model: Unigram, text: str, *, byte_fallback: bool = True, **options) -> list[str]:
    """Cut a text into pieces of a Unigram model whose spaces are ``▁``.

    A character that is no piece becomes its UTF-8 bytes; without the fallback a run of them stays as one piece.

    Args:
        model: pieces with scores. Byte pieces are not looked for in text.
        text: any text.
        byte_fallback: whether to write unknown characters as bytes.
        options: as for ``write_spaces``.

    Example:
        >>> encode_pieces(Unigram({"▁na": -1.0, "ve": -1.0}), "naïve")
        ['▁na', '<0xC3>', '<0xAF>', 've']
    """
    written = write_spaces(text, **options)
    least = min(model.scores.values()) - UNKNOWN_PENALTY
    unknown = {character: least for character in written if character not in model.scores}
    cut = Unigram(model.scores | unknown).cut
    pieces = [piece for word in marked_words(written) for piece in cut(word)]
    result = []
    for is_unknown, run in groupby(pieces, unknown.__contains__):
        text = "".join(run := list(run))
        result += run if not is_unknown else byte_pieces(text) if byte_fallback else [text]
    return result


def byte_pieces(text: str) -> list[str]:
    """Return the byte pieces of a text.

    Example:
        >>> byte_pieces("€")
        ['<0xE2>', '<0x82>', '<0xAC>']
    """
    return [f"<0x{byte:02X}>" for byte in text.encode("utf-8")]
