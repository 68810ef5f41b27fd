"""WordPiece: pairs chosen by a score, and words cut by the longest match.

A piece inside a word is written with ``##`` in front. Training merges pairs as BPE does, but may
choose them otherwise. What it keeps is the vocabulary alone: encoding takes the longest piece
that fits, again and again, and needs no merges.

Sources: Schuster and Nakajima, "Japanese and Korean Voice Search" (2012), for training by the
likelihood gained; Devlin et al., "BERT" (2019), for ``##``, ``[UNK]`` and the longest match.
Google's trainer was not published. The ratio is what Hugging Face's course teaches; Hugging
Face's own WordPieceTrainer chooses by the count.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from ..checks import check_text, check_whole_number
from ..pairs import Merge, merge_pair
from ..word_bpe import count_corpus_words

INSIDE = "##"
UNKNOWN = "[UNK]"

# What a pair is worth, from its count, the counts of its two symbols and the number of all symbols.
# One division each: equal fractions are then equal floats, and ties stay ties.
SCORES = {
    "ratio": lambda count, left, right, total: count / (left * right),
    "gain": lambda count, left, right, total: count * (math.log(count * total / (left * right)) - 1),
    "count": lambda count, left, right, total: count,
}


class WordPiece:
    """A vocabulary of pieces, and the longest match.

    Attributes:
        vocab: {piece: id}. Id 0 is ``[UNK]``.
        history: list of Merge(step, pair, new, count), empty where it was not trained here.

    Example:
        >>> tokenizer = WordPiece.train({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 4)
        >>> tokenizer.tokenize("lowest zebra")
        ['lo', '##w', '##e', '##st', '[UNK]']
    """

    def __init__(self, pieces: Iterable[str], history: Iterable[Merge] = ()):
        """Take the pieces in the order of their ids; ``[UNK]`` is put in front if it is not there."""
        pieces = list(pieces)
        self.vocab = {
            piece: i for i, piece in enumerate(dict.fromkeys(pieces if UNKNOWN in pieces else [UNKNOWN, *pieces]))
        }
        self.history = list(history)

    @classmethod
    def train(
        cls, corpus: str | Mapping[str, int], num_merges: int, *, score: str = "ratio", min_frequency: int = 1
    ) -> "WordPiece":
        """Learn pieces; ties go to the pair met first.

        Args:
            corpus: a text, cut at white space, or {word: count}.
            num_merges: how many merges to learn; fewer, without an error, when the pairs run out.
            score: what the best pair has most of. ``"ratio"``: count(ab) / (count(a) count(b));
                ``"gain"``: what the merge adds to the log probability of the corpus, each symbol
                drawn by its share of all N: nearly count(ab) (log(count(ab) N / (count(a) count(b))) - 1)
                where count(ab) is small beside the other two;
                ``"count"``: count(ab), as in BPE.
            min_frequency: pairs that occur less often are left out.

        Returns:
            The trained tokenizer.

        Raises:
            TypeError: the corpus is neither text nor a mapping, or a number is no int.
            ValueError: the corpus holds no word, or an argument is not as said above.

        Example:
            >>> [merge.new for merge in WordPiece.train("new newest widest", 3, score="count").history]
            ['ne', 'new', '##es']
        """
        num_merges = check_whole_number("num_merges", num_merges)
        min_frequency = check_whole_number("min_frequency", min_frequency, least=1)
        if score not in SCORES:
            raise ValueError(f"score is {score!r}; it must be one of {', '.join(map(repr, SCORES))}")
        words = [(word_symbols(word), n) for word, n in corpus_words(corpus).items()]
        pieces = sorted({symbol for word, _ in words for symbol in word})
        history = list(itertools.islice(learn_pieces(words, score, min_frequency), num_merges))
        return cls([*pieces, *(merge.new for merge in history)], history)

    def cut(self, word: str) -> list[str]:
        """Cut one word: the longest piece that fits, from the left, or ``[UNK]`` for the whole word.

        There is no way back: where no piece fits what is left, the word is unknown, even if other
        pieces would cover it. Hugging Face's also leaves words of more than 100 characters unknown.

        Example:
            >>> WordPiece(["ab", "a", "##bc"]).cut("abc")
            ['[UNK]']
        """
        pieces, start = [], 0
        while start < len(word):
            mark = INSIDE if start else ""
            fits = (end for end in range(len(word), start, -1) if mark + word[start:end] in self.vocab)
            if (end := next(fits, None)) is None:
                return [UNKNOWN]
            pieces.append(mark + word[start:end])
            start = end
        return pieces

    def tokenize(self, text: str) -> list[str]:
        """Cut a text at white space, and each word into pieces.

        Raises:
            TypeError, ValueError: the text is no str, or holds a lone surrogate.
        """
        return [piece for word in check_text(text).split() for piece in self.cut(word)]

    def encode(self, text: str) -> list[int]:
        """Cut a text into ids."""
        return [self.vocab[piece] for piece in self.tokenize(text)]


def learn_pieces(words: list[tuple[list[str], int]], score: str, min_frequency: int = 1) -> Iterator[Merge]:
    """Yield merges, each the pair with the greatest score; of equals the one met first.

    Args:
        words: [(symbols, frequency)]. The list is changed as symbols fuse.
        score: a key of SCORES.
        min_frequency: pairs that occur less often are left out.

    Example:
        >>> next(learn_pieces([(["a", "##b", "##c"], 1), (["a", "##b"], 1)], "ratio"))
        Merge(step=1, pair=('a', '##b'), new='ab', count=2)
    """
    symbols, pairs = Counter(), Counter()

    def count(word: list[str], n: int) -> None:
        for symbol in word:
            symbols[symbol] += n
        for pair in zip(word, word[1:]):
            pairs[pair] += n

    for word, n in words:
        count(word, n)
    for step in itertools.count(1):
        total = symbols.total()
        scores = {
            pair: SCORES[score](n, symbols[pair[0]], symbols[pair[1]], total)
            for pair, n in pairs.items()
            if n >= min_frequency
        }
        if not scores:
            return
        greatest = max(scores.values())
        equal = {pair for pair, value in scores.items() if value == greatest}
        pair = next(pair for word, _ in words for pair in zip(word, word[1:]) if pair in equal)
        new = join(pair)
        yield Merge(step, pair, new, pairs[pair])
        for w, (word, n) in enumerate(words):
            if pair[0] in word and len(merged := merge_pair(word, pair, new)) < len(word):
                count(word, -n)
                count(merged, n)
                words[w] = (merged, n)


def word_symbols(word: str) -> list[str]:
    """Return the characters of a word as pieces.

    Example:
        >>> word_symbols("low")
        ['l', '##o', '##w']
    """
    return [*word[:1], *(INSIDE + character for character in word[1:])]


def join(pieces: Iterable[str]) -> str:
    """Fuse pieces: every ``##`` goes, but that of the first piece.

    Example:
        >>> join(["w", "##i"]), join(["##s", "##t"])
        ('wi', '##st')
    """
    first, *others = pieces
    return first + "".join(piece.removeprefix(INSIDE) for piece in others)


def corpus_words(corpus: str | Mapping[str, int]) -> dict[str, int]:
    """Return {word: count} of a text or of counts, or raise ValueError where no word occurs.

    Example:
        >>> corpus_words("low low")
        {'low': 2}
    """
    counts = {word: n for word, n in count_corpus_words(corpus, None).items() if n}
    if not counts:
        raise ValueError("the corpus holds no word; training needs at least one")
    return counts
