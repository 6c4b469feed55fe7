"""A table as typed columns: what leaves input validation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.base_measure import BaseMeasure
from boxwood.columns.column import Column
from boxwood.columns.kind import Kind
from boxwood.columns.schema import Schema
from boxwood.columns.source import Source, shared_type

__all__ = ["Columns", "beside", "concatenated"]


class Columns:
    """Typed columns of equal length, with row weights where they were given.

    Made by :func:`boxwood.read_columns`; every estimator takes one in place of a table.

    Parameters
    ----------
    columns : sequence of Column, optional
        The columns; without them the table lies in `matrix` or `sparse`.
    matrix : ndarray of shape (n_rows, n_columns), optional
        A table of numbers, row by row.
    sparse : scipy sparse matrix, optional
        A table of numbers that are mostly zero.
    n_missing : int, default=0
        How many cells of a matrix are missing.

    Attributes
    ----------
    schema : Schema
        Names, kinds and categories of the columns.
    n_rows : int
        How many rows there are.
    weights : ndarray of shape (n_rows,) or None
        Positive frequencies; rows of weight zero were left out at input validation.
    measure : BaseMeasure or None
        The atoms of the columns where models of parts of the rows must agree on them; None where a model
        finds them by itself.
    of_one_fit : bool
        Whether the table was read for one fit alone, which may `release` its values.

    Examples
    --------
    >>> import boxwood as bw
    >>> columns = bw.read_columns({"age": [31, 44, None], "city": ["Bonn", "Ulm", "Ulm"]})
    >>> columns
    3 rows × 2 columns
      age   integer      1 missing
      city  categorical  2 categories
    >>> columns["city"].values
    array([0, 1, 1], dtype=int32)
    """

    __slots__ = (
        "_columns",
        "_matrix",
        "_n_missing",
        "_sparse",
        "measure",
        "n_rows",
        "of_one_fit",
        "schema",
        "weights",
    )
    __hash__ = None  # type: ignore[assignment]  # its arrays may be written to

    def __init__(
        self,
        schema: Schema,
        n_rows: int,
        columns: Sequence[Column] | None = None,
        matrix: NDArray[np.float64] | None = None,
        sparse: Any = None,
        n_missing: int = 0,
        weights: NDArray[np.float64] | None = None,
    ) -> None:
        self.schema = schema
        self.n_rows = n_rows
        self.weights = weights
        self.measure: BaseMeasure | None = None
        self.of_one_fit = False
        self._columns = None if columns is None else list(columns)
        self._matrix = matrix
        self._sparse = sparse
        self._n_missing = n_missing

    def __len__(self) -> int:
        return len(self.schema)

    def __iter__(self) -> Iterator[Column]:
        return iter(self._listed())

    def __getitem__(self, key: int | str) -> Column:
        """Return a column by position or by name."""
        return self._listed()[self.schema.index(key) if isinstance(key, str) else key]

    def __eq__(self, other: object) -> bool:
        """Return whether names, kinds, categories, values and weights are equal, whatever the container."""
        if not isinstance(other, Columns):
            return NotImplemented
        return (
            self.n_rows == other.n_rows
            and self.schema.fields == other.schema.fields
            and _same(self.weights, other.weights)
            and all(_same(a.values, b.values) for a, b in zip(self, other, strict=True))
        )

    def __repr__(self) -> str:
        width = max((len(name) for name in self.schema.names), default=0)
        lines = [f"{self.n_rows} rows × {len(self)} columns"]
        for column in self:
            facts = []
            if not column.kind.is_number and column.kind is not Kind.BOOLEAN:
                n_categories = len(column.field.categories)
                facts.append("1 category" if n_categories == 1 else f"{n_categories} categories")
            if column.n_missing:
                facts.append(f"{column.n_missing} missing")
            lines.append(f"  {column.name:<{width}}  {column.kind:<11}  {', '.join(facts)}".rstrip())
        return "\n".join(lines)

    @property
    def n_missing(self) -> int:
        """How many cells are missing."""
        if self._columns is not None:
            return sum(column.n_missing for column in self._columns)
        return self._n_missing

    @property
    def is_sparse(self) -> bool:
        """True where the table came as a scipy sparse matrix."""
        return self._sparse is not None

    @property
    def total_weight(self) -> float:
        """The number of rows, or the sum of their weights."""
        return float(self.n_rows) if self.weights is None else float(np.sum(self.weights))

    @property
    def row_weights(self) -> NDArray[np.float64]:
        """The weight of each row, 1 where none were given."""
        return np.ones(self.n_rows) if self.weights is None else self.weights

    def matrix(self) -> NDArray[np.float64]:
        """Return the table as a row-major float64 matrix: codes as numbers, missing as NaN."""
        if self._matrix is None:
            if self._sparse is not None:
                return np.ascontiguousarray(self._sparse.toarray())
            matrix = np.empty((self.n_rows, len(self)))
            for j, column in enumerate(self):
                matrix[:, j] = column.numbers()
            self._matrix = matrix
        return self._matrix

    def arrays(self) -> NDArray[np.float64] | list[NDArray[Any]]:
        """Return the values as the core takes them: a matrix where they lie in one, or each column's."""
        if self._matrix is not None and (self._columns is None or self.schema.all_numeric):
            return self._matrix
        return [column.values for column in self._listed()]

    def sparse(self) -> Any:
        """Return the CSR matrix that the table came as; None where it did not."""
        return self._sparse

    def release(self) -> None:
        """Give up the values of a table that was read for one fit: a large one takes room on the disk."""
        if self.of_one_fit:
            self._matrix = None
            if self._columns is not None:
                self._columns.clear()

    def take(self, rows: NDArray[Any]) -> Columns:
        """Return the table of some rows, by mask or by index.

        Parameters
        ----------
        rows : array of bool or int
            Which rows: a mask, or positions.
        """
        rows = np.asarray(rows)
        rows = np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.intp)
        weights = None if self.weights is None else self.weights[rows]
        return self._taken(rows, weights).with_measure(self.measure)

    def _taken(self, rows: NDArray[np.intp], weights: NDArray[np.float64] | None) -> Columns:
        if self._sparse is not None:
            part = self._sparse[rows]
            n_missing = int(np.isnan(part.data).sum()) if self._n_missing else 0
            return Columns(self.schema, len(rows), None, None, part, n_missing, weights)
        if self._matrix is not None and self.schema.all_numeric:
            part = self._matrix[rows]
            n_missing = int(np.isnan(part).sum()) if self.n_missing else 0
            return Columns(self.schema, len(rows), None, part, None, n_missing, weights)
        columns = [_take(column, rows) for column in self]
        return Columns(self.schema, len(rows), columns=columns, weights=weights)

    def with_weights(self, weights: NDArray[np.float64] | None) -> Columns:
        """Return the same table with checked weights; rows of weight zero are left out.

        Parameters
        ----------
        weights : array of shape (n_rows,) or None
            Weights that were checked.
        """
        if weights is None:
            return self
        table = Columns(
            self.schema,
            self.n_rows,
            self._columns,
            self._matrix,
            self._sparse,
            self._n_missing,
            weights,
        ).with_measure(self.measure)
        table._columns, table.of_one_fit = self._columns, self.of_one_fit
        present = weights > 0.0
        return table if present.all() else table.take(present)

    def without_weights(self) -> Columns:
        """Return the same table with every row counting once."""
        table = copy(self)
        table.weights = None
        return table

    def with_measure(self, measure: BaseMeasure | None) -> Columns:
        """Return the same table with a measure; parts that are taken of it have the same.

        Parameters
        ----------
        measure : BaseMeasure or None
            What densities of the columns are relative to.
        """
        if measure is self.measure:
            return self
        table = copy(self)
        table.measure = measure
        return table

    def matched(self, schema: Schema) -> Columns:
        """Return the same table read by the schema of a fitted model (see `Schema.match`).

        Parameters
        ----------
        schema : Schema
            Names, kinds and categories that the table is to have.

        Raises
        ------
        ValueError
            Where the number of columns or, if both tables have names, the names differ.
        TypeError
            Where a column holds another family of values than the fitted one.
        """
        schema.check_columns(self.schema)
        return self._matched(schema).with_measure(self.measure)

    def _matched(self, schema: Schema) -> Columns:
        if schema.fields == self.schema.fields or (self._columns is None and schema.all_numeric):
            return Columns(
                schema,
                self.n_rows,
                self._columns,
                self._matrix,
                self._sparse,
                self._n_missing,
                self.weights,
            )
        columns = [schema.match(column, j) for j, column in enumerate(self)]
        return Columns(schema, self.n_rows, columns=columns, weights=self.weights)

    def _listed(self) -> list[Column]:
        if self._columns is None:
            self._columns = [self._column_of_matrix(j) for j in range(len(self))]
        return self._columns

    def _column_of_matrix(self, j: int) -> Column:
        if self._sparse is not None:
            values = self._sparse[:, [j]].toarray()[:, 0]
        else:
            assert self._matrix is not None
            values = self._matrix[:, j]
        n_missing = int(np.isnan(values).sum()) if self._n_missing else 0
        return Column(self.schema.fields[j], values, n_missing)


