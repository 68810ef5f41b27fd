"""What a text costs in tokens: measures, premiums against a reference language, prices.

Everything rests on three counts of the same texts: characters (Unicode code points), bytes
(of UTF-8) and tokens. A measure over many texts is a ratio of totals, not a mean of
ratios: the bill is for the total.

``tokenizer`` is a name, as in ``load``, or any object with ``encode_ordinary`` or ``encode``.
``texts`` is one text or a list of them. An empty text counts 0 tokens; in a ratio a text
must have a visible character.

Source of the premium: Petrov, La Malfa, Torr and Bibi (2023), Language Model Tokenizers
Introduce Unfairness Between Languages, arXiv:2305.15425.
"""

import math
import random
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from numbers import Real
from typing import NamedTuple

import regex

from . import datasets
from .byte_bpe import ByteBPE
from .checks import check_frequency, check_text, check_whole_number
from .names import language, parallel_sentences
from .patterns import pack_bytes, split, splitter_of
from .pretrained import load_pretrained

Texts = str | Iterable[str]


class Interval(NamedTuple):
    """The ends of an interval."""

    low: float
    high: float


# Counting


def find_tokenizer(tokenizer):
    """Return a tokenizer for a name; an object that can encode is returned as it is.

    Raises:
        ValueError: the list of this model is not here.
        TypeError: it is no name and cannot encode.

    Example:
        >>> find_tokenizer("gpt-4").vocab_size
        100261
    """
    if isinstance(tokenizer, str):
        return load_pretrained(tokenizer)
    if not hasattr(tokenizer, "encode_ordinary") and not hasattr(tokenizer, "encode"):
        raise TypeError(f"tokenizer is of type {type(tokenizer).__name__}; it must be a name or have encode_ordinary")
    return tokenizer


def check_texts(texts: Texts, name: str = "texts", *, visible: bool = True) -> list[str]:
    """Return the texts as a list, or raise an error that names the argument.

    Raises:
        TypeError: a text is no str.
        ValueError: there is no text, or one without a visible character where each must have one.

    Example:
        >>> check_texts(["one", " "])
        Traceback (most recent call last):
        ValueError: texts holds an empty text, number 2 of 2
    """
    if isinstance(texts, (bytes, bytearray)) or not isinstance(texts, Iterable):
        raise TypeError(f"{name} is of type {type(texts).__name__}; it must be a str or a list of str")
    listed = [texts] if isinstance(texts, str) else list(texts)
    if not listed:
        raise ValueError(f"{name} is empty; it must hold a text at least")
    for number, text in enumerate(listed, 1):
        if not check_text(text, f"a text of {name}").strip() and visible:
            raise ValueError(f"{name} holds an empty text, number {number} of {len(listed)}")
    return listed


def token_counts(tokenizer, texts: Texts) -> list[int]:
    """Return the number of tokens of each text; special tokens are ordinary text here.

    Example:
        >>> token_counts("gpt2", ["two words", "two more words", ""])
        [2, 3, 0]
    """
    return _count_each(find_tokenizer(tokenizer), check_texts(texts, visible=False))


def count_tokens(tokenizer, texts: Texts) -> int:
    """Return the number of tokens of all texts together, each encoded by itself.

    Example:
        >>> count_tokens("gpt2", ["two words", "two more words"])
        5
    """
    return sum(token_counts(tokenizer, texts))


def _count_each(tokenizer, texts: Sequence[str]) -> list[int]:
    encode = getattr(tokenizer, "encode_ordinary", None) or tokenizer.encode
    return [len(encode(text)) for text in texts]


def _byte_total(texts: Sequence[str]) -> int:
    return sum(len(text.encode("utf-8")) for text in texts)


# Measures of one language


