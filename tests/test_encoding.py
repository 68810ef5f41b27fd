"""Encoding, special tokens, decoding and streams: the A, S, D and X cases and properties."""

import itertools
import json
import unicodedata

import pytest
import tokenizers as tokenizers_library
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import ByteBPE, WordBPE
from bpe_core.datasets import prose
from bpe_core.encoding import LONG, MergeRanks, apply_merges, recover_merges, replay_merges
from bpe_core.exchange import huggingface_content
from bpe_core.patterns import PATTERNS, last_safe_cut, split

END = "<|endoftext|>"
PAIR = "<|endoftext|><|endoftext|>"


@pytest.fixture(scope="module")
def small():
    """A tokenizer of English prose with the cl100k pattern and two special tokens, one inside the other."""
    return ByteBPE.train(prose("story"), 700, pattern="cl100k", special_tokens=[END, PAIR])


@pytest.fixture(scope="module")
def tokenizers():
    """One tokenizer for each way of cutting, patterns of one's own too, trained on the same text."""
    text = prose("talk") + "\n\n  x  \n" + "1234567 über 東京 🙂"
    own = [r"\S+", r"\w+|[^\w\s]+|\s+(?!\S)|\s+", r"(?<=a)b| ?\p{L}+", r"x*"]
    return {pattern: ByteBPE.train(text, 500, pattern=pattern) for pattern in (None, *PATTERNS, *own)}


# Applying merges


@pytest.mark.parametrize("name", ["A01", "A02", "A04", "A06"])
def test_lowest_rank_first(cases, name):
    case = cases[name]
    merges = [tuple(pair) for pair in case["merges"]]
    tokenizer = WordBPE.from_merges(merges, end_of_word=None)
    assert tokenizer.tokenize(case["input"]) == case["expected"]["tokens"]
    vocab = {i: bytes([i]) for i in range(256)}
    for left, right in merges:
        if (left + right).encode() not in vocab.values():
            vocab[len(vocab)] = (left + right).encode()
    as_bytes = ByteBPE.from_vocab_and_merges(
        vocab, [(left.encode(), right.encode()) for left, right in merges], pattern=None
    )
    assert as_bytes.tokens(case["input"]) == [token.encode() for token in case["expected"]["tokens"]]


merge_lists = st.lists(st.tuples(*[st.sampled_from(["a", "b", "c", "ab", "ba", "aa", "abc"])] * 2), max_size=12)


@given(text=st.text(alphabet="abc", max_size=3 * LONG), raw=merge_lists)
def test_replaying_and_lowest_rank_first_agree(text, raw):
    # A list that training could give: a merge joins symbols that are there already.
    known, merges = set("abc"), []
    for left, right in raw:
        if left in known and right in known:
            merges.append((left, right))
            known.add(left + right)
    unique = list(dict.fromkeys(merges))
    results = [left + right for left, right in unique]
    assert apply_merges(text, MergeRanks.from_merges(unique), results) == replay_merges(text, unique)[-1]


@given(text=st.text(alphabet="ab", min_size=LONG, max_size=300))
def test_long_and_short_pieces_follow_the_same_rule(text):
    merges = ByteBPE.train("abaabbabaaab" * 9, 268).merges
    ranks, results = MergeRanks.from_merges(merges), list(merges.values())
    ids = list(text.encode())
    whole = apply_merges(ids, ranks, results)
    while True:  # the definition: the leftmost of the lowest-ranked pairs, one at a time
        found = [ranks[pair] for pair in zip(ids, ids[1:])]
        best = min(found, default=ranks[-1, -1])
        if best == ranks[-1, -1]:
            break
        i = found.index(best)
        ids[i : i + 2] = [results[best]]
    assert whole == ids


def test_a_million_equal_letters(small):
    runs = ByteBPE.train("a" * 5000, 270)
    ids = runs.encode("a" * 1_000_000)
    assert runs.decode(ids) == "a" * 1_000_000 and len(ids) < 1000
    assert small.decode(small.encode("e" * 1_000_000)) == "e" * 1_000_000


