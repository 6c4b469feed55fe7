"""The frame of a page: escaped text, charts as data, files that appear whole."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.report.chart import chart, values_of
from boxwood.report.page import Html, Page, figures, html_table


class Tags(HTMLParser):
    """The tags of a document and the text between them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def parsed(html: str) -> Tags:
    tags = Tags()
    tags.feed(html)
    tags.close()
    return tags


def spec_of(html: str) -> dict[str, object]:
    [text] = re.findall(r"<script type='application/json'>(.*?)</script>", html, re.DOTALL)
    found: dict[str, object] = json.loads(text)
    return found


ALLOWED = {"div", "table", "caption", "thead", "tbody", "tr", "th", "td", "ul", "li", "b"}


@given(st.text(min_size=1), st.text(), st.text())
def test_text_adds_no_tag(name: str, value: str, caption: str) -> None:
    page = html_table((name, "n"), [(value, 1)], caption) + figures([(value, name)])
    assert set(parsed(page).tags) <= ALLOWED


def test_html_is_kept() -> None:
    assert parsed(html_table(("a",), [(Html("<em>x</em>"),)])).tags.count("em") == 1
    assert "em" not in parsed(html_table(("a",), [("<em>x</em>",)])).tags


def test_numbers_stand_to_the_right() -> None:
    table = html_table(("n", "name"), [(1234, "a"), (None, "b"), (-0.5, "c")])
    assert "<td class='number'>1,234</td>" in table
    assert "<td class='number'>–</td>" in table
    assert "<td class='number'>−0.500</td>" in table


@given(st.text())
def test_the_data_of_a_chart_end_no_script(label: str) -> None:
    figure = chart({"data": values_of(label=[label, "</script><!--"])}, label, label)
    found = spec_of(figure)
    assert found["data"] == {"values": [{"label": label}, {"label": "</script><!--"}]}
    assert parsed(figure).tags == ["figure", "figcaption", "div", "script"]


def test_numbers_of_a_chart_are_short_and_finite() -> None:
    spec = spec_of(chart({"data": values_of(x=np.array([1 / 3, np.nan, np.inf]))}, "t", "d"))
    assert spec["data"] == {"values": [{"x": 0.33333}, {"x": None}, {"x": None}]}


def test_a_page_without_charts_has_no_script() -> None:
    page = Page("A & B", "<i>")
    page.add("First part", "<p>text</p>")
    assert "<script" not in page.html()
    assert "A &amp; B" in page.html()
    assert "<a href='#first-part'>" in page.html()


def test_a_page_has_its_library_inside() -> None:
    page = Page("Charts")
    page.add("One", chart({"mark": "point"}, "A point", "One point."))
    html = page.html()
    # The parser ends a script where a browser would: nothing of the library may be read as a tag.
    assert parsed(html).tags.count("script") == 2
    without = re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)
    assert not re.search(r"(src|href)=['\"](?!data:|#)", without)


def test_a_page_appears_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "page.html"
    path.write_text("old")
    page = Page("New")
    monkeypatch.setattr(Page, "html", lambda self: "\ud800")  # cannot be written
    with pytest.raises(UnicodeEncodeError):
        page.save(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