def tokens_per_word(tokenizer, texts: Texts, language_code: str = "en") -> float:
    """Return the fertility: tokens / words, in tokens per word.

    A word is what stands between white space and holds a letter or a digit.

    Args:
        tokenizer: a name or an object.
        texts: one text or more.
        language_code: the language of the texts, one of the own sentences.

    Raises:
        ValueError: the language does not separate its words by spaces, or is unknown.

    Example:
        >>> tokens_per_word("gpt2", "unbelievably good")
        2.5

    Source: fertility as in Rust et al. (2021), How Good is Your Tokenizer?, arXiv:2012.15613.
    """
    if not language(language_code).spaced:
        raise ValueError(
            f"language_code is {language_code!r}: {language(language_code).name} does not separate its words "
            "by spaces, so tokens per word cannot be counted; compare characters_per_token or tokens_per_sentence"
        )
    listed = check_texts(texts)
    words = sum(any(map(str.isalnum, word)) for text in listed for word in text.split())
    if not words:
        raise ValueError("texts holds no word: nothing with a letter or a digit")
    return count_tokens(tokenizer, listed) / words


def characters_per_token(tokenizer, texts: Texts) -> float:
    """Return characters / tokens, in Unicode code points per token.

    Example:
        >>> characters_per_token("gpt2", "unbelievably good")
        3.4
    """
    listed = check_texts(texts)
    return sum(map(len, listed)) / count_tokens(tokenizer, listed)


def bytes_per_token(tokenizer, texts: Texts) -> float:
    """Return bytes / tokens, in bytes of UTF-8 per token: how far merges compress.

    Example:
        >>> bytes_per_token("gpt2", "東京"), bytes_per_token("gpt-4o", "東京")
        (1.5, 6.0)
    """
    listed = check_texts(texts)
    return _byte_total(listed) / count_tokens(tokenizer, listed)


def bytes_per_character(texts: Texts) -> float:
    """Return bytes / characters, in bytes of UTF-8 per code point: 1 to 4, whatever the tokenizer.

    Example:
        >>> bytes_per_character("tea"), bytes_per_character("चाय")
        (1.0, 3.0)
    """
    listed = check_texts(texts)
    return _byte_total(listed) / sum(map(len, listed))


def tokens_per_sentence(tokenizer, texts: Texts) -> float:
    """Return tokens / sentences, where each text counts as one sentence.

    Example:
        >>> tokens_per_sentence("gpt2", ["two words", "two more words"])
        2.5
    """
    listed = check_texts(texts)
    return count_tokens(tokenizer, listed) / len(listed)


# Premium


def premium(tokenizer, texts: Texts, reference_texts: Texts) -> float:
    """Return how many times the tokens of the reference the texts need.

    premium = tokens of all texts / tokens of all reference texts

    Args:
        tokenizer: a name or an object.
        texts: what is compared.
        reference_texts: the same in the reference language, for the most part English.

    Raises:
        ValueError: unknown tokenizer, no text, an empty text.

    Example:
        >>> premium("gpt2", ["Bonjour.", "Merci."], ["Hello.", "Thank you."])
        1.4

    Source: Petrov et al. (2023), section 3.
    """
    tokenizer = find_tokenizer(tokenizer)
    return count_tokens(tokenizer, check_texts(texts)) / sum(
        _count_each(tokenizer, check_texts(reference_texts, "reference_texts"))
    )


def mean_of_ratios(tokenizer, texts: Sequence[str], reference_texts: Sequence[str]) -> float:
    """Return the mean over sentences of tokens / tokens of the reference sentence.

    Short sentences weigh as much as long ones, so this is not what a bill shows. Some
    published figures are counted so; it is here to compare like with like.

    Raises:
        ValueError: the two are not aligned.

    Example:
        >>> mean_of_ratios("gpt2", ["Bonjour.", "Merci."], ["Hello.", "Thank you."])
        1.5
    """
    tokens, reference = _aligned_counts(tokenizer, texts, reference_texts)
    return math.fsum(t / r for t, r in zip(tokens, reference)) / len(tokens)


