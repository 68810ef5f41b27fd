"""The published vocabularies: the E, S, D, X and F cases, and id-by-id equality with the libraries."""

import base64
import json

import pytest
import tiktoken
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from bpe_core import (
    ByteBPE,
    load,
    load_huggingface,
    load_tiktoken,
    save,
    save_huggingface,
    save_tiktoken,
    to_tiktoken,
)
from bpe_core.datasets import code_files, data_folder, prose, word_counts
from bpe_core.exchange import (
    BYTE_TO_CHARACTER,
    from_printable,
    load_vocab_and_merges,
    parse_rank_file,
    save_vocab_and_merges,
    to_printable,
)
from bpe_core.pretrained import TOKENIZERS

NAMES = {"r50k_base": "gpt2", "cl100k_base": "cl100k_base", "o200k_base": "o200k_base", "qwen2.5": "qwen2.5"}


@pytest.fixture(scope="session")
def peers(tmp_path_factory):
    """The same vocabularies in tiktoken (with its own patterns) and, for Qwen2.5, in Hugging Face tokenizers."""
    import tiktoken_ext.openai_public as public

    def read(file):
        lines = (data_folder() / "tokenizers" / f"{file}.tiktoken").read_bytes().splitlines()
        return {base64.b64decode(token): int(rank) for token, rank in (line.split() for line in lines)}

    patterns = {"gpt2": public.r50k_pat_str}
    # The functions would download the ranks; only their patterns and special tokens are taken.
    specials = {"gpt2": {"<|endoftext|>": 50256}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(public, "load_tiktoken_bpe", lambda *_, **__: {})
        for name in ("cl100k_base", "o200k_base"):
            published = getattr(public, name)()
            patterns[name], specials[name] = published["pat_str"], published["special_tokens"]
    made = {
        name: tiktoken.Encoding(
            name, pat_str=patterns[name], mergeable_ranks=read(TOKENIZERS[name].file), special_tokens=specials[name]
        )
        for name in patterns
    }
    path = tmp_path_factory.mktemp("qwen") / "tokenizer.json"
    path.write_text(json.dumps(qwen_tokenizer_json(read("qwen2"))), encoding="utf-8")
    made["qwen2.5"] = HuggingFacePeer(Tokenizer.from_file(str(path)))
    return made


class HuggingFacePeer:
    """A Tokenizer with tiktoken's names."""

    def __init__(self, tokenizer):
        self.tokenizer = tokenizer

    def encode_ordinary(self, text):
        return self.tokenizer.encode(text, add_special_tokens=False).ids


def qwen_tokenizer_json(ranks):
    """Qwen2.5's tokenizer.json, written down apart from bpe_core's own export.

    Every way to make a token from two others is listed, by rank: this is how Hugging
    Face's own converter turns ranks into merges, and it uses no code of this project.
    """
    character = BYTE_TO_CHARACTER

    def written(token):
        return "".join(character[byte] for byte in token)

    merges = []
    for token, _ in sorted(ranks.items(), key=lambda item: item[1]):
        splits = [(token[:i], token[i:]) for i in range(1, len(token))]
        known = [(left, right) for left, right in splits if left in ranks and right in ranks]
        known.sort(key=lambda pair: (ranks[pair[0]], ranks[pair[1]]))
        merges += [[written(left), written(right)] for left, right in known]
    pattern = (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
        r"|\s*[\r\n]+|\s+(?!\S)|\s+"
    )
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    # Of its added tokens only those that any text may hold: the others are control tokens, which encode_ordinary passes by.
    words = "fim_prefix fim_middle fim_suffix fim_pad repo_name file_sep".split()
    names = ["<tool_call>", "</tool_call>", *(f"<|{word}|>" for word in words)]
    added = {name: 151657 + i for i, name in enumerate(names)}
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False}
    return {
        "version": "1.0",
        "added_tokens": [{"id": i, "content": name} | flags for name, i in added.items()],
        "normalizer": {"type": "NFC"},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [split, byte_level]},
        "decoder": byte_level,
        "model": {"type": "BPE", "vocab": {written(t): r for t, r in ranks.items()} | added, "merges": merges},
    }


