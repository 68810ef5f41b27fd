"""What a learner looks at: the right data drawn, readable text twins, nothing unescaped."""

import io
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from drawn import Page, contrast
from hypothesis import given, settings
from hypothesis import strategies as st

from bpe_core import ByteBPE, WordBPE, count_pairs, views
from bpe_core.views import (
    OKABE_ITO,
    Chip,
    Replay,
    chips,
    chips_of,
    compare,
    look,
    merge_explorer,
    merge_tree,
    rows,
    show,
    tie_rules,
    visible,
)
from bpe_core.views.look import EDGE, LOOKS, PALE, TINTS, View, direction, parts, tag
from bpe_core.views.replay import merges_of

TOY = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
WORDS = WordBPE.train(TOY, 30)
PROSE = "low lower newest widest — naïve café, the cafés; 12 345! " * 4
BYTES = ByteBPE.train(PROSE, 330, pattern="gpt2", special_tokens=["<|end|>", "<|start|>"])
TEXTS = ["", "low", " low  lowest\n", "naïve café 🙂", "aaaaaaaaa", "zqx <|end|> 東京", "سلام low"]


# Marks and colors


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a b\n\tc", "a·b↵→c"),
        ("\x00\r\x7f", "⟨00⟩⟨0D⟩⟨7F⟩"),
        ("\u202e\u200b\xa0\ufeff", "⟨202E⟩⟨200B⟩⟨A0⟩⟨FEFF⟩"),
        ("\u0301e", "◌\u0301e"),
        ("❤\ufe0f", "❤⟨FE0F⟩"),
        ("東京 é", "東京·é"),
        ("", ""),
    ],
)
def test_every_character_is_visible(text, shown):
    assert visible(text) == shown


@given(st.binary(max_size=12))
def test_parts_of_characters_show_as_their_bytes(data):
    shown = parts(data)
    assert all(re.fullmatch(r"<[89A-F][0-9A-F]( [89A-F][0-9A-F])*>", text) for text, is_bytes in shown if is_bytes)
    assert not re.search(
        r"[\x00-\x20\x7f-\x9f\udc80-\udcff]", "".join(text for text, is_bytes in shown if not is_bytes)
    )
    hidden = sum(len(bytes.fromhex(text[1:-1])) for text, is_bytes in shown if is_bytes)
    assert hidden == len(data) - len(data.decode("utf-8", "ignore").encode("utf-8"))


def test_contrast_is_that_of_the_standard():
    assert contrast("#000000", "#FFFFFF") == contrast("#FFFFFF", "#000000") == 21
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)


def test_every_look_with_a_background_brings_a_text_color_that_reads_on_it():
    seen = set()
    for name, style in LOOKS.items():
        colors = dict(re.findall(r"(?:^|;)((?:background-)?color):(#\w+)", style))
        if colors and "bar" not in name:  # bars hold no text
            assert contrast(colors["background-color"], colors["color"]) >= 4.5, name
            seen.add(tuple(colors.values()))
    assert len(seen) >= 8
    assert len({*OKABE_ITO.values()}) == 8


def test_tints_differ_in_gray_print_and_lines_are_seen_on_white():
    from bpe_core.views.picture import COLORS

    tints = list(TINTS.values())
    assert all(contrast(one, other) >= 1.1 for i, one in enumerate(tints) for other in tints[:i])
    assert all(contrast(color, "#FFFFFF") >= 3 for color in [*COLORS, PALE, EDGE])
    assert all(contrast(look, page) >= 3 for look in (EDGE, OKABE_ITO["blue"]) for page in ("#FFFFFF", "#111111"))


def test_no_view_has_a_style_of_its_own():
    css = r' style="|font-[a-z]+:|padding:|background-|border[-:]|<(div|span|td|tr|table)\b'
    for path in Path(look.__file__).parent.glob("*.py"):
        found = [line for line in path.read_text(encoding="utf-8").splitlines() if re.search(css, line)]
        assert path.name == "look.py" or not found, (path.name, found)


