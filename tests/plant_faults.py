"""Plants faults that once passed all tests, one at a time in a copy of the project, and says which tests catch them.

Run: python tests/plant_faults.py [words of the faults to try]
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parent.parent


class Fault(NamedTuple):
    """One replacement in a file of bpe_core, and the tests that must not pass with it."""

    name: str
    file: str
    old: str
    new: str
    tests: str


DRAWN, PAGES, COUNTS = "tests/test_drawn.py", "tests/test_pages.py", "tests/test_counts.py"
FAULTS = [
    Fault("matrix transposed", "views/plots.py", "ax.imshow(matrix or", "ax.imshow(list(zip(*matrix)) or", DRAWN),
    Fault(
        "curve backwards",
        "views/plots.py",
        "ax.step(range(len(tokens)), tokens,",
        "ax.step(range(len(tokens)), tokens[::-1],",
        DRAWN,
    ),
    Fault("bars as square roots", "views/plots.py", "ax.barh(place, value,", "ax.barh(place, value**0.5,", DRAWN),
    Fault("lines reversed", "views/plots.py", "                ys,\n", "                ys[::-1],\n", DRAWN),
    Fault("map upside down", "views/number_map.py", 'for row in panel["map"]', 'for row in panel["map"][::-1]', DRAWN),
    Fault("map's axis upside down", "views/number_map.py", "99.5, 99.5, 9.5)", "99.5, 9.5, 99.5)", DRAWN),
    Fault(
        "Latin in the other color",
        "views/premiums.py",
        '"sky" if scripts[language] == "Latin" else "orange"',
        '"orange" if scripts[language] == "Latin" else "sky"',
        DRAWN,
    ),
    Fault("axis says four times", "views/sizes.py", '"twice" if step == 1', '"twice" if step == 2', DRAWN),
    Fault("axis says three times", "views/sizes.py", 'else "four times")', 'else "three times")', DRAWN),
    Fault(
        "ranks the other way round",
        "views/sizes.py",
        '"rank of the token, from the most frequent to the rarest"',
        '"rank of the token, from the rarest to the most frequent"',
        DRAWN,
    ),
    Fault(
        "a pale line", "views/plots.py", 'where="post", color=OKABE_ITO["blue"]', 'where="post", color="#C4CBD0"', DRAWN
    ),
    Fault("a pale cut in the map", "views/number_map.py", '(2, 2): "#E6F3FC"', '(2, 2): "#56B4E9"', DRAWN),
    Fault("line of premium 5", "views/premiums.py", "TICKS = (0.5, 1, 2, 4,", "TICKS = (0.5, 1, 2, 5,", DRAWN),
    Fault(
        "caption of another rank",
        "views/sizes.py",
        "rank {middle:,} occurs {compact(ordered[middle - 1])}",
        "rank {middle:,} occurs {compact(ordered[middle])}",
        DRAWN,
    ),
    Fault(
        "share of the context divided",
        "views/calculator.py",
        "offer.context) * factor",
        "offer.context) / factor",
        PAGES,
    ),
    Fault(
        "cells unescaped",
        "views/look.py",
        "join(_seated(escape(part)) for part in content)",
        "join(_seated(Markup(part)) for part in content)",
        PAGES,
    ),
    Fault("attributes unescaped", "views/look.py", ".format(key, value) for", ".format(key, Markup(value)) for", PAGES),
    Fault(
        "page unescaped",
        "views/look.py",
        "Markup(whole(escape(html)))",
        "Markup(whole(html))",
        PAGES,
    ),
    Fault("a mark on what stands before", "views/look.py", 'return "◌" + text if', "return text if", PAGES),
    Fault("pair not made visible", "views/typed.py", '" ".join(map(show, pair))', '" ".join(pair)', PAGES),
    Fault(
        "every word visited",
        "training.py",
        "for w in self.where.pop(pair):",
        "self.where.pop(pair)\n        for w in range(len(self.words)):",
        COUNTS,
    ),
    Fault(
        "cache never written",
        "byte_bpe.py",
        "            self[piece] = ids\n",
        "            pass\n",
        COUNTS,
    ),
    Fault("cache never emptied", "byte_bpe.py", "                self.clear()", "                pass", COUNTS),
    Fault("everything held back", "streaming.py", "BLOCK + 2 * size", "BLOCK * 10**9", COUNTS),
    Fault(
        "own pattern cut anywhere",
        "streaming.py",
        "tokenizer.pattern is None and not tokenizer.normalization and",
        "tokenizer.pattern is None or not tokenizer.normalization and",
        COUNTS,
    ),
    Fault(
        "play button without its link",
        "views/live.py",
        '    ipywidgets.jslink((play, "value"), (slider, "value"))\n',
        "",
        PAGES,
    ),
    Fault(
        "button that starts no clock",
        "views/live.py",
        '    ipywidgets.jslink((button, "value"), (play, "playing"))\n',
        "",
        PAGES,
    ),
    Fault(
        "menu without its link",
        "views/live.py",
        '    ipywidgets.jslink((menu, "index"), (slider, "index"))\n',
        "",
        PAGES,
    ),
    Fault(
        "field without its link",
        "views/live.py",
        '    ipywidgets.jslink((field, "value"), (slider, "value"))\n',
        "",
        PAGES,
    ),
    Fault(
        "a bar that stands still",
        "byte_bpe.py",
        "bar.update(len(contents) - 256 - bar.n)",
        "bar.update(0)",
        "tests/test_training.py",
    ),
    Fault(
        "min_frequency 2 by default",
        "word_bpe.py",
        "min_frequency: int = 1",
        "min_frequency: int = 2",
        "tests/test_training.py",
    ),
    Fault(
        "a folder's name as it is",
        "classroom/setup_check.py",
        "shlex.quote(str(path))",
        "f'\"{path}\"'",
        "tests/test_setup_check.py",
    ),
    Fault(
        "pickle by another name",
        "names.py",
        "from functools import cache\n",
        "from functools import cache\nfrom pickle import loads as _loads  # noqa: F401\n",
        "tests/test_layout.py",
    ),
    Fault(
        "open without an encoding",
        "names.py",
        "from functools import cache\n",
        'from functools import cache\nfrom pathlib import Path\n\n\ndef _w():\n    return Path("x").open("w")\n',
        "tests/test_layout.py",
    ),
    Fault(
        "every error swallowed",
        "names.py",
        "from functools import cache\n",
        "from functools import cache\n\ntry:\n    x = 1\nexcept BaseException:\n    pass\n",
        "tests/test_layout.py",
    ),
]


def run(folder, tests):
    """Return the names of the tests that fail, the first two."""
    command = [sys.executable, "-m", "pytest", "-q", "--maxfail=2", "-p", "no:xdist", *tests.split()]
    done = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    )
    failed = [line.split("::")[-1].split(" - ")[0] for line in done.stdout.splitlines() if line.startswith("FAILED")]
    return failed or ([] if done.returncode == 0 else [done.stdout[-200:] + done.stderr[-200:]])


def copy_of_the_project(folder):
    for name in ("bpe_core", "tests", "data", "notebooks"):
        shutil.copytree(REPOSITORY / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in [*REPOSITORY.glob("*.*"), REPOSITORY / "Makefile", REPOSITORY / "LICENSE"]:
        if path.is_file():
            shutil.copy(path, folder)


def main(words):
    chosen = [fault for fault in FAULTS if all(word in fault.name for word in words)]
    missed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_of_the_project(folder)
        for tests in dict.fromkeys(fault.tests for fault in chosen):
            if failed := run(folder, tests):
                sys.exit(f"{tests} fails without a fault: {failed}")
        for fault in chosen:
            path = folder / "bpe_core" / fault.file
            source = path.read_text(encoding="utf-8")
            if source.count(fault.old) != 1:
                caught = [f"cannot be planted: {source.count(fault.old)} places"]
                missed += 1
            else:
                path.write_text(source.replace(fault.old, fault.new), encoding="utf-8")
                caught = run(folder, fault.tests)
                path.write_text(source, encoding="utf-8")
                missed += not caught
            print(f"{fault.name:30} {', '.join(caught) or 'NOT CAUGHT'}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} faults caught")
    return missed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
