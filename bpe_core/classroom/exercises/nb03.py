"""Notebook 03, merging: exercises and quiz."""

import random
import re

from ...pairs import best_pair, count_pairs, merge_pair
from ..spec import ByResult, ChooseExercise, FunctionExercise, Lesson, Option, PredictExercise, Question, WrongAnswer
from .nb02 import ODD, TOY, long_words, random_corpus, random_word, small_words

NEEDS = "from bpe_core import best_pair, count_pairs, merge_pair\n\n\n"
TRAINERS = (
    "learn_merges_naively",
    "training",
    "WordBPE",
    "ByteBPE",
    "wordpiece",
    "superbpe",
    "costs",
)  # each learns merges by itself

# --- 3.1 ---------------------------------------------------------------------------------------


def merge_in_word(symbols: list[str], pair: tuple[str, str]) -> list[str]:
    """Fuse every occurrence of a pair, left to right, never overlapping.

    Args:
        symbols: the symbols of one word. Leave this list as it is.
        pair: (left, right); the new symbol is left + right.

    Returns:
        A new list of symbols, also if nothing is merged.

    Example:
        >>> merge_in_word(["n", "e", "w", "e", "s", "t"], ("e", "s"))
        ['n', 'e', 'w', 'es', 't']
        >>> merge_in_word(["a", "a", "a"], ("a", "a"))
        ['aa', 'a']
    """
    merged = []
    i = 0
    while i < len(symbols):
        if tuple(symbols[i : i + 2]) == pair:
            merged.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return merged


def _walk(symbols, pair, *, step=2, times=10**9, end=0, new=lambda left, right: left + right) -> list:
    merged, i = [], 0
    while i < len(symbols) - end:
        if tuple(symbols[i : i + 2]) == pair and times > 0:
            merged.append(new(*pair))
            i += step
            times -= 1
        else:
            merged.append(symbols[i])
            i += 1
    return merged


def _replace_in_text(symbols, pair):
    return " ".join(symbols).replace(" ".join(pair), "".join(pair)).split()


def _walk_joined(symbols, pair):
    merged, i = [], 0
    while i < len(symbols):
        here = "".join(symbols[i : i + 2])
        fits = i + 1 < len(symbols) and here == "".join(pair)
        merged.append(here if fits else symbols[i])
        i += 2 if fits else 1
    return merged


def _sub_in_text(symbols, pair, left="", right=""):
    return re.sub(left + " ".join(pair) + right, "".join(pair), " ".join(symbols)).split()


def _from_the_right(symbols, pair):
    left, right = pair
    return _walk(symbols[::-1], (right, left), new=lambda a, b: b + a)[::-1]


def _in_place(symbols, pair):
    i = 0
    while i < len(symbols) - 1:
        if (symbols[i], symbols[i + 1]) == pair:
            symbols[i : i + 2] = ["".join(pair)]
        i += 1
    return symbols


def _deletes_while_counting(symbols, pair):
    symbols = list(symbols)
    for i in range(len(symbols) - 1):
        if (symbols[i], symbols[i + 1]) == pair:
            symbols[i : i + 2] = ["".join(pair)]
    return symbols


def _words_with_pairs(rng: random.Random) -> list:
    probes = [(word, pair) for word in small_words(3) for pair in (("a", "b"), ("a", "a"))]
    probes += [(["a", "a", "a", "a"], ("a", "a")), (["ne", "s", "t"], ("e", "s")), (["e", "st"], ("e", "s"))]
    probes += [
        (["a", "b", "a", "b"], ("a", "b")),
        (["x", "est", "</w>"], ("est", "</w>")),
        (["ab", "a", "b"], ("a", "b")),
    ]
    # The joined texts are equal, the pairs are not.
    probes += [(["a", "ab"], ("aa", "b")), (["aa", "b", "a", "ab"], ("a", "ab")), (["a", "bc", "ab", "c"], ("ab", "c"))]
    # Signs that mean something in a pattern or its replacement; capitals, accents, other scripts.
    probes += [
        (["a", "x", ".", "x"], (".", "x")),
        (["\\", "1", "\\", "n"], ("\\", "1")),
        (["a", "*", "a*", "|"], ("a", "*")),
    ]
    probes += [
        (ODD * 2, pair) for pair in (("É", "é"), ("é", "e\u0301"), ("水", "🙂"), ("“", '"'), ("aaa", "aa"), ("x", "y"))
    ]
    for _ in range(30):
        word = random_word(rng, "ab", 8)
        probes.append((word, rng.choice(list(zip(word, word[1:])) or [("a", "b")])))
    return probes + [(word, ("b", "c")) for word in long_words(rng)] + [(word, ("a", "b")) for word in long_words(rng)]


