"""The one process in which a learner's code runs: it reads a job, runs it, and writes one line.

Nothing here decides anything. What comes out of this process is what the code behind the
answer chose to say; whether it is right is found out elsewhere.
"""

import builtins
import json
import linecache
import os
import stat
import sys
import types

from .. import running
from ..values import plain, read
from .carrying import pack, unpack

HERE = "<your code>"


class NotAllowed(PermissionError):
    """Raised where a learner's code does what no answer needs."""


def main() -> None:
    """Read the job from the standard input, run it, write the report to the standard output."""
    import resource  # Linux has it

    with os.fdopen(os.dup(1), "w", encoding="ascii") as channel:
        job = json.load(sys.stdin)
        with open(os.devnull, "r+b", buffering=0) as nothing:
            for number in (0, 1, 2):
                os.dup2(nothing.fileno(), number)
        for name, most in job["limits"].items():
            resource.setrlimit(getattr(resource, name), (most, most))
        sys.addaudithook(guard(frozenset(map(tuple, job["closed"]))))
        channel.write(json.dumps(report(job)) + "\n")
        channel.flush()
        os._exit(0)  # whatever threads or exit handlers there are


def report(job: dict) -> dict:
    """Run the code of an answer, then the answer on each probe."""
    names = {"__name__": "__main__", "__builtins__": builtins}
    linecache.cache[HERE] = (len(job["source"]), None, job["source"].splitlines(keepends=True), HERE)
    code = compile(job["source"], HERE, "exec")
    made = running.run_all(types.FunctionType(code, names), [()], seconds=job["seconds"])[0]
    if made.failure:
        return {"made": packed_run(made)}
    answer = names.get(job["name"], ...)
    if job["probes"] is None or not callable(answer):
        return {"value": pack(("other", "function") if callable(answer) else read(answer))}
    helpers: dict = {}
    exec(job["helpers"], helpers)
    probes = [tuple(argument(told, helpers) for told in probe) for probe in job["probes"]]
    return {"runs": [packed_run(run) for run in running.run_all(answer, probes, seconds=job["seconds"])]}


def argument(told: list, helpers: dict) -> object:
    """Make an argument of what was sent: a value, or an object of one of the helpers."""
    return helpers[told[1]](*plain(unpack(told[2]))) if told[0] == "made" else plain(unpack(told))


def packed_run(run: running.Run) -> dict:
    """Return what the parent wants to know of a run."""
    failure = run.failure and {
        "kind": run.failure.kind,
        "name": run.failure.name,
        "text": run.failure.text,
        "lines": run.failure.lines,
        "variables": sorted(run.failure.variables),
        "loops": run.failure.loops,
    }
    return {
        "value": run.value and pack(run.value),
        "failure": failure,
        "printed": run.printed[:2000],
        "changed": run.changed,
        "aliased": run.aliased,
        "altered": run.altered(),
    }


NEVER = (
    "os.fork",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.system",
    "os.startfile",
    "os.kill",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.mkdir",
    "os.link",
    "os.symlink",
    "os.truncate",
    "os.chmod",
    "os.chown",
    "subprocess.",
    "pty.",
    "shutil.",
    "socket.",
    "ctypes.dlsym",
    "resource.",
    "gc.",
)


def guard(closed: frozenset[tuple[int, int]]):
    """Return an audit hook that refuses other processes, the network, writing, and reading what is closed.

    It stops what is simple. Python cannot be fenced in from inside Python: that is what
    bubblewrap, another user or a container is for. Files are known by device and number, so
    that no other way of writing a path leads around it; a folder cannot be opened, since what
    is opened relative to one cannot be seen here.

    Args:
        closed: device and number of each file that no answer may read.
    """
    writes = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
    status, folder = os.stat, stat.S_IFDIR
    processes = status("/proc").st_dev

    def look(event: str, given: tuple, refuse=NotAllowed, never=NEVER) -> None:
        if event.startswith(never):
            raise refuse(f"an answer may not do this: {event}")
        if event == "ctypes.dlopen" and given[0]:
            raise refuse("an answer may not load a library")
        if event != "open" or type(given[0]) is int:
            return
        if type(given[2]) is int and given[2] & writes:
            raise refuse("an answer may not write files")
        try:
            found = status(given[0])
        except (OSError, ValueError):
            return
        if (found.st_dev, found.st_ino) in closed or found.st_dev == processes or found.st_mode & folder == folder:
            raise refuse("an answer may not read the course's own files, folders, or other processes")

    return look