def test_base_ids_need_not_be_the_byte_values():
    vocab = {i: bytes([255 - i]) for i in range(256)} | {300: b"lo", 500: b"low"}
    tokenizer = ByteBPE.from_vocab_and_merges(vocab, [(b"l", b"o"), (b"lo", b"w")], pattern=None)
    assert tokenizer.encode("slow") == [255 - ord("s"), 500]
    assert tokenizer.decode([255 - ord("s"), 500]) == "slow"


# Round trips


@given(text=st.text(max_size=80))
def test_decode_undoes_encode(tokenizers, text):
    for tokenizer in tokenizers.values():
        assert tokenizer.decode(tokenizer.encode(text)) == text


@given(data=st.binary(max_size=80))
def test_decode_bytes_gives_any_bytes(small, data):
    ids = list(data)  # in a trained tokenizer the first 256 ids are the bytes
    assert small.decode_bytes(ids) == data
    assert small.decode(ids) == data.decode("utf-8", "replace")
    assert "".join(small.decode_stream(ids)) == data.decode("utf-8", "replace")


@given(text=st.text(max_size=60))
def test_words_round_trip_when_all_characters_are_known(text):
    if "</w>" in text:
        return
    tokenizer = WordBPE.train(text, 20)
    assert tokenizer.decode(tokenizer.encode(text)) == " ".join(text.split())


def test_unknown_characters_of_words():
    tokenizer = WordBPE.train("low lower", 2)
    assert tokenizer.tokenize("zlow") == ["z", "low", "</w>"]
    assert tokenizer.encode("zlow")[0] == tokenizer.vocab["<unk>"] == 0
    assert tokenizer.decode(tokenizer.encode("zlow")) == "<unk>low"


def test_a_short_marker_is_only_the_end_of_a_symbol():
    tokenizer = WordBPE.train("ba ba ca", 10, end_of_word="aa")
    assert tokenizer.decode(tokenizer.encode("ba ca")) == "ba ca"


# Special tokens


def ids_of(tokenizer, *parts):
    return [i for part in parts for i in ([part] if isinstance(part, int) else tokenizer.encode_ordinary(part))]


def test_s01_special_text_is_refused(small):
    with pytest.raises(ValueError, match=r"special token '<\|endoftext\|>' at index 1"):
        small.encode("a<|endoftext|>")


def test_s02_s03_s04_allowed_and_disallowed(small):
    end, pair = small.special_tokens[END], small.special_tokens[PAIR]
    assert small.encode(END, allowed_special="all") == [end]
    assert small.encode(END, allowed_special={END}) == [end]
    ordinary = small.encode(f"a{END}b", disallowed_special=())
    assert end not in ordinary and small.decode(ordinary) == f"a{END}b"
    assert ordinary == small.encode_ordinary(f"a{END}b")
    with pytest.raises(ValueError, match="special token"):
        small.encode(END + PAIR, allowed_special={END})
    with pytest.raises(ValueError, match="'stop'"):
        small.encode("please stop", disallowed_special={"stop"})
    assert small.encode(PAIR, allowed_special={END}, disallowed_special=()) == [end, end]
    assert small.encode(PAIR + END, allowed_special="all") == [pair, end]


def test_s08_spaces_around_a_special_token_are_kept(small):
    end = small.special_tokens[END]
    assert small.encode(f" {END} ", allowed_special="all") == [32, end, 32]


def test_s09_special_tokens_are_escaped(small):
    assert small.encode("a<b|c>d", allowed_special="all") == small.encode_ordinary("a<b|c>d")


def test_s10_the_longest_special_token_wins(small):
    end, pair = small.special_tokens[END], small.special_tokens[PAIR]
    assert small.encode(f"a{END}{END}{END}b", allowed_special="all") == ids_of(small, "a", pair, end, "b")