MERGE_ONE_WORD = FunctionExercise(
    id="3.1",
    title="Merge a pair in one word",
    points=25,
    reference=merge_in_word,
    expects="a list of symbols",
    fresh=True,
    make_probes=_words_with_pairs,
    hints=(
        "Do it by hand for `a a a` and the pair (a, a). After the first two are fused, at which symbol do you go on?",
        "Walk through the word with an index and build a new list. At each place there are two cases: the pair begins here, "
        "or it does not. How far does the index move in each?",
        "A `while` loop suits better than `for`, since the step is 2 after a merge and 1 otherwise. Take care at the last "
        "symbol: it has no right neighbor, but it must be in the result.",
    ),
    wrong_answers=(
        WrongAnswer(
            "first-occurrence-only",
            lambda symbols, pair: _walk(symbols, pair, times=1),
            "You fuse only the first occurrence. A merge fuses the pair wherever it stands in the word.",
        ),
        WrongAnswer(
            "overlapping",
            lambda symbols, pair: _walk(symbols, pair, step=1),
            "After a merge you go on at the right half of the pair, and it is used a second time. Both symbols are used up.",
        ),
        WrongAnswer(
            "steps-too-far",
            lambda symbols, pair: _walk(symbols, pair, step=3),
            "After a merge you step over one symbol too many, and it gets lost. The pair has two symbols: go on two further.",
        ),
        WrongAnswer(
            "replaces-text",
            _replace_in_text,
            "You join the symbols into a text and replace there. That finds the pair inside longer symbols: `ne s` holds the "
            "text `e s`, but not the pair (e, s). Compare whole symbols.",
        ),
        WrongAnswer(
            "compares-joined-texts",
            _walk_joined,
            "You compare the joined texts, and they do not say where one symbol ends: a + ab and aa + b are both aab. The left "
            "symbol must equal the left one of the pair, and the right the right.",
        ),
        WrongAnswer(
            "pattern-not-escaped",
            (_sub_in_text, lambda symbols, pair: _sub_in_text(symbols, pair, r"(?<!\S)", r"(?!\S)")),
            "In a regular expression some signs stand for something else, a dot for any character. The pair (., x) must fit "
            "only a dot and an x. (And without a border on both sides the pattern also fits inside longer symbols.)",
        ),
        WrongAnswer(
            "loses-last-symbol",
            lambda symbols, pair: _walk(symbols, pair, end=1),
            "The last symbol gets lost when it is not part of a merge: your loop ends one symbol too early.",
        ),
        WrongAnswer(
            "right-to-left",
            _from_the_right,
            "You merge from the right. It matters where pairs overlap: begin at the left.",
        ),
        WrongAnswer(
            "changes-argument",
            _in_place,
            "The result is right, but you change the list that you were given. Build a new one.",
        ),
        WrongAnswer(
            "deletes-while-counting",
            _deletes_while_counting,
            "The list gets shorter while your `for` loop still counts up to the old length, and asks for a symbol that is no "
            "longer there. Build a new list, or move the index yourself.",
        ),
        WrongAnswer(
            "keeps-pair-apart",
            lambda symbols, pair: _walk(symbols, pair, new=lambda left, right: (left, right)),
            "You put the pair itself into the list. It must become one symbol, the two texts joined.",
        ),
        WrongAnswer(
            "keeps-space",
            lambda symbols, pair: _walk(symbols, pair, new=lambda left, right: f"{left} {right}"),
            "Your new symbol has a space in it. Join left and right without anything between them.",
        ),
        WrongAnswer(
            "drops-other-symbols",
            lambda symbols, pair: [symbol for symbol in _walk(symbols, pair) if symbol == "".join(pair)],
            "Symbols that are not part of the pair get lost. They belong into the result as they are.",
        ),
        WrongAnswer(
            "unchanged",
            lambda symbols, pair: list(symbols),
            "Nothing is merged: the symbols come back as they were. Do you compare a slice of the list with the pair? A list is "
            "never equal to a tuple, even if both hold the same symbols.",
        ),
    ),
)

# --- 3.2 ---------------------------------------------------------------------------------------


def merge_spaced(word: str, pair: tuple[str, str]) -> str:
    """Fuse a pair in a word written with one space between its symbols.

    Whole symbols only, left to right, never overlapping.

    Args:
        word: the symbols, one space between them; none holds white space.
        pair: (left, right).

    Returns:
        The word after the merge, written in the same way.

    Example:
        >>> merge_spaced("n e w e s t </w>", ("e", "s"))
        'n e w es t </w>'
        >>> merge_spaced("a b a b", ("a", "b"))
        'ab ab'
    """
    symbols = word.split(" ")
    merged = []
    i = 0
    while i < len(symbols):
        if tuple(symbols[i : i + 2]) == pair:
            merged.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return " ".join(merged)


def _replace_substring(word, pair):
    before = " ".join(pair)
    after = "".join(pair)
    return word.replace(before, after)


def _replace_padded(word, pair, left=" ", right=" "):
    before, after = left + " ".join(pair) + right, left + "".join(pair) + right
    padded = left + word + right
    return padded.replace(before, after)[len(left) : len(padded.replace(before, after)) - len(right)]


def _replace_until_none(word, pair):
    padded, before = f" {word} ", f" {' '.join(pair)} "
    while before in padded:
        padded = padded.replace(before, f" {''.join(pair)} ")
    return padded[1:-1]


