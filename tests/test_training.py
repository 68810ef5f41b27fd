"""Training: the T cases, and the fast trainer against the definition."""

import json
import os
import subprocess
import sys
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import ByteBPE, WordBPE, best_pair, count_pairs, merge_pair
from bpe_core.checks import TIE_BREAKS
from bpe_core.pairs import Merge, learn_merges_naively
from bpe_core.patterns import PATTERNS, count_words, split
from bpe_core.training import PairIndex, learn_merges, pack_words

RULES = {"first": "first", "lexmax": "greatest", "lowid": "lowest_id"}


def learn(word_counts, num_merges, **options):
    """Learn merges on any symbols, and give them back as symbols."""
    symbols = sorted({symbol for word in word_counts for symbol in word})
    merges = islice(learn_merges(pack_words(word_counts, symbols), symbols, **options), num_merges)
    return [Merge(m.step, (symbols[m.pair[0]], symbols[m.pair[1]]), symbols[m.new], m.count) for m in merges]


def pairs_of(history):
    return [list(merge.pair) for merge in history]


def counts_of(history):
    return [merge.count for merge in history]


def hex_pairs(tokenizer):
    return [[tokenizer.vocab[left].hex(), tokenizer.vocab[right].hex()] for left, right in tokenizer.merges]


def attached(words):
    """The words of subword-nmt: the marker sits on the last character."""
    return {(*word[:-1], word[-1] + "</w>"): count for word, count in words.items()}


# The T cases


def test_t01_a_pair_is_no_substring(cases):
    case = cases["T01-separate"]
    tokenizer = WordBPE.train(case["input"], 3)
    assert pairs_of(tokenizer.history) == case["expected"]["merges"]
    assert counts_of(tokenizer.history) == case["expected"]["counts"]
    for word, tokens in case["expected"]["segmentation_after"].items():
        assert tokenizer.tokenize(word.removesuffix("</w>")) == tokens


def test_t01_attached_marker(cases):
    case = cases["T01-attached"]
    history = learn(attached(case["input"]), 3)
    assert pairs_of(history) == case["expected"]["merges"]
    assert counts_of(history) == case["expected"]["counts"]
    assert merge_pair(["n", "e", "s</w>"], ("e", "s"), "es") == ["n", "e", "s</w>"]


def test_t02_overlapping_run(cases):
    case = cases["T02"]
    tokenizer = ByteBPE.train(case["input"], 257)
    assert hex_pairs(tokenizer)[0] == case["expected"]["first_merge_hex"]
    assert tokenizer.history[0].count == case["expected"]["first_count_windowed"]
    assert [t.hex() for t in tokenizer.tokens(case["input"])] == case["expected"]["segments_after_merge1_hex"]


def test_t03_windowed_counts_choose(cases):
    case = cases["T03"]
    tokenizer = ByteBPE.train(case["input"], 257, pattern=r"\S+")
    assert hex_pairs(tokenizer) == [case["expected"]["windowed_first_merge_hex"]]


def test_t04_counts_are_not_stale(cases):
    case = cases["T04"]
    tokenizer = ByteBPE.train(case["input"], 259)
    assert hex_pairs(tokenizer) == case["expected"]["merges_hex"]
    assert counts_of(tokenizer.history) == case["expected"]["counts"]
    index = PairIndex({case["input"]: 1})
    index.merge("ab", "X")
    assert index.counts == {"XX": 3}


@pytest.mark.parametrize("rule", RULES)
def test_t06_tie_rules_on_bytes(cases, rule):
    case = cases["T06-x"]
    tokenizer = ByteBPE.train(case["input"], 260, pattern="gpt2", tie_break=RULES[rule])
    assert hex_pairs(tokenizer) == case["expected"]["merges_hex_by_rule"][rule]


@pytest.mark.parametrize("rule", ["first", "lexmax"])
def test_t07_tie_rules_on_words(cases, rule):
    case = cases["T07-separate"]
    tokenizer = WordBPE.train(case["input"], 10, tie_break=RULES[rule])
    assert pairs_of(tokenizer.history) == case["expected"]["merges_by_rule"][rule]