# Chips


def test_text_twin_and_counts():
    assert repr(chips(BYTES, "low")) == "low\n1 token · 3 bytes · 3.0 bytes per token"
    assert repr(chips(BYTES, "")) == "\n0 tokens · 0 bytes"
    strip = chips(WordBPE.train(TOY, 8), "lowest zqx")
    assert repr(strip) == "low|est</w> | ⟨z⟩?|⟨q⟩?|⟨x⟩?|</w>\n6 tokens · 10 bytes · 1.7 bytes per token"
    assert [chip.kind for chip in strip.data] == ["text", "text", "unknown", "unknown", "unknown", "text"]
    assert [chip.id for chip in strip.data] == WordBPE.train(TOY, 8).encode("lowest zqx")


def test_boundaries_are_text_where_styles_are_removed():
    page = Page(chips(ByteBPE.train("", 256), "a b").html)
    assert page.text.startswith("a|·|b3 tokens · 3 bytes · 1.0 bytes per token · ids and bytes")
    assert any("font-size:0" in style for style in page.styles)


def test_a_bar_in_the_text_is_not_taken_for_a_boundary():
    assert repr(chips(ByteBPE.train("", 256), "a|b")).startswith("a¦|¦b\n")
    assert repr(chips_of(["a|", "¦"])).startswith("a|‖¦")


def test_special_tokens_look_unlike_text():
    ordinary = chips(BYTES, "<|end|>")
    special = chips(BYTES, "<|end|>", allowed_special="all")
    assert special.num_tokens == 1 and ordinary.num_tokens > 1
    assert repr(special).startswith("⟦<|end|>⟧\n")
    assert "⟦" not in repr(ordinary)
    assert not set(Page(special.html).styles[1:2]) & set(Page(ordinary.html).styles)
    assert Page(special.html).titles == [
        f"id {BYTES.special_tokens['<|end|>']} · special token · bytes 3C 7C 65 6E 64 7C 3E"
    ]


def test_hover_gives_id_and_bytes():
    titles = Page(chips(ByteBPE.train("", 256), "é").html).titles
    assert titles == ["id 195 · byte C3", "id 169 · byte A9"]


def test_what_a_chip_is_stands_in_words():
    heard = Page(chips(WORDS, "low zq").html).text
    assert (
        heard.count("not in the vocabulary z") == 1
        and "special token <|end|>" in Page(chips(BYTES, "<|end|>", allowed_special="all").html).text
    )
    fresh = merge_explorer(WORDS, "low lowest").at(3)
    assert "marked est</w>" in Page(fresh.html).text and "[est</w>]" in fresh.text


def test_ids_and_bytes_can_be_unfolded():
    strip = chips(ByteBPE.train("", 256), "é<")
    assert "<details><summary>" in strip.html
    assert Page(strip.html).text.endswith("ids and bytes<C3> 195 (C3) · <A9> 169 (A9) · < 60 (3C)")
    table = compare({"a": ByteBPE.train("", 256), "b": ByteBPE.train("", 256)}, "!")
    assert Page(table.html).text.endswith("ids and bytesa ! 33 (21)b ! 33 (21)")
    assert "<details" not in chips_of(["lo", "w"]).html  # no id is known


def test_text_in_html_is_escaped_by_construction():
    assert View("<b>", "").html == "&lt;b&gt;"
    assert tag("i", "<", title='">').unescape() == '<i title="">"><</i>' and "<i title" in tag("i", "<", title='">')
    with pytest.raises(KeyError):
        tag("i", "x", look="no such look")


