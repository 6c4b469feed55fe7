"""One base measure for several models: the values that count as discrete in all of them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import BaseMeasure, ColumnMeasure, Columns
from boxwood.evidence.discrete import MOST_VALUES
from boxwood.evidence.weights import measures_of

__all__ = ["share_measure"]


def share_measure(columns: Columns, parts: list[NDArray[np.intp]]) -> Columns:
    """Return the same table with a measure that it hands on to the parts that are taken of it.

    Log-densities compare under the same measure only: a value that is an atom for one class, where it has a
    probability, and none for another, where it has a density, would say nothing. Lattices are those of the
    whole column; atoms those of the whole column and of any part.

    Examples
    --------
    >>> import boxwood as bw
    >>> from boxwood.margins import fit_margins
    >>> rng = np.random.default_rng(0)
    >>> table = bw.read_columns(np.r_[np.zeros(20), rng.normal(size=20)][:, None])
    >>> parts = [np.arange(20), np.arange(20, 40)]
    >>> shared = share_measure(table, parts)
    >>> [fit_margins(shared.take(part)).columns[0].atoms.tolist() for part in parts]
    [[0.0], [0.0]]
    """
    return columns.with_measure(BaseMeasure(partial(_shared, columns, parts)))


def _shared(columns: Columns, parts: list[NDArray[np.intp]]) -> list[ColumnMeasure]:
    whole = _measures_of(columns)
    of_parts = [_measures_of(columns.take(part)) for part in parts if len(part)]
    return [_joined(measure, [of[j] for of in of_parts]) for j, measure in enumerate(whole)]


def _joined(whole: ColumnMeasure, parts: list[ColumnMeasure]) -> ColumnMeasure:
    if whole.all_discrete:
        return whole
    found = np.unique(np.concatenate([whole.atoms, *(part.atoms for part in parts)]))
    # An atom takes two of a margin's knots. Those of the whole column are never too many.
    return replace(whole, atoms=found) if len(found) <= MOST_VALUES else whole


def _measures_of(columns: Columns) -> list[ColumnMeasure]:
    return measures_of(columns.with_measure(None))
