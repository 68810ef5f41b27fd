"""Encoding and decoding bit by bit: text that comes in parts, and ids that come one at a time.

Text can be encoded as soon as a place is known where it can be cut, whatever follows. These
functions look for such places; ByteBPE's methods ``encode_iterable`` and ``decode_stream``
call them and say what they give.
"""

import codecs
from collections.abc import Callable, Collection, Iterable, Iterator

from .checks import check_text
from .patterns import PATTERNS, last_safe_cut, special_regex

BLOCK = 1 << 16  # characters to read before looking for a place to cut


def encode_parts(
    tokenizer,
    texts: Iterable[str],
    allowed_special: str | Collection[str],
    disallowed_special: str | Collection[str],
) -> Iterator[int]:
    """Yield the ids of the joined texts, holding back only what cannot be cut yet.

    Args:
        tokenizer: a ByteBPE.
        texts: an iterable of str.
        allowed_special: as in ``ByteBPE.encode``.
        disallowed_special: as in ``ByteBPE.encode``.

    Example:
        >>> from bpe_core import ByteBPE
        >>> list(encode_parts(ByteBPE.train("low low", 258), ["a lo", "w"], (), "all"))
        [97, 32, 257]
    """
    special = {"allowed_special": allowed_special, "disallowed_special": disallowed_special}
    watched = {*tokenizer.special_tokens, *(() if disallowed_special == "all" else disallowed_special)}
    last_cut = _cutter(tokenizer)
    held, size, enough = [], 0, BLOCK
    for text in texts:
        held.append(check_text(text))
        size += len(text)
        if size >= enough:
            text = "".join(held)
            place = _place_between(text, watched, last_cut)
            yield from tokenizer.encode(text[:place], **special)
            held, size = [text[place:]], len(text) - place
            enough = BLOCK + 2 * size  # where much had to be held, do not look again too soon
    yield from tokenizer.encode("".join(held), **special)


def _place_between(text: str, watched: set[str], last_cut: Callable[[str, int], int]) -> int:
    # The last cut that none of these tokens stands over, with room behind it to see the next one whole.
    place = last_cut(text, len(text) - max(map(len, watched), default=1))
    found = special_regex(watched).finditer(text, overlapped=True) if watched else ()
    spans = [match.span() for match in found]
    while over := [start for start, end in spans if start < place < end]:
        place = last_cut(text, over[0] + 1)
    return place


def _cutter(tokenizer) -> Callable[[str, int], int]:
    # Returns a function that gives the last place before an end where the text can be cut, or 0.
    if tokenizer.pattern in PATTERNS:
        return lambda text, end: _last_cut_of_pieces(text, end, tokenizer.normalize)
    if tokenizer.pattern is None and not tokenizer.normalization and not tokenizer.whole_pieces:
        # Two bytes that no token holds side by side are always in two tokens.
        inner = {token[i : i + 2] for token in tokenizer.vocab.values() for i in range(len(token) - 1)}
        return lambda text, end: _last_cut_of_tokens(text, end, inner)
    return lambda text, end: 0


def _last_cut_of_pieces(text: str, end: int, normalize: Callable[[str], str]) -> int:
    while place := last_safe_cut(text, end):
        # Normalization can turn a letter into a letter and a mark, or "／" into "/": look again.
        before, after = normalize(text[place - 1]), normalize(text[place])
        safe = last_safe_cut(before + after, len(before) + 1) == len(before)
        # How a run of white space is cut depends on what follows it; one character is a piece in any case.
        if safe and not text[max(0, place - 2) : place].isspace():
            return place
        end = place
    return 0


def _last_cut_of_tokens(text: str, end: int, inner: set[bytes]) -> int:
    for i in range(end - 1, 0, -1):
        if text[i - 1].encode("utf-8")[-1:] + text[i].encode("utf-8")[:1] not in inner:
            return i
    return 0


def decode_parts(tokens: Iterable[bytes], errors: str) -> Iterator[str]:
    """Yield for each token the text that has become complete, and at the end what was left over.

    Args:
        tokens: the bytes of each token.
        errors: as in ``bytes.decode``.

    Example:
        >>> list(decode_parts([b"\\xe2\\x82", b"\\xac!"], "replace"))
        ['', '€!']
    """
    decoder = codecs.getincrementaldecoder("utf-8")(errors)
    yield from map(decoder.decode, tokens)
    if rest := decoder.decode(b"", final=True):
        yield rest
