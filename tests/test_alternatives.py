"""WordPiece, Unigram, SentencePiece's view, dropout and SuperBPE: against definitions and libraries."""

import io
import itertools
import json
import math
import random
from collections import Counter
from functools import cache

import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Regex, Tokenizer, models, pre_tokenizers

from bpe_core import ByteBPE, WordBPE, load, merge_pair, save, save_huggingface
from bpe_core.alternatives import Unigram, WordPiece, encode_with_dropout, train_superbpe
from bpe_core.alternatives.sentencepiece import (
    count_marked_words,
    encode_pieces,
    marked_words,
    read_spaces,
    write_spaces,
)
from bpe_core.alternatives.superbpe import LINES
from bpe_core.alternatives.unigram import from_counts, seed
from bpe_core.alternatives.wordpiece import SCORES, join, word_symbols
from bpe_core.datasets import genres, prose, toy_words, word_counts

WORDS = list(word_counts(wordlist="large"))[:6000]
NEWS = prose("news")
SEEN = "\n".join(prose(genre) for genre in genres() if genre != "news")


@cache
def wordpiece():
    return WordPiece.train(word_counts(most_frequent=2000), 600, score="count")


@cache
def unigram():
    return Unigram.train(count_marked_words(SEEN), 1000)


# WordPiece


def definition(word_counts, num_merges, score, min_frequency=1):
    """The merges by the score, counted afresh for each: what learn_pieces must equal."""
    words = {tuple(word_symbols(word)): n for word, n in word_counts.items()}
    merges = []
    while len(merges) < num_merges:
        symbols, pairs = Counter(), Counter()
        for word, n in words.items():
            symbols.update({symbol: word.count(symbol) * n for symbol in set(word)})
            for pair in zip(word, word[1:]):
                pairs[pair] += n
        pairs = {pair: n for pair, n in pairs.items() if n >= min_frequency}
        if not pairs:
            break
        pair = max(pairs, key=lambda p: SCORES[score](pairs[p], symbols[p[0]], symbols[p[1]], symbols.total()))
        merges.append((pair, pairs[pair]))
        words = {tuple(merge_pair(word, pair, join(pair))): n for word, n in words.items()}
    return merges


@pytest.mark.parametrize("score", SCORES)
@given(
    words=st.dictionaries(st.text("abc", min_size=1, max_size=6), st.integers(1, 4), min_size=1, max_size=6),
    least=st.integers(1, 3),
)
@settings(max_examples=60)
def test_wordpiece_learns_what_its_definition_says(score, words, least):
    history = WordPiece.train(words, 12, score=score, min_frequency=least).history
    assert [(merge.pair, merge.count) for merge in history] == definition(words, 12, score, least)


def test_the_gain_is_what_the_log_probability_of_the_symbols_gains():
    def log_probability(symbols):
        return sum(n * math.log(n / symbols.total()) for n in symbols.values())

    symbols = Counter(a=3000, b=2000, c=95000)
    for count in (20, 200):
        merged = Counter(a=3000 - count, b=2000 - count, c=95000, ab=count)
        exact = log_probability(merged) - log_probability(symbols)
        assert SCORES["gain"](count, 3000, 2000, symbols.total()) == pytest.approx(exact, abs=0.001 * count * count)


def test_the_toy_corpus_by_the_ratio():
    history = WordPiece.train(toy_words(), 99).history
    made = "wi wid lo ##st low ##er lower ne new newe wide newest widest".split()
    assert [merge.new for merge in history] == made
    assert WordPiece.train(toy_words(), 4).tokenize("lowest") == ["lo", "##w", "##e", "##st"]
    assert WordPiece.train(toy_words(), 6).tokenize("lowest") == ["low", "##e", "##st"]


def test_wordpiece_cuts_as_hugging_face():
    own = wordpiece()
    theirs = models.WordPiece(own.vocab, unk_token="[UNK]", max_input_chars_per_word=100)
    tokenizer = Tokenizer(theirs)
    words = [*WORDS, "zebra", "ñandú", "日本", "x" * 100]
    assert [own.cut(word) for word in words] == [tokenizer.encode(word).tokens for word in words]
    assert own.cut("日本") == ["[UNK]"] and own.encode("the 日本") == [own.vocab["the"], 0]


def test_wordpiece_of_hugging_face_leaves_long_words_unknown():
    own = wordpiece()
    tokenizer = Tokenizer(models.WordPiece(own.vocab, unk_token="[UNK]"))
    assert tokenizer.encode("x" * 101).tokens == ["[UNK]"] != own.cut("x" * 101)


# Unigram