def _spaced_words(rng: random.Random) -> list:
    probes = [
        ("a", ("a", "b")),
        ("a b", ("a", "b")),
        ("b a", ("a", "b")),
        ("ab a b", ("a", "b")),
        ("ne s t", ("e", "s")),
    ]
    probes += [
        ("e st", ("e", "s")),
        ("a b a b", ("a", "b")),
        ("a a a", ("a", "a")),
        ("a a a a", ("a", "a")),
        ("a a a a a", ("a", "a")),
    ]
    probes += [("ba b", ("a", "b")), ("a ba", ("a", "b")), (". a x a", (".", "a")), ("w e st </w>", ("st", "</w>"))]
    probes += [
        ("", ("a", "b")),
        ("é", ("a", "b")),
        ("a ab aa b", ("aa", "b")),
        ("\\ n a \\ n", ("\\", "n")),
        ("a + a+ |", ("a", "+")),
    ]
    probes += [
        (" ".join([symbol for symbol in ODD if symbol.split() == [symbol]] * 2), pair)
        for pair in (("É", "é"), ("é", "e\u0301"), ("水", "🙂"), ("“", '"'), ("aaa", "aa"), ("x", "y"))
    ]
    for _ in range(30):
        word = random_word(rng, "ab", 7)
        probes.append((" ".join(word), rng.choice(list(zip(word, word[1:])) or [("a", "b")])))
    spaced = [" ".join(word) for word in long_words(rng)]
    return probes + [(word, pair) for word in spaced for pair in (("b", "c"), ("a", "b"))]


MEND_REPLACE = FunctionExercise(
    id="3.2",
    title="Find the bug: a merge that is none",
    points=25,
    reference=merge_spaced,
    buggy=_replace_substring,
    expects="a str, the symbols with one space between them",
    make_probes=_spaced_words,
    hints=(
        "The examples are right. Find a word in which the text `e s` stands, but not the pair (e, s).",
        "Try `ne s t` with (e, s), and `e st` with (e, s). Where does a symbol begin and end in the text?",
        "A text does not know its symbols, a list does: cut the word at its spaces, merge as in 3.1, and join again. (A "
        "regular expression that demands a space or an end on both sides works as well.)",
    ),
    wrong_answers=(
        WrongAnswer(
            "replaces-text",
            _replace_substring,
            "The bug is still there: `replace` finds the text across symbols. In `ne s t` it fuses ne and s, though the pair "
            "(e, s) does not stand there.",
        ),
        WrongAnswer(
            "replaces-text-once",
            lambda word, pair: word.replace(" ".join(pair), "".join(pair), 1),
            "Only the first place is replaced now, and it may still lie across symbols, as `e s` does in `ne s`. A merge fuses "
            "whole symbols, wherever the pair stands.",
        ),
        WrongAnswer(
            "guards-left-only",
            lambda word, pair: _replace_padded(word, pair, right=""),
            "The left end is guarded now, the right is not: in `e st` you fuse e with the start of st.",
        ),
        WrongAnswer(
            "guards-right-only",
            lambda word, pair: _replace_padded(word, pair, left=""),
            "The right end is guarded now, the left is not: in `ne s` you fuse the end of ne with s.",
        ),
        WrongAnswer(
            "ends-forgotten",
            lambda word, pair: word.replace(f" {' '.join(pair)} ", f" {''.join(pair)} "),
            "Spaces guard both sides now, but at the start of the word there is none before the pair, and at its end none behind "
            "it: there the pair is never found. (And of two pairs side by side, the second has lost its space.)",
        ),
        WrongAnswer(
            "space-used-twice",
            _replace_padded,
            "Nearly: each replacement uses up the space on both sides, so of two occurrences side by side, as in `a b a b`, "
            "the second is missed: the space before it is gone.",
        ),
        WrongAnswer(
            "replaces-until-none",
            _replace_until_none,
            "Nearly: you replace again until nothing is left. But each replacement uses up the space behind it, so the next "
            "place is skipped and one further right is fused first: `a a a a a` becomes aa a aa, and from the left it is aa aa a.",
        ),
        WrongAnswer(
            "first-occurrence-only",
            lambda word, pair: " ".join(_walk(word.split(" "), pair, times=1)),
            "One occurrence of the pair is fused, the first; a merge fuses the pair wherever it stands.",
        ),
        WrongAnswer(
            "overlapping",
            lambda word, pair: " ".join(_walk(word.split(" "), pair, step=1)),
            "Whole symbols now, but after a merge you go on at the right half of the pair, and it is used a second time.",
        ),
        WrongAnswer(
            "dot-as-wildcard",
            lambda word, pair: re.sub(rf"(?<!\S){' '.join(pair)}(?!\S)", "".join(pair), word),
            "In a regular expression a dot stands for any character, so (., a) also fits `x a`. Escape the pair with "
            "`re.escape`.",
        ),
        WrongAnswer(
            "replacement-not-escaped",
            lambda word, pair: re.sub(rf"(?<!\S){re.escape(' '.join(pair))}(?!\S)", "".join(pair), word),
            "Nearly: the pattern is right, but in the replacement of `re.sub` a backslash means something too: `\\n` becomes a "
            "line end. A function as replacement is taken as it is.",
        ),
        WrongAnswer(
            "word-boundary",
            tuple(
                lambda word, pair, escape=escape: re.sub(
                    rf"\b{escape(' '.join(pair))}\b", lambda _: "".join(pair), word
                )
                for escape in (re.escape, str)
            ),
            "`\\b` is the border between a letter and something else. It is not the end of a symbol where the symbol ends or "
            "begins with a sign, such as </w> or a dot.",
        ),
        WrongAnswer(
            "loses-spaces",
            lambda word, pair: "".join(_walk(word.split(" "), pair)),
            "The merge is right, but the spaces between the symbols are lost: nobody can tell where one ends.",
        ),
    ),
)

# --- 3.3 ---------------------------------------------------------------------------------------


