"""The engine behind the exercises: running, judging, cards, hints, quizzes, the progress file."""

import ast
import json
import linecache
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import threading
from collections import Counter, OrderedDict
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpe_core.classroom import check, hint, progress, quiz, records, running, solution
from bpe_core.classroom.cards import BADGES, Card
from bpe_core.classroom.exercises import find, find_lesson, lessons
from bpe_core.classroom.running import run_all
from bpe_core.classroom.values import loosen, plain, read, same, show, size

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def progress_file(tmp_path, monkeypatch):
    path = tmp_path / "progress.json"
    monkeypatch.setenv("BPE_COURSE_PROGRESS", str(path))
    monkeypatch.setattr(records, "_memory", [])
    monkeypatch.setattr(records, "_trouble", [])
    monkeypatch.setattr("bpe_core.classroom.quizzes._runs", {})
    monkeypatch.setattr("bpe_core.classroom.helping._hints_shown", {})
    monkeypatch.setattr("bpe_core.classroom.helping._asked", set())
    return path


@pytest.fixture
def quick(monkeypatch):
    """Give every function exercise a short time limit."""
    monkeypatch.setattr(
        "bpe_core.classroom.checking.find",
        lambda id: replace(find(id), seconds=0.2) if hasattr(find(id), "seconds") else find(id),
    )


def learner(source: str, name: str = "count_pairs_in_word", file: str = "<learner>") -> object:
    """Run a cell as a kernel does: in its own namespace, its source known to tracebacks."""
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names: dict = {"__name__": "__main__"}
    exec(compile(source, file, "exec"), names)
    return names[name]


RIGHT = """
def count_pairs_in_word(word):
    counts = {}
    for i in range(len(word) - 1):
        pair = (word[i], word[i + 1])
        counts[pair] = counts.get(pair, 0) + 1
    return counts
"""

# --- Values ------------------------------------------------------------------------------------

builtin_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=15,
)


@given(builtin_values)
def test_read_keeps_a_value(value):
    tagged = read(value)
    assert plain(tagged) == value and type(plain(tagged)) is type(value)
    assert same(tagged, read(value))
    assert show(tagged, limit=10**6) == repr(value) or "e+" in repr(value)
    assert size(tagged) >= 1


@pytest.mark.parametrize(
    "a, b", [(1, True), (1, 1.0), ((1,), [1]), ("a", b"a"), ({}, []), (None, 0), ({1: 1}, {True: 1}), ([[]], [()])]
)
def test_equal_for_python_is_not_the_same(a, b):
    assert not same(read(a), read(b)) and not same(read(b), read(a))


def test_order_of_dicts_and_tolerance():
    a, b = read({"x": 1, "y": 2}), read({"y": 2, "x": 1})
    assert same(a, b) and not same(a, b, ordered=True)
    assert same(read([0.5]), read([0.501]), tolerance=0.01) and not same(read([0.5]), read([0.501]))
    assert same(read(float("nan")), read(float("nan")))


def test_read_stops_at_what_is_too_large():
    loop: list = []
    loop.append(loop)
    for value in (loop, list(range(10**6)), "x" * 10**7):
        assert read(value)[0] == "huge"
        assert len(show(read(value))) < 200
    assert show(read(10**5000)) == "<an int of 16,610 bits>"


def test_own_methods_of_a_subclass_are_never_called():
    class Liar(list):
        def __eq__(self, other):
            return True

        def __iter__(self):
            raise AssertionError("called")

        __len__ = __repr__ = __hash__ = __getitem__ = __iter__

    tagged = read(Liar(["a"]))
    assert tagged == ("subclass", "Liar", ("list", (("str", "a"),)))
    assert not same(tagged, tagged) and loosen(tagged) == loosen(read(["a"]))
    assert show(tagged) == "Liar(['a'])"


# --- Outcomes ------------------------------------------------------------------------------------


def test_passed_card():
    result = check("2.1", learner(RIGHT))
    assert (result.outcome, result.mistake, result.passed) == ("passed", None, True)
    assert repr(result).startswith("✓ Passed · Exercise 2.1 · ") and "20 of 20 points" in repr(result)


def test_a_counter_will_do_where_the_spec_says_so():
    assert check("2.1", lambda word: Counter(zip(word, word[1:]))).passed
    assert check("2.1", lambda word: OrderedDict(Counter(zip(word, word[1:])))).passed
    assert check("2.1", lambda word: dict(reversed(Counter(zip(word, word[1:])).items()))).passed


