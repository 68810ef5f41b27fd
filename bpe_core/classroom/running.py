"""Run a learner's function: on copies, within a time limit, with its output caught.

The kernel must survive whatever the function does. An endless loop, a flood of printing,
``exit()`` and a list of ten billion items all end as a ``Failure`` that says so.
"""

import _thread
import builtins
import copy
import dis
import functools
import io
import linecache
import logging
import signal
import sys
import threading
import time
import types
from collections.abc import Callable, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .values import Tagged, holds, plain, read, type_name

MAX_OUTPUT = 20_000  # characters, for one call
MEMORY = 1 << 30  # bytes beyond what the kernel uses already


class TimeIsUp(BaseException):
    """Raised inside the learner's code when its time is over; ``except Exception`` lets it through."""


class TooMuchOutput(BaseException):
    """Raised by ``print`` inside the learner's code when it has printed more than anyone reads."""


class Asked(BaseException):
    """Raised by ``input`` and by a debugger inside the learner's code: nobody is there to answer."""


STOPS = ((TimeIsUp, "time"), (TooMuchOutput, "output"), (Asked, "input"), (SystemExit, "exit"), (MemoryError, "memory"))


@dataclass(frozen=True)
class Failure:
    """What stopped a call: its kind, the error's name and text, and the learner's own lines."""

    kind: str  # "error", "time", "output", "input", "exit", "memory"
    name: str
    text: str = ""
    lines: tuple[tuple[int, str, bool], ...] = ()  # (number, source, is it the one)
    variables: frozenset[str] = frozenset()  # the names that the learner's function assigns
    loops: bool = False  # whether it stopped inside a loop


@dataclass(frozen=True)
class Run:
    """One call: the arguments, what came back or went wrong, what was printed, what it changed or gave back."""

    arguments: Tagged
    value: Tagged | None = None
    failure: Failure | None = None
    printed: str = ""
    changed: bool = False
    aliased: bool = False  # whether an argument itself came back
    result: Any = field(default=None, compare=False, repr=False)  # the very object that came back

    def stops(self) -> bool:
        """Say whether there is no point in further calls."""
        return self.failure.kind != "error" if self.failure else self.value[0] == "huge"

    def altered(self) -> bool:
        """Say whether the result is no longer what it was when it came back: a later call has changed it."""
        return self.value is not None and read(self.result) != self.value

    def outcome(self) -> tuple:
        """Return what two runs have in common when they show the same mistake."""
        if self.failure:
            return (self.failure.kind, self.failure.name, self.failure.text)
        return ("value", self.value, self.changed)


def run_all(function: Callable, probes: Sequence[tuple], *, seconds: float = 2.0) -> list[Run]:
    """Call a function on each tuple of arguments.

    Args:
        function: the learner's function; it gets copies.
        probes: tuples of arguments, made of built-in types.
        seconds: time for all the calls together.

    Returns:
        One Run for each probe. After a failure that is no ordinary error (time, output,
        input, exit, memory), and after a huge result, the rest are not run.

    Example:
        >>> [run.value for run in run_all(len, [([],), ([1],)])]
        [('int', 0), ('int', 1)]
    """
    runs = []
    names = namespace(function)
    with time_limit(seconds) as clock, memory_limit(MEMORY), captured_output() as output:
        for probe in probes:
            runs.append(_run_one(function, probe, clock, names, output))
            if runs[-1].stops():
                break
    return runs


def _run_one(function: Callable, probe: tuple, clock: "Clock", names: dict | None, output: "CappedOutput") -> Run:
    before = read(probe)
    arguments = copy.deepcopy(probe)
    result = failure = None
    output.printed = ""
    try:
        result = clock.call(function, arguments)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        failure = describe_failure(error, names)
    aliased = any(result is argument for argument in arguments if type(argument) in (list, dict))
    if type(result) is types.CoroutineType:
        result.close()
    value = None if failure else read(result)
    return Run(before, value, failure, output.printed, read(arguments) != before, aliased, result)


def namespace(function: Callable) -> dict | None:
    """Return the names that a function sees: those of the notebook, for one written there."""
    return function.__globals__ if (function := plain_function(function)) else None


