"""BPE-dropout: any trained BPE tokenizer, with merges left out at random.

The same word is cut in many ways, and a model that trains on it sees the parts of a token too.
At use nothing is left out: the tokenizer and its vocabulary stay as they are.

Source: Provilkov, Emelianenko and Voita, "BPE-Dropout: Simple and Effective Subword
Regularization" (2020), Algorithm 1.
"""

import random
from numbers import Real

from ..byte_bpe import ByteBPE
from ..checks import check_text
from ..encoding import NEVER
from ..word_bpe import WordBPE


def encode_with_dropout(
    tokenizer: ByteBPE | WordBPE, text: str, p: float, *, rng: random.Random | int = 0
) -> list[int]:
    """Encode a text; each merge that could be made next is left out with probability p.

    Args:
        tokenizer: a trained tokenizer. The text of a control token is ordinary text here.
        text: any text.
        p: from 0 (nothing is left out) to 1 (no merge is made). The paper trains with 0.1.
        rng: a random.Random, or a seed for one.

    Returns:
        A list of ids, which decode to the same text as those without dropout.

    Raises:
        TypeError, ValueError: p is no number from 0 to 1, or the text is not one.

    Example:
        >>> tokenizer = WordBPE.train("low low low", 3)
        >>> [encode_with_dropout(tokenizer, "low", p) == tokenizer.encode("low") for p in (0, 1)]
        [True, False]
    """
    if isinstance(p, bool) or not isinstance(p, Real):
        raise TypeError(f"p is {p!r}; it must be a number from 0 to 1")
    if not 0 <= p <= 1:
        raise ValueError(f"p is {p}; a probability is from 0 to 1")
    rng = rng if isinstance(rng, random.Random) else random.Random(rng)
    pieces = tokenizer.pieces(text) if isinstance(tokenizer, ByteBPE) else check_text(text).split()
    symbols = [symbol for piece in pieces for symbol in fuse_some(tokenizer, piece, p, rng)]
    return symbols if isinstance(tokenizer, ByteBPE) else [tokenizer.vocab.get(symbol, 0) for symbol in symbols]


def fuse_some(tokenizer: ByteBPE | WordBPE, piece: str, p: float, rng: random.Random) -> list:
    """Fuse the pair of lowest rank among those that the draw leaves, until it leaves none.

    Every place is drawn anew for every merge. With p = 0 this is ``apply_merges``.

    Example:
        >>> fuse_some(WordBPE.train("low low", 3), "low", 1.0, random.Random(0))
        ['l', 'o', 'w', '</w>']
    """
    symbols = list(tokenizer.base_symbols(piece))
    while True:
        ranks = [tokenizer.pair_ranks[pair] for pair in zip(symbols, symbols[1:])]
        left = [(rank, i) for i, rank in enumerate(ranks) if rank < NEVER and rng.random() >= p]
        if not left:
            return symbols
        rank, i = min(left)
        symbols[i : i + 2] = [tokenizer.results[rank]]
