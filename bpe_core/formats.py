"""Saving and loading: a tokenizer as one JSON file that people can read.

A file is written under another name first and then renamed, so that a crash leaves the
old file whole. Loading trusts nothing: a file that is damaged, too large or of another
kind gives one ValueError that names the file and the field.
"""

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from .byte_bpe import ByteBPE
from .pairs import Merge
from .word_bpe import WordBPE

FORMAT = "bpe_core tokenizer"
VERSION = 1
MAX_FILE_BYTES = 64_000_000
MAX_ENTRIES = 2_000_000


def save(tokenizer: ByteBPE | WordBPE, path: str | os.PathLike) -> None:
    """Write a tokenizer to a JSON file, from which ``load_file`` makes an equal one.

    Args:
        tokenizer: a WordBPE or a ByteBPE.
        path: the file to write. An older file there stays whole until the new one is done.

    Raises:
        TypeError: the tokenizer is of another kind.
        OSError: the file cannot be written; an older file is left as it was.

    Example:
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "toy.json")
        ...     save(WordBPE.train("low lower lowest", 3), path)
        ...     load_file(path).merges
        [('l', 'o'), ('lo', 'w'), ('low', 'e')]
    """
    if isinstance(tokenizer, WordBPE):
        kind, content = "word", _word_content(tokenizer)
    elif isinstance(tokenizer, ByteBPE):
        kind, content = "byte", _byte_content(tokenizer)
    else:
        raise TypeError(f"tokenizer is of type {type(tokenizer).__name__}; it must be a ByteBPE or a WordBPE")
    content = {"format": FORMAT, "version": VERSION, "kind": kind} | content
    # ASCII only: no line separator, lone half or invisible character can be lost on the way.
    lines = [f"{json.dumps(key)}: {_one_entry_a_line(value)}" for key, value in content.items()]
    write_atomically(path, "{\n" + ",\n".join(lines) + "\n}\n")


def _one_entry_a_line(value: object) -> str:
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(map(json.dumps, value)) + "\n]"
    return json.dumps(value)


def _word_content(tokenizer: WordBPE) -> dict:
    return {
        "end_of_word": tokenizer.end_of_word,
        "base": tokenizer.base,
        "merges": [[left, right, count] for _, (left, right), _, count in tokenizer.history],
    }


def _byte_content(tokenizer: ByteBPE) -> dict:
    listed = None if tokenizer.joins_by_rank else [[*pair, new] for pair, new in tokenizer.merges.items()]
    return {
        "pattern": tokenizer.pattern,
        "normalization": tokenizer.normalization,
        "whole_pieces": tokenizer.whole_pieces,
        "special_tokens": tokenizer.special_tokens,
        "not_special": sorted(tokenizer.not_special),
        "vocab": [[i, token.hex()] for i, token in tokenizer.vocab.items()],
        "merges": listed,
        "history": [[*merge.pair, merge.new, merge.count] for merge in tokenizer.history],
    }


def load_file(path: str | os.PathLike) -> ByteBPE | WordBPE:
    """Read a tokenizer that ``save`` wrote.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is damaged or of another kind; the message names file and field.

    Example:
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "toy.json")
        ...     save(WordBPE.train("low low", 1), path)
        ...     load_file(path)
        <WordBPE: 6 symbols, 1 merges, end_of_word='</w>'>
    """
    fields = Fields(path)
    if fields.get("format", str) != FORMAT:
        raise fields.error("format", f"is {fields.content['format']!r}, not {FORMAT!r}: this is another kind of file")
    version = fields.get("version", int)
    if version != VERSION:
        raise fields.error("version", f"is {version}; this release reads version {VERSION}")
    builders = {"word": _build_word, "byte": _build_byte}
    if (kind := fields.get("kind", str)) not in builders:
        raise fields.error("kind", f"is {kind!r}; it must be 'word' or 'byte'")
    return fields.build(builders[kind])


