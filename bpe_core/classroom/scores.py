"""Points: what the attempts in the progress file are worth."""

from collections.abc import Collection
from dataclasses import dataclass

from .spec import Exercise, Lesson

FINISHED, RIGHT_ANSWER, PERFECT_QUIZ = 50, 10, 25


def question_id(number: int, question: int) -> str:
    """Return the id under which an answer to question 1, 2, ... of a quiz is recorded.

    Example:
        >>> question_id(2, 1)
        'quiz 2.1'
    """
    return f"quiz {number}.{question}"


def perfect_id(number: int) -> str:
    """Return the id under which a perfect quiz is recorded.

    Example:
        >>> perfect_id(2)
        'quiz 2 perfect'
    """
    return f"quiz {number} perfect"


@dataclass(frozen=True)
class Standing:
    """Where a learner stands in one notebook."""

    lesson: Lesson
    passed: Collection[str]  # ids passed
    tried: Collection[str]  # ids tried

    @property
    def questions_right(self) -> int:
        """How many quiz questions were answered right at some time."""
        return sum(id in self.passed for id in self._question_ids)

    @property
    def questions_answered(self) -> int:
        """How many quiz questions were answered."""
        return sum(id in self.tried for id in self._question_ids)

    @property
    def _question_ids(self) -> list[str]:
        return [question_id(self.lesson.number, i) for i in range(1, len(self.lesson.questions) + 1)]

    @property
    def next_exercise(self) -> Exercise | None:
        """The first exercise that is not passed."""
        return next((exercise for exercise in self.lesson.exercises if exercise.id not in self.passed), None)

    @property
    def finished(self) -> bool:
        """Whether all exercises are passed and all quiz questions answered."""
        return self.next_exercise is None and self.questions_answered == len(self.lesson.questions)

    @property
    def points(self) -> int:
        """All points of this notebook; each counts once."""
        total = sum(exercise.points for exercise in self.lesson.exercises if exercise.id in self.passed)
        total += RIGHT_ANSWER * self.questions_right
        total += PERFECT_QUIZ * (perfect_id(self.lesson.number) in self.passed)
        return total + FINISHED * self.finished

    @property
    def most_points(self) -> int:
        """The most that this notebook can bring."""
        total = sum(exercise.points for exercise in self.lesson.exercises) + FINISHED
        return total + (RIGHT_ANSWER * len(self.lesson.questions) + PERFECT_QUIZ if self.lesson.questions else 0)
