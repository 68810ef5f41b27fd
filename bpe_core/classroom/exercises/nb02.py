"""Notebook 02, counting pairs: exercises and quiz."""

import random
import re
from itertools import combinations, product

from ..spec import ByResult, ChooseExercise, FunctionExercise, Lesson, Option, PredictExercise, Question, WrongAnswer

TOY = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
# Symbols that must all stay apart: two forms of é, other scripts and digits, signs that mean something in a pattern,
# marks, long ones, white space.
ODD = [
    "É",
    "é",
    "e\u0301",
    "ß",
    "ss",
    "ж",
    "水",
    "🙂",
    "🙃",
    "٣",
    "3",
    "²",
    "2",
    "“",
    '"',
    "’",
    "_",
    "lo\u200dw",
    "low",
]
ODD += [".", "*", "(", "\\1", "<", "&lt;", "</w>", "unbelievable", "unbelievably", "aaa", "aa"]
ODD += ["<|im_end|>", "lowest" * 8, "\t", "\n", "\u00a0", " ", "  ", "a "]


def small_words(longest: int = 4, letters: str = "ab") -> list[list[str]]:
    """Return every word over a few letters, the shortest first: among them is the smallest counterexample.

    Example:
        >>> small_words(1)
        [[], ['a'], ['b']]
    """
    return [list(word) for length in range(longest + 1) for word in product(letters, repeat=length)]


def random_word(rng: random.Random, symbols: str = "abcd", longest: int = 8) -> list[str]:
    """Return a random word of 1 to ``longest`` symbols; some symbols are longer than one letter."""
    word = [rng.choice(symbols) for _ in range(rng.randint(1, longest))]
    return [symbol + rng.choice(symbols) if rng.random() < 0.15 else symbol for symbol in word]


def long_words(rng: random.Random) -> list[list[str]]:
    """Return three words of 9 to 40 symbols."""
    return [[rng.choice("ab") for _ in range(length)] for length in (9, 17, 40)]


# --- 2.1 -------------------------------------------------------------------------------------


def count_pairs_in_word(word: list[str]) -> dict:
    """Count how often each two symbols stand side by side in one word.

    Args:
        word: the symbols of the word, a list of str.

    Returns:
        A dict {(left, right): count}.

    Example:
        >>> count_pairs_in_word(["l", "o", "w"])
        {('l', 'o'): 1, ('o', 'w'): 1}
        >>> count_pairs_in_word(["n", "a", "n", "a"])
        {('n', 'a'): 2, ('a', 'n'): 1}
    """
    counts = {}
    for pair in zip(word, word[1:]):
        counts[pair] = counts.get(pair, 0) + 1
    return counts


def _tally(pairs) -> dict:
    counts = {}
    for pair in pairs:
        counts[pair] = counts.get(pair, 0) + 1
    return counts


def _without_overlap(word) -> list:
    pairs, i = [], 0
    while i + 1 < len(word):
        pairs.append((word[i], word[i + 1]))
        i += 2 if word[i] == word[i + 1] else 1
    return pairs


def _first_pair_only(word):
    counts = {}
    for pair in zip(word, word[1:]):
        counts[pair] = counts.get(pair, 0) + 1
        return counts
    return counts


