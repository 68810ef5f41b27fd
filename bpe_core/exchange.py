"""Files of other libraries: tiktoken's rank files, Hugging Face's tokenizer.json, GPT-2's pair of files.

A file can ask for more than a ByteBPE does. What cannot be honored is refused by name,
never dropped; and where a format cannot carry a tokenizer exactly, writing it fails
and says why.
"""

import base64
import binascii
import itertools
import json
import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path

from .byte_bpe import ByteBPE
from .checks import missing_byte
from .encoding import recover_merges
from .formats import MAX_ENTRIES, Fields, write_atomically
from .patterns import PATTERNS, pattern_regex
from .portable import translate

# Byte-level files write each byte as one printable character: itself if it is printable
# Latin-1, else a character from U+0100 on. So a space is Ġ (U+0120) and a line end Ċ.
PRINTABLE = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
HIDDEN = [byte for byte in range(256) if byte not in PRINTABLE]
BYTE_TO_CHARACTER = {byte: chr(byte) for byte in PRINTABLE} | {byte: chr(256 + i) for i, byte in enumerate(HIDDEN)}
CHARACTER_TO_BYTE = {character: byte for byte, character in BYTE_TO_CHARACTER.items()}


def to_printable(token: bytes) -> str:
    """Write bytes with GPT-2's 256 printable characters.

    Example:
        >>> to_printable(" é".encode("utf-8"))
        'ĠÃ©'

    Source: GPT-2, ``bytes_to_unicode`` in encoder.py.
    """
    return "".join([BYTE_TO_CHARACTER[byte] for byte in token])


def from_printable(text: str) -> bytes:
    """Read bytes written with GPT-2's printable characters.

    Raises:
        ValueError: a character that stands for no byte.

    Example:
        >>> from_printable("Ġlow")
        b' low'
    """
    try:
        return bytes([CHARACTER_TO_BYTE[character] for character in text])
    except KeyError as error:
        raise ValueError(f"{text!r} holds {error.args[0]!r}, which stands for no byte") from None


# tiktoken


def parse_rank_file(data: bytes, path: str | os.PathLike) -> dict[bytes, int]:
    """Read a rank file: on each line a token in base64, a space, and its rank.

    Args:
        data: the file's content.
        path: its name, for errors.

    Returns:
        {token: rank}, ranks 0, 1, 2, ... without a gap.

    Raises:
        ValueError: a line that is not of this form, a token or rank that comes twice, a gap, a
            missing byte; the message names file and line.

    Example:
        >>> lines = [b"%s %d" % (base64.b64encode(bytes([i])), i) for i in range(256)]
        >>> parse_rank_file(b"\\n".join(lines), "toy.tiktoken")[b"a"]
        97
    """
    lines = data.removesuffix(b"\n").split(b"\n")
    if len(lines) > MAX_ENTRIES:
        raise ValueError(f"{path}: {len(lines):,} lines; at most {MAX_ENTRIES:,} are read")
    ranks: dict[bytes, int] = {}
    taken = set()
    for number, line in enumerate(lines, 1):
        try:
            token, rank = line.split(b" ")
            token, rank = binascii.a2b_base64(token, strict_mode=True), int(rank)
        except ValueError as error:  # binascii.Error is one
            raise ValueError(
                f"{path}, line {number}: {line[:60]!r} is not a token in base64 and a rank ({error})"
            ) from None
        if token in ranks or rank in taken:
            what = f"token {token!r}" if token in ranks else f"rank {rank}"
            raise ValueError(f"{path}, line {number}: the {what} stands there twice")
        ranks[token] = rank
        taken.add(rank)
    if gaps := set(range(len(ranks))) - taken:
        raise ValueError(f"{path}: the rank {min(gaps)} is missing; ranks run from 0 without a gap")
    if (byte := missing_byte(ranks)) is not None:
        raise ValueError(f"{path}: the byte {byte:#04x} is missing; a rank file holds all 256 bytes")
    return ranks


