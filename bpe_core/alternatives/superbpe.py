"""SuperBPE: byte-pair encoding that learns inside of words first, and then across spaces.

Phase one is ordinary training with a pattern. Phase two goes on from its tokens without the
pattern, so that merges may cross spaces: `` of the`` becomes a token. A merge still stops at
the end of a line. What comes out is a ``ByteBPE`` like any other.

Source: Liu et al., "SuperBPE: Space Travel for Language Models" (2025). The paper also keeps
tokens to four words at most; this does not.
"""

from collections import Counter

from ..byte_bpe import ByteBPE
from ..checks import check_text, check_whole_number
from ..patterns import split
from ..training import learn_merges

LINES = r"[^\n]*\n|[^\n]+"


def train_superbpe(text: str, first_size: int, vocab_size: int, *, pattern: str = "gpt2") -> ByteBPE:
    """Learn ``first_size`` tokens inside the pattern's pieces, then across them up to ``vocab_size``.

    Args:
        text: the corpus.
        first_size: tokens after phase one, the 256 bytes among them.
        vocab_size: tokens wanted in all; fewer are made when the pairs run out.
        pattern: the cut of phase one, as in ``ByteBPE.train``.

    Returns:
        A tokenizer whose pieces are lines.

    Raises:
        TypeError: the text is no str, or a size no int.
        ValueError: the text is empty, or the sizes are not 256 <= first_size <= vocab_size.

    Example:
        >>> tokenizer = train_superbpe("the end of the day, the end of the way\\n" * 9, 270, 280)
        >>> [token.decode() for token in tokenizer.tokens("the end of the road")]
        ['the end of the', ' ', 'r', 'o', 'a', 'd']
    """
    first_size = check_whole_number("first_size", first_size, least=256)
    vocab_size = check_whole_number("vocab_size", vocab_size, least=first_size)
    if not check_text(text):
        raise ValueError("the corpus is empty; training needs a text")
    lines = split(text, LINES)
    first = ByteBPE.train(lines, first_size, pattern=pattern)
    packed = Counter("".join(map(chr, first.encode(line))) for line in lines)  # a character for each token
    contents = list(first.vocab.values())
    merges, history = dict(first.merges), list(first.history)
    for merge in learn_merges(packed, contents, tie_break="lowest_id"):
        if merge.new >= vocab_size:
            break
        merges.setdefault(merge.pair, merge.new)
        history.append(merge._replace(step=len(history) + 1))
    vocab = dict(enumerate(contents[:vocab_size]))
    return ByteBPE(vocab, merges, pattern=LINES, history=history)