@pytest.mark.parametrize("name", ["T08-empty", "T08-one", "T08-two"])
def test_t08_pairs_run_out(cases, name):
    case = cases[name]
    tokenizer = ByteBPE.train(case["input"], 300)
    assert hex_pairs(tokenizer) == case["expected"]["merges_hex"]
    assert len(tokenizer.vocab) == case["expected"]["vocab_len"]
    assert WordBPE.train("", 10).merges == []


def test_t10_vocabulary_too_small(cases):
    case = cases["T10"]
    with pytest.raises(ValueError, match="vocab_size is 100.*256"):
        ByteBPE.train(case["input"], case["train"]["vocab_size"])
    with pytest.raises(ValueError, match="at least 257"):
        ByteBPE.train("ab", 256, special_tokens=["<s>"])


@pytest.mark.parametrize("pattern", ["gpt2", "cl100k", "o200k", "qwen2"])
def test_t12_no_merge_crosses_a_piece(cases, pattern):
    tokenizer = ByteBPE.train(cases["T12"]["input"], 306, pattern=pattern)
    assert tokenizer.merges
    assert not [token for token in tokenizer.vocab.values() if len(token) > 1 and token[1:].strip() != token[1:]]


def test_t13_special_tokens_are_not_counted(cases):
    case = cases["T13"]
    tokenizer = ByteBPE.train(case["input"], 262, special_tokens=case["train"]["specials"])
    assert hex_pairs(tokenizer) == case["expected"]["merges_hex"]
    assert counts_of(tokenizer.history) == case["expected"]["counts"]
    assert tokenizer.special_tokens == {"<|endoftext|>": 258}


def test_t15_backslashes_and_dots(cases):
    case = cases["T15"]
    words = Counter(case["input"].split())
    history = learn(attached(words), 6, tie_break="greatest", min_frequency=2)
    assert pairs_of(history) == case["expected"]["merges"]
    tokenizer = WordBPE.train(case["input"], 20)
    assert tokenizer.decode(tokenizer.encode(case["input"])) == case["input"]


def test_t18_a_word_with_the_marker(cases):
    case = cases["T18"]
    with pytest.raises(ValueError, match="'a</w>b' holds the end-of-word marker '</w>'"):
        WordBPE.train(case["input"], 20)
    tokenizer = WordBPE.train(case["input"], 20, end_of_word="_")
    assert tokenizer.decode(tokenizer.encode("a</w>b cd")) == "a</w>b cd"
    with pytest.raises(ValueError, match="holds the end-of-word marker"):
        tokenizer.tokenize("snake_case")


SEED_SCRIPT = """
from bpe_core import ByteBPE, WordBPE
words = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
text = "low lower newest widest slow <s> über 🙂 " * 7
for rule in ("first", "lowest_id", "greatest"):
    print(WordBPE.train(words, 10, tie_break=rule).history)
    tokenizer = ByteBPE.train(text, 300, tie_break=rule, pattern="gpt2", special_tokens=["<s>", "<|x|>"])
    print(tokenizer.history, tokenizer.special_tokens, tokenizer.encode(text, allowed_special="all"))
"""


