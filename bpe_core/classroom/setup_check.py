"""setup_check(): is this machine ready for the course, and if not, what mends it?

It has to run where things are missing. So this file needs nothing but Python's standard
library when it is loaded, not even the rest of bpe_core, and it is written so that an old
Python can read it too. Notebook 00 imports it, or runs it from its place when that fails.
"""

import contextlib
import hashlib
import html
import importlib
import importlib.util
import io
import os
import runpy
import sys
import tempfile
import warnings
from pathlib import Path
from typing import NamedTuple

OLDEST_PYTHON = (3, 11)

PROJECT = "bpe-by-hand"  # its requirements are read from what pip wrote when it was installed
NOT_IMPORTED = ("jupyterlab",)  # a server has no business in a kernel: it is only looked for

# SHA-256 of the files that the lessons print numbers about; a test compares them with the files.
FILES = {
    "corpora/code/inventory.py": "538d32630926deaf29393294c5bfc685233db75d68a7571b0be419e33bc2dd59",
    "corpora/code/matrix.js": "52ed0adc2024e046237fe2b6d3b8ad2b20bb80c3310fcfe791fa88f2fdd41a92",
    "corpora/code/queue.c": "9ffd415d5055a6521263700780a91f3dc8a63530c6dbc4943bdb2b1a7d49978d",
    "corpora/code/styles_and_page.html": "35647fd1f9d5788b01a518148a9cde05b93c6b392eefce61f999f5e5268732ae",
    "corpora/code/text_tools.py": "07b2792c1d3892ba5ad23f050ffd61cd49e2480f10698c13eb3c81811611213d",
    "corpora/prose/letters.txt": "0f14f2afa954170a809a8badfc891441d94be7ec9d69bd1ba4bb9bf6dbf5df8a",
    "corpora/prose/manual.txt": "0594e97e1b7210c95c611bf5119d3dfbd340b5fafe4fbc23e7998ed16ef8178d",
    "corpora/prose/news.txt": "785cddecf1f5ac755a0a8e0e20439c82da9500305a06cbebdb60a0822c252c9e",
    "corpora/prose/recipes.txt": "535b26bd7ec47fe237c538e0fc91b4c987e964f04e4fd5b8bfa601b9cfe6754e",
    "corpora/prose/science.txt": "bd451df6cde3f6d3be4fac956a777dd75e2eabde13056b4937ecaa1ad32f3f6c",
    "corpora/prose/story.txt": "c9938bd09bfbdde2614ca2a510de40dde4128f290e2bed69dd95d003a0b288cf",
    "corpora/prose/talk.txt": "60369bd45d11aec0e305eb3bfc10299555159691771b6a1762da35add68c54b7",
    "parallel/sentences.csv": "dac2b65693330d0721f362509cbc7cf423b2f2f3ce5c55ab554840d4fb1e15ab",
    "tokenizers/cl100k_base.tiktoken": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "tokenizers/o200k_base.tiktoken": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "tokenizers/qwen2.tiktoken": "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186",
    "tokenizers/r50k_base.tiktoken": "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
    "tokenizers/special_tokens.json": "5361e29042958a6707cc805889fb3a076ceb5ac08b2706cfb70e81793d34ca65",
}
TABLES = ("flores_premiums.csv", "models.csv", "prices.csv")  # only looked for: learners may edit them

PASSED, WRONG, WAITING = "passed", "wrong", "waiting"
MARKS = {PASSED: "\u2713", WRONG: "\u2717", WAITING: "\u25cb"}  # ✓ ✗ ○
RUN_ME = "Run this cell to see whether your browser and Python can talk to each other."
ALIVE = "\u2713 The widgets are alive: your browser and Python talk to each other."
NO_ANSWER = (
    "\u25cb Waiting for your browser. If this line has not become a \u2713 after a few seconds, reload the page and run "
    "the cell again. If it still waits, run `%pip install ipywidgets jupyterlab_widgets` in a cell and start JupyterLab "
    "anew. Without widgets you can still read everything: each moving view has a still one above it."
)
LIVE_CLASS = "bpe-widgets-alive"


class Check(NamedTuple):
    """What one check found.

    Attributes:
        name: one word.
        state: "passed", "wrong", or "waiting" (for something else to be mended first).
        words: what is right or wrong.
        how: what to do with the lines of ``mend``, or "".
        mend: lines that mend it.
    """

    name: str
    state: str
    words: str
    how: str = ""
    mend: tuple = ()


