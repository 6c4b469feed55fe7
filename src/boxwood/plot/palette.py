"""Colours of classes, the same in every chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.plot.axis_labels import shortened

__all__ = ["class_colors", "draw_legend", "tinted"]

PALEST, STRONGEST = 0.12, 0.62
"""Strength of a class's colour if all classes are equally probable, and if the class is certain."""

MOST_INSIDE = 8
"""Most entries of a legend inside the chart. A longer legend is placed beside the chart."""

MOST_LINES = 20
"""Most lines of a legend. More entries make more columns."""


def class_colors(n_classes: int, colors: Any = None) -> NDArray[np.float64]:
    """Return a colour for each class, as red, green and blue."""
    from matplotlib import colormaps
    from matplotlib.colors import to_rgb

    if colors is not None:
        if len(colors) != n_classes:
            raise ValueError(f"{n_classes} colours are needed, one a class; got {len(colors)}.")
        return np.array([to_rgb(color) for color in colors])
    if n_classes <= 10:
        return np.array([to_rgb(f"C{k}") for k in range(n_classes)])
    return np.asarray(colormaps["turbo"](np.linspace(0.05, 0.95, n_classes))[:, :3], dtype=np.float64)


def tinted(probabilities: NDArray[np.float64], colors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the colour of the most probable class, stronger if it is more probable; shape (…, 3)."""
    best, surest = probabilities.argmax(axis=-1), probabilities.max(axis=-1)
    least = 1.0 / len(colors)
    fraction = (surest - least) / (1.0 - least) if len(colors) > 1 else np.ones_like(surest)
    strength = (PALEST + (STRONGEST - PALEST) * fraction)[..., None]
    return np.asarray(1.0 - strength * (1.0 - colors[best]), dtype=np.float64)


def draw_legend(
    axes: Any, names: Sequence[str], colors: NDArray[np.float64], *, beside: bool = False, note: str = ""
) -> None:
    """Draw a legend that names every class, and a note: inside the chart, or beside it if there are many."""
    handles = [axes.scatter([], [], color=[color], s=24) for color in colors]
    names = [shortened(str(name), 24) for name in names]
    if note:
        handles.append(axes.scatter([], [], alpha=0.0))
        names.append(note)
    # Without a place of its own, matplotlib warns on a busy machine that it took long to find one.
    style: dict[str, Any] = {"loc": "best", "fontsize": "small", "framealpha": 0.85}
    if beside or len(names) > MOST_INSIDE:
        style |= {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "borderaxespad": 0.0}
        style |= {"fontsize": "small" if len(names) <= MOST_INSIDE else "x-small", "frameon": False}
        style |= {"ncols": -(-len(names) // MOST_LINES)}
    axes.legend(handles, names, **style)
