"""What the lessons teach about speed and memory, held by counts and not by clocks."""

import random
from itertools import islice

import pytest

from bpe_core import ByteBPE, byte_bpe, streaming, training


class Visits(list):
    """A list that counts how often an item is read."""

    reads = 0

    def __getitem__(self, place):
        self.reads += 1
        return super().__getitem__(place)


def many_words(seed=1, amount=600):
    choose = random.Random(seed)
    return {"".join(choose.choices("etaoinshr", k=choose.randint(3, 9))): choose.randint(1, 50) for _ in range(amount)}


def test_a_merge_reads_only_words_that_hold_or_held_its_pair():
    words = training.pack_words({tuple(word): n for word, n in many_words().items()}, list("aehinorst"))
    index = training.PairIndex(words)
    index.words = Visits(index.words)
    for number in range(100):
        pair = max(index.counts, key=index.counts.get)
        named = len(set(index.where[pair]))
        index.words.reads = 0
        index.merge(pair, chr(9 + number))
        assert index.words.reads == named < len(words)


def test_all_merges_together_read_no_more_than_what_changes(monkeypatch):
    indexes = []
    begin = training.PairIndex.__init__

    def counted(self, words):
        begin(self, words)
        self.words = Visits(self.words)
        indexes.append(self)

    monkeypatch.setattr(training.PairIndex, "__init__", counted)
    words = many_words()
    symbols = sorted(set("".join(words)))
    packed = training.pack_words({tuple(word): n for word, n in words.items()}, symbols)
    learned = list(islice(training.learn_merges(packed, symbols, tie_break="lowest_id"), 300))
    (index,) = indexes
    # A read is for a place in ``where``: a pair that was there at first, or one of two beside a fusion.
    assert len(learned) == 300 and index.words.reads <= 3 * sum(map(len, words)) < 300 * len(words) / 10


@pytest.fixture
def merged(monkeypatch):
    """The pieces that were merged, one by one."""
    pieces = []
    apply = byte_bpe.apply_merges

    def counted(symbols, *rest):
        pieces.append(symbols)
        return apply(symbols, *rest)

    monkeypatch.setattr(byte_bpe, "apply_merges", counted)
    return pieces


def test_a_piece_is_merged_once(merged):
    text = " ".join(many_words())
    tokenizer = ByteBPE.train(text, 300, pattern="gpt2")
    first = tokenizer.encode(text)
    assert 0 < len(merged) <= len(set(tokenizer.pieces(text)))
    merged.clear()
    assert tokenizer.encode(text) == first and merged == []


def test_the_cache_of_pieces_stays_within_its_bound(monkeypatch, merged):
    monkeypatch.setattr(byte_bpe, "MAX_CACHED_PIECES", 10)
    tokenizer = ByteBPE.train("low lower lowest", 262, pattern="gpt2")
    sizes = []
    for word in many_words(amount=200):
        tokenizer.encode(word)
        sizes.append(len(tokenizer._cache))
    assert max(sizes) == 10, "it is used, and no larger"


@pytest.mark.parametrize("pattern", ["gpt2", "cl100k", None])
def test_encode_iterable_holds_back_a_bounded_amount(monkeypatch, pattern):
    monkeypatch.setattr(streaming, "BLOCK", 200)
    text = "low lower lowest, 12 newest\n" * 300
    tokenizer = ByteBPE.train(text, 300 if pattern else 260, pattern=pattern)
    read = done = most = 0
    encode = tokenizer.encode

    def parts():
        nonlocal read, most
        for place in range(0, len(text), 50):
            read += len(text[place : place + 50])
            most = max(most, read - done)
            yield text[place : place + 50]

    def counted(part, **special):
        nonlocal done
        done += len(part)
        return encode(part, **special)

    monkeypatch.setattr(tokenizer, "encode", counted)
    assert list(tokenizer.encode_iterable(parts())) == encode(text)
    assert 200 <= most <= 400 < len(text) / 10


@pytest.mark.parametrize("pattern", [r"\w+|\s+", r"[a-z]+\d+(?= )|\s+|."])
def test_a_pattern_of_ones_own_is_never_cut_inside_a_piece(monkeypatch, pattern):
    monkeypatch.setattr(streaming, "BLOCK", 8)
    text = "low12 lowest3 lower45 newest6 widest78 " * 5
    tokenizer = ByteBPE.train(text, 290, pattern=pattern)
    for size in range(1, 12):
        parts = [text[place : place + size] for place in range(0, len(text), size)]
        assert list(tokenizer.encode_iterable(parts)) == tokenizer.encode(text)
