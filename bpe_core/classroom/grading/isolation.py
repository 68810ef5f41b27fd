"""One process for each answer, as far from everything else as this machine allows.

Inside bubblewrap where it is installed: no network, no file but the interpreter's and a folder
with what an answer may import, a user without rights, a process table of its own. Without it,
limits only. In both, that folder holds the course's module without its answers: no exercises, and
what answers an exercise by itself raises an error there.
"""

import ast
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
from contextlib import suppress
from pathlib import Path

from bpe_core.datasets import data_folder

PACKAGE = Path(__file__).resolve().parents[2]
CLASSROOM = PACKAGE / "classroom"
LIBRARIES = sorted({sysconfig.get_path(name) for name in ("purelib", "platlib")})
START = "import sys; sys.path[:0] = sys.argv[1:]; from box.inside import main; main()"
FLAGS = ("-s", "-S", "-P", "-B", "-c")  # as -I, but PYTHONHASHSEED counts
ENVIRONMENT = {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1"}
SECONDS = 10  # to start Python and import, besides an answer's own time
MEMORY = 2 << 30  # bytes of address space
OUTPUT = 500_000  # characters of a report; the longest of a right answer has a tenth of it
REFUSAL = "this exercise asks you to write it yourself"


def stage(folder: Path, blocked: tuple[str, ...]) -> Path:
    """Make the folder that an answer may import from.

    Args:
        folder: where to make it; it is made if it is missing.
        blocked: names of functions, classes and modules of bpe_core that raise an error
            when they are called; ``"bpe_core"`` leaves all of it out.

    Returns:
        The folder.
    """
    box = folder / "box"
    box.mkdir(parents=True)
    (box / "__init__.py").touch()
    for path in (CLASSROOM / "running.py", CLASSROOM / "values.py"):
        shutil.copy(path, box)
    for name in ("inside.py", "carrying.py"):
        source = (CLASSROOM / "grading" / name).read_text(encoding="utf-8")
        (box / name).write_text(source.replace("from ..", "from ."), encoding="utf-8")
    if "bpe_core" not in blocked:
        for path in [*PACKAGE.glob("*.py"), *PACKAGE.glob("alternatives/*.py")]:
            target = folder / "bpe_core" / path.relative_to(PACKAGE)
            target.parent.mkdir(exist_ok=True)
            target.write_text(without(path.read_text(encoding="utf-8"), path.stem, blocked), encoding="utf-8")
        (folder / "data").symlink_to(data_folder())
    return folder


def without(source: str, module: str, blocked: tuple[str, ...]) -> str:
    """Return a module's source in which the blocked functions, and methods of blocked classes, raise an error.

    Example:
        >>> print(without("def f(a):\\n    return a", "pairs", ("f",)))
        def f(a):
            raise PermissionError('this exercise asks you to write it yourself')
    """
    tree = ast.parse(source)
    found = tree.body if module in blocked else [one for one in tree.body if getattr(one, "name", None) in blocked]
    inner = [one for top in found for one in ast.walk(top) if isinstance(one, ast.FunctionDef)]
    for function in inner:
        function.body = ast.parse(f"raise PermissionError({REFUSAL!r})").body
    return ast.unparse(tree) if inner else source


class Isolation:
    """Runs answers, each in a process of its own.

    Attributes:
        wrapped: whether bubblewrap is used.
    """

    def __init__(self, folder: Path, *, wrapped: bool | None = None):
        """Find out what this machine has; ``folder`` is for what the processes import."""
        self.folder = folder
        self.wrapped = _bubblewrap_works() if wrapped is None else wrapped
        self._lock, self._stages = threading.Lock(), {}
        self.tasks = _tasks_of_user() + 64
        self.closed = [(file.st_dev, file.st_ino) for file in map(Path.stat, _files_with_answers())]

    @property
    def words(self) -> str:
        """How answers are run, in words."""
        return "inside bubblewrap" if self.wrapped else "with limits only (bubblewrap is missing or does not run here)"

    def run(
        self,
        source: str,
        name: str,
        probes: list | None,
        seconds: float,
        blocked: tuple[str, ...] = (),
        helpers: str = "",
    ) -> dict | None:
        """Run an answer.

        Args:
            source: its code.
            name: the name that it makes.
            probes: lists of packed arguments; None if the answer is a value.
            seconds: time for all calls together.
            blocked: as in ``stage``.
            helpers: source of the classes that arguments need.

        Returns:
            What the process reported, whatever that is; None if it ended or was stopped without a word.
        """
        with self._lock:
            if blocked not in self._stages:
                self._stages[blocked] = stage(self.folder / str(len(self._stages)), blocked)
        folder = self._stages[blocked]
        job = {
            "source": source,
            "name": name,
            "probes": probes,
            "helpers": helpers,
            "seconds": seconds,
            "closed": self.closed,
            "limits": {
                "RLIMIT_CPU": int(2 * seconds) + SECONDS,
                "RLIMIT_AS": MEMORY,
                "RLIMIT_FSIZE": 1 << 20,
                "RLIMIT_NOFILE": 64,
                "RLIMIT_NPROC": self.tasks,
                "RLIMIT_CORE": 0,
            },
        }
        line = _first_line(self._command(folder), json.dumps(job).encode("ascii"), 2 * seconds + SECONDS)
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            return None
        return found if isinstance(found, dict) else None

    def _command(self, folder: Path) -> list[str]:
        python = [os.path.realpath(sys.executable), *FLAGS, START]
        if not self.wrapped:
            return [*python, str(folder), *LIBRARIES]
        return [*bubblewrap(folder), *python, "/stage", *LIBRARIES]


def bubblewrap(folder: Path) -> list[str]:
    """Return the beginning of a command that runs the rest of it in a sandbox, where ``folder`` is ``/stage``."""
    seen = {sys.base_prefix, "/usr", "/lib", "/lib64", *LIBRARIES}
    hidden = [place for place in (*(f"{one}/bpe_core" for one in LIBRARIES), str(CLASSROOM)) if _within(place, seen)]
    data = folder / "data"
    return [
        "bwrap",
        *("--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534", "--disable-userns"),
        *("--cap-drop", "ALL", "--die-with-parent", "--new-session", "--clearenv"),
        *(part for name, value in ENVIRONMENT.items() for part in ("--setenv", name, value)),
        *("--dev", "/dev", "--proc", "/proc", "--size", str(1 << 20), "--tmpfs", "/tmp"),
        *(part for place in sorted(seen) if os.path.exists(place) for part in ("--ro-bind", place, place)),
        *("--ro-bind", str(folder), "/stage"),
        *(("--ro-bind", str(data.resolve()), str(data.resolve())) if data.exists() else ()),
        *(part for place in hidden for part in ("--size", "4096", "--tmpfs", place)),
        *("--chdir", "/tmp"),
    ]


def _within(place: str, seen: set[str]) -> bool:
    return os.path.isdir(place) and any(Path(place).is_relative_to(one) for one in seen)


def _files_with_answers() -> list[Path]:
    places = [PACKAGE, *(PACKAGE.parent / name for name in ("tests", "notebooks") if _is_clone())]
    return [path for place in places for path in place.rglob("*") if path.is_file() and "_data" not in path.parts]


def _is_clone() -> bool:
    return (PACKAGE.parent / "pyproject.toml").is_file()


def _bubblewrap_works() -> bool:
    if not shutil.which("bwrap"):
        return False
    command = [*bubblewrap(PACKAGE), os.path.realpath(sys.executable), *FLAGS, ""]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


def _tasks_of_user() -> int:
    # RLIMIT_NPROC counts all threads of a user.
    count = 0
    for path in Path("/proc").glob("[0-9]*/task"):
        with suppress(OSError):
            count += len(list(path.iterdir())) if path.stat().st_uid == os.getuid() else 0
    return count


def _first_line(command: list[str], given: bytes, seconds: float) -> bytes:
    # What a process writes up to the first line end; then it and all that it started are killed.
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd="/",
        env=ENVIRONMENT,
    )
    timer = threading.Timer(seconds, _kill, [process])
    timer.start()
    try:
        with suppress(OSError), process.stdin, process.stdout:
            with suppress(BrokenPipeError):
                process.stdin.write(given)
                process.stdin.close()
            return process.stdout.readline(OUTPUT)
        return b""
    finally:
        timer.cancel()
        _kill(process)
        process.wait()


def _kill(process: subprocess.Popen) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
