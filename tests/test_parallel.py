"""The own sentences, CLDR's names and the tables of data/: complete, clean, with their sources."""

import hashlib
import re
import unicodedata
from collections import Counter

import pytest

from bpe_core.datasets import data_folder, read_table, word_counts
from bpe_core.names import (
    NOT_SPACED,
    SCRIPTS,
    cldr_codes,
    cldr_names,
    cldr_text,
    language,
    languages,
    parallel_sentences,
    published_premiums,
)
from bpe_core.pretrained import canonical_name, load

# The beginning of the Unicode names of the letters that a script may use.
LETTERS = {
    "Han": ("CJK UNIFIED",),
    "Japanese": ("CJK UNIFIED", "HIRAGANA", "KATAKANA"),
    "Hangul": ("HANGUL SYLLABLE",),
    "Latin": ("LATIN", "COMBINING"),
}
SENTENCES = parallel_sentences()


def test_at_least_thirty_sentences_in_29_languages_and_14_scripts():
    assert len(SENTENCES["en"]) == 32
    assert len(SENTENCES) == 32 and list(SENTENCES)[0] == "en"
    assert len({language(code).script for code in SENTENCES}) == 18
    assert set(SCRIPTS) == set(SENTENCES) and NOT_SPACED < set(SENTENCES)


def test_file_is_what_its_readme_says():
    data = (data_folder() / "parallel" / "sentences.csv").read_bytes()
    assert not data.startswith(b"\xef\xbb\xbf") and b"\r" not in data and data.endswith(b"\n")
    readme = (data_folder() / "parallel" / "README.md").read_text(encoding="utf-8")
    assert hashlib.sha256(data).hexdigest() in readme and f" {len(data)} " in readme
    rows = read_table("parallel/sentences.csv")
    assert [row["id"] for row in rows] == [str(i) for i in range(1, 33)]
    assert set(Counter(row["topic"] for row in rows).values()) == {2, 3}  # twelve topics
    assert len({row["topic"] for row in rows}) == 12


@pytest.mark.parametrize("code", SENTENCES)
def test_sentences_are_complete_and_in_their_script(code):
    texts = SENTENCES[code]
    assert len(texts) == 32 and len(set(texts)) == 32
    allowed = LETTERS.get(language(code).script, (language(code).script.upper(),))
    for text in texts:
        assert text and text == text.strip() and "  " not in text
        assert unicodedata.is_normalized("NFC", text)
        assert not re.search(r"[\d\u200b\u00ad\ufeff\ufffd]", text)
        letters = [c for c in text if unicodedata.category(c)[0] in "LM"]
        assert not [c for c in letters if not unicodedata.name(c).startswith(allowed)], text
        assert unicodedata.category(text[-1])[0] == "P" or code == "th"  # Thai has no full stop


@pytest.mark.parametrize("code", [code for code in SENTENCES if code != "en"])
def test_no_english_is_left_in(code):
    stop_words = {"the", "and", "you", "please", "with", "are", "this", "of", "it"}
    for text, english in zip(SENTENCES[code], SENTENCES["en"]):
        words = set(re.findall(r"\w+", text.lower()))
        assert not words & stop_words
        assert len(words & set(re.findall(r"\w+", english.lower()))) <= 3
        assert 0.2 < len(text) / len(english) < 2.2


def test_no_sentence_stands_in_two_columns():
    everything = [text for texts in SENTENCES.values() for text in texts]
    assert len(set(everything)) == len(everything)


def test_languages_have_names_from_cldr():
    known = languages()
    assert known["id_ID"].name == "Indonesian" and known["zh"].script == "Han" and not known["th"].spaced
    assert all(entry.name.isascii() and entry.code == code for code, entry in known.items())


def test_unknown_language_is_named():
    with pytest.raises(ValueError, match="language is 'xx'.*en, es"):
        language("xx")
    with pytest.raises(ValueError, match="Indonesian is 'id_ID'"):
        language("id")


# CLDR's names


def test_territories_are_the_257_of_the_course():
    assert len(cldr_codes()) == 257
    assert not set(cldr_codes()) & {"ZZ", "EU", "QO", "XA", "XB", "UN", "EZ"}
    assert cldr_text("en").count("; ") == 256


