"""Learning merges fast: the same merges as the naive loop, without counting again.

The naive loop counts every pair of the corpus for every merge. One merge changes only
the words that hold the pair, and in them only the pairs around it. So this trainer
counts once, remembers which words hold which pair, and after a merge corrects the
counts around each place where two symbols fused. Words that a merge makes equal stay
apart here; that changes nothing, since every pair of the later one stands in the first.

A word is kept as a Python str with one character for each symbol: ``chr(i)`` stands for
symbol number i, so there can be 1,114,112 symbols. ``word.split(pair)`` then finds every occurrence of the pair, left to
right and never overlapping (just what a merge must do), and ``new.join(parts)``
is the merge. The characters are numbers in disguise; nothing ever prints them.
"""

import heapq
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import accumulate

from .checks import check_tie_break, check_whole_number
from .pairs import Merge


def pack_words(word_counts: Mapping, symbols: list) -> dict[str, int]:
    """Write each word as a str in which ``chr(i)`` stands for ``symbols[i]``.

    Args:
        word_counts: {sequence of symbols: frequency}.
        symbols: every symbol that the words use, in the order of their ids.

    Returns:
        {packed word: frequency}, in the same order.

    Example:
        >>> pack_words({("l", "o", "w"): 5}, ["l", "o", "w"])
        {'\\x00\\x01\\x02': 5}
    """
    character = {symbol: chr(i) for i, symbol in enumerate(symbols)}
    packed = {}
    for word, frequency in word_counts.items():
        key = "".join([character[symbol] for symbol in word])
        packed[key] = packed.get(key, 0) + frequency
    return packed


def learn_merges(
    words: Mapping[str, int], symbols: list, *, tie_break: str = "first", min_frequency: int = 1
) -> Iterator[Merge]:
    """Yield the merges of byte-pair encoding one by one, in the order learned.

    The caller stops when it has enough; the generator ends when no pair occurs
    ``min_frequency`` times.

    Args:
        words: {packed word: frequency}, see ``pack_words``.
        symbols: what each id stands for: a list of bytes, or of str. New symbols are
            appended to it. A merge whose result is in the list already gets that id,
            so that no content stands under two ids (as in Hugging Face tokenizers).
        tie_break: ``"first"``, ``"lowest_id"`` or ``"greatest"``, see ``best_pair``.
        min_frequency: the count below which a pair is not merged.

    Yields:
        Merge(step, (left id, right id), new id, count).

    Raises:
        TypeError, ValueError: an argument is not as said above.

    Example:
        >>> symbols = ["e", "l", "o", "r", "w"]
        >>> words = pack_words({tuple("low"): 5, tuple("lower"): 2}, symbols)
        >>> for merge in learn_merges(words, symbols, min_frequency=5):
        ...     print(merge, symbols[merge.new])
        Merge(step=1, pair=(1, 2), new=5, count=7) lo
        Merge(step=2, pair=(5, 4), new=6, count=7) low
    """
    check_tie_break(tie_break)
    min_frequency = check_whole_number("min_frequency", min_frequency, least=1)
    return _learn(PairIndex(words), symbols, tie_break, min_frequency)


def _learn(index: "PairIndex", symbols: list, tie_break: str, min_frequency: int) -> Iterator[Merge]:
    ids = {symbol: i for i, symbol in enumerate(symbols)}
    lengths = [1] * len(symbols)  # in base symbols
    order = _ORDERS[tie_break](index, symbols)
    # Greatest count first; among equals the smallest order. An entry may be out of date:
    # counts fall after it was made. It is checked when it comes up, and put back corrected.
    heap = [(-count, order(pair), pair) for pair, count in index.counts.items()]
    heapq.heapify(heap)
    step = 0
    while heap and -heap[0][0] >= min_frequency:
        negative, rank, pair = heapq.heappop(heap)
        count = index.counts.get(pair, 0)
        if count != -negative:
            if count:
                heapq.heappush(heap, (-count, rank, pair))
            continue
        if tie_break == "first" and (place := index.first_place(pair, lengths)) > rank:
            heapq.heappush(heap, (negative, place, pair))  # it begins later than was known
            continue
        left, right = map(ord, pair)
        content = symbols[left] + symbols[right]
        new = ids.setdefault(content, len(symbols))
        if new == len(symbols):
            symbols.append(content)
            lengths.append(lengths[left] + lengths[right])
        for risen in index.merge(pair, chr(new)):
            heapq.heappush(heap, (-index.counts[risen], order(risen), risen))
        step += 1
        yield Merge(step, (left, right), new, count)


