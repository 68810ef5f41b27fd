"""JupyterLab and a browser for the tests that need them: start both, run a notebook once, look at its page."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager, suppress

import nbformat
import pytest
from conftest import NOTEBOOKS

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
SETTINGS = {
    "@jupyterlab/apputils-extension/notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,
    },
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},
}
WAIT = 90_000  # milliseconds; a lesson takes about ten seconds, on a busy machine forty
SIZE = {"width": 1300, "height": 1000}


@contextmanager
def any_chromium():
    """Open Debian's Chromium, the browser that playwright brought, Chrome or Edge; give None where there is none."""
    from playwright.sync_api import Error, sync_playwright

    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    ways = [{"executable_path": found}] if found else [{}, {"channel": "chrome"}, {"channel": "msedge"}]
    with sync_playwright() as playwright:
        browser = None
        while ways and browser is None:
            with suppress(Error):
                browser = playwright.chromium.launch(headless=True, args=FLAGS, **ways.pop(0))
        yield browser
        if browser:
            browser.close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(url, method="GET", body=None):
    data = json.dumps(body).encode() if body else None
    request = urllib.request.Request(url, data, {"Authorization": f"token {TOKEN}"}, method=method)
    with urllib.request.urlopen(request, timeout=5) as answer:
        return answer.status