# The E cases


def cases_of(letter):
    from conftest import CASES

    return [name for name in CASES if name.startswith(letter)]


@pytest.mark.parametrize("name", [name for name in cases_of("E") if name not in ("E31", "E34")])
def test_e_cases(cases, name):
    case = cases[name]
    for theirs, ids in case["expected"]["ids"].items():
        if theirs in NAMES:
            tokenizer = load(NAMES[theirs])
            assert tokenizer.encode_ordinary(case["input"]) == ids, theirs
            if tokenizer.normalization is None:
                assert tokenizer.decode(ids) == case["input"]


def test_e31_very_long_runs(cases, peers):
    case = cases["E31"]
    text = "".join(case["input"]["repeat"][:1]) * case["input"]["repeat"][1]
    for theirs, expected in case["expected"].items():
        ids = load(NAMES[theirs]).encode(text)
        assert (len(ids), ids[:3], ids[-3:]) == (expected["count"], expected["first3"], expected["last3"])
    assert load("gpt-4").encode(" " * 1_000_000) == peers["cl100k_base"].encode_ordinary(" " * 1_000_000)
    for length in (1_000, 100_003):
        for run in ("ab" * length, "\n" * length, "=" * length, "é" * length):
            for name in NAMES.values():
                assert load(name).decode(load(name).encode(run)) == run
            if length < 10_000:
                for name in NAMES.values():
                    assert load(name).encode(run) == peers[name].encode_ordinary(run)


def test_e34_lone_surrogates(cases):
    with pytest.raises(ValueError, match="lone surrogate.*index 1"):
        load("gpt-4").encode(cases["E34"]["input"])


# The S, D, X cases on the real vocabularies


@pytest.mark.parametrize("name", [n for n in cases_of("S") if n not in ("S10", "S12", "S14")])
def test_s_cases(cases, name):
    case = cases[name]
    tokenizer = load(NAMES[case["tokenizer"]])
    params = {key: value if value == "all" else set(value) for key, value in case["params"].items()}
    if case["expected"].get("error"):
        with pytest.raises(ValueError, match="special token"):
            tokenizer.encode(case["input"], **params)
    else:
        assert tokenizer.encode(case["input"], **params) == case["expected"]["ids"]


def test_s10_longest_special_first_on_gpt2(cases):
    case = cases["S10"]
    tokenizer = load_tiktoken(
        data_folder() / "tokenizers" / "r50k_base.tiktoken",
        pattern="gpt2",
        special_tokens=case["tokenizer"]["special_tokens"],
    )
    assert tokenizer.encode(case["input"], allowed_special="all") == case["expected"]["ids"]


def test_s12_special_id_taken(cases):
    with pytest.raises(ValueError, match="has the id 100"):
        load_tiktoken(
            data_folder() / "tokenizers" / "r50k_base.tiktoken",
            pattern="gpt2",
            special_tokens=cases["S12"]["special_tokens"],
        )


def test_d_cases(cases):
    with pytest.raises(KeyError, match="100256"):
        load("gpt-4").decode(cases["D01"]["input"])
    for name in ("D03-r50k_base", "D03-cl100k_base"):
        case = cases[name]
        tokenizer, expected = load(NAMES[case["tokenizer"]]), case["expected"]
        assert tokenizer.decode(case["input"]) == expected["whole"]
        assert [tokenizer.decode_bytes([i]).hex() for i in case["input"]] == expected["token_bytes_hex"]
        assert list(tokenizer.decode_stream(case["input"])) == expected["stream_chunks"]
        assert "".join(tokenizer.decode([i]) for i in case["input"]) == expected["wrong_join_of_single_decodes"]
    case = cases["D04"]
    assert load("gpt-4").decode_bytes(case["input"]).hex() == case["expected"]["bytes_hex"]
    assert load("gpt-4").decode(case["input"]) == case["expected"]["text_replace"]
    with pytest.raises(UnicodeDecodeError):
        load("gpt-4").decode(case["input"], errors="strict")
    assert load("gpt2").decode(cases["D06"]["input"]) == cases["D06"]["expected"]["text"]
    with pytest.raises(TypeError):
        load("gpt2").decode(cases["D10"]["input"])


