"""Shared by all tests: the case files, a browser, quick hypothesis profiles."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

REPOSITORY = Path(__file__).resolve().parent.parent
NO_BROWSER = "no Chromium, Chrome or Edge was found"
NOTEBOOKS = sorted((REPOSITORY / "notebooks").glob("*.ipynb"))


def pytest_terminal_summary(terminalreporter):
    """Say in one line when what needs a browser was not tested."""
    if any(NO_BROWSER in str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])):
        terminalreporter.write_line(f"The browser tests were skipped: {NO_BROWSER}.")


# The same examples every time, so that a red run can be had again; others with HYPOTHESIS_PROFILE=random.
_quiet = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
settings.register_profile("same", derandomize=True, **_quiet)
settings.register_profile("random", derandomize=False, print_blob=True, **_quiet)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


def load_cases(name):
    with open(Path(__file__).parent / "cases" / name, encoding="utf-8") as file:
        return json.load(file)


RUNS = {run["id"]: run for run in load_cases("reference-runs.json")}
CASES = {case["id"]: case for case in load_cases("tokenizer-cases.json")}


@pytest.fixture(scope="session")
def repository():
    return REPOSITORY


@pytest.fixture(scope="session")
def runs():
    return RUNS


@pytest.fixture(scope="session")
def cases():
    return CASES


@pytest.fixture(scope="module")
def browser():
    """A browser; without one the tests are skipped, but in CI they fail."""
    from browsing import any_chromium

    with any_chromium() as opened:
        if opened is None:
            (pytest.fail if os.environ.get("CI") else pytest.skip)(NO_BROWSER)
        yield opened


@pytest.fixture(scope="module")
def lab(browser, tmp_path_factory):
    """The address of a JupyterLab that holds the notebooks."""
    from browsing import jupyterlab

    with jupyterlab(tmp_path_factory.mktemp("lab")) as url:
        yield url


@pytest.fixture(scope="module")
def page(request, lab, browser):
    """The page of one lesson, run once for all the tests on it; see ``browsing.lesson``."""
    from browsing import opened, run_all

    with opened(lab, browser, request.param.stem) as found:
        run_all(found)
        yield found