@pytest.mark.parametrize("kind, number", [("territories", 257), ("languages", 173)])
def test_every_name_exists_in_forty_languages(kind, number):
    codes = [*SENTENCES, "nl", "sv", "da", "cs", "hu", "ro", "bg", "sr", "lt", "et", "gu", "kn", "ml", "mr", "ur", "lo"]
    assert len(codes) >= 40
    for code in codes:
        names = cldr_names(code, kind)
        assert len(names) == number and all(names)


def test_bad_names():
    for code in ("xx", "", "en; rm", None):
        with pytest.raises(ValueError, match="code is"):
            cldr_names(code)
    with pytest.raises(ValueError, match="kind is 'planets'"):
        cldr_names("en", "planets")
    with pytest.raises(ValueError, match="CLDR lacks .* names of territories"):
        cldr_names("yi")


# Tables


@pytest.mark.parametrize("name", ["flores_premiums.csv", "models.csv", "prices.csv"])
def test_tables_have_source_and_date_on_each_row(name):
    rows = read_table(name)
    for row in rows:
        assert all(value.strip() == value and value for value in row.values()), row
        assert re.fullmatch(r"20\d\d(-\d\d){0,2}", row["date"]), row
    keys = [tuple(row[key] for key in ("code", "tokenizer", "method", "model") if key in row) for row in rows]
    assert len(set(keys)) == len(keys)


def test_prices_can_be_used():
    rows = read_table("prices.csv")
    assert len(rows) >= 6
    for row in rows:
        assert canonical_name(row["tokenizer"]) == row["tokenizer"]
        assert 0 < float(row["input_per_million"]) <= float(row["output_per_million"])
        assert 0 < float(row["cached_per_million"]) <= float(row["input_per_million"])
        assert int(row["context"]) >= 1024
        invented = row["source"] == "example, edit me"
        assert ("invented" in row["checked"]) == invented and (invented or "page" in row["checked"]), row
    assert {"gpt2", "cl100k_base", "o200k_base", "qwen2.5"} == {row["tokenizer"] for row in rows}


def test_models_add_up():
    rows = read_table("models.csv")
    assert len(rows) >= 12 and [row["date"] for row in rows] == sorted(row["date"] for row in rows)
    for row in rows:
        assert row["tied_embeddings"] in ("yes", "no")
        matrices = 1 if row["tied_embeddings"] == "yes" else 2
        embeddings = matrices * int(row["vocabulary_size"]) * int(row["width"])
        # A transformer's layers hold roughly 12 * width² each; the rest are embeddings.
        layers = (int(row["active_parameters"]) - embeddings) / (int(row["layers"]) * int(row["width"]) ** 2)
        assert 8 < layers < 31, row["model"]
        experts = row["model"] == "gpt-oss-20b"
        assert (int(row["active_parameters"]) < int(row["parameters"])) == experts, row["model"]
    assert {row["model"] for row in rows} >= {"GPT-2 small", "Llama 2 7B", "Llama 3 8B", "Gemma 2B", "Qwen2.5 0.5B"}


COURSE = """Spanish 2.0 1.6 1.3 1.6
Chinese 3.2 1.9 1.3 1.0
Hindi 7.5 4.8 1.6 4.5
Tamil 15.8 7.8 2.0 6.2
Burmese 17.1 11.8 3.2 9.1
Amharic 7.8 7.7 5.9 4.1
Armenian 10.0 10.0 1.8 5.4
Georgian 14.0 9.9 1.8 5.3
Santali 13.0 13.0 13.9 9.1
Shan 19.1 15.3 8.1 10.7"""


def test_published_premiums_are_those_of_the_course():
    codes = {row["language"]: row["code"] for row in read_table("flores_premiums.csv")}
    premiums = published_premiums()
    assert list(premiums) == ["gpt2", "cl100k_base", "o200k_base", "qwen2.5"]
    for line in COURSE.splitlines():
        name, *figures = line.split()
        for tokenizer, figure in zip(premiums, figures):
            assert premiums[tokenizer][codes[name]] == pytest.approx(float(figure), abs=0.0501), (name, tokenizer)


