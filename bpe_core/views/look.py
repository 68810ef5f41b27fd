"""What all views share: colors, looks, tables and boxes, marks for what cannot be seen.

A View is HTML with a plain-text twin. HTML is made by ``tag`` alone: a str in it is text and is
escaped, only Markup is HTML. Styles stay inline, because JupyterLab removes style sheets from
notebooks that are not trusted yet, and each colored box brings its own text color, so that it
reads on a light and on a dark page. A page without styles, as on GitHub, shows the hidden marks.
"""

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any

from markupsafe import Markup, escape

OKABE_ITO = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "vermillion": "#D55E00",
    "purple": "#CC79A7",
    "sky": "#56B4E9",
    "yellow": "#F0E442",
    "black": "#000000",
}
"""The Okabe-Ito palette, which color-blind readers can tell apart. Source: Okabe and Ito (2008)."""

TINTS = {"sky": "#E0F1FC", "orange": "#F5CE7C", "green": "#BFE8DA", "purple": "#E3AFCB"}
"""Four of its colors made light enough to carry dark text, and no two of them one gray in print."""

INK = "#14212B"
EDGE = "#7A858C"  # lines that must be seen on white and on black
PALE = "#8A949B"  # lines and points that stand back

_ON_WHITE = f"background-color:#FFFFFF;color:{INK};border:1px solid {EDGE}"
_ON_SKY = f"background-color:{TINTS['sky']};color:{INK}"
_ON_ORANGE = f"background-color:{TINTS['orange']};color:{INK}"
_FRAME = f"border:2px solid {OKABE_ITO['vermillion']}"
_DASHED = f"2px dashed {OKABE_ITO['vermillion']}"
_GRID = "border:none;padding:1px 2px;margin:0;text-align:center;vertical-align:middle;white-space:nowrap"