def learn_merge_list(word_counts: dict, num_merges: int) -> list:
    """Learn merges: count pairs, merge the best in every word, begin again.

    Ties go to the pair met first. When no pair is left, stop; no error.
    Words that a merge makes equal count as one, with the sum of their
    frequencies.

    Args:
        word_counts: {word: frequency}; a word is a tuple of symbols. Do not
            change it.
        num_merges: how many merges to learn at most.

    Returns:
        The pairs (left, right) in the order learned, a list.

    Example:
        >>> learn_merge_list({("l", "o", "w"): 5, ("l", "o", "t"): 2}, 2)
        [('l', 'o'), ('lo', 'w')]
        >>> learn_merge_list({("a", "b"): 1}, 3)
        [('a', 'b')]
    """
    words = dict(word_counts)
    merges = []
    while len(merges) < num_merges:
        counts = count_pairs(words)
        if not counts:
            break
        pair = best_pair(counts)
        merges.append(pair)
        merged = {}
        for word, frequency in words.items():
            word = tuple(merge_pair(word, pair, pair[0] + pair[1]))
            merged[word] = merged.get(word, 0) + frequency
        words = merged
    return merges


def _last_of_tied(counts):
    return [pair for pair in counts if counts[pair] == max(counts.values())][-1]


def _merge_all(words, pair, *, merge=merge_pair, add=True):
    merged = {}
    for word, frequency in words.items():
        word = tuple(merge(word, pair, "".join(pair)))
        merged[word] = frequency + (merged.get(word, 0) if add else 0)
    return merged


def _train(
    word_counts, num_merges, *, count=count_pairs, choose=best_pair, merge=merge_pair, stop=True, least=1, add=True
) -> list:
    words, merges = dict(word_counts), []
    while len(merges) < num_merges:
        counts = count(words)
        if stop and (not counts or max(counts.values()) < least):
            break
        pair = choose(counts)
        merges.append(pair)
        words = _merge_all(words, pair, merge=merge, add=add)
    return merges


def _count_unweighted(words):
    return count_pairs(dict.fromkeys(words, 1))


def _count_as_text(words):
    return count_pairs([symbol for word, frequency in words.items() for symbol in word * frequency])


def _one_count(word_counts, num_merges):
    return [pair for pair, _ in count_pairs(word_counts).most_common(num_merges)]


def _never_merges(word_counts, num_merges):
    return _train(word_counts, num_merges, merge=lambda word, pair, new: word)


def _merges_once_then_unweighted(words, num_merges):
    merges = _train(words, min(num_merges, 1))
    for pair in merges:
        words = _merge_all(words, pair)
    return merges + _train(words, num_merges - 1, count=_count_unweighted)


def _merges_the_original(word_counts, num_merges):
    words, merges = word_counts, []
    while len(merges) < num_merges and (counts := count_pairs(words)):
        merges.append(best_pair(counts))
        words = _merge_all(word_counts, merges[-1])
    return merges


def _train_in_place(word_counts, num_merges):
    merges = _train(word_counts, num_merges)
    for left, right in merges:
        for word in list(word_counts):
            word_counts[tuple(merge_pair(word, (left, right), left + right))] = word_counts.pop(word)
    return merges


def _training_corpora(rng: random.Random) -> list:
    toy = {(*word, "</w>"): frequency for word, frequency in TOY.items()}
    probes = [({("a",): 2}, 1), ({("a", "b"): 2}, 0), ({("a", "b"): 2}, 1), ({("a", "b", "c"): 1}, 1)]
    probes += [({("a", "b", "c"): 1}, 5), ({("a", "b"): 1, ("c", "d"): 1}, 1), ({("a", "a", "a", "a"): 1}, 3)]
    probes += [({("a", "b"): 1, ("b", "c"): 3}, 1), (toy, 4), (toy, 8), (toy, 30), ({}, 0), ({}, 3)]
    # Ties of all kinds, large frequencies, more than ten words, joined texts that are equal, odd symbols.
    probes += [({("b", "c"): 1, ("a", "b"): 1, ("É", "ж"): 1}, 4), ({("a", "b"): 10_000, ("c", "d"): 10_001}, 1)]
    probes += [({(chr(97 + i), chr(98 + i)): 100 + i for i in range(14)}, 3)]
    probes += [({("aa", "b"): 3, ("a", "ab", "c"): 1}, 9), ({tuple(ODD): 2, ("é", "e\u0301"): 1}, 60)]
    probes.append(({("a", "b", "c"): 5, ("ab", "c"): 3, ("x", "y"): 4}, 2))
    # A frequency that is one off beats another pair: three rare words share (e, f).
    probes.append(({("a", "b"): 9, ("c", "d"): 4, ("e", "f"): 1, ("g", "e", "f"): 1, ("e", "f", "h"): 1}, 3))
    return probes + [(random_corpus(rng), rng.randint(1, 6)) for _ in range(25)]


