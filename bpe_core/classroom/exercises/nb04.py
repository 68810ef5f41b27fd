"""Notebook 04, encoding and decoding: exercises and quiz."""

import random

from ...pairs import learn_merges_naively, merge_pair
from ..spec import ChooseExercise, FunctionExercise, Lesson, Option, PredictExercise, Question, WrongAnswer
from .nb02 import ODD, random_word

NEEDS = "from bpe_core import merge_pair\n\n\n"
ENCODERS = ("encoding", "WordBPE", "ByteBPE", "dropout", "streaming")  # each encodes by itself
TOY_MERGES = [
    ("e", "s"),
    ("es", "t"),
    ("est", "</w>"),
    ("l", "o"),
    ("lo", "w"),
    ("n", "e"),
    ("ne", "w"),
    ("new", "est</w>"),
]


def _trained(rng: random.Random, *, ending=("</w>",), letters="ab") -> list:
    """Return the merges of a small random corpus, in the order learned."""
    words = {}
    for _ in range(rng.randint(2, 4)):
        words[(*random_word(rng, letters, 6), *ending)] = rng.randint(1, 9)
    return [merge.pair for merge in learn_merges_naively(words, rng.randint(1, 12))]


# --- 4.1 -------------------------------------------------------------------------------------


def encode_by_replay(word: str, merges: list) -> list:
    """Cut a word by applying each merge once, in the order of the list.

    Args:
        word: its letters; the mark "</w>" is put behind them.
        merges: the pairs, (left, right), in the order learned.

    Returns:
        A list of symbols.

    Example:
        >>> encode_by_replay("nest", [("e", "s"), ("es", "t")])
        ['n', 'est', '</w>']
        >>> encode_by_replay("low", [("e", "s"), ("l", "o")])
        ['lo', 'w', '</w>']
    """
    symbols = [*word, "</w>"]
    for left, right in merges:
        symbols = merge_pair(symbols, (left, right), left + right)
    return symbols


def _replay(symbols, merges) -> list:
    symbols = list(symbols)
    for left, right in merges:
        symbols = merge_pair(symbols, (left, right), left + right)
    return symbols


def _first_only(symbols, pair) -> list:
    for i in range(len(symbols) - 1):
        if (symbols[i], symbols[i + 1]) == pair:
            return [*symbols[:i], "".join(pair), *symbols[i + 2 :]]
    return symbols


def _replay_first_only(word, merges):
    symbols = [*word, "</w>"]
    for pair in merges:
        symbols = _first_only(symbols, pair)
    return symbols


def _replay_joined(word, merges):
    symbols = [*word, "</w>"]
    for new in map("".join, merges):
        i = 0
        while i < len(symbols) - 1:
            if symbols[i] + symbols[i + 1] == new:
                symbols[i : i + 2] = [new]
            i += 1
    return symbols


def _one_pass(word, merges):
    symbols = [*word, "</w>"]
    for pair in list(zip(symbols, symbols[1:])):
        if pair in merges:
            symbols = merge_pair(symbols, pair, "".join(pair))
    return symbols


def _replace_in_text(word, merges):
    text = " ".join([*word, "</w>"])
    for pair in merges:
        text = text.replace(" ".join(pair), "".join(pair))
    return text.split()


def _round_again(word, merges):
    symbols, before = [*word, "</w>"], None
    while symbols != before:
        before, symbols = symbols, _replay(symbols, merges)
    return symbols


def _stop_at_missing(word, merges):
    symbols = [*word, "</w>"]
    for left, right in merges:
        merged = merge_pair(symbols, (left, right), left + right)
        if len(merged) == len(symbols):
            break
        symbols = merged
    return symbols


def _words_and_merges(rng: random.Random) -> list:
    probes = [(word, TOY_MERGES) for word in ("lowest", "newest", "nest", "slow", "zqx", "e", "newness", "lowlow")]
    probes += [("low", []), ("aaaa", [("a", "a")]), ("aaa", [("a", "a"), ("aa", "a")])]
    probes += [
        ("nest", [("es", "t"), ("e", "s")]),
        ("abc", [("b", "c"), ("a", "b")]),
        ("abc", [("a", "b"), ("b", "c")]),
    ]
    probes += [("nest", [("n", "e"), ("e", "s")]), ("xnest", [("n", "e"), ("e", "s"), ("s", "t")])]
    # The joined texts are equal, the pairs are not; nothing to cut; signs, capitals, scripts; a long list.
    probes += [("aab", [("a", "b"), ("a", "a"), ("aa", "b")]), ("aab", [("a", "a"), ("a", "ab"), ("aa", "b")])]
    probes += [("", TOY_MERGES), ("", []), ("a.x*", [(".", "a"), (".", "x"), ("x", "*")]), ("Low LOW", TOY_MERGES)]
    probes += [("<|im_end|>", []), ("a</w>", TOY_MERGES)]
    probes += [
        ("Éé٣²ß水🙂“7_\u200d", [("É", "é"), ("é", "٣"), ("水", "🙂"), ("7", "_"), ("٣", "²"), ("e", "s")]),
        ("cafe\u0301", [("f", "e"), ("é", "</w>")]),
    ]
    probes += [
        (
            "zzz" + "ab" * 20,
            [
                *zip("cdefghijklmnopqrstuvwxyz", "defghijklmnopqrstuvwxyzc"),
                *TOY_MERGES,
                *[("ab", "ab"), ("a", "b"), ("z", "z")],
            ],
        )
    ]
    for _ in range(30):
        probes.append(("".join(random_word(rng, "ab", 8)), _trained(rng)))
    return probes


