"""Each column of rows given the rest of the row, by the model's own density along that column."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from boxwood.columns import Column, Columns
from boxwood.columns.schema import all_missing
from boxwood.margins import NumberMargin
from boxwood.query.cube_set import hold_values
from boxwood.query.row_conditionals import RowConditionals
from boxwood.randomness import generator

if TYPE_CHECKING:
    from boxwood.query.weighed.forest_proposal import ForestProposal

__all__ = ["RowGrids"]

Numbers = NDArray[np.float64]

N_PLACES = 64
"""Places of a column of numbers: quantiles of the proposal given the rest of the row, each with 1/64 of its
probability, so that the ratio of densities there is what the integral needs."""

ROWS_AT_ONCE = 2**16


class RowGrids:
    """The conditional distributions of a table's cells.

    A category is asked for one by one; numbers by the ratio of the model's density to the proposal's at
    quantiles of the proposal. That is one-dimensional quadrature, without the noise of draws: what is left
    is how far the ratio changes between neighbouring quantiles. Columns of numbers that rules are about
    have the proposal's own conditionals, which the rules decide.

    `surprise` takes a gap as a value like others. What is expected of a column is given what is there in the
    rest of the row: gaps are summed out, and the answer is that the value is there.

    Parameters
    ----------
    proposal : ForestProposal
    columns : Columns
    """

    def __init__(self, proposal: ForestProposal, columns: Columns) -> None:
        self._proposal, self.columns = proposal, columns
        self._known: dict[int, tuple[Numbers, Numbers]] = {}

    @cached_property
    def _of_proposal(self) -> RowConditionals:
        return RowConditionals(self._proposal.engine, self.columns)

    @cached_property
    def _own_surprise(self) -> Numbers:
        return self._of_proposal.surprise()

    def _is_ruled(self, j: int) -> bool:
        field = self.columns.schema.fields[j]
        return field.kind.is_number and j in self._proposal.engine.component_of

    # Surprise.

    def surprise(self) -> Numbers:
        """Return −log p(value | rest of the row) of every cell, gaps as values: (n_samples, n_features)."""
        found = np.empty((self.columns.n_rows, len(self.columns)))
        for j in range(len(self.columns)):
            if self._is_ruled(j):
                found[:, j] = self._own_surprise[:, j]
            else:
                found[:, j] = self._log_rest(j) - self._along(j)(self.columns)
        return found

    def _along(self, j: int, shown: bool = False) -> Callable[[Columns], Numbers]:
        return self._proposal.model.score_along(j, shown)

    def _log_rest(self, j: int) -> Numbers:
        """Return the log-density of the rest of each row, gaps as values: the sum over the column."""
        field = self.columns.schema.fields[j]
        with_gap = self._log_gap(j)
        if not field.kind.is_number:
            codes = np.arange(len(field.categories) + (field.kind != "boolean"))
            places = np.broadcast_to(codes.astype(np.float64), (self.columns.n_rows, len(codes)))
            return np.logaddexp(with_gap, special.logsumexp(self._at(j, places, self._along(j)), axis=1))
        places = self._places(j)
        # The places are drawn by the proposal given what is there in the row, and that the value is there.
        ratio = self._at(j, places, self._along(j)) - self._at(j, places, self._proposal.score_shown)
        mean = special.logsumexp(ratio, axis=1) - np.log(places.shape[1])
        return np.logaddexp(with_gap, mean + self._log_present(j))

    def _log_gap(self, j: int) -> Numbers:
        """Return the log-density of each row with a gap in a column."""
        engine, n = self._proposal.engine, self.columns.n_rows
        if not engine.margins.columns[j].missing_mass and not engine.gap_rates[j]:
            return np.full(n, -np.inf)
        return self._along(j)(_replaced(self.columns, j, all_missing(self.columns.schema.fields[j], n)))

    def _log_present(self, j: int) -> Numbers:
        """Return the proposal's log-density of what a row shows without a column, and of a value there."""
        gap = all_missing(self.columns.schema.fields[j], self.columns.n_rows)
        shown = self._proposal.score_shown(_replaced(self.columns, j, gap))
        margin, edges = self._proposal.engine.margins.columns[j], self._proposal.engine.edges[j]
        if not isinstance(margin, NumberMargin) or not margin.missing_mass:
            return shown
        width = np.where(hold_values(edges, margin.cdf.total), np.diff(edges), 0.0)
        return shown + np.log(self._of_proposal._expectations(j, width[None])[:, 0])

    # What is expected.

    def _grid(self, j: int) -> tuple[Numbers, Numbers]:
        """Return places of a column for each row, ascending, and the probability of each."""
        if j not in self._known:
            field, score = self.columns.schema.fields[j], self._along(j, shown=True)
            if field.kind.is_number:
                places = self._places(j)
                logs = self._at(j, places, score)
                logs = logs - self._at(j, places, self._proposal.score_shown)
            else:
                codes = np.arange(len(field.categories), dtype=np.float64)
                places = np.broadcast_to(codes, (self.columns.n_rows, len(codes)))
                logs = self._at(j, places, score)
            logs = logs - special.logsumexp(logs, axis=1, keepdims=True)
            self._known[j] = places, np.exp(logs)
        return self._known[j]

    def _places(self, j: int) -> Numbers:
        return self._of_proposal.quantiles(j, (np.arange(N_PLACES) + 0.5) / N_PLACES)

    def _at(self, j: int, places: Numbers, score: Any) -> Numbers:
        """Return scores of the rows with each of some values in a column: (n_samples, n_places)."""
        n, k = places.shape
        found = np.empty((n, k))
        step = max(1, ROWS_AT_ONCE // k)
        for start in range(0, n, step):
            rows = np.arange(start, min(start + step, n))
            table = self.columns.take(np.repeat(rows, k))
            field = table.schema.fields[j]
            values = places[rows].ravel()
            column = Column(field, values if field.kind.is_number else values.astype(np.int32), 0)
            found[rows] = score(_replaced(table, j, column)).reshape(len(rows), k)
        return found

    def means(self, column: int) -> Numbers:
        """Return the mean of a column of numbers given what is there in the rest of each row."""
        if self._is_ruled(column):
            return self._of_proposal.means(column)
        places, masses = self._grid(column)
        return np.asarray((places * masses).sum(axis=1))

    def category_probabilities(self, column: int) -> Numbers:
        """Return the probability of each category given the rest of each row: (n_samples, n_categories)."""
        return self._grid(column)[1]

    def medians(self, column: int) -> Numbers:
        """Return the median of a column given the rest of each row."""
        return self.quantiles(column, 0.5)[:, 0]

    def quantiles(self, column: int, p: Any) -> Numbers:
        """Return quantiles of a column given the rest of each row: (n_samples, n_p), codes for categories."""
        fractions = np.atleast_1d(np.asarray(p, dtype=np.float64))
        return self._quantiles(column, np.broadcast_to(fractions, (self.columns.n_rows, len(fractions))))

    def draws(self, column: int, n: int = 1, random_state: Any = None) -> Numbers:
        """Draw values of a column given the rest of each row: (n_samples, n), codes for categories."""
        return self._quantiles(column, generator(random_state).random((self.columns.n_rows, n)))

    def cdf(self, column: int, values: Any) -> Numbers:
        """Return P(column <= value | rest of the row) of numbers: (n_samples, n_values)."""
        if self._is_ruled(column):
            return self._of_proposal.cdf(column, values)
        places, masses = self._grid(column)
        below = np.cumsum(masses, axis=1)
        limits = np.atleast_1d(np.asarray(values, dtype=np.float64))
        if self._is_discrete(column):
            return np.stack([(masses * (places <= limit)).sum(axis=1) for limit in limits], axis=1)
        middle = below - 0.5 * masses
        return np.stack([np.interp(limits, *one, 0.0, 1.0) for one in zip(places, middle, strict=True)])

    def _quantiles(self, column: int, fractions: Numbers) -> Numbers:
        if self._is_ruled(column):
            return self._of_proposal._at(column, fractions)
        places, masses = self._grid(column)
        below = np.cumsum(masses, axis=1)
        found = np.empty(fractions.shape)
        discrete = self._is_discrete(column)
        for i, p in enumerate(fractions):
            if discrete:
                at = np.minimum(np.searchsorted(below[i], p, side="left"), places.shape[1] - 1)
                found[i] = places[i, at]
            else:
                found[i] = np.interp(p, below[i] - 0.5 * masses[i], places[i])
        return found

    def _is_discrete(self, j: int) -> bool:
        """Return whether values between two places are none of the column's."""
        margin = self._proposal.engine.margins.columns[j]
        return not isinstance(margin, NumberMargin) or margin.lattice is not None or bool(len(margin.atoms))


def _replaced(columns: Columns, j: int, column: Column) -> Columns:
    parts = list(columns)
    parts[j] = column
    return Columns(columns.schema, columns.n_rows, columns=parts)
