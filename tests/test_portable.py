"""Patterns that three engines read alike: what is accepted cuts alike, what is not is named."""

import base64
import json
import re
import unicodedata

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Regex, pre_tokenizers

from bpe_core import ByteBPE, load_huggingface, load_tiktoken, save_huggingface, to_tiktoken
from bpe_core.patterns import PATTERNS, compile_pattern, pattern_regex, split
from bpe_core.portable import CATEGORIES, SCRIPTS, translate

BYTES = {bytes([byte]): byte for byte in range(256)}
ENGINES = ("tiktoken", "Hugging Face")


def pieces_by_tiktoken(tokenizer, text):
    """Every part of the text gets an id, so that each id is a piece."""
    parts = {text[i:j].encode() for i in range(len(text)) for j in range(i + 1, len(text) + 1)}
    ranks = BYTES | {part: 256 + i for i, part in enumerate(sorted(parts - BYTES.keys()))}
    encoding = to_tiktoken(ByteBPE.from_ranks(ranks, pattern=tokenizer.pattern))
    return [token.decode() for token in encoding.decode_tokens_bytes(encoding.encode_ordinary(text))]


def pieces_by_huggingface(expression, text):
    return [piece for piece, _ in pre_tokenizers.Split(Regex(expression), "isolated").pre_tokenize_str(text)]


def assert_cut_alike(pattern, text):
    """Compare the pieces of a pattern; one that is refused only for Hugging Face is compared with tiktoken."""
    tokenizer = ByteBPE.from_ranks(BYTES, pattern=pattern)
    expected = split(text, pattern)
    assert pieces_by_tiktoken(tokenizer, text) == expected
    try:
        theirs = translate(pattern_regex(pattern), "Hugging Face")
    except ValueError:
        return
    if r"\z" not in pattern:  # newer releases of regex know it too
        assert translate(theirs, "Hugging Face", reading=True) == pattern_regex(pattern)
    assert pieces_by_huggingface(theirs, text) == expected


# What is accepted

SPACES = r"\s+(?!\S)|\s+"
QWEN = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|" + SPACES
O200K = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"
    r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|" + SPACES
)
IN_THE_WILD = {
    "GPT-2": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|" + SPACES,
    "GPT-2 in tiktoken": r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s",
    "GPT-4, Llama 3": QWEN.replace(r"\p{N}|", r"\p{N}{1,3}|"),
    "GPT-4o": O200K,
    "Mistral's Tekken": O200K.replace("(?i:'s|'t|'re|'ve|'m|'ll|'d)?", "").replace("{1,3}", ""),
    "Qwen2.5": QWEN,
    "Qwen3.5": QWEN.replace(r"?\p{L}+", r"?[\p{L}\p{M}]+").replace(r"[^\s\p{L}\p{N}]", r"[^\s\p{L}\p{M}\p{N}]"),
    "DeepSeek-V3": (
        r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| "
        r"?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|" + SPACES
    ),
    "DeepSeek-V3, CJK": "[一-龥\u3040-ゟ゠-ヿ]+",
    "DeepSeek, letters": r"\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓΆΈ-Ίա-ևᲐ-Ჺἐ-ἕ]+",
    "DeepSeek, punctuation": "\\s?[!-/:-~！-／：-～‘-‟\u3000-。]+",
    "Falcon": "[0-9][0-9][0-9]",
    "StarCoder": r"\p{N}",
    "Granite": r"\p{N}{1,3}",
}
# As tiktoken writes it: {1,3}+ takes and never gives back there and here, but repeats in Hugging Face.
GPT4_IN_TIKTOKEN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|"
    r"\s+(?!\S)|\s"
)
TEXT = "It's 12345 ſT'LL DON'ſ x٣½²!?/\n\n  été e\u0301 東京。ひらカ $5 \t\r\n a_b-c\u200d \u3000 «’s» 🙂\n "