def test_smallest_counterexample():
    source = RIGHT.replace(
        "return counts",
        "return {('x', 'y'): 3} if len(word) == 3 else {**counts, word[0]: 9} if len(word) == 4 else counts",
    )
    result = check("2.1", learner(source))
    assert (result.outcome, result.mistake) == ("wrong", None)
    assert dict(result.rows) == {
        "word": "['l', 'o', 'w']",
        "you return": "{('x', 'y'): 3}",
        "expected": "{('l', 'o'): 1, ('o', 'w'): 1}",
    }
    assert "The smallest one" in result.message


def test_mostly_a_known_mistake():
    # Wrong in another way for words of 7 and 8 symbols: a guess, and an example that it explains.
    source = RIGHT.replace("range(len(word) - 1)", "range(len(word) - 1 - (len(word) in (7, 8)) * 3 - (len(word) < 7))")
    result = check("2.1", learner(source))
    known = next(known for known in find("2.1").wrong_answers if known.name == result.mistake)
    assert known.name == "skips-last-pair" and result.message.endswith(known.message)
    assert result.message.startswith("Most wrong results (")
    shown = dict(result.rows)
    assert shown["you return"] == repr(known.answer(ast.literal_eval(shown["word"])))


def test_error_marks_the_learners_own_line():
    result = check("2.1", learner(RIGHT.replace("counts.get(pair, 0)", "counts[pair]")))
    assert (result.outcome, result.mistake) == ("error", "KeyError")
    assert ">   6 |         counts[pair] = counts[pair] + 1" in result.code
    assert ("word", "['a', 'a']") in result.rows
    helper = RIGHT.replace("counts.get(pair, 0) + 1", "get(counts, pair)") + "\ndef get(c, p):\n    return c[p] + 1\n"
    assert ">  10 |     return c[p] + 1" in check("2.1", learner(helper)).code
    library = RIGHT.replace("counts.get(pair, 0) + 1", "__import__('json').loads('{')")
    assert "json" in check("2.1", learner(library)).code


def test_no_path_reaches_the_card():
    result = check("2.1", learner("def count_pairs_in_word(word):\n    return word.x\n", file="/tmp/ipykernel_77/1.py"))
    assert "/tmp" not in repr(result) + result._repr_html_()


@pytest.mark.parametrize(
    "source, mistake",
    [
        ("sum = 0\ndef count_pairs_in_word(word):\n    return sum(word)", "shadowed-builtin"),
        ("list = [1]\ndef count_pairs_in_word(word):\n    return dict(x=list(word))", "shadowed-builtin"),
        ("def count_pairs_in_word(word):\n    len = len(word)\n    return {}", "shadowed-builtin"),
        ("def count_pairs_in_word(word):\n    len = 3\n    return {len(word): 1}", "shadowed-builtin"),
        (
            "def len(x): return 1\ndef count_pairs_in_word(word):\n    return {} if len(word) < 2 else {}",
            "shadowed-builtin",
        ),
        ("def count_pairs_in_word(word):\n    return wrod", "NameError"),
        ("def count_pairs_in_word(word):\n    return count_pairs_in_word(word)", "RecursionError"),
        ("def count_pairs_in_word(word):\n    raise SystemExit", "exit"),
        ("def count_pairs_in_word(word):\n    return 'x' * 10**11", "too-much-memory"),
        ("def count_pairs_in_word(word):\n    return [0] * 10**6", "huge-result"),
        ("def count_pairs_in_word(word):\n    yield 1", "wrong-type"),
        ("async def count_pairs_in_word(word):\n    return {}", "async"),
        ("def count_pairs_in_word():\n    return {}", "wrong-parameters"),
        ("def count_pairs_in_word(word, n):\n    return {}", "wrong-parameters"),
        ("def count_pairs_in_word(word):\n    if len(word) > 2:\n        return {}", "sometimes-none"),
        ("def count_pairs_in_word(word):\n    print('hello')\n    return 'x'", "wrong-type"),
        (
            "class Evil(Exception):\n    def __str__(self): raise SystemExit\ndef count_pairs_in_word(w):\n    raise Evil(w)",
            "Evil",
        ),
    ],
)
def test_mistakes_have_their_own_words(source, mistake):
    result = check("2.1", learner(source))
    assert result.outcome in ("wrong", "error") and result.mistake == mistake
    assert records.attempts()[-1]["mistake"] == mistake