PAGE_STYLE = Markup(
    "<style>body{font-family:sans-serif;line-height:1.5;max-width:720px;margin:24px auto;padding:0 12px;"
    "color:#14212B;background:#FFFFFF}img{max-width:100%}@page{size:A4;margin:16mm}"
    "@media print{body{margin:0}h2,img,table{break-inside:avoid}h2{break-after:avoid}}</style>"
)
LOOKS = {
    # lines of text
    "line": "font-size:13px",
    "note": "font-size:13px;line-height:1.5;margin:2px 0 6px 0",
    "fine": "font-size:12px",
    "tiny": "font-size:11px",
    "large": "font-size:16px",
    "larger": "font-size:20px",
    "bold": "font-weight:bold",
    "code": "font-family:monospace;font-size:12px;overflow-wrap:anywhere;white-space:pre-wrap",
    "mono": "font-family:monospace",
    "list": "font-family:monospace;font-size:13px;line-height:1.3",
    "typed": "white-space:pre-wrap",
    "unbroken": "white-space:nowrap",
    "unseen": "font-size:0",
    "underlined": "text-decoration:underline",
    "bits": "font-size:11px;text-decoration:underline",
    "caption": "font-size:13px;margin:0;font-style:italic;max-width:100%",
    # tables
    "wide": "overflow-x:auto",
    "table": "border-collapse:collapse;margin:0 0 6px 0;table-layout:auto",
    "grid": "border-collapse:separate;border-spacing:0;margin:0 0 10px 0",
    "tree": "border-collapse:collapse;margin:0 0 6px 0;table-layout:fixed",
    "row": "background-color:transparent",
    "cell": "text-align:left;vertical-align:top;padding:2px 10px 2px 0;font-size:13px;border:none",
    "number": "text-align:right;vertical-align:top;padding:2px 10px 2px 0;font-size:13px;border:none",
    "narrow": "max-width:90px",
    "limited": "max-width:300px",
    "roomy": "min-width:200px",
    "label": "text-align:start;white-space:nowrap;border:none;padding:1px 0;padding-inline-end:10px;font-size:13px;vertical-align:middle",
    "right": "text-align:right",
    "alone": f"{_ON_ORANGE};font-weight:bold",
    # rows of boxes
    "strip": "font-family:monospace;font-size:14px;line-height:1.7;overflow-wrap:anywhere",
    "blocks": "font-family:monospace;font-size:12px;line-height:1.5;white-space:nowrap",
    "column": "display:inline-block;text-align:center;margin:0 5px 6px 0;vertical-align:top",
    "box": "display:inline-block;border-radius:3px;padding:0 3px;margin:1px",
    "byte": "display:inline-block;border-radius:3px;padding:0 4px;margin:1px;text-align:center;font-family:monospace",
    "node": "display:inline-block;border-radius:4px;padding:1px 4px;font-family:monospace;font-size:14px",
    "token": "padding:0 2px;text-align:center;font-family:monospace;font-size:14px;line-height:1.5",
    "block": "display:inline-block;border-radius:2px;margin:0 1px 1px 0",
    # what a box is
    **{
        f"text {i}": f"background-color:{tint};color:{INK};border:1px solid {EDGE}"
        for i, tint in enumerate(TINTS.values())
    },
    "white": _ON_WHITE,
    "special": f"background-color:{INK};color:#FFFFFF;border:2px solid {OKABE_ITO['orange']};font-weight:bold",
    "unknown": f"background-color:#FFFFFF;color:#A63C00;border:{_DASHED}",
    "fresh": f"{_FRAME};font-weight:bold",
    "just made": f"{_ON_ORANGE};{_FRAME};font-weight:bold",
    "root": f"{_ON_ORANGE};{_FRAME}",
    "single": _ON_WHITE,
    "lead": f"{_ON_SKY};border:2px solid {OKABE_ITO['blue']}",
    "continuation": f"{_ON_ORANGE};border:2px dashed #A66F00",
    "later": f"background-color:#F1F3F4;color:#59636A;border:1px dotted {EDGE}",
    "space": f"{_ON_ORANGE};border:2px solid #A66F00",
    "moved": f"{_ON_ORANGE};border:{_DASHED}",
    "itself": f"background-color:{TINTS['green']};color:{INK};border:1px solid {EDGE}",
    # letters over tokens
    "grid cell": _GRID,
    "letter": "min-width:1.3em;font-family:monospace;font-size:16px",
    "marked": f"background-color:#F0E442;color:{INK};text-decoration:underline;font-weight:bold",
    "even": _ON_SKY,
    "odd": _ON_ORANGE,
    "apart": "border-bottom:3px solid transparent;background-clip:padding-box",
    "cut": f"border-inline-start:3px solid {OKABE_ITO['blue']}",
    "uncut": "border-inline-start:3px solid transparent",
    "end": f"border-inline-start:3px solid {EDGE}",
    "lost": f"background-color:#FFFFFF;color:{INK};border-top:{_DASHED};border-bottom:{_DASHED}",
    "digit": "padding:0 1px;min-width:1em;font-family:monospace;font-size:13px;line-height:1.5",
    "character": "padding:1px 1px 1px 0;font-family:monospace;font-size:13px;line-height:1.5;min-width:0.65em",
    "took": "padding:1px 1px 1px 0;font-size:10px;line-height:1.2;color:inherit",
    # the alphabet of bytes, trees, bars
    "byte cell": "width:24px;height:24px;padding:0;text-align:center;font-size:14px",
    "byte head": "width:24px;height:24px;padding:0;text-align:center;font-family:monospace;font-size:12px;border:none",
    "key": "font-size:13px;line-height:2;margin:4px 0",
    "tree cell": "padding:0;border:none;text-align:center;vertical-align:top;line-height:1.2",
    "bracket": f"padding:0;height:9px;border:2px solid {EDGE};border-bottom:none",
    "rank": "display:inline-block;padding:0 2px;font-size:12px",
    "lowest": f"{_FRAME};border-radius:3px;font-weight:bold",
    "best bar": f"background-color:{OKABE_ITO['orange']};display:inline-block;height:12px;margin-right:8px;border:1px solid {INK}",
    "bar": f"background-color:{OKABE_ITO['sky']};display:inline-block;height:12px;margin-right:8px;border:1px solid {INK}",
    "segment": "display:inline-block;box-sizing:border-box;height:15px;vertical-align:middle;font-size:11px;"
    f"line-height:14px;text-align:center;overflow:hidden;border:1px solid {INK}",
    "padded": "padding:0 6px",
    **{f"fill {i}": f"background-color:{tint};color:{INK}" for i, tint in enumerate(TINTS.values())},
    "bars": "white-space:nowrap;line-height:1",
}
"""{name: CSS}; what a view looks like stands here and nowhere else."""


