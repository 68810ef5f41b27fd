"""Notebook 12, from toy to production: exercises and quiz."""

import random
from collections import OrderedDict
from heapq import heappop, heappush

from ..spec import ChooseExercise, FunctionExercise, Lesson, Option, PredictExercise, Question, WrongAnswer

# Symbols that a function must not change on the way.
ODD = (
    "A",
    "a",
    "é",
    "e",
    "e\u0301",
    "水",
    "٣",
    "3",
    "²",
    ".",
    "'",
    "’",
    "_",
    "·",
    "&",
    "</w>",
    "<|im_end|>",
    "a<|im_end|>",
)
ODD += (" ", "  ", "\t", "\n", "\u00a0", "\ta", "a ", "aa", "a a", "Ж", "ß", "🙂", "x" * 45)

# --- 12.1 --------------------------------------------------------------------------------------


def _changes_of_beeses():
    from collections import Counter

    from bpe_core import count_pairs

    before = count_pairs({("b", "e", "e", "s", "e", "s"): 4})
    after = count_pairs({("b", "e", "es", "es"): 4})
    changes = Counter(after)
    changes.subtract(before)
    return {pair: change for pair, change in changes.items() if change}


RIGHT_CHANGES = {("e", "e"): -4, ("e", "s"): -8, ("s", "e"): -4, ("e", "es"): 4, ("es", "es"): 4}


def _is(changes):
    return lambda value: value == changes


