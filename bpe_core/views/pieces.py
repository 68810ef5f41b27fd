"""Where patterns cut a text: four patterns aligned character by character, and who took each piece."""

from collections.abc import Mapping

from ..patterns import PATTERNS, Took, alternatives_of, took
from .look import (
    CELL,
    EDGE,
    INK,
    NOTE,
    OKABE_ITO,
    TABLE,
    TINTS,
    View,
    bar_of,
    count_of,
    escape,
    is_right_to_left,
    title_line,
    visible,
)
from .typed import TextBox, text_box

NAMES = {"gpt2": "GPT-2", "cl100k": "GPT-4", "o200k": "GPT-4o", "qwen2": "Qwen2.5"}
"""The patterns of the course and the models that they belong to."""

ROW = 40  # characters beside each other; a longer text goes on below
MAX_CHARACTERS = 240
GAP = "no alternative: a gap"

_BOX = "padding:1px 1px 1px 0;margin:0;text-align:center;vertical-align:middle;border:none;white-space:nowrap"
_CHARACTER = f"{_BOX};font-family:monospace;font-size:13px;line-height:1.5;min-width:0.65em;color:{INK}"
_NUMBER = f"{_BOX};font-size:10px;line-height:1.2;color:inherit"
_LABEL = "text-align:left;white-space:nowrap;border:none;padding:1px 8px 1px 0;font-size:13px;vertical-align:middle"
_LOST = f"border-top:2px dashed {OKABE_ITO['vermillion']};border-bottom:2px dashed {OKABE_ITO['vermillion']}"
_CODE = "font-family:monospace;font-size:12px;overflow-wrap:anywhere;white-space:pre-wrap"


def pattern_rows(text: str, patterns: Mapping[str, str] | None = None, *, title: str = "") -> View:
    """Show one text cut by several patterns, one row each, aligned character by character.

    A thick line is a cut; below each piece stands the number of the alternative that took it.
    What no alternative took has a dashed border and the number 0.

    Args:
        text: any text; the first 240 characters are shown.
        patterns: {label: name or regular expression}; by default the four named ones.
        title: a line above.

    Returns:
        A View; ``data`` is [(label, [(piece, number)])].

    Example:
        >>> pattern_rows("It's 12", {"GPT-2": "gpt2"})
        GPT-2     I t|' s|· 1 2
        3 pieces  2   1   3
    """
    patterns = patterns or {name: pattern for pattern, name in NAMES.items()}
    data = [(label, took(text, pattern)) for label, pattern in patterns.items()]
    if not text:
        return View("<div>No text yet.</div>", "No text yet.", data)
    direction = "rtl" if is_right_to_left(text) else "ltr"
    rows = [_Row(label, found, patterns[label], direction) for label, found in data]
    shown = text[:MAX_CHARACTERS]
    blocks = [(start, shown[start : start + ROW]) for start in range(0, len(shown), ROW)]
    html = title_line(title)
    lines = [title] if title else []
    wide = max(max(len(row.label), len(row.count)) for row in rows)
    for start, part in blocks:
        body = "".join(row.html(start, part) for row in rows)
        html += f'<table dir="{direction}" style="{TABLE};border-collapse:separate;border-spacing:0;margin-bottom:10px"><tbody>{body}</tbody></table>'
        for row in rows:
            lines += row.lines(start, part, wide)
    if len(text) > len(shown):
        cut = f"first {len(shown):,} of {len(text):,} characters shown"
        html += f'<div style="{NOTE}">{cut}</div>'
        lines.append(cut)
    return View(html, "\n".join(lines), [(label, [tuple(piece) for piece in found]) for label, found in data])


class _Row:
    # One pattern's cuts: for each character the piece that it belongs to, and where pieces begin.
    def __init__(self, label: str, found: list[Took], pattern: str, direction: str):
        self.edge = "border-right" if direction == "rtl" else "border-left"  # where a character begins
        self.label, self.count = label, count_of(len(found), "piece")
        self.found, self.alternatives = found, alternatives_of(pattern)
        self.piece_at: list[int] = []
        self.starts: set[int] = set()
        for i, (piece, _) in enumerate(found):
            self.starts.add(len(self.piece_at))
            self.piece_at += [i] * len(piece)

    def html(self, start: int, part: str) -> str:
        above = below = ""
        for place, character in enumerate(part, start):
            i = self.piece_at[place]
            begins = place in self.starts
            number = self.found[i].number
            tint = "#FFFFFF" if not number else TINTS["orange"] if i % 2 else TINTS["sky"]
            style = f"{_CHARACTER};background-color:{tint};"
            style += f"{self.edge}:3px solid {INK if begins else tint}"
            style += f";{_LOST}" if not number else ""
            bar = bar_of() if begins and place else ""
            above += f'<td style="{style}" title="{escape(self._hover(i))}">{bar}{escape(visible(character))}</td>'
            if begins or place == start:
                length = sum(1 for j in self.piece_at[place : start + len(part)] if j == i)
                said = str(number) if begins else "…"
                below += f'<td colspan="{length}" style="{_NUMBER};{self.edge}:3px solid transparent">{said}</td>'
        plain = 'style="background-color:transparent"'
        return (
            f'<tr {plain}><th scope="row" dir="ltr" style="{_LABEL}">{escape(self.label)}</th>{above}'
            f'<td style="{_BOX};{self.edge}:3px solid {EDGE}"></td></tr>'
            f'<tr {plain}><td dir="ltr" style="{_LABEL};font-size:11px">{self.count}</td>{below}</tr>'
        )

    def lines(self, start: int, part: str, wide: int) -> list[str]:
        above, below = f"{self.label:{wide}} ", f"{self.count:{wide}} "
        for place, character in enumerate(part, start):
            shown = visible(character)
            begins = place in self.starts
            above += ("|" if begins and place > start else " ") + shown
            below += " " + (str(self.found[self.piece_at[place]].number) if begins else "").ljust(len(shown))
        return [above, below.rstrip()]

    def _hover(self, i: int) -> str:
        piece, number = self.found[i]
        meaning = self.alternatives[number - 1].meaning if number else GAP
        return f"{visible(piece)} · alternative {number}: {meaning}" if number else f"{visible(piece)} · {meaning}"


