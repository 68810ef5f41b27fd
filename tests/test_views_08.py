"""The views of notebook 08: premiums, the two factors, training mixes, the calculator."""

import math
import random
import re

import numpy as np
import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import costs, load, names, views
from bpe_core.views import calculator, look, premiums

MEASURED = {
    "old": {"Spanish": (2.0, 1.8, 2.2), "Tamil": (8.0, 7.5, 8.6)},
    "new": {"Spanish": (1.5, 1.4, 1.6), "Tamil": (1.2, 1.1, 1.3)},
}
SCRIPTS = {"Spanish": "Latin", "Tamil": "Tamil"}


def test_bars_are_sorted_by_the_named_tokenizer():
    picture = views.premium_bars(MEASURED, SCRIPTS, title="T", order_by="old")
    assert picture.data["order"] == ["Tamil", "Spanish"]
    assert picture.data["bars"]["new"] == [(1.2, 1.1, 1.3), (1.5, 1.4, 1.6)]
    assert views.premium_bars(MEASURED, SCRIPTS, title="T").data["order"] == ["Spanish", "Tamil"]
    assert "old: from Spanish 2.0 to Tamil 8.0" in picture.caption


def test_one_tokenizer_alone():
    assert views.premium_bars({"old": MEASURED["old"]}, SCRIPTS, title="T").png[:4] == b"\x89PNG"


def test_slopes_are_grouped_by_script_and_name_every_language():
    values = {"Spanish": [2.0, 1.5], "Tamil": [8.0, 1.2], "Finnish": [3.0, 2.0], "Cherokee": [9.0, 9.0]}
    scripts = {**SCRIPTS, "Finnish": "Latin", "Cherokee": "Cherokee"}
    picture = views.premium_slopes(values, scripts, ["old\n2019", "new\n2024"], title="T")
    assert list(picture.data) == ["Latin", "Scripts of India", "Cherokee"]
    assert picture.data["Latin"] == {
        "Finnish": [("old 2019", 3.0), ("new 2024", 2.0)],
        "Spanish": [("old 2019", 2.0), ("new 2024", 1.5)],
    }
    assert "Ranges in old 2019, new 2024: Latin 2.0 to 3.0, 1.5 to 2.0; " in picture.caption
    looks = [premiums._line_look(place) for place in range(14)]
    assert len({tuple(look.values()) for look in looks}) == 14
    with pytest.raises(ValueError):
        views.premium_slopes({"Spanish": [1.0]}, SCRIPTS, ["a", "b"], title="T")


def test_every_script_of_the_own_sentences_has_a_group():
    groups = {views.script_group(language.script) for language in names.languages().values()}
    assert groups == set(premiums.SCRIPT_GROUPS)


def test_two_factors_multiply_to_the_premium():
    sentences = names.parallel_sentences()
    factors = {
        names.language(code).name: (
            costs.byte_tax(sentences[code], sentences["en"]),
            {name: costs.vocabulary_factor(name, sentences[code], sentences["en"]) for name in ("gpt2", "gpt-4o")},
        )
        for code in ("hy", "ta", "zh")
    }
    picture = views.two_factors(factors, title="T")
    for code in ("hy", "ta", "zh"):
        for name, (tax, factor, premium) in picture.data[names.language(code).name].items():
            assert math.isclose(premium, costs.premium(name, sentences[code], sentences["en"]))
            assert math.isclose(premium, tax * factor)


def test_mix_says_who_is_inside():
    picture = views.mix_premiums(
        ["1", "3", "6"],
        {"Spanish": [2.0, 1.1, 1.2], "Georgian": [9.0, 8.0, 7.0]},
        {"Spanish": 1, "Georgian": None},
        [14.0, 16.0, 18.0],
        title="T",
    )
    assert picture.data["premiums"]["Spanish"] == [("1", 2.0, False), ("3", 1.1, True), ("6", 1.2, True)]
    assert not any(inside for _, _, inside in picture.data["premiums"]["Georgian"])
    assert picture.data["reference"] == [("1", 14.0), ("3", 16.0), ("6", 18.0)]
    assert "English itself pays 14.0 tokens per sentence at first and 18.0 at last" in picture.caption
    with pytest.raises(ValueError):
        views.mix_premiums(["1"], {"Spanish": [1.0, 2.0]}, {"Spanish": 0}, [1.0], title="T")


