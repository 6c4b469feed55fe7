"""One base measure for several models: the values that count as atoms in all of them."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import BaseMeasure, Columns, Kind
from boxwood.evidence.weights import integer_weights, largest_weight, weight_unit
from boxwood.margins.atoms import MOST_ATOMS
from boxwood.margins.fields import field_specs

__all__ = ["share_measure"]


def share_measure(columns: Columns, parts: list[NDArray[np.intp]]) -> Columns:
    """Return the same table with a measure that it hands on to the parts that are taken of it.

    Log-densities compare under the same measure only: a value that is an atom for one class, where it has a
    probability, and none for another, where it has a density, would say nothing. Integers always have
    probabilities. The atoms are those of the whole column and of any part.

    Examples
    --------
    >>> import boxwood as bw
    >>> from boxwood.margins import fit_margins
    >>> table = bw.read_columns([[0.0]] * 20 + [[float(x)] for x in np.linspace(0.1, 1.0, 20)])
    >>> parts = [np.arange(20), np.arange(20, 40)]
    >>> shared = share_measure(table, parts)
    >>> [fit_margins(shared.take(part)).columns[0].atoms.tolist() for part in parts]
    [[0.0], [0.0]]
    """
    return columns.with_measure(BaseMeasure(partial(_shared_atoms, columns, parts)))


def _shared_atoms(columns: Columns, parts: list[NDArray[np.intp]]) -> list[NDArray[np.float64] | None]:
    of_whole = _atoms_of(columns)
    of_parts = [_atoms_of(columns.take(part)) for part in parts if len(part)]
    return [
        _joined(of_whole[j], [atoms[j] for atoms in of_parts])
        if field.kind.is_number and field.kind is not Kind.INTEGER
        else None
        for j, field in enumerate(columns.schema.fields)
    ]


def _joined(whole: NDArray[np.float64], parts: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    found = np.unique(np.concatenate([whole, *parts]))
    # An atom takes two of a margin's knots. Those of the whole column are never too many.
    return found if len(found) <= MOST_ATOMS else whole


def _atoms_of(columns: Columns) -> list[NDArray[np.float64]]:
    unit = weight_unit(largest_weight([columns]))
    weights = integer_weights(columns, unit)
    return _core.atoms_of_columns(columns.arrays(), field_specs(columns.schema), weights, unit)