def plain_function(function: Any) -> types.FunctionType | None:
    """Return the Python function behind a method, a partial or a decorator, if there is one.

    Example:
        >>> plain_function(functools.partial(run_all, 1)).__name__
        'run_all'
    """
    for _ in range(10):
        if type(function) not in WRAPPERS:
            break
        function = getattr(function, WRAPPERS[type(function)])
    return function if type(function) is types.FunctionType else None


WRAPPERS = {types.MethodType: "__func__", functools.partial: "func", functools._lru_cache_wrapper: "__wrapped__"}


# --- What went wrong, and where ---------------------------------------------------------


def describe_failure(error: BaseException, names: dict | None) -> Failure:
    """Turn an exception into a Failure, without trusting the exception's own methods."""
    kind = type(error)
    place: dict = {}
    for frame, number in _learner_frames(error, names)[-1:]:
        code = frame.f_code
        back = [step for step in dis.get_instructions(code) if "JUMP_BACKWARD" in step.opname]
        loops = any(step.argval <= frame.f_lasti <= step.offset for step in back)
        place = {"lines": _lines(frame, number), "variables": frozenset(code.co_varnames), "loops": loops}
    for stop, name in STOPS:
        if issubclass(kind, stop):
            return Failure(name, stop.__name__, **place)
    return Failure("error", type_name(kind), _error_text(error)[:300], **place)


def _error_text(error: BaseException) -> str:
    # str(error) may call methods that the learner wrote; only plain arguments are shown.
    arguments = BaseException.__dict__["args"].__get__(error)
    if not holds(lambda: [plain(read(arguments))]):
        return ""
    if type(error) is getattr(builtins, type_name(type(error)), None):
        return str(error)
    return ", ".join(map(str, arguments))


def _learner_frames(error: BaseException, names: dict | None) -> list[tuple[types.FrameType, int]]:
    step, frames = error.__traceback__, []
    while step:
        if names is not None and step.tb_frame.f_globals is names:
            frames.append((step.tb_frame, step.tb_lineno or _line_before(step)))
        step = step.tb_next
    return frames


def _line_before(step: types.TracebackType) -> int:
    # Python 3.12 can stop at an instruction of its own making, which belongs to no line.
    code = step.tb_frame.f_code
    lines = [line for start, _, line in code.co_lines() if line and start <= step.tb_lasti]
    return lines[-1] if lines else code.co_firstlineno


def _lines(frame: types.FrameType, number: int) -> tuple[tuple[int, str, bool], ...]:
    code = frame.f_code
    near = range(max(code.co_firstlineno, number - 2), number + 2)
    sources = {i: linecache.getline(code.co_filename, i, frame.f_globals).rstrip()[:200] for i in near}
    return tuple((i, text or "(source not found)", i == number) for i, text in sources.items() if text or i == number)


# --- Time ------------------------------------------------------------------------------


class Clock:
    """Calls functions and, once the deadline is past, raises TimeIsUp inside them, again and again."""

    def __init__(self, seconds: float):
        """Start the time that all calls share."""
        self.deadline = time.monotonic() + seconds
        self.trace_calls = False  # whether each line must look at the time

    def call(self, function: Callable, arguments: tuple) -> Any:
        """Call the function; this frame marks where the learner's code begins."""
        before = sys.gettrace()
        try:
            if self.trace_calls:
                sys.settrace(self.look)
            return function(*arguments)
        finally:
            if sys.gettrace() is not before:
                sys.settrace(before)

    def look(self, frame: types.FrameType, event: str, arg: Any) -> Callable:
        """Trace function: raise at the next call, line or instruction after the deadline."""
        if event in ("call", "line", "opcode") and time.monotonic() >= self.deadline:
            raise TimeIsUp
        frame.f_trace_opcodes = self.trace_calls  # `while True: pass` has no second line
        return self.look

    def ring(self, frame: types.FrameType | None) -> None:
        """Raise TimeIsUp if the learner's code is running; let ours run on.

        A bare ``except:`` in a loop would swallow one exception. So the frames are traced
        from now on: the first line of the ``except`` block raises the next one, outside
        of the ``try``.
        """
        frames = []
        while frame and frame.f_code is not Clock.call.__code__:
            frames.append(frame)
            frame = frame.f_back
        if frame is None or not frames or frames[-1].f_code.co_filename == __file__:
            return
        for inner in frames:
            inner.f_trace = self.look
        sys.settrace(self.look)
        raise TimeIsUp


