"""Names the pins of constraints.txt that have no wheel for a Python or a system: make wheels

It asks the package index through pip, and installs nothing. A learner without a compiler
needs a wheel for every package.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

PYTHONS = ["3.11", "3.12", "3.13", "3.14", "3.15"]
SYSTEMS = {  # {name: (platform tags, environment for the markers)}
    "Linux x86_64": (
        [
            f"manylinux{age}_x86_64"
            for age in ("1", "2010", "2014", "_2_24", "_2_26", "_2_27", "_2_28", "_2_31", "_2_34")
        ]
        + [f"manylinux_2_{minor}_x86_64" for minor in (5, 12, 17)],
        {"sys_platform": "linux", "os_name": "posix", "platform_machine": "x86_64", "platform_system": "Linux"},
    ),
    "Windows amd64": (
        ["win_amd64"],
        {"sys_platform": "win32", "os_name": "nt", "platform_machine": "AMD64", "platform_system": "Windows"},
    ),
    "macOS arm64": (
        ["macosx_14_0_arm64"],
        {"sys_platform": "darwin", "os_name": "posix", "platform_machine": "arm64", "platform_system": "Darwin"},
    ),
}


def pins_for(python: str, environment: dict) -> list[str]:
    """Return the pins that hold for a Python and a system, as name==version."""
    text = (Path(__file__).parent.parent / "constraints.txt").read_text(encoding="utf-8")
    found = [Requirement(line) for line in text.splitlines()]
    environment = {
        **environment,
        "python_version": python,
        "python_full_version": f"{python}.9",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    return [f"{pin.name}{pin.specifier}" for pin in found if not pin.marker or pin.marker.evaluate(environment)]


def ask(python: str, tags: list[str], pins: list[str]) -> tuple[list[str], dict[str, dict]]:
    """Return the pins for which pip finds no wheel, and what pip reports of the others, {pin: report}."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--no-deps", "--ignore-installed"]
    command += ["--only-binary=:all:", "--python-version", f"{python}.9", "--target", "unused", "--report", "-"]
    # Or pip would compare with the Python that runs it; the loop below compares with the one asked for.
    command += ["--disable-pip-version-check", "--ignore-requires-python"]
    command += [f"--platform={tag}" for tag in tags]
    missing = []
    while pins:
        done = subprocess.run([*command, *pins], capture_output=True, text=True, encoding="utf-8")
        if done.returncode == 0:
            found = json.loads(done.stdout[done.stdout.index("{") :])["install"]
            return missing, dict(zip(pins, sorted_as(pins, found)))
        named = re.search(r"No matching distribution found for (\S+)", done.stderr)  # pip names one at a time
        if not named:
            sys.exit(done.stderr)
        missing.append(named[1])
        pins = [pin for pin in pins if pin != named[1]]
    return missing, {}


def sorted_as(pins: list[str], found: list[dict]) -> list[dict]:
    """Return pip's reports in the order of the pins."""
    by_name = {canonicalize_name(report["metadata"]["name"]): report for report in found}
    return [by_name[canonicalize_name(pin.partition("==")[0])] for pin in pins]


if __name__ == "__main__":
    complete = True
    everywhere: dict[str, dict] = {}  # pins with one wheel for all systems are asked for once
    for python in PYTHONS:
        for system, (tags, environment) in SYSTEMS.items():
            pins = pins_for(python, environment)
            lacking, reports = ask(python, tags, [pin for pin in pins if pin not in everywhere])
            for pin, report in reports.items():
                if report["download_info"]["url"].endswith("-none-any.whl"):
                    everywhere[pin] = report
            for pin in pins:
                needs = {**everywhere, **reports}.get(pin, {}).get("metadata", {}).get("requires_python", "")
                if not SpecifierSet(needs).contains(f"{python}.9"):
                    lacking.append(f"{pin} (needs Python {needs})")
            complete = complete and not lacking
            said = "no wheel of " + ", ".join(lacking) if lacking else f"all {len(pins)} pins have a wheel"
            print(f"Python {python}, {system}: {said}", flush=True)
    sys.exit(not complete)
