"""The probabilities of classes over one column: curves over numbers, bars over categories."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.plot.axis_labels import label_categories
from boxwood.plot.slices.slice_axis import SliceAxis

__all__ = ["draw_class_bars", "draw_class_curves"]

LANE = 0.05
"""Height of the lane in which the rows of a class stand, below the curves."""

MOST_ROWS = 2000
"""Rows that are drawn; of more, evenly chosen ones."""

MOST_CUTS = 40
"""Cuts that are drawn as lines; more would cover the curves."""


def draw_class_curves(
    axes: Any,
    shown: SliceAxis,
    probabilities: NDArray[np.float64],
    palette: NDArray[np.float64],
    points: tuple[NDArray[Any], NDArray[Any] | None, NDArray[np.intp]] | None,
    cuts: NDArray[np.float64] | None,
) -> list[Any]:
    """Draw a curve for each class over the colour of the class that is predicted, and the rows below."""
    best = probabilities.argmax(axis=1)
    changes = np.flatnonzero(np.diff(best)) + 1
    starts, ends = np.append(0, changes), np.append(changes, len(best))
    for first, end in zip(starts, ends, strict=True):
        span = shown.edges[first], shown.edges[end]
        axes.axvspan(*span, color=palette[best[first]], alpha=0.16, linewidth=0.0, zorder=0)
    axes.vlines(shown.edges[changes], 0.0, 1.0, color="0.25", linewidth=0.8, zorder=1)
    if cuts is not None and 0 < len(cuts) <= MOST_CUTS:
        axes.vlines(cuts, 0.0, 1.0, color="0.5", linewidth=0.7, linestyle=(0, (2, 2)), zorder=1)
    artists = [
        axes.stairs(one, shown.edges, baseline=None, color=color, linewidth=1.6)
        for one, color in zip(probabilities.T, palette, strict=True)
    ]
    lowest = 0.0 if points is None else _draw_lanes(axes, points[0], points[2], palette)
    axes.set(xlim=shown.edges[[0, -1]], ylim=(lowest - 0.02, 1.03), ylabel="probability")
    axes.set_yticks(np.linspace(0.0, 1.0, 6))
    axes.spines[["top", "right"]].set_visible(False)
    return artists


def _draw_lanes(
    axes: Any, places: NDArray[Any], codes: NDArray[np.intp], palette: NDArray[np.float64]
) -> float:
    """Draw the rows of each class in a lane of their own, and return how deep the lanes go."""
    lanes = [int(code) for code in np.unique(codes)]
    height = min(LANE, 0.5 / max(len(lanes), 1))
    for lane, code in enumerate(lanes):
        here = places[(codes == code) & ~np.isnan(places)]
        here = here[:: max(1, len(here) // MOST_ROWS)]
        low = -height * (lane + 1.0)
        color = palette[code] if code >= 0 else (0.3, 0.3, 0.3)
        axes.vlines(here, low, low + 0.8 * height, color=[color], linewidth=0.7, alpha=0.7)
    return -height * len(lanes)


def draw_class_bars(
    axes: Any,
    shown: SliceAxis,
    probabilities: NDArray[np.float64],
    palette: NDArray[np.float64],
    missing: NDArray[np.float64] | None,
) -> list[Any]:
    """Draw the probabilities of the classes of each category on top of each other."""
    labels = [str(label) for label in shown.field.categories]
    if missing is not None:
        probabilities, labels = np.vstack([probabilities, missing]), [*labels, "missing"]
    places, bottom = np.arange(len(labels)), np.zeros(len(labels))
    artists = []
    for one, color in zip(probabilities.T, palette, strict=True):
        style = {"color": [color], "alpha": 0.75, "edgecolor": "white", "linewidth": 0.6}
        artists.append(axes.bar(places, one, 0.8, bottom, **style))
        bottom = bottom + one
    label_categories(axes.xaxis, labels)
    axes.set(xlim=(-0.6, len(labels) - 0.4), ylim=(0.0, 1.0), ylabel="probability")
    axes.spines[["top", "right"]].set_visible(False)
    return artists
