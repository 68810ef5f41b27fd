"""Costs: hand-worked values, the course's premiums, intervals, mixes, bad input."""

import math
from fractions import Fraction

import numpy as np
import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import ByteBPE, WordBPE, costs, datasets
from bpe_core.costs import (
    bootstrap_interval,
    byte_tax,
    bytes_per_character,
    bytes_per_token,
    characters_per_token,
    context_share,
    count_tokens,
    find_tokenizer,
    mean_of_ratios,
    mix_word_counts,
    premium,
    price,
    rank_correlation,
    token_counts,
    tokens_per_sentence,
    tokens_per_word,
    train_on_word_counts,
    vocabulary_factor,
)
from bpe_core.names import cldr_text, parallel_sentences, published_premiums

SENTENCES = parallel_sentences()
CODES = [code for code in SENTENCES if code != "en"]
TOKENIZERS = ["gpt2", "cl100k_base", "o200k_base", "qwen2.5"]

# A tokenizer whose counts can be worked out by hand: the bytes, "th", "the" and " the".
TINY = ByteBPE(
    dict(enumerate([bytes([b]) for b in range(256)] + [b"th", b"the", b" the"])),
    {(116, 104): 256, (256, 101): 257, (32, 257): 258},
)
TEXTS = ["the the", "é the é"]  # [the][ the] = 2 tokens of 7 bytes; 2 + [ the] + [ ] + 2 = 6 tokens of 9 bytes
REFERENCE = ["the", "the the the"]  # 1 token of 3 bytes; 3 tokens of 11 bytes


def test_hand_worked_values():
    assert token_counts(TINY, TEXTS) == [2, 6]
    assert count_tokens(TINY, TEXTS) == 8
    assert tokens_per_word(TINY, TEXTS, "fr") == 8 / 5
    assert characters_per_token(TINY, TEXTS) == 14 / 8
    assert bytes_per_token(TINY, TEXTS) == 16 / 8
    assert bytes_per_character(TEXTS) == 16 / 14
    assert tokens_per_sentence(TINY, TEXTS) == 4
    assert premium(TINY, TEXTS, REFERENCE) == 8 / 4
    assert mean_of_ratios(TINY, TEXTS, REFERENCE) == (2 / 1 + 6 / 3) / 2
    assert byte_tax(TEXTS, REFERENCE) == 16 / 14
    assert vocabulary_factor(TINY, TEXTS, REFERENCE) == (14 / 4) / (16 / 8)
    assert price(2_500_000, 0.15) == 0.375 and price(0, 3) == 0
    assert context_share(6_144, 8_192) == 0.75 and context_share(16_384, 8_192) == 2


def test_ratio_of_totals_is_not_the_mean_of_ratios():
    long, short = "the" + " the" * 8, "é"  # 9 tokens, 2 tokens
    assert premium(TINY, [long, short], [long, "the"]) == 11 / 10
    assert mean_of_ratios(TINY, [long, short], [long, "the"]) == (1 + 2) / 2


def test_punctuation_alone_is_no_word():
    assert tokens_per_word(TINY, "the ? the !", "fr") == count_tokens(TINY, "the ? the !") / 2


def test_one_text_is_a_list_of_one():
    assert premium(TINY, "the the", "the") == premium(TINY, ["the the"], ["the"]) == 2
    assert bytes_per_token(TINY, iter(TEXTS)) == 2


def test_any_tokenizer_with_encode_will_do():
    encoding = tiktoken.Encoding(
        "x", pat_str=r".+", mergeable_ranks={bytes([i]): i for i in range(256)}, special_tokens={}
    )
    assert token_counts(encoding, "tea") == [3]
    assert token_counts(WordBPE.train("low low", 2), "low") == [2]
    assert token_counts("gpt2", "<|endoftext|>") == [7]  # never a special token: it would cost one


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize("code", CODES)
def test_byte_tax_times_vocabulary_factor_is_the_premium(tokenizer, code):
    texts, english = SENTENCES[code], SENTENCES["en"]
    product = byte_tax(texts, english) * vocabulary_factor(tokenizer, texts, english)
    assert product == pytest.approx(premium(tokenizer, texts, english), rel=1e-12)


def test_without_merges_the_premium_is_the_byte_tax():
    no_merges = ByteBPE(dict(enumerate(bytes([b]) for b in range(256))), {})
    for code in CODES:
        assert premium(no_merges, SENTENCES[code], SENTENCES["en"]) == byte_tax(SENTENCES[code], SENTENCES["en"])


# The course's figures


