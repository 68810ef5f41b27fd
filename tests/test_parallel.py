"""The own sentences, CLDR's names and the tables of data/: complete, clean, with their sources."""

import csv
import hashlib
import re
import unicodedata
from collections import Counter

import pytest

from bpe_core.datasets import data_folder
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
    read_table,
)
from bpe_core.pretrained import canonical_name

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
        assert int(row["context"]) >= 1024
    assert {"gpt2", "cl100k_base", "o200k_base", "qwen2.5"} == {row["tokenizer"] for row in rows}


def test_models_add_up():
    rows = read_table("models.csv")
    assert len(rows) >= 12 and [row["date"] for row in rows] == sorted(row["date"] for row in rows)
    for row in rows:
        assert row["tied_embeddings"] in ("yes", "no")
        matrices = 1 if row["tied_embeddings"] == "yes" else 2
        embeddings = matrices * int(row["vocabulary_size"]) * int(row["width"])
        # A transformer's layers hold roughly 12 * width² each; the rest are embeddings.
        layers = (int(row["parameters"]) - embeddings) / (int(row["layers"]) * int(row["width"]) ** 2)
        assert 8 < layers < 31, row["model"]
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


def test_damaged_table_is_named(tmp_path, monkeypatch):
    with open(tmp_path / "prices.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["model", "price"], ["a", "1"], ["b"]])
    monkeypatch.setenv("BPE_COURSE_DATA", str(tmp_path))
    with pytest.raises(ValueError, match="prices.csv, line 3: 1 cells, but the header has 2"):
        read_table("prices.csv")
    with pytest.raises(FileNotFoundError):
        read_table("none.csv")