PREDICT_CHANGES = PredictExercise(
    id="12.1",
    title="Predict: correct the counts by hand",
    points=25,
    question="The word b e e s e s occurs 4 times, and the pair (e, s) is merged. Which counts change, and by how much? Give "
    'a dict such as {("b", "e"): -4, ("es", "b"): 4}: a pair that is lost has a negative number, one that is gained a '
    "positive one, one that stays as it is is left out.",
    variable="changed_counts",
    answer=RIGHT_CHANGES,
    expects="a dict",
    why="The word becomes b e es es. Lost are (e, e) before the first fused place, (e, s) twice, and (s, e) between the two "
    "places. Gained are (e, es) and, where the two places touch, (es, es). Each counts 4 times. (b, e) is not touched.",
    proof=_changes_of_beeses,
    hints=(
        "Write the word before and after the merge, and the pairs of each below it.",
        "A pair that stands in both rows equally often does not change. The others change by 4 for each time they stand there.",
        "The two fused places touch each other. Which pair stands between them before, and which one afterwards?",
    ),
    wrong_answers=(
        WrongAnswer(
            "frequency-forgotten",
            _is({pair: change // 4 for pair, change in RIGHT_CHANGES.items()}),
            "These are the changes in one copy of the word. How often does it occur?",
        ),
        WrongAnswer(
            "touching-places",
            _is({("e", "e"): -4, ("e", "s"): -8, ("s", "e"): -4, ("e", "es"): 4, ("s", "es"): 4}),
            "Between the two places there is no s left: both halves of the pair that stood there are fused now.",
        ),
        WrongAnswer(
            "a-neighbor-that-is-gone",
            _is({("e", "e"): -4, ("e", "s"): -8, ("s", "e"): -4, ("e", "es"): 4, ("es", "e"): 4, ("es", "es"): 4}),
            "Behind the first es no e is left: it has become part of the second one.",
        ),
        WrongAnswer(
            "only-losses",
            lambda value: type(value) is dict and len(value) > 1 and all(change < 0 for change in value.values()),
            "These pairs are lost. Which ones hold the new symbol?",
        ),
        WrongAnswer(
            "only-gains",
            lambda value: type(value) is dict and len(value) > 1 and all(change > 0 for change in value.values()),
            "These pairs are gained. Which ones are lost, the merged pair among them?",
        ),
        WrongAnswer(
            "merged-pair-forgotten",
            _is({pair: change for pair, change in RIGHT_CHANGES.items() if pair != ("e", "s")}),
            "The pair that is merged disappears as well, from two places.",
        ),
        WrongAnswer(
            "merged-pair-once",
            _is({**RIGHT_CHANGES, ("e", "s"): -4}),
            "The merged pair stands twice in the word.",
        ),
        WrongAnswer(
            "unchanged-pair",
            lambda value: type(value) is dict and ("b", "e") in value,
            "(b, e) stands before the merge and after it: its count does not change.",
        ),
    ),
)

# --- 12.2 --------------------------------------------------------------------------------------


def corrected_index(index: dict, number: int, old: list, new: list) -> dict:
    """Correct the index after a merge has changed one word.

    The index says in which words a pair stands, for pairs that stand in
    one word at least.

    Args:
        index: {pair: set of word numbers}. Leave it as it is.
        number: the number of the word that has changed.
        old: its symbols before the merge.
        new: its symbols now.

    Returns:
        A new index. A pair that stands in no word any more is left out.

    Example:
        >>> corrected_index({("o", "w"): {0, 1}}, 0, ["o", "w"], ["ow"])
        {('o', 'w'): {1}}
        >>> corrected_index({("a", "b"): {4}}, 4, ["a", "b"], ["ab"])
        {}
    """
    corrected = {pair: set(numbers) for pair, numbers in index.items()}
    for pair in zip(old, old[1:]):
        if pair in corrected:
            corrected[pair].discard(number)
    for pair in zip(new, new[1:]):
        corrected.setdefault(pair, set()).add(number)
    return {pair: numbers for pair, numbers in corrected.items() if numbers}


def _index_of(words: list) -> dict:
    index = {}
    for number, word in enumerate(words):
        for pair in zip(word, word[1:]):
            index.setdefault(pair, set()).add(number)
    return index


def _fused(word: list, pair: tuple) -> list:
    fused, i = [], 0
    while i < len(word):
        step = 2 if tuple(word[i : i + 2]) == pair else 1
        fused.append("".join(word[i : i + step]))
        i += step
    return fused


def _words_that_change(rng: random.Random) -> list:
    corpora = [
        (["low"], 0, "lo"),
        (["low", "now"], 0, "ow"),
        (["low", "now"], 1, "ow"),
        (["ab"], 0, "ab"),
        (["aaa"], 0, "aa"),
        (["aaaa", "aa"], 0, "aa"),
        (["abab", "ba"], 0, "ab"),
        (["newest", "widest", "best"], 1, "es"),
        (["beeses", "es"], 0, "es"),
        (["banana", "nan"], 0, "an"),
        (["a", "ab", "abc"], 2, "bc"),
        (["low", "low"], 1, "lo"),
        (["abcdefghijklmnopq", "pq"], 0, "pq"),
    ]
    for _ in range(25):
        words = ["".join(rng.choice("abc") for _ in range(rng.randint(2, 6))) for _ in range(rng.randint(1, 4))]
        number = rng.randrange(len(words))
        place = rng.randrange(len(words[number]) - 1)
        corpora.append((words, number, words[number][place : place + 2]))
    probes = []
    for words, number, pair in corpora:
        old = list(words[number])
        probes.append((_index_of(map(list, words)), number, old, _fused(old, tuple(pair))))
    for odd in ODD:  # in the word that changes, and in another one
        old = ["l", "o", odd]
        index = _index_of([old, [odd, "o"], ["o", odd]])
        probes.append((index, 0, old, ["lo", odd]))
        probes.append((_index_of([["l", "o"], old]), 0, ["l", "o"], ["lo"]))
    numbers = {("l", "o"): {7, 300, 12_345}, ("o", "w"): {300, 12_345, 70_000}}
    return [*probes, *((numbers, n, ["l", "o", "w"], ["lo", "w"]) for n in (300, 12_345))]


def _with(index, number, old, new, *, discard=True, add=True, empty=False, once=False) -> dict:
    corrected = {pair: set(numbers) for pair, numbers in index.items()}
    gone = set(zip(old, old[1:])) - set(zip(new, new[1:]))
    for pair in gone if discard else ():
        if once and len(corrected[pair]) > 1:
            continue
        corrected[pair].discard(number)
    for pair in zip(new, new[1:]) if add else ():
        corrected.setdefault(pair, set()).add(number)
    return {pair: numbers for pair, numbers in corrected.items() if numbers or empty}


def _discards_last(index, number, old, new):
    corrected = _with(index, number, old, new, empty=True)
    for pair in zip(old, old[1:]):
        corrected[pair].discard(number)
    return {pair: numbers for pair, numbers in corrected.items() if numbers}


def _pairs_dropped(index, number, old, new):
    gone = set(zip(old, old[1:])) - set(zip(new, new[1:]))
    corrected = {pair: set(numbers) for pair, numbers in index.items() if pair not in gone}
    for pair in zip(new, new[1:]):
        corrected.setdefault(pair, set()).add(number)
    return corrected


CORRECT_INDEX = FunctionExercise(
    id="12.2",
    title="Correct the index for one word",
    points=25,
    reference=corrected_index,
    expects="a dict of sets",
    make_probes=_words_that_change,
    hints=(
        "Which pairs of the old word are not in the new one? Which pairs of the new word were not in the old one?",
        "Take the number out of the sets of all pairs of the old word, then put it into those of the new word.",
        "The sets belong to the index that was given: copy each of them first. `setdefault(pair, set())` gives a set for a pair "
        "that is new, and at the end the empty sets go.",
    ),
    wrong_answers=(
        WrongAnswer(
            "only-adds",
            lambda index, number, old, new: _with(index, number, old, new, discard=False),
            "The word still stands under pairs that it does not hold any more.",
        ),
        WrongAnswer(
            "only-takes-out",
            lambda index, number, old, new: _with(index, number, old, new, add=False),
            "The pairs with the new symbol are missing: the word must be found under them.",
        ),
        WrongAnswer(
            "empty-sets-stay",
            lambda index, number, old, new: _with(index, number, old, new, empty=True),
            "Right, but pairs that stand in no word any more are still there, with an empty set.",
        ),
        WrongAnswer(
            "whole-pairs-dropped",
            _pairs_dropped,
            "You drop the pairs of the old word for all words. Other words still hold them.",
        ),
        WrongAnswer(
            "takes-out-last",
            _discards_last,
            "A pair that the old word and the new word both hold is lost: take the number out first, then put it in.",
        ),
        WrongAnswer(
            "only-where-alone",
            lambda index, number, old, new: _with(index, number, old, new, once=True),
            "Where a pair stands in other words too, this word is still under it.",
        ),
    ),
)

# --- 12.3 --------------------------------------------------------------------------------------


def greatest_pair(entries: list, counts: dict) -> tuple:
    """Find the pair with the greatest count by means of a heap.

    The entries were made some merges ago, and since then some counts
    have fallen: an entry may be stale. None has risen.

    Args:
        entries: [(count, pair)], one for each pair of counts at least, in
            any order. The count was right when the entry was made.
        counts: {pair: count now}; a pair that is gone is not in it. At
            least one pair is there.

    Returns:
        The pair with the greatest count now; among equals the one that
        comes first in the order of Python's tuples.

    Example:
        >>> greatest_pair([(9, ("e", "s"))], {("e", "s"): 9})
        ('e', 's')
        >>> greatest_pair([(9, ("l", "o"))], {("l", "o"): 7})
        ('l', 'o')
    """
    heap = []
    for count, pair in entries:
        heappush(heap, (-count, pair))
    while True:
        negative, pair = heappop(heap)
        count = counts.get(pair, 0)
        if count == -negative:
            return pair
        if count:
            heappush(heap, (-count, pair))


def _takes_stale(entries, counts):
    heap = []
    for count, pair in entries:
        heappush(heap, (-count, pair))
    while True:
        negative, pair = heappop(heap)
        if pair in counts:
            return pair


def _drops_stale(entries, counts):
    for negative, pair in sorted((-count, pair) for count, pair in entries):
        if counts.get(pair) == -negative:
            return pair


def _first_entry(entries, counts):
    return min((-count, pair) for count, pair in entries)[1]


def _stale_entries(rng: random.Random) -> list:
    pairs = [(a, b) for a in "abcd" for b in "abcd"]
    probes = [
        ([(9, ("e", "s")), (7, ("l", "o"))], {("e", "s"): 3, ("l", "o"): 7}),
        ([(9, ("e", "s")), (7, ("l", "o"))], {("l", "o"): 7}),
        ([(9, ("e", "s")), (7, ("l", "o"))], {("e", "s"): 8, ("l", "o"): 7}),
        ([(9, ("e", "s")), (7, ("l", "o"))], {("e", "s"): 7, ("l", "o"): 7}),
        ([(9, ("l", "o")), (7, ("e", "s"))], {("e", "s"): 7, ("l", "o"): 7}),
        ([(5, ("a", "b"))], {("a", "b"): 2}),
        ([(5, ("a", "b")), (5, ("a", "a"))], {("a", "b"): 5, ("a", "a"): 5}),
        ([(5, ("b", "a")), (4, ("a", "b")), (3, ("a", "a"))], {("b", "a"): 1, ("a", "b"): 2, ("a", "a"): 3}),
        ([(9, ("a", "b")), (8, ("b", "c")), (7, ("c", "d"))], {("a", "b"): 4, ("b", "c"): 6, ("c", "d"): 5}),
        ([(4, ("a", "b")), (2, ("a", "b")), (3, ("c", "d"))], {("a", "b"): 2, ("c", "d"): 3}),
        ([(1, ("a", "a")), (1, ("b", "b"))], {("b", "b"): 1}),
        ([(400, ("a", "b")), (90_000, ("b", "c"))], {("a", "b"): 300, ("b", "c"): 80_000}),
        ([(400, ("a", "b")), (90_000, ("b", "c"))], {("a", "b"): 300, ("b", "c"): 299}),
    ]
    probes += [
        ([(9, (odd, "s")), (7, ("l", odd)), (5, ("e", "s"))], {(odd, "s"): 6, ("l", odd): 7, ("e", "s"): 5})
        for odd in ODD
    ]
    probes += [([(9, (odd, "s")), (8, ("e", "s"))], {("e", "s"): 8}) for odd in ODD if odd != "e"]
    for _ in range(30):
        chosen = rng.sample(pairs, rng.randint(1, 6))
        counts = {pair: rng.randint(1, 9) for pair in chosen}
        entries = [(count + rng.choice([0, 0, 1, 3, 6]), pair) for pair, count in counts.items()]
        entries += [(rng.randint(1, 12), pair) for pair in rng.sample(pairs, rng.randint(0, 2)) if pair not in counts]
        rng.shuffle(entries)
        probes.append((entries, counts))
    return probes


MEND_STALE = FunctionExercise(
    id="12.3",
    title="Find the bug: the stale count",
    points=30,
    reference=greatest_pair,
    expects="a pair",
    make_probes=_stale_entries,
    buggy=_takes_stale,
    needs="from heapq import heappop, heappush\n\n\n",
    hints=(
        "An entry says 9, and the pair occurs 3 times by now. Another pair occurs 7 times. Which one comes up first?",
        "Compare the count of the entry that comes up with the pair's count now. When is it safe to return the pair?",
        "A stale entry must not be lost: the pair may still be the greatest of what is left. `heappush` puts it back, with "
        "its count of now.",
    ),
    wrong_answers=(
        WrongAnswer(
            "takes-stale",
            _takes_stale,
            "You take the entry that comes up, if its pair is still there. Its count may have fallen since, below that of others.",
        ),
        WrongAnswer(
            "takes-first",
            _first_entry,
            "You take the entry that comes up first. Its pair may be gone, or occur less often by now.",
        ),
        WrongAnswer(
            "drops-stale",
            _drops_stale,
            "A stale entry is thrown away. Its pair still occurs, and may be the greatest of those that are left.",
        ),
        WrongAnswer(
            "last-of-equals",
            lambda entries, counts: max(counts, key=lambda pair: (counts[pair], pair)),
            "Among equals you take the pair that comes last. Asked for is the first.",
        ),
        WrongAnswer(
            "least",
            lambda entries, counts: min(counts, key=lambda pair: (counts[pair], pair)),
            "This is the pair with the smallest count. A heap in Python gives the least first: hence the minus signs.",
        ),
        WrongAnswer(
            "with-its-count",
            lambda entries, counts: min((-count, pair) for pair, count in counts.items()),
            "You return the entry. Asked for is the pair alone.",
        ),
        WrongAnswer(
            "equals-by-order-of-dict",
            lambda entries, counts: max(counts, key=counts.get),
            "Among equals you take the one that stands first in the dict. Asked for is the first in the order of tuples.",
        ),
    ),
)

# --- 12.4 --------------------------------------------------------------------------------------

CHOOSE_GROWTH = ChooseExercise(
    id="12.4",
    title="Choose: ten times the text",
    points=10,
    question="The fast trainer counts each different piece once, corrects counts, and finds the greatest with a heap. It is given "
    "ten times as much text of the same kind, for as many merges. Which part of its work grows about tenfold?",
    variable="grows_tenfold",
    options=(
        Option(
            "Cutting the text into pieces and counting them.",
            True,
            "Every piece of the text is looked at once. All that comes later works on different pieces, and these grow more slowly.",
        ),
        Option(
            "Correcting the counts after each merge.",
            False,
            "Corrections go to the different pieces that hold the pair. Ten times the text has more of them, but far from ten times.",
        ),
        Option(
            "Finding the pair with the greatest count.",
            False,
            "That depends on the number of different pairs and on how many entries are stale, not on the length of the text.",
        ),
        Option(
            "All three, since all of them depend on the text.",
            False,
            "They depend on different things: on the pieces, on the different pieces, and on the different pairs.",
        ),
    ),
    hints=(
        "Which parts see each occurrence of a piece, and which see each different piece only?",
        "Look at the column of different pieces in section 2. By which factor did it grow when the text doubled?",
        "Something must read the whole text at least once. Which part is it?",
    ),
)

# --- 12.5 --------------------------------------------------------------------------------------


def cache_hits(pieces: list, room: int) -> int:
    """Count how often a cache has a piece already.

    A piece that is not there is stored. If the cache holds `room` pieces,
    it is emptied first.

    Args:
        pieces: the pieces in the order of the text.
        room: pieces that the cache can hold, 1 or more.

    Returns:
        The number of pieces that were found in the cache.

    Example:
        >>> cache_hits(["a", "b", "a", "a"], 9)
        2
        >>> cache_hits(["a", "b", "a", "a"], 1)
        1
    """
    cache, hits = set(), 0
    for piece in pieces:
        if piece in cache:
            hits += 1
            continue
        if len(cache) == room:
            cache.clear()
        cache.add(piece)
    return hits


def _without_bound(pieces, room):
    return len(pieces) - len(set(pieces))


def _stops_storing(pieces, room):
    cache, hits = set(), 0
    for piece in pieces:
        hits += piece in cache
        if len(cache) < room:
            cache.add(piece)
    return hits


def _drops_oldest(pieces, room, *, renew=False):
    cache, hits = OrderedDict(), 0
    for piece in pieces:
        if piece in cache:
            hits += 1
            if renew:
                cache.move_to_end(piece)
            continue
        if len(cache) == room:
            cache.popitem(last=False)
        cache[piece] = True
    return hits


def _emptied_after(pieces, room, *, limit=0):
    cache, hits = set(), 0
    for piece in pieces:
        if piece in cache:
            hits += 1
            continue
        cache.add(piece)
        if len(cache) == room + limit:
            cache.clear()
    return hits


def _emptied_at_each_piece(pieces, room):
    cache, hits = set(), 0
    for piece in pieces:
        hits += piece in cache
        if len(cache) == room:
            cache.clear()
        cache.add(piece)
    return hits


def _texts_for_a_cache(rng: random.Random) -> list:
    probes = [
        ([], 1),
        (["a"], 1),
        (["a", "a"], 1),
        (["a", "b", "a"], 1),
        (["a", "b", "a"], 2),
        (["a", "b", "c", "a"], 2),
    ]
    probes += [
        (list("abcabc"), 3),
        (list("abcabc"), 2),
        (list("aabbcc"), 1),
        (list("abacad"), 2),
        (list("abacabad"), 3),
    ]
    probes += [(list("abcdefgh"), 4), (list("abab" * 5), 2), (list("aaaa"), 5), (["", "", "a"], 1), (list("abba"), 2)]
    probes += [
        ([*ODD, *ODD], len(ODD)),
        ([*ODD, "", *ODD], 5),
        ([*ODD[::-1], *ODD], 7),
        (["</w>", "", "</w>"], 4),
        ([".", "", "a"], 1),
    ]
    probes += [(["a", odd, "a", odd], 9) for odd in ODD]
    for _ in range(25):
        letters = "abcdef"[: rng.randint(1, 6)]
        probes.append(([rng.choice(letters) for _ in range(rng.randint(1, 20))], rng.randint(1, 5)))
    return probes


COUNT_HITS = FunctionExercise(
    id="12.5",
    title="A cache with little room",
    points=20,
    reference=cache_hits,
    expects="a whole number",
    make_probes=_texts_for_a_cache,
    hints=(
        "With room for one piece: what does the cache hold after each of a, b, a, a?",
        "Three cases: the piece is there; it is not, and there is room; it is not, and there is none.",
        "Emptying happens only when a new piece needs room. The new piece is stored afterwards.",
    ),
    wrong_answers=(
        WrongAnswer(
            "no-bound",
            _without_bound,
            "You count as if the cache had room for all pieces.",
        ),
        WrongAnswer(
            "misses",
            lambda pieces, room: len(pieces) - cache_hits(pieces, room),
            "You count the pieces that were not there. Asked for are those that were found.",
        ),
        WrongAnswer(
            "stops-storing",
            _stops_storing,
            "A full cache takes no new piece here. It should be emptied, and then take it.",
        ),
        WrongAnswer(
            "drops-one",
            (_drops_oldest, lambda pieces, room: _drops_oldest(pieces, room, renew=True)),
            "You make room for one piece. This cache is emptied as a whole, which is easier and keeps no record of ages.",
        ),
        WrongAnswer(
            "emptied-too-early",
            _emptied_after,
            "You empty the cache when the last place is taken. It should be emptied when a new piece finds no place.",
        ),
        WrongAnswer(
            "one-too-many-in-it",
            lambda pieces, room: cache_hits(pieces, room + 1),
            "Your cache holds one piece more than it has room for.",
        ),
        WrongAnswer(
            "emptied-at-a-hit",
            _emptied_at_each_piece,
            "You empty a full cache also for a piece that is in it. That piece needs no room.",
        ),
    ),
)

# --- Quiz --------------------------------------------------------------------------------------

QUESTIONS = (
    Question(
        "The naive loop learns 200 merges. Why does counting each different piece once give the same merges?",
        (
            Option(
                "Rare pieces are left out, and no merge needs them.",
                False,
                "No piece is left out; each counts with its frequency.",
            ),
            Option(
                "A pair's count is the same: pairs of a piece, times the frequency of the piece.",
                True,
                "Equal pieces hold equal pairs, before each merge and after it. So one copy with a weight stands for all.",
            ),
            Option(
                "The merges differ a little, but the tokens agree.",
                False,
                "The merges are the same ones, in the same order.",
            ),
        ),
    ),
    Question(
        "After a merge the fast trainer does not count again. Which counts does it change?",
        (
            Option("All of them, a little.", False, "Most words do not hold the pair, and nothing changes in them."),
            Option(
                "That of the merged pair alone.",
                False,
                "The neighbors of each fused place lose a pair and gain another.",
            ),
            Option(
                "Those of pairs in the words that hold the merged pair.",
                True,
                "The index says which words these are. In them pairs are lost and gained; nothing changes in any other.",
            ),
            Option("None, until the heap is empty.", False, "The heap would then give pairs by counts that are wrong."),
        ),
    ),
    Question(
        "An entry of the heap says that a pair occurs 9 times; by now it occurs 3 times. What does the trainer do when it comes up?",
        (
            Option("It merges the pair: it has come up first.", False, "Another pair may occur more than 3 times."),
            Option(
                "It throws the entry away.",
                False,
                "Then the pair could not be found any more, although it occurs 3 times.",
            ),
            Option(
                "It puts the pair back with the count 3.",
                True,
                "The entry is stale. With its true count it comes up again when its turn is there.",
            ),
            Option(
                "It sorts the heap anew.",
                False,
                "That would visit every entry. One entry is wrong, and one is corrected.",
            ),
        ),
    ),
    Question(
        "What did the steps from the naive loop to the fast one cost?",
        (
            Option(
                "Some quality: the merges are only nearly right.", False, "The lesson compared them: they are equal."
            ),
            Option(
                "Memory for the counts, the index and stale entries, and more code that can be wrong.",
                True,
                "So the naive loop stays, as the definition that the fast one is tested against.",
            ),
            Option(
                "Nothing: shorter work is always simpler.",
                False,
                "The naive loop has a dozen lines. The fast one has three structures to keep true.",
            ),
        ),
    ),
)

LESSON = Lesson(
    12,
    "From toy to production",
    (PREDICT_CHANGES, CORRECT_INDEX, MEND_STALE, CHOOSE_GROWTH, COUNT_HITS),
    QUESTIONS,
)
