"""setup_check(): is this machine ready for the course, and if not, what mends it?

It has to run where things are missing. So this file needs nothing but Python's standard
library when it is loaded, not even the rest of bpe_core, and it is written so that an old
Python can read it too, as cards.py is: from 3.8 on, the oldest on which JupyterLab 4 runs. Notebook 00 imports it, or runs it from its place when that fails.
"""

import hashlib
import html
import importlib.util
import io
import os
import runpy
import shlex
import sys
import tempfile
import warnings
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

OLDEST_PYTHON = (3, 11)

PROJECT = "bpe-by-hand"  # its requirements are read from what pip wrote when it was installed

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
    "word_counts/ar.txt": "caafba97a4661dbd30e90e7f11088997109ad3bb39abb9afdeb627f4af5f8513",
    "word_counts/bn.txt": "9305375ff90d1db6ff4316376d2bdf4234c064fd64319c2d060d070d170abbf0",
    "word_counts/de.txt": "ead823aa3361d86d2aaa53da7dab8a0babb708cb149953605ee31d2bb44298fe",
    "word_counts/el.txt": "066af41fcfac691eb003bb5544ae08a97b54e2979c460ec1898196b9ed90bc03",
    "word_counts/en.txt": "0cf375c040e17c22b90dcedffbfae632ffa24b5e6ac503e9e7037666eedf41a9",
    "word_counts/es.txt": "4724bddc56f66bf28f3f8e9ab68861468023a640870484904cbf5dad301d2e26",
    "word_counts/fa.txt": "0e4965861e8f022d6e5a5e67a17a8b0cc342956f739de4e235f259b799ba74cf",
    "word_counts/fi.txt": "3f71df91dcc778c017e7ed63eb09ed7b27530fc957e961e4b20654fe436f172c",
    "word_counts/fr.txt": "562d3641984490203c4faef1faf789b851176276130af23fa09b0be0ff160de6",
    "word_counts/he.txt": "ad50b9b999eeca91c6ecc3e0b17180cfe2df5ed95dcc46fe538d50d3877000fc",
    "word_counts/hi.txt": "452d5378860de2bb6fe95a2bde4eea333984492298893ef6b27c6e29190f9166",
    "word_counts/id.txt": "31dac149408f13f8e67fe6773eae8c64cfd441a22781331a3fe9175c36c10b22",
    "word_counts/it.txt": "db7aea7270631af3c571fd387bc951020c9a7455c0613c962adbb8ef1ae981d1",
    "word_counts/ja.txt": "7def467a2bd3073de49aa14cdb7bd654e6ac0bce9b5442a9ad11e4d8289a9a8d",
    "word_counts/ko.txt": "a3969629dd91536db71985fa9e1e8fbbe55123889e92eb7659893a136c6ad8d8",
    "word_counts/pl.txt": "ba7450197e71f4ea616ce859b5c11ecb8ee3e0738f4fb6a955660adde8dd626b",
    "word_counts/pt.txt": "ff7061f068defb534290da9a65415f9916ffdef9920e8d82f3bd56c7df6e4a8d",
    "word_counts/ru.txt": "80ef9540c66f018d3079b49a6b92295a35ae699138ecef3eb0f00f0eeb4d4096",
    "word_counts/ta.txt": "e7fcb3c8f9449071868a324525aeb7fcd02fbbb4a45479c12abce1134b5a9e07",
    "word_counts/tr.txt": "cecd437d3d88260c0c8fcbb37a470354ade603c3226dc94a3cf2c1eb690c636e",
    "word_counts/uk.txt": "b71b43ceebcbd9e6ef6bae1461b8b5e7e216e930a1c83950bd11f1f4a792c01b",
    "word_counts/vi.txt": "75ce6a0792e3457d8e4ebfe0a8caf1a069ac43e125dcf5f18236172c91b4ea80",
    "word_counts/zh.txt": "983d96120fcd5b954d56ea9ce56ab93d6053fb1a000779efc83fbe804eb4690d",
}
TABLES = ("flores_premiums.csv", "models.csv", "prices.csv", "speed.csv")  # only looked for: learners may edit them