TRAINING_LOOP = FunctionExercise(
    id="3.3",
    title="Write the training loop",
    points=30,
    reference=learn_merge_list,
    needs=NEEDS,
    forbidden=TRAINERS,
    expects="a list of pairs (left, right)",
    make_probes=_training_corpora,
    hints=(
        "Three functions do the work: `count_pairs`, `best_pair`, `merge_pair`. In which order does one turn of the loop call "
        "them, and what must the next turn start from?",
        "One turn: count the pairs of the words as they are now, choose the best, note it, merge it in every word. What does "
        "`count_pairs` return when every word is a single symbol, and what should happen then?",
        "Keep a dict of your own for the words and replace it in each turn by a new one, in which each word is merged and "
        "its frequency is added to what stands there. `merge_pair` returns a list; a key of a dict must be a tuple.",
    ),
    wrong_answers=(
        WrongAnswer(
            "counts-once",
            _one_count,
            "You count the pairs once and take the most frequent ones. After each merge the counts are others, and there are "
            "pairs with the new symbol: count again in each turn.",
        ),
        WrongAnswer(
            "never-merges",
            _never_merges,
            "The same pair comes again and again: the words are not replaced by the merged ones.",
        ),
        WrongAnswer(
            "unweighted",
            lambda words, n: _train(words, n, count=_count_unweighted),
            "You count each word once. Give `count_pairs` the dict with the frequencies.",
        ),
        WrongAnswer(
            "over-borders",
            lambda words, n: _train(words, n, count=_count_as_text),
            "You count pairs that reach from one word into the next: the words are one long list for you. Give `count_pairs` "
            "the dict.",
        ),
        WrongAnswer(
            "tie-to-last",
            lambda words, n: _train(words, n, choose=_last_of_tied),
            "A tie goes to the last pair in your loop. Asked for is the pair met first.",
        ),
        WrongAnswer(
            "tie-to-greatest",
            lambda words, n: _train(words, n, choose=lambda counts: best_pair(counts, "greatest")),
            "A tie goes to the greatest pair in your loop. Asked for is the pair met first.",
        ),
        WrongAnswer(
            "overwrites",
            lambda words, n: _train(words, n, add=False),
            "Two words can become the same tuple, as (a, b, c) and (ab, c) do. Your dict then keeps the frequency of the last "
            "one only: add the two.",
        ),
        WrongAnswer(
            "one-too-few",
            lambda words, n: _train(words, n - 1),
            "You learn one merge too few: look at where your loop ends.",
        ),
        WrongAnswer(
            "one-too-many",
            lambda words, n: _train(words, n + 1),
            "You learn one merge too many: look at where your loop ends.",
        ),
        WrongAnswer(
            "stops-at-two",
            lambda words, n: _train(words, n, least=2),
            "You stop when the best pair occurs only once. Here a pair that occurs once is still merged.",
        ),
        WrongAnswer(
            "pairs-run-out",
            lambda words, n: _train(words, n, stop=False),
            "When every word is one symbol there are no pairs left, and `best_pair` has nothing to choose from. Stop then and "
            "return what was learned.",
        ),
        WrongAnswer(
            "merges-the-original",
            _merges_the_original,
            "Each turn merges its pair in the words that you were given, so the merges of earlier turns are lost. Merge in the "
            "words as the last turn left them.",
        ),
        WrongAnswer(
            "frequencies-lost",
            _merges_once_then_unweighted,
            "The first merge is right; after it each word counts once. The new words must keep their frequencies.",
        ),
        WrongAnswer(
            "new-symbols",
            lambda words, n: ["".join(pair) for pair in _train(words, n)],
            "You return the new symbols. Asked for are the pairs: from low alone nobody can tell lo + w from l + ow.",
        ),
        WrongAnswer(
            "changes-argument",
            _train_in_place,
            "The merges are right, but the dict that you were given holds merged words afterwards. Work on a dict of your own.",
        ),
    ),
)

# --- 3.4 ---------------------------------------------------------------------------------------

CHOOSE_ORDER = ChooseExercise(
    id="3.4",
    title="Choose: why the merges are an ordered list",
    points=10,
    question="A trained tokenizer keeps its merges as a list, in the order learned. Why would a set of the same pairs not do?",
    variable="order_matters_because",
    options=(
        Option(
            "The order is what tells, when two merges want the same symbol, which one comes first; another order gives other "
            "tokens.",
            True,
            "In `a b c` with the merges (b, c) and (a, b), whichever comes first takes the b. Encoding must repeat the choice "
            "that training made, or the text is cut into tokens the model never saw there.",
        ),
        Option(
            "A list is faster to search than a set.",
            False,
            "It is the other way round. Encoders look pairs up in a dict, with the place in the list as the value.",
        ),
        Option(
            "Some pairs occur twice in the list, and a set would drop one.",
            False,
            "A pair is merged everywhere in the corpus at once, so it does not come a second time.",
        ),
        Option(
            "Sorted by length, the list lets the longest token be tried first.",
            False,
            "That would be longest match, another algorithm. The list is in the order learned, not by length.",
        ),
    ),
    hints=(
        "Take two merges that share a symbol, such as (b, c) and (a, b), and the text `a b c`.",
        "Apply (b, c) first, then (a, b). Then the other way round. Do the tokens agree?",
        "What does a set not know about its members that a list knows?",
    ),
)

# --- 3.5 ---------------------------------------------------------------------------------------


def _merge_that_makes_lowest():
    from bpe_core import WordBPE

    tokenizer = WordBPE.train({"low": 5, "lower": 2, "newest": 6, "widest": 3, "lowest": 3}, 20)
    return next(merge.step for merge in tokenizer.history if merge.new == "lowest</w>")