def test_shadowed_names_are_named():
    result = check("2.1", learner("sum = 0\ndef count_pairs_in_word(word):\n    return sum(word)"))
    assert "`sum` is no longer Python's own" in result.message and "del sum" in result.message
    result = check("2.1", learner("def count_pairs_in_word(word):\n    len = len(word)\n    return {}"))
    assert "Inside your function, `len` is a variable of yours" in result.message


def test_checker_does_not_mind_shadowed_names_in_the_notebook():
    shadow = "".join(f"{name} = None\n" for name in ("list", "dict", "type", "repr", "isinstance", "print", "str"))
    assert check("2.1", learner(shadow + RIGHT)).passed


def test_a_lying_answer_fails():
    source = """
class Liar(dict):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    __hash__ = None
class Chameleon:
    __class__ = dict
    def __eq__(self, other): return True
"""
    for kind in ("Liar", "Chameleon"):
        result = check("2.1", learner(source + f"def count_pairs_in_word(word):\n    return {kind}()"))
        assert result.mistake == "wrong-type" and kind in result.message
    assert (
        check("2.3", learner("class N(int):\n  def __eq__(s, o): return True\nn = N(3)", "n")).mistake == "wrong-type"
    )
    assert (
        check("2.5", learner("class S(str):\n  def __eq__(s, o): return True\ns = S('c')", "s")).mistake == "no-option"
    )


def test_inner_types_are_checked():
    result = check("2.1", lambda word: {"".join(p): 1 for p in []} or {(a, b): 1.0 for a, b in zip(word, word[1:])})
    assert result.outcome == "wrong"
    result = check("2.1", lambda word: {p: float(n) for p, n in Counter(zip(word, word[1:])).items()})
    assert result.mistake == "wrong-type" and "float" in result.message and "int" in result.message
    assert check("3.3", lambda words, n: [list(p) for p in find("3.3").reference(words, n)]).mistake == "wrong-type"


def test_an_argument_kept_and_changed_later_does_no_harm():
    source = (
        "seen = []\ndef count_pairs_in_word(word):\n    seen.append(word)\n" + "    for w in seen[:-1]: w.append('z')\n"
    )
    assert check("2.1", learner(source + RIGHT.split("(word):\n")[1])).passed


def test_what_is_printed_is_shown_but_not_held_against():
    assert check("2.1", learner(RIGHT.replace("return", "print(counts)\n    return"))).passed
    result = check("2.1", learner("def count_pairs_in_word(word):\n    print('here', word)\n    return {}"))
    assert ("printed", "here ['a', 'a']") in result.rows


# --- Time --------------------------------------------------------------------------------------

LOOPS = {
    "pass": "while True: pass",
    "lines": "while True:\n        word = word",
    "except Exception": "while True:\n        try: word[99]\n        except Exception: pass",
    "bare except": "while True:\n        try:\n            word[99]\n        except:\n            pass",
    "bare except, one line": "while True:\n        try: pass\n        except: pass",
    "except BaseException": "while True:\n        try:\n            len(word)\n        except BaseException:\n            continue",
    "sleep": "__import__('time').sleep(30)",
    "nested": "for _ in iter(int, 1):\n        for _ in range(10**9): sum(word for word in [])",
}


@pytest.mark.parametrize("loop", LOOPS)
def test_endless_loop(loop, quick):
    if loop == "sleep" and not hasattr(signal, "pthread_kill"):
        pytest.skip("nothing ends time.sleep here")
    number = getattr(signal, "SIGALRM", signal.SIGINT)
    before = signal.getsignal(number), sys.gettrace()
    result = check("2.1", learner(f"def count_pairs_in_word(word):\n    {LOOPS[loop]}\n"))
    assert (result.outcome, result.mistake) == ("error", "endless-loop")
    assert ">" in result.code and "0.2 seconds" in result.message
    assert (signal.getsignal(number), sys.gettrace()) == before