COUNT_ONE_WORD = FunctionExercise(
    id="2.1",
    title="Count the pairs of one word",
    points=20,
    reference=count_pairs_in_word,
    expects="a dict {(left, right): count}; a Counter will do",
    any_dict=True,
    make_probes=lambda rng: [
        (word,) for word in [*small_words(), *(random_word(rng) for _ in range(25)), *long_words(rng), ODD, ["a"] * 150]
    ],
    hints=(
        "Write the word `n a n a` on paper and put a finger on each place where two symbols meet. How many places are there?",
        "A word of n symbols has n - 1 places where two symbols meet. The pair at place i is made of symbol i and the next one.",
        "A dict can count: for each pair, the new count is the old one plus one, and the old one is 0 for a pair not met yet "
        "(the method `get` takes such a default). To walk over neighbors, `zip` can pair the word with the word from its "
        "second symbol on.",
    ),
    wrong_answers=(
        WrongAnswer(
            "skips-last-pair",
            lambda word: _tally(list(zip(word, word[1:]))[:-1]),
            "You leave out the last pair of the word. A word of n symbols has n - 1 pairs: look at where your loop ends.",
        ),
        WrongAnswer(
            "skips-first-pair",
            lambda word: _tally(_neighbors(word)[1:]),
            "You leave out the first pair of the word: look at where your loop begins. The first place in Python is 0.",
        ),
        WrongAnswer(
            "one-too-many",
            lambda word: {pair: count + 1 for pair, count in count_pairs_in_word(word).items()},
            "Each count is one too many. What stands in the dict after a pair has been met for the first time?",
        ),
        WrongAnswer(
            "one-too-few",
            ByResult(
                lambda got, expected, word: all(got.get(pair, 0) == count - 1 for pair, count in expected.items()),
                lambda word: {pair: count - 1 for pair, count in count_pairs_in_word(word).items()},
            ),
            "Each count is one too few. What stands in the dict after a pair has been met for the first time?",
        ),
        WrongAnswer(
            "adds-end-mark",
            lambda word: _tally(_neighbors([*word, "</w>"])),
            "You add an end mark to the word, and with it a pair. Here the symbols are given as they are: count only those.",
        ),
        WrongAnswer(
            "index-past-end",
            lambda word: _tally((word[i], word[i + 1]) for i in range(len(word))),
            "Your loop asks for the symbol after the last one, which does not exist: it makes one turn too many.",
        ),
        WrongAnswer(
            "no-overlap",
            lambda word: _tally(_without_overlap(word)),
            "You count pairs of equal symbols without overlap. Counting looks at every place: `a a a` holds (a, a) twice. "
            "Only merging, later, uses each symbol once.",
        ),
        WrongAnswer(
            "steps-by-two",
            lambda word: _tally(zip(word[::2], word[1::2])),
            "You move on by two symbols, so every second pair is missed. Each symbol but the last begins a pair.",
        ),
        WrongAnswer(
            "counts-once",
            lambda word: dict.fromkeys(zip(word, word[1:]), 1),
            "Each pair gets the count 1, however often it occurs. Add to the count that is there already.",
        ),
        WrongAnswer(
            "returns-in-loop",
            _first_pair_only,
            "You return after the first pair: the `return` stands inside the loop. It belongs behind it.",
        ),
        WrongAnswer(
            "joined-text",
            lambda word: _tally(left + right for left, right in zip(word, word[1:])),
            "Your keys are joined texts such as 'lo'. A pair must stay two symbols, (left, right): 'low' could be l + ow or "
            "lo + w.",
        ),
        WrongAnswer(
            "order-ignored",
            lambda word: _tally(tuple(sorted(pair)) for pair in zip(word, word[1:])),
            "You count (a, b) and (b, a) as one pair. The order matters: left, then right.",
        ),
        WrongAnswer(
            "counts-symbols",
            lambda word: _tally(word),
            "You count single symbols. What is asked for is pairs: two symbols side by side.",
        ),
        WrongAnswer(
            "around-the-end",
            lambda word: _tally((word[i - 1], word[i]) for i in range(len(word))),
            "You also pair the last symbol with the first: index -1 is the end of the word. The first symbol has no left "
            "neighbor.",
        ),
        WrongAnswer(
            "not-neighbors",
            lambda word: _tally(combinations(word, 2)),
            "You pair each symbol with all that follow. Only direct neighbors are a pair.",
        ),
    ),
)

# --- 2.2 -------------------------------------------------------------------------------------