class SetupCard:
    """The card that setup_check() shows: HTML, a text twin, and what each check found.

    Attributes:
        checks: list of Check.
        passed: whether all is well.
        html: str.
        text: str.
        data: [(name, state)].
    """

    def __init__(self, checks):
        """Write the card; an old Python that cannot read cards.py shows plain text."""
        self.checks = checks
        self.data = [(check.name, check.state) for check in checks]
        good = sum(check.state == PASSED for check in checks)
        self.passed = good == len(checks)
        badge, end = "to mend", "Then restart the kernel (menu Kernel, Restart Kernel) and run this cell again."
        heading = f"Set-up: {good} of {len(checks)} checks passed"
        if self.passed:
            badge, heading, end = "ready", "Set-up: all six checks passed", "Your machine is ready."
        rows = [(f"{MARKS[check.state]} {check.name}", _lines(check)) for check in checks]
        try:
            look = runpy.run_path(str(Path(__file__).resolve().parent / "cards.py"))["Card"]
            card = look(badge, heading, rows=tuple(rows), footer=end)
            self.text, self.html = repr(card), card._repr_html_()
        except Exception:
            self.text = "\n".join([heading, *(f"{name}  {said}" for name, said in rows), end])
            self.html = f"<pre>{html.escape(self.text)}</pre>"

    def _repr_html_(self):
        return self.html

    def __repr__(self):
        """Return the text twin."""
        return self.text

    def live(self):
        """Return a line that turns into a check mark once the browser has answered; see ``widget_check``."""
        return widget_check()


def _lines(check):
    return "\n".join([check.words, *filter(None, [check.how]), *("  " + line for line in check.mend)])


def setup_check():
    """Check Python, packages, the course's own code, data files, the progress file and widgets.

    It never raises. When all is well, it says the same on every machine.

    Returns:
        A SetupCard: what is wrong, and the lines that mend it. ``.live()`` asks the browser.

    Example:
        >>> setup_check().passed
        True
    """
    checks = []
    for name, look, needs in LOOKS:
        if any(check.name == needs and check.state != PASSED for check in checks):
            checks.append(Check(name, WAITING, f"not checked: mend {needs} first"))
            continue
        try:
            with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                warnings.simplefilter("ignore")
                with contextlib.redirect_stderr(io.StringIO()):
                    found = look()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # some packages stop with errors that are no Exception
            found = (WRONG, f"this check stopped with {_said(error)}")
        checks.append(Check(name, *found))
    return SetupCard(checks)


# --- The six checks: each returns the fields of a Check -----------


def _python():
    if sys.version_info[:2] >= OLDEST_PYTHON:
        return PASSED, "3.11 or newer"
    words = f"this is Python {sys.version_info[0]}.{sys.version_info[1]}; the course needs 3.11 or newer"
    lines = (f'cd "{_repository()}"', "make lab PYTHON=python3.12")
    return WRONG, words, "In a terminal (any Python from 3.11 on will do):", lines


def _packages():
    try:
        wanted = _requirements()
    except ImportError:  # the project's papers, or packaging, are not in this kernel's Python
        return WRONG, f"{PROJECT} is not installed here: this kernel is not the course's", _OTHER_KERNEL, _install_all()
    names = [one.name for one in wanted]
    looked = [(one, _package_problem(one, names)) for one in wanted]
    problems = [(one, problem) for one, problem in looked if problem]
    if not problems:
        return PASSED, "all are here"
    words = "; ".join(f"{one.name} {problem}" for one, problem in problems)
    lines = " ".join(f'"{one.name}{one.specifier}"' for one, _ in problems)
    again = "--force-reinstall " if any(problem.startswith("cannot") for _, problem in problems) else ""
    return WRONG, words, "Run this line in a new cell:", (f"%pip install {again}{lines}",)


_OTHER_KERNEL = "Start JupyterLab with make lab, or run this line in a new cell:"


def _install_all():
    place = _repository()
    return (f'%pip install -e "{place}" -c "{place}/constraints.txt"',)


def _requirements():
    # What pyproject.toml asks for, without its extras.
    from importlib import metadata  # Python 3.8 and newer

    from packaging.requirements import Requirement

    wanted = map(Requirement, metadata.requires(PROJECT))
    return [one for one in wanted if one.marker is None or one.marker.evaluate({"extra": ""})]


def _package_problem(wanted, names):
    # What is wrong with a package, or "".
    from importlib import metadata

    name = wanted.name
    try:
        if name in NOT_IMPORTED:
            if importlib.util.find_spec(name) is None:
                return "is missing"
        else:
            importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name and error.name in names:
            return ""  # the other package says so itself
        return "is missing" if error.name == name else f"cannot be imported ({_said(error)})"
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return f"cannot be imported ({_said(error)})"
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""  # it is there without the papers of an installation
    fits = wanted.specifier.contains(version, prereleases=True)
    return "" if fits else f"is version {version}, the course needs {wanted.specifier}"