def test_s12_s14_one_id_one_meaning():
    vocab = {i: bytes([i]) for i in range(256)}
    with pytest.raises(ValueError, match=r"'<\|a\|>' has the id 100"):
        ByteBPE.from_vocab_and_merges(vocab, [], pattern=None, special_tokens={"<|a|>": 100})
    with pytest.raises(ValueError, match="'<b>' has the id 256, which is that of the token '<a>'"):
        ByteBPE.from_vocab_and_merges(vocab, [], pattern=None, special_tokens={"<a>": 256, "<b>": 256})
    with pytest.raises(ValueError, match="share the rank 5"):
        ByteBPE.from_ranks({bytes([i]): i for i in range(256)} | {b"ab": 5}, pattern=None)
    with pytest.raises(ValueError, match="under two ids: 97 and 256"):
        ByteBPE.from_vocab_and_merges(vocab | {256: b"a"}, [], pattern=None)


@given(text=st.text(alphabet="ab <|>endoftx", max_size=40))
def test_no_ordinary_text_becomes_special(small, text):
    assert not set(small.encode(text, disallowed_special=())) & set(small.special_tokens.values())


# Added tokens that are no control tokens: found in any text, as Hugging Face tokenizers do

ADDED = ["\n", "\n\n", "e\u0301", "low", "<s>", "<s>\n", "s>l", "</s>"]
NOT_SPECIAL = frozenset(ADDED) - {"<s>", "</s>"}


@pytest.fixture(scope="module")
def with_added():
    """Return pairs of a tokenizer with added tokens of both kinds and the same one in Hugging Face's library."""
    pairs = []
    text = prose("talk") + "\n\n\n low\nlow cafe\u0301"
    for pattern, normalization in [(None, None), ("gpt2", None), ("qwen2", "NFC"), ("gpt2", "NFD")]:
        trained = ByteBPE.train(text, 400, pattern=pattern, special_tokens=ADDED)
        tokenizer = ByteBPE(
            trained.vocab,
            trained.merges,
            pattern=pattern,
            special_tokens=trained.special_tokens,
            not_special=NOT_SPECIAL,
            normalization=normalization,
        )
        theirs = tokenizers_library.Tokenizer.from_str(json.dumps(huggingface_content(trained)))
        if normalization:
            theirs.normalizer = getattr(tokenizers_library.normalizers, normalization)()
        theirs.add_special_tokens(["<s>", "</s>"])
        pairs.append((tokenizer, theirs))
    return pairs


added_texts = st.lists(st.sampled_from([*ADDED, "\u00e9", "e", "s>", " ", "x low", "<"]) | st.text(max_size=4)).map(
    "".join
)


@given(text=added_texts)
def test_added_tokens_are_found_as_hugging_face_finds_them(with_added, text):
    for tokenizer, theirs in with_added:
        expected = theirs.encode(text, add_special_tokens=False).ids
        assert tokenizer.encode(text, allowed_special="all") == expected
        if "<s>" in text or "</s>" in text:
            with pytest.raises(ValueError, match="special token '</?s>'"):
                tokenizer.encode(text)
        else:
            assert tokenizer.encode(text) == tokenizer.encode_ordinary(text) == expected
            assert b"".join(tokenizer.tokens(text)) == tokenizer.decode_bytes(expected)


@given(text=added_texts, places=st.lists(st.integers(0, 40)))
def test_added_tokens_over_a_cut(monkeypatched_block, with_added, text, places):
    for tokenizer, _ in with_added:
        for special in ({"allowed_special": "all"}, {"disallowed_special": ()}):
            parts = cut_at(text, places)
            assert list(tokenizer.encode_iterable(parts, **special)) == tokenizer.encode(text, **special)