REPLAY = FunctionExercise(
    id="4.1",
    title="Encode a word by replaying the merges",
    points=25,
    reference=encode_by_replay,
    needs=NEEDS,
    forbidden=ENCODERS,
    expects="a list of symbols",
    make_probes=_words_and_merges,
    hints=(
        "What does a word look like before any merge? And what does the first merge of the list do to it?",
        "Start from the letters and the mark. Then go through the merges in their order; each one turns the list of symbols "
        "into a new one.",
        "`merge_pair(symbols, pair, new_symbol)` does one merge in the whole word and leaves the word as it is when the pair "
        "is not there. Keep what it returns: the next merge works on that.",
    ),
    wrong_answers=(
        WrongAnswer(
            "no-marker",
            lambda word, merges: _replay(word, merges),
            "You forget the mark: the symbol '</w>' stands behind the letters before the first merge.",
        ),
        WrongAnswer(
            "marker-as-letters",
            lambda word, merges: _replay(word + "</w>", merges),
            "The mark has come apart into < / w >, or you joined it to the word as text. Start from a list: `[*word, mark]`.",
        ),
        WrongAnswer(
            "last-merge-first",
            lambda word, merges: _replay([*word, "</w>"], merges[::-1]),
            "You go through the merges from the last to the first. Later merges need what earlier ones made.",
        ),
        WrongAnswer(
            "one-pass-over-the-word",
            _one_pass,
            "You go through the pairs of the word and ask whether each is a merge. That takes the merges in the order of "
            "their places in the word, and misses the pairs that merges make. Go through the list of merges.",
        ),
        WrongAnswer(
            "first-occurrence-only",
            _replay_first_only,
            "Each merge fuses only the first place where its pair stands. A merge fuses all of them.",
        ),
        WrongAnswer(
            "longest-first",
            lambda word, merges: _replay([*word, "</w>"], sorted(merges, key=lambda pair: -len("".join(pair)))),
            "You sort the merges, the longest new symbol first. The order of the list is the order learned: keep it.",
        ),
        WrongAnswer(
            "replaces-text",
            _replace_in_text,
            "You replace in a text. That finds the pair inside longer symbols, such as (e, s) in `ne s`. Keep a list of "
            "symbols.",
        ),
        WrongAnswer(
            "goes-round-again",
            _round_again,
            "Some merge was applied after its turn was over. Asked for is each merge once, in the order of the list: with "
            "(es, t), (e, s) the word nest keeps es and t apart, since (es, t) has had its turn.",
        ),
        WrongAnswer(
            "stops-at-missing-pair",
            _stop_at_missing,
            "You stop at the first merge whose pair is not in the word. Most merges are not; skip them and go on.",
        ),
        WrongAnswer(
            "marker-afterwards",
            lambda word, merges: [*_replay(word, merges), "</w>"],
            "You put the mark behind the word after the merges, so no merge can take it up, as (est, </w>) does. It stands there "
            "before the first merge.",
        ),
        WrongAnswer(
            "compares-joined-texts",
            _replay_joined,
            "You compare the joined texts: a + ab and aa + b are both aab, but only one of them is the pair. Compare left with "
            "left and right with right.",
        ),
        WrongAnswer(
            "letters-only",
            lambda word, merges: [*word, "</w>"],
            "Nothing is merged: the letters come back as they were. Keep the list that `merge_pair` returns.",
        ),
    ),
)

# --- 4.2 -------------------------------------------------------------------------------------


