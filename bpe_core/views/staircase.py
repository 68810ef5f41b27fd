"""Encodings seen step by step: the staircase, two ways to climb it, and two cuts of one word."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from ..byte_bpe import ByteBPE
from ..encoding import NEVER, MergeRanks
from ..pairs import merge_pair
from ..word_bpe import WordBPE
from .look import (
    View,
    box,
    count_of,
    direction,
    join,
    readable,
    row,
    sheet,
    show,
    show_pair,
    table,
    tag,
    titled,
    unseen,
)
from .replay import Replay

MAX_SYMBOLS = 40  # of a text: a wider staircase cannot be read
MAX_MERGES = 24  # that ``two_ways`` tries one by one
NOTHING = "Nothing to cut yet: type a word."


class Span(NamedTuple):
    """One token in a row: what it holds, the places it covers, and whether it is marked.

    Attributes:
        content: str or bytes.
        start: its first base symbol (or character, or byte), counted from 0.
        end: behind its last.
        marked: it was just fused; among cuts, not every row has this token.
    """

    content: Any
    start: int
    end: int
    marked: bool


class Stair(NamedTuple):
    """One row of a staircase: the number of the merge (0 at the start), its pair, the tokens after it."""

    number: int
    pair: tuple | None
    spans: list[Span]


def staircase(tokenizer: WordBPE | ByteBPE, text: str, *, title: str = "") -> View:
    """Show how a short text is cut: one row for each merge that found its pair, what it fused marked.

    Args:
        tokenizer: a WordBPE or a ByteBPE.
        text: a word or two.
        title: a line above the rows.

    Returns:
        A View; ``data`` is a list of Stairs, the first one before any merge.

    Raises:
        ValueError: the text has more than ``MAX_SYMBOLS`` base symbols, or cannot be encoded.

    Example:
        >>> staircase(WordBPE.train("low low lower", 2), "low")
        start            l   o   w   </w>
        merge 1: l + o  [lo]     w   </w>
        merge 2: lo + w [low]        </w>
        2 of 2 merges found their pair; 4 base symbols became 2 tokens.
    """
    replay = Replay(tokenizer, text)
    size = len(replay.symbols)
    if not size:
        return titled("", NOTHING, data=[])
    if size > MAX_SYMBOLS:
        raise ValueError(f"the text has {size:,} base symbols; a staircase shows {MAX_SYMBOLS} at most: type a word")
    numbers = sorted({number for number in replay.gone if 0 < number < NEVER})
    stairs = [Stair(0, None, _spans(replay, 0))]
    stairs += [Stair(number, replay.merges[number - 1].pair, _spans(replay, number)) for number in numbers]
    labels = ["start"] + [f"merge {stair.number:,}: {show_pair(stair.pair)}" for stair in stairs[1:]]
    said = (
        f"{len(numbers):,} of {count_of(replay.num_merges, 'merge')} found their pair; "
        f"{count_of(size, 'base symbol')} became {count_of(len(stairs[-1].spans), 'token')}."
    )
    wide = [len(show(symbol)) for symbol in replay.symbols]
    return _table([(label, stair.spans) for label, stair in zip(labels, stairs)], wide, title, said, stairs)


def _spans(replay: Replay, k: int) -> list[Span]:
    starts = replay.starts(k)
    ends = [*starts[1:], len(replay.symbols)]
    return [Span(replay.content(i, j), i, j, replay.made_by(k, i, j)) for i, j in zip(starts, ends)]


def cuts(
    words: Mapping[str, Mapping[str, Sequence]] | Iterable[tuple[str, Mapping[str, Sequence]]], *, title: str = ""
) -> View:
    """Show words cut in several ways, aligned; a token that not every way has is marked.

    Args:
        words: {word: {way of cutting: tokens}}; the tokens of a word join to the same text or bytes.
        title: a line above them.

    Returns:
        A View; ``data`` is {word: {way: [Span]}}, with places counted in characters or bytes.

    Raises:
        ValueError: the tokens of two ways do not join to the same.

    Example:
        >>> cuts({"abc": {"one": ["a", "bc"], "two": ["ab", "c"], "three": ["ab", "c"]}})
        abc
        one   [a]  [bc]
        two   [ab]     [c]
        three [ab]     [c]
    """
    words = list(words.items() if isinstance(words, Mapping) else words)
    data: dict[str, dict[str, list[Span]]] = {}
    views = []
    for word, ways in words:
        wholes = {tokens[0][:0].join(tokens) for tokens in ways.values() if tokens}
        if len(wholes) != 1:
            raise ValueError(f"the ways of cutting {word!r} do not join to the same: {sorted(wholes)}")
        (whole,) = wholes
        spread = {way: _along(tokens) for way, tokens in ways.items()}
        shared = set.intersection(*({span[1:3] for span in spans} for spans in spread.values()))
        data[word] = {
            way: [span._replace(marked=span[1:3] not in shared) for span in spans] for way, spans in spread.items()
        }
        wide = [len(show(whole[i : i + 1])) for i in range(len(whole))]
        views.append(_table([(readable(way), spans) for way, spans in data[word].items()], wide, show(word), "", None))
    return titled(title, *views, data=data)


def _along(tokens: Sequence) -> list[Span]:
    ends = list(accumulate(map(len, tokens)))
    return [Span(token, end - len(token), end, False) for token, end in zip(tokens, ends)]


def _table(rows: list[tuple[str, list[Span]]], wide: list[int], title: str, said: str, data: Any) -> View:
    # Rows of tokens above each other, each as wide as the places that it covers.
    longest = max(len(label) for label, _ in rows)
    body = [
        row(
            tag("th", tag("bdi", label), scope="row", look=["cell", "unbroken"]),
            *(
                box(
                    span.content,
                    ["token", "just made" if span.marked else "text 0"],
                    mark="|" * bool(span.start) + "marked " * span.marked,
                    name="td",
                    colspan=span.end - span.start,
                    dir="auto",
                )
                for span in spans
            ),
        )
        for label, spans in rows
    ]
    way = direction("".join(show(span.content) for span in rows[0][1]))
    columns = [8 * longest + 12, *(max(20, 9 * width + 8) for width in wide)]
    drawn = tag("div", table(body, columns=columns, dir=way), look="wide")
    lines = [f"{label:{longest}} {_as_text(spans, wide)}".rstrip() for label, spans in rows]
    return titled(title, View(drawn, "\n".join(lines)), said, data=data)


def _as_text(spans: list[Span], wide: list[int]) -> str:
    cells = (f"[{show(span.content)}]" if span.marked else f" {show(span.content)} " for span in spans)
    widths = (sum(width + 3 for width in wide[span.start : span.end]) - 1 for span in spans)
    return "".join(cell.ljust(width) + " " for cell, width in zip(cells, widths))


class Try(NamedTuple):
    """One merge of the list, tried on the word: its rank, its pair, whether it was found, the tokens after it."""

    rank: int
    pair: tuple
    found: bool
    tokens: list


class Round(NamedTuple):
    """One round of lowest rank first.

    Attributes:
        tokens: the tokens at its beginning.
        ranks: the rank of each pair of neighbors, or None.
        new: for each pair whether it was not there a round before.
        chosen: the lowest rank, or None when nothing can be fused any more.
    """

    tokens: list
    ranks: list
    new: list
    chosen: int | None


def two_ways(tokenizer: WordBPE, word: str) -> View:
    """Show one word encoded twice: by replaying all merges, and by the lowest rank first.

    Args:
        tokenizer: a WordBPE with at most ``MAX_MERGES`` merges.
        word: one word.

    Returns:
        A View; ``data`` is a dict: replay [Try], rounds [Round], looked_at (pairs that each way looks at).

    Raises:
        ValueError: there are too many merges to try them one by one, or the word is none.

    Example:
        >>> two_ways(WordBPE.from_merges([("l", "o"), ("e", "r"), ("lo", "w")], end_of_word=None), "low")
        Replay: try every merge, in order
        rank 0: l + o   lo w
        rank 1: e + r   - not there
        rank 2: lo + w  low
        3 merges tried, 2 found, 4 pairs looked at.
        Lowest rank first: ask the pairs
        l 0* o - w
        lo 2* w
        low
        2 merges done, 3 pairs looked at.
    """
    if len(tokenizer.merges) > MAX_MERGES:
        raise ValueError(
            f"the tokenizer has {len(tokenizer.merges):,} merges; two_ways tries {MAX_MERGES} at most one by one"
        )
    symbols = tokenizer.steps(word)[0]
    tries, looked_at = _replay(symbols, tokenizer.merges)
    rounds = _rounds(symbols, tokenizer.merges)
    looked_up = sum(len(round.ranks) for round in rounds)
    found = sum(attempt.found for attempt in tries)
    said = [
        f"{count_of(len(tries), 'merge')} tried, {found} found, {count_of(looked_at, 'pair')} looked at.",
        f"{count_of(len(rounds) - 1, 'merge')} done, {count_of(looked_up, 'pair')} looked at.",
    ]
    drawn = [
        titled(head, view, line) for head, view, line in zip(_WAYS, (_draw_tries(tries), _draw_rounds(rounds)), said)
    ]
    both = tag("div", sheet((), [drawn]).html, look="wide")
    text = "\n".join(view.text for view in drawn)
    data = {"replay": tries, "rounds": rounds, "looked_at": (looked_at, looked_up)}
    return View(join([both, tag("div", tag("i", LEGEND), look="note")]), text, data)


LEGEND = (
    "On the right: a number between two tokens is the rank of that pair; a dash means that no merge fuses it. "
    "The lowest rank of a round stands in a box. Underlined: the pair was not there a round before."
)
_WAYS = ("Replay: try every merge, in order", "Lowest rank first: ask the pairs")


def _replay(symbols: list, merges: list) -> tuple[list[Try], int]:
    tries, looked_at = [], 0
    for rank, pair in enumerate(merges):
        looked_at += len(symbols) - 1
        merged = merge_pair(symbols, pair, pair[0] + pair[1])
        tries.append(Try(rank, pair, len(merged) < len(symbols), merged))
        symbols = merged
    return tries, looked_at


def _rounds(symbols: list, merges: list) -> list[Round]:
    ranks, rounds = MergeRanks.from_merges(merges), []
    fused: str | None = None
    while True:
        pairs = list(zip(symbols, symbols[1:]))
        found = [None if ranks[pair] == NEVER else ranks[pair] for pair in pairs]
        chosen = min((rank for rank in found if rank is not None), default=None)
        rounds.append(Round(symbols, found, [fused is not None and fused in pair for pair in pairs], chosen))
        if chosen is None:
            return rounds
        fused = "".join(merges[chosen])
        symbols = merge_pair(symbols, merges[chosen], fused)


def _token(content: str, kind: str = "text 0"):
    return box(content, ["box", "token", kind], mark=" ")


_LOOKS = [["cell", "unbroken"]] * 2


def _draw_tries(tries: list[Try]) -> View:
    rows = []
    for attempt in tries:
        new, found = "".join(attempt.pair), View(tag("span", "not there", look="fine"), "- not there")
        if attempt.found:
            boxes = [_token(token, "just made" if token == new else "text 0") for token in attempt.tokens]
            found = View(_run(boxes, attempt.tokens), " ".join(map(show, attempt.tokens)))
        rows.append([f"rank {attempt.rank}: {show_pair(attempt.pair)}", found])
    return sheet((), rows, _LOOKS)


def _run(boxes: list, tokens: list):
    return tag("div", *boxes, dir=direction("".join(tokens)))


def _draw_rounds(rounds: list[Round]) -> View:
    rows, lines = [], []
    for number, round in enumerate(rounds, 1):
        boxes, text = [_token(round.tokens[0])], show(round.tokens[0])
        for token, rank, new in zip(round.tokens[1:], round.ranks, round.new):
            is_lowest = rank is not None and rank == round.chosen
            look = ["rank", "underlined" * new, "lowest" * is_lowest]
            boxes += [tag("span", unseen(" "), "–" if rank is None else rank, look=look), _token(token)]
            text += f" {'-' if rank is None else rank}{'*' * is_lowest} {show(token)}"
        rows.append(["end" if round.chosen is None else f"{number}.", View(_run(boxes, round.tokens), "")])
        lines.append(text)
    return View(sheet((), rows, _LOOKS).html, "\n".join(lines))
