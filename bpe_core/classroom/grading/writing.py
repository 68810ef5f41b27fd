"""The results: two tables for a gradebook and one page for each student."""

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path

import jinja2

from bpe_core.formats import write_atomically

FOLDER = Path(__file__).resolve().parent
# The columns of nbgrader's export (nbgrader 0.9.6, nbgrader/plugins/export.py).
GRADES = (
    "assignment",
    "duedate",
    "timestamp",
    "student_id",
    "last_name",
    "first_name",
    "email",
    "raw_score",
    "late_submission_penalty",
    "score",
    "max_score",
)
EXERCISES = ("student_id", "assignment", "exercise", "outcome", "mistake", "points", "max_points")


@dataclass(frozen=True)
class Row:
    """What one exercise got: its points are None where they are not for a program to give."""

    exercise: str
    outcome: str
    mistake: str
    points: int | None
    max_points: int
    card: str  # HTML


@dataclass(frozen=True)
class Graded:
    """What one notebook got; ``trouble`` says why it could not be graded at all."""

    student: str
    assignment: str
    rows: tuple[Row, ...] = ()
    trouble: str = ""

    @property
    def points(self) -> int:
        """The points of all exercises."""
        return sum(row.points or 0 for row in self.rows)

    @property
    def most(self) -> int:
        """The points that there were to earn."""
        return sum(row.max_points for row in self.rows)

    @property
    def waiting(self) -> int:
        """The points of what is looked at by hand."""
        return sum(row.max_points for row in self.rows if row.points is None)


def harmless(value: object) -> object:
    """Return a table's value so that no spreadsheet takes it for a formula.

    Example:
        >>> harmless("=1+1"), harmless("Ada"), harmless(-1)
        ("'=1+1", 'Ada', -1)

    Source: OWASP, CSV Injection.
    """
    if not isinstance(value, str):
        return value
    return f"'{value}" if value.lstrip().startswith(("=", "+", "-", "@")) or value[:1] in ("\t", "\r", "\n") else value


def save(graded: list[Graded], out: Path) -> None:
    """Write grades.csv, exercises.csv and the feedback pages.

    Raises:
        OSError: a file cannot be written.
    """
    grades, exercises = [], []
    for one in graded:
        named = {"student_id": one.student, "assignment": one.assignment}
        late = {"late_submission_penalty": 0}
        grades.append({**named, **late, "raw_score": one.points, "score": one.points, "max_score": one.most})
        rows = [asdict(row) for row in one.rows]
        exercises += [{**named, **row} for row in rows or [{"outcome": "unreadable", "points": 0}]]
    _save_table(out / "grades.csv", GRADES, grades)
    _save_table(out / "exercises.csv", EXERCISES, exercises)
    (out / "feedback").mkdir(exist_ok=True)
    for student, theirs in groupby(graded, key=lambda one: one.student):
        write_atomically(out / "feedback" / f"{file_name(student)}.html", page(student, theirs))


def _save_table(path: Path, columns: tuple[str, ...], rows: Iterable[dict]) -> None:
    text = io.StringIO(newline="")
    table = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    table.writeheader()
    table.writerows({key: harmless(value) for key, value in row.items()} for row in rows)
    write_atomically(path, text.getvalue().encode("utf-8", "replace"))


def page(student: str, graded: Iterable[Graded]) -> bytes:
    """Return a student's feedback page: HTML without scripts, in which nothing of theirs is markup."""
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(FOLDER), autoescape=True)
    text = environment.get_template("feedback.html").render(student=student, graded=list(graded))
    return text.encode("utf-8", "replace")


def file_name(student: str) -> str:
    """Return a name for a student's page that every system can hold.

    Example:
        >>> file_name("ada"), file_name("../x")
        ('ada', '.._x-d6b96a97')
    """
    plain = re.sub(r"[^\w.-]", "_", student, flags=re.ASCII)
    digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return student if plain == student else f"{plain}-{digest}"


class Kept:
    """What was graded already, a line each, so that an interrupted run can be taken up again."""

    def __init__(self, path: Path):
        """Read what is there; a line that was cut off is left out."""
        self.path, self.known = path, {}
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        for line in lines:
            try:
                key, student, assignment, rows, trouble = json.loads(line)
                self.known[key] = Graded(student, assignment, tuple(Row(**row) for row in rows), trouble)
            except (ValueError, TypeError):
                continue

    def add(self, key: str, graded: Graded) -> None:
        """Keep what one notebook got."""
        rows = [asdict(row) for row in graded.rows]
        line = json.dumps([key, graded.student, graded.assignment, rows, graded.trouble])
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
