"""The margins of a whole table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import OPEN, BaseMeasure, Column, ColumnMeasure, Columns, Field, Kind, Schema
from boxwood.columns.errors import LARGEST_NUMBER
from boxwood.evidence.weights import integer_weights, largest_weight, measures_of, weight_unit
from boxwood.margins.category import CategoryMargin
from boxwood.margins.fields import field_specs
from boxwood.margins.number import NumberMargin
from boxwood.margins.summary import (
    CategorySummary,
    NumberSummary,
    TableSummary,
)
from boxwood.model_file import ModelFileError, State
from boxwood.threads import n_threads

__all__ = ["Margins", "decoded_columns", "fit_margins", "margins_of_summary"]

Margin = NumberMargin | CategoryMargin
KINDS = ("linear", "smooth")
MISSING = ("marginal", "event")


class Margins:
    """One monotone map onto [0, 1] per column, with its inverse and log-derivative.

    They are kept once, in the native core: whatever the number of columns, each of fitting, encoding and
    decoding is one call of it.

    Parameters
    ----------
    schema : Schema
    columns : sequence of NumberMargin or CategoryMargin

    Attributes
    ----------
    native : _core.Margins

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

    def __init__(self, schema: Schema, columns: Sequence[Margin]) -> None:
        self.schema = schema
        self.columns = tuple(columns)
        self.native = _core.make_margins([margin.parts() for margin in columns])

    @classmethod
    def of_native(cls, schema: Schema, native: _core.Margins, continuous: list[bool]) -> Margins:
        """Return what the core has fitted; `continuous` says of each column whether cuts may lie anywhere."""
        margins = cls.__new__(cls)
        margins.schema = schema
        margins.native = native
        margins.continuous = continuous
        return margins

    def __getstate__(self) -> dict[str, Any]:
        return {
            "schema": self.schema,
            "columns": self.columns,
        }  # native objects are not pickled, but made anew

    def __setstate__(self, state: dict[str, Any]) -> None:
        Margins.__init__(self, state["schema"], state["columns"])

    @cached_property
    def columns(self) -> tuple[Margin, ...]:
        """The map of each column."""
        return tuple(
            CategoryMargin(*parts) if isinstance(parts[0], np.ndarray) else NumberMargin.of_parts(*parts)
            for parts in self.native.columns()
        )

    @cached_property
    def continuous(self) -> list[bool]:
        """Whether each column may be cut anywhere: numbers without atoms, integers or missing values."""
        return [margin.is_continuous for margin in self.columns]

    def encode(self, columns: Columns, n_jobs: int | None = None) -> NDArray[np.float64]:
        """Return the rows in [0, 1]^D, row-major: atoms, categories and missing as interval middles.

        A missing value in a column that had none when fitted is NaN.
        """
        return self.native.encode(columns.arrays(), n_threads(n_jobs))

    def log_derivative(
        self, columns: Columns, missing: str = "marginal", n_jobs: int | None = None
    ) -> NDArray[np.float64]:
        """Return the sum over columns of the log-density of each row's values under the margins.

        Parameters
        ----------
        columns : Columns
        missing : {"marginal", "event"}
            What a missing value adds: nothing (it is summed out), or the logarithm of its probability, in
            columns that had some when fitted.
        n_jobs : int, optional
            Threads over rows. The result is the same for any number of them, to the bit.
        """
        if missing not in MISSING:
            raise ValueError(f"missing must be one of {MISSING}; got {missing!r}.")
        kind = getattr(_core.MissingValues, missing)
        return self.native.log_derivative(columns.arrays(), kind, n_threads(n_jobs))

    def decode(self, u: NDArray[np.float64], n_jobs: int | None = None) -> Columns:
        """Return the rows at points of [0, 1]^D."""
        return decoded_columns(
            self.schema, len(u), self.native.decode(np.ascontiguousarray(u), n_threads(n_jobs))
        )

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
        Lattices and atoms are those of its measure; where it has none they are found.
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
    native, continuous = _core.fit_margins(
        columns.arrays(),
        field_specs(columns.schema),
        integer_weights(columns, unit),
        unit,
        getattr(_core.MarginKind, kind),
        _given_measures(columns.schema, measures_of(columns)),
        n_threads(n_jobs),
    )
    return Margins.of_native(columns.schema, native, continuous)


