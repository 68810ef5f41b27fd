"""The merge explorer: a text after 0, 1, 2, ... merges, as a still picture and as a slider."""

from collections.abc import Iterable
from itertools import pairwise

from ..byte_bpe import ByteBPE
from ..word_bpe import WordBPE
from .chips import MAX_TOKENS, Chip, Strip, rows
from .look import View, count_of, join, show, show_pair, tag
from .replay import Replay

VIEW_CLASS = "bpe-explorer-view"  # of the element that changes with the slider
STILL_TOKENS = 120  # chips in a row of the still picture
RUN_ME = "Run this cell to move the slider."


class MergeExplorer(View):
    """A text after some numbers of merges; ``live()`` lets the reader choose the number.

    Attributes:
        replay: the Replay behind it.
        data: [(number of merges, number of tokens, bytes per token, vocabulary size)] of
            the rows shown.
    """

    def __init__(self, replay: Replay, steps: list[int], max_tokens: int):
        """Draw the still picture; see ``merge_explorer``."""
        self.replay, self.max_tokens = replay, max_tokens
        self.num_bytes = len(replay.text.encode("utf-8"))
        tokenizer = replay.tokenizer
        self._id_of = tokenizer.id_of if isinstance(tokenizer, ByteBPE) else tokenizer.vocab
        still = rows([(count_of(k, "merge"), self.strip(k, STILL_TOKENS)) for k in steps])
        data = [
            (k, n, round(self.num_bytes / n, 3) if n else None, replay.vocab_after[k])
            for k, n in ((k, replay.tokens_after[k]) for k in steps)
        ]
        super().__init__(still.html, still.text, data)

    def strip(self, k: int, max_tokens: int | None = None) -> Strip:
        """Return the text after k merges as chips; those that merge k made are marked."""
        limit = self.max_tokens if max_tokens is None else max_tokens
        starts = self.replay.starts(k)
        chips = [self._chip(k, start, end) for start, end in pairwise([*starts, len(self.replay.symbols)][: limit + 1])]
        return Strip(
            chips, self.num_bytes, limit, num_tokens=len(starts), more={"vocabulary": self.replay.vocab_after[k]}
        )

    def _chip(self, k: int, start: int, end: int) -> Chip:
        content, fresh = self.replay.content(start, end), self.replay.made_by(k, start, end)
        if isinstance(content, bytes):
            return Chip(content, self._id_of[content], fresh=fresh)
        kind = "text" if content in self._id_of else "unknown"
        return Chip(content, self._id_of.get(content, 0), kind, start in self.replay.word_starts, fresh)

    def at(self, k: int) -> View:
        """Return what the slider shows at k merges: the merge just done, the chips, the counts.

        Raises:
            ValueError: k is below 0 or above the number of merges.

        Example:
            >>> merge_explorer(WordBPE.train("low low lower", 2), "low").at(2)
            2 of 2 merges. The last one: lo + w → low, counted 3 times in training; here it saves 1 token.
            [low]|</w>
            2 tokens · 3 bytes · 1.5 bytes per token · vocabulary 9
        """
        if not 0 <= k <= self.replay.num_merges:
            raise ValueError(f"k is {k}; it must be from 0 to {self.replay.num_merges}, the number of merges")
        strip, story = self.strip(k), self.story(k)
        return View(join([tag("div", story), strip.html]), f"{story}\n{strip.text}", strip.data)

    def story(self, k: int) -> str:
        """Say in words which merge was just done."""
        if k == 0:
            return f"0 of {self.replay.num_merges:,} merges: only base symbols."
        merge = self.replay.merges[k - 1]
        counted = f", counted {merge.count:,} times in training" if merge.count else ""
        saved = self.replay.tokens_after[k - 1] - self.replay.tokens_after[k]
        here = f"here it saves {count_of(saved, 'token')}" if saved else "here it finds nothing"
        return (
            f"{k:,} of {self.replay.num_merges:,} merges. The last one: "
            f"{show_pair(merge.pair)} → {show(merge.new)}{counted}; {here}."
        )

    def live(self, start: int = 0):
        """Return the explorer as a widget: a slider, a play button and a view that follows them.

        Args:
            start: the number of merges to begin with.

        Returns:
            A StillBox, an ipywidgets box with the attributes ``slider``, ``button`` and ``view``. Where
            widgets do not work it shows the first view and asks to run the cell.
        """
        from . import live  # here, because a still picture needs no ipywidgets

        field, slider = live.number_slider("Merges", start, self.replay.num_merges)
        button, play = live.play_button(slider)
        above = [live.ipywidgets.HBox([button, play, field, slider])]
        box = live.follow(self.at, {"slider": slider}, RUN_ME, VIEW_CLASS, above)
        box.button, box.play, box.field = button, play, field
        return box


def merge_explorer(
    tokenizer: WordBPE | ByteBPE, text: str, *, steps: Iterable[int] | None = None, max_tokens: int = MAX_TOKENS
) -> MergeExplorer:
    """Show a text after different numbers of merges.

    Args:
        tokenizer: a WordBPE or a ByteBPE.
        text: the text to watch.
        steps: the numbers of merges in the still picture; by default 0, some between, all.
        max_tokens: how many chips the live view shows at most.

    Returns:
        A MergeExplorer: a still picture, with ``.at(k)`` for one step and ``.live()`` for a slider.

    Example:
        >>> merge_explorer(WordBPE.train("low low lower", 2), "low")
        0 merges  l|o|w|</w>    4 tokens · 3 bytes · 0.8 bytes per token · vocabulary 7
        1 merge   [lo]|w|</w>   3 tokens · 3 bytes · 1.0 bytes per token · vocabulary 8
        2 merges  [low]|</w>    2 tokens · 3 bytes · 1.5 bytes per token · vocabulary 9
    """
    replay = Replay(tokenizer, text)
    chosen = choose_steps(replay.num_merges) if steps is None else sorted(set(steps))
    for k in chosen:
        if not 0 <= k <= replay.num_merges:
            raise ValueError(f"steps holds {k}; it must be from 0 to {replay.num_merges}, the number of merges")
    return MergeExplorer(replay, chosen, max_tokens)


def choose_steps(num_merges: int) -> list[int]:
    """Return a few numbers of merges worth seeing.

    Example:
        >>> choose_steps(10), choose_steps(500), choose_steps(0)
        ([0, 1, 3, 10], [0, 30, 100, 300, 500], [0])
    """
    between = [k for power in range(6) for k in (10**power, 3 * 10**power) if k < num_merges]
    return sorted({0, *between[-3:], num_merges})
