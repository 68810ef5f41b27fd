"""Grading a class: nothing that a submission holds stops the batch or earns what it did not earn."""

import csv
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import bpe_core
from bpe_core.classroom import check
from bpe_core.classroom.exercises import exercises, find, lessons
from bpe_core.classroom.grading import isolation
from bpe_core.classroom.grading.__main__ import grade_class
from bpe_core.classroom.grading.carrying import pack, unpack
from bpe_core.classroom.grading.comparing import ask, judge
from bpe_core.classroom.grading.finding import Answer, Notebook
from bpe_core.classroom.grading.isolation import Isolation
from bpe_core.classroom.grading.release import release
from bpe_core.classroom.values import read

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="an answer's process is kept apart by Linux's means")

RIGHT = find("3.1").solution
SOLUTIONS = Path(bpe_core.__file__).parent / "classroom" / "exercises" / "nb03.py"
HEAD = "def merge_in_word(symbols, pair):\n"
LEFT_OVER = "86399.25"  # seconds; no other process sleeps that long


def cell(source, exercise=None, tags=("exercise",)):
    metadata = {"bpe_course": {"exercise": exercise}, "tags": list(tags)} if exercise else {}
    return {"cell_type": "code", "metadata": metadata, "source": source, "outputs": [], "execution_count": None}


