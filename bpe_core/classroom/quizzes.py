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
from .spec import LETTERS, Lesson, Question, read_letter


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


_runs: dict[int, dict[int, bool]] = {}  # what is answered in the present run of each quiz


class Quiz:
    """The questions of one notebook, and what has been answered in this run of it.

    Attributes:
        number: the notebook's number.
        questions: tuple of Question.
    """

    def __init__(self, lesson: Lesson, answered: dict[int, bool]):
        """Go on with a run of the quiz: {question: was the first answer right}."""
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
        if type(question) is str and question.isdecimal():
            question = int(question)
        if type(question) is not int or not 1 <= question <= len(self.questions):
            raise LookupError(f"the quiz has the questions 1 to {len(self.questions)}; there is no {question!r}")
        asked = self.questions[question - 1]
        letters = LETTERS[: len(asked.options)]
        chosen = read_letter(letter, letters)
        if chosen is None:
            raise LookupError(f"question {question} has the options {', '.join(letters)}; there is no {letter!r}")
        right = asked.options[letters.index(chosen)].right
        if question not in self._answered:
            self._answered[question] = right
            self._record(question, chosen, right)
        return Card(
            "passed" if right else "wrong",
            f"{self._heading} · question {question}: {chosen})",
            (explained(asked), *records.trouble()),
            footer=self.score(),
        )

    def _record(self, question: int, chosen: str, right: bool) -> None:
        outcome, mistake = ("passed", None) if right else ("wrong", f"option-{chosen}")
        records.record(question_id(self.number, question), outcome, mistake)
        if len(self._answered) == len(self.questions) and all(self._answered.values()):
            records.record(perfect_id(self.number), "passed")

    def score(self) -> str:
        """Say how many are right so far, and the points of this run."""
        right = sum(self._answered.values())
        perfect = right == len(self.questions)
        points = RIGHT_ANSWER * right + PERFECT_QUIZ * perfect
        end = f", {PERFECT_QUIZ} of them for a perfect quiz" if perfect else ""
        return f"{right} right of {len(self._answered)} answered: {points} points{end}."

    def live(self) -> "LiveQuiz":
        """Return the quiz with radio buttons, for a live kernel.

        It begins a new run: questions answered before can be answered again, and points
        that are won already do not count twice.
        """
        return LiveQuiz(Quiz(find_lesson(self.number), {}))

    def __repr__(self) -> str:
        """Return the questions and options as text."""
        lines = [f"? {self._heading}"]
        for i, question in enumerate(self.questions, 1):
            lines.append(f"{i}. {question.text}")
            lines += [f"   {letter}) {option.text}" for letter, option in zip(LETTERS, question.options)]
        return "\n".join([*lines, f'Answer with quiz({self.number}).live(), or quiz({self.number}).answer(1, "a")'])

    def _repr_html_(self) -> str:
        parts = box_start("quiz", self._heading, self._heading)
        for i, question in enumerate(self.questions, 1):
            options = "".join(f"<li>{rich(option.text)}</li>" for option in question.options)
            parts.append(
                f'<div style="margin:10px 0 2px"><b>{i}.</b> {rich(question.text)}</div>'
                f'<ol type="a" style="margin:2px 0 2px 1.5em;padding-left:1em;list-style-type:lower-alpha">{options}</ol>'
                f"<details><summary>Answer to question {i}</summary><div>{rich(explained(question))}</div></details>"
            )
        return "\n".join(parts) + "\n</div>"


def explained(question: Question) -> str:
    """Return one line for each option: right or not, and why."""
    return "\n".join(
        f"{'✓ right' if option.right else '✗ wrong'} · {letter}) {option.why}"
        for letter, option in zip(LETTERS, question.options)
    )


class LiveQuiz:
    """The quiz as widgets: radio buttons and a button for each question, explanations after the answer."""

    def __init__(self, run: Quiz):
        """Take a new run of a quiz."""
        self.quiz = run
        self._box = None

    @property
    def widget(self):
        """The ipywidgets box, made when it is first asked for."""
        if self._box is None:
            import ipywidgets

            self._score = ipywidgets.HTML("")
            questions = [self._question(ipywidgets, i) for i in range(1, len(self.quiz.questions) + 1)]
            self._box = ipywidgets.VBox([*questions, self._score])
            self._box.add_class("bpe-quiz")
        return self._box

    def _question(self, ipywidgets, number: int):
        question = self.quiz.questions[number - 1]
        choices = [
            (f"{letter}) {option.text.replace('`', '')}", letter) for letter, option in zip(LETTERS, question.options)
        ]
        text = ipywidgets.HTML(f"<b>{number}.</b> {rich(question.text)}")
        radio = ipywidgets.RadioButtons(
            options=choices, index=None, layout={"width": "max-content", "max_width": "100%"}
        )
        button = ipywidgets.Button(description=f"Answer {number}", disabled=True)
        reply = ipywidgets.HTML("")

        def choose(change):
            button.disabled = radio.index is None

        def answer(_):
            if radio.index is None:
                return
            button.disabled = radio.disabled = True
            reply.value = self.quiz.answer(number, radio.value)._repr_html_()
            self._score.value = f"<b>{escape(self.quiz.score())}</b>"

        radio.observe(choose, "index")
        button.on_click(answer)
        return ipywidgets.VBox([text, radio, button, reply])

    def __repr__(self) -> str:
        """Say how to use it."""
        return f"Run this cell to answer quiz {self.quiz.number:02} with radio buttons."

    def _repr_mimebundle_(self, include=None, exclude=None):
        bundle = {
            "text/plain": repr(self),
            "text/html": "<p><i>Run this cell to answer the questions here. Without a kernel, read them above.</i></p>",
        }
        try:
            live, metadata = self.widget._repr_mimebundle_(), {}
        except ImportError:
            words = f"For radio buttons run `%pip install ipywidgets`; quiz({self.quiz.number}).answer(1, 'a') works as well."
            return {"text/plain": words, "text/html": f"<p>{rich(words)}</p>"}, {}
        if isinstance(live, tuple):
            live, metadata = live
        return {**live, **bundle}, metadata
