"""A line to type in, and something that follows what is typed: pairs, tokens, costs."""

from collections import Counter
from collections.abc import Callable

from ..checks import check_text
from ..pairs import best_pair, count_pairs
from .look import View, complaint, count_of, join, readable, sheet, show, show_pair, tag

VIEW_CLASS = "bpe-typed-view"  # of the element that changes with the text
RUN_ME = "Run this cell to type a text of your own."
END = "</w>"


class TextBox(View):
    """What a function shows for a text; ``live()`` lets the reader type another text.

    Attributes:
        start: the first text.
        draw: the function, str -> View.
    """

    def __init__(self, draw: Callable[[str], View], start: str, label: str = "Text", lines: int = 1):
        """Draw the first text; see ``text_box``."""
        self.draw, self.start, self.label, self.lines = draw, start, label, lines
        first = draw(check_text(start))
        shown = "\n".join(map(readable, start.split("\n")))
        line = tag("div", tag("b", f"{label}:"), " ", tag("bdi", shown), look="typed")
        super().__init__(join([line, first.html]), f"{label}: {shown}\n{first.text}", first.data)

    def at(self, text: str) -> View:
        """Return the view of a text; what is wrong with the text is said in the view, never raised.

        Example:
            >>> text_box(lambda text: View("", f"{len(text)} characters"), "abc").at("x\\ud83d")
            text holds a lone surrogate, '\\ud83d', at index 1: half of a character, which UTF-8 cannot write
        """
        try:
            return self.draw(check_text(text))
        except ValueError as error:
            return complaint(str(error))

    def live(self):
        """Return a widget: the line to type in, and the view below it."""
        from . import live  # here, because a still view needs no ipywidgets

        kind = live.ipywidgets.Text if self.lines == 1 else live.ipywidgets.Textarea
        layout = {"width": "95%", "height": "auto" if self.lines == 1 else f"{1.6 * self.lines}em"}
        entry = kind(value=self.start, description=self.label, continuous_update=True, layout=layout)
        return live.follow(self.at, {"entry": entry}, RUN_ME, VIEW_CLASS)


def text_box(draw: Callable[[str], View], start: str, *, label: str = "Text", lines: int = 1) -> TextBox:
    """Show something about a text, and let the reader change the text.

    Args:
        draw: takes a text and returns a View. It may raise ValueError; the view then says so.
        start: the text of the first, still view.
        label: what stands before the text.
        lines: height of the box.

    Returns:
        A TextBox: a still view, with ``.at(text)`` for one text and ``.live()`` for a box to type in.

    Example:
        >>> text_box(lambda text: View("", f"{len(text)} characters"), "abc")
        Text: abc
        3 characters
    """
    return TextBox(draw, start, label, lines)


def pair_counter(text: str, num_pairs: int = 8) -> TextBox:
    """Show the most frequent pairs of a text, each word with an end mark; live, of any text.

    Example:
        >>> pair_counter("to be or not to be", 2)
        Text: to be or not to be
        13 pairs in 6 words, 9 of them different. Best: t + o, 2 times (tied with 3 more; t + o was met first).
        t o     2 merged next
        o </w>  2 tied
    """
    return text_box(lambda typed: pair_table(typed, num_pairs), text)


def pair_table(text: str, num_pairs: int = 8) -> View:
    """Return the most frequent pairs of a text as a table with bars; ``data`` is the Counter.

    Example:
        >>> pair_table("aba", 1)
        3 pairs in 1 word, 3 of them different. Best: a + b, 1 time (tied with 2 more; a + b was met first).
        a b  1 merged next
    """
    words = Counter(text.split())
    counts = count_pairs({(*word, END): n for word, n in words.items()})
    if not counts:
        return View("No pairs yet: type a word.", "No pairs yet: type a word.", counts)
    best = best_pair(counts)
    rivals = sum(n == counts[best] for n in counts.values()) - 1
    tie = f" (tied with {rivals} more; {show_pair(best)} was met first)" if rivals else ""
    line = (
        f"{count_of(counts.total(), 'pair')} in {count_of(words.total(), 'word')}, {len(counts):,} of them different. "
        f"Best: {show_pair(best)}, {count_of(counts[best], 'time')}{tie}."
    )
    rows = [
        [" ".join(map(show, pair)), _bar(n, counts[best], pair == best)] for pair, n in counts.most_common(num_pairs)
    ]
    drawn = sheet((), rows, [["cell", "mono"]])
    return View(join([tag("div", line), drawn.html]), f"{line}\n{drawn.text}", counts)


def _bar(count: int, highest: int, wins: bool) -> View:
    best = count == highest
    bar = tag("div", look="best bar" if best else "bar", width=round(260 * count / highest))
    note = " merged next" if wins else " tied" * best
    return View(join([bar, f"{count}{note}"]), f"{count}{note}")
