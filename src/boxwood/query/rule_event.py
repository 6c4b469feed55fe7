"""Events of columns of which one follows from another: asked of the root's values together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import MISSING_CODE
from boxwood.dependencies import Agreement, Component, cube_parts, log_margin
from boxwood.dependencies.component import PRESENT, VALUE
from boxwood.margins import Margins
from boxwood.query.column_set import ColumnSet
from boxwood.query.cube_set import CubeSet, interval_of_value, without_intervals

__all__ = ["Asked", "RuledComponent"]

Numbers = NDArray[np.float64]
Asked = dict[int, tuple[ColumnSet, CubeSet]]
"""By column, a set of values and its form on [0, 1]."""

_EVERYTHING = CubeSet(np.zeros(1), np.ones(1), True)


class RuledComponent:
    """One root and what follows from it, under a mixture that agrees with that only so far.

    Parameters
    ----------
    margins : Margins
    component : Component
    agreement : Agreement
    number : int
        Which component of the agreement it is.
    leaves : _core.LeafTable
    """

    def __init__(
        self,
        margins: Margins,
        component: Component,
        agreement: Agreement,
        number: int,
        leaves: _core.LeafTable,
    ) -> None:
        self.margins, self.component, self.leaves = margins, component, leaves
        self.log_all = agreement.log_all[number]
        self.log_but = agreement.log_but[number]
        self.columns = (component.root, *(ruled.column for ruled in component.ruled))
        self.parts = cube_parts(component, margins)
        root = margins.columns[component.root]
        self.intervals = np.array([interval_of_value(root, float(key)) for key in component.keys])
        self.everything = self.event({})

    def event(self, asked: Asked) -> _core.RuleEvent:
        """Return what sets of values ask of the component."""
        factor = np.exp(-self.log_all) * self.root_inside(asked.get(self.component.root))
        for k, ruled in enumerate(self.component.ruled):
            of_value = ruled.kind == VALUE
            factor[of_value] *= self.kept(k, asked.get(ruled.column))[of_value]
        others = without_intervals(self._cube(asked, self.component.root), *self.intervals.T)
        if not len(others.low):
            factor[-1] = 0.0
        parts = [self._ruled_part(k, asked) for k in range(len(self.component.ruled))]
        event = self.leaves.event(self.component.root, others.low, others.high, 0.0)
        return self.leaves.rule(self.parts, factor, event, parts)

    def entry_event(self, entry: int) -> _core.RuleEvent:
        """Return the event that the root has the value of an entry, and nothing else is asked."""
        factor = np.zeros(self.component.n_entries)
        factor[entry] = np.exp(-self.log_all[entry])
        others = without_intervals(_EVERYTHING, *self.intervals.T)
        parts = [self._ruled_part(k, {}) for k in range(len(self.component.ruled))]
        event = self.leaves.event(self.component.root, others.low, others.high, 0.0)
        return self.leaves.rule(self.parts, factor, event, parts)

    def kept(self, k: int, asked: tuple[ColumnSet, CubeSet] | None) -> Numbers:
        """Return by entry the probability that a ruled column, of which a value follows, is in a set.

        1 − ε for the value that follows; ε is spread as the column's margin over everything else.
        """
        ruled = self.component.ruled[k]
        if asked is None:
            return np.ones(len(ruled.kind))
        rate = ruled.rule.exception_rate
        inside = self.inside(ruled.column, asked[0], ruled.value)
        margin = np.exp(log_margin(self.margins, ruled.column, ruled.value))
        mass = float((asked[1].high - asked[1].low).sum())
        rest = np.clip((mass - np.where(inside, margin, 0.0)) / np.maximum(1.0 - margin, 1e-12), 0.0, 1.0)
        return np.where(inside, 1.0 - rate, 0.0) + rate * rest

    def inside(self, column: int, values: ColumnSet, numbers: Numbers) -> NDArray[np.bool_]:
        """Return which values of a column (numbers or codes, NaN for a gap) are in a set."""
        if self.margins.schema.fields[column].kind.is_number:
            return values.contains(numbers)
        return values.contains(np.where(np.isnan(numbers), MISSING_CODE, numbers).astype(np.int64))

    def root_inside(self, asked: tuple[ColumnSet, CubeSet] | None) -> Numbers:
        """Return by entry whether the root's value is in a set, as 1 or 0; of others always 1."""
        inside = np.ones(self.component.n_entries)
        if asked is not None:
            inside[:-1] = self.inside(self.component.root, asked[0], self.component.keys)
        return inside

    def _cube(self, asked: Asked, column: int) -> CubeSet:
        return asked[column][1] if column in asked else _EVERYTHING

    def _ruled_part(self, k: int, asked: Asked) -> tuple[Any, ...]:
        ruled = self.component.ruled[k]
        cube, end = self._cube(asked, ruled.column), 1.0 - self.margins.columns[ruled.column].missing_mass
        present = without_intervals(cube, np.array([end]), np.array([1.0]))
        gaps = without_intervals(cube, np.array([0.0]), np.array([end]))
        return (
            self.leaves.event(ruled.column, present.low, present.high, 0.0),
            self.leaves.event(ruled.column, gaps.low, gaps.high, 0.0),
            ruled.rule.exception_rate,
            self.gap_ratio(k),
        )

    def gap_ratio(self, k: int) -> Numbers:
        """Return by entry how much rarer a value of a ruled column is than a gap, where a value is asked."""
        but = self.log_but[k]
        with np.errstate(divide="ignore", over="ignore"):
            log_gap = but + np.log(-np.expm1(np.minimum(self.log_all - but, -1e-12)))
            ratio = np.where(self.component.ruled[k].kind == PRESENT, np.exp(self.log_all - log_gap), 1.0)
        return np.nan_to_num(ratio, posinf=0.0)
