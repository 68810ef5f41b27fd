"""Every picture of the course, read from its artists: the data is drawn, and the title says what is drawn.

The data here are given by hand or made by the tokenizer, never taken from the picture's own ``.data``.
"""

import inspect
import math
import re

import pytest
from drawn import contrast, drawn, pale_marks
from matplotlib.colors import to_hex

from bpe_core import ByteBPE, WordBPE, count_pairs, load, views
from bpe_core.alternatives import Unigram
from bpe_core.views import OKABE_ITO

TOY = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
PAIRS = count_pairs({(*word, "</w>"): n for word, n in TOY.items()})
PICTURES = [
    name
    for name in views.__all__
    if inspect.isfunction(getattr(views, name))
    and inspect.signature(getattr(views, name)).return_annotation in (views.Picture, "Picture")
]


def test_every_picture_function_has_a_drawing_test():
    assert len(PICTURES) >= 14
    assert [name for name in PICTURES if f"test_{name}" not in globals()] == []


def hue(name):
    return to_hex(OKABE_ITO[name]).upper()


def numbers(text):
    return [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


def near(found, expected):
    """Compare lists of points."""
    return len(found) == len(expected) and all(
        math.isclose(a, b, abs_tol=1e-9) for one, other in zip(found, expected) for a, b in zip(one, other)
    )


def downward(panel, rows):
    """Say whether the ticks of the y axis name these rows from top to bottom."""
    named = sorted(panel.yticks, key=panel.yticks.get, reverse=panel.ylim[0] < panel.ylim[1])
    return named == rows


def test_pale_marks_are_found():
    """``drawn`` refuses a picture that has one: so every picture of this file is looked at."""
    with views.picture.canvas(panels=3) as (figure, (one, two, three)):
        one.plot([1, 2], [1, 2], color=OKABE_ITO["yellow"])
        one.plot([1, 2], [2, 1], "o", color=OKABE_ITO["sky"])
        one.plot([1, 2], [2, 1], "o", color=OKABE_ITO["blue"], markerfacecolor="#FFFFFF")  # hollow, and seen
        two.barh([1, 2], [3, 4], color=OKABE_ITO["sky"], edgecolor="#000000", linewidth=0.5)  # seen by its edge
        two.barh([3], [3], color=OKABE_ITO["orange"])
        two.plot([1, 2], [3, 4], color="#000000", alpha=0.2)
        two.axvspan(0, 1, facecolor="#E0F1FC")
        two.fill_between([1, 2], [0, 0], [3, 4], color="#E0F1FC")
        three.imshow([[(0.0, 0.0, 0.0), (0.9, 0.9, 0.9), (1.0, 1.0, 1.0)]])
    found = [what for what, *_ in pale_marks(figure)]
    assert found == ["line", "point", "line", "bar", "bar", "area", "map"]
    with pytest.raises(AssertionError, match="hardly seen"):
        drawn(views.Picture(figure, None, "x"))


# --- The pictures of the first lessons -----------------------------------------------------------


def test_pair_matrix():
    picture = views.pair_matrix(PAIRS)
    figure = drawn(picture)
    panel = figure.panel
    assert (panel.xlabel, panel.ylabel) == ("right symbol", "left symbol")
    assert set(panel.yticks) == {left for left, _ in PAIRS} and set(panel.xticks) == {right for _, right in PAIRS}
    shades = {}
    for left, y in panel.yticks.items():
        for right, x in panel.xticks.items():
            count = PAIRS.get((left, right), 0)
            (image,) = panel.images
            assert image.value(x, y) == count, (left, right)
            shades.setdefault(count, image.color(x, y))
            written = [words for words in panel.texts if (words.x, words.y) == (x, y)]
            assert [words.text for words in written] == [f"{count}"] * bool(count)
            assert all(contrast(words.color, image.color(x, y)) >= 4.5 for words in written)
    brightness = [contrast(shades[count], "#000000") for count in sorted(shades)]
    assert brightness == sorted(set(brightness), reverse=True) and shades[0] == "#FFFFFF", "the darker, the more often"
    most = max(PAIRS.values())
    assert numbers(figure.title) == [round(100 * most / sum(PAIRS.values()), 1)]
    assert all("".join(pair) in figure.title for pair, count in PAIRS.items() if count == most)


def test_pair_matrix_of_many_symbols_names_the_frequent_pairs_where_they_stand():
    words = {
        w: n + 1 for n, w in enumerate("the quick brown fox jumps over a lazy dog and zebras vex my quality".split())
    }
    counts = count_pairs({tuple(word): n for word, n in words.items()})
    panel = drawn(views.pair_matrix(counts, top=5)).panel
    named = {(left, right) for left, right in counts if panel.named(left + right)}
    assert len(panel.texts) == 5
    for left, right in named:
        (words,) = panel.named(left + right)
        assert (words.x, words.y) == (panel.xticks[right], panel.yticks[left])
        assert panel.images[0].value(words.x, words.y) == counts[left, right]
    least = min(counts[pair] for pair in named)
    assert all(count <= least for pair, count in counts.items() if pair not in named)


@pytest.mark.parametrize("share", [n / 20 for n in range(1, 21)])
def test_counts_in_a_matrix_can_be_read_on_every_shade(share):
    panel = drawn(views.pair_matrix({("a", "b"): 1000, ("b", "a"): round(1000 * share)})).panel
    for words in panel.texts:
        assert contrast(words.color, panel.images[0].color(words.x, words.y)) >= 4.5


def test_two_matrices_stand_side_by_side():
    figure = drawn(views.pair_matrix([("one", {("a", "b"): 3}), ("two", {("b", "a"): 1, ("a", "b"): 3})]))
    assert [panel.title for panel in figure.panels] == ["one", "two"]
    one, two = figure.panels
    assert one.images[0].value(one.xticks["b"], one.yticks["a"]) == 3
    assert two.images[0].value(two.xticks["a"], two.yticks["b"]) == 1
    assert "one: ab" in figure.title and "100.0%" in figure.title and "75.0%" in figure.title


def test_shades_follow_the_square_root_on_a_scale_of_each_matrix():
    picture = views.pair_matrix([("one", {("a", "b"): 4, ("b", "a"): 1}), ("two", {("a", "b"): 100, ("b", "a"): 25})])
    assert "by the square root of the count, each matrix on its own scale" in picture.caption
    (axes, _) = picture.figure.axes[:2]
    halfway = to_hex(axes.images[0].cmap(0.5)).upper()
    for panel in drawn(picture).panels:
        assert panel.images[0].color(panel.xticks["a"], panel.yticks["b"]) == halfway


def test_top_pairs():
    figure = drawn(views.top_pairs(PAIRS, 5, "greatest"))
    panel = figure.panel
    most = max(PAIRS.values())
    tied = sorted(pair for pair, count in PAIRS.items() if count == most)
    assert [(bar.start, bar.length) for bar in panel.bars] == [(0, n) for n in sorted(PAIRS.values())[::-1][:5]]
    assert downward(panel, [label for label, _ in sorted(panel.yticks.items(), key=lambda item: item[1])])
    for label, place in panel.yticks.items():
        (bar,) = [bar for bar in panel.bars if bar.place == place]
        pair = tuple(label.split(" + "))
        (words,) = [words for words in panel.texts if words.y == place]
        assert bar.length == PAIRS[pair] and words.text.startswith(str(PAIRS[pair]))
        assert bool(bar.hatch) == (pair in tied) == ("tied" in words.text or "merged" in words.text)
        assert (bar.color == hue("orange")) == (pair == tied[-1]) == ("merged next" in words.text)
    assert f"{len(tied)} pairs tie at {most}" in figure.title and "t + </w> wins" in figure.title


def test_tokens_left():
    tokenizer = WordBPE.train(TOY, 15)
    left = [
        sum(n * len(WordBPE(tokenizer.base, tokenizer.history[:k]).tokenize(word)) for word, n in TOY.items())
        for k in range(16)
    ]
    figure = drawn(views.tokens_left(tokenizer, TOY))
    panel = figure.panel
    curve, *points = panel.lines
    assert near(curve.points, list(enumerate(left))) and left[0] > left[-1]
    assert numbers(figure.title)[:3] == [15, left[0], left[-1]] and "4 of 4 words" in figure.title
    whole = {
        word: min(
            k for k in range(16) if WordBPE(tokenizer.base, tokenizer.history[:k]).tokenize(word) == [word + "</w>"]
        )
        for word in TOY
    }
    for word, step in whole.items():
        (words,) = [words for words in panel.texts if words.text == word]
        assert (words.x, words.y) == (step, left[step])
    assert sorted(point.points[0] for point in points) == sorted({(step, left[step]) for step in whole.values()})
    assert (panel.xlabel, panel.ylabel, panel.ylim[0]) == ("merges done", "tokens in the corpus", 0)


def test_bars():
    values = {"few": 1, "many": 9.5, "some": 4}
    picture = views.bars(values, title="Many lead", xlabel="tokens", highlight={"many"})
    panel = drawn(picture).panel
    assert downward(panel, ["many", "some", "few"])
    for label, place in panel.yticks.items():
        (bar,) = [bar for bar in panel.bars if bar.place == place]
        (words,) = [words for words in panel.texts if words.y == place]
        assert (bar.start, bar.length, words.text) == (0, values[label], f"{values[label]:g}")
        assert (bar.color, bool(bar.hatch)) == (hue("orange" if label == "many" else "sky"), label == "many")
    assert panel.xlim[0] == 0 and panel.scales[0] == "linear" and panel.xlabel == "tokens"
    assert picture.caption == "Many lead. tokens: many 9.5, some 4, few 1."
    given = drawn(views.bars(values, title="As given", xlabel="tokens", ordered=True)).panel
    assert downward(given, ["few", "many", "some"]) and [bar.length for bar in given.bars] == [1, 9.5, 4]


def test_lines():
    series = {"naive": [(1, 1), (10, 100)], "fast": [(1, 2), (10, 11)]}
    picture = views.lines(series, title="Fast wins", xlabel="n", ylabel="steps", log="xy")
    panel = drawn(picture).panel
    assert [line.points for line in panel.lines] == list(series.values())
    assert panel.scales == ("log", "log") and (panel.xlabel, panel.ylabel) == ("n", "steps")
    assert [(words.x, words.y) for name in series for words in panel.named(name)] == [(10, 100), (10, 11)]
    assert len({line.color for line in panel.lines}) == len({line.marker for line in panel.lines}) == 2
    assert "naive: from 1 at 1 to 100 at 10" in picture.caption
    plain = drawn(views.lines({"a": [("x", 3), ("y", 4)]}, title="T", xlabel="", ylabel="")).panel
    assert plain.scales[1] == "linear" and plain.ylim[0] == 0 and plain.xticks == {"x": 0, "y": 1}


def test_long_lines_are_told_apart_without_their_color():
    series = {f"s{n}": [(x, x * n) for x in range(30)] for n in range(4)}
    assert len({line.style for line in drawn(views.lines(series, title="T", xlabel="", ylabel="")).panel.lines}) == 4


# --- Vocabularies and sizes ------------------------------------------------------------------------


def test_trade_off():
    cuts = {"bytes": (256, 100, 0.0), "words": (300, 20, 0.25), "pieces": (20_000, 25, 0)}
    curve = [(256, 100), (300, 40), (600, 30)]
    figure = drawn(views.trade_off(cuts, curve))
    line, *points = figure.panel.lines
    assert line.points == curve
    for (name, (entries, tokens, share)), point in zip(cuts.items(), points):
        (words,) = figure.panel.named(name)
        assert point.points == [(entries, tokens)] == [(words.x, words.y)]
        assert point.hollow == bool(share) == ("unknown" in words.text)
    assert figure.panel.scales == ("log", "linear") and figure.panel.ylim[0] == 0
    (said,) = re.findall(r"each step is (\w+) times the one before", figure.panel.xlabel)
    places = sorted(figure.panel.xticks.values())
    assert {b / a for a, b in zip(places, places[1:])} == {{"ten": 10, "two": 2}[said]}
    assert figure.title == "Words leave 25.0% unknown"


def test_unknown_shares():
    measured = {
        "Greek": {"marks": (0.9, 4.5), "bytes": (0.0, 8.0)},
        "English": {"marks": (0.0, 1.5), "bytes": (0.0, 1.6)},
    }
    figure = drawn(views.unknown_shares(measured))
    shares, tokens = figure.panels
    assert downward(shares, ["English", "Greek"])
    for language, place in shares.yticks.items():
        for number, factor, panel in ((0, 100, shares), (1, 1, tokens)):
            values = [measured[language][name][number] * factor for name in ("marks", "bytes")]
            points = [line.points[0] for line in panel.lines if line.marker and line.points[0][1] == place]
            assert points == [(value, place) for value in values]
    assert (
        len({line.color for line in shares.lines if line.marker})
        == 2
        == len({p.marker for p in shares.lines if p.marker})
    )
    assert "%" in shares.xlabel and "tokens per word" in tokens.xlabel
    assert [(words.text, words.x) for words in tokens.texts] == [("8.0", 8.0)]
    assert figure.title == "Marks lose 90.0% of Greek, bytes nothing"


@pytest.mark.parametrize("sizes", [(256, 512, 1024, 2048), (256, 1024, 4096, 65536)])
def test_costs_by_size(sizes):
    costs = {size: {"body": 2e5 / size, "output": size / 4} for size in sizes}
    picture = views.costs_by_size(costs, ylabel="FLOPs per byte")
    figure = drawn(picture)
    panel = figure.panel
    parts = [[(size, costs[size][part]) for size in sizes] for part in ("body", "output")]
    total = [(size, sum(costs[size].values())) for size in sizes]
    least = min(total, key=lambda point: point[1])
    assert [line.points for line in panel.lines] == [*parts, total, [least]]
    for name, line in zip(("body", "output", "sum"), panel.lines):
        (words,) = [words for words in panel.texts if words.text == name]
        assert words.y == line.points[-1][1]
    assert len({line.style for line in panel.lines[:3]}) == 3
    (words,) = panel.named("least:")
    assert (words.x, words.y) == least and numbers(words.text) == [least[0]]
    assert numbers(figure.title) == [least[0]] and panel.ylabel == "FLOPs per byte" and panel.ylim[0] == 0
    axis_says_its_steps(panel)


def axis_says_its_steps(panel):
    places = sorted(panel.xticks.values())
    steps = {b / a for a, b in zip(places, places[1:])}
    assert panel.scales[0] == "log" and len(places) > 2
    assert all(float(label.replace(",", "")) == place for label, place in panel.xticks.items())
    said = {"twice": 2, "four times": 4}
    assert [times for words, times in said.items() if words in panel.xlabel] == list(steps)


@pytest.mark.parametrize("sizes", [(256, 512, 1024), (256, 4096, 65536)])
def test_compression_curves(sizes):
    curves = {"training": list(zip(sizes, (1.0, 2.0, 3.0))), "held out": list(zip(sizes, (1.0, 1.5, 1.6)))}
    figure = drawn(views.compression_curves(curves, title="They part"))
    panel = figure.panel
    assert [line.points for line in panel.lines] == list(curves.values())
    assert [words.y for name in curves for words in panel.named(name)] == [3.0, 1.6]
    assert set(curves["training"] + curves["held out"]) <= set(panel.areas[0]), "the gap between the two is shaded"
    assert panel.ylim[0] == 0 and panel.ylabel == "bytes per token" and figure.title == "They part"
    axis_says_its_steps(panel)


def test_token_ranks():
    counts = {n: 2000 // (n + 1) for n in range(60)}
    picture = views.token_ranks(counts, 70, tail=20)
    figure = drawn(picture)
    panel = figure.panel
    expected = sorted(counts.values(), reverse=True) + [0] * 10
    assert panel.lines[0].points == list(enumerate(expected, start=1))
    assert panel.spans == [(50, 70)]
    inside = sum(expected[50:])
    assert numbers(figure.title) == [20, 70, float(f"{100 * inside / sum(expected):.2g}")]
    (words,) = panel.named("shaded")
    assert numbers(words.text) == [20, inside, 10]
    for rank in (1, 35):
        count = expected[rank - 1]
        (words,) = [words for words in panel.texts if words.x == rank]
        assert words.y == count and numbers(words.text)[-1] == count
    assert f"rank 35 occurs {expected[34]} times" in picture.caption
    assert f"most frequent ({expected[0]:,} times)" in picture.caption
    assert f"together {inside} of {sum(expected):,}. 10 tokens never occur" in picture.caption
    assert panel.scales[1] == "symlog" and panel.xlim == (0, 70) and panel.yticks["0"] == 0
    assert panel.lines[0].points[0][1] > panel.lines[0].points[-1][1]
    assert panel.xlabel.endswith("from the most frequent to the rarest") and "occurrences" in panel.ylabel


# --- Languages -------------------------------------------------------------------------------------

MEASURED = {
    "old": {"Spanish": (2.0, 1.8, 2.2), "Yoruba": (3.0, 2.5, 3.5), "Tamil": (8.0, 7.5, 8.6)},
    "new": {"Spanish": (1.5, 1.4, 1.6), "Yoruba": (2.0, 1.9, 2.1), "Tamil": (1.2, 1.1, 1.3)},
}
SCRIPTS = {"Spanish": "Latin", "Yoruba": "Latin", "Tamil": "Tamil"}


def test_lattice():
    model = Unigram({"a": -1.0, "b": -1.5, "ab": -2.0, "ba": -1.75, "aba": -4.0})
    picture = views.lattice(model, "aba")
    seen = drawn(picture)
    bricks = {(round(bar.start, 1), round(bar.start + bar.length, 1)): bar for bar in seen.panel.bars}
    assert set(bricks) == {(i, j) for i, j, _ in model.arcs("aba")} and len(seen.panel.bars) == 6
    assert {place for place, bar in bricks.items() if bar.color == hue("orange") and bar.hatch} == {(0, 1), (1, 3)}
    lanes = {}
    for (i, j), bar in bricks.items():
        assert all(j <= start or end <= i for start, end in lanes.setdefault(bar.place, []))
        lanes[bar.place].append((i, j))
    for i, j, score in model.arcs("aba"):
        assert ((i + j) / 2, bricks[i, j].place) in [
            words[1:3] for words in seen.panel.named(f"{'aba'[i:j]}  {score:.1f}")
        ]
    assert seen.panel.xticks == {"0.0": 0, "-1.0": 1, "-2.0": 2, "-2.8": 3}
    assert seen.title == "The best cut of aba is a + ba" and views.lattice(model, "a", title="One").caption[:2] == "Th"


def test_premium_bars():
    picture = views.premium_bars(MEASURED, SCRIPTS, title="T")
    figure = drawn(picture)
    assert [panel.title for panel in figure.panels] == ["old", "new"]
    assert downward(figure.panels[0], ["Yoruba (Latin)", "Spanish (Latin)", "Tamil"])
    places = {label.split(" (")[0]: place for label, place in figure.panels[0].yticks.items()}
    for panel in figure.panels:
        for language, (value, low, high) in MEASURED[panel.title].items():
            (bar,) = [bar for bar in panel.bars if bar.place == places[language]]
            (words,) = [words for words in panel.texts if words.y == places[language]]
            assert math.isclose(bar.length, value) and bar.start == 0 and words.text == f"{value:.1f}"
            assert bar.color == hue("sky" if SCRIPTS[language] == "Latin" else "orange")
            assert [(low, places[language]), (high, places[language])] in [line.points for line in panel.lines]
        assert "times English" in panel.xlabel and panel.xlim[0] == 0 and panel.scales[0] == "linear"
        assert [line.points[0][0] for line in panel.lines if line.style == ":"] == [1], "English is the line at 1"


def test_premium_slopes():
    values = {"Spanish": [2.0, 1.5], "Tamil": [8.0, 1.2], "Finnish": [3.0, 2.0]}
    scripts = SCRIPTS | {"Finnish": "Latin"}
    figure = drawn(views.premium_slopes(values, scripts, ["old", "new"], title="T"))
    assert [panel.title for panel in figure.panels] == ["Latin", "Scripts of India"]
    ticks_say_where_they_stand(figure.panels[0].yticks)
    found = {}
    for panel in figure.panels:
        assert panel.xticks == {"old": 0, "new": 1} and panel.scales[1] == "log"
        assert panel.ylim == figure.panels[0].ylim, "one axis for all panels"
        for language in values:
            for words in panel.named(language):
                assert words.text == f"{language} {values[language][-1]:.1f}" and words.x == 1
                found[language] = panel.title
        curves = [line.points for line in panel.lines if line.marker]
        assert sorted(curves) == sorted(list(enumerate(values[name])) for name in found if found[name] == panel.title)
    assert found == {"Spanish": "Latin", "Finnish": "Latin", "Tamil": "Scripts of India"}


def test_lines_of_a_panel_differ_from_each_other():
    languages = [f"language {n}" for n in range(14)]
    (panel,) = drawn(
        views.premium_slopes(
            {name: [n + 2, n + 1] for n, name in enumerate(languages)},
            dict.fromkeys(languages, "Latin"),
            ["a", "b"],
            title="T",
        )
    ).panels
    looks = [(line.color, line.marker, line.style) for line in panel.lines if line.marker]
    assert len(looks) == len(set(looks)) == 14


def ticks_say_where_they_stand(ticks):
    assert ticks and all(math.isclose(float(label), place) for label, place in ticks.items())
    assert all(math.log2(place).is_integer() for place in ticks.values()), "marks of the log axis double"


def test_two_factors():
    factors = {"Thai": (2.5, {"GPT-2": 3.0, "GPT-4o": 1.0}), "Greek": (1.8, {"GPT-2": 2.0, "GPT-4o": 1.2})}
    figure = drawn(views.two_factors(factors, title="T"))
    panel = figure.panel
    points = [(line.color, line.points[0]) for line in panel.lines if line.marker and len(line.points) == 1]
    for language, (tax, row) in factors.items():
        (words,) = [words for words in panel.texts if words.text == language]
        assert (words.x, words.y) == (tax, max(row.values()))
        for name, factor in row.items():
            assert (figure.legend[name], (tax, factor)) in points
    assert (1, 1) in [point for _, point in points], "English"
    assert "byte tax" in panel.xlabel and "vocabulary factor" in panel.ylabel and panel.scales == ("log", "log")
    ticks_say_where_they_stand(panel.xticks)
    ticks_say_where_they_stand(panel.yticks)
    lines_of_equal_premium(panel)


def lines_of_equal_premium(panel):
    """Each straight line is named by the premium that is x times y on all of it."""
    products = [{round(x * y, 6) for x, y in line.points} for line in panel.lines if len(line.points) == 2]
    constant = {products.pop() for products in products if len(products) == 1}
    named = panel.named("premium ")
    assert len(named) >= 3
    for words in named:
        (premium,) = numbers(words.text)
        assert math.isclose(words.x * words.y, premium) and premium in constant, words
    assert all(math.log2(numbers(words.text)[0]).is_integer() for words in named), "each is twice the one before"


def test_mix_premiums():
    values = {"Spanish": [2.0, 1.1, 1.2], "Georgian": [9.0, 8.0, 7.0]}
    joins = {"Spanish": 1, "Georgian": None}
    steps, reference = ["1", "3", "6"], [14.0, 16.0, 18.0]
    main, side = drawn(views.mix_premiums(steps, values, joins, reference, title="T")).panels
    assert main.xticks == side.xticks == {"1": 0, "3": 1, "6": 2}
    for language, row in values.items():
        for number, value in enumerate(row):
            (point,) = [line for line in main.lines if line.marker and line.points == [(number, value)]]
            inside = joins[language] is not None and number >= joins[language]
            assert point.hollow == (not inside), (language, number)
            if number:
                segment = [(number - 1, row[number - 1]), (number, value)]
                (line,) = [line for line in main.lines if line.points == segment]
                assert (line.style == "-") == (inside and number - 1 >= joins[language])
        assert [(words.x, words.y) for words in main.named(language)] == [(2, row[-1])]
    assert main.title == "filled: in the mix; hollow: not" and main.scales[1] == "log"
    ticks_say_where_they_stand(main.yticks)
    assert [(bar.place, bar.start, bar.length) for bar in side.bars] == [(n, 0, v) for n, v in enumerate(reference)]
    assert [(words.x, words.text) for words in side.texts] == [(n, f"{v:.1f}") for n, v in enumerate(reference)]
    assert side.ylim[0] == 0 and "English" in side.title


# --- Numbers -----------------------------------------------------------------------------------------


def test_digit_map():
    tokenizer = load("gpt2")
    trained = ByteBPE.train("12 12 2024 2024", 259)
    figure = drawn(views.digit_map({"GPT-2": tokenizer, "mine": trained}))
    for panel, found in zip(figure.panels, (tokenizer, trained)):
        (image,) = panel.images
        colors, counts = {}, {}
        for number in range(1000, 10000):
            cut = tuple(map(len, found.tokens(str(number))))
            first, last = divmod(number, 100)
            colors.setdefault(cut, set()).add(image.color(last, first))
            counts[cut] = counts.get(cut, 0) + 1
        assert all(len(used) == 1 for used in colors.values()), "a cut has one color"
        assert len({color for used in colors.values() for color in used}) == len(colors), "a color has one cut"
        assert (panel.xlabel, panel.ylabel) == ("last two digits", "first two digits")
        assert panel.yticks["10"] == 10 and panel.xticks["99"] == 99 and panel.ylim[0] > panel.ylim[1]
        for cut, count in counts.items():
            cutted = "|".join("1234"[sum(cut[:n]) : sum(cut[: n + 1])] for n in range(len(cut)))
            label = f"{cutted}   {count:,}"
            if label in figure.legend:
                assert {figure.legend[label]} == colors[cut]
    assert any(label.startswith("1234   ") for label in figure.legend)


def test_a_map_of_one_cut_says_so():
    (panel,) = drawn(views.digit_map({"bytes": ByteBPE.train("", 256)})).panels
    (words,) = panel.texts
    assert words.text == "1|2|3|4\nall 9,000" and contrast(words.color, panel.images[0].color(50, 50)) >= 3
