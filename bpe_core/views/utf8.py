"""UTF-8 to look at: the bytes of characters, and what a cut through them shows."""

import codecs
from collections.abc import Iterable, Mapping

from ..checks import check_text
from .look import View, box, count_of, direction, hexadecimal, join, readable, sheet, tag, titled, visible

VIEW_CLASS = "bpe-cut-view"  # of the element that changes with the slider
RUN_ME = "Run this cell to move the cut."
REPLACEMENT = "\ufffd"  # what a decoder writes where bytes are no text
MAX_CHARACTERS = 40  # drawn at most under the text that a reader types

_KEY = (
    ("lead", "lead byte: how many bytes the character has"),
    ("continuation", "continuation byte"),
    ("single", "a character of one byte"),
)


def kind_of_byte(byte: int) -> str:
    """Return what a byte is in UTF-8: "single", "lead" or "continuation".

    Example:
        >>> [kind_of_byte(byte) for byte in "é!".encode()]
        ['lead', 'continuation', 'single']

    Source: RFC 3629, section 3.
    """
    return "single" if byte < 0x80 else "continuation" if byte < 0xC0 else "lead"


def utf8_grid(characters: Mapping[str, str] | Iterable[tuple[str, str]]) -> View:
    """Show characters, one row each, with their bytes in hexadecimal and in bits.

    The bits that say what a byte is are underlined.

    Args:
        characters: {label: character} or [(label, character)].

    Returns:
        A View; ``data`` is [(label, character, [(byte in hexadecimal, kind)])].

    Example:
        >>> utf8_grid({"Latin": "e", "Greek": "λ"})
        Latin  e  U+0065  65
        Greek  λ  U+03BB  CE+ BB
        + lead byte, followed by its continuation bytes
    """
    labeled = list(characters.items() if isinstance(characters, Mapping) else characters)
    data = [(label, character, _kinds(check_text(character).encode("utf-8"))) for label, character in labeled]
    rows = []
    for label, character, kinds in data:
        boxes = View(_bytes(character.encode("utf-8"), bits=True), _as_text(kinds))
        rows.append(
            [
                readable(label),
                View(tag("bdi", visible(character)), visible(character)),
                " ".join(f"U+{ord(c):04X}" for c in character),
                boxes,
            ]
        )
    drawn = sheet((), rows, ["cell", ["cell", "larger"], ["cell", "mono"]])
    twin = f"{drawn.text}\n+ lead byte, followed by its continuation bytes"
    return View(join([drawn.html, _key("110…", "10…", "0…")]), twin, data)


def _kinds(data: bytes) -> list[tuple[str, str]]:
    return [(f"{byte:02X}", kind_of_byte(byte)) for byte in data]


def _as_text(kinds: list[tuple[str, str]]) -> str:
    return " ".join(digits + "+" * (kind == "lead") for digits, kind in kinds)


def _bytes(data: bytes, *, bits: bool = False, come: int | None = None):
    # The bytes of a text, left to right as in a file; those that have not come yet are pale.
    boxes = [_byte_box(byte, bits, come is not None and place >= come) for place, byte in enumerate(data)]
    return tag("span", *boxes, look="unbroken", dir="ltr")


def _byte_box(byte: int, bits: bool, later: bool):
    kind = kind_of_byte(byte)
    inner = tag("span", f"{byte:02X}")
    if bits:
        digits = f"{byte:08b}"
        prefix = digits.index("0") + 1  # ones and the zero behind them say what the byte is
        marked = tag("u", tag("b", digits[:prefix]))
        inner = join([tag("b", inner), tag("div", marked, digits[prefix:], look="tiny")])
    mark = f" {'not yet come, ' * later}{kind} "
    return box(inner, ["byte", "later" if later else kind], f"{byte} · {kind} byte", mark)


def _key(*starts: str):
    boxes = [(box(start, ["byte", kind]), f" {said} ") for (kind, said), start in zip(_KEY, starts or "   ")]
    return tag("div", *(part for pair in boxes for part in pair), look="key")


def utf8_bytes(text: str) -> View:
    """Show each character of a text over its bytes.

    A character is a Unicode code point here; some signs on a screen are made of several.

    Args:
        text: any text; of a long one the first characters are drawn, and all are counted.

    Returns:
        A View; ``data`` is [(character, [(byte in hexadecimal, kind)])] of all characters.

    Example:
        >>> utf8_bytes("né")
        n 6E | é C3+ A9
        2 characters · 3 bytes · 1.50 bytes per character
    """
    check_text(text)
    data = [(character, _kinds(character.encode("utf-8"))) for character in text]
    line = f"{count_of(len(text), 'character')} · {count_of(len(text.encode('utf-8')), 'byte')}"
    if text:
        line += f" · {len(text.encode('utf-8')) / len(text):.2f} bytes per character"
    if len(data) > MAX_CHARACTERS:
        line += f" · first {MAX_CHARACTERS} characters shown"
    shown = data[:MAX_CHARACTERS]
    columns = [
        tag(
            "div",
            tag("div", tag("bdi", visible(character)), look="larger"),
            _bytes(character.encode("utf-8")),
            look="column",
        )
        for character, _ in shown
    ]
    twin = " | ".join(f"{visible(character)} {_as_text(kinds)}" for character, kinds in shown)
    drawn = join([tag("div", *columns, dir=direction(text)), _key()])
    return titled("", View(drawn, twin), line, data=data)