def _course():
    try:
        core = importlib.import_module("bpe_core")
    except ImportError as error:
        return WRONG, f"bpe_core cannot be imported ({_said(error)})", _OTHER_KERNEL, _install_all()
    merges = core.WordBPE.train({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 3).merges
    if merges != [("e", "s"), ("es", "t"), ("est", "</w>")]:
        words = f"bpe_core learns other merges than it should: {merges}"
        return WRONG, words, "Its files were changed. In a new cell:", (f'!git -C "{_repository()}" status',)
    return PASSED, "bpe_core is here and learns what it should"


def _data():
    folder = Path(os.environ.get("BPE_COURSE_DATA") or _repository() / "data")
    if not folder.is_dir():
        return (WRONG, f"there is no folder {folder}", *_fetch(folder, None))
    missing, damaged, line_ends = [], [], []
    for name, digest in FILES.items():
        try:
            content = (folder / name).read_bytes()
        except OSError:
            missing.append(name)
            continue
        if hashlib.sha256(content).hexdigest() == digest:
            continue
        as_written = content.replace(b"\r\n", b"\n")
        (line_ends if hashlib.sha256(as_written).hexdigest() == digest else damaged).append(name)
    missing += [name for name in TABLES if not (folder / name).is_file()]
    if not missing + damaged + line_ends:
        return PASSED, f"all {len(FILES) + len(TABLES)} files are here and unchanged"
    said = [
        ("missing", missing),
        ("changed", damaged),
        ("with other line ends, as Git writes them on Windows", line_ends),
    ]
    words = "; ".join(f"{what}: {', '.join(names)}" for what, names in said if names)
    return (WRONG, words, *_fetch(folder, missing + damaged + line_ends))


def _fetch(folder, names):
    # How to get files back: as they are in the repository, without a change of line ends.
    place = _repository()
    if not (place / ".git").exists() or folder.resolve() != (place / "data").resolve():
        return ("Take the folder data/ anew from the course's repository or archive.",)
    if names is None:
        return "Run this line in a new cell:", (f'!git -C "{place}" checkout HEAD -- data',)
    folders = sorted({os.path.dirname(name) for name in names if not (folder / name).parent.is_dir()})
    lines = [f'!mkdir "{folder / name}"' for name in folders]
    lines += [f'!git -C "{place}" show "HEAD:data/{name}" > "{folder / name}"' for name in names]
    return "Run this in a new cell:", tuple(lines)


def _progress():
    # By its place, since the package itself may not be importable.
    path = runpy.run_path(str(Path(__file__).resolve().parent / "records.py"))["progress_path"]()
    problem = _cannot_write(path)
    if not problem:
        return PASSED, "the progress file can be written"
    words = f"the progress file {path} cannot be written ({problem}); the course works, but forgets what you did"
    for folder in (Path.cwd(), Path.home(), Path(tempfile.gettempdir())):
        if not _cannot_write(folder / "progress.json"):
            how = "Run this line in each notebook, or set the variable before you start JupyterLab:"
            return WRONG, words, how, (f"%env BPE_COURSE_PROGRESS={folder / 'bpe-progress.json'}",)
    return WRONG, words


def _cannot_write(path):
    # Why a file cannot be written, or "". Writes another file beside it, as the records do.
    try:
        if path.is_dir():
            return "it is a folder"
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=path.name, suffix=".tmp", dir=str(path.parent))
        os.close(handle)
        os.unlink(name)
    except OSError as error:
        return error.strerror or type(error).__name__
    return ""


def _widgets():
    widgets = importlib.import_module("ipywidgets")
    slider, seen = widgets.IntSlider(value=1, max=9), []
    slider.observe(lambda change: seen.append(change["new"]), "value")
    slider.value = 7
    slider.close()
    if seen != [7]:
        return WRONG, "a slider was moved, and nothing followed", "Run this line in a new cell:", _WIDGETS_AGAIN
    if importlib.util.find_spec("jupyterlab_widgets") is None:
        words = "JupyterLab cannot draw widgets: jupyterlab_widgets is missing"
        return WRONG, words, "Run this line in a new cell, then start JupyterLab anew:", _WIDGETS_AGAIN
    return PASSED, "Python's side works; the next cell asks your browser"


_WIDGETS_AGAIN = ("%pip install --force-reinstall ipywidgets jupyterlab_widgets",)
LOOKS = (  # name, check, and what must be well before
    ("Python", _python, None),
    ("Packages", _packages, "Python"),
    ("Course", _course, "Packages"),
    ("Data", _data, None),
    ("Progress", _progress, "Python"),
    ("Widgets", _widgets, "Packages"),
)


def widget_check():
    """Return a line that waits for the browser, and says so when it has answered.

    Two hidden numbers are linked in the browser; when the second one changes here, a value
    has gone there and come back.

    Returns:
        A widget; its still form asks to run the cell. Where ipywidgets is missing, that still form.
    """
    try:
        import ipywidgets

        from bpe_core.views import StillBox
    except Exception as error:
        return SetupCard([Check("Widgets", WRONG, f"{RUN_ME} {_said(error)}")])
    there, back = ipywidgets.IntText(1), ipywidgets.IntText(0)
    line = ipywidgets.HTML(html.escape(NO_ANSWER))
    line.add_class(LIVE_CLASS)
    back.observe(lambda change: setattr(line, "value", f"<b>{html.escape(ALIVE)}</b>"), "value")
    box = StillBox([line], still_html=f"<div><i>{html.escape(RUN_ME)}</i></div>", still_text=RUN_ME)
    box.line, box.back, box.link = line, back, ipywidgets.jsdlink((there, "value"), (back, "value"))
    return box


def _repository():
    return Path(__file__).resolve().parent.parent.parent


def _said(error):
    text = " ".join(str(error).split())[:200]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
