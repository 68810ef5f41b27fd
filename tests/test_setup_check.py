"""The set-up check of notebook 00: silent where all is well, exact where something is not."""

import ast
import hashlib
import importlib.metadata
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import types
from pathlib import Path

import nbformat
import pytest
from conftest import NOTEBOOKS, REPOSITORY
from packaging.requirements import Requirement

from bpe_core.classroom import cards, scores
from bpe_core.classroom import setup_check as module
from bpe_core.classroom.setup_check import FILES, HOSTS, PASSED, TABLES, WAITING, WRONG, setup_check

PACKAGES = {one.name: one.specifier for one in module._requirements()}
START = REPOSITORY / "notebooks" / "00_start_here.ipynb"
ALL_WELL = """\
✓ Ready · Set-up: all six checks passed
  ✓ Python    3.11 or newer
  ✓ Packages  all are here
  ✓ Course    bpe_core is here and learns what it should
  ✓ Data      all 45 files are here and unchanged
  ✓ Progress  the progress file can be written
  ✓ Widgets   Python's side works; the next cell asks your browser
  Your machine is ready."""


def found(card) -> dict:
    return {check.name: check for check in card.checks}


def states(card) -> dict:
    return {check.name: check.state for check in card.checks}


# --- All is well ---------------------------------------------------------------------------------