def margins_of_summary(
    summary: TableSummary,
    kind: str = "smooth",
    n_jobs: int | None = None,
    measure: BaseMeasure | None = None,
) -> Margins:
    """Fit margins from counts; the same to the bit for any partition of the rows.

    `measure` has the lattices and atoms of the columns. Without it atoms are found from the counts, and
    integers alone have a lattice: a step is told by distinct rows, which counts are not.
    """
    _check_kind(kind)
    native, continuous = _core.margins_of_summaries(
        [_counts(column) for column in summary.columns],
        field_specs(summary.schema),
        summary.unit,
        getattr(_core.MarginKind, kind),
        None if measure is None else _given_measures(summary.schema, measure.columns),
        n_threads(n_jobs),
    )
    return Margins.of_native(summary.schema, native, continuous)


def decoded_columns(schema: Schema, n_rows: int, decoded: Sequence[tuple[NDArray[Any], int]]) -> Columns:
    """Return the table of what the core has decoded: the values of each column, and how many are missing."""
    columns = [
        Column(field, _bounded(values), n_missing)
        for field, (values, n_missing) in zip(schema.fields, decoded, strict=True)
    ]
    return Columns(schema, n_rows, columns=columns)


def _bounded(values: NDArray[Any]) -> NDArray[Any]:
    """Return numbers that no gate refuses for their size: the tail of huge ones may reach beyond."""
    if values.dtype.kind != "f" or not (np.abs(values) >= LARGEST_NUMBER).any():
        return values
    largest = np.nextafter(LARGEST_NUMBER, 0.0)
    return np.clip(values, -largest, largest)


Given = tuple[tuple[float, float] | None, NDArray[np.float64] | None, float, float, float, float, bool]
"""Origin and step of a column's lattice, its atoms (None: the core finds them), its bounds, its span, and
whether the column has no other values."""


def _given_measures(schema: Schema, measures: Sequence[ColumnMeasure]) -> list[Given]:
    """Return what the core is to know; on a lattice it finds spikes by itself."""
    return [
        _given(measure) if field.kind.is_number else (None, None, *OPEN, *OPEN, measure.is_closed)
        for field, measure in zip(schema.fields, measures, strict=True)
    ]


def _given(measure: ColumnMeasure) -> Given:
    ends = [float(end) for end in (*measure.bounds, *measure.span)]
    if measure.lattice is not None:
        lattice = (measure.lattice.origin, measure.lattice.step)
        return lattice, None, ends[0], ends[1], ends[2], ends[3], measure.is_closed
    return None, measure.atoms, ends[0], ends[1], ends[2], ends[3], measure.is_closed


def _check_kind(kind: str) -> None:
    if kind not in KINDS:
        raise ValueError(f"margins must be one of {KINDS}; got {kind!r}.")


def _counts(summary: NumberSummary | CategorySummary) -> _core.CellCounter | NDArray[np.int64]:
    return summary.counter if isinstance(summary, NumberSummary) else summary.counts


def _margin_from_state(state: State, field: Field) -> NumberMargin | CategoryMargin:
    kind = state.text("kind", ["number", "category"])
    if (kind == "number") != field.kind.is_number:
        raise ModelFileError(f"{state.path}.kind is {kind!r}, but column {field.name!r} is {field.kind}")
    if kind == "number":
        return NumberMargin.from_state(state, integer=field.kind is Kind.INTEGER)
    return CategoryMargin.from_state(state, len(field.categories), closed=field.kind is Kind.BOOLEAN)
