"""The progress file: what was tried, in one small JSON file that belongs to the learner.

It holds exercise, outcome, the mistake's name, the attempt's number and the time; never
code, never a name. Delete it and the course starts anew.

Where it is: the file that the environment variable ``BPE_COURSE_PROGRESS`` names, else
``bpe-course/progress.json`` in the user's data folder: ``~/.local/share`` (or
``$XDG_DATA_HOME``) on Linux, ``~/Library/Application Support`` on macOS, ``%APPDATA%`` on
Windows. Every change reads the file again, writes a new one beside it and renames it, so
that a crash leaves the old file whole and two open notebooks do not lose each other's work.
"""

import errno
import itertools
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

VERSION = 1

LOCK_SECONDS = 1.0  # another kernel needs a few milliseconds

_memory: list[dict] = []  # what this kernel did while the file could not be written
_trouble: list[str] = []  # what the cards have to say of the file


def progress_path() -> Path:
    """Return the path of the progress file; it need not exist.

    Example:
        >>> progress_path().name.endswith(".json")
        True
    """
    if chosen := os.environ.get("BPE_COURSE_PROGRESS"):
        return Path(chosen).expanduser()
    places = {"win32": ("APPDATA", "AppData/Roaming"), "darwin": ("", "Library/Application Support")}
    variable, folder = places.get(sys.platform, ("XDG_DATA_HOME", ".local/share"))
    place = os.environ.get(variable) or os.path.join(os.path.expanduser("~"), folder)
    return Path(place, "bpe-course", "progress.json")


def record(exercise: str, outcome: str, mistake: str | None = None) -> None:
    """Add one attempt, and what could not be written before. Never raises: see ``trouble``.

    Args:
        exercise: the exercise's id, or ``"quiz 2.1"`` for a quiz question.
        outcome: "passed", "wrong" or "error".
        mistake: the name of the mistake.
    """
    entry = {
        "exercise": exercise,
        "outcome": outcome,
        "mistake": mistake,
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    path = progress_path()
    _trouble.clear()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as held:
            _lock(path.with_name(path.name + ".lock"), held)
            data = _load(path)
            for late in [*_memory, entry]:
                _add(data["attempts"], late)
            _write(path, data)
        _memory.clear()
    except OSError as error:
        _trouble.append(
            f"Not saved: the progress file cannot be written ({error.strerror}). It is kept for this session."
        )
        _add(_memory, entry)


def trouble() -> tuple[str, ...]:
    """Return what has to be said of the progress file since the last attempt, for the cards."""
    return tuple(dict.fromkeys(_trouble))


def attempts() -> list[dict]:
    """Return all attempts: dicts with exercise, outcome, mistake, attempt and time, oldest first."""
    with suppress(OSError):
        return _load(progress_path())["attempts"] + _memory
    return list(_memory)


def export(path: str | os.PathLike, name: str | None = None) -> None:
    """Write the attempts into a file that can be handed in: no times, and no name unless one is given.

    Raises:
        OSError: the file cannot be written.
    """
    kept = [{key: entry[key] for key in ("exercise", "outcome", "mistake", "attempt")} for entry in attempts()]
    _write(Path(path), {"version": VERSION, **({"name": name} if name else {}), "attempts": kept})


def passed() -> set[str]:
    """Return the ids of what was passed at some time; a later wrong try does not undo it."""
    return {entry["exercise"] for entry in attempts() if entry["outcome"] == "passed"}


def _add(entries: list[dict], entry: dict) -> None:
    mine = [old for old in entries if old["exercise"] == entry["exercise"]]
    if mine and mine[-1]["outcome"] == entry["outcome"] == "passed":
        return  # a cell run again
    # Of one exercise the last 50 attempts are kept, and those that passed.
    entries[:] = [old for old in entries if old["outcome"] == "passed" or old not in mine[:-49]]
    entries.append(entry | {"attempt": 1 + max((old["attempt"] for old in mine), default=0)})


# --- The file ------------------------------------------------------------------------------


def _load(path: Path) -> dict:
    # What the file holds; one that cannot be read is set aside.
    try:
        return parse(_patiently(path.read_text, "utf-8-sig"))  # Notepad writes a BOM
    except FileNotFoundError:
        pass
    except (ValueError, RecursionError):
        _set_aside(path)
    return parse("{}")


def parse(text: str) -> dict:
    """Return the content of a progress file: {"version": 1, "attempts": [...]}.

    Raises:
        ValueError: the text is no progress file.

    Example:
        >>> parse('{"attempts": [{"exercise": "2.1", "outcome": "passed"}]}')["attempts"][0]["mistake"] is None
        True
    """
    data = json.loads(text)
    if not isinstance(data, dict) or not isinstance(data.get("attempts", []), list):
        raise ValueError("not a progress file")
    # Other versions may lack a field or have more: take what is known, keep the rest.
    data["version"] = max(VERSION, data["version"]) if isinstance(data.get("version"), int) else VERSION
    data["attempts"] = [entry for old in data.get("attempts", []) if (entry := _completed(old))]
    return data


def _completed(old: object) -> dict | None:
    if not isinstance(old, dict) or not isinstance(old.get("exercise"), str) or not isinstance(old.get("outcome"), str):
        return None
    attempt = old.get("attempt")
    return {"mistake": None, "time": None} | old | {"attempt": attempt if isinstance(attempt, int) else 1}


def _set_aside(path: Path) -> None:
    aside = next(new for i in itertools.count(1) if not (new := path.with_name(f"{path.name}.damaged-{i}")).exists())
    os.replace(path, aside)
    _trouble.append(f"The progress file was damaged. It is kept beside it as {aside.name}, and a new one begins.")


def _write(path: Path, data: dict) -> None:
    with tempfile.TemporaryDirectory(prefix=path.name, suffix=".tmp", dir=path.parent) as folder:
        new = Path(folder, path.name)
        with open(new, "w", encoding="utf-8") as file:
            json.dump(data, file, ensure_ascii=False, indent=1)
            file.flush()
            os.fsync(file.fileno())
        _patiently(os.replace, new, path)


def _patiently(act: Callable, *arguments: Any) -> Any:
    # On Windows no file can be replaced while another kernel reads it, nor read while it is replaced.
    for _ in range(10):
        with suppress(PermissionError):
            return act(*arguments)
        time.sleep(0.02)
    return act(*arguments)


def _lock(place: Path, held: ExitStack) -> None:
    # SQLite's lock is the same on every system, and the system releases it even when a kernel dies.
    try:
        import sqlite3
    except ImportError:  # Pyodide: no other kernel writes this file
        return
    try:
        lock = held.enter_context(closing(sqlite3.connect(place, timeout=LOCK_SECONDS, isolation_level=None)))
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:  # any other: a file system without locks
        if error.sqlite_errorname == "SQLITE_BUSY":
            raise OSError(errno.EAGAIN, "another program holds it") from None