def load_tiktoken(
    path: str | os.PathLike,
    *,
    pattern: str | None,
    special_tokens: Mapping[str, int] | None = None,
    not_special: Collection[str] = (),
    normalization: str | None = None,
) -> ByteBPE:
    """Read a rank file. It holds tokens and ranks only, so the rest must be said.

    Args:
        path: a ``.tiktoken`` file.
        pattern: the pre-tokenization pattern: a name, a regular expression as tiktoken reads it
            (its ``pat_str``), or None.
        special_tokens: {text: id}.
        not_special: those of them that any text may hold.
        normalization: None or a Unicode form.

    Raises:
        ValueError: the file is damaged, see ``parse_rank_file``, or the pattern holds what is
            read otherwise here, see ``portable``.
    """
    if isinstance(pattern, str) and pattern not in PATTERNS:
        pattern = translate(pattern, "tiktoken", reading=True)
    return ByteBPE.from_ranks(
        parse_rank_file(Path(path).read_bytes(), path),
        pattern=pattern,
        special_tokens=special_tokens,
        not_special=not_special,
        normalization=normalization,
    )


def save_tiktoken(tokenizer: ByteBPE, path: str | os.PathLike) -> None:
    """Write a rank file. Pattern and special tokens are no part of it: keep them beside it.

    Raises:
        ValueError: tiktoken's rule would cut some text otherwise than this tokenizer.
    """
    ranks = _ranks_of(tokenizer)
    if sorted(ranks.values()) != list(range(len(ranks))):
        raise ValueError("the ids of the vocabulary have gaps; a rank file numbers its lines 0, 1, 2, ...")
    lines = [
        b"%s %d\n" % (base64.b64encode(token), rank) for token, rank in sorted(ranks.items(), key=lambda item: item[1])
    ]
    write_atomically(path, b"".join(lines))


def to_tiktoken(tokenizer: ByteBPE, name: str = "bpe_core"):
    """Make a ``tiktoken.Encoding`` that gives the same ids.

    Args:
        tokenizer: a ByteBPE without normalization.
        name: how the encoding calls itself.

    Raises:
        ValueError: tiktoken cannot do the same: it does not normalize, it joins neighbors by
            rank only, it finds no added token in ordinary text, or it reads the pattern
            otherwise, see ``portable``.

    Example:
        >>> encoding = to_tiktoken(ByteBPE.train("low lower lowest", 260, pattern="gpt2"))
        >>> encoding.encode("slow")
        [115, 257]
    """
    import tiktoken  # here, because importing bpe_core stays light

    if tokenizer.normalization:
        raise ValueError(f"the tokenizer brings text to {tokenizer.normalization} first, which tiktoken does not do")
    if tokenizer.not_special:
        raise ValueError(f"the text {min(tokenizer.not_special)!r} is always a token, which tiktoken does not do")
    expression = translate(pattern_regex(tokenizer.pattern) or r"[\s\S]+", "tiktoken")
    if tokenizer.pattern not in (None, *PATTERNS):
        # tiktoken drops what a pattern passes over; here it becomes pieces of its own.
        expression = rf"{expression}|(?:(?!{expression})[\s\S])+"
    return tiktoken.Encoding(
        name,
        pat_str=expression,
        mergeable_ranks=_ranks_of(tokenizer),
        special_tokens=dict(tokenizer.special_tokens),
    )


def _ranks_of(tokenizer: ByteBPE) -> dict[bytes, int]:
    # A list of merges and ranks cut alike when the list is what the ranks give back.
    if not tokenizer.joins_by_rank:
        if (byte := missing_byte(tokenizer.id_of)) is not None:
            raise ValueError(f"the vocabulary lacks the byte {byte:#04x}; tiktoken needs all 256 bytes")
        if list(recover_merges(tokenizer.vocab).items()) != list(tokenizer.merges.items()):
            raise ValueError("the list of merges does not follow from the ids, and tiktoken has nothing but ids")
    return dict(tokenizer.id_of)


