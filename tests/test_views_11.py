"""The picture of notebook 11, and its reference answers beside the course's own."""

import itertools

import pytest

from bpe_core import views
from bpe_core.alternatives import Unigram, WordPiece
from bpe_core.alternatives.wordpiece import learn_pieces
from bpe_core.classroom.exercises import find


def test_the_lattice_names_a_place_that_no_way_reaches():
    picture = views.lattice(Unigram({"ab": -1.0, "c": -2.0, "b": -1.0, "d": -1.0}), "abcd")
    assert picture.data["reached"] == [0.0, -float("inf"), -1.0, -3.0, -4.0]
    assert picture.data["best"] == ["ab", "c", "d"] and "-inf" in picture.caption
    with pytest.raises(ValueError, match="they reach up to 'x'"):
        views.lattice(Unigram({"a": -1.0}), "ax")


def test_best_scores_are_those_of_the_cuts_of_the_beginnings():
    scores = {"".join(piece): -1.0 - place / 7 for place, piece in enumerate(itertools.product("ab", repeat=2))}
    model = Unigram({"a": -2.0, "b": -2.5} | scores)
    reached = views.lattice(model, "abbaab").data["reached"]
    assert reached[1:] == pytest.approx([model.score(model.cut("abbaab"[:end])) for end in range(1, 7)])


def test_the_references_agree_with_the_course():
    for (words,) in find("11.1").probes():
        first = next(learn_pieces([(list(word), n) for word, n in words.items()], "ratio"))
        assert find("11.1").reference(words) == first.pair
    for word, vocab in find("11.2").probes():
        assert find("11.2").reference(word, vocab) == WordPiece(sorted(vocab)).cut(word)
    for word, scores in find("11.4").probes():
        assert find("11.4").reference(word, scores) == (Unigram(scores).cut(word) if word else [])
