"""A folder from which the course is installed without a network: every wheel for one system, and the lessons.

    python -m bpe_core.classroom.teaching.offline --platform windows --python 3.12 --to dist/offline

It asks the package index through pip, for a system that need not be this one.
"""

import argparse
import importlib.metadata
import shutil
import subprocess
import sys
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[3]
PROJECT = "bpe-by-hand"
MANYLINUX = ("1", "2010", "2014", "_2_5", "_2_12", "_2_17", "_2_24", "_2_26", "_2_27", "_2_28", "_2_31", "_2_34")
SYSTEMS = {  # {name: (platform tags, environment for the markers)}
    "linux": (
        [f"manylinux{age}_x86_64" for age in MANYLINUX],
        {"sys_platform": "linux", "os_name": "posix", "platform_machine": "x86_64", "platform_system": "Linux"},
    ),
    "windows": (
        ["win_amd64"],
        {"sys_platform": "win32", "os_name": "nt", "platform_machine": "AMD64", "platform_system": "Windows"},
    ),
    "macos": (
        ["macosx_14_0_arm64"],
        {"sys_platform": "darwin", "os_name": "posix", "platform_machine": "arm64", "platform_system": "Darwin"},
    ),
}
PAGE = """The course without a network

You need Python {python} on {system}. Copy this folder to each machine (a USB stick will do), open a
terminal in it, and type:

    {launcher} -m venv course-env
    {pip} install --no-index --find-links wheels {project}
    {jupyter} lab --notebook-dir notebooks

JupyterLab opens in the browser; begin with 00_start_here.ipynb. Its first cell says what is missing.
Progress is kept on each machine. Nothing is asked of any network, now or later.
"""


def environment_of(system: str, python: str) -> dict[str, str]:
    """Return what markers such as ``sys_platform == "win32"`` see on a system.

    Example:
        >>> environment_of("windows", "3.12")["sys_platform"]
        'win32'
    """
    versions = {"python_version": python, "python_full_version": f"{python}.9"}
    return {
        **SYSTEMS[system][1],
        **versions,
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }


def pins_for(environment: dict[str, str]) -> dict[str, str]:
    """Return the pins of constraints.txt that hold in an environment, {name: name==version}."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    found = [pin for pin in map(Requirement, lines) if not pin.marker or pin.marker.evaluate(environment)]
    return {canonicalize_name(pin.name): f"{pin.name}{pin.specifier}" for pin in found}


def needed(environment: dict[str, str]) -> list[str]:
    """Return the pins that the course needs in an environment, with what these need in turn.

    What a package needs is read from the one that is installed here; one that only the other
    system has (colorama, pywinpty) needs nothing more.
    """
    pins, wanted, waiting = pins_for(environment), {}, [(PROJECT, frozenset())]
    while waiting:
        name, extras = waiting.pop()
        try:
            lines = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        for line in map(Requirement, lines):
            holds = not line.marker or any(
                line.marker.evaluate({**environment, "extra": extra}) for extra in (extras or {""})
            )
            key = (canonicalize_name(line.name), frozenset(line.extras))
            if holds and key not in wanted and key[0] != "editables":  # of an editable install alone
                wanted[key] = pins[key[0]]
                waiting.append(key)
    return sorted(set(wanted.values()))


def save_offline(folder: Path, system: str, python: str) -> str:
    """Fill a folder with the wheels for a system, the lessons, and a page that says how to install.

    Returns:
        What is to be said, one line.

    Raises:
        SystemExit: the package index has no wheel of a package for that system; pip's line names it.
    """
    shutil.rmtree(folder, ignore_errors=True)
    wheels = folder / "wheels"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    tags = [f"--platform={tag}" for tag in SYSTEMS[system][0]]
    pins = needed(environment_of(system, python))
    for command in (
        [*pip, "wheel", "--no-deps", "--wheel-dir", str(wheels), str(ROOT)],
        [
            *pip,
            "download",
            "--no-deps",
            "--only-binary=:all:",
            f"--python-version={python}.9",
            *tags,
            "--dest",
            str(wheels),
            *pins,
        ],
    ):
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
        if done.returncode:
            sys.exit(done.stderr.strip().splitlines()[-1])
    (folder / "notebooks").mkdir()
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        shutil.copy(path, folder / "notebooks")
    inside = "course-env\\Scripts\\" if system == "windows" else "course-env/bin/"
    launcher = f"py -{python}" if system == "windows" else f"python{python}"
    names = {"pip": f"{inside}pip", "jupyter": f"{inside}jupyter", "launcher": launcher, "project": PROJECT}
    page = PAGE.format(python=python, system={"macos": "macOS"}.get(system, system.title()), **names)
    (folder / "INSTALL.txt").write_text(page, encoding="utf-8")
    size = sum(path.stat().st_size for path in folder.rglob("*")) / 1e6
    return f"{len(list(wheels.iterdir()))} wheels for Python {python} on {system} in {folder}, {size:.0f} MB. Read INSTALL.txt there."


def main(arguments: list[str] | None = None) -> None:
    """Read the command line and fill the folder."""
    here = {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux")
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--platform", choices=SYSTEMS, default=here, help="the system of the laptops")
    parser.add_argument("--python", default=version, help="their Python, such as 3.12")
    parser.add_argument("--to", type=Path, default=Path("dist/offline"), help="the folder")
    options = parser.parse_args(arguments)
    print(save_offline(options.to, options.platform, options.python))


if __name__ == "__main__":
    main()