def all_cuts(word):
    for marks in itertools.product([False, True], repeat=len(word) - 1):
        places = [0, *(i + 1 for i, mark in enumerate(marks) if mark), len(word)]
        yield [word[i:j] for i, j in itertools.pairwise(places)]


LETTERS = st.text("abc", min_size=1, max_size=8)
PIECES = st.dictionaries(st.text("abc", min_size=2, max_size=4), st.integers(1, 50), max_size=12)


@given(word=LETTERS, pieces=PIECES, letters=st.lists(st.integers(1, 50), min_size=3, max_size=3))
def test_the_lattice_against_all_cuts(word, pieces, letters):
    model = from_counts(dict(zip("abc", letters)) | pieces)
    cuts = [cut for cut in all_cuts(word) if all(piece in model.scores for piece in cut)]
    best = sorted(map(model.score, cuts), reverse=True)
    assert model.score(model.cut(word)) == pytest.approx(best[0])
    n_best = model.n_best(word, 5)
    assert list(map(model.score, n_best)) == pytest.approx(best[:5])
    assert all("".join(cut) == word for cut in n_best) and len(set(map(tuple, n_best))) == len(n_best)
    counts, log_probability = model.expected_counts({word: 2})
    total = sum(map(math.exp, best))
    assert log_probability == pytest.approx(2 * math.log(total))
    for piece, count in counts.items():
        expected = sum(2 * cut.count(piece) * math.exp(model.score(cut)) / total for cut in cuts)
        assert count == pytest.approx(expected)


def test_the_best_cut_of_every_word_up_to_eight_letters():
    model = from_counts({"a": 9, "b": 7, "ab": 6, "ba": 3, "aab": 5, "bb": 2, "abba": 4, "bab": 1})
    for length in range(1, 9):
        for letters in itertools.product("ab", repeat=length):
            word = "".join(letters)
            best = max(model.score(cut) for cut in all_cuts(word) if all(piece in model.scores for piece in cut))
            assert model.score(model.cut(word)) == pytest.approx(best) and "".join(model.cut(word)) == word


def test_draws_come_as_often_as_the_model_says():
    model = from_counts({"a": 4, "b": 3, "ab": 2, "ba": 1})
    rng = random.Random(1)
    for alpha in (0.0, 0.5, 1.0):
        cuts = [cut for cut in all_cuts("abab") if all(piece in model.scores for piece in cut)]
        weights = [math.exp(alpha * model.score(cut)) for cut in cuts]
        drawn = Counter(tuple(model.sample("abab", alpha, rng=rng)) for _ in range(4000))
        for cut, weight in zip(cuts, weights):
            share = weight / sum(weights)
            assert drawn[tuple(cut)] / 4000 == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / 4000))


def test_each_round_of_training_raises_the_probability():
    words = count_marked_words(NEWS)
    model, found = seed(words, 5), []
    for _ in range(6):
        found.append(model.expected_counts(words)[1])
        model = model.fit(words)
    assert all(later > earlier for earlier, later in itertools.pairwise(found))
    assert sum(map(math.exp, model.scores.values())) == pytest.approx(1)


def test_pruning_keeps_letters_and_the_size_asked_for():
    model = unigram()
    assert len(model.scores) == 1000
    assert set("".join(count_marked_words(SEEN))) <= model.scores.keys()
    kept = Unigram.train({"abab": 9, "abc": 1, "d": 1}, 5, longest=2).scores
    assert set("abcd") < kept.keys() and "ab" in kept


def test_whole_words_win_on_a_tiny_corpus():
    short = Unigram.train(toy_words(), 15, longest=4)
    assert sorted(piece for piece in short.scores if len(piece) > 1) == ["er", "est", "low", "new", "wid"]
    long = Unigram.train(toy_words(), 15)
    assert sorted(piece for piece in long.scores if len(piece) > 1) == sorted(toy_words())
    assert long.tokenize("lowest") == ["low", "e", "s", "t"]


def test_unigram_cuts_as_hugging_face():
    own = unigram()
    least = min(own.scores.values())
    theirs = models.Unigram([("<unk>", least - 1), *own.scores.items()], unk_id=0, byte_fallback=False)
    tokenizer = Tokenizer(theirs)
    letters = random.Random(3)
    words = ["▁" + word for word in WORDS] + ["".join(letters.choices("etaoinshrdlu", k=8)) for _ in range(2000)]
    words = [word for word in words if all(character in own.scores for character in word)]
    assert len(words) > 7500
    assert [own.cut(word) for word in words] == [tokenizer.encode(word).tokens for word in words]


# SentencePiece


@cache
def library(**options):
    file = io.BytesIO()
    options = {"vocab_size": 1000, "model_type": "unigram", "byte_fallback": True} | options
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SEEN.splitlines()), model_writer=file, minloglevel=2, num_threads=1, **options
    )
    return sentencepiece.SentencePieceProcessor(model_proto=file.getvalue())


