"""Unigram's lattice: every piece that stands in a word, and the best way through them."""

import math
from itertools import accumulate

from ..alternatives.unigram import Unigram
from .look import INK, OKABE_ITO
from .picture import HATCH, Picture, canvas, drawable


def lattice(model: Unigram, word: str, *, title: str | None = None) -> Picture:
    """Draw the pieces of a word as bricks over its letters; the best cut is orange and hatched.

    Below the letters stands, for each place between them, the best score of a way that ends there.

    Args:
        model: pieces with scores.
        word: not empty; the model can write it.
        title: the finding; by default the best cut.

    Returns:
        A Picture; ``data`` is a dict: arcs [(start, end, score)], best [piece], reached [best score
        at each place, -inf where no way ends].

    Raises:
        ValueError: the pieces cannot write the word.

    Example:
        >>> lattice(Unigram({"a": -1.0, "b": -2.0, "ab": -2.5}), "ab")
        The best cut of ab is ab. 3 pieces stand in it: a -1.0, b -2.0, ab -2.5. Best scores: 0.0, -1.0, -2.5.
    """
    best, arcs = model.cut(word), sorted(model.arcs(word), key=lambda arc: (arc[1] - arc[0], arc[0]))
    ends = [0, *accumulate(map(len, best))]
    reached = [0.0] + [-math.inf] * len(word)
    for i, j, score in model.arcs(word):
        reached[j] = max(reached[j], reached[i] + score)
    finding = f"The best cut of {word} is {' + '.join(best)}"
    lanes: list[list] = []  # pieces that lie side by side
    for arc in arcs:
        free = (lane for lane in lanes if all(arc[1] <= i or j <= arc[0] for i, j, _ in lane))
        if (lane := next(free, None)) is None:
            lanes.append(lane := [])
        lane.append(arc)
    with canvas(max(4.0, 1.1 * len(word)), 1.2 + 0.42 * len(lanes), title or finding) as (figure, ax):
        for y, lane in enumerate(lanes):
            for i, j, score in lane:
                chosen = (i, j) in zip(ends, ends[1:])
                color = OKABE_ITO["orange"] if chosen else "#FFFFFF"
                ax.barh(y, j - i - 0.08, 0.8, left=i + 0.04, color=color, edgecolor=INK, hatch=HATCH if chosen else "")
                ax.text(
                    (i + j) / 2,
                    y,
                    f"{drawable(word[i:j])}  {score:.1f}",
                    ha="center",
                    va="center",
                    fontsize=9,
                    bbox={"facecolor": "#FFFFFF", "edgecolor": "none", "pad": 1},
                )
        ax.set_xlim(-0.3, len(word) + 0.3)
        ax.set_xticks(range(len(word) + 1), [f"{score:.1f}" for score in reached])
        ax.set_xlabel("best score of a way that ends here")
        ax.set_yticks([])
        ax.spines["left"].set_visible(False)
    listed = ", ".join(f"{word[i:j]} {score:.1f}" for i, j, score in arcs)
    scores = ", ".join(f"{score:.1f}" for score in reached)
    data = {"arcs": arcs, "best": best, "reached": reached}
    return Picture(figure, data, f"{finding}. {len(arcs)} pieces stand in it: {listed}. Best scores: {scores}.")
