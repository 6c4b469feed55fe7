"""A column as bins whose probabilities a table's density is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Field, Kind
from boxwood.plot.axis_labels import label_categories, label_dates, shortened
from boxwood.plot.slices.slice_axis import A_DAY
from boxwood.query.column_set import CategorySet, ColumnSet, NumberSet
from boxwood.query.event import Event
from boxwood.query.event_reader import column_position
from boxwood.query.interval import Interval

__all__ = [
    "FEWEST_GAPS",
    "MISSING",
    "OTHERS",
    "QuestionAxis",
    "axis_of_question",
    "probabilities_of_bins",
    "probabilities_of_pairs",
]

MOST_CATEGORIES = 10
"""Categories that are shown, the most probable ones; the others are one bar."""

FEWEST_GAPS = 0.005
"""Probability of a gap from which on it is shown: densities keep some for gaps that no row had."""

MOST_POINTS = 60
"""Values of a lattice that have a bin each; more are put into bins like continuous ones."""

OTHERS, MISSING = "other", "missing"


@dataclass(frozen=True, eq=False)
class QuestionAxis:
    """The bins of one column.

    Attributes
    ----------
    field : Field
    position : int
    sets : list of ColumnSet
        What is in each bin; values only.
    edges : ndarray of shape (n_bins + 1,)
        Of categories −½, ½, …; of dates days since 1970.
    labels : list of str
        Of categories; empty for numbers.
    counted : bool
        Whether a bin is drawn by its probability; else by its density.
    """

    field: Field
    position: int
    sets: list[ColumnSet]
    edges: NDArray[np.float64]
    labels: list[str]
    counted: bool

    @property
    def middles(self) -> NDArray[np.float64]:
        """The middle of each bin."""
        return 0.5 * (self.edges[1:] + self.edges[:-1])

    @property
    def sizes(self) -> NDArray[np.float64]:
        """What probabilities are divided by to be drawn."""
        return np.ones(len(self.sets)) if self.counted else np.diff(self.edges)

    @property
    def missing(self) -> ColumnSet:
        """The event that the value is missing."""
        if self.field.kind.is_number:
            return NumberSet((), missing=True, whole=self.field.kind is Kind.INTEGER)
        return CategorySet(frozenset(), False, True, len(self.field.categories), _closed(self.field))

    def label(self, axis: Any) -> None:
        """Name an axis of matplotlib, and label what is no number."""
        axis.set_label_text(shortened(self.field.name, 40))
        if self.field.kind is Kind.DATETIME:
            label_dates(axis)
        elif self.labels:
            label_categories(axis, self.labels)


def axis_of_question(questions: Any, column: str, n_bins: int = 60) -> QuestionAxis:
    """Return the bins of a column: where most of the probability of these questions lies.

    Parameters
    ----------
    questions : TableModel or GivenTable
    column : str
    n_bins : int
        Of a column of numbers.
    """
    position = column_position(questions.schema, column)
    field = questions.schema.fields[position]
    if not field.kind.is_number:
        return _categories(questions, position, field)
    low, high = _numbers(questions.query.quantile(position, [0.002, 0.998]))
    step = _step(questions, position)
    if step > 0.0 and (high - low) / step <= MOST_POINTS:
        values = np.arange(np.round((high - low) / step) + 1.0) * step + low
        edges = np.append(values - 0.5 * step, values[-1] + 0.5 * step)
    else:
        spread = max(high - low, 1e-9 * max(abs(low), abs(high), 1.0))
        edges = np.linspace(low, low + spread, n_bins + 1)
        if step > 0.0:  # bins of whole steps, so that each holds as many points
            width = max(1.0, np.ceil(spread / step / n_bins)) * step
            edges = low - 0.5 * step + width * np.arange(np.ceil((spread + step) / width) + 1.0)
    whole = field.kind is Kind.INTEGER
    last = len(edges) - 2
    sets: list[ColumnSet] = [
        NumberSet((Interval(a, b, True, i == last),), whole=whole)
        for i, (a, b) in enumerate(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
    ]
    unit = A_DAY if field.kind is Kind.DATETIME else 1.0
    counted = step > 0.0 and bool(np.allclose(np.diff(edges), step))
    return QuestionAxis(field, position, sets, edges / unit, [], counted)


def probabilities_of_bins(questions: Any, axis: QuestionAxis) -> tuple[NDArray[np.float64], float]:
    """Return the probability of each bin, and that the value is missing."""
    events = [Event.of_column(axis.position, part) for part in (*axis.sets, axis.missing)]
    found = np.asarray(questions.query.probabilities(events))
    return found[:-1], float(found[-1])


def _categories(questions: Any, position: int, field: Field) -> QuestionAxis:
    n, closed = len(field.categories), _closed(field)
    probabilities = np.array(list(questions.query.probabilities_of(position).values()))
    kept = list(range(n))
    if n > MOST_CATEGORIES:
        most = np.argsort(-probabilities, kind="stable")[: MOST_CATEGORIES - 1]
        kept = sorted(most.tolist()) if field.kind is Kind.ORDINAL else most.tolist()
    sets: list[ColumnSet] = [CategorySet(frozenset([code]), False, False, n, closed) for code in kept]
    labels = [str(field.categories[code]) for code in kept]
    if n > MOST_CATEGORIES:
        others = frozenset(range(n)) - frozenset(kept)
        sets.append(CategorySet(others, not closed, False, n, closed))
        labels.append(OTHERS)
    return QuestionAxis(field, position, sets, np.arange(len(sets) + 1.0) - 0.5, labels, True)


def _closed(field: Field) -> bool:
    return field.kind is Kind.BOOLEAN


def _numbers(values: Any) -> NDArray[np.float64]:
    array = np.asarray(values)
    return array.astype(np.int64).astype(np.float64) if array.dtype.kind == "M" else array.astype(np.float64)


def _step(questions: Any, position: int) -> float:
    """Return the step of a column's lattice; 0 where it has none."""
    margins = getattr(getattr(questions.query, "_engine", None), "margins", None)
    lattice = None if margins is None else getattr(margins.columns[position], "lattice", None)
    return 0.0 if lattice is None else float(lattice.step)


def probabilities_of_pairs(
    model: Any, across: QuestionAxis, up: QuestionAxis
) -> tuple[NDArray[np.float64], float]:
    """Return the probability of each cell of two columns, a row for each part of `up`, and that of gaps."""
    parts = [[Event.of_column(axis.position, part) for part in axis.sets] for axis in (across, up)]
    gaps = [Event.of_column(axis.position, axis.missing) for axis in (across, up)]
    events = [b & a for b in parts[1] for a in parts[0]]
    found = np.asarray(model.query.probabilities([*events, gaps[0] | gaps[1]]))
    return found[:-1].reshape(len(parts[1]), len(parts[0])), float(found[-1])