@pytest.mark.parametrize(
    "code, figures",
    [
        ("es", (1.3, 1.3, 1.2)),
        ("hi", (6.0, 4.0, 1.9)),
        ("ta", (10.6, 5.6, 2.3)),
        ("my", (10.5, 7.7, 2.9)),
        ("am", (5.7, 5.8, 4.7)),
        ("hy", (7.0, 7.2, 2.3)),
    ],
)
def test_premiums_of_the_territories_are_those_of_the_course(code, figures):
    text, english = cldr_text(code), cldr_text("en")
    assert tuple(round(premium(name, text, english), 1) for name in TOKENIZERS[:3]) == figures


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_own_sentences_order_the_languages_as_published(tokenizer):
    own = [premium(tokenizer, SENTENCES[code], SENTENCES["en"]) for code in CODES]
    published = [published_premiums()[tokenizer][code] for code in CODES]
    correlation = rank_correlation(own, published)
    print(f"{tokenizer}: rank correlation of own and published premiums, {len(CODES)} languages: {correlation:.3f}")
    assert correlation > 0.95  # 0.987, 0.978, 0.958, 0.979
    names = [premium(tokenizer, cldr_text(code), cldr_text("en")) for code in CODES]
    correlation = rank_correlation(names, published)
    print(f"{tokenizer}: the same with CLDR's territories: {correlation:.3f}")
    assert correlation > 0.8  # 0.970, 0.925, 0.856, 0.821
    some = [CODES.index(code) for code in "es zh hi ta my am hy ka".split()]
    assert rank_correlation([own[i] for i in some], [published[i] for i in some]) > 0.9


def test_english_needs_the_same_tokens_in_all_four():
    assert [count_tokens(tokenizer, SENTENCES["en"]) for tokenizer in TOKENIZERS] == [390] * 4


# The interval


def test_interval_holds_the_premium_and_is_repeatable():
    texts, english = SENTENCES["hi"], SENTENCES["en"]
    low, high = bootstrap_interval("gpt2", texts, english)
    assert low < premium("gpt2", texts, english) < high
    assert (round(low, 4), round(high, 4)) == (6.2443, 7.0781)  # the same on each version of Python
    assert bootstrap_interval("gpt2", texts, english) == (low, high)
    assert bootstrap_interval("gpt2", texts, english, seed=1) != (low, high)
    narrow = bootstrap_interval("gpt2", texts, english, level=0.5)
    assert low < narrow.low < narrow.high < high


def test_interval_worked_by_hand():
    # Of two pairs, resamples hold the first twice, both, or the second twice: 1/4, 1/2, 1/4.
    ends = bootstrap_interval(TINY, ["the", "the the the"], ["the", "the"], resamples=4000, level=0.4)
    assert ends == (2, 2)
    assert bootstrap_interval(TINY, ["the", "the the the"], ["the", "the"]) == (1, 3)
    assert bootstrap_interval(TINY, TEXTS, REFERENCE, resamples=1) == (2, 2)


# Rank correlation


def test_rank_correlation_by_hand():
    assert rank_correlation([1, 2, 3, 4], [10, 20, 30, 40]) == 1
    assert rank_correlation([1, 2, 3, 4], [4, 3, 2, 1]) == -1
    # d = (0, 1, -1, 0, 0): 1 - 6 * 2 / (5 * 24)
    assert rank_correlation([1, 2, 3, 4, 5], [1, 3, 2, 4, 5]) == pytest.approx(0.9)
    # ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / sqrt(4.5 * 5)
    assert rank_correlation([1, 2, 2, 4], [1, 2, 3, 4]) == pytest.approx(4.5 / math.sqrt(22.5))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=20))
def test_rank_correlation_equals_pandas_on_ranks(pairs):
    import pandas as pd

    first, second = zip(*pairs)
    if min(len(set(first)), len(set(second))) > 1:
        expected = pd.Series(first).rank().corr(pd.Series(second).rank())  # method="spearman" would need scipy
        assert rank_correlation(first, second) == pytest.approx(expected, abs=1e-9)


# Training on mixes


def test_mix_gives_each_language_the_same_weight():
    english, russian, both = (mix_word_counts(codes, words_per_language=1000) for codes in ("en", "ru", ["en", "ru"]))
    assert sum(english.values()) == pytest.approx(1_000_000, rel=0.001)
    assert sum(russian.values()) == pytest.approx(1_000_000, rel=0.001)
    assert both == {word: english.get(word, 0) + russian.get(word, 0) for word in both}
    assert set(both) == set(english) | set(russian)
    assert list(russian) == list(datasets.word_counts("ru", most_frequent=1000))
    assert mix_word_counts(["id_ID"], words_per_language=5) == mix_word_counts(["id"], words_per_language=5)
    assert mix_word_counts("en", words_per_language=5) == mix_word_counts(["en"], words_per_language=5)


