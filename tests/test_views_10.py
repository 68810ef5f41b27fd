"""How big a vocabulary: what the pictures draw, the least point, the explorer and its text twin."""

import pytest

from bpe_core import ByteBPE, costs, datasets, views
from bpe_core.views.sizes import BAR, short

COSTS = {256: {"a": 9.0, "b": 1.0}, 512: {"a": 5.0, "b": 2.0}, 1024: {"a": 4.0, "b": 4.0}}
TOKENS = {1024: 50, 256: 100, 4096: 40}
MODELS = {"small": (16, 64, 1), "large": (256, 64, 2)}


def cost(tokens, size, width, layers, times):
    return {"body": tokens * times * layers * width**2, "output": tokens * size * width}


def explorer(**changed):
    arguments = {"start": ("small", 100), "unit": "FLOPs"} | changed
    return views.size_explorer(TOKENS, 100, cost, MODELS, **arguments)


# The least point


def test_least_size():
    assert costs.least_size(COSTS) == 512
    assert costs.least_size({4: {"a": 1}, 2: {"a": 1}, 3: {"a": 2}}) == 2, "of equals the smaller size"
    with pytest.raises(ValueError, match="costs is empty"):
        costs.least_size({})


def test_costs_by_size_at_the_edges():
    falling = {size: {"a": 1000 / size} for size in (256, 512, 1024)}
    picture = views.costs_by_size(falling, ylabel="cost")
    assert picture.data["least"][0] == 1024 and "the largest size here" in picture.caption
    with pytest.raises(ValueError, match="different parts"):
        views.costs_by_size({256: {"a": 1}, 512: {"b": 1}}, ylabel="cost")
    with pytest.raises(ValueError, match="costs is empty"):
        views.costs_by_size({}, ylabel="cost")


def test_compression_curves():
    curves = {"training": [(256, 1.0), (512, 2.0), (1024, 3.0)], "held out": [(256, 1.0), (512, 1.5), (1024, 1.6)]}
    picture = views.compression_curves(curves, title="They part")
    assert (
        picture.caption.startswith("They part.")
        and "held out: from 1.00 at 256 entries to 1.60 at 1,024" in picture.caption
    )
    assert "axis" not in picture.caption
    higher = views.compression_curves(curves, title="They part", bottom=0.5)
    assert higher.caption.endswith("1.60 at 1,024. The axis begins at 0.5.")
    assert higher.figure.axes[0].get_ylim()[0] == 0.5
    for empty in ({}, {"training": []}):
        with pytest.raises(ValueError, match="curves is empty"):
            views.compression_curves(empty, title="")


# Rare tokens


def test_token_ranks_agrees_with_a_count_by_hand():
    text = datasets.prose("talk")[:3000]
    tokenizer = ByteBPE.train(text, 600, pattern="gpt2")
    ids = tokenizer.encode(text)
    picture = views.token_ranks({i: ids.count(i) for i in set(ids)}, tokenizer.vocab_size, tail=100)
    counts = sorted(ids.count(i) for i in range(tokenizer.vocab_size))
    assert picture.data["counts"] == counts[::-1] and sum(counts) == len(ids)
    assert picture.data["tail"] == sum(counts[:100]) and picture.data["never"] == counts.count(0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({}, 5), "counts is empty"),
        (({1: 0}, 5), "counts is empty"),
        (({1: 1, 2: 1}, 1), "2 tokens occur, but vocab_size is 1"),
        (({1: 1}, 5), "tail is 1,000"),
    ],
)
def test_token_ranks_says_what_is_wrong(arguments, message):
    with pytest.raises(ValueError, match=message):
        views.token_ranks(*arguments)


# The explorer


def test_explorer_rows_by_hand():
    rows = explorer().data
    assert [(row.size, row.tokens) for row in rows] == [(256, 100), (1024, 50), (4096, 40)]
    assert rows[0].parts == {"body": 100 * 64 * 256 / 100, "output": 100 * 256 * 16 / 100}
    sums = [sum(row.parts.values()) for row in rows]
    assert sums == [20480, 16384, 32768]
    assert [row.above for row in rows] == [0.25, 0, 1]
    longer = explorer().rows(16, 64, 1, 1000)
    assert [row.tokens for row in longer] == [1000, 500, 400]
    assert [row.parts for row in longer] == [row.parts for row in rows], "per byte, and this cost is linear"


def test_explorer_text_twin_says_what_the_page_says():
    view = explorer()
    assert "the sum is least at 1,024 entries" in view.text and "the last size" not in view.text
    for said in ("256", "1,024", "4,096", "20.5K", "16.4K", "32.8K", "+25%", "least", "+100%"):
        assert said in view.text and said in view.html, said
    assert view.html.count("<tr") == view.html.count("</tr>") == 4
    assert view.html.count("<span") == view.html.count("</span>") == 3 * 2 + 2 * 3
    assert f"width:{BAR * 0.5:g}px" in view.html, "the body of the first row is half of the longest bar"
    assert "»" not in view.html


def test_explorer_cuts_bars_that_are_much_longer_than_the_least():
    steep = views.size_explorer(TOKENS, 100, lambda t, s, w, n, b: {"body": t**3}, MODELS, start=("small", 100))
    assert steep.html.count("»") == 2 and "longer than 2.5 times the least" in steep.html
    assert steep.html.count(f"width:{BAR:g}px") == 1, "the cut bar is as long as bars get"


def test_explorer_moves_with_the_model():
    assert "the last size there is here" in explorer().at(4096, 64, 1, 100).text
    assert "1 layer," in explorer().at(16, 1, 1, 100).text
    assert next(row.size for row in explorer().rows(1, 1, 1, 100) if row.above == 0) == 256


@pytest.mark.parametrize("start", [("none", 100), ("small", 0)])
def test_explorer_says_what_is_wrong(start):
    with pytest.raises(ValueError, match="first model|must be positive"):
        explorer(start=start)
    with pytest.raises(ValueError, match="a size at least"):
        views.size_explorer({}, 100, cost, MODELS, start=("small", 100))


def test_live_follows_menu_and_sliders():
    still = explorer()
    box = still.live()
    assert still.html in box.view.value
    box.pick.value = "large"
    assert [slider.value for slider in box.sliders] == [256, 64, 2, 100]
    assert still.at(256, 64, 2, 100).html in box.view.value and still.html not in box.view.value
    box.sliders[1].value = 2
    box.sliders[3].value = 1024
    assert still.at(256, 2, 2, 1024).html in box.view.value
    bundle = box._repr_mimebundle_()
    assert "Run this cell" in bundle["text/html"] and still.html in bundle["text/html"]
    assert bundle["text/plain"].endswith(still.text)


def test_short_numbers():
    shown = [short(n) for n in (0, 5, 999.4, 999.6, 1000, 9994, 9996, 99_940, 99_960, 2.5e9, 7e12)]
    assert shown == ["0", "5", "999", "1.00K", "1.00K", "9.99K", "10.0K", "99.9K", "100K", "2.50G", "7.00T"]