def test_the_two_published_methods_agree_within_three_percent():
    means, totals = published_premiums(), published_premiums("ratio of totals")
    assert list(totals) == ["gpt2", "cl100k_base"]
    for tokenizer, by_code in totals.items():
        assert set(by_code) == set(means[tokenizer]) == set(SENTENCES) - {"en"} | {"sat", "shn"}
        for code, value in by_code.items():
            assert means[tokenizer][code] == pytest.approx(value, rel=0.03)
    with pytest.raises(ValueError, match="method is 'median'"):
        published_premiums("median")


PRICES = """\
model,tokenizer,input_per_million,output_per_million,context,date
mine,gpt2,2.50,0.075,128000,2026-11
"my, own",gpt2,1e-7,3,8192,2026
"""
AS_EXCEL_SAVES_IT = """\
model;tokenizer;input_per_million;output_per_million;context;date
mine;gpt2;2,50;0,075;128000;2026-11
my, own;gpt2;1e-7;3;8192;2026
"""


def saved(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path


def test_a_table_that_excel_saved_is_read_as_the_same(tmp_path):
    rows = read_table(saved(tmp_path / "prices.csv", PRICES))
    assert [row["input_per_million"] for row in rows] == ["2.50", "1e-7"] and rows[1]["model"] == "my, own"
    for text in (PRICES, AS_EXCEL_SAVES_IT, AS_EXCEL_SAVES_IT + ";;;;;\n\n"):
        for ends in ("\n", "\r\n"):
            for encoding in ("utf-8", "utf-8-sig"):
                path = saved(tmp_path / "my prices.csv", text.replace("\n", ends), encoding)
                assert read_table(path) == rows == read_table(str(path)), (ends, encoding)


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("2.50", '"2,50"', "line 2, column input_per_million: '2,50' is no number"),
        ("2.50", "$2.50", "line 2, column input_per_million: '$2.50' is no number"),
        ("2.50", "02. Mai", "line 2, column input_per_million: '02. Mai' is no number"),
        ("2.50", "-1", "line 2, column input_per_million: '-1' is no number"),
        ("2.50", "nan", "line 2, column input_per_million: 'nan' is no number"),
        ("2.50", "", "line 2, column input_per_million: '' is no number"),
        ("8192", "8192.5", "line 3, column context: '8192.5' is no whole number"),
        ("8192", '"128,000"', "line 3, column context: '128,000' is no whole number"),
        ("mine", "", "line 2, column model: '' is no text"),
        ("model,", "Model,", "line 2: the column model is missing; there are Model, tokenizer"),
        ("2.50,", "", "line 2: more or fewer cells than the 6 of the header"),
        ("2.50,", "2,50,", "line 2: more or fewer cells than the 6 of the header"),
    ],
)
def test_a_damaged_table_is_refused_with_file_line_and_column(old, new, said, tmp_path):
    assert old in PRICES
    path = saved(tmp_path / "prices.csv", PRICES.replace(old, new, 1))
    with pytest.raises(ValueError, match=re.escape(f"prices.csv, {said}")):
        read_table(path)


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("2,50", "1.234,50", "line 2, column input_per_million: '1.234,50' is no number"),
        ("128000", "128.000", "line 2, column context: '128.000' is no whole number"),
        ("128000", "128,000", "line 2, column context: '128.000' is no whole number"),
    ],
)
def test_thousands_in_a_table_with_semicolons_are_refused(old, new, said, tmp_path):
    path = saved(tmp_path / "prices.csv", AS_EXCEL_SAVES_IT.replace(old, new, 1))
    with pytest.raises(ValueError, match=re.escape(said)):
        read_table(path)


def test_a_table_in_another_encoding_is_refused(tmp_path):
    path = saved(tmp_path / "prices.csv", PRICES.replace("mine", "mío"), "cp1252")
    with pytest.raises(ValueError, match="prices.csv is not UTF-8 .byte 67.; save it as CSV UTF-8"):
        read_table(path)


def test_a_name_is_one_of_the_course_and_a_path_is_ones_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mine = saved(tmp_path / "prices.csv", PRICES)
    assert read_table("prices.csv")[0]["model"] == "GPT-4 (8K)" and read_table(mine)[0]["model"] == "mine"
    monkeypatch.setenv("BPE_COURSE_DATA", str(tmp_path))
    assert read_table("prices.csv")[0]["model"] == "mine"
    with pytest.raises(FileNotFoundError, match="none.csv"):
        read_table("none.csv")


# Word counts