def tag(
    name: str, *content: Any, look: str | Sequence[str] = "", width: float | None = None, **attributes: Any
) -> Markup:
    """Return an HTML element; what is not Markup is escaped, in its content and in its attributes.

    Args:
        name: of the element.
        content: texts and elements.
        look: names in ``LOOKS``, one or several.
        width: in pixels.
        attributes: those that are None or empty are left out.

    Example:
        >>> tag("b", "a < b", tag("i", "!"), look=["bold", "line"], title='"')
        Markup('<b style="font-weight:bold;font-size:13px" title="&#34;">a &lt; b<i>!</i></b>')
    """
    styles = [LOOKS[one] for one in ([look] if isinstance(look, str) else look) if one]
    styles += [f"width:{width:.10g}px"] if width is not None else []
    given = {"style": ";".join(styles), **attributes}
    written = join(Markup(' {}="{}"').format(key, value) for key, value in given.items() if value not in (None, ""))
    return Markup("<{0}{1}>{2}</{0}>").format(name, written, join(_seated(escape(part)) for part in content))


def join(parts: Iterable) -> Markup:
    """Return texts (escaped) and Markup one after the other.

    Example:
        >>> join(["<", Markup("<br>")])
        Markup('&lt;<br>')
    """
    return Markup("").join(parts)


_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # no width, yet no "format" character
_MARKS = {" ": "·", "\n": "↵", "\t": "→"}


class View:
    """Something to look at: HTML for the notebook, a text twin, and the data that was drawn.

    Attributes:
        html: Markup, safe to insert into a page.
        text: str, what a terminal, a test or a page without HTML shows.
        data: what was drawn, in plain lists and dicts.
    """

    def __init__(self, html: str | Markup, text: str, data: Any = None):
        """Keep the three; HTML that is no Markup is text, and is escaped."""
        self.html, self.text, self.data = Markup(whole(escape(html))), whole(text), data

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        """Return the text twin."""
        return self.text


def whole(text: str) -> str:
    """Write what may harm a page as code points: controls, marks of direction, what has no width, halves of characters.

    Example:
        >>> whole("a\\ud83d\\u202e")
        'a⟨D83D⟩⟨202E⟩'
    """
    return _HARMFUL.sub(lambda found: f"⟨{ord(found.group()):02X}⟩", text)


_HARMFUL = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ud800-\udfff]"
)


def visible(text: str) -> str:
    """Make every character of a text visible.

    A space becomes ``·``, a new line ``↵``, a tab ``→``; any other character that shows
    nothing becomes its code point in ``⟨ ⟩``. A mark that would sit on the letter before
    it gets a circle to sit on.

    Example:
        >>> visible("to be\\n"), visible("a\\u200bb"), visible("\\x00")
        ('to·be↵', 'a⟨200B⟩b', '⟨00⟩')
    """
    if text.isascii() and text.isalnum():
        return text
    shown = "".join(map(_visible_character, text))
    return _seated(shown)


def _seated(text: str | Markup) -> str | Markup:
    # A mark at the beginning would sit on whatever stands before it.
    return "◌" + text if unicodedata.category(text[:1] or "x").startswith("M") else text


def _visible_character(character: str) -> str:
    if character in _MARKS:
        return _MARKS[character]
    hidden = unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp", "Zs")
    if hidden or character in _INVISIBLE or "\ufe00" <= character <= "\ufe0f":
        return f"⟨{ord(character):02X}⟩"
    return character


def readable(text: str) -> str:
    """Make every character of a label visible, but leave spaces as they are.

    Example:
        >>> readable("e + s\\x00")
        'e + s⟨00⟩'
    """
    return " ".join(map(visible, text.split(" ")))


def parts(content: str | bytes) -> list[tuple[str, bool]]:
    """Split a token into what can be read and what is only part of a character.

    Returns:
        [(shown text, True if it is bytes in hexadecimal)].

    Example:
        >>> parts(b" \\xe2\\x82"), parts("low")
        ([('·', False), ('<E2 82>', True)], [('low', False)])
    """
    if isinstance(content, str):
        return [(visible(content), False)]
    found = []
    # surrogateescape turns each byte that is no UTF-8 into one of 128 characters that no text holds.
    for part in re.split("([\udc80-\udcff]+)", content.decode("utf-8", "surrogateescape")):
        if part and "\udc80" <= part[0] <= "\udcff":
            found.append((f"<{hexadecimal(part.encode('utf-8', 'surrogateescape'))}>", True))
        elif part:
            found.append((visible(part), False))
    return found


