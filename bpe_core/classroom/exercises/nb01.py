"""Notebook 01, why sub-words: exercises and quiz."""

import random
import re
import string

from ...patterns import compile_pattern
from ..spec import ByResult, ChooseExercise, FunctionExercise, Lesson, Option, PredictExercise, Question, WrongAnswer

# --- 1.1 ---------------------------------------------------------------------------------------


def _three_lengths():
    text = "naïve café"
    return len(text.encode("utf-8")), len(text), len(text.split())


PREDICT_LENGTHS = PredictExercise(
    id="1.1",
    title="Predict: one text, three lengths",
    points=10,
    question="The text is `naïve café`. How long is it as bytes, as characters, and as words?\n"
    "The letters ï and é take two bytes each.",
    variable="three_lengths",
    answer=(12, 10, 2),
    expects="a tuple (bytes, characters, words)",
    why="Eight plain letters and signs take one byte each, ï and é two, so 12 bytes. The space is a byte and a character "
    "too, so 10 characters. Two words, since the space only stands between them.",
    proof=_three_lengths,
    hints=(
        "Begin with the characters: count all signs between the quotes. Is the space one of them?",
        "For the bytes, go through the characters once more. Which of them count double?",
        "The bytes are the characters and one more for each letter with an accent. The words are what stands between spaces.",
    ),
    wrong_answers=(
        WrongAnswer(
            "bytes-are-characters",
            (10, 10, 2),
            "You count one byte for each character. That is so for plain English letters; ï and é take two bytes each.",
        ),
        WrongAnswer(
            "one-accent",
            (11, 10, 2),
            "Two letters of the text take two bytes each, and you count only one of them double.",
        ),
        WrongAnswer(
            "no-space",
            (11, 9, 2),
            "The space is missing. It is a character like any other, and a byte.",
        ),
        WrongAnswer(
            "no-space-character",
            (12, 9, 2),
            "Bytes and words are right. Among the characters one is missing: the space is a character too.",
        ),
        WrongAnswer(
            "space-as-word",
            (12, 10, 3),
            "Bytes and characters are right. Among the words you count the space; it stands between words and is none.",
        ),
        WrongAnswer(
            "wrong-order",
            lambda value: sorted(value) == [2, 10, 12] and tuple(value) != (12, 10, 2),
            "The three numbers are right, their order is not: bytes first, then characters, then words.",
        ),
        WrongAnswer(
            "only-accents-counted",
            (14, 10, 2),
            "Three bytes are too many for ï and é: they take two each.",
        ),
    ),
)

# --- 1.2 ---------------------------------------------------------------------------------------


def unknown_share(training_words: list, new_words: list) -> float:
    """Say which share of the new words the training text did not have.

    A word that occurs twice among the new words counts twice.

    Args:
        training_words: the words of the training text, a list.
        new_words: the words of another text, a list.

    Returns:
        A float from 0.0 to 1.0; 0.0 if there are no new words.

    Example:
        >>> unknown_share(["low"], ["slow", "low", "slow", "new"])
        0.75
        >>> unknown_share(["low"], [])
        0.0
    """
    if not new_words:
        return 0.0
    known = set(training_words)
    unknown = [word for word in new_words if word not in known]
    return len(unknown) / len(new_words)


def _share(training_words, new_words, *, key=lambda word: word, over=len, find=None):
    if not new_words:
        return 0.0
    known = {key(word) for word in training_words}
    unknown = [word for word in new_words if (find(word) if find else key(word) not in known)]
    return len(unknown) / over(new_words)


def _each_once(training_words, new_words):
    return unknown_share(training_words, list(dict.fromkeys(new_words)))


def _unknown_once(training_words, new_words):
    return len(set(new_words) - set(training_words)) / len(new_words) if new_words else 0.0


def _by_training_length(training_words, new_words):
    unknown = sum(word not in training_words for word in new_words)
    return unknown / len(training_words) if new_words and training_words else 0.0


def _is_over_training(got, expected, training_words, new_words):
    unknown = _count_only(training_words, new_words)
    if not training_words:
        return got == 0
    return any(abs(got * n - unknown) < 1e-9 for n in (len(training_words), len(set(training_words))))


