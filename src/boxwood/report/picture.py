"""Pictures of matplotlib inside of a page."""

from __future__ import annotations

import io
import re
from html import escape
from typing import Any

__all__ = ["picture"]


def picture(figure: Any, title: str, kind: str = "") -> str:
    """Return a figure of matplotlib as SVG with its title.

    Parameters
    ----------
    figure : matplotlib Figure
    title : str
        Says what is to be seen; also read aloud.
    kind : str
        A further class of the page's style.
    """
    import matplotlib as mpl

    text = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "boxwood"}):  # names inside of the drawing are drawn at random else
        figure.savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None})
    svg = re.sub(r"^.*?(?=<svg)", "", text.getvalue(), flags=re.DOTALL)
    return (
        f"<figure class='picture {kind}'><figcaption>{escape(title)}</figcaption>"
        f"<div class='scroll' role='img' tabindex='0' aria-label='{escape(title)}'>{svg}</div></figure>"
    )
