"""Token chips: a text as a row of colored boxes, one box for each token."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..byte_bpe import ByteBPE
from ..checks import check_id
from ..word_bpe import WordBPE
from .look import (
    View,
    box,
    count_of,
    direction,
    hexadecimal,
    join,
    readable,
    row,
    show,
    table,
    tag,
    titled,
    unseen,
)

MAX_TOKENS = 400  # shown at most, unless asked for more; the line below says so
TINTS = 4  # that take turns
MARKS = {"special": "special token ", "unknown": "not in the vocabulary ", "text": ""}
_SEPARATORS = "|¦‖⁞"


class Chip(NamedTuple):
    """One token to be drawn.

    Attributes:
        content: its text (str) or its bytes.
        id: its id, if known.
        kind: "text", "special" (a control token) or "unknown" (not in the vocabulary).
        starts_word: True draws a gap before it.
        fresh: True marks it as just made.
        tint: 0 to 3, or None to alternate.
    """

    content: str | bytes
    id: int | None = None
    kind: str = "text"
    starts_word: bool = False
    fresh: bool = False
    tint: int | None = None


class Strip(View):
    """A row of chips with its line of counts; ``data`` is the list of all chips.

    Attributes:
        num_tokens: how many tokens the text has, shown or not.
        num_bytes: UTF-8 bytes of the text, or None if not known.
        line: the counts in words.
    """

    def __init__(
        self,
        chips: list[Chip],
        num_bytes: int | None,
        max_tokens: int = MAX_TOKENS,
        *,
        num_tokens: int | None = None,
        more: dict[str, int] | None = None,
    ):
        """Draw the first chips.

        Args:
            chips: all tokens, or the first of them if ``num_tokens`` is given.
            num_bytes: UTF-8 bytes of the text, or None.
            max_tokens: how many are drawn at most.
            num_tokens: how many tokens the text has.
            more: further numbers for the line of counts, {what: number}.
        """
        shown = chips[:max_tokens]
        self.num_tokens = len(chips) if num_tokens is None else num_tokens
        self.num_bytes, self.more = num_bytes, more or {}
        self.line = count_line(self.num_tokens, num_bytes)
        self.line += "".join(f" · {what} {number:,}" for what, number in self.more.items())
        self.cut = ""
        if self.num_tokens > len(shown):
            self.cut = f"first {len(shown):,} of {self.num_tokens:,} tokens shown"
            self.line += f" · {self.cut}"
        self.row, self.shown = draw(shown), shown
        below = folded(self.line, [("", shown)]) or tag("bdi", self.line)
        line = tag("div", below, look="note", dir=direction(self.row.text))
        super().__init__(join([self.row.html, line]), f"{self.row.text}\n{self.line}", chips)


def chips(
    tokenizer: WordBPE | ByteBPE, text: str, *, allowed_special=frozenset(), max_tokens: int = MAX_TOKENS
) -> Strip:
    """Show a text as the tokens that a tokenizer cuts it into.

    Args:
        tokenizer: a WordBPE or a ByteBPE.
        text: any text.
        allowed_special: special tokens (ByteBPE) that the text may hold, or "all"; by
            default their text is ordinary text.
        max_tokens: how many chips are drawn at most. The counts are always those of the
            whole text.

    Returns:
        A Strip: HTML chips, ``repr`` with ``|`` between the tokens, and ``.data``.

    Example:
        >>> chips(WordBPE.train("low low lower", 2), "low slow")
        low|</w> | ⟨s⟩?|low|</w>
        5 tokens · 8 bytes · 1.6 bytes per token
    """
    if isinstance(tokenizer, WordBPE):
        found = _word_chips(tokenizer, text)
    else:
        ids = tokenizer.encode(text, allowed_special=allowed_special, disallowed_special=())
        found = [as_chip(i, tokenizer) for i in ids]
    return Strip(found, len(text.encode("utf-8")), max_tokens)


def chips_of(
    tokens: Iterable,
    *,
    tokenizer: WordBPE | ByteBPE | None = None,
    text: str | None = None,
    max_tokens: int = MAX_TOKENS,
) -> Strip:
    """Show tokens that you have already.

    Args:
        tokens: str, bytes, ids (these need the tokenizer), (id, bytes) or Chip.
        tokenizer: looks up ids, and the ids of str tokens.
        text: the text they come from, for the count of bytes. Without it bytes are
            counted when all tokens are bytes.
        max_tokens: how many chips are drawn at most.

    Returns:
        A Strip.

    Raises:
        KeyError: an id that the tokenizer does not know.
        TypeError: a token that is none of these, or an id without a tokenizer.

    Example:
        >>> chips_of([b"caf", b"\\xc3", b"\\xa9"])
        caf|<C3>|<A9>
        3 tokens · 5 bytes · 1.7 bytes per token
    """
    found = [as_chip(token, tokenizer) for token in tokens]
    num_bytes = None
    if text is not None:
        num_bytes = len(text.encode("utf-8"))
    elif all(isinstance(chip.content, bytes) or chip.kind == "special" for chip in found):
        num_bytes = sum(len(_bytes(chip.content)) for chip in found)
    return Strip(found, num_bytes, max_tokens)


def as_chip(token, tokenizer: WordBPE | ByteBPE | None = None) -> Chip:
    """Return the chip of one token: str, bytes, id, (id, bytes), or a Chip as it is.

    Example:
        >>> as_chip((7, b"low"))
        Chip(content=b'low', id=7, kind='text', starts_word=False, fresh=False, tint=None)
    """
    if isinstance(token, Chip):
        return token
    if isinstance(token, (str, bytes)):
        return Chip(token, tokenizer.vocab.get(token) if isinstance(tokenizer, WordBPE) else None)
    if isinstance(token, tuple) and len(token) == 2 and isinstance(token[1], (str, bytes)):
        return Chip(token[1], token[0])
    if isinstance(token, bool) or not hasattr(token, "__index__"):
        raise TypeError(f"the token {token!r} must be a str, bytes, an id (int), (id, bytes) or a Chip")
    if tokenizer is None:
        raise TypeError(f"the token {token!r} is an id: say whose with tokenizer=")
    return _chip_of_id(token, tokenizer)


def _chip_of_id(i: int, tokenizer: WordBPE | ByteBPE) -> Chip:
    if isinstance(tokenizer, WordBPE):
        return Chip(tokenizer.symbols[check_id(i, len(tokenizer.symbols))], i, "unknown" if i == 0 else "text")
    if i in tokenizer.vocab:
        return Chip(tokenizer.vocab[i], i)
    names = {number: name for name, number in tokenizer.special_tokens.items()}
    if i in names:
        return Chip(names[i], i, "special")
    raise KeyError(f"unknown id {i}: the vocabulary has no token with this id")


def _word_chips(tokenizer: WordBPE, text: str) -> list[Chip]:
    vocab = tokenizer.vocab
    return [
        Chip(symbol, vocab.get(symbol, 0), "text" if symbol in vocab else "unknown", starts_word=place == 0)
        for word in text.split()
        for place, symbol in enumerate(tokenizer.tokenize(word))
    ]


def draw(chips: list[Chip]) -> View:
    """Return chips as a row of boxes; in its twin ``⟦special⟧``, ``⟨unknown⟩?`` and ``[marked]``.

    Example:
        >>> draw([Chip("lo", fresh=True), Chip("w"), Chip("z", kind="unknown")])
        [lo]|w|⟨z⟩?
    """
    contents = "".join(show(chip.content) for chip in chips if chip.kind != "special")
    bar = next((mark for mark in _SEPARATORS if mark not in contents), "|")
    boxes, words = [], []
    for place, chip in enumerate(chips):
        gap = " " if chip.starts_word else ""
        boxes.append(join([unseen(bar if place else ""), gap if place else "", _box(chip, place)]))
        words.append((gap + bar + gap) * bool(place) + _word(chip))
    return View(tag("div", *boxes, look="strip", dir=direction(contents)), "".join(words))


def _box(chip: Chip, place: int):
    kind = f"text {(place if chip.tint is None else chip.tint) % TINTS}" if chip.kind == "text" else chip.kind
    return box(
        chip.content, ["box", kind, "fresh" * chip.fresh], _hover(chip), "marked " * chip.fresh + MARKS[chip.kind]
    )


def _word(chip: Chip) -> str:
    shown = show(chip.content)
    word = {"special": f"⟦{shown}⟧", "unknown": f"⟨{shown}⟩?"}.get(chip.kind, shown)
    return f"[{word}]" if chip.fresh else word


def folded(line: str, labeled: Iterable[tuple[str, list[Chip]]]):
    """Return ids and bytes of chips in words, folded below a line; nothing if no id is known."""
    lines = []
    for label, chips in labeled:
        known = [f"{show(chip.content)} {chip.id} ({_in_hex(chip)})" for chip in chips if chip.id is not None]
        lines += [tag("div", tag("b", label), " " * bool(label), tag("bdi", " · ".join(known)))] * bool(known)
    return (
        tag("details", tag("summary", tag("bdi", f"{line} · ids and bytes".removeprefix(" · "))), *lines)
        if lines
        else ""
    )


def _hover(chip: Chip) -> str:
    said = [] if chip.id is None else [f"id {chip.id}"]
    if chip.kind == "special":
        said.append("special token")
    elif chip.kind == "unknown":
        said.append("not in the vocabulary: <unk>")
    said.append(f"{'byte' if len(_bytes(chip.content)) == 1 else 'bytes'} {_in_hex(chip)}")
    return " · ".join(said)


def _in_hex(chip: Chip) -> str:
    data = _bytes(chip.content)
    return hexadecimal(data[:32]) + " …" * (len(data) > 32)


def _bytes(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")


def count_line(num_tokens: int, num_bytes: int | None) -> str:
    """Return the counts in words.

    Example:
        >>> count_line(6, 13)
        '6 tokens · 13 bytes · 2.2 bytes per token'
    """
    line = count_of(num_tokens, "token")
    if num_bytes is not None:
        line += f" · {count_of(num_bytes, 'byte')}"
        if num_tokens:
            line += f" · {num_bytes / num_tokens:.1f} bytes per token"
    return line


def rows(labeled: Mapping[str, Strip] | Iterable[tuple[str, Strip]], *, title: str = "") -> View:
    """Show several strips below each other, each with its label and its counts.

    Args:
        labeled: {label: strip} or [(label, strip)]; a list of tokens will do for a strip.
        title: a line above them.

    Returns:
        A View; ``data`` is [(label, number of tokens, number of bytes or None)].

    Example:
        >>> rows([("start", ["l", "o", "w"]), ("l + o", ["lo", "w"])])
        start  l|o|w   3 tokens
        l + o  lo|w    2 tokens
    """
    labeled = list(labeled.items() if isinstance(labeled, Mapping) else labeled)
    labeled = [(readable(label), strip if isinstance(strip, Strip) else chips_of(strip)) for label, strip in labeled]
    title = readable(title)
    columns = _columns([strip for _, strip in labeled])
    head = [tag("th", name, look="number" if name else "cell") for name in ("", "", *columns)]
    ids = folded("", [(label, strip.shown) for label, strip in labeled])
    drawn = table([_row(label, strip, columns) for label, strip in labeled], head)
    wide = max((len(label) for label, _ in labeled), default=0)
    long = min(max((len(strip.row.text) for _, strip in labeled), default=0), 100)
    lines = [f"{label:{wide}}  {strip.row.text:{long}}   {strip.line}" for label, strip in labeled]
    data = [(label, strip.num_tokens, strip.num_bytes) for label, strip in labeled]
    below = tag("div", ids, look="note") if ids else ""
    return titled(title, View(join([drawn, below]), "\n".join(lines)), data=data)


def _columns(strips: list[Strip]) -> list[str]:
    names = ["tokens"]
    if any(strip.num_bytes is not None for strip in strips):
        names += ["bytes", "bytes per token"]
    return names + list({name: 0 for strip in strips for name in strip.more})


def _row(label: str, strip: Strip, columns: list[str]):
    numbers = {"tokens": f"{strip.num_tokens:,}"} | {name: f"{n:,}" for name, n in strip.more.items()}
    if strip.num_bytes is not None:
        numbers["bytes"] = f"{strip.num_bytes:,}"
        numbers["bytes per token"] = f"{strip.num_bytes / strip.num_tokens:.1f}" if strip.num_tokens else ""
    cut = tag("div", strip.cut, look="note") if strip.cut else ""
    return row(
        tag("th", label, scope="row", look=["cell", "unbroken", "bold"]),
        tag("td", strip.row.html, cut, look=["cell", "roomy"]),
        *(tag("td", numbers.get(name, ""), look="number") for name in columns),
    )


def compare(
    tokenizers: Mapping[str, WordBPE | ByteBPE], text: str, *, title: str = "", max_tokens: int = MAX_TOKENS
) -> View:
    """Show one text through several tokenizers, one row each.

    Args:
        tokenizers: {name: tokenizer}.
        text: any text; special tokens in it are ordinary text here.
        title: a line above the rows.
        max_tokens: how many chips a row shows at most.

    Returns:
        A View; ``data`` is [(name, number of tokens, number of bytes)].

    Example:
        >>> compare({"few": WordBPE.train("low low", 1), "more": WordBPE.train("low low", 3)}, "low")
        few   lo|w|</w>   3 tokens · 3 bytes · 1.0 bytes per token
        more  low</w>     1 token · 3 bytes · 3.0 bytes per token
    """
    strips = {name: chips(tokenizer, text, max_tokens=max_tokens) for name, tokenizer in tokenizers.items()}
    return rows(strips, title=title)