def pieces_of(model):
    normal = [
        i for i in range(model.vocab_size()) if not (model.is_control(i) or model.is_unknown(i) or model.is_byte(i))
    ]
    return Unigram({model.id_to_piece(i): min(0.0, model.get_score(i)) for i in normal})


ODD = ["", " ", "  two  spaces ", "naïve café ½ ﬁ Ａ", "日本 🙂 ok", "a▁b", "tab\tend", "x" * 50, "🙂🙂", "e\u0301"]


@pytest.mark.parametrize("byte_fallback", [True, False])
def test_encoding_as_sentencepiece_with_its_own_small_model(byte_fallback):
    model = library(byte_fallback=byte_fallback, normalization_rule_name="nfkc")
    own = pieces_of(model)
    lines = [*NEWS.splitlines(), *ODD]
    for line in lines:
        pieces = encode_pieces(own, line, byte_fallback=byte_fallback)
        assert pieces == model.encode_as_pieces(line), line
    words = WORDS[:5000]
    assert [encode_pieces(own, word, byte_fallback=byte_fallback) for word in words] == model.encode_as_pieces(words)


def test_spaces_as_sentencepiece_writes_them():
    kept = library(remove_extra_whitespaces=False, normalization_rule_name="identity")
    plain = library(normalization_rule_name="nfkc")
    for line in ODD:
        assert "".join(kept.encode_as_pieces(line)) == "".join(
            encode_pieces(pieces_of(kept), line, normalization=None, keep_spaces=True)
        )
        assert plain.decode_pieces(plain.encode_as_pieces(line)) == read_spaces(encode_pieces(pieces_of(plain), line))


@given(st.text())
def test_nothing_is_lost_but_what_normalization_changes(text):
    text = text.replace("▁", "").replace("<", "")
    model = Unigram({"a": -1.0, "▁": -2.0, "▁a": -2.5})
    assert read_spaces(encode_pieces(model, text, normalization=None, keep_spaces=True)) == text
    written = write_spaces(text)
    assert "".join(marked_words(written)) == written


# Dropout


@cache
def trained():
    return {
        "bytes": ByteBPE.train(SEEN, 800, pattern="gpt2", special_tokens=["<s>"]),
        "words": WordBPE.train(toy_words() | {"naïve": 2}, 12),
        "ranks": load("r50k_base"),
    }


@pytest.mark.parametrize("kind", ["bytes", "words", "ranks"])
@given(data=st.data(), p=st.floats(0, 1), seed=st.integers(0, 9))
@settings(deadline=None)
def test_any_draw_of_dropout_decodes_to_the_text(kind, data, p, seed):
    tokenizer = trained()[kind]
    alphabet = "lowernstida" if kind == "words" else "lowern \n<s>é🙂"
    text = data.draw(st.text(alphabet, max_size=20))
    ids = encode_with_dropout(tokenizer, text, p, rng=seed)
    assert tokenizer.decode(ids) == text
    assert ids == encode_with_dropout(tokenizer, text, p, rng=seed)


@pytest.mark.parametrize("kind", ["bytes", "words", "ranks"])
def test_dropout_at_its_two_ends(kind):
    tokenizer = trained()[kind]
    text = "lowest newer widest" if kind == "words" else "<s>" + NEWS[:2000]
    plain = tokenizer.encode(text) if kind == "words" else tokenizer.encode_ordinary(text)
    assert encode_with_dropout(tokenizer, text, 0) == plain
    base = [tokenizer.base_symbols(piece) for piece in (text.split() if kind == "words" else tokenizer.pieces(text))]
    base = [tokenizer.vocab[symbol] if kind == "words" else symbol for piece in base for symbol in piece]
    assert encode_with_dropout(tokenizer, text, 1) == base
    lengths = [len(encode_with_dropout(tokenizer, text + " " + text, p)) for p in (0, 0.4, 0.7, 1)]
    assert lengths == sorted(set(lengths))


def test_a_merge_is_left_out_as_often_as_p_says():
    tokenizer, rng = WordBPE.from_merges([("a", "b")], end_of_word=None), random.Random(5)
    whole = sum(len(encode_with_dropout(tokenizer, "ab", 0.3, rng=rng)) == 1 for _ in range(4000))
    assert whole / 4000 == pytest.approx(0.7, abs=0.03)


# SuperBPE


@cache
def superbpe():
    return train_superbpe(SEEN, 700, 1400)