PREDICT_LOWEST = PredictExercise(
    id="3.5",
    title="Predict: when lowest becomes one token",
    points=20,
    question="Add the word lowest, three times, at the end of the toy corpus: low 5, lower 2, newest 6, widest 3, lowest 3, each "
    "word ending in </w>, ties to the pair met first. Which merge, counted from 1, makes lowest</w> one token?",
    variable="merge_number",
    answer=13,
    expects="a whole number",
    why="Twelve merges come before it: es, est, est</w>, lo, low, ne, new, newest</w>, low</w>, wi, wid, widest</w>. The pair "
    "(low, est</w>) occurs 3 times, as do those of widest, but these are met earlier.",
    proof=_merge_that_makes_lowest,
    hints=(
        "lowest becomes low and est</w> early. How often does the pair (low, est</w>) occur, and which other pairs occur as "
        "often?",
        "Merges with a higher count come first: list those that finish newest</w> and low</w>. Then comes a tie at 3.",
        "All pairs that are left in widest occur 3 times too, and widest stands before lowest in the corpus. How many merges "
        "does it still need?",
    ),
    wrong_answers=(
        WrongAnswer(
            "before-the-ties",
            10,
            "(low, est</w>) does occur 3 times, and merge 10 is the first at 3. But w i d est</w> ties with it and is met "
            "first: its merges come before.",
        ),
        WrongAnswer(
            "widest-first",
            12,
            "This merge finishes widest</w>, the last of those that tie at 3 and stand earlier in the corpus. What comes next?",
        ),
        WrongAnswer(
            "first-of-widest",
            11,
            "Merges 10 to 12 build widest</w>, which ties with lowest at 3 and stands earlier in the corpus.",
        ),
        WrongAnswer(
            "one-too-many",
            14,
            "One too many: this merge joins low and e, for lower, which occurs less often.",
        ),
        WrongAnswer(
            "lower-first",
            15,
            "lower occurs twice, lowest three times: the merges that finish lower come after.",
        ),
        WrongAnswer("low", 5, "This merge makes low. The word lowest is then low and est</w>, still two tokens."),
        WrongAnswer("newest", 8, "This merge finishes newest</w>, which occurs 6 times."),
        WrongAnswer("low-marker", 9, "This merge finishes low</w>, which occurs 5 times."),
        WrongAnswer(
            "all-merges",
            16,
            "This is the number of all merges there are. lower, which occurs twice, comes after lowest.",
        ),
        WrongAnswer(
            "est", 3, "This merge makes est</w>. With low it still has to become one token, at a much lower count."
        ),
        WrongAnswer(
            "beyond-the-end",
            lambda value: type(value) is int and value > 16,
            "There are only 16 merges: then every word of the corpus is one token.",
        ),
    ),
)

# --- 3.6 ---------------------------------------------------------------------------------------


def merges_until_whole(word_counts: dict) -> int:
    """Count the merges it takes until every word of a corpus is one token.

    Each word is its letters and "</w>". Ties go to the pair met first.

    Args:
        word_counts: {word: frequency}; a word is a str.

    Returns:
        The number of merges.

    Example:
        >>> merges_until_whole({"low": 5})
        3
        >>> merges_until_whole({"low": 5, "lower": 2})
        6
    """
    words = {(*word, "</w>"): frequency for word, frequency in word_counts.items()}
    merges = 0
    while counts := count_pairs(words):
        pair = best_pair(counts)
        words = {tuple(merge_pair(word, pair, pair[0] + pair[1])): frequency for word, frequency in words.items()}
        merges += 1
    return merges


def _spelled(word_counts, ending=("</w>",)) -> dict:
    return {(*word, *ending): frequency for word, frequency in word_counts.items()}


def _until_first_is_whole(word_counts):
    words, merges = _spelled(word_counts), 0
    while words and all(len(word) > 1 for word in words):
        pair = best_pair(count_pairs(words))
        words = {tuple(merge_pair(word, pair, "".join(pair))): frequency for word, frequency in words.items()}
        merges += 1
    return merges


def _vocabulary_size(word_counts):
    base = {symbol for word in _spelled(word_counts) for symbol in word}
    return len(base | {"".join(pair) for pair in _train(_spelled(word_counts), 999)})


def _letter_corpora(rng: random.Random) -> list:
    corpora = [{"a": 1}, {"ab": 1}, {"ab": 2}, {"aa": 1}, {"aaaa": 1}, {"a": 1, "b": 1}, {"ab": 1, "abc": 1}, TOY]
    corpora += [{**TOY, "lowest": 3}, {"a": 1, "bc": 1}, {}, {"b<": 5}, {"</w>": 4}, {"<|im_end|>aa": 1}]
    corpora += [{"É水🙂🙃e\u0301²٣3_": 2, "“lo\u200dw”": 1}, dict.fromkeys("abcdefghijkl", 1)]
    # Other tie rules, other orders of the words and other frequencies give other numbers; then odd symbols.
    corpora += [
        {"c": 12, "acacab": 3, "acacac": 3},
        {"c": 48_000, "acacab": 12_000, "acacac": 12_000},
        {"bbab": 2, "bbacc": 1, "ba": 1, "aaaabc": 1, "aab": 3},
    ]
    corpora += [{"aabab": 2, "bbaa": 1, "abaa": 1, "bac": 1, "ac": 1}]
    corpora += [
        {"aA.éb": 1, "A.1AA": 1, "aA": 1},
        {"aaaa": 1, "a": 5},
        {"Aa": 1, "aa": 1, "AA": 1},
        {"ba": 1, "ab": 1, "bab": 1},
    ]
    corpora += [{"É水🙂🙃e\u0301²٣": 2, "“lo\u200dw”": 1}, {"aab": 10_000, "abb": 10_001, "bba": 1}]
    # A word that takes more merges than a loop with an upper limit of 100 does.
    corpora.append({"".join(map(chr, range(0x4E00, 0x4E00 + 110))): 1})
    for _ in range(20):
        words = ["".join(rng.choice("abc") for _ in range(rng.randint(1, 5))) for _ in range(rng.randint(1, 4))]
        corpora.append({word: rng.randint(1, 5) for word in words})
    return [(corpus,) for corpus in corpora]


