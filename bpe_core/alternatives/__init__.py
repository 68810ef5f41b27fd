"""What other tokenizers do: one small file for each algorithm, after the core has been read.

wordpiece      pairs chosen by a score, words cut by the longest match
unigram        pieces with probabilities, words cut by the most probable path
sentencepiece  how text is written before either is trained: spaces as ``▁``, bytes as a fallback
dropout        any trained BPE tokenizer, with merges left out at random
superbpe       BPE that learns inside of words first, then across spaces
"""

from .dropout import encode_with_dropout
from .superbpe import train_superbpe
from .unigram import Unigram
from .wordpiece import WordPiece

__all__ = ["Unigram", "WordPiece", "encode_with_dropout", "train_superbpe"]