@contextmanager
def jupyterlab(folder):
    """Start a JupyterLab of its own, with quiet settings, on copies of the notebooks that have no outputs yet."""
    (folder / "notebooks").mkdir()
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        nbformat.write(notebook, folder / "notebooks" / path.name)
    for name, content in SETTINGS.items():
        path = folder / "settings" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "JUPYTERLAB_WORKSPACES_DIR")
    places = {name: str(folder / name.lower()) for name in names}
    places |= {
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
        "BPE_COURSE_PROGRESS": str(folder / "progress.json"),
    }
    port = free_port()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
    command += ["--ServerApp.port_retries=0", f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={folder}"]
    command += ["--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    command += ["--ServerApp.terminals_enabled=False"]
    with open(folder / "log", "wb") as log:
        server = subprocess.Popen(command, env={**os.environ, **places}, stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for_answer(f"{url}/api/status", folder / "log")
        yield url
        ask(f"{url}/api/shutdown", "POST")
        server.wait(20)
    except (urllib.error.URLError, OSError, subprocess.TimeoutExpired):
        server.terminate()
        server.wait(20)
        raise


def wait_for_answer(url, log):
    for _ in range(240):
        with suppress(urllib.error.URLError, OSError):
            if ask(url) == 200:
                return
        time.sleep(0.25)
    raise OSError(log.read_text(encoding="utf-8")[-2000:])


def lesson(*numbers):
    """Give a test the pages of some lessons, one after the other."""
    chosen = [path for path in NOTEBOOKS if int(path.stem[:2]) in numbers]
    return pytest.mark.parametrize("page", chosen, ids=lambda path: path.stem, indirect=True)


@contextmanager
def opened(lab, browser, name):
    """Open a notebook and give the page; nothing may go wrong until it is closed."""
    page = browser.new_page(viewport=SIZE)
    errors, outside = [], []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: outside.append(request.url) if lab not in request.url else None)
    page.goto(f"{lab}/lab/tree/notebooks/{name}.ipynb?reset&token={TOKEN}")
    page.locator("#jp-main-statusbar", has_text="| Idle").wait_for(timeout=WAIT)
    yield page
    assert page.locator(".jp-Dialog").count() == 0
    page.close()
    assert errors == []
    assert [url for url in outside if not url.startswith(("data:", "blob:", lab.replace("http", "ws")))] == []


def run_all(page):
    """Run all cells of a notebook to the end."""
    choose(page, "Run", "Run All Cells")
    page.wait_for_function(ENDED, timeout=WAIT)
    page.locator("#jp-main-statusbar", has_text="| Idle").wait_for(timeout=WAIT)


def choose(page, *path):
    """Choose from the menu bar, as in choose(page, "Run", "Run All Cells")."""
    page.locator(".lm-MenuBar-item", has_text=path[0]).first.click()
    for entry in path[1:]:
        page.locator(".lm-Menu-item", has_text=entry).first.click()


PROMPTS = "[...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')].map(prompt => prompt.textContent)"
ERROR = ".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.error']"
ENDED = f"""() => document.querySelector("{ERROR}")
    || {PROMPTS}.every(text => /[0-9]/.test(text)) && !!document.querySelector('.jp-CodeCell')"""

# Every visible text inside some elements, and there inside others, with the contrast to what lies behind it.
CONTRASTS = """([places, inside]) => {
  const pen = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const read = color => {
    pen.clearRect(0, 0, 1, 1); pen.fillStyle = color; pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const over = (top, below) => below.map((c, i) => top[i] * top[3] / 255 + c * (1 - top[3] / 255));
  const behind = element => element
    ? over(read(getComputedStyle(element).backgroundColor), behind(element.parentElement)) : [255, 255, 255];
  const linear = c => c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4;
  const light = color => color.map(linear).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0.05);
  const found = [];
  for (const output of document.querySelectorAll(places)) {
    const walk = document.createTreeWalker(output, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const text = walk.currentNode.data.trim(), element = walk.currentNode.parentElement;
      if (!text || !element.closest(inside)) continue;
      if (!element.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
      const ground = behind(element), ink = over(read(getComputedStyle(element).color), ground);
      const [low, high] = [light(ground), light(ink)].sort((a, b) => a - b);
      found.push([text.slice(0, 40), high / low]);
    }
  }
  return found;
}"""
# What a reader cannot reach: cards wider than their output, and boxes that hide what is too wide for them.
CUT_OFF = """() => [...document.querySelectorAll('.jp-OutputArea-output')].flatMap(output => {
  const edge = output.getBoundingClientRect().right + 1, found = [];
  for (const element of output.querySelectorAll('*')) {
    const box = element.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    const field = element.matches('input, textarea');  // the arrow keys scroll what is typed
    const hides = !field && ['hidden', 'clip'].includes(getComputedStyle(element).overflowX);
    let scrolls = false;
    for (let outer = element.parentElement; outer !== output.parentElement; outer = outer.parentElement)
      scrolls ||= ['auto', 'scroll'].includes(getComputedStyle(outer).overflowX);
    const wide = element.scrollWidth > element.clientWidth + 1;
    const card = element.getAttribute('role') === 'group';
    if (hides && wide || box.right > edge && (card || !scrolls) || card && wide && element.clientWidth)
      found.push(`${element.tagName} ${element.className}: ${element.textContent.slice(0, 40)}`);
  }
  return found;
})"""


def ran_to_its_end(page):
    """Say whether all code cells of a page ran in order, once, without an error."""
    prompts = page.evaluate(PROMPTS)
    assert page.locator(ERROR).count() == 0, page.locator(ERROR).first.inner_text()[-1000:]
    assert prompts == [f"[{number}]:" for number in range(1, len(prompts) + 1)]
    return len(prompts) > 10


def is_readable_in_both_themes(page):
    """Say whether each text in the outputs has a contrast of 4.5 on JupyterLab's light and dark pages."""
    worst = []
    for theme, light in (("JupyterLab Dark", "false"), ("JupyterLab Light", "true")):
        choose(page, "Settings", "Theme", theme)
        page.locator(f"body[data-jp-theme-light={light}]").wait_for(state="attached")
        texts = page.evaluate(CONTRASTS, [".jp-OutputArea-output", ".jp-RenderedHTMLCommon, .widget-html-content"])
        assert len(texts) > 20
        worst += [(theme, *text) for text in texts if text[1] < 4.5]
    assert worst == []
    return True


def fits_at_200_percent(page):
    """Say whether nothing is cut off on a page half as wide, which is what a zoom of 200% makes of it."""
    page.keyboard.press("Control+b")
    page.set_viewport_size({side: pixels // 2 for side, pixels in SIZE.items()})
    page.wait_for_function("() => document.querySelector('.jp-Notebook').clientWidth < 660")
    cut = page.evaluate(CUT_OFF)
    page.set_viewport_size(SIZE)
    page.keyboard.press("Control+b")
    assert cut == []
    return True


def heard(page, place):
    """Return the nodes of Chromium's accessibility tree inside the first element of a place, by role."""
    session = page.context.new_cdp_session(page)
    found = session.send("Runtime.evaluate", {"expression": f"document.querySelector({place!r})"})["result"]
    nodes = session.send("Accessibility.queryAXTree", {"objectId": found["objectId"]})["nodes"]
    session.detach()
    by_role = {}
    for node in nodes:
        if not node["ignored"]:
            by_role.setdefault(node["role"]["value"], []).append(node)
    return by_role


def names_of(nodes):
    return [node.get("name", {}).get("value", "") for node in nodes]


USED = ("button", "spinbutton", "textbox", "combobox", "listbox", "radio", "checkbox", "link")
# ipywidgets gives the handle of a slider no name, so each slider has a field or a menu beside it.
ALONE = """() => [...document.querySelectorAll('.widget-slider')].filter(
  slider => !slider.parentElement.querySelector('.widget-label:not([style*="none"]) ~ input, .widget-label ~ select')
).length"""


def names_what_can_be_used(page):
    """Say whether each field, menu and button in the outputs has a name for those who hear the page."""
    unnamed = []
    for number in range(page.locator(".jp-Cell-outputArea").count()):
        page.evaluate("n => document.querySelectorAll('.jp-Cell-outputArea')[n].setAttribute('data-heard', n)", number)
        found = heard(page, f"[data-heard='{number}']")
        unnamed += [(number, role) for role in USED for name in names_of(found.get(role, [])) if not name.strip()]
    assert (unnamed, page.evaluate(ALONE)) == ([], 0)
    return True
