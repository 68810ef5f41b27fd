"""Lessons 06 to 10 in a real browser; in a file of their own, so that two workers share the lessons."""

import pytest
from browsing import (
    WAIT,
    fits_at_200_percent,
    is_readable_in_both_themes,
    lesson,
    names_what_can_be_used,
    ran_to_its_end,
)

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.mark.long
@lesson(*range(6, 100))
def test_each_lesson_runs_to_its_end(page):
    assert ran_to_its_end(page)


@pytest.mark.long
@lesson(*range(6, 100))
def test_each_text_is_readable_on_a_light_and_a_dark_page(page):
    assert is_readable_in_both_themes(page)


@pytest.mark.long
@lesson(*range(6, 100))
def test_nothing_is_cut_off_at_a_zoom_of_200_percent(page):
    assert fits_at_200_percent(page)


@pytest.mark.long
@lesson(*range(6, 100))
def test_what_can_be_used_has_a_name(page):
    assert names_what_can_be_used(page)


@lesson(8)
def test_the_calculator_never_raises_into_the_page(page):
    view = page.locator(".bpe-calculator-view").first
    view.wait_for(timeout=WAIT)
    box = page.locator(".jp-OutputArea-output:has(.bpe-calculator-view) textarea:visible").first
    box.fill("")
    page.locator(".bpe-calculator-view", has_text="Type a text.").first.wait_for(timeout=WAIT)
    box.fill("Where is the station?")
    page.locator(".bpe-calculator-view", has_text="21 characters").first.wait_for(timeout=WAIT)
