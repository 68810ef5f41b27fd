"""Every view as a page: hostile texts in all of them, both twins, contrast, and the data read back from the HTML."""

import inspect
import re
import unicodedata
from collections import Counter

import pytest
from drawn import ALLOWED_ATTRIBUTES, ALLOWED_TAGS, Page, pale_edges, pale_texts, unprintable

from bpe_core import ByteBPE, WordBPE, chat, count_pairs, views
from bpe_core.exchange import from_printable

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
    "byte_cut": lambda text, name: views.byte_cut(text[:60]),  # a row for each byte
    "chips": lambda text, name: views.chips(QWEN, text),
    "chips.of words": lambda text, name: views.chips(WORDS, text),
    "chips_of": lambda text, name: views.chips_of(
        [text, views.Chip(text, 7, "special"), views.Chip(text, 8, "unknown", fresh=True), (5, text.encode())]
    ),
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
        lambda t, s, w, n, b: {name: t * n, "output": s},
        {name: (16, 64, 1)},
        start=(name, 100),
        unit=name,
    ),
    "staircase": lambda text, name: views.staircase(QWEN, text, title=name),
    "text_box": lambda text, name: views.text_box(lambda typed: views.chips(QWEN, typed), text, label=name),
    "tie_rules": lambda text, name: views.tie_rules({"".join(text.split()): 3, "ab": 2}, 4),
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
    "markup": "<script>alert(\"x\")</script>&'<b/y'>",
    "directions": "pay\u202e10\u2066x\u200f",
    "controls": "a\x00\x1b[31m\x07\x7f\x85b",
    "surrogate": "a\ud83db",
    "no width": "a\u200bb\u2060c\ufeff",
    "joiners": "a\u200db\xadc",  # which the label of a language may need
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
    made.remove("save_report")  # it writes files: test_report.py
    assert len(made) > 25 and set(made) == {name.split(".")[0] for name in VIEWS}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(
    "kind, typed",
    [
        pytest.param(kind, typed, id=f"{'text' if typed else 'label'}-{kind}")
        for kind in TEXTS
        for typed in (True, False)
        if typed or kind != "joiners"
    ],
)
def test_any_text_and_any_label_in_any_view(view, kind, typed):
    try:
        made = VIEWS[view](TEXTS[kind], "name") if typed else VIEWS[view](TEXTS["plain"], TEXTS[kind])
    except ValueError as error:  # too long for this view, or no text at all
        assert typed and (kind in ("surrogate", "long") or view in ("token_rows", "two_ways")), error
        assert str(error).encode("utf-8")
        return
    page = Page(made.html)
    assert set(page.tags) <= ALLOWED_TAGS
    assert {name for element in page.elements for name in element.attributes} <= ALLOWED_ATTRIBUTES
    assert (made.html + made.text).encode("utf-8")
    assert unprintable(page.text) == [] and unprintable("".join(page.titles)) == []
    assert unprintable(repr(made)) == [] and repr(made) == made.text
    assert [data for data, _ in page.texts if unicodedata.category(data[0]).startswith("M")] == []


def test_text_given_for_a_page_is_text():
    assert Page(views.View("<script>&", "").html).text == "<script>&"


@pytest.mark.parametrize("view", VIEWS)
def test_words_and_edges_are_seen_on_light_and_dark_pages(view):
    page = Page(VIEWS[view]("low" if view in ("utf8_grid", "two_ways", "tie_rules") else "low 12", "name").html)
    assert pale_texts(page) == [] and pale_edges(page) == []


# --- The data, read back from the page -----------------------------------------------------------


def chips_on(page):
    """Return [(id, bytes)] from what the chips of a page say of themselves."""
    said = [re.search(r"id (\d+) .*bytes? ([0-9A-F ]+)", title) for title in page.titles]
    return [(int(found[1]), bytes.fromhex(found[2])) for found in said if found]


@pytest.mark.parametrize("text", ["low café", "naïve 👋 <b>", "<|im_end|>low"])
def test_chips_are_the_tokens_with_their_ids_and_bytes(text):
    page = Page(views.chips(QWEN, text, allowed_special="all").html)
    ids = QWEN.encode(text, allowed_special="all")
    assert [i for i, _ in chips_on(page)] == ids
    assert b"".join(data for _, data in chips_on(page)) == text.encode()
    assert f"{len(ids)} tokens · {len(text.encode())} bytes" in page.text


def test_rows_of_a_comparison_count_the_tokens_of_their_own_tokenizer():
    text, tokenizers = "low lower café", {"few": ByteBPE.train("low low", 258), "more": QWEN}
    page = Page(views.compare(tokenizers, text).html)
    for row, (name, tokenizer) in zip(page.rows[1:], tokenizers.items()):
        count = len(tokenizer.encode(text))
        assert (row[0], row[2], row[3], row[4]) == (name, str(count), "15", f"{15 / count:.1f}")


def test_steps_of_the_explorer_are_what_that_many_merges_give():
    explorer = views.merge_explorer(WORDS, "low lowest newest")
    head, *rows = Page(explorer.html).rows
    for row in rows:
        merges = int(row[0].split()[0])
        fewer = WordBPE(WORDS.base, WORDS.history[:merges])
        assert int(row[head.index("tokens")]) == len(fewer.tokenize("low lowest newest"))
        assert int(row[head.index("vocabulary")]) == len(fewer.vocab)
        assert re.sub(r"[| ]", "", row[1]).startswith("".join(fewer.tokenize("low"))[:3])


