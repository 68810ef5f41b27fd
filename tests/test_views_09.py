"""Views of notebook 09: tokens under letters, digits in columns, indentation, healing, the map of numbers."""

import pytest

from bpe_core import ByteBPE, load
from bpe_core.views import digit_cuts, digit_map, healing, indentation, token_rows
from bpe_core.views.breaks import MAX_BYTES, MAX_LINES, MAX_NUMBERS
from bpe_core.views.number_map import COLORS, cut_like

FOUR = {name: load(name.lower()) for name in ("GPT-2", "GPT-4", "GPT-4o", "Qwen2.5")}
BYTES = {"bytes": ByteBPE.train("", 256)}


def test_token_rows_of_strawberry():
    view = token_rows(FOUR, "strawberry", mark="r", shared=True)
    assert view.data["tokens"]["GPT-4"] == [(496, "str", 3), (675, "aw", 2), (15717, "berry", 5)]
    assert [token for _, token, _ in view.data["tokens"]["GPT-4o"]] == ["st", "raw", "berry"]
    assert view.data["shared"] == [5, 10]
    assert view.text.splitlines()[0] == "text    s t [r] a w b e [r] [r] y"
    assert view.text.splitlines()[-1] == "shared  straw|berry"
    assert view.html.count("underline") == 3  # each r is marked by more than its color
    with_space = token_rows(FOUR, " strawberry")
    assert all(len(tokens) == 1 for tokens in with_space.data["tokens"].values())


def test_token_rows_span_bytes():
    view = token_rows({"GPT-4": FOUR["GPT-4"]}, "<é👋&", shared=True)
    sizes = [size for _, _, size in view.data["tokens"]["GPT-4"]]
    assert sum(sizes) == len("<é👋&".encode())
    assert 'colspan="4"' in view.html  # the hand has four bytes
    empty = token_rows(FOUR, "")
    assert empty.data["shared"] == []


def test_token_rows_refuse_what_would_not_fit():
    with pytest.raises(ValueError, match="65 bytes"):
        token_rows(BYTES, "x" * (MAX_BYTES + 1))
    with pytest.raises(ValueError, match=r"Qwen2.5 changes this text .*NFC"):
        token_rows(FOUR, "cafe\u0301")


def test_digit_cuts():
    view = digit_cuts(FOUR, [1000, 1001, "12345678"], before=" ")
    assert view.data["GPT-2"] == {"1000": ["1000"], "1001": ["100", "1"], "12345678": ["123", "45", "678"]}
    assert view.data["GPT-4"] == view.data["GPT-4o"]
    assert view.data["GPT-4"]["12345678"] == ["123", "456", "78"]
    assert view.data["Qwen2.5"]["1001"] == list("1001")
    assert digit_cuts(FOUR, [1001]).data["GPT-2"]["1001"] == ["1001"]  # without the space
    for row in view.html.split("<tbody>")[1].split("</tr>")[:-1]:
        assert row.count("<td") == 4 * 9  # right-aligned: all rows have as many cells
    assert "100|1" in view.text


def test_the_text_before_a_number_may_share_its_token():
    joined = ByteBPE.train("a12 a12", 258)
    assert joined.tokens("a12") == [b"a12"]
    assert digit_cuts({"x": joined}, [12], before="a").data == {"x": {"12": ["12"]}}


@pytest.mark.parametrize("number", ["", "abc", "-5", "1 000", "<b>", "١٢٣", "²", ",5", "1e5", "9" * 25])
def test_digit_cuts_refuse_what_is_no_number(number):
    with pytest.raises(ValueError, match=r"no number|25 digits"):
        digit_cuts(BYTES, [number])


@pytest.mark.parametrize("amount", [0, MAX_NUMBERS + 1])
def test_digit_cuts_need_some_numbers_and_not_too_many(amount):
    with pytest.raises(ValueError, match="1 to 12 numbers"):
        digit_cuts(BYTES, range(amount))


def test_indentation():
    code = "if a:\n        b = '<i>'\n\n\tc\n"
    view = indentation({name: FOUR[name] for name in ("GPT-2", "GPT-4")}, code, title="<t>")
    old, new = view.data["GPT-2"], view.data["GPT-4"]
    assert [len(part["lines"]) for part in (old, new)] == [4, 4]
    assert old["lines"][1][:8] == [b" "] * 7 + [b" b"] and new["lines"][1][:2] == [b" " * 7, b" b"]
    assert old["lines"][2] == new["lines"][2] == []
    assert new["lines"][3] in ([b"\t", b"c"], [b"\tc"])
    for name, part in view.data.items():
        tokens = FOUR[name].tokens(code)
        assert part["tokens"] == len(tokens) and part["white space"] == sum(not t.strip() for t in tokens)
        drawn = b"\n".join(b"".join(line) for line in part["lines"])
        assert drawn == code.rstrip("\n").encode()
    with pytest.raises(ValueError, match="31 lines"):
        indentation(BYTES, "x\n" * (MAX_LINES + 1))


def test_a_token_across_a_line_end_is_drawn_in_both_lines():
    glued = ByteBPE.train("a\n  b", 259)
    assert b"\n" in b"".join(glued.tokens("a\n  b"))
    lines = indentation({"x": glued}, "a\n  b").data["x"]["lines"]
    assert b"\n".join(b"".join(line) for line in lines) == b"a\n  b"


def test_healing():
    view = healing(FOUR["GPT-2"], "I live in New Yor", most=3)
    gpt2 = FOUR["GPT-2"]
    assert gpt2.decode(view.data["kept"]) == "I live in New"
    assert gpt2.decode([view.data["last"]]) == " Yor"
    assert {gpt2.decode([i]) for i in view.data["candidates"]} >= {" Yor", " York", " Yorkshire"}
    assert view.data["candidates"] == sorted(view.data["candidates"])
    assert "3 of 5 tokens that begin so" in view.text
    half = healing(FOUR["GPT-4"], "👋")  # the last token is part of a character
    assert all(FOUR["GPT-4"].vocab[i].startswith(b"\x8b") for i in half.data["candidates"])
    with pytest.raises(ValueError, match="empty"):
        healing(gpt2, "")


def test_digit_map():
    picture = digit_map({name: FOUR[name] for name in ("GPT-2", "GPT-4", "Qwen2.5")})
    assert picture.data["GPT-4"]["cuts"] == {(3, 1): 9000}
    assert picture.data["Qwen2.5"]["cuts"] == {(1, 1, 1, 1): 9000}
    old = picture.data["GPT-2"]
    assert sum(old["cuts"].values()) == 9000 and set(old["cuts"]) <= set(COLORS)
    assert old["map"][0][:2] == [(4,), (4,)] and old["map"][10][0] == (4,)  # 1000, 1001, 2000
    assert old["cuts"][4,] == sum(cut == (4,) for row in old["map"] for cut in row)
    assert "GPT-4: 9,000 as 123|4." in picture.caption
    assert picture.png.startswith(b"\x89PNG")
    assert cut_like((1, 2, 1)) == "1|23|4"
    one = digit_map({"GPT-2": FOUR["GPT-2"]}, title="One")
    assert list(one.data) == ["GPT-2"]
