"""The pictures of notebook 05, and its reference answers beside the library's."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core import ByteBPE, WordBPE, load, views
from bpe_core.classroom.exercises import find
from bpe_core.exchange import BYTE_TO_CHARACTER, from_printable, to_printable

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
BYTES = ByteBPE.train("", 256)


def tokens_of(text: str, sizes: list[int], drop: int = 0) -> list[bytes]:
    data = text.encode("utf-8")
    data = data[: len(data) - drop]
    tokens = []
    while data:
        size = sizes[len(tokens) % len(sizes)]
        tokens.append(data[:size])
        data = data[size:]
    return tokens


# --- UTF-8 -----------------------------------------------------------------------------------


@given(TEXT)
def test_kinds_of_bytes_say_where_characters_begin(text):
    kinds = [views.kind_of_byte(byte) for byte in text.encode("utf-8")]
    assert sum(kind != "continuation" for kind in kinds) == len(text)
    assert kinds.count("single") == sum(ord(character) < 128 for character in text)
    for _, listed in views.utf8_bytes(text).data:
        assert [kind for _, kind in listed[1:]] == ["continuation"] * (len(listed) - 1)
        if listed[0][1] == "lead":
            assert f"{int(listed[0][0], 16):08b}".index("0") == len(listed)


def test_grid_marks_each_byte_in_color_and_in_bits():
    view = views.utf8_grid({"Latin": "e", "emoji": "👋"})
    assert view.data[1] == (
        "emoji",
        "👋",
        [("F0", "lead"), ("9F", "continuation"), ("91", "continuation"), ("8B", "continuation")],
    )
    row = view.html.split("emoji")[1].split("</tr>")[0]
    assert row.count("dashed") == 3 and "<u><b>11110</b></u>000" in row and row.count("<u><b>10</b></u>") == 3
    assert "U+1F44B" in row and "F0+ 9F 91 8B" in view.text


def test_what_a_reader_types_is_cut():
    view = views.utf8_bytes('<b>&"' + "é" * 100)
    assert "105 characters · 205 bytes · 1.95 bytes per character · first 40 characters shown" in view.text
    assert len(view.data) == 105 and view.html.count("U+") == 0
    assert views.utf8_bytes("").text.strip() == "0 characters · 0 bytes"
    box = views.text_box(views.utf8_bytes, "é")
    assert "lone surrogate" in box.at("\ud83d").text


# --- The cut ---------------------------------------------------------------------------------


@given(TEXT)
def test_a_cut_shows_whole_characters_only(text):
    cut = views.byte_cut(text)
    data = text.encode("utf-8")
    assert [seen["cut"] for seen in cut.data] == list(range(len(data) + 1))
    for seen in cut.data:
        assert text.startswith(seen["shown"])
        held = bytes.fromhex(seen["held"])
        assert seen["shown"].encode() + held == data[: seen["cut"]] and len(held) < 4
        assert seen["decoded"] == seen["shown"] + "\ufffd" * bool(held)
    assert cut.data[-1]["shown"] == text


def test_cut_as_a_table_and_one_by_one():
    cut = views.byte_cut("é👋")
    assert [seen["held"] for seen in cut.data] == ["", "C3", "", "F0", "F0 9F", "F0 9F 91", ""]
    assert cut.html.count("<tr ") == 8 and cut.html.count("dotted") == 6 + 5 + 4 + 3 + 2 + 1
    assert cut.at(5).text.splitlines()[1:] == [
        "decoded at once: 'é\ufffd'",
        "shown by a stream: 'é'",
        "held back: F0 9F 91",
    ]
    for wrong in (-1, 7):
        with pytest.raises(ValueError, match="from 0 to 6"):
            cut.at(wrong)


def test_live_cut_follows_the_slider():
    cut = views.byte_cut("é👋")
    box = cut.live()
    assert box.slider.value == 1 and box.slider.max == 6
    box.slider.value = 4
    assert cut.at(4).html in box.view.value
    assert "Run this cell" in box._repr_mimebundle_()["text/html"]
    assert views.byte_cut("").live().slider.max == 0


# --- The alphabet ----------------------------------------------------------------------------


def test_alphabet():
    view = views.byte_alphabet(load("gpt2").byte_ids)
    assert len(view.data["itself"]) == 188 and len(view.data["moved"]) == 68
    assert view.data["moved"][0x20] == "Ġ" and view.data["moved"][0x0A] == "Ċ"
    assert view.html.count("<td ") == 256 and "byte 20 (32) · U+0120 · id 220" in view.html
    assert "&lt;" in view.html and "&amp;" in view.html and "><</td>" not in view.html
    shown = "".join(line[4:].replace(" ", "") for line in view.text.splitlines()[:16])
    assert shown == "".join(BYTE_TO_CHARACTER[byte] for byte in range(256))


# --- The comparison ----------------------------------------------------------------------------


def test_side_by_side():
    view = views.side_by_side({"<a>": {"x": 1234, "same": True}, "b": {"x": 1.005, "y": "<i>"}})
    assert view.data["b"] == {"x": 1.005, "y": "<i>"}
    assert view.text.splitlines() == ["      <a>    b", "x     1,234  1.00", "same  yes", "y            <i>"]
    assert "<i>" not in view.html and "&lt;a&gt;" in view.html


def test_unknown_shares():
    measured = {
        "Greek": {"marks": (0.9, 4.5), "bytes": (0.0, 8.0)},
        "English": {"marks": (0.0, 1.5), "bytes": (0.0, 1.6)},
        "Tamil": {"marks": (0.5, 6.0), "bytes": (0.0, 18.0)},
    }
    picture = views.unknown_shares(measured)
    assert [language for language, _ in picture.data] == ["English", "Tamil", "Greek"]
    assert "Greek 90.0%, 4.50 / 8.00" in picture.caption


# --- The reference answers beside the library's ----------------------------------------------


@given(TEXT, st.lists(st.integers(1, 4), min_size=1, max_size=5), st.integers(0, 3))
def test_stream_and_decoder(text, sizes, drop):
    tokens = tokens_of(text, sizes, min(drop, max(len(text[-1:].encode()) - 1, 0)))
    stream = find("5.8").reference(tokens)
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    expected = [decoder.decode(token) for token in tokens]
    rest = decoder.decode(b"", final=True)
    assert stream == expected + [rest] * bool(rest)
    whole = find("5.7").reference(tokens)
    assert whole == "".join(stream) == BYTES.decode(list(b"".join(tokens)))


@given(TEXT, st.lists(st.integers(1, 4), min_size=1, max_size=5))
def test_printable(text, sizes):
    tokens = [to_printable(token) for token in tokens_of(text, sizes)]
    assert find("5.6").reference(tokens) == text == from_printable("".join(tokens)).decode()


@given(TEXT)
def test_unknown_characters(text):
    tokenizer = WordBPE.train("low newest", 0, end_of_word=None)
    assert find("5.2").reference(text, set(tokenizer.base)) == tokenizer.encode(text).count(0)
