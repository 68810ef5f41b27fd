"""For those who grade a class: points that the learner's code has no hand in. No lesson imports from here.

Reading order: ``finding`` reads notebooks and takes out an exercise's code; ``isolation`` runs it in
a process of its own, where ``inside`` is all that it meets; ``carrying`` brings the values back;
``comparing`` holds the expected values and gives the verdict; ``writing`` makes the tables and pages.
``release`` makes a copy of a lesson for nbgrader.
"""
