"""The live parts in a real browser: JupyterLab, its kernel, Chromium. Skipped where there is no Chromium."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import pytest
from conftest import REPOSITORY

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
TOKEN = "course"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(url, method="GET"):
    request = urllib.request.Request(url, method=method, headers={"Authorization": f"token {TOKEN}"})
    with urllib.request.urlopen(request, timeout=5) as answer:
        return answer.status


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A JupyterLab of its own on copies of the notebooks, with quiet settings."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(REPOSITORY / "notebooks", folder / "notebooks", ignore=shutil.ignore_patterns(".*"))
    settings = {
        "@jupyterlab/apputils-extension/notification": {
            "fetchNews": "false",
            "checkForUpdates": False,
            "doNotDisturbMode": True,
        },
        "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},
    }
    for name, content in settings.items():
        path = folder / "settings" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "JUPYTERLAB_WORKSPACES_DIR")
    places = {name: str(folder / name.lower()) for name in names} | {
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings")
    }
    port = free_port()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
    command += ["--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={folder}"]
    command += ["--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    command += ["--ServerApp.terminals_enabled=False"]
    with open(folder / "log", "wb") as log:
        server = subprocess.Popen(command, env={**os.environ, **places}, stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    for _ in range(240):
        try:
            if ask(f"{url}/api/status") == 200:
                break
        except (urllib.error.URLError, OSError):
            time.sleep(0.25)
    else:
        server.terminate()
        pytest.fail((folder / "log").read_text(encoding="utf-8")[-2000:])
    yield url
    try:
        ask(f"{url}/api/shutdown", "POST")
        server.wait(20)
    except (urllib.error.URLError, OSError, subprocess.TimeoutExpired):
        server.terminate()
        server.wait(20)


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture
def run_notebook(lab, browser):
    """Open a notebook, run all its cells, and give the page; at the end nothing may have gone wrong."""
    page = browser.new_page(viewport={"width": 1300, "height": 1000})
    errors, outside = [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: outside.append(request.url) if "127.0.0.1" not in request.url else None)

    def run(name):
        page.goto(f"{lab}/lab/tree/notebooks/{name}.ipynb?reset&token={TOKEN}")
        page.locator("#jp-main-statusbar", has_text="| Idle").wait_for(timeout=90_000)
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_text("Run All Cells", exact=True).click()
        return page

    yield run
    assert page.locator(".jp-Dialog").count() == 0
    page.close()
    assert errors == []
    assert [url for url in outside if not url.startswith(("data:", "blob:"))] == []


def press_right_on_the_first_slider(page):
    handle = page.locator(".widget-slider .noUi-handle").first
    handle.focus()
    handle.press("ArrowRight")


def test_the_browser_answers_the_set_up_check(run_notebook):
    page = run_notebook("00_start_here")
    page.locator(".bpe-widgets-alive", has_text="The widgets are alive").first.wait_for(timeout=90_000)
    page.locator(".bpe-typed-view").first.wait_for(timeout=90_000)
    page.locator(".widget-text input:visible").last.fill("strawberry")
    page.locator(".bpe-typed-view", has_text="berry").first.wait_for(timeout=90_000)


def test_words_and_parts_follow_the_slider(run_notebook):
    page = run_notebook("01_why_subwords")
    view = page.locator(".bpe-words-or-parts-view").first
    view.wait_for(timeout=90_000)
    assert "256 entries" in view.inner_text()
    press_right_on_the_first_slider(page)
    page.locator(".bpe-words-or-parts-view", has_text="300 entries").first.wait_for(timeout=90_000)
    page.locator(".widget-text input:visible").first.fill("<b>zebra</b>")
    page.locator(".bpe-words-or-parts-view", has_text="zebra").first.wait_for(timeout=90_000)
    assert page.locator(".bpe-words-or-parts-view b", has_text="zebra").count() == 0


def test_the_merge_explorer_follows_its_slider(run_notebook):
    page = run_notebook("03_merging")
    view = page.locator(".bpe-explorer-view").first
    view.wait_for(timeout=90_000)
    assert "0 of 15 merges" in view.inner_text()
    press_right_on_the_first_slider(page)
    page.locator(".bpe-explorer-view", has_text="1 of 15 merges").first.wait_for(timeout=90_000)
    assert "e + s → es" in view.inner_text() and "86 tokens" in view.inner_text()


def test_typed_text_is_counted(run_notebook):
    page = run_notebook("02_counting_pairs")
    view = page.locator(".bpe-typed-view").first
    view.wait_for(timeout=90_000)
    box = page.locator(".widget-text input").first
    box.fill("banana")
    page.locator(".bpe-typed-view", has_text="a + n, 2 times").first.wait_for(timeout=90_000)
    box.fill("<script>alert(1)</script>")
    page.locator(".bpe-typed-view", has_text="in 1 word").first.wait_for(timeout=90_000)
    assert page.locator(".bpe-typed-view script").count() == 0


def test_a_quiz_question_is_answered(run_notebook):
    page = run_notebook("02_counting_pairs")
    choices = page.locator(".widget-radio input[type=radio]")
    choices.first.wait_for(timeout=90_000)
    choices.nth(2).check()
    button = page.get_by_role("button", name="Answer").first
    button.click()
    page.locator("text=5 times in >> visible=true").first.wait_for(timeout=90_000)


def test_the_calculator_never_raises_into_the_page(run_notebook):
    page = run_notebook("08_token_costs_across_languages")
    view = page.locator(".bpe-calculator-view").first
    view.wait_for(timeout=90_000)
    box = page.locator(".jp-OutputArea-output:has(.bpe-calculator-view) textarea:visible").first
    box.fill("")
    page.locator(".bpe-calculator-view", has_text="Type a text.").first.wait_for(timeout=90_000)
    box.fill("Where is the station?")
    page.locator(".bpe-calculator-view", has_text="21 characters").first.wait_for(timeout=90_000)
