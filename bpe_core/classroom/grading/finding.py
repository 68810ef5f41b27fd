"""From a folder of submissions to the code of each answer. Nothing of it is run."""

import ast
import builtins
import copy
import json
import re
import stat
import symtable
import types
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from IPython.core.inputtransformer2 import TransformerManager

from ..exercises import exercises, lessons
from ..spec import Exercise, FunctionExercise

MAX_FILE = 10_000_000  # bytes of a notebook, with its outputs
MAX_CODE = 200_000  # characters of a notebook's code
HERE = "<your code>"  # the name of the file that the learner's lines seem to stand in
KEPT = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
ASSIGNS = (ast.Assign, ast.AnnAssign, ast.AugAssign)


@dataclass(frozen=True)
class Submission:
    """One notebook of one student: its bytes, or why they cannot be read."""

    student: str
    assignment: str
    content: bytes = b""
    trouble: str = ""


@dataclass(frozen=True)
class Answer:
    """What was found for an exercise: the code to run, or the outcome and the reason why there is none."""

    source: str = ""
    outcome: str = ""
    mistake: str = ""
    reason: str = ""
    left_out: frozenset[str] = frozenset()  # names that only code that is not run would make


@dataclass(frozen=True)
class Statement:
    """One statement of a notebook: the exercise that its cell is marked as, and the names that it binds and uses."""

    cell: str | None
    node: ast.stmt
    source: str
    binds: frozenset[str]
    uses: frozenset[str]


def submissions(folder: Path) -> Iterator[Submission]:
    """Give the notebooks of a class, student by student.

    Args:
        folder: holds one folder for each student, or nbgrader's ``submitted``. A student's folder
            holds notebooks, folders of notebooks (named for the assignment), or ZIP files of them.

    Yields:
        A submission for each notebook; one with its trouble for a file that cannot be taken, and
        for a student without any.
    """
    for home in sorted((folder / "submitted" if (folder / "submitted").is_dir() else folder).iterdir()):
        if home.name.startswith(".") or not home.is_dir():
            continue
        found = _of_student(home) if not home.is_symlink() else [_broken(home, home, "is a link; hand in the files")]
        yield from found or [_broken(home, home, "holds no notebook")]


def _of_student(home: Path) -> list[Submission]:
    found = []
    for path in sorted([*home.glob("*"), *home.glob("*/*")]):
        if any(part.startswith(".") for part in path.relative_to(home).parts) or path.suffix not in (".ipynb", ".zip"):
            continue
        try:
            if path.is_symlink() or path.parent.is_symlink() or not stat.S_ISREG(path.stat().st_mode):
                found.append(_broken(home, path, "is a link or no plain file; hand in the file itself"))
            elif path.suffix == ".zip":
                found += _of_zip(home, path)
            elif path.stat().st_size > MAX_FILE:
                found.append(_broken(home, path, f"is larger than {MAX_FILE // 1_000_000} MB"))
            else:
                name = path.stem if path.parent == home else path.parent.name
                found.append(Submission(home.name, name, path.read_bytes()))
        except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error) as error:
            found.append(_broken(home, path, f"cannot be read: {getattr(error, 'strerror', None) or error}"))
    return found


def _of_zip(home: Path, path: Path) -> list[Submission]:
    # Read in memory: no name in a ZIP file becomes a name on the disk.
    found = []
    with zipfile.ZipFile(path) as archive:
        members = [one for one in archive.infolist() if one.filename.endswith(".ipynb")]
        for member in members[:20]:
            if member.file_size > MAX_FILE:
                found.append(_broken(home, path, "holds a notebook that is too large"))
            else:
                found.append(Submission(home.name, Path(member.filename).stem, archive.read(member)))
    return found or [_broken(home, path, "holds no notebook")]


def _broken(home: Path, path: Path, why: str) -> Submission:
    return Submission(home.name, path.stem, trouble=f"{path.name!r} {why}.")