def test_t20_hash_seeds_change_nothing():
    outputs = set()
    for seed in ("0", "1", "2", "42"):
        run = subprocess.run(
            [sys.executable, "-c", SEED_SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
            capture_output=True,
            check=True,
        )
        outputs.add(run.stdout)
    assert len(outputs) == 1 and len(outputs.pop()) > 1000


def test_t22_self_pairs(cases):
    case = cases["T22"]
    history = WordBPE.train(case["input"], 1, end_of_word=None).history
    assert pairs_of(history) == case["expected"]["merges"]
    assert counts_of(history) == case["expected"]["counts"]


# The fast trainer equals the definition

repetitive = st.text(alphabet="ab", max_size=14) | st.text(alphabet="abcé🙂 ", max_size=14)
small_corpora = st.dictionaries(repetitive.map(tuple), st.integers(0, 5), max_size=5)


@pytest.mark.parametrize("tie_break", TIE_BREAKS)
@given(words=small_corpora, min_frequency=st.integers(1, 3))
def test_incremental_equals_naive_on_words(tie_break, words, min_frequency):
    options = {"tie_break": tie_break, "min_frequency": min_frequency}
    assert learn(words, 12, **options) == learn_merges_naively(words, 12, **options)


long_symbols = st.lists(st.sampled_from(["a", "b", "c", "ab", "ba", "aa", "bc", "abc"]), max_size=7).map(tuple)


def learn_from_a_list(word_counts, num_merges, tie_break, ids):
    """The definition for words that never fall together: a list of them, recounted in every round."""
    words, history = [(list(word), n) for word, n in word_counts.items() if n], []
    while len(history) < num_merges:
        counts = Counter()
        for word, n in words:
            for pair in zip(word, word[1:]):
                counts[pair] += n
        if not counts:
            break
        pair = best_pair(counts, tie_break, ids=ids)
        new = "".join(pair)
        ids.setdefault(new, len(ids))
        history.append(Merge(len(history) + 1, pair, new, counts[pair]))
        words = [(merge_pair(word, pair, new), n) for word, n in words]
    return history


@pytest.mark.parametrize("tie_break", TIE_BREAKS)
@given(words=st.dictionaries(long_symbols, st.integers(0, 5), max_size=6))
def test_words_that_become_the_same_add_up(tie_break, words):
    # The naive loop puts such words together, the fast trainer and the list keep them apart: the pairs
    # of the later word stand in the earlier one too, so counts and first places are the same.
    ids = {symbol: i for i, symbol in enumerate(sorted({symbol for word in words for symbol in word}))}
    naive = learn_merges_naively(words, 12, tie_break)
    assert naive == learn_from_a_list(words, 12, tie_break, ids) == learn(words, 12, tie_break=tie_break)


def test_a_frequency_is_never_overwritten():
    words = {("a", "b", "c"): 5, ("ab", "c"): 3, ("x", "y"): 4}
    for history in (learn_merges_naively(words, 3), learn(words, 3)):
        assert [(merge.pair, merge.count) for merge in history] == [(("a", "b"), 5), (("ab", "c"), 8), (("x", "y"), 4)]


@pytest.mark.parametrize("tie_break", TIE_BREAKS)
@pytest.mark.parametrize("pattern", [None, *PATTERNS])
@given(text=st.text(alphabet="ab 1'\n", max_size=60) | st.text(max_size=30))
def test_incremental_equals_naive_on_bytes(tie_break, pattern, text):
    pieces = Counter(split(text, pattern))
    words = {tuple(bytes([byte]) for byte in piece.encode()): n for piece, n in pieces.items()}
    base = [bytes([byte]) for byte in range(256)]
    naive = learn_merges_naively(words, 10, tie_break, base=base)
    vocab_size = 256 + len({merge.new for merge in naive})
    tokenizer = ByteBPE.train(text, vocab_size, pattern=pattern, tie_break=tie_break)
    learned = [
        Merge(m.step, (tokenizer.vocab[m.pair[0]], tokenizer.vocab[m.pair[1]]), tokenizer.vocab[m.new], m.count)
        for m in tokenizer.history
    ]
    assert learned[:10] == naive[: len(learned)]
    assert len(tokenizer.vocab) == vocab_size


@given(words=small_corpora, steps=st.integers(0, 8))
def test_counts_after_every_merge_equal_a_recount(words, steps):
    symbols = sorted({symbol for word in words for symbol in word})
    index = PairIndex(pack_words(words, symbols))
    for step in range(steps):
        assert index.counts == {
            "".join(pair): n
            for pair, n in count_pairs({tuple(w): f for w, f in zip(index.words, index.frequencies)}).items()
        }
        if not index.counts:
            break
        index.merge(max(index.counts, key=lambda pair: (index.counts[pair], pair)), chr(0x4E00 + step))


def test_two_ways_to_the_same_bytes_share_one_id():
    # (a, bc) and (ab, c) both make abc: one id, two merges.
    corpus = {tuple("abc"): 1, tuple("xbc"): 9, tuple("aby"): 8, ("a", "bc"): 7, ("ab", "c"): 6}
    history = learn(corpus, 10)
    assert [merge.pair for merge in history if merge.new == "abc"] == [("a", "bc"), ("ab", "c")]
    text = "xbc " * 9 + "aby " * 8 + "zabc " * 7
    tokenizer = ByteBPE.train(text, 280)
    assert len(set(tokenizer.vocab.values())) == len(tokenizer.vocab)


def gpt2_printable_bytes():
    """The character by which byte-level files write each byte: itself if printable, else from U+0100 on."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    return {byte: chr(byte) for byte in printable} | {byte: chr(256 + i) for i, byte in enumerate(others)}


@pytest.mark.parametrize("pattern", [None, "gpt2"])
def test_the_same_merges_as_hugging_face_tokenizers(pattern):
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

    from bpe_core.datasets import prose
    from bpe_core.patterns import pattern_regex

    text = prose("science")
    theirs = Tokenizer(models.BPE())
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    cut = [pre_tokenizers.Split(Regex(pattern_regex(pattern)), "isolated")] if pattern else []
    theirs.pre_tokenizer = pre_tokenizers.Sequence([*cut, byte_level])
    trainer = trainers.BpeTrainer(
        vocab_size=900, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    theirs.train_from_iterator([text], trainer)
    their_merges = [tuple(pair) for pair in json.loads(theirs.to_str())["model"]["merges"]]

    # Ties go to the lowest ids, and theirs number the bytes in the order of these characters.
    character = gpt2_printable_bytes()
    symbols = sorted(character.values())
    pieces = Counter(split(text, pattern))
    words = {tuple(character[byte] for byte in piece.encode()): n for piece, n in pieces.items()}
    merges = learn_merges(pack_words(words, symbols), symbols, tie_break="lowest_id")
    ours = []
    while len(symbols) < 900:
        left, right = next(merges).pair
        ours.append((symbols[left], symbols[right]))
    assert ours == their_merges


def merges_of_hugging_face(words, **options):
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    theirs = Tokenizer(models.BPE())
    theirs.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    theirs.train_from_iterator(
        [" ".join(word for word, n in words.items() for _ in range(n))],
        trainers.BpeTrainer(vocab_size=99, show_progress=False, **options),
    )
    return [tuple(pair) for pair in json.loads(theirs.to_str())["model"]["merges"]]


def test_lesson_02_says_of_hugging_face_tokenizers_what_they_do():
    for options in ({}, {"end_of_word_suffix": "</w>"}):  # by windows: 4 against 3
        assert merges_of_hugging_face({"aaah": 2, "low": 3}, **options)[0] == ("a", "a")
    toy = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    marked = merges_of_hugging_face(toy, end_of_word_suffix="</w>")
    assert ("es", "t</w>") in marked and not any("</w>" in pair for pair in marked)


def test_counts_of_parts_add_up():
    parts = ["low lower ", "newest low ", "über widest"]
    whole = count_words(parts, "gpt2")
    assert sum((count_words([part], "gpt2") for part in parts), Counter()) == whole


def test_a_long_training_shows_a_bar_when_asked(capsys):
    ByteBPE.train("low lower lowest", 260, progress=True)
    shown = capsys.readouterr().err
    assert "learning merges" in shown and "4/4" in shown, "it ends at the end"
    ByteBPE.train("low lower lowest", 260)
    assert capsys.readouterr().err == ""


def test_a_pair_that_occurs_once_is_merged_by_default():
    assert WordBPE.train("ab", 5, end_of_word=None).merges == [("a", "b")]
    assert ByteBPE.train("ab", 300).merges == {(97, 98): 256}