MERGES_UNTIL_WHOLE = FunctionExercise(
    id="3.6",
    title="Merge until every word is one token",
    points=25,
    reference=merges_until_whole,
    needs=NEEDS,
    forbidden=TRAINERS,
    expects="an int, the number of merges",
    make_probes=_letter_corpora,
    hints=(
        "It is the training loop of 3.3 with another end. When is every word one token, and what does `count_pairs` return "
        "then?",
        "First spell each word: a tuple of its letters and the end mark. Then loop as long as there are pairs, and count the "
        "turns.",
        "An empty Counter is false, so it can be the condition of a `while` loop. In each turn the dict of words is replaced "
        "by the merged one, as in 3.3.",
    ),
    wrong_answers=(
        WrongAnswer(
            "no-marker",
            lambda word_counts: len(_train(_spelled(word_counts, ()), 999)),
            "You forget the end mark: each word ends in the symbol '</w>', and it has to be merged too.",
        ),
        WrongAnswer(
            "marker-as-letters",
            lambda word_counts: len(_train(_spelled(word_counts, "</w>"), 999)),
            "The end mark has come apart into < / w >, and each of these needs a merge. It is one symbol.",
        ),
        WrongAnswer(
            "each-word-alone",
            lambda word_counts: sum(map(len, word_counts)),
            "You add up the merges that each word would need alone. Words share merges (lo serves low and lower), and within one "
            "word a merge can serve twice, as (a, a) does in aaaa.",
        ),
        WrongAnswer(
            "one-too-few",
            lambda word_counts: max(0, len(_train(_spelled(word_counts), 999)) - 1),
            "One merge too few: you stop, or stop counting, before the last one.",
        ),
        WrongAnswer(
            "one-too-many",
            lambda word_counts: len(_train(_spelled(word_counts), 999)) + 1,
            "One merge too many: you also count the turn in which no pair is left.",
        ),
        WrongAnswer(
            "stops-at-two",
            lambda word_counts: len(_train(_spelled(word_counts), 999, least=2)),
            "You stop when the best pair occurs only once. Then words that occur once are still in pieces.",
        ),
        WrongAnswer(
            "first-word-whole",
            _until_first_is_whole,
            "You stop when the first word is whole. Asked for is every word.",
        ),
        WrongAnswer(
            "vocabulary-size",
            _vocabulary_size,
            "You return the size of the vocabulary: it also holds the letters and the end mark, which no merge made.",
        ),
        WrongAnswer(
            "upper-limit",
            ByResult(
                lambda got, expected, word_counts: expected > 50 and 0 < got < expected,
                lambda word_counts: min(100, merges_until_whole(word_counts)),
            ),
            "Right where few merges are needed; a corpus that takes more than a hundred gets too few. Is there an upper limit, a "
            "`range` or a number of merges asked for? End when no pair is left.",
        ),
        WrongAnswer(
            "tie-to-last",
            lambda word_counts: len(_train(_spelled(word_counts), 999, choose=_last_of_tied)),
            "A tie goes to the last pair in your loop, and the number of merges can depend on it. Asked for is the pair met "
            "first.",
        ),
        WrongAnswer(
            "tie-to-greatest",
            lambda word_counts: len(
                _train(_spelled(word_counts), 999, choose=lambda counts: best_pair(counts, "greatest"))
            ),
            "A tie goes to the greatest pair in your loop, and the number of merges can depend on it. Asked for is the pair met "
            "first.",
        ),
        WrongAnswer(
            "unweighted",
            lambda word_counts: len(_train(_spelled(word_counts), 999, count=_count_unweighted)),
            "You count each word once. A word counts as often as it occurs, and that decides which pair is merged first.",
        ),
        WrongAnswer(
            "counts-pairs",
            lambda word_counts: len(count_pairs(_spelled(word_counts))),
            "You count the different pairs at the start. Merges make new symbols, and with them new pairs.",
        ),
    ),
)

# --- 3.7 ---------------------------------------------------------------------------------------