def _no_guard(training_words, new_words):
    return sum(word not in training_words for word in new_words) / len(new_words)


def _count_only(training_words, new_words):
    return sum(word not in training_words for word in new_words)


def _known_share(training_words, new_words):
    return 1 - unknown_share(training_words, new_words) if new_words else 0.0


def _word_lists(rng: random.Random) -> list:
    probes = [
        (["a"], ["a"]),
        (["a"], ["b"]),
        ([], ["a"]),
        ([], []),
        (["a", "b"], []),
        (["a", "b"], ["a", "c", "c", "c"]),
        (["a", "a", "a"], ["a", "b"]),
        (["low"], ["Low", "low", "lo", "w"]),
        (["lower"], ["low", "lower", "x"]),
        (["lower", "new"], ["er", "ne", "new"]),
        (["low", "lowest"], ["est", "low", "Lowest"]),
        (["a", "b", "c"], ["a", "b", "d"]),
        (["The", "tower"], ["the", "tower", "The"]),
        # None of the new words is known; each looks like one that is.
        (
            ["café", "cafe", "ss", "low", "loow", "2", "3", '"', "it"],
            ["cafe\u0301", "ß", "low,", "²", "٣", "“", "it's", "low7", "low²", "lo\u200dw", "looow", "low*"],
        ),
        (["x_y", "a.b", "水", "🙂", "½"], ["x", "xy", "a-b", "水水", "木", "🙃", "²", "_", "7", ","]),
        (["a", "b"], ["a<|im_end|>", "a</w>"]),
        (["low"] * 30 + ["new"], ["est", "low"] * 30 + ["new"]),
    ]
    words = ["low", "lower", "Lower", "newest", "new", "est", "west", "New", "a", "A"]
    for _ in range(30):
        training = [rng.choice(words[:6]) for _ in range(rng.randint(1, 6))]
        probes.append((training, [rng.choice(words) for _ in range(rng.randint(1, 8))]))
    return probes


UNKNOWN_SHARE = FunctionExercise(
    id="1.2",
    title="Write: the share of unknown words",
    points=20,
    reference=unknown_share,
    expects="a float from 0.0 to 1.0",
    make_probes=_word_lists,
    tolerance=1e-9,
    hints=(
        "Do the first example by hand: which of the four new words are not among the training words?",
        "Go through the new words one by one, and count those that the training text does not have. By what must the count "
        "be divided?",
        "Put the training words into a `set` first; asking a set is quick. And take care of the case without new words: "
        "nothing can be divided by zero.",
    ),
    wrong_answers=(
        WrongAnswer(
            "each-word-once",
            _each_once,
            "You make a set of the new words, so that each counts once. A reader stumbles over `slow` each time it "
            "occurs: count it as often as it stands there.",
        ),
        WrongAnswer(
            "unknown-words-once",
            _unknown_once,
            "You count each unknown word once, and divide by all words. A word that occurs twice is unknown twice.",
        ),
        WrongAnswer(
            "divides-by-different-words",
            lambda training_words, new_words: _share(training_words, new_words, over=lambda words: len(set(words))),
            "The count is right, but you divide it by the number of different words. It is a share of all new words, and "
            "can never be more than 1.0.",
        ),
        WrongAnswer(
            "known-share",
            _known_share,
            "That is the share of words that are known. Asked for are the others.",
        ),
        WrongAnswer(
            "divides-by-training",
            ByResult(_is_over_training, _by_training_length),
            "You divide by the number of training words. Asked for is a share of the new text: by what must the count of "
            "its unknown words be divided?",
        ),
        WrongAnswer(
            "fails-on-empty",
            _no_guard,
            "Right, but for a text without words: there you divide by zero. What should come out then is in the task.",
        ),
        WrongAnswer(
            "returns-count",
            ByResult(lambda got, expected, training, new: got == _count_only(training, new), _count_only),
            "You return how many words are unknown. Asked for is their share of all new words.",
        ),
        WrongAnswer(
            "percent",
            lambda training_words, new_words: 100 * unknown_share(training_words, new_words),
            "You return percent. A share goes from 0.0 to 1.0.",
        ),
        WrongAnswer(
            "rounds",
            lambda training_words, new_words: round(unknown_share(training_words, new_words), 2),
            "You round the share. Return it as the division gives it.",
        ),
        WrongAnswer(
            "looks-inside-words",
            lambda training_words, new_words: _share(
                training_words, new_words, find=lambda word: word not in " ".join(training_words)
            ),
            "You look for the word in the text of all training words, and find `low` inside `lower`. A word is known when "
            "the whole word was there.",
        ),
        WrongAnswer(
            "ignores-case",
            lambda training_words, new_words: _share(training_words, new_words, key=str.lower),
            "You make all words lower case. Here `Low` and `low` are two words, with two ids.",
        ),
        WrongAnswer(
            "texts-swapped",
            lambda training_words, new_words: unknown_share(new_words, training_words),
            "You look for the training words in the new text. It is the other way round: what does the new text have that "
            "the training text did not have?",
        ),
    ),
)