@pytest.mark.parametrize("name", cases_of("X"))
def test_x_cases(cases, name):
    case = cases[name]
    for theirs, ids in case["expected"]["ids"].items():
        assert list(load(NAMES[theirs]).encode_iterable(case["input"], **case["params"])) == ids


# Equality with the libraries

# Characters that this Python knows: the libraries' tables are of other Unicode versions, and
# what one takes for a letter is unassigned in another.
assigned = st.characters(codec="utf-8", exclude_categories=["Cs", "Cn"])
unicode_texts = st.text(assigned, max_size=60) | st.text(
    alphabet="aZé's Ll\n\r\t  1²٣½/_.!？\u3000\u2028\x1c\x85東한กब\u093eǅʰ\u0301ſK🙂\ufeff<|>", max_size=40
)


@pytest.mark.parametrize("name", list(NAMES.values()))
@settings(max_examples=400)
@given(text=unicode_texts)
@example(text="a<|fim_middle|><tool_call>\n</tool_call>")
def test_ids_equal_the_library_on_any_text(peers, name, text):
    assert load(name).encode_ordinary(text) == peers[name].encode_ordinary(text)


def real_texts():
    """Prose, code, country names and words of many languages: more than 1 MB in more than ten scripts."""
    from babel import Locale

    texts = [prose(), *code_files().values()]
    codes = "en es fr de pt ru uk el ar he fa hi bn ta te th my km am ka hy zh ja ko vi tr sw yo fi id".split()
    for code in codes:
        locale = Locale.parse(code)
        texts.append("; ".join(locale.territories.values()) + "\n" + ", ".join(locale.languages.values()))
    for language in "en ru ar fa he hi bn ta ja ko zh el uk ur vi th".split():
        try:
            texts.append(" ".join(word_counts(language, most_frequent=6000)))
        except ValueError:
            continue  # no list of this language is here
    return texts


@pytest.mark.parametrize("name", list(NAMES.values()))
def test_ids_equal_the_library_on_a_megabyte_of_real_text(peers, name):
    texts = real_texts()
    assert sum(len(text.encode()) for text in texts) > 1_000_000
    tokenizer = load(name)
    for text in texts:
        ids = tokenizer.encode_ordinary(text)
        assert ids == peers[name].encode_ordinary(text)
        if tokenizer.normalization is None:
            assert tokenizer.decode(ids) == text


@pytest.mark.parametrize("name", list(NAMES.values()))
@given(places=st.lists(st.integers(0, 3000), max_size=8), data=st.data())
def test_text_in_parts_gives_the_same_ids(name, places, data):
    import bpe_core.streaming as module

    text = data.draw(st.sampled_from([prose("talk")[:3000], code_files()["matrix.js"][:2500], "a\n\n b 1234  \n" * 99]))
    tokenizer = load(name)
    cuts = sorted({min(place, len(text)) for place in places})
    parts = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)])]
    old, module.BLOCK = module.BLOCK, 64
    try:
        assert list(tokenizer.encode_iterable(parts)) == tokenizer.encode(text)
    finally:
        module.BLOCK = old


@pytest.mark.parametrize("name", list(NAMES.values()))
@given(text=unicode_texts)
def test_a_stream_never_shows_half_a_character(name, text):
    tokenizer = load(name)
    ids = tokenizer.encode_ordinary(text)
    parts = list(tokenizer.decode_stream(ids))
    assert "".join(parts) == tokenizer.decode(ids)
    assert "\ufffd" not in "".join(parts) or "\ufffd" in text


# Loading


def test_names_and_aliases():
    assert load("GPT-4") is load("cl100k_base") is load("cl100k")
    assert load("r50k_base") is load("GPT-2") and load("o200k") is load("gpt-4o") and load("qwen2") is load("qwen2.5")
    with pytest.raises(FileNotFoundError, match="gpt2 .*cl100k_base .*o200k_base .*qwen2.5"):
        load("gpt-9")


def test_vocabulary_sizes():
    assert [load(name).vocab_size for name in TOKENIZERS] == [50_257, 100_261, 200_000, 151_665]


