"""The matrix of how columns depend on each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boxwood.report.chart import chart, values_of

__all__ = ["dependence_chart", "strongest_pairs"]

LEAST = 0.1
"""Dependence from which on a pair is worth a chart."""
MOST_PAIRS = 6


def strongest_pairs(names: Sequence[str], matrix: NDArray[np.float64]) -> list[tuple[str, str, float]]:
    """Return the pairs of highest dependence, strongest first."""
    i, j = np.triu_indices(len(names), 1)
    order = np.argsort(-matrix[i, j], kind="stable")[:MOST_PAIRS]
    found = [(names[i[k]], names[j[k]], float(matrix[i[k], j[k]])) for k in order]
    return [pair for pair in found if pair[2] >= LEAST]


def dependence_chart(names: Sequence[str], matrix: NDArray[np.float64], most: int) -> str:
    """Return the matrix as a chart of squares, of the columns that depend on others most."""
    off = matrix - np.diag(np.diag(matrix))
    kept = np.sort(np.argsort(-off.max(axis=0), kind="stable")[:most])
    i, j = (part.ravel() for part in np.meshgrid(kept, kept, indexing="ij"))
    different = i != j
    shown = [names[k] for k in kept]
    axis = {"type": "nominal", "sort": shown, "title": None}
    labels = {"labelLimit": 120, "labelOverlap": False}  # one that is left out cannot be guessed
    spec = {
        "height": max(160, min(640, 26 * len(kept))),
        "data": values_of(
            first=[names[k] for k in i[different]],
            second=[names[k] for k in j[different]],
            dependence=np.round(matrix[i[different], j[different]], 3),
        ),
        "mark": {"type": "rect", "tooltip": True},
        "encoding": {
            "x": {"field": "first", **axis, "axis": {"labelAngle": -45, **labels}},
            "y": {"field": "second", **axis, "axis": labels},
            "color": {
                "field": "dependence",
                "type": "quantitative",
                "scale": {"domain": [0, 1], "range": ["var(--panel)", "var(--first)"], "interpolate": "rgb"},
                "title": "dependence",
            },
        },
    }
    pairs = strongest_pairs(names, matrix)
    title = (
        f"{pairs[0][0]} and {pairs[0][1]} depend on each other most ({pairs[0][2]:.2f})"
        if pairs
        else "No two columns depend on each other much"
    )
    note = (
        "<p class='soft'>From 0, independent, to 1, one follows from the other; of a Gaussian pair it is the "
        "correlation without its sign.</p>"
    )
    return (
        chart(spec, title, f"A matrix of squares, darker where columns depend on each other. {title}.") + note
    )
