"""Words or sub-words: one text under two vocabularies of the same size, and what a vocabulary buys."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from ..byte_bpe import ByteBPE
from ..checks import check_text
from .chips import Chip, Strip, as_chip, rows
from .look import View, complaint, count_of, titled
from .replay import Replay

RUN_ME = "Run this cell to move the slider and to type a text of your own."
VIEW_CLASS = "bpe-words-or-parts-view"  # of the element that follows the slider
SIZES = (256, 300, 400, 600, 1000, 1500, 2000)


class WordsOrParts(View):
    """A text as words and as sub-words, at several sizes of the vocabulary.

    Attributes:
        sizes: the sizes that the slider has.
        start: the first text.
    """

    def __init__(
        self, text: str, cut: Callable, word_counts: Mapping, tokenizer: ByteBPE, sizes: Sequence, shown: Sequence
    ):
        """Draw the first text; see ``words_or_parts``."""
        self.start, self.sizes, self._cut, self._tokenizer = text, list(sizes), cut, tokenizer
        self._place = {word: i for i, word in enumerate(sorted(word_counts, key=word_counts.get, reverse=True))}
        views = [self.at(size) for size in shown]
        still = titled("", *views)
        super().__init__(still.html, still.text, [row for view in views for row in view.data])

    def at(self, size: int, text: str | None = None) -> View:
        """Return the view of a text at one size; what is wrong with the text is said in the view, never raised.

        Args:
            size: entries of each of the two vocabularies.
            text: any text; by default the first one.

        Returns:
            A View; ``data`` is [(size, "words", tokens, unknown), (size, "sub-words", tokens, 0)].
        """
        try:
            text = check_text(self.start if text is None else text)
        except ValueError as error:
            return complaint(str(error), [])
        words = [
            Chip(word, kind="text" if self._place.get(word, size) < size else "unknown") for word in self._cut(text)
        ]
        unknown = sum(chip.kind == "unknown" for chip in words)
        parts = [as_chip(part) for part in self._parts(text, size)]
        strips = {
            "words": Strip(words, None, more={"unknown": unknown}),
            "sub-words": Strip(parts, None, more={"unknown": 0}),
        }
        view = rows(strips, title=f"A vocabulary of {count_of(size, 'entry').replace('entrys', 'entries')}")
        data = [(size, "words", len(words), unknown), (size, "sub-words", len(parts), 0)]
        return View(view.html, view.text, data)

    def _parts(self, text: str, size: int) -> list[bytes]:
        replay = Replay(self._tokenizer, text)
        fitting = [k for k, entries in enumerate(replay.vocab_after) if entries <= size]
        return replay.contents(fitting[-1])

    def live(self):
        """Return a widget: a slider over the sizes, a line to type in, and the view below them."""
        from . import live  # here, because a still view needs no ipywidgets

        menu, slider = live.choice_slider("Entries", [(f"{size:,}", size) for size in self.sizes], self.sizes[0])
        entry = live.ipywidgets.Text(value=self.start, description="Text", layout={"width": "95%"})
        shown = [live.ipywidgets.HBox([menu, slider]), entry]
        return live.follow(self.at, {"slider": slider, "entry": entry}, RUN_ME, VIEW_CLASS, shown)


def words_or_parts(
    text: str,
    cut: Callable[[str], Iterable[str]],
    word_counts: Mapping[str, int],
    tokenizer: ByteBPE,
    *,
    sizes: Sequence[int] | None = None,
    shown: Sequence[int] | None = None,
) -> WordsOrParts:
    """Show a text as words and as sub-words, with vocabularies of the same size.

    A vocabulary of n words holds the n most frequent ones; of equals, those that were met
    first. One of n sub-words holds the 256 bytes and the first merges.

    Args:
        text: the text of the still view.
        cut: cuts a text into words.
        word_counts: {word: count} in the training text.
        tokenizer: a ByteBPE trained on the same text.
        sizes: what the slider offers; by default some sizes up to the tokenizer's own.
        shown: the sizes of the still view; by default the first, the middle and the last.

    Returns:
        A WordsOrParts: a still view, with ``.at(size, text)`` for one size and ``.live()`` for a slider.

    Raises:
        ValueError: a size is below the 256 bytes and the special tokens, or above the tokenizer's own.

    Example:
        >>> from collections import Counter
        >>> words = "low low low lower newest".split()
        >>> tokenizer = ByteBPE.train(" ".join(words), 260, pattern="gpt2")
        >>> words_or_parts("low lowest", str.split, Counter(words), tokenizer, shown=[258])
        A vocabulary of 258 entries
        words      low|⟨lowest⟩?     2 tokens · unknown 1
        sub-words  low|·|low|e|s|t   6 tokens · unknown 0
    """
    largest, fewest = tokenizer.vocab_size, 256 + len(tokenizer.special_tokens)
    sizes = sorted({*(size for size in SIZES if fewest <= size < largest), largest} if sizes is None else set(sizes))
    shown = [sizes[0], sizes[len(sizes) // 2], sizes[-1]] if shown is None else list(shown)
    for size in [*sizes, *shown]:
        if not fewest <= size <= largest:
            raise ValueError(
                f"sizes holds {size}; it must be from {fewest}, the bytes and special tokens, to {largest}, the tokenizer's size"
            )
    return WordsOrParts(text, cut, word_counts, tokenizer, sizes, shown)