def test_chips_of_every_kind_of_token():
    assert chips_of([262, b"x", (5, b"yz"), "w", Chip("v")], tokenizer=BYTES).data == [
        Chip(BYTES.vocab[262], 262),
        Chip(b"x"),
        Chip(b"yz", 5),
        Chip("w"),
        Chip("v"),
    ]
    ids = BYTES.encode("low<|end|>low", allowed_special="all")
    assert chips_of(ids, tokenizer=BYTES).num_bytes == 13
    assert [chip.content for chip in chips_of(WORDS.encode("low x"), tokenizer=WORDS).data] == [
        "low</w>",
        "<unk>",
        "</w>",
    ]
    assert chips_of(["lo", "w"]).num_bytes is None
    assert chips_of(["lo", "w"], text="low").num_bytes == 3
    with pytest.raises(TypeError, match="tokenizer="):
        chips_of([3])
    with pytest.raises(TypeError, match=r"True"):
        chips_of([True], tokenizer=BYTES)
    with pytest.raises(KeyError, match="9999"):
        chips_of([9999], tokenizer=BYTES)


def test_long_texts_are_cut_and_say_so():
    strip = chips(ByteBPE.train("", 256), "a" * 5000)
    assert strip.line == "5,000 tokens · 5,000 bytes · 1.0 bytes per token · first 400 of 5,000 tokens shown"
    assert repr(strip).count("a|") == 399
    assert len(Page(strip.html).titles) == 400
    assert len(strip.data) == 5000
    assert (
        "first 10 of 5,000 tokens shown"
        in Page(compare({"x": ByteBPE.train("", 256)}, "a" * 5000, max_tokens=10).html).text
    )


def test_text_from_right_to_left():
    assert (direction("«سلام»"), direction("low سلام"), direction("")) == ("rtl", "ltr", "ltr")
    html = chips_of(["سلام", "</w>"]).html
    assert html.count(' dir="rtl"') == 2 and html.count("<bdi ") == 2  # the chips and the line below them
    mixed = chips_of(["low", "سلام"]).html
    assert ' dir="rtl"' not in mixed and mixed.count("<bdi ") == 2  # each token in its own direction


def test_rows_line_up():
    view = compare({"words": WORDS, "bytes": BYTES}, "low")
    assert view.data == [("words", 1, 3), ("bytes", 1, 3)]
    assert repr(view).splitlines() == [
        "words  low</w>   1 token · 3 bytes · 3.0 bytes per token",
        "bytes  low       1 token · 3 bytes · 3.0 bytes per token",
    ]
    assert rows({}).data == []


# The replay behind the explorer


def first_merges(tokenizer, k):
    if isinstance(tokenizer, WordBPE):
        return WordBPE(tokenizer.base, tokenizer.history[:k], end_of_word=tokenizer.end_of_word)
    merges = dict(islice(tokenizer.merges.items(), k))
    made = set(tokenizer.merges.values()) - set(merges.values())
    vocab = {i: token for i, token in tokenizer.vocab.items() if i not in made}
    return ByteBPE(
        vocab,
        merges,
        pattern=tokenizer.pattern,
        special_tokens=tokenizer.special_tokens,
        whole_pieces=tokenizer.whole_pieces,
        normalization=tokenizer.normalization,
    )


def check_replay(tokenizer, text, make=first_merges):
    replay = Replay(tokenizer, text)
    assert replay.num_merges == len(tokenizer.merges)
    for k in range(replay.num_merges + 1):
        fewer = make(tokenizer, k)
        expected = fewer.tokenize(text) if isinstance(fewer, WordBPE) else fewer.tokens(text)
        assert replay.contents(k) == expected
        assert replay.tokens_after[k] == len(expected)
        assert replay.vocab_after[k] == (len(fewer.vocab) if isinstance(fewer, WordBPE) else fewer.vocab_size)
    return replay


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("tokenizer", [WORDS, BYTES], ids=["words", "bytes"])
def test_replay_is_the_tokenizer_of_the_first_merges(tokenizer, text):
    check_replay(tokenizer, text)


small = st.text("ab ", max_size=30)


