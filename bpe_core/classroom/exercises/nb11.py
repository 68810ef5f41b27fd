"""Notebook 11, beyond BPE: exercises and quiz."""

import math
import random
from collections import Counter

from ...alternatives import Unigram
from ...alternatives.sentencepiece import encode_pieces
from ..spec import ByResult, ChooseExercise, FunctionExercise, Lesson, Option, PredictExercise, Question, WrongAnswer

# --- 11.1 ------------------------------------------------------------------------------------


def highest_score(words: dict) -> tuple:
    """Find the pair with the highest count(ab) / (count(a) * count(b)).

    Args:
        words: {tuple of symbols: how often the word occurs, 1 or more}.
            At least one word has two symbols or more.

    Returns:
        The pair, a tuple of two symbols. Every occurrence counts, of a
        pair and of a symbol, as often as its word occurs. Of equal scores
        the pair met first, from the first word on.

    Example:
        >>> highest_score({("w", "i"): 3, ("n", "e"): 6, ("n", "i"): 1})
        ('w', 'i')
        >>> highest_score({("a", "b"): 4, ("b",): 5, ("c", "d"): 3})
        ('c', 'd')
    """
    symbols, pairs = {}, {}
    for word, n in words.items():
        for symbol in word:
            symbols[symbol] = symbols.get(symbol, 0) + n
        for pair in zip(word, word[1:]):
            pairs[pair] = pairs.get(pair, 0) + n
    return max(
        pairs,
        key=lambda pair: pairs[pair] / (symbols[pair[0]] * symbols[pair[1]]),
    )


def _best(words, value, *, weigh=True, last=False):
    symbols, pairs, firsts, seconds = Counter(), Counter(), Counter(), Counter()
    for word, n in words.items():
        n = n if weigh else 1
        for symbol in word:
            symbols[symbol] += n
        for left, right in zip(word, word[1:]):
            pairs[left, right] += n
            firsts[left] += n
            seconds[right] += n
    order = list(reversed(pairs)) if last else list(pairs)
    return max(order, key=lambda pair: value(pairs[pair], *pair, symbols, firsts, seconds), default=None)


def _once_in_each_word(words):
    symbols, pairs = Counter(), Counter()
    for word, n in words.items():
        for symbol in set(word):
            symbols[symbol] += n
        for pair in zip(word, word[1:]):
            pairs[pair] += n
    return max(pairs, key=lambda pair: pairs[pair] / (symbols[pair[0]] * symbols[pair[1]]))


def _marked_words(rng: random.Random) -> dict:
    words = {("a", "##b"): rng.randint(1, 3)}
    for _ in range(rng.randint(1, 6)):
        first, *others = rng.choices("abcde", [6, 4, 3, 2, 1], k=rng.randint(1, 6))
        words[(first, *("##" + letter for letter in others))] = rng.randint(1, 9)
    return words


def _word_counts(rng: random.Random) -> list:
    toy = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    marked = {(word[0], *("##" + letter for letter in word[1:])): n for word, n in toy.items()}
    small = [
        {("a", "##a"): 1},
        {("a", "##a", "##a", "##a"): 2},
        {("x", "##y"): 1, ("a", "##b"): 4},
        {("a", "##b"): 4, ("x", "##y"): 1, ("a", "##c"): 1},
        {("é", "##水"): 2, ("É", "##水"): 5},
        {("a", "##b", "##c"): 10, ("a", "##c"): 10, ("d", "##b"): 1},
        {("a", "##b"): 5, ("b",): 50, ("c", "##d"): 1, ("c",): 3},
        {("É", "##水"): 5},
        {("a", "’٣\t"): 2},
        {("\xa0", "##e\u0301"): 1},
        {("a", "##b"): 2, ("d", "##b", "##b"): 5, ("d", "##b", "##c", "##c", "##c", "##c"): 2},
        {("a", "#  ", "##a", "##a"): 2},
        {("x<|im_end|>", "##y"): 1},
        {("a", "</w>##b"): 1, ("c", "##d", "##c"): 4},
        {("<", "##&"): 4},
        {("a", "##" + "b" * 58): 20_005, ("c", "##d", "##d"): 30_000},
        {("a", "b"): 20_004, ("c", "d"): 20_003},
        {("a", "b"): 300, ("c", "d"): 299},
        {tuple("aab"): 2, tuple("ba"): 3, tuple("bb"): 1},
    ]
    return [(marked,), *((words,) for words in small), *((_marked_words(rng),) for _ in range(30))]