# Hugging Face


def save_huggingface(tokenizer: ByteBPE, path: str | os.PathLike) -> None:
    """Write a tokenizer.json that ``tokenizers.Tokenizer.from_file`` opens and that gives the same ids.

    Special tokens are always found in text there; here that is ``allowed_special="all"``.
    Those in ``not_special`` are written with special: false, so ``decode`` shows them there.

    Raises:
        ValueError: a special token that is also the text of an ordinary token, which Hugging
            Face would give that token's id; or a pattern that it reads otherwise, see ``portable``.
    """
    write_atomically(path, json.dumps(huggingface_content(tokenizer), ensure_ascii=False, indent=1))


def huggingface_content(tokenizer: ByteBPE) -> dict:
    """Return what ``save_huggingface`` writes, as a dict.

    Example:
        >>> huggingface_content(ByteBPE.train("abab", 257))["model"]["merges"]
        [['a', 'b']]
    """
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    steps = [byte_level]
    if tokenizer.pattern is not None:
        as_written = {"Regex": translate(pattern_regex(tokenizer.pattern), "Hugging Face")}
        steps.insert(0, {"type": "Split", "pattern": as_written, "behavior": "Isolated", "invert": False})
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    by_id = sorted((i, name) for name, i in tokenizer.special_tokens.items())
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {"id": i, "content": name, **flags, "special": name not in tokenizer.not_special} for i, name in by_id
        ],
        "normalizer": {"type": tokenizer.normalization} if tokenizer.normalization else None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": steps},
        "post_processor": None,
        "decoder": byte_level,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": tokenizer.whole_pieces,
            **_printable_model(tokenizer),
        },
    }


def _printable_model(tokenizer: ByteBPE) -> dict:
    vocab = {to_printable(token): i for i, token in tokenizer.vocab.items()}
    if both := vocab.keys() & tokenizer.special_tokens.keys():
        raise ValueError(
            f"the special token {min(both)!r} is written like an ordinary token; this format confuses the two"
        )
    merges = [[to_printable(tokenizer.vocab[i]) for i in pair] for pair in tokenizer.merges]
    # With its id in the vocabulary, an added token keeps it; else it would get the next free one.
    return {"vocab": vocab | tokenizer.special_tokens, "merges": merges}


def load_huggingface(path: str | os.PathLike) -> ByteBPE:
    """Read a tokenizer.json of a byte-level BPE.

    Args:
        path: the file.

    Returns:
        A tokenizer that gives the ids of ``Tokenizer.from_file(path).encode(text,
        add_special_tokens=False)``; added tokens become special tokens, and those with
        special: false are named in ``not_special``.

    Raises:
        ValueError: the file is damaged, is no BPE, or asks for something that cannot be
            honored; the message names file and field.
    """
    return Fields(path).build(_build_huggingface)


def _build_huggingface(fields: Fields) -> ByteBPE:
    for field, allowed in (
        ("truncation", [[]]),
        ("padding", [[]]),
        ("post_processor", [[], ["ByteLevel"]]),
        ("decoder", [[], ["ByteLevel"]]),
    ):
        _read_steps(fields, field, "processors" if field == "post_processor" else "decoders", allowed)
    normalizers = _read_steps(fields, "normalizer", "normalizers", [[], ["NFC"], ["NFD"], ["NFKC"], ["NFKD"]])
    pattern, byte_level = _read_pre_tokenizer(fields)
    model = _read_model(fields)
    special_tokens, not_special = _read_added_tokens(fields, bool(normalizers))
    return ByteBPE.from_vocab_and_merges(
        _read_vocab(fields, model["vocab"], byte_level, special_tokens),
        _read_merges(fields, model.get("merges"), byte_level),
        pattern=pattern,
        special_tokens=special_tokens,
        not_special=not_special,
        whole_pieces=bool(model.get("ignore_merges", False)),
        normalization=normalizers[0]["type"] if normalizers else None,
    )