def count_pairs_in_words(word_counts: dict) -> dict:
    """Count the pairs of a corpus: each place as often as its word occurs.

    Args:
        word_counts: {word: frequency}; a word is a tuple of symbols.

    Returns:
        A dict {(left, right): count}.

    Example:
        >>> count_pairs_in_words({("l", "o", "w"): 5, ("l", "o", "t"): 2})
        {('l', 'o'): 7, ('o', 'w'): 5, ('o', 't'): 2}
    """
    counts = {}
    for word, frequency in word_counts.items():
        for pair in zip(word, word[1:]):
            counts[pair] = counts.get(pair, 0) + frequency
    return counts


def _weighted(word_counts, pairs_of) -> dict:
    counts = {}
    for word, frequency in word_counts.items():
        for pair in pairs_of(word):
            counts[pair] = counts.get(pair, 0) + frequency
    return counts


def _neighbors(word) -> list:
    return list(zip(word, word[1:]))


def _over_borders(word_counts):
    symbols = [symbol for word, frequency in word_counts.items() for _ in range(frequency) for symbol in word]
    return _tally(_neighbors(symbols))


def _over_borders_unweighted(word_counts):
    return _tally(_neighbors([symbol for word in word_counts for symbol in word]))


def _last_frequency(word_counts):
    return {pair: frequency for word, frequency in word_counts.items() for pair in _neighbors(word)}


def _first_word_only(word_counts):
    for word, frequency in word_counts.items():
        return _weighted({word: frequency}, _neighbors)
    return {}


def _empties_argument(word_counts):
    counts = {}
    while word_counts:
        word = next(iter(word_counts))
        frequency = word_counts.pop(word)
        for pair in _neighbors(word):
            counts[pair] = counts.get(pair, 0) + frequency
    return counts


def random_corpus(rng: random.Random, letters: str = "abc") -> dict:
    """Return {word tuple: frequency} with one to four random words."""
    return {tuple(random_word(rng, letters, 5)): rng.randint(1, 6) for _ in range(rng.randint(1, 4))}


def _corpora(rng: random.Random) -> list:
    small = [{}, {("a",): 2}, {("a", "b"): 1}, {("a", "b"): 2}, {("a", "a", "a"): 2}, {("a",): 1, ("b",): 1}]
    small += [{("a", "b"): 1, ("c", "d"): 1}, {("a", "b"): 2, ("a", "b", "c"): 1}, {("a", "b", "a", "b"): 1}]
    toy = {(*word, "</w>"): frequency for word, frequency in TOY.items()}
    large = {(chr(97 + i), chr(98 + i)): 10_000 + i for i in range(12)}
    many = [*small, toy, {tuple(ODD): 3}, {**large, ("a", "b", "c"): 7}, *(random_corpus(rng) for _ in range(30))]
    return [(corpus,) for corpus in many]