@contextmanager
def time_limit(seconds: float):
    """Give a Clock; a thread rings it by a signal to the main thread, first at the end, then every 10 ms.

    Where there are no threads (Pyodide), and in a thread other than the main one, the clock
    looks at the time in each line. A long call inside C code (``sum(range(10**12))``) cannot
    be stopped in any way.
    """
    clock, over = Clock(seconds), threading.Event()
    number, main = getattr(signal, "SIGALRM", signal.SIGINT), threading.get_ident()
    previous = signal.getsignal(number)
    # Where there are real signals, they end time.sleep too.
    send = functools.partial(signal.pthread_kill, main) if hasattr(signal, "pthread_kill") else _thread.interrupt_main

    def handle(signum, frame):
        if time.monotonic() >= clock.deadline:
            clock.ring(frame)
        elif callable(previous):  # someone else's signal: the stop button, on Windows
            previous(signum, frame)

    def wait():
        pause = seconds
        while not over.wait(pause):
            send(number)
            pause = 0.01

    thread = threading.Thread(target=wait, daemon=True)
    with ExitStack() as afterwards:
        try:
            signal.signal(number, handle)
            afterwards.callback(signal.signal, number, signal.SIG_DFL if previous is None else previous)
            thread.start()
            afterwards.callback(thread.join)
            afterwards.callback(over.set)
        except (ValueError, RuntimeError):  # not the main thread; no threads here
            clock.trace_calls = True
        yield clock


# --- Memory and output --------------------------------------------------------------------------


@contextmanager
def memory_limit(extra: int):
    """Allow the process ``extra`` bytes more than it has, where the system can (Linux)."""
    with ExitStack() as afterwards:
        with suppress(ImportError, OSError, ValueError):
            import resource

            used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
            soft, hard = resource.getrlimit(resource.RLIMIT_AS)
            allowed = used + extra if soft == resource.RLIM_INFINITY else min(used + extra, soft)
            resource.setrlimit(resource.RLIMIT_AS, (allowed, hard))
            afterwards.callback(resource.setrlimit, resource.RLIMIT_AS, (soft, hard))
        yield


class CappedOutput(io.TextIOBase):
    """A text stream that keeps what is written, in ``printed``, and raises TooMuchOutput beyond a limit."""

    printed = ""

    def write(self, text: str) -> int:
        """Keep the text."""
        if len(self.printed) + len(text) > MAX_OUTPUT:
            raise TooMuchOutput
        self.printed += str(text)
        return len(text)

    def publish(self, data: dict, *_, **__) -> None:
        """Take what IPython's ``display`` would send to the page; it counts as 100 characters at least."""
        self.write(f"{str(data.get('text/plain', ''))[:1000]:<99}\n")


@contextmanager
def captured_output():
    """Catch what is printed, logged, displayed and plotted, and let ``input`` and ``exit`` raise.

    In a notebook ``exit()`` would end the kernel, and ``input()`` or a debugger would open a
    box that nobody expects.
    """
    output = CappedOutput()

    def stop(error: type[BaseException], *_, **__):
        raise error

    ask, leave = functools.partial(stop, Asked), functools.partial(stop, SystemExit)

    def show_figure(*_, **__):
        output.publish({"text/plain": "<a figure>"})
        pyplot.close()

    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    pyplot = sys.modules.get("matplotlib.pyplot")
    figures = set(pyplot.get_fignums()) if pyplot else set()
    places = [(sys, "stdout", output), (sys, "stderr", output), (sys, "breakpointhook", ask), (builtins, "input", ask)]
    places += [(logging.root, "handlers", [logging.StreamHandler(output)])]
    places += [(shell, "ask_exit", leave), (shell.display_pub, "publish", output.publish)] if shell else []
    places += [(pyplot, "show", show_figure)] if pyplot else []
    before = [vars(owner).get(name, places) for owner, name, _ in places]  # `places` stands for "nothing"
    try:
        for owner, name, value in places:
            setattr(owner, name, value)
        yield output
    finally:
        for (owner, name, _), value in zip(places, before):
            delattr(owner, name) if value is places else setattr(owner, name, value)
        for number in set(pyplot.get_fignums()) - figures if pyplot else ():
            pyplot.close(number)