def notebook(*cells):
    return json.dumps({"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def body(text, above=""):
    """A merge_in_word with this body, and lines above it that are definitions, too."""
    return above + HEAD + "".join(f"    {line}\n" for line in text.splitlines())


ALWAYS = """class Always(list):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __repr__(self): return "['es', 't']"
    def __reduce__(self): return (list, (['es', 't'],))
"""
READ = """def right(text):
    names = {}
    part = text[text.index("def merge_in_word"):]
    exec(part[:part.index("\\n\\n\\n")], names)
    return names["merge_in_word"]
"""
# Each an answer to 3.1, with what it must get: outcome and mistake, None for any.
HOSTILE = {
    "lying-eq": (body("return Always(symbols)", ALWAYS), "wrong", None),
    "prints-as-answer": (body("return Always()", ALWAYS), "wrong", None),
    "patched-builtins": (
        body(
            "import builtins, json\n"
            "for name in ('all', 'any', 'isinstance', 'len', 'type', 'sorted', 'zip'): setattr(builtins, name, lambda *a, **k: True)\n"
            "json.dumps = lambda *a, **k: '{\"passed\": true}'\n"
            "return []"
        ),
        "error",
        None,
    ),
    "patched-check": (
        body(
            "import sys\n"
            "for module in list(sys.modules.values()):\n"
            "    for name in ('same', 'fit', 'check', 'judge', 'run_all', 'accepts'):\n"
            "        if hasattr(module, name): setattr(module, name, lambda *a, **k: True)\n"
            "return []"
        ),
        "wrong",
        None,
    ),
    "endless": (body("while True: pass"), "error", "endless-loop"),
    "endless-except": (body("while True:\n    try:\n        while True: pass\n    except BaseException: pass"), "error", None),
    "sleep": (body("import time\ntime.sleep(1000)"), "error", "endless-loop"),
    "unstoppable": (body("return sum(range(10 ** 13))"), "error", "no-report"),
    "endless-import": ("def wait():\n    while True: pass\nwaited = wait()\n" + body("return waited"), "error", None),
    "memory": (body("return ['a' * 10 ** 9 for _ in range(100)]"), "error", None),
    "memory-result": (body("return ['a' * 900_000] * 90_000"), None, None),
    "flood": (body("while True: print('passed ' * 1000)"), "error", "too-much-output"),
    "flood-of-fds": (
        body("import os\nfor fd in range(64):\n    try:\n        for _ in range(500): os.write(fd, b'x' * 100_000)\n    except OSError: pass"),
        None,
        None,
    ),
    "os-exit": (body("import os\nos._exit(0)"), "error", "no-report"),
    "sys-exit": (body("raise SystemExit"), "error", "exit"),
    "fork-bomb": (body("import os\nwhile True:\n    try:\n        os.fork()\n    except Exception: pass"), "error", None),
    "thread-bomb": (
        body("import threading, time\nwhile True:\n    try:\n        threading.Thread(target=time.sleep, args=(99,)).start()\n    except RuntimeError: pass"),
        "error",
        None,
    ),
    "left-over": (body(f"import subprocess\nsubprocess.Popen(['sleep', '{LEFT_OVER}'], start_new_session=True)\nreturn []"), "wrong", "forbidden"),
    "waiting-thread": (body("import threading, time\nthreading.Thread(target=time.sleep, args=(999,)).start()\nreturn []"), None, None),
    "imports-answer": ("from bpe_core import merge_pair\n" + body("return merge_pair(symbols, pair, ''.join(pair))"), "wrong", "forbidden"),
    "imports-solution": (
        body("m = __import__('bpe_core.classroom.exercises.nb03', fromlist=['x'])\nreturn m.merge_in_word(symbols, pair)"),
        "error",
        "ModuleNotFoundError",
    ),
    "reads-solution": (body(f"return right(open({str(SOLUTIONS)!r}).read())(symbols, pair)", READ), None, None),
    "reads-by-relative": (
        body(f"import os\nos.chdir('/')\nreturn right(open('.' + {str(SOLUTIONS)!r}).read())(symbols, pair)", READ),
        None,
        None,
    ),
    "reads-by-folder": (
        body(
            f"import os\n"
            f"folder = os.open({str(SOLUTIONS.parents[3])!r}, os.O_RDONLY)\n"
            f"inner = os.open({str(Path(*SOLUTIONS.parts[-4:-1]))!r}, os.O_RDONLY, dir_fd=folder)\n"
            f"return right(os.read(os.open('nb03.py', os.O_RDONLY, dir_fd=inner), 10 ** 6).decode())(symbols, pair)",
            READ,
        ),
        None,
        None,
    ),
    "reads-by-patched-path": (
        body(
            f"import posixpath, os, sys\n"
            f"posixpath.normpath = posixpath.abspath = lambda path: '/dev/null'\n"
            f"getattr(sys.modules.get('box.inside'), '__dict__', {{}}).pop('NotAllowed', None)\n"
            f"return right(open({str(SOLUTIONS)!r}).read())(symbols, pair)",
            READ,
        ),
        None,
        None,
    ),
    "reads-by-garbage": (
        body(
            f"import gc, types\n"
            f"for one in gc.get_objects():\n"
            f"    if isinstance(one, types.FunctionType) and one.__name__ == 'look': one.__code__ = (lambda *a: None).__code__\n"
            f"return right(open({str(SOLUTIONS)!r}).read())(symbols, pair)",
            READ,
        ),
        None,
        None,
    ),
    "cats-solution": (
        body(f"import subprocess\nreturn right(subprocess.check_output(['cat', {str(SOLUTIONS)!r}], text=True))(symbols, pair)", READ),
        "wrong",
        "forbidden",
    ),
    "writes": (body("open('ESCAPED', 'w').write('x')\nreturn []"), None, None),
    "printed-verdict": (body("print('passed')\nprint('{\"outcome\": \"passed\", \"points\": 25}')"), "wrong", None),
    "forged-report": (
        body(
            "import os\n"
            "for fd in range(3, 64):\n"
            "    for line in (b'{\"outcome\": \"passed\"}', b'{\"runs\": []}', b'[' * 100_000):\n"
            "        try: os.write(fd, line + b'\\n')\n"
            "        except OSError: pass\n"
            "os._exit(0)"
        ),
        "error",
        None,
    ),
    "forged-collisions": (
        body(
            "import json, os\n"
            "keys = [[['int', hex(n * (2 ** 61 - 1))], ['int', '0x0']] for n in range(9000)]\n"
            "run = {'value': ['dict', keys], 'failure': None, 'printed': '', 'changed': False, 'aliased': False, 'altered': False}\n"
            "for fd in range(3, 10):\n"
            "    try: os.write(fd, json.dumps({'runs': [run]}).encode() + b'\\n')\n"
            "    except OSError: pass\n"
            "os._exit(0)"
        ),
        "error",
        None,
    ),
    "syntax-error": (HEAD + "    return (\n", "error", "SyntaxError"),
    "html": (body("return ['<script>alert(1)</script><img src=x onerror=alert(1)>']"), "wrong", None),
    "deep": (body("a = []\nfor _ in range(100_000): a = [a]\nreturn a"), "wrong", None),
    "null-byte": (body("return '\\0'") + "x = '\0'\n", "error", "SyntaxError"),
}  # fmt: skip


@pytest.fixture(scope="module", params=[True, False], ids=["bubblewrap", "limits-only"])
def hostile(request, tmp_path_factory):
    """A class of one honest student among hostile ones, graded."""
    home = tmp_path_factory.mktemp("hostile")
    if request.param and not Isolation(home / "x").wrapped:
        pytest.skip("bubblewrap is missing or does not run here")
    folder, out = home / "in", home / "out"
    answers = {name: source for name, (source, _, _) in HOSTILE.items()}
    for name, source in {**answers, "honest": RIGHT, '=HYPERLINK("x")': RIGHT, "<b>Ada": RIGHT}.items():
        (folder / name).mkdir(parents=True)
        source = source.replace("ESCAPED", str(home / "escaped"))
        (folder / name / "03_merging.ipynb").write_text(notebook(cell(source, "3.1")), encoding="utf-8")
    for name in ("not-json", "large", "link", "zip", "empty", "json-list", "deep-json"):
        (folder / name).mkdir()
    (folder / "not-json" / "03_merging.ipynb").write_bytes(b"\xff\x00 passed")
    (folder / "json-list" / "03_merging.ipynb").write_text('[{"passed": true}]', encoding="utf-8")
    (folder / "deep-json" / "03_merging.ipynb").write_text("[" * 200_000, encoding="utf-8")
    (folder / "large" / "03_merging.ipynb").write_text('{"cells": [' + '"passed",' * 6_000_000, encoding="utf-8")
    (folder / "link" / "03_merging.ipynb").symlink_to(folder / "honest" / "03_merging.ipynb")
    with zipfile.ZipFile(folder / "zip" / "all.zip", "w") as archive:
        archive.writestr("../../../escaped/03_merging.ipynb", notebook(cell(body("return []"), "3.1")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(isolation, "SECONDS", 2)
        patch.setattr(os, "cpu_count", lambda: 6)  # most of them wait until they are stopped
        graded = grade_class(folder, out, lesson=3, wrapped=request.param)
    return home, {one.student: one for one in graded}


def first(graded, student):
    return next(row for row in graded[student].rows if row.exercise == "3.1")


def test_no_hostile_answer_gets_a_point(hostile):
    _, graded = hostile
    found = {name: (first(graded, name).outcome, first(graded, name).mistake) for name in HOSTILE}
    print(json.dumps(found, indent=1))
    wanted = {
        name: (outcome or found[name][0], mistake or found[name][1]) for name, (_, outcome, mistake) in HOSTILE.items()
    }
    assert found == wanted
    assert {name for name in HOSTILE if graded[name].points} == set()


def test_honest_students_beside_them_keep_their_points(hostile):
    _, graded = hostile
    assert {name: graded[name].points for name in ("honest", "<b>Ada", '=HYPERLINK("x")')} == {
        "honest": 25,
        "<b>Ada": 25,
        '=HYPERLINK("x")': 25,
    }


def test_files_that_are_no_notebooks_are_told_apart(hostile):
    _, graded = hostile
    for name in ("not-json", "large", "link", "empty", "json-list", "deep-json"):
        assert graded[name].trouble and not graded[name].rows
    assert first(graded, "zip").outcome == "wrong"


def test_nothing_is_left_of_hostile_answers(hostile):
    home, _ = hostile
    assert sorted(path.name for path in home.iterdir()) == ["in", "out"]
    lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert not [line for line in lines if LEFT_OVER.encode() in line]


def test_pages_and_tables_of_hostile_answers_are_harmless(hostile):
    home, _ = hostile
    pages = list((home / "out" / "feedback").glob("*.html"))
    assert len(pages) == len(HOSTILE) + 10
    for path in pages:
        text = path.read_text(encoding="utf-8")
        assert "<script" not in text and "<img" not in text and "<b>Ada" not in text
    for name in ("grades.csv", "exercises.csv"):
        with (home / "out" / name).open(encoding="utf-8", newline="") as file:
            values = [value for row in csv.reader(file) for value in row]
        assert '\'=HYPERLINK("x")' in values and not [one for one in values if one[:1] in ("=", "+", "@")]


# --- What is found ------------------------------------------------------------------------------


def found(*cells, id="3.1"):
    return Notebook(notebook(*cells).encode()).answer(find(id))


def test_an_answer_is_found_by_its_mark_else_by_its_name():
    assert "def merge_in_word" in found(cell(RIGHT, "3.1")).source
    assert "def merge_in_word" in found(cell("x = 1"), cell(RIGHT)).source
    assert found(cell("def another(): pass", "3.1")).outcome == "not found"
    assert found(cell("x = 1")).outcome == "not found"
    assert found(cell(find("3.1").stub, "3.1")).outcome == "not attempted"
    assert "return" in found(cell(find("3.1").stub, "3.1"), cell(RIGHT)).source  # answered in another cell


def test_what_an_answer_needs_comes_along_in_page_order():
    answer = found(
        cell("import re, os.path\nfrom json import loads, dumps\nraise SystemExit\nsecond = 2"),
        cell("%matplotlib inline\n!rm -rf x\nsecond += 1\nunused = second"),
        cell("def merge_in_word(symbols, pair):\n    return helper(symbols)", "3.1"),
        cell("def helper(a, b=loads):\n    return [re, second, *(inner for inner in a)]"),
    )
    assert answer.source.splitlines() == [
        "import re",
        "from json import loads",
        "second = 2",
        "second += 1",
        "def merge_in_word(symbols, pair):",
        "    return helper(symbols)",
        "def helper(a, b=loads):",
        "    return [re, second, *(inner for inner in a)]",
    ]
    assert not answer.left_out


def test_the_last_of_two_definitions_counts(tmp_path):
    wrong = body("return []")
    assert graded_alone(tmp_path / "a", cell(wrong + "\n\n" + RIGHT, "3.1")).outcome == "passed"
    assert graded_alone(tmp_path / "b", cell(RIGHT + "\n\n" + wrong, "3.1")).outcome == "wrong"


def graded_alone(folder, *cells, id="3.1"):
    exercise = find(id)
    answer = found(*cells, id=id)
    return judge(exercise, answer, ask(exercise, answer, Isolation(folder), 3), 3)


def test_what_is_not_run_is_named(tmp_path):
    card = graded_alone(tmp_path, cell("for n in range(3):\n    total = n"), cell(body("return [total]"), "3.1"))
    assert (card.outcome, card.mistake) == ("error", "needs-other-code")
    assert "`total`" in card.message


def test_a_wrong_answer_gets_the_words_that_check_has_for_it(tmp_path):
    exercise = find("3.2")
    known = next(one for one in exercise.wrong_answers if one.name == "replaces-text")
    source = "def merge_spaced(word, pair):\n    return word.replace(' '.join(pair), ''.join(pair))\n"
    card = graded_alone(tmp_path, cell(source, "3.2"), id="3.2")
    assert (card.outcome, card.mistake) == ("wrong", known.name)
    assert card.message.startswith(known.message)
    assert dict(card.rows)["expected"] != dict(card.rows)["you return"]


def test_an_error_shows_the_line_that_the_learner_wrote(tmp_path):
    card = graded_alone(tmp_path, cell(body("# a remark\nreturn symbols[99]"), "3.1"))
    assert card.mistake == "IndexError"
    assert "return symbols[99]" in card.code and "# a remark" in card.code


@pytest.mark.parametrize("id", ["3.3", "4.1", "8.1"])
def test_what_answers_an_exercise_by_itself_stops_and_says_why(tmp_path, id):
    taken = {"3.3": "pairs.learn_merges_naively", "4.1": "encoding.replay_merges", "8.1": "costs.count_tokens"}[id]
    exercise = find(id)
    module, name = taken.split(".")
    parameters = ", ".join(exercise.parameters)
    plain = (
        f"from bpe_core.{module} import {name}\ndef {exercise.name}({parameters}):\n    return {name}({parameters})\n"
    )
    hidden = (
        f"def {exercise.name}({parameters}):\n    import importlib\n"
        f"    return getattr(importlib.import_module('bpe_core.' + {module!r}), {name!r})({parameters})\n"
    )
    for number, source in enumerate((plain, hidden)):
        card = graded_alone(tmp_path / str(number), cell(source, id), id=id)
        assert (card.outcome, card.mistake) == ("wrong", "forbidden")
        assert "write it yourself" in card.message


def test_work_is_left_to_the_teacher():
    exercise = find("13.1")
    card = judge(exercise, Answer("scorecard = {}"), None, 3)
    assert card.outcome == "by hand" and str(exercise.points) in card.footer


def test_values_come_through_json_as_they_were():
    for value in (1, -(10**5000), 1.5, float("inf"), "a\ud800", b"\xff", None, True, {(1, "a"): [{2}]}, [[], ()]):
        assert unpack(json.loads(json.dumps(pack(read(value))))) == read(value)


def nested(depth):
    packed = ["int", "0x1"]
    for _ in range(depth):
        packed = ["list", [packed]]
    return packed


@pytest.mark.parametrize(
    "packed",
    [None, [], 3, ["int", 3], ["list", "ab"], ["dict", [[["list", []], ["int", "0x1"]]]], ["sure", 1], {}, nested(60)],
)
def test_what_nobody_packed_is_refused(packed):
    with pytest.raises(ValueError):
        unpack(packed)


@pytest.mark.parametrize(
    "report", [{"runs": []}, {"runs": 3}, {"runs": [{}]}, {"made": None}, {"value": []}, {"passed": True}, {}]
)
def test_a_report_that_nobody_can_read_earns_nothing(report):
    assert judge(find("3.1"), Answer(RIGHT), report, 3).outcome == "error"


# --- A whole class ------------------------------------------------------------------------------


def class_of(folder, **answers):
    for student, source in answers.items():
        (folder / student / "ps1").mkdir(parents=True)
        (folder / student / "ps1" / "lesson.ipynb").write_text(notebook(cell(source, "3.1")), encoding="utf-8")
    return folder


def files(out):
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and path.name[0] != "."
    }


def test_the_same_seed_gives_the_same_files_and_a_stopped_run_goes_on(tmp_path, monkeypatch):
    folder = class_of(tmp_path / "in", ada=RIGHT, bob=body("return []"), cy=body("return list({*symbols, pair[0]})"))
    grade_class(folder, tmp_path / "a", lesson=3, seed=5)
    grade_class(folder, tmp_path / "b", lesson=3, seed=5)
    assert files(tmp_path / "a") == files(tmp_path / "b")
    kept = tmp_path / "b" / ".graded.jsonl"
    kept.write_text(kept.read_text(encoding="utf-8")[:-20], encoding="utf-8")  # stopped while it wrote the last line
    runs, run = [], Isolation.run
    monkeypatch.setattr(Isolation, "run", lambda self, *given, **more: runs.append(1) or run(self, *given, **more))
    grade_class(folder, tmp_path / "b", lesson=3, seed=5)
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert len(runs) == 1  # the third student's only answer


def test_grades_have_the_columns_of_nbgraders_export(tmp_path):
    grade_class(class_of(tmp_path / "in" / "submitted", ada=RIGHT), tmp_path / "out")
    with (tmp_path / "out" / "grades.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["student_id"], row["assignment"], row["score"]) == ("ada", "ps1", "25")
    assert row["max_score"] == str(sum(one.points for one in lessons()[3].exercises))


def command(*given, **environment):
    return subprocess.run(
        [sys.executable, "-m", "bpe_core.classroom.grading", *map(str, given)],
        capture_output=True,
        text=True,
        env={**os.environ, "AS_ROOT": "1", **environment},
    )


def test_bad_input_gets_one_line(tmp_path):
    folder = class_of(tmp_path / "in", ada=RIGHT)
    (tmp_path / "file").touch()
    (tmp_path / "nobody").mkdir()
    for given, said in (
        ((tmp_path / "missing", tmp_path / "out"), "No such file"),
        ((tmp_path / "nobody", tmp_path / "out"), "no folder of a student"),
        ((folder, folder / "out"), "inside DIR"),
        ((folder, tmp_path / "file"), "File exists"),
        ((tmp_path / "file", tmp_path / "out"), "Not a directory"),
        ((folder, tmp_path / "out", "--lesson", "77"), "77"),
    ):
        done = command(*given)
        assert done.returncode == 1 and said in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="this is about root")
def test_root_is_refused_unless_asked_for(tmp_path):
    done = command(class_of(tmp_path / "in", ada=RIGHT), tmp_path / "out", AS_ROOT="")
    assert done.returncode == 1 and "AS_ROOT=1" in done.stderr and not (tmp_path / "out").exists()


@pytest.mark.long
def test_the_right_answer_to_every_exercise_passes(tmp_path):
    isolation = Isolation(tmp_path)
    others = {}
    for id, exercise in exercises().items():
        answer = found(cell(exercise.solution, id), id=id)
        card = judge(exercise, answer, ask(exercise, answer, isolation, 3), 3)
        if card.outcome != "passed":
            others[id] = card.outcome
    assert others == {"13.1": "by hand", "13.6": "by hand"}


TRIES = """
import os, socket
def tried(name, what):
    try: what()
    except Exception: pass
    else: print(name)
tried("reads", lambda: open({read!r}).read())
tried("lists", lambda: [os.listdir({home!r})[0]])
tried("writes", lambda: open("/usr/escaped", "w"))
tried("writes beside", lambda: open("/stage/escaped", "w"))
tried("connects", lambda: socket.create_connection(("1.1.1.1", 53), 1))
tried("kills", lambda: os.kill({pid}, 0))
tried("fills", lambda: open("/tmp/full", "wb").write(bytes(1 << 22)))
tried("is root", lambda: os.setuid(0))
"""


def test_bubblewrap_holds_by_itself(tmp_path):
    if not Isolation(tmp_path / "x").wrapped:
        pytest.skip("bubblewrap is missing or does not run here")
    folder = isolation.stage(tmp_path / "stage", ("bpe_core",))
    script = TRIES.format(read=str(SOLUTIONS), home=str(tmp_path), pid=os.getpid())
    line = [*isolation.bubblewrap(folder), os.path.realpath(sys.executable), "-c", f"{script}\nprint('ran')"]
    assert subprocess.run(line, capture_output=True, text=True).stdout.split("\n") == ["ran", ""]


def test_a_copy_for_nbgrader_has_an_answer_and_a_test_for_each_exercise(tmp_path):
    source = next((Path(bpe_core.__file__).parents[1] / "notebooks").glob("03_*.ipynb"))
    made = release(source, tmp_path)
    cells = [one for one in json.loads(made.read_text(encoding="utf-8"))["cells"] if "nbgrader" in one["metadata"]]
    marks = {one["metadata"]["nbgrader"]["grade_id"]: one["metadata"]["nbgrader"] for one in cells}
    asked = lessons()[3].exercises
    assert len(cells) == len(marks) == 2 * len(asked)
    for exercise in asked:
        answer, test = (marks[f"{kind}-{exercise.id.replace('.', '-')}"] for kind in ("answer", "test"))
        assert answer["solution"] and not answer["grade"] and not answer["locked"]
        assert test["grade"] and test["locked"] and not test["solution"] and test["points"] == exercise.points
    test = next("".join(one["source"]) for one in cells if one["metadata"]["nbgrader"]["grade"])
    with pytest.raises(AssertionError, match="Not attempted"):
        exec(test, {"check": check, "merge_in_word": ...})
    exec(test, {"check": check, "merge_in_word": find("3.1").reference})