@settings(max_examples=60, deadline=None)
@given(small, small, st.sampled_from([None, "</w>"]), st.sampled_from(["first", "lowest_id", "greatest"]))
def test_replay_of_any_words(corpus, text, marker, rule):
    check_replay(WordBPE.train(corpus, 12, end_of_word=marker, tie_break=rule), text)


@settings(max_examples=60, deadline=None)
@given(small, small, st.sampled_from([None, "gpt2"]))
def test_replay_of_any_bytes(corpus, text, pattern):
    check_replay(ByteBPE.train(corpus, 268, pattern=pattern), text)


@settings(max_examples=60, deadline=None)
@given(
    st.permutations([("a", "a"), ("a", "b"), ("aa", "b"), ("b", "aa"), ("ab", "a"), ("aa", "a"), ("a", "ab")]), small
)
def test_replay_of_merges_in_any_order_that_training_could_give(merges, text):
    # Parts before wholes; where two merges make the same symbol, either may come first.
    merges = sorted(merges, key=lambda pair: len("".join(pair)))
    check_replay(WordBPE.from_merges(merges, end_of_word=None), text)


def test_replay_of_two_merges_that_share_an_id():
    vocab = dict(enumerate([b"a", b"b", b"c", b"ab", b"bc", b"abc"]))
    merges = [(b"a", b"b"), (b"b", b"c"), (b"ab", b"c"), (b"a", b"bc")]
    tokenizer = ByteBPE.from_vocab_and_merges(vocab, merges, pattern=None)
    replay = check_replay(tokenizer, "abcbcaabc")
    assert replay.vocab_after == [3, 4, 5, 6, 6]


@pytest.mark.parametrize("text", ["abcab", "ab abc", "cabc", "abca abcab"])
def test_replay_of_whole_pieces_and_of_ranks(text):
    vocab = dict(enumerate([b" ", b"a", b"b", b"c", b"bc", b"ab", b"abc", b" abc", b"abcab"]))
    merges = [(b"b", b"c"), (b"a", b"b"), (b"a", b"bc"), (b" ", b"abc"), (b"abc", b"ab")]
    check_replay(ByteBPE.from_vocab_and_merges(vocab, merges, pattern="gpt2", whole_pieces=True), text)

    def first_ranks(tokenizer, k):
        ranks = {token: i for i, token in tokenizer.vocab.items() if i < 256 + k}
        return ByteBPE.from_ranks(ranks, pattern="gpt2")

    ranks = {bytes([i]): i for i in range(256)} | {
        token: 256 + i for i, token in enumerate([b"bc", b"ab", b"abc", b" abc", b"abcab"])
    }
    check_replay(ByteBPE.from_ranks(ranks, pattern="gpt2"), text, first_ranks)


def test_merges_of_bytes_are_contents_with_their_counts():
    merges = merges_of(BYTES)
    assert [merge.step for merge in merges] == list(range(1, len(BYTES.merges) + 1))
    assert all(merge.pair[0] + merge.pair[1] == merge.new for merge in merges)
    assert [merge.count for merge in merges] == [merge.count for merge in BYTES.history]


def test_replay_of_a_long_piece_is_quick_and_right():
    tokenizer = ByteBPE.train("ab" * 50 + "ba" * 30, 262)
    text = "ab" * 20_000
    assert Replay(tokenizer, text).contents(len(tokenizer.merges)) == tokenizer.tokens(text)


# The explorer


def test_explorer_shows_chosen_steps():
    explorer = merge_explorer(WORDS, "low lowest")
    assert [row[0] for row in explorer.data] == [0, 1, 3, 10, 15]
    assert explorer.data[0] == (0, 11, 0.909, 12)
    assert explorer.data[-1] == (15, 3, 3.333, 27)
    assert repr(explorer).splitlines()[-1].startswith("15 merges  low</w> | low|est</w> ")
    assert [row[0] for row in merge_explorer(WORDS, "low", steps=[2, 0, 2]).data] == [0, 2]
    with pytest.raises(ValueError, match="16"):
        merge_explorer(WORDS, "low", steps=[16])


