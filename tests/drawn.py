"""Reads what a reader sees: the artists of a figure, and the words, boxes and colors of a page.

What a view keeps in ``.data`` is made beside the drawing. Here the drawing itself is read, so that
tests can compare it with the data.
"""

import re
import unicodedata
from html.parser import HTMLParser
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgba
from matplotlib.container import BarContainer
from matplotlib.text import Annotation

# --- Figures -----------------------------------------------------------------------------------


class Line(NamedTuple):
    """A line or a row of points; ``marker`` and ``style`` are "" where there is none."""

    points: list[tuple[float, float]]
    color: str
    marker: str
    style: str
    hollow: bool
    label: str


class Bar(NamedTuple):
    """A bar that begins at 0 if ``start`` says so."""

    place: float
    start: float
    length: float
    color: str
    hatch: str


class Words(NamedTuple):
    """A text, the point that it names, and its color."""

    text: str
    x: float
    y: float
    color: str


class Image:
    """A matrix as it lies on the page: asked by coordinates, whichever way it was put in."""

    def __init__(self, artist):
        self.values = artist.get_array()
        self.colors = artist.to_rgba(self.values)
        self.left, self.right, bottom, top = artist.get_extent()
        self.ends = (top, bottom) if artist.origin == "upper" else (bottom, top)  # of the first and the last row

    def _place(self, x, y):
        rows, columns = self.values.shape[:2]
        first, last = self.ends
        return int((y - first) / (last - first) * rows), int((x - self.left) / (self.right - self.left) * columns)

    def value(self, x, y):
        return self.values[self._place(x, y)]

    def color(self, x, y):
        return to_hex(self.colors[self._place(x, y)]).upper()


class Panel:
    """One axes: its title, labels, scales, ticks {text: place}, and what is drawn in it."""

    def __init__(self, axes):
        self.title = axes.get_title() or axes.get_title(loc="left")
        self.xlabel, self.ylabel = axes.get_xlabel(), axes.get_ylabel()
        self.scales = axes.get_xscale(), axes.get_yscale()
        self.xlim, self.ylim = (tuple(map(float, limits)) for limits in (axes.get_xlim(), axes.get_ylim()))
        self.xticks = _ticks(axes.get_xticks(), axes.get_xticklabels(), axes.get_xlim())
        self.yticks = _ticks(axes.get_yticks(), axes.get_yticklabels(), axes.get_ylim())
        self.lines = list(map(_line, axes.lines))
        bars = [found for found in axes.containers if isinstance(found, BarContainer)]
        self.bars = [_bar(patch, found.orientation) for found in bars for patch in found]
        inside = {patch for found in bars for patch in found}
        self.spans = [(p.get_x(), p.get_x() + p.get_width()) for p in axes.patches if p not in inside]
        self.images = list(map(Image, axes.images))
        self.areas = [[tuple(point) for point in c.get_paths()[0].vertices] for c in axes.collections]
        self.texts = list(map(_words, axes.texts))

    def named(self, text):
        """Return the texts that hold these words."""
        return [words for words in self.texts if text in words.text]


class Drawn(NamedTuple):
    """A figure: its title on one line, the legend {label: color}, and its axes."""

    title: str
    legend: dict[str, str]
    panels: list[Panel]

    @property
    def panel(self):
        """The only panel."""
        (panel,) = self.panels
        return panel


def drawn(picture):
    """Read the figure of a picture after matplotlib has laid it out."""
    figure = picture.figure
    figure.draw_without_rendering()
    assert pale_marks(figure) == [], "drawn, and hardly seen"
    legend = {}
    for found in [*figure.legends, *filter(None, (axes.get_legend() for axes in figure.axes))]:
        for handle, text in zip(found.legend_handles, found.get_texts()):
            color = handle.get_facecolor() if hasattr(handle, "get_facecolor") else handle.get_color()
            legend[text.get_text()] = to_hex(color).upper()
    shown = [Panel(axes) for axes in figure.axes if axes.get_visible()]
    return Drawn(figure.get_suptitle().replace("\n", " "), legend, shown)