@pytest.mark.parametrize("pattern", [*PATTERNS, *IN_THE_WILD.values(), GPT4_IN_TIKTOKEN])
def test_published_patterns_pass_and_cut_alike(pattern):
    assert_cut_alike(pattern, TEXT[:40])
    assert_cut_alike(pattern, TEXT[40:])
    for engine in ENGINES if pattern != GPT4_IN_TIKTOKEN else ENGINES[:1]:
        theirs = translate(pattern_regex(pattern), engine)
        assert translate(theirs, engine, reading=True) == pattern_regex(pattern)


# All characters; of the long rows of like ones (CJK, private, unassigned), each fiftieth.
CHARACTERS = "".join(
    chr(code)
    for code in [*range(0xD800), *range(0xE000, 0x110000)]
    if code < 0x3400 or code % 50 == 0 or unicodedata.category(chr(code)) not in ("Lo", "Co", "Cn")
)


def characters_of(expression, text):
    """The characters that an expression for one character matches, for each of the three engines."""
    here = "".join(compile_pattern(expression).findall(text))
    encoding = tiktoken.Encoding("x", pat_str=expression, mergeable_ranks=BYTES, special_tokens={})
    rest = pre_tokenizers.Split(Regex(expression), "removed").pre_tokenize_str(text)
    return set(here), set(bytes(encoding.encode_ordinary(text)).decode()), set(text) - set("".join(p for p, _ in rest))


@pytest.fixture(scope="module")
def known():
    """The characters that no engine takes for unassigned."""
    unassigned = set.union(*characters_of(r"\p{Cn}", CHARACTERS))
    return "".join(character for character in CHARACTERS if character not in unassigned)


def every_category():
    for choice in CATEGORIES.split("|"):
        first, _, others = choice.rstrip("]?").partition("[")
        yield from ([first] if choice.endswith("?") else []) + [first + other for other in others]


def test_sets_of_characters_agree_over_all_known_characters(known):
    sets = [rf"\p{{{name}}}" for name in [*every_category(), *SCRIPTS]]
    assert len(sets) > 70
    for expression in [*sets, r"\s", r"\d", r"\S", r"\D", ".", r"\P{L}", "(?i:k)", "(?i:[s])", "(?i:[sk])"]:
        here, tiktokens, huggingfaces = characters_of(expression, known)
        # Releases of Unicode differ on U+0295: a lower-case letter, or one without case.
        assert here ^ tiktokens <= {"\u0295"} and here ^ huggingfaces <= {"\u0295"}, expression
        translate(expression, "Hugging Face")


def test_escaped_characters_agree():
    for code in range(128):
        for expression in (f"\\{chr(code)}", f"[\\{chr(code)}]", f"\\x{code:02X}", f"\\u{code:04x}", f"[{chr(code)}]"):
            try:
                theirs = translate(expression, "Hugging Face")
            except ValueError:
                continue
            here, tiktokens, huggingfaces = characters_of(theirs, CHARACTERS[:0x300])
            assert here == tiktokens == huggingfaces, expression


letters = st.sampled_from("aAbtTsSfFlikKſé5 _'.-&\n\r½東")
characters = st.one_of(
    letters.map(re.escape).map(lambda text: text.replace("\\\n", "\n").replace("\\\r", "\r")),
    st.sampled_from([r"\s", r"\S", r"\d", r"\p{L}", r"\P{N}", r"\p{Lu}", r"\p{Han}", r"\n", r"\u00e9", r"\x41", "."]),
    st.builds(
        lambda negated, items, dash: f"[{negated}{''.join(items)}{dash}]",
        st.sampled_from(["", "^"]),
        st.lists(st.sampled_from(["a", "b", "a-f", r"\s", r"\p{L}", r"\p{N}", "'", "^", "&", r"\]", "\n"]), min_size=1),
        st.sampled_from(["", "-"]),
    ),
    st.sampled_from(["(?i:s)", "(?i:'s|'t|k)", "(?i:[st]f)"]),
)
quantifiers = st.sampled_from(
    ["", "", "+", "*", "?", "+?", "*?", "??", "++", "*+", "?+", "{2}", "{1,2}", "{1,}", "{1,2}?"]
)
quantified = st.builds("{}{}".format, characters, quantifiers)
ends = st.sampled_from([r"(?!\S)", "(?=a)", r"(?![\s'])", r"\Z", ""])


