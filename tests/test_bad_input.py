"""Bad input: one clear error that names the argument and what is allowed."""

import pytest

from bpe_core import ByteBPE, WordBPE, best_pair, count_pairs
from bpe_core.datasets import prose, word_counts
from bpe_core.patterns import split

BAD = [
    (
        lambda: best_pair({("a", "b"): 1}, "random"),
        ValueError,
        "tie_break is 'random'.*'first', 'lowest_id', 'greatest'",
    ),
    (lambda: best_pair({}), ValueError, "pair_counts is empty"),
    (lambda: count_pairs({("a", "b"): 1.5}), TypeError, "frequency of .* is 1.5"),
    (lambda: count_pairs({("a", "b"): -1}), ValueError, "frequency of .* 0 or more"),
    (lambda: WordBPE.train("low", -1), ValueError, "num_merges is -1"),
    (lambda: WordBPE.train("low", 2.0), TypeError, "num_merges is 2.0"),
    (lambda: WordBPE.train("low", True), TypeError, "num_merges is True"),
    (lambda: WordBPE.train(b"low", 1), TypeError, "corpus is a bytes"),
    (lambda: WordBPE.train({"low": "5"}, 1), TypeError, "frequency of 'low'"),
    (lambda: WordBPE.train({"a b": 5}, 1), ValueError, "'a b' is empty or holds white space"),
    (lambda: WordBPE.train({"": 5}, 1), ValueError, "'' is empty"),
    (lambda: WordBPE.train({5: 5}, 1), TypeError, "a word of the corpus is of type int"),
    (lambda: WordBPE.train("low", 1, end_of_word=""), ValueError, "end_of_word is ''"),
    (lambda: WordBPE.train("low", 1, end_of_word=" "), ValueError, "end_of_word is ' '"),
    (lambda: WordBPE.train("low", 1, end_of_word=5), TypeError, "end_of_word is 5"),
    (lambda: WordBPE.train("low", 1, tie_break="last"), ValueError, "tie_break is 'last'"),
    (lambda: WordBPE.train("low", 1, min_frequency=0), ValueError, "min_frequency is 0; it must be 1"),
    (lambda: WordBPE.from_merges([("ab", "c"), ("a", "b")]), ValueError, "number 1 .* nothing made 'ab' before"),
    (lambda: WordBPE.train("x\ud83dy", 1), ValueError, r"lone surrogate, '\\ud83d', at index 1"),
    (lambda: WordBPE.train("low", 1).encode(b"low"), TypeError, r"decode\('utf-8'\)"),
    (lambda: ByteBPE.train("low", 255), ValueError, "vocab_size is 255"),
    (lambda: ByteBPE.train("low", 300.0), TypeError, "vocab_size is 300.0"),
    (lambda: ByteBPE.train(b"low", 300), TypeError, "corpus is of type bytes"),
    (lambda: ByteBPE.train(7, 300), TypeError, "corpus is of type int"),
    (lambda: ByteBPE.train(["low", b"low"], 300), TypeError, "a text of the corpus is of type bytes"),
    (lambda: ByteBPE.train("x\ud83dy", 300), ValueError, "lone surrogate"),
    (lambda: ByteBPE.train("low", 300, tie_break="x"), ValueError, "tie_break"),
    (lambda: ByteBPE.train("low", 300, pattern="gpt4"), ValueError, "'gpt4', which is not the name.*gpt2, cl100k"),
    (lambda: ByteBPE.train("low", 300, pattern="["), ValueError, "'\\[' is no valid regular expression"),
    (lambda: ByteBPE.train("low", 300, pattern=5), TypeError, "pattern is 5"),
    (lambda: ByteBPE.train("low", 300, special_tokens="<s>"), TypeError, "one str, '<s>'"),
    (lambda: ByteBPE.train("low", 300, special_tokens=["<s>", "<s>"]), ValueError, "'<s>' twice"),
    (lambda: ByteBPE.train("low", 300, special_tokens=[""]), ValueError, "special token is empty"),
    (lambda: ByteBPE.train("low", 258).encode("x\ud83dy"), ValueError, "index 1"),
    (lambda: ByteBPE.train("low", 258).encode(b"low"), TypeError, "text is of type bytes"),
    (lambda: ByteBPE.train("low", 258).encode(None), TypeError, "text is of type NoneType"),
    (lambda: ByteBPE.train("low", 258).encode_batch("low"), TypeError, "iterable of texts"),
    (lambda: ByteBPE.train("low", 258).encode("low", allowed_special="<s>"), TypeError, "allowed_special"),
    (lambda: list(ByteBPE.train("low", 258).encode_iterable([b"low"])), TypeError, "bytes"),
    (lambda: ByteBPE.from_vocab_and_merges({0: "a"}, [], pattern=None), ValueError, "id 0 is 'a'"),
    (lambda: ByteBPE.from_vocab_and_merges({0: b"a"}, [(b"a", b"b")], pattern=None), ValueError, "b'b' is not in"),
    (lambda: split("x", r"\p{Q}"), ValueError, "no valid regular expression"),
    (lambda: prose("poems"), ValueError, "genre is 'poems'.*letters"),
    (lambda: word_counts("xx"), ValueError, "language is 'xx'.*en"),
]


@pytest.mark.parametrize(("call", "kind", "message"), BAD)
def test_bad_input_is_named(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


def test_empty_corpora_train_to_no_merges():
    assert WordBPE.train("", 5).merges == [] and WordBPE.train({}, 5).merges == []
    assert WordBPE.train({"low": 0}, 5).merges == []
    for corpus in ("", [], ["", ""]):
        assert ByteBPE.train(corpus, 300).merges == {}
    assert ByteBPE.train("", 300, special_tokens=["<s>"]).special_tokens == {"<s>": 256}
    assert ByteBPE.train("", 300).encode("") == []
