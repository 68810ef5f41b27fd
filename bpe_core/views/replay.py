"""What a text looks like after any number of merges, without encoding it again.

A merge removes the boundary between two symbols, and no boundary comes back. So it is
enough to note for every boundary the number of the merge that removes it. After k merges
the tokens begin where a boundary has a number greater than k. One encoding of the text
gives all the numbers; each view of it is then one walk over a list.
"""

from itertools import accumulate

from ..byte_bpe import ByteBPE
from ..checks import check_text
from ..encoding import NEVER, fuse_with_heap
from ..pairs import Merge
from ..word_bpe import UNKNOWN, WordBPE, check_word


class Replay:
    """A text after each number of merges.

    Attributes:
        merges: list of Merge(step, pair, new, count) with contents (str or bytes), not ids.
            The count is 0 where it is not known.
        symbols: the base symbols of the text, str or bytes.
        gone: for each symbol the number of the merge that removes the boundary before it;
            NEVER where it stays.
        word_starts: where words (or pieces) begin, counted in symbols.
        tokens_after: number of tokens after 0, 1, 2, ... merges.
        num_merges: how many merges there are.
        vocab_after: vocabulary size after 0, 1, 2, ... merges.

    Example:
        >>> replay = Replay(WordBPE.train("low low lower", 2), "low")
        >>> replay.contents(0), replay.contents(2), replay.tokens_after
        (['l', 'o', 'w', '</w>'], ['low', '</w>'], [4, 3, 2])
    """

    def __init__(self, tokenizer: WordBPE | ByteBPE, text: str):
        """Encode the text once."""
        self.text = check_text(text)
        self.tokenizer = tokenizer
        self.merges = merges_of(tokenizer)
        self.num_merges = len(self.merges)
        self._rules = Rules(tokenizer, self.merges)
        self.symbols: list = []
        self.gone: list[int] = []
        self.word_starts: set[int] = set()
        known: dict[str, tuple[list, list[int]]] = {}
        for piece in self._rules.pieces(text):
            if piece not in known:
                known[piece] = self._rules.removals(piece)
            symbols, gone = known[piece]
            self.word_starts.add(len(self.symbols))
            self.symbols += symbols
            self.gone += gone
        removed = [0] * (len(self.merges) + 1)
        for number in self.gone:
            if number != NEVER:
                removed[number] += 1
        self.tokens_after = [len(self.symbols) - n for n in accumulate(removed)]
        self.vocab_after = list(accumulate([self._rules.base_size, *self._rules.adds]))

    def starts(self, k: int) -> list[int]:
        """Return where the tokens begin after k merges, counted in base symbols.

        Example:
            >>> Replay(WordBPE.train("low low lower", 2), "low").starts(1)
            [0, 2, 3]
        """
        return [i for i, number in enumerate(self.gone) if number > k]

    def contents(self, k: int) -> list[str] | list[bytes]:
        """Return all tokens after k merges.

        Example:
            >>> Replay(WordBPE.train("low low lower", 2), "low").contents(1)
            ['lo', 'w', '</w>']
        """
        starts = self.starts(k)
        ends = starts[1:] + [len(self.symbols)]
        return [self.content(start, end) for start, end in zip(starts, ends)]

    def content(self, start: int, end: int) -> str | bytes:
        """Return the symbols from start to end as one token.

        Example:
            >>> Replay(WordBPE.train("low low lower", 2), "low").content(0, 2)
            'lo'
        """
        return self._rules.empty.join(self.symbols[start:end])

    def made_by(self, k: int, start: int, end: int) -> bool:
        """Say whether merge k made this token, or a part of it.

        Example:
            >>> replay = Replay(WordBPE.train("low low lower", 2), "low")
            >>> replay.made_by(1, 0, 2), replay.made_by(2, 0, 2)
            (True, False)
        """
        return k > 0 and k in self.gone[start + 1 : end]


class Rules:
    """What merges may do in one tokenizer, seen alike for words and bytes."""

    def __init__(self, tokenizer: WordBPE | ByteBPE, merges: list[Merge]):
        """Note which merge first made each token, and how many ids there are before any merge."""
        self._tokenizer = tokenizer
        self.is_words = isinstance(tokenizer, WordBPE)
        self.empty = "" if self.is_words else b""
        made: dict = {}  # {content: number of the merge that first made it}
        for merge in merges:
            made.setdefault(merge.new, merge.step)
        self._made = made
        base = {UNKNOWN, *tokenizer.base} if self.is_words else set(tokenizer.vocab.values()) - set(made)
        self.adds = [int(made[merge.new] == merge.step and merge.new not in base) for merge in merges]
        everything = len(tokenizer.vocab) if self.is_words else tokenizer.vocab_size
        self.base_size = everything - sum(self.adds)
        # In a rank file a rank is an id; in a list of merges it is the place in the list.
        self._by_id = not self.is_words and tokenizer.joins_by_rank

    def pieces(self, text: str) -> list[str]:
        """Cut the text as the tokenizer does: into words, or into pieces of its pattern."""
        if not self.is_words:
            return self._tokenizer.pieces(text)
        words = text.split()
        for word in words:
            check_word(word, self._tokenizer.end_of_word)
        return words

    def removals(self, piece: str) -> tuple[list, list[int]]:
        """Return the base symbols of a piece and the merge numbers that remove the boundaries before them."""
        tokenizer = self._tokenizer
        symbols = tokenizer.base_symbols(piece)
        contents = symbols if self.is_words else [tokenizer.vocab[i] for i in symbols]
        ranks = fuse_with_heap(list(symbols), tokenizer.pair_ranks, tokenizer.results)
        gone = [self._number(rank) for rank in ranks[1:]]
        if not self.is_words and tokenizer.whole_pieces:
            whole = piece.encode("utf-8")
            if whole in tokenizer.id_of:  # such a piece is taken at once, from the moment it is a token
                gone = [min(number, self._made.get(whole, 0)) for number in gone]
        return contents, [NEVER, *gone][: len(contents)]

    def _number(self, rank: int) -> int:
        if rank == NEVER:
            return NEVER
        return self._made[self._tokenizer.vocab[rank]] if self._by_id else rank + 1


def merges_of(tokenizer: WordBPE | ByteBPE) -> list[Merge]:
    """Return the merges of a tokenizer with the contents of the symbols in place of ids.

    Example:
        >>> merges_of(ByteBPE.train("low low", 257))
        [Merge(step=1, pair=(b'l', b'o'), new=b'lo', count=2)]
    """
    if isinstance(tokenizer, WordBPE):
        return tokenizer.history
    vocab, counts = tokenizer.vocab, {}
    for merge in tokenizer.history:
        counts.setdefault(merge.pair, merge.count)
    return [
        Merge(step, (vocab[pair[0]], vocab[pair[1]]), vocab[new], counts.get(pair, 0))
        for step, (pair, new) in enumerate(tokenizer.merges.items(), 1)
    ]
