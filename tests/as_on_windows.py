"""A pytest plugin (-p as_on_windows): takes away what Python lacks on Windows, and writes line ends as there."""

import builtins
import io
import signal
import sys

import pytest

open_here = io.open


def open_there(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, *rest, **more):
    """Open a file; a text that is written gets CRLF unless the caller names the line ends."""
    if newline is None and "b" not in mode and set(mode) & set("wax"):
        newline = "\r\n"
    return open_here(file, mode, buffering, encoding, errors, newline, *rest, **more)


def writes_crlf(monkeypatch):
    """Write texts as on Windows until the test is over."""
    monkeypatch.setattr(io, "open", open_there)
    monkeypatch.setattr(builtins, "open", open_there)


def pytest_configure(config):
    """Take away modules and names before the tests are read."""
    for module in ("fcntl", "resource"):
        sys.modules[module] = None
    for name in ("SIGALRM", "ITIMER_REAL", "setitimer", "getitimer", "alarm", "pthread_kill"):
        delattr(signal, name)


@pytest.fixture(autouse=True)
def line_ends(monkeypatch):
    """Let each test write as on Windows."""
    writes_crlf(monkeypatch)