def _swapped_newest():
    from bpe_core import WordBPE
    from bpe_core.encoding import replay_merges

    merges = WordBPE.train({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 8).merges
    merges[0], merges[5] = merges[5], merges[0]  # (e, s) and (n, e) change places
    return replay_merges([*"newest", "</w>"], merges)[-1]


PREDICT_SWAP = PredictExercise(
    id="4.2",
    title="Predict: two merges change places",
    points=20,
    question="The toy list is (e, s), (es, t), (est, </w>), (l, o), (lo, w), (n, e), (ne, w), (new, est</w>). "
    "Now (e, s) and (n, e) change places: (n, e) comes first, (e, s) sixth. Replay this list on newest, each merge once. "
    "Give the tokens that come out.",
    variable="tokens_of_newest",
    answer=["new", "es", "t", "</w>"],
    expects="a list of str",
    why="(n, e) makes ne. Then (es, t) and (est, </w>) have their turn, but there is no es yet. (e, s) makes es in place six, "
    "(ne, w) makes new, and (new, est</w>) finds no est</w>. One swap, and a word that was one token is four.",
    proof=_swapped_newest,
    hints=(
        "Write n e w e s t </w> on paper and go through the eight merges one by one. Which is the first one that finds its "
        "pair?",
        "When (es, t) has its turn, is there an es in the word?",
        "A merge that has had its turn does not come again. What is there for the last merge, (new, est</w>)?",
    ),
    wrong_answers=(
        WrongAnswer(
            "as-if-in-order",
            ["newest</w>"],
            "So it is with the list in its own order. Here (es, t) has its turn before (e, s) has made es.",
        ),
        WrongAnswer(
            "est-still-forms",
            ["new", "est</w>"],
            "est</w> needs est, and est needs es. Has es been made when (es, t) has its turn?",
        ),
        WrongAnswer(
            "est-without-mark",
            ["new", "est", "</w>"],
            "(es, t) has its turn in place two. Which merge makes es, and in which place does it stand now?",
        ),
        WrongAnswer(
            "e-s-lost",
            ["new", "e", "s", "t", "</w>"],
            "(e, s) is still in the list, in place six. The first e went into ne, but the second is free.",
        ),
        WrongAnswer(
            "t-with-mark", ["new", "es", "t</w>"], "No merge of the list fuses t with </w> alone; est has to be there."
        ),
        WrongAnswer("ne-w-lost", ["ne", "w", "es", "t", "</w>"], "(ne, w) comes behind (e, s), and finds ne and w."),
        WrongAnswer("no-mark", ["new", "es", "t"], "Nearly: the mark </w> is a symbol too, and no merge took it up."),
        WrongAnswer(
            "letters",
            ["n", "e", "w", "e", "s", "t", "</w>"],
            "These are the letters. (n, e) is the first merge now, and it finds its pair.",
        ),
    ),
)

# --- 4.3 -------------------------------------------------------------------------------------

CHOOSE_SEARCH_AGAIN = ChooseExercise(
    id="4.3",
    title="Choose: why the encoder must search again",
    points=10,
    question="After each merge an encoder looks for pairs again. Why does one search at the beginning not do?",
    variable="search_again_because",
    options=(
        Option(
            "A search may overlook a pair that occurs twice.",
            False,
            "One search finds every pair of the word at that moment, also those that occur twice.",
        ),
        Option(
            "The places of the merges in the list change while a word is encoded.",
            False,
            "The list is fixed once training is done. Encoding reads it and never changes it.",
        ),
        Option(
            "A merge makes a symbol, and with it pairs that were not there before; it also takes pairs away.",
            True,
            "(es, t) exists only once (e, s) has been merged, and (s, t), which was there, is gone. A list of pairs from the "
            "beginning is wrong in both ways.",
        ),
        Option(
            "The new token has to be compared with all tokens of the vocabulary, to find a longer one.",
            False,
            "That would be longest match. BPE asks only whether two neighbors are a merge.",
        ),
    ),
    hints=(
        "Write down the pairs of `l o w e s t`, then those of `l o w es t`. Compare the two lists.",
        "Which pairs are new in the second list? Is one of them in the list of merges?",
        "And is a pair missing that was there? What would happen if the encoder still believed in it?",
    ),
)

# --- 4.4 -------------------------------------------------------------------------------------


def encode_by_rank(symbols: list[str], ranks: dict) -> list[str]:
    """Fuse the pair of lowest rank, look again, until no pair has a rank.

    Args:
        symbols: the symbols of one word. Leave this list as it is.
        ranks: {(left, right): rank} in any order; the lowest is 0, there
            may be some above 100,000.

    Returns:
        A list of symbols.

    Example:
        >>> encode_by_rank(["n", "e", "s"], {("e", "s"): 0, ("n", "e"): 1})
        ['n', 'es']
        >>> encode_by_rank(["l", "o", "w"], {("l", "o"): 3, ("lo", "w"): 4})
        ['low']
    """
    symbols = list(symbols)
    while True:
        known = [pair for pair in zip(symbols, symbols[1:]) if pair in ranks]
        if not known:
            return symbols
        left, right = min(known, key=ranks.get)
        symbols = merge_pair(symbols, (left, right), left + right)


def _by(symbols, ranks, *, choose, rounds=10**6, fuse=merge_pair) -> list:
    symbols = list(symbols)
    for _ in range(rounds):
        pair = choose(list(zip(symbols, symbols[1:])), ranks)
        if pair is None:
            break
        symbols = fuse(symbols, pair, "".join(pair))
    return symbols


def _lowest(pairs, ranks):
    return min((pair for pair in pairs if pair in ranks), key=ranks.get, default=None)


def _zero_is_nothing(pairs, ranks):
    return min((pair for pair in pairs if ranks.get(pair)), key=ranks.get, default=None)


def _raises_for_unknown(pairs, ranks):
    return min(pairs, key=lambda pair: ranks[pair], default=None)


def _fuse_last(symbols, pair, new):
    i = max(i for i in range(len(symbols) - 1) if (symbols[i], symbols[i + 1]) == pair)
    return [*symbols[:i], new, *symbols[i + 2 :]]


def _replay_dict(symbols, ranks):
    return _replay(symbols, ranks)


def _replay_by_rank(symbols, ranks):
    return _replay(symbols, sorted(ranks, key=ranks.get))


def _by_place_in_dict(symbols, ranks):
    places = {pair: place for place, pair in enumerate(ranks)}
    return _by(symbols, places, choose=_lowest)


def _default(rank):
    """A model that gives pairs without a rank this one, and stops when such a pair is the lowest."""

    def choose(pairs, ranks):
        best = min(pairs, key=lambda pair: ranks.get(pair, rank), default=None)
        return best if best in ranks else None

    return lambda symbols, ranks: _by(symbols, ranks, choose=choose)


def _sorted_once(symbols, ranks):
    symbols = list(symbols)
    for pair in sorted({pair for pair in zip(symbols, symbols[1:]) if pair in ranks}, key=ranks.get):
        symbols = merge_pair(symbols, pair, "".join(pair))
    return symbols


def _beats_its_right_neighbor(symbols, ranks):
    symbols, before = list(symbols), None
    while symbols != before:
        before, i = list(symbols), 0
        while i < len(symbols) - 1:
            rank = ranks.get((symbols[i], symbols[i + 1]))
            rival = ranks.get((symbols[i + 1], symbols[i + 2])) if i + 2 < len(symbols) else None
            if rank is not None and (rival is None or rank <= rival):
                symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
            i += 1
    return symbols


def _symbols_and_ranks(rng: random.Random) -> list:
    toy = {pair: rank for rank, pair in enumerate(TOY_MERGES)}
    probes = [([*word, "</w>"], toy) for word in ("lowest", "newest", "nest", "slow", "zqx", "newness", "lowlow")]
    probes += [([], toy), (["a"], toy), (["a", "b"], {}), (["l", "o"], toy), (list("aaa"), {("a", "a"): 0})]
    probes += [(list("aaaaa"), {("a", "a"): 0, ("aa", "aa"): 1}), (list("abc"), {("b", "c"): 0, ("a", "b"): 1})]
    probes += [(list("abc"), {("a", "b"): 0, ("b", "c"): 1}), (list("hug"), {("u", "g"): 0, ("h", "ug"): 1})]
    probes += [(["n", "e", "st"], {("e", "st"): 0, ("n", "e"): 1}), (["n", "e", "st"], {("n", "e"): 0, ("e", "st"): 1})]
    probes += [
        (list("abcd"), {("c", "d"): 0, ("b", "cd"): 1, ("a", "b"): 2}),
        (list("abcd"), {("c", "d"): 0, ("a", "b"): 1}),
    ]
    probes += [(list("baab"), {("a", "a"): 0, ("b", "aa"): 1, ("baa", "b"): 2})]
    # Written by hand: no training gave these ranks, and the dict is in no order.
    probes += [(list("abc"), {("ab", "c"): 1, ("a", "b"): 0}), (list("abc"), {("ab", "c"): 0, ("a", "b"): 1})]
    probes += [(list("est"), {("es", "t"): 0, ("e", "s"): 1}), (list("nes"), {("n", "e"): 1, ("e", "s"): 0})]
    probes += [(list("abc"), {("a", "b"): 10, ("b", "c"): 9}), (list("bac"), {("b", "a"): 2, ("a", "c"): 1})]
    probes += [(["a", "ab", "c"], {("aa", "b"): 0, ("ab", "c"): 1}), (["B", "a", "b"], {("b", "a"): 0, ("B", "a"): 1})]
    probes += [
        (list("abc"), {("a", "b"): 150_000, ("b", "c"): 149_999}),
        (list("abc"), {("a", "b"): 256, ("b", "c"): 9}),
    ]
    # A pair without a rank beside one whose rank is high.
    probes += [(["x", "a", "b"], {("a", "b"): rank}) for rank in (60, 600, 6_000, 60_000, 160_000)]
    probes += [
        (list("cab"), {("a", "b"): 150_000, ("c", "a"): 149_999}),
        (ODD * 2, {pair: len(ODD) - i for i, pair in enumerate(zip(ODD, ODD[1:]))}),
    ]
    probes += [(list("ab" * 20), {("ab", "ab"): 1, ("a", "b"): 0, ("abab", "abab"): 2})]
    for _ in range(40):
        merges = _trained(rng, ending=(), letters=rng.choice(["ab", "abc"]))
        ranks = [(pair, rank) for rank, pair in enumerate(merges)]
        rng.shuffle(ranks)
        probes.append((random_word(rng, "abc", 9), dict(ranks)))
    return probes


# Three mistakes with the ranks that serve in 4.5 as well.
REPLAYS_THE_DICT = WrongAnswer(
    "replays-the-dict",
    (_replay_dict, _replay_by_rank),
    "You go through the merges one after the other, each once, as in 4.1. The dict may be in any order, and ranks written "
    "by hand may need a merge again whose turn is over. Look at the pairs of the word, and again after each merge.",
)
PLACE_IN_THE_DICT = WrongAnswer(
    "place-in-the-dict",
    _by_place_in_dict,
    "You take the pair that stands first in the dict. Its order says nothing here: the rank is the value.",
)
DEFAULT_TOO_SMALL = WrongAnswer(
    "default-too-small",
    tuple(map(_default, (30, 99, 999, 9_999, 100_000))),
    "A pair without a rank gets a number from you, and some ranks are higher than that number, so their merges never "
    "happen. Leave out pairs without a rank before you look for the lowest.",
)


BY_RANK = FunctionExercise(
    id="4.4",
    title="Encode by the lowest rank first",
    points=30,
    reference=encode_by_rank,
    needs=NEEDS,
    forbidden=ENCODERS,
    expects="a list of symbols",
    make_probes=_symbols_and_ranks,
    hints=(
        "Do `n e s t` by hand with the ranks (e, s): 0 and (n, e): 1. Which pairs does the word have, and which of them goes "
        "first?",
        "One round: list the pairs of the word, keep those that have a rank, take the one with the lowest, merge it. Then "
        "begin again with the new word. What ends it?",
        "`min` takes a `key`. Filter the pairs before you call it: a pair without a rank must never be chosen, and with none "
        "left the loop is over. Mind that rank 0 is a rank.",
    ),
    wrong_answers=(
        WrongAnswer(
            "rank-zero-is-false",
            lambda symbols, ranks: _by(symbols, ranks, choose=_zero_is_nothing),
            "The merge with rank 0 never happens. `ranks.get(pair)` gives 0 for it, and 0 counts as false: ask whether the "
            "pair is in the dict.",
        ),
        WrongAnswer(
            "unknown-is-zero",
            lambda symbols, ranks: _by(
                symbols, ranks, choose=lambda pairs, r: min(pairs, key=lambda pair: r.get(pair, 0), default=None)
            ),
            "You give pairs without a rank the rank 0, so they win. They must never be fused.",
        ),
        WrongAnswer(
            "unknown-raises",
            lambda symbols, ranks: _by(symbols, ranks, choose=_raises_for_unknown),
            "You ask for the rank of a pair that has none. Most pairs are no merges: leave them out first.",
        ),
        WrongAnswer(
            "highest-rank",
            lambda symbols, ranks: _by(
                symbols,
                ranks,
                choose=lambda pairs, r: max((pair for pair in pairs if pair in r), key=r.get, default=None),
            ),
            "You take the highest rank. Replaying comes to the lowest first.",
        ),
        REPLAYS_THE_DICT,
        PLACE_IN_THE_DICT,
        DEFAULT_TOO_SMALL,
        WrongAnswer(
            "first-in-the-alphabet",
            lambda symbols, ranks: _by(
                symbols, ranks, choose=lambda pairs, r: min((pair for pair in pairs if pair in r), default=None)
            ),
            "You take the pair that is first in the alphabet: `min` compares the pairs themselves. Only the rank decides; `min` "
            "takes a `key`.",
        ),
        WrongAnswer(
            "leftmost-first",
            lambda symbols, ranks: _by(
                symbols, ranks, choose=lambda pairs, r: next((pair for pair in pairs if pair in r), None)
            ),
            "You fuse the first pair from the left that has a rank. In `n e s t` that is (n, e), but (e, s) has the lower "
            "rank.",
        ),
        WrongAnswer(
            "longest-first",
            lambda symbols, ranks: _by(
                symbols,
                ranks,
                choose=lambda pairs, r: max(
                    (pair for pair in pairs if pair in r), key=lambda pair: len("".join(pair)), default=None
                ),
            ),
            "You take the pair that makes the longest symbol. Only the rank decides.",
        ),
        WrongAnswer(
            "beats-its-neighbor",
            _beats_its_right_neighbor,
            "You fuse a pair as soon as its rank is not above that of the pair beside it. A merge farther on may have a still "
            "lower rank and make a new rival. Compare all pairs of the word, then fuse the lowest.",
        ),
        WrongAnswer(
            "looks-once",
            _sorted_once,
            "You list the pairs once, at the beginning. After `e s` has become `es` there is a new pair, (es, t): look again "
            "after each merge.",
        ),
        WrongAnswer(
            "one-merge",
            lambda symbols, ranks: _by(symbols, ranks, choose=_lowest, rounds=1),
            "You stop after one merge. Go on until no pair has a rank.",
        ),
        WrongAnswer(
            "rightmost-of-equals",
            lambda symbols, ranks: _by(symbols, ranks, choose=_lowest, fuse=_fuse_last),
            "Where the pair stands more than once you begin at the right: `a a a` must become `aa a`, as in training.",
        ),
        WrongAnswer(
            "unchanged",
            lambda symbols, ranks: list(symbols),
            "Nothing is merged: the symbols come back as they were.",
        ),
    ),
)

# --- 4.5 -------------------------------------------------------------------------------------


class TooManyQuestions(Exception):
    """Raised by CountedRanks: a rank was looked up that was known already."""


class CountedRanks(dict):
    """{(left, right): rank} that answers so many questions about a pair; again about the same one is free."""

    def __init__(self, ranks, limit):
        super().__init__(ranks)
        self.limit, self.asked, self.last = limit, 0, None

    def __reduce__(self):
        return CountedRanks, (dict(self), self.limit)

    def _ask(self, pair):
        self.asked += type(pair) is tuple and pair != self.last
        self.last = pair
        if self.asked > self.limit:
            raise TooManyQuestions(f"{self.limit} ranks had to be looked up, and your code asks for one more")

    def __contains__(self, pair):
        self._ask(pair)
        return super().__contains__(pair)

    def __getitem__(self, pair):
        self._ask(pair)
        return super().__getitem__(pair)

    def get(self, pair, default=None):
        """Look a rank up, and count it."""
        self._ask(pair)
        return super().get(pair, default)


def encode_keeping_ranks(symbols: list[str], ranks: dict) -> list[str]:
    """Encode by the lowest rank first, and keep the ranks that still hold.

    Args:
        symbols: the symbols of one word.
        ranks: {(left, right): rank} in any order. For n symbols it answers
            n - 1 questions, and two more for each merge; then it raises an
            error. Asking for the same pair twice in a row is one question.

    Returns:
        A list of symbols, the same as when all ranks are looked up again.

    Example:
        >>> encode_keeping_ranks(["l", "o", "w"], {("l", "o"): 0})
        ['lo', 'w']
    """
    symbols = list(symbols)
    found = [ranks.get(pair) for pair in zip(symbols, symbols[1:])]
    while any(rank is not None for rank in found):
        best = min(rank for rank in found if rank is not None)
        i = found.index(best)
        symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
        del found[i]
        for j in (i - 1, i):
            if 0 <= j < len(found):
                found[j] = ranks.get((symbols[j], symbols[j + 1]))
    return symbols


def _keep_stale(symbols, ranks):
    symbols = list(symbols)
    found = [ranks.get(pair) for pair in zip(symbols, symbols[1:])]
    while any(rank is not None for rank in found):
        best = min(rank for rank in found if rank is not None)
        i = found.index(best)
        symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
        del found[i]
    return symbols


def _keep(symbols, ranks, renew) -> list:
    symbols = list(symbols)
    found = [ranks.get(pair) for pair in zip(symbols, symbols[1:])]
    while any(rank is not None for rank in found):
        i = found.index(min(rank for rank in found if rank is not None))
        symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]
        del found[i]
        renew(found, symbols, i)
    return symbols