def test_explorer_tells_of_the_last_merge_and_marks_it():
    explorer = merge_explorer(WORDS, "low lowest newest")
    view = explorer.at(3)
    assert "3 of 15 merges" in repr(view) and "est + </w> → est</w>, counted 9 times" in repr(view)
    assert "here it saves 2 tokens" in repr(view)
    assert [chip.content for chip in view.data if chip.fresh] == ["est</w>", "est</w>"]
    assert not any(chip.fresh for chip in explorer.at(0).data)
    assert "finds nothing" in repr(merge_explorer(WORDS, "xyz").at(1))
    for k in (-1, 16):
        with pytest.raises(ValueError, match="from 0 to 15"):
            explorer.at(k)


def test_explorer_ids_are_those_of_the_tokenizer():
    for tokenizer in (WORDS, BYTES):
        explorer = merge_explorer(tokenizer, "low lowest zqx")
        assert [chip.id for chip in explorer.at(len(tokenizer.merges)).data] == tokenizer.encode("low lowest zqx")


def test_explorer_cuts_long_texts_and_says_so():
    explorer = merge_explorer(BYTES, PROSE * 20, max_tokens=50)
    assert len(explorer.at(0).data) == 50
    assert f"first 50 of {len((PROSE * 20).encode()):,} tokens shown" in repr(explorer.at(0))
    assert "first 120 of" in repr(explorer)


def test_explorer_without_merges_and_without_text():
    assert merge_explorer(ByteBPE.train("", 256), "").data == [(0, 0, None, 256)]
    assert merge_explorer(WordBPE.train("", 3), "").live().slider.max == 0


def test_live_explorer_follows_the_slider_both_ways():
    explorer = merge_explorer(WORDS, "low lowest")
    box = explorer.live(start=2)
    assert box.field.description == "Merges" and (box.slider.min, box.slider.max) == (0, 15)
    assert "bpe-explorer-view" in box.view._dom_classes
    for k in (15, 0, 7):
        box.slider.value = k
        assert explorer.at(k).html in box.view.value
        assert f'role="status">{explorer.at(k).text.splitlines()[0][:20]}' in box.view.value


def test_live_explorer_has_something_to_show_on_a_static_page():
    bundle = merge_explorer(WORDS, "low").live()._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert "Run this cell to move the slider." in Page(bundle["text/html"]).text
    assert bundle["text/plain"].startswith("Run this cell to move the slider.\n0 of 15 merges")


# The tree


def test_tree_of_a_word():
    nodes = merge_tree(WORDS, "newest</w>").data
    assert len(nodes) == 13
    inner = {node.content: (node.step, node.start, node.middle, node.end) for node in nodes if node.step}
    assert inner == {
        "newest</w>": (8, 0, 3, 7),
        "new": (7, 0, 2, 3),
        "ne": (6, 0, 1, 2),
        "est</w>": (3, 3, 6, 7),
        "est": (2, 3, 5, 6),
        "es": (1, 3, 4, 5),
    }
    assert [node.content for node in nodes if not node.step] == [*"newest", "</w>"]


def test_every_tree_follows_the_merges():
    for tokenizer in (WORDS, BYTES):
        merges = {merge.step: merge for merge in merges_of(tokenizer)}
        for symbol in tokenizer.vocab:
            if symbol == "<unk>":
                continue
            view = merge_tree(tokenizer, symbol)
            nodes = view.data
            by_place = {(node.start, node.end): node for node in nodes}
            leaves = [node.content for node in nodes if not node.step]
            assert leaves == [by_place[i, i + 1].content for i in range(len(leaves))]
            for node in nodes:
                if node.step:
                    left, right = by_place[node.start, node.middle], by_place[node.middle, node.end]
                    assert merges[node.step].pair == (left.content, right.content)
                    assert merges[node.step].new == node.content
            assert len(repr(view).splitlines()) == len(nodes)
            Page(view.html)


