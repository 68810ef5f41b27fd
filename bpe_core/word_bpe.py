"""WordBPE: byte-pair encoding on the characters of words, with an end-of-word marker.

This is the form of the 2016 paper. Text is cut at white space, each word becomes its
characters and a marker, and merges never leave a word. The marker tells ``est`` at the
end of "lowest" from the ``est`` that begins "estimate", and lets decode put the spaces back.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice

from .checks import check_frequency, check_id, check_text, check_whole_number
from .encoding import MergeRanks, apply_merges, replay_merges
from .pairs import Merge
from .training import learn_merges, pack_words

UNKNOWN = "<unk>"


class WordBPE:
    """A tokenizer of words: characters, an end-of-word marker, and learned merges.

    Attributes:
        merges: list of (left, right), str, in the order learned.
        history: list of Merge(step, pair, new, count).
        vocab: {symbol: id}. Id 0 is ``<unk>``, then the base symbols sorted by code
            point, then the new symbols in the order learned.
        symbols: list of str; ``symbols[id]`` is the symbol with that id.
        base: list of the base symbols, the marker among them.
        end_of_word: the marker, or None.
        pair_ranks: {(left, right): rank} that gives NEVER for other pairs; the lowest is fused first.
        results: ``results[rank]`` is the symbol that a pair of that rank becomes.

    Example:
        >>> tokenizer = WordBPE.train({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 8)
        >>> tokenizer.merges[:3]
        [('e', 's'), ('es', 't'), ('est', '</w>')]
        >>> tokenizer.tokenize("lowest")
        ['low', 'est</w>']

    Source: Sennrich, Haddow and Birch (2016), Algorithm 1. There as here the marker is a
    symbol of its own; subword-nmt attaches it to the last character instead.
    """

    def __init__(
        self,
        base: Iterable[str],
        history: Iterable[Merge],
        *,
        end_of_word: str | None = "</w>",
    ):
        """Build a tokenizer from its base symbols and learned merges; see also ``train``.

        Raises:
            ValueError: a merge joins a symbol that is neither in the base nor made before it.
        """
        self.end_of_word = check_marker(end_of_word)
        self.base = sorted(set(base) | ({end_of_word} if end_of_word else set()))
        self.history = [Merge(*merge) for merge in history]
        self.merges = [merge.pair for merge in self.history]
        known = set(self.base)
        for step, pair, new, _ in self.history:
            if missing := [symbol for symbol in pair if symbol not in known]:
                raise ValueError(f"merge number {step} joins {pair}, but nothing made {missing[0]!r} before it")
            known.add(new)
        self.pair_ranks = MergeRanks.from_merges(self.merges)
        self.results = [merge.new for merge in self.history]
        self.symbols = list(dict.fromkeys([UNKNOWN, *self.base, *self.results]))
        self.vocab = {symbol: i for i, symbol in enumerate(self.symbols)}

    @classmethod
    def train(
        cls,
        corpus: str | Mapping[str, int],
        num_merges: int,
        *,
        end_of_word: str | None = "</w>",
        tie_break: str = "first",
        min_frequency: int = 1,
    ) -> "WordBPE":
        """Learn merges from a text, or from word counts.

        Args:
            corpus: a text, cut at white space, or {word: count}.
            num_merges: how many merges to learn. Fewer are learned, without an error,
                when the pairs run out; ``len(tokenizer.history)`` says how many.
            end_of_word: the marker put behind each word, or None for no marker.
            tie_break: who wins among equal counts, see ``best_pair``.
            min_frequency: stop when the best pair occurs less often than this.

        Returns:
            The trained tokenizer.

        Raises:
            TypeError: the corpus is neither text nor a mapping, or a number is no int.
            ValueError: num_merges is negative, the tie rule is unknown, or a word is
                empty, holds white space, a lone surrogate, or the marker itself.

        Example:
            >>> WordBPE.train("low low lower", 2, end_of_word=None).merges
            [('l', 'o'), ('lo', 'w')]
        """
        num_merges = check_whole_number("num_merges", num_merges)
        ending = [end_of_word] if check_marker(end_of_word) else []
        word_counts = {
            (*word, *ending): frequency for word, frequency in count_corpus_words(corpus, end_of_word).items()
        }
        symbols = sorted({symbol for word in word_counts for symbol in word})
        base = list(symbols)
        merges = learn_merges(
            pack_words(word_counts, symbols), symbols, tie_break=tie_break, min_frequency=min_frequency
        )
        history = [
            Merge(step, (symbols[left], symbols[right]), symbols[new], count)
            for step, (left, right), new, count in islice(merges, num_merges)
        ]
        return cls(base, history, end_of_word=end_of_word)

    @classmethod
    def from_merges(cls, merges: Iterable[tuple[str, str]], *, end_of_word: str | None = "</w>") -> "WordBPE":
        """Build a tokenizer from a list of merges alone; its base is the symbols they start from.

        Raises:
            ValueError: a merge joins a symbol that a later merge makes.

        Example:
            >>> WordBPE.from_merges([("b", "c"), ("a", "b")], end_of_word=None).tokenize("abc")
            ['a', 'bc']
        """
        merges = list(merges)
        base = {symbol for pair in merges for symbol in pair} - {left + right for left, right in merges}
        history = [Merge(i, (left, right), left + right, 0) for i, (left, right) in enumerate(merges, 1)]
        return cls(base, history, end_of_word=end_of_word)

    def tokenize(self, text: str) -> list[str]:
        """Cut a text into symbols. Characters never seen in training stay as they are.

        Args:
            text: any text; white space separates words and is not kept.

        Returns:
            The symbols of all words, in order.

        Raises:
            TypeError: the text is no str.
            ValueError: a word holds the marker or a lone surrogate.

        Example:
            >>> WordBPE.train("low low lower", 2).tokenize("low slow")
            ['low', '</w>', 's', 'low', '</w>']
        """
        tokens = []
        for word in check_text(text).split():
            check_word(word, self.end_of_word)
            tokens += apply_merges(self.base_symbols(word), self.pair_ranks, self.results)
        return tokens

    def steps(self, word: str) -> list[list[str]]:
        """Return how one word is cut: its symbols before and after each merge that applies.

        Example:
            >>> tokenizer = WordBPE.from_merges([("l", "o"), ("lo", "w")], end_of_word=None)
            >>> tokenizer.steps("low")
            [['l', 'o', 'w'], ['lo', 'w'], ['low']]
        """
        check_word(word, self.end_of_word)
        return replay_merges(self.base_symbols(word), self.merges)

    def encode(self, text: str) -> list[int]:
        """Cut a text into ids; a symbol that the vocabulary does not know becomes ``<unk>`` (0).

        Example:
            >>> WordBPE.train("low low", 3).encode("low x")
            [7, 0, 1]
        """
        return [self.vocab.get(token, 0) for token in self.tokenize(text)]

    def decode(self, ids: Iterable[int]) -> str:
        """Put a text together again, one space where each word ended.

        Without a marker the word boundaries are lost, and the words run together.

        Raises:
            KeyError: an id that the vocabulary does not have.
            TypeError: an id that is no int.

        Example:
            >>> tokenizer = WordBPE.train("low low", 3)
            >>> tokenizer.decode(tokenizer.encode("low low"))
            'low low'
        """
        marker = self.end_of_word
        parts = []
        for i in ids:
            symbol = self.symbols[check_id(i, len(self.symbols))]
            # Only the end of a symbol can be the marker: no word holds it.
            parts.append(symbol[: -len(marker)] + " " if marker and symbol.endswith(marker) else symbol)
        text = "".join(parts)
        return text.removesuffix(" ") if marker else text

    def base_symbols(self, word: str) -> list[str]:
        """Return the characters of a word and the marker, which merges start from.

        Example:
            >>> WordBPE.from_merges([("l", "o")]).base_symbols("low")
            ['l', 'o', 'w', '</w>']
        """
        return [*word, self.end_of_word] if self.end_of_word else [*word]

    def __eq__(self, other: object) -> bool:
        """Two tokenizers are equal when they have the same vocabulary, merges and marker."""
        if not isinstance(other, WordBPE):
            return NotImplemented
        return (self.vocab, self.history, self.end_of_word) == (other.vocab, other.history, other.end_of_word)

    __hash__ = None

    def __repr__(self) -> str:
        """Say what it is in one line."""
        return f"<WordBPE: {len(self.vocab)} symbols, {len(self.merges)} merges, end_of_word={self.end_of_word!r}>"


def count_corpus_words(corpus: str | Mapping[str, int], end_of_word: str | None) -> dict[str, int]:
    """Return {word: count} of a text, or the checked counts that were given.

    Example:
        >>> count_corpus_words("low low lower", "</w>") == {"low": 2, "lower": 1}
        True
    """
    if isinstance(corpus, str):
        counts = Counter(check_text(corpus).split())
    elif isinstance(corpus, Mapping):
        counts = {check_text(word, "a word of the corpus"): n for word, n in corpus.items()}
    else:
        raise TypeError(f"corpus is a {type(corpus).__name__}; it must be a text (str) or a mapping {{word: count}}")
    for word, frequency in counts.items():
        check_word(word, end_of_word)
        check_frequency(word, frequency)
    return counts


def check_marker(end_of_word: str | None) -> str | None:
    """Return the marker, or raise an error unless it is None or a text without white space.

    Example:
        >>> check_marker("</w>")
        '</w>'
    """
    if end_of_word is not None and not isinstance(end_of_word, str):
        raise TypeError(f"end_of_word is {end_of_word!r}; it must be a str, or None for no marker")
    if end_of_word is not None and end_of_word.split() != [end_of_word]:
        raise ValueError(f"end_of_word is {end_of_word!r}; it must have a character and no white space, or be None")
    return end_of_word


def check_word(word: str, end_of_word: str | None) -> None:
    """Raise ValueError for a word that WordBPE cannot tell apart from its own marks."""
    if word.split() != [word]:
        raise ValueError(f"the word {word!r} is empty or holds white space; words must be single words")
    if end_of_word and end_of_word in word:
        raise ValueError(
            f"the word {word!r} holds the end-of-word marker {end_of_word!r}; choose another marker with end_of_word="
        )
