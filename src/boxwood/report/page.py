"""The frame of a report: sections, charts and their library in one HTML file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from boxwood.report.chart import script_of

__all__ = ["Page", "figures", "html_table"]


class Page:
    """A report in the making.

    Parameters
    ----------
    title, subtitle : str

    Examples
    --------
    >>> page = Page("Penguins", "344 rows")
    >>> page.add("Columns", "<p>Eight of them.</p>")
    >>> "<h2 id='columns'>Columns</h2>" in page.html()
    True
    """

    def __init__(self, title: str, subtitle: str = "") -> None:
        self.title, self.subtitle = title, subtitle
        self._sections: list[tuple[str, str]] = []

    def add(self, title: str, html: str) -> None:
        """Add a section."""
        self._sections.append((title, html))

    def html(self) -> str:
        """Return the whole page; the charts' library is inside where there are charts."""
        body = "\n".join(_section(title, html) for title, html in self._sections)
        script = f"<script>{_library()}</script>" if "data-chart" in body else ""
        links = "".join(
            f"<li><a href='#{_anchor(title)}'>{escape(title)}</a></li>" for title, _ in self._sections
        )
        return "\n".join(
            [
                "<!doctype html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>",
                "<meta name='viewport' content='width=device-width, initial-scale=1'>",
                f"<link rel='icon' href='data:,'>\n<title>{escape(self.title)}</title>",
                f"<style>{_text('page.css')}</style>\n</head>\n<body>",
                f"<header><h1>{escape(self.title)}</h1>\n<p class='soft'>{escape(self.subtitle)}</p>",
                f"<nav aria-label='Sections'><ul>{links}</ul></nav></header>\n<main>\n{body}\n</main>",
                f"<footer>Made by boxwood {version('boxwood')}. This file needs no network.</footer>",
                f"{script}\n</body>\n</html>\n",
            ]
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page; a crash leaves the old file or the new one, whole."""
        partial = Path(f"{os.fspath(path)}.part")
        try:
            partial.write_text(self.html(), encoding="utf-8")
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)


def figures(found: Iterable[tuple[str, str]]) -> str:
    """Return figures in large, each with what it is."""
    return (
        "<ul class='figures'>"
        + "".join(f"<li><b>{escape(v)}</b>{escape(k)}</li>" for v, k in found)
        + "</ul>"
    )


def html_table(heads: Sequence[str], rows: Sequence[Sequence[Any]], caption: str = "") -> str:
    """Return a table; numbers stand to the right, and strings that begin with ``<`` are taken as HTML."""
    numeric = [_are_numbers([row[k] for row in rows]) for k in range(len(heads))]
    head = "".join(
        f"<th scope='col'{_class(n)}>{escape(h)}</th>" for h, n in zip(heads, numeric, strict=True)
    )
    body = "".join(f"<tr>{_line(row, numeric)}</tr>" for row in rows)
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    name = escape(caption or heads[0], quote=True)
    return (
        f"<div class='scroll' tabindex='0' role='region' aria-label='{name}'><table>{title}"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _section(title: str, html: str) -> str:
    anchor = _anchor(title)
    return f"<section aria-labelledby='{anchor}'><h2 id='{anchor}'>{escape(title)}</h2>\n{html}</section>"


def _are_numbers(cells: Sequence[Any]) -> bool:
    return bool(cells) and all(cell is None or isinstance(cell, int | float) for cell in cells)


def _line(row: Sequence[Any], numeric: Sequence[bool]) -> str:
    return "".join(f"<td{_class(n)}>{_cell(value)}</td>" for value, n in zip(row, numeric, strict=True))


def _class(numeric: bool) -> str:
    return " class='number'" if numeric else ""


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < 100.0 else f"{value:,.5g}"
    if isinstance(value, int):
        return f"{value:,}"
    text = str(value)
    return text if text.startswith("<") else escape(text)


def _anchor(title: str) -> str:
    return "-".join("".join(letter if letter.isalnum() else " " for letter in title.lower()).split())


def _text(name: str) -> str:
    return files("boxwood.report").joinpath(name).read_text(encoding="utf-8")


@cache
def _library() -> str:
    """Return Vega-Embed, Vega-Lite, Vega and the page's own lines as one script."""
    return script_of(_text("page.js"))