# --- 1.3 ---------------------------------------------------------------------------------------

NEEDS = "import re\n\n\n"


def count_unknown_words(text: str, vocabulary: list) -> int:
    r"""Cut a text into words, and count those not in the vocabulary.

    A word is a run of letters, digits and underscores: what `\w` fits.
    Any other sign that is not white space, such as a comma, is a word by
    itself. An unknown word counts each time it occurs.

    Args:
        text: any text.
        vocabulary: the known words, commas and other signs among them.

    Returns:
        How many words of the text are unknown.

    Example:
        >>> count_unknown_words("lower, lower", ["lower", ","])
        0
        >>> count_unknown_words("the lowest.", ["the", "."])
        1
    """
    unknown = 0
    for word in re.findall(r"\w+|[^\w\s]", text):
        if word not in vocabulary:
            unknown += 1
    return unknown


def _split_at_spaces(text, vocabulary):
    unknown = 0
    for word in text.split():
        if word not in vocabulary:
            unknown += 1
    return unknown


def _count(text, vocabulary, pattern=r"\w+|[^\w\s]", cut=None):
    return sum(word not in vocabulary for word in (cut(text) if cut else re.findall(pattern, text)))


def _listed(*lists, apart):
    """Models that know only the signs of a list: set apart in the text, or found by a pattern."""

    def model(signs):
        one = f"[{re.escape(signs)}]"
        if apart:
            return lambda text, vocabulary: _count(
                text, vocabulary, cut=lambda text: re.sub(one, r" \g<0> ", text).split()
            )
        return lambda text, vocabulary: _count(text, vocabulary, rf"\w+|{one}")

    return tuple(model(signs) for signs in lists)


def _without_commas_and_periods(text):
    return text.replace(",", "").replace(".", "").split()


def _unknown_kinds(text, vocabulary):
    return len(set(re.findall(r"\w+|[^\w\s]", text)) - set(vocabulary))


def _texts_and_vocabularies(rng: random.Random) -> list:
    known = ["low", "lower", "the", "café", "7", ",", ".", "it", "s"]
    probes = [
        ("a", []),
        ("ab ,", []),
        ("水a", []),
        ("<|im_end|>", []),
        ("a</w>", ["a"]),
        ("ab", []),
        ("“low”", ["low", '"']),
        ("x_y _", ["x_y"]),
        ("x_y", ["x", "_", "y"]),
        ("вода 水! ½ ٣ 7² ß 🙂", ["вода", "水", "½", "3", "72", "ss"]),
        ("cafe\u0301 lo\u200dw", ["café", "low"]),
        ("low\u00a0new\u3000low\r\nnew\vlow", ["low", "new"]),
        ("<low>\\ [new]*+-#&@/^$%=|~`{}", ["low", "new"]),
        ("low? new; low: low! new-low", ["low", "new", "-", "?", ":"]),
        ("low? low: low!", ["low"]),
        ("low new, " * 60, [*"abcdefghijklmnopqrstuvwxyz0123456789", "low"]),
        ("", known),
        ("low", known),
        ("new", known),
        ("lower, lower.", ["lower", ",", "."]),
        ("lower, lower.", ["lower"]),
        ("low... low", ["low", "."]),
        ("new new", ["low"]),
        ("The Low", ["the", "low"]),
        ("café", ["caf"]),
        ("the café.", known),
        ("it's", known),
        ('"low"', known),
        ("7 8 77", known),
        ("low\nlower\tnew", known),
        ("a-b", ["a", "b"]),
        ("new, new.", [",", "."]),
        ("low,", ["low,"]),
        ("  low  ", ["low"]),
        ("(low) (low)", ["low"]),
        ("lo we", ["low"]),
        (", .", [","]),
    ]
    pieces = ["low", "lower", "Low", "new", "newest", "café", "7", "the", "it's", "low-lower", '"the"']
    for _ in range(30):
        words = [rng.choice(pieces) + rng.choice(["", "", ",", ".", "...", "!"]) for _ in range(rng.randint(1, 6))]
        probes.append((" ".join(words), rng.sample(known, rng.randint(3, len(known)))))
    return probes