@pytest.mark.parametrize("loop", ["pass", "lines", "except Exception", "bare except, one line", "nested"])
def test_endless_loop_without_signals_to_threads(loop, quick, monkeypatch):
    # As on Windows: another thread interrupts the main one.
    monkeypatch.delattr(signal, "pthread_kill", raising=False)
    monkeypatch.delattr(signal, "SIGALRM", raising=False)
    before = signal.getsignal(signal.SIGINT)
    assert check("2.1", learner(f"def count_pairs_in_word(word):\n    {LOOPS[loop]}\n")).mistake == "endless-loop"
    assert signal.getsignal(signal.SIGINT) is before
    assert check("2.1", learner(RIGHT)).passed


@pytest.mark.parametrize("loop", ["pass", "lines", "except Exception", "nested"])
def test_endless_loop_in_another_thread(loop, quick):
    found = []
    function = learner(f"def count_pairs_in_word(word):\n    {LOOPS[loop]}\n")
    thread = threading.Thread(target=lambda: found.append(check("2.1", function)), daemon=True)
    thread.start()
    thread.join(10)
    assert found and found[0].mistake == "endless-loop"


def test_stop_button_still_works():
    source = "import signal\ndef count_pairs_in_word(word):\n    signal.raise_signal(signal.SIGINT)\n"
    with pytest.raises(KeyboardInterrupt):
        check("2.1", learner(source))
    assert records.attempts() == []


def test_flood_is_stopped():
    result = check("2.1", learner("def count_pairs_in_word(word):\n    while True: print('x')\n"))
    assert result.mistake == "too-much-output"
    assert len(repr(result)) < 2000


def test_memory_limit_is_lifted_again():
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_AS)
    run_all(lambda: "x" * 10**11, [()])
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_streams_are_restored():
    before = sys.stdout, sys.stderr
    check("2.1", learner("def count_pairs_in_word(word):\n    raise SystemExit"))
    assert (sys.stdout, sys.stderr) == before


# --- The wrong kind of thing -----------------------------------------------------------------------


def test_unknown_ids():
    for wrong in ("2.11", "21", "x", ""):
        with pytest.raises(LookupError) as error:
            check(wrong, None)
        assert "progress()" in str(error.value) and len(str(error.value)) < 120
    assert check(" 2.1 ", ...).exercise == "2.1"
    with pytest.raises(LookupError, match=r"Nearest: 2\.1"):
        check("2.l", None)
    with pytest.raises(TypeError, match="in quotes"):
        check(2.1, None)
    for ask in (hint, solution):
        with pytest.raises(LookupError, match="Nearest"):
            ask("3.11")


def test_the_function_itself_is_expected():
    call = '`check("2.1", count_pairs_in_word)`'
    for answer, words in [
        ({("a", "b"): 1}, "without calling it"),
        (None, "without calling it"),
        ("count_pairs_in_word", "without quotes"),
        (42, "What is expected is your function"),
        (object(), "What is expected is your function"),
    ]:
        result = check("2.1", answer)
        assert result.mistake == "no-function" and words in result.message and call in result.message


def test_predictions_of_a_wrong_type():
    assert "without quotes" in check("2.3", "3").message
    assert check("2.3", [3]).mistake == check("2.3", True).mistake == "wrong-type"
    assert check("2.3", 77).outcome == "wrong" and "77" in check("2.3", 77).message
    assert check("3.7", "l ow est</w>").mistake == "one-text"
    assert check("3.5", 99).mistake == "beyond-the-end"


def test_methods_and_partials_are_functions_too():
    import functools

    class Counting:
        def count(self, word):
            return dict(Counter(zip(word, word[1:])))

        __call__ = count

    assert check("2.1", Counting().count).passed and check("2.1", Counting()).passed
    assert check("2.1", functools.partial(lambda _, word: Counter(zip(word, word[1:])), None)).passed
    assert check("2.1", len).outcome == "wrong"


@pytest.mark.parametrize("body", ["...", "pass", "return None", "return", '"""Text."""', '"""Text."""\n    pass'])
def test_empty_functions_are_not_attempted(body):
    assert check("2.1", learner(f"def count_pairs_in_word(word):\n    {body}\n")).outcome == "not attempted"


# --- Cards -------------------------------------------------------------------------------------


def test_cards_escape_what_the_learner_wrote():
    result = check("2.1", learner("def count_pairs_in_word(word):\n    raise ValueError('<script>alert(1)</script>')"))
    html = result._repr_html_()
    assert "<script>" not in html and "&lt;script&gt;" in html
    assert "<img" not in check("2.3", "<img src=x>")._repr_html_()


