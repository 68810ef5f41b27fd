"""How a lesson is read: its sections, its folds, and the minutes that it takes by one rule.

The rule: words outside of folds at 200 a minute, lines of code at 15, half a minute for a
prediction. Exercises apart: five minutes for a function, two for a value or a choice.
"""

import re
from dataclasses import dataclass, field

import nbformat
from conftest import REPOSITORY

FURTHER = re.compile(r"^## \d+\. Further: ", re.MULTILINE)
FOLD = re.compile(r"<details>.*?</details>", re.DOTALL)
PREDICT = "**Predict.**"


@dataclass
class Section:
    """A heading and the cells below it; the head of the lesson is the first one."""

    title: str
    cells: list = field(default_factory=list)

    @property
    def further(self):
        return bool(FURTHER.match(self.title))

    @property
    def numbered(self):
        return bool(re.match(r"## \d+\. ", self.title))


@dataclass(frozen=True)
class Minutes:
    core: float
    all: float
    exercises: int


def tags(cell):
    return set(cell.metadata.get("tags", []))


def read(path):
    return nbformat.read(path, as_version=4)


def sections(notebook):
    """Cut a notebook at its headings of the second level; a cell may hold several sections."""
    found = [Section("")]
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            found[-1].cells.append(cell)
            continue
        for part in re.split(r"(?m)^(?=## )", cell.source):
            if part.startswith("## "):
                found.append(Section(part.splitlines()[0]))
            if part.strip():
                found[-1].cells.append(nbformat.v4.new_markdown_cell(part))
    return found


def text_of(cells):
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def unfolded(text):
    return FOLD.sub("", text)


def minutes_of(cells):
    text = unfolded(text_of(cells))
    shown = [c for c in cells if c.cell_type == "code" and not tags(c) & {"exercise", "check", "quiz", "live"}]
    lines = sum(bool(line.strip()) for cell in shown for line in cell.source.splitlines())
    return len(text.split()) / 200 + lines / 15 + text.count(PREDICT) / 2


def minutes(notebook):
    """Give the minutes of a lesson by the rule: core path, all sections, exercises."""
    core, everything = 0.0, 0.0
    for section in sections(notebook):
        spent = minutes_of(section.cells)
        everything += spent
        core += 0 if section.further else spent
    exercises = [cell.source for cell in notebook.cells if "exercise" in tags(cell)]
    return Minutes(core, everything, sum(5 if re.search(r"(?m)^def ", source) else 2 for source in exercises))


def said_in_head(notebook):
    """Read the minutes that the head of a lesson names."""
    head = sections(notebook)[0]
    said = re.search(
        r"\*\*About (\d+) minutes\*\*(?: for the core path, (\d+) with the further sections)?"
        r"(?:; the exercises take about (\d+) more)?\.",
        text_of(head.cells),
    )
    assert said, "the head says: **About 18 minutes** for the core path, 27 with the further sections; ..."
    core, everything, exercises = (int(number) if number else None for number in said.groups())
    return Minutes(core, everything or core, exercises or 0)


def minutes_in_row(text, name):
    """The minutes in the row of a table that names this notebook."""
    row = re.search(rf"(?m)^\|.*\b{name}\).*$", text)[0]
    return [int(cell) for cell in re.findall(r"(?<=\|) *(\d+) *(?=\|)", row)][-3:]


def map_in_readme():
    return (REPOSITORY / "README.md").read_text(encoding="utf-8")
