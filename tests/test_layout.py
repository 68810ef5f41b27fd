"""The shape of the project: light import, no core file that needs views, one way of reading files."""

import ast
import graphlib
import importlib.util
import re
import subprocess
import sys

import pytest
from conftest import REPOSITORY

import bpe_core

PACKAGE = REPOSITORY / "bpe_core"
# The reading order is stated once, in the docstring of the package.
ORDER = re.findall(r"\w+", bpe_core.__doc__.split("\n\n")[2])


def modules_of(path):
    """Return the name of a file as a module inside bpe_core: "pairs", "views.look", "views"."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {modules_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}
CORE = [name for name, path in FILES.items() if path.parent == PACKAGE and name]


def local_imports(name):
    """Return the modules of bpe_core that a module of it imports, at its top or inside a function."""
    package = f"bpe_core.{name if FILES[name].name == '__init__.py' else name.rpartition('.')[0]}".strip(".")
    found = set()
    for node in ast.walk(ast.parse(FILES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            target = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            for alias in node.names:  # "from . import look" names a module, "from .look import View" what is in one
                inner = f"{target}.{alias.name}"
                found.add(inner if inner.removeprefix("bpe_core.") in FILES else target)
    return {name.removeprefix("bpe_core").strip(".") for name in found if name.split(".")[0] == "bpe_core"}


def test_the_reading_order_names_every_file_once():
    assert sorted(ORDER) == CORE


@pytest.mark.parametrize("name", CORE)
def test_files_import_only_what_stands_above_them(name):
    assert local_imports(name) <= set(ORDER[: ORDER.index(name)])


def test_no_two_files_import_each_other():
    imports = {name: local_imports(name) for name in FILES}
    assert imports["training"] == {"checks", "pairs"} and "views.look" in imports["views.live"]  # they are seen
    graphlib.TopologicalSorter(imports).prepare()  # raises CycleError, which names the circle


def test_import_takes_the_standard_library_only():
    script = "import sys; before = set(sys.modules); import bpe_core; print(*(set(sys.modules) - before))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in run.stdout.split()}
    assert "bpe_core" in loaded and not loaded - sys.stdlib_module_names - {"bpe_core"}


def nodes(*patterns):
    """Every node of these files' syntax trees, with where it stands."""
    for path in [path for pattern in patterns for path in sorted(REPOSITORY.glob(pattern))]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            yield f"{path.name}:{getattr(node, 'lineno', 0)}", node


def lacks_encoding(node):
    """Say whether a call opens a text file without naming how it is encoded."""
    if not isinstance(node, ast.Call):
        return False
    words = {word.arg: word.value for word in node.keywords}
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("read_text", "write_text"):
        return "encoding" not in words
    if getattr(node.func, "id", getattr(node.func, "attr", "")) != "open":
        return False
    # open(path, mode), io.open(path, mode), but Path(...).open(mode)
    owner = getattr(node.func, "value", None)
    if getattr(owner, "id", "") == "Image":
        return False
    place = 1 if owner is None or getattr(owner, "id", "") in ("io", "os", "codecs") else 0
    mode = words.get("mode", node.args[place] if len(node.args) > place else None)
    return "encoding" not in words and not (isinstance(mode, ast.Constant) and "b" in str(mode.value))


def is_unsafe(node):
    """Say whether a node imports pickle, or catches every error and does not raise it again."""
    if isinstance(node, ast.Import):
        return any(alias.name.split(".")[0] in UNSAFE for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").split(".")[0] in UNSAFE
    if not isinstance(node, ast.ExceptHandler):
        return False
    caught = [part.id for part in ast.walk(node.type) if isinstance(part, ast.Name)] if node.type else ["BaseException"]
    return "BaseException" in caught and all(isinstance(line, ast.Pass) for line in node.body)


UNSAFE = {"pickle", "_pickle", "cPickle", "marshal", "shelve", "dill", "joblib"}


def test_text_files_name_their_encoding():
    assert [place for place, node in nodes("bpe_core/**/*.py", "tests/*.py") if lacks_encoding(node)] == []


def test_no_pickle_and_no_error_swallowed():
    found = [place for place, node in nodes("bpe_core/**/*.py") if is_unsafe(node)]
    bare = [place for place, node in nodes("bpe_core/**/*.py") if isinstance(node, ast.ExceptHandler) and not node.type]
    assert found == bare == []


@pytest.mark.parametrize(
    "source, wrong",
    [
        ("from pickle import loads", True),
        ("import pickle as p", True),
        ("import marshal", True),
        ("import pickletools", False),
        ("Path('x').open('w')", True),
        ("open('x')", True),
        ("io.open('x', mode='r')", True),
        ("open('rb')", True),
        ("open('x', 'rb')", False),
        ("Path('x').open('rb')", False),
        ("open('x', encoding='utf-8')", False),
        ("try: f()\nexcept BaseException: pass", True),
        ("try: f()\nexcept (KeyError, BaseException): pass", True),
        ("try: f()\nexcept BaseException: raise", False),
        ("try: f()\nexcept KeyError: pass", False),
    ],
)
def test_the_checks_see_what_they_are_for(source, wrong):
    assert any(lacks_encoding(node) or is_unsafe(node) for node in ast.walk(ast.parse(source))) == wrong


def test_constraints_hold_no_addresses():
    text = (REPOSITORY / "constraints.txt").read_text(encoding="utf-8")
    assert "://" not in text and "@" not in text and "jupyterlab==" in text
    assert not (REPOSITORY / "uv.lock").exists() or "uv.lock" in (REPOSITORY / ".gitignore").read_text(encoding="utf-8")


def test_environment_file():
    text = (REPOSITORY / "environment.yml").read_text(encoding="utf-8")
    assert "conda-forge" in text and "python=3.12" in text
    assert "-c constraints.txt" in text and text.endswith("- -e .\n")


def test_corpora_are_as_their_readme_says():
    import hashlib
    import re

    readme = (REPOSITORY / "data" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"\| `(corpora/\S+)` \|.*\| (\d+) \| `([0-9a-f]{64})` \|", readme)
    assert len(rows) == 12
    for name, size, digest in rows:
        data = (REPOSITORY / "data" / name).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (int(size), digest), name
