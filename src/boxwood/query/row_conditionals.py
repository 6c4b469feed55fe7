"""Each column of rows given the rest of the row: surprise, means, quantiles, probabilities, draws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.dependencies import log_margin
from boxwood.dependencies.component import NOTHING, PRESENT, VALUE
from boxwood.dependencies.rule import same_values
from boxwood.dependencies.ruled_rows import Asked, RuledRows
from boxwood.margins import CategoryMargin
from boxwood.mixture import hide_missing
from boxwood.query.column_law import end_of
from boxwood.query.cube_set import hold_values
from boxwood.query.engine import QueryEngine
from boxwood.query.moments import value_integrals, values_at
from boxwood.randomness import generator

__all__ = ["RowConditionals"]

Numbers = NDArray[np.float64]

CELLS_OF_BLOCK = 2**22
"""Rows times values of a column that others follow from, at a time: 32 MB."""


@dataclass(frozen=True, eq=False)
class RootLaw:
    """What the values that follow from a column tell of it, in the rows that show any of them."""

    rows: NDArray[np.intp]
    keys: Numbers  # ascending
    probabilities: Numbers  # (n_rows, n_keys)

    def quantiles(self, fractions: Numbers) -> Numbers:
        """Return the keys at fractions of each row, (n_rows, n_p)."""
        ends = np.cumsum(self.probabilities, axis=1)[:, :-1]
        places = [np.count_nonzero(ends < p[:, None], axis=1) for p in fractions[self.rows].T]
        return self.keys[np.stack(places, axis=1)]


class RowConditionals:
    """The conditional distributions of a table's cells.

    `surprise` takes a gap as a value like others. What is expected of a column (`means`, `quantiles`,
    `category_probabilities`, `draws`) is given what is there in the rest of the row: gaps are summed out, and
    the answer is that the value is there.

    Parameters
    ----------
    engine : QueryEngine
    columns : Columns
    """

    def __init__(self, engine: QueryEngine, columns: Columns) -> None:
        self._engine, self.columns = engine, columns

    @cached_property
    def _ruled(self) -> RuledRows:
        return RuledRows(self.columns, [one.component for one in self._engine.components], gaps=True)

    @cached_property
    def _kept(self) -> Columns:
        """The rows with the values that rules ask for: a mixture knows them so."""
        return self._ruled.kept() if self._engine.components else self.columns

    @cached_property
    def _known(self) -> Numbers:
        """The rows on the cube, gaps summed out."""
        return np.ascontiguousarray(hide_missing(self._engine.encode(self._kept), self._kept))

    def surprise(self) -> Numbers:
        """Return −log p(value | rest of the row) of every cell, gaps as values: (n_samples, n_features)."""
        engine, kept = self._engine, self._kept
        points = np.ascontiguousarray(engine.encode(kept))
        known = np.ascontiguousarray(engine.encode(self.columns)) if engine.components else points
        rules = [one.everything for one in engine.components]
        logs, masses = engine.rows.log_density(points, known, rules, engine.n_threads)
        for j, column in enumerate(kept):
            logs[:, j] += log_margin(engine.margins, j, column.numbers())
            rate = float(engine.gap_rates[j])
            if rate > 0.0:
                logs[:, j] = np.where(column.missing(), np.log(rate), logs[:, j] + np.log1p(-rate))
        for c, asked in enumerate(self._ruled.asked if engine.components else []):
            self._follow_rules(logs, points, c, asked)
            logs[:, engine.components[c].component.root] = self._log_of_root(c, masses[c])
        return -logs

    def _follow_rules(self, logs: Numbers, points: Numbers, c: int, asked: list[Asked]) -> None:
        for k, one in enumerate(asked):
            ratio = self._engine.components[c].gap_ratio(k)[self._ruled.entries[c]]
            rule = self._log_of_ruled(one, logs[:, one.column], points, ratio)
            logs[:, one.column] = np.where(one.kind == NOTHING, logs[:, one.column], rule)

    def _log_of_ruled(self, one: Asked, logs: Numbers, points: Numbers, ratio: Numbers) -> Numbers:
        """Return log p(b | rest) of a column that follows: of a value nothing but the rule tells.

        `ratio` is, where no gap follows, how much rarer the model has a value than a gap.
        """
        margins, rate = self._engine.margins, one.exception_rate
        found = np.full(len(one.kind), np.log1p(-rate))
        off = one.off
        wanted = np.exp(log_margin(margins, one.column, np.where(one.kind == VALUE, one.value, np.nan)))
        given = log_margin(margins, one.column, one.numbers)
        broken = off & (one.kind == VALUE)
        found[broken] = np.log(rate) + given[broken] - np.log1p(-np.minimum(wanted[broken], 1.0 - 1e-12))
        asked = np.flatnonzero(one.kind == PRESENT)
        if len(asked):
            edges, end = self._engine.edges[one.column], 1.0 - margins.columns[one.column].missing_mass
            width = np.where(hold_values(edges, end), np.diff(edges), 0.0)[None]
            rows = np.ascontiguousarray(points[asked])
            present = self._engine.rows.expectations(rows, one.column, width, self._engine.n_threads)[:, 0]
            by_gap = rate * ratio[asked]
            total = (1.0 - rate) * present + by_gap * (1.0 - present)
            weight = np.where(off[asked], by_gap, 1.0 - rate)
            found[asked] = logs[asked] + np.log(weight) - np.log(total)
        gap_rate = float(self._engine.gap_rates[one.column])
        if gap_rate > 0.0:
            found = np.where(np.isnan(one.numbers), np.log(gap_rate), found + np.log1p(-gap_rate))
        return found

    def _log_of_root(self, c: int, masses: Numbers) -> Numbers:
        """Return log p(a | rest) of a column that others follow from: by the masses of its values.

        `masses` are those of the mixture; a row counts by how far it keeps to what an entry asks.
        A value that training did not show has its part of all such values, as the margin has it.
        """
        one = self._engine.components[c]
        component, entries = one.component, self._ruled.entries[c]
        masses = masses * np.exp(-one.log_all)
        for k, asked in enumerate(self._ruled.asked[c]):
            masses *= self._kept_by_entry(c, k, asked.numbers)
        rows = np.arange(len(entries))
        root = self.columns[component.root]
        with np.errstate(divide="ignore"):
            logs = np.log(masses[rows, entries]) - np.log(masses.sum(axis=1))
        unknown = np.flatnonzero(entries == len(component.keys))
        if len(unknown):
            width = 1.0 - float(np.diff(one.intervals).sum())
            own = log_margin(self._engine.margins, component.root, root.numbers()[unknown])
            logs[unknown] += own - np.log(max(width, 1e-300))
        rate = float(self._engine.gap_rates[component.root])
        return np.where(root.missing(), np.log(rate), logs + np.log1p(-rate)) if rate > 0.0 else logs

    def _kept_by_entry(self, c: int, k: int, numbers: Numbers) -> Numbers:
        """Return how far each row's value of a ruled column keeps to the rule of each entry."""
        one = self._engine.components[c]
        ruled = one.component.ruled[k]
        rate, margins = ruled.rule.exception_rate, self._engine.margins
        own = np.exp(log_margin(margins, ruled.column, numbers))[:, None]
        wanted = np.exp(log_margin(margins, ruled.column, ruled.value))
        same = same_values(numbers[:, None], ruled.value)
        by_value = np.where(same, 1.0 - rate, rate * own / np.maximum(1.0 - wanted, 1e-12))
        gap = np.isnan(numbers)[:, None]
        by_presence = own * np.where(gap, rate * one.gap_ratio(k), 1.0 - rate)
        found = np.where(ruled.kind == VALUE, by_value, np.where(ruled.kind == PRESENT, by_presence, own))
        unseen = gap & (margins.columns[ruled.column].missing_mass == 0.0)
        return np.where(unseen, 1.0, found)

    def means(self, column: int) -> Numbers:
        """Return the mean of a column of numbers given what is there in the rest of each row."""
        margin: Any = self._engine.margins.columns[column]
        edges = self._engine.edges[column]
        if isinstance(margin, CategoryMargin):
            return self.category_probabilities(column)[:, 1]
        center = float(values_at(margin, np.array([0.5 * margin.cdf.total]))[0])
        first, _ = value_integrals(margin, edges, center)
        present = np.where(hold_values(edges, margin.cdf.total), np.diff(edges), 0.0)
        found = self._expectations(column, np.stack([first, present]))
        means = self._by_rule(column, center + found[:, 0] / found[:, 1])
        for law in self._root_laws(column):
            means[law.rows] = law.probabilities @ law.keys
        return means

    def category_probabilities(self, column: int) -> Numbers:
        """Return the probability of each category given the rest of each row: (n_samples, n_categories).

        Given that the value is one of them.
        """
        margin: Any = self._engine.margins.columns[column]
        edges = self._engine.edges[column]
        ends = np.concatenate([[0.0], np.cumsum(margin.mass)])
        low, high = np.maximum(ends[:-1, None], edges[:-1]), np.minimum(ends[1:, None], edges[1:])
        overlap = np.where(high - low > 1e-13, high - low, 0.0)
        found = self._expectations(column, np.ascontiguousarray(overlap))
        found /= found.sum(axis=1, keepdims=True)
        asked = self._asked_of(column)
        if asked is not None:
            rows = np.flatnonzero((asked.kind == VALUE) & ~np.isnan(asked.value))
            found[rows] = 0.0
            found[rows, asked.value[rows].astype(np.int64)] = 1.0
        for law in self._root_laws(column):
            found[law.rows] = 0.0
            found[law.rows[:, None], law.keys.astype(np.int64)] = law.probabilities
        return found

    def quantiles(self, column: int, p: Any) -> Numbers:
        """Return quantiles of a column given the rest of each row: (n_samples, n_p), codes for categories."""
        fractions = np.atleast_1d(np.asarray(p, dtype=np.float64))
        return self._at(column, np.broadcast_to(fractions, (self.columns.n_rows, len(fractions))))

    def cdf(self, column: int, values: Any) -> Numbers:
        """Return P(column <= value | rest of the row) of numbers: (n_samples, n_values)."""
        margin: Any = self._engine.margins.columns[column]
        limits = np.atleast_1d(np.asarray(values, dtype=np.float64))
        edges, end = self._engine.edges[column], 1.0 - margin.missing_mass
        last = margin.cdf.total if margin.missing_mass else end
        field = self.columns.schema.fields[column]
        places = np.array([*(end_of(margin, field, value) for value in limits.tolist()), last])
        integrals = np.clip(np.minimum(places, last)[:, None] - edges[:-1], 0.0, np.diff(edges))
        found = self._expectations(column, np.ascontiguousarray(integrals))
        found = np.clip(found[:, :-1] / found[:, -1:], 0.0, 1.0)
        ruled = self._by_rule(column, np.full(found.shape, np.nan))
        found = np.where(np.isnan(ruled), found, ruled <= limits)
        for law in self._root_laws(column):
            found[law.rows] = law.probabilities @ (law.keys[:, None] <= limits)
        return found

    def medians(self, column: int) -> Numbers:
        """Return the median of a column given the rest of each row."""
        return self.quantiles(column, 0.5)[:, 0]

    def draws(self, column: int, n: int = 1, random_state: Any = None) -> Numbers:
        """Draw values of a column given the rest of each row: (n_samples, n), codes for categories."""
        return self._at(column, generator(random_state).random((self.columns.n_rows, n)))

    def _at(self, column: int, fractions: Numbers) -> Numbers:
        margin = self._engine.margins.columns[column]
        end = 1.0 - margin.missing_mass
        if isinstance(margin, CategoryMargin):
            end = float(margin.mass.sum())  # unseen categories have no name
        elif margin.missing_mass:
            end = margin.cdf.total
        rows = self._points_for(column)
        fractions = np.ascontiguousarray(fractions)
        u = self._engine.rows.quantiles(rows, column, fractions, end, self._engine.n_threads)
        values = self._by_rule(column, values_at(margin, u.ravel()).reshape(u.shape))
        for law in self._root_laws(column):
            values[law.rows] = law.quantiles(fractions)
        return values

    def _expectations(self, column: int, integrals: Numbers) -> Numbers:
        rows = self._points_for(column)
        return self._engine.rows.expectations(rows, column, integrals, self._engine.n_threads)

    def _points_for(self, column: int) -> Numbers:
        """Return the rows with what follows from the column summed out, where it is a root."""
        c = self._engine.component_of.get(column)
        if c is None:
            return self._known
        component = self._engine.components[c].component
        if component.root != column:
            return self._known
        points = self._known.copy()
        for one in self._ruled.asked[c]:
            points[np.isnan(one.numbers), one.column] = np.nan
        return points

    def _root_laws(self, column: int) -> Iterator[RootLaw]:
        """Yield, in blocks of rows, what the values that follow from a column tell of it; gaps tell nothing.

        A mixture knows a rule nearly, not wholly: of a census it told 84% of the degrees by the years of
        education, which differ from degree to degree. Values that training did not show are left out.
        """
        c = self._engine.component_of.get(column)
        if c is None or self._engine.components[c].component.root != column:
            return
        component = self._engine.components[c].component
        if np.isnan(component.keys).all():
            return
        gaps = [np.isnan(asked.numbers) for asked in self._ruled.asked[c]]
        rows = np.flatnonzero(~np.all(gaps, axis=0))
        step = max(1, CELLS_OF_BLOCK // component.n_entries)
        for first in range(0, len(rows), step):
            yield self._root_law(c, rows[first : first + step])

    def _root_law(self, c: int, rows: NDArray[np.intp]) -> RootLaw:
        one = self._engine.components[c]
        seen = ~np.isnan(one.component.keys)
        part = self.columns.take(rows)
        known = np.ascontiguousarray(hide_missing(self._engine.encode(part), part))
        points = np.ascontiguousarray(self._known[rows])
        [masses] = self._engine.rows.log_density(points, known, [one.everything], self._engine.n_threads)[1]
        masses = masses * np.exp(-one.log_all)
        for k, asked in enumerate(self._ruled.asked[c]):
            numbers = asked.numbers[rows]
            masses *= np.where(np.isnan(numbers)[:, None], 1.0, self._kept_by_entry(c, k, numbers))
        masses = masses[:, : len(seen)][:, seen]
        total = masses.sum(axis=1)
        possible = total > 0.0
        return RootLaw(rows[possible], one.component.keys[seen], masses[possible] / total[possible, None])

    def _asked_of(self, column: int) -> Asked | None:
        c = self._engine.component_of.get(column)
        asked = [] if c is None else self._ruled.asked[c]
        return next((one for one in asked if one.column == column), None)

    def _by_rule(self, column: int, found: Numbers) -> Numbers:
        """Put what a rule says in place of what a mixture says."""
        asked = self._asked_of(column)
        if asked is None:
            return found
        follows = (asked.kind == VALUE) & ~np.isnan(asked.value)
        root = self.columns[self._engine.components[self._engine.component_of[column]].component.root]
        follows &= ~root.missing()
        return np.where(
            follows if found.ndim == 1 else follows[:, None],
            asked.value if found.ndim == 1 else asked.value[:, None],
            found,
        )
