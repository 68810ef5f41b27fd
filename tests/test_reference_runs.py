"""The runs of cases/reference-runs.json, to the letter."""

import pytest

from bpe_core import ByteBPE, WordBPE, best_pair, count_pairs
from bpe_core.encoding import replay_merges

WORD_RUNS = [
    "word-marker-first",
    "word-marker-underscore",
    "no-marker-first",
    "word-marker-greatest",
    "no-marker-greatest",
]


def trained(run):
    setup = run["setup"]
    corpus = setup.get("text", setup["words"])
    return WordBPE.train(corpus, setup["num_merges"], end_of_word=setup["marker"], tie_break=setup["tie_break"])


def symbol_counts(run):
    marker = run["setup"]["marker"]
    return {(*word, *([marker] if marker else [])): n for word, n in run["setup"]["words"].items()}


@pytest.mark.parametrize("name", WORD_RUNS)
def test_merges_and_counts(runs, name):
    learned = [[list(merge.pair), merge.count] for merge in trained(runs[name]).history]
    assert learned == runs[name]["merges"]


@pytest.mark.parametrize("name", [name for name in WORD_RUNS if name != "no-marker-greatest"])
def test_words_after_the_merges(runs, name):
    run, tokenizer = runs[name], trained(runs[name])
    after = {" ".join(tokenizer.tokenize(word)): n for word, n in run["setup"]["words"].items()}
    assert after == run["words_after"]


@pytest.mark.parametrize("name", ["word-marker-first", "word-marker-greatest"])
def test_tokens_of_words_by_both_ways_of_encoding(runs, name):
    tokenizer = trained(runs[name])
    for word, tokens in runs[name]["tokenize"].items():
        assert tokenizer.tokenize(word) == tokens
        assert tokenizer.steps(word)[-1] == tokens
        assert replay_merges([*word, "</w>"], tokenizer.merges)[-1] == tokens


def test_first_pair_pair_counts_and_ties(runs):
    first = best_pair(count_pairs(symbol_counts(runs["word-marker-first"])))
    assert [list(first), 9] == runs["word-marker-first"]["first_pair"]
    counts = count_pairs(symbol_counts(runs["no-marker-first"]))
    for pair, count in runs["no-marker-first"]["pair_counts"].items():
        assert counts[tuple(pair.split())] == count
    counts = count_pairs(symbol_counts(runs["word-marker-greatest"]))
    tied = sorted(pair for pair, count in counts.items() if count == max(counts.values()))
    assert [list(pair) for pair in tied] == runs["word-marker-greatest"]["ties_at_first_step"]


def test_text_and_counts_train_alike(runs):
    run = runs["word-marker-greatest"]
    by_counts = WordBPE.train(run["setup"]["words"], 10, tie_break="greatest")
    assert trained(run) == by_counts


def test_steps_of_lowest(runs):
    run = runs["no-marker-first"]
    assert trained(run).steps("lowest") == run["tokenize_steps"]["lowest"]


def test_byte_level_run(runs):
    run = runs["byte-level-lowest-id"]
    setup = run["setup"]
    sentence, times = setup["text_repeat"]
    text = sentence * times
    tokenizer = ByteBPE.train(
        text, setup["vocab_size"], pattern=None, tie_break="lowest_id", min_frequency=setup["min_frequency"]
    )
    assert len(text.encode()) == run["bytes"]
    assert len(tokenizer.encode(text)) == run["tokens"]
    assert [[list(pair), new] for pair, new in tokenizer.merges.items()] == run["merges"]
    assert len(tokenizer.history) == run["num_merges"]
    assert [tokenizer.vocab[i].decode() for i in range(256, 280)] == run["vocab"]
    for sample, ids in run["encode"].items():
        assert tokenizer.encode(sample) == ids
        assert [len(sample.encode()), len(ids)] == run["encoded_lengths"][sample]
        assert tokenizer.decode(ids) == sample
