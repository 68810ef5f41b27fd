"""progress(): what is done, what is open, the points, and the next step."""

from . import records
from .cards import Card
from .exercises import lessons
from .scores import Standing


def standings() -> list[Standing]:
    """Return where the learner stands, one Standing for each notebook with exercises."""
    entries = records.attempts()
    passed = {entry["exercise"] for entry in entries if entry["outcome"] == "passed"}
    tried = {entry["exercise"] for entry in entries}
    return [Standing(lesson, passed, tried) for lesson in lessons().values()]


def progress() -> Card:
    """Show what is done and open in each notebook, the points, and the next step.

    Returns:
        A card. The file behind it, and how to begin anew: see ``records.progress_path``.

    Example:
        >>> progress().heading.startswith("Your course")
        True
    """
    all_standings = standings()
    rows = tuple((f"{s.lesson.number:02} {s.lesson.title}", _row(s)) for s in all_standings)
    points, most = sum(s.points for s in all_standings), sum(s.most_points for s in all_standings)
    done = sum(s.finished for s in all_standings)
    heading = f"Your course · {points} of {most} points · {done} of {len(rows)} notebooks finished"
    place = f"Kept in `{records.progress_path()}`. Delete this file to begin anew."
    return Card(
        "progress",
        heading,
        ("✓ passed, ○ open.", *records.trouble()),
        rows,
        footer=f"{_next_step(all_standings)} {place}",
    )


def _row(s: Standing) -> str:
    marks = " ".join(f"{'✓' if e.id in s.passed else '○'} {e.id}" for e in s.lesson.exercises)
    quiz = f" · quiz {s.questions_right} of {len(s.lesson.questions)} right" if s.lesson.questions else ""
    return f"{'✓ finished' if s.finished else '○ open'} · {s.points} of {s.most_points} points{quiz}\n{marks}"


def _next_step(all_standings: list[Standing]) -> str:
    for s in all_standings:
        if s.next_exercise:
            return f"Next: exercise {s.next_exercise.id}, {s.next_exercise.title} (notebook {s.lesson.number:02})."
        if not s.finished:
            return f"Next: the quiz of notebook {s.lesson.number:02}, `quiz({s.lesson.number})`."
    return "Everything here is done."