MEND_WORDS = FunctionExercise(
    id="1.3",
    title="Find the bug: unknown words that are known",
    points=25,
    reference=count_unknown_words,
    buggy=_split_at_spaces,
    expects="a whole number",
    make_probes=_texts_and_vocabularies,
    needs=NEEDS,
    hints=(
        "Print `text.split()` for `lower, lower`: what does it make of the comma? There are two kinds of words, runs of letters "
        "and single signs. In a pattern, `|` between two parts means *or*.",
        "`\\w+` is one part. The other must fit a single sign. `[...]` in a pattern is one character out of those in the "
        "brackets, `[^...]` one that is none of them, and `\\s` is white space.",
        "`re.findall` with a pattern gives all places that fit. `\\w+` is a run of letters, digits and underscores, `[^\\w\\s]` "
        "one sign that is neither such a character nor white space, and `|` between the two means *or*.",
    ),
    wrong_answers=(
        WrongAnswer(
            "splits-at-spaces",
            _split_at_spaces,
            "The bug is still there: `lower,` with its comma is taken as one word. It is two: `lower`, and the comma.",
        ),
        WrongAnswer(
            "strips-signs",
            tuple(
                lambda text, vocabulary, signs=signs: sum(word.strip(signs) not in vocabulary for word in text.split())
                for signs in (",", ",.", ",.!", ",.!?", ".,;:!?\"'()-", string.punctuation)
            ),
            "You take signs off the words and drop them. They are words too, and can be unknown; and what is inside a "
            "word, as in `it's`, stays glued.",
        ),
        WrongAnswer(
            "some-signs-only",
            _listed(",", ".,", ".,!", ".,!?", ".,;:!?", "'\".,;:!?-", ".,!?;:()\"'", string.punctuation, apart=True),
            "Some signs are set apart now, others stay glued to the words. There are always more of them than a list holds: "
            "brackets, the apostrophe of `it's`, the quotes “ and ”. Say what a word is, not which signs you can think of.",
        ),
        WrongAnswer(
            "deletes-commas-and-periods",
            lambda text, vocabulary: _count(text, vocabulary, cut=_without_commas_and_periods),
            "You delete commas and periods. They are words too, and can be unknown; and all other signs stay glued to the words.",
        ),
        WrongAnswer(
            "lists-signs",
            _listed(",", ".,", ".,!", ".,!?", ".,;:!?", "'\".,;:!?-", string.punctuation, apart=False),
            "Some signs are found as words now, others get lost, such as brackets or the quotes “ and ”. No list of signs is "
            "ever complete. Say what a sign is not, and you need no list.",
        ),
        WrongAnswer(
            "splits-at-signs",
            lambda text, vocabulary: _count(text, vocabulary, cut=lambda text: re.split(r"\W+", text)),
            "`re.split` throws away what it splits at, so the signs get lost; and at the ends of a text it can leave an empty "
            "word. Look for the words and signs themselves.",
        ),
        WrongAnswer(
            "words-only",
            lambda text, vocabulary: _count(text, vocabulary, r"\w+"),
            "The words are right now, but the signs between them are lost. A comma that the vocabulary does not have is "
            "unknown as well.",
        ),
        WrongAnswer(
            "plain-letters-only",
            tuple(
                lambda text, vocabulary, pattern=pattern: _count(text, vocabulary, pattern)
                for pattern in (
                    r"[a-zA-Z]+|[^\w\s]",
                    r"[a-zA-Z]+|[^a-zA-Z\s]",
                    r"[a-zA-Z0-9]+|[^\w\s]",
                    r"[a-zA-Z0-9]+|[^a-zA-Z0-9\s]",
                    r"(?a:\w+|[^\w\s])",
                )
            ),
            "Only a to z count as letters here: `café` comes apart at its é, and a word in another script is lost or falls into "
            "single letters. `\\w` knows the letters of all languages, and digits.",
        ),
        WrongAnswer(
            "underscore-as-sign",
            lambda text, vocabulary: _count(text, vocabulary, r"[^\W_]+|[^\w\s]|_"),
            "Right, but for the underscore: like `\\w`, the task takes it as part of a word, so `x_y` is one word.",
        ),
        WrongAnswer(
            "marks-in-words",
            lambda text, vocabulary: _count(
                text, vocabulary, cut=compile_pattern(r"[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}\s]").findall
            ),
            "A good cut, and not the one of this task: `\\w` takes the underscore, so `x_y` is one word, and it takes no marks, so "
            "an accent that is a character of its own is a word by itself.",
        ),
        WrongAnswer(
            "single-characters",
            lambda text, vocabulary: _count(text, vocabulary, r"\w|[^\w\s]"),
            "You cut into single characters: without a `+` the pattern takes one letter at a time.",
        ),
        WrongAnswer(
            "runs-of-signs",
            lambda text, vocabulary: _count(text, vocabulary, r"\w+|[^\w\s]+"),
            "You take several signs in a row, such as `...`, as one word. Each sign is a word by itself.",
        ),
        WrongAnswer(
            "spaces-as-words",
            tuple(
                lambda text, vocabulary, sign=sign: _count(text, vocabulary, r"\w+|" + sign)
                for sign in (r"\W", ".", r"[^\w ]")
            ),
            "White space is counted as a word: spaces, or line ends and tabs. It only separates words. (In a pattern, `\\W` and "
            "`.` fit a space too; `\\s` fits white space of every kind.)",
        ),
        WrongAnswer(
            "lower-case",
            lambda text, vocabulary: _count(text.lower(), vocabulary),
            "You make the text lower case first. The vocabulary has words as they are written, so `Low` is not `low`.",
        ),
        WrongAnswer(
            "each-once",
            _unknown_kinds,
            "The cut is right, but you count each unknown word once. It counts each time it occurs.",
        ),
        WrongAnswer(
            "looks-inside-words",
            lambda text, vocabulary: _count(text, " ".join(vocabulary)),
            "You look for the word in the text of all known words, and find `lo` inside `low`. A word is known when the "
            "whole word is in the list.",
        ),
    ),
)