def test_phase_one_is_ordinary_training():
    ordinary = ByteBPE.train(SEEN.splitlines(keepends=True), 700, pattern="gpt2")
    merges = list(superbpe().merges.items())
    assert merges[:444] == list(ordinary.merges.items()) and len(superbpe().vocab) == 1400
    crossing = [token for token in superbpe().vocab.values() if b" " in token[1:]]
    assert min(superbpe().id_of[token] for token in crossing) >= 700 and b" of the" in crossing
    assert not any(b"\n" in token[:-1] for token in superbpe().vocab.values())


def test_superbpe_cuts_as_hugging_face_with_the_same_merges(tmp_path):
    own = superbpe()
    lines = prose().splitlines(keepends=True)
    save_huggingface(own, tmp_path / "tokenizer.json")
    theirs = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert own.encode_batch(lines) == [encoding.ids for encoding in theirs.encode_batch(lines)]
    content = json.loads((tmp_path / "tokenizer.json").read_text(encoding="utf-8"))["model"]
    plain = Tokenizer(models.BPE(content["vocab"], [tuple(merge) for merge in content["merges"]]))
    plain.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(LINES), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    assert plain.encode(NEWS).ids == own.encode(NEWS)
    assert own.decode(own.encode(NEWS)) == NEWS
    save(own, tmp_path / "own.json")
    assert load(tmp_path / "own.json") == own


def test_superbpe_needs_fewer_tokens_on_new_text():
    ordinary = ByteBPE.train(SEEN, 1400, pattern="gpt2")
    assert len(superbpe().encode(NEWS)) < 0.98 * len(ordinary.encode(NEWS))


def test_superbpe_stops_when_pairs_run_out():
    tokenizer = train_superbpe("ab ab\n", 256, 400)
    assert tokenizer.vocab_size == 260 and tokenizer.tokens("ab ab\n") == [b"ab ab\n"]


# Bad input


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: WordPiece.train("", 3), ValueError, "the corpus holds no word"),
        (lambda: WordPiece.train({"low": 0}, 3), ValueError, "the corpus holds no word"),
        (lambda: WordPiece.train(7, 3), TypeError, "corpus is a int"),
        (lambda: WordPiece.train("low", -1), ValueError, "num_merges is -1"),
        (lambda: WordPiece.train("low", 3, score="likelihood"), ValueError, "score is 'likelihood'"),
        (lambda: Unigram.train(" \n", 30), ValueError, "the corpus holds no word"),
        (lambda: Unigram.train("low", 2), ValueError, "vocab_size is 2; the corpus has 3 characters"),
        (lambda: Unigram.train("low", 9, keep=1.0), ValueError, "keep is 1.0, least_count 0.5"),
        (lambda: Unigram.train("low", 9, longest=0), ValueError, "longest is 0"),
        (lambda: Unigram.train("low", 9, least_count=-1), ValueError, "least_count -1"),
        (lambda: Unigram({}), ValueError, "there are no pieces"),
        (lambda: Unigram({"a": 0.5}), ValueError, "the piece 'a' has the score 0.5"),
        (lambda: Unigram({"a": -1.0}).cut("aß"), ValueError, "cannot write the word 'aß': they reach up to 'ß'"),
        (lambda: Unigram({"a": -1.0}).n_best("ab", 2), ValueError, "they reach up to 'b'"),
        (lambda: Unigram({"a": -1.0}).sample("ab", rng=random.Random(0)), ValueError, "they reach up to 'b'"),
        (lambda: Unigram({"ab": -1.0}).cut("aba"), ValueError, "'aba': they reach up to 'a'"),
        (lambda: Unigram({"a": -9.0}).expected_counts({"a" * 99: 1}), ValueError, "too long for its probability"),
        (lambda: Unigram({"a": -1.0}).sample("a", -1, rng=random.Random(0)), ValueError, "alpha is -1"),
        (lambda: encode_with_dropout(trained()["words"], "low", 1.5), ValueError, "p is 1.5"),
        (lambda: encode_with_dropout(trained()["words"], "low", -0.1), ValueError, "p is -0.1"),
        (lambda: encode_with_dropout(trained()["words"], "low", math.nan), ValueError, "p is nan"),
        (lambda: encode_with_dropout(trained()["words"], "low", "0.1"), TypeError, "p is '0.1'"),
        (lambda: train_superbpe("", 300, 400), ValueError, "the corpus is empty"),
        (lambda: train_superbpe("a b", 500, 400), ValueError, "vocab_size is 400; it must be 500 or more"),
        (lambda: train_superbpe("a b", 100, 400), ValueError, "first_size is 100"),
        (lambda: write_spaces(b"a"), TypeError, "text is of type bytes"),
    ],
)
def test_bad_input_gets_one_clear_line(call, error, message):
    with pytest.raises(error, match=message) as raised:
        call()
    assert "\n" not in str(raised.value)
