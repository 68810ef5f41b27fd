"""Notebook 08, token costs across languages: exercises and quiz."""

import random
import re
import statistics

from bpe_core import load

from ..spec import ByResult, ChooseExercise, FunctionExercise, Lesson, Option, PredictExercise, Question, WrongAnswer
from .odd_texts import ODD_TEXTS

NEEDS = "from bpe_core import load\n\n\n"

# The same in several languages, for probes; (English, other).
PAIRS = (
    ("Good morning.", "Bonjour."),
    ("Thank you.", "Merci beaucoup."),
    ("The tea is hot.", "El té está caliente."),
    ("Where is the station?", "¿Dónde está la estación?"),
    ("I am reading a book.", "Ես գիրք եմ կարդում։"),
    ("Good morning.", "Доброе утро."),
    ("It is raining today.", "Сегодня идёт дождь."),
    ("Thank you.", "நன்றி."),
    ("Good morning.", "早上好。"),
    ("The door is open.", "Der Eingang ist offen."),
)
TOKENIZERS = ("gpt2", "cl100k_base")


def _count(name: str, text: str) -> int:
    return len(load(name).encode_ordinary(text))


def _refusing(name: str, text: str) -> int:
    return len(load(name).encode(text))


def _allowing(name: str, text: str) -> int:
    return len(load(name).encode(text, allowed_special="all"))


def _bytes(text: str) -> int:
    return len(text.encode("utf-8"))


# --- 8.1 -------------------------------------------------------------------------------------


def tokens_per_byte(name: str, text: str) -> float:
    """Return how many tokens a text has for each of its UTF-8 bytes.

    Args:
        name: a published tokenizer, such as "gpt2" or "o200k_base".
        text: any text but the empty one, in any language.

    Returns:
        A float. 1.0 means that no merge applied.

    Example:
        >>> tokens_per_byte("gpt2", "the red hot tea.")
        0.3125
        >>> tokens_per_byte("cl100k_base", "Բարև")
        1.0
    """
    ids = load(name).encode_ordinary(text)
    return len(ids) / len(text.encode("utf-8"))


def _texts_of_all(rng: random.Random) -> list:
    texts = [text for pair in PAIRS for text in pair] + ["a", "aaaa aaaa", "é", "東京", "tea  time\n", "a b a b a b"]
    return (
        [(name, text) for text in texts for name in (rng.choice(TOKENIZERS),)]
        + [(name, text) for text in ("Good morning. Доброе утро.", *ODD_TEXTS) for name in TOKENIZERS]
        + [("o200k_base", text) for text in ("Բարև", "Good morning.", "🙂👋")]
    )


