"""The classroom: check an answer, ask for a hint or the solution, take a quiz, see your progress.

Reading order: spec (what an exercise is), exercises (the exercises), values and running
(how an answer is run without trusting it), mistakes and verdicts (what to say about it), checking,
cards, helping, quizzes, records and scores; setup_check stands by itself. Set the environment
variable ``BPE_COURSE_PROGRESS`` to a file path to keep the progress elsewhere, see ``records``.
"""

import sys

from .checking import check, say_which_cell
from .helping import hint, solution
from .quizzes import quiz
from .scores import progress

if shell := sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None:
    shell.events.register("post_run_cell", say_which_cell)

__all__ = ["check", "hint", "progress", "quiz", "solution"]