def test_only_control_tokens_need_leave():
    vocab = {i: bytes([i]) for i in range(256)}
    special_tokens = {"\n": 256, "\n\n": 257, "<s>": 258}
    tokenizer = ByteBPE(vocab, {}, pattern="gpt2", special_tokens=special_tokens, not_special=["\n", "\n\n"])
    assert tokenizer.encode("a\nb\n\n\nc") == [97, 256, 98, 257, 256, 99]
    assert tokenizer.encode_ordinary("\n<s>") == [256, *b"<s>"]
    assert tokenizer.tokens("a\n") == [b"a", b"\n"] and tokenizer.pieces("a \n\nb") == ["a", " ", "\n\n", "b"]
    assert tokenizer.decode([97, 257, 258]) == "a\n\n<s>"
    assert tokenizer != ByteBPE(vocab, {}, pattern="gpt2", special_tokens=special_tokens)
    with pytest.raises(ValueError, match="not_special holds '<x>', which is none of the special tokens"):
        ByteBPE(vocab, {}, special_tokens=special_tokens, not_special=["<x>"])


# Decoding


def test_d01_unknown_ids(small):
    for wrong in (small.vocab_size, -1, 10**9):
        with pytest.raises(KeyError, match=str(wrong)):
            small.decode([97, wrong])
    with pytest.raises(KeyError, match="unknown id 99"):
        WordBPE.train("low", 1).decode([99])


def test_d03_d04_half_a_character(small):
    wave = "👋".encode()
    chunks = list(small.decode_stream(list(wave)))
    assert chunks == ["", "", "", "👋"]
    assert "".join(small.decode([i]) for i in wave) == "\ufffd" * 4
    assert small.decode(list(wave[:3])) == "\ufffd"
    assert list(small.decode_stream(list(wave[:3]))) == ["", "", "", "\ufffd"]
    with pytest.raises(UnicodeDecodeError):
        small.decode(list(wave[:3]), errors="strict")


@pytest.mark.parametrize("wrong", [1.5, True, "a", None, 97.0])
def test_d10_ids_are_whole_numbers(small, wrong):
    with pytest.raises(TypeError, match="whole numbers"):
        small.decode([wrong])
    with pytest.raises(TypeError, match="whole numbers"):
        WordBPE.train("low", 1).decode([wrong])


# Text that comes in parts


def cut_at(text, places):
    places = sorted({min(place, len(text)) for place in places})
    return [text[a:b] for a, b in zip([0, *places], [*places, len(text)])]


@pytest.mark.parametrize("parts", [["hel", "lo"], ["12", "34"], ["", "x", ""], []])
def test_x01_x03_small_parts(tokenizers, parts):
    for tokenizer in tokenizers.values():
        assert list(tokenizer.encode_iterable(parts)) == tokenizer.encode("".join(parts))


texts = st.text(alphabet="ab \n'sl/1é́.\u3000東<|>x", max_size=40) | st.text(max_size=30)


@given(text=texts, places=st.lists(st.integers(0, 40)), ending=texts)
def test_a_safe_cut_is_safe(text, places, ending):
    # Whatever follows, the pieces before the place stay, and the rest is cut as if it began there.
    place = last_safe_cut(text, max(0, len(text) - 1))
    for pattern in PATTERNS:
        before = []
        for piece in split(text, pattern):
            if sum(map(len, before)) >= place:
                break
            before.append(piece)
        assert "".join(before) == text[:place]
        assert before + split(text[place:] + ending, pattern) == split(text + ending, pattern)


@given(blocks=st.lists(texts, min_size=1, max_size=6), places=st.lists(st.integers(0, 200)))
def test_the_ids_of_the_joined_text(tokenizers, monkeypatched_block, blocks, places):
    text = "".join(blocks)
    for tokenizer in tokenizers.values():
        assert list(tokenizer.encode_iterable(cut_at(text, places))) == tokenizer.encode(text)


# U+0958 is a letter that every form writes as a letter and a mark.
CHANGING = "ab \n/.'\u0958\uff0f\u00a8\u00e9\u0301\u3099\uff9e\u1e9b\u2025=\u0338\u30ab"


