"""Categories that one row alone shows: without that row they would be unseen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boxwood.columns import MISSING_CODE, Column, Columns, Kind

if TYPE_CHECKING:
    from boxwood.evidence.weights import Evidence

__all__ = ["without_single_categories"]

MOST_OF_ONE = 1.5
"""A category of less weight than this is carried by one observation: scaled weights are about 1 each."""


def without_single_categories(evidence: Evidence) -> Columns:
    """Return the distinct rows as a model knows them that has not seen them.

    A category that one observation carries is one that the model does not know: another that its schema
    declares and no row has, or none of the schema. A row that is left out is compared with new rows, of which
    some have such categories.

    Examples
    --------
    >>> import boxwood as bw
    >>> from boxwood.evidence import weigh_rows
    >>> rows = weigh_rows(bw.read_columns({"c": ["a", "a", "b", "a"], "x": [0.1, 0.7, 1.9, 3.3]}))
    >>> known = without_single_categories(rows)["c"].values[rows.number]
    >>> known.tolist()
    [0, 0, 2, 0]
    """
    table = evidence.columns
    if all(field.kind.is_number or field.kind is Kind.BOOLEAN for field in table.schema.fields):
        return table
    columns = [_masked(column, evidence) for column in table]
    if all(new is old for new, old in zip(columns, table, strict=True)):
        return table
    masked = Columns(table.schema, table.n_rows, columns=columns, weights=table.weights)
    return masked.with_measure(table.measure)


def _masked(column: Column, evidence: Evidence) -> Column:
    if column.kind.is_number or column.kind is Kind.BOOLEAN:
        return column
    codes, n = column.values, len(column.field.categories)
    present = (codes != MISSING_CODE) & (codes < n)
    weight = np.bincount(codes[present], evidence.weights[present], minlength=n)
    single = weight < MOST_OF_ONE
    if not single[codes[present]].any():
        return column
    rows = np.flatnonzero(present)[single[codes[present]]]
    # In a column that declares categories which no row has, a new row has one of these.
    absent = np.flatnonzero(weight == 0.0)
    masked = codes.copy()
    masked[rows] = absent[np.arange(len(rows)) % len(absent)] if len(absent) else n
    return Column(column.field, masked, column.n_missing)