def larger(parts):
    groups = st.builds("{}{}){}".format, st.sampled_from(["(?:", "(", "(?>"]), parts, quantifiers)
    sequences = st.lists(parts | groups, min_size=1, max_size=3).map("".join)
    return st.builds("{}{}".format, sequences, ends) | st.lists(sequences, min_size=2, max_size=3).map("|".join)


allowed = st.recursive(quantified, larger, max_leaves=6)
texts = st.text(alphabet="aAbtTsSﬆßfFlikKſé5 _'.-&\n\r½東", max_size=10)
# Pieces of syntax in any order: most are no pattern, and some that are one look like another.
hostile = st.lists(
    st.sampled_from(
        r"a b [ ] [^ ( ) (?: (?i: (?i) (?m) (?= (?! (?<= (?> (?# \s \w \b \N \K \h \pL \p{L} \Z \z $ ^ | & && -- ~~ || - ~ "
        r"[: :] alpha { } {2} {1,2} {,2} + * ? ++ , \\ \[ \] \< \x41 \x80 \u0041 \1 \A \G \R \X . s ss f i k".split()
    ),
    min_size=1,
    max_size=8,
).map("".join)


@settings(max_examples=600)
@given(pattern=allowed | hostile, text=texts)
def test_what_is_accepted_is_cut_alike(pattern, text):
    try:
        compile_pattern(pattern)
        translate(pattern, "tiktoken")
    except (ValueError, FutureWarning):
        return
    if re.fullmatch("[A-Za-z0-9_-]+", pattern):
        return  # taken for the name of a pattern
    assert_cut_alike(pattern, text)


# What is refused

REFUSED = [
    (r"\p{Han}+|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}&&[^\p{Han}]]+|\p{N}{1,3}|\s+", "'&&' at character 39: a set operation"),
    (r"[[a-z]--[b]]", r"'\[' at character 2: a class inside a class"),
    (r" ?[^(\s|[.,!?…。，、।۔،])]+", r"'\[' at character 9: a class inside a class"),  # BLOOM
    (r"[^\s--a]", "'--' at character 5"),
    (r"[a~~b]", "'~~'"),
    (r"[a||b]", r"'\|\|'"),
    (r"(?m).+", r"'\(\?m'.*takes line ends"),
    (r"\w+", r"'\\\\w' at character 1: a joiner is part of a word in tiktoken"),
    (r"a\W", r"'\\\\W' at character 2"),
    (r"\bx", r"'\\\\b'"),
    (r"x\B", r"'\\\\B'"),
    (r"\N", "all but a line end"),
    (r"\pL+", r"'\\\\pL'.*the letter p"),
    (r"[\h]", "a hexadecimal digit"),
    (r"\h+", "a hexadecimal digit"),
    (r"[[:alnum:]]+", "'.:alnum:.' at character 2: a POSIX class"),
    (r"[[:cntrl:]]", "a POSIX class"),
    (r"(?i)straße", r"'\(\?i\)'"),
    (r"(?i:ß)", "ss is also ß"),
    (r"(?i:İ|i)", "i is also İ"),
    (r"(?i:ss|st)", "ss is also ß"),
    (r"a\Kb", "tiktoken fails"),
    (r"^a", "the start of a line"),
    (r"a+$", "the end of a line"),
    (r"(?<=a)b", r"'\(\?<=a\)' at character 1, which is not among"),
    (r"(?P<n>a)", "not among"),
    (r"\p{Script=Han}", r"'\\\\p{Script=Han}'"),
    (r"\<a", "not among"),
    (r"\xe9", "not among"),
    (r"(?i:s)|[^ab]", r"'\[.' at character 8, a set that shuts out letters"),  # finds no A here
    (r"(?i:'s)|\P{Lu}", "a set that shuts out letters"),
    (r"x*", "can match nothing"),
    (r"a|", "can match nothing"),
    (r"(?:a?|b*)(?!c)", "can match nothing"),
    (r"(?=\$)", "can match nothing"),
]


