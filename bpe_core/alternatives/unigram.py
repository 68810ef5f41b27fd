"""Unigram: every piece has a probability, and a word is cut in the most probable way.

BPE begins with letters and adds; Unigram begins with too many pieces and drops those that it can
do best without. A cut is worth the product of the probabilities of its pieces. Log probabilities
add up instead, and are the scores here.

Source: Kudo, "Subword Regularization: Improving Neural Network Translation Models with Multiple
Subword Candidates" (2018), sections 3.1 and 3.2.
"""

import heapq
import math
import random
from collections import Counter
from collections.abc import Mapping

from ..checks import check_text, check_whole_number
from .wordpiece import corpus_words

Arc = tuple[int, int, float]  # a piece in a word: where it begins, where it ends, its score


class Unigram:
    """Pieces with log probabilities, and the most probable cut.

    Attributes:
        scores: {piece: log probability, at most 0}.
        vocab: {piece: id}, in the order of ``scores``.

    Example:
        >>> tokenizer = Unigram.train({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 15, longest=4)
        >>> tokenizer.tokenize("lowest lower")
        ['low', 'est', 'low', 'er']
    """

    def __init__(self, scores: Mapping[str, float]):
        """Take the pieces and their log probabilities.

        Raises:
            ValueError: a score is above 0 or infinite, a piece is empty, or there is none.
        """
        for piece, score in scores.items():
            if not piece or not -math.inf < score <= 0:
                raise ValueError(f"the piece {piece!r} has the score {score}; pieces are not empty, scores at most 0")
        if not scores:
            raise ValueError("there are no pieces; a vocabulary needs at least one")
        self.scores = dict(scores)
        self.vocab = {piece: i for i, piece in enumerate(scores)}
        self.longest = max(map(len, scores))

    @classmethod
    def train(
        cls,
        corpus: str | Mapping[str, int],
        vocab_size: int,
        *,
        longest: int = 16,
        keep: float = 0.75,
        least_count: float = 0.5,
    ) -> "Unigram":
        """Begin with the frequent substrings, and drop pieces until ``vocab_size`` are left.

        In turn: two rounds of expectation and maximization, then the least useful pieces go.
        Single characters stay, so that every word of the corpus can be written.

        Args:
            corpus: a text, cut at white space, or {word: count}.
            vocab_size: pieces wanted. Fewer are left, without an error, when fewer are frequent.
            longest: characters in a piece of the seed. On a tiny corpus, words that are pieces win.
            keep: the share of the pieces that each round of pruning keeps, above 0 and below 1.
            least_count: pieces with a smaller expected count go; a single character counts at least this much.

        Returns:
            The trained tokenizer, the most probable piece first.

        Raises:
            TypeError: the corpus is neither text nor a mapping, or a number is no int.
            ValueError: the corpus holds no word, or has more characters than ``vocab_size``.
        """
        words = corpus_words(corpus)
        vocab_size = check_whole_number("vocab_size", vocab_size)
        if (letters := len({character for word in words for character in word})) > vocab_size:
            raise ValueError(f"vocab_size is {vocab_size}; the corpus has {letters} characters, which all stay")
        if not 0 < keep < 1 or not least_count >= 0:
            raise ValueError(f"keep is {keep}, least_count {least_count}; they must be between 0 and 1, and 0 or more")
        model = seed(words, check_whole_number("longest", longest, least=1))
        while True:
            for _ in range(2):
                model = model.fit(words, least_count)
            if len(model.scores) <= vocab_size:
                return cls(dict(sorted(model.scores.items(), key=lambda item: (-item[1], item[0]))))
            model = model.prune(words, max(vocab_size, int(len(model.scores) * keep)))

    # Cutting

    def arcs(self, word: str) -> list[Arc]:
        """Return every piece that stands in the word; they are the lattice of its cuts.

        Example:
            >>> Unigram({"a": -1.0, "b": -2.0, "ab": -2.5}).arcs("ab")
            [(0, 1, -1.0), (0, 2, -2.5), (1, 2, -2.0)]
        """
        places = ((i, j) for i in range(len(word)) for j in range(i + 1, min(i + self.longest, len(word)) + 1))
        return [(i, j, self.scores[word[i:j]]) for i, j in places if word[i:j] in self.scores]

    def cut(self, word: str) -> list[str]:
        """Cut a word in the most probable way, by Viterbi's rule.

        The best cut up to a place is the best cut up to some place before it, and one more piece.
        Among equals the one whose last piece is longest.

        Raises:
            ValueError: the pieces cannot write the word.

        Example:
            >>> Unigram({"a": -1.0, "b": -2.0, "ab": -2.5}).cut("aab")
            ['a', 'ab']
        """
        return self._path(word, self.arcs(word))

    def _path(self, word: str, arcs: list[Arc]) -> list[str]:
        best = [0.0] + [-math.inf] * len(word)
        came_from = [0] * (len(word) + 1)
        for i, j, score in arcs:
            if best[i] + score > best[j]:
                best[j], came_from[j] = best[i] + score, i
        self._check_reached(word, best[-1] > -math.inf)
        pieces, end = [], len(word)
        while end:
            pieces.append(word[came_from[end] : end])
            end = came_from[end]
        return pieces[::-1]

    def tokenize(self, text: str) -> list[str]:
        """Cut a text at white space, and each word into pieces.

        Raises:
            TypeError: the text is no str.
            ValueError: a word that the pieces cannot write.
        """
        return [piece for word in check_text(text).split() for piece in self.cut(word)]

    def score(self, pieces: list[str]) -> float:
        """Return the log probability of a cut."""
        return sum(self.scores[piece] for piece in pieces)

    def n_best(self, word: str, n: int) -> list[list[str]]:
        """Return the n most probable cuts, the best first; fewer where there are no more.

        Example:
            >>> Unigram({"a": -1.0, "b": -2.0, "ab": -2.5}).n_best("ab", 5)
            [['ab'], ['a', 'b']]
        """
        n = check_whole_number("n", n, least=1)
        cuts = [[(0.0, [])]] + [[] for _ in word]
        arcs = self.arcs(word)
        for end in range(1, len(word) + 1):
            longer = [(s + score, [*cut, word[i:j]]) for i, j, score in arcs if j == end for s, cut in cuts[i]]
            cuts[end] = heapq.nlargest(n, longer, key=lambda item: item[0])
        self._check_reached(word, cuts[-1])
        return [cut for _, cut in cuts[-1]]

    def sample(self, word: str, alpha: float = 1.0, *, rng: random.Random) -> list[str]:
        """Draw a cut with a chance in proportion to its probability to the power of alpha.

        With alpha 1 cuts come as often as the model says; near 0 all cuts are drawn alike; a
        large one gives the best cut nearly always.

        Raises:
            ValueError: alpha is negative or infinite, or the pieces cannot write the word.

        Example:
            >>> Unigram({"a": -1.0, "b": -2.0, "ab": -2.5}).sample("ab", 99, rng=random.Random(0))
            ['ab']
        """
        if not 0 <= alpha < math.inf:
            raise ValueError(f"alpha is {alpha}; it must be 0 or more, and finite")
        arcs = [(i, j, alpha * score) for i, j, score in self.arcs(word)]
        before = path_sums(len(word), arcs)
        self._check_reached(word, before[-1])
        pieces, end = [], len(word)
        while end:
            into = [(i, before[i] * math.exp(score)) for i, j, score in arcs if j == end]
            (start,) = rng.choices([i for i, _ in into], [weight for _, weight in into])
            pieces.append(word[start:end])
            end = start
        return pieces[::-1]

    def _check_reached(self, word: str, reached: object) -> None:
        if not reached:
            ends = {0}
            for i, j, _ in self.arcs(word):
                if i in ends:
                    ends.add(j)
            left = word[max(ends) :]
            why = f"they reach up to {left!r}" if left else "it is too long for its probability to be a float"
            raise ValueError(f"the pieces cannot write the word {word!r}: {why}")

    # Training

    def expected_counts(self, words: Mapping[str, int]) -> tuple[Counter, float]:
        """Count the pieces over all cuts of all words, each cut by its probability.

        Returns:
            The expected counts, and the log probability of the words.

        Example:
            >>> counts, _ = Unigram({"a": math.log(0.5), "aa": math.log(0.25)}).expected_counts({"aa": 4})
            >>> counts  # a|a and aa are equally probable
            Counter({'a': 4.0, 'aa': 2.0})
        """
        counts, log_probability = Counter(), 0.0
        for word, n in words.items():
            arcs = self.arcs(word)
            before = path_sums(len(word), arcs)
            after = path_sums(len(word), [(len(word) - j, len(word) - i, score) for i, j, score in reversed(arcs)])[
                ::-1
            ]
            self._check_reached(word, before[-1])
            for i, j, score in arcs:
                counts[word[i:j]] += n * before[i] * math.exp(score) * after[j] / before[-1]
            log_probability += n * math.log(before[-1])
        return counts, log_probability

    def fit(self, words: Mapping[str, int], least_count: float = 0.0) -> "Unigram":
        """Return the model with the probabilities that its own expected counts say."""
        counts, _ = self.expected_counts(words)
        floor = least_count or 1e-9  # a character's count must not come to 0, which has no logarithm
        return from_counts(
            {
                piece: max(count, floor) if len(piece) == 1 else count
                for piece, count in counts.items()
                if len(piece) == 1 or count > least_count
            }
        )

    def prune(self, words: Mapping[str, int], size: int) -> "Unigram":
        """Return the model with the ``size`` pieces that are dearest to do without.

        A piece's price: how often the best cuts use it, times what its own next best cut costs.
        Single characters stay.
        """
        uses = Counter()
        for word, n in words.items():
            for piece in self.cut(word):
                uses[piece] += n

        def price(piece: str) -> float:
            if len(piece) == 1:
                return math.inf
            others = [arc for arc in self.arcs(piece) if arc[:2] != (0, len(piece))]
            return uses[piece] * (self.scores[piece] - self.score(self._path(piece, others)))

        kept = sorted(self.scores, key=price, reverse=True)[:size]
        return Unigram({piece: self.scores[piece] for piece in kept})


