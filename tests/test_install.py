"""The wheel holds all that a lesson needs, wherever it is installed; matplotlib says nothing in a lesson."""

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile

import pytest
from conftest import REPOSITORY

LESSON = """
from bpe_core import costs, datasets, load, names, views
from bpe_core.classroom.setup_check import setup_check
print(load("gpt2").encode("hello world"), costs.premium("GPT-4o mini", "Բարև", "Hello"))
print(names.parallel_sentences()["fr"][27])
print(datasets.word_counts("en", most_frequent=2), names.read_table("prices.csv")[3]["model"])
print([(check.name, check.words) for check in setup_check().checks if check.name == "Data"])
print(datasets.data_folder())
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The course's wheel, built with what is installed."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps", "--no-index"]
    subprocess.run([*command, "-w", str(folder), str(REPOSITORY)], check=True, capture_output=True, cwd=folder)
    (path,) = folder.glob("*.whl")
    return path


def test_the_wheel_holds_the_data_and_nothing_else_beside_the_code(wheel):
    with zipfile.ZipFile(wheel) as archive:
        inside = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    data = {path for path in (REPOSITORY / "data").rglob("*") if path.is_file()}
    expected = {"bpe_core/_data/" + path.relative_to(REPOSITORY / "data").as_posix(): path for path in data}
    code = [
        path
        for ending in ("py", "md", "j2", "css", "json", "html")
        for path in REPOSITORY.glob(f"bpe_core/**/*.{ending}")
    ]
    expected |= {path.relative_to(REPOSITORY).as_posix(): path for path in code}
    assert set(inside) == set(expected)
    assert [name for name, path in expected.items() if path.read_bytes() != inside[name]] == []
    assert wheel.stat().st_size < 12_000_000


def test_a_lesson_runs_from_an_empty_folder(wheel, tmp_path):
    place, empty = tmp_path / "packages", tmp_path / "empty"
    empty.mkdir()
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(place)]
    subprocess.run([*install, str(wheel)], check=True, capture_output=True)
    program = f"import sys; sys.path.insert(0, {str(place)!r})\n{LESSON}"
    environment = {key: value for key, value in os.environ.items() if key != "BPE_COURSE_DATA"}
    command = [sys.executable, "-X", "utf8", "-I", "-c", program]
    run = subprocess.run(command, cwd=empty, env=environment, capture_output=True, text=True, encoding="utf-8")
    assert run.stderr == ""
    assert run.stdout.splitlines() == [
        "[31373, 995] 3.0",
        "Envoie-moi un message quand tu seras rentré, s'il te plaît.",
        "{'the': 53703180, 'to': 26915348} GPT-4o",
        "[('Data', 'all 45 files are here and unchanged')]",
        str(place / "bpe_core" / "_data"),
    ]
    assert list(empty.iterdir()) == []


def test_what_the_browsers_python_lacks_is_marked():
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    marked = [line.partition(">")[0] for line in project["dependencies"] if "; sys_platform != 'emscripten'" in line]
    assert marked == ["jupyterlab", "tokenizers"]


def test_the_set_up_is_one_step_for_the_lab_and_one_more_for_the_tests():
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")
    assert "lab: $(ready)\n" in makefile and "unit: $(ready_test)\n" in makefile
    assert "CURDIR" not in makefile, "a shell would expand a $ in the name of the folder"


SLOW_SCAN = """
import threading
timer = threading.Timer
threading.Timer = lambda seconds, function, *rest: timer(0, function, *rest)  # a scan of fonts that takes long
"""
PICTURE = """
from bpe_core import views
with views.canvas(title="so many") as (figure, axes):
    axes.plot([1, 2])
    axes.set_xlabel("x", fontfamily="No Such Font")
print(len(views.Picture(figure, [], "a line").png) > 1000)
"""


@pytest.mark.parametrize("cache", ["empty", "cannot be written"])
def test_matplotlib_says_nothing_in_the_first_picture(cache, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    folder = tmp_path / "new" if cache == "empty" else tmp_path / "file" / "below"
    environment = {**os.environ, "MPLCONFIGDIR": str(folder)}

    def run(program):
        command = [sys.executable, "-c", program]
        return subprocess.run(command, env=environment, capture_output=True, text=True, encoding="utf-8")

    loud = run(SLOW_SCAN + "import matplotlib.font_manager")  # what a lesson would show
    assert "font cache" in loud.stderr or "MPLCONFIGDIR" in loud.stderr
    shutil.rmtree(tmp_path / "new", ignore_errors=True)
    quiet = run(SLOW_SCAN + PICTURE)
    assert (quiet.stdout, quiet.stderr) == ("True\n", "")
