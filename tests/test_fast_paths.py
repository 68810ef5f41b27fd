"""The quick ways give what the plain ones give: text cut by ``re``, merging on slices of bytes, a bounded cache, one join."""

import itertools
import random

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from bpe_core import ByteBPE, byte_bpe, load
from bpe_core.encoding import LONG, JoinedRanks, apply_merges, fuse_bytes
from bpe_core.patterns import PATTERNS, count_words, in_ascii, pattern_regex, split

WITHIN_REACH = "aB7 _'/.\n\r\t\x1c\x1f\x85\xa0é水٣\u0301"  # one of each kind that the patterns tell apart
NAMES = sorted(PATTERNS)
texts = st.text(st.sampled_from(WITHIN_REACH), max_size=40) | st.text(max_size=20)


ENOUGH_ASCII = "\nx" * 1000  # behind a short text: with it the text is cut into stretches


def plainly(text, name):
    return regex.findall(pattern_regex(name), text)


@pytest.mark.parametrize("name", NAMES)
def test_every_short_text_is_cut_as_the_pattern_says(name):
    cut = regex.compile(pattern_regex(name))
    for characters in itertools.product("aB7 '/.\n\r\x1cé水", repeat=4):
        text = "".join(characters)
        assert split(text, name) == cut.findall(text), text
    for characters in itertools.product("a7 '/.\n\x1cé", repeat=3):
        text = "".join(characters) + "\n" + "".join(characters) + ENOUGH_ASCII[:60]
        assert split(text, name) == cut.findall(text), text


@pytest.mark.parametrize("name", NAMES)
@given(texts)
@example("word\n\x1cword")
@example("a\x1c\x1d \x1e\x1f\n\n/b")
@example("'ſ it'ſ 'K")  # letters that are an s and a k when case does not count
def test_any_text_is_cut_as_the_pattern_says(name, text):
    for one in (text, text + ENOUGH_ASCII):
        assert split(one, name) == plainly(one, name)


@pytest.mark.parametrize("name", NAMES)
@given(st.lists(texts, min_size=2, max_size=6), st.sampled_from(["\n", ".\n", "x\n", "\r\n", " \n", "\n\n", "\x1c\n"]))
def test_stretches_of_both_kinds_meet_at_every_kind_of_place(name, lines, between):
    text = between.join(lines)
    for one in (text, text + ENOUGH_ASCII, ENOUGH_ASCII + between + text):
        assert split(one, name) == plainly(one, name)
    assert sum(count_words(text, name).values()) == len(plainly(text, name))


@pytest.mark.parametrize("name", NAMES)
def test_a_text_that_is_one_piece(name):
    for text in ("e" * 100_000, "水" * 100_000, " " * 100_000, "\n" * 100_000, "." * 100_000 + "é"):
        assert split(text, name) == plainly(text, name)


def test_classes_are_written_out():
    for name in NAMES:
        written = in_ascii(pattern_regex(name))
        assert "\\p" not in written and "\\s" not in written and "\\S" not in written


@given(st.text(alphabet="abc é", max_size=LONG + 20))
def test_slices_of_bytes_fuse_as_ids_do(text):
    tokenizer = load("cl100k_base")
    ids, data = tokenizer.id_of, text.encode()
    ranks = JoinedRanks(tokenizer.vocab, ids)
    assert fuse_bytes(data, ids) == apply_merges([ids[bytes([b])] for b in data], ranks, tokenizer.results)


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base", "qwen2.5"])
def test_a_cache_that_overflows_changes_no_ids(name, monkeypatch):
    tokenizer, rng = load(name), random.Random(name)
    text = "\n".join(" ".join(rng.choices(["low", "lower", "neué", "水水", "x9", "()"], k=9)) for _ in range(40))
    expected = tokenizer.encode_ordinary(text)
    monkeypatch.setattr(byte_bpe, "MAX_CACHED_PIECES", 3)
    tokenizer._cache.clear()
    assert tokenizer.encode_ordinary(text) == expected and len(tokenizer._cache) <= 3
    monkeypatch.setattr(byte_bpe, "MAX_CACHED_LENGTH", 0)
    tokenizer._cache.clear()
    assert tokenizer.encode_ordinary(text) == expected and not tokenizer._cache


def test_the_cache_is_bounded_by_characters_too(monkeypatch):
    monkeypatch.setattr(byte_bpe, "MAX_CACHED_CHARACTERS", 500)
    cache, most = byte_bpe.PieceCache(lambda piece: [len(piece)]), 0
    for length in [*range(1, 200), 50, 400, 1, 1001]:
        assert cache["-" * length] == [length]
        most = max(most, sum(map(len, cache)))
    assert 400 <= most < 500 + 400 and "-" * 1001 not in cache
    cache.clear()  # an empty cache counts from 0 again
    for i in range(499):
        assert cache[chr(1000 + i)] == [1]
    assert len(cache) == 499


def test_the_ids_that_are_returned_are_not_those_that_are_kept():
    tokenizer = ByteBPE.train("low low", 258, pattern="gpt2")
    tokenizer.encode("low").append(7)
    assert tokenizer.encode("low") == [257]


def test_a_rank_list_that_lacks_a_byte_names_it():
    tokenizer = ByteBPE({0: b"a", 1: b"b", 2: b"ab"}, None, whole_pieces=True)
    assert tokenizer.encode("abb") == [2, 1]
    with pytest.raises(ValueError, match="no token for the byte 0x63"):
        tokenizer.encode("abc")


@pytest.mark.parametrize("given_as", [list, tuple, iter])
def test_decoding_says_what_is_wrong_as_before(given_as):
    tokenizer = ByteBPE.train("low low", 259, special_tokens=["<|end|>"])
    assert tokenizer.decode(given_as([257, 258, 32])) == "low<|end|> "
    with pytest.raises(KeyError, match="unknown id 999"):
        tokenizer.decode(given_as([257, 999]))
    for wrong in (True, 257.0, "257"):
        with pytest.raises(TypeError):
            tokenizer.decode(given_as([257, wrong]))
