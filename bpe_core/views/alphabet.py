"""GPT-2's printable alphabet: all 256 bytes, and the character that stands for each."""

from collections.abc import Sequence

from ..exchange import BYTE_TO_CHARACTER
from .look import View, box, join, row, table, tag, unseen

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
    moved = {byte: BYTE_TO_CHARACTER[byte] for byte in range(256) if BYTE_TO_CHARACTER[byte] != chr(byte)}
    itself = [byte for byte in range(256) if byte not in moved]
    head = [tag("th", name, look="byte head") for name in ("", *(f"_{digit}" for digit in _DIGITS))]
    rows = [
        row(
            tag("th", f"{_DIGITS[high]}_", scope="row", look="byte head"),
            *(_cell(byte, byte in moved, ids) for byte in range(16 * high, 16 * high + 16)),
        )
        for high in range(16)
    ]
    solid, dashed = box("A", ["box", "itself"]), box("Ġ", ["box", "moved"])
    key = [f" as itself: {len(itself)} bytes ", f" as a character from U+0100 on: {len(moved)} bytes"]
    line = f"{len(itself)} bytes are written as themselves, {len(moved)} as a character from U+0100 on"
    text = [
        f"{_DIGITS[high]}_  " + " ".join(BYTE_TO_CHARACTER[16 * high + low] for low in range(16)) for high in range(16)
    ]
    return View(
        join([table(rows, head), tag("div", solid, key[0], dashed, key[1], look="key")]),
        "\n".join([*text, line]),
        {"itself": itself, "moved": moved},
    )


def _cell(byte: int, is_moved: bool, ids: Sequence[int] | None):
    character = BYTE_TO_CHARACTER[byte]
    said = f"byte {byte:02X} ({byte}) · U+{ord(character):04X}" + (f" · id {ids[byte]}" if ids else "")
    return tag(
        "td", character, unseen("moved" * is_moved), look=["byte cell", "moved" if is_moved else "itself"], title=said
    )
