"""quiz(): four questions a notebook, every option explained.

``quiz(3)`` shows the questions as plain HTML with the answers folded away, readable
without a kernel. ``quiz(3).live()`` shows radio buttons; it belongs in a cell of its own
with the tags ``live`` and ``nbval-ignore-output``. ``quiz(3).answer(1, "b")`` does the same in a
terminal.
"""

from html import escape

from . import records
from .cards import Card, box_start, rich
from .exercises import find_lesson
from .scores import PERFECT_QUIZ, RIGHT_ANSWER, perfect_id, question_id
from .spec import LETTERS, Lesson, explained, read_letter


def quiz(number: int) -> "Quiz":
    """Return the quiz of a notebook; show it by making it the last line of a cell.

    A run goes on from call to call, until all questions are answered; then a new one begins.

    Args:
        number: the notebook's number.

    Returns:
        The quiz: its static view is the object itself, ``.live()`` has radio buttons.

    Raises:
        LookupError: this notebook has no quiz.
        TypeError: the number is no int.

    Example:
        >>> len(quiz(2).questions)
        4
    """
    lesson = find_lesson(number)
    if not lesson.questions:
        raise LookupError(f"notebook {number} has no quiz")
    if number not in _runs or len(_runs[number]) == len(lesson.questions):
        _runs[number] = {}
    return Quiz(lesson, _runs[number])


_runs: dict[int, dict[str, bool]] = {}  # what is answered in the present run of each quiz
RUN_ME = "<p><i>Run this cell to answer the questions here. Without a kernel, read them above.</i></p>"


class Quiz:
    """The questions of one notebook, and what has been answered in this run of it.

    Attributes:
        number: the notebook's number.
        questions: tuple of Question.
    """

    def __init__(self, lesson: Lesson, answered: dict[str, bool]):
        """Go on with a run of the quiz: {id of a question: was the first answer right}."""
        self.number = lesson.number
        self.questions = lesson.questions
        self._heading = f"Quiz {lesson.number:02} · {lesson.title}"
        self._answered = answered

    def answer(self, question: int, letter: str) -> Card:
        """Answer one question and see every option explained. The first answer of a run counts.

        Args:
            question: 1 for the first.
            letter: the option, ``"a"``, ``"b"``, ...

        Returns:
            A card.

        Raises:
            LookupError: there is no such question or option.

        Example:
            >>> quiz(2).answer(9, "a")
            Traceback (most recent call last):
            LookupError: the quiz has the questions 1 to 4; there is no 9
        """
        asked = {str(i): one for i, one in enumerate(self.questions, 1)}.get(str(question))
        if asked is None:
            raise LookupError(f"the quiz has the questions 1 to {len(self.questions)}; there is no {question!r}")
        letters = LETTERS[: len(asked.options)]
        if not (chosen := read_letter(letter, letters)):
            raise LookupError(f"question {question} has the options {', '.join(letters)}; there is no {letter!r}")
        right = asked.options[letters.index(chosen)].right
        id = question_id(self.number, question)
        if id not in self._answered:
            self._answered[id] = right
            records.record(id, "passed" if right else "wrong", None if right else f"option-{chosen}")
            if sum(self._answered.values()) == len(self.questions):
                records.record(perfect_id(self.number), "passed")
        return Card(
            "passed" if right else "wrong",
            f"{self._heading} · question {question}: {chosen})",
            (explained(asked.options), *records.trouble()),
            footer=self.score(),
        )

    def score(self) -> str:
        """Say how many are right so far, and the points of this run."""
        right = sum(self._answered.values())
        bonus = PERFECT_QUIZ if right == len(self.questions) else 0
        won = f"{right} right of {len(self._answered)} answered: {RIGHT_ANSWER * right + bonus} points"
        return f"{won}, {bonus} of them for a perfect quiz." if bonus else f"{won}."

    def live(self):
        """Return the quiz with radio buttons, for a live kernel.

        It begins a new run: questions answered before can be answered again, and points
        that are won already do not count twice.

        Returns:
            A widget; without a kernel it asks to run the cell. Where ipywidgets is missing, a card that says so.
        """
        try:
            import ipywidgets

            from ..views import StillBox
        except ImportError:
            words = (
                f'For radio buttons run `%pip install ipywidgets`; `quiz({self.number}).answer(1, "a")` works as well.'
            )
            return Card("quiz", self._heading, (words,))
        run, score = Quiz(find_lesson(self.number), {}), ipywidgets.HTML("")
        questions = [_live_question(run, i, score) for i, _ in enumerate(run.questions, 1)]
        return StillBox(
            [*questions, score], RUN_ME, f"Run this cell to answer quiz {self.number:02} with radio buttons."
        )

    def __repr__(self) -> str:
        """Return the questions and options as text."""
        lines = [f"? {self._heading}"]
        for i, question in enumerate(self.questions, 1):
            options = (f"   {letter}) {option.text}" for letter, option in zip(LETTERS, question.options))
            lines += [f"{i}. {question.text}", *options]
        return "\n".join([*lines, f'Answer with quiz({self.number}).live(), or quiz({self.number}).answer(1, "a")'])

    def _repr_html_(self) -> str:
        parts = box_start("quiz", self._heading, self._heading)
        for i, question in enumerate(self.questions, 1):
            options = "".join(f"<li>{rich(option.text)}</li>" for option in question.options)
            parts.append(
                f'<div style="margin:10px 0 2px"><b>{i}.</b> {rich(question.text)}</div>'
                f'<ol type="a" style="margin:2px 0 2px 1.5em;padding-left:1em;list-style-type:lower-alpha">{options}</ol>'
                f"<details><summary>Answer to question {i}</summary><div>{rich(explained(question.options))}</div></details>"
            )
        return "\n".join(parts) + "\n</div>"


def _live_question(run: Quiz, number: int, score):
    import ipywidgets

    question = run.questions[number - 1]
    choices = [
        (f"{letter}) {option.text.replace('`', '')}", letter) for letter, option in zip(LETTERS, question.options)
    ]
    text = ipywidgets.HTML(f"<b>{number}.</b> {rich(question.text)}")
    radio = ipywidgets.RadioButtons(options=choices, index=None, layout={"width": "max-content", "max_width": "100%"})
    button = ipywidgets.Button(description=f"Answer {number}", disabled=True)
    reply = ipywidgets.HTML("")

    def answer(_):
        if radio.index is not None:
            button.disabled = radio.disabled = True
            reply.value = run.answer(number, radio.value)._repr_html_()
            score.value = f"<b>{escape(run.score())}</b>"

    radio.observe(lambda _: setattr(button, "disabled", False), "index")
    button.on_click(answer)
    return ipywidgets.VBox([text, radio, button, reply])