def path_sums(length: int, arcs: list[Arc]) -> list[float]:
    """Return for each place the probabilities of all paths to it from the start, added up.

    Example:
        >>> path_sums(2, [(0, 1, math.log(0.5)), (0, 2, math.log(0.25)), (1, 2, math.log(0.5))])
        [1.0, 0.5, 0.5]
    """
    sums = [1.0] + [0.0] * length
    for i, j, score in arcs:
        sums[j] += sums[i] * math.exp(score)
    return sums


def from_counts(counts: Mapping[str, float]) -> Unigram:
    """Return the model whose probabilities are in proportion to the counts.

    Example:
        >>> from_counts({"a": 3, "b": 1}).score(["a"]) == math.log(0.75)
        True
    """
    total = sum(counts.values())
    return Unigram({piece: math.log(count / total) for piece, count in counts.items()})


def seed(words: Mapping[str, int], longest: int) -> Unigram:
    """Return the model to begin with: characters, and substrings that occur twice or more.

    A piece weighs as much text as it covers: its count times its length.

    Example:
        >>> sorted(seed({"low": 2, "lot": 1}, 2).scores)
        ['l', 'lo', 'o', 'ow', 't', 'w']
    """
    counts = Counter()
    for word, n in words.items():
        for i in range(len(word)):
            for j in range(i + 1, min(i + longest, len(word)) + 1):
                counts[word[i:j]] += n
    return from_counts({piece: n * len(piece) for piece, n in counts.items() if n > 1 or len(piece) == 1})