def _build_word(fields: "Fields") -> WordBPE:
    base = fields.rows("base", str)
    rows = fields.rows("merges", [str, str, int])
    history = [Merge(step, (left, right), left + right, count) for step, (left, right, count) in enumerate(rows, 1)]
    return WordBPE(base, history, end_of_word=fields.get("end_of_word", (str, type(None))))


def _build_byte(fields: "Fields") -> ByteBPE:
    vocab: dict[int, bytes] = {}
    for number, (i, token) in enumerate(fields.rows("vocab", [int, str])):
        if i in vocab:
            raise fields.error(f"vocab[{number}]", f"gives the id {i} a second time")
        try:
            vocab[i] = bytes.fromhex(token)
        except ValueError:
            raise fields.error(f"vocab[{number}]", f"holds {token!r}, which is no hexadecimal number") from None
    listed = fields.get("merges", (list, type(None))) is not None
    rows = fields.rows("merges", [int, int, int]) if listed else []
    history = fields.rows("history", [int, int, int, int])
    return ByteBPE(
        vocab,
        {(left, right): new for left, right, new in rows} if listed else None,
        pattern=fields.get("pattern", (str, type(None))),
        special_tokens=fields.get("special_tokens", dict),
        not_special=fields.rows("not_special", str) if "not_special" in fields.content else (),
        history=[Merge(step, (left, right), new, n) for step, (left, right, new, n) in enumerate(history, 1)],
        whole_pieces=fields.get("whole_pieces", bool),
        normalization=fields.get("normalization", (str, type(None))),
    )


class Fields:
    """The fields of a JSON file, checked one by one."""

    def __init__(self, path: str | os.PathLike):
        """Read the file, or raise a ValueError that says what is wrong with it."""
        self.path = Path(path)
        size = self.path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise ValueError(f"{self.path}: {size:,} bytes; a tokenizer file has {MAX_FILE_BYTES:,} at most")
        try:
            self.content = json.loads(self.path.read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as error:  # errors of JSON and of UTF-8 are ValueErrors
            raise ValueError(f"{self.path}: no JSON in UTF-8, or cut short: {error}") from None
        if not isinstance(self.content, dict):
            raise ValueError(f"{self.path}: holds a {type(self.content).__name__} where a JSON object is due")

    def error(self, field: str, what: str) -> ValueError:
        """Make the error that names file and field."""
        return ValueError(f"{self.path}: the field {field!r} {what}")

    def get(self, field: str, kind: type | tuple[type, ...]) -> object:
        """Return a field of the given kind, or raise the error."""
        if field not in self.content:
            raise self.error(field, "is missing")
        value = self.content[field]
        kinds = kind if isinstance(kind, tuple) else (kind,)
        if type(value) not in kinds:  # exactly: true is no number here
            names = " or ".join("null" if k is type(None) else k.__name__ for k in kinds)
            raise self.error(field, f"is a {type(value).__name__}; it must be {names}")
        return value

    def rows(self, field: str, kind: type | list[type]) -> list:
        """Return a list whose entries are all of one kind, or lists of the given kinds."""
        rows = self.get(field, list)
        if len(rows) > MAX_ENTRIES:
            raise self.error(field, f"has {len(rows):,} entries; at most {MAX_ENTRIES:,} are read")
        for number, row in enumerate(rows):
            if kind != ([*map(type, row)] if isinstance(kind, list) and isinstance(row, list) else type(row)):
                names = [k.__name__ for k in kind] if isinstance(kind, list) else kind.__name__
                raise self.error(f"{field}[{number}]", f"is {row!r}; it must be {names}")
        return rows

    def build(self, builder: Callable) -> object:
        """Call a builder; what does not fit together is said with the file's name."""
        try:
            return builder(self)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{self.path}: " + str(error).removeprefix(f"{self.path}: ")) from None


def write_atomically(path: str | os.PathLike, content: str | bytes) -> None:
    """Write a file whole or not at all: to a temporary file beside it, then renamed."""
    path = Path(path)
    data = content.encode("utf-8") if isinstance(content, str) else content
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)  # mkstemp makes files that only their owner can read
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