def pale_marks(figure):
    """Return [(what, color, what lies behind)] for what carries data and does not reach 3 to 1.

    A fill is seen by its edge too, an area by the lines that bound it. In a map one light color lies
    behind the others; a matrix of counts is left out, since its shades are its scale.
    """
    found = []
    for axes in filter(Axes.get_visible, figure.axes):
        ground = to_hex(axes.get_facecolor())

        def look(what, *colors, behind=ground):
            seen = [_over(color, behind) for color in colors]
            if seen and max(contrast(color, behind) for color in seen) < 3:
                found.append((what, *seen, behind))

        for line in axes.lines:
            if line.get_linestyle() != "None":
                look("line", to_rgba(line.get_color(), line.get_alpha()))
            if line.get_marker() not in ("", None, "None"):
                look("point", line.get_markerfacecolor(), line.get_markeredgecolor())
        for patch in axes.patches:
            look("bar", patch.get_facecolor(), *[patch.get_edgecolor()] * (patch.get_linewidth() > 0))
        bounds = {tuple(point) for line in axes.lines for point in zip(line.get_xdata(), line.get_ydata())}
        for area in axes.collections:
            if not {tuple(point) for path in area.get_paths() for point in path.vertices} <= bounds:
                look("area", area.get_facecolor()[0])
        for image in axes.images:
            if image.get_array().ndim == 3:
                light, *others = sorted(map(to_hex, set(_pixels(image))), key=lambda color: contrast(color, ground))
                for color in others:
                    look("map", color, behind=light if contrast(light, ground) < 3 else ground)
    return found


def _pixels(image):
    return map(tuple, image.get_array().reshape(-1, image.get_array().shape[2]).tolist())


def _over(color, ground):
    *channels, alpha = to_rgba(color)
    return to_hex([alpha * c + (1 - alpha) * g for c, g in zip(channels, to_rgba(ground))])


def _ticks(places, labels, limits):
    low, high = sorted(limits)
    return {label.get_text(): float(at) for at, label in zip(places, labels) if low <= at <= high and label.get_text()}


def _line(line):
    marker, style = line.get_marker(), line.get_linestyle()
    return Line(
        [(x, y) for x, y in zip(line.get_xdata(), line.get_ydata())],
        to_hex(line.get_color()).upper(),
        "" if marker in (None, "None") else marker,
        "" if style == "None" else style,
        to_hex(line.get_markerfacecolor()).upper() == "#FFFFFF",
        line.get_label(),
    )


def _bar(patch, orientation):
    color, hatch = to_hex(patch.get_facecolor()).upper(), patch.get_hatch() or ""
    x, y, width, height = patch.get_x(), patch.get_y(), patch.get_width(), patch.get_height()
    if orientation == "horizontal":
        return Bar(round(y + height / 2, 6), x, width, color, hatch)
    return Bar(round(x + width / 2, 6), y, height, color, hatch)


def _words(text):
    x, y = text.xy if isinstance(text, Annotation) else text.get_position()
    return Words(text.get_text(), x, y, to_hex(text.get_color()).upper())


# --- Pages -------------------------------------------------------------------------------------

THEMES = {"light": ("#FFFFFF", "#212121"), "dark": ("#111111", "#E0E0E0")}  # JupyterLab's page and its text
ALLOWED_TAGS = set(
    "div span table thead tbody tr td th b br i u colgroup col bdi caption details summary pre wbr".split()
)
ALLOWED_ATTRIBUTES = set("style title dir colspan rowspan role scope class lang aria-label aria-hidden".split())
_VOID = ("br", "col", "hr", "img", "meta", "wbr")


