"""How far two models are apart: column by column in closed form, jointly by draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.margins import NumberMargin
from boxwood.query.behind.column_distance import ColumnDistance, column_distance
from boxwood.query.errors import QueryError
from boxwood.randomness import generator

if TYPE_CHECKING:
    from boxwood.query.query import Query

__all__ = ["Distance", "model_distance"]

Numbers = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Distance:
    """Distances of two models in units of probability, from 0 to 1.

    Attributes
    ----------
    joint : float
        Total variation of whole rows: the largest difference that any event has. Densities over other margins
        have no common form, so that it is a mean over draws of both models.
    standard_error : float
        Of `joint`.
    n_draws : int
    columns : tuple of ColumnDistance
        Of each column, in closed form.
    """

    joint: float
    standard_error: float
    n_draws: int
    columns: tuple[ColumnDistance, ...]

    def __getitem__(self, column: str) -> ColumnDistance:
        return next(one for one in self.columns if one.column == column)

    def __repr__(self) -> str:
        farthest = sorted(self.columns, key=lambda one: -one.total_variation)[:5]
        listed = ", ".join(f"{one.column} {one.total_variation:.3f}" for one in farthest)
        return f"Distance(joint {self.joint:.3f} ± {self.standard_error:.3f}; {listed})"


def model_distance(first: Query, second: Query, n_draws: int, random_state: Any) -> Distance:
    """Return the distances of two models of tables with the same columns."""
    names = first._engine.schema.names
    if sorted(names) != sorted(second._engine.schema.names):
        raise QueryError(
            f"the models have other columns: {', '.join(names[:5])} … and "
            f"{', '.join(second._engine.schema.names[:5])} …"
        )
    columns = tuple(column_distance(first._law(name), second._law(name)) for name in names)
    joint, error = _joint(first, second, n_draws, generator(random_state))
    return Distance(joint, error, n_draws, columns)


def _joint(first: Query, second: Query, n_draws: int, rng: np.random.Generator) -> tuple[float, float]:
    """Return the mean of |p − q| / (p + q) over draws of half p and half q, and its standard error."""
    parts = []
    for query in (first, second):
        rows = query.sample((n_draws + 1) // 2, rng)
        logs = [_log_density(asked, other, rows) for asked, other in ((first, second), (second, first))]
        with np.errstate(invalid="ignore"):
            # Both −inf: a value that rounding put beside both; it tells nothing.
            parts.append(np.abs(np.tanh(0.5 * np.nan_to_num(logs[0] - logs[1], nan=0.0))))
    means, errors = [part.mean() for part in parts], [part.var() / len(part) for part in parts]
    return float(np.mean(means)), float(0.5 * np.sqrt(sum(errors)))


def _log_density(query: Query, other: Query, rows: Any) -> Numbers:
    """Return the log-density of rows under a measure that two models share.

    A value is an atom under both or has no density under the one without it; a lattice of numbers counts as
    a density over its steps.
    """
    columns: Columns = query._read(rows)
    logs = query.log_density(columns)
    for j, field in enumerate(columns.schema.fields):
        margin = query._engine.margins.columns[j]
        beside = other._engine.margins.columns[other._position(field.name)]
        if not isinstance(margin, NumberMargin) or not isinstance(beside, NumberMargin):
            continue
        there = ~columns[j].missing()
        values = columns[j].values
        if margin.lattice is not None and (
            beside.lattice is None or beside.lattice.step != margin.lattice.step
        ):
            logs = logs - np.where(there, np.log(margin.lattice.step), 0.0)
        if margin.lattice is None:
            atoms = np.setdiff1d(beside.atoms if beside.lattice is None else [], margin.atoms)
            logs = np.where(np.isin(values, atoms), -np.inf, logs)
    return logs