def _renew(*shifts, low=0, off_the_end=False, forget=False):
    def encode(symbols, ranks):
        def renew(found, symbols, i):
            for j in (i + shift for shift in shifts):
                if j >= low and (off_the_end or j < len(found)):
                    found[j] = None if forget else ranks.get((symbols[j], symbols[j + 1]))

        return _keep(symbols, ranks, renew)

    return encode


def _renew_left_from_two(symbols, ranks):
    def renew(found, symbols, i):
        for j in range(max(i - 1, min(i, 1)), min(i + 1, len(found))):
            found[j] = ranks.get((symbols[j], symbols[j + 1]))

    return _keep(symbols, ranks, renew)


def _renew_both_or_none(symbols, ranks):
    def renew(found, symbols, i):
        if 0 < i < len(found):
            found[i - 1 : i + 1] = [ranks.get((symbols[j], symbols[j + 1])) for j in (i - 1, i)]

    return _keep(symbols, ranks, renew)


_AB_CD = {("ab", "ab"): 0, ("c", "d"): 1, ("a", "b"): 2, ("abab", "abab"): 3}


def _counts_questions(symbols, ranks):
    merges = len(symbols) - len(encode_by_rank(symbols, ranks))
    return symbols, CountedRanks(ranks, len(symbols) - 1 + 2 * merges)


