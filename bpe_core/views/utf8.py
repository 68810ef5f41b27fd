"""UTF-8 to look at: the bytes of characters, and what a cut through them shows."""

import codecs
from collections.abc import Iterable, Mapping

from .look import CELL, EDGE, INK, OKABE_ITO, TABLE, TINTS, View, count_of, escape, hexadecimal, visible

VIEW_CLASS = "bpe-cut-view"  # of the element that changes with the slider
RUN_ME = "Run this cell to move the cut."
REPLACEMENT = "\ufffd"  # what a decoder writes where bytes are no text
MAX_CHARACTERS = 40  # drawn at most under the text that a reader types

_BYTE = "display:inline-block;border-radius:3px;padding:0 4px;margin:1px;text-align:center;font-family:monospace;"
_STYLES = {
    "single": f"{_BYTE}background-color:#FFFFFF;color:{INK};border:1px solid {EDGE}",
    "lead": f"{_BYTE}background-color:{TINTS['sky']};color:{INK};border:2px solid {OKABE_ITO['blue']}",
    "continuation": f"{_BYTE}background-color:{TINTS['orange']};color:{INK};border:2px dashed #A66F00",
    "later": f"{_BYTE}background-color:#F1F3F4;color:#59636A;border:1px dotted {EDGE}",
}
_KEY = (
    ("lead", "110…", "lead byte: how many bytes the character has"),
    ("continuation", "10…", "continuation byte"),
    ("single", "0…", "a character of one byte"),
)
_NOTE = "font-size:13px;line-height:1.7;margin:2px 0 6px 0"


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
    data = [(label, character, _kinds(character.encode("utf-8"))) for label, character in labeled]
    wide = max((len(label) for label, _ in labeled), default=0)
    lines = [
        f"{label:{wide}}  {visible(character)}  {_code_point(character)}  {_as_text(kinds)}"
        for label, character, kinds in data
    ]
    body = "".join(_grid_row(label, character) for label, character in labeled)
    return View(
        f'<table style="{TABLE}"><tbody>{body}</tbody></table>{_key()}',
        "\n".join([*lines, "+ lead byte, followed by its continuation bytes"]),
        data,
    )


def _kinds(data: bytes) -> list[tuple[str, str]]:
    return [(f"{byte:02X}", kind_of_byte(byte)) for byte in data]


def _as_text(kinds: list[tuple[str, str]]) -> str:
    return " ".join(digits + "+" * (kind == "lead") for digits, kind in kinds)


def _code_point(character: str) -> str:
    return " ".join(f"U+{ord(c):04X}" for c in character)


def _grid_row(label: str, character: str) -> str:
    boxes = "".join(_byte_box(byte, bits=True) for byte in character.encode("utf-8"))
    return (
        f'<tr style="background-color:transparent"><td style="{CELL}">{escape(label)}</td>'
        f'<td style="{CELL};font-size:22px" dir="auto">{escape(visible(character))}</td>'
        f'<td style="{CELL};font-family:monospace">{_code_point(character)}</td>'
        f'<td style="{CELL}">{boxes}</td></tr>'
    )


def _byte_box(byte: int, *, bits: bool = False, later: bool = False) -> str:
    kind = kind_of_byte(byte)
    inner = f"{byte:02X}"
    if bits:
        digits = f"{byte:08b}"
        prefix = digits.index("0") + 1  # ones and the zero behind them say what the byte is
        marked = f"<u><b>{digits[:prefix]}</b></u>{digits[prefix:]}"
        inner = f'<b>{inner}</b><br><span style="font-size:11px">{marked}</span>'
    return f'<span style="{_STYLES["later" if later else kind]}" title="{byte} · {kind} byte">{inner}</span>'


def _key(*, bits: bool = True) -> str:
    parts = [f'<span style="{_STYLES[kind]}">{start if bits else "&nbsp;"}</span> {said}' for kind, start, said in _KEY]
    return f'<div style="{_NOTE}">{" &nbsp; ".join(parts)}</div>'


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
    data = [(character, _kinds(character.encode("utf-8"))) for character in text]
    line = f"{count_of(len(text), 'character')} · {count_of(len(text.encode('utf-8')), 'byte')}"
    if text:
        line += f" · {len(text.encode('utf-8')) / len(text):.2f} bytes per character"
    if len(data) > MAX_CHARACTERS:
        line += f" · first {MAX_CHARACTERS} characters shown"
    shown = data[:MAX_CHARACTERS]
    columns = "".join(
        '<div style="display:inline-block;text-align:center;margin:0 5px 6px 0;vertical-align:top">'
        f'<div style="font-size:20px" dir="auto">{escape(visible(character))}</div>'
        f"{''.join(_byte_box(byte) for byte in character.encode('utf-8'))}</div>"
        for character, _ in shown
    )
    twin = " | ".join(f"{visible(character)} {_as_text(kinds)}" for character, kinds in shown)
    return View(f'<div>{columns}</div>{_key(bits=False)}<div style="{_NOTE}">{line}</div>', f"{twin}\n{line}", data)