def show(content: str | bytes) -> str:
    """Return a token as one line of plain text.

    Example:
        >>> show(b" caf\\xc3"), show("est</w>")
        ('·caf<C3>', 'est</w>')
    """
    return "".join(text for text, _ in parts(content))


def show_pair(pair: tuple, vocab: dict[int, bytes] | None = None) -> str:
    """Return a pair as ``left + right``; ids are looked up in ``vocab``.

    Example:
        >>> show_pair(("es", "t")), show_pair((101, 115), {101: b"e", 115: b"s"})
        ('es + t', 'e + s')
    """
    return " + ".join(show(content_of(symbol, vocab)) for symbol in pair)


def content_of(symbol: Any, vocab: dict[int, bytes] | None = None) -> str | bytes:
    """Return what a symbol stands for: itself if it is str or bytes, else its entry in ``vocab``.

    Example:
        >>> content_of("est"), content_of(7, {7: b"low"})
        ('est', b'low')
    """
    if isinstance(symbol, (str, bytes)):
        return symbol
    return vocab[symbol] if vocab is not None else str(symbol)


def hexadecimal(data: bytes) -> str:
    """Return bytes as hexadecimal, such as ``E2 82 AC``.

    Example:
        >>> hexadecimal("€".encode())
        'E2 82 AC'
    """
    return data.hex(" ").upper()


def unseen(mark: str = "|") -> Markup:
    """Return a word or mark for those who hear a page, or read it where styles are removed, as on GitHub.

    Example:
        >>> unseen()
        Markup('<span style="font-size:0">|</span>')
    """
    return tag("span", mark, look="unseen") if mark else Markup("")


def box(
    content: str | bytes | Markup,
    kind: str | Sequence[str],
    title: str = "",
    mark: str = "",
    name: str = "bdi",
    **attributes,
) -> Markup:
    """Return a token in its box, in the direction of its own letters.

    Args:
        content: the token; bytes that are no character are shown in hexadecimal.
        kind: names in ``LOOKS``: what the box is.
        title: said when the pointer rests on it.
        mark: a word before it for those who do not see what it is.
        name: of the element; ``bdi`` keeps its direction to itself, a cell of a table needs ``dir="auto"``.
        attributes: more of the element.

    Example:
        >>> box("<", "bold", mark="new ")
        Markup('<bdi style="font-weight:bold"><span style="font-size:0">new </span>&lt;</bdi>')
    """
    found = [(content, False)] if isinstance(content, Markup) else parts(content)
    inner = [tag("span", text, look="bits") if is_bytes else text for text, is_bytes in found]
    return tag(name, unseen(mark), *inner, look=kind, title=title, **attributes)


def row(*cells: Markup) -> Markup:
    """Return a row of a table."""
    return tag("tr", *cells, look="row")


def table(
    rows: Iterable[Markup], head: Sequence[Markup] = (), columns: Iterable[float] = (), look="table", **attributes
) -> Markup:
    """Return rows as a table.

    Args:
        rows: of the body.
        head: cells of the row above them.
        columns: their widths in pixels, if they are fixed.
        look: of the table.
        attributes: more of the element.
    """
    widths = join(Markup('<col style="width:{:.10g}px">').format(width) for width in columns)
    top = [tag("colgroup", widths)] * bool(widths) + [tag("thead", row(*head))] * bool(head)
    return tag("table", *top, tag("tbody", *rows), look=look, **attributes)