def _counted(rng: random.Random) -> list:
    probes = _symbols_and_ranks(rng)
    counted = [*probes[:7], *probes[-40:], (list("ab" * 3 + "xyz" * 5 + "cd"), _AB_CD)]
    counted += [(list("abc"), {("a", "b"): 0, ("b", "c"): 1})]
    return [*probes, *(_counts_questions(*probe) for probe in counted)]


def _asks_again(symbols, ranks):
    symbols = list(symbols)
    while True:
        found = [ranks.get(pair) for pair in zip(symbols, symbols[1:])]
        known = [rank for rank in found if rank is not None]
        if not known:
            return symbols
        i = found.index(min(known))
        symbols[i : i + 2] = [symbols[i] + symbols[i + 1]]


MEND_LOOKS_ONCE = FunctionExercise(
    id="4.5",
    title="Find the bug: an encoder that looks once",
    points=25,
    helpers=(TooManyQuestions, CountedRanks),
    reference=encode_keeping_ranks,
    buggy=_keep_stale,
    expects="a list of symbols",
    make_probes=_counted,
    hints=(
        "The example is right, and so is any word with a single merge. Follow `l o w` with (l, o): 0 and (lo, w): 1. What is "
        "in `found` after the first merge, and what should be?",
        "`found[j]` is the rank of the pair that begins at place j. A merge at place i makes one new symbol. Which pairs does "
        "it take part in?",
        "After the `del`, the new symbol stands at place i. The pair with its left neighbor begins one place before, the pair "
        "with its right neighbor begins at i. Look up both, if they exist: at the ends of the word one is missing.",
    ),
    wrong_answers=(
        WrongAnswer(
            "looks-once",
            _keep_stale,
            "The bug is still there: the ranks beside the fused pair are those of pairs that are gone. With (l, o): 0 and "
            "(lo, w): 1 the word `l o w` stays at lo and w.",
        ),
        WrongAnswer(
            "asks-again",
            (_asks_again, encode_by_rank),
            "The symbols are right, but ranks are looked up that you know already: too many questions. A merge changes only the "
            "pairs beside it; keep what `found` holds of the others.",
        ),
        WrongAnswer(
            "left-only",
            _renew(-1),
            "The pair with the left neighbor is looked up again, the pair with the right neighbor is not.",
        ),
        WrongAnswer(
            "right-only",
            _renew(0),
            "The pair with the right neighbor, which begins at i, is looked up again. The pair with the left neighbor is not.",
        ),
        WrongAnswer(
            "misses-first-place",
            (_renew(-1, 0, low=1), _renew_left_from_two),
            "A new pair at the very start of the word is missed: place 0 is a place too.",
        ),
        WrongAnswer(
            "wraps-around",
            _renew(-1, 0, low=-1),
            "At the beginning of the word there is no left neighbor, and place -1 in Python is the last one: its rank gets "
            "overwritten.",
        ),
        WrongAnswer(
            "runs-off-the-end",
            _renew(-1, 0, off_the_end=True),
            "When the last pair of a word is fused, the new symbol has no right neighbor, and your code asks for it.",
        ),
        WrongAnswer(
            "both-or-none",
            _renew_both_or_none,
            "You look up the new pairs only where the new symbol has neighbors on both sides. At an end of the word it has one, "
            "and that pair is new too.",
        ),
        REPLAYS_THE_DICT,
        PLACE_IN_THE_DICT,
        DEFAULT_TOO_SMALL,
        WrongAnswer(
            "forgets-neighbors",
            _renew(-1, 0, forget=True),
            "The old ranks beside the new symbol are gone now, but the new pairs are never looked up: they may be merges too.",
        ),
    ),
)

