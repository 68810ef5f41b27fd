"""How big a vocabulary: what each size costs, where the sum is least, and how rare the rarest tokens are.

The formula of a cost is given by the caller; these functions only draw what it returns.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from matplotlib.ticker import NullLocator

from ..costs import least_size
from .look import INK, OKABE_ITO, TINTS, View, compact, count_of, join, readable, sheet, tag, unseen
from .picture import COLORS, HATCH, Picture, canvas, drawable, label_ends

VIEW_CLASS = "bpe-size-view"  # of the element that follows the sliders
RUN_ME = "Run this cell to pick another model and another length of text."
WIDTHS = (64, 128, 256, 512, 768, 896, 1024, 1280, 1536, 1600, 2048, 2560, 3072, 3584, 4096, 5120, 8192, 12288, 16384)
TEXT_BYTES = tuple(2**k for k in range(10, 21))
BAR = 250  # pixels of the longest bar
CUT_AT = 2.5  # times the least sum: longer bars are cut off, so that the short ones can be compared

_PARTS = [COLORS[place] for place in (0, 4, 2, 3)]  # blue, orange, green, purple

Cost = Callable[[float, int, int, int, float], Mapping[str, float]]


def costs_by_size(
    costs: Mapping[int, Mapping[str, float]], *, ylabel: str, title: str | None = None, height: float = 4.2
) -> Picture:
    """Draw the parts of a cost and their sum against the vocabulary size, with the least sum marked.

    Args:
        costs: {vocabulary size: {part: cost}}; every size has the same parts.
        ylabel: what the cost is, with its unit.
        title: the finding; by default the size with the least sum.
        height: inches.

    Returns:
        A Picture; ``data`` is a dict: parts {part: [(size, cost)]}, sum [(size, cost)],
        least (size, cost).

    Raises:
        ValueError: there is no size, or the sizes have different parts.

    Example:
        >>> costs_by_size({256: {"a": 9, "b": 1}, 512: {"a": 5, "b": 2}}, ylabel="seconds").data["least"]
        (512, 7)
    """
    least = least_size(costs)
    sizes = sorted(costs)
    names = list(costs[sizes[0]])
    if any(list(costs[size]) != names for size in sizes):
        raise ValueError("the sizes have different parts; each must have the same, in the same order")
    parts = {name: [(size, costs[size][name]) for size in sizes] for name in names}
    total = [(size, sum(costs[size].values())) for size in sizes]
    low = dict(total)[least]
    finding = title or f"The sum is least at {least:,} entries"
    with canvas(8, height, finding) as (figure, ax):
        ends = []
        for name, color, style in zip(names, _PARTS, ("--", ":", "-.", "--")):
            xs, ys = zip(*parts[name])
            ax.plot(xs, ys, color=color, linestyle=style, linewidth=2)
            ends.append((name, ys[-1], INK))
        xs, ys = zip(*total)
        ax.plot(xs, ys, color=INK, linewidth=2.4)
        ends.append(("sum", ys[-1], INK))
        _size_axis(ax, sizes[0], sizes[-1])
        ax.set_ylim(0, max(ys) * 1.05)
        ax.set_ylabel(drawable(ylabel))
        ax.plot(least, low, "o", color=OKABE_ITO["vermillion"], markersize=10, zorder=4)
        ax.annotate(
            f"least: {least:,}",
            (least, low),
            xytext=(0, 16),
            textcoords="offset points",
            ha="center" if sizes[0] * 3 < least < sizes[-1] / 3 else "left" if least <= sizes[0] * 3 else "right",
            fontweight="bold",
        )
        label_ends(ax, sizes[-1] * 1.05, ends)
    rise = f" and is {total[-1][1]:,.4g} at {sizes[-1]:,}." if least != sizes[-1] else ", the largest size here."
    said = (
        f"{finding}. The sum, in {ylabel}, falls from {total[0][1]:,.4g} at {sizes[0]:,} entries to {low:,.4g} "
        f"at {least:,}{rise} At the least point: {', '.join(f'{name} {costs[least][name]:,.3g}' for name in names)}."
    )
    return Picture(figure, {"parts": parts, "sum": total, "least": (least, low)}, said)


def compression_curves(
    curves: Mapping[str, Sequence[tuple[int, float]]],
    *,
    title: str,
    ylabel: str = "bytes per token",
    bottom: float = 0,
    height: float = 3.9,
) -> Picture:
    """Draw how much text a token holds at each vocabulary size, for a training text and for others.

    Args:
        curves: {text: [(vocabulary size, bytes per token)]}, the training text first; the gap
            between it and the second text is shaded.
        title: the finding.
        ylabel: what is measured.
        bottom: where the axis of the measure begins.
        height: inches.

    Returns:
        A Picture; ``data`` is {text: [(size, bytes per token)]}.

    Raises:
        ValueError: there is no curve, or one is empty.

    Example:
        >>> compression_curves({"code": [(256, 1.0), (512, 2.0)]}, title="It rises")
        It rises. Bytes per token, code: from 1.00 at 256 entries to 2.00 at 512.
    """
    data = {name: list(points) for name, points in curves.items()}
    if not data or not all(data.values()):
        raise ValueError("curves is empty; each text must have a point at least")
    with canvas(8, height, title) as (figure, ax):
        ends = []
        for (name, points), color, marker in zip(data.items(), _PARTS, "osD^"):
            xs, ys = zip(*points)
            ax.plot(xs, ys, color=color, marker=marker, markersize=5, linewidth=1.8)
            ends.append((name, ys[-1], INK))
        first, *rest = data.values()
        if rest and [size for size, _ in first] == [size for size, _ in rest[0]]:
            xs, high = zip(*first)
            ax.fill_between(xs, [y for _, y in rest[0]], high, color=TINTS["sky"], zorder=0)
        _size_axis(ax, min(points[0][0] for points in data.values()), max(points[-1][0] for points in data.values()))
        ax.set_ylim(bottom=bottom)
        ax.set_ylabel(drawable(ylabel))
        label_ends(ax, ax.get_xlim()[1], ends)
    said = "; ".join(
        f"{name}: from {points[0][1]:,.2f} at {points[0][0]:,} entries to {points[-1][1]:,.2f} at {points[-1][0]:,}"
        for name, points in data.items()
    )
    return Picture(
        figure,
        data,
        f"{title}. {ylabel[:1].upper()}{ylabel[1:]}, {said}." + f" The axis begins at {bottom}." * (bottom > 0),
    )


def _size_axis(ax, least: int, most: int) -> None:
    # A logarithmic axis with sizes that are powers of two as its marks.
    ax.set_xscale("log")
    ax.set_xlim(least / 1.1, most * 1.05)
    step = 1 if most / least < 64 else 2
    ticks = [2**k for k in range(0, 31, step) if least <= 2**k <= most]
    ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    ax.xaxis.set_minor_locator(NullLocator())
    ax.set_xlabel(
        "vocabulary size, entries (each mark is " + ("twice" if step == 1 else "four times") + " the one before)"
    )


def token_ranks(
    counts: Mapping[int, int], vocab_size: int, *, tail: int = 1000, title: str | None = None, height: float = 3.9
) -> Picture:
    """Draw how often each token of a vocabulary occurs, the most frequent first, with the rarest ones shaded.

    Args:
        counts: {id: how often it occurs in the text}; an id that is missing occurs 0 times.
        vocab_size: how many tokens the vocabulary has.
        tail: how many of the rarest are shaded.
        title: the finding; by default the share of the text that the tail makes.
        height: inches.

    Returns:
        A Picture; ``data`` is a dict: counts (sorted, zeros too), tail (occurrences of the
        shaded tokens together), share (of all), never (tokens that do not occur).

    Raises:
        ValueError: no token occurs, more tokens occur than the vocabulary has, or the tail is
            no part of the vocabulary.

    Example:
        >>> picture = token_ranks({0: 90, 1: 10}, 4, tail=2)
        >>> picture.data["never"], picture.data["share"]
        (2, 0.0)
    """
    seen = sorted((n for n in counts.values() if n), reverse=True)
    if not seen:
        raise ValueError("counts is empty; a token must occur at least")
    if len(seen) > vocab_size:
        raise ValueError(f"{len(seen):,} tokens occur, but vocab_size is {vocab_size:,}")
    if not 0 < tail <= vocab_size:
        raise ValueError(f"tail is {tail:,}; it must be from 1 to vocab_size, {vocab_size:,}")
    ordered = seen + [0] * (vocab_size - len(seen))
    inside = sum(ordered[-tail:])
    never = vocab_size - len(seen)
    share = inside / sum(ordered)
    finding = title or f"The rarest {tail:,} of {vocab_size:,} tokens make {100 * share:.2g}% of the text"
    middle = vocab_size // 2
    with canvas(8, height, finding) as (figure, ax):
        ax.axvspan(vocab_size - tail, vocab_size, facecolor=TINTS["orange"], edgecolor=COLORS[4], hatch=HATCH)
        ax.plot(range(1, vocab_size + 1), ordered, color=OKABE_ITO["blue"], linewidth=2.2)
        _rank_axes(ax, vocab_size, ordered[0])
        _point_out(ax, 1, ordered[0], f"most frequent: {compact(ordered[0])}", (12, -2), "left")
        _point_out(ax, middle, ordered[middle - 1], f"rank {middle:,}: {compact(ordered[middle - 1])}", (0, 12), "left")
        high = ordered[int(0.7 * vocab_size)] ** 2 > ordered[0]  # where the curve runs at the label's left end
        ax.annotate(
            f"shaded: the rarest {tail:,},\ntogether {compact(inside)};\n{never:,} tokens never occur",
            (vocab_size - tail, 0.14 if high else 0.9),
            xycoords=("data", "axes fraction"),
            xytext=(-8, 0),
            textcoords="offset points",
            ha="right",
            va="bottom" if high else "top",
            fontweight="bold",
        )
    said = (
        f"{finding}. Tokens from the most frequent ({compact(ordered[0])} times) to the rarest, on a scale on which each "
        f"step multiplies; rank {middle:,} occurs {compact(ordered[middle - 1])} times. Shaded: the rarest {tail:,}, "
        f"together {compact(inside)} of {compact(sum(ordered))}. {count_of(never, 'token')} never occur."
    )
    return Picture(figure, {"counts": ordered, "tail": inside, "share": share, "never": never}, said)


def _rank_axes(ax, vocab_size: int, highest: int) -> None:
    ax.set_yscale("symlog", linthresh=1)  # below 1 the axis is linear, so that 0 has a place
    top = len(str(highest))
    ticks = [0, *(10**k for k in range(0, top + 1, 1 if top < 5 else 2))]
    ax.set_yticks(ticks, [compact(tick) for tick in ticks])
    ax.yaxis.set_tick_params(which="minor", left=False)
    ax.set_ylim(-0.3, highest * 4)
    ax.set_xlim(0, vocab_size)
    ax.xaxis.set_major_formatter(lambda rank, _: f"{rank:,.0f}")
    ax.set_xlabel("rank of the token, from the most frequent to the rarest")
    ax.set_ylabel("occurrences in the text")


def _point_out(ax, x: float, y: float, label: str, shift: tuple[int, int], align: str) -> None:
    ax.plot(x, y, "o", color=OKABE_ITO["vermillion"], markersize=6, zorder=3)
    ax.annotate(drawable(label), (x, y), xytext=shift, textcoords="offset points", ha=align, va="center")


class SizeRow(NamedTuple):
    """One vocabulary size: tokens of the text, the parts of the cost per byte, and how far above the least sum."""

    size: int
    tokens: float
    parts: dict[str, float]
    above: float


class SizeExplorer(View):
    """What each vocabulary size costs for one model and text; ``live()`` lets the reader pick both.

    Attributes:
        tokens_by_size: {vocabulary size: tokens of the measured text}.
        num_bytes: bytes of the measured text.
        cost: (tokens, size, width, layers, times) -> {part: cost}.
        models: {name: (width, layers, times)} to pick from.
        start: (width, layers, times, text_bytes) of the first view.
    """

    def __init__(self, tokens_by_size, num_bytes, cost, models, start, unit):
        """Draw the first view; see ``size_explorer``."""
        self.tokens_by_size, self.num_bytes, self.cost = dict(sorted(tokens_by_size.items())), num_bytes, cost
        self.models, self.start, self.unit = dict(models), start, unit
        first = self.at(*start)
        super().__init__(first.html, first.text, first.data)

    def rows(self, width: int, layers: int, times: float, text_bytes: int) -> list[SizeRow]:
        """Return one row for each size: the measured text, stretched or cut to so many bytes."""
        found = []
        for size, tokens in self.tokens_by_size.items():
            scaled = tokens * text_bytes / self.num_bytes
            parts = {name: cost / text_bytes for name, cost in self.cost(scaled, size, width, layers, times).items()}
            found.append((size, scaled, parts))
        least = min(sum(parts.values()) for _, _, parts in found)
        return [SizeRow(size, tokens, parts, sum(parts.values()) / least - 1) for size, tokens, parts in found]

    def at(self, width: int, layers: int, times: float, text_bytes: int) -> View:
        """Return the view for one model and one length of text; ``data`` is a list of SizeRow.

        Example:
            >>> def cost(tokens, size, width, layers, times):
            ...     return {"body": tokens * times * layers * width**2, "output": tokens * size * width}
            >>> explorer = size_explorer({256: 100, 1024: 50, 4096: 40}, 100, cost, {"toy": (16, 64, 1)}, start=("toy", 100))
            >>> explorer.at(16, 64, 1, 1000)
            width 16, 64 layers, body × 1.00, a text of 1,000 bytes: the sum is least at 1,024 entries
            parts: body, output
            vocabulary  tokens  cost per byte of text  operations  above
            256         1,000   16.4K 4.10K            20.5K       +25%
            1,024       500     8.19K 8.19K            16.4K       least
            4,096       400     6.55K 26.2K            32.8K       +100%
        """
        rows = self.rows(width, layers, times, text_bytes)
        least = next(row.size for row in rows if row.above == 0)
        said = (
            f"width {width:,}, {count_of(layers, 'layer')}, body × {times:.2f}, a text of {text_bytes:,} bytes: "
            f"the sum is least at {least:,} entries{', the last size there is here' * (least == rows[-1].size)}"
        )
        return self._draw(rows, said)

    def _draw(self, rows: list[SizeRow], said: str) -> View:
        least = min(sum(row.parts.values()) for row in rows)
        longest = min(max(sum(row.parts.values()) for row in rows), CUT_AT * least)
        names = list(rows[0].parts)
        key = [tag("span", unseen(" "), _segment(name, place, None)) for place, name in enumerate(names)]
        note = f" » longer than {CUT_AT} times the least" * any(
            sum(row.parts.values()) > longest * 1.0001 for row in rows
        )
        head = ("vocabulary", "tokens", "cost per byte of text", self.unit, "above")
        table = sheet(
            head, [_cells(row, longest) for row in rows], ["number", "number", ["cell", "bars"], "number", "number"]
        )
        # Each part of the line stands alone: a widget does not wrap text, and a narrow page cut it off.
        bold = [tag("div", tag("b", part[0].upper() + part[1:])) for part in said.split(": ")]
        return View(
            join([*bold, tag("div", "Parts, left to right: ", *key, note), table.html]),
            f"{said}\nparts: {', '.join(names)}\n{table.text}",
            rows,
        )

    def live(self):
        """Return a widget: a menu of models, sliders for width, layers, body and text, and the view below them."""
        from . import live  # here, because a still view needs no ipywidgets

        width, layers, times, text_bytes = self.start
        widths = sorted({*WIDTHS, *(width for width, *_ in self.models.values())})
        lengths = sorted({*TEXT_BYTES, text_bytes})
        names = {shape: name for name, shape in reversed(self.models.items())}
        pick = live.ipywidgets.Dropdown(
            options=list(self.models), value=names[self.start[:3]], description="Model", layout=live.WIDE
        )
        fields, sliders = zip(
            live.choice_slider("Width", [(f"{w:,}", w) for w in widths], width),
            live.number_slider("Layers", layers, 128, 1),
            live.choice_slider(
                "Body",
                [(f"× {body:.2f}", body) for body in sorted({1, times, *(body for *_, body in self.models.values())})],
                times,
            ),
            live.choice_slider("Text", [(f"{n:,} bytes", n) for n in lengths], text_bytes),
        )

        def choose(change) -> None:
            sliders[0].value, sliders[1].value, sliders[2].value = self.models[change["new"]]

        pick.observe(choose, "value")
        shown = [pick, *map(live.ipywidgets.HBox, zip(fields, sliders))]
        box = live.follow(self.at, dict(zip(("width", "depth", "body", "length"), sliders)), RUN_ME, VIEW_CLASS, shown)
        box.pick, box.sliders = pick, sliders
        return box


def size_explorer(
    tokens_by_size: Mapping[int, int],
    num_bytes: int,
    cost: Cost,
    models: Mapping[str, tuple[int, int, float]],
    *,
    start: tuple[str, int],
    unit: str = "operations",
) -> SizeExplorer:
    """Show what each vocabulary size costs for a model, and let the reader pick the model.

    Args:
        tokens_by_size: {vocabulary size: tokens of one text}.
        num_bytes: bytes of that text.
        cost: takes tokens, vocabulary size, width, layers and times; returns {part: cost}. Tokens
            need not be whole: a text of another length has as many bytes per token.
        models: {name: (width, layers, times)}; times says how many times as large the body is as
            the cost would have it from width and layers alone.
        start: the name of the first model, and the bytes of the first text.
        unit: what a cost counts.

    Returns:
        A SizeExplorer: a still view, with ``.at(width, layers, times, text_bytes)`` and ``.live()``.

    Raises:
        ValueError: there are no sizes, a number is not positive, or the first model is unknown.
    """
    if not tokens_by_size or min(*tokens_by_size.values(), num_bytes, start[1]) < 1:
        raise ValueError("tokens_by_size must hold a size at least, and tokens and bytes must be positive")
    if start[0] not in models:
        raise ValueError(f"the first model is {start[0]!r}; it must be one of {', '.join(models)}")
    return SizeExplorer(tokens_by_size, num_bytes, cost, models, (*models[start[0]], start[1]), unit)


def short(number: float) -> str:
    """Return a cost in three digits and a letter: K thousand, M million, G billion, T trillion.

    Example:
        >>> short(999), short(1234), short(5.5e7), short(2e12), short(999_999)
        ('999', '1.23K', '55.0M', '2.00T', '1.00M')
    """
    for letter, size in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("K", 1e3)):
        if number >= 0.9995 * size:
            value = number / size
            return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f}{letter}"
    return f"{number:.3g}"


def _above(row: SizeRow) -> str:
    return "least" if row.above == 0 else f"+{row.above:.1%}" if row.above < 0.095 else f"+{row.above:.0%}"


def _cells(size: SizeRow, longest: float) -> list[View]:
    segments, room, total = [], BAR, sum(size.parts.values())
    for place, (name, cost) in enumerate(size.parts.items()):
        wide = min(room, BAR * cost / longest)
        segments += [_segment(name[:1], place, wide)] * (wide > 0)
        room -= wide
    bar = tag("div", *segments, " »" * (total > longest * 1.0001), width=BAR + 18)
    texts = [
        f"{size.size:,}",
        f"{size.tokens:,.0f}",
        " ".join(map(short, size.parts.values())),
        short(total),
        _above(size),
    ]
    cells = [
        bar if place == 2 else tag("div", text, look="alone" * (size.above == 0)) for place, text in enumerate(texts)
    ]
    return [View(cell, text) for cell, text in zip(cells, texts)]


def _segment(label: str, place: int, width: float | None):
    # A piece of a bar with the first letter of its part, if there is room; without a width, a key.
    text = readable(label) if width is None or width >= 12 else ""
    look = ["segment", "padded" * (width is None), f"fill {place}"]
    return tag("span", text, look=look, width=None if width is None else round(width, 1))