def sheet(
    head: Sequence[str], rows: Iterable[Sequence], looks: Sequence[str | Sequence[str]] = (), data: Any = None
) -> View:
    """Return rows of cells as a table and, as its twin, as lines of text.

    Args:
        head: the names of the columns, or () for none.
        rows: of cells, each a text or a View.
        looks: of the columns; "cell" where nothing is said.
        data: what is drawn.

    Example:
        >>> sheet(["", "ids"], [["low", "7"], ["lowest", "12"]])
                ids
        low     7
        lowest  12
    """
    rows = [list(cells) for cells in rows]
    looks = [*looks, *["cell"] * (max(map(len, [head, *rows])) - len(looks))]
    body = [
        row(*(tag("td", cell.html if isinstance(cell, View) else cell, look=look) for cell, look in zip(cells, looks)))
        for cells in rows
    ]
    above = [
        tag("th", name, scope="col", look=look if isinstance(look, str) else look[0]) for name, look in zip(head, looks)
    ]
    texts = [[cell.text if isinstance(cell, View) else cell for cell in cells] for cells in [head, *rows] if cells]
    return View(table(body, above), "\n".join(in_columns(texts)), data)


def titled(title: str, *views: View | str, data: Any = None) -> View:
    """Return views and lines below each other, under a title; a str is a line of its own.

    Example:
        >>> titled("Title", View("", "drawn"), "a note")
        Title
        drawn
        a note
    """
    shown = [view if isinstance(view, View) else View(tag("div", view, look="note"), view) for view in views if view]
    above = [View(tag("div", tag("b", title), look="note"), title)] * bool(title)
    return View(join(view.html for view in above + shown), "\n".join(view.text for view in above + shown), data)


def complaint(said: str, data: Any = None) -> View:
    """Return a view that says what is wrong with what a reader typed.

    Example:
        >>> complaint("The text is empty.")
        The text is empty.
    """
    return View(tag("div", tag("b", "!"), " ", said), said, data)


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of cells as lines of text, the cells below each other, in columns of 100 characters at most.

    Example:
        >>> in_columns([["one", "1"], ["eleven", "11"]])
        ['one     1', 'eleven  11']
    """
    widths = [min(max(map(len, column)), 100) for column in zip_longest(*rows, fillvalue="")]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def direction(text: str) -> str:
    """Return "rtl" if the first letter of a text belongs to a script written from right to left, else "ltr".

    Everything that is drawn of a text, in whatever view, runs in this direction; tokens keep their own.

    Example:
        >>> direction("سلام"), direction("1: salam")
        ('rtl', 'ltr')
    """
    kinds = (unicodedata.bidirectional(character) for character in text)
    return "rtl" if next((kind for kind in kinds if kind in ("L", "R", "AL")), "L") != "L" else "ltr"


def compact(number: float) -> str:
    """Return a count to read at a glance: exact below ten million, then rounded.

    Example:
        >>> compact(9), compact(12345), compact(111_557_349), compact(2.5e9)
        ('9', '12,345', '111.6 million', '2.5 billion')
    """
    for size, name in ((1e9, "billion"), (1e6, "million")):
        if number >= size and number >= 1e7:
            return f"{number / size:,.1f} {name}"
    return f"{number:,.10g}"


def _places(number: float, digits: int) -> int:
    # At least two places, and more where a small number would lose its first digits.
    return max(2, digits - 1 - math.floor(math.log10(abs(number)))) if number else 2


def money(amount: float, digits: int = 3) -> str:
    """Return dollars with as many places as they need: cents, and more for less than a cent.

    Args:
        amount: in dollars.
        digits: how many digits a small amount keeps; a price that is given keeps all of its own.

    Example:
        >>> money(1234.5), money(0.075), money(0.0000012), money(0), money(0.0375, digits=12)
        ('$1,234.50', '$0.075', '$0.0000012', '$0.00', '$0.0375')
    """
    whole, _, places = f"{amount:,.{_places(amount, digits)}f}".partition(".")
    return f"${whole}.{places.rstrip('0'):0<2}"


def percent(share: float) -> str:
    """Return a share as a percentage with two places, and more where these would be zeros.

    Example:
        >>> percent(0.125), percent(0.0000234), percent(0)
        ('12.50%', '0.0023%', '0.00%')
    """
    return f"{share:.{_places(100 * share, 2)}%}"


def shorten(text: str, most: int = 40) -> str:
    """Return a text of at most so many characters, with ``…`` where some are left out.

    Example:
        >>> shorten("abcdefgh", 5)
        'abcd…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def count_of(number: int, noun: str) -> str:
    """Return a number with its noun.

    Example:
        >>> count_of(1, "token"), count_of(1200, "byte")
        ('1 token', '1,200 bytes')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
