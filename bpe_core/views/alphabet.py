"""GPT-2's printable alphabet: all 256 bytes, and the character that stands for each."""

from collections.abc import Sequence

from ..exchange import BYTE_TO_CHARACTER
from .look import EDGE, INK, OKABE_ITO, TINTS, View, escape

_CELL = "width:24px;height:24px;padding:0;text-align:center;font-size:14px;"
_ITSELF = f"{_CELL}background-color:{TINTS['green']};color:{INK};border:1px solid {EDGE}"
_MOVED = f"{_CELL}background-color:{TINTS['orange']};color:{INK};border:2px dashed {OKABE_ITO['vermillion']}"
_HEAD = f"{_CELL}font-family:monospace;font-size:12px;border:none;font-weight:normal"
_DIGITS = "0123456789ABCDEF"


def byte_alphabet(ids: Sequence[int] | None = None) -> View:
    """Show the 256 bytes, 16 a row, as GPT-2's files write them.

    Bytes that print as themselves are solid; those that got another character are dashed.

    Args:
        ids: the id of each byte in a vocabulary, shown when the pointer rests on a cell.

    Returns:
        A View; ``data`` is a dict: itself (the bytes that print as themselves) and moved
        {byte: character}.

    Example:
        >>> byte_alphabet().text.splitlines()[2]
        '2_  Ġ ! " # $ % & \\' ( ) * + , - . /'
    """
    itself = [byte for byte, character in BYTE_TO_CHARACTER.items() if ord(character) == byte]
    moved = {byte: BYTE_TO_CHARACTER[byte] for byte in range(256) if BYTE_TO_CHARACTER[byte] != chr(byte)}
    head = "".join(f'<th style="{_HEAD}">_{digit}</th>' for digit in _DIGITS)
    rows = "".join(
        f'<tr style="background-color:transparent"><th style="{_HEAD}">{_DIGITS[high]}_</th>'
        + "".join(_cell(16 * high + low, moved, ids) for low in range(16))
        + "</tr>"
        for high in range(16)
    )
    line = f"{len(itself)} bytes are written as themselves, {len(moved)} as a character from U+0100 on"
    key = (
        f'<span style="{_ITSELF};padding:0 6px">A</span> as itself: {len(itself)} bytes &nbsp; '
        f'<span style="{_MOVED};padding:0 6px">Ġ</span> as a character from U+0100 on: {len(moved)} bytes'
    )
    text = [
        f"{_DIGITS[high]}_  " + " ".join(BYTE_TO_CHARACTER[16 * high + low] for low in range(16)) for high in range(16)
    ]
    return View(
        f'<table style="border-collapse:collapse"><thead><tr><th style="{_HEAD}"></th>{head}</tr></thead>'
        f'<tbody>{rows}</tbody></table><div style="font-size:13px;line-height:2;margin:4px 0">{key}</div>',
        "\n".join([*text, line]),
        {"itself": sorted(itself), "moved": moved},
    )


def _cell(byte: int, moved: dict[int, str], ids: Sequence[int] | None) -> str:
    character = BYTE_TO_CHARACTER[byte]
    said = f"byte {byte:02X} ({byte}) · U+{ord(character):04X}" + (f" · id {ids[byte]}" if ids else "")
    return f'<td style="{_MOVED if byte in moved else _ITSELF}" title="{said}">{escape(character)}</td>'
