"""The vocabularies of GPT-2, GPT-4, GPT-4o and Qwen2.5, from files that come with the course.

Nothing is downloaded. A file whose SHA-256 is not the one in tiktoken's source, or for
Qwen2.5 that of the qwen.tiktoken published with the first Qwen, whose tokens Qwen2.5
has kept, is refused.
"""

import hashlib
import json
import os
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .byte_bpe import ByteBPE
from .datasets import data_folder, read_text
from .exchange import parse_rank_file
from .formats import load_file
from .word_bpe import WordBPE


class Published(NamedTuple):
    """What is known of a published tokenizer."""

    file: str
    sha256: str
    pattern: str
    normalization: str | None
    models: str
    not_special: tuple[str, ...] = ()  # added tokens that any text may hold: special: false in the makers' file


TOKENIZERS = {
    "gpt2": Published(
        "r50k_base", "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930", "gpt2", None, "GPT-2, GPT-3"
    ),
    "cl100k_base": Published(
        "cl100k_base",
        "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
        "cl100k",
        None,
        "GPT-3.5, GPT-4",
    ),
    "o200k_base": Published(
        "o200k_base",
        "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
        "o200k",
        None,
        "GPT-4o, GPT-4.1, GPT-5",
    ),
    "qwen2.5": Published(
        "qwen2",
        "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186",
        "qwen2",
        "NFC",
        "Qwen2.5",
        (
            "<tool_call>",
            "</tool_call>",
            "<|fim_prefix|>",
            "<|fim_middle|>",
            "<|fim_suffix|>",
            "<|fim_pad|>",
            "<|repo_name|>",
            "<|file_sep|>",
        ),
    ),
}

# How models and lists are called, in lower case with a hyphen between words: regular expressions.
FAMILIES = {
    "gpt2": "gpt-?[23]|r50k(-base)?",
    "cl100k_base": r"gpt-?(3\.?5|4)(-turbo)?|cl100k(-base)?",
    "o200k_base": r"(chat)?gpt-?4o|gpt-?4\.[15]|gpt-?5(\.\d)?|o[13]|o4-mini|o200k(-base)?",
    "qwen2.5": r"qwen-?2(\.5)?",
}
SELLERS = "(openai(-community)?/|qwen/)?"
# What may follow: sizes, dates, kinds, "on my own machine".
VARIANTS = r"(-(\d\d+|[\d.]+[bkm]|small|medium|large|xl|mini|nano|chat|base|instruct|preview|latest))*(-on-[^./]*)?"


def canonical_name(name: str) -> str | None:
    """Return the name of a published tokenizer for its name or a model's, however spelled, or None.

    Example:
        >>> canonical_name("GPT-4"), canonical_name("gpt_4o mini"), canonical_name("toy.json")
        ('cl100k_base', 'o200k_base', None)

    Source: which OpenAI model has which list is what tiktoken 0.14 says in ``tiktoken/model.py``.
    """
    spelled = re.sub("[^a-z0-9./]+", "-", name.lower()).strip("-")
    return next(
        (known for known, family in FAMILIES.items() if re.fullmatch(f"{SELLERS}({family}){VARIANTS}", spelled)), None
    )


def lists_here() -> str:
    """Return the published tokenizers as a text for errors: names, and the models that use them."""
    return ", ".join(f"{name} ({published.models})" for name, published in TOKENIZERS.items())


def load(name_or_path: str | os.PathLike) -> ByteBPE | WordBPE:
    """Return a published tokenizer by its name, or one that ``save`` wrote by its path.

    Args:
        name_or_path: a name such as ``"gpt2"`` or ``"GPT-4o mini"``, see ``load_pretrained``;
            anything else, or a Path, is the path of a file.

    Raises:
        FileNotFoundError: it is neither a name nor a file.
        ValueError: the file is damaged or of another kind.

    Example:
        >>> load("qwen2.5").encode("2026")
        [17, 15, 17, 21]
    """
    if isinstance(name_or_path, str) and canonical_name(name_or_path):
        return load_pretrained(name_or_path)
    if not Path(name_or_path).exists():
        raise FileNotFoundError(
            f"{str(name_or_path)!r} is no file, and no model whose list is here; these are: {lists_here()}"
        )
    return load_file(name_or_path)


def load_pretrained(name: str) -> ByteBPE:
    """Return a published tokenizer, read from its file the first time.

    The object is shared by all who ask for it: take care not to change its ``vocab``.

    Args:
        name: ``"gpt2"``, ``"cl100k_base"``, ``"o200k_base"``, ``"qwen2.5"``, or a model that
            uses one of these, such as ``"GPT-4o mini"`` or ``"Qwen/Qwen2.5-7B-Instruct"``.

    Raises:
        ValueError: the name is unknown, or the file is not the published one.

    Example:
        >>> load_pretrained("gpt-4").encode("def get_user(id):")
        [755, 636, 3398, 3809, 1680]

    Source: the names, patterns and special tokens are those of tiktoken's
    ``openai_public.py`` and of Qwen2.5's tokenizer.json.
    """
    known = canonical_name(name)
    if known is None:
        raise ValueError(f"name is {name!r}, a model whose list is not here; these are: {lists_here()}")
    return _read(known)


@cache
def _read(name: str) -> ByteBPE:
    published = TOKENIZERS[name]
    folder = data_folder() / "tokenizers"
    path = folder / f"{published.file}.tiktoken"
    data = path.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    if digest != published.sha256:
        raise ValueError(
            f"{path}: the SHA-256 is {digest}, not {published.sha256}: the file is damaged or another one; "
            "take it anew from the course's repository (check that Git did not change its line ends)"
        )
    specials = json.loads(read_text(folder / "special_tokens.json"))[published.file]
    return ByteBPE.from_ranks(
        parse_rank_file(data, path),
        pattern=published.pattern,
        special_tokens=specials,
        not_special=published.not_special,
        normalization=published.normalization,
    )