# --- 1.4 ---------------------------------------------------------------------------------------

CHOOSE_SUBWORDS = ChooseExercise(
    id="1.4",
    title="Choose: what sub-words are for",
    points=10,
    question="Why do language models read sub-words, and not whole words?",
    variable="why_subwords",
    options=(
        Option(
            "With equally long lists, sub-words make the shorter text.",
            False,
            "They made it longer: some words become two tokens or more. With 2,528 entries each, the news had 3,697 "
            "sub-words and 2,338 words.",
        ),
        Option(
            "Sub-words are the stems and endings of the language, so the model learns its grammar.",
            False,
            "Some look like that, as `est` does. But they are found by counting, and others mean nothing: our sub-words cut "
            "Council into C, oun, cil.",
        ),
        Option(
            "A model cannot calculate with whole words.",
            False,
            "It can: it needs an id for each token, whatever the token is. Models of whole words are older than those of sub-words.",
        ),
        Option(
            "On a complete base they can write down every text, and merges keep most of the frequent words in one piece.",
            True,
            "The base says what can be written: with all 256 bytes nothing is unknown. The merges say how long it gets: rare words "
            "take several pieces, but most of the frequent ones stay whole. In sub-words the news was 1.58 times as long as in words.",
        ),
        Option(
            "Whatever the smallest pieces are, merges leave nothing unknown.",
            False,
            "The news says no: with the characters of the training text as the smallest pieces, 20 of its characters were unknown, "
            "after the merges as before.",
        ),
    ),
    hints=(
        "Go back to the table of the four cuts. In which row are words good, and in which are they bad?",
        "What happens to a name that was in no training text, with words and with sub-words?",
        "Two things are wanted at once. In the table of section 5, what changes from column to column, and what from row to row?",
    ),
)

