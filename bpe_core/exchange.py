"""Files of other libraries: tiktoken's rank files, Hugging Face's tokenizer.json, GPT-2's pair of files.

A file can ask for more than a ByteBPE does. What cannot be honored is refused by name,
never dropped; and where a format cannot carry a tokenizer exactly, writing it fails
and says why.
"""

import base64
import binascii
import json
import os
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
    fields = Fields(path)
    for field in ("truncation", "padding", "post_processor"):
        value = fields.content.get(field)
        if value is not None and not (isinstance(value, dict) and value.get("type") == "ByteLevel"):
            raise _unsupported(fields, field, value)
    model = fields.get("model", dict)
    _check_model(fields, model)
    pattern, byte_level = _read_pre_tokenizer(fields)
    decoder = fields.content.get("decoder")
    if decoder is not None and _type_of(decoder) != "ByteLevel":
        raise _unsupported(fields, "decoder", decoder)
    special_tokens, not_special = _read_added_tokens(fields)
    vocab = _read_vocab(fields, model, byte_level, special_tokens)
    merges = _read_merges(fields, model.get("merges"), byte_level)
    return fields.build(
        lambda _: ByteBPE.from_vocab_and_merges(
            vocab,
            merges,
            pattern=pattern,
            special_tokens=special_tokens,
            not_special=not_special,
            whole_pieces=bool(model.get("ignore_merges", False)),
            normalization=_read_normalizer(fields),
        )
    )


def _type_of(value: object) -> str:
    return str(value.get("type", "an object without a type")) if isinstance(value, dict) else repr(value)


def _unsupported(fields: Fields, field: str, value: object) -> ValueError:
    return fields.error(field, f"asks for {_type_of(value)}, which is not supported")


