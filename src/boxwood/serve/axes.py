"""The bins of all columns, and what a density says about them before and after evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Kind
from boxwood.columns.dates import dates_of
from boxwood.plot.question_axis import QuestionAxis, axis_of_question
from boxwood.plot.slices.slice_axis import A_DAY
from boxwood.query.column_law import ends_of
from boxwood.query.column_set import CategorySet, NumberSet
from boxwood.query.event import Event
from boxwood.query.expression import to_text
from boxwood.query.weighed import WeighedQuery

__all__ = ["Axes", "BinProbabilities", "bin_probabilities", "described_axis"]


@dataclass(frozen=True)
class BinProbabilities:
    """The probability of each bin of a column, and that the value is missing."""

    bins: NDArray[np.float64]
    missing: float


Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Axes:
    """Of each column the bins, their ends, their description, and their probabilities without evidence."""

    axes: list[QuestionAxis]
    ends: list[Numbers | None]
    described: list[dict[str, Any]]
    before: list[BinProbabilities]

    @classmethod
    def of_model(cls, model: Any) -> Axes:
        """Return the axes of a TableModel."""
        axes = [axis_of_question(model, name) for name in model.schema.names]
        ends = [ends_of_bins(model.query, axis) for axis in axes]
        before = [bin_probabilities(model.query, *part) for part in zip(axes, ends, strict=True)]
        return cls(axes, ends, [described_axis(model, axis) for axis in axes], before)


def described_axis(model: Any, axis: QuestionAxis) -> dict[str, Any]:
    """Return an axis as plain JSON values."""

    def text(values: Any) -> str:
        return to_text(Event.of_column(axis.position, values), model.schema)

    return {
        "name": axis.field.name,
        "kind": str(axis.field.kind),
        "counted": axis.counted,
        "edges": axis.edges.tolist(),
        "labels": axis.labels,
        "conditions": [text(values) for values in axis.sets],
        "missing_condition": text(axis.missing),
    }


def ends_of_bins(query: Any, axis: QuestionAxis) -> Numbers | None:
    """Return where on [0, 1] the bins of a column of numbers end, which evidence does not move."""
    if isinstance(query, WeighedQuery) or axis.labels:
        return None
    unit = A_DAY if axis.field.kind is Kind.DATETIME else 1.0
    # A bin is [low, high), the last one [low, high]. One between whole numbers is empty and has no ends.
    edges = axis.edges * unit
    for k, values in enumerate(axis.sets):
        assert isinstance(values, NumberSet)
        if values.intervals:
            edges[k : k + 2] = values.intervals[0].low, max(edges[k + 1], values.intervals[0].high)
    edges[:-1] = np.nextafter(edges[:-1], -np.inf) if unit == 1.0 else np.ceil(edges[:-1]) - 1.0
    law = query._law(axis.position)
    return ends_of(law.margin, law.field, query._numbers(law, edges if unit == 1.0 else dates_of(edges)))


def bin_probabilities(query: Any, axis: QuestionAxis, ends: Numbers | None) -> BinProbabilities:
    """Return what a density says about a column's bins, of numbers with their ends.

    All bins come from the column's one distribution: asking for each apart takes ten times as long.
    """
    if isinstance(query, WeighedQuery):
        return _of_draws(query, axis)
    missing = float(query.missing_probability(axis.position))
    if missing >= 1.0 - 1e-12:  # a value that is missing for certain has no distribution
        return BinProbabilities(np.zeros(len(axis.sets)), missing)
    if ends is None:
        return BinProbabilities(_of_categories(query, axis, missing), missing)
    below = query._law(axis.position).fraction_below(ends)
    return BinProbabilities((1.0 - missing) * np.maximum(np.diff(below), 0.0), missing)


def _of_draws(query: WeighedQuery, axis: QuestionAxis) -> BinProbabilities:
    """Return the weight of the draws in each bin, without errors: those of 60 bins take a second a column."""
    draws = query._draws(query._weighing.n_draws)
    events = [Event.of_column(axis.position, values) for values in (*axis.sets, axis.missing)]
    found = np.array([draws.weights[event.contains(draws.columns)].sum() for event in events])
    return BinProbabilities(found[:-1], float(found[-1]))


def _of_categories(query: Any, axis: QuestionAxis, missing: float) -> NDArray[np.float64]:
    each = np.array([float(p) for p in query.probabilities_of(axis.position).values()])
    found = []
    for values in axis.sets:
        assert isinstance(values, CategorySet)
        found.append(each[sorted(values.codes)].sum() if not values.unseen else np.nan)
    bins = np.array(found)
    others = np.isnan(bins)  # what is left, with categories that no row had
    bins[others] = max(1.0 - missing - float(bins[~others].sum()), 0.0)
    return bins
