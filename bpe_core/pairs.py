"""Counting pairs and merging them: all of byte-pair encoding, naive and short.

Read this file first. Everything else in ``bpe_core`` is this idea made faster,
or this idea applied to bytes, to special tokens and to real vocabularies.

Source of the algorithm: Gage, "A New Algorithm for Data Compression" (1994), and for
words, Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words with
Subword Units" (2016), Algorithm 1.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .checks import check_frequency, check_tie_break

Symbol = Hashable
Pair = tuple[Any, Any]


class Merge(NamedTuple):
    """One learned merge: its number (from 1), the pair, the new symbol, the pair's count."""

    step: int
    pair: Pair
    new: Any
    count: int


def count_pairs(symbols_or_word_counts: Iterable[Symbol] | Mapping[Iterable[Symbol], int]) -> Counter:
    """Count how often each two symbols stand side by side.

    Every position counts, also where pairs overlap: ``aaaa`` holds (a, a) three times.
    Pairs never reach over the end of a word.

    Args:
        symbols_or_word_counts: a flat sequence of symbols (a list, a str, bytes), or a
            mapping from a word (a tuple of symbols) to its frequency, a whole number.

    Returns:
        A Counter {(left, right): count}, in the order in which the pairs were first met.
        In a mapping each place counts as often as its word occurs.

    Raises:
        TypeError: a frequency is no whole number.
        ValueError: a frequency is negative.

    Example:
        >>> count_pairs("banana").most_common(2)
        [(('a', 'n'), 2), (('n', 'a'), 2)]
        >>> count_pairs({("l", "o", "w"): 5, ("l", "o", "t"): 1})
        Counter({('l', 'o'): 6, ('o', 'w'): 5, ('o', 't'): 1})
    """
    pair_counts = Counter()
    if isinstance(symbols_or_word_counts, Mapping):
        for symbols, frequency in symbols_or_word_counts.items():
            if check_frequency(symbols, frequency):
                symbols = tuple(symbols)
                for pair in zip(symbols, symbols[1:]):
                    pair_counts[pair] += frequency
    else:
        symbols = tuple(symbols_or_word_counts)
        pair_counts.update(zip(symbols, symbols[1:]))
    return pair_counts


def best_pair(
    pair_counts: Mapping[Pair, int], tie_break: str = "first", *, ids: Mapping[Symbol, int] | None = None
) -> Pair:
    """Choose the pair to merge next: the most frequent one, or the winner among equals.

    Args:
        pair_counts: {(left, right): count}, in the order in which the pairs were met.
        tie_break: who wins a tie. ``"first"``: the pair met first. ``"lowest_id"``: the
            smallest (left id, right id), the rule of Hugging Face tokenizers. ``"greatest"``:
            the greatest pair by content, as subword-nmt does.
        ids: {symbol: id} for ``"lowest_id"``, when the symbols are not ids themselves.

    Returns:
        The chosen pair.

    Raises:
        ValueError: there is no pair to choose from, or the tie rule is unknown.

    Example:
        >>> counts = {("s", "t"): 9, ("e", "s"): 9, ("w", "e"): 8}
        >>> best_pair(counts), best_pair(counts, "greatest"), best_pair(counts, "lowest_id")
        (('s', 't'), ('s', 't'), ('e', 's'))
    """
    check_tie_break(tie_break)
    if not pair_counts:
        raise ValueError("pair_counts is empty: there is no pair to choose from")
    highest = max(pair_counts.values())
    tied = [pair for pair, count in pair_counts.items() if count == highest]
    if tie_break == "first":
        return tied[0]
    if tie_break == "greatest":
        return max(tied)
    if ids is None:
        return min(tied)
    return min(tied, key=lambda pair: (ids[pair[0]], ids[pair[1]]))


def merge_pair(symbols: Sequence[Symbol], pair: Pair, new_symbol: Symbol) -> list:
    """Replace each occurrence of a pair by one new symbol, left to right, never overlapping.

    Args:
        symbols: the symbols of one word or text. It is left as it was.
        pair: (left, right).
        new_symbol: what stands in their place afterwards.

    Returns:
        A new list.

    Example:
        >>> merge_pair(["a", "a", "a"], ("a", "a"), "aa")
        ['aa', 'a']
        >>> merge_pair(["ne", "s", "t"], ("e", "s"), "es")  # (e, s) is not in there
        ['ne', 's', 't']
    """
    left, right = pair
    merged = []
    i = 0
    while i < len(symbols):
        if i + 1 < len(symbols) and symbols[i] == left and symbols[i + 1] == right:
            merged.append(new_symbol)
            i += 2  # both symbols are used up: the next pair starts behind them
        else:
            merged.append(symbols[i])
            i += 1
    return merged


def learn_merges_naively(
    word_counts: Mapping[Sequence[Symbol], int],
    num_merges: int,
    tie_break: str = "first",
    min_frequency: int = 1,
    *,
    base: Sequence[Symbol] | None = None,
) -> list[Merge]:
    """Learn merges by the definition: count everything, merge the best pair, begin again.

    It is slow, and it is right: the faster trainer in ``training.py`` is tested against it.

    Args:
        word_counts: {tuple of symbols: frequency}; symbols are str or bytes. Words that a merge
            makes equal count as one from then on, at the place of the first.
        num_merges: how many merges to learn at most.
        tie_break: see ``best_pair``.
        min_frequency: stop when the best pair occurs less often than this.
        base: the symbols in the order of their ids, for ``"lowest_id"``; by default those
            of the words, sorted. A new symbol gets the next id.

    Returns:
        The merges in the order learned; fewer than asked for when the pairs run out.

    Example:
        >>> words = {tuple("low"): 5, tuple("lower"): 2}
        >>> [(merge.new, merge.count) for merge in learn_merges_naively(words, 3)]
        [('lo', 7), ('low', 7), ('lowe', 2)]
    """
    words = {symbols: frequency for symbols, frequency in word_counts.items() if frequency}
    if base is None:
        base = sorted({symbol for symbols in word_counts for symbol in symbols})
    ids = {symbol: i for i, symbol in enumerate(base)}
    merges = []
    while len(merges) < num_merges and (pair_counts := count_pairs(words)):
        pair = best_pair(pair_counts, tie_break, ids=ids)
        if pair_counts[pair] < min_frequency:
            break
        new = pair[0] + pair[1]
        ids.setdefault(new, len(ids))
        merges.append(Merge(len(merges) + 1, pair, new, pair_counts[pair]))
        merged = Counter()
        for symbols, frequency in words.items():
            merged[tuple(merge_pair(symbols, pair, new))] += frequency  # two words can become the same
        words = merged
    return merges