COUNT_ALL_WORDS = FunctionExercise(
    id="2.2",
    title="Count the pairs of a corpus",
    points=20,
    reference=count_pairs_in_words,
    expects="a dict {(left, right): count}; a Counter will do",
    any_dict=True,
    make_probes=_corpora,
    hints=(
        "The word low occurs 5 times. How much should one look at it add to the count of (l, o)?",
        "Two loops, one inside the other: over the words with their frequencies, and over the pairs of one word. All words "
        "share one dict of counts.",
        "It is the function of 2.1 with one more loop around it (the method `items` gives word and frequency together), and "
        "with one change in what is added for each pair.",
    ),
    wrong_answers=(
        WrongAnswer(
            "unweighted",
            lambda word_counts: _tally(pair for word in word_counts for pair in _neighbors(word)),
            "You count each word once. Each place in a word that occurs 5 times adds 5 to the count of its pair.",
        ),
        WrongAnswer(
            "over-borders",
            _over_borders,
            "You count pairs that reach from the end of one word to the start of the next. Words that stand one after the "
            "other in a dict are not neighbors; count inside each word.",
        ),
        WrongAnswer(
            "over-borders-unweighted",
            _over_borders_unweighted,
            "Two things: you count each word once, whatever its frequency, and you count pairs that reach from one word "
            "into the next.",
        ),
        WrongAnswer(
            "overwrites",
            _last_frequency,
            "A pair that was met before gets its count replaced. Add the frequency to what is there.",
        ),
        WrongAnswer(
            "once-a-word",
            lambda word_counts: _weighted(word_counts, lambda word: set(_neighbors(word))),
            "A pair that stands twice in one word is counted once there. Each place counts.",
        ),
        WrongAnswer(
            "no-overlap",
            lambda word_counts: _weighted(word_counts, _without_overlap),
            "You count pairs of equal symbols without overlap. Counting looks at every place: `a a a` holds (a, a) twice.",
        ),
        WrongAnswer(
            "order-ignored",
            lambda word_counts: _weighted(word_counts, lambda word: [tuple(sorted(pair)) for pair in _neighbors(word)]),
            "You count (a, b) and (b, a) as one pair. The order matters: left, then right.",
        ),
        WrongAnswer(
            "skips-last-pair",
            lambda word_counts: _weighted(word_counts, lambda word: _neighbors(word)[:-1]),
            "You leave out the last pair of each word: look at where your inner loop ends.",
        ),
        WrongAnswer(
            "joined-text",
            lambda word_counts: _weighted(word_counts, lambda word: ["".join(pair) for pair in _neighbors(word)]),
            "Your keys are joined texts such as 'lo'. A pair must stay two symbols, (left, right).",
        ),
        WrongAnswer(
            "adds-end-mark",
            lambda word_counts: _weighted(word_counts, lambda word: _neighbors([*word, "</w>"])),
            "You add an end mark to each word. Here the words are given as symbols, with an end mark where they have one.",
        ),
        WrongAnswer(
            "multiplies",
            lambda word_counts: {
                pair: count * sum(n for word, n in word_counts.items() if pair in _neighbors(word))
                for pair, count in _tally(pair for word in word_counts for pair in _neighbors(word)).items()
            },
            "You multiply all places of a pair by the frequencies of all its words together. Each word brings its own places, "
            "times its own frequency; then these are added.",
        ),
        WrongAnswer(
            "first-word-only",
            _first_word_only,
            "You return after the first word: the `return` stands inside the loop over the words.",
        ),
        WrongAnswer(
            "changes-argument",
            _empties_argument,
            "The counts are right, but you take the words out of the dict that you were given, and it is empty afterwards. "
            "Read it, do not take from it.",
        ),
    ),
)

# --- 2.3 -------------------------------------------------------------------------------------


def _count_aaaa():
    from bpe_core import count_pairs

    return count_pairs("aaaa")["a", "a"]


PREDICT_OVERLAP = PredictExercise(
    id="2.3",
    title="Predict: pairs that overlap",
    points=10,
    question="The word aaaa occurs once. How often does the pair (a, a) stand in it?",
    variable="pairs_in_aaaa",
    answer=3,
    expects="a whole number",
    why="Four symbols have three places where two of them meet, and at each place stands (a, a). Counting looks at every "
    "place, also where pairs overlap.",
    proof=_count_aaaa,
    hints=(
        "Put a finger between two letters. At how many places can it go?",
        "The first and the second letter are a pair. Are the second and the one after it a pair as well?",
        "In a word of n symbols, each symbol but the last begins a pair.",
    ),
    wrong_answers=(
        WrongAnswer(
            "no-overlap",
            2,
            "That is how many times (a, a) can be merged, each letter used once. Counting looks at every place where two "
            "letters meet, also where pairs overlap.",
        ),
        WrongAnswer("counts-symbols", 4, "That is the number of letters. The last letter has no right neighbor."),
        WrongAnswer("counts-once", 1, "There is one kind of pair, but how many places does it stand at?"),
        WrongAnswer(
            "not-neighbors", 6, "That is the number of ways to pick two of the letters. Only direct neighbors count."
        ),
        WrongAnswer("both-directions", 12, "You pick every two letters, in both orders. Only direct neighbors count."),
        WrongAnswer("zero", 0, "The left and the right symbol of a pair may be equal."),
    ),
)