def _check_model(fields: Fields, model: dict) -> None:
    kind = model.get("type", "BPE" if "merges" in model else None)
    if kind != "BPE":
        raise fields.error("model.type", f"is {kind!r}; only BPE is supported")
    for field in ("dropout", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback", "unk_token"):
        if model.get(field):
            raise fields.error(f"model.{field}", f"is {model[field]!r}, which is not supported")
    if not isinstance(model.get("vocab"), dict):
        raise fields.error("model.vocab", "is missing or no object {token: id}")
    for field in ("vocab", "merges"):
        if isinstance(model.get(field), (dict, list)) and len(model[field]) > MAX_ENTRIES:
            raise fields.error(f"model.{field}", f"has {len(model[field]):,} entries; at most {MAX_ENTRIES:,} are read")


def _read_normalizer(fields: Fields) -> str | None:
    normalizer = fields.content.get("normalizer")
    if isinstance(normalizer, dict) and normalizer.get("type") == "Sequence":
        inner = normalizer.get("normalizers") or []
        if not isinstance(inner, list):
            raise fields.error("normalizer.normalizers", "is no list")
        normalizer = inner[0] if len(inner) == 1 else (normalizer if inner else None)
    if normalizer is None:
        return None
    if _type_of(normalizer) not in ("NFC", "NFD", "NFKC", "NFKD"):
        raise _unsupported(fields, "normalizer", normalizer)
    return normalizer["type"]


def _read_pre_tokenizer(fields: Fields) -> tuple[str | None, bool]:
    # Returns the pattern, and whether bytes are written as printable characters.
    pre_tokenizer = fields.content.get("pre_tokenizer")
    if pre_tokenizer is None:
        return None, False
    steps = pre_tokenizer.get("pretokenizers") if _type_of(pre_tokenizer) == "Sequence" else [pre_tokenizer]
    kinds = [_type_of(step) for step in steps] if isinstance(steps, list) else [repr(steps)]
    if kinds not in (["ByteLevel"], ["Split", "ByteLevel"]):
        raise fields.error(
            "pre_tokenizer",
            f"asks for {', '.join(kinds)}; of all pretokenizers, only Split and ByteLevel, or ByteLevel, are supported",
        )
    byte_level = steps[-1]
    if byte_level.get("add_prefix_space"):
        raise fields.error("pre_tokenizer.add_prefix_space", "is true, which is not supported")
    if not byte_level.get("use_regex", True):
        return (_read_split(fields, steps[0]) if len(steps) == 2 else None), True
    if len(steps) == 2:
        raise fields.error("pre_tokenizer", "asks for Split and for ByteLevel's own pattern; it must be one of them")
    return "gpt2", True


def _read_split(fields: Fields, split: dict) -> str:
    if split.get("behavior") != "Isolated" or split.get("invert"):
        raise fields.error(
            "pre_tokenizer.Split",
            f"has behavior {split.get('behavior')!r}, invert {split.get('invert')!r}; only Isolated is supported",
        )
    pattern = split.get("pattern")
    kind, text = next(iter(pattern.items()), (None, None)) if isinstance(pattern, dict) else (None, None)
    if kind not in ("Regex", "String") or not isinstance(text, str):
        raise fields.error("pre_tokenizer.Split.pattern", "holds neither Regex nor String")
    if kind == "String":
        text = "".join(f"\\{c}" if c in r"\[](){}*+?|^$." else c for c in text)
    try:
        return translate(f"(?:{text})" if kind == "String" else text, "Hugging Face", reading=True)
    except ValueError as error:
        raise fields.error("pre_tokenizer.Split.pattern", f"cannot be read the same here: {error}") from None


def _read_added_tokens(fields: Fields) -> tuple[dict[str, int], list[str]]:
    # Returns {text: id}, and the texts that are no control tokens.
    special_tokens: dict[str, int] = {}
    not_special: list[str] = []
    in_pass: dict[bool, list[str]] = {False: [], True: []}
    added = fields.content.get("added_tokens") or []
    if not isinstance(added, list):
        raise fields.error("added_tokens", f"is {added!r}; it must be a list")
    for number, token in enumerate(added):
        where = f"added_tokens[{number}]"
        if not isinstance(token, dict) or [type(token.get(k)) for k in ("content", "id", "special")] != [
            str,
            int,
            bool,
        ]:
            raise fields.error(where, "holds no content, id and special")
        for flag in ("single_word", "lstrip", "rstrip"):
            if token.get(flag):
                raise fields.error(f"{where}.{flag}", "is true, which is not supported")
        name, normalized = token["content"], bool(token.get("normalized"))
        if normalized and fields.content.get("normalizer") is not None:
            raise fields.error(f"{where}.normalized", "is true beside a normalizer, which is not supported")
        if name in special_tokens:
            raise fields.error(where, f"holds {name!r} a second time")
        # Hugging Face looks for the tokens with normalized: false first, then for the others.
        if other := next((other for other in in_pass[not normalized] if _overlap(name, other)), None):
            raise fields.error(f"{where}.normalized", f"is not that of {other!r}, which {name!r} can overlap in a text")
        in_pass[normalized].append(name)
        special_tokens[name] = token["id"]
        if not token["special"]:
            not_special.append(name)
    return special_tokens, not_special


def _overlap(a: str, b: str) -> bool:
    # Whether one can begin inside of the other.
    return any(x[i:].startswith(y[: len(x) - i]) for x, y in ((a, b), (b, a)) for i in range(len(x)))


def _read_vocab(fields: Fields, model: dict, byte_level: bool, special_tokens: Mapping[str, int]) -> dict[int, bytes]:
    vocab: dict[int, bytes] = {}
    for text, i in model["vocab"].items():
        if type(i) is not int:
            raise fields.error(f"model.vocab[{text!r}]", f"is {i!r}; it must be an id")
        if text in special_tokens:
            if special_tokens[text] != i:
                raise fields.error(
                    f"model.vocab[{text!r}]", f"is {i}, and {special_tokens[text]} among the added tokens"
                )
            continue
        if i in vocab:
            raise fields.error(f"model.vocab[{text!r}]", f"is {i}, which is also the id of {vocab[i]!r}")
        vocab[i] = _read_token(fields, f"model.vocab[{text!r}]", text, byte_level)
    return vocab


def _read_token(fields: Fields, where: str, text: str, byte_level: bool) -> bytes:
    try:
        return from_printable(text) if byte_level else text.encode("utf-8")
    except ValueError as error:
        raise fields.error(where, f"is no token: {error}") from None


def _read_merges(fields: Fields, rows: object, byte_level: bool) -> list[tuple[bytes, bytes]]:
    if not isinstance(rows, list):
        raise fields.error("model.merges", "is missing or no list")
    merges: dict[tuple[bytes, bytes], None] = {}
    for number, row in enumerate(rows):
        where = f"model.merges[{number}]"
        pair = row.split(" ") if isinstance(row, str) else row
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(part, str) and part for part in pair):
            raise fields.error(where, f"is {row!r}; it must be two tokens, 'a b' or ['a', 'b']")
        left, right = (_read_token(fields, where, part, byte_level) for part in pair)
        if (left, right) in merges:
            raise fields.error(where, f"is {row!r} a second time; libraries differ on what that means")
        merges[left, right] = None
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
    special_tokens = dict(special_tokens or {})
    vocab = _read_vocab(fields, {"vocab": fields.content}, True, special_tokens)
    with open(merges_path, encoding="utf-8", newline="\n") as file:
        lines = file.read().split("\n")
    merges: list[tuple[bytes, bytes]] = []
    known = set(vocab.values())
    for number, line in enumerate(lines, 1):
        line = line.removesuffix("\r")
        if not line or (number == 1 and line.startswith("#version")):
            continue
        try:
            left, right = map(from_printable, line.split(" "))
        except ValueError as error:
            raise ValueError(f"{merges_path}, line {number}: {line!r} is no merge 'left right' ({error})") from None
        if not {left, right, left + right} <= known:
            raise ValueError(f"{merges_path}, line {number}: {line!r} names a token that {vocab_path} does not have")
        merges.append((left, right))
    return ByteBPE.from_vocab_and_merges(vocab, merges, pattern=pattern, special_tokens=special_tokens)


def save_vocab_and_merges(tokenizer: ByteBPE, vocab_path: str | os.PathLike, merges_path: str | os.PathLike) -> None:
    """Write vocab.json and merges.txt. Pattern, normalization and ignore_merges are no part of them."""
    model = _printable_model(tokenizer)
    write_atomically(vocab_path, json.dumps(model["vocab"], ensure_ascii=False))
    lines = "".join(f"{left} {right}\n" for left, right in model["merges"])
    write_atomically(merges_path, "#version: 0.2\n" + lines)
