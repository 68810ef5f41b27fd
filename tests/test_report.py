"""The report of lesson 13: one file that needs no other, printed where a browser is there."""

import pytest
from drawn import Page

from bpe_core import views
from bpe_core.datasets import read_text
from bpe_core.views import report

PARTS = ("# Plan & size", "4,096 < 5,000 entries", views.bars({"a": 1.0, "b": 2.0}, title="B is longer", xlabel="x"))


def test_a_report_holds_all_its_parts(tmp_path, monkeypatch):
    monkeypatch.setattr(report, "BROWSERS", ())
    made = views.save_report(tmp_path / "r.html", 'A "title" <b>', *PARTS, views.View("<i>", "nothing"))
    assert made.data == [tmp_path / "r.html"] and "r.html" in made.text
    page = Page((tmp_path / "r.html").read_text(encoding="utf-8").removeprefix("<!DOCTYPE html>\n").strip())
    for words in ('A "title" <b>', "Plan & size", "4,096 < 5,000 entries", "B is longer", "<i>"):
        assert words in page.text
    (image,) = [element.attributes for element in page.elements if element.tag == "img"]
    assert image["src"].startswith("data:image/png;base64,") and "B is longer" in image["alt"]
    assert page.tags.count("h2") == 1 and not {"script", "link"} & set(page.tags)


def test_a_browser_prints_it(browser, tmp_path):
    made = views.save_report(tmp_path / "ä r.html", "Title", *PARTS)
    assert made.data[1:] == [tmp_path / "ä r.pdf"] and made.data[1].read_bytes().startswith(b"%PDF")


def test_a_text_of_ones_own(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes("käy\r\n".encode())
    assert read_text(str(path)) == "käy\r\n"
    path.write_bytes("käy".encode("latin-1"))
    with pytest.raises(ValueError, match=r"text.txt is not UTF-8 text \(byte 1\)"):
        read_text(path)
    with pytest.raises(FileNotFoundError, match="no.txt"):
        read_text(tmp_path / "no.txt")