# --- 1.5 ---------------------------------------------------------------------------------------


def attention_pairs(num_tokens: int, looks_back_only: bool) -> int:
    """Count the pairs of positions that attention compares in a text.

    If every token looks at every token, itself among them, all pairs
    count. If a token looks only at itself and at those before it, the
    first token has one pair, the second has two, and so on.

    Args:
        num_tokens: the length of the text, 0 or more.
        looks_back_only: True if a token sees only itself and those before.

    Returns:
        The number of pairs.

    Example:
        >>> attention_pairs(4, False)
        16
        >>> attention_pairs(4, True)
        10
    """
    if looks_back_only:
        return num_tokens * (num_tokens + 1) // 2
    return num_tokens * num_tokens


def _lengths(rng: random.Random) -> list:
    # Short texts only: two loops, one inside the other, are a right answer too.
    probes = [(n, back) for n in (0, 1, 2, 3, 5, 10, 100) for back in (False, True)]
    probes += [(300, False), (301, True)]
    return probes + [(rng.randint(6, 150), rng.random() < 0.5) for _ in range(20)]


def _pairs(all_pairs, back_pairs):
    return lambda num_tokens, looks_back_only: (back_pairs if looks_back_only else all_pairs)(num_tokens)


def _square(n):
    return n * n


def _triangle(n):
    return n * (n + 1) // 2


