"""Links of built pages, followed without a network: every file is there, and so is every place in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LINKS = {"a": "href", "img": "src", "script": "src", "link": "href", "source": "src", "iframe": "src"}


@dataclass
class Page:
    """What a page links to, what it loads, and which places it has."""

    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    places: set[str] = field(default_factory=set)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self.page.places |= {value for key in ("id", "name") if (value := known.get(key))}
        target = known.get(LINKS.get(tag, ""))
        if target:
            (self.page.links if tag == "a" else self.page.loads).append(target)


def read_page(path: Path) -> Page:
    """Return the links and places of a page."""
    reader = _Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader.page


def broken_links(folder: Path) -> list[str]:
    """Return "page: link" of each link to a file or place of the site that is not there."""
    pages = {path.resolve(): read_page(path) for path in folder.rglob("*.html")}
    return [
        f"{path.relative_to(folder.resolve())}: {link}"
        for path, page in pages.items()
        for link in dict.fromkeys([*page.links, *page.loads])
        if not _is_there(path, link, pages)
    ]


def outside_loads(folder: Path) -> list[str]:
    """Return "page: address" of what pages would load from elsewhere."""
    return [
        f"{path.relative_to(folder)}: {target}"
        for path in folder.rglob("*.html")
        for target in read_page(path).loads
        if urlsplit(target).netloc
    ]


def _is_there(path: Path, link: str, pages: dict[Path, Page]) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return True  # elsewhere
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.exists():
        return False
    # Text fragments (#:~:text=…) are the browser's.
    place = unquote(parts.fragment).split(":~:")[0]
    return not place or target not in pages or place in pages[target].places
