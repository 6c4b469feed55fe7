"""Pairs of columns as densities in two dimensions, with lines around their inner parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Kind
from boxwood.plot.question_axis import QuestionAxis, axis_of_question, probabilities_of_pairs
from boxwood.report.chart import chart, scale_of, values_of

__all__ = ["contour_lines", "pair_charts"]

N_BINS = 28
HEIGHT = 320
LEVELS = (0.5, 0.9)
"""Parts of the probability that the lines enclose."""
MILLISECONDS_A_DAY = 86_400_000.0


def pair_charts(model: Any, pairs: Sequence[tuple[str, str, float]]) -> str:
    """Return a chart for each pair."""
    return f"<div class='wide'>{''.join(_pair_chart(model, *pair) for pair in pairs)}</div>"


def _pair_chart(model: Any, x: str, y: str, dependence: float) -> str:
    across, up = axis_of_question(model, x, N_BINS), axis_of_question(model, y, N_BINS)
    grid, _ = probabilities_of_pairs(model, across, up)
    heights = grid / across.sizes[None, :] / up.sizes[:, None]
    layers: list[dict[str, Any]] = [
        {
            "data": _cells(across, up, heights),
            "mark": {"type": "rect", "tooltip": True},
            "encoding": {
                **_encoded("x", across),
                **_encoded("y", up),
                "color": {
                    "field": "height",
                    "type": "quantitative",
                    "scale": {
                        "type": "sqrt",
                        "range": ["var(--ground)", "var(--first)"],
                        "interpolate": "rgb",
                    },
                    "legend": None,
                },
            },
        }
    ]
    if not across.labels and not up.labels:
        layers += [_line_layer(lines, across, up) for lines in contour_lines(across, up, grid)]
    title = f"{x} and {y} (dependence {dependence:.2f})"
    if len(layers) > 1:
        title += "; lines enclose a half and nine tenths"
    return chart(
        {"height": HEIGHT, "layer": layers},
        title,
        f"The density of {x} across and {y} up, darker where higher.",
    )


def _unit(axis: QuestionAxis) -> float:
    return MILLISECONDS_A_DAY if axis.field.kind is Kind.DATETIME else 1.0


def _cells(across: QuestionAxis, up: QuestionAxis, heights: NDArray[np.float64]) -> dict[str, Any]:
    j, i = (part.ravel() for part in np.meshgrid(range(len(up.sets)), range(len(across.sets)), indexing="ij"))
    shown = heights.ravel() > 1e-4 * heights.max()
    data: dict[str, Any] = {"height": heights.ravel()[shown]}
    for name, axis, k in (("x", across, i[shown]), ("y", up, j[shown])):
        if axis.labels:
            data[name] = [axis.labels[code] for code in k]
        else:
            data[name], data[f"{name}2"] = axis.edges[k] * _unit(axis), axis.edges[k + 1] * _unit(axis)
    return values_of(**data)


def _encoded(name: str, axis: QuestionAxis) -> dict[str, Any]:
    if axis.labels:
        angle = 0 if name == "y" or len(axis.labels) <= 5 else -45
        shown = {"labelAngle": angle, "labelLimit": 90, "labelOverlap": False, "grid": False}
        return {
            name: {
                "field": name,
                "type": "nominal",
                "sort": axis.labels,
                "title": axis.field.name,
                "axis": shown,
            }
        }
    dates = axis.field.kind is Kind.DATETIME
    kind, scale = "temporal" if dates else "quantitative", scale_of(dates)
    # Lines of a grid would show between the cells, where the density is too low for one.
    ticks: dict[str, Any] = {"grid": False}
    if axis.field.kind is Kind.INTEGER:
        ticks["tickMinStep"] = 1
    return {
        name: {"field": name, "type": kind, "title": axis.field.name, "scale": scale, "axis": ticks},
        f"{name}2": {"field": f"{name}2"},
    }


def contour_lines(
    across: QuestionAxis, up: QuestionAxis, grid: NDArray[np.float64]
) -> list[list[NDArray[np.float64]]]:
    """Return lines around the densest bins that hold each part of the probability (by contourpy)."""
    try:
        from contourpy import contour_generator
    except ImportError:
        return []
    heights = grid / across.sizes[None, :] / up.sizes[:, None]
    order = np.argsort(-heights.ravel())
    below = np.cumsum(grid.ravel()[order]) / max(grid.sum(), 1e-300)
    made = contour_generator(across.middles, up.middles, heights)
    found = []
    for level in LEVELS:
        k = min(int(np.searchsorted(below, level)), len(order) - 1)
        found.append([np.asarray(line) for line in made.lines(float(heights.ravel()[order[k]]))])
    return found


def _line_layer(lines: list[NDArray[np.float64]], across: QuestionAxis, up: QuestionAxis) -> dict[str, Any]:
    points = np.concatenate(lines) if lines else np.zeros((0, 2))
    number = np.repeat(range(len(lines)), [len(line) for line in lines]) if lines else np.zeros(0)
    return {
        "data": values_of(
            x=points[:, 0] * _unit(across),
            y=points[:, 1] * _unit(up),
            line=number,
            order=np.arange(len(points)),
        ),
        "mark": {"type": "line", "color": "var(--second)", "strokeWidth": 1.2, "clip": True},
        "encoding": {
            "x": {**_encoded("x", across)["x"]},
            "y": {**_encoded("y", up)["y"]},
            "detail": {"field": "line"},
            "order": {"field": "order"},
        },
    }