class Notebook:
    """The statements of a notebook, in page order, and the marks of its cells.

    Raises:
        ValueError: the bytes are no notebook.
    """

    def __init__(self, content: bytes):
        """Read the notebook."""
        try:
            cells = [cell for cell in json.loads(content)["cells"] if cell["cell_type"] == "code"]
            self.marks = [_mark(cell.get("metadata")) for cell in cells]
            sources = ["".join(cell["source"]) for cell in cells]
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"it is no notebook that can be read ({type(error).__name__})") from error
        if sum(map(len, sources)) > MAX_CODE:
            raise ValueError(f"its code has more than {MAX_CODE:,} characters")
        self.statements: list[Statement] = []
        self.broken: dict[str | None, str] = {}
        for mark, source in zip(self.marks, sources):
            try:
                if "\0" in source:  # Python 3.13 stops with a SystemError on the way
                    raise SyntaxError("source code cannot contain null bytes")
                # A line with % or ! becomes a call, which is not run.
                source = TransformerManager().transform_cell(source)
                self.statements += [
                    Statement(mark, node, _source(source, node), *_names(node))
                    for whole in parsed(source).body
                    for node in _single(whole)
                ]
            except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
                self.broken[mark] = f"{type(error).__name__}: {getattr(error, 'msg', error)}"

    def lesson(self, name: str) -> int | None:
        """Return the number of the lesson: from the marks of its cells, else from the assignment's name."""
        marked = [mark for mark in self.marks if mark]
        number = re.search(r"\d+", name)
        found = int(max(marked, key=marked.count).split(".")[0]) if marked else int(number[0][:4]) if number else None
        return found if found in lessons() else None

    def answer(self, exercise: Exercise) -> Answer:
        """Return the code that an exercise's answer needs: by its cell's mark, else by the name it gives."""
        makes = [one for one in self.statements if exercise.name in one.binds]
        marked = [one for one in makes if one.cell == exercise.id]
        filled = [one for one in marked if not _untouched(exercise, one)] or [
            one for one in makes if not _untouched(exercise, one)
        ]
        if exercise.id in self.broken and not filled:
            reason = f"The cell cannot be read as Python: {self.broken[exercise.id]}."
            return Answer(outcome="error", mistake="SyntaxError", reason=reason)
        if not makes:
            where = "its cell makes no" if exercise.id in self.marks else "no cell is marked for it, and none makes a"
            return Answer(outcome="not found", mistake="not-found", reason=f"{where} `{exercise.name}`.")
        if not filled:
            return Answer(outcome="not attempted", reason="The cell is as it was.")
        return self._needed(exercise, filled, [one for one in makes if one not in filled])

    def _needed(self, exercise: Exercise, makers: list[Statement], others: list[Statement]) -> Answer:
        # The statements that make the answer, and those that make what they use, in page order.
        usable = [one for one in self.statements if isinstance(one.node, (*KEPT, *ASSIGNS)) and one not in others]
        needed = [one for one in makers if one in usable]
        size = -1
        while size != len(needed):
            size, names = len(needed), frozenset().union(*(one.uses for one in needed))
            needed = [one for one in usable if one in needed or one.binds & names]
        made = frozenset().union(*(one.binds for one in needed))
        elsewhere = frozenset().union(*(one.binds for one in self.statements)) - made
        left_out = (names & elsewhere) | (frozenset([exercise.name]) - made)
        return Answer("\n".join(one.source for one in needed), left_out=left_out - set(dir(builtins)))


def _mark(metadata: dict) -> str | None:
    mark, tags = (metadata.get(key) if isinstance(metadata, dict) else None for key in ("bpe_course", "tags"))
    mark = mark.get("exercise") if isinstance(mark, dict) else None
    known = type(mark) is str and mark in exercises() and not (isinstance(tags, list) and "check" in tags)
    return mark if known else None


def parsed(source: str) -> ast.Module:
    """Return the syntax tree of a source; what Python would warn of is not said here."""
    with warnings.catch_warnings(action="ignore"):
        return ast.parse(source)


def _source(cell: str, node: ast.stmt) -> str:
    whole = isinstance(node, KEPT[:2]) or getattr(node, "decorator_list", ())
    return ast.unparse(node) if whole else ast.get_source_segment(cell, node)


def _single(node: ast.stmt) -> list[ast.stmt]:
    # An import of several names as several imports, so that an answer brings along only what it uses.
    if not isinstance(node, (ast.Import, ast.ImportFrom)):
        return [node]
    parts = [copy.copy(node) for _ in node.names]
    for part, alias in zip(parts, node.names):
        part.names = [alias]
    return parts


def _names(node: ast.stmt) -> tuple[frozenset[str], frozenset[str]]:
    # The names that a statement binds in the notebook, and those of the notebook that it uses.
    top = symtable.symtable(ast.unparse(node), HERE, "exec")
    tables = [top]
    for table in tables:
        tables += table.get_children()
    bound = {one.get_name() for one in top.get_symbols() if one.is_assigned() or one.is_imported()}
    used = {
        one.get_name()
        for table in tables
        for one in table.get_symbols()
        if one.is_referenced() and (table is top or one.is_global())
    }
    places = [one for one in ast.walk(node) if isinstance(one, (ast.Subscript, ast.Attribute))]
    changed = {_root(one) for one in places if isinstance(one.ctx, ast.Store)}
    return frozenset(bound | changed), frozenset(used)


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _untouched(exercise: Exercise, one: Statement) -> bool:
    node = one.node
    if isinstance(exercise, FunctionExercise):
        function = isinstance(node, ast.FunctionDef) and function_of(one.source, exercise.name)
        return bool(function) and exercise.is_untouched(function)
    value = getattr(node, "value", None)
    return isinstance(value, ast.Constant) and value.value in (..., None)


def function_of(source: str, name: str) -> types.FunctionType | None:
    """Return the function that a source defines, compiled and not run; it has no names to use.

    Example:
        >>> function_of("def f(a, b=1): return a", "f").__code__.co_varnames
        ('a', 'b')
    """
    try:
        tree = parsed(source)
        with warnings.catch_warnings(action="ignore"):
            code = compile(tree, HERE, "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    bodies = [one for one in code.co_consts if isinstance(one, types.CodeType) and one.co_name == name]
    definitions = [one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == name]
    if not bodies or not definitions or bodies[-1].co_freevars:
        return None
    arguments = definitions[-1].args
    function = types.FunctionType(bodies[-1], {}, name, (None,) * len(arguments.defaults))
    function.__kwdefaults__ = {
        one.arg: None for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults) if value
    }
    function.__doc__ = bodies[-1].co_consts[0] if ast.get_docstring(definitions[-1]) is not None else None
    return function