HIGHEST_SCORE = FunctionExercise(
    id="11.1",
    title="The pair with the highest score",
    points=25,
    reference=highest_score,
    expects="a tuple of two symbols",
    make_probes=_word_counts,
    hints=(
        "In the example, how often does each of the four letters occur, and how often each pair?",
        "Two tables are needed: one of symbols and one of pairs. In both, a word that occurs six times adds six.",
        "`max` takes the first of equal ones if it goes through the pairs in the order met; give it the score as its `key`.",
    ),
    wrong_answers=(
        WrongAnswer(
            "by-count",
            lambda words: _best(words, lambda n, a, b, s, f, g: n),
            "You take the most frequent pair. That is the rule of BPE; the score divides by the counts of the two symbols.",
        ),
        WrongAnswer(
            "words-counted-once",
            lambda words: _best(words, lambda n, a, b, s, f, g: n / (s[a] * s[b]), weigh=False),
            "Each word counts once here. A word that occurs six times adds six to its pairs and to its symbols.",
        ),
        WrongAnswer(
            "sum-of-counts",
            lambda words: _best(words, lambda n, a, b, s, f, g: n / (s[a] + s[b])),
            "You divide by the sum of the two counts. The score divides by their product.",
        ),
        WrongAnswer(
            "left-only",
            lambda words: _best(words, lambda n, a, b, s, f, g: n / s[a]),
            "You divide by the count of the left symbol alone.",
        ),
        WrongAnswer(
            "right-only",
            lambda words: _best(words, lambda n, a, b, s, f, g: n / s[b]),
            "You divide by the count of the right symbol alone.",
        ),
        WrongAnswer(
            "last-of-equals",
            lambda words: _best(words, lambda n, a, b, s, f, g: n / (s[a] * s[b]), last=True),
            "Where scores are equal you take the pair met last. Asked for is the one met first.",
        ),
        WrongAnswer(
            "symbols-inside-pairs",
            lambda words: _best(words, lambda n, a, b, s, f, g: n / (f[a] * g[b])),
            "You count a symbol only where it begins or ends a pair of that kind. Each occurrence of a symbol counts, also at the "
            "other end of a word and in a word of one symbol.",
        ),
        WrongAnswer(
            "once-in-each-word",
            _once_in_each_word,
            "A symbol that stands twice in a word counts once there. Every occurrence counts.",
        ),
        WrongAnswer(
            "lowest-score",
            lambda words: _best(words, lambda n, a, b, s, f, g: -n / (s[a] * s[b])),
            "You take the lowest score.",
        ),
    ),
)

# --- 11.2 ------------------------------------------------------------------------------------


def cut_or_unknown(word: str, vocab: set) -> list:
    """Cut a word as WordPiece does.

    Args:
        word: one character or more.
        vocab: pieces; those that stand inside a word begin with "##".

    Returns:
        The longest piece that fits, then the longest that fits behind it,
        and so on. ["[UNK]"] for the whole word where none fits.

    Example:
        >>> cut_or_unknown("lowest", {"lo", "low", "##est", "##e"})
        ['low', '##est']
        >>> cut_or_unknown("low!", {"lo", "low", "##w"})
        ['[UNK]']
    """
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        end = len(word)
        while end > start and mark + word[start:end] not in vocab:
            end -= 1
        if end == start:
            return ["[UNK]"]
        pieces.append(mark + word[start:end])
        start = end
    return pieces


def _letter_unknown(word: str, vocab: set) -> list:
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        end = len(word)
        while end > start and mark + word[start:end] not in vocab:
            end -= 1
        if end == start:
            pieces.append("[UNK]")
            start = start + 1
        else:
            pieces.append(mark + word[start:end])
            start = end
    return pieces


