"""All numbers of four digits as a map, each colored by where it is cut."""

from collections import Counter
from collections.abc import Mapping

from ..byte_bpe import ByteBPE
from .look import INK
from .picture import COLORS as LINES
from .picture import Picture, canvas, drawable, listed

COLORS = dict(zip([(3, 1), (2, 1, 1), (1, 1, 1, 1), (1, 2, 1), (1, 3), (1, 1, 2), (4,)], LINES)) | {(2, 2): "#E6F3FC"}
"""Light for the cut that most numbers have, black for a number that is one token, and each of the others is seen on the light one."""


def digit_map(tokenizers: Mapping[str, ByteBPE], *, title: str | None = None) -> Picture:
    """Draw the numbers from 1000 to 9999 as a map, a point for each, colored by its cuts.

    Rows are the first two digits, columns the last two.

    Args:
        tokenizers: {name: tokenizer}; one panel each.
        title: the finding.

    Returns:
        A Picture; ``data`` is {name: {"cuts": {(2, 2): how many}, "map": rows of cuts}},
        where a cut is the number of digits in each token.

    Example:
        >>> digit_map({"pairs": ByteBPE.train("12 12", 257)}).data["pairs"]["cuts"][(2, 1, 1)]
        99
    """
    data = {}
    for name, tokenizer in tokenizers.items():
        rows = [
            [tuple(map(len, tokenizer.tokens(f"{first}{last:02}"))) for last in range(100)] for first in range(10, 100)
        ]
        counts = Counter(cut for row in rows for cut in row)
        data[name] = {"cuts": dict(counts.most_common()), "map": rows}
    words = [f"{name}: {', '.join(_said(cut, n) for cut, n in panel['cuts'].items())}." for name, panel in data.items()]
    said = "Each point is a number, its first two digits down, its last two across; the color says where it is cut."
    with canvas(9, 5.2, title or "Every number of four digits, by where it is cut", len(data)) as (figure, axes):
        for axis, (name, panel) in zip(listed(axes), data.items()):
            _draw(axis, name, panel)
    return Picture(figure, data, " ".join([said, *words]))


def cut_like(cut: tuple[int, ...], digits: str = "1234") -> str:
    """Write a cut with example digits.

    Example:
        >>> cut_like((2, 2)), cut_like((4,))
        ('12|34', '1234')
    """
    ends = [sum(cut[: i + 1]) for i in range(len(cut))]
    return "|".join(digits[start:end] for start, end in zip([0, *ends], ends))


def _said(cut: tuple[int, ...], count: int) -> str:
    return f"{count:,} as {cut_like(cut)}"


def _draw(axis, name: str, panel: dict) -> None:
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Patch

    axis.imshow(
        [[to_rgb(COLORS.get(cut, "#FFFFFF")) for cut in row] for row in panel["map"]],
        extent=(-0.5, 99.5, 99.5, 9.5),
        interpolation="nearest",
        aspect="auto",
    )
    axis.set_title(drawable(name), fontweight="bold")
    axis.set_xlabel("last two digits")
    axis.set_ylabel("first two digits")
    axis.set_xticks([0, 50, 99], ["00", "50", "99"])
    axis.set_yticks([10, 20, 50, 99])
    for side in ("top", "right"):
        axis.spines[side].set_visible(True)
    if len(panel["cuts"]) == 1:
        (cut, count), *_ = panel["cuts"].items()
        said = f"{cut_like(cut)}\nall {count:,}"
        axis.text(49.5, 54.5, said, ha="center", va="center", color="#FFFFFF", fontsize=13, fontweight="bold")
        return
    handles = [
        Patch(facecolor=COLORS.get(cut, "#FFFFFF"), edgecolor=INK, label=f"{cut_like(cut)}   {n:,}")
        for cut, n in panel["cuts"].items()
    ]
    axis.legend(
        handles=handles, loc="upper left", bbox_to_anchor=(0, -0.17), frameon=False, fontsize=9, borderaxespad=0
    )