class PairIndex:
    """The words, the count of each pair in them, and for each pair the words that hold it.

    After every merge the counts equal those of a fresh recount.
    """

    def __init__(self, words: Mapping[str, int]):
        """Count the pairs of the packed words, once."""
        self.words = list(words)
        self.frequencies = list(words.values())
        self.counts: dict[str, int] = defaultdict(int)
        self.where: dict[str, list[int]] = defaultdict(list)  # may name a word often, or one that lost the pair since
        self.starts = [0, *accumulate(map(len, words))]  # where each word begins, in base symbols
        for w, (word, frequency) in enumerate(words.items()):
            if frequency:
                for pair in map("".join, zip(word, word[1:])):
                    self.counts[pair] += frequency
                    self.where[pair].append(w)

    def merge(self, pair: str, new: str) -> list[str]:
        """Fuse the pair in every word; return the pairs that occur more often than before.

        A fused place loses the pairs that touch it and gains two with the new symbol. So it is
        enough to note for each neighbor the words in which it stands there.
        """
        left, right = pair
        words, counts = self.words, self.counts
        del counts[pair]
        before, behind, between = defaultdict(list), defaultdict(list), []
        for w in set(self.where.pop(pair)):
            parts = words[w].split(pair)
            if len(parts) == 1:
                continue
            words[w] = new.join(parts)
            if parts[0]:
                before[parts[0][-1]].append(w)
            for part in parts[1:-1]:
                if part:
                    behind[part[0]].append(w)
                    before[part[-1]].append(w)
                else:  # two fused places touch: b|a between them becomes new|new
                    between.append(w)
            if parts[-1]:
                behind[parts[-1][0]].append(w)
        changes = [(symbol + left, symbol + new, holders) for symbol, holders in before.items()]
        changes += [(right + symbol, new + symbol, holders) for symbol, holders in behind.items()]
        changes += [(right + left, new + new, between)] if between else []
        for lost, gained, holders in changes:
            frequency = sum(map(self.frequencies.__getitem__, holders))
            if lost != pair:  # as in aaa, where a pair overlaps itself
                counts[lost] -= frequency
                if not counts[lost]:
                    del counts[lost]
            counts[gained] += frequency
            self.where[gained].extend(holders)
        return [gained for _, gained, _ in changes]

    def first_place(self, pair: str, lengths: list[int]) -> int:
        """Return where the pair's first occurrence begins, in base symbols from the corpus's start."""
        w = min(w for w in self.where[pair] if pair in self.words[w])
        word = self.words[w]
        return self.starts[w] + sum(lengths[ord(symbol)] for symbol in word[: word.index(pair)])


def _order_greatest(index: PairIndex, symbols: list):
    def descending(symbol: str) -> tuple:
        content = symbols[ord(symbol)]
        codes = content if isinstance(content, bytes) else map(ord, content)
        return (*(-code for code in codes), 1)  # the 1 puts "ab" before its beginning "a"

    return lambda pair: tuple(map(descending, pair))


# For each tie rule a function of (index, symbols) that makes the function order(pair):
# among pairs with equal counts the smallest order wins.
_ORDERS = {
    # Only a lower bound, the start of the first word that may hold the pair: the exact
    # place is worth computing only for the pairs that come up.
    "first": lambda index, symbols: lambda pair: index.starts[min(index.where[pair])],
    "lowest_id": lambda index, symbols: str,  # characters compare by their numbers, and the numbers are the ids
    "greatest": _order_greatest,
}