def _read_steps(fields: Fields, field: str, inside: str, allowed: list[list[str]]) -> list[dict]:
    # A part of the file is null, one step, or a Sequence with a list of steps inside.
    value = fields.content.get(field)
    steps = [] if value is None else [value]
    if isinstance(value, dict) and value.get("type") == "Sequence":
        steps = value.get(inside)
    if not isinstance(steps, list):
        raise fields.error(field, f"holds {steps!r} as {inside}; it must be a list")
    kinds = [step.get("type", "an object without a type") if isinstance(step, dict) else step for step in steps]
    if kinds not in allowed:
        raise fields.error(
            field,
            f"asks for {', '.join(map(str, kinds))}; supported is "
            + " or ".join(" and ".join(names) or "null" for names in allowed),
        )
    return steps


def _read_model(fields: Fields) -> dict:
    model = fields.get("model", dict)
    kind = model.get("type", "BPE" if "merges" in model else None)
    if kind != "BPE":
        raise fields.error("model.type", f"is {kind!r}; only BPE is supported")
    for field in ("dropout", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback", "unk_token"):
        if model.get(field):
            raise fields.error(f"model.{field}", f"is {model[field]!r}, which is not supported")
    if not isinstance(model.get("vocab"), dict):
        raise fields.error("model.vocab", "is missing or no object {token: id}")
    return model


def _read_pre_tokenizer(fields: Fields) -> tuple[str | None, bool]:
    # Returns the pattern, and whether bytes are written as printable characters.
    allowed = [[], ["ByteLevel"], ["Split", "ByteLevel"]]
    steps = _read_steps(fields, "pre_tokenizer", "pretokenizers", allowed)
    if not steps:
        return None, False
    if steps[-1].get("add_prefix_space"):
        raise fields.error("pre_tokenizer.add_prefix_space", "is true, which is not supported")
    if not steps[-1].get("use_regex", True):
        return (_read_split(fields, steps[0]) if len(steps) == 2 else None), True
    if len(steps) == 2:
        raise fields.error("pre_tokenizer", "asks for Split and for ByteLevel's own pattern; one cut is supported")
    return "gpt2", True


def _read_split(fields: Fields, split: dict) -> str:
    if split.get("behavior") != "Isolated" or split.get("invert"):
        raise fields.error(
            "pre_tokenizer.Split",
            f"has behavior {split.get('behavior')!r}, invert {split.get('invert')!r}; only Isolated is supported",
        )
    match split.get("pattern"):
        case {"Regex": str(expression)}:
            return translate(expression, "Hugging Face", reading=True)
        case {"String": str(text)}:
            escaped = re.sub(r"[][\\(){}*+?|^$.]", r"\\\g<0>", text)
            return translate(f"(?:{escaped})", "Hugging Face", reading=True)
    raise fields.error("pre_tokenizer.Split.pattern", "holds neither Regex nor String")


def _read_added_tokens(fields: Fields, normalizes: bool) -> tuple[dict[str, int], list[str]]:
    # Returns {text: id}, and the texts that are no control tokens.
    added = {}
    for number, token in enumerate(fields.rows("added_tokens", dict) if "added_tokens" in fields.content else []):
        where = f"added_tokens[{number}]"
        if [type(token.get(key)) for key in ("content", "id", "special")] != [str, int, bool]:
            raise fields.error(where, "holds no content, id and special")
        for flag in ("single_word", "lstrip", "rstrip", *(["normalized"] if normalizes else [])):
            if token.get(flag):
                raise fields.error(f"{where}.{flag}", "is true, which is not supported here")
        if token["content"] in added:
            raise fields.error(where, f"holds {token['content']!r} a second time")
        added[token["content"]] = token
    # Hugging Face looks for those with normalized: false first, and for the others in what is left.
    for first, second in itertools.permutations(added, 2):
        if bool(added[first].get("normalized")) != bool(added[second].get("normalized")) and _overlaps(first, second):
            raise fields.error(
                "added_tokens", f"has {second!r} inside or behind {first!r}, and only one of them is normalized"
            )
    special_tokens = {name: token["id"] for name, token in added.items()}
    return special_tokens, [name for name, token in added.items() if not token["special"]]


def _overlaps(first: str, second: str) -> bool:
    # Whether the second can begin inside of the first.
    return any(first[i:].startswith(second[: len(first) - i]) for i in range(len(first)))


def _read_vocab(fields: Fields, ids: dict, byte_level: bool, special_tokens: Mapping[str, int]) -> dict[int, bytes]:
    vocab: dict[int, bytes] = {}
    for text, i in ids.items():
        if special_tokens.get(text, i) != i:
            raise fields.error(f"model.vocab[{text!r}]", f"is {i}, and {special_tokens[text]} among the added tokens")
        if i in vocab:
            raise fields.error(f"model.vocab[{text!r}]", f"is {i}, which is also the id of {vocab[i]!r}")
        if text not in special_tokens:
            vocab[i] = from_printable(text) if byte_level else text.encode("utf-8")
    return vocab


def _read_merges(fields: Fields, rows: object, byte_level: bool) -> list[tuple[bytes, bytes]]:
    if not isinstance(rows, list):
        raise fields.error("model.merges", "is missing or no list")
    merges: dict[tuple[bytes, ...], None] = {}
    for number, row in enumerate(rows):
        where = f"model.merges[{number}]"
        pair = row.split(" ") if isinstance(row, str) else row
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(part, str) and part for part in pair):
            raise fields.error(where, f"is {row!r}; it must be two tokens, 'a b' or ['a', 'b']")
        merge = tuple(from_printable(part) if byte_level else part.encode("utf-8") for part in pair)
        if merge in merges:
            raise fields.error(where, f"is {row!r} a second time; libraries differ on what that means")
        merges[merge] = None
    return list(merges)