NEW_CELL = "Run this line in a new cell:"
PASSED, WRONG, WAITING = "passed", "wrong", "waiting"
MARKS = {PASSED: "\u2713", WRONG: "\u2717", WAITING: "\u25cb"}  # ✓ ✗ ○
RUN_ME = "Run this cell to see whether your browser and Python can talk to each other."
NO_ANSWER = (
    "\u25cb Waiting for your browser. If this line has not become a \u2713 after a few seconds, reload the page and run "
    "the cell again. If it still waits, run `%pip install ipywidgets jupyterlab_widgets` in a cell and start JupyterLab "
    "anew. Without widgets you can still read everything: each moving view has a still one above it."
)
HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
_quoted = '"{}"'.format if os.name == "nt" else lambda path: shlex.quote(str(path))  # as a shell takes it, $ and all
START = (
    (  # Windows has no make
        "py -3.12 -m venv .venv",
        r".venv\Scripts\python -m pip install -e . -c constraints.txt",
        r".venv\Scripts\python -m jupyterlab notebooks",
    )
    if os.name == "nt"
    else ("make lab PYTHON=python3.12",)
)
# Where notebooks run that somebody else hosts: (an environment variable that is set there, its name, whether
# files stay when the session ends). Sources: google.colab's and Kaggle's images, BinderHub's and JupyterHub's
# documentation, VS Code's terminal; none of them was tried with this course.
HOSTS = (
    ("COLAB_RELEASE_TAG", "Google Colab", False),
    ("KAGGLE_KERNEL_RUN_TYPE", "Kaggle", False),
    ("BINDER_SERVICE_HOST", "Binder", False),
    ("JUPYTERHUB_USER", "a JupyterHub", True),
    ("VSCODE_PID", "VS Code", True),
)
HOST, FILES_STAY = next(((name, stay) for variable, name, stay in HOSTS if variable in os.environ), ("", True))
INSTALL = (  # how, and the line
    f"This is {HOST}. {NEW_CELL}"
    if HOST
    else f"Start JupyterLab with {START[-1].split(' PYTHON')[0]}, or run this line in a new cell:",
    (f"%pip install -e {_quoted(REPOSITORY)} -c {_quoted(REPOSITORY / 'constraints.txt')}",),
)
Card = runpy.run_path(str(HERE / "cards.py"))["Card"]  # by its place: bpe_core may not be importable


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

    def text(self):
        """Return all of it as lines."""
        return "\n".join(filter(None, [self.words, self.how, *("  " + line for line in self.mend)]))


@dataclass(frozen=True, repr=False)
class SetupCard(Card):
    """The card that setup_check() shows.

    Attributes:
        checks: what each check found.
    """

    checks: tuple = ()

    def live(self):
        """Return a line that turns into a check mark once the browser has answered; see ``widget_check``."""
        return widget_check()


def _card(checks):
    good = sum(check.state == PASSED for check in checks)
    badge, heading, end = (
        ("ready", "Set-up: all six checks passed", "Your machine is ready.")
        if good == len(checks)
        else (
            "to mend",
            f"Set-up: {good} of {len(checks)} checks passed",
            "Then restart the kernel (menu Kernel, Restart Kernel) and run this cell again.",
        )
    )
    rows = tuple((f"{MARKS[check.state]} {check.name}", check.text()) for check in checks)
    return SetupCard(badge, heading, rows=rows, footer=end, checks=tuple(checks))


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
            with warnings.catch_warnings(), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                warnings.simplefilter("ignore")
                found = look()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # some packages stop with errors that are no Exception
            found = (WRONG, f"this check stopped with {_said(error)}", *INSTALL)
        checks.append(Check(name, *found))
    return _card(checks)


# --- The six checks: each returns the fields of a Check -----------


def _python():
    if sys.version_info[:2] >= OLDEST_PYTHON:
        return PASSED, "3.11 or newer"
    return (
        WRONG,
        f"this is Python {sys.version_info[0]}.{sys.version_info[1]}; the course needs 3.11 or newer",
        "In a terminal (any Python from 3.11 on will do):",
        (f"cd {_quoted(REPOSITORY)}", *START),
    )


def _packages():
    try:
        wanted = _requirements()
    except ImportError:  # the project's papers, or packaging, are not in this kernel's Python
        return (WRONG, f"{PROJECT} is not installed here: this kernel is not the course's", *INSTALL)
    names = [one.name for one in wanted]
    problems = [(one, problem) for one in wanted for problem in [_package_problem(one, names)] if problem]
    if not problems:
        return PASSED, "all are here"
    words = "; ".join(f"{one.name} {problem}" for one, problem in problems)
    lines = " ".join(f'"{one.name}{one.specifier}"' for one, _ in problems)
    again = "--force-reinstall " if any(problem.startswith("cannot") for _, problem in problems) else ""
    return WRONG, words, NEW_CELL, (f"%pip install {again}{lines}",)


def _requirements():
    # What pyproject.toml asks for, without its extras.
    from packaging.requirements import Requirement

    wanted = map(Requirement, metadata.requires(PROJECT))
    return [one for one in wanted if one.marker is None or one.marker.evaluate({"extra": ""})]


