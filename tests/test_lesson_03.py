"""What lesson 03 says of every training: held on random corpora, under each tie rule."""

import random

import pytest

from bpe_core import WordBPE
from bpe_core.checks import TIE_BREAKS


def corpora(amount=150):
    choose = random.Random(3)
    for _ in range(amount):
        letters = "abcd"[: choose.randint(1, 4)]
        words = {"".join(choose.choices(letters, k=choose.randint(1, 9))) for _ in range(choose.randint(1, 6))}
        yield {word: choose.randint(1, 9) for word in sorted(words)}


@pytest.mark.parametrize("mark", ["</w>", None])
@pytest.mark.parametrize("rule", TIE_BREAKS)
def test_the_vocabulary_is_unk_and_base_and_merges_and_counts_never_rise(rule, mark):
    for corpus in corpora():
        trained = WordBPE.train(corpus, 99, tie_break=rule, end_of_word=mark)
        made = [merge.new for merge in trained.history]
        assert len(trained.vocab) == 1 + len(trained.base) + len(made) and len(set(made)) == len(made)
        counts = [merge.count for merge in trained.history]
        assert counts == sorted(counts, reverse=True)


@pytest.mark.parametrize("rule", TIE_BREAKS)
def test_a_merge_saves_its_count_unless_its_pair_overlaps_itself(rule):
    for corpus in corpora(60):
        whole = WordBPE.train(corpus, 99, tie_break=rule)
        left = []
        for number in range(len(whole.merges) + 1):
            state = WordBPE.train(corpus, number, tie_break=rule)
            cut = {word: tuple(state.tokenize(word)) for word in corpus}
            assert len(set(cut.values())) == len(corpus)  # different words never become the same
            left.append(sum(corpus[word] * len(tokens) for word, tokens in cut.items()))
        for merge, before, after in zip(whole.history, left, left[1:]):
            saved = before - after
            assert saved <= merge.count if merge.pair[0] == merge.pair[1] else saved == merge.count