# --- The calculator ----------------------------------------------------------------------------


def test_calculator_counts_and_estimates():
    shown = views.cost_calculator("Good morning.", others=("hy", "en", "es"), model="GPT-4 (8K)", requests=1_000)
    (own, tokens, low, high, bill, share), armenian, spanish = shown.data
    assert (own, tokens, low, high) == ("English", 3, 3, 3)
    assert math.isclose(bill, 3 * 1_000 * 30 / 1e6) and math.isclose(share, 3 / 8192)
    sentences = names.parallel_sentences()
    premium = costs.premium("gpt-4", sentences["hy"], sentences["en"])
    assert armenian[0] == "Armenian" and math.isclose(armenian[1], 3 * premium)
    assert armenian[2] < armenian[1] < armenian[3]
    assert math.isclose(armenian[4], 3 * premium * 1_000 * 30 / 1e6)
    assert spanish[0] == "Spanish"
    for text in (shown.text, shown.html):
        assert "GPT-4 (8K): $30.00" in text and "2023-03-14" in text and "estimated" in text


def test_calculator_takes_another_language_as_its_own():
    shown = views.cost_calculator("Բարև", language="hy", others=("en",), model="GPT-4 (8K)")
    assert shown.data[0][:2] == ("Armenian", 8) and shown.data[1][0] == "English" and shown.data[1][1] < 2


def test_calculator_bills_what_is_cached_and_the_answer():
    text = "Good morning."
    offer = calculator.offers()["GPT-4o"]
    plain, (whole, armenian) = (
        views.cost_calculator(text, others=others, cached=cached, answer=answer, requests=1_000_000).data
        for others, cached, answer in (((), 0.0, 0), (("hy",), 0.5, 10))
    )
    assert math.isclose(plain[0][4], 3 * offer.price)
    assert math.isclose(whole[4], 1.5 * offer.price + 1.5 * offer.cached + 10 * offer.output)
    assert math.isclose(whole[5], 13 / offer.context)
    ratio = armenian[1] / whole[1]
    assert math.isclose(armenian[4], whole[4] * ratio) and math.isclose(armenian[5], whole[5] * ratio)
    own = views.cost_calculator(text, others=(), cached=0.5, answer=10, price=1.0, requests=1_000_000)
    assert math.isclose(own.data[0][4], 3 * 1.0 + 10 * offer.output), "a price of one's own is for all that is sent"
    assert "50% of it cached, at $1.00; an answer of 10 tokens, at $10.00" in own.text


def test_range_is_for_one_text_and_holds_nine_of_ten_that_it_has_not_seen():
    """As the lesson says: made from half of the sentences, tried on texts of the other half."""
    sentences = names.parallel_sentences()
    rng, inside, tried = random.Random(5), 0, 0
    for tokenizer in ("gpt-4", "gpt-4o"):
        english = costs.token_counts(tokenizer, sentences["en"])
        for code in list(sentences)[1:]:
            pairs = list(zip(costs.token_counts(tokenizer, sentences[code]), english))
            for length in (1, 2, 4, 8):
                rng.shuffle(pairs)
                drawn = max(1, round(1 / (1 / length + 1 / 16)))
                ratios = sorted(ratio_of(rng.choices(pairs[:16], k=drawn)) for _ in range(200))
                held = [ratios[5] <= ratio_of(rng.choices(pairs[16:], k=length)) <= ratios[-6] for _ in range(20)]
                inside, tried = inside + sum(held), tried + len(held)
    assert 0.87 < inside / tried < 0.93
    widths = []
    for sentence in (1, 2, 8, 32, math.inf):
        factor, low, high = costs.language_factor("gpt-4", "hy", "en", sentence * 390 / 32)
        assert low < factor < high
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True) and widths[-1] < widths[0] / 4
    assert costs.language_factor("gpt-4", "hy", "en")[1:] == costs.bootstrap_interval(
        "gpt-4", sentences["hy"], sentences["en"], resamples=1000
    )