def byte_tax(texts: Texts, reference_texts: Texts) -> float:
    """Return the part of a premium that UTF-8 makes: bytes / bytes of the reference.

    A tokenizer without any merge, one token a byte, has just this premium.

    Example:
        >>> byte_tax("чай", "tea")
        2.0
    """
    return _byte_total(check_texts(texts)) / _byte_total(check_texts(reference_texts, "reference_texts"))


def vocabulary_factor(tokenizer, texts: Texts, reference_texts: Texts) -> float:
    """Return the part of a premium that pattern and merges make.

    vocabulary factor = bytes per token of the reference / bytes per token of the texts,
    so that premium = byte_tax * vocabulary_factor. Above 1, pattern and merges favor the reference.

    Example:
        >>> texts, english = "чай", "tea"
        >>> vocabulary_factor("gpt2", texts, english) * byte_tax(texts, english) == premium("gpt2", texts, english)
        True
    """
    tokenizer = find_tokenizer(tokenizer)
    reference = check_texts(reference_texts, "reference_texts")
    return bytes_per_token(tokenizer, reference) / bytes_per_token(tokenizer, texts)


def bootstrap_interval(
    tokenizer,
    texts: Sequence[str],
    reference_texts: Sequence[str],
    *,
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
    sentences: int | None = None,
) -> Interval:
    """Return an interval for the premium: how far it moves with the choice of sentences.

    Draw as many sentence pairs as there are, with replacement; compute the premium; repeat;
    sort. With tail = (1 - level) / 2, the ends are the values at the places
    floor(tail * resamples) and resamples - 1 - that: the percentile bootstrap. That is an
    interval for an average; for one text, let ``sentences`` be the number of its sentences.
    It says nothing of sentences of another kind, or of other translations.

    Args:
        tokenizer: a name or an object.
        texts: sentences.
        reference_texts: the same sentences in the reference language, in the same order.
        level: the share of resampled premiums inside, between 0 and 1.
        resamples: how often to draw.
        seed: the same seed gives the same interval, on each version of Python.
        sentences: how many pairs to draw each time; by default as many as there are.

    Raises:
        ValueError: the texts are not aligned, or fewer than two; level, resamples or sentences are out of range.

    Example:
        >>> bootstrap_interval("gpt2", ["Bonjour.", "Merci."], ["Hello.", "Thank you."])
        Interval(low=1.0, high=2.0)

    Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.
    """
    tokens, reference = _aligned_counts(tokenizer, texts, reference_texts)
    if len(tokens) < 2:
        raise ValueError("texts holds one sentence; an interval over sentences needs two at least")
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; it must lie between 0 and 1")
    check_whole_number("resamples", resamples, least=1)
    draw, n = random.Random(check_whole_number("seed", seed)).random, len(tokens)
    size = n if sentences is None else check_whole_number("sentences", sentences, least=1)

    def resampled() -> float:
        chosen = [int(draw() * n) for _ in range(size)]  # random() gives the same on all versions, choices() need not
        return sum(tokens[i] for i in chosen) / sum(reference[i] for i in chosen)

    premiums = sorted(resampled() for _ in range(resamples))
    place = min(math.floor((1 - level) / 2 * resamples + 1e-9), (resamples - 1) // 2)
    return Interval(premiums[place], premiums[resamples - 1 - place])


def _aligned_counts(tokenizer, texts: Sequence[str], reference_texts: Sequence[str]) -> tuple[list[int], list[int]]:
    tokenizer = find_tokenizer(tokenizer)
    texts, reference = check_texts(texts), check_texts(reference_texts, "reference_texts")
    if len(texts) != len(reference):
        raise ValueError(f"texts holds {len(texts)} and reference_texts {len(reference)}; they must be aligned")
    return _count_each(tokenizer, texts), _count_each(tokenizer, reference)


# What follows from tokens


def check_price(name: str, value: Real) -> Real:
    """Return a price, or raise TypeError or ValueError that names the argument.

    Any real number will do, NumPy's and fractions too.

    Example:
        >>> check_price("price", -1.0)
        Traceback (most recent call last):
        ValueError: price is -1.0; it must be 0 or more
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} is {value!r}; it must be a number")
    if not 0 <= value < math.inf:
        raise ValueError(f"{name} is {value}; it must be 0 or more")
    return value


def price(tokens: int, price_per_million: Real) -> float:
    """Return tokens * price per million / 1,000,000, in the currency of the price.

    Raises:
        TypeError, ValueError: tokens is no whole number, or a number is negative or not finite.

    Example:
        >>> price(2_000, 2.50)
        0.005
    """
    return check_whole_number("tokens", tokens) * float(check_price("price_per_million", price_per_million)) / 1_000_000


def context_share(tokens: int, context: int) -> float:
    """Return tokens / context: the share of a context window that is filled; above 1, it does not fit.

    Raises:
        TypeError, ValueError: a number is not whole, tokens is negative, or context is below 1.

    Example:
        >>> context_share(2_048, 8_192)
        0.25
    """
    return check_whole_number("tokens", tokens) / check_whole_number("context", context, least=1)


# Agreement of two orders


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Spearman's rank correlation: 1 for the same order, -1 for the opposite one.

    It is Pearson's correlation of the ranks; equal values share the mean of their ranks.

    Raises:
        ValueError: unequal lengths, fewer than two values, all values equal, or one that is no number.

    Example:
        >>> rank_correlation([1.2, 3.0, 5.5], [10, 30, 20])
        0.5

    Source: Spearman (1904), The Proof and Measurement of Association between Two Things.
    """
    if len(first) != len(second) or len(first) < 2:
        raise ValueError(
            f"first holds {len(first)} values and second {len(second)}; they must be as many, two at least"
        )
    return statistics.correlation(_ranks(first, "first"), _ranks(second, "second"))


def _ranks(values: Sequence[float], name: str) -> list[float]:
    if any(math.isnan(value) for value in values):
        raise ValueError(f"{name} holds a value that is no number (nan)")
    ordered = sorted(values)
    if ordered[0] == ordered[-1]:
        raise ValueError(f"{name} holds only equal values; they have no order")
    first = {value: place for place, value in reversed(list(enumerate(ordered)))}
    last = {value: place for place, value in enumerate(ordered)}
    return [(first[value] + last[value]) / 2 for value in values]


# Training on the words of several languages

_UNSPACED_SCRIPTS = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")


def mix_word_counts(
    languages: Iterable[str], *, words_per_language: int | None = None, total_per_language: int = 1_000_000
) -> dict[str, int]:
    """Return word counts in which each language has the same weight.

    count in the mix = round(count * total_per_language / all counts of the language),
    at least 1; a word of several languages gets the sum.

    Args:
        languages: languages of ``datasets.word_counts``, such as ``["en", "hi"]``. ``"id_ID"`` is taken as ``"id"``.
        words_per_language: only the most frequent ones; None for all.
        total_per_language: running words that each language stands for.

    Raises:
        ValueError: no language, one named twice, or one without word counts.

    Example:
        >>> mix_word_counts(["en", "es"], words_per_language=2, total_per_language=100)
        {'the': 67, 'to': 33, 'de': 64, 'la': 36}

    Source: the counts are wordfreq's (CC BY-SA 4.0), see ``datasets.word_counts``.
    """
    codes = [languages] if isinstance(languages, str) else list(languages)
    if not codes or len(set(codes)) < len(codes):
        raise ValueError(f"languages is {codes!r}; it must name one language at least, and none twice")
    if words_per_language is not None:
        check_whole_number("words_per_language", words_per_language, least=1)
    check_whole_number("total_per_language", total_per_language, least=1)
    mix: dict[str, int] = {}
    for code in codes:
        counts = datasets.word_counts(code.partition("_")[0], most_frequent=words_per_language)
        total = sum(counts.values())
        for word, count in counts.items():
            mix[word] = mix.get(word, 0) + max(1, round(count * total_per_language / total))
    return mix


def train_on_word_counts(
    word_counts: Mapping[str, int],
    vocab_size: int,
    *,
    pattern: str | None = "o200k",
    tie_break: str = "lowest_id",
    min_frequency: int = 1,
) -> ByteBPE:
    """Train a byte-level tokenizer on counted words, as if they stood in running text.

    Each word gets the space before it that running text would have, and is cut by the
    pattern. Words in a script that writes no spaces get none; wordfreq found them with a
    word segmenter of its language, so merges across these words are never learned.

    Args:
        word_counts: {word: count}, as from ``mix_word_counts``.
        vocab_size: ids wanted: the 256 bytes and the merges.
        pattern: as in ``ByteBPE.train``. With ``"o200k"`` vowel signs stay with their
            letters; with ``"gpt2"`` they do not, and the words of many Indic scripts fall apart.
        tie_break: who wins among equal counts, see ``best_pair``.
        min_frequency: stop when the best pair occurs less often than this.

    Returns:
        The tokenizer; with fewer ids than wanted if the pairs run out.

    Raises:
        ValueError: there is no word, a count is negative, vocab_size is below 256, or the
            pattern or the tie rule is unknown.

    Example:
        >>> tokenizer = train_on_word_counts({"low": 5, "lower": 2}, 260)
        >>> tokenizer.tokens("a low lower")
        [b'a', b' low', b' low', b'er']
    """
    check_whole_number("vocab_size", vocab_size, least=256)
    splitter = splitter_of(pattern)
    pieces: Counter[str] = Counter()
    for word, count in word_counts.items():
        check_frequency(check_text(word, "a word"), count)
        text = word if _UNSPACED_SCRIPTS.match(word) else " " + word
        for piece in split(text, splitter):
            pieces[pack_bytes(piece)] += count
    if not pieces:
        raise ValueError("word_counts is empty; it must hold a word at least")
    return ByteBPE.train_on_counts(
        pieces, vocab_size, pattern=pattern, tie_break=tie_break, min_frequency=min_frequency
    )


# What a tool of the lessons asks


def least_size(costs: Mapping[int, Mapping[str, float]]) -> int:
    """Return the size whose parts have the least sum; of equals the smaller one.

    Args:
        costs: {vocabulary size: {part: cost}}.

    Raises:
        ValueError: there is no size.

    Example:
        >>> least_size({256: {"a": 9, "b": 1}, 512: {"a": 5, "b": 2}, 1024: {"a": 4, "b": 4}})
        512
    """
    if not costs:
        raise ValueError("costs is empty; it must hold a size at least")
    return min(sorted(costs), key=lambda size: sum(costs[size].values()))


@cache
def language_factor(tokenizer: str, code: str, own: str, tokens: float = math.inf) -> tuple[float, float, float]:
    """Return how many times the tokens of language ``own`` the own sentences need, with a range for one text.

    A new text of k sentences strays from the average of n by as much as an average of m does,
    1 / m = 1 / k + 1 / n: its own chance, and that of the n. So m are drawn, see ``bootstrap_interval``.

    Args:
        tokenizer: a name, as in ``load``.
        code: the language of the texts.
        own: the language that it is compared with.
        tokens: the length of the text in language ``own``; by default it has no end, which leaves the
            interval of the average.

    Example:
        >>> language_factor("gpt2", "en", "en")
        (1.0, 1.0, 1.0)
        >>> [round(end, 2) for end in language_factor("gpt-4", "es", "en", 24)]
        [1.37, 1.09, 1.67]
    """
    texts, reference = (parallel_sentences()[language(which).code] for which in (code, own))
    drawn = max(1, round(1 / (tokens_per_sentence(tokenizer, reference) / tokens + 1 / len(texts))))
    return premium(tokenizer, texts, reference), *bootstrap_interval(
        tokenizer, texts, reference, resamples=1000, sentences=drawn
    )