def _longest(word, vocab, *, mark="##", rest=True, shortest=False, stop=False):
    pieces, start = [], 0
    while start < len(word):
        ends = range(start + 1, len(word) + 1) if shortest else range(len(word), start, -1)
        written = mark if start else ""
        end = next((end for end in ends if written + word[start:end] in vocab), None)
        if end is None:
            return [*pieces, "[UNK]"] if rest else pieces if stop else ["[UNK]"]
        pieces.append(written + word[start:end])
        start = end
    return pieces


def _goes_back(word, vocab):
    def cut(start):
        if start == len(word):
            return []
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocab and (others := cut(end)) is not None:
                return [piece, *others]
        return None

    return cut(0) or ["[UNK]"]


def _words_and_vocab(rng: random.Random) -> list:
    probes = [
        ("abc", {"ab", "a", "##bc"}),
        ("abc", {"abc"}),
        ("abc", {"##abc"}),
        ("abc", {"a", "b", "c"}),
        ("abc", {"a", "##b", "##c", "##bc"}),
        ("aaa", {"a", "##a", "##aa"}),
        ("zebra", {"##e", "##b", "##r", "##a", "##bra"}),
        ("a", {"a"}),
        ("a", {"##a"}),
        ("##a", {"#", "###", "##a"}),
        ("日本", {"日", "##本"}),
        ("naïve", {"na", "##ve", "##i"}),
        ("lowlow", {"low", "##low", "##lo", "##w"}),
        ("lowlow", {"low", "lowlow"}),
        ("A", {"a"}),
        ("low ", {"low"}),
        (" ", {"a"}),
        ("<|im_end|>", {"low"}),
        ("</w>a", {"a"}),
        ("ab" * 30, {"a", "##b", "##a", "##ba"}),
        ("abab", set()),
    ]
    for _ in range(30):
        vocab = {"a", "##a", "##b"} | {rng.choice(["", "##"]) + _letters(rng, 3) for _ in range(rng.randint(0, 8))}
        probes.append((_letters(rng, 7), vocab))
    return probes


def _letters(rng: random.Random, most: int) -> str:
    return "".join(rng.choices("abc", [5, 4, 1], k=rng.randint(1, most)))


MEND_UNKNOWN = FunctionExercise(
    id="11.2",
    title="Find the bug: what is unknown",
    points=20,
    reference=cut_or_unknown,
    buggy=_letter_unknown,
    expects="a list of str",
    make_probes=_words_and_vocab,
    hints=(
        "Run it on the second example. How many tokens come out, and how many should?",
        "What does the docstring say becomes unknown: a character, the rest of the word, or the word?",
        "Where no piece fits, the pieces found so far no longer matter. What can the function do at that moment, without going on?",
    ),
    wrong_answers=(
        WrongAnswer(
            "letter-unknown",
            _letter_unknown,
            "The bug is still there: only the character that does not fit becomes [UNK]. In WordPiece it takes the whole word with it.",
        ),
        WrongAnswer(
            "rest-unknown",
            lambda word, vocab: _longest(word, vocab),
            "You keep the pieces found so far and make the rest of the word [UNK]. The whole word is one [UNK].",
        ),
        WrongAnswer(
            "one-for-each-letter",
            lambda word, vocab: (
                ["[UNK]"] * len(word) if "[UNK]" in _letter_unknown(word, vocab) else _longest(word, vocab)
            ),
            "Where nothing fits there is one [UNK] for each character. One stands for the whole word.",
        ),
        WrongAnswer(
            "stops-without-a-word",
            lambda word, vocab: _longest(word, vocab, rest=False, stop=True),
            "Where nothing fits you stop, and what is left of the word is lost without a trace.",
        ),
        WrongAnswer(
            "no-mark",
            lambda word, vocab: _longest(word, vocab, mark="", rest=False),
            "You look for pieces inside the word without their ##. `est` at a word's start and `##est` are two entries.",
        ),
        WrongAnswer(
            "shortest",
            lambda word, vocab: _longest(word, vocab, shortest=True, rest=False),
            "You take the shortest piece that fits.",
        ),
        WrongAnswer(
            "goes-back",
            _goes_back,
            "You go back and try a shorter piece where the longest leads nowhere. That finds more cuts, but WordPiece does not do it.",
        ),
        WrongAnswer(
            "marks-dropped",
            lambda word, vocab: [piece.removeprefix("##") for piece in cut_or_unknown(word, vocab)],
            "The pieces have lost their ##. With it they are other entries, with other ids.",
        ),
    ),
)