# --- 2.4 -------------------------------------------------------------------------------------


def count_pairs_in_text(text: str) -> dict:
    """Count the pairs of all words of a text; each word ends in "</w>".

    The end mark is a symbol like the letters. Pairs stop at a word's end.

    Args:
        text: words with white space of any kind between them. All other
            characters belong to the words, commas and capitals too.

    Returns:
        A dict {(left, right): count}.

    Example:
        >>> count_pairs_in_text("low")
        {('l', 'o'): 1, ('o', 'w'): 1, ('w', '</w>'): 1}
        >>> count_pairs_in_text("a a")
        {('a', '</w>'): 2}
    """
    counts = {}
    for word in text.split():
        symbols = [*word, "</w>"]
        for pair in zip(symbols, symbols[1:]):
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def _count_over_borders(text):
    symbols = []
    for word in text.split():
        symbols.extend(word)
        symbols.append("</w>")
    counts = {}
    for pair in zip(symbols, symbols[1:]):
        counts[pair] = counts.get(pair, 0) + 1
    return counts


def _counts_again(text):
    words = [[*word, "</w>"] for word in text.split()]
    return _tally(pair for i in range(len(words)) for pair in _neighbors(sum(words[: i + 1], [])))


def _texts(rng: random.Random) -> list:
    texts = ["", "a", "ab", "a b", "aa a", "a b a", "ab\nab", "ab  ba\n", "a\tb", "low lower\nnewest newest"]
    texts += [
        "a\u00a0b\u3000a\r\nb\va\x1cb",
        " \n",
        "low, low",
        "Low low.",
        "don't x-y x_y (7) ٣²½",
        "café cafe\u0301 ß 水🙂 ж",
    ]
    texts += ["lo\u200dw “low” *.\\ <w> &lt;", "aaaaa " * 30, "</w>", "a<|im_end|>"]
    for _ in range(30):
        words = ["".join(rng.choice("abc") for _ in range(rng.randint(1, 4))) for _ in range(rng.randint(1, 5))]
        texts.append("".join(word + rng.choice([" ", " ", "\n", "  "]) for word in words))
    return [(text,) for text in texts]


def _pairs_of_texts(words, ending) -> dict:
    return _tally(pair for word in words for pair in _neighbors([*word, *ending]))


