"""Shared by all tests: the case files, a progress file of its own, quick hypothesis profiles."""

import json
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

REPOSITORY = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((REPOSITORY / "notebooks").glob("*.ipynb"))

# Exercises keep their progress in a file; no test may touch the learner's own.
os.environ["BPE_COURSE_PROGRESS"] = str(Path(tempfile.mkdtemp(prefix="bpe-course-"), "progress.json"))

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