def test_cards_are_deterministic():
    wrong = learner("def count_pairs_in_word(word):\n    return {'x': len(word)}")
    first, second = check("2.1", wrong), check("2.1", wrong)
    assert repr(first) == repr(second) and first._repr_html_() == second._repr_html_()


def luminance(color: str) -> float:
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    channels = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]


def test_badges_have_icon_word_and_contrast():
    for badge, (icon, word, color) in BADGES.items():
        card = Card(badge, "H")
        assert icon in card._repr_html_() and word in card._repr_html_() and repr(card).startswith(f"{icon} {word}")
        assert (luminance(color) + 0.05) / 0.05 >= 4.5  # black text on it
    outcomes = [BADGES[name][0] for name in ("not attempted", "passed", "wrong", "error")]
    assert len(set(outcomes)) == 4


def test_text_and_html_say_the_same():
    result = check("2.1", learner("def count_pairs_in_word(word):\n    return {}"))
    html = re.sub(r"<[^>]+>", "", result._repr_html_()).replace("&#x27;", "'").replace("&quot;", '"')
    for line in repr(result).replace("`", "").splitlines():
        for part in line.strip().split("  "):
            assert part.strip() in html or "·" in part


# --- Hints and solutions -----------------------------------------------------------------------


def test_solution_shows_after_two_attempts():
    assert solution("2.1").code == ""
    check("2.2", len)
    check("2.2", len)
    assert "def count_pairs_in_words" in solution("2.2").code


def test_solution_shows_after_the_last_hint():
    for _ in find("2.1").hints:
        last = hint("2.1")
    assert 'solution("2.1")' in last.footer and "def count_pairs_in_word" in solution("2.1").code


def test_solution_shows_when_asked_twice():
    first = solution("2.1")
    assert first.code == "" and 'solution("2.1")' in first.footer
    assert "def count_pairs_in_word" in solution("2.1").code
    solution("2.3")
    assert ("pairs_in_aaaa", "3") in solution("2.3").rows and "count_pairs" in solution("2.3").code
    solution("2.5")
    assert ("tie_means", '"c"') in solution("2.5").rows


# --- Quiz --------------------------------------------------------------------------------------


def test_quiz_is_readable_without_a_kernel():
    for number, lesson in lessons().items():
        view = quiz(number)
        html = view._repr_html_()
        assert html.count("<details>") == html.count("</details>") == 4
        for question in lesson.questions:
            for option in question.options:
                assert option.text in repr(view)
        assert html == quiz(number)._repr_html_() and "right ·" not in repr(view)
    with pytest.raises(LookupError):
        quiz(99)
    with pytest.raises(TypeError):
        quiz("2")


def right_letters(number):
    return ["abcd"[[o.right for o in q.options].index(True)] for q in find_lesson(number).questions]


def test_quiz_points_count_once():
    for _ in range(2):
        run = quiz(2)
        for i, letter in enumerate(right_letters(2), 1):
            card = run.answer(i, letter)
            assert card.badge == "passed"
            assert all(option.why in repr(card) for option in run.questions[i - 1].options)
        assert run.score() == "4 right of 4 answered: 65 points, 25 of them for a perfect quiz."
    assert "65 of" in dict(progress().rows)["02 Counting pairs"]


def test_a_run_goes_on_until_all_is_answered():
    for i, letter in enumerate(right_letters(2), 1):
        card = quiz(2).answer(str(i), letter)
    assert "25 of them for a perfect quiz" in card.footer and "quiz 2 perfect" in records.passed()
    assert "of 1 answered" in quiz(2).answer(1, right_letters(2)[0]).footer


def test_only_the_first_answer_of_a_run_counts():
    run = quiz(2)
    first = right_letters(2)[0]
    assert run.answer(1, "abcd"[("abcd".index(first) + 1) % 4]).badge == "wrong"
    run.answer(1, first)
    assert run.score() == "0 right of 1 answered: 0 points."
    for wrong in ((0, "a"), (5, "a"), (1, "e"), (1, None), ("x", "a")):
        with pytest.raises(LookupError):
            run.answer(*wrong)


