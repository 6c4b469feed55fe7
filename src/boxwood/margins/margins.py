"""The margins of a whole table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, Columns, Field, Kind, Schema
from boxwood.evidence.weights import integer_weights, largest_weight, weight_unit
from boxwood.margins.category import CategoryMargin, fit_category_margin
from boxwood.margins.measure import SharedAtoms
from boxwood.margins.number import NumberMargin, fit_number_margin
from boxwood.margins.summary import (
    CategorySummary,
    NumberSummary,
    SortedColumn,
    TableSummary,
    summarize_column,
)
from boxwood.margins.threads import each_column, map_columns
from boxwood.model_file import ModelFileError, State

__all__ = ["Margins", "fit_margins", "margins_of_summary"]

KINDS = ("linear", "smooth")
MISSING = ("marginal", "event")


class Margins:
    """One monotone map onto [0, 1] per column, with its inverse and log-derivative.

    Attributes
    ----------
    schema : Schema
    columns : tuple of NumberMargin or CategoryMargin

    Examples
    --------
    >>> import boxwood as bw
    >>> columns = bw.read_columns({"age": [20.5, 31.0, 44.5, 60.0], "sex": ["f", "m", "m", "f"]})
    >>> margins = fit_margins(columns)
    >>> u = margins.encode(columns)
    >>> bool((u > 0).all() and (u < 1).all())
    True
    >>> margins.decode(u)["sex"].values
    array([0, 1, 1, 0], dtype=int32)
    """

    def __init__(self, schema: Schema, columns: Sequence[NumberMargin | CategoryMargin]) -> None:
        self.schema = schema
        self.columns = tuple(columns)

    def encode(self, columns: Columns, n_jobs: int | None = None) -> NDArray[np.float64]:
        """Return the rows in [0, 1]^D, row-major: atoms, categories and missing as interval middles.

        A missing value in a column that had none when fitted is NaN.
        """
        u = np.empty((columns.n_rows, len(self.columns)))
        map_columns(
            lambda margin, column, out: margin.encode(column.values, out), n_jobs, self.columns, columns, u.T
        )
        return u

    def log_derivative(
        self, columns: Columns, missing: str = "marginal", n_jobs: int | None = None
    ) -> NDArray[np.float64]:
        """Return the sum over columns of the log-density of each row's values under the margins.

        Parameters
        ----------
        columns : Columns
        missing : {"marginal", "event"}
            What a missing value adds: nothing (it is summed out), or the logarithm of its probability.
        n_jobs : int, optional
            Threads over columns. The result is the same for any number of them, to the bit.
        """
        if missing not in MISSING:
            raise ValueError(f"missing must be one of {MISSING}; got {missing!r}.")
        total = np.zeros(columns.n_rows)
        for logs in each_column(_log_of(missing), n_jobs, self.columns, columns):
            total += logs  # in the order of the columns
        return total

    def decode(self, u: NDArray[np.float64], n_jobs: int | None = None) -> Columns:
        """Return the rows at points of [0, 1]^D."""
        columns = map_columns(_decoded, n_jobs, self.columns, self.schema.fields, u.T)
        return Columns(self.schema, len(u), columns=columns)

    def to_state(self) -> list[dict[str, Any]]:
        """Return what a model file keeps."""
        return [margin.to_state() for margin in self.columns]

    @classmethod
    def from_state(cls, state: State, name: str, schema: Schema) -> Margins:
        """Read what `to_state` gave from the entry `name`, after checking it."""
        entries = state.children(name, len(schema))
        return cls(schema, [_margin_from_state(e, f) for e, f in zip(entries, schema.fields, strict=True)])


def fit_margins(columns: Columns, kind: str = "smooth", n_jobs: int | None = None) -> Margins:
    """Fit the margins of a table.

    Parameters
    ----------
    columns : Columns
    kind : {"smooth", "linear"}, default="smooth"
        For numbers: the column's own smooth CDF with tails beyond the data, or linear over the
        (slightly widened) bounding box.
    n_jobs : int, optional
        Threads over columns: None is one, −1 all cores. The margins are the same to the bit.

    Returns
    -------
    Margins
    """
    _check_kind(kind)
    unit = weight_unit(largest_weight([columns]))
    weights = integer_weights(columns, unit)
    fitted = map_columns(
        lambda column, field, shared: _fit(
            summarize_column(column, field, weights), field, kind, unit, shared
        ),
        n_jobs,
        columns,
        columns.schema.fields,
        columns.measure or [None] * len(columns),
    )
    return Margins(columns.schema, fitted)


def margins_of_summary(
    summary: TableSummary, kind: str = "smooth", n_jobs: int | None = None, measure: Any = None
) -> Margins:
    """Fit margins from counts; the same to the bit for any partition of the rows.

    `measure` has the atoms of each column (see `share_measure`); without it they are found from the counts.
    """
    _check_kind(kind)
    fitted = map_columns(
        lambda counts, field, shared: _fit(counts, field, kind, summary.unit, shared),
        n_jobs,
        summary.columns,
        summary.schema.fields,
        measure or [None] * len(summary.columns),
    )
    return Margins(summary.schema, fitted)


def _check_kind(kind: str) -> None:
    if kind not in KINDS:
        raise ValueError(f"margins must be one of {KINDS}; got {kind!r}.")


def _fit(
    summary: NumberSummary | SortedColumn | CategorySummary,
    field: Field,
    kind: str,
    unit: float,
    shared: SharedAtoms | None,
) -> NumberMargin | CategoryMargin:
    if isinstance(summary, CategorySummary):
        return fit_category_margin(
            summary.counts.astype(np.float64) * unit, closed=field.kind is Kind.BOOLEAN
        )
    integer = field.kind is Kind.INTEGER
    atoms = None if shared is None else shared.values
    return fit_number_margin(summary.cells(unit), summary.missing(unit), kind, integer, atoms)


def _log_of(missing: str) -> Callable[[NumberMargin | CategoryMargin, Column], NDArray[np.float64]]:
    def log_derivative(margin: NumberMargin | CategoryMargin, column: Column) -> NDArray[np.float64]:
        logs = margin.log_derivative(column.values)
        if column.n_missing:
            with np.errstate(divide="ignore"):
                logs[column.missing()] = np.log(margin.missing_mass) if missing == "event" else 0.0
        return logs

    return log_derivative


def _decoded(margin: NumberMargin | CategoryMargin, field: Field, u: NDArray[np.float64]) -> Column:
    values = margin.decode(u)
    missing = np.isnan(values) if field.kind.is_number else values < 0
    return Column(field, values, int(missing.sum()))


def _margin_from_state(state: State, field: Field) -> NumberMargin | CategoryMargin:
    kind = state.text("kind", ["number", "category"])
    if (kind == "number") != field.kind.is_number:
        raise ModelFileError(f"{state.path}.kind is {kind!r}, but column {field.name!r} is {field.kind}")
    if kind == "number":
        return NumberMargin.from_state(state, integer=field.kind is Kind.INTEGER)
    return CategoryMargin.from_state(state, len(field.categories), closed=field.kind is Kind.BOOLEAN)