@pytest.fixture(scope="module", params=["NFC", "NFD", "NFKC", "NFKD"])
def normalizing(request):
    """Tokenizers of one normal form in which any two characters of a piece are a token."""
    ranks = {bytes([i]): i for i in range(256)}
    for pair in itertools.product(unicodedata.normalize(request.param, " ".join(CHANGING)), repeat=2):
        data = "".join(pair).encode()
        for end in range(2, len(data) + 1):
            ranks.setdefault(data[:end], len(ranks))
    return [ByteBPE.from_ranks(ranks, pattern=name, normalization=request.param) for name in PATTERNS]


@given(text=st.text(alphabet=CHANGING, max_size=30))
def test_a_cut_stays_safe_under_normalization(monkeypatched_block, normalizing, text):
    for tokenizer in normalizing:
        assert list(tokenizer.encode_iterable(text)) == tokenizer.encode(text)


@pytest.fixture(scope="module")
def monkeypatched_block():
    """Make encode_iterable look for a cut after 8 characters and not after 65,536."""
    import bpe_core.streaming as module

    old, module.BLOCK = module.BLOCK, 8
    yield
    module.BLOCK = old


@given(places=st.lists(st.integers(0, 400)), data=st.data())
def test_special_tokens_over_a_cut(monkeypatched_block, small, places, data):
    parts = st.sampled_from([END, PAIR, "<|endo", "ftext|>", "a b", "\n\n", " ", ".", "low"])
    text = "".join(data.draw(st.lists(parts, max_size=25)))
    for special in (
        {"allowed_special": "all"},
        {"disallowed_special": ()},
        {"allowed_special": {END}, "disallowed_special": ()},
    ):
        assert list(small.encode_iterable(cut_at(text, places), **special)) == small.encode(text, **special)


@given(places=st.lists(st.integers(0, 100)))
def test_disallowed_text_over_a_cut_is_refused(monkeypatched_block, small, places):
    for text in (f"some words, then {END} and more words after it", f"{'low ' * 9}{END}"):
        with pytest.raises(ValueError, match="special token"):
            list(small.encode_iterable(cut_at(text, places)))


def test_little_is_held_back():
    tokenizer = ByteBPE.train(prose("news"), 600, pattern="o200k")
    seen = 0

    def lines():
        nonlocal seen
        for number in range(20_000):
            seen = number
            yield "The council met on Tuesday.\n"

    first = next(tokenizer.encode_iterable(lines()))
    assert first == tokenizer.encode("The council")[0] and seen < 5000


# Instances and ranks


def test_instances_share_nothing():
    first = ByteBPE.train("low low lower", 260)
    first.encode("low")
    second = ByteBPE.train("widest widest", 260)
    assert second.encode("low") == list(b"low")
    first.vocab[999] = b"?"
    assert 999 not in second.vocab
    assert first != second and second == ByteBPE.train("widest widest", 260)


def test_rank_rule_takes_whole_pieces_and_joins_any_two_tokens():
    ranks = {bytes([i]): i for i in range(256)} | {b"ab": 256, b"bc": 257, b"abcd": 258, b"abc": 259}
    by_ranks = ByteBPE.from_ranks(ranks, pattern=None)
    assert by_ranks.encode("abcd") == [258]  # the whole piece is a token
    assert by_ranks.encode("xabc") == [ord("x"), 259]  # ab + c, though no list of merges says so
    with pytest.raises(ValueError, match="0x61"):
        ByteBPE.from_ranks({token: i for token, i in ranks.items() if token != b"a"}, pattern=None)


def test_merges_come_back_from_ranks():
    for pattern in (None, "gpt2"):
        tokenizer = ByteBPE.train(prose("recipes"), 900, pattern=pattern)
        assert recover_merges(tokenizer.vocab) == tokenizer.merges


def test_a_missing_byte_is_named():
    tokenizer = ByteBPE.from_vocab_and_merges({0: b"a", 1: b"b"}, [], pattern=None)
    with pytest.raises(ValueError, match="no token for the byte 0x63 in 'abc'"):
        tokenizer.encode("abc")
