"""The maker of wrong answers itself; `make mutants` runs them."""

import sys

import mutants
import pytest
from mutants import FUNCTIONS, LEAST, Judge, compiled, known_reasons, tree_mutants, wrappers

SMALL = {"5.7"}  # its reference is one line


@pytest.mark.parametrize("id", FUNCTIONS)
def test_enough_mutants_each_with_a_name_of_its_own(id):
    found = tree_mutants(FUNCTIONS[id])
    assert len(found) >= LEAST or id in SMALL
    assert len(set(found.values())) == len(found) and found == tree_mutants(FUNCTIONS[id])
    assert len(wrappers(FUNCTIONS[id])) >= 60
    if sys.version_info >= (3, 12):
        return  # there ast.unparse writes other quotes inside an f-string, and so other names
    unknown = known_reasons().get(id, {}).keys() - found.keys() - wrappers(FUNCTIONS[id]).keys()
    assert not unknown, f"mutants.toml names what is made no more: {unknown}"


def test_a_mutant_is_told_apart_by_the_smallest_input():
    exercise = FUNCTIONS["3.1"]
    judge = Judge(exercise)
    assert judge.tell_apart(exercise.reference) is None
    name = next(name for name in tree_mutants(exercise) if name.endswith("while i <= len(symbols):"))
    assert judge.tell_apart(compiled(exercise, tree_mutants(exercise)[name]))[1:] == (
        "([], ('a', 'b'))",
        "IndexError",
        "[]",
    )
    shared = wrappers(exercise)["one result kept and shown again"]
    assert judge.tell_apart(shared)[0] == "result shared"


@pytest.mark.parametrize(
    "text, name", [("café e\u0301", "accents and combining marks dropped"), ("a٣", "only ASCII kept")]
)
def test_wrappers_break_what_they_say(text, name):
    change = mutants.INPUTS[name]
    assert change([(text, 1)]) == [({"café e\u0301": "cafe e", "a٣": "a"}[text], 1)]
    assert change(["plain", {"x": 2}]) == ["plain", {"x": 2}]
