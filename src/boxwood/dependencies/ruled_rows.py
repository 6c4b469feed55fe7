"""Rows under rules: which of them keep to them, and what the others would be if they did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.dependencies.agreement import Agreement, log_margin
from boxwood.dependencies.cells import replaced
from boxwood.dependencies.component import NOTHING, PRESENT, VALUE, Component, RuledColumn
from boxwood.dependencies.rule import same_values
from boxwood.margins import Margins

__all__ = ["Asked", "RuledRows"]


@dataclass(frozen=True, eq=False)
class Asked:
    """What is asked of a column in each row, and where the row is otherwise."""

    column: int
    exception_rate: float
    kind: NDArray[np.int8]
    value: NDArray[np.float64]
    numbers: NDArray[np.float64]

    @property
    def off(self) -> NDArray[np.bool_]:
        """Which rows break the rule."""
        of_value = (self.kind == VALUE) & ~same_values(self.value, self.numbers)
        return np.asarray(of_value | ((self.kind == PRESENT) & np.isnan(self.numbers)))


class RuledRows:
    """The rows of a table beside the rules.

    Parameters
    ----------
    columns : Columns
    components : sequence of Component
    gaps : bool
        A gap is a value like others. Else it is one that is not known: it breaks no rule.
    free : ndarray of bool, optional
        Rows that no rule is about.

    Attributes
    ----------
    entries : list of ndarray
        Of each component, the entry of each row.
    asked : list of list of Asked
        Of each component, what is asked of each ruled column.
    """

    def __init__(
        self,
        columns: Columns,
        components: Sequence[Component],
        gaps: bool,
        free: NDArray[np.bool_] | None = None,
    ) -> None:
        self.columns, self.components, self.gaps = columns, components, gaps
        self.entries = [component.entries_of(columns) for component in components]
        self._free = [self._free_rows(component.root, free) for component in components]
        self.asked = [
            [self._asked_of(ruled, entries, rows) for ruled in component.ruled]
            for component, entries, rows in zip(components, self.entries, self._free, strict=True)
        ]

    def _free_rows(self, root: int, free: NDArray[np.bool_] | None) -> NDArray[np.bool_]:
        """Return the rows that no rule of a component is about."""
        rows = np.zeros(self.columns.n_rows, dtype=np.bool_) if free is None else free
        if self.gaps or not self.columns[root].n_missing:
            return rows
        return rows | self.columns[root].missing()

    def _asked_of(self, ruled: RuledColumn, entries: NDArray[np.intp], free: NDArray[np.bool_]) -> Asked:
        kind = np.where(free, NOTHING, ruled.kind[entries]).astype(np.int8)
        numbers = self.columns[ruled.column].numbers()
        return Asked(ruled.column, ruled.rule.exception_rate, kind, ruled.value[entries], numbers)

    def keep_component(self, c: int) -> NDArray[np.bool_]:
        """Return which rows keep to the rules of one component."""
        kept = np.ones(self.columns.n_rows, dtype=np.bool_)
        for one in self.asked[c]:
            kept &= ~one.off
        return kept

    def kept(self) -> Columns:
        """Return the rows with the values that rules ask for; where any value would do, a gap stays."""
        found = {}
        for asked in self.asked:
            for one in asked:
                rows = one.off & (one.kind == VALUE)
                if rows.any():
                    found[one.column] = np.where(rows, one.value, one.numbers)
        return replaced(self.columns, found)

    def log_agreement(self, agreement: Agreement) -> NDArray[np.float64]:
        """Return log P(what rules ask of a row | the values that they follow from), under a model.

        On the cube: of a value it is the density of its place.
        """
        total = np.zeros(self.columns.n_rows)
        for c, (entries, asked) in enumerate(zip(self.entries, self.asked, strict=True)):
            logs = agreement.log_all[c][entries]
            for k, one in enumerate(asked):
                gap = one.off & (one.kind == PRESENT)
                if gap.any():  # then a model scores the gap, and P(gap | …) is what it has to be divided by
                    without = agreement.log_but[c][k][entries[gap]]
                    logs[gap] = without + np.log(-np.expm1(np.minimum(logs[gap] - without, -1e-12)))
            total += np.where(self._free[c], 0.0, logs)
        return total

    def log_probability(self, margins: Margins) -> NDArray[np.float64]:
        """Return log p(what follows | what it follows from), less what margins say of the values asked for.

        1 − ε for what a rule asks; ε is spread as the column's margin over everything else.
        """
        total = np.zeros(self.columns.n_rows)
        for asked in self.asked:
            for one in asked:
                total += self._log_probability_of(one, margins)
        return total

    def _log_probability_of(self, one: Asked, margins: Margins) -> NDArray[np.float64]:
        of_value = np.flatnonzero(one.kind == VALUE)
        logs = np.where(one.kind == NOTHING, 0.0, np.log1p(-one.exception_rate))
        logs[one.off & (one.kind == PRESENT)] = np.log(one.exception_rate)
        wanted = log_margin(margins, one.column, one.value[of_value])
        off = one.off[of_value]
        of_off = of_value[off]
        rest = np.log(-np.expm1(np.minimum(wanted[off], -1e-12)))  # the margin beside the value asked for
        given = log_margin(margins, one.column, one.numbers[of_off])
        logs[of_off] = np.log(one.exception_rate) + given - rest
        if not self.gaps or margins.columns[one.column].missing_mass == 0.0:
            logs[np.isnan(one.numbers)] = 0.0  # summed out; a gap that training did not show counts elsewhere
        logs[of_value] -= wanted
        return logs