def test_a_changed_file_is_refused(monkeypatch, tmp_path):
    import shutil

    import bpe_core.pretrained as module

    shutil.copytree(data_folder() / "tokenizers", tmp_path / "tokenizers")
    path = tmp_path / "tokenizers" / "r50k_base.tiktoken"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n", 1))
    monkeypatch.setenv("BPE_COURSE_DATA", str(tmp_path))
    module._read.cache_clear()
    try:
        with pytest.raises(ValueError, match="r50k_base.tiktoken: the SHA-256 is"):
            load("gpt2")
    finally:
        module._read.cache_clear()


GOOD = [base64.b64encode(bytes([i])) + b" %d" % i for i in range(256)] + [base64.b64encode(b"ab") + b" 256"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ((3, b"Aw= 3"), "line 4: b'Aw= 3' is not a token in base64"),
        ((3, b"@@@@ 3"), "line 4"),
        ((3, b"Aw=="), "line 4"),
        ((3, b"Aw== x"), "line 4"),
        ((3, b"Aw== 3 3"), "line 4"),
        ((3, b""), "line 4"),
        ((3, b"Ag== 3"), "line 4: the token b'\\\\x02' stands there twice"),
        ((3, b"Aw== 2"), "line 4: the rank 2 stands there twice"),
        ((256, base64.b64encode(b"ab") + b" 300"), "the rank 256 is missing"),
        ((3, base64.b64encode(b"xyz") + b" 3"), "the byte 0x03 is missing"),
        ((256, base64.b64encode(b"ab") + b" -1"), "is missing"),
    ],
)
def test_damaged_rank_files_are_named(tmp_path, change, message):
    lines = list(GOOD)
    lines[change[0]] = change[1]
    path = tmp_path / "bad.tiktoken"
    path.write_bytes(b"\n".join(lines) + b"\n")
    with pytest.raises(ValueError, match=message) as error:
        load_tiktoken(path, pattern=None)
    assert "bad.tiktoken" in str(error.value)


def test_rank_files_that_are_too_long_are_not_read(monkeypatch):
    import bpe_core.exchange as module

    monkeypatch.setattr(module, "MAX_ENTRIES", 100)
    with pytest.raises(ValueError, match="257 lines"):
        parse_rank_file(b"\n".join(GOOD), "x")


# Export and import


def trained_tokenizers():
    text = prose("news") + "\n\n  été 東京 🙂 ab  \n"
    for pattern in (None, "gpt2", "cl100k", "o200k", "qwen2", r"\p{L}+|\p{N}+|[^\s\p{L}\p{N}]+"):
        for specials in ([], ["<|endoftext|>", "<|endoftext|><|x|>", "</s>"]):
            yield ByteBPE.train(text, 600, pattern=pattern, special_tokens=specials)


SAMPLES = [
    "",
    "The council met; it wasn't late.\n\n  1234567 été 東京 🙂🙂  ",
    "a<|endoftext|><|x|>b </s>\t\r\n x",
    "\x00\x1c\u2028\u3000'S don't ĠĊ",
]


@pytest.mark.parametrize("tokenizer", list(trained_tokenizers()), ids=repr)
def test_both_libraries_open_what_was_trained(tokenizer, tmp_path):
    encoding = to_tiktoken(tokenizer)
    path = tmp_path / "tokenizer.json"
    save_huggingface(tokenizer, path)
    theirs = Tokenizer.from_file(str(path))
    again = load_huggingface(path)
    for text in [*SAMPLES, prose("letters")]:
        ids = tokenizer.encode(text, allowed_special="all")
        assert encoding.encode(text, allowed_special="all") == ids
        assert theirs.encode(text, add_special_tokens=False).ids == ids
        assert again.encode(text, allowed_special="all") == ids
        assert theirs.decode(ids, skip_special_tokens=False) == encoding.decode(ids) == text
    assert again.merges == tokenizer.merges and again.special_tokens == tokenizer.special_tokens