TOKENS_PER_BYTE = FunctionExercise(
    id="8.1",
    title="Encode another language, give tokens per byte",
    points=15,
    reference=tokens_per_byte,
    needs=NEEDS,
    forbidden=("costs",),
    expects="a float",
    make_probes=_texts_of_all,
    tolerance=1e-9,
    seconds=10.0,
    hints=(
        "Two numbers are needed: how many tokens, and how many bytes. Which of the two depends on the tokenizer?",
        "`load(name)` gives the tokenizer, and its `encode_ordinary` gives a list of ids. For a text in Armenian "
        "`len(text)` counts letters, of which each is more than one byte.",
        "`encode` is also a method of str: with the name of the encoding it gives bytes, and `len` of those is their "
        "number. Then divide, tokens by bytes.",
    ),
    wrong_answers=(
        WrongAnswer(
            "per-character",
            lambda name, text: _count(name, text) / len(text),
            "You divide by the number of characters. `len(text)` counts characters; an Armenian letter is two bytes, a "
            "Chinese one three.",
        ),
        WrongAnswer(
            "upside-down",
            lambda name, text: _bytes(text) / _count(name, text),
            "That is bytes per token, the fraction upside down. Asked for is tokens per byte, which is 1 at most.",
        ),
        WrongAnswer(
            "per-word",
            lambda name, text: _count(name, text) / len(text.split()),
            "You divide by the number of words. That is fertility; here each token is compared with the bytes.",
        ),
        WrongAnswer(
            "utf-16",
            lambda name, text: _count(name, text) / len(text.encode("utf-16-le")),
            "You count the bytes of UTF-16, where even an English letter takes two. Byte-level tokenizers work on UTF-8.",
        ),
        WrongAnswer(
            "different-tokens",
            lambda name, text: len(set(load(name).encode_ordinary(text))) / _bytes(text),
            "You count each different id once. A token that occurs three times is billed three times.",
        ),
        WrongAnswer(
            "refuses-special-tokens",
            lambda name, text: _refusing(name, text) / _bytes(text),
            "Your code stops with an error where a text spells a special token, as `encode` does unless it is told otherwise. Here "
            "any text is just text.",
        ),
        WrongAnswer(
            "allows-special-tokens",
            lambda name, text: _allowing(name, text) / _bytes(text),
            "You let a text make special tokens: `<|endoftext|>` counts as one. Somebody has typed it, so it is text and is cut "
            "like any other.",
        ),
        WrongAnswer(
            "whole-division",
            (
                lambda name, text: float(_count(name, text) // _bytes(text)),
                lambda name, text: _count(name, text) // _bytes(text),
            ),
            "Your division drops everything behind the point: `//` is whole division.",
        ),
        WrongAnswer(
            "word-by-word",
            lambda name, text: sum(_count(name, word) for word in text.split()) / _bytes(text),
            "You encode word by word, which loses the spaces. A space belongs to the token of the word behind it, so encode "
            "the text as a whole.",
        ),
        WrongAnswer(
            "always-gpt2",
            lambda name, text: _count("gpt2", text) / _bytes(text),
            "You use GPT-2's tokenizer whatever the name says.",
        ),
        WrongAnswer(
            "counts-characters-as-tokens",
            lambda name, text: len(text) / _bytes(text),
            "You divide characters by bytes, so the tokenizer plays no part. Encode the text and count the ids.",
        ),
    ),
)

# --- 8.2 -------------------------------------------------------------------------------------


def fertility(name: str, texts: list) -> float:
    """Return tokens per word: all tokens of the texts, over all words.

    A word is what stands between white space. The texts are billed as
    they are, each as a whole.

    Args:
        name: a published tokenizer, such as "gpt2".
        texts: a list of str, each with a word at least.

    Returns:
        A float.

    Example:
        >>> fertility("gpt2", ["newest widest"])
        1.5
        >>> fertility("gpt2", ["the cat sat", "Hello"])
        1.0
    """
    tokenizer = load(name)
    tokens = words = 0
    for text in texts:
        tokens += len(tokenizer.encode_ordinary(text))
        words += len(text.split())
    return tokens / words


def _fertility_of_lone_words(name, texts):
    tokenizer = load(name)
    tokens = words = 0
    for text in texts:
        for word in text.split():
            tokens += len(tokenizer.encode_ordinary(word))
            words += 1
    return tokens / words


def _with_spaces(name, texts):
    words = [word for text in texts for word in text.split()]
    return sum(_count(name, " " + word) for word in words) / len(words)


def _tokens(name, texts, count=_count) -> int:
    return sum(count(name, text) for text in texts)


def _over_words(name, encoded, texts, count=_count) -> float:
    return _tokens(name, encoded, count) / sum(len(text.split()) for text in texts)


def _text_lists(rng: random.Random) -> list:
    lists = [
        ["widest"],
        ["newest widest lowest"],
        ["the  cat"],
        ["the cat\nsat on\tthe mat"],
        ["Please tell me more.", "Unbelievably good"],
        ["tokenization"],
        ["Talo on vanhempi kuin luulimme.", "Kiitos"],
        ["Watoto wanacheza nje.", "Asante sana rafiki yangu"],
        ["the the the", "newest"],
        [" widest newest"],
        ["  strawberry  jam "],
        ["lowest", "lowest", "the cat sat on the mat"],
        ["new", "est"],
        ["Good morning", "to you all", "and to me"],
        ["don't stop", "rock-'n'-roll, 3.5 %"],
        ["a\u00a0b c\u2003d"],
        ["- x_y = 2 !"],
        ["a"] * 5 + ["b c"] * 3,
    ]
    lists += [[text] for text in ODD_TEXTS] + [[*ODD_TEXTS], [*ODD_TEXTS[::-1]]]
    lists += [[text] for pair in PAIRS[:8] for text in pair if " " in text]
    lists.append(["".join(rng.choice(["tea ", "strawberry ", "up\n", "Доброе ", "newest  "]) for _ in range(5))])
    return [(name, texts) for texts in lists for name in TOKENIZERS]


MEND_FERTILITY = FunctionExercise(
    id="8.2",
    title="Find the bug: words out of their text",
    points=20,
    reference=fertility,
    buggy=_fertility_of_lone_words,
    needs=NEEDS,
    forbidden=("costs",),
    expects="a float",
    make_probes=_text_lists,
    tolerance=1e-9,
    seconds=10.0,
    hints=(
        "Run it on `newest widest` and look at the tokens. What did the text have between the two words, and where has it "
        "gone?",
        "`widest` alone and ` widest` in a sentence are different tokens: in a text the space belongs to the word behind it.",
        "The number of words may be counted as before, or as the length of what `split` gives. The tokens must come from the "
        "whole text in one call.",
    ),
    wrong_answers=(
        WrongAnswer(
            "lone-words",
            _fertility_of_lone_words,
            "The bug is still there: each word is encoded by itself, without the space that stands before it in the text.",
        ),
        WrongAnswer(
            "space-before-each",
            _with_spaces,
            "You put a space before every word. The first word of a text may have none, and a text may have line ends or two "
            "spaces: encode the text as it is.",
        ),
        WrongAnswer(
            "space-before-all-but-the-first",
            lambda name, texts: _over_words(name, [" ".join(text.split()) for text in texts], texts),
            "With you a single space stands before every word but the first. A text may begin with a space, or have line ends or two spaces "
            "between words: encode the text as it is.",
        ),
        WrongAnswer(
            "strips",
            lambda name, texts: _over_words(name, map(str.strip, texts), texts),
            "You remove white space at the ends of a text. It is billed as well: encode the text as it is.",
        ),
        WrongAnswer(
            "text-for-each-word",
            lambda name, texts: _over_words(name, [text for text in texts for _ in text.split()], texts),
            "You count the whole text again for each of its words. Count it once.",
        ),
        WrongAnswer(
            "words-without-signs",
            (
                lambda name, texts: _tokens(name, texts) / sum(len(re.findall(r"\w+", text)) for text in texts),
                lambda name, texts: _tokens(name, texts) / sum(len(re.findall(r"[\w']+", text)) for text in texts),
                lambda name, texts: _tokens(name, texts) / sum(len(re.findall(r"[a-zA-Z]+", text)) for text in texts),
            ),
            "You count runs of letters and digits as words, and cut at other signs. A word is what stands between white space: "
            "`rock-'n'-roll,` is one.",
        ),
        WrongAnswer(
            "refuses-special-tokens",
            lambda name, texts: _over_words(name, texts, texts, count=_refusing),
            "Your code stops with an error where a text spells a special token, as `encode` does unless it is told otherwise. Here "
            "any text is just text.",
        ),
        WrongAnswer(
            "allows-special-tokens",
            lambda name, texts: _over_words(name, texts, texts, count=_allowing),
            "You let a text make special tokens: `<|endoftext|>` counts as one. Somebody has typed it, so it is text and is cut "
            "like any other.",
        ),
        WrongAnswer(
            "mean-of-ratios",
            lambda name, texts: statistics.fmean(_count(name, text) / len(text.split()) for text in texts),
            "You average the fertility of the texts, so a text of one word weighs as much as a long one. Add up all tokens, "
            "add up all words, divide once.",
        ),
        WrongAnswer(
            "splits-at-spaces-only",
            lambda name, texts: sum(_count(name, text) for text in texts) / sum(len(text.split(" ")) for text in texts),
            '`split(" ")` sees an empty word between two spaces, and none at a line end. `split()` cuts at any white space.',
        ),
        WrongAnswer(
            "upside-down",
            lambda name, texts: sum(len(text.split()) for text in texts) / sum(_count(name, text) for text in texts),
            "That is words per token, the fraction upside down.",
        ),
        WrongAnswer(
            "per-character",
            lambda name, texts: sum(_count(name, text) for text in texts) / sum(map(len, texts)),
            "You divide by characters. Fertility counts words.",
        ),
        WrongAnswer(
            "different-words",
            lambda name, texts: (
                sum(_count(name, text) for text in texts) / len({word for text in texts for word in text.split()})
            ),
            "You count each different word once, but all tokens. A word that occurs three times is three words.",
        ),
        WrongAnswer(
            "last-text-only",
            lambda name, texts: _count(name, texts[-1]) / len(texts[-1].split()),
            "Only the last text is counted: the sums begin anew for each text.",
        ),
        WrongAnswer(
            "first-text-only",
            lambda name, texts: _count(name, texts[0]) / len(texts[0].split()),
            "Only the first text is counted: the `return` stands inside the loop.",
        ),
        WrongAnswer(
            "joined",
            lambda name, texts: _count(name, "".join(texts)) / sum(len(text.split()) for text in texts),
            "You glue the texts together, so that tokens form across two of them. Each text is billed by itself.",
        ),
        WrongAnswer(
            "joined-with-a-space",
            lambda name, texts: _count(name, " ".join(texts)) / sum(len(text.split()) for text in texts),
            "You join the texts with spaces before you encode them, so the first word of each gets a space that it does not "
            "have. Each text is billed by itself.",
        ),
        WrongAnswer(
            "joined-by-line-ends",
            lambda name, texts: _over_words(name, ["\n".join(texts)], texts),
            "You join the texts with line ends before you encode them, and the line ends cost tokens too. Each text is billed by "
            "itself.",
        ),
    ),
)

# --- 8.3 -------------------------------------------------------------------------------------


def premium_over(name: str, texts: list, reference: list) -> float:
    """Return how many times the tokens of the reference the texts need.

    It is one ratio of two totals.

    Args:
        name: a published tokenizer, such as "gpt2".
        texts: a list of str.
        reference: the same texts in the reference language.

    Returns:
        A float; 1.0 means that both need the same.

    Example:
        >>> premium_over("gpt2", ["Merci.", "Oui."], ["Thank you.", "Yes."])
        1.2
    """
    tokenizer = load(name)
    ours = sum(len(tokenizer.encode_ordinary(text)) for text in texts)
    theirs = sum(len(tokenizer.encode_ordinary(text)) for text in reference)
    return ours / theirs


def _ratio_of(measure):
    def ratio(name, texts, reference_texts):
        return sum(measure(name, text) for text in texts) / sum(measure(name, text) for text in reference_texts)

    return ratio


def _sentence_ratios(name, texts, reference_texts) -> list[float]:
    return [_count(name, text) / _count(name, other) for text, other in zip(texts, reference_texts)]


def _aligned(rng: random.Random) -> list:
    found = []
    for _ in range(24):
        chosen = rng.sample(PAIRS, rng.randint(1, 4))
        found.append((rng.choice(TOKENIZERS), [text for _, text in chosen], [english for english, _ in chosen]))
    found += [(name, english, texts) for name, texts, english in found[:8]]
    whole = ([text for _, text in PAIRS], [english for english, _ in PAIRS])
    found += [(name, *whole) for name in TOKENIZERS]
    for text in ODD_TEXTS:
        found += [("gpt2", [text], ["Good morning."]), ("gpt2", ["Good morning."], [text])]
    twice = ["Merci.", "Merci.", " Oui "], ["Thank you.", "Thank you.", "Yes"]
    many = ["Oui."] * 12 + ["Bună ziua."], ["Yes."] * 12 + ["Good morning."]
    return found + [
        ("gpt2", *many),
        ("gpt2", *twice),
        ("gpt2", *twice[::-1]),
        ("gpt2", ["Hi."], ["Bună ziua."]),
        ("gpt2", ["OK"], ["OK"]),
    ]


PREMIUM = FunctionExercise(
    id="8.3",
    title="Write the premium",
    points=25,
    reference=premium_over,
    needs=NEEDS,
    forbidden=("costs",),
    expects="a float",
    make_probes=_aligned,
    tolerance=1e-9,
    seconds=10.0,
    hints=(
        "Think of the bill. A provider adds up your tokens and sends one bill. How many times the English bill is it?",
        "Two totals: the tokens of all texts, and the tokens of all reference texts. Each text is encoded by itself.",
        "Sum the lengths of what `encode_ordinary` gives, once over `texts` and once over `reference`. Divide once, at "
        "the very end.",
    ),
    wrong_answers=(
        WrongAnswer(
            "mean-of-ratios",
            lambda name, texts, reference_texts: statistics.fmean(_sentence_ratios(name, texts, reference_texts)),
            "You take the mean of one ratio for each sentence. Then a greeting of two words weighs as much as a long sentence, "
            "and the result is not what the bill shows. Add up first, divide once.",
        ),
        WrongAnswer(
            "median-of-ratios",
            lambda name, texts, reference_texts: statistics.median(_sentence_ratios(name, texts, reference_texts)),
            "You take the middle one of the sentences' ratios. A bill is for all sentences together.",
        ),
        WrongAnswer(
            "swapped",
            lambda name, texts, reference_texts: _ratio_of(_count)(name, reference_texts, texts),
            "The two are swapped: you say how many times cheaper the texts are. The reference belongs below the line.",
        ),
        WrongAnswer(
            "characters",
            _ratio_of(lambda name, text: len(text)),
            "You compare characters. Providers bill tokens, and tokens depend on the tokenizer: encode the texts.",
        ),
        WrongAnswer(
            "bytes",
            _ratio_of(lambda name, text: _bytes(text)),
            "You compare bytes. That is the byte tax, one part of the premium, in which the tokenizer plays no part.",
        ),
        WrongAnswer(
            "words",
            _ratio_of(lambda name, text: len(text.split())),
            "You compare the number of words. Languages put different things into one word, and the bill is for tokens.",
        ),
        WrongAnswer(
            "fertility-ratio",
            lambda name, texts, reference_texts: (
                _ratio_of(_count)(name, texts, reference_texts)
                / _ratio_of(lambda name, text: len(text.split()))(name, texts, reference_texts)
            ),
            "You compare tokens per word. A language that says the same in fewer words then looks dearer than it is. Compare "
            "the tokens of the same content.",
        ),
        WrongAnswer(
            "never-below-one",
            ByResult(
                lambda got, expected, *arguments: expected < 1 <= got,
                lambda name, texts, reference: max(1.0, premium_over(name, texts, reference)),
            ),
            "Your premium is never below 1. A language may need fewer tokens than the reference, and then it is.",
        ),
        WrongAnswer(
            "refuses-special-tokens",
            _ratio_of(_refusing),
            "Your code stops with an error where a text spells a special token, as `encode` does unless it is told otherwise. Here "
            "any text is just text.",
        ),
        WrongAnswer(
            "allows-special-tokens",
            _ratio_of(_allowing),
            "You let a text make special tokens: `<|endoftext|>` counts as one. Somebody has typed it, so it is text and is cut "
            "like any other.",
        ),
        WrongAnswer(
            "joined",
            (
                lambda name, texts, reference: _count(name, " ".join(texts)) / _count(name, " ".join(reference)),
                lambda name, texts, reference: _count(name, "".join(texts)) / _count(name, "".join(reference)),
            ),
            "You join the sentences before you encode them. The joint between two sentences then makes tokens that neither of "
            "them has. Encode each by itself, and add up.",
        ),
        WrongAnswer(
            "joined-by-new-lines",
            lambda name, texts, reference: _count(name, "\n".join(texts)) / _count(name, "\n".join(reference)),
            "You join the sentences with line ends before you encode them. The line ends cost tokens too. Encode each "
            "sentence by itself, and add up.",
        ),
        WrongAnswer(
            "no-reference",
            lambda name, texts, reference: sum(_count(name, text) for text in texts) / len(texts),
            "You give the tokens per sentence of the texts alone. Divide by the tokens of the reference, not by the number "
            "of sentences.",
        ),
        WrongAnswer(
            "extra-only",
            lambda name, texts, reference_texts: _ratio_of(_count)(name, texts, reference_texts) - 1,
            "You give only what comes on top. A premium of 1.0 means the same number of tokens, 2.0 means twice as many.",
        ),
        WrongAnswer(
            "first-only",
            lambda name, texts, reference_texts: _count(name, texts[0]) / _count(name, reference_texts[0]),
            "Only the first sentence is compared. Use all of them.",
        ),
        WrongAnswer(
            "always-gpt2",
            lambda name, texts, reference_texts: _ratio_of(_count)("gpt2", texts, reference_texts),
            "You use GPT-2's tokenizer whatever the name says.",
        ),
    ),
)

# --- 8.4 -------------------------------------------------------------------------------------

CHOOSE_NAMES = ChooseExercise(
    id="8.4",
    title="Choose: why names are cheaper than sentences",
    points=15,
    question="In GPT-4 Vietnamese has a premium of 2.3 on sentences, but of 1.4 on the names of countries. "
    "Which of these explains the larger part of the difference?",
    variable="why_names_are_cheaper",
    options=(
        Option(
            "Names are short, and in a short text there is no room for a premium.",
            False,
            "A premium is a ratio, so length alone changes nothing. The same 257 names are as short in Georgian, and cost more "
            "than seven times English there.",
        ),
        Option(
            "GPT-4's tokenizer was trained on lists of countries, so it has one token for each Vietnamese name.",
            False,
            "Most of the names are several tokens, in Vietnamese and in English. Look at the names themselves: what is special "
            "about them in Vietnamese?",
        ),
        Option(
            "For most countries Vietnamese uses the very spelling of English, and where both texts are equal the ratio is 1.",
            True,
            "The next cell counts them: 165 of 257 names are letter for letter the same. Without these the premium rises to "
            "1.9, more than half of the way to 2.3. The rest has other reasons: names cost English more tokens than everyday words do.",
        ),
        Option(
            "The mean was taken over names and not over words, and a mean of ratios is always lower.",
            False,
            "Both premiums are ratios of totals. And a mean of ratios can lie on either side of the ratio of totals.",
        ),
    ),
    hints=(
        'Look at the names: `names.cldr_names("vi")` and `names.cldr_names("en")` stand in the same order.',
        "What is the premium of a text that is the same, letter for letter, in both languages?",
        "Count at how many places the two lists are equal.",
    ),
)

# --- 8.5 -------------------------------------------------------------------------------------


def _vocabulary_factor_of_armenian():
    from bpe_core import costs, names

    sentences = names.parallel_sentences()
    return round(costs.vocabulary_factor("gpt-4", sentences["hy"], sentences["en"]), 1)


PREDICT_ARMENIAN = PredictExercise(
    id="8.5",
    title="Predict: a script without a merge",
    points=20,
    question="In GPT-4 the 32 English sentences are 1,745 bytes in 390 tokens. The Armenian ones are 3,129 bytes. No token "
    "of the vocabulary holds an Armenian letter, and not one merge applies anywhere in the Armenian text. "
    "What is the vocabulary factor of Armenian? (To one decimal.)",
    variable="factor_of_armenian",
    answer=4.5,
    expects="a number such as 1.5",
    why="Without a merge every byte is a token, so an Armenian token holds 1 byte. An English one holds 1,745 / 390 = 4.47, "
    "and 4.47 / 1 = 4.47. The byte tax is 3,129 / 1,745 = 1.79, and 1.79 times 4.47 is the premium that you know, 8.0.",
    proof=_vocabulary_factor_of_armenian,
    tolerance=0.06,
    hints=(
        "The factor compares two tokens: how many bytes does an English one hold, and how many an Armenian one?",
        "Without merges each byte stays a token of its own. So how many bytes does an Armenian token hold?",
        "Divide the bytes of English by the tokens of English. Then divide that by the bytes in an Armenian token.",
    ),
    wrong_answers=(
        WrongAnswer(
            "premium",
            lambda value: _near(value, 8.0),
            "That is the premium, the product of both factors. Asked for is the vocabulary factor alone.",
        ),
        WrongAnswer(
            "premium-upside-down",
            lambda value: _near(value, 390 / 3129, 0.003),
            "That is the premium upside down, English tokens over Armenian ones. The factor compares the bytes in a token.",
        ),
        WrongAnswer(
            "byte-tax",
            lambda value: _near(value, 1.79),
            "That is the byte tax, bytes over bytes. The vocabulary factor compares the bytes in a token.",
        ),
        WrongAnswer(
            "armenian-token",
            lambda value: _near(value, 1.0),
            "That is what an Armenian token holds in bytes. The factor compares it with an English token.",
        ),
        WrongAnswer(
            "swapped",
            lambda value: _near(value, 0.22, 0.03),
            "The fraction is upside down: the bytes in an English token stand above the line.",
        ),
        WrongAnswer(
            "per-letter",
            lambda value: _near(value, 2.24) or _near(value, 2.0),
            "You let an Armenian token hold a whole letter, which is two bytes. Without a merge each byte is a token.",
        ),
        WrongAnswer(
            "over-byte-tax",
            lambda value: _near(value, 2.5),
            "You divide by the byte tax. That is the other factor, and has no place in this one.",
        ),
        WrongAnswer(
            "times-byte-tax",
            lambda value: _near(value, 14.4, 0.15),
            "You multiply the premium by the byte tax. The premium is the product already.",
        ),
        WrongAnswer(
            "tokens",
            lambda value: _near(value, 3129),
            "That is the number of Armenian tokens. The factor compares the bytes in a token.",
        ),
        WrongAnswer(
            "no-decimal",
            lambda value: type(value) is int and value in (4, 5),
            "The size is right. Give one decimal, written with a point.",
        ),
        WrongAnswer(
            "in-quotes",
            lambda value: type(value) is str,
            "Write a number, without quotes.",
        ),
    ),
)


def _near(value, wanted: float, within: float = 0.06) -> bool:
    return type(value) in (int, float) and abs(value - wanted) <= within


# --- 8.6 -------------------------------------------------------------------------------------


def chat_price(turns: list, input_price: float, output_price: float):
    """Return what a conversation costs when each request sends all of it.

    A model remembers nothing, so request number 3 sends the first two
    questions and answers and the third question. What is sent is billed
    as input, the answer that comes back as output.

    Args:
        turns: a list of (tokens of the question, tokens of the answer);
            without any the price is 0.0.
        input_price: for a million tokens sent.
        output_price: for a million tokens of answers.

    Returns:
        A float, in the currency of the prices.

    Example:
        >>> chat_price([(100, 200)], 10.0, 30.0)
        0.007
        >>> chat_price([(100, 200), (50, 100)], 10.0, 30.0)
        0.0135
    """
    sent = answered = history = 0
    for question, answer in turns:
        sent += history + question
        answered += answer
        history += question + answer
    return (sent * input_price + answered * output_price) / 1_000_000


def _totals(turns, remembered=lambda question, answer: question + answer) -> tuple[int, int]:
    sent = answered = history = 0
    for question, answer in turns:
        sent += history + question
        answered += answer
        history += remembered(question, answer)
    return sent, answered


def _million(sent, answered, input_price, output_price) -> float:
    return (sent * input_price + answered * output_price) / 1_000_000


def _all(turns, part: int) -> int:
    return sum(turn[part] for turn in turns)


def _again(turns, part: int) -> int:
    return sum(_all(turns[: n + 1], part) for n in range(len(turns)))


def _said_so_far(turns) -> int:
    return _again(turns, 0) + _again(turns, 1)


def _last_turn_only(history):
    # Each request sends the turn before it and nothing older.
    sent = previous = answered = 0
    for question, answer in history:
        sent += previous + question
        answered += answer
        previous = question + answer
    return sent, answered


def _talks(rng: random.Random) -> list:
    talks = [
        [(1, 1)],
        [(10, 0)],
        [(0, 10)],
        [(1, 2), (3, 4)],
        [(100, 200)] * 3,
        [(5, 0), (5, 0), (5, 0)],
        [(390, 390), (40, 390)],
        [],
        [(3_000_000, 1_000_000)],
        [(5, 7)] * 14,
        [(3, 0), (0, 4), (3, 0), (0, 4)],
    ]
    for _ in range(20):
        talks.append([(rng.randint(1, 900), rng.randint(1, 900)) for _ in range(rng.randint(1, 6))])
    prices = [(30.0, 60.0), (2.5, 10.0), (0.1, 0.3), (1.0, 1.0), (10.0, 30.0)]
    found = [(talk, *prices[i % len(prices)]) for i, talk in enumerate(talks)]
    return found + [([(1, 2), (3, 4)], 0.0, 2.0), ([(1, 2), (3, 4)], 2.0, 0.0)]


CONVERSATION = FunctionExercise(
    id="8.6",
    title="Write the price of a conversation",
    points=25,
    reference=chat_price,
    expects="a float, a price",
    make_probes=_talks,
    tolerance=1e-12,
    hints=(
        "Write down two turns on paper. What does the second request send, and which part of it was paid for before?",
        "Keep three sums: what was sent in all requests, what was answered, and the history, which grows by the question and "
        "the answer of each turn.",
        "In a loop over the turns, add the history and the new question to what was sent, add the answer to what was answered, "
        "and only then let the history grow. Multiply each sum by its price at the end, and remember the million.",
    ),
    wrong_answers=(
        WrongAnswer(
            "no-history",
            lambda turns, i, o: _million(sum(q for q, _ in turns), sum(a for _, a in turns), i, o),
            "You bill each question once. A model remembers nothing: every request sends all earlier questions and answers "
            "again, and they are billed again.",
        ),
        WrongAnswer(
            "questions-only",
            lambda turns, i, o: _million(*_totals(turns, lambda question, answer: question), i, o),
            "Your history holds the questions only. The model's earlier answers are sent along too.",
        ),
        WrongAnswer(
            "answers-only",
            lambda turns, i, o: _million(*_totals(turns, lambda question, answer: answer), i, o),
            "Your history holds the answers only. The earlier questions are sent along too.",
        ),
        WrongAnswer(
            "history-too-early",
            lambda turns, i, o: _million(_totals(turns)[0] + sum(a for _, a in turns), _totals(turns)[1], i, o),
            "You bill each answer as input in its own turn. When the request is sent, that answer does not exist yet: let the "
            "history grow after billing.",
        ),
        WrongAnswer(
            "one-turn-back",
            lambda turns, i, o: _million(*_last_turn_only(turns), i, o),
            "Each request sends only the turn before it. The history is everything since the first question: add to it, do "
            "not replace it.",
        ),
        WrongAnswer(
            "last-request-only",
            lambda turns, i, o: (
                _million(_totals(turns)[0] - _totals(turns[:-1])[0], turns[-1][1], i, o) if turns else 0.0
            ),
            "You bill the last request only. The earlier requests were billed too, each when it was sent.",
        ),
        WrongAnswer(
            "history-as-output",
            (
                lambda turns, i, o: _million(_totals(turns)[0], _said_so_far(turns), i, o),
                lambda turns, i, o: _million(_totals(turns)[0], _said_so_far(turns) - _all(turns, 0), i, o),
                lambda turns, i, o: _million(_all(turns, 0), _said_so_far(turns) - _all(turns, 0), i, o),
            ),
            "You bill the whole history as output in every turn. Only the new answer comes back; what was said before is input.",
        ),
        WrongAnswer(
            "answers-again",
            (
                lambda turns, i, o: _million(_totals(turns)[0], _again(turns, 1), i, o),
                lambda turns, i, o: _million(_again(turns, 0), _again(turns, 1), i, o),
            ),
            "You bill earlier answers as output again in each turn. An answer is output once, when it is made; where it is sent "
            "along, it is input.",
        ),
        WrongAnswer(
            "everything-once",
            (
                lambda turns, i, o: _million(_all(turns, 0) + _all(turns, 1), _all(turns, 1), i, o),
                lambda turns, i, o: _million(_all(turns, 0) + _all(turns, 1), 0, i, o),
            ),
            "You bill every token as input once. A question that three requests send is billed three times, and the last answer is "
            "never sent.",
        ),
        WrongAnswer(
            "prices-swapped",
            lambda turns, i, o: _million(*_totals(turns), o, i),
            "The two prices are swapped: what you send is input, what comes back is output.",
        ),
        WrongAnswer(
            "one-price",
            lambda turns, i, o: _million(*_totals(turns), i, i),
            "You bill the answers at the price of input. Output has a price of its own.",
        ),
        WrongAnswer(
            "per-thousand",
            lambda turns, i, o: _million(*_totals(turns), i, o) * 1_000,
            "Your result is a thousand times too high: the prices are for a million tokens.",
        ),
        WrongAnswer(
            "per-token",
            lambda turns, i, o: _million(*_totals(turns), i, o) * 1_000_000,
            "You take the prices as prices of one token. They are for a million.",
        ),
        WrongAnswer(
            "answers-free",
            lambda turns, i, o: _million(_totals(turns)[0], 0, i, o),
            "The answers are missing: each is billed once as output, when it is made.",
        ),
    ),
)

# --- 8.7 -------------------------------------------------------------------------------------


def _premium_of_georgian():
    from bpe_core import costs, names

    mix = "en es ru ar hi zh de ja ko ta he vi fr pt it uk el fa bn tr fi id_ID pl".split()
    sentences = names.parallel_sentences()
    counts = costs.mix_word_counts(mix, words_per_language=5_000)
    tokenizer = costs.train_on_word_counts(counts, 7_000)
    return round(costs.premium(tokenizer, sentences["ka"], sentences["en"]), 1)


PREDICT_GEORGIAN = PredictExercise(
    id="8.7",
    title="Predict: a language in no mix",
    points=20,
    question="A tokenizer with 7,000 entries learns from English words only. An English sentence needs 14.3 tokens and a "
    "Georgian one 139.4, a premium of 9.8. A second tokenizer, again with 7,000 entries, learns from 23 languages. "
    "Georgian is not among them, nor is any other language in its script. English now needs 22.3 tokens. "
    "What is the premium of Georgian? (To one decimal.)",
    variable="premium_of_georgian",
    answer=6.2,
    expects="a number such as 2.5",
    why="No word in Georgian script was seen, so no merge joins Georgian letters: its sentences need 139.4 tokens as before. "
    "Only the reference has changed: 139.4 / 22.3 = 6.25. (Unrounded, 4,462 tokens over 715, it is 6.24.) The premium fell, "
    "and no Georgian pays a token less.",
    proof=_premium_of_georgian,
    tolerance=0.1,
    hints=(
        "A premium has two numbers in it. Which of them can change when the words of 23 other languages come in?",
        "Merges are learned from the words that were seen. Was there a pair of Georgian letters among them?",
        "The tokens of Georgian stay what they are, and those of English are given. Divide.",
    ),
    wrong_answers=(
        WrongAnswer(
            "unchanged",
            lambda value: _near(value, 9.8),
            "The number of Georgian tokens is unchanged, but the premium compares them with English, which needs more now.",
        ),
        WrongAnswer(
            "upward",
            lambda value: _near(value, 15.2, 0.2),
            "You let the premium grow with the tokens of English. English stands below the line: if it needs more, the premium "
            "falls.",
        ),
        WrongAnswer(
            "falls-like-the-others",
            lambda value: type(value) in (int, float) and 0.9 <= value <= 2.5,
            "So low do the languages in the mix get. Georgian was in no mix, so no merge was learned for its letters.",
        ),
        WrongAnswer(
            "tokens",
            lambda value: _near(value, 139.4, 0.6),
            "That is the number of Georgian tokens in a sentence. The premium compares it with English.",
        ),
        WrongAnswer(
            "english-growth",
            lambda value: _near(value, 0.64, 0.03),
            "That is how English changed. What becomes of the premium, 139.4 over the tokens of English?",
        ),
        WrongAnswer(
            "difference",
            lambda value: _near(value, 117.1, 1.0),
            "You subtract. A premium is a ratio.",
        ),
        WrongAnswer(
            "shared-over-languages",
            lambda value: _near(value, 0.4, 0.05),
            "You share the premium out among the languages. Each language has a premium of its own.",
        ),
        WrongAnswer(
            "no-decimal",
            lambda value: type(value) is int and value == 6,
            "The size is right, but give one decimal, written with a point.",
        ),
        WrongAnswer("in-quotes", lambda value: type(value) is str, "Write a number, without quotes."),
    ),
)

# --- 8.8 -------------------------------------------------------------------------------------


def share_inside(tokens: list, reference: list, low: float, high: float):
    """Return the share of sentences whose own premium lies in an interval.

    The premium of sentence i is tokens[i] / reference[i]. The ends of the
    interval belong to it.

    Args:
        tokens: how many tokens each sentence has in one language.
        reference: how many it has in English, in the same order.
        low: the lower end of the interval.
        high: the upper end.

    Returns:
        A float from 0.0 to 1.0.

    Example:
        >>> share_inside([8, 10, 30, 40], [4, 5, 10, 10], 2.0, 3.5)
        0.75
    """
    inside = [low <= n / m <= high for n, m in zip(tokens, reference)]
    return sum(inside) / len(inside)


def _inside(test, over=len):
    def share(tokens, reference, low, high):
        held = [test(n / m, low, high) for n, m in zip(tokens, reference)]
        return sum(held) / over(held)

    return share


def _intervals(rng: random.Random) -> list:
    found = [([8, 10, 30, 40], [4, 5, 10, 10], 2.0, 3.5), ([3], [2], 1.0, 1.2), ([7, 9], [7, 3], 1.0, 3.0)]
    found += [([8, 10, 30, 40], reference, 2.0, 3.5) for reference in ([4, 10, 10, 30], [8, 10, 10, 10], [2, 3, 9, 16])]
    found += [([12, 3, 40], [4, 3, 2], 2.0, 4.0), ([3], [3], 1.0, 1.2), ([3], [1], 1.0, 1.2)]
    found += [([300, 120, 990], [100, 101, 300], 2.5, 3.5), ([12_345], [300], 41.0, 41.5), ([150], [50], 2.5, 3.5)]
    for _ in range(20):
        reference = [rng.randint(1, 20) for _ in range(rng.randint(2, 12))]
        tokens = [rng.randint(1, 60) for _ in reference]
        low = rng.choice([0.5, 1.0, 1.5, 2.0])
        found.append((tokens, reference, low, low + rng.choice([0.5, 1.0, 2.0])))
    return found


TEST_INTERVAL = FunctionExercise(
    id="8.8",
    title="Test an interval on single sentences",
    points=20,
    reference=share_inside,
    expects="a float",
    make_probes=_intervals,
    tolerance=1e-9,
    hints=(
        "Take the first sentence only. What is its own premium, and does it lie inside?",
        "`zip(tokens, reference)` walks both lists together. In Python `low <= ratio <= high` is one test.",
        "Count the sentences for which the test is true, and divide by the number of sentences.",
    ),
    wrong_answers=(
        WrongAnswer(
            "ratio-of-totals",
            lambda tokens, reference, low, high: float(low <= sum(tokens) / sum(reference) <= high),
            "You test the premium of all sentences together. Asked for is each sentence by itself.",
        ),
        WrongAnswer(
            "a-number",
            lambda tokens, reference, low, high: sum(low <= n / m <= high for n, m in zip(tokens, reference)),
            "You give how many sentences lie inside. Divide by the number of sentences.",
        ),
        WrongAnswer(
            "upside-down",
            lambda tokens, reference, low, high: share_inside(reference, tokens, low, high),
            "Your ratio is upside down: the tokens of English stand below the line.",
        ),
        WrongAnswer(
            "without-the-ends",
            _inside(lambda ratio, low, high: low < ratio < high),
            "You leave out the ends: a sentence of exactly `low` or `high` lies inside. Use `<=`.",
        ),
        WrongAnswer(
            "outside",
            _inside(lambda ratio, low, high: not low <= ratio <= high),
            "That is the share outside.",
        ),
        WrongAnswer(
            "one-end",
            (_inside(lambda ratio, low, high: ratio <= high), _inside(lambda ratio, low, high: low <= ratio)),
            "You test one end of the interval. A sentence must not lie below `low` nor above `high`.",
        ),
        WrongAnswer(
            "percent",
            lambda tokens, reference, low, high: 100 * share_inside(tokens, reference, low, high),
            "You give percent. A share lies between 0.0 and 1.0.",
        ),
    ),
)

# --- 8.9 -------------------------------------------------------------------------------------

CHOOSE_PARITY = ChooseExercise(
    id="8.9",
    title="Choose: why the premium of Greek fell",
    points=20,
    question="With the ordinary rule the 16 unseen sentences are 533 tokens in English and 723 in Greek, with the other rule 651 and "
    "665. The premium of Greek falls from 1.36 to 1.02. Why by so much?",
    variable="why_greek_fell",
    options=(
        Option(
            "Because Greek needs a quarter fewer tokens.",
            False,
            "Compare 723 with 665: that is 8% fewer. What else is in the ratio?",
        ),
        Option(
            "Because Greek needs 8% fewer tokens and English 22% more.",
            True,
            "A premium is a ratio, and both of its numbers moved: 665 / 723 = 0.92 and 651 / 533 = 1.22. The second moved more.",
        ),
        Option(
            "Because the sentences that chose the language were measured again.",
            False,
            "They were not: every second sentence chose, and the others were measured. Look at the four numbers.",
        ),
        Option(
            "Because Greek texts became shorter in bytes.",
            False,
            "No training changes bytes. Look at how each of the four numbers moved.",
        ),
    ),
    hints=(
        "A premium has two numbers in it. Which of them moved, and in which direction?",
        "Divide new by old, once for Greek and once for English.",
        "The smaller of the two changes cannot be the whole reason.",
    ),
)

# --- Quiz ------------------------------------------------------------------------------------

QUESTIONS = (
    Question(
        "In GPT-4 a Hindi text and a Chinese text both have about 2.5 bytes per token. Which of the two costs more, for the "
        "same content?",
        (
            Option(
                "Neither: bytes per token are equal, so the bills are.",
                False,
                "Bytes per token compares bytes with tokens, not content with tokens. The two need very different numbers of "
                "bytes for the same content.",
            ),
            Option(
                "Chinese, since each of its characters is three bytes.",
                False,
                "Three bytes, but few characters: the 32 sentences are fewer bytes in Chinese than in English.",
            ),
            Option(
                "Hindi, since it needs far more bytes to say the same.",
                True,
                "Its byte tax is 2.5, that of Chinese 0.9. With equal bytes per token, the one with more bytes has more tokens: "
                "premiums of 4.5 and 1.6.",
            ),
            Option(
                "It cannot be said without the price.",
                False,
                "The price of a token is the same for both; the number of tokens is not.",
            ),
        ),
    ),
    Question(
        "Between GPT-4 and GPT-4o the premium of Armenian fell from 8.0 to 1.6. What changed?",
        (
            Option(
                "The merges: there are some for Armenian letters now.",
                True,
                "No token of GPT-4 holds an Armenian letter; 1,753 of GPT-4o do. A token of Armenian now holds 5 bytes. The "
                "patterns differ as well, but they cut these sentences into the same number of pieces, 340.",
            ),
            Option(
                "UTF-8: Armenian letters take one byte there now.",
                False,
                "UTF-8 has not changed; an Armenian letter takes two bytes, and the byte tax is 1.79 in both.",
            ),
            Option(
                "The translation: the sentences became shorter.",
                False,
                "Both tokenizers were given the same sentences.",
            ),
            Option(
                "English: it needs more tokens in GPT-4o.",
                False,
                "English is 390 tokens in both. It was so in the trained mixes, where the vocabulary did not grow.",
            ),
        ),
    ),
    Question(
        "You train one tokenizer on English and one, of the same size, on 23 languages. What happens to a language that is in "
        "neither, in a script of its own?",
        (
            Option(
                "Its tokens become fewer, because a multilingual vocabulary is good for all.",
                False,
                "Merges are learned from what was seen. Nothing was learned about its letters.",
            ),
            Option(
                "Its tokens become more, because other languages have taken its place.",
                False,
                "It had no place before: the text was bytes, and bytes stay in every vocabulary.",
            ),
            Option(
                "It becomes unknown tokens.",
                False,
                "At byte level nothing is unknown: the 256 bytes are always there.",
            ),
            Option(
                "Its tokens stay as many or nearly so, and its premium falls, because English needs more.",
                True,
                "A premium is relative. A falling premium says nothing about the bill of the language itself, so look at the "
                "tokens too.",
            ),
        ),
    ),
    Question(
        "Which premium should you trust for your own application?",
        (
            Option(
                "The published one, because it was measured on the most sentences.",
                False,
                "More sentences make it more exact for texts of that kind. Names, chats and code are other kinds.",
            ),
            Option(
                "One that you measure on texts like those that you will send.",
                True,
                "A premium belongs to a tokenizer, a language and a kind of text: on a list of names Chinese goes from the "
                "cheapest in GPT-4o to the 14th (section 9). The range of the calculator is for everyday talk only.",
            ),
            Option(
                "The lowest one, because tokenizers get better.",
                False,
                "The lowest number need not be for your language or your texts. And a newer model may keep an older vocabulary: "
                "Qwen2.5 is younger than GPT-4o, its vocabulary is older, and most languages pay more there.",
            ),
            Option(
                "None: they differ, so they mean nothing.",
                False,
                "They differ for reasons that can be named and measured: the kind of text, the translators, the way of counting.",
            ),
        ),
    ),
)

LESSON = Lesson(
    8,
    "Token costs across languages",
    (
        TOKENS_PER_BYTE,
        MEND_FERTILITY,
        PREMIUM,
        PREDICT_ARMENIAN,
        CONVERSATION,
        PREDICT_GEORGIAN,
        TEST_INTERVAL,
        CHOOSE_NAMES,
        CHOOSE_PARITY,
    ),
    QUESTIONS,
)