def test_word_counts_are_wordfreqs():
    # Sizes and sums of wordfreq 3.1.1's lists themselves, without entries that hold digits.
    known = {
        "en": (28600, 936509951),
        "ru": (61044, 877109992),
        "zh": (38433, 929129096),
        "ta": (68290, 885787977),
        "id": (30877, 938180708),
    }
    for code, (words, total) in known.items():
        counts = word_counts(code)
        assert len(counts) == words and sum(counts.values()) == total, code
        order = list(counts.items())
        assert order == sorted(order, key=lambda item: (-item[1], item[0]))
    large = word_counts("en", wordlist="large")
    assert len(large) == 314_663 and list(large.items())[:28600] == list(word_counts("en").items())
    assert list(word_counts("fr", most_frequent=3)) == list(word_counts("fr"))[:3]
    assert word_counts("de") is not word_counts("de"), "a copy: a learner may change it"


def test_word_counts_that_are_not_here():
    for arguments, said in (
        ({"language": "yo"}, "language is 'yo'; the small lists that are here are ar, bn, de, el, en, es"),
        ({"language": "../prices"}, "language is '../prices'"),
        ({"language": "ru", "wordlist": "large"}, "language is 'ru'; the large lists that are here are en"),
        ({"wordlist": "huge"}, "wordlist is 'huge'"),
    ):
        with pytest.raises(ValueError, match=re.escape(said)):
            word_counts(**arguments)


# Names of models


@pytest.mark.parametrize("table", ["prices.csv", "models.csv"])
def test_models_of_the_tables_are_known_by_name_or_refused(table):
    lists = {"GPT-2 (byte-level BPE)": "gpt2", "Qwen2.5 (byte-level BPE)": "qwen2.5"}
    for row in read_table(table):
        expected = row["tokenizer"] if table == "prices.csv" else lists.get(row["tokenizer"])
        for spelled in (row["model"], row["model"].lower(), row["model"].replace(" ", "-"), row["model"].upper()):
            assert canonical_name(spelled) == expected, spelled


def test_openai_models_have_the_list_that_tiktoken_gives_them():
    from tiktoken.model import MODEL_PREFIX_TO_ENCODING, MODEL_TO_ENCODING

    names = {"r50k_base": "gpt2"}
    models = MODEL_TO_ENCODING | {prefix + "2024-08-06": known for prefix, known in MODEL_PREFIX_TO_ENCODING.items()}
    found = {model: canonical_name(model) for model in models}
    assert {
        model: name for model, name in found.items() if name and name != names.get(models[model], models[model])
    } == {}
    assert len([name for name in found.values() if name]) >= 18
    assert [model for model, encoding in models.items() if "harmony" in encoding and found[model]] == []


@pytest.mark.parametrize(
    "spelled, name",
    [
        ("gpt4o", "o200k_base"),
        ("GPT_4o-Mini", "o200k_base"),
        ("openai/gpt-4o-mini-2024-07-18", "o200k_base"),
        ("gpt-4-1106-preview", "cl100k_base"),
        ("GPT-4 Turbo", "cl100k_base"),
        ("gpt-3.5-turbo-16k", "cl100k_base"),
        ("Qwen/Qwen2.5-7B-Instruct", "qwen2.5"),
        ("openai-community/gpt2-xl", "gpt2"),
        ("GPT-3", "gpt2"),
        # Near a name, and another model or none: to guess would give a wrong number.
        ("gpt-4-1-mini", None),
        ("gpt-3-5-turbo", None),
        ("gpt-4-o", None),
        ("gpt4all", None),
        ("gpt-oss-20b", None),
        ("Qwen3-8B", None),
        ("somebody/gpt-4o", None),
        ("out/gpt2", None),
        ("gpt2.json", None),
        ("r50k_base.tiktoken", None),
        ("p50k_base", None),
        ("", None),
    ],
)
def test_spellings(spelled, name):
    assert canonical_name(spelled) == name


def test_load_says_which_lists_are_here():
    assert load("GPT-4o mini") is load("o200k_base")
    with pytest.raises(FileNotFoundError) as error:
        load("Claude")
    assert "'Claude'" in str(error.value) and "\n" not in str(error.value)
    assert all(name in str(error.value) for name in ("gpt2 (GPT-2, GPT-3)", "cl100k_base", "o200k_base", "qwen2.5"))