def _tokens_with_greatest():
    from bpe_core import WordBPE

    tokenizer = WordBPE.train({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 4, tie_break="greatest")
    return tokenizer.tokenize("lowest")


PREDICT_TIE_RULE = PredictExercise(
    id="3.7",
    title="Predict: another tie rule",
    points=20,
    question="Learn four merges from low 5, lower 2, newest 6, widest 3, each word ending in </w>, but let ties go to the "
    "greatest pair: compare left symbols, then right ones, z beats a, every letter beats </w>. "
    "Which tokens does lowest become? (With ties to the first pair they are lo, w, est</w>.)",
    variable="tokens_of_lowest",
    answer=["l", "ow", "est</w>"],
    expects="a list of str",
    why="Among the three pairs at 9, (t, </w>) is the greatest; then come (s, t</w>) and (e, st</w>), and est</w> is whole. "
    "Now (l, o) and (o, w) tie at 7, and (o, w) is the greater one.",
    proof=_tokens_with_greatest,
    hints=(
        "Three pairs have the highest count, 9. Which one is the greatest when left symbols are compared first?",
        "The first merge is (t, </w>). Recount: which pairs with the new symbol have count 9 now? Three merges go into the "
        "end of the word, one is left.",
        "The fourth merge is a tie at 7 between (l, o) and (o, w). Which one is greater?",
    ),
    wrong_answers=(
        WrongAnswer(
            "first-rule",
            ["lo", "w", "est</w>"],
            "That is the result with ties to the first pair. At the fourth merge two pairs tie at 7; the other one wins now.",
        ),
        WrongAnswer(
            "one-merge-more",
            ["low", "est</w>"],
            "That takes a fifth merge. Only four are learned, and three of them go into the end of the word.",
        ),
        WrongAnswer(
            "no-marker",
            ["l", "ow", "est"],
            "The end mark is missing: each word ends in </w>, and the tokens must hold it.",
        ),
        WrongAnswer(
            "marker-apart",
            ["l", "ow", "est", "</w>"],
            "The end is merged in three steps, the end mark among them: the very first merge is (t, </w>).",
        ),
        WrongAnswer(
            "three-merges",
            ["l", "o", "w", "est</w>"],
            "These are the tokens after three merges. One more is learned: which two pairs tie at 7?",
        ),
        WrongAnswer(
            "two-merges",
            ["l", "o", "w", "e", "st</w>"],
            "These are the tokens after two merges. The third makes est</w>, the fourth is a tie at 7.",
        ),
        WrongAnswer(
            "no-merges",
            ["l", "o", "w", "e", "s", "t", "</w>"],
            "These are the symbols before any merge. Apply the four merges in their order.",
        ),
        WrongAnswer(
            "west",
            ["l", "o", "west</w>"],
            "(w, est</w>) occurs 6 times, in newest. Two pairs occur 7 times, and come before it.",
        ),
        WrongAnswer(
            "one-text",
            lambda value: type(value) is str,
            "This is one text. Write the tokens as a list: the borders between them are what is asked for.",
        ),
    ),
)

# --- Quiz --------------------------------------------------------------------------------------

QUESTIONS = (
    Question(
        "What does one merge do during training?",
        (
            Option(
                "It joins the most frequent pair at its first place in the corpus.",
                False,
                "It fuses every occurrence, in all words.",
            ),
            Option(
                "It fuses every occurrence of one pair into a new symbol, and adds that symbol to the vocabulary.",
                True,
                "The words get shorter, the vocabulary grows by one, and the pair is written at the end of the list of merges.",
            ),
            Option(
                "It removes the most frequent pair from the text.",
                False,
                "Nothing is lost: the new symbol holds the content of both.",
            ),
            Option("It replaces two words by one longer word.", False, "Merges stay inside words; they join symbols."),
        ),
    ),
    Question(
        "Why are merges applied in the order in which they were learned when a new text is encoded?",
        (
            Option(
                "Later merges are rarer, and rare merges are slower.",
                False,
                "Speed does not depend on how rare a pair is.",
            ),
            Option(
                "Any order gives the same tokens, but this one is easier to remember.",
                False,
                "Take `a b c`. If (b, c) comes first you get a, bc. If (a, b) comes first you get ab, c.",
            ),
            Option(
                "The longest tokens must be found first, and these were learned first.",
                False,
                "Long tokens are made of shorter ones, so they are learned later.",
            ),
            Option(
                "A later merge may need what an earlier one made, and where two merges compete, the earlier one won in training.",
                True,
                "(es, t) cannot apply before (e, s) has made es; and the model was trained on the cuts that this order gives.",
            ),
        ),
    ),
    Question(
        "What does merging (a, a) make of `a a a a a`?",
        (
            Option("aa aa a", True, "Left to right, two symbols each time, and the fifth is left over."),
            Option("a aa aa", False, "That goes from right to left. The rule is left to right."),
            Option("aa aa aa aa", False, "Overlapping places are counted, but a symbol can be fused only once."),
            Option("aaaa a", False, "One merge makes aa only. A further merge, (aa, aa), would make aaaa."),
        ),
    ),
    Question(
        'A word is kept as the text `the r e`. What does `"the r e".replace("e r", "er")` do?',
        (
            Option(
                "Nothing, since the pair (e, r) is not there.",
                False,
                "The pair is not there, but the characters `e r` are, and `replace` looks at nothing but characters.",
            ),
            Option(
                "It merges (e, r), as it should.",
                False,
                "No e stands before the r as a symbol: the symbol there is `the`.",
            ),
            Option(
                "It fuses the and r, a pair that nobody chose.",
                True,
                "The text `e r` begins inside the symbol the. A merge is about whole symbols.",
            ),
            Option("It raises an error.", False, "It runs without an error, which makes the mistake hard to see."),
        ),
    ),
)

LESSON = Lesson(
    3,
    "Merging",
    (
        MERGE_ONE_WORD,
        MEND_REPLACE,
        TRAINING_LOOP,
        CHOOSE_ORDER,
        PREDICT_LOWEST,
        MERGES_UNTIL_WHOLE,
        PREDICT_TIE_RULE,
    ),
    QUESTIONS,
)