@pytest.mark.parametrize("name", list(NAMES.values()))
def test_published_vocabularies_come_back_from_export(name, tmp_path, peers):
    tokenizer = load(name)
    path = tmp_path / "tokenizer.json"
    save_huggingface(tokenizer, path)
    theirs = Tokenizer.from_file(str(path))
    again = load_huggingface(path)
    for text in [*SAMPLES, prose("story"), code_files()["queue.c"]]:
        ids = tokenizer.encode(text, allowed_special="all")
        assert theirs.encode(text, add_special_tokens=False).ids == ids
        assert again.encode(text, allowed_special="all") == ids


def test_rank_files_and_gpt2_files_come_back(tmp_path):
    tokenizer = ByteBPE.train(prose("news"), 700, pattern="cl100k", special_tokens=["<s>"])
    save_tiktoken(tokenizer, tmp_path / "t.tiktoken")
    again = load_tiktoken(tmp_path / "t.tiktoken", pattern="cl100k", special_tokens=tokenizer.special_tokens)
    assert again.encode(prose("talk")) == tokenizer.encode(prose("talk"))
    assert again.merges == tokenizer.merges
    save_vocab_and_merges(tokenizer, tmp_path / "vocab.json", tmp_path / "merges.txt")
    again = load_vocab_and_merges(
        tmp_path / "vocab.json", tmp_path / "merges.txt", pattern="cl100k", special_tokens=tokenizer.special_tokens
    )
    assert again.encode(prose("talk")) == tokenizer.encode(prose("talk"))
    path = tmp_path / "own.json"
    save(load("gpt2"), path)
    assert load(path).encode(prose("talk")) == load("gpt2").encode(prose("talk"))


def test_e26_merges_that_look_like_comments(tmp_path):
    tokenizer = ByteBPE.train("## # #### #$ ######## #$" * 20, 262)
    assert any(left == 35 for left, _ in tokenizer.merges)
    save_vocab_and_merges(tokenizer, tmp_path / "v.json", tmp_path / "m.txt")
    assert load_vocab_and_merges(tmp_path / "v.json", tmp_path / "m.txt", pattern=None).merges == tokenizer.merges
    (tmp_path / "m.txt").write_text("#version: 0.2\n# #\n#\n", encoding="utf-8")
    with pytest.raises(ValueError, match="m.txt, line 3: '#' is no merge"):
        load_vocab_and_merges(tmp_path / "v.json", tmp_path / "m.txt", pattern=None)
    (tmp_path / "m.txt").write_text("#version: 0.2\nq z\n", encoding="utf-8")
    with pytest.raises(ValueError, match="merge number 0, b.q. . b.z.: b.qz. is not in the vocabulary"):
        load_vocab_and_merges(tmp_path / "v.json", tmp_path / "m.txt", pattern=None)


def test_f01_merges_from_ranks(cases):
    merges = load("gpt2").merges
    vocab = load("gpt2").vocab
    assert len(merges) == cases["F01"]["expected"]["n"]
    parts = {vocab[new].hex(): [vocab[left].hex(), vocab[right].hex()] for (left, right), new in merges.items()}
    for token, pair in cases["F01"]["expected"]["examples_hex"].items():
        assert parts[token] == pair


def test_f02_special_tokens_are_no_merges(tmp_path):
    tokenizer = ByteBPE.train("abab", 259, special_tokens=["<s>"])
    save_huggingface(tokenizer, tmp_path / "t.json")
    content = json.loads((tmp_path / "t.json").read_text(encoding="utf-8"))
    assert not any("<s>" in pair for pair in content["model"]["merges"])
    assert [token["content"] for token in content["added_tokens"]] == ["<s>"]


def f04(merges):
    return {
        "version": "1.0",
        "model": {"type": "BPE", "vocab": {"a": 0, " ": 1, "b": 2, "a ": 3, "a b": 4}, "merges": merges},
    }


def test_f04_tokens_with_spaces(cases, tmp_path):
    path = tmp_path / "t.json"
    path.write_text(json.dumps(f04(cases["F04"]["input"]["merges"])), encoding="utf-8")
    assert load_huggingface(path).encode(cases["F04"]["input"]["text"]) == cases["F04"]["expected"]["ids"]
    path.write_text(json.dumps(f04(["a  ", "a  b"])), encoding="utf-8")
    with pytest.raises(ValueError, match=r"model.merges\[0\]"):
        load_huggingface(path)


