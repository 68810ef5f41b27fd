"""Byte-pair encoding, by hand: the module that the notebooks build on.

Reading order, one idea a file, each of which imports only files that stand before it:

    checks, pairs, training, encoding, word_bpe, patterns, portable, streaming, byte_bpe, formats,
    exchange, datasets, pretrained, names, costs, chat_templates, chat_checks, chat, scale

Two can be skipped on a first reading: checks and chat_checks, which say what is wrong with an
input. ``alternatives`` holds what other tokenizers do, a file each, ``views`` draws what a learner
looks at, and ``classroom`` checks exercises. These three, names, costs, the chat files and scale are not
imported here, so that ``import bpe_core`` stays quick and needs the standard library only.
"""

from .byte_bpe import ByteBPE
from .exchange import (
    load_huggingface,
    load_tiktoken,
    save_huggingface,
    save_tiktoken,
    to_tiktoken,
)
from .formats import save
from .pairs import best_pair, count_pairs, merge_pair
from .pretrained import load
from .word_bpe import WordBPE

__version__ = "0.1.0"
__all__ = [
    "ByteBPE",
    "WordBPE",
    "best_pair",
    "count_pairs",
    "load",
    "load_huggingface",
    "load_tiktoken",
    "merge_pair",
    "save",
    "save_huggingface",
    "save_tiktoken",
    "to_tiktoken",
]
