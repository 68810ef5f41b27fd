"""A picture: a matplotlib figure with a caption that says in words what one sees."""

import io
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property, lru_cache
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, get_font

from .look import INK, OKABE_ITO, View, readable, tag, whole

FONT = "DejaVu Sans"  # comes with matplotlib, so pictures look the same everywhere
DPI = 150  # of the file; shown at 100, so that it stays sharp
_DARKER = {"purple": "#B8608F", "orange": "#B87D00", "sky": "#2E8BC0"}  # the palette's own are too light for lines
COLORS = [(OKABE_ITO | _DARKER)[name] for name in ("blue", "vermillion", "green", "purple", "orange", "sky", "black")]
MARKERS = "osD^vPX"
HATCH = "////"

_STYLE = {
    "font.family": FONT,
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "figure.facecolor": "#FFFFFF",
    "hatch.linewidth": 0.7,
}


class Picture:
    """A figure, the data drawn in it, and its caption, which says in words what one sees.

    Attributes:
        figure: the matplotlib Figure; it belongs to no window and no pyplot state, so
            nothing shows it twice and nothing has to be closed.
        data: what was drawn, in plain lists and dicts.
        caption: str.
        png: bytes of the image.
    """

    def __init__(self, figure: Figure, data: Any, caption: str):
        """Keep the three."""
        self.figure, self.data, self.caption = figure, data, whole(caption)

    @cached_property
    def png(self) -> bytes:
        """The image, drawn when first asked for."""
        buffer = io.BytesIO()
        with matplotlib.rc_context(_STYLE):
            self.figure.savefig(buffer, format="png", dpi=DPI, metadata={"Software": None})
        return buffer.getvalue()

    def _ipython_display_(self) -> None:
        # Two outputs: the image, and its caption as a named figure that can be read and heard. JupyterLab
        # drops the alternative text of an image; classic pages of nbconvert show it.
        from IPython.display import display

        width = round(self.figure.get_figwidth() * 100)
        metadata = {"image/png": {"width": width, "alt": self.caption}}
        display({"image/png": self.png, "text/plain": self.caption}, metadata=metadata, raw=True)
        caption = tag("figcaption", self.caption, look="caption", width=width)
        figure = tag("figure", caption, look="caption", **{"aria-label": "The picture above, in words"})
        display(View(figure, self.caption))

    def __repr__(self) -> str:
        """Return the caption."""
        return self.caption


@contextmanager
def canvas(width: float = 8, height: float = 3.6, title: str = "", panels: int = 1) -> Iterator[tuple]:
    """Open a figure in the course's style; what is drawn inside the block has that style.

    Args:
        width: inches.
        height: inches.
        title: the finding, wrapped to the width.
        panels: how many axes stand side by side.

    Yields:
        (figure, axes) with one Axes, or (figure, list of Axes).
    """
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = list(figure.subplots(1, panels, squeeze=False)[0])
        if title:
            lines = textwrap.fill(drawable(title), int(width * 8.7))
            figure.suptitle(lines, x=0.01, ha="left", fontsize=12, fontweight="bold")
        yield figure, axes[0] if panels == 1 else axes


def listed(axes: Axes | list[Axes]) -> list[Axes]:
    """Return the axes of a canvas as a list, also where there is only one."""
    return axes if isinstance(axes, list) else [axes]


@lru_cache(maxsize=4096)
def drawable(text: str) -> str:
    """Return a text that the font can draw: a character without a glyph becomes its code point.

    Example:
        >>> drawable("th 东"), drawable("a b\\n")
        ('th ⟨4E1C⟩', 'a b↵')
    """
    font = get_font(findfont(FONT))
    shown = "".join(c if c == " " or font.get_char_index(ord(c)) else f"⟨{ord(c):04X}⟩" for c in readable(text))
    return shown.replace("$", r"\$")  # or matplotlib would read a formula


def spread(wanted: list[float], least: float) -> list[float]:
    """Move numbers apart until neighbors differ by ``least``, and each as little as possible.

    Example:
        >>> spread([1.0, 1.0, 5.0], 2.0)
        [0.0, 2.0, 5.0]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    groups: list[list] = []  # [center, members]; members stand ``least`` apart around the center
    for i in order:
        group = [wanted[i], [i]]
        while groups and group[0] - groups[-1][0] < least * (len(group[1]) + len(groups[-1][1])) / 2:
            members = groups.pop()[1] + group[1]
            group = [sum(wanted[m] for m in members) / len(members), members]
        groups.append(group)
    placed = [0.0] * len(wanted)
    for center, members in groups:
        for rank, i in enumerate(members):
            placed[i] = center + least * (rank - (len(members) - 1) / 2)
    return placed


def label_ends(axes: Axes, x: Any, ends: list[tuple[str, float, str]], side: str = "right", size: float = 9.5) -> None:
    """Write labels beside the ends of lines, moved apart where they would overlap.

    Args:
        axes: with its limits set.
        x: where the lines end.
        ends: [(label, y, color)].
        side: "right" or "left" of x.
        size: of the letters, in points.
    """
    figure = axes.figure
    figure.draw_without_rendering()  # so that places on the page are known
    at = [axes.transData.transform((axes.convert_xunits(x), y))[1] for _, y, _ in ends]
    points = figure.dpi / 72
    shift, align = (6, "left") if side == "right" else (-6, "right")
    for (label, y, color), there, here in zip(ends, spread(at, size * 1.3 * points), at):
        axes.annotate(
            drawable(label),
            (x, y),
            xytext=(shift, (there - here) / points),
            textcoords="offset points",
            ha=align,
            va="center",
            fontsize=size,
            color=color,
            annotation_clip=False,
        )
