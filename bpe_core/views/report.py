"""A report to hand in: views, pictures and paragraphs as one file of HTML, and as PDF where a browser is there."""

import base64
import os
import shutil
import subprocess
from pathlib import Path

from markupsafe import Markup

from .look import PAGE_STYLE, View, join, tag
from .picture import Picture

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "msedge")


def save_report(path: str | os.PathLike, title: str, *parts: View | Picture | str) -> View:
    r"""Save a report as one file of HTML that needs no other file, and as a PDF beside it if a browser is found.

    Args:
        path: of the HTML file, such as ``"report.html"``; the PDF gets the same name and ``.pdf``.
        title: of the report.
        parts: what stands in it, in order. A str is a paragraph, or a heading if it begins with ``# ``.

    Returns:
        A View that names the files; ``data`` is the list of their paths.

    Raises:
        OSError: the file cannot be written.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     save_report(Path(folder) / "report.html", "My tokenizer", "# Plan", "4,096 entries.").data[0].name
        'report.html'
    """
    path = Path(path)
    body = join([tag("h1", title), *map(_part, parts)])
    head = join([Markup('<meta charset="utf-8">'), tag("title", title), PAGE_STYLE])
    page = Markup("<!DOCTYPE html>\n") + tag("html", tag("head", head), tag("body", body), lang="en")
    path.write_text(page + "\n", encoding="utf-8", newline="\n")
    said = f"Saved {path.name}, and {path.stem}.pdf if a browser was found to print it."
    return View(tag("div", said), said, [path, *_print(path)])


def _part(part: View | Picture | str) -> Markup:
    if isinstance(part, Picture):
        image = "data:image/png;base64," + base64.b64encode(part.png).decode("ascii")
        return tag("figure", tag("img", src=image, alt=part.caption), tag("figcaption", part.caption, look="fine"))
    if isinstance(part, View):
        return tag("div", Markup(part.html))
    return tag("h2", part[2:]) if part.startswith("# ") else tag("p", part)


def _print(path: Path) -> list[Path]:
    # The browser prints the page; --no-sandbox is needed by root alone, as in a container.
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        return []
    target = path.with_suffix(".pdf").resolve()
    options = ["--headless", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={target}"]
    options += ["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    done = subprocess.run([browser, *options, path.resolve().as_uri()], capture_output=True, timeout=60)
    return [target] if done.returncode == 0 and target.is_file() else []
