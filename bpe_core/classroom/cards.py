"""Cards: what check, hint, solution and progress show, as HTML and as plain text.

Both say the same. An icon and a word carry the outcome, the color only helps; no time,
path or random id appears, so that a saved notebook stays comparable. Like
setup_check, which shows such a card, it is written so that an old Python can read it.
"""

from __future__ import annotations  # for that old Python

import re
from dataclasses import dataclass
from html import escape

# (icon, word, color): Okabe-Ito colors, all light enough for black text.
BADGES = {
    "not attempted": ("○", "Not attempted", "#56B4E9"),
    "passed": ("✓", "Passed", "#009E73"),
    "wrong": ("✗", "Not right yet", "#E69F00"),
    "error": ("!", "Error", "#D55E00"),
    "not found": ("?", "Not found", "#F0E442"),
    "by hand": ("→", "To be looked at by hand", "#F0E442"),
    "hint": ("→", "Hint", "#CC79A7"),
    "solution": ("=", "Solution", "#F0E442"),
    "progress": ("#", "Progress", "#56B4E9"),
    "quiz": ("?", "Quiz", "#CC79A7"),
    "ready": ("✓", "Ready", "#009E73"),
    "to mend": ("!", "To mend", "#E69F00"),
}
# JupyterLab's own theme colors where they exist; black on white elsewhere.
BOX = (
    "border:1px solid #888;border-left:6px solid {color};border-radius:4px;padding:8px 12px;margin:4px 0;"
    "max-width:52em;background:var(--jp-layout-color1,#fff);color:var(--jp-ui-font-color1,#111)"
)
BADGE = "background:{color};color:#000;border-radius:3px;padding:1px 7px;font-weight:bold;white-space:nowrap"
CODE = (
    "margin:6px 0;padding:6px 8px;overflow-x:auto;white-space:pre;font-family:monospace;"
    "background:var(--jp-layout-color2,#eee);color:var(--jp-ui-font-color1,#111)"
)
CELL = "text-align:left;font-size:inherit;vertical-align:top;padding:2px 12px 2px 0;border:0;background:transparent"
VALUE = "font-family:monospace;white-space:pre-wrap;word-break:break-word"


@dataclass(frozen=True)
class Card:
    """A small box: badge, heading, paragraphs, a table of two columns, code, and what comes next.

    Attributes:
        badge: a key of BADGES.
        heading: one line.
        paragraphs: text; what stands in backticks is shown as code.
        rows: (name, value) for the small table; values are shown as code.
        code: lines of source, or "".
        footer: what to do next.
    """

    badge: str
    heading: str
    paragraphs: tuple[str, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()
    code: str = ""
    footer: str = ""

    @property
    def passed(self) -> bool:
        """Whether the badge says that all is well."""
        return self.badge in ("passed", "ready")

    def __repr__(self) -> str:
        """Return the plain-text twin."""
        icon, word, _ = BADGES[self.badge]
        said = [f"  {line}" for paragraph in self.paragraphs for line in paragraph.splitlines()]
        lines = [f"{icon} {word} · {self.heading}", *said]
        width = max((len(name) for name, _ in self.rows), default=0)
        lines += [
            f"  {'' if i else name:<{width}}  {line}"
            for name, value in self.rows
            for i, line in enumerate(value.splitlines() or [""])
        ]
        lines += [f"    {line}" for line in self.code.splitlines()] + [f"  {line}" for line in self.footer.splitlines()]
        return "\n".join(line.rstrip() for line in lines)

    def _repr_html_(self) -> str:
        parts = box_start(self.badge, self.heading, f"{self.heading}: {BADGES[self.badge][1]}")
        parts += [f'<div style="margin:6px 0">{rich(text)}</div>' for text in self.paragraphs]
        if self.rows:
            cells = "".join(
                f'<tr><th scope="row" style="{CELL}">{escape(name)}</th>'
                f'<td style="{CELL};{VALUE}">{escape(value)}</td></tr>'
                for name, value in self.rows
            )
            parts.append(f'<table style="border-collapse:collapse;margin:6px 0"><tbody>{cells}</tbody></table>')
        parts += [f'<pre style="{CODE}">{escape(self.code)}</pre>'] if self.code else []
        parts += [f"<div>{rich(self.footer)}</div>"] if self.footer else []
        return "\n".join(parts) + "\n</div>"


@dataclass(frozen=True, repr=False)
class Result(Card):
    """The card that check() shows, with what it found.

    Attributes:
        exercise: the exercise's id.
        mistake: the name of the mistake, or None.
    """

    exercise: str = ""
    mistake: str | None = None

    @property
    def outcome(self) -> str:
        """What the badge says: "not attempted", "passed", "wrong" or "error"."""
        return self.badge

    @property
    def message(self) -> str:
        """The reason in words, the first paragraph of the card."""
        return self.paragraphs[0]


def box_start(badge: str, heading: str, label: str) -> list[str]:
    """Return the HTML that a box begins with: a ``div`` that is still open, and the line of badge and heading.

    Args:
        badge: a key of BADGES.
        heading: one line.
        label: what a screen reader calls the box.

    Example:
        >>> box_start("quiz", "Quiz 02", "Quiz 02")[1].endswith("<b>Quiz 02</b></div>")
        True
    """
    icon, word, color = BADGES[badge]
    return [
        f'<div role="group" aria-label="{escape(label)}" style="{BOX.format(color=color)}">',
        f'<div><span style="{BADGE.format(color=color)}"><span aria-hidden="true">{icon}</span> {word}</span> '
        f"<b>{escape(heading)}</b></div>",
    ]


def rich(text: str) -> str:
    """Escape a text for HTML; backticks become code, line ends become breaks.

    Example:
        >>> rich("a `<b>` c")
        'a <code>&lt;b&gt;</code> c'
    """
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text)).replace("\n", "<br>")
