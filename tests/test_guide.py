"""The instructors' guide: its generated half is that of today, and its plans add up."""

import re

import nbformat
import pytest
from conftest import NOTEBOOKS, REPOSITORY
from reading import PREDICT, read, said_in_head, text_of

from bpe_core.classroom.exercises import lessons
from bpe_core.classroom.teaching import guide

FILE = REPOSITORY / "notebooks" / "INSTRUCTORS.md"
TEXT = FILE.read_text(encoding="utf-8")
PLANS = re.findall(r"(?ms)^## ([^\n]+)\n(?:(?!^## ).)*?^(\| from .*?)\n\n", TEXT.split(guide.MARK)[0])


def rows_of(table):
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()[2:]]


def test_the_generated_half_is_that_of_today():
    assert guide.rewrite(FILE) == TEXT, "python -m bpe_core.classroom.teaching.guide notebooks/INSTRUCTORS.md"


def test_every_prediction_has_an_answer_and_every_exercise_its_mistakes():
    generated = TEXT.split(guide.MARK)[1]
    for path in NOTEBOOKS:
        asked = guide.predictions(read(path))
        assert len(asked) == text_of(read(path).cells).count(PREDICT)
        assert all(len(answer) > 2 for _, answer in asked)
    for lesson in lessons().values():
        for exercise, (heading, known) in zip(lesson.exercises, guide.mistakes(lesson)):
            assert exercise.id in heading and heading in generated and len(known) >= 3


def test_an_answer_is_the_paragraph_behind_or_the_one_line_printed():
    code = nbformat.v4.new_code_cell("1", outputs=[nbformat.v4.new_output("stream", text="seven\n")])
    cells = [nbformat.v4.new_markdown_cell("**Predict.** Why?"), code, nbformat.v4.new_markdown_cell("## Next")]
    assert guide.predictions(nbformat.v4.new_notebook(cells=cells)) == [("Why?", "`seven`")]
    code.outputs[0].text = "1\n2\n"
    assert guide.predictions(nbformat.v4.new_notebook(cells=cells)) == [("Why?", "See the cell's output.")]


@pytest.mark.parametrize("title, table", PLANS, ids=[title for title, _ in PLANS])
def test_a_plan_adds_up_and_takes_the_minutes_of_the_lessons(title, table):
    clock = 0
    for start, minutes, what in rows_of(table):
        hours, rest = map(int, start.split(":"))
        assert hours * 60 + rest == clock, what
        clock += int(minutes)
        if "core path" in what:
            name = re.search(r"\((\w+\.ipynb)\)", what)[1]
            assert int(minutes) == said_in_head(read(REPOSITORY / "notebooks" / name)).core, what
        for id in re.findall(r"\b(\d+\.\d+)\b", what):
            assert any(exercise.id == id for lesson in lessons().values() for exercise in lesson.exercises)
    assert clock == {"90": 90, "Half": 200, "A": 390}[title.split()[0]]


def test_there_are_three_plans_and_a_word_on_every_lesson():
    assert len(PLANS) == 3
    for path in NOTEBOOKS[1:]:
        number = int(path.name[:2])
        note = re.search(rf"(?m)^\*\*{number:02}, .*$", TEXT)
        assert note and all(word in note[0] for word in ("*Board:*", "*Ask aloud:*", "*Stuck:*"))
        asked = re.search(r"\*Ask aloud:\* ([\d, and]+)\.", note[0])[1]
        assert max(map(int, re.findall(r"\d+", asked))) <= len(guide.predictions(read(path)))
