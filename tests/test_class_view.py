"""The view of a class: counts of learners from files that they handed in, without names."""

import csv
import json

import pytest
from drawn import Page

from bpe_core.classroom import check, progress, records
from bpe_core.classroom.exercises import find
from bpe_core.classroom.teaching import class_view


def attempt(exercise, outcome, mistake=None):
    return {"exercise": exercise, "outcome": outcome, "mistake": mistake, "attempt": 1, "time": "2026-12-01T09:00:00"}


@pytest.fixture
def folder(tmp_path):
    mistake = find("2.1").wrong_answers[0].name
    learners = {
        "a": [attempt("2.1", "wrong", mistake), attempt("2.1", "wrong", mistake), attempt("2.1", "passed")],
        "b": [attempt("2.1", "wrong", mistake), attempt("3.1", "passed"), attempt("99.9", "passed")],
        "c": [attempt("2.1", "error", "<b>KeyError"), attempt("quiz 2.1", "passed")],
        "d": [],
    }
    for name, entries in learners.items():
        data = {"version": 1, "name": f"Student {name}", "attempts": entries}
        (tmp_path / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    (tmp_path / "broken.json").write_text('{"attempts": [', encoding="utf-8")
    (tmp_path / "latin.json").write_bytes(b'{"name": "\xe9"}')
    return tmp_path


def test_learners_are_counted_and_not_attempts(folder):
    learners, problems = class_view.read_class(folder)
    assert len(learners) == 4
    assert [line.split()[0] for line in problems] == ["broken.json", "latin.json"]
    rows = {row.exercise.id: row for row in class_view.table(learners)}
    assert list(rows) == ["2.1", "3.1"]
    known = find("2.1").wrong_answers[0]
    assert rows["2.1"][1:] == (3, 1, [(known.name, 2, known.message), ("<b>KeyError", 1, "")])
    assert rows["3.1"][1:] == (1, 1, [])


def test_page_and_table_name_nobody(folder, capsys):
    class_view.main([str(folder), "--to", str(folder / "out")])
    said = capsys.readouterr().out
    assert "4 progress files, self-reported." in said and "broken.json is left out" in said
    html = (folder / "out" / "class.html").read_text(encoding="utf-8")
    page = Page(html.removeprefix("<!DOCTYPE html>\n").strip())
    assert "1 of 3 passed" in page.text and find("2.1").wrong_answers[0].message in page.text
    assert "Student" not in page.text and "<b>KeyError" in page.text
    assert page.text.index("Exercise 2.1") < page.text.index("Exercise 3.1")
    with open(folder / "out" / "class.csv", encoding="utf-8", newline="") as file:
        assert [row["learners"] for row in csv.DictReader(file)] == ["2", "1", ""]


@pytest.mark.parametrize("made", [False, True])
def test_a_folder_without_files_is_one_line(tmp_path, made):
    place = tmp_path / "class"
    if made:
        place.mkdir()
    with pytest.raises(SystemExit, match="class holds no progress file"):
        class_view.main([str(place)])


def test_what_is_handed_in_has_no_time_and_no_name_unless_given(tmp_path, monkeypatch):
    monkeypatch.setenv("BPE_COURSE_PROGRESS", str(tmp_path / "progress.json"))
    check("2.3", 99)
    card = progress(export=tmp_path / "mine.json")
    assert "without a name" in repr(card)
    data = json.loads((tmp_path / "mine.json").read_text(encoding="utf-8"))
    assert set(data) == {"version", "attempts"} and len(data["attempts"]) == 1
    assert set(data["attempts"][0]) == {"exercise", "outcome", "mistake", "attempt"}
    progress(export=tmp_path / "named.json", name="Zoë")
    named = (tmp_path / "named.json").read_text(encoding="utf-8")
    assert records.parse(named)["name"] == "Zoë" and class_view.read_class(tmp_path)[0]
    with pytest.raises(OSError):
        progress(export=tmp_path / "no folder" / "x.json")
