"""Applying merges to new text: how a tokenizer uses what training has learned.

Two ways: replay every merge in the order learned, or look only at the pairs that are there
and fuse the one with the lowest rank, again and again. They give the same tokens for any
list of merges that training made from single symbols.
The first is the definition. The second does less work, and both tokenizers use it.
"""

import heapq
import sys
from collections.abc import Iterable, Mapping, Sequence

from .pairs import Pair, Symbol, merge_pair

NEVER = sys.maxsize  # the rank of a pair that no merge fuses
MAX_KEPT_PAIRS = 1_000_000
LONG = 64  # symbols; from here on a heap beats searching the whole piece each time


class MergeRanks(dict):
    """{(left, right): rank}; any other pair has the rank NEVER.

    The rank of a merge is its place in the list of merges, from 0. A pair that stands
    in the list twice keeps its first place: replaying would find nothing left at the
    second.

    Example:
        >>> ranks = MergeRanks.from_merges([("e", "s"), ("es", "t")])
        >>> ranks["es", "t"], ranks["q", "z"] == NEVER
        (1, True)
    """

    @classmethod
    def from_merges(cls, merges: Iterable[Pair]) -> "MergeRanks":
        """Number the merges in their order."""
        ranks = cls()
        for rank, pair in enumerate(merges):
            ranks.setdefault(pair, rank)
        return ranks

    def __missing__(self, pair: Pair) -> int:
        return NEVER


class JoinedRanks(dict):
    """Ranks by tiktoken's rule: two neighbors may fuse whenever their joined bytes are a token.

    A rank file has no list of merges. A token's id is its rank, and any two tokens whose
    bytes together are a token may become it. Looked-up pairs are kept, up to a limit.

    Source: tiktoken, src/lib.rs, ``_byte_pair_merge``.
    """

    def __init__(self, vocab: Mapping[int, bytes], ids: Mapping[bytes, int]):
        """Take the vocabulary in both directions: {id: bytes} and {bytes: id}."""
        super().__init__()
        self._vocab, self._ids = vocab, ids

    def __missing__(self, pair: tuple[int, int]) -> int:
        rank = self._ids.get(self._vocab[pair[0]] + self._vocab[pair[1]], NEVER)
        if len(self) < MAX_KEPT_PAIRS:
            self[pair] = rank
        return rank


def replay_merges(symbols: Sequence[Symbol], merges: Iterable[Pair]) -> list[list]:
    """Apply every merge in the order learned, and show each step that changed something.

    Args:
        symbols: one word as base symbols (str or bytes, so that left + right is the new one).
        merges: the pairs in the order learned.

    Returns:
        The word before and after each merge that found its pair; the last is the result.

    Example:
        >>> for step in replay_merges("lowest", [("e", "s"), ("es", "t"), ("l", "o")]):
        ...     print(*step)
        l o w e s t
        l o w es t
        l o w est
        lo w est
    """
    steps = [list(symbols)]
    for left, right in merges:
        merged = merge_pair(steps[-1], (left, right), left + right)
        if len(merged) < len(steps[-1]):
            steps.append(merged)
    return steps


def apply_merges(
    symbols: Iterable[Symbol], ranks: Mapping[Pair, int], results: Sequence[Symbol], limit: int = NEVER
) -> list:
    """Fuse the pair of lowest rank, the leftmost of equals, until no pair has a rank.

    Args:
        symbols: one word or piece as base symbols.
        ranks: {(left, right): rank} that gives NEVER for pairs that do not fuse, such as
            ``MergeRanks``.
        results: what a pair becomes: ``results[rank]`` is the new symbol.
        limit: pairs of this rank and above are not fused.

    Returns:
        A new list of symbols; for merges that training made, the last step of ``replay_merges``.

    Example:
        >>> merges = [("u", "g"), ("u", "n"), ("h", "ug")]
        >>> apply_merges("thug", MergeRanks.from_merges(merges), ["ug", "un", "hug"])
        ['t', 'hug']
    """
    symbols = list(symbols)
    if len(symbols) >= LONG:
        gone = fuse_with_heap(symbols, ranks, results, limit)
        return [symbol for symbol, rank in zip(symbols, gone) if rank == NEVER]
    found = [ranks[pair] for pair in zip(symbols, symbols[1:])]
    while found:
        best = min(found)
        if best >= limit:
            break
        i = found.index(best)
        symbols[i : i + 2] = [results[best]]
        # The pair is gone and its two neighbors are new pairs: look them up again.
        del found[i]
        if i > 0:
            found[i - 1] = ranks[symbols[i - 1], symbols[i]]
        if i < len(found):
            found[i] = ranks[symbols[i], symbols[i + 1]]
    return symbols