# --- 4.8 -------------------------------------------------------------------------------------


def _ids_of_nest():
    from bpe_core.encoding import JoinedRanks, apply_merges

    tokens = ["e", "n", "s", "t", "st", "es", "est", "ne"]
    ids = {token: i for i, token in enumerate(tokens)}
    return apply_merges([ids[letter] for letter in "nest"], JoinedRanks(dict(enumerate(tokens)), ids), range(8))


PREDICT_JOINED = PredictExercise(
    id="4.8",
    title="Predict: ids from a list of tokens",
    points=15,
    question="A rank file holds these tokens, without end marks: e 0, n 1, s 2, t 3, st 4, es 5, est 6, ne 7. Encode nest: two "
    "neighbors may fuse when their joined text is a token, the lowest rank first. Give the ids that come out.",
    variable="ids_of_nest",
    answer=[1, 6],
    expects="a list of int",
    why="Three joined texts of n e s t are tokens: ne 7, es 5 and st 4. The lowest is st. Then ne 7 and est 6 are left, and est "
    "goes first. No one had to say that est is made of e and st: their joined text is a token, and that is enough.",
    proof=_ids_of_nest,
    hints=(
        "Join each two neighbors of n e s t. Which of the three texts are tokens, and which has the lowest rank?",
        "After the first fusion, join the neighbors again. Two of the texts are tokens now.",
        "Go on until no joined text is a token. Then write down the number of each part.",
    ),
    wrong_answers=(
        WrongAnswer(
            "left-to-right",
            [7, 4],
            "These are ne and st: the longest token from the left, or the first pair from the left. Which of ne and est has "
            "the lower rank, once st is there?",
        ),
        WrongAnswer(
            "es-first",
            [1, 5, 3],
            "These are n, es and t. es has rank 5, and another pair of the word joins to a token of lower rank.",
        ),
        WrongAnswer(
            "stops-early",
            [1, 0, 4],
            "These are n, e and st. Look again: do two of these neighbors join to a token?",
        ),
        WrongAnswer("letters", [1, 0, 2, 3], "These are the letters. es, st and ne are tokens, so something can fuse."),
        WrongAnswer(
            "tokens",
            lambda answer: [str(token) for token in answer] == ["n", "est"],
            "You give the tokens. Asked for are their ids, the numbers in the list.",
        ),
    ),
)

# --- 4.6 -------------------------------------------------------------------------------------