MEND_BORDERS = FunctionExercise(
    id="2.4",
    title="Find the bug: pairs that nobody wrote",
    points=20,
    reference=count_pairs_in_text,
    buggy=_count_over_borders,
    expects="a dict {(left, right): count}; a Counter will do",
    any_dict=True,
    make_probes=_texts,
    hints=(
        "Run it on the text `a b` and look at each pair. Which one is in no word?",
        "The code writes all words into one long list. What stands next to the end mark of a word there?",
        "Count inside one word at a time: the list of symbols must begin anew for each word, while the counts go on.",
    ),
    wrong_answers=(
        WrongAnswer(
            "over-borders",
            _count_over_borders,
            "The bug is still there: pairs such as ('</w>', 'b') reach from the end of one word into the next.",
        ),
        WrongAnswer(
            "no-marker",
            lambda text: _pairs_of_texts(text.split(), []),
            "The borders are right now, but the end mark is lost: each word must still end with the symbol '</w>'.",
        ),
        WrongAnswer(
            "marker-glued",
            lambda text: _tally(pair for w in text.split() for pair in _neighbors([*w[:-1], w[-1] + "</w>"])),
            "You glue the end mark to the last letter. Here the end mark is a symbol of its own.",
        ),
        WrongAnswer(
            "marker-as-letters",
            lambda text: _pairs_of_texts(text.split(), "</w>"),
            "The end mark has come apart into < / w >. It is one symbol: put it into the list as a whole.",
        ),
        WrongAnswer(
            "each-word-once",
            lambda text: _pairs_of_texts(dict.fromkeys(text.split()), ["</w>"]),
            "A word that occurs twice is counted once. Count every word of the text.",
        ),
        WrongAnswer(
            "splits-at-spaces-only",
            tuple(
                lambda text, cut=cut: _tally(pair for w in cut(text) for pair in _neighbors([*w, "</w>"]))
                for cut in (
                    lambda text: text.split(" "),
                    lambda text: filter(None, re.split("[ \n]", text)),
                    lambda text: filter(None, re.split("[ \n\t]", text)),
                    lambda text: (word for line in text.splitlines() for word in line.split(" ")),
                    lambda text: re.findall(r"\S+", text, re.ASCII),
                )
            ),
            'A line end, a tab or a no-break space is white space too. With `split(" ")`, or a list of your own, some of it stays '
            "in the words as if it were a letter.",
        ),
        WrongAnswer(
            "drops-signs",
            (
                *(
                    lambda text, pattern=pattern: _pairs_of_texts(re.findall(pattern, text), ["</w>"])
                    for pattern in (r"\w+", "[a-z]+", "[a-zA-Z]+", r"\w+|[^\w\s]")
                ),
                lambda text: _pairs_of_texts(filter(str.isalpha, text.split()), ["</w>"]),
                lambda text: _pairs_of_texts([word.strip(".,!?") for word in text.split()], ["</w>"]),
            ),
            "A word is here what stands between white space, such as `low,` with its comma. Some characters or words are lost, or "
            "signs become words of their own.",
        ),
        WrongAnswer(
            "ignores-case",
            lambda text: _pairs_of_texts(text.lower().split(), ["</w>"]),
            "You make the text lower case. L and l are two symbols.",
        ),
        WrongAnswer(
            "symbols-go-on",
            _counts_again,
            "The earlier words are counted again with each word: your list of symbols still holds them. It must begin anew for "
            "each word, while the counts go on.",
        ),
        WrongAnswer(
            "last-word-only",
            ByResult(
                lambda got, expected, text: got == _pairs_of_texts(text.split()[-1:], ["</w>"]),
                lambda text: _pairs_of_texts(text.split()[-1:], ["</w>"]),
            ),
            "Only the last word is counted: something begins anew in each turn that should go on, or the counting stands behind "
            "the loop over the words.",
        ),
        WrongAnswer(
            "first-word-only",
            ByResult(
                lambda got, expected, text: got == _pairs_of_texts(text.split()[:1], ["</w>"]),
                lambda text: _pairs_of_texts(text.split()[:1], ["</w>"]),
            ),
            "Only the first word is counted: the function returns, or its loop ends, before it comes to the next.",
        ),
    ),
)

# --- 2.5 -------------------------------------------------------------------------------------

CHOOSE_TIE = ChooseExercise(
    id="2.5",
    title="Choose: what a tie is",
    points=10,
    question="In the toy corpus (e, s), (s, t) and (t, </w>) all occur 9 times. What does this tie mean for training?",
    variable="tie_means",
    options=(
        Option(
            "Nothing: three pairs with the same count are the same choice, so the vocabulary will be the same.",
            False,
            "The three pairs are different, and what is merged first changes what can be merged next. Other choices can "
            "end in other vocabularies.",
        ),
        Option(
            "All three must be merged in the same step, because none is better.",
            False,
            "They share the symbols s and t: merging one takes away places of the others. A step merges one pair.",
        ),
        Option(
            "A rule must say which pair is merged, and it must be fixed: another rule can give another vocabulary.",
            True,
            "Each rule gives a valid tokenizer, but not always the same one. Whoever trains or tests must know the rule, or "
            "the result cannot be repeated.",
        ),
        Option(
            "Training must stop, since there is no best pair any more.",
            False,
            "There are three best pairs instead of one. Training stops when the vocabulary is as large as asked for, when no "
            "pair is left, or when the best count is too low.",
        ),
    ),
    hints=(
        "Try it on paper: merge (e, s) in `n e w e s t </w>`. Then begin again and merge (t, </w>) first.",
        "After (e, s) is merged, can (s, t) still be merged in this word?",
        "Two people train on the same corpus and choose differently at the tie. Do they have the same list of merges?",
    ),
)