ATTENTION_PAIRS = FunctionExercise(
    id="1.5",
    title="Write: the pairs that attention compares",
    points=20,
    reference=attention_pairs,
    expects="a whole number (int)",
    make_probes=_lengths,
    hints=(
        "Draw a square of four rows and four columns: a row for each token that looks, a column for each that is looked at. "
        "Which squares are filled in each of the two cases?",
        "Looking back only fills a staircase: 1 + 2 + 3 + 4. You may add it up in a loop, or find a formula.",
        "The staircase is a bit more than half of the square, since its diagonal is in it. A whole number divided with `//` "
        "stays a whole number, with `/` it does not.",
    ),
    wrong_answers=(
        WrongAnswer(
            "without-itself",
            _pairs(_square, lambda n: n * (n - 1) // 2),
            "With looking back only, you count one pair too few for each token: it also looks at itself. (A loop over "
            "`range(1, num_tokens)` ends too early.)",
        ),
        WrongAnswer(
            "never-itself",
            _pairs(lambda n: n * (n - 1), lambda n: n * (n - 1) // 2),
            "In both cases you leave out the pairs of a token with itself. They count.",
        ),
        WrongAnswer(
            "half-of-the-square",
            _pairs(_square, lambda n: n * n // 2),
            "Looking back only is more than half of the square: the diagonal belongs to it as a whole.",
        ),
        WrongAnswer(
            "rounds-too-early",
            _pairs(_square, lambda n: n // 2 * (n + 1)),
            "Right for even lengths. For an odd one, `//` rounds down too early: 5 // 2 is 2. Change the order of the two steps.",
        ),
        WrongAnswer(
            "ignores-the-switch",
            _pairs(_square, _square),
            "You count all pairs in both cases. With `looks_back_only` a token does not see what comes after it.",
        ),
        WrongAnswer(
            "always-back",
            _pairs(_triangle, _triangle),
            "You always count only the pairs that look back. Without the switch every token looks at every token.",
        ),
        WrongAnswer(
            "switched",
            _pairs(_triangle, _square),
            "The two cases are the wrong way round: looking back only gives fewer pairs.",
        ),
        WrongAnswer(
            "grows-like-the-length",
            _pairs(lambda n: 2 * n, _square),
            "You double the length instead of multiplying it by itself. Each of the tokens looks at all of them.",
        ),
        WrongAnswer(
            "fraction",
            _pairs(_square, lambda n: n * (n + 1) / 2),
            "The numbers are right, but a division with `/` gives a float. Pairs are counted in whole numbers: use `//`.",
        ),
        WrongAnswer(
            "handshakes",
            _pairs(lambda n: n * (n - 1) // 2, lambda n: n * (n - 1) // 2),
            "You count handshakes: each two tokens once. But first looking at second and second looking at first are two "
            "pairs, and a token looks at itself as well.",
        ),
    ),
)

# --- Quiz ------------------------------------------------------------------------------------

QUESTIONS = (
    Question(
        "A word vocabulary holds every word of its training text. Measured on that text, nothing is unknown. What does "
        "this say about other texts?",
        (
            Option(
                "Nothing is unknown there either, as long as they are in the same language.",
                False,
                "The news is plain English like the training text, and 23.3% of its words were unknown.",
            ),
            Option(
                "It says nothing; that has to be measured on a text kept apart.",
                True,
                "On its own training text such a vocabulary is perfect by construction. Only a text that was held out "
                "shows what it misses.",
            ),
            Option(
                "About half of their words will be unknown.",
                False,
                "The number on the training text says nothing about it, neither half nor any other share.",
            ),
        ),
    ),
    Question(
        "A text becomes twice as long, counted in tokens. What happens to the pairs that attention compares?",
        (
            Option("They stay the same.", False, "Each new token looks at all others, and is looked at by them."),
            Option("They double.", False, "Twice as many tokens look, and each looks at twice as many."),
            Option(
                "They become about four times as many.",
                True,
                "The full square is exactly four times as large; looking back only, it is a little less: 4 tokens have 10 pairs, "
                "8 have 36.",
            ),
            Option(
                "They grow by the number of new tokens, squared.",
                False,
                "That leaves out the pairs between old and new tokens.",
            ),
        ),
    ),
    Question(
        "Two tokenizers learn 2,000 merges each from the same English text. One begins with the characters of this text, the "
        "other with the 256 bytes. A new text has a `€`, which the training text has not. What do they make of it?",
        (
            Option(
                "Both write it: sub-words leave nothing unknown.",
                False,
                "Merges join pieces of the training text. A character that is not there is in none of them.",
            ),
            Option(
                "The first has no piece for it, however many merges it has learned; the second writes its three bytes.",
                True,
                "The base says what can be written. The characters of one text are an incomplete base, the 256 bytes a complete one.",
            ),
            Option(
                "Neither can write it, since neither has seen it.",
                False,
                "For one of them that is so. The other has seen no `€` either, but it knows what a `€` is made of.",
            ),
            Option(
                "The first could write it with more merges.",
                False,
                "More merges of the same text make longer pieces of the same characters.",
            ),
        ),
    ),
    Question(
        "GPT-4's tokenizer cuts the news into 2,501 tokens, hardly more than its 2,338 words, and nothing is unknown. What "
        "does it pay for that?",
        (
            Option(
                "Nothing: it has a better algorithm than ours.",
                False,
                "It is byte-pair encoding, as ours is. It has more entries, and learned them from far more text.",
            ),
            Option(
                "Rare characters: it leaves them out.",
                False,
                "All bytes are in its vocabulary, so it leaves nothing out.",
            ),
            Option(
                "Time: each of its tokens stands for more text, and so takes longer to compare.",
                False,
                "For attention a token is a token, however many characters it stands for.",
            ),
            Option(
                "A vocabulary of about 100,000 entries, each with numbers to learn.",
                True,
                "That is forty times as many entries as our 2,528, and the model learns a row of numbers for each. Notebook 10 says "
                "what each entry costs.",
            ),
        ),
    ),
)

LESSON = Lesson(
    1,
    "Why sub-words",
    (PREDICT_LENGTHS, UNKNOWN_SHARE, MEND_WORDS, CHOOSE_SUBWORDS, ATTENTION_PAIRS),
    QUESTIONS,
)