def pattern_box(text: str, patterns: Mapping[str, str] | None = None) -> TextBox:
    """Show where patterns cut a text; live, of any text.

    Args:
        text: the text of the first, still view.
        patterns: as in ``pattern_rows``.

    Returns:
        A TextBox.

    Example:
        >>> pattern_box("a b", {"GPT-2": "gpt2"})
        Text: a b
        GPT-2     a|· b
        2 pieces  2 2
    """
    return text_box(lambda typed: pattern_rows(typed, patterns), text)


def who_took(text: str, pattern: str) -> View:
    """Show each piece of a text with the alternative that took it, and what that is for.

    Args:
        text: any text.
        pattern: a name, or a regular expression.

    Returns:
        A View; ``data`` is [(piece, number)].

    Example:
        >>> who_took("It's", "gpt2")
        It  2  letters, with one space before them
        's  1  the end of an English contraction, lower case only
    """
    found = took(text, pattern)
    alternatives = alternatives_of(pattern)
    rows = [(visible(piece), str(n), alternatives[n - 1].meaning if n else GAP) for piece, n in found]
    head = ("piece", "alternative", "what it is for")
    return View(_table(head, rows, codes=(0,)), _aligned(rows), [tuple(piece) for piece in found])


def pattern_alternatives(pattern: str) -> View:
    """Show the alternatives of a pattern in their order, each with what it is for.

    Returns:
        A View; ``data`` is [(number, regular expression, meaning)].
    """
    data = [(number, *alternative) for number, alternative in enumerate(alternatives_of(pattern), 1)]
    rows = [(str(number), expression, meaning) for number, expression, meaning in data]
    return View(_table(("", "regular expression", "what it takes"), rows, codes=(1,)), _aligned(rows), data)


PURPOSES = {
    "the end of a contraction": {"gpt2": (1,), "cl100k": (1,), "o200k": (), "qwen2": (1,)},
    "letters": {"gpt2": (2,), "cl100k": (2,), "o200k": (1, 2), "qwen2": (2,)},
    "digits": {"gpt2": (3,), "cl100k": (3,), "o200k": (3,), "qwen2": (3,)},
    "other visible characters": {"gpt2": (4,), "cl100k": (4,), "o200k": (4,), "qwen2": (4,)},
    "white space at the very end": {"gpt2": (), "cl100k": (5,), "o200k": (), "qwen2": ()},
    "white space up to a line end": {"gpt2": (), "cl100k": (6,), "o200k": (5,), "qwen2": (5,)},
    "white space but its last character": {"gpt2": (5,), "cl100k": (7,), "o200k": (6,), "qwen2": (6,)},
    "white space that is left": {"gpt2": (6,), "cl100k": (8,), "o200k": (7,), "qwen2": (7,)},
}
"""What each alternative of the four patterns is for: {purpose: {pattern: numbers of alternatives}}."""


def pattern_comparison() -> View:
    """Show the alternatives of the four patterns side by side, one row for each purpose.

    Returns:
        A View; ``data`` is {purpose: {pattern: [(number, regular expression)]}}.
    """
    data = {
        purpose: {
            pattern: [(number, PATTERNS[pattern][number - 1].regex) for number in numbers]
            for pattern, numbers in by_pattern.items()
        }
        for purpose, by_pattern in PURPOSES.items()
    }
    rows = [
        (
            purpose,
            *("\n".join(f"{number}: {expression}" for number, expression in cell) or "–" for cell in row.values()),
        )
        for purpose, row in data.items()
    ]
    lines = []
    for purpose, row in data.items():
        lines.append(purpose)
        for pattern, cell in row.items():
            said = "   ".join(f"{number}: {expression}" for number, expression in cell) or "–"
            lines.append(f"  {NAMES[pattern]:8} {said}")
    return View(_table(("", *NAMES.values()), rows, codes=(1, 2, 3, 4)), "\n".join(lines), data)


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]], codes: tuple[int, ...]) -> str:
    top = "".join(f'<th style="{CELL}">{escape(name)}</th>' for name in head)
    body = ""
    for row in rows:
        cells = (
            f'<td style="{CELL}{";" + _CODE if column in codes else ""}">{escape(content)}</td>'
            for column, content in enumerate(row)
        )
        body += f'<tr style="background-color:transparent">{"".join(cells)}</tr>'
    return f'<table style="{TABLE}"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'


def _aligned(rows: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)] if rows else []
    return "\n".join("  ".join([*(f"{c:{w}}" for c, w in zip(row, widths)), row[-1]]) for row in rows)
