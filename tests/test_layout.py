"""The shape of the project: light import, no core file that needs views, one way of reading files."""

import ast
import subprocess
import sys

import pytest
from conftest import REPOSITORY

CORE = sorted((REPOSITORY / "bpe_core").glob("*.py"))
ORDER = [
    "checks",
    "pairs",
    "training",
    "encoding",
    "word_bpe",
    "patterns",
    "byte_bpe",
    "formats",
    "exchange",
    "datasets",
    "pretrained",
    "chat_templates",
    "chat_checks",
    "sandbox",
    "chat_spans",
    "chat",
]


def local_imports(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").startswith("bpe_core")):
            yield (node.module or "").removeprefix("bpe_core").strip(".")
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("bpe_core."):
                    yield alias.name.removeprefix("bpe_core.")


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.stem)
def test_core_imports_neither_views_nor_classroom(path):
    assert not [name for name in local_imports(path) if name.split(".")[0] in ("views", "classroom")]


@pytest.mark.parametrize("name", ORDER)
def test_files_import_only_what_stands_above_them(name):
    above = ORDER[: ORDER.index(name)]
    assert set(local_imports(REPOSITORY / "bpe_core" / f"{name}.py")) <= set(above)


def test_import_stays_light():
    script = "import sys, bpe_core; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert "bpe_core" in loaded and "regex" in loaded
    heavy = {
        "numpy",
        "pandas",
        "matplotlib",
        "IPython",
        "ipywidgets",
        "tqdm",
        "wordfreq",
        "babel",
        "jinja2",
        "tiktoken",
    }
    assert not loaded & heavy
    outside = {name for name in loaded if name not in sys.stdlib_module_names and not name.startswith("_")}
    # Editable installs and site hooks may add finders of their own.
    assert outside - {"bpe_core", "regex", "sitecustomize", "usercustomize", "distutils-precedence"} <= {
        "editables",
        "google",
        "mpl_toolkits",
    }


def test_text_files_name_their_encoding():
    for path in [*REPOSITORY.glob("bpe_core/**/*.py"), *REPOSITORY.glob("tests/*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                method = getattr(node.func, "attr", "")
                if getattr(node.func, "id", "") == "open" or method in ("read_text", "write_text"):
                    words = {word.arg for word in node.keywords}
                    binary = any(isinstance(a, ast.Constant) and a.value in ("rb", "wb") for a in node.args)
                    assert "encoding" in words or binary, f"{path.name}:{node.lineno}"


def test_no_pickle_and_no_bare_except():
    for path in REPOSITORY.glob("bpe_core/**/*.py"):
        source = path.read_text(encoding="utf-8")
        assert "import pickle" not in source, path
        for node in ast.walk(ast.parse(source)):
            assert not (isinstance(node, ast.ExceptHandler) and node.type is None), f"{path.name}:{node.lineno}"


def test_constraints_hold_no_addresses():
    text = (REPOSITORY / "constraints.txt").read_text(encoding="utf-8")
    assert "://" not in text and "@" not in text and "jupyterlab==" in text
    assert not (REPOSITORY / "uv.lock").exists() or "uv.lock" in (REPOSITORY / ".gitignore").read_text(encoding="utf-8")


def test_environment_file():
    text = (REPOSITORY / "environment.yml").read_text(encoding="utf-8")
    assert "conda-forge" in text and "python=3.12" in text
    assert "-c constraints.txt" in text and "-e ." in text


def test_corpora_are_as_their_readme_says():
    import hashlib
    import re

    readme = (REPOSITORY / "data" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"\| `(corpora/\S+)` \|.*\| (\d+) \| `([0-9a-f]{64})` \|", readme)
    assert len(rows) == 12
    for name, size, digest in rows:
        data = (REPOSITORY / "data" / name).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (int(size), digest), name
