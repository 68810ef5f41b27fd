"""Every exercise and every quiz, from its spec: a new one is proven by being listed."""

import ast
import dataclasses
import re
import symtable
from collections import Counter
from pathlib import Path

import nbformat
import pytest
from authoring import cell_kind, check_call
from conftest import load_cases
from nbclient import NotebookClient

import bpe_core
from bpe_core import classroom, pairs
from bpe_core.classroom import check, hint, records, verdicts
from bpe_core.classroom.exercises import exercises, lessons
from bpe_core.classroom.mistakes import WEAK
from bpe_core.classroom.running import run_all
from bpe_core.classroom.spec import ChooseExercise, FunctionExercise, PredictExercise, WorkExercise
from bpe_core.classroom.values import read

ROOT = Path(__file__).parent.parent
ALL = exercises()
FUNCTIONS = {id: e for id, e in ALL.items() if isinstance(e, FunctionExercise)}
PREDICTIONS = {id: e for id, e in ALL.items() if isinstance(e, PredictExercise)}
CHOICES = {id: e for id, e in ALL.items() if isinstance(e, ChooseExercise)}
WORKS = {id: e for id, e in ALL.items() if isinstance(e, WorkExercise)}
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
SEEDS = range(5)


@pytest.fixture(autouse=True)
def progress_file(tmp_path, monkeypatch):
    monkeypatch.setenv("BPE_COURSE_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.setattr(records, "_memory", [])


def run_cell(source: str, id: str):
    names: dict = {}
    exec(compile(source, f"<cell {id}>", "exec"), names)
    return names[ALL[id].name]


# --- What every exercise must have ---------------------------------------------------------


def test_ids_and_names_are_unique_and_belong_to_their_notebook():
    listed = [exercise for lesson in lessons().values() for exercise in lesson.exercises]
    for what in ("id", "name"):
        twice = [value for value, n in Counter(getattr(e, what) for e in listed).items() if n > 1]
        assert not twice, f"two exercises have the same {what}: {', '.join(twice)}"
    for number, lesson in lessons().items():
        for exercise in lesson.exercises:
            told = f"{exercise.id!r} is listed in lesson {number}: its id must be {number}. and a number, as {number}.9"
            assert re.fullmatch(rf"{number}\.[1-9]\d*", exercise.id), told


def test_an_id_means_the_same_exercise_for_ever():
    # Saved progress hangs on the ids. A new exercise takes a free one, wherever it stands on the page.
    for id, name in load_cases("exercise-ids.json").items():
        told = f"{id} was {name} once: an id that was given is never given to another exercise, nor dropped"
        assert id in ALL and ALL[id].name == name, told


def test_every_lesson_has_enough_of_different_kinds():
    for lesson in lessons().values():
        assert len(lesson.exercises) >= 3, f"lesson {lesson.number} needs three exercises or more"
        kinds = {e.kind for e in lesson.exercises}
        assert len(kinds) >= 3, f"lesson {lesson.number} has only {kinds}; three kinds keep it varied"


def test_no_exercise_hides_a_name_of_bpe_core():
    # A stub that returns None must not break the cells that use bpe_core.
    taken = set(dir(bpe_core)) | set(dir(pairs)) | set(classroom.__all__)
    hidden = taken & {e.name for e in ALL.values()}
    assert not hidden, f"bpe_core has these names already, give the function or variable another: {hidden}"


@pytest.mark.parametrize("id", ALL)
def test_fields(id):
    exercise = ALL[id]
    assert exercise.points > 0 and exercise.title, "points above 0 and a title are needed"
    assert exercise.kind in ("write", "mend", "predict", "choose", "work")
    assert len(exercise.hints) == 3, f"exactly three hints, from vague to concrete; here are {len(exercise.hints)}"
    names = [known.name for known in exercise.wrong_answers]
    messages = [known.message for known in exercise.wrong_answers]
    assert len(set(names)) == len(names), "two known wrong answers have the same name"
    assert len(set(messages)) == len(messages), (
        "two known wrong answers have the same message: make them one, or differ"
    )
    long = [line for line in ALL[id].stub.splitlines() if len(line) > 77]
    assert not long, f"lines of the stub must fit the page, at most 77 characters: {long}"


@pytest.mark.parametrize("id", ALL)
def test_stub_is_not_attempted_and_leaves_no_trace(id):
    result = check(id, run_cell(ALL[id].stub, id))
    assert result.outcome == "not attempted" and not result.passed, f"the untouched stub must not be judged:\n{result}"
    assert check(id, ...).outcome == "not attempted"
    assert records.attempts() == []


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("id", ALL)
def test_solution_passes(id, seed):
    result = check(id, run_cell(ALL[id].solution, id), seed=seed)
    assert result.outcome == "passed", f"the reference, pasted into the cell, does not pass:\n{result}"
    assert [entry["outcome"] for entry in records.attempts()] == ["passed"]


@pytest.mark.parametrize("id", ALL)
def test_hints_come_one_by_one(id, monkeypatch):
    monkeypatch.setattr("bpe_core.classroom.helping._hints_shown", {})
    shown = [hint(id) for _ in range(len(ALL[id].hints) + 1)]
    assert [card.paragraphs[0] for card in shown] == [*ALL[id].hints, ALL[id].hints[-1]]
    assert "hint 1 of 3" in shown[0].heading


# --- Functions -------------------------------------------------------------------------------


@pytest.mark.parametrize("id", FUNCTIONS)
def test_at_least_four_known_wrong_answers(id):
    found = len(FUNCTIONS[id].wrong_answers)
    assert found >= 4, f"{found} known wrong answers: list at least four that learners really give"


@pytest.fixture
def run_once(monkeypatch):
    # The models stand beside each answer that is judged: here each function runs once on the same probes.
    saved = {}

    def run(function, probes, *, seconds=2.0):
        key = function, repr(probes)
        if key not in saved:
            saved[key] = run_all(function, probes, seconds=seconds)
        return saved[key]

    monkeypatch.setattr(verdicts, "run_all", run)
    return run


@pytest.mark.parametrize("seed", SEEDS[:2])
@pytest.mark.parametrize("id", FUNCTIONS)
def test_each_wrong_answer_gets_its_own_message(id, seed, run_once):
    exercise = FUNCTIONS[id]
    probes, behaviors = exercise.probes(seed), {}
    for known, sample in [(one, sample) for one in exercise.wrong_answers for sample in one.samples]:
        result = check(id, sample, seed=seed)
        told = f"the known wrong answer {known.name!r} got another verdict, {result.mistake!r}:\n{result}"
        assert result.outcome in ("wrong", "error"), told
        assert (result.mistake, result.message) == (known.name, known.message), told
        assert known.message in repr(result) and result.rows, told
        behavior = tuple(run.outcome() for run in run_once(sample, probes, seconds=exercise.seconds))
        alike = f"{known.name} and {behaviors.get(behavior)} give the same on all probes: add one that parts them"
        assert behavior not in behaviors, alike
        behaviors[behavior] = known.name


@pytest.mark.parametrize("id", FUNCTIONS)
def test_mend_starts_from_a_known_mistake(id):
    exercise = FUNCTIONS[id]
    if exercise.kind == "mend":
        buggy = run_cell(ALL[id].stub, id)
        told = "the broken code that the learner finds must be the first of the known wrong answers"
        assert check(id, lambda *arguments: buggy(*arguments)).mistake == exercise.wrong_answers[0].name, told
        assert exercise.wrong_answers[0].answer is exercise.buggy, told
    else:
        assert ALL[id].stub.endswith("    ..."), "the stub must end in `...`: what is the reference's docstring?"


@pytest.mark.parametrize("id", FUNCTIONS)
def test_lookup_table_of_the_examples_fails(id):
    exercise = FUNCTIONS[id]
    assert exercise.examples, "the reference's docstring shows no example: `>>> name(arguments)`, on one line"
    table = {repr(read(arguments)): exercise.reference(*arguments) for arguments in exercise.examples}
    other = next(iter(table.values()))

    def lookup(*arguments):
        return table.get(repr(read(arguments)), other)

    result = check(id, lookup)
    told = f"a function that knows the docstring's examples by heart must fail, and be told so:\n{result}"
    if all(value == other for value in table.values()):
        assert result.mistake == "constant", told
    else:
        weak = {name for name, _, _ in WEAK}
        assert result.mistake in weak or "Right on the examples shown" in result.message, told
    found = len(exercise.probes())
    assert found >= 20, f"{found} probes with the docstring's examples: make_probes must give more, 20 in all at least"


@pytest.mark.parametrize("id", FUNCTIONS)
def test_mistakes_that_any_function_can_have(id, monkeypatch, run_once):
    exercise = FUNCTIONS[id]
    reference = exercise.reference

    def changes(first, *rest):
        result = reference(first, *rest)
        if isinstance(first, list):
            first.append("z")
        elif isinstance(first, dict):
            first["z"] = 1
        return result

    def wrapped(*arguments):
        result = reference(*arguments)
        return [result] if isinstance(result, tuple) else (result,)

    def forgets(*arguments):
        reference(*arguments)

    def floods(*arguments):
        while True:
            print("x" * 100)

    def loops(*arguments):
        while True:
            pass

    quick = dataclasses.replace(exercise, seconds=0.2)
    found = {
        "none": check(id, forgets),
        "printed": check(id, lambda *arguments: print(reference(*arguments))),
        "type": check(id, wrapped),
        "called": check(id, reference(*exercise.examples[0])),
        "flood": check(id, floods),
    }
    assert found["none"].mistake == "returns-none"
    assert found["printed"].mistake == "prints"
    assert found["type"].mistake in ("wrong-type", "wrapped")
    assert found["called"].mistake == "no-function" and check_call(id) in found["called"].message
    assert found["flood"].mistake == "too-much-output"
    if isinstance(exercise.examples[0][0], (list, dict)):
        assert check(id, changes).mistake == "changes-argument"
    monkeypatch.setattr("bpe_core.classroom.checking.find", lambda _: quick)
    assert check(id, loops).mistake == "endless-loop"


@pytest.mark.parametrize("id", FUNCTIONS)
def test_no_hint_or_message_holds_the_solution(id):
    exercise = FUNCTIONS[id]
    body = ast.parse(exercise.solution).body[-1].body[1:]
    lines = {re.sub(r"\s+", "", line) for node in body for line in ast.unparse(node).splitlines()}
    lines = {line for line in lines if len(line) > 14}
    for text in [*exercise.hints, *(known.message for known in exercise.wrong_answers)]:
        squeezed = re.sub(r"\s+", "", text)
        told = [line for line in lines if line in squeezed]
        assert not told, f"a hint or message holds a line of the solution: {told}"


def test_references_agree_with_bpe_core():
    def same(id, other):
        exercise = FUNCTIONS[id]
        for seed in SEEDS:
            for arguments in exercise.probes(seed):
                if id == "3.6" and any("</w>" in word for word in arguments[0]):
                    continue  # WordBPE refuses a word that holds its mark
                assert exercise.reference(*arguments) == other(*arguments), (id, arguments)

    train = bpe_core.WordBPE.train
    same("2.1", bpe_core.count_pairs)
    same("2.2", bpe_core.count_pairs)
    same("2.4", lambda text: sum((bpe_core.count_pairs([*w, "</w>"]) for w in text.split()), start=pairs.Counter()))
    same("2.6", bpe_core.best_pair)
    same("3.1", lambda symbols, pair: bpe_core.merge_pair(symbols, pair, "".join(pair)))
    same("3.2", lambda word, pair: " ".join(bpe_core.merge_pair(word.split(" "), pair, "".join(pair))))
    same("3.3", lambda words, n: [merge.pair for merge in pairs.learn_merges_naively(words, n)])
    same("3.6", lambda word_counts: len(train(word_counts, 10_000).merges))


# --- Predictions and choices --------------------------------------------------------------------


@pytest.mark.parametrize("id", PREDICTIONS)
def test_predictions(id):
    exercise = PREDICTIONS[id]
    assert exercise.proof() == exercise.answer, f"proof gives {exercise.proof()!r}, the spec's answer is another"
    found = len(exercise.wrong_answers)
    assert found >= 4, f"{found} known wrong answers: list at least four that learners really give"
    for known in exercise.wrong_answers:
        if not callable(known.answer):
            result = check(id, known.answer)
            told = f"the known wrong answer {known.name!r} got another verdict:\n{result}"
            assert (result.outcome, result.mistake, result.message) == ("wrong", known.name, known.message), told
    assert check(id, object()).outcome == "wrong"
    assert check(id, lambda: exercise.answer).mistake == "wrong-type"
    answer = re.escape(repr(exercise.answer))
    words = {3: "three", 13: "thirteen"}.get(exercise.answer if type(exercise.answer) is int else None, answer)
    for text in [*exercise.hints, *(known.message for known in exercise.wrong_answers)]:
        told = f"a hint or message says the answer: {text}"
        assert not re.search(rf"(?<!\w)({answer}|{words})(?!\w)", text, re.IGNORECASE), told


@pytest.mark.parametrize("id", CHOICES)
def test_choices(id):
    exercise = CHOICES[id]
    assert 3 <= len(exercise.options) <= 5, "three to five options"
    assert sum(option.right for option in exercise.options) == 1, "exactly one option must be right"
    assert len({option.why for option in exercise.options}) == len(exercise.options), "each option has a why of its own"
    for letter, option in zip(exercise.letters, exercise.options):
        result = check(id, f" {letter.upper()}) ")
        assert result.passed == option.right and option.why in result.message
        if not option.right:
            assert result.mistake == f"option-{letter}"
            assert next(o.why for o in exercise.options if o.right) not in repr(result)
    assert check(id, "z").mistake == check(id, 1).mistake == "no-option"
    for text in exercise.hints:
        assert f'"{exercise.answer}"' not in text and f"{exercise.answer})" not in text, (
            f"a hint says the letter: {text}"
        )


@pytest.mark.parametrize("id", WORKS)
def test_work(id):
    exercise = WORKS[id]
    assert len(exercise.wrong_answers) >= 4, "list at least four mistakes that learners really make"
    for known in exercise.wrong_answers:
        result = check(id, known.answer(exercise.made()))
        told = f"the known wrong answer {known.name!r} got another verdict:\n{result}"
        assert (result.outcome, result.mistake) == ("wrong", known.name), told
        assert result.message.startswith(known.message), told
    for other in (object(), 1, "text", [], {}, lambda: exercise.made()):
        assert check(id, other).outcome == "wrong"


@pytest.mark.parametrize("number", lessons())
def test_quiz_questions(number):
    questions = lessons()[number].questions
    assert len(questions) == 4, "a quiz has four questions"
    for question in questions:
        told = f"three options or more, exactly one right, each with its why: {question.text}"
        assert len(question.options) >= 3 and sum(option.right for option in question.options) == 1, told
        assert all(option.why for option in question.options), told
    places = {[option.right for option in question.options].index(True) for question in questions}
    assert len(places) >= 2, "the right option always stands at the same place"


# --- The notebooks ------------------------------------------------------------------------------


def exercise_cells(notebook) -> list:
    return [(cell, *found) for cell in notebook.cells if (found := cell_kind(cell))]


def run(notebook, folder, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("BPE_COURSE_PROGRESS", str(tmp_path / "notebook.json"))
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()
    return notebook


def check_texts(notebook) -> dict:
    return {id: cell.outputs[-1].data["text/plain"] for cell, kind, id in exercise_cells(notebook) if kind == "check"}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_stubs_of_a_notebook(path):
    found = exercise_cells(nbformat.read(path, as_version=4))
    number = int(path.name[:2])
    if number not in lessons():
        assert not found
        pytest.skip("no exercises yet")
    listed = [exercise.id for exercise in lessons()[number].exercises]
    for wanted in ("exercise", "check"):
        on_page = [id for _, kind, id in found if kind == wanted]
        missing = [id for id in listed if id not in on_page]
        told = f"no {wanted} cell on the page for {missing}: python tests/authoring.py --insert ID --after ID"
        assert not missing, told
        assert on_page == listed, f"the {wanted} cells stand in another order than the exercises in LESSON: {on_page}"
    for cell, kind, id in found:
        told = f"the {kind} cell of {id} differs from its spec: python tests/authoring.py --insert {id} --after {id}"
        assert cell.source == (ALL[id].stub if kind == "exercise" else check_call(id)), told
        told = f"the {kind} cell of {id} lost its tag or its metadata bpe_course"
        assert cell.metadata["bpe_course"] == {"exercise": id} and kind in cell.metadata["tags"], told


def names_in(source) -> tuple[set, set]:
    """Return the names that a cell gives to the notebook, and those of the notebook that it reads, at any depth."""
    top = symtable.symtable(source, "<cell>", "exec")
    tables = [top]
    for table in tables:
        tables += table.get_children()
    bound = {name.get_name() for name in top.get_symbols() if name.is_assigned() or name.is_imported()}
    read = {
        name.get_name() for table in tables for name in table.get_symbols() if name.is_referenced() and name.is_global()
    }
    return bound, read | {name.get_name() for name in top.get_symbols() if name.is_referenced()}


def around_exercises(notebook) -> list:
    """Return the code cells that an exercise needs, or that use what a learner writes; nbval runs the others."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    names = [names_in(cell.source) for cell in cells]
    exercises = {i for i, cell in enumerate(cells) if {"exercise", "check"} & set(cell.metadata.get("tags", []))}
    written = set().union(*(names[i][0] for i in exercises))
    kept = exercises | {i for i, (_, read) in enumerate(names) if read & written and min(exercises) < i}
    while more := {i for i, (bound, _) in enumerate(names) if any(bound & names[j][1] for j in kept if i < j)} - kept:
        kept |= more
    return [cells[i] for i in sorted(kept)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_with_its_solutions(path, tmp_path, monkeypatch):
    if int(path.name[:2]) not in lessons():
        pytest.skip("no exercises yet")
    notebook = nbformat.read(path, as_version=4)
    for cell, kind, id in exercise_cells(notebook):
        if kind == "exercise":
            cell.source = ALL[id].solution
    notebook.cells = around_exercises(notebook)
    texts = check_texts(run(notebook, path.parent, tmp_path, monkeypatch))
    assert texts and all(text.startswith("✓ Passed") for text in texts.values()), texts


KERNEL_TRIALS = {
    "endless-loop": "def count_pairs_in_word(word):\n    while True:\n        try: pass\n        except: pass",
    "too-much-output": "def count_pairs_in_word(word):\n    while True: print(word)",
    "exit": "def count_pairs_in_word(word):\n    exit()",
    "shadowed-builtin": "sum = 0\ndef count_pairs_in_word(word):\n    return sum(1 for _ in word)",
    "asks": "def count_pairs_in_word(word):\n    input()",
    "constant": "import matplotlib.pyplot as plt, logging\nlogging.basicConfig()\ndef count_pairs_in_word(word):\n"
    "    display(word)\n    logging.warning(word)\n    len(word) == 2 and plt.show()\n    return {}",
    "KeyError": "def count_pairs_in_word(word):\n    counts = {}\n    counts['x'] += 1  # here",
}


def test_a_check_before_its_stub_says_which_cell_to_run(tmp_path, monkeypatch):
    cells = ["from bpe_core.classroom import check", check_call("2.1"), "no_such_name"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    for cell in notebook.cells[1:]:
        cell.metadata["tags"] = ["raises-exception"]
    _, missing, other = run(notebook, tmp_path, tmp_path, monkeypatch).cells
    assert [output.output_type for output in other.outputs] == ["error"]
    assert "There is no count_pairs_in_word yet: run the cell above" in missing.outputs[-1].text


def test_trouble_in_a_real_kernel(tmp_path, monkeypatch):
    cells = ["from bpe_core.classroom import check"]
    for source in KERNEL_TRIALS.values():
        cells += [source, check_call("2.1") + ".mistake", check_call("2.1")]
    cells.append("1 + 1")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    notebook = run(notebook, tmp_path, tmp_path, monkeypatch)
    texts = [cell.outputs[-1].data["text/plain"] if cell.outputs else "" for cell in notebook.cells]
    assert texts[-1] == "2"
    assert all(len(cell.outputs) <= 1 for cell in notebook.cells), "something was shown above a card"
    for i, mistake in enumerate(KERNEL_TRIALS):
        assert texts[2 + 3 * i] == repr(mistake), texts[3 + 3 * i]
        assert str(tmp_path) not in texts[3 + 3 * i] and "ipykernel" not in texts[3 + 3 * i]
    assert ">   3 |     counts['x'] += 1  # here" in texts[-2]