class ByteCut(View):
    """The bytes of a text, cut after each of them; ``live()`` lets the reader move the cut.

    Attributes:
        content: the bytes.
        data: [{cut, decoded, shown, held}] for 0, 1, 2, ... bytes: what decoding the bytes
            so far gives, what a careful stream shows, and the bytes that it holds back (hexadecimal).
    """

    def __init__(self, text: str):
        """Draw one row for each cut; see ``byte_cut``."""
        self.content = text.encode("utf-8")
        self.data = [self._seen(cut) for cut in range(len(self.content) + 1)]
        names = ("cut after", "bytes so far", "decoded at once", "shown by a stream", "held back")
        head = "".join(f'<th style="{CELL}">{name}</th>' for name in names)
        body = "".join(self._row(seen) for seen in self.data)
        lines = [
            f"{seen['cut']:>2}  {seen['decoded']!r:10} {seen['shown']!r:10} {seen['held'] or '-'}" for seen in self.data
        ]
        super().__init__(
            f'<table style="{TABLE}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{_key(bits=False)}',
            "\n".join(["cut after, decoded at once, shown by a stream, held back", *lines]),
            self.data,
        )

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

    def _boxes(self, cut: int) -> str:
        return "".join(_byte_box(byte, later=place >= cut) for place, byte in enumerate(self.content))

    def _row(self, seen: dict) -> str:
        wrong = f"color:#A63C00;background-color:#FFFFFF;border:2px dashed {OKABE_ITO['vermillion']};padding:0 3px"
        decoded = escape("".join(map(_plain, seen["decoded"])))
        if seen["decoded"] != seen["shown"]:
            decoded = decoded.replace(REPLACEMENT, f'<span style="{wrong}">{REPLACEMENT}</span>')
        cells = [
            str(seen["cut"]),
            f'<span style="white-space:nowrap;font-size:12px">{self._boxes(seen["cut"])}</span>',
            f'<span style="font-size:16px">{decoded}</span>',
            f'<span style="font-size:16px">{escape("".join(map(_plain, seen["shown"])))}</span>',
            f'<span style="white-space:nowrap;font-family:monospace">{seen["held"] or "nothing"}</span>',
        ]
        return (
            '<tr style="background-color:transparent">'
            + "".join(f'<td style="{CELL}">{cell}</td>' for cell in cells)
            + "</tr>"
        )

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
        rows = "".join(
            f'<tr style="background-color:transparent"><td style="{CELL}"><b>{name}</b></td>'
            f'<td style="{CELL};font-size:16px">{escape(value)}</td></tr>'
            for name, value in lines
        )
        html = f'<div>{first}</div><div>{self._boxes(cut)}</div><table style="{TABLE}">{rows}</table>'
        so_far = hexadecimal(self.content[:cut])
        text = "\n".join([f"{first}: {so_far}".rstrip(": "), *(f"{name}: {value}" for name, value in lines)])
        return View(html, text, seen)

    def live(self, start: int | None = None):
        """Return a widget: a slider for the cut, and the view below it.

        Args:
            start: the first cut; by default the first one after which something is held back.
        """
        import ipywidgets

        from .live import still_box  # here, because a still view needs no ipywidgets

        last = len(self.content)
        if start is None:
            start = next((seen["cut"] for seen in self.data if seen["held"]), 0)
        first = self.at(start)
        slider = ipywidgets.IntSlider(
            value=start,
            min=0,
            max=last,
            description="Cut after",
            layout=ipywidgets.Layout(width="60%", min_width="300px"),
        )
        view = ipywidgets.HTML(first.html)
        view.add_class(VIEW_CLASS)
        slider.observe(lambda change: setattr(view, "value", self.at(change["new"]).html), "value")
        box = still_box([slider, view], RUN_ME, first)
        box.slider, box.view = slider, view
        return box


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
