"""Other systems, as far as this one can tell: Windows without its missing modules, line ends, traces left behind."""

import os
import subprocess
import sys

import nbformat
import pytest
import run_notebooks
from as_on_windows import writes_crlf
from conftest import REPOSITORY

ON_WINDOWS = [
    "tests/test_classroom.py",
    "tests/test_setup_check.py",
    "-k=loop or lock or kernel or place or write or memory or stop or streams or well or progress or damaged or versions",
]


def test_the_classroom_works_without_what_windows_lacks(tmp_path):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "as_on_windows", *ON_WINDOWS]
    path = os.pathsep.join(filter(None, [str(REPOSITORY / "tests"), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path, "TMPDIR": str(tmp_path), "TEMP": str(tmp_path)}
    command += ["--basetemp", str(tmp_path / "pytest")]
    done = subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert [path.name for path in tmp_path.iterdir()] == ["pytest"], "a run leaves no folder behind"


def test_lessons_under_nbval_leave_the_learners_progress_alone(tmp_path):
    own, lesson = tmp_path / "own.json", tmp_path / "a.ipynb"
    cells = [nbformat.v4.new_code_cell('from bpe_core.classroom import check\n_ = check("2.3", 3)')]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), lesson)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-c", "pyproject.toml", "--nbval", str(lesson)]
    environment = {**os.environ, "BPE_COURSE_PROGRESS": str(own), "TMPDIR": str(tmp_path), "TEMP": str(tmp_path)}
    done = subprocess.run(
        [*command, "--nbval-current-env"], cwd=REPOSITORY, env=environment, capture_output=True, text=True
    )
    assert "1 passed" in done.stdout, done.stdout[-2000:] + done.stderr[-1000:]
    assert [path.name for path in tmp_path.iterdir()] == ["a.ipynb"]


def test_a_lesson_is_saved_with_the_same_line_ends_and_leaves_no_folder(tmp_path, monkeypatch):
    path, scratch = tmp_path / "a.ipynb", tmp_path / "scratch"
    scratch.mkdir()
    cells = [nbformat.v4.new_code_cell("print(1)\nprint(2)")]
    path.write_bytes(nbformat.writes(nbformat.v4.new_notebook(cells=cells)).encode())
    monkeypatch.setattr(sys, "argv", ["run_notebooks.py", str(path)])
    monkeypatch.setenv("BPE_COURSE_PROGRESS", "")
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    writes_crlf(monkeypatch)
    run_notebooks.main()
    assert b"2\\n" in path.read_bytes() and b"\r" not in path.read_bytes() and path.read_bytes().endswith(b"}\n")
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize("name", ["notebooks/00_start_here.ipynb", ".ci/run", "Makefile", "README.md"])
def test_git_keeps_the_line_ends(name):
    said = subprocess.run(
        ["git", "check-attr", "eol", name], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    assert said.stdout.strip().endswith("eol: lf")


def test_windows_is_told_lines_that_work_there():
    code = "import os; from pathlib import Path; Path(); os.name = 'nt'\n"
    code += "import sys, runpy; sys.path.insert(0, '.')\n"
    code += "import pathlib; sys.modules[pathlib.Path.__module__].WindowsPath = pathlib.PosixPath\n"
    code += "names = runpy.run_path('bpe_core/classroom/setup_check.py')\nprint(names['INSTALL'][0], *names['START'], sep='\\n')"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, encoding="utf-8", check=True
    )
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    assert "make" not in done.stdout
    for line in done.stdout.splitlines()[2:]:
        assert line.replace(".venv\\Scripts\\", ".venv/bin/") in readme