def ratio_of(pairs):
    return sum(n for n, _ in pairs) / sum(m for _, m in pairs)


def test_numbers_that_the_lesson_tells_without_a_cell():
    found = {
        (script, name): sum(
            bool(regex.search(rf"\p{{{script}}}", token.decode("utf-8", "ignore")))
            for token in load(name).vocab.values()
        )
        for script in ("Armenian", "Ethiopic")
        for name in ("gpt2", "cl100k_base", "qwen2.5", "o200k_base")
    }
    assert list(found.values()) == [0, 0, found["Armenian", "qwen2.5"], 1753, 0, 0, 118, 0]
    sentences = names.parallel_sentences()
    characters = {code: sum(map(len, texts)) for code, texts in sentences.items()}
    assert round(characters["zh"] / characters["en"], 2) == 0.30
    order = "en es ru ar hi zh de ja ko ta he vi fr pt it uk el fa bn tr fi id_ID pl".split()
    mixed = costs.train_on_word_counts(costs.mix_word_counts(order, words_per_language=5_000), 7_000)
    alone = costs.train_on_word_counts(costs.mix_word_counts(["en"], words_per_language=5_000), 7_000)
    paid = {code: costs.premium(mixed, sentences[code], sentences["en"]) for code in order[1:]}
    assert max(paid, key=paid.get) == "el" and round(paid["el"], 2) == 1.53 and round(min(paid.values()), 2) == 0.96
    assert round(sum(paid.values()) / 22, 2) == 1.16
    assert [costs.count_tokens(tokenizer, sentences["en"]) for tokenizer in (alone, mixed)] == [457, 715]


def test_slopes_leave_faint_lines_unnamed():
    values = {"Spanish": [2.0, 1.5], "Finnish": [3.0, 2.0]}
    scripts = {"Spanish": "Latin", "Finnish": "Latin"}
    picture = views.premium_slopes(values, scripts, ["old", "new"], title="T", faint=["Finnish"])
    axis = picture.figure.axes[0]
    assert [text.get_text() for text in axis.texts if text.get_text()] == ["Spanish 1.5"]
    colors = {tuple(line.get_ydata()): line.get_color() for line in axis.lines}
    assert colors[3.0, 2.0] == look.PALE != colors[2.0, 1.5] and "Finnish" in picture.data["Latin"]


def test_calculator_with_a_price_of_ones_own():
    shown = views.cost_calculator("Good morning.", price=0.0)
    assert all(row[4] == 0 for row in shown.data) and "your price" in shown.text


@pytest.mark.parametrize(
    "changes, words",
    [
        ({"text": ""}, "Type a text."),
        ({"text": " \n\t"}, "Type a text."),
        ({"text": "x\ud83d"}, "lone surrogate"),
        ({"text": 5}, "must be a str"),
        ({"text": "a" * 20_001}, "20,000 at most"),
        ({"price": -1}, "0 or more"),
        ({"price": math.nan}, "nan"),
        ({"price": math.inf}, "inf"),
        ({"price": "2"}, "number"),
        ({"price": True}, "number"),
        ({"cached": 1.5}, "1 at most"),
        ({"cached": -0.1}, "0 or more"),
        ({"cached": "half"}, "number"),
        ({"answer": -1}, "0 or more"),
        ({"answer": 0.5}, "whole number"),
        ({"requests": -1}, "0 or more"),
        ({"requests": 1.5}, "whole number"),
        ({"language": "xx"}, "'xx'"),
        ({"language": ["en"]}, "list"),
        ({"others": ("xx",)}, "'xx'"),
        ({"others": None}, "None"),
        ({"model": "GPT-9"}, "GPT-9"),
        ({"nonsense": 1}, "nonsense"),
    ],
)
def test_calculator_says_what_is_wrong_and_never_raises(changes, words):
    view = views.cost_calculator("Good morning.").at(**changes)
    assert words in view.text and "<b>!</b>" in view.html


