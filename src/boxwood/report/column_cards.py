"""A card for each column: its kind, its gaps, and its values beside the model's."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns, Kind
from boxwood.columns.column import Column
from boxwood.density import Histogram
from boxwood.plot.question_axis import OTHERS, QuestionAxis, axis_of_question, probabilities_of_bins
from boxwood.report.chart import chart, scale_of, values_of
from boxwood.report.numbers import number_text
from boxwood.table.summary import column_summary

__all__ = ["column_cards"]

MOST_FITTED = 20_000
"""Rows that choose the width of a histogram's bins; its counts are those of all rows."""
MOST_BINS = 60
MODEL_BINS = 36
"""Of the model's line where values are not counted one by one: more would show single rows."""
SPIKE = 0.1
HEIGHT = 150
KEY = "<p class='key'><span class='bars'></span> the table <span class='line'></span> the model</p>"
MILLISECONDS_A_DAY = 86_400_000.0


def column_cards(model: Any, columns: Columns | None) -> str:
    """Return a card for each column."""
    cards = [
        _card(model, name, None if columns is None else columns[j])
        for j, name in enumerate(model.schema.names)
    ]
    return f"{'' if columns is None else KEY}<div class='cards'>{''.join(cards)}</div>"


def _card(model: Any, name: str, column: Column | None) -> str:
    field = model.schema.fields[model.schema.names.index(name)]
    missing = float(model.query.missing_probability(name))
    said = f"{field.kind}, {missing:.1%} missing by the model"
    if column is not None:
        found = column_summary(column)
        gaps = f"{found.missing:.1%} missing" if found.missing else "none missing"
        said = f"{found.kind}, {found.n_distinct:,} distinct, {gaps}; {found.like}"
    draw = _number_chart if field.kind.is_number else _category_chart
    empty = column is not None and bool(column.missing().all())
    drawn = "" if empty else draw(model, name, column)
    return f"<div class='card'><h3>{escape(name)}</h3><p class='soft'>{escape(said)}</p>{drawn}</div>"


def _number_chart(model: Any, name: str, column: Column | None) -> str:
    axis = axis_of_question(model, name, MODEL_BINS)
    probabilities, missing = probabilities_of_bins(model, axis)
    dates = axis.field.kind is Kind.DATETIME
    unit = MILLISECONDS_A_DAY if dates else 1.0
    model_line = probabilities / axis.sizes / max(1e-12, 1.0 - missing)
    layers: list[dict[str, Any]] = []
    x: dict[str, Any] = {
        "type": "temporal" if dates else "quantitative",
        "title": None,
        "scale": scale_of(dates),
    }
    if axis.field.kind is Kind.INTEGER:
        x["axis"] = {"format": "d", "tickMinStep": 1}
    if column is not None:
        edges, density = _histogram(column, axis)
        layers.append(
            {
                "data": values_of(low=edges[:-1] * unit, high=edges[1:] * unit, density=density),
                "mark": {"type": "rect", "color": "var(--pale)", "tooltip": True},
                "encoding": {
                    "x": {"field": "low", **x},
                    "x2": {"field": "high"},
                    "y": {"field": "density", "type": "quantitative", "title": None, "axis": None},
                    "y2": {"datum": 0},
                },
            }
        )
    mark = {
        "type": "line",
        "color": "var(--first)",
        "strokeWidth": 2,
        "interpolate": "step-after" if axis.counted else "linear",
    }
    at = axis.edges if axis.counted else axis.middles
    heights = np.append(model_line, model_line[-1]) if axis.counted else model_line
    layers.append(
        {
            "data": values_of(value=at * unit, model=heights),
            "mark": mark,
            "encoding": {
                "x": {"field": "value", **x},
                "y": {"field": "model", "type": "quantitative", "title": None, "axis": None},
            },
        }
    )
    title = _shape(model, name)
    seen = "A histogram of the column with" if column is not None else "A line of"
    return chart({"height": HEIGHT, "layer": layers}, title, f"{seen} the model's density. {title}")