def concatenated(parts: Sequence[Columns]) -> Columns:
    """Return the rows of tables of one schema one below the other; weights are left behind."""
    schema = parts[0].schema
    if all(part._columns is None and part._matrix is not None for part in parts):
        matrix = np.concatenate([part.matrix() for part in parts])
        return Columns(schema, len(matrix), None, matrix, None, sum(part.n_missing for part in parts))
    columns = [
        Column(
            field,
            np.concatenate([part[j].values for part in parts]),
            sum(part[j].n_missing for part in parts),
        )
        for j, field in enumerate(schema.fields)
    ]
    return Columns(schema, sum(part.n_rows for part in parts), columns=columns)


def beside(left: Columns, right: Columns) -> Columns:
    """Return the columns of two tables of as many rows side by side, in the container of the first.

    A column of the second that the first has too takes its place; weights are left behind.
    """
    if left.n_rows != right.n_rows:
        raise ValueError(f"tables of {left.n_rows} and {right.n_rows} rows cannot stand side by side.")
    others = list(right)
    if right.schema.container != left.schema.container:  # types of one library are not those of another
        others = [column.with_source(_source_in(left.schema.container, column)) for column in others]
    columns = [column for column in left if column.name not in right.schema.names] + others
    fields = tuple(column.field for column in columns)
    return Columns(replace(left.schema, fields=fields), left.n_rows, columns=columns)


def _source_in(container: str, column: Column) -> Source | None:
    dtype = () if column.field.source is None else shared_type(column.field.source.dtype, container)
    return Source(dtype) if dtype else None


def _take(column: Column, rows: NDArray[Any]) -> Column:
    part = Column(column.field, column.values[rows], 0)
    if not column.n_missing:
        return part
    return Column(part.field, part.values, int(np.count_nonzero(part.missing())))


def _same(a: NDArray[Any] | None, b: NDArray[Any] | None) -> bool:
    if a is None or b is None:
        return a is b
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
