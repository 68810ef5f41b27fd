"""Saving and loading: equal tokenizers, whole files, and clear errors for damaged ones."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import ByteBPE, WordBPE, formats, load, save
from bpe_core.pairs import Merge

word_texts = st.text(max_size=40).map(lambda text: text.replace("</w>", ""))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tokenizer.json"


@given(text=st.text(max_size=60), pattern=st.sampled_from([None, "gpt2", "o200k", r"\S+|\s+"]))
def test_byte_tokenizers_come_back_equal(tmp_path_factory, text, pattern):
    path = tmp_path_factory.mktemp("byte") / "t.json"
    tokenizer = ByteBPE.train(text, 270, pattern=pattern, special_tokens=["<s>", "a\nb"])
    save(tokenizer, path)
    again = load(path)
    assert again == tokenizer and again.history == tokenizer.history
    assert again.encode(text, disallowed_special=()) == tokenizer.encode(text, disallowed_special=())


@given(text=word_texts, marker=st.sampled_from(["</w>", "_", None]))
def test_word_tokenizers_come_back_equal(tmp_path_factory, text, marker):
    path = tmp_path_factory.mktemp("word") / "t.json"
    if marker and marker in text:
        return
    tokenizer = WordBPE.train(text, 15, end_of_word=marker)
    save(tokenizer, path)
    assert load(path) == tokenizer


def test_f06_odd_characters_survive(path):
    # Line separators, NUL and spaces inside tokens must not be taken for line ends.
    history = [Merge(1, (".", "\u2028</w>"), ".\u2028</w>", 3)]
    tokenizer = WordBPE([".", "\u2028</w>", "\x00", "\u0085"], history)
    save(tokenizer, path)
    assert load(path) == tokenizer
    text = "a\n b\x00c\u2028\r\n" * 20
    tokenizer = ByteBPE.train(text, 270)
    assert any(b"\n" in token and b" " in token for token in tokenizer.vocab.values())
    save(tokenizer, path)
    assert load(path).encode(text) == tokenizer.encode(text)


def test_other_constructions_come_back_equal(path):
    ranks = {bytes([i]): i for i in range(256)} | {b"ab": 256}
    for tokenizer in (
        ByteBPE.from_ranks(ranks, pattern="cl100k", special_tokens={"<s>": 300}, normalization="NFC"),
        ByteBPE.from_ranks(ranks, pattern=None, special_tokens={"<s>": 300, "\n": 301}, not_special=["\n"]),
        ByteBPE.from_vocab_and_merges({5: b"a", 9: b"b", 7: b"ab"}, [(b"a", b"b")], pattern=None, whole_pieces=True),
        WordBPE.from_merges([("a", "b")], end_of_word=None),
    ):
        save(tokenizer, path)
        assert load(path) == tokenizer


def test_files_of_earlier_releases_are_read(path):
    tokenizer = ByteBPE.train("low low lower", 259, special_tokens=["<s>"])
    save(tokenizer, path)
    content = json.loads(path.read_text(encoding="utf-8"))
    del content["not_special"]
    path.write_text(json.dumps(content), encoding="utf-8")
    assert load(path) == tokenizer


def test_a_failed_save_leaves_the_old_file(path, monkeypatch):
    save(ByteBPE.train("low lower", 258), path)
    before = path.read_bytes()

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        save(ByteBPE.train("widest", 258), path)
    monkeypatch.undo()
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        save(ByteBPE.train("widest", 258), path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_only_tokenizers_are_saved(path):
    with pytest.raises(TypeError, match="dict.*ByteBPE or a WordBPE"):
        save({}, path)
    with pytest.raises(FileNotFoundError):
        load(path)


def change(field, value):
    def damage(content):
        content[field] = value

    return damage


def drop(field):
    return lambda content: content.pop(field)


def change_entry(field, number, value):
    def damage(content):
        content[field][number] = value

    return damage


DAMAGES = [
    (change("format", "tiktoken"), "'format'.*another kind of file"),
    (change("version", 2), "'version' is 2"),
    (change("version", "1"), "'version' is a str"),
    (change("version", True), "'version' is a bool"),
    (change("kind", "letter"), "'kind' is 'letter'"),
    (drop("vocab"), "'vocab' is missing"),
    (change("vocab", {}), "'vocab' is a dict"),
    (change_entry("vocab", 3, [3]), r"'vocab\[3\]'"),
    (change_entry("vocab", 3, [3, "zz"]), r"'vocab\[3\]'.*hexadecimal"),
    (change_entry("vocab", 3, [2, "03"]), r"'vocab\[3\]' gives the id 2 a second time"),
    (change_entry("vocab", 3, [3, "02"]), "under two ids"),
    (change_entry("vocab", 3, [3, ""]), "not empty"),
    (change_entry("vocab", 3, [-3, "03"]), "0 or more"),
    (change_entry("merges", 0, [108, 111, 999]), "999 is not in the vocabulary"),
    (change_entry("merges", 0, [108, 112, 256]), "is not b'lo'"),
    (change_entry("merges", 0, [108, 111]), r"'merges\[0\]'"),
    (change("special_tokens", {"<s>": 5}), "which is that of the token"),
    (change("not_special", ["<s>"]), "'<s>', which is none of the special tokens"),
    (change("not_special", "<s>"), "'not_special' is a str"),
    (change("pattern", "["), "no valid regular expression"),
    (change("pattern", "gpt3"), "not the name of a pattern"),
    (change("normalization", "NFX"), "normalization"),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGES)
def test_damaged_files_are_named(path, damage, message):
    save(ByteBPE.train("low low lower", 258), path)
    content = json.loads(path.read_text(encoding="utf-8"))
    damage(content)
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ValueError, match=message) as error:
        load(path)
    assert str(path) in str(error.value)


WORD_DAMAGES = [
    (drop("base"), "'base' is missing"),
    (change("base", ["a", 1]), r"'base\[1\]' is 1"),
    (change_entry("merges", 0, ["q", "z", 1]), "nothing made 'q' before"),
    (change("end_of_word", "a b"), "end_of_word"),
    (change("end_of_word", 7), "'end_of_word' is a int"),
]


@pytest.mark.parametrize(("damage", "message"), WORD_DAMAGES)
def test_damaged_word_files_are_named(path, damage, message):
    save(WordBPE.train("low low lower", 3), path)
    content = json.loads(path.read_text(encoding="utf-8"))
    damage(content)
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ValueError, match=message) as error:
        load(path)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no JSON in UTF-8, or cut short"),
        (b'{"format": "bpe_core tok', "no JSON in UTF-8, or cut short: Unterminated string .*line 1"),
        (b"[1, 2]", "holds a list"),
        (b'{"a": "\xff"}', "no JSON in UTF-8.* byte 0xff in position 7"),
        (b"\x80\x04\x95pickle", "no JSON in UTF-8"),
        (b"[" * 100_000, "no JSON in UTF-8"),
        (b"{}", "'format' is missing"),
        (b'{"version": ' + b"9" * 5000 + b"}", "limit|version"),
    ],
)
def test_foreign_files_are_named(path, content, message):
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message) as error:
        load(path)
    assert str(path) in str(error.value)


def test_files_that_are_too_large_are_not_read(path, monkeypatch):
    save(ByteBPE.train("low low lower", 258), path)
    monkeypatch.setattr(formats, "MAX_ENTRIES", 100)
    with pytest.raises(ValueError, match="'vocab' has 258 entries"):
        load(path)
    monkeypatch.setattr(formats, "MAX_FILE_BYTES", 100)
    with pytest.raises(ValueError, match="at most"):
        load(path)