# --- 11.3 ------------------------------------------------------------------------------------


def _unbound():
    chances = {"un": 1 / 4, "bo": 1 / 4, "und": 1 / 4, "unb": 1 / 16, "ound": 1 / 16, "bound": 1 / 64}
    letters = dict.fromkeys("unbod", 1 / 64)
    model = Unigram({piece: math.log(chance) for piece, chance in {**letters, **chances}.items()})
    return model.cut("unbound")


PREDICT_UNBOUND = PredictExercise(
    id="11.3",
    title="Predict: the most probable cut",
    points=20,
    question="The pieces un, bo and und have the probability 1/4 each, unb and ound 1/16 each, bound and each single letter "
    "1/64. How does Unigram cut unbound?",
    variable="cut_of_unbound",
    answer=["un", "bo", "und"],
    expects="a list of str",
    why="un, bo, und: 1/4 of 1/4 of 1/4 is 1/64. unb, ound: 1/16 of 1/16 is 1/256. un, bound: 1/4 of 1/64 is 1/256. Three frequent "
    "pieces beat two rare ones.",
    proof=_unbound,
    hints=(
        "Write down the ways to cut the word into pieces of two letters or more. Which are there?",
        "A cut is worth the product of the probabilities of its pieces. Work it out for each way.",
        "Written as powers of 1/4: which cut has the fewest factors in all? 1/16 is two of them, 1/64 three.",
    ),
    wrong_answers=(
        WrongAnswer(
            "longest-match",
            ["unb", "ound"],
            "That is the longest match from the left. Its probability is 1/256; is there a cut with a greater one?",
        ),
        WrongAnswer(
            "longest-piece",
            ["un", "bound"],
            "This cut has the longest piece of all, but that piece is rare. Work out the products.",
        ),
        WrongAnswer("letters", list("unbound"), "Seven letters are seven factors of 1/64."),
        WrongAnswer("whole-word", ["unbound"], "The word itself is no piece."),
        WrongAnswer(
            "not-the-word", ["un", "bo", "ound"], "Put together again, these pieces have one letter more than the word."
        ),
    ),
)

# --- 11.4 ------------------------------------------------------------------------------------


def best_cut(word: str, scores: dict) -> list:
    """Find the cut whose scores have the greatest sum.

    Args:
        word: any length, from 0 to 60 characters.
        scores: {piece: log probability, below 0}. Every character of the
            word is a piece.

    Returns:
        The pieces of that cut, in order; no two cuts are equally good.

    Example:
        >>> best_cut("aab", {"a": -1.0, "b": -2.0, "ab": -2.5})
        ['a', 'ab']
        >>> best_cut("ab", {"a": -1.0, "b": -1.2, "ab": -2.5})
        ['a', 'b']
    """
    best = [(0.0, [])]  # for each place the best score up to it, and its pieces
    for end in range(1, len(word) + 1):
        ways = []
        for start in range(end):
            piece = word[start:end]
            if piece in scores:
                score, pieces = best[start]
                ways.append((score + scores[piece], [*pieces, piece]))
        best.append(max(ways))
    return best[-1][1]


def _by_value(word, scores, value):
    """The best of all cuts by another value of (pieces, scores)."""
    cuts = {0: [[]]}
    for end in range(1, len(word) + 1):
        cuts[end] = [
            [*cut, word[start:end]] for start in range(end) if word[start:end] in scores for cut in cuts[start][:64]
        ]
    return max(cuts[len(word)], key=lambda cut: value([scores[piece] for piece in cut]))


def _greedy(word, scores, key):
    pieces, start = [], 0
    while start < len(word):
        fits = [word[start:end] for end in range(start + 1, len(word) + 1) if word[start:end] in scores]
        pieces.append(max(fits, key=key))
        start += len(pieces[-1])
    return pieces


