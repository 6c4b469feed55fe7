"""Pages in a real browser: no error, no request, nothing beside the page, every chart drawn."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser

PAGES = ("penguins", "nasty", "model", "sheet", "nasty_sheet")
DRAWN = "[...document.querySelectorAll('figure[data-chart]')].map(figure => figure.dataset.drawn)"
READY = "document.documentElement.dataset.ready === 'true'"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SVG_HEIGHTS = "[...document.querySelectorAll('.chart svg')].map(svg => svg.getBoundingClientRect().height)"
WITHOUT_NAME = """
[...document.querySelectorAll("[role='img'], [role='region']")]
  .filter(each => !(each.getAttribute('aria-label') || '').trim()).length
"""
# Relative luminance and contrast as WCAG defines them.
CONTRAST = """
(() => {
  const light = colour => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = each => {
    for (let e = each; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if (!colour.endsWith(', 0)') && colour !== 'transparent') return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const ratios = [...document.querySelectorAll('h1, h2, h3, p, li, td, th, a, figcaption, caption, footer, .blame')]
    .map(each => [light(getComputedStyle(each).color), light(ground(each))])
    .map(([a, b]) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
  return Math.min(...ratios);
})()
"""


@dataclass
class Opened:
    """A page, what it complained about, and what it asked the network for."""

    page: Any
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


def open_page(browser: Any, path: Path, scheme: str = "light", width: int = 1400) -> Opened:
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
    opened = Opened(context.new_page())
    opened.page.on("console", lambda message: opened.complaints.append(message.text))
    opened.page.on("pageerror", lambda error: opened.complaints.append(str(error)))
    opened.page.on("request", lambda request: opened.requests.append(request.url))
    opened.page.goto(path.as_uri())
    opened.page.wait_for_function(READY, timeout=60_000)
    return opened


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1400])
def test_a_page_opens(browser: Any, pages: dict[str, Path], name: str, scheme: str, width: int) -> None:
    opened = open_page(browser, pages[name], scheme, width)
    try:
        drawn = opened.page.evaluate(DRAWN)
        assert opened.complaints == []
        assert [url for url in opened.requests if not url.startswith(("file:", "data:"))] == []
        assert drawn
        assert set(drawn) == {"true"}
        assert min(opened.page.evaluate(SVG_HEIGHTS)) > 20
        assert opened.page.evaluate(OVERFLOW) <= 0
        assert opened.page.evaluate(CONTRAST) >= 4.5
    finally:
        opened.page.context.close()


@pytest.mark.parametrize("name", PAGES)
def test_pictures_and_tables_have_names(browser: Any, pages: dict[str, Path], name: str) -> None:
    opened = open_page(browser, pages[name])
    assert opened.page.evaluate(WITHOUT_NAME) == 0
    assert opened.page.evaluate("document.querySelectorAll('.chart[role=img]').length") > 0
    assert opened.page.evaluate("document.documentElement.lang") == "en"
    opened.page.context.close()


@pytest.mark.parametrize("name", ["penguins", "sheet"])
def test_the_keyboard_reaches_every_table(browser: Any, pages: dict[str, Path], name: str) -> None:
    opened = open_page(browser, pages[name], width=400)
    n_tables = opened.page.evaluate("document.querySelectorAll('.scroll').length")
    reached = set()
    for _ in range(200):
        opened.page.keyboard.press("Tab")
        found = opened.page.evaluate(
            "[...document.querySelectorAll('.scroll')].indexOf(document.activeElement)"
        )
        reached.add(found)
    assert reached - {-1} == set(range(n_tables))
    opened.page.context.close()


def test_links_lead_to_sections(browser: Any, pages: dict[str, Path]) -> None:
    opened = open_page(browser, pages["nasty"])
    lost = opened.page.evaluate(
        "[...document.querySelectorAll('nav a')].filter(a => !document.getElementById("
        "decodeURIComponent(a.hash.slice(1)))).length"
    )
    assert lost == 0
    opened.page.context.close()


def test_charts_follow_the_theme(browser: Any, pages: dict[str, Path]) -> None:
    opened = open_page(browser, pages["penguins"])
    fills = "[...document.querySelectorAll('.chart svg path')].map(each => each.getAttribute('fill'))"
    before = set(opened.page.evaluate(fills))
    opened.page.emulate_media(color_scheme="dark")
    opened.page.wait_for_function(f"!({fills}).includes('#b9cfc2')")
    assert "#b9cfc2" in before
    assert "#3f5f50" in opened.page.evaluate(fills)
    opened.page.context.close()


def test_names_are_shown_as_they_are(browser: Any, pages: dict[str, Path]) -> None:
    opened = open_page(browser, pages["nasty"])
    heads = opened.page.evaluate("[...document.querySelectorAll('.card h3')].map(each => each.textContent)")
    assert "</script><script>throw Error('a name was run')</script>" in heads
    assert opened.page.evaluate("document.querySelectorAll('img, main b:not(li > b)').length") == 0
    opened.page.context.close()