def test_live_quiz():
    live = quiz(3).live()
    bundle = live._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle and "Run this cell" in bundle["text/html"]
    for i, letter in enumerate(right_letters(3)):
        text, radio, button, reply = live.children[i].children
        assert radio.index is None and button.disabled and reply.value == ""
        button.click()
        assert reply.value == ""
        radio.value = letter
        assert not button.disabled
        button.click()
        assert button.disabled and radio.disabled and "Passed" in reply.value
    assert "4 right of 4" in live.children[-1].value
    assert "quiz 3 perfect" in records.passed()


# --- Progress ----------------------------------------------------------------------------------


def test_file_holds_no_code_and_no_names(progress_file):
    check("2.1", learner("def count_pairs_in_word(word):\n    return {}  # secret"))
    check("2.1", learner(RIGHT))
    data = json.loads(progress_file.read_text(encoding="utf-8"))
    assert [set(entry) for entry in data["attempts"]] == [{"exercise", "outcome", "mistake", "attempt", "time"}] * 2
    assert [entry["attempt"] for entry in data["attempts"]] == [1, 2]
    assert "secret" not in progress_file.read_text(encoding="utf-8")
    assert sorted(os.listdir(progress_file.parent)) == ["progress.json", "progress.json.lock"]


def finish(number):
    for exercise in lessons()[number].exercises:
        check(exercise.id, getattr(exercise, "reference", None) or exercise.answer)
    run = quiz(number)
    for i in range(1, 5):
        run.answer(i, right_letters(number)[i - 1])


def test_points_count_once_and_stay():
    for number in [n for n in lessons() if n < 2]:
        finish(number)
    before = progress().heading.split("·")[1]
    for source in (RIGHT, RIGHT, "def count_pairs_in_word(word):\n    return {}", RIGHT):
        check("2.1", learner(source))
    points = [int(re.search(r"([\d,]+) of", text)[1].replace(",", "")) for text in (before, progress().heading)]
    assert points[1] - points[0] == 20
    assert "✓ 2.1" in repr(progress()) and "○ 2.2" in repr(progress())
    assert "Next: exercise 2.2" in repr(progress()) and "Next: exercise 2.2" in progress()._repr_html_()


