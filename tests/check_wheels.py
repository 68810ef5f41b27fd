"""Names the pins of constraints.txt that have no wheel for a Python or a system: make wheels

It asks the package index through pip, and installs nothing. A learner without a compiler
needs a wheel for every package.
"""

import json
import re
import subprocess
import sys

from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from bpe_core.classroom.teaching.offline import SYSTEMS, environment_of, pins_for

PYTHONS = ["3.11", "3.12", "3.13", "3.14", "3.15"]


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
        for system, (tags, _) in SYSTEMS.items():
            pins = list(pins_for(environment_of(system, python)).values())
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
