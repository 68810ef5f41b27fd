"""Lessons 00 to 05 in a real browser: JupyterLab, its kernel, Chromium. Skipped where there is no Chromium."""

import nbformat
import pytest
from browsing import (
    WAIT,
    ask,
    fits_at_200_percent,
    heard,
    is_readable_in_both_themes,
    lesson,
    names_of,
    names_what_can_be_used,
    opened,
    ran_to_its_end,
)

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.mark.long
@lesson(*range(6))
def test_each_lesson_runs_to_its_end(page):
    assert ran_to_its_end(page)


@pytest.mark.long
@lesson(*range(6))
def test_each_text_is_readable_on_a_light_and_a_dark_page(page):
    assert is_readable_in_both_themes(page)


@pytest.mark.long
@lesson(*range(6))
def test_nothing_is_cut_off_at_a_zoom_of_200_percent(page):
    assert fits_at_200_percent(page)


@pytest.mark.long
@lesson(*range(6))
def test_what_can_be_used_has_a_name(page):
    assert names_what_can_be_used(page)


def press_right_on_the_first_slider(page):
    handle = page.locator(".widget-slider .noUi-handle").first
    handle.focus()
    handle.press("ArrowRight")


@lesson(0)
def test_the_browser_answers_the_set_up_check(page):
    page.locator(".bpe-widgets-alive", has_text="The widgets are alive").first.wait_for(timeout=WAIT)
    page.locator(".bpe-typed-view").first.wait_for(timeout=WAIT)
    page.locator(".widget-text input:visible").last.fill("strawberry")
    page.locator(".bpe-typed-view", has_text="berry").first.wait_for(timeout=WAIT)


@lesson(1)
def test_words_and_parts_follow_the_slider(page):
    view = page.locator(".bpe-words-or-parts-view").first
    view.wait_for(timeout=WAIT)
    assert "256 entries" in view.inner_text()
    press_right_on_the_first_slider(page)
    page.locator(".bpe-words-or-parts-view", has_text="300 entries").first.wait_for(timeout=WAIT)
    page.locator(".widget-text input:visible").first.fill("<b>zebra</b>")
    page.locator(".bpe-words-or-parts-view", has_text="zebra").first.wait_for(timeout=WAIT)
    assert page.locator(".bpe-words-or-parts-view b", has_text="zebra").count() == 0


@lesson(3)
def test_the_merge_explorer_follows_its_slider(page):
    view = page.locator(".bpe-explorer-view").first
    view.wait_for(timeout=WAIT)
    assert "0 of 15 merges" in view.inner_text()
    press_right_on_the_first_slider(page)
    page.locator(".bpe-explorer-view", has_text="1 of 15 merges").first.wait_for(timeout=WAIT)
    assert "e + s → es" in view.inner_text() and "86 tokens" in view.inner_text()
    page.keyboard.press("Home")
    page.locator(".bpe-explorer-view", has_text="0 of 15 merges").first.wait_for(timeout=WAIT)


@lesson(1, 3)
def test_what_moves_has_a_name_and_says_what_it_shows(page):
    assert names_what_can_be_used(page)
    found = heard(page, ".jp-OutputArea-output:has(.widget-slider)")
    (status,) = found["status"]
    live = {one["name"]: one["value"].get("value") for one in status["properties"]}
    assert (live["live"], live["atomic"]) == ("polite", True)
    if "spinbutton" in found:
        assert {"Play"} <= set(names_of(found["button"])) and names_of(found["spinbutton"]) == ["Merges"]
        assert any("0 of 15 merges" in text for text in names_of(found["StaticText"]))
    else:
        assert names_of(found["combobox"]) == ["Entries"]
        page.get_by_role("combobox", name="Entries").select_option("300")
        page.locator(".bpe-words-or-parts-view", has_text="300 entries").first.wait_for(timeout=WAIT)
        page.get_by_role("combobox", name="Entries").select_option("256")
        page.locator(".bpe-words-or-parts-view", has_text="256 entries").first.wait_for(timeout=WAIT)


FOCUSED = "(kind) => document.activeElement.matches(kind)"
IN_THE_EXPLORER = "() => !!document.querySelector('.jp-Cell.jp-mod-active .bpe-explorer-view')"


def press_until(page, key, reached, argument=None):
    for _ in range(100):
        if page.evaluate(reached, argument):
            return
        page.keyboard.press(key)
    pytest.fail(f"{key}, a hundred times, does not reach it")


def go_to_the_explorer(page):
    """Reach the first button of the first explorer as one does who has no mouse."""
    page.evaluate("() => document.querySelector('.jp-Cell').focus()")  # where JupyterLab begins
    press_until(page, "ArrowDown", IN_THE_EXPLORER)
    press_until(page, "Tab", FOCUSED, ".widget-toggle-button")


