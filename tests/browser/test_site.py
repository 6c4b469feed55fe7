"""The built site in a real browser: no error, no request elsewhere, no broken link, a search that finds."""

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from site_links import broken_links, outside_loads

pytestmark = pytest.mark.browser

SITE = Path(__file__).parents[2] / "docs" / "_build" / "html"
PAGES = (
    "index",
    "tutorial",
    "tasks/anomalies",
    "explanation/density_forests",
    "reference/cli",
    "api/index",
    "api/DensityForest",
    "gallery/index",
    "gallery/densities/search_parameters",
    "about/limits",
)
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
BACKGROUND = "getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number)[0]"


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line for each."""

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    assert (SITE / "index.html").exists(), "build the site by `make docs`"
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def opened(
    browser: Any, address: str, scheme: str = "light", width: int = 1400
) -> tuple[Any, list[str], list[str]]:
    """Return a page, what it complained of, and the hosts that it asked."""
    context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})
    page, complaints, asked = context.new_page(), [], []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("response", lambda answer: complaints.append(answer.url) if answer.status >= 400 else None)
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address, wait_until="load")
    return page, complaints, asked


@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_quiet_and_fits(browser: Any, site: str, name: str, scheme: str, width: int) -> None:
    page, complaints, asked = opened(browser, f"{site}/{name}.html", scheme, width)
    assert complaints == []
    assert [url for url in asked if not url.startswith((site, "data:"))] == []
    assert page.evaluate(OVERFLOW) <= 0
    assert (page.evaluate(BACKGROUND) < 100) == (scheme == "dark")
    page.context.close()


def test_the_search_finds_a_class(browser: Any, site: str) -> None:
    page, complaints, _ = opened(browser, f"{site}/search.html?q=DensityForest")
    page.wait_for_selector("#search-results li a", timeout=30_000)
    found = page.eval_on_selector_all("#search-results li a", "all => all.map(a => a.href)")
    assert any("api/DensityForest.html" in link for link in found)
    assert complaints == []
    page.context.close()


def test_no_link_is_broken() -> None:
    assert broken_links(SITE) == []


def test_nothing_is_loaded_from_elsewhere() -> None:
    assert outside_loads(SITE) == []


def test_every_page_is_in_llms_txt() -> None:
    text = (SITE / "llms.txt").read_text(encoding="utf-8")
    assert text.startswith("# boxwood\n\n> ")
    pages = {path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html")}
    assert {page for page in pages if f"]({page})" not in text} <= {"genindex.html", "search.html"}


def test_broken_links_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="b.html#here">1</a> <a href="b.html#there">2</a> <a href="gone.html">3</a> <img src="x.png">'
        '<a href="https://example.org/x">4</a> <script src="https://example.org/x.js"></script>'
    )
    (tmp_path / "b.html").write_text('<p id="here">')
    assert broken_links(tmp_path) == ["a.html: b.html#there", "a.html: gone.html", "a.html: x.png"]
    assert outside_loads(tmp_path) == ["a.html: https://example.org/x.js"]