def _newness():
    from bpe_core import WordBPE

    return WordBPE.train({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 8).tokenize("newness")


PREDICT_NEWNESS = PredictExercise(
    id="4.6",
    title="Predict: a word where the two methods differ",
    points=20,
    question="Longest match cuts newness into new, ne, s, s, </w>. The merges are (e, s), (es, t), (est, </w>), (l, o), "
    "(lo, w), (n, e), (ne, w), (new, est</w>). Give the tokens that BPE makes of newness.",
    variable="bpe_of_newness",
    answer=["new", "n", "es", "s", "</w>"],
    expects="a list of str",
    why="(e, s) comes first in the list and takes the second e, so (n, e) finds only the first n with its e. Both methods need "
    "five tokens, but not the same ones.",
    proof=_newness,
    hints=(
        "The word has two places where n and e stand side by side. At one of them another merge wants the e too.",
        "Which comes first in the list, (e, s) or (n, e)? Apply it, then see what is left.",
        "After (e, s) the word is n e w n es s </w>. Go on with the rest of the list.",
    ),
    wrong_answers=(
        WrongAnswer(
            "longest-match",
            ["new", "ne", "s", "s", "</w>"],
            "This is the longest match again. In BPE (e, s) has its turn before (n, e), and takes the second e.",
        ),
        WrongAnswer(
            "no-mark",
            ["new", "n", "es", "s"],
            "Nearly: the mark </w> is a symbol too.",
        ),
        WrongAnswer(
            "new-not-finished",
            ["ne", "w", "n", "es", "s", "</w>"],
            "(ne, w) is in the list as well, behind (n, e), and finds its pair.",
        ),
        WrongAnswer(
            "ne-lost",
            ["n", "e", "w", "n", "es", "s", "</w>"],
            "(e, s) is done; (n, e) still has its turn, and the first e is free.",
        ),
        WrongAnswer(
            "ess",
            ["new", "n", "ess", "</w>"],
            "There is no merge (es, s) in the list. Only listed pairs fuse.",
        ),
        WrongAnswer(
            "ness",
            ["new", "ness", "</w>"],
            "ness is an ending of English, but none of the eight merges makes it. Only listed pairs fuse.",
        ),
    ),
)

# --- 4.7 -------------------------------------------------------------------------------------


def decode_ids(ids: list[int], symbols: list[str]) -> str:
    """Turn ids back into text, with one space between words.

    Args:
        ids: places in the list of symbols.
        symbols: the symbol of each id; "</w>" at its end ends a word.

    Returns:
        The text. Each mark is one space; only a mark at the very end of
        the text leaves none.

    Example:
        >>> decode_ids([1, 2, 1, 0], ["</w>", "low", "est</w>"])
        'lowest low'
        >>> decode_ids([1], ["</w>", "low", "est</w>"])
        'low'
    """
    text = "".join(symbols[i] for i in ids)
    return text.replace("</w>", " ").removesuffix(" ")


def _joined(ids, symbols, between="") -> str:
    return between.join(symbols[i] for i in ids)


def _cut_last(ids, symbols):
    return _joined(ids, symbols).replace("</w>", " ")[:-1]


def _space_after_each(ids, symbols):
    return " ".join(symbols[i].replace("</w>", "") for i in ids)


def _mark_token_dropped(ids, symbols):
    return "".join(symbols[i].replace("</w>", " ") for i in ids if symbols[i] != "</w>").removesuffix(" ")


def _strips_letters(ids, symbols):
    cut = [symbols[i].rstrip("</w>") + " " * symbols[i].endswith("</w>") for i in ids]  # noqa: B005, the mistake itself
    return "".join(cut).removesuffix(" ")


def _mark_only_alone(ids, symbols):
    return "".join(" " if symbols[i] == "</w>" else symbols[i] for i in ids).removesuffix(" ")


def _ids_and_symbols(rng: random.Random) -> list:
    toy = ["</w>", "low", "est</w>", "new", "e", "r", "w"]
    probes = [([], toy), ([2], toy), ([1, 0], toy), ([1, 2, 3, 2], toy), ([1, 4, 5, 0, 3, 0, 1, 4], toy), ([4, 5], toy)]
    probes += [
        ([3, 4, 5, 0, 1, 0], toy),
        ([1, 2, 1], toy),
        ([6, 2, 3], toy),
        ([2, 2, 2], toy),
        ([1, 0, 1, 0, 1, 0], toy),
    ]
    # A mark alone is a space too, wherever it stands; and it need not have the id 0.
    probes += [([0], toy), ([0, 0], toy), ([0, 1], toy), ([1, 0, 0, 3], toy), ([1, 0, 0], toy), ([2, 0, 0, 0], toy)]
    other = [
        "Low",
        "é",
        "e\u0301",
        "</w>",
        "水</w>",
        "🙂77",
        "٣²",
        "“",
        "&lt;",
        "\\n",
        "<",
        "w",
        ">",
        "x_y",
        "ß",
        "\u200d",
        "unbelievaaable</w>",
    ]
    probes += [
        (list(range(17)), other),
        ([0, 3, 0, 4, 0], other),
        ([16, 15, 14, 4, 3, 2, 1], other),
        ([5] * 25 + [3], other),
    ]
    # Marks of other kinds, white space inside of symbols, a long symbol; few symbols, or none.
    probes += [(list(range(8)), ["\ta", "<|im_end|>", " b</w>", "c\u00a0d", "  ", "\n", "low" * 20, "e"])]
    probes += [([], []), ([], ["a"]), ([0], ["a"])]
    for _ in range(30):
        ids = []
        for _ in range(rng.randint(1, 4)):
            ids += [*(rng.choice([1, 3, 4, 5, 6]) for _ in range(rng.randint(1, 3))), rng.choice([0, 2])]
        if rng.random() < 0.4:
            ids.pop()
        probes.append((ids, toy))
    return probes


DECODE = FunctionExercise(
    id="4.7",
    title="Write the way back",
    points=25,
    reference=decode_ids,
    expects="a str, the text",
    make_probes=_ids_and_symbols,
    hints=(
        "No merges are needed: each id names a symbol, and each symbol is already the text that it stands for. What has to "
        "happen to the mark?",
        "Join all symbols without anything between them. Then every `</w>` says that a word ended there.",
        "The last word ends without a space behind it. But the text may also stop in the middle of a word; then nothing may "
        "be cut off.",
    ),
    wrong_answers=(
        WrongAnswer(
            "keeps-mark",
            lambda ids, symbols: _joined(ids, symbols),
            "The mark is still in the text. It stands for the end of a word: a space.",
        ),
        WrongAnswer(
            "words-run-together",
            lambda ids, symbols: _joined(ids, symbols).replace("</w>", ""),
            "The mark is gone, and the words run together. Where it stood, a word ended.",
        ),
        WrongAnswer(
            "space-at-the-end",
            lambda ids, symbols: _joined(ids, symbols).replace("</w>", " "),
            "There is a space behind the last word.",
        ),
        WrongAnswer(
            "strips-spaces",
            tuple(
                lambda ids, symbols, tidy=tidy: tidy(_joined(ids, symbols).replace("</w>", " "))
                for tidy in (str.strip, str.rstrip, str.lstrip, lambda text: " ".join(text.split()))
            ),
            "Spaces are lost: at the beginning, several at the end, or several in a row. Each mark is one space, wherever it "
            "stands; only one at the very end leaves none.",
        ),
        WrongAnswer(
            "mark-has-id-0",
            lambda ids, symbols: "".join(symbols[i].replace("</w>", " ") if i else " " for i in ids).removesuffix(" "),
            "You take id 0 for the mark. It was so in the examples; which symbol an id stands for is said by the list.",
        ),
        WrongAnswer(
            "spaces-between-symbols",
            lambda ids, symbols: _joined(ids, symbols, " "),
            "You join the symbols with spaces, and the mark is still in the text. Symbols are parts of words: join them without "
            "anything between them, and turn the mark into a space.",
        ),
        WrongAnswer(
            "a-list",
            (
                lambda ids, symbols: [symbols[i] for i in ids],
                lambda ids, symbols: _joined(ids, symbols).split("</w>"),
                lambda ids, symbols: _joined(ids, symbols).split("</w>")[:-1],
                lambda ids, symbols: _joined(ids, symbols).replace("</w>", " ").split(),
            ),
            "You return a list. Asked for is one text, a str.",
        ),
        WrongAnswer(
            "cuts-last-character",
            _cut_last,
            "You always cut off the last character. When the text stops inside a word there is no space to cut, and a letter "
            "is lost.",
        ),
        WrongAnswer(
            "space-after-each-token",
            _space_after_each,
            "You put a space between tokens. Tokens are parts of words: only the mark ends a word.",
        ),
        WrongAnswer(
            "mark-token-dropped",
            _mark_token_dropped,
            "The mark inside longer symbols becomes a space, but the symbol that is the mark alone gets lost.",
        ),
        WrongAnswer(
            "mark-only-alone",
            _mark_only_alone,
            "The mark becomes a space where it is a symbol of its own, but not where it is the end of a longer one, as in "
            "est</w>.",
        ),
        WrongAnswer(
            "strips-letters",
            _strips_letters,
            "`strip` and `rstrip` take a set of characters, so a w at the end of a symbol is cut off with the mark: low "
            "becomes lo.",
        ),
        WrongAnswer(
            "first-mark-only",
            lambda ids, symbols: _joined(ids, symbols).replace("</w>", " ", 1).removesuffix(" "),
            "Only the first mark becomes a space.",
        ),
    ),
)

# --- Quiz ------------------------------------------------------------------------------------

QUESTIONS = (
    Question(
        "While a new word is encoded, what does one merge do?",
        (
            Option(
                "It counts the pairs of the word and fuses the most frequent one.",
                False,
                "That is training. Encoding counts nothing: it only looks up pairs that were learned.",
            ),
            Option(
                "It fuses its pair wherever the pair stands in the word, left to right, and does nothing if it is not there.",
                True,
                "It is the same step as in training, on one word, and without counting.",
            ),
            Option(
                "It adds a new token to the vocabulary.",
                False,
                "The vocabulary is fixed when training ends. Encoding only uses it.",
            ),
            Option(
                "It fuses its pair at the first place and leaves the other places for later merges.",
                False,
                "It fuses all of them: no later merge has the same pair.",
            ),
        ),
    ),
    Question(
        "Someone sorts the list of merges so that the longest new tokens come first, and replays it. Why is that wrong?",
        (
            Option(
                "It is right: longer tokens mean fewer tokens.",
                False,
                "A long token is made of shorter ones, and these do not exist yet when its merge has its turn.",
            ),
            Option(
                "It is only slower; the tokens are the same.",
                False,
                "The tokens differ: (es, t) has its turn before (e, s), finds no es, and est never forms.",
            ),
            Option(
                "Only the ids change; the tokens are the same.",
                False,
                "The tokens themselves change: (es, t) finds no es, and est never forms.",
            ),
            Option(
                "Some symbols are not made yet when they are needed, and the wrong merge may win.",
                True,
                "The learned order repeats the decisions of training. A model has only ever seen the cuts that this order gives.",
            ),
        ),
    ),
    Question(
        "The pairs of a word have the ranks 7, 2 and 40. Why does an encoder fuse the pair with rank 2?",
        (
            Option(
                "Replaying the list would come to rank 2 first.",
                True,
                "What a merge makes is used, in a list that training made, only by merges of higher rank. So no merge below 2 can become possible later, and the short way gives the same tokens as the long one.",
            ),
            Option(
                "Rank 2 makes the longest token.",
                False,
                "A merge of rank 40 may make a longer token or a shorter one. Length plays no part.",
            ),
            Option(
                "It stands first in the word.",
                False,
                "The place in the word decides only between equal ranks.",
            ),
            Option(
                "Its pair is the most frequent one in this word.",
                False,
                "Frequency mattered in training, over the whole corpus. In the word at hand nothing is counted.",
            ),
        ),
    ),
    Question(
        "For which texts does decode(encode(text)) give the text back, character by character?",
        (
            Option(
                "For every text, with every BPE tokenizer: merges lose nothing.",
                False,
                "Merges lose nothing, but cutting the text into words does: WordBPE forgets how many spaces there were.",
            ),
            Option(
                "Only for texts that were in the training corpus.",
                False,
                "A new text is cut into smaller tokens, and they join to the same text.",
            ),
            Option(
                "With byte-level BPE that has all 256 bytes, for every text that is not normalized first; with WordBPE for known "
                "characters, one space between words and none at the ends.",
                True,
                "All bytes are kept. WordBPE keeps only where words end, and an unknown character becomes <unk>.",
            ),
            Option(
                "For none, because several sequences of ids give the same text.",
                False,
                "Several sequences do decode to the same text, but encode gives one of them, and that leads back to the text.",
            ),
        ),
    ),
)

LESSON = Lesson(
    4,
    "Encoding and decoding",
    (REPLAY, PREDICT_SWAP, CHOOSE_SEARCH_AGAIN, BY_RANK, PREDICT_JOINED, PREDICT_NEWNESS, DECODE, MEND_LOOKS_ONCE),
    QUESTIONS,
)