@lesson(3)
def test_the_keyboard_alone_moves_the_explorer(page):
    go_to_the_explorer(page)
    press_until(page, "Tab", FOCUSED, ".noUi-handle")
    for key, said in [("End", "15 of 15"), ("ArrowLeft", "14 of 15"), ("Home", "0 of 15"), ("ArrowRight", "1 of 15")]:
        page.wait_for_timeout(300)  # as between two keys of a person: an echo of the last one may be under way
        page.keyboard.press(key)
        page.locator(".bpe-explorer-view", has_text=f"{said} merges").first.wait_for(timeout=10_000)
    page.keyboard.press("Home")
    page.locator(".bpe-explorer-view", has_text="only base symbols").first.wait_for(timeout=WAIT)


@lesson(3)
def test_the_play_button_moves_the_explorer_and_stops(page):
    view = page.locator(".bpe-explorer-view").first
    go_to_the_explorer(page)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Pause", exact=True).first.wait_for(timeout=WAIT)
    page.wait_for_function("() => parseInt(document.querySelector('.bpe-explorer-view').innerText) >= 2")
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)  # what is under way arrives
    paused = view.inner_text()
    page.wait_for_timeout(1000)  # more than two of its steps
    assert view.inner_text() == paused
    press_until(page, "Tab", FOCUSED, ".noUi-handle")
    page.keyboard.press("End")
    page.locator(".bpe-explorer-view", has_text="15 of 15 merges").first.wait_for(timeout=WAIT)
    page.wait_for_timeout(300)
    page.keyboard.press("ArrowLeft")
    page.locator(".bpe-explorer-view", has_text="14 of 15 merges").first.wait_for(timeout=WAIT)
    press_until(page, "Shift+Tab", FOCUSED, ".widget-toggle-button")
    page.keyboard.press("Enter")
    page.locator(".bpe-explorer-view", has_text="15 of 15 merges").first.wait_for(timeout=WAIT)
    page.get_by_role("button", name="Play", exact=True).first.wait_for(timeout=WAIT)
    assert "15 of 15 merges" in view.inner_text()


@lesson(2)
def test_typed_text_is_counted(page):
    view = page.locator(".bpe-typed-view").first
    view.wait_for(timeout=WAIT)
    box = page.locator(".widget-text input").first
    box.fill("banana")
    page.locator(".bpe-typed-view", has_text="a + n, 2 times").first.wait_for(timeout=WAIT)
    box.fill("<script>alert(1)</script>")
    page.locator(".bpe-typed-view", has_text="in 1 word").first.wait_for(timeout=WAIT)
    assert page.locator(".bpe-typed-view script").count() == 0


@lesson(2)
def test_a_quiz_question_is_answered(page):
    choices = page.locator(".widget-radio input[type=radio]")
    choices.first.wait_for(timeout=WAIT)
    choices.nth(2).check()
    button = page.get_by_role("button", name="Answer").first
    button.click()
    page.locator("text=5 times in >> visible=true").first.wait_for(timeout=WAIT)


def test_a_folded_answer_opens_with_a_click_and_with_a_run(lab, browser):
    """Rule 1 of every lesson: the saved output of what is asked before is folded, and none the less there."""
    folded = {"jupyter": {"outputs_hidden": True}}
    output = nbformat.v4.new_output("stream", name="stdout", text="saved answer\n")
    cells = [nbformat.v4.new_markdown_cell("**Predict.** What is printed?")]
    for number in (1, 2):
        cell = nbformat.v4.new_code_cell("print('new', 'answer')", metadata=folded, outputs=[output])
        cells.append(cell | {"execution_count": number})
    notebook = nbformat.v4.new_notebook(
        cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python"}}
    )
    ask(f"{lab}/api/contents/notebooks/folded.ipynb", "PUT", {"type": "notebook", "content": notebook})
    with opened(lab, browser, "folded") as page:
        first, second = (page.locator(".jp-CodeCell").nth(place) for place in (0, 1))
        bar = ".jp-OutputPlaceholder"
        for cell in (first, second):
            cell.locator(bar).wait_for(timeout=WAIT)
            assert cell.locator(".jp-OutputArea-output:visible").count() == 0
        first.locator(bar).click()
        first.locator(".jp-OutputArea-output", has_text="saved answer").wait_for(timeout=WAIT)
        assert first.locator(bar).count() == 0 and second.locator(".jp-OutputArea-output:visible").count() == 0
        second.locator(".jp-InputArea-editor").click()
        page.keyboard.press("Shift+Enter")
        second.locator(".jp-OutputArea-output", has_text="new answer").wait_for(timeout=WAIT)
        assert second.locator(bar).count() == 0