class Element(NamedTuple):
    """A tag with its attributes, and the styles that it has from itself and from what stands around it."""

    tag: str
    attributes: dict
    own: dict
    styles: dict
    around: dict
    parts: list  # of texts, its own and those inside it

    @property
    def text(self):
        return "".join(self.parts)


class Page(HTMLParser):
    """Reads HTML and checks that every element is closed where it should be."""

    def __init__(self, html):
        super().__init__()
        self.open, self.elements, self.texts = [], [], []
        self.feed(html)
        self.close()
        assert not self.open, f"not closed: {[element.tag for element in self.open]}"

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        own = styles_of(attributes.get("style") or "")
        around = self.open[-1].styles if self.open else {}
        kept = {name: value for name, value in around.items() if name in ("color", "background-color", "font-size")}
        element = Element(tag, attributes, own, kept | own, kept, [])
        self.elements.append(element)
        if tag not in _VOID:
            self.open.append(element)

    def handle_endtag(self, tag):
        assert tag in _VOID or self.open.pop().tag == tag

    def handle_data(self, data):
        for element in self.open:
            element.parts.append(data)
        self.texts.append((data, self.open[-1].styles if self.open else {}))

    @property
    def text(self):
        """All words, in their order."""
        return "".join(data for data, _ in self.texts)

    @property
    def tags(self):
        return [element.tag for element in self.elements]

    @property
    def titles(self):
        return [element.attributes["title"] for element in self.elements if "title" in element.attributes]

    @property
    def styles(self):
        return [element.attributes["style"] for element in self.elements if "style" in element.attributes]

    @property
    def rows(self):
        """The words of each cell of each table row, as seen: without the marks of font size 0."""
        found = []
        for element in self.elements:
            if element.tag == "tr":
                found.append([])
            elif element.tag in ("td", "th") and found:
                found[-1].append(element)
        return [[cell.text for cell in row] for row in found]


def styles_of(style):
    """Return a style attribute as {name: value}; a background counts as its color."""
    pairs = (part.split(":", 1) for part in style.split(";") if ":" in part)
    found = {name.strip().lower(): value.strip() for name, value in pairs}
    if "background" in found:
        found.setdefault("background-color", found["background"])
    return {name: value for name, value in found.items() if value not in ("transparent", "inherit")}


def contrast(one, other):
    """Return the contrast ratio of two colors ``#RRGGBB``, from 1 to 21. Source: WCAG 2.2."""
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(color):
    digits = color[1:] if len(color) == 7 else "".join(2 * digit for digit in color[1:])
    channels = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear))


def pale_texts(page):
    """Return [(theme, text, color, background)] for words that do not reach 4.5 to 1."""
    found = []
    for theme, (paper, ink) in THEMES.items():
        for text, styles in page.texts:
            color, background = styles.get("color", ink), styles.get("background-color", paper)
            hidden = styles.get("font-size", "").rstrip("px") == "0" or not text.strip()
            if not hidden and contrast(color, background) < 4.5:
                found.append((theme, text, color, background))
    return found


def pale_edges(page):
    """Return [(theme, edge)] for colored borders that do not reach 3 to 1 against what lies on either side.

    A box whose fill stands out by itself needs no border, and a border in the color of the fill is none.
    """
    found = set()
    for theme, (paper, _) in THEMES.items():
        for element in page.elements:
            around = element.around.get("background-color", paper)
            fill = element.styles.get("background-color", paper)
            for name, value in element.own.items():
                color = re.search(r"#[0-9A-Fa-f]{3,6}\b", value)
                if not color or not name.startswith(("border", "outline")) or color[0] == fill != around:
                    continue
                if max(contrast(color[0], around), contrast(color[0], fill), contrast(fill, around)) < 3:
                    found.add((theme, f"{name}:{value}"))
    return sorted(found)


def unprintable(text):
    """Return the characters of a text that a reader cannot see, new lines and spaces that pages use aside."""
    return [
        character
        for character in text
        if character not in " \n\xa0" and unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp", "Zs")
    ]