def test_training_on_counts_equals_training_on_the_text():
    counts = {"low": 5, "lower": 2, "newest": 6, "widest": 3, "don't": 4}
    text = "".join(" " + word for word, count in counts.items() for _ in range(count))
    for pattern in ("gpt2", "o200k", "cl100k"):
        from_counts = train_on_word_counts(counts, 280, pattern=pattern)
        from_text = ByteBPE.train(text, 280, pattern=pattern)
        assert from_counts.vocab == from_text.vocab and from_counts.merges == from_text.merges
        assert from_counts.history == from_text.history and from_counts.pattern == pattern


def test_words_of_scripts_without_spaces_get_no_space():
    tokenizer = train_on_word_counts({"我们": 5, "ครับ": 5, "мы": 5}, 300)
    assert {"我们".encode(), "ครับ".encode(), " мы".encode()} <= set(tokenizer.vocab.values())
    assert len(tokenizer.encode("我们我们 мы")) == 3


def test_training_stops_when_the_pairs_run_out():
    tokenizer = train_on_word_counts({"ab": 1}, 1000)
    assert tokenizer.vocab_size == 258  # " a" or "ab", then " ab"


def test_a_balanced_mix_lowers_the_premium_and_costs_english():
    english = train_on_word_counts(mix_word_counts(["en"], words_per_language=2000), 2500)
    mixed = train_on_word_counts(mix_word_counts(["en", "es", "ru", "hi"], words_per_language=2000), 2500)
    for code in ("es", "ru", "hi"):
        before = premium(english, SENTENCES[code], SENTENCES["en"])
        assert premium(mixed, SENTENCES[code], SENTENCES["en"]) < 0.75 * before
    assert count_tokens(mixed, SENTENCES["en"]) > count_tokens(english, SENTENCES["en"])
    # A script in no mix gains no merge: its premium falls only as English grows dearer.
    assert count_tokens(mixed, SENTENCES["ka"]) == pytest.approx(count_tokens(english, SENTENCES["ka"]), rel=0.02)


# Bad input


@pytest.mark.parametrize("name", ["gpt-9", "", "Claude", "Llama 3 8B"])
def test_a_model_whose_list_is_not_here(name):
    with pytest.raises(ValueError, match=f"name is {name!r}.*not here.*gpt2 .GPT-2.*qwen2.5"):
        premium(name, "a", "b")


@pytest.mark.parametrize("tokenizer", [None, 3, [1]])
def test_no_tokenizer(tokenizer):
    with pytest.raises(TypeError, match="tokenizer is of type"):
        find_tokenizer(tokenizer)


@pytest.mark.parametrize(
    "function",
    [
        lambda texts: tokens_per_word(TINY, texts),
        lambda texts: characters_per_token(TINY, texts),
        lambda texts: bytes_per_token(TINY, texts),
        bytes_per_character,
        lambda texts: tokens_per_sentence(TINY, texts),
        lambda texts: premium(TINY, texts, "the"),
        lambda texts: mean_of_ratios(TINY, texts, ["the"]),
        lambda texts: byte_tax(texts, "the"),
        lambda texts: vocabulary_factor(TINY, texts, "the"),
        lambda texts: bootstrap_interval(TINY, texts, ["the", "the"]),
    ],
)
def test_empty_texts(function):
    for texts in ([], ()):
        with pytest.raises(ValueError, match="texts is empty"):
            function(texts)
    for texts in ("", " \n", ["", "a"]):
        with pytest.raises(ValueError, match="texts holds an empty text, number 1"):
            function(texts)
    for texts in (b"the", 7, None, ["the", 7]):
        with pytest.raises(TypeError, match="texts"):
            function(texts)
    with pytest.raises(ValueError, match="lone surrogate"):
        function("\ud83d")


def test_an_empty_text_counts_no_token():
    assert token_counts("gpt2", "") == token_counts(TINY, [""]) == [0]
    assert token_counts(TINY, ["", "the", " \n"]) == [0, 1, 2] and count_tokens(TINY, ["", "the"]) == 1
    for texts in ([], b"the", 7, None, ["the", 7], "\ud83d"):
        with pytest.raises((TypeError, ValueError), match="texts"):
            count_tokens(TINY, texts)


@pytest.mark.parametrize("function", [premium, mean_of_ratios, vocabulary_factor, bootstrap_interval])
def test_empty_reference(function):
    with pytest.raises(ValueError, match="reference_texts is empty"):
        function(TINY, ["the"], [])
    with pytest.raises(ValueError, match="reference_texts holds an empty text, number 2 of 2"):
        function(TINY, ["the", "the"], ["the", " "])
    with pytest.raises(ValueError, match="reference_texts holds an empty text"):
        byte_tax("the", "")


