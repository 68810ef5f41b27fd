"""The pictures of the course, one function each: data in, a Picture out."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, PowerNorm
from matplotlib.ticker import MaxNLocator

from ..byte_bpe import ByteBPE
from ..checks import TIE_BREAKS
from ..pairs import best_pair
from ..word_bpe import WordBPE
from .look import INK, OKABE_ITO, TINTS, View, compact, content_of, count_of, sheet, shorten, show, show_pair, tag
from .picture import COLORS, HATCH, MARKERS, Picture, canvas, drawable, label_ends, listed
from .replay import Replay

_SHADES = LinearSegmentedColormap.from_list("white to blue", ["#FFFFFF", "#9CC9E8", OKABE_ITO["blue"], "#002B45"])
_DARK = 0.63  # of the shades: from here on white letters have more contrast than black ones
_FEW = 14  # rows or columns up to which a matrix shows every count


def pair_matrix(
    pair_counts: Mapping[tuple, int] | Sequence[tuple[str, Mapping[tuple, int]]],
    *,
    top: int = 10,
    max_symbols: int = 30,
    title: str | None = None,
    vocab: Mapping[int, bytes] | None = None,
) -> Picture:
    """Draw how often each symbol (row) is followed by each other (column).

    A small matrix shows every count; in a large one the ``top`` pairs are named.

    Args:
        pair_counts: {(left, right): count}, or [(title, {...}), ...] for several side by side.
        top: how many pairs are named.
        max_symbols: rows and columns at most; the symbols of the most frequent pairs stay.
        title: the finding; by default the most frequent pair and its share.
        vocab: {id: bytes}, if the symbols are ids.

    Returns:
        A Picture; ``data`` is a list with one dict for each matrix: title, rows, columns,
        matrix (counts, a list of rows), top [(pair, count)], total, left_out (count of
        the pairs not drawn).

    Example:
        >>> from bpe_core import count_pairs
        >>> pair_matrix(count_pairs("banana"))
        Rows: left symbol; columns: right symbol; the darker, the more often (by the square root of the count). an 40.0%, na 40.0%, ba 20.0%.
    """
    named = [("", pair_counts)] if isinstance(pair_counts, Mapping) else list(pair_counts)
    data = [_matrix_data(name, dict(counts), top, max_symbols, vocab) for name, counts in named]
    scale = ", each matrix on its own scale" if data[1:] else ""
    shades = f"the darker, the more often (by the square root of the count{scale})"
    caption = f"Rows: left symbol; columns: right symbol; {shades}. " + " ".join(map(_matrix_words, data))
    title = title or "; ".join(map(_matrix_finding, data))
    width = 9 if len(data) > 1 else 5.2
    with canvas(width, 0.9 + width / max(1, len(data)) * 0.86, title, len(data)) as (figure, axes):
        for panel, axis in zip(data, listed(axes)):
            _draw_matrix(axis, panel, panel["title"])
    return Picture(figure, data, caption)


def _matrix_data(title: str, counts: dict, top: int, max_symbols: int, vocab) -> dict[str, Any]:
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    kept: list[dict] = [{}, {}]
    for pair, count in ordered:
        if count and all(symbol in kept[side] or len(kept[side]) < max_symbols for side, symbol in enumerate(pair)):
            for side, symbol in enumerate(pair):
                kept[side][symbol] = content_of(symbol, vocab)
    # Single characters first, in their order; then longer symbols and markers.
    rows, columns = (sorted(side, key=lambda symbol: (len(side[symbol]), side[symbol])) for side in kept)
    matrix = [[counts.get((left, right), 0) for right in columns] for left in rows]
    total = sum(counts.values())
    return {
        "title": title,
        "rows": [show(kept[0][symbol]) for symbol in rows],
        "columns": [show(kept[1][symbol]) for symbol in columns],
        "matrix": matrix,
        "top": [((show(content_of(a, vocab)), show(content_of(b, vocab))), n) for (a, b), n in ordered[:top] if n],
        "total": total,
        "left_out": total - sum(map(sum, matrix)),
    }


def _matrix_finding(panel: dict) -> str:
    name = panel["title"] + ": " if panel["title"] else ""
    if not panel["top"]:
        return f"{name}no pairs"
    tied = [pair for pair, count in panel["top"] if count == panel["top"][0][1]]
    best = ", ".join("".join(pair) for pair in tied[:4])
    share = f"{100 * panel['top'][0][1] / panel['total']:.1f}% of all pairs"
    return f"{name}{best} tie at {share} each" if tied[1:] else f"{name}{best} leads with {share}"


def _matrix_words(panel: dict) -> str:
    name = panel["title"] + ": " if panel["title"] else ""
    first = ", ".join(f"{''.join(pair)} {100 * count / panel['total']:.1f}%" for pair, count in panel["top"][:5])
    left_out = f" Not drawn: {100 * panel['left_out'] / panel['total']:.1f}% of the pairs." if panel["left_out"] else ""
    return f"{name}{first or 'no pairs'}.{left_out}"


def _draw_matrix(ax: Axes, panel: dict, title: str) -> None:
    matrix, rows, columns = panel["matrix"], panel["rows"], panel["columns"]
    most = max((count for row in matrix for count in row), default=0) or 1
    norm = PowerNorm(0.5, 0, most)  # square roots, or the middling pairs would all be white
    ax.imshow(matrix or [[0]], cmap=_SHADES, norm=norm, aspect="equal")
    ax.set_xticks(range(len(columns)), [drawable(symbol) for symbol in columns], fontsize=8.5)
    ax.set_yticks(range(len(rows)), [drawable(symbol) for symbol in rows], fontsize=8.5)
    ax.tick_params(length=0)
    for spine in ax.spines.values():
        spine.set(visible=True, color="#C4CBD0")
    ax.set_xlabel("right symbol")
    ax.set_ylabel("left symbol")
    if title:
        ax.set_title(drawable(title))
    few = max(len(rows), len(columns)) <= _FEW
    named = {pair for pair, _ in panel["top"]}
    for i, row in enumerate(matrix):
        for j, count in enumerate(row):
            pair = (rows[i], columns[j])
            if count and (few or pair in named):
                written = f"{count:,}" if few else drawable("".join(pair))
                color = "#FFFFFF" if norm(count) > _DARK else "#000000"
                ax.text(j, i, written, ha="center", va="center", fontsize=9 if few else 7.5, color=color)


def top_pairs(
    pair_counts: Mapping[tuple, int],
    n: int = 10,
    tie_break: str = "first",
    *,
    vocab: Mapping[int, bytes] | None = None,
    title: str | None = None,
) -> Picture:
    """Draw the most frequent pairs as bars; the best are hatched where they tie, and the winner is named.

    Args:
        pair_counts: {(left, right): count} in the order in which the pairs were met.
        n: how many bars.
        tie_break: the rule that picks the winner, see ``best_pair``. For ``"lowest_id"`` symbols that
            are no ids count as ordered by content.
        vocab: {id: bytes}, if the symbols are ids.
        title: the finding; by default the winner, its count and the tie.

    Returns:
        A Picture; ``data`` is a dict: bars [(pair, count)], tied [pair], winner.

    Raises:
        ValueError: there is no pair.

    Example:
        >>> from bpe_core import count_pairs
        >>> top_pairs(count_pairs("banana"), 2)
        2 pairs tie at 2; a + n wins: it was met first. Bars: a + n 2, n + a 2.
    """
    winner = best_pair(pair_counts, tie_break)
    highest = pair_counts[winner]
    tied = [pair for pair, count in pair_counts.items() if count == highest]
    # The winner first, then by count; sorted() keeps the order of meeting among equals.
    bars = sorted(pair_counts.items(), key=lambda item: (-item[1], item[0] != winner))[:n]
    name = {pair: show_pair(pair, vocab) for pair, _ in bars}
    tie = f"{len(tied)} pairs tie at {compact(highest)}; {name[winner]} wins: {_RULES[tie_break]}"
    finding = tie if tied[1:] else f"{name[winner]} is the most frequent pair, {compact(highest)} times"
    with canvas(7.5, 0.9 + 0.3 * len(bars), title or finding) as (figure, ax):
        for place, (pair, count) in enumerate(bars):
            best = count == highest
            color = OKABE_ITO["orange"] if pair == winner else TINTS["orange"] if best else OKABE_ITO["sky"]
            ax.barh(
                place, count, 0.72, color=color, edgecolor=INK, linewidth=0.6, hatch=HATCH if best and tied[1:] else ""
            )
            note = "  merged next" if pair == winner else "  tied" if best else ""
            ax.text(
                count + highest * 0.01,
                place,
                f"{compact(count)}{note}",
                va="center",
                fontweight="bold" if best else "normal",
            )
        _finish_bars(ax, [drawable(name[pair]) for pair, _ in bars], highest, "count in the corpus")
    listed = ", ".join(f"{name[pair]} {compact(count)}" for pair, count in bars)
    data = {"bars": bars, "tied": tied, "winner": winner}
    return Picture(figure, data, f"{finding}. Bars: {listed}.")


_RULES = {
    "first": "it was met first",
    "lowest_id": "it has the lowest ids",
    "greatest": "it is the greatest by content",
}


def _finish_bars(ax: Axes, labels: list[str], highest: float, xlabel: str) -> None:
    ax.set_yticks(range(len(labels)), labels)
    ax.invert_yaxis()
    ax.tick_params(axis="y", length=0)
    ax.set_xlim(0, highest * 1.2)
    ax.set_xlabel(drawable(xlabel))
    ax.spines["bottom"].set_visible(False)
    ax.set_xticks([])  # every bar says its number


def tokens_left(
    tokenizer: WordBPE | ByteBPE,
    word_counts: Mapping[str, int],
    *,
    max_labels: int = 8,
    title: str | None = None,
) -> Picture:
    """Draw how many tokens the corpus has after each merge, and when each word becomes one token.

    Args:
        tokenizer: the tokenizer whose merges are replayed.
        word_counts: {word: frequency}.
        max_labels: how many words are marked at most: the most frequent ones that are not
            too close to each other.
        title: the finding; by default the tokens before and after.

    Returns:
        A Picture; ``data`` is a dict: tokens [after 0, 1, 2, ... merges], whole {word:
        merge after which it is one token, or None}.

    Example:
        >>> tokens_left(WordBPE.train("low low lower", 3), {"low": 2, "lower": 1})
        3 merges take the corpus from 14 to 6 tokens; 1 of 2 words become one token. One token: low after merge 3.
    """
    tokens: list[int] = [0] * (len(tokenizer.merges) + 1)
    whole: dict[str, int | None] = {}
    for word, frequency in word_counts.items():
        after = Replay(tokenizer, word).tokens_after
        tokens = [n + frequency * m for n, m in zip(tokens, after)]
        whole[word] = after.index(1) if 1 in after else None
    complete = sum(step is not None for step in whole.values())
    finding = (
        f"{len(tokens) - 1:,} merges take the corpus from {compact(tokens[0])} to {compact(tokens[-1])} tokens; "
        f"{complete:,} of {count_of(len(whole), 'word')} become one token"
    )
    with canvas(8, 3.8, title or finding) as (figure, ax):
        ax.step(range(len(tokens)), tokens, where="post", color=OKABE_ITO["blue"], linewidth=2)
        ax.set_xlim(-0.02 * len(tokens), 1.1 * len(tokens))
        ax.set_ylim(0, max(tokens) * 1.12 or 1)
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.yaxis.set_major_formatter(lambda count, _: compact(count))
        ax.set_xlabel("merges done")
        ax.set_ylabel("tokens in the corpus")
        _mark_words(ax, tokens, _worth_marking(whole, word_counts, max_labels))
    listed = "; ".join(f"{word} after merge {step}" for word, step in whole.items() if step is not None)
    marked = f" One token: {listed}." if listed and len(whole) <= max_labels else ""
    return Picture(figure, {"tokens": tokens, "whole": whole}, f"{finding}.{marked}")


def _worth_marking(whole: Mapping, word_counts: Mapping[str, int], most: int) -> dict[int, list[str]]:
    # {merge: words}: frequent words first; a word close to one chosen before is left out.
    room = 0.05 * max((step or 0 for step in whole.values()), default=0)
    chosen: dict[int, list[str]] = {}
    for word in sorted(word_counts, key=lambda word: -word_counts[word]):
        step = whole[word]
        if step is None or sum(map(len, chosen.values())) >= most:
            continue
        if all(step == other or abs(step - other) >= room for other in chosen):
            chosen.setdefault(step, []).append(word)
    return chosen


def _mark_words(ax: Axes, tokens: list[int], marked: dict[int, list[str]]) -> None:
    ax.figure.draw_without_rendering()  # so that places on the page are known
    points = ax.figure.dpi / 72
    taken: list[tuple[float, float]] = []  # where labels begin (left and bottom), in points
    for step, words in sorted(marked.items(), reverse=True):
        label = shorten(", ".join(words), 30)
        x, y = (place / points for place in ax.transData.transform((step, tokens[step])))
        up = 12  # the upper right of a falling curve is free; climb over the labels that are there
        while any(x + 12 + 7.5 * len(label) > left and abs(y + up - bottom) < 13 for left, bottom in taken):
            up += 3
        taken.append((x + 8, y + up))
        ax.plot(step, tokens[step], "o", color=OKABE_ITO["vermillion"], markersize=7, zorder=3)
        ax.annotate(
            drawable(label),
            (step, tokens[step]),
            xytext=(8, up),
            textcoords="offset points",
            va="bottom",
            fontweight="bold",
            arrowprops={"arrowstyle": "-", "color": INK, "linewidth": 0.6, "shrinkB": 4, "relpos": (0, 0)},
        )


def tie_rules(word_counts: Mapping[str, int] | str, num_merges: int, *, end_of_word: str | None = "</w>") -> View:
    """Show the merges learned under the three tie rules, one column each, and where they differ.

    Args:
        word_counts: {word: count} or a text.
        num_merges: how many merges to learn.
        end_of_word: the marker, or None.

    Returns:
        A View; ``data`` is a dict: one list of Merge for each rule, and ``differ``, the
        numbers of the merges in which the rules do not agree.

    Example:
        >>> tie_rules({"ab": 2, "ca": 2}, 1, end_of_word=None)
           merge  first      lowest_id  greatest
        ≠  1      a + b (2)  a + b (2)  c + a (2)
    """
    learned = {
        rule: WordBPE.train(word_counts, num_merges, end_of_word=end_of_word, tie_break=rule).history
        for rule in TIE_BREAKS
    }
    rows: list[list[str]] = []
    for place in range(max(map(len, learned.values()))):
        merges = [history[place] if place < len(history) else None for history in learned.values()]
        cells = [f"{show_pair(merge.pair)} ({merge.count:,})" if merge else "" for merge in merges]
        rows.append(["≠" if len({merge and merge.pair for merge in merges}) > 1 else "", str(place + 1), *cells])
    data = {**learned, "differ": [int(row[1]) for row in rows if row[0]]}
    return sheet(["", "merge", *TIE_BREAKS], map(_tie_row, rows), [["cell", "mono"]] * 5, data)


def _tie_row(row: list[str]) -> list[View]:
    # What no other rule merges here is marked.
    alone = [bool(row[0]) and place > 1 and row.count(cell) == 1 for place, cell in enumerate(row)]
    return [View(tag("div", cell, look="alone" * is_alone), cell) for cell, is_alone in zip(row, alone)]


def bars(
    values: Mapping[str, float],
    *,
    title: str,
    xlabel: str,
    caption: str = "",
    highlight: Collection[str] = (),
    form: str = ",.4g",
    ordered: bool = False,
) -> Picture:
    """Draw horizontal bars, the longest first, each with its number.

    Args:
        values: {label: value}.
        title: the finding.
        xlabel: what is measured, with its unit.
        caption: what one sees, in words; by default the title and the values.
        highlight: labels whose bars are orange and hatched.
        form: how numbers are written, a format specification.
        ordered: True keeps the order given.

    Returns:
        A Picture; ``data`` is [(label, value)] in the order drawn.

    Example:
        >>> bars({"English": 1, "Thai": 3.5}, title="Thai pays more", xlabel="tokens per letter")
        Thai pays more. tokens per letter: Thai 3.5, English 1.
    """
    data = list(values.items()) if ordered else sorted(values.items(), key=lambda item: -item[1])
    highest = max((value for _, value in data), default=1) or 1
    with canvas(7.5, 0.9 + 0.3 * len(data), title) as (figure, ax):
        for place, (label, value) in enumerate(data):
            special = label in highlight
            color = OKABE_ITO["orange" if special else "sky"]
            ax.barh(place, value, 0.72, color=color, edgecolor=INK, linewidth=0.6, hatch=HATCH if special else "")
            ax.text(value + highest * 0.01, place, format(value, form), va="center")
        _finish_bars(ax, [drawable(label) for label, _ in data], highest, xlabel)
    listed = ", ".join(f"{label} {format(value, form)}" for label, value in data)
    return Picture(figure, data, caption or f"{title}. {xlabel}: {listed}.")


def lines(
    series: Mapping[str, Iterable[tuple[Any, float]]],
    *,
    title: str,
    xlabel: str,
    ylabel: str,
    caption: str = "",
    log: str = "",
    zero: bool = True,
    height: float = 4.0,
) -> Picture:
    """Draw lines with their names at their right ends.

    Args:
        series: {name: [(x, y)]}; x are numbers, or the same texts in every series.
        title: the finding.
        xlabel: what x is, with its unit.
        ylabel: what y is, with its unit.
        caption: what one sees, in words; by default the title, and where each line starts and ends.
        log: "x", "y" or "xy" for logarithmic axes.
        zero: True starts a linear y axis at 0.
        height: inches.

    Returns:
        A Picture; ``data`` is {name: [(x, y)]}.

    Example:
        >>> lines({"GPT-2": [(1, 10), (2, 5)]}, title="It falls", xlabel="merges", ylabel="tokens")
        It falls. GPT-2: from 10 at 1 to 5 at 2.
    """
    data = {name: list(points) for name, points in series.items()}
    with canvas(8, height, title) as (figure, ax):
        for place, (_, points) in enumerate(data.items()):
            xs, ys = zip(*points)
            many = len(points) > 25
            ax.plot(
                xs,
                ys,
                color=COLORS[place % len(COLORS)],
                marker="" if many else MARKERS[place % len(MARKERS)],
                linestyle=("-", "--", "-.", ":")[place // len(COLORS) % 4]
                if not many
                else ("-", "--", "-.", ":")[place % 4],
                linewidth=1.8,
                markersize=5,
            )
        for axis in log:
            getattr(ax, f"set_{axis}scale")("log")
        if zero and "y" not in log:
            ax.set_ylim(bottom=0)
        ax.set_xlabel(drawable(xlabel))
        ax.set_ylabel(drawable(ylabel))
        last = max((points[-1][0] for points in data.values()), key=ax.convert_xunits)
        colors = [COLORS[place % len(COLORS)] for place in range(len(data))]
        label_ends(ax, last, [(name, points[-1][1], _dark(c)) for (name, points), c in zip(data.items(), colors)])
    return Picture(figure, data, caption or f"{title}. " + _ends_in_words(data))


def _dark(color: str) -> str:
    # Words need more contrast than lines: on white only these reach 4.5 to 1.
    return color if color in (OKABE_ITO["blue"], OKABE_ITO["black"]) else INK


def _ends_in_words(data: Mapping[str, list]) -> str:
    return (
        "; ".join(
            f"{name}: from {points[0][1]:,.4g} at {points[0][0]} to {points[-1][1]:,.4g} at {points[-1][0]}"
            for name, points in data.items()
        )
        + "."
    )
