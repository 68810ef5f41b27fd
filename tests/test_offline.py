"""The folder for a room without network: the right packages for each system, and one line where it fails."""

import subprocess

import pytest

from bpe_core.classroom.teaching import offline


def names(system, python="3.12"):
    return {pin.partition("==")[0].lower() for pin in offline.needed(offline.environment_of(system, python))}


def test_each_system_gets_what_it_needs_and_no_tests():
    linux, windows, macos = map(names, ("linux", "windows", "macos"))
    assert {"colorama", "pywinpty"} <= windows and "pexpect" not in windows
    assert "appnope" in macos and not {"colorama", "pywinpty", "appnope"} & linux
    for found in (linux, windows, macos):
        assert {"jupyterlab", "tiktoken", "tokenizers", "matplotlib", "ipywidgets", "regex"} <= found
        assert not {"pytest", "playwright", "dask", "ruff", "nbval"} & found


def test_every_name_is_pinned():
    assert all("==" in pin for pin in offline.needed(offline.environment_of("windows", "3.11")))


@pytest.mark.parametrize(
    "system, line", [("windows", r"course-env\Scripts\pip install"), ("macos", "course-env/bin/pip install")]
)
def test_the_page_says_how_to_install(tmp_path, monkeypatch, system, line):
    def pip(command, **_):
        folder = tmp_path / "out" / "wheels"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{len(command)}.whl").write_bytes(b"")
        assert "wheel" in command or ("--only-binary=:all:" in command and "--no-deps" in command)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(offline.subprocess, "run", pip)
    said = offline.save_offline(tmp_path / "out", system, "3.12")
    page = (tmp_path / "out" / "INSTALL.txt").read_text(encoding="utf-8")
    assert line in page and "--no-index --find-links wheels bpe-by-hand" in page and "3.12" in page
    assert (tmp_path / "out" / "notebooks" / "00_start_here.ipynb").is_file() and said.startswith(
        "2 wheels for Python 3.12"
    )


def test_a_package_without_a_wheel_is_one_line(tmp_path, monkeypatch):
    def pip(command, **_):
        return subprocess.CompletedProcess(
            command, 1, "", "ERROR: more\nERROR: No matching distribution found for regex==1\n"
        )

    monkeypatch.setattr(offline.subprocess, "run", pip)
    with pytest.raises(SystemExit, match="^ERROR: No matching distribution found for regex==1$"):
        offline.save_offline(tmp_path / "out", "windows", "3.12")


def test_a_system_that_is_not_known_is_refused(capsys):
    with pytest.raises(SystemExit):
        offline.main(["--platform", "amiga"])
    assert "invalid choice: 'amiga'" in capsys.readouterr().err