@pytest.mark.parametrize("function", [mean_of_ratios, bootstrap_interval])
def test_texts_that_are_not_aligned(function):
    with pytest.raises(ValueError, match="texts holds 2 and reference_texts 3"):
        function(TINY, ["a", "b"], ["a", "b", "c"])


def test_interval_out_of_range():
    with pytest.raises(ValueError, match="two at least"):
        bootstrap_interval(TINY, ["a"], ["b"])
    for level in (0, 1, -1, 95, math.nan):
        with pytest.raises(ValueError, match="level is"):
            bootstrap_interval(TINY, ["a", "b"], ["a", "b"], level=level)
    for resamples in (0, -3):
        with pytest.raises(ValueError, match="resamples is"):
            bootstrap_interval(TINY, ["a", "b"], ["a", "b"], resamples=resamples)


def test_words_where_none_are_separated():
    for code in ("zh", "ja", "th", "my", "km", "vi"):
        with pytest.raises(ValueError, match="does not separate its words by spaces"):
            tokens_per_word(TINY, SENTENCES[code], code)
    with pytest.raises(ValueError, match="language is 'xx'"):
        tokens_per_word(TINY, "the", "xx")
    with pytest.raises(ValueError, match="texts holds no word"):
        tokens_per_word(TINY, "?!")


def test_a_price_is_any_real_number_and_a_count_any_whole_one():
    for value in (np.float32(2.5), np.float64(2.5), Fraction(5, 2), 2.5):
        found = price(np.int64(2_000), value)
        assert found == 0.005 and type(found) is float
    assert price(np.int32(2_000_000_000), np.int64(3)) == 6_000, "no overflow"
    assert context_share(np.int64(1), np.uint8(2)) == 0.5
    for value in (np.bool_(True), np.float64("nan"), np.float32("inf"), 1j, Fraction(-1, 2)):
        with pytest.raises((TypeError, ValueError), match="price_per_million is"):
            price(10, value)


def test_bad_prices_and_contexts():
    for value in (-0.01, math.nan, math.inf):
        with pytest.raises(ValueError, match="price_per_million is"):
            price(10, value)
    for value in (True, "2", None):
        with pytest.raises(TypeError, match="price_per_million is"):
            price(10, value)
    with pytest.raises(ValueError, match="tokens is -1"):
        price(-1, 2)
    with pytest.raises(TypeError, match="tokens is 1.5"):
        price(1.5, 2)
    with pytest.raises(ValueError, match="context is 0"):
        context_share(10, 0)
    with pytest.raises(ValueError, match="tokens is -1"):
        context_share(-1, 10)


def test_bad_ranks():
    for first, second in (([1], [1]), ([1, 2], [1, 2, 3]), ([], [])):
        with pytest.raises(ValueError, match="they must be as many"):
            rank_correlation(first, second)
    with pytest.raises(ValueError, match="second holds only equal values"):
        rank_correlation([1, 2], [3, 3])
    with pytest.raises(ValueError, match="first holds a value that is no number"):
        rank_correlation([1, math.nan], [1, 2])


def test_bad_mixes():
    for names in ([], ["en", "en"]):
        with pytest.raises(ValueError, match="languages is"):
            mix_word_counts(names)
    with pytest.raises(ValueError, match="language is 'yo'"):
        mix_word_counts(["en", "yo"])
    with pytest.raises(ValueError, match="words_per_language is 0"):
        mix_word_counts(["en"], words_per_language=0)
    with pytest.raises(ValueError, match="total_per_language is 0"):
        mix_word_counts(["en"], total_per_language=0)


def test_bad_training():
    with pytest.raises(ValueError, match="vocab_size is 255"):
        train_on_word_counts({"a": 1}, 255)
    with pytest.raises(ValueError, match="word_counts is empty"):
        train_on_word_counts({}, 300)
    with pytest.raises(ValueError, match="frequency of 'a'"):
        train_on_word_counts({"a": -1}, 300)
    with pytest.raises(ValueError, match="pattern is 'gpt7'"):
        train_on_word_counts({"a": 1}, 300, pattern="gpt7")
    with pytest.raises(TypeError, match="a word is of type int"):
        train_on_word_counts({3: 1}, 300)


def test_importing_costs_pulls_in_no_pandas_or_babel():
    import subprocess
    import sys

    code = "import sys, bpe_core.costs; print([m for m in ('pandas', 'babel', 'matplotlib') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
    assert costs.Interval._fields == ("low", "high")