# --- 2.6 -------------------------------------------------------------------------------------


def most_frequent_pair(counts: dict) -> tuple:
    """Choose the pair with the highest count; among equals, the first one.

    Args:
        counts: {(left, right): count}, not empty.

    Returns:
        The pair (left, right).

    Example:
        >>> most_frequent_pair({("l", "o"): 7, ("e", "s"): 9, ("o", "w"): 7})
        ('e', 's')
    """
    best = None
    for pair in counts:
        if best is None or counts[pair] > counts[best]:
            best = pair
    return best


def _last_of_equals(counts):
    best = None
    highest = 0
    for pair, count in counts.items():
        if count >= highest:
            best = pair
            highest = count
    return best


def _count_tables(rng: random.Random) -> list:
    a, b, c = ("a", "b"), ("b", "a"), ("a", "a")
    tables = [{a: 1}, {a: 1, b: 1}, {b: 1, a: 1}, {a: 1, b: 2}, {b: 2, a: 1}, {a: 2, b: 1, c: 2}, {b: 1, a: 2, c: 2}]
    # Counts of more than one digit, large ones, and ties that favor neither the first nor the greatest nor the longest.
    x, y = ("l", "o"), ("e", "s")
    tables += [{x: 9, y: 10}, {x: 100, y: 99}, {x: 99_999, y: 100_000}, {x: 100_000, y: 99_999}]
    tables += [{("low", "er"): 3, a: 3}, {a: 3, ("low", "er"): 3}, {("É", "ж"): 2, ("水", "🙂"): 2}, {c: 1, b: 5, a: 5}]
    odd = dict.fromkeys(_neighbors(ODD), 2)
    winners = [("ß", "ss"), ("🙂", "🙃"), ("٣", "3"), ("“", '"'), ("_", "lo\u200dw"), ("\\1", "<"), ("aaa", "aa")]
    tables += [{**odd, winner: 3} for winner in winners] + [odd] + [{pair: 2} for pair in odd]
    tables += [{("b", "a"): 2, ("é", "a"): 2, ("A", "a"): 2, ("a", "</w>"): 2}]
    for _ in range(30):
        pairs = sorted({(rng.choice("abc"), rng.choice("abc")) for _ in range(6)})
        rng.shuffle(pairs)
        tables.append({pair: rng.randint(1, 4) for pair in pairs})
    return [(table,) for table in tables]


def _first_or_last_in_order(counts, choose):
    return choose(pair for pair in counts if counts[pair] == max(counts.values()))