def test_tree_takes_ids_and_bytes_and_says_what_is_missing():
    long = max(BYTES.vocab, key=lambda i: len(BYTES.vocab[i]))
    assert merge_tree(BYTES, long).data == merge_tree(BYTES, BYTES.vocab[long]).data
    for tokenizer, symbol in ((BYTES, 9999), (BYTES, b"zz"), (WORDS, "zz")):
        with pytest.raises(KeyError, match=re.escape(repr(symbol))):
            merge_tree(tokenizer, symbol)


def test_a_deep_tree_needs_no_recursion():
    deep = WordBPE.from_merges([("a" * i, "a") for i in range(1, 3000)], end_of_word=None)
    view = merge_tree(deep, "a" * 3000)
    assert len(view.data) == 5999 and view.data[0].end == 3000
    assert "more symbols" in repr(view) and "as a list" in view.html


def test_every_row_of_the_drawn_tree_has_the_same_width():
    html = merge_tree(WORDS, "newest</w>").html
    for line in re.findall(r"<tr.*?</tr>", html):
        assert sum(map(int, re.findall(r'colspan="(\d+)"', line))) == 14


# Tie rules


def test_tie_rules_mark_where_they_differ():
    view = tie_rules(TOY, 8)
    assert [merge.pair for merge in view.data["first"]] == WORDS.merges[:8]
    assert view.data["differ"] == [
        i + 1 for i in range(8) if len({view.data[rule][i].pair for rule in ("first", "lowest_id", "greatest")}) > 1
    ]
    assert repr(view).splitlines()[1].split() == "≠ 1 e + s (9) e + s (9) t + </w> (9)".split()
    assert repr(tie_rules({"a": 1}, 3, end_of_word=None)).split() == ["merge", "first", "lowest_id", "greatest"]
    assert tie_rules({"ab": 3}, 1, end_of_word=None).data["differ"] == []


# Pictures

TOY_PAIRS = count_pairs({(*word, "</w>"): n for word, n in TOY.items()})


def overlapping(picture):
    from matplotlib.text import Text

    picture.figure.draw_without_rendering()
    texts = picture.figure.axes[0].texts
    boxes = [Text.get_window_extent(text) for text in texts]  # without the line that leads to the point
    return [
        (texts[i].get_text(), texts[j].get_text())
        for i in range(len(texts))
        for j in range(i)
        if boxes[i].overlaps(boxes[j])
    ]


def open_png(picture):
    from PIL import Image

    image = Image.open(io.BytesIO(picture.png))
    assert image.format == "PNG" and len(picture.png) < 200_000
    return image


def test_pair_matrix_says_what_it_leaves_out():
    from bpe_core.views import pair_matrix

    picture = pair_matrix({("a", "b"): 7, ("c", "d"): 2, ("x", "y"): 1}, max_symbols=2)
    assert picture.data[0]["left_out"] == 1
    assert "Not drawn: 10.0% of the pairs." in picture.caption
    ids = pair_matrix({(108, 111): 2}, vocab=BYTES.vocab).data[0]
    assert (ids["rows"], ids["columns"]) == (["l"], ["o"])
    assert pair_matrix({}).data[0]["matrix"] == []


def test_top_pairs_names_the_winner_of_a_tie():
    from bpe_core.views import top_pairs

    assert top_pairs(TOY_PAIRS, 5).caption.startswith("3 pairs tie at 9; e + s wins: it was met first.")
    assert "most frequent pair, 2 times" in top_pairs({("a", "b"): 2, ("b", "c"): 1}).caption
    with pytest.raises(ValueError, match="no pair"):
        top_pairs({})


def test_tokens_left_of_a_word_that_stays_in_parts():
    from bpe_core.views import tokens_left

    assert tokens_left(BYTES, {"zqx": 2}).data["whole"] == {"zqx": None}


