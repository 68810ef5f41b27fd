"""General mistakes, types and wording: what check says of answers that no exercise lists."""

import decimal
import fractions
import functools
import linecache
import logging
import textwrap
from collections import Counter, OrderedDict
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from bpe_core.classroom import check, quiz, records
from bpe_core.classroom.exercises import exercises, find
from bpe_core.classroom.mistakes import ERRORS, STRONG, WEAK, error_advice, find_mistake
from bpe_core.classroom.running import Failure, run_all
from bpe_core.classroom.spec import ByResult, FunctionExercise, WrongAnswer
from bpe_core.classroom.verdicts import judge


@pytest.fixture(autouse=True)
def progress_file(tmp_path, monkeypatch):
    monkeypatch.setenv("BPE_COURSE_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.setattr(records, "_memory", [])


def answer(id: str, body: str):
    """Return the function that a learner writes with this body, its source known as in a kernel."""
    exercise, body = find(id), textwrap.dedent(body).strip("\n")
    source = f"def {exercise.name}({', '.join(exercise.parameters)}):\n{textwrap.indent(body, '    ')}\n"
    file = f"<answer {hash(source)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names: dict = {"__name__": "__main__"}
    exec(compile(source, file, "exec"), names)
    return names[exercise.name]


# --- The rows ---------------------------------------------------------------------------------------

ROWS = {
    "cut-to-whole": (STRONG, [(1.0, 1.7), (0.0, 0.3)]),
    "rounded-0": (STRONG, [(2.0, 1.7), (0.0, 0.3)]),
    "rounded-1": (STRONG, [([1.7], [1.66]), ([0.3], [0.33])]),
    "rounded-6": (STRONG, [(0.333333, 1 / 3)]),
    "upside-down": (STRONG, [(4.0, 0.25), (0.5, 2.0)]),
    "visible-spaces": (STRONG, [(["·a", "Ġb", "▁c", "↵"], [" a", " b", " c", "\n"])]),
    "case": (STRONG, [({"A": 1}, {"a": 1})]),
    "empty-end": (STRONG, [(["a", ""], ["a"]), ([b""], [])]),
    "empty-items": (STRONG, [(["", "a"], ["a"]), (["", "b", ""], ["b"])]),
    "only-first": (STRONG, [([1], [1, 2, 3]), ("a", "ab")]),
    "only-last": (STRONG, [([3], [1, 2, 3])]),
    "last-lost": (STRONG, [([1, 2], [1, 2, 3]), ([], [1])]),
    "first-lost": (STRONG, [([2, 3], [1, 2, 3]), ("", "a")]),
    "one-more-at-end": (STRONG, [([1, 9], [1])]),
    "one-more-at-start": (STRONG, [([9, 1, 2], [1, 2])]),
    "unsorted": (STRONG, [([2, 1], [1, 2])]),
    "reversed": (STRONG, [([1, 2], [2, 1]), ("ab", "ba")]),
    "sorted": (STRONG, [([1, 2, 3], [2, 1, 3])]),
    "order": (STRONG, [([1, 3, 2], [2, 1, 3])]),
    "repeats-lost": (STRONG, [(["a", "b"], ["a", "b", "b", "a"])]),
    "repeats-kept": (STRONG, [([1, 2, 1, 2], [1, 2])]),
    "with-its-count": (STRONG, [((("a", "b"), 3), ("a", "b"))]),
    "pairs-with-counts": (STRONG, [([("a", 3), ("b", 1)], ["a", "b"])]),
    "wrapped": (STRONG, [([3], 3), ((4,), 4)]),
    "not-flat": (STRONG, [([[1, 2], [3]], [1, 2, 3])]),
    "joined-keys": (STRONG, [({"ab": 1}, {("a", "b"): 1})]),
    "turned-keys": (STRONG, [({("b", "a"): 1}, {("a", "b"): 1})]),
    "turned-dict": (STRONG, [({1: "a"}, {"a": 1})]),
    "counts-for-shares": (STRONG, [({"a": 3, "b": 1}, {"a": 0.75, "b": 0.25})]),
    "all-ones": (STRONG, [({"a": 1, "b": 1}, {"a": 2, "b": 1})]),
    "white-space": (WEAK, [([" a"], ["a"]), (["bc"], ["b c"])]),
    "one-too-high": (STRONG, [(3, 2), ({"a": 2}, {"a": 1})]),
    "one-too-low": (STRONG, [([1, 2], [2, 3])]),
    "factor": (STRONG, [(8, 2), (20, 5)]),
    "missing": (WEAK, [([1, 4], [1, 2, 3, 4])]),
    "too-many": (WEAK, [([1, 2, 3, 4], [1, 4])]),
    "other-cuts": (WEAK, [(["ab", "c"], ["a", "bc"])]),
    "text-lost": (WEAK, [(["ab", "d"], ["a", "bcd"])]),
    "one-part": (WEAK, [(([1], [2]), ([1], [3]))]),
    "no-key-right": (WEAK, [({"a": 1}, {"b": 1, "c": 2})]),
    "too-low": (WEAK, [(1, 5), (2, 9)]),
    "too-high": (WEAK, [({"a": 7, "b": 9}, {"a": 1, "b": 2})]),
    "values-wrong": (WEAK, [({"a": 7, "b": 1}, {"a": 1, "b": 2})]),
    "bytes-shown": (STRONG, [("b'a'", "a")]),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_general_mistake_is_known_by_its_results(name):
    rows, cases = ROWS[name]
    cases = [(got, right, ()) for got, right in cases]
    found, words = find_mistake(rows, cases)
    assert found == name and "{" not in words and "entrys" not in words
    # One wrong result that is wrong in another way: nothing is said.
    assert (find_mistake(rows, [*cases, (object(), cases[0][1], ())]) or [None])[0] != name


def test_every_row_is_tried():
    by_argument = {"returns-total", "returns-argument", "returns-length"}
    assert {row[0] for row in (*STRONG, *WEAK)} - by_argument - {f"rounded-{k}" for k in range(2, 6)} == set(ROWS)
    assert find_mistake(STRONG, [(3.0, 1.0, ("abc",))], ["text"])[1].startswith(
        "Each wrong result is the right one times"
    )
    assert (
        find_mistake(WEAK, [("abc", "x", (1, "abc"))], ["n", "text"])[1]
        == "What comes back is `text`, as it was given."
    )
    assert find_mistake(WEAK, [(3, 7, (1, "abc"))], ["n", "text"])[1] == "What comes back is the length of `text`."


# --- Answers ----------------------------------------------------------------------------------------

COUNT = "counts = {}\nfor pair in zip(word, word[1:]):\n    counts[pair] = counts.get(pair, 0) + 1\n"
WALK = """
merged, i = [], 0
while i < len(symbols):
    if COMPARE:
        merged.append(pair[0] + pair[1])
        i += 2
    else:
        merged.append(symbols[i])
        i += 1
return merged
"""
ANSWERS = [
    ("1.5", "return 16", "constant", "returns `16` for every input"),
    ("7.2", "found = []\nfor name in names:\n    name in text\nreturn found", "constant", "`[]` for every input"),
    ("1.2", "n = 0\nfor word in new_words:\n    n += word not in training_words\n    return n / len(new_words)\nreturn 0.0",
     "returns-in-first-turn", "behind the loop"),
    ("2.1", COUNT + "print('word:', word)", "returns-none", "ends without a `return`"),
    ("2.1", COUNT + "print(counts)", "prints", "Put `return` where `print` stands"),
    ("2.1", COUNT + "print(dict(reversed(counts.items())))", "prints", "instead of returning"),
    ("2.1", "return input(word)", "asks", "nobody answers"),
    ("2.1", "breakpoint()\nreturn {}", "asks", "nobody answers"),
    ("2.1", COUNT.replace(", 0)", ", 1)") + "return counts", "one-too-many", "for the first time"),
    ("10.6", "from bpe_core.classroom.exercises import find\nreturn find('10.6').reference(ids, entries, fewer_than) + 1", "one-too-high", "one too high"),
    ("2.1", COUNT.replace("word[1:]", "word[1:-1]").replace("zip(", "zip(word[:0] + ") + "return counts",
     "skips-last-pair", ""),
    ("2.2", "counts = {}\nfor word, n in word_counts:\n    pass\nreturn counts", "ValueError", "`.items()`"),
    ("2.1", COUNT.replace("counts.get(pair, 0)", "counts[pair]") + "return counts", "KeyError", "counts.get(key, 0)"),
    ("2.6", "return max(counts.items(), key=lambda item: item[1])", "with-its-count", "Return the thing alone"),
    ("2.6", "best = None\nhighest = 1\nfor pair, n in counts.items():\n    if n > highest:\n"
     "        best, highest = pair, n\nreturn best", "sometimes-none", "was never set"),
    ("3.1", WALK.replace("COMPARE", "symbols[i : i + 2] == pair"), "list-against-tuple", "compares a list with a tuple"),
    ("3.1", WALK.replace("COMPARE", "[symbols[i], symbols[i + 1 : i + 2]] == pair"), "list-against-tuple", "never equal"),
    ("3.1", "i = symbols.index(pair[0])\nreturn symbols[i + 1]", "ValueError", "write `[i]`"),
    ("4.1", "from bpe_core import merge_pair\nsymbols = [*word, '</w>']\nfor pair in merges[:-1]:\n"
     "    symbols = merge_pair(symbols, pair, ''.join(pair))\nreturn symbols", "last-ignored", "last item of `merges`"),
    ("4.7", "from bpe_core.classroom.exercises import find\nreturn find('4.7').reference([i - 1 for i in ids], symbols)", "one-less", "`ids` were one less"),
    ("6.1", "return sum(' ' in token.decode() for token in vocab.values())", "strict-decoding", "half a character"),
    ("5.6", "return b'\\xc3'.decode()", "UnicodeDecodeError", "whole characters"),
    ("7.3", "from bpe_core.classroom.exercises import find\nreturn find('7.3').reference(messages, default, not add_prompt)",
     "turned-flag", "`add_prompt` were the other way round"),
    ("8.3", "from bpe_core.classroom.exercises import find\nreturn round(find('8.3').reference(name, texts, reference), 3)",
     "rounded-3", "rounded to 3 places"),
    ("9.3", "return list(digits).reverse()", "returns-none", "`reverse` changes its object and returns None"),
    ("9.3", "if not digits:\n    return []\nreturn [digits].sort()", "sometimes-none", "`sort` changes its object"),
    ("10.4", "return width * layers * tokens * (tokens + 1) // 2", "compare-only", "two to compare and two to mix"),
    ("10.4", "return 6 * width * layers * tokens * (tokens + 1)", "factor", "times 3"),
    ("5.6", "return b''", "wrong-type", "returns bytes, and it must be a str"),
    ("2.1", "return (pair for pair in zip(word, word[1:]))", "wrong-type", "Make a dict of them"),
    ("3.1", "return (symbol for symbol in symbols)", "wrong-type", "`list(...)` around it"),
    ("10.4", "def down(n):\n    return n and n + down(n - 1)\nreturn 4 * width * layers * down(tokens)",
     "RecursionError", "one call for each item of a long input"),
    ("2.1", "return word[len(word)]", "IndexError", "On this input there is nothing at that place"),
    ("5.6", "return tokens[99]", "IndexError", "On this input there is nothing at that place"),
    ("2.1", "for i in range(9):\n    word[i]", "IndexError", "On this input there is nothing at that place"),
    ("2.1", "return {word: 1}", "TypeError", "else look which name holds a list there"),
    ("2.1", "return {{}: 1}", "TypeError", "This type cannot be a key"),
]  # fmt: skip


@pytest.mark.parametrize("id, body, mistake, words", ANSWERS, ids=[f"{a[0]}-{a[2]}" for a in ANSWERS])
def test_an_answer_gets_a_line_about_its_own_mistake(id, body, mistake, words):
    result = check(id, answer(id, body))
    assert (result.outcome in ("wrong", "error"), result.mistake) == (True, mistake), result
    assert words in result.message


def test_state_between_calls():
    kept: list = []

    def grows(digits):
        kept.append(digits)
        return list(kept)

    result = check("9.3", grows)
    assert result.mistake == "keeps-state" and "kept from call to call" in result.message


@pytest.mark.parametrize(
    "body, text, words",
    [
        ("for i in range(len(word)):\n    word[i + 1]", "ab", "the last turn of the loop"),
        ("n = 0\nwhile n < len(word):\n    n += 1\n    word[n]", "ab", "the last turn of the loop"),
        ("for x in word:\n    pass\nword[len(word)]", "ab", "there is nothing at that place"),
        ("for i in range(9):\n    word[i]", "", "there is nothing at that place"),
    ],
)
def test_a_loop_is_blamed_only_where_it_stopped_in_one(body, text, words):
    run = run_all(answer("2.1", body), [(text,)])[0]
    assert words in error_advice(run.failure, empty=not text)


def test_one_object_returned_from_call_to_call():
    kept: dict = {}

    def shared(word):
        kept.clear()
        kept.update(Counter(zip(word, word[1:])))
        return kept

    result = check("2.1", shared)
    assert (result.outcome, result.mistake) == ("wrong", "keeps-state")
    assert "the result of an earlier call changes when your function is called again" in result.message
    assert "Make a new object inside" in result.message


def test_results_kept_by_a_cache_are_right():
    @functools.cache
    def count(letters):
        return dict(Counter(zip(letters, letters[1:])))

    assert check("2.1", lambda word: count(tuple(word))).passed


def test_the_right_answer_printed_as_text_is_a_print():
    reference = find("9.6").reference
    assert check("9.6", lambda *arguments: print(reference(*arguments))).mistake == "prints"


@pytest.mark.parametrize("function", [lambda a, b: 0.75, lambda a, b: "x", lambda a, b: [1][0] if a else 2.0])
def test_a_body_of_its_own_is_an_attempt(function):
    assert check("1.2", function).outcome != "not attempted"


def test_an_error_on_an_empty_input_does_not_hide_a_known_mistake():
    body = """
    for word in text.split():
        counts = {}
        symbols = [*word, "</w>"]
        for pair in zip(symbols, symbols[1:]):
            counts[pair] = counts.get(pair, 0) + 1
    return counts
    """
    result = check("2.4", answer("2.4", body))
    assert result.mistake == "last-word-only" and "(And for '' it stops with UnboundLocalError.)" in result.message
    # A guard where the known mistake has none is no other mistake either.
    guarded = "if not new_words:\n    return 0.0\nreturn sum(word not in training_words for word in new_words)"
    assert check("1.2", answer("1.2", guarded)).mistake == "returns-count"


def test_no_false_guess():
    # Agreement is asked of all inputs where either is wrong, not only of the learner's wrong ones.
    exercise = find("10.6")
    drops_last = lambda ids, entries, fewer_than: exercise.reference(ids[:-1], entries, fewer_than)  # noqa: E731
    result = check("10.6", drops_last)
    assert result.mistake == "last-ignored" and "`ids`" in result.message
    for known in exercise.wrong_answers:
        assert known.message not in result.message


# Wrong on few inputs: a cause that must have shown on the others is not named, and the rest is a guess.
FEW = [
    ("3.1", "return reference(symbols, pair) if ''.join(pair).isalpha() else list(symbols)", "`pair` were not there"),
    ("4.1", "import re\ntext = ' '.join([*word, '</w>'])\nfor a, b in merges:\n"
     "    text = re.sub(rf'(?<!\\S){a} {b}(?!\\S)', lambda _: a + b, text)\nreturn text.split(' ')", "missing"),
    ("4.4", "return reference(symbols, {pair: str(rank) for pair, rank in ranks.items()})", "frequency"),
    ("5.7", "text = reference(tokens)\nreturn text.replace('\ufffd\ufffd', '\ufffd')", "comes only once"),
    ("5.2", "return sum(c not in known and c.isprintable() and not c.isspace() for c in text)", "ASCII"),
    ("1.3", "return reference(''.join(c for c in text if c < '\U00010000'), vocabulary)", "last item"),
]  # fmt: skip


@pytest.mark.parametrize("id, body, false", FEW, ids=[few[0] for few in FEW])
def test_few_wrong_results_prove_little(id, body, false):
    given = f"from bpe_core.classroom.exercises import find\nreference = find({id!r}).reference\n"
    result = check(id, answer(id, given + body))
    listed = [known.name for known in find(id).wrong_answers]
    assert result.outcome == "wrong" and false not in result.message
    assert "a guess from" in result.message or result.mistake in ("examples-only", None, *listed)


# --- Specs --------------------------------------------------------------------------------------------


def spec(known) -> FunctionExercise:
    return replace(find("2.1"), wrong_answers=(WrongAnswer("mine", known, "My words."),))


def times(n: int):
    reference = find("2.1").reference
    return lambda word: {pair: n * count for pair, count in reference(word).items()}


def test_several_functions_of_one_mistake():
    exercise = spec((times(2), times(3)))
    assert [judge(exercise, times(n), 1).mistake for n in (1, 2, 3, 4)] == [None, "mine", "mine", "factor"]


def test_a_mistake_known_by_its_result():
    def all_even(got, expected, word):
        return all(count % 2 == 0 for count in got.values())

    exercise = spec(ByResult(all_even, sample=times(2)))
    assert [judge(exercise, times(n), 1).mistake for n in (1, 2, 3, 4)] == [None, "mine", "factor", "mine"]
    assert exercise.wrong_answers[0].samples[0](["a", "b"]) == {("a", "b"): 2}
    assert judge(exercise, lambda word: 3, 1).mistake == "wrong-type"  # an error in the predicate is a no


def test_a_new_object_where_the_text_asks_for_one():
    exercise = find("3.1")
    same = lambda symbols, pair: merged if (merged := exercise.reference(symbols, pair)) != symbols else symbols  # noqa: E731
    assert judge(replace(exercise, fresh=False), same, 1).outcome == "passed"
    assert judge(replace(exercise, fresh=True), same, 1).mistake == "returns-same-object"
    assert judge(replace(exercise, fresh=True), exercise.reference, 1).outcome == "passed"


# --- Types that stand for others ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "id, convert, word",
    [
        ("2.1", lambda counts: {pair: np.int64(n) for pair, n in counts.items()}, "int64"),
        ("2.1", lambda counts: dict(pd.Series(list(counts.values()), index=list(counts), dtype="int32")), "int32"),
        ("1.2", np.float64, "float64"),
        ("1.2", np.float32, None),
        ("1.2", fractions.Fraction, "Fraction"),
        ("1.2", decimal.Decimal, "Decimal"),
        ("1.2", lambda share: int(share) if share in (0.0, 1.0) else share, "int"),
        ("1.5", np.uint32, "uint32"),
        ("9.7", lambda places: [np.int64(place) for place in places], "int64"),
    ],
)
def test_a_type_that_stands_for_the_same_value_passes_with_a_line(id, convert, word):
    reference = find(id).reference
    result = check(id, lambda *arguments: convert(reference(*arguments)))
    if word is None:  # float32 holds another number
        assert not result.passed
    else:
        assert result.passed and f"{word}, taken for the" in result.message
        exact = replace(find(id), exact_types=True)
        assert judge(exact, lambda *arguments: convert(reference(*arguments)), 1).mistake == "wrong-type"


@pytest.mark.parametrize("kind", [Counter, OrderedDict])
def test_a_counter_for_a_dict(kind):
    reference = find("2.1").reference
    assert check("2.1", lambda word: kind(reference(word))).message == "Right on every input tried."
    plain = judge(replace(find("2.1"), any_dict=False), lambda word: kind(reference(word)), 1)
    assert plain.outcome == "passed" and f"a {kind.__name__}, taken for the dict" in plain.message.replace("an ", "a ")


def test_arrays_are_no_lists():
    result = check("9.7", lambda first, second: np.array(find("9.7").reference(first, second)))
    assert result.mistake == "wrong-type" and "`.tolist()`" in result.message


@pytest.mark.parametrize(
    "id, value",
    [("2.3", 3.0), ("2.3", np.int64(3)), ("2.3", fractions.Fraction(3)), ("3.7", ("l", "ow", "est</w>"))],
)
def test_predictions_of_another_type_pass_with_a_line(id, value):
    result = check(id, value)
    assert result.passed and "your answer is a" in result.message and "taken for the" in result.message


def pieces(change) -> list:
    return [changed for piece in find("6.2").answer if (changed := change(piece))]


@pytest.mark.parametrize(
    "id, value, mistake, words",
    [
        ("10.3", (524, 288, 0), "wrong-type", "Write it without commas"),
        ("10.3", "524,288,000", "wrong-type", "without quotes"),
        ("6.2", pieces(lambda piece: piece.replace(" ", "·")), "visible-spaces", "Write the space itself"),
        ("6.2", pieces(lambda piece: piece.replace(" ", "Ġ")), "visible-spaces", "Write the space itself"),
        ("6.2", pieces(str.upper), "case", "capitals"),
        ("6.2", [*find("6.2").answer, ""], "empty-end", "empty item"),
        ("6.2", find("6.2").answer[:-1], "last-lost", "last item"),
        ("7.7", 61, None, "is not what comes out"),
    ],
)
def test_predictions_know_the_general_mistakes(id, value, mistake, words):
    result = check(id, value)
    assert (result.outcome, result.mistake) == ("wrong", mistake) and words in result.message


@pytest.mark.parametrize("id", [id for id, e in exercises().items() if e.kind == "predict"])
def test_a_prediction_of_a_number_is_never_told_how_far_off_it_is(id):
    right = find(id).answer
    if type(right) is int:
        for wrong in (right + 1, right - 1, right * 2):
            assert check(id, wrong).mistake not in ("one-too-high", "one-too-low", "factor")


# --- Errors -----------------------------------------------------------------------------------------

RAISING = [
    "print(unbound)\n    unbound = 1", "no_such_name", "{}['a']", "{[]: 1}", "['a'].index('b')", "for a, b in ['c']: pass",
    "b'\\xc3'.decode()", "'é'.encode('ascii')", "min([])", "1 / 0", "d = {1: 1}\n    for k in d: d[k + 1] = 1",
    "b'a' + 'b'", "'a'.decode()", "[].sort().index(1)", "a = [1]\n    a['a']", "[].items()", "().append(1)", "list(3)", "a = 3\n    a[0]",
    "'a' + 1", "1 < 'a'", "bytes([300])", "int('x')", "(lambda a: a)()",
    "a = 3\n    a()", "''.join([1])", "(1,)[0] = 2",
]  # fmt: skip


@pytest.mark.parametrize("line", RAISING)
def test_a_common_error_gets_advice(line):
    names: dict = {}
    exec(compile(f"import warnings\nwarnings.simplefilter('ignore')\ndef f():\n    {line}", "<f>", "exec"), names)
    failure = run_all(names["f"], [()])[0].failure
    assert error_advice(failure), failure


def test_advice_for_each_error_is_of_its_own():
    assert len({words for _, words in ERRORS}) == len(ERRORS)
    assert error_advice(Failure("error", "Evil", "no words")) == ""


# --- Display, plots, logging -----------------------------------------------------------------------------


def test_plots_and_logging_are_caught(capsys):
    before = plt.figure()
    root = logging.getLogger()
    handlers, show = root.handlers, plt.show

    def talks():
        logging.warning("logged")
        plt.figure()
        plt.show()
        plt.figure()
        return 1

    run = run_all(talks, [()])[0]
    assert run.value == ("int", 1) and "logged" in run.printed and "<a figure>" in run.printed
    assert plt.get_fignums() == [before.number] and plt.show is show and root.handlers is handlers
    assert capsys.readouterr() == ("", "")
    plt.close(before)


# --- What is said of a check without its stub ---------------------------------------------------------------


def test_check_finds_the_function_by_its_name():
    names = {"check": check}
    missing = eval("check('2.1')", names)
    assert missing.outcome == "not attempted" and "There is no `count_pairs_in_word` yet" in missing.message
    assert eval("check('2.1')", names | {"count_pairs_in_word": find("2.1").reference}).passed


def test_a_quiz_without_ipywidgets_names_it(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ipywidgets", None)
    card = quiz(2).live()
    assert "pip install ipywidgets" in repr(card) and "Run this cell" not in card._repr_html_()