def _histogram(column: Column, axis: QuestionAxis) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return bins of the values that are shown, by leave-one-out likelihood, and their densities."""
    unit = 86_400e6 if axis.field.kind is Kind.DATETIME else 1.0
    values = column.values[~column.missing()] / unit
    low, high = float(axis.edges[0]), float(axis.edges[-1])
    inside = values[(values >= low) & (values <= high)]
    edges = axis.edges if axis.counted or _has_spike(inside) else _bin_edges(inside, low, high)
    counts, _ = np.histogram(inside, edges)
    widths = np.ones(len(counts)) if axis.counted else np.diff(edges)
    return edges, counts / max(1, len(values)) / widths


def _has_spike(values: NDArray[np.float64]) -> bool:
    """Return whether one value comes so often that bars show it as the line does in its bins alone."""
    _, counts = np.unique(values, return_counts=True)
    return len(values) < 2 or bool(counts.max() > SPIKE * len(values))


def _bin_edges(values: NDArray[np.float64], low: float, high: float) -> NDArray[np.float64]:
    some = (
        values
        if len(values) <= MOST_FITTED
        else np.random.default_rng(0).choice(values, MOST_FITTED, replace=False)
    )
    fitted = Histogram(bins="loo_likelihood").fit(some[:, None])
    n_bins = max(1, min(MOST_BINS, round((high - low) / float(np.median(np.diff(fitted.edges_[0]))))))
    return np.linspace(low, high, n_bins + 1)


def _category_chart(model: Any, name: str, column: Column | None) -> str:
    axis = axis_of_question(model, name)
    probabilities, missing = probabilities_of_bins(model, axis)
    labels, shown = list(axis.labels), probabilities.tolist()
    if missing > 0.005:
        labels.append("missing")
        shown.append(missing)
    layers: list[dict[str, Any]] = []
    data: dict[str, Any] = {"category": labels, "model": shown}
    if column is not None:
        data["table"] = _fractions(column, axis, len(labels) > len(axis.labels))
        layers.append(
            {
                "mark": {"type": "bar", "color": "var(--pale)", "tooltip": True},
                "encoding": {
                    "x": {"field": "table", "type": "quantitative", "title": None, "axis": {"format": "%"}}
                },
            }
        )
    layers.append(
        {
            "mark": {"type": "tick", "color": "var(--first)", "thickness": 3, "tooltip": True},
            "encoding": {
                "x": {"field": "model", "type": "quantitative", "title": None, "axis": {"format": "%"}}
            },
        }
    )
    spec = {
        "height": 20 * len(labels) + 4,
        "data": values_of(**data),
        "encoding": {
            "y": {
                "field": "category",
                "type": "nominal",
                "sort": None,
                "title": None,
                "axis": {"labelLimit": 130},
            }
        },
        "layer": layers,
    }
    most = int(np.argmax([-1.0 if label == OTHERS else p for label, p in zip(labels, shown, strict=True)]))
    title = f"{labels[most]} is the most probable, with {shown[most]:.0%}"
    return chart(spec, title, f"Bars of the fractions of categories, marks for the model's. {title}.")


def _fractions(column: Column, axis: QuestionAxis, with_missing: bool) -> list[float]:
    n = max(1, len(column.values))
    position = {str(label): code for code, label in enumerate(column.field.categories)}
    known = [position.get(label) for label in axis.labels]
    counts = np.bincount(column.values[~column.missing()], minlength=len(position))
    fractions = [0.0 if code is None else float(counts[code]) / n for code in known]
    gaps = float(column.missing().sum()) / n
    if axis.labels and axis.labels[-1] not in position:
        fractions[-1] = max(0.0, 1.0 - gaps - sum(fractions[:-1]))
    return [*fractions, gaps] if with_missing else fractions


def _shape(model: Any, name: str) -> str:
    """Return what is to be seen: where half of the values lie."""
    low, high = model.query.quantile(name, [0.25, 0.75])
    if low == high:
        return f"Half of the values or more are {_value_text(low)}"
    return f"Half of the values lie from {_value_text(low)} to {_value_text(high)}"


def _value_text(value: Any) -> str:
    return str(value)[:10] if isinstance(value, np.datetime64) else number_text(float(value))