def _scored(rng: random.Random, letters: str, pieces: int) -> dict:
    scores = {letter: -rng.randint(300, 900) / 100 for letter in letters}
    for _ in range(pieces):
        piece = "".join(rng.choices(letters, k=rng.randint(2, 4)))
        scores[piece] = -rng.randint(100, 900) / 100
    return scores


def _words_and_scores(rng: random.Random) -> list:
    tight = {"a": -5.0, "aa": -1.0, "aab": -4.0, "b": -6.0}
    probes = [
        ("", {}),
        ("a", {"a": -1.0}),
        ("b", {"a": -1.0, "b": -7.5, "ab": -0.5}),
        ("abcab", {"a": -7.1, "b": -7.2, "c": -7.3, "abc": -1.0, "abca": -0.5, "ab": -2.0}),
        ("abcd", {"a": -7.1, "b": -7.2, "c": -7.3, "d": -7.4, "ab": -1.0, "cd": -1.5, "abc": -0.5}),
        ("aaab", tight),
        ("baaa", tight | {"ba": -1.5}),
        ("naï水", {"n": -6.0, "a": -6.5, "ï": -8.0, "水": -7.0, "na": -1.0, "naï": -4.0}),
        ("aaaaaa", {"a": -9.0, "aa": -0.1, "aaa": -5.0}),
        ("aaaaaa", {"a": -3.0, "aaaa": -13.0}),
        ("aab</w>", tight | {"</w>": -2.0, "<": -8.1, "/": -8.2, "w": -8.3, ">": -8.4}),
        ("ba 🙂a", {"b": -7.1, "a": -7.2, " ": -7.3, "🙂": -7.4, " 🙂": -2.0, "ba": -3.0, "a ": -5.0}),
        (" a  a ", {"a": -7.2, " ": -7.3, " a": -2.0, "a ": -5.0}),
        ("<|im", {"<": -5.1, "|": -5.2, "i": -5.3, "m": -5.4, "<|im_end|>": -0.1, "<|": -3.0}),
        ("abcdef", {"a": -6.1, "b": -6.2, "c": -6.3, "d": -6.4, "e": -6.5, "f": -6.6, "bcdef": -7.0, "abc": -5.0}),
        ("aBAb", {"a": -1.0, "B": -2.0, "A": -3.0, "b": -4.0, "ab": -0.1}),
        *_with_one_best_cut(rng, 35, "abc", 9),
        *_with_one_best_cut(rng, 1, "abcdefg", 50),
    ]
    return probes


