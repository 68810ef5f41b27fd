"""Notebook 01: what its pictures draw and say, that typed text stays text, and a number of its prose."""

import re
from collections import Counter

import pytest
import regex

from bpe_core import ByteBPE, datasets, views

CUT = re.compile(r"\w+|[^\w\s]").findall
TRAINING = "low low low lower newest newest, low lower café"
WORDS = Counter(CUT(TRAINING))


@pytest.fixture(scope="module")
def tokenizer():
    return ByteBPE.train(TRAINING, 262, pattern="gpt2")


@pytest.fixture(scope="module")
def still(tokenizer):
    return views.words_or_parts("low lowest", CUT, WORDS, tokenizer, sizes=[256, 258, 262])


# --- Words or sub-words ------------------------------------------------------------------------


def test_still_view_holds_all_sizes(still):
    assert [row[:2] for row in still.data] == [(n, kind) for n in (256, 258, 262) for kind in ("words", "sub-words")]
    assert [row[2:] for row in still.data if row[1] == "words"] == [(2, 1)] * 3
    parts = [tokens for _, kind, tokens, _ in still.data if kind == "sub-words"]
    assert parts[0] == len(b"low lowest") and parts == sorted(parts, reverse=True)
    assert "A vocabulary of 262 entries" in still.text and "unknown 1" in still.text


def test_sub_words_are_those_of_a_tokenizer_trained_to_that_size(still):
    for size in (256, 258, 262):
        trained = ByteBPE.train(TRAINING, size, pattern="gpt2")
        assert still.at(size).data[1][2] == len(trained.tokens("low lowest"))
        assert still._parts("low lowest", size) == trained.tokens("low lowest")


def test_a_vocabulary_of_n_words_holds_the_n_most_frequent():
    many = " ".join(f"w{i} " * (400 - i) for i in range(400))
    counts = Counter(many.split())
    box = views.words_or_parts("w0 w255 w256 w399", str.split, counts, ByteBPE.train(many, 300, pattern="gpt2"))
    assert [box.at(size).data[0][3] for size in (256, 257, 300)] == [2, 1, 1]


def test_default_sizes_end_with_the_tokenizers_own(tokenizer):
    box = views.words_or_parts("low", CUT, WORDS, tokenizer)
    assert box.sizes == [256, 262]


@pytest.mark.parametrize("size", [0, 255, 263])
def test_a_size_that_the_tokenizer_does_not_have(tokenizer, size):
    with pytest.raises(ValueError, match=f"sizes holds {size}; it must be from 256"):
        views.words_or_parts("low", CUT, WORDS, tokenizer, sizes=[256, size])


def test_no_text_and_half_a_character(still):
    assert still.at(262, "").data == [(262, "words", 0, 0), (262, "sub-words", 0, 0)]
    assert "lone surrogate" in still.at(262, "a\ud83d").text


def test_live_follows_slider_and_text(still):
    box = still.live()
    first = box.view.value
    box.slider.value = 262
    assert "262 entries" in box.view.value and box.view.value != first
    box.entry.value = "zebra"
    assert "zebra" in box.view.value
    bundle = box._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert "Run this cell" in data["text/html"] and "256 entries" in data["text/html"]
    assert data["text/plain"].startswith("Run this cell")


# --- The trade-off -------------------------------------------------------------------------------

CUTS = {"bytes": (256, 100, 0.0), "words": (300, 20, 0.25), "$<x>": (1000, 25, 0)}


def test_trade_off_says_its_finding():
    picture = views.trade_off(CUTS, [(256, 100), (300, 40)])
    assert "words: 300 entries, 20 tokens, 25.0% unknown" in picture.caption
    assert "from 100 tokens at 256 entries to 40 at 300" in picture.caption
    title = views.trade_off({"bytes": (256, 100, 0)}, [(256, 100)]).figure.get_suptitle()
    assert title.startswith("Nothing is unknown")


def test_names_stand_inside_the_picture():
    picture = views.trade_off(CUTS, [(256, 100), (300, 40)], aside={"bytes": "above", "words": "below", "$<x>": "left"})
    figure = picture.figure
    figure.draw_without_rendering()
    for text in figure.axes[0].texts:
        box = text.get_window_extent()
        assert box.x0 >= 0 and box.x1 <= figure.bbox.width and box.y1 <= figure.bbox.height


# --- A number of the prose ---------------------------------------------------------------------


def test_the_news_is_the_hardest_of_the_seven_texts():
    texts = {genre: datasets.prose(genre) for genre in datasets.genres()}
    cut = regex.compile(r"[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}\s]").findall
    missed, longer = {}, {}
    for held_out, text in texts.items():
        training = "\n\n".join(texts[genre] for genre in texts if genre != held_out)
        known, words = set(cut(training)), cut(text)
        missed[held_out] = sum(word not in known for word in words) / len(words)
        parts = ByteBPE.train(training, len(known), pattern="gpt2")
        longer[held_out] = len(parts.encode(text)) / len(words)
    assert len(texts) == 7 and max(missed, key=missed.get) == max(longer, key=longer.get) == "news"
    assert [f"{share:.1%}" for share in (min(missed.values()), max(missed.values()))] == ["12.8%", "23.3%"]
    assert [f"{times:.2f}" for times in (min(longer.values()), max(longer.values()))] == ["1.34", "1.58"]
