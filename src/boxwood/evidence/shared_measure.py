"""One base measure for several models: the values that count as discrete in all of them, and their range."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import OPEN, BaseMeasure, Column, ColumnMeasure, Columns, Schema
from boxwood.evidence.discrete import MOST_VALUES
from boxwood.evidence.weights import measures_of

__all__ = ["SharedTable", "share_measure", "shared_table"]


class SharedTable:
    """A table and its parts, with results that the models of the parts have in common.

    Parameters
    ----------
    columns : Columns
        All rows, with the measure that the parts share.
    parts : sequence of ndarray of int
        The rows of each part.
    """

    def __init__(self, columns: Columns, parts: Sequence[NDArray[np.intp]]) -> None:
        self.columns = columns
        self.parts = [part for part in parts if len(part)]
        self._found: dict[str, Any] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_found": {}}

    def of_columns(self, columns: Sequence[int]) -> SharedTable:
        """Return some of the columns, by their positions."""
        return self.once(f"columns {list(columns)}", lambda: self._of_columns(columns))

    def _of_columns(self, columns: Sequence[int]) -> SharedTable:
        kept = [self.columns[j] for j in columns]
        schema = Schema(tuple(column.field for column in kept), named=True)
        table = Columns(schema, self.columns.n_rows, columns=kept, weights=self.columns.weights)
        assert self.columns.measure is not None
        measure = BaseMeasure(partial(_of_columns, self.columns.measure, columns))
        measure.whole = SharedTable(table.with_measure(measure), self.parts)
        return measure.whole

    def tables(self) -> list[Columns]:
        """Return the rows of each part."""
        return [self.columns.take(part) for part in self.parts]

    def once(self, name: str, find: Callable[[], Any]) -> Any:
        """Return what `find` returned when something of this name was first asked for.

        The models of the parts are fitted one after the other, by the same parameters.
        """
        if name not in self._found:
            self._found[name] = find()
        return self._found[name]


def shared_table(columns: Columns) -> SharedTable | None:
    """Return the table that some rows are a part of; None if they are a table of their own."""
    return None if columns.measure is None else columns.measure.whole


def share_measure(columns: Columns, parts: list[NDArray[np.intp]]) -> Columns:
    """Return the same table with a measure that it hands on to the parts that are taken of it.

    Log-densities can be compared only under the same measure. A value may be an atom of one class, which has
    a probability, and none of another class, which has a density there. The two numbers say nothing about
    each other. Lattices are those of the whole column. Atoms are those of the whole column and of any part.
    Densities that end where their rows end take the range of the whole table.

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
    measure = BaseMeasure(partial(_shared, columns, parts))
    shared = columns.with_measure(measure)
    measure.whole = SharedTable(shared, parts)
    return shared


def _shared(columns: Columns, parts: list[NDArray[np.intp]]) -> list[ColumnMeasure]:
    whole = _measures_of(columns)
    of_parts = [_measures_of(columns.take(part)) for part in parts if len(part)]
    return [
        replace(_joined(measure, [of[j] for of in of_parts]), span=_span(columns[j]))
        for j, measure in enumerate(whole)
    ]


def _of_columns(measure: BaseMeasure, columns: Sequence[int]) -> list[ColumnMeasure]:
    return [measure.columns[j] for j in columns]


def _joined(whole: ColumnMeasure, parts: list[ColumnMeasure]) -> ColumnMeasure:
    if whole.all_discrete:
        return whole
    found = np.unique(np.concatenate([whole.atoms, *(part.atoms for part in parts)]))
    # An atom takes two of a margin's knots. Those of the whole column are never too many.
    return replace(whole, atoms=found) if len(found) <= MOST_VALUES else whole


def _span(column: Column) -> tuple[float, float]:
    if not column.field.kind.is_number or column.n_missing == len(column.values):
        return OPEN
    return float(np.nanmin(column.values)), float(np.nanmax(column.values))


def _measures_of(columns: Columns) -> list[ColumnMeasure]:
    return measures_of(columns.with_measure(None))
