"""Where patterns cut a text: four patterns aligned character by character, and who took each piece."""

import re
from collections.abc import Mapping

from markupsafe import Markup

from ..patterns import PATTERNS, Took, alternatives_of, took
from .look import View, count_of, direction, readable, row, sheet, table, tag, titled, unseen, visible
from .typed import TextBox, text_box

NAMES = {"gpt2": "GPT-2", "cl100k": "GPT-4", "o200k": "GPT-4o", "qwen2": "Qwen2.5"}
"""The patterns of the course and the models that they belong to."""

ROW = 40  # characters beside each other; a longer text goes on below
MAX_CHARACTERS = 240
GAP = "no alternative: a gap"
HEAD = ("piece", "alternative", "what it is for")


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
        return View("No text yet.", "No text yet.", data)
    rows = [_Row(label, found, patterns[label]) for label, found in data]
    shown = text[:MAX_CHARACTERS]
    blocks = [(start, shown[start : start + ROW]) for start in range(0, len(shown), ROW)]
    wide = max(max(len(row.label), len(row.count)) for row in rows)
    drawn = [
        View(
            table([line for row in rows for line in row.html(start, part)], look="grid", dir=direction(text)),
            "\n".join(line for row in rows for line in row.lines(start, part, wide)),
        )
        for start, part in blocks
    ]
    cut = f"first {len(shown):,} of {len(text):,} characters shown" if len(text) > len(shown) else ""
    return titled(title, *drawn, cut, data=[(label, [tuple(piece) for piece in found]) for label, found in data])


class _Row:
    # One pattern's cuts: for each character the piece that it belongs to, and where pieces begin.
    def __init__(self, label: str, found: list[Took], pattern: str):
        self.label, self.count = readable(label), count_of(len(found), "piece")
        self.found, self.alternatives = found, alternatives_of(pattern)
        self.piece_at: list[int] = []
        self.starts: set[int] = set()
        for i, (piece, _) in enumerate(found):
            self.starts.add(len(self.piece_at))
            self.piece_at += [i] * len(piece)

    def html(self, start: int, part: str) -> list:
        above, below = [], []
        for place, character in enumerate(part, start):
            i = self.piece_at[place]
            begins = place in self.starts
            number = self.found[i].number
            look = ["grid cell", "character", "lost" if not number else "odd" if i % 2 else "even"]
            shown = unseen("|" * (begins and place > 0)), visible(character)
            above.append(tag("td", *shown, look=[*look, "cut" if begins else "uncut"], title=self._hover(i)))
            if begins or place == start:
                length = sum(1 for j in self.piece_at[place : start + len(part)] if j == i)
                said = number if begins else "…"
                below.append(tag("td", said, colspan=length, look=["grid cell", "took", "uncut"]))
        label = tag("th", tag("bdi", self.label), scope="row", look="label")
        count = tag("td", tag("bdi", self.count), look=["label", "tiny"])
        return [row(label, *above, tag("td", look=["grid cell", "end"])), row(count, *below)]

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
        said = f"alternative {number}: {self.alternatives[number - 1].meaning}" if number else GAP
        return f"{visible(piece)} · {said}"


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
        piece  alternative  what it is for
        It     2            letters, with one space before them
        's     1            the end of an English contraction, lower case only
    """
    found = took(text, pattern)
    alternatives = alternatives_of(pattern)
    rows = [(visible(piece), str(n), alternatives[n - 1].meaning if n else GAP) for piece, n in found]
    return sheet(HEAD, rows, [["cell", "code"]], [tuple(piece) for piece in found])


def pattern_alternatives(pattern: str) -> View:
    """Show the alternatives of a pattern in their order, each with what it is for.

    Returns:
        A View; ``data`` is [(number, regular expression, meaning)].
    """
    data = [(number, *alternative) for number, alternative in enumerate(alternatives_of(pattern), 1)]
    rows = [(str(number), _expression(expression), meaning) for number, expression, meaning in data]
    return sheet(("", "regular expression", "what it takes"), rows, ["cell", ["cell", "code"]], data)


_PART = re.compile(r"(?:\(\?i?[:!]|\[[^\]]*\]|\\p\{\w+\}|\\.|'?\w+|.)(?:[+*?]|\{[\d,]+\})?")


def _expression(expression: str, number: str = "") -> View:
    # Its spaces can be seen, and a line of it ends between two parts.
    parts = [number + part if not i else part for i, part in enumerate(_PART.findall(expression.replace(" ", "·")))]
    html = Markup("<wbr>").join(tag("span", part, look="unbroken") for part in parts)
    return View(html, "".join(parts))


PURPOSES = {
    "the end of a contraction": {"gpt2": (1,), "cl100k": (1,), "o200k": (), "qwen2": (1,)},
    "letters": {"gpt2": (2,), "cl100k": (2,), "o200k": (1, 2), "qwen2": (2,)},
    "digits": {"gpt2": (3,), "cl100k": (3,), "o200k": (3,), "qwen2": (3,)},
    "other visible characters": {"gpt2": (4,), "cl100k": (4,), "o200k": (4,), "qwen2": (4,)},
    "white space at the very end, by itself": {"gpt2": (), "cl100k": (5,), "o200k": (), "qwen2": ()},
    "white space up to a line end": {"gpt2": (), "cl100k": (6,), "o200k": (5,), "qwen2": (5,)},
    "white space before a word, but its last character; at the very end, all": {
        "gpt2": (5,),
        "cl100k": (7,),
        "o200k": (6,),
        "qwen2": (6,),
    },
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
    rows, lines = [], []
    for purpose, found in data.items():
        cells = [
            [_expression(part, f"{number}: ") for number, part in cell] or [View("–", "–")] for cell in found.values()
        ]
        rows.append([purpose, *(View(Markup("\n").join(part.html for part in cell), "") for cell in cells)])
        lines.append(purpose)
        lines += [
            f"  {NAMES[pattern]:8} {'   '.join(part.text for part in cell)}" for pattern, cell in zip(found, cells)
        ]
    return View(sheet(["", *NAMES.values()], rows, ["cell", *[["cell", "code"]] * 4]).html, "\n".join(lines), data)