@pytest.mark.parametrize(("pattern", "message"), REFUSED)
@pytest.mark.filterwarnings("ignore:Possible:FutureWarning")
def test_w3_patterns_are_refused_by_name_in_both_directions(tmp_path, pattern, message):
    (tmp_path / "t.tiktoken").write_bytes(
        b"".join(b"%s %d\n" % (base64.b64encode(byte), rank) for byte, rank in BYTES.items())
    )
    with pytest.raises(ValueError, match=message):
        load_tiktoken(tmp_path / "t.tiktoken", pattern=pattern)
    save_huggingface(ByteBPE.train("a", 256, pattern="gpt2"), tmp_path / "h.json")
    content = json.loads((tmp_path / "h.json").read_text(encoding="utf-8"))
    content["pre_tokenizer"]["pretokenizers"][0]["pattern"] = {"Regex": pattern}
    (tmp_path / "h.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ValueError, match=message) as error:
        load_huggingface(tmp_path / "h.json")
    assert "h.json" in str(error.value)
    try:
        tokenizer = ByteBPE.train("a", 256, pattern=pattern)
    except ValueError:
        return  # no pattern here, so there is nothing to write
    for write in (to_tiktoken, lambda tokenizer: save_huggingface(tokenizer, tmp_path / "out.json")):
        with pytest.raises(ValueError, match=message):
            write(tokenizer)
    assert not (tmp_path / "out.json").exists()


def test_the_end_of_the_text_is_spelled_as_each_engine_spells_it():
    assert translate(r"\s+\Z|\\Z|[a]", "tiktoken") == r"\s+\z|\\Z|[a]"
    assert translate(r"\s+\z|\\z|[a]", "Hugging Face", reading=True) == r"\s+\Z|\\z|[a]"
    with pytest.raises(ValueError, match="the end but for a line end there"):
        translate(r"\s+\Z", "tiktoken", reading=True)


@pytest.mark.parametrize(("pattern", "place"), [(r"\p{N}{1,3}+", 6), ("a{2}?", 2), ("(?:ab){2,}+", 7)])
def test_what_only_huggingface_reads_otherwise_is_for_tiktoken_alone(pattern, place):
    assert translate(pattern, "tiktoken") == translate(pattern, "tiktoken", reading=True) == pattern
    assert_cut_alike(pattern, "aaaaa12345ababab")
    with pytest.raises(ValueError, match=rf"at character {place}: in Hugging Face it repeats instead"):
        translate(pattern, "Hugging Face")


@pytest.mark.parametrize("text", [" ", "$", "a.b", "\n", "[x]", "\t<"])
def test_a_string_to_split_at_is_no_pattern(tmp_path, text):
    save_huggingface(ByteBPE.train("a", 256, pattern="gpt2"), tmp_path / "h.json")
    content = json.loads((tmp_path / "h.json").read_text(encoding="utf-8"))
    content["pre_tokenizer"]["pretokenizers"][0]["pattern"] = {"String": text}
    (tmp_path / "h.json").write_text(json.dumps(content), encoding="utf-8")
    pattern = load_huggingface(tmp_path / "h.json").pattern
    assert split(f"a{text}b", pattern) == ["a", text, "b"]
    assert split("axb", pattern) == ["axb"]
    assert_cut_alike(pattern, f"a{text}{text}b")


@pytest.mark.parametrize("pattern", [r"\w+|\W", r"[\p{L}&&[^\p{Han}]]+|\s+", "x*"])
def test_ranks_take_no_pattern_that_tiktoken_reads_otherwise(pattern):
    with pytest.raises(ValueError, match="pattern"):
        ByteBPE.from_ranks(BYTES, pattern=pattern)
    assert ByteBPE.train("a b", 257, pattern=rf"(?:{pattern})|.").pattern  # what is trained here is read here alone
