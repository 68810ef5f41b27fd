"""The pictures of notebook 04: what they draw is what the encoders do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import WordBPE, datasets, load, views
from bpe_core.classroom.exercises import find
from bpe_core.encoding import LONG, JoinedRanks, MergeRanks, apply_merges, replay_merges
from bpe_core.views.staircase import MAX_MERGES, MAX_SYMBOLS, NOTHING


@pytest.fixture(scope="module")
def toy():
    return WordBPE.train(datasets.toy_words(), 8)


def contents(spans):
    return [span.content for span in spans]


# The staircase


@pytest.mark.parametrize("word", ["lowest", "newest", "nest", "zqx", "slow", "lowlow", "newness"])
def test_a_staircase_has_the_steps_of_the_tokenizer(toy, word):
    stairs = views.staircase(toy, word).data
    assert [contents(stair.spans) for stair in stairs] == toy.steps(word)
    for stair in stairs[1:]:
        assert stair.pair == toy.merges[stair.number - 1]
        assert {span.content for span in stair.spans if span.marked} == {"".join(stair.pair)}
    assert not any(span.marked for span in stairs[0].spans)


@given(text=st.text(alphabet="lowernstid ", max_size=14))
def test_spans_lie_side_by_side_and_only_grow(text):
    tokenizer = WordBPE.train(datasets.toy_words(), 15)
    stairs = views.staircase(tokenizer, text).data
    for stair in stairs:
        assert [span.start for span in stair.spans] == [0, *(span.end for span in stair.spans[:-1])]
    assert (contents(stairs[-1].spans) if stairs else []) == tokenizer.tokenize(text)


@pytest.mark.parametrize("text", [" telegraph", "somewhere", "café 🙂", " tokenization", "a", "東京"])
def test_a_staircase_of_bytes_ends_in_the_tokens(text):
    gpt2 = load("gpt2")
    stairs = views.staircase(gpt2, text).data
    assert contents(stairs[-1].spans) == gpt2.tokens(text)
    assert len(stairs[0].spans) == len(text.encode())


def test_the_telegraph_of_the_lesson():
    stairs = views.staircase(load("gpt2"), " telegraph").data
    assert [stair.number for stair in stairs] == [0, 1, 38, 175, 318, 491, 1200, 1215, 16351]


def test_text_and_html_say_the_same(toy):
    view = views.staircase(toy, "lowest", title="A <b>title</b>")
    assert view.text.splitlines()[0] == "A <b>title</b>" and "A &lt;b&gt;title&lt;/b&gt;" in view.html
    assert view.text.splitlines()[-1] == "5 of 8 merges found their pair; 7 base symbols became 2 tokens."
    assert view.text.count("[") == view.html.count(">marked </span>") + view.html.count(">|marked </span>") == 5
    assert "est</w>" not in view.html and "est&lt;/w&gt;" in view.html


def test_nothing_and_too_much(toy):
    for nothing in ("", "  \n"):
        view = views.staircase(toy, nothing)
        assert view.text == NOTHING and view.data == []
    assert len(views.staircase(toy, "e" * (MAX_SYMBOLS - 1)).data) == 1
    with pytest.raises(ValueError, match="at most"):
        views.staircase(toy, "e" * MAX_SYMBOLS)
    with pytest.raises(ValueError, match="end-of-word marker"):
        views.staircase(toy, "low</w>")
    box = views.text_box(lambda word: views.staircase(toy, word), "lowest", label="Word")
    assert "at most" in box.at("e" * 100).text and box.at("").text == NOTHING
    live = box.live()
    live.entry.value = "nest"
    assert "est&lt;/w&gt;" in live.view.value


# Two ways


@pytest.mark.parametrize("tie_break", ["first", "greatest"])
@pytest.mark.parametrize("word", ["lowest", "newer", "wider", "slow", "x", "lowlowest", "newness"])
def test_two_ways_do_the_same_merges_in_the_same_order(word, tie_break):
    tokenizer = WordBPE.train(datasets.toy_words(), 12, tie_break=tie_break)
    data = views.two_ways(tokenizer, word).data
    found = [attempt.rank for attempt in data["replay"] if attempt.found]
    assert found == [round.chosen for round in data["rounds"][:-1]] == sorted(found)
    steps = tokenizer.steps(word)
    assert [round.tokens for round in data["rounds"]] == steps
    assert [attempt.tokens for attempt in data["replay"] if attempt.found] == steps[1:]
    for round, before in zip(data["rounds"][1:], data["rounds"]):
        old = list(zip(before.tokens, before.tokens[1:]))
        for pair, new in zip(zip(round.tokens, round.tokens[1:]), round.new):
            assert new or pair in old
    looked_at = sum(len(round.tokens) - 1 for round in data["rounds"])
    assert data["looked_at"][1] == looked_at and data["looked_at"][0] >= len(tokenizer.merges) * (len(steps[-1]) - 1)


def test_two_ways_text_and_limits(toy):
    view = views.two_ways(toy, "lowest")
    assert view.text.count("not there") == view.html.count("not there</span>") == 3
    assert "8 merges tried, 5 found, 23 pairs looked at." in view.text and "5 merges done, 21 pairs" in view.html
    with pytest.raises(ValueError, match="at most"):
        views.two_ways(WordBPE.train(datasets.word_counts("en", most_frequent=200), MAX_MERGES + 1), "low")
    with pytest.raises(ValueError, match="single words"):
        views.two_ways(toy, "low low")


# Cuts


def test_cuts_mark_what_is_not_shared():
    ways = {"one": ["ab", "c", "de"], "two": ["a", "bc", "de"]}
    view = views.cuts({"abcde": ways}, title="Two <cuts>")
    marked = {way: [span.content for span in spans if span.marked] for way, spans in view.data["abcde"].items()}
    assert marked == {"one": ["ab", "c"], "two": ["a", "bc"]}
    assert view.html.count("marked </span>") == 4 and "Two &lt;cuts&gt;" in view.html
    assert view.text.splitlines()[0] == "Two <cuts>" and "[ab]" in view.text and "[de]" not in view.text


def test_cuts_of_bytes_and_bad_input():
    view = views.cuts([(" é", {"one": [b" \xc3", b"\xa9"], "two": [b" ", b"\xc3\xa9"]})])
    assert [span.end for span in view.data[" é"]["one"]] == [2, 3] and "·<C3>" in view.text
    with pytest.raises(ValueError, match="do not join to the same"):
        views.cuts({"ab": {"one": ["a", "b"], "two": ["a", "c"]}})
    with pytest.raises(ValueError, match="do not join"):
        views.cuts({"": {"one": [], "two": []}})


# What the lesson says in prose


def test_the_heap_takes_over_where_the_lesson_says():
    assert LONG == 64


def test_exercises_agree_with_bpe_core(toy):
    replay, by_rank, keeping, decode = (find(id).reference for id in ("4.1", "4.4", "4.5", "4.7"))
    for seed in range(5):
        for word, merges in find("4.1").probes(seed):
            assert replay(word, merges) == replay_merges([*word, "</w>"], merges)[-1]
        for symbols, ranks in find("4.4").probes(seed):
            inside = MergeRanks(ranks)
            results = {rank: "".join(pair) for pair, rank in ranks.items()}
            assert by_rank(symbols, ranks) == keeping(symbols, ranks) == apply_merges(symbols, inside, results)
    for text in ("lowest newer low", "", "new", "low low low"):
        assert decode(toy.encode(text), list(toy.vocab)) == toy.decode(toy.encode(text)) == text


@given(
    counts=st.dictionaries(st.text("abc", min_size=1, max_size=8), st.integers(1, 9), min_size=1, max_size=6),
    data=st.data(),
)
def test_replay_lowest_rank_and_joined_tokens_agree_on_what_training_made(counts, data):
    tokenizer = WordBPE.train(counts, 20)
    ranks = JoinedRanks(dict(enumerate(tokenizer.symbols)), tokenizer.vocab)
    word = data.draw(st.text("".join(sorted(set("".join(counts)))), min_size=1, max_size=12))
    start = [tokenizer.vocab[symbol] for symbol in tokenizer.base_symbols(word)]
    joined = [tokenizer.symbols[i] for i in apply_merges(start, ranks, range(len(tokenizer.symbols)))]
    assert joined == tokenizer.tokenize(word) == tokenizer.steps(word)[-1]


def test_the_counting_dict_of_an_exercise_answers_what_is_needed_and_no_more():
    exercise = find("4.5")
    counting = [probe for probe in exercise.probes() if type(probe[1]) is not dict]
    assert len(counting) > 20
    stopped = 0
    for symbols, ranks in counting:
        again = type(ranks)(dict(ranks), ranks.limit)
        assert exercise.reference(symbols, again) == find("4.4").reference(symbols, dict(ranks))
        assert again.asked <= again.limit
        try:
            find("4.4").reference(symbols, type(ranks)(dict(ranks), ranks.limit))
        except Exception as error:
            stopped += type(error).__name__ == "TooManyQuestions"
    assert stopped > 10