def _with_one_best_cut(rng: random.Random, amount: int, letters: str, longest: int) -> list:
    probes = []
    while len(probes) < amount:
        word = "".join(rng.choices(letters, k=rng.randint(longest * 3 // 4, longest)))
        model = Unigram(_scored(rng, letters, rng.randint(1, 8)))
        best, *others = map(model.score, model.n_best(word, 2))
        if all(best - other > 1e-6 for other in others):
            probes.append((word, model.scores))
    return probes


BEST_CUT = FunctionExercise(
    id="11.4",
    title="Viterbi: the best cut",
    points=25,
    reference=best_cut,
    expects="a list of str",
    make_probes=_words_and_scores,
    hints=(
        "Suppose you knew the best cut of every beginning of the word: of a, of aa. How would you find the best cut of aab?",
        "The last piece of a cut of the first n characters begins somewhere, at place k. What stands before it is best cut in the "
        "best way for k. So try every k whose piece is known, and keep the greatest sum.",
        "Keep a table with a score and a list of pieces for each place. Place 0 has the score 0 and no pieces; fill in the others from left to right.",
    ),
    wrong_answers=(
        WrongAnswer(
            "longest-match",
            lambda word, scores: _greedy(word, scores, len),
            "You take the longest piece that fits, and never look back. That is WordPiece's way.",
        ),
        WrongAnswer(
            "best-next-piece",
            lambda word, scores: _greedy(word, scores, lambda piece: scores[piece]),
            "You take the most probable next piece, and never look back. A good piece may leave a bad rest.",
        ),
        WrongAnswer(
            "fewest-pieces",
            lambda word, scores: _by_value(word, scores, lambda found: (-len(found), sum(found))),
            "You take the cut with the fewest pieces. More pieces can have a greater sum.",
        ),
        WrongAnswer(
            "mean-score",
            lambda word, scores: _by_value(word, scores, lambda found: sum(found) / max(len(found), 1)),
            "You compare the mean score of the pieces. Asked for is the sum.",
        ),
        WrongAnswer(
            "lowest-sum",
            lambda word, scores: _by_value(word, scores, lambda found: -sum(found)),
            "You find the cut with the lowest sum. Scores are negative: -1 is greater than -9.",
        ),
        WrongAnswer(
            "backwards",
            ByResult(
                lambda got, expected, word, scores: got == expected[::-1],
                sample=lambda word, scores: best_cut(word, scores)[::-1],
            ),
            "The right pieces, from the last to the first.",
        ),
        WrongAnswer(
            "sum-instead-of-pieces",
            lambda word, scores: sum(scores[piece] for piece in best_cut(word, scores)),
            "This is the sum of the scores. Asked for are the pieces.",
        ),
    ),
)

# --- 11.5 ------------------------------------------------------------------------------------

CHOOSE_TRAINER = ChooseExercise(
    id="11.5",
    title="Choose: what did they compare?",
    points=10,
    question="A report trains BPE and WordPiece with Hugging Face tokenizers on the same words, with the same number of entries, "
    "and finds nearly the same number of tokens. What follows?",
    variable="what_follows",
    options=(
        Option(
            "The score count(ab) / (count(a) count(b)) finds as good pieces as the count.",
            False,
            "The score took no part in it: look again at what that trainer merges.",
        ),
        Option(
            "Both vocabularies were chosen by count, so the report compares marks and ways of cutting.",
            True,
            "Hugging Face's WordPieceTrainer merges the most frequent pair, as BPE does. What differs is ## against the course's "
            "mark, and the longest match against the merges.",
        ),
        Option(
            "The longest match gives the same cuts as replaying merges.",
            False,
            "Nearly the same number of tokens does not make the same tokens; `nest` in notebook 04 is cut differently.",
        ),
        Option(
            "The text is too small to tell them apart.",
            False,
            "With the same trainer behind both, a larger text does not bring the score in.",
        ),
    ),
    hints=(
        "Which pair does each of the two trainers merge first on the toy corpus?",
        "Compare the first pieces that the library made with the columns of the table in section 1.",
        "What must differ between two vocabularies for the comparison to say something about the rule that chose them?",
    ),
)

# --- 11.6 ------------------------------------------------------------------------------------


def _pieces_with_fallback():
    pieces = ["▁", "▁na", "n", "a", "v", "e", "ve"]
    return len(encode_pieces(Unigram(dict.fromkeys(pieces, -1.0)), "naïve 水"))


PREDICT_FALLBACK = PredictExercise(
    id="11.6",
    title="Predict: byte fallback",
    points=15,
    question="A Unigram model has the pieces ▁, ▁na, n, a, v, e and ve, all with the same score, and the 256 byte pieces. ï takes two "
    "bytes in UTF-8, 水 three. How many pieces does the text naïve 水 become, with a space in front as SentencePiece puts it?",
    variable="pieces_of_naive",
    answer=8,
    expects="a whole number",
    why="▁na, two bytes for ï, ve, then ▁ alone and three bytes for 水: 1 + 2 + 1 + 1 + 3. Only the characters that are no pieces "
    "become bytes.",
    proof=_pieces_with_fallback,
    hints=(
        "Write the text with ▁ for each space, one in front. Which characters are no pieces?",
        "Fewer pieces have the greater sum here, since all scores are equal. How are the known parts cut?",
        "Add up: the known parts of naïve, the bytes of ï, the space before 水, the bytes of 水.",
    ),
    wrong_answers=(
        WrongAnswer("no-space-before", 7, "One piece is missing. What becomes of the space before 水?"),
        WrongAnswer("unknown-as-one", 5, "So many without the fallback. Each byte of an unknown character is a piece."),
        WrongAnswer(
            "all-bytes",
            10,
            "So many bytes has the text, with its space: that is byte-level. Known characters stay together here.",
        ),
        WrongAnswer(
            "all-bytes-and-front", 11, "So many bytes, and one for the front. Only unknown characters become bytes."
        ),
        WrongAnswer("single-characters", 12, "Every known character is counted by itself. ▁na and ve are pieces."),
    ),
)

# --- 11.7 ------------------------------------------------------------------------------------

CHOOSE_DROPOUT = ChooseExercise(
    id="11.7",
    title="Choose: when merges are dropped",
    points=10,
    question="A model was trained with BPE-dropout, p = 0.1. How is a prompt encoded when the model is used?",
    variable="prompt_is_encoded",
    options=(
        Option(
            "With p = 0.1 again, since the model knows no other cuts.",
            False,
            "With p = 0.1 most words had no merge left out, so the plain cut is the one that it saw most.",
        ),
        Option(
            "With p = 0: the plain cut, which it saw most often, and the same one each time.",
            True,
            "Dropout is for training only. The paper, too, uses the plain cut afterwards; the vocabulary and its ids are the same.",
        ),
        Option(
            "With p = 1: single symbols, which occur in every cut.",
            False,
            "That is the longest cut of all, and one that training with 0.1 hardly ever showed.",
        ),
        Option(
            "With a new vocabulary, made of the cuts that training drew.",
            False,
            "Dropout draws cuts from a vocabulary that is there already. It adds no entry.",
        ),
    ),
    hints=(
        "Which cut of a word is drawn most often at p = 0.1? The table above counts them.",
        "What would two runs of the same prompt give if merges were left out at random?",
        "Does the vocabulary change when merges are left out?",
    ),
)

QUESTIONS = (
    Question(
        "What does a WordPiece tokenizer need to encode a word?",
        (
            Option(
                "Its merges, in order.",
                False,
                "Merges are used in training only. Encoding takes the longest piece that fits.",
            ),
            Option(
                "The vocabulary alone.",
                True,
                "It looks for the longest piece at each place; no order and no scores are asked for.",
            ),
            Option(
                "The vocabulary and a probability for each piece.",
                False,
                "That is Unigram. WordPiece asks only whether a piece is there, and how long it is.",
            ),
            Option("The counts of the corpus.", False, "Counts chose the pieces. After training nobody needs them."),
        ),
    ),
    Question(
        "A word has one letter that a WordPiece vocabulary does not know. What comes out?",
        (
            Option("The letter becomes its bytes.", False, "That is byte fallback, an option of SentencePiece."),
            Option(
                "The letter becomes [UNK], the rest is cut.",
                False,
                "So one would think. The rule gives up on the word.",
            ),
            Option(
                "The whole word becomes [UNK].", True, "Longest match has no piece there, and there is no way back."
            ),
        ),
    ),
    Question(
        "How does Unigram cut a word?",
        (
            Option(
                "Into the pieces whose probabilities have the greatest product.",
                True,
                "Viterbi's rule finds this cut without trying all of them.",
            ),
            Option(
                "Into as few pieces as possible.",
                False,
                "Three frequent pieces can beat two rare ones, as in `unbound`.",
            ),
            Option(
                "By the most probable piece first, then the rest.",
                False,
                "A good piece may leave a bad rest. The whole cut counts.",
            ),
            Option("By merging the best pair until none is left.", False, "Unigram has no merges."),
        ),
    ),
    Question(
        "What is SentencePiece (section 6)?",
        (
            Option("An algorithm beside BPE and Unigram.", False, "It trains either of these two; it is a library."),
            Option(
                "Another name for byte-level BPE.",
                False,
                "It starts from characters; bytes are a fallback that one can turn on.",
            ),
            Option(
                "Another name for Unigram.", False, "It trains BPE as well; Llama 2's tokenizer is BPE made with it."
            ),
            Option(
                "A library that trains BPE or Unigram on text whose spaces are written as ▁.",
                True,
                "So the text comes back from its pieces, without rules for each language.",
            ),
        ),
    ),
)

LESSON = Lesson(
    11,
    "Beyond BPE",
    (
        HIGHEST_SCORE,
        MEND_UNKNOWN,
        PREDICT_UNBOUND,
        BEST_CUT,
        CHOOSE_TRAINER,
        PREDICT_FALLBACK,
        CHOOSE_DROPOUT,
    ),
    QUESTIONS,
)