def test_all_well_says_the_same_everywhere(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("BPE_COURSE_PROGRESS", str(tmp_path / "new folder" / "progress.json"))
    card = setup_check()
    assert card.passed and repr(card) == ALL_WELL
    for line in ("all six checks passed", *(check.words for check in card.checks)):
        assert line.replace("'", "&#x27;") in card._repr_html_()
    for secret in (sys.version.split()[0], str(REPOSITORY), str(tmp_path), sys.executable):
        assert secret not in repr(card) + card._repr_html_()
    assert capsys.readouterr() == ("", "")
    assert list((tmp_path / "new folder").iterdir()) == [], "it leaves no file behind"


# --- Its lists are those of the repository ----------------------------------------------------------


def test_the_python_is_that_of_the_project():
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=" + ".".join(map(str, module.OLDEST_PYTHON))
    assert project["name"] == module.PROJECT and {"babel", "tqdm", "jupyterlab"} <= set(PACKAGES)


@pytest.mark.parametrize("name", FILES)
def test_hashes_are_those_of_the_files(name):
    digest = hashlib.sha256((REPOSITORY / "data" / name).read_bytes()).hexdigest()
    assert digest == FILES[name], f"data/{name} has changed: put its new hash into setup_check.FILES"


def test_every_data_file_is_listed():
    inside = {str(path.relative_to(REPOSITORY / "data").as_posix()) for path in (REPOSITORY / "data").rglob("*.*")}
    assert {name for name in inside if not name.endswith(("README.md", ".gitattributes"))} == {*FILES, *TABLES}


# --- Packages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PACKAGES)
def test_a_missing_package_is_named_with_the_line_that_mends_it(name, monkeypatch):
    monkeypatch.setitem(sys.modules, name, None)  # as if it were not installed
    card = setup_check()
    check = found(card)["Packages"]
    assert not card.passed and check.state == WRONG
    assert check.words == f"{name} is missing"
    assert check.mend == (f'%pip install "{name}{PACKAGES[name]}"',)
    assert states(card) == {
        "Python": PASSED,
        "Packages": WRONG,
        "Course": WAITING,
        "Data": PASSED,
        "Progress": PASSED,
        "Widgets": WAITING,
    }
    assert "! To mend · Set-up: 3 of 6 checks passed" in repr(card) and check.mend[0] in repr(card)
    assert f"%pip install &quot;{name}" in card._repr_html_() and "restart the kernel" in card._repr_html_().lower()


def test_two_missing_packages_make_one_line(monkeypatch):
    for name in ("babel", "tqdm"):
        monkeypatch.setitem(sys.modules, name, None)
    check = found(setup_check())["Packages"]
    assert check.words == "babel is missing; tqdm is missing"
    assert check.mend == ('%pip install "babel>=2.15" "tqdm>=4.66"',)


@pytest.mark.parametrize(
    "source, said",
    [
        ("raise ValueError('numpy.dtype <size> changed')", "ValueError: numpy.dtype <size> changed"),
        ("import no_such_package_here", "No module named 'no_such_package_here'"),
        ("raise SystemExit", "SystemExit"),
        ("class Panic(BaseException): pass\nraise Panic('rust')", "Panic: rust"),
        ("def f(:", "SyntaxError"),
    ],
)
def test_a_broken_package_is_told_from_a_missing_one(source, said, tmp_path, monkeypatch):
    (tmp_path / "broken_package_x.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(module, "_requirements", lambda: [Requirement("broken_package_x>=1")])
    card = setup_check()
    check = found(card)["Packages"]
    assert "cannot be imported" in check.words and said in check.words
    assert check.mend == ('%pip install --force-reinstall "broken_package_x>=1"',)
    assert "<size>" not in card._repr_html_()


def test_a_noisy_package_stays_unheard(tmp_path, monkeypatch, capsys):
    source = "import sys, warnings\nprint('hello')\nprint('oh', file=sys.stderr)\nwarnings.warn('old')"
    (tmp_path / "noisy_package_x.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(module, "_requirements", lambda: [Requirement("noisy_package_x>=1")])
    assert found(setup_check())["Packages"].state == PASSED
    assert capsys.readouterr() == ("", "")


def test_an_old_package(monkeypatch):
    real = importlib.metadata.version
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "7.8.1" if name == "ipywidgets" else real(name))
    check = found(setup_check())["Packages"]
    assert check.words == "ipywidgets is version 7.8.1, the course needs <9,>=8.1"
    assert check.mend == ('%pip install "ipywidgets<9,>=8.1"',)


def test_a_kernel_without_the_course(monkeypatch):
    monkeypatch.setattr(module, "PROJECT", "no-such-project-here")
    check = found(setup_check())["Packages"]
    assert "this kernel is not the course's" in check.words and check.mend[0].startswith("%pip install -e")


# --- Python, and the course itself ----------------------------------------------------------------------


def test_an_old_python(monkeypatch):
    monkeypatch.setattr(module, "OLDEST_PYTHON", (99, 0))
    card = setup_check()
    check = found(card)["Python"]
    assert f"this is Python {sys.version_info[0]}.{sys.version_info[1]}" in check.words
    assert check.mend == (f"cd {shlex.quote(str(REPOSITORY))}", "make lab PYTHON=python3.12")
    assert states(card)["Packages"] == states(card)["Progress"] == WAITING and states(card)["Data"] == PASSED


@pytest.mark.parametrize("name", ["setup_check.py", "cards.py"])
def test_an_old_python_can_read_the_file(name):
    ast.parse(Path(module.__file__).with_name(name).read_text(encoding="utf-8"), feature_version=(3, 8))


def test_an_old_python_does_not_read_the_types_of_the_cards():
    assert cards.annotations.compiler_flag, "`tuple[str, ...]` and `str | None` stop a Python 3.8"


def first_cell() -> str:
    return next(cell.source for cell in nbformat.read(START, as_version=4).cells if "setup_check" in cell.source)


def run_first_cell(before: str, *options: str, folder: Path) -> str:
    program = f"{before}\n{first_cell().removesuffix('setup')}print(setup)"
    done = subprocess.run(
        [sys.executable, *options, "-X", "utf8", "-c", program],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return done.stdout


def test_the_notebooks_cell_runs_where_bpe_core_cannot_be_imported():
    text = run_first_cell("import sys; sys.modules['regex'] = None", folder=START.parent)
    assert "✗ Packages  regex is missing" in text and '%pip install "regex>=2024.5.15"' in text


def test_the_notebooks_cell_runs_in_a_python_that_has_nothing_of_the_course():
    text = run_first_cell("", "-S", "-E", folder=START.parent)  # -S: without installed packages
    assert "✗ Packages  bpe-by-hand is not installed here: this kernel is not the course's" in text
    assert "%pip install " + shlex.join(["-e", str(REPOSITORY), "-c", str(REPOSITORY / "constraints.txt")]) in text
    assert "✓ Data      all 45 files are here and unchanged" in text


def test_the_notebooks_cell_runs_from_another_folder(tmp_path):
    assert "all six checks passed" in run_first_cell("", folder=tmp_path)


def test_bpe_core_that_learns_something_else(monkeypatch):
    import bpe_core

    wrong = types.SimpleNamespace(train=lambda corpus, n: types.SimpleNamespace(merges=[("l", "o")]))
    monkeypatch.setattr(bpe_core, "WordBPE", wrong)
    check = found(setup_check())["Course"]
    assert check.state == WRONG and "other merges" in check.words and "git" in check.mend[0]


@pytest.mark.parametrize("error", [RuntimeError("x" * 500), SystemExit(3), GeneratorExit(), Exception()])
def test_it_never_raises(error, monkeypatch):
    def look():
        raise error

    monkeypatch.setattr(module, "LOOKS", [("Python", look, None), *module.LOOKS[1:]])
    card = setup_check()
    check = found(card)["Python"]
    assert check.state == WRONG and f"stopped with {type(error).__name__}" in check.words
    assert len(check.words) < 300


# --- Data ------------------------------------------------------------------------------------------------


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A repository of its own with the data files, as if the course lay there."""
    if shutil.which("git") is None:
        pytest.skip("no git here")
    place = tmp_path / "the $HOME of 'a' course"  # what a shell would take for something else
    shutil.copytree(REPOSITORY / "data", place / "data")
    git = [
        "git",
        "-C",
        str(place),
        "-c",
        "user.name=x",
        "-c",
        "user.email=x@example.org",
        "-c",
        "core.autocrlf=false",
        "-c",
        "core.compression=0",
    ]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "data"]):
        subprocess.run([*git, *command], check=True, capture_output=True)
    monkeypatch.setattr(module, "REPOSITORY", place)
    monkeypatch.delenv("BPE_COURSE_DATA", raising=False)
    assert found(setup_check())["Data"].state == PASSED
    return place


def mend(check):
    for line in check.mend:
        assert line.startswith("!")
        subprocess.run(line[1:], shell=True, check=True)


def as_on_windows(path):
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


@pytest.mark.parametrize(
    "damage, said",
    [
        (lambda data: (data / "corpora/prose/news.txt").unlink(), "missing: corpora/prose/news.txt"),
        (lambda data: (data / "prices.csv").unlink(), "missing: prices.csv"),
        (lambda data: shutil.rmtree(data / "tokenizers"), "missing: tokenizers/cl100k_base.tiktoken, tokenizers/o200k"),
        (lambda data: shutil.rmtree(data), "there is no folder"),
        (
            lambda data: (data / "corpora/code/queue.c").write_text("x", encoding="utf-8"),
            "changed: corpora/code/queue.c",
        ),
        (
            lambda data: (data / "tokenizers/r50k_base.tiktoken").write_bytes(b""),
            "changed: tokenizers/r50k_base.tiktoken",
        ),
        (lambda data: as_on_windows(data / "tokenizers/qwen2.tiktoken"), "with other line ends, as Git writes them"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="the lines are run with a Unix shell here")
def test_the_line_that_is_shown_mends_the_data(damage, said, clone):
    damage(clone / "data")
    check = found(setup_check())["Data"]
    assert check.state == WRONG and said in check.words
    mend(check)
    assert found(setup_check())["Data"].state == PASSED


def test_an_edited_price_is_no_damage(clone):
    with open(clone / "data" / "prices.csv", "a", encoding="utf-8") as file:
        file.write("mine,gpt2,1,2,1000,me,2026\n")
    assert found(setup_check())["Data"].state == PASSED


def test_data_elsewhere_is_fetched_by_hand(tmp_path, monkeypatch):
    monkeypatch.setenv("BPE_COURSE_DATA", str(tmp_path))
    check = found(setup_check())["Data"]
    assert check.state == WRONG and check.how.startswith("Take the folder data/ anew") and not check.mend


# --- Progress and widgets ----------------------------------------------------------------------------------


def test_a_progress_file_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    monkeypatch.setenv("BPE_COURSE_PROGRESS", str(tmp_path / "file" / "progress.json"))
    monkeypatch.chdir(tmp_path)
    check = found(setup_check())["Progress"]
    assert check.state == WRONG and str(tmp_path / "file") in check.words
    assert check.mend == (f"%env BPE_COURSE_PROGRESS={tmp_path / 'bpe-progress.json'}",)
    monkeypatch.setenv("BPE_COURSE_PROGRESS", check.mend[0].split("=", 1)[1])
    assert setup_check().passed


def test_a_folder_in_the_place_of_the_progress_file(tmp_path, monkeypatch):
    monkeypatch.setenv("BPE_COURSE_PROGRESS", str(tmp_path))
    check = found(setup_check())["Progress"]
    assert check.state == WRONG and "it is a folder" in check.words


def test_widgets_that_do_not_follow(monkeypatch):
    import ipywidgets

    class Deaf:
        def __init__(self, **options):
            self.value = 1

        def observe(self, follow, name):
            pass

        def close(self):
            pass

    monkeypatch.setattr(ipywidgets, "IntSlider", Deaf)
    check = found(setup_check())["Widgets"]
    assert check.state == WRONG and "nothing followed" in check.words and "jupyterlab_widgets" in check.mend[0]


def test_the_line_that_asks_the_browser():
    live = setup_check().live()
    bundle = live._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert data["text/html"] == f"<div><i>{module.RUN_ME}</i></div>" and data["text/plain"] == module.RUN_ME
    assert "Waiting for your browser" in live.line.value
    live.back.value = 1  # what the browser does
    assert "✓ The widgets are alive" in live.line.value and "Waiting" not in live.line.value


def test_without_ipywidgets_it_still_answers(monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    card = module.widget_check()
    assert module.RUN_ME in repr(card) and not card.passed


# --- Notebook 00 -------------------------------------------------------------------------------------------


def start_text() -> str:
    return "\n\n".join(cell.source for cell in nbformat.read(START, as_version=4).cells if cell.cell_type == "markdown")


def test_the_map_agrees_with_the_notebooks():
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in start_text().splitlines()
        if line[:3] == "| 0" or line[:3] == "| 1"
    ]
    assert [row[0] for row in rows] == [f"{number:02}" for number in range(14)]
    stems = {path.stem[:2]: path for path in NOTEBOOKS}
    for number, name, *minutes, about in rows:
        assert about and len(minutes) == 3
        if number not in stems:
            continue
        text = "\n".join(
            c.source for c in nbformat.read(stems[number], as_version=4).cells if c.cell_type == "markdown"
        )
        title = re.search(r"(?m)^# \d\d · (.+)$", text)[1]
        link = title if number == "00" else f"[{title}]({stems[number].name})"
        assert name.strip("*") == link, "the map in notebook 00"


def test_points_are_those_that_are_given():
    said = f"a right quiz answer brings {scores.RIGHT_ANSWER}, a perfect quiz {scores.PERFECT_QUIZ} more, "
    assert said + f"a finished notebook {scores.FINISHED}." in start_text()


def test_the_saved_page_holds_no_place_of_the_machine_that_made_it():
    outputs = [cell.outputs for cell in nbformat.read(START, as_version=4).cells if cell.cell_type == "code"]
    text = repr(outputs)
    assert "all six checks passed" in text and "Your course · 0 of" in text
    assert "Kept in `bpe-course/progress.json`" in text, "build 00 so that progress() shows no path of this machine"
    assert not re.search(r"/(tmp|home|Users|root|work)/", text)


# --- Hosted notebooks ----------------------------------------------------------------------------------


@pytest.mark.parametrize("variable, name, stays", HOSTS)
def test_a_hosted_notebook_is_recognized(variable, name, stays):
    code = "import runpy, sys; m = runpy.run_path(sys.argv[1]); print(m['INSTALL'][0], m['_progress']()[1])"
    clean = {key: value for key, value in os.environ.items() if key not in {host[0] for host in HOSTS}}
    for environment, expected in ((clean, False), ({**clean, variable: "1"}, True)):
        command = [sys.executable, "-c", code, str(REPOSITORY / "bpe_core/classroom/setup_check.py")]
        said = subprocess.run(command, env=environment, capture_output=True, text=True, encoding="utf-8").stdout
        assert (f"This is {name}. Run this line in a new cell:" in said) == expected
        assert ("where it goes with the session" in said) == (expected and not stays)
