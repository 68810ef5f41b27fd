"""What a vocabulary buys: short sequences against many entries, and what stays unknown."""

from collections.abc import Iterable, Mapping, Sequence

from .look import INK, OKABE_ITO
from .picture import Picture, canvas, drawable


def trade_off(
    cuts: Mapping[str, tuple[int, int, float]],
    curve: Iterable[tuple[int, int]],
    *,
    title: str | None = None,
    aside: Mapping[str, str] | None = None,
) -> Picture:
    """Draw ways to cut one text: entries of the vocabulary across, tokens of the text upward.

    A cut that leaves something unknown is a hollow diamond with its share; the others are
    filled circles. The curve shows one kind of cut at many sizes.

    Args:
        cuts: {name: (entries, tokens, share of tokens that are unknown)}.
        curve: [(entries, tokens)], left to right.
        title: the finding; by default the cut with the largest unknown share.
        aside: {name: "left", "right", "above" or "below"}, where a name stands; by default "right".

    Returns:
        A Picture; ``data`` is a dict: cuts {name: (entries, tokens, share)}, curve [(entries, tokens)].

    Example:
        >>> trade_off({"words": (90, 4, 0.25), "bytes": (256, 20, 0)}, [(256, 20), (300, 12)])
        words: 90 entries, 4 tokens, 25.0% unknown; bytes: 256 entries, 20 tokens, 0.0% unknown. The curve
        falls from 20 tokens at 256 entries to 12 at 300.
    """
    data = {"cuts": dict(cuts), "curve": list(curve)}
    places = aside or {}
    with canvas(8, 4.2, title or _finding(data["cuts"])) as (figure, ax):
        xs, ys = zip(*data["curve"])
        ax.plot(xs, ys, color=OKABE_ITO["blue"], linewidth=2, zorder=1)
        for name, (entries, tokens, share) in data["cuts"].items():
            color = OKABE_ITO["vermillion" if share else "blue"]
            marker, fill = ("D", "#FFFFFF") if share else ("o", color)
            ax.plot(
                entries, tokens, marker, color=color, markerfacecolor=fill, markersize=9, markeredgewidth=2, zorder=2
            )
            _name(ax, name + (f", {share:.1%} unknown" if share else ""), entries, tokens, places.get(name, "right"))
        ax.set_xscale("log")
        most = max(tokens for _, tokens, _ in data["cuts"].values())
        ax.set_ylim(0, 1.15 * max(most, *ys))
        ax.margins(x=0.2)
        ax.yaxis.set_major_formatter(lambda count, _: f"{count:,.0f}")
        ax.xaxis.set_major_formatter(lambda count, _: f"{count:,.0f}")
        ax.set_xlabel("entries of the vocabulary (each step is ten times the one before)")
        ax.set_ylabel("tokens of the text")
    return Picture(figure, data, _in_words(data))


_OFFSETS = {
    "right": (10, 0, "left", "center"),
    "left": (-10, 0, "right", "center"),
    "above": (0, 10, "center", "bottom"),
    "below": (0, -10, "center", "top"),
}


def _name(ax, label: str, x: float, y: float, side: str) -> None:
    right, up, horizontal, vertical = _OFFSETS[side]
    ax.annotate(
        drawable(label),
        (x, y),
        xytext=(right, up),
        textcoords="offset points",
        ha=horizontal,
        va=vertical,
        color=INK,
        annotation_clip=False,
    )


def _finding(cuts: Mapping[str, Sequence]) -> str:
    worst = max(cuts, key=lambda name: cuts[name][2])
    if not cuts[worst][2]:
        return "Nothing is unknown, and more entries make fewer tokens"
    return f"{worst[0].upper()}{worst[1:]} leave {cuts[worst][2]:.1%} unknown"


def _in_words(data: dict) -> str:
    said = [
        f"{name}: {entries:,} entries, {tokens:,} tokens, {share:.1%} unknown"
        for name, (entries, tokens, share) in data["cuts"].items()
    ]
    (first, most), (last, least) = data["curve"][0], data["curve"][-1]
    return f"{'; '.join(said)}. The curve falls from {most:,} tokens at {first:,} entries to {least:,} at {last:,}."
