"""Every view as a page: hostile texts in all of them, both twins, contrast, and the data read back from the HTML."""

import inspect
import re
import unicodedata
from collections import Counter

import pytest
from drawn import ALLOWED_ATTRIBUTES, ALLOWED_TAGS, Page, pale_edges, pale_texts, unprintable

from bpe_core import ByteBPE, WordBPE, chat, count_pairs, load, views

TOY = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
WORDS = WordBPE.train(TOY, 30)
TALK = [{"role": "user", "content": "Is water wet?"}, {"role": "assistant", "content": "Yes."}]
QWEN = ByteBPE.train(
    "low lower newest widest — naïve café; 12 345! user assistant system\n" * 4,
    340,
    pattern="cl100k",
    special_tokens=["<|im_start|>", "<|im_end|>", "<|endoftext|>"],
)


def cost(tokens, size, width, layers):
    return {"body": tokens * layers * width**2, "output": tokens * size * width}


def small(text):
    """A tokenizer that has merged the text itself, so that it stands in its merges."""
    return WordBPE.train({word: 2 for word in text.split()[:9]} or {"x": 1}, 9, end_of_word=None)


def user(text):
    return [{"role": "user", "content": text}]


VIEWS = {
    "byte_alphabet": lambda text, name: views.byte_alphabet([name] * 256),
    "byte_cut": lambda text, name: views.byte_cut(text),
    "chips": lambda text, name: views.chips(QWEN, text),
    "chips_of": lambda text, name: views.chips_of([text, views.Chip(text, 7, "special"), (5, text.encode())]),
    "compare": lambda text, name: views.compare({name: QWEN, "words": WORDS}, text, title=name),
    "conversations": lambda text, name: views.conversations({name: (chat.encode(QWEN, user(text), "qwen2.5"), QWEN)}),
    "cost_calculator": lambda text, name: views.cost_calculator(text, others=("hy",)),
    "cuts": lambda text, name: views.cuts({text: {name: [text], "two": list(text)}}, title=name),
    "digit_cuts": lambda text, name: views.digit_cuts({name: QWEN}, [1001], title=name),
    "healing": lambda text, name: views.healing(QWEN, text),
    "indentation": lambda text, name: views.indentation({name: QWEN}, text, title=name),
    "injection": lambda text, name: views.injection(QWEN, user(text), "qwen2.5"),
    "injection_box": lambda text, name: views.injection_box(QWEN, text),
    "merge_explorer": lambda text, name: views.merge_explorer(QWEN, text),
    "merge_explorer.at": lambda text, name: views.merge_explorer(small(text), text).at(len(small(text).merges)),
    "merge_tree": lambda text, name: views.merge_tree(small(text), max(small(text).vocab, key=len)),
    "pair_counter": lambda text, name: views.pair_counter(text),
    "pattern_alternatives": lambda text, name: views.pattern_alternatives("gpt2"),
    "pattern_box": lambda text, name: views.pattern_box(text),
    "pattern_comparison": lambda text, name: views.pattern_comparison(),
    "pattern_rows": lambda text, name: views.pattern_rows(text, {name: "gpt2", "mine": "[a-z]+"}, title=name),
    "rows": lambda text, name: views.rows([(name, [text])], title=name),
    "side_by_side": lambda text, name: views.side_by_side({name: {name: name}, "b": {"number": 1.5}}),
    "size_explorer": lambda text, name: views.size_explorer(
        {256: 100, 1024: 50},
        100,
        lambda t, s, w, n: {name: t * n, "output": s},
        {name: (16, 64)},
        start=(name, 100),
        unit=name,
    ),
    "staircase": lambda text, name: views.staircase(QWEN, text, title=name),
    "text_box": lambda text, name: views.text_box(lambda typed: views.chips(QWEN, typed), text, label=name),
    "tie_rules": lambda text, name: views.tie_rules({text: 3, "ab": 2}, 4),
    "token_rows": lambda text, name: views.token_rows({name: QWEN}, text, mark=text[:1], shared=True, title=name),
    "turns": lambda text, name: views.turns(
        QWEN.encode(f"<|im_start|>{text}\n{text}<|im_end|>", allowed_special="all"), QWEN, title=name
    ),
    "two_ways": lambda text, name: views.two_ways(small(text), text),
    "utf8_bytes": lambda text, name: views.utf8_bytes(text),
    "utf8_grid": lambda text, name: views.utf8_grid({name: text[:1]}),
    "who_took": lambda text, name: views.who_took(text, "gpt2"),
    "words_or_parts": lambda text, name: views.words_or_parts(
        text, str.split, {"low": 1, text: 3}, QWEN_TO_256, sizes=[256, 260]
    ),
}
QWEN_TO_256 = ByteBPE.train("low lower lowest", 260)
TEXTS = {
    "plain": "low",
    "markup": "<script>alert(\"x\")</script>&'<b/title='y'>",
    "directions": "pay\u202e10\u2066x\u200f",
    "controls": "a\x00\x1b[31m\x07\x7f\x85b",
    "surrogate": "a\ud83db",
    "combining": "\u0301e\u0338x",
    "right to left": "سلام",
    "long": "lowest" * 100,
}


def test_every_view_is_in_the_table():
    made = [
        name
        for name in views.__all__
        if inspect.isfunction(function := getattr(views, name))
        and inspect.isclass(kind := inspect.signature(function).return_annotation)
        and issubclass(kind, views.View)
    ]
    assert len(made) > 25 and set(made) == {name.split(".")[0] for name in VIEWS}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("kind", TEXTS)
def test_any_text_in_any_view(view, kind):
    text = TEXTS[kind]
    try:
        made = VIEWS[view](text, text if kind == "markup" else "name")
    except ValueError as error:  # too long for this view, or no text at all
        assert kind in ("surrogate", "long") or view in ("token_rows", "two_ways"), error
        assert str(error).encode("utf-8")
        return
    page = Page(made.html)
    assert set(page.tags) <= ALLOWED_TAGS
    assert {name for element in page.elements for name in element.attributes} <= ALLOWED_ATTRIBUTES
    assert (made.html + made.text).encode("utf-8")
    assert unprintable(page.text) == [] and unprintable("".join(page.titles)) == []
    assert unprintable(repr(made)) == [] and repr(made) == made.text
    assert [data for data, _ in page.texts if unicodedata.category(data[0]).startswith("M")] == []


@pytest.mark.parametrize("view", VIEWS)
def test_words_and_edges_are_seen_on_light_and_dark_pages(view):
    page = Page(VIEWS[view]("low" if view in ("utf8_grid", "two_ways", "tie_rules") else "low 12", "name").html)
    assert pale_texts(page) == [] and pale_edges(page) == []
