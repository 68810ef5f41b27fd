"""The cells of an exercise as a notebook holds them, for those who write or test notebooks."""

import re

from .exercises import find, lessons


def stub_source(id: str) -> str:
    """Return the exact text of the notebook's stub cell.

    The cell carries the tag ``exercise`` and the metadata ``bpe_course: {"exercise": id}``.

    Example:
        >>> print(stub_source("2.3"))
        # The word aaaa occurs once. How often does the pair (a, a) stand in it?
        pairs_in_aaaa = ...  # a whole number
    """
    return find(id).stub


def solution_source(id: str) -> str:
    """Return the text that solves the exercise when it replaces the stub.

    Example:
        >>> "return" in solution_source("2.1")
        True
    """
    return find(id).solution


def check_call(id: str) -> str:
    """Return the text of the check cell, which carries the tag ``check``.

    Example:
        >>> check_call("2.1")
        'check("2.1", count_pairs_in_word)'
    """
    return f'check("{id}", {find(id).name})'


def cell_kind(cell: dict) -> tuple[str, str] | None:
    """Say whether a notebook's cell is the stub or the check cell of an exercise.

    Args:
        cell: a cell as nbformat reads it.

    Returns:
        ("exercise" or "check", id), or None. Metadata decide; a cell that lost them is
        known by the function that it defines or the check that it calls.

    Example:
        >>> cell_kind({"cell_type": "code", "metadata": {}, "source": 'check("2.1", f)'})
        ('check', '2.1')
    """
    if cell["cell_type"] != "code":
        return None
    id = cell["metadata"].get("bpe_course", {}).get("exercise")
    tags = cell["metadata"].get("tags", [])
    for kind in ("exercise", "check"):
        if id and kind in tags:
            return kind, id
    if found := re.search(r"^check\(\s*[\"']([^\"']+)[\"']", cell["source"], re.MULTILINE):
        return "check", found[1]
    for lesson in lessons().values():
        for exercise in lesson.exercises:
            if re.search(rf"^(def {exercise.name}\(|{exercise.name}\s*=)", cell["source"], re.MULTILINE):
                return "exercise", exercise.id
    return None