class ByteCut(View):
    """The bytes of a text, cut after each of them; ``live()`` lets the reader move the cut.

    Attributes:
        content: the bytes.
        data: [{cut, decoded, shown, held}] for 0, 1, 2, ... bytes: what decoding the bytes
            so far gives, what a careful stream shows, and the bytes that it holds back (hexadecimal).
    """

    def __init__(self, text: str):
        """Draw one row for each cut; see ``byte_cut``."""
        self.content = check_text(text).encode("utf-8")
        self.data = [self._seen(cut) for cut in range(len(self.content) + 1)]
        names = ("cut after", "bytes so far", "decoded at once", "shown by a stream", "held back")
        drawn = sheet(
            names, map(self._row, self.data), ["cell", ["cell", "fine"], ["cell", "large"], ["cell", "large"]]
        )
        lines = [
            f"{seen['cut']:>2}  {seen['decoded']!r:10} {seen['shown']!r:10} {seen['held'] or '-'}" for seen in self.data
        ]
        text = "\n".join(["cut after, decoded at once, shown by a stream, held back", *lines])
        super().__init__(join([drawn.html, _key()]), text, self.data)

    def _seen(self, cut: int) -> dict:
        so_far = self.content[:cut]
        decoder = codecs.getincrementaldecoder("utf-8")()
        shown = decoder.decode(so_far)
        held = decoder.getstate()[0]
        return {
            "cut": cut,
            "decoded": so_far.decode("utf-8", "replace"),
            "shown": shown,
            "held": hexadecimal(held),
        }

    def _row(self, seen: dict) -> list:
        decoded = [
            box(REPLACEMENT, ["box", "unknown"])
            if one == REPLACEMENT and seen["decoded"] != seen["shown"]
            else _plain(one)
            for one in seen["decoded"]
        ]
        shown, held = "".join(map(_plain, seen["shown"])), seen["held"] or "nothing"
        boxes = View(_bytes(self.content, come=seen["cut"]), "")
        return [str(seen["cut"]), boxes, View(tag("bdi", *decoded), ""), View(tag("bdi", shown), ""), held]

    def at(self, cut: int) -> View:
        """Return what the slider shows when the text is cut after so many bytes.

        Raises:
            ValueError: there are not so many bytes.

        Example:
            >>> byte_cut("né").at(2)
            2 of 3 bytes: 6E C3
            decoded at once: 'n\ufffd'
            shown by a stream: 'n'
            held back: C3
        """
        if not 0 <= cut <= len(self.content):
            raise ValueError(f"cut is {cut}; it must be from 0 to {len(self.content)}, the number of bytes")
        seen = self.data[cut]
        lines = [
            ("decoded at once", repr(seen["decoded"])),
            ("shown by a stream", repr(seen["shown"])),
            ("held back", seen["held"] or "nothing"),
        ]
        first = f"{cut} of {count_of(len(self.content), 'byte')}"
        drawn = sheet((), lines, [["cell", "bold"], ["cell", "large"]])
        html = join([tag("div", first), tag("div", _bytes(self.content, come=cut)), drawn.html])
        so_far = hexadecimal(self.content[:cut])
        text = "\n".join([f"{first}: {so_far}".rstrip(": "), *(f"{name}: {value}" for name, value in lines)])
        return View(html, text, seen)

    def live(self, start: int | None = None):
        """Return a widget: a slider for the cut, and the view below it.

        Args:
            start: the first cut; by default the first one after which something is held back.
        """
        from . import live  # here, because a still view needs no ipywidgets

        if start is None:
            start = next((seen["cut"] for seen in self.data if seen["held"]), 0)
        field, slider = live.number_slider("Cut after", start, len(self.content))
        return live.follow(self.at, {"slider": slider}, RUN_ME, VIEW_CLASS, [live.ipywidgets.HBox([field, slider])])


def _plain(character: str) -> str:
    return character if character == REPLACEMENT else visible(character)


def byte_cut(text: str) -> ByteCut:
    """Show what one sees of a text when only its first bytes have come.

    Args:
        text: a short text; the still view has one row for each of its bytes.

    Returns:
        A ByteCut: all cuts as a table, with ``.at(cut)`` for one and ``.live()`` for a slider.

    Example:
        >>> byte_cut("é")
        cut after, decoded at once, shown by a stream, held back
         0  ''         ''         -
         1  '\ufffd'        ''         C3
         2  'é'        'é'        -
    """
    return ByteCut(text)
