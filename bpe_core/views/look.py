"""What all views share: colors, marks for what cannot be seen, and things that show themselves.

A View is HTML with a plain-text twin. HTML keeps its styles inline, because JupyterLab
removes style sheets from notebooks that are not trusted yet, and each colored box brings
its own text color, so that it reads on a light and on a dark page.
"""

import html
import math
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

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

TINTS = {"sky": "#CDE7F8", "orange": "#FBE3AE", "green": "#BFE8DA", "purple": "#F3D7E5"}
"""Four of its colors made light enough to carry dark text."""

INK = "#14212B"
EDGE = "#7A858C"  # lines that must be seen on white and on black

PALE = "#8A949B"  # lines and points that stand back

NOTE = "font-size:13px;line-height:1.5;margin:2px 0 6px 0"
TABLE = "border-collapse:collapse;margin:0 0 6px 0;table-layout:auto"
CELL = "text-align:left;vertical-align:top;padding:2px 10px 2px 0;font-size:13px;border:none"
NUMBER = CELL.replace("left", "right", 1)

_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # no width, yet no "format" character
_MARKS = {" ": "·", "\n": "↵", "\t": "→"}


class View:
    """Something to look at: HTML for the notebook, a text twin, and the data that was drawn.

    Attributes:
        html: str, safe to insert into a page.
        text: str, what a terminal, a test or a page without HTML shows.
        data: what was drawn, in plain lists and dicts.
    """

    def __init__(self, html: str, text: str, data: Any = None):
        """Keep the three."""
        self.html, self.text, self.data = html, text, data

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        """Return the text twin."""
        return self.text


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
    return "◌" + shown if unicodedata.category(shown[:1] or "x").startswith("M") else shown


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


def escape(text: str) -> str:
    """Escape a text for HTML, quotes too.

    Example:
        >>> escape("<b>")
        '&lt;b&gt;'
    """
    return html.escape(text, quote=True)


def bar_of(mark: str = "|") -> str:
    """Return a mark for between two tokens, to be read where styles are removed, as on GitHub.

    Example:
        >>> bar_of()
        '<span style="font-size:0">|</span>'
    """
    return f'<span style="font-size:0">{mark}</span>'


def title_line(title: str) -> str:
    """Return the line above a view as HTML, or nothing for no title.

    Example:
        >>> title_line("a < b").endswith("<b>a &lt; b</b></div>"), title_line("")
        (True, '')
    """
    return f'<div style="{NOTE}"><b>{escape(title)}</b></div>' if title else ""


def complaint(said: str, data: Any = None) -> View:
    """Return a view that says what is wrong with what a reader typed.

    Example:
        >>> complaint("The text is empty.")
        The text is empty.
    """
    return View(f"<div><b>!</b> {escape(said)}</div>", said, data)


def in_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of cells as lines of text, the cells below each other.

    Example:
        >>> in_columns([["one", "1"], ["eleven", "11"]])
        ['one     1', 'eleven  11']
    """
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def is_right_to_left(text: str) -> bool:
    """Say whether the first letter of a text belongs to a script written from right to left.

    Example:
        >>> is_right_to_left("سلام"), is_right_to_left("1: salam")
        (True, False)
    """
    if text.isascii():
        return False
    directions = (unicodedata.bidirectional(character) for character in text)
    return next((direction != "L" for direction in directions if direction in ("L", "R", "AL")), False)


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


def money(amount: float, digits: int = 2) -> str:
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


def number_of(count: int, one: str) -> str:
    """Return a count with its noun.

    Example:
        >>> number_of(1, "byte"), number_of(1200, "byte")
        ('1 byte', '1,200 bytes')
    """
    return f"{count:,} {one}" if count == 1 else f"{count:,} {one}s"


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


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colors, from 1 to 21; text needs 4.5.

    Args:
        one: a color as ``#RRGGBB``.
        other: another.

    Example:
        >>> contrast("#000000", "#FFFFFF")
        21.0

    Source: WCAG 2.2, success criterion 1.4.3.
    """
    dark, light = sorted(map(_luminance, (one, other)))
    return round((light + 0.05) / (dark + 0.05), 2)


def _luminance(color: str) -> float:
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear))