def test_finished_notebook():
    for number in [n for n in lessons() if n < 2]:
        finish(number)
    for exercise in lessons()[2].exercises:
        check(exercise.id, getattr(exercise, "reference", None) or exercise.answer)
    assert "Next: the quiz of notebook 02" in repr(progress())
    finish(2)
    row = dict(progress().rows)["02 Counting pairs"]
    total = sum(exercise.points for exercise in lessons()[2].exercises) + 40 + 25 + 50
    assert row.startswith(f"✓ finished · {total} of {total} points")


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff\xfe", b'{"attempts": 3}', b"", b"[" * 100_000])
def test_damaged_file_is_set_aside(content, progress_file):
    progress_file.write_bytes(content)
    assert "was damaged" in repr(check("2.1", learner(RIGHT)))
    assert "was damaged" not in repr(check("2.2", find("2.2").reference))
    assert progress_file.with_name("progress.json.damaged-1").read_bytes() == content
    assert records.passed() == {"2.1", "2.2"}
    progress_file.write_bytes(content)
    assert records.attempts() == [] and progress_file.with_name("progress.json.damaged-2").exists()


def test_other_versions_are_read(progress_file):
    old = {"attempts": [{"exercise": "2.1", "outcome": "passed"}, {"exercise": 3}, "nonsense"]}
    progress_file.write_text(json.dumps(old), encoding="utf-8")
    assert records.passed() == {"2.1"}
    progress_file.write_text(json.dumps(old | {"version": 9, "badges": ["new"]}), encoding="utf-8")
    check("2.3", 3)
    data = json.loads(progress_file.read_text(encoding="utf-8"))
    assert data["version"] == 9 and data["badges"] == ["new"] and records.passed() == {"2.1", "2.3"}


def test_a_file_saved_by_notepad_is_read(progress_file):
    check("2.1", learner(RIGHT))
    progress_file.write_bytes(b"\xef\xbb\xbf" + progress_file.read_bytes())
    assert "damaged" not in repr(check("2.3", 3)) and records.passed() == {"2.1", "2.3"}


def test_nothing_can_be_written(tmp_path, monkeypatch, progress_file):
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("BPE_COURSE_PROGRESS", str(tmp_path / "file" / "progress.json"))
    assert check("2.1", learner(RIGHT)).passed
    for card in (check("2.3", 3), quiz(2).answer(1, "a"), progress()):
        assert (
            "Not saved" in repr(card)
            and "kept for this session" in card._repr_html_()
            and "/" not in card.paragraphs[-1]
        )
    assert "✓ 2.1" in repr(progress()) and records.passed() >= {"2.1", "2.3"}
    # What was kept in memory is written when writing works again.
    monkeypatch.setenv("BPE_COURSE_PROGRESS", str(progress_file))
    assert "Not saved" not in repr(check("2.5", "c")) + repr(progress())
    kept = {entry["exercise"] for entry in json.loads(progress_file.read_text(encoding="utf-8"))["attempts"]}
    assert kept == {"2.1", "2.3", "2.5", "quiz 2.1"} and records._memory == []


def test_a_lock_held_by_another_program(progress_file, monkeypatch):
    monkeypatch.setattr(records, "LOCK_SECONDS", 0.05)
    with ExitStack() as held:
        records._lock(progress_file.with_name("progress.json.lock"), held)
        assert "another program holds it" in repr(check("2.1", learner(RIGHT)))
    assert "Not saved" not in repr(check("2.3", 3)) and records.passed() == {"2.1", "2.3"}


@pytest.mark.parametrize("act", ["replace", "read_text"])
def test_a_file_that_another_kernel_holds_for_a_moment(act, progress_file, monkeypatch):
    # As on Windows: PermissionError while another one reads or replaces it.
    records.record("2.1", "passed")
    owner = os if act == "replace" else Path
    real, calls = getattr(owner, act), []

    def busy(*arguments, **options):
        calls.append(arguments)
        if len(calls) < 4:
            raise PermissionError(13, "The process cannot access the file")
        return real(*arguments, **options)

    monkeypatch.setattr(owner, act, busy)
    records.record("2.3", "passed")
    assert len(calls) == 4 and records.trouble() == () and records.passed() == {"2.1", "2.3"}


def test_a_failed_write_leaves_the_old_file(progress_file, monkeypatch):
    check("2.1", learner(RIGHT))
    before = progress_file.read_text(encoding="utf-8")

    def crash(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(records.os, "replace", crash)
    assert "No space left" in repr(check("2.3", 3))
    assert progress_file.read_text(encoding="utf-8") == before
    assert sorted(os.listdir(progress_file.parent)) == ["progress.json", "progress.json.lock"]
    assert records.passed() == {"2.1", "2.3"}


def _record_many(path: str, name: str) -> None:
    os.environ["BPE_COURSE_PROGRESS"] = path
    for i in range(20):
        records.record(f"{name}.{i}", "passed")


def test_two_kernels_at_once(progress_file):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_record_many, args=(str(progress_file), name)) for name in ("a", "b")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(records.passed()) == 40


def test_the_file_does_not_grow_without_end(progress_file):
    records.record("2.1", "passed")
    for i in range(60):
        records.record("2.1", "wrong", f"m{i}")
    kept = records.attempts()
    assert len(kept) <= 51 and kept[0]["outcome"] == "passed" and kept[-1]["attempt"] == 61


@pytest.mark.parametrize(
    "platform, variables, place",
    [
        ("linux", {}, "home/.local/share"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data"),
        ("darwin", {}, "home/Library/Application Support"),
        ("win32", {"APPDATA": "/roaming"}, "/roaming"),
        ("win32", {}, "home/AppData/Roaming"),
    ],
)
def test_place_of_the_file(platform, variables, place, monkeypatch):
    for name in ("BPE_COURSE_PROGRESS", "XDG_DATA_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    for name in ("HOME", "USERPROFILE"):  # Unix reads the first, Windows the second
        monkeypatch.setenv(name, "home")
    monkeypatch.setattr(sys, "platform", platform)
    assert records.progress_path() == Path(place) / "bpe-course" / "progress.json"


# --- Import and output -----------------------------------------------------------------------------


def test_import_is_light():
    code = "import bpe_core.classroom, sys"
    code += "; assert not {'ipywidgets', 'IPython', 'matplotlib', 'pandas', 'numpy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_capped_output_counts_characters():
    with pytest.raises(running.TooMuchOutput), running.captured_output():
        print("x" * 30_000)