def test_printable_bytes():
    assert to_printable(b" \n\x00\xadA") == "ĠĊĀŃA"
    assert len(set(BYTE_TO_CHARACTER.values())) == 256
    for byte in range(256):
        assert from_printable(to_printable(bytes([byte]))) == bytes([byte])
    with pytest.raises(ValueError, match="stands for no byte"):
        from_printable("東")


def put(path, value):
    """Make a function that sets one field, named by its path, of a tokenizer.json."""

    def change(content):
        *folders, last = path
        for folder in folders:
            content = content[folder]
        content[last] = value

    return change


SPLIT = ("pre_tokenizer", "pretokenizers", 0)
REFUSED = [
    (put(["model", "type"], "WordPiece"), "'model.type' is 'WordPiece'"),
    (put(["model", "type"], "Unigram"), "only BPE"),
    (put(["model", "dropout"], 0.1), "model.dropout"),
    (put(["model", "byte_fallback"], True), "model.byte_fallback"),
    (put(["model", "end_of_word_suffix"], "</w>"), "model.end_of_word_suffix"),
    (put(["model", "continuing_subword_prefix"], "##"), "model.continuing_subword_prefix"),
    (put(["model", "unk_token"], "<unk>"), "model.unk_token"),
    (put(["model", "vocab"], []), "model.vocab"),
    (put(["model", "vocab", "東"], 9999), "stands for no byte"),
    (put(["model", "vocab", "zzzz"], 5), "which is also the id of"),
    (put(["model", "vocab", "zzzz"], "5"), "whole number"),
    (put(["model", "merges"], None), "model.merges"),
    (put(["model", "merges", 0], ["q", "zzz"]), "is not in the vocabulary"),
    (put(["model", "merges", 0], ["q"]), r"model.merges\[0\]"),
    (put(["model", "merges", 1], "a b c"), r"model.merges\[1\]"),
    (put(["truncation"], {"max_length": 5}), "truncation"),
    (put(["padding"], {"strategy": "x"}), "padding"),
    (put(["post_processor"], {"type": "TemplateProcessing"}), "TemplateProcessing"),
    (put(["decoder"], {"type": "WordPiece"}), "decoder"),
    (put(["normalizer"], {"type": "Lowercase"}), "Lowercase"),
    (put(["pre_tokenizer"], {"type": "Metaspace"}), "Metaspace"),
    (put(["pre_tokenizer"], {"type": "ByteLevel", "add_prefix_space": True}), "add_prefix_space"),
    (put([*SPLIT, "behavior"], "Removed"), "only Isolated"),
    (put([*SPLIT, "invert"], True), "invert"),
    (put([*SPLIT, "pattern"], {"Regex": r"\s+$"}), "the end of a line"),
    (put([*SPLIT, "pattern"], {"Regex": r"\p{N}{1,3}+"}), "repeats instead"),
    (put([*SPLIT, "pattern"], {"Regex": "["}), "no valid regular expression"),
    (put([*SPLIT, "pattern"], {}), "neither Regex nor String"),
    (put(["added_tokens"], 5), "'added_tokens' is a int"),
    (put(["pre_tokenizer", "pretokenizers"], None), "pretokenizers"),
    (put(["pre_tokenizer", "type"], 5), "asks for 5"),
    (put(["normalizer"], {"type": "Sequence", "normalizers": 3}), "normalizers"),
    (put(["added_tokens", 0, "lstrip"], True), r"added_tokens\[0\].lstrip"),
    (put(["added_tokens", 0, "id"], None), r"added_tokens\[0\]"),
    (put(["added_tokens", 0, "special"], None), r"added_tokens\[0\]' holds no content, id and special"),
    (put(["decoder"], {"type": "Sequence", "decoders": [{"type": "ByteLevel"}, {"type": "Strip"}]}), "Strip"),
    (put(["added_tokens", 0, "id"], 5), "and 5 among the added tokens"),
    (lambda content: content.pop("model"), "'model' is missing"),
    (lambda content: content["added_tokens"].append(content["added_tokens"][0]), "a second time"),
    (lambda content: content["model"]["merges"].append(content["model"]["merges"][0]), "a second time"),
]