def _package_problem(wanted, names):
    # What is wrong with a package, or "". A server has no business in a kernel: it is only looked for.
    name = wanted.name
    look = importlib.util.find_spec if name == "jupyterlab" else importlib.import_module
    try:
        if look(name) is None:
            return "is missing"
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if isinstance(error, ModuleNotFoundError) and error.name in names:
            return "is missing" if error.name == name else ""  # the other package says so itself
        return f"cannot be imported ({_said(error)})"
    with suppress(metadata.PackageNotFoundError):  # it is there without the papers of an installation
        version = metadata.version(name)
        if not wanted.specifier.contains(version, prereleases=True):
            return f"is version {version}, the course needs {wanted.specifier}"
    return ""


def _course():
    merges = (
        importlib.import_module("bpe_core").WordBPE.train({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 3).merges
    )
    if merges != [("e", "s"), ("es", "t"), ("est", "</w>")]:
        return (
            WRONG,
            f"bpe_core learns other merges than it should: {merges}",
            "Its files were changed. In a new cell:",
            (f"!git -C {_quoted(REPOSITORY)} status",),
        )
    return PASSED, "bpe_core is here and learns what it should"


def _data():
    inside = HERE.parent / "_data"  # where a wheel was installed
    folder = Path(os.environ.get("BPE_COURSE_DATA") or (inside if inside.is_dir() else REPOSITORY / "data"))
    if not folder.is_dir():
        return (WRONG, f"there is no folder {folder}", *_fetch(folder, [""]))
    expected = {**FILES, **dict.fromkeys(TABLES)}
    problems = {}
    for name, digest in expected.items():
        problems.setdefault(_file_problem(folder / name, digest), []).append(name)
    problems.pop("", None)
    if not problems:
        return PASSED, f"all {len(expected)} files are here and unchanged"
    words = "; ".join(f"{problem}: {', '.join(names)}" for problem, names in problems.items())
    return (WRONG, words, *_fetch(folder, sum(problems.values(), [])))


def _file_problem(path, digest):
    # What is wrong with a file, or "".
    if not path.is_file():
        return "missing"
    content = path.read_bytes()
    if digest in (None, hashlib.sha256(content).hexdigest()):
        return ""
    as_written = hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()
    return "with other line ends, as Git writes them on Windows" if as_written == digest else "changed"


def _fetch(folder, names):
    # How to get files back; data/.gitattributes keeps Git from changing their line ends.
    if not (REPOSITORY / ".git").exists() or folder.resolve() != (REPOSITORY / "data").resolve():
        return ("Take the folder data/ anew from the course's repository or archive.",)
    return NEW_CELL, (f"!git -C {_quoted(REPOSITORY)} checkout HEAD -- " + " ".join(f"data/{name}" for name in names),)


def _progress():
    # By its place, since the package itself may not be importable.
    path = runpy.run_path(str(HERE / "records.py"))["progress_path"]()
    if not (problem := _cannot_write(path)):
        gone = f'; this is {HOST}, where it goes with the session: keep progress(export="mine.json")'
        return PASSED, "the progress file can be written" + ("" if FILES_STAY else gone)
    places = [folder / "bpe-progress.json" for folder in (Path.cwd(), Path.home(), Path(tempfile.gettempdir()))]
    lines = [f"%env BPE_COURSE_PROGRESS={place}" for place in places if not _cannot_write(place)]
    return (
        WRONG,
        f"the progress file {path} cannot be written ({problem}); the course works, but forgets what you did",
        "Run this line in each notebook, or set the variable before you start JupyterLab:",
        tuple(lines[:1]),
    )


def _cannot_write(path):
    # Why a file cannot be written, or "". Makes another file beside it, as the records do.
    try:
        if path.is_dir():
            return "it is a folder"
        path.parent.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=str(path.parent)).close()
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
        return WRONG, "a slider was moved, and nothing followed", NEW_CELL, _WIDGETS_AGAIN
    if importlib.util.find_spec("jupyterlab_widgets") is None:
        return (
            WRONG,
            "JupyterLab cannot draw widgets: jupyterlab_widgets is missing",
            "Run this line in a new cell, then start JupyterLab anew:",
            _WIDGETS_AGAIN,
        )
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
        return _card([Check("Widgets", WRONG, f"{RUN_ME} {_said(error)}")])
    there, back = ipywidgets.IntText(1), ipywidgets.IntText(0)
    line = ipywidgets.HTML(html.escape(NO_ANSWER))
    line.add_class("bpe-widgets-alive")
    alive = f"<b>{MARKS[PASSED]} The widgets are alive: your browser and Python talk to each other.</b>"
    back.observe(lambda change: setattr(line, "value", alive), "value")
    box = StillBox([line], still_html=f"<div><i>{html.escape(RUN_ME)}</i></div>", still_text=RUN_ME)
    box.line, box.back, box.link = line, back, ipywidgets.jsdlink((there, "value"), (back, "value"))
    return box


def _said(error):
    return ": ".join(filter(None, [type(error).__name__, " ".join(str(error).split())[:200]]))