def test_labels_of_words_do_not_overlap():
    from bpe_core.views import tokens_left

    picture = tokens_left(WordBPE.train(TOY, 9), TOY | {"slow": 4, "new": 4, "wide": 4})
    assert not overlapping(picture)


def test_labels_at_line_ends_do_not_overlap():
    from bpe_core.views import lines

    series = {name: [(0, 1), (1, 1 + i / 50)] for i, name in enumerate("abcdef")}
    picture = lines(series, title="t", xlabel="u", ylabel="v")
    assert not overlapping(picture)


def test_letters_that_the_font_lacks_and_formulas_draw_without_a_warning():
    from bpe_core.views import bars, drawable

    assert drawable("東 $x$ é") == "⟨6771⟩ \\$x\\$ é"
    open_png(bars({"東京 $x$": 1, "\u202e": 2, "🙂": 3}, title="中 $", xlabel="हिन्दी"))


def test_a_picture_shows_itself_once_with_its_caption_as_a_named_figure(monkeypatch):
    import IPython.display

    from bpe_core.views import bars

    shown = []
    monkeypatch.setattr(IPython.display, "display", lambda *a, **kw: shown.append((a, kw)))
    picture = bars({"a": 1}, title="T", xlabel="x", caption='Says "a" & <b>.')
    picture._ipython_display_()
    (image, options), (caption, _) = shown
    assert image[0]["image/png"] == picture.png and image[0]["text/plain"] == picture.caption == repr(picture)
    assert options["metadata"]["image/png"] == {"width": 750, "alt": picture.caption}
    assert Page(caption[0].html).text == picture.caption
    assert caption[0].html.startswith("<figure ") and 'aria-label="The picture above, in words"' in caption[0].html
    assert b"matplotlib" not in picture.png.lower()


def test_importing_loads_only_what_is_used():
    code = (
        "import sys, bpe_core; assert not any('views' in m for m in sys.modules); "
        "from bpe_core.views import chips, compare, merge_tree, merge_explorer; "
        "heavy = {'matplotlib', 'ipywidgets', 'pandas', 'IPython', 'numpy'} & set(sys.modules); "
        "assert not heavy, heavy; assert callable(chips); "
        "from bpe_core.views import tie_rules, Picture; assert 'matplotlib.pyplot' not in sys.modules; "
        "from bpe_core import views; [getattr(views, name) for name in views.__all__]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_show_is_plain_text():
    assert show(b"\xf0\x9f\x99") == "<F0 9F 99>"
    assert show("a b") == "a·b"


# Texts in their direction


def test_what_is_typed_turns_no_number_around():
    view = views.cost_calculator("pay 10\u202e abc", others=["hy"])
    assert "<bdi>pay 10⟨202E⟩ abc</bdi> · 11 characters" in view.html and "⟨202E⟩" in view.text
    assert ">b ⟨202E⟩</td>" in views.pair_counter("b\u202e").html


@pytest.mark.parametrize(
    "draw",
    [
        lambda text: chips(WORDS, text),
        lambda text: views.token_rows({"x": BYTES}, text),
        lambda text: views.utf8_bytes(text),
        lambda text: views.pattern_rows(text),
        lambda text: views.staircase(WORDS, text),
        lambda text: merge_tree(WordBPE.train({text: 3}, 9), text + "</w>"),
        lambda text: views.two_ways(WordBPE.train(TOY, 8), text),
    ],
)
def test_every_view_of_a_text_runs_in_its_direction(draw):
    assert 'dir="rtl"' in draw("سلام").html and 'dir="rtl"' not in draw("low").html


def test_words_or_parts_count_the_special_tokens():
    with pytest.raises(ValueError, match="from 257, the bytes and special tokens, to 261"):
        views.words_or_parts(
            "low", str.split, {"low": 1}, ByteBPE.train("low low", 262, special_tokens=["<s>"]), sizes=[256]
        )