@pytest.mark.parametrize(("change", "message"), REFUSED)
def test_what_cannot_be_honored_is_refused_by_name(tmp_path, change, message):
    path = tmp_path / "refused.json"
    save_huggingface(ByteBPE.train("low lower lowest", 262, pattern="gpt2", special_tokens=["<s>"]), path)
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ValueError, match=message) as error:
        load_huggingface(path)
    assert "refused.json" in str(error.value)


def test_truncated_files(tmp_path):
    path = tmp_path / "cut.json"
    save_huggingface(ByteBPE.train("low lower lowest", 262), path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(ValueError, match="cut.json: no JSON in UTF-8, or cut short: .* line 1"):
        load_huggingface(path)


def added(i, content, **flags):
    return {"id": i, "content": content, **dict.fromkeys(("single_word", "lstrip", "rstrip"), False), **flags}


ORDINARY = {"special": False, "normalized": False}
CONTROL = {"special": True, "normalized": False}


def file_with(tmp_path, *tokens):
    """A tokenizer.json as others write it: the bytes, one merge, and these added tokens."""
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    vocab = {character: byte for byte, character in BYTE_TO_CHARACTER.items()} | {"ab": 256}
    content = {
        "version": "1.0",
        "added_tokens": list(tokens),
        "pre_tokenizer": byte_level,
        "decoder": byte_level,
        "model": {"type": "BPE", "vocab": vocab, "merges": [["a", "b"]]},
    }
    path = tmp_path / "others.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


LINE_ENDS = [added(257, "\n", **ORDINARY), added(258, "\n\n", **ORDINARY), added(259, "<s>", **CONTROL)]


@given(text=st.text(alphabet="ab\n <s>é", max_size=20))
def test_w4_added_tokens_that_are_not_special(tmp_path_factory, text):
    tmp_path = tmp_path_factory.mktemp("added")
    path, again = file_with(tmp_path, *LINE_ENDS), tmp_path / "again.json"
    tokenizer = load_huggingface(path)
    assert tokenizer.not_special == {"\n", "\n\n"} and set(tokenizer.special_tokens) == {"\n", "\n\n", "<s>"}
    save_huggingface(tokenizer, again)
    assert load_huggingface(again) == tokenizer and load_huggingface(again).not_special == tokenizer.not_special
    before, after = Tokenizer.from_file(str(path)), Tokenizer.from_file(str(again))
    ids = before.encode(text, add_special_tokens=False).ids
    assert after.encode(text, add_special_tokens=False).ids == tokenizer.encode(text, allowed_special="all") == ids
    assert before.decode(ids) == after.decode(ids) == text.replace("<s>", "")
    assert before.decode(ids, skip_special_tokens=False) == tokenizer.decode(ids) == text
    if "<s>" not in text:
        assert tokenizer.encode(text) == tokenizer.encode_ordinary(text) == ids


def test_w4_the_example_of_the_report(tmp_path):
    tokenizer = load_huggingface(file_with(tmp_path, *LINE_ENDS))
    assert tokenizer.encode("a\nb\n\nc") == [97, 257, 98, 258, 99]
    save_huggingface(tokenizer, tmp_path / "again.json")
    assert Tokenizer.from_file(str(tmp_path / "again.json")).decode([97, 257, 98, 258, 99]) == "a\nb\n\nc"


def test_w4_qwen_names_its_ordinary_tokens(tmp_path):
    qwen = load("qwen2.5")
    words = "<|fim_prefix|> <|fim_middle|> <|fim_suffix|> <|fim_pad|> <|repo_name|> <|file_sep|>".split()
    assert qwen.not_special == {"<tool_call>", "</tool_call>", *words}
    assert sorted(qwen.special_tokens.values()) == list(range(151643, 151665))
    assert qwen.encode("<tool_call>\n") == [151657, 198]
    with pytest.raises(ValueError, match="im_end"):
        qwen.encode("<|im_end|>")
    few = ByteBPE.from_ranks(
        {token: i for i, token in qwen.vocab.items() if i < 1000},  # all merges would take long to find
        pattern=qwen.pattern,
        special_tokens=qwen.special_tokens,
        not_special=qwen.not_special,
        normalization="NFC",
    )
    save_huggingface(few, tmp_path / "qwen.json")
    theirs = Tokenizer.from_file(str(tmp_path / "qwen.json"))
    ids = few.encode("<|im_start|>e\u0301<tool_call>x</tool_call>", allowed_special="all")
    assert theirs.encode("<|im_start|>e\u0301<tool_call>x</tool_call>").ids == ids
    assert theirs.decode(ids) == "é<tool_call>x</tool_call>"


def test_what_two_passes_would_find_otherwise_is_refused(tmp_path):
    # Hugging Face finds <b> first, since it is not normalized, and so never finds the others in a<b>c.
    first, normalized = added(257, "<b>", **CONTROL), {"special": False, "normalized": True}
    for other in ("a<b", "b>c", "a<b>c", "b"):
        with pytest.raises(ValueError, match="only one of them is normalized"):
            load_huggingface(file_with(tmp_path, first, added(258, other, **normalized)))
    path = file_with(tmp_path, first, added(258, "<c>", **normalized))
    ids = Tokenizer.from_file(str(path)).encode("a<b><c>").ids
    assert load_huggingface(path).encode("a<b><c>", allowed_special="all") == ids == [97, 257, 258]


def test_ordinary_tokens_are_no_part_of_tiktoken(tmp_path):
    with pytest.raises(ValueError, match="'.n' is always a token"):
        to_tiktoken(load_huggingface(file_with(tmp_path, *LINE_ENDS)))
    (tmp_path / "t.tiktoken").write_bytes(b"\n".join(GOOD))
    tokenizer = load_tiktoken(tmp_path / "t.tiktoken", pattern=None, special_tokens={"<t>": 300}, not_special=["<t>"])
    assert tokenizer.encode("a<t>") == [97, 300]


def test_ten_million_merges_are_refused(tmp_path):
    path = tmp_path / "huge.json"
    merges = ",".join(['["a","b"]'] * 10_000_000)
    path.write_text('{"model": {"type": "BPE", "vocab": {}, "merges": [' + merges + "]}}", encoding="utf-8")
    with pytest.raises(ValueError, match="huge.json: 100,000,0.. bytes; a tokenizer file has 64,000,000 at most"):
        load_huggingface(path)


def test_what_a_format_cannot_carry_is_said(tmp_path):
    with pytest.raises(ValueError, match="NFC first, which tiktoken does not do"):
        to_tiktoken(load("qwen2.5"))
    vocab = {i: bytes([i]) for i in range(256)} | {256: b"bc", 257: b"ab", 258: b"abc"}
    odd = ByteBPE.from_vocab_and_merges(vocab, [(b"a", b"b"), (b"b", b"c"), (b"ab", b"c")], pattern=None)
    for export in (lambda: to_tiktoken(odd), lambda: save_tiktoken(odd, tmp_path / "x")):
        with pytest.raises(ValueError, match="^the list of merges does not follow from the ids"):
            export()
    gaps = ByteBPE.from_vocab_and_merges(
        {i: bytes([i]) for i in range(256)} | {300: b"ab"}, [(b"a", b"b")], pattern=None
    )
    with pytest.raises(ValueError, match="gaps"):
        save_tiktoken(gaps, tmp_path / "x")
    with pytest.raises(ValueError, match="lacks the byte 0x00"):
        to_tiktoken(ByteBPE.from_vocab_and_merges({0: b"a"}, [], pattern=None))
    with pytest.raises(ValueError, match="confuses the two"):
        save_huggingface(ByteBPE.train("<s><s><s>", 300, special_tokens=["a"]), tmp_path / "x")
    with pytest.raises(ValueError, match="the end of a line"):
        save_huggingface(ByteBPE.train("ab", 257, pattern=r"\p{L}+$|\P{L}+"), tmp_path / "x")