def fuse_bytes(piece: bytes, ranks: Mapping[bytes, int]) -> list[int]:
    """Do the same by tiktoken's rule, on the bytes of a piece: any neighbors fuse whose joined bytes are a token.

    A slice of the piece is the key, so nothing is joined and no new symbol is made.

    Args:
        piece: the bytes of one piece; each of them alone must be a token.
        ranks: {token: rank}; a token's rank is its id.

    Returns:
        The ids.

    Example:
        >>> fuse_bytes(b"thug", {b"t": 0, b"h": 1, b"u": 2, b"g": 3, b"ug": 4, b"hug": 5})
        [0, 5]
    """
    get = ranks.get
    starts = list(range(len(piece) + 1))
    found = [get(piece[i : i + 2], NEVER) for i in range(len(piece) - 1)]
    while found and (best := min(found)) < NEVER:
        i = found.index(best)
        del found[i], starts[i + 1]
        if i > 0:
            found[i - 1] = get(piece[starts[i - 1] : starts[i + 1]], NEVER)
        if i < len(found):
            found[i] = get(piece[starts[i] : starts[i + 2]], NEVER)
    return [ranks[piece[start:end]] for start, end in zip(starts, starts[1:])]


def fuse_with_heap(
    symbols: list, ranks: Mapping[Pair, int], results: Sequence[Symbol], limit: int = NEVER
) -> list[int]:
    """Fuse as ``apply_merges`` does, in O(m log m), and note when each boundary goes.

    With only the ranks below r the same fusions happen in the same order, up to the first
    whose rank is r or more. So the rank noted is the highest one up to that moment.

    Args:
        symbols: one piece as base symbols. A new symbol takes the place of its left half; what
            stands in places that are gone has no meaning.
        ranks: as for ``apply_merges``, like the next two.
        results: ``results[rank]`` is the new symbol.
        limit: pairs of this rank and above are not fused.

    Returns:
        For each symbol the rank at which the boundary before it goes; NEVER where it stays.

    Example:
        >>> ranks = MergeRanks.from_merges([("u", "g"), ("h", "ug")])
        >>> [rank if rank < NEVER else "stays" for rank in fuse_with_heap(list("thug"), ranks, ["ug", "hug"])]
        ['stays', 'stays', 1, 0]
    """
    # Symbols stay where they are; following/preceding skip the places that are gone. Heap entries
    # are (rank, place) in one number; one that no longer holds is skipped when it comes up.
    n, highest = len(symbols), 0
    gone = [NEVER] * n
    following = list(range(1, n + 1))
    preceding = list(range(-1, n - 1))
    heap = [ranks[pair] * n + i for i, pair in enumerate(zip(symbols, symbols[1:])) if ranks[pair] < limit]
    heapq.heapify(heap)
    while heap:
        rank, i = divmod(heapq.heappop(heap), n)
        j = following[i]
        if j == n or gone[i] != NEVER or ranks[symbols[i], symbols[j]] != rank:
            continue
        symbols[i] = results[rank]
        gone[j] = highest = max(highest, rank)
        following[i] = after = following[j]
        if after < n:
            preceding[after] = i
        for left, right in ((preceding[i], i), (i, after)):
            if left >= 0 and right < n and (rank := ranks[symbols[left], symbols[right]]) < limit:
                heapq.heappush(heap, rank * n + left)
    return gone


def recover_merges(vocab: Mapping[int, bytes]) -> dict[tuple[int, int], int]:
    """Work out the list of merges behind a rank file.

    The file does not say which two tokens a token was made from. Encode its bytes with
    only the tokens that are older: what is left are the two.

    Args:
        vocab: {id: bytes}; an id is a rank.

    Returns:
        {(left id, right id): id}, in the order of the ids.

    Raises:
        ValueError: a token that no two older tokens make.

    Example:
        >>> vocab = {0: b"a", 1: b"b", 2: b"ab", 3: b"aba"}
        >>> recover_merges(vocab)
        {(0, 1): 2, (2, 0): 3}
    """
    ids = {token: i for i, token in vocab.items()}
    ranks = JoinedRanks(vocab, ids)
    results = range(max(vocab, default=0) + 1)
    merges = {}
    for i in sorted(vocab):
        token = vocab[i]
        if len(token) > 1:
            parts = apply_merges([ids[token[k : k + 1]] for k in range(len(token))], ranks, results, limit=i)
            if len(parts) != 2:
                raise ValueError(f"the token {token!r} (id {i}) cannot be made from two older tokens")
            merges[parts[0], parts[1]] = i
    return merges
