"""How far the distributions of one column are apart under two models, in units of probability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.margins import CategoryMargin, NumberMargin
from boxwood.query.across.side import Side
from boxwood.query.column_law import ColumnLaw
from boxwood.query.cube_set import CubeSet
from boxwood.query.errors import QueryError

__all__ = ["ColumnDistance", "column_distance"]

Numbers = NDArray[np.float64]

PARTS = 4
"""Parts of a stretch between edges of either model: what densities that cross within one hide is less than a
thousandth of the distance."""

_EVERYTHING = CubeSet(np.zeros(1), np.ones(1), True)


@dataclass(frozen=True)
class ColumnDistance:
    """Distances of two distributions of a column; missing is a value.

    Attributes
    ----------
    column : str
    total_variation : float
        The largest difference that any event of the column has.
    kolmogorov_smirnov : float
        The largest difference that an event x <= value has; NaN of categories without an order.
    missing : float
        How much more often the column is missing under the second.
    """

    column: str
    total_variation: float
    kolmogorov_smirnov: float
    missing: float


def column_distance(first: ColumnLaw, second: ColumnLaw) -> ColumnDistance:
    """Return the distances of two distributions of a column, which may have other margins and bins."""
    if isinstance(first.margin, CategoryMargin) != isinstance(second.margin, CategoryMargin):
        raise QueryError(
            f"column {first.field.name!r} is {first.field.kind} in one model and {second.field.kind} in the "
            "other: read both tables with the same kind."
        )
    compare = _of_categories if isinstance(first.margin, CategoryMargin) else _of_numbers
    points, between, steps = compare(first, second)
    missing = second.missing - first.missing
    variation = 0.5 * (np.abs(points).sum() + np.abs(between).sum() + abs(missing))
    ordered = first.field.kind.is_number or first.field.kind == "ordinal"
    largest = float(np.abs(steps).max(initial=0.0)) if ordered else float("nan")
    return ColumnDistance(first.field.name, min(float(variation), 1.0), largest, float(missing))


def _of_categories(first: ColumnLaw, second: ColumnLaw) -> tuple[Numbers, Numbers, Numbers]:
    labels = list(dict.fromkeys([*first.field.categories, *second.field.categories]))
    masses = []
    for law in (first, second):
        known = dict(zip(law.field.categories, law.category_probabilities, strict=False))
        unseen = float(law.category_probabilities[-1])
        mass = [float(known.get(label, 0.0)) for label in labels]
        masses.append(np.array([*mass, unseen]) * (1.0 - law.missing))
    difference = masses[1] - masses[0]
    return difference, np.empty(0), np.cumsum(difference)[:-1]


def _of_numbers(first: ColumnLaw, second: ColumnLaw) -> tuple[Numbers, Numbers, Numbers]:
    """Return differences of probabilities: of single values, of what lies between, and of x <= value."""
    sides = [_Steps(law) for law in (first, second)]
    values = np.unique(np.concatenate([side.values for side in sides]))
    # Between two values both have one form; parts find where their densities cross.
    inner = values[:-1, None] + np.diff(values)[:, None] * (np.arange(1, PARTS) / PARTS)
    if not all(side.side.is_discrete for side in sides):
        values = np.unique(np.concatenate([values, inner.ravel()]))
    below, upto = ([side.below(values, inclusive) for side in sides] for inclusive in (False, True))
    points = (upto[1] - below[1]) - (upto[0] - below[0])
    low = [np.append(below[k], 1.0 - law.missing) for k, law in enumerate((first, second))]
    high = [np.concatenate([[0.0], upto[k]]) for k in range(2)]
    between = (low[1] - high[1]) - (low[0] - high[0])
    return points, between, np.concatenate([upto[1] - upto[0], below[1] - below[0]])


class _Steps:
    """The CDF of a column's law, missing values left out of it, and where it changes its form."""

    def __init__(self, law: ColumnLaw) -> None:
        margin: Any = law.margin
        assert isinstance(margin, NumberMargin)
        self.law = law
        self.side = Side(margin, law.edges, _EVERYTHING)
        self.values = self.side.points[0] if self.side.is_discrete else self.side.breaks

    def below(self, values: Numbers, inclusive: bool) -> Numbers:
        return (1.0 - self.law.missing) * self.law.fraction_below(self.side.below(values, inclusive))