def test_live_calculator_follows_every_widget():
    box = views.cost_calculator("Good morning.", others=("es",)).live()
    assert "GPT-4o: $2.50" in box.view.value
    box.entry["model"].value = "GPT-4 (8K)"
    assert box.entry["price"].value == 30.0 and "2023-03-14" in box.view.value
    box.entry["price"].value = 3.0
    assert "your price" in box.view.value
    box.entry["price"].value = -3.0
    assert "0 or more" in box.view.value
    box.entry["price"].value = 1.0
    box.entry["text"].value = ""
    assert "Type a text." in box.view.value
    box.entry["text"].value = "Good morning."
    box.entry["others"].value = ("my", "zh")
    assert "Burmese" in box.view.value and "Spanish" not in box.view.value
    box.entry["language"].value = "fi"
    assert "Finnish" in box.view.value
    box.entry["requests"].value = 7
    assert "sent 7 times" in box.view.value
    assert calculator.VIEW_CLASS in box.view._dom_classes


def test_live_calculator_has_something_to_show_on_a_static_page():
    bundle = views.cost_calculator("Good morning.").live()._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert calculator.RUN_ME in data["text/plain"] and "counted" in data["text/html"]


def test_every_offer_has_a_known_tokenizer_and_a_date():
    for offer in calculator.offers().values():
        assert offer.tokenizer in calculator.TOKENIZERS.values()
        assert offer.price >= 0 and offer.context > 0 and offer.date


PRICES_OF_MY_OWN = "model;tokenizer;input_per_million;output_per_million;context;date\nmine;gpt2;0,075;0,3;1000;2026\n"


def test_calculator_takes_prices_of_ones_own(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text(PRICES_OF_MY_OWN, encoding="utf-8-sig")
    rows = [dict(zip(PRICES_OF_MY_OWN.splitlines()[0].split(";"), ("mine", "GPT-2 small", 0.075, 0.3, 1000, "2026")))]
    for prices in (path, str(path), rows, iter(rows)):
        shown = views.cost_calculator("Good morning.", model="mine", prices=prices)
        assert "mine: $0.075 for a million tokens (2026), a context of 1,000" in shown.text
        assert shown.live().entry["model"].options == ("mine",)
    del rows[0]["context"]
    shown = views.cost_calculator("Good morning.", prices=rows)
    assert "prices, row 1: the column context is missing" in shown.text
    path.write_text(PRICES_OF_MY_OWN.replace("0,075", "cheap"), encoding="utf-8")
    shown = views.cost_calculator("Good morning.", prices=path)
    assert "own.csv, line 2, column input_per_million: 'cheap' is no number" in shown.text


def test_no_cost_is_shown_as_nothing():
    shown = views.cost_calculator("Good morning.", others=["hy", "my"], requests=1)
    assert "$0.0000075" in shown.text and "$0.00 " not in shown.text and " 0.00%" not in shown.text
    assert "sent 1 time\n" in shown.text
    assert "1 character · 1 byte ·" in views.cost_calculator("x").text


@pytest.mark.parametrize("price", [0.075, 0.0375, 0.125, 1.125, 0.0000012, 2.5, 1234.5, 30, 0, np.float32(0.5)])
def test_a_price_is_shown_as_it_is(price):
    written = re.search(r"\$([\d,.]+) for a million", views.cost_calculator("x", others=(), price=price).text)[1]
    assert float(written.replace(",", "")) == float(price) and len(written.partition(".")[2]) >= 2


@given(st.floats(1e-12, 1e9))
def test_money_and_percent_keep_two_digits(amount):
    written = float(views.money(amount)[1:].replace(",", ""))
    assert math.isclose(written, amount, rel_tol=0.06) and (amount < 1 or abs(written - amount) < 0.0051)
    assert math.isclose(float(views.percent(amount)[:-1]), amount * 100, rel_tol=0.06)
