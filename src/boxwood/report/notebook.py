"""A model as a notebook shows it: the first page of its report, without a script."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.plot.question_axis import axis_of_question, probabilities_of_bins

__all__ = ["first_page"]

MOST_COLUMNS = 24
"""Columns that are drawn; a notebook is no report."""
N_BINS = 30
WIDTH, HEIGHT = 180, 48
STYLE = (
    "display:inline-block;vertical-align:top;width:190px;margin:0 12px 12px 0;overflow-wrap:anywhere;"
    "font-size:90%"
)


def first_page(model: Any) -> str:
    """Return the columns of a fitted model with small drawings of their distributions.

    Parameters
    ----------
    model : TableModel

    Examples
    --------
    >>> import boxwood as bw
    >>> page = first_page(bw.TableModel(random_state=0).fit("examples/penguins.csv"))
    >>> page.count("<svg"), "<script" in page
    (8, False)
    """
    names = model.schema.names
    rules = [repr(rule) for rule in getattr(model.density_, "dependencies_", [])]
    cards = "".join(_card(model, name) for name in names[:MOST_COLUMNS])
    more = len(names) - MOST_COLUMNS
    parts = [
        f"<p style='margin:0 0 8px'><b>{escape(type(model.density_).__name__)}</b> of {len(names)} columns"
        f"{_score(model.density_)}</p>",
        f"<div>{cards}</div>",
        f"<p>… and {more} more columns</p>" if more > 0 else "",
        "".join(f"<p>rule: {escape(rule)}</p>" for rule in rules),
    ]
    return f"<div class='boxwood'>{''.join(parts)}</div>"


def _score(density: Any) -> str:
    score = getattr(density, "oob_score_", None)
    return "" if score is None else f", {float(score):.2f} nats a row by the trees that did not see it"


def _card(model: Any, name: str) -> str:
    axis = axis_of_question(model, name, N_BINS)
    probabilities, missing = probabilities_of_bins(model, axis)
    heights = probabilities / axis.sizes
    gaps = f", {missing:.0%} missing" if missing > 0.005 else ""
    k = int(np.argmax(probabilities))
    seen = f"{axis.labels[k]} {probabilities[k]:.0%}" if axis.labels else _range(model, name)
    return (
        f"<div style='{STYLE}'><b>{escape(name)}</b><br>"
        f"<span style='opacity:.7'>{escape(f'{axis.field.kind}{gaps}')}</span>"
        f"{_drawing(heights, f'{name}: {seen}')}<span style='opacity:.7'>{escape(seen)}</span></div>"
    )


def _range(model: Any, name: str) -> str:
    low, high = model.quantile(name, [0.05, 0.95])
    return f"90 % from {_shown(low)} to {_shown(high)}"


def _shown(value: Any) -> str:
    return f"{value:,.4g}" if isinstance(value, int | float) else str(value)[:10]


def _drawing(heights: NDArray[np.float64], title: str) -> str:
    """Return bars in the colour of the text around them, so that they are seen on any ground."""
    top = max(float(heights.max()), 1e-300)
    step = WIDTH / len(heights)
    gap = 2.0 if len(heights) <= 12 else 0.0
    bars = "".join(
        f"<rect x='{k * step:.1f}' y='{HEIGHT * (1 - h / top):.1f}' width='{step - gap:.1f}' "
        f"height='{HEIGHT * h / top:.1f}'/>"
        for k, h in enumerate(heights.tolist())
    )
    return (
        f"<svg role='img' aria-label='{escape(title)}' width='{WIDTH}' height='{HEIGHT}' "
        f"viewBox='0 0 {WIDTH} {HEIGHT}' style='display:block;margin:4px 0'>"
        f"<g fill='currentColor' fill-opacity='.55'>{bars}</g></svg>"
    )