# GPT-2's vocab.json and merges.txt


def load_vocab_and_merges(
    vocab_path: str | os.PathLike,
    merges_path: str | os.PathLike,
    *,
    pattern: str | None = "gpt2",
    special_tokens: Mapping[str, int] | None = None,
) -> ByteBPE:
    """Read the pair of files in which GPT-2 was published.

    Args:
        vocab_path: vocab.json, {printable token: id}.
        merges_path: merges.txt, one merge a line. Only a first line ``#version`` is a header:
            other lines that begin with # are merges.
        pattern: the files do not say it.
        special_tokens: {text: id}; they may stand in vocab.json too.

    Raises:
        ValueError: a damaged file; the message names file and line or field.
    """
    fields = Fields(vocab_path)
    merges = []
    lines = Path(merges_path).read_bytes().decode("utf-8").replace("\r\n", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if line and not (number == 1 and line.startswith("#version")):
            try:
                left, right = map(from_printable, line.split(" "))
            except ValueError as error:
                raise ValueError(f"{merges_path}, line {number}: {line!r} is no merge 'left right' ({error})") from None
            merges.append((left, right))
    return fields.build(
        lambda _: ByteBPE.from_vocab_and_merges(
            _read_vocab(fields, fields.content, True, special_tokens or {}),
            merges,
            pattern=pattern,
            special_tokens=special_tokens,
        )
    )


def save_vocab_and_merges(tokenizer: ByteBPE, vocab_path: str | os.PathLike, merges_path: str | os.PathLike) -> None:
    """Write vocab.json and merges.txt. Pattern, normalization and ignore_merges are no part of them."""
    model = _printable_model(tokenizer)
    write_atomically(vocab_path, json.dumps(model["vocab"], ensure_ascii=False))
    lines = "".join(f"{left} {right}\n" for left, right in model["merges"])
    write_atomically(merges_path, "#version: 0.2\n" + lines)