MEND_TIE = FunctionExercise(
    id="2.6",
    title="Find the bug: the wrong winner of a tie",
    points=15,
    reference=most_frequent_pair,
    buggy=_last_of_equals,
    expects="a pair, a tuple (left, right)",
    make_probes=_count_tables,
    hints=(
        "With one best pair the code is right. What does it do with two that have the same count?",
        "Follow it by hand on {(a, b): 1, (b, a): 1}: when does `best` change, and should it?",
        "A pair that only equals the best so far must not take its place. Look at the comparison.",
    ),
    wrong_answers=(
        WrongAnswer(
            "last-of-equals",
            _last_of_equals,
            "The bug is still there: a later pair with the same count takes the place of the earlier one.",
        ),
        WrongAnswer(
            "greatest-of-equals",
            lambda counts: _first_or_last_in_order(counts, max),
            "Among equals you take the greatest pair by its letters. Asked for is the one that stands first in the dict.",
        ),
        WrongAnswer(
            "smallest-of-equals",
            lambda counts: _first_or_last_in_order(counts, min),
            "Among equals you take the smallest pair by its letters. Asked for is the one that stands first in the dict.",
        ),
        WrongAnswer(
            "greatest-key",
            lambda counts: max(counts),
            "You compare the pairs themselves, not their counts: `max` of a dict looks at the keys.",
        ),
        WrongAnswer(
            "first-pair", lambda counts: next(iter(counts)), "You always return the first pair, whatever its count."
        ),
        WrongAnswer(
            "last-pair", lambda counts: list(counts)[-1], "You always return the last pair, whatever its count."
        ),
        WrongAnswer(
            "rarest-pair",
            lambda counts: min(counts, key=counts.get),
            "You return the pair with the lowest count: the comparison is the wrong way round.",
        ),
        WrongAnswer(
            "returns-count", lambda counts: max(counts.values()), "You return the highest count. Asked for is its pair."
        ),
    ),
)

# --- Quiz ------------------------------------------------------------------------------------

QUESTIONS = (
    Question(
        "The word `low` occurs 5 times and `lower` 2 times, and no other word holds (l, o). What is the count of (l, o)?",
        (
            Option(
                "1, since it is one pair.",
                False,
                "It is one kind of pair; the count says how often it stands in the corpus.",
            ),
            Option(
                "2, since two words hold it.", False, "That counts each word once. A word counts as often as it occurs."
            ),
            Option("7, since the words that hold it occur 7 times.", True, "5 times in `low` and 2 times in `lower`."),
            Option(
                "10, 5 times 2.",
                False,
                "Each word adds its own occurrences, 5 + 2. The two are not multiplied with each other.",
            ),
        ),
    ),
    Question(
        "How often does (n, a) stand in `b a n a n a`?",
        (
            Option("2", True, "At n a, twice. The places of (a, n) are another pair."),
            Option("1", False, "It occurs at two places; each place counts."),
            Option("4", False, "That also counts (a, n). The order matters: left, then right."),
            Option("5", False, "That is the number of all places where two letters meet."),
        ),
    ),
    Question(
        "Counting finds (a, a) five times in `a a a a a a`. How many times can it be merged there?",
        (
            Option(
                "5, as often as it was counted.",
                False,
                "The middle letters are part of two pairs each, but can be used up only once.",
            ),
            Option(
                "3, since each merge uses up two symbols.",
                True,
                "Counting looks at every place, merging goes left to right and never uses a symbol twice.",
            ),
            Option(
                "1, since a merge changes one place.",
                False,
                "A merge joins its pair at every place where both symbols are still free.",
            ),
            Option(
                "6, once for each letter.",
                False,
                "Each place needs two symbols of its own. Six letters have room for three.",
            ),
        ),
    ),
    Question(
        "Two pairs have the same highest count. What is a tie rule for?",
        (
            Option("It makes the vocabulary smaller.", False, "Whichever pair wins, the merge adds one symbol."),
            Option(
                "It finds the pair that is really better.", False, "By count they are equal; the rule only decides."
            ),
            Option(
                "It keeps rare pairs out of the vocabulary.",
                False,
                "That is the job of another setting, a lowest count. A tie rule looks only at equal counts.",
            ),
            Option(
                "It makes the result repeatable: same corpus, same rule, same merges.",
                True,
                "Another rule can give another vocabulary, as valid as this one, so the rule is part of the recipe.",
            ),
        ),
    ),
)

LESSON = Lesson(
    2,
    "Counting pairs",
    (COUNT_ONE_WORD, COUNT_ALL_WORDS, PREDICT_OVERLAP, MEND_BORDERS, CHOOSE_TIE, MEND_TIE),
    QUESTIONS,
)