def test_turns_add_up_to_the_ids():
    ids = chat.encode(QWEN, TALK, "qwen2.5")
    page = Page(views.turns(ids, QWEN).html)
    assert [i for i, _ in chips_on(page)] == ids
    sums = [re.fullmatch(r"(\d+) = (\d+) \+ (\d+)", row[-1]) for row in page.rows[1:]]
    assert all(int(found[1]) == int(found[2]) + int(found[3]) for found in sums)
    assert sum(int(found[1]) for found in sums) == len(ids)


def test_pairs_are_counted_as_the_table_says():
    counts = count_pairs({(*word, "</w>"): n for word, n in Counter("low low lower".split()).items()})
    rows = Page(views.pair_counter("low low lower").html).rows
    assert {tuple(row[0].split()): int(row[-1].split()[0]) for row in rows} == dict(counts.most_common(8))
    notes = {tuple(row[0].split()): row[-1].partition(" ")[2] for row in rows}
    assert notes == {pair: "merged next" if pair == ("l", "o") else "tied" * (n == 3) for pair, n in counts.items()}


def test_bars_of_pairs_are_as_long_as_their_counts():
    page = Page(views.pair_counter("aab aab ab b").html)
    counts = count_pairs({(*word, "</w>"): n for word, n in Counter("aab aab ab b".split()).items()})
    widths = [float(e.own["width"].rstrip("px")) for e in page.elements if "height" in e.own and "width" in e.own]
    assert widths == [
        pytest.approx(widths[0] * n / counts.most_common(1)[0][1], abs=1) for _, n in counts.most_common(8)
    ]


def test_bytes_under_characters_are_those_of_utf_8():
    page = Page(views.utf8_grid({"Latin": "e", "emoji": "👋"}).html)
    for row, character in zip(page.rows, "e👋"):
        assert row[1] == character and row[2] == f"U+{ord(character):04X}"
        assert re.sub(r"[^01]", "", page_bits(row[3])) == "".join(f"{byte:08b}" for byte in character.encode())


def page_bits(cell):
    """Each byte stands as two hexadecimal digits and eight bits."""
    return "".join(re.findall(r"[0-9A-F]{2}\W*([01]{8})", cell.replace(" ", "").replace("+", "")))


def test_a_letter_of_the_alphabet_stands_for_its_byte():
    rows = Page(views.byte_alphabet(QWEN.byte_ids).html).rows[1:17]
    assert from_printable("".join(cell[0] for row in rows for cell in row[1:])) == bytes(range(256))


def test_tokens_under_letters_span_their_bytes():
    page = Page(views.token_rows({"mine": QWEN}, "low café").html)
    spans = [int(e.attributes.get("colspan", 1)) for e in page.elements if "id " in e.attributes.get("title", "")]
    assert spans == [len(token) for token in QWEN.tokens("low café")]


def test_what_other_languages_pay_grows_in_all_columns_alike():
    """Tokens, price and share of the context are one number times three constants."""
    shown = views.cost_calculator("Good morning.", others=("hy", "es"), model="GPT-4 (8K)", requests=1_000_000)
    for rows in (Page(shown.html).rows[1:], [re.split(r" {2,}", line) for line in shown.text.splitlines()[4:7]]):
        numbers = [[float(re.search(r"[\d,.]+", cell)[0].replace(",", "")) for cell in row[-3:]] for row in rows]
        own, *others = numbers
        for tokens, price, share in others:
            assert price / own[1] == pytest.approx(tokens / own[0], rel=0.03)
            assert share / own[2] == pytest.approx(tokens / own[0], rel=0.03)
        assert own[2] / 100 * 8192 == pytest.approx(own[0], rel=0.02)


# --- What moves ----------------------------------------------------------------------------------


def widgets_in(box):
    return [box, *(inner for child in getattr(box, "children", ()) for inner in widgets_in(child))]


def linked(box):
    """Return the widgets of a box, and the pairs {(widget, trait)} that the browser keeps equal."""
    from ipywidgets.widgets.widget import _instances

    links = [{w.source, w.target} for w in _instances.values() if type(w).__name__ == "Link"]
    return widgets_in(box), links


def test_the_play_button_and_the_field_move_the_slider():
    inside, links = linked(views.merge_explorer(WORDS, "low lowest").live())
    button, play, field, slider = inside[2:6]
    assert [type(one).__name__ for one in (button, play, field, slider)] == [
        "ToggleButton",
        "Play",
        "BoundedIntText",
        "IntSlider",
    ]
    assert {(button, "value"), (play, "playing")} in links
    for widget in (play, field):
        assert {(widget, "value"), (slider, "value")} in links
        assert (widget.min, widget.max) == (slider.min, slider.max) == (0, len(WORDS.merges))
    button.value = True
    assert button.description == "Pause"
    button.value = False
    assert button.description == "Play"


def test_a_menu_moves_each_slider_of_values():
    inside, links = linked(VIEWS["size_explorer"]("", "name").live())
    sliders = [widget for widget in inside if type(widget).__name__ == "SelectionSlider"]
    menus = {widget.description: widget for widget in inside if type(widget).__name__ == "Dropdown"}
    assert [slider.readout for slider in sliders] == [False] * 3 and list(menus) == ["Model", "Width", "Body", "Text"]
    for slider, name in zip(sliders, ("Width", "Body", "Text")):
        assert {(menus[name], "index"), (slider, "index")} in links and menus[name].options == slider.options
