"""Tables of a component of rules and one other column: what is asked often needs no look at the leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.dependencies.component import VALUE
from boxwood.query.cube_set import SLIVER

if TYPE_CHECKING:
    from boxwood.query.engine import CubeBox, QueryEngine
    from boxwood.query.rule_event import Asked, RuledComponent

__all__ = ["RuleTables"]

Numbers = NDArray[np.float64]

FIRST_USE = 3
"""At which question about the same columns a table is made: it takes as long as some twenty questions."""

MOST_ENTRIES = 64
"""A table takes a look at the leaves for each entry."""

MOST_WEIGHTS = 1024
"""Of sets that were asked, and what they leave of each entry."""

MOST_CELLS = 2**21
"""Of all tables that are kept: 16 MB."""


@dataclass(frozen=True, eq=False)
class _Table:
    """Of each entry the density of each bin of a column, or its probability where there is none.

    `others` has, where one ruled column is asked, the same for each of its bins where the root has another
    value than the entries'.
    """

    entries: Numbers
    others: Numbers | None

    @property
    def n_cells(self) -> int:
        return self.entries.size + (0 if self.others is None else self.others.size)


Key = tuple[int, int | None, int | None]
"""The component, the ruled column that others than its entries are asked for, and the column beside it."""

_NOT_KEPT = object()


class RuleTables:
    """Probabilities of boxes that ask one component, and at most one column that follows no rule.

    Parameters
    ----------
    engine : QueryEngine
    """

    def __init__(self, engine: QueryEngine) -> None:
        self._engine = engine
        self._tables: dict[Key, _Table] = {}
        self._uses: dict[Key, int] = {}
        self._weights_of: dict[Any, Any] = {}

    def look_up(self, box: CubeBox) -> float | None:
        """Return the probability of a box; None where no table has it."""
        if len(box.asked) != 1 or len(box.columns) > 1 or box.n_points:
            return None
        (c, asked), *_ = box.asked.items()
        key = (c, tuple((j, values) for j, (values, _) in asked.items()))
        weights = self._weights_of.get(key, _NOT_KEPT)
        if weights is _NOT_KEPT:
            if len(self._weights_of) >= MOST_WEIGHTS:
                self._weights_of.clear()
            weights = self._weights_of[key] = self._weights(c, asked)
        if weights is None:
            return None
        ruled = next(iter(asked)) if weights[-1] else None
        table = self._table((c, ruled, box.columns[0] if box.columns else None))
        if table is None:
            return None
        cover = box.events[0].cover() if box.columns else np.ones(1)
        found = float(weights[:-1] @ (table.entries @ cover))
        if table.others is not None and ruled is not None:
            event = self._engine.leaves.event(ruled, asked[ruled][1].low, asked[ruled][1].high, 0.0)
            found += float(event.cover() @ table.others @ cover)
        return box.factor * found

    def _weights(self, c: int, asked: Asked) -> Numbers | None:
        """Return what counts of each entry, and whether others count; None where bins of leaves decide."""
        one = self._engine.components[c]
        component = one.component
        if component.n_entries > MOST_ENTRIES:
            return None
        weights = one.root_inside(asked.get(component.root))
        if component.root in asked:
            cube = asked[component.root][1]
            others = (cube.high - cube.low).sum() - np.diff(one.intervals)[weights[:-1] > 0.0].sum()
            if others > SLIVER * component.n_entries:
                return None
            weights[-1] = 0.0
        elif len(asked) > 1:
            return None
        for k, ruled in enumerate(component.ruled):
            if ruled.column not in asked:
                continue
            if (ruled.kind[:-1] != VALUE).any():
                return None
            weights[:-1] *= one.kept(k, asked[ruled.column])[:-1]
        return weights

    def _table(self, key: Key) -> _Table | None:
        table = self._tables.get(key)
        if table is not None:
            self._tables[key] = self._tables.pop(key, table)  # the last used comes last
            return table
        c, ruled, column = key
        edges = self._engine.edges
        n = self._engine.components[c].component.n_entries + (0 if ruled is None else len(edges[ruled]))
        if n * (1 if column is None else len(edges[column])) > MOST_CELLS // 4:
            return None
        self._uses[key] = n_uses = self._uses.get(key, 0) + 1
        if n_uses < FIRST_USE:
            return None
        table = self._made(key)
        self._tables[key] = table
        # Other threads may take tables away meanwhile.
        while (oldest := list(self._tables)) and self._n_cells() > MOST_CELLS:
            self._tables.pop(oldest[0], None)
        return table

    def _n_cells(self) -> int:
        return sum(one.n_cells for one in list(self._tables.values()))

    def _made(self, key: Key) -> _Table:
        c, ruled, column = key
        one = self._engine.components[c]
        entries = [self._densities(one, e, column) for e in range(one.component.n_entries - 1)]
        others = None if ruled is None else self._densities_of_others(one, ruled, column)
        return _Table(np.stack(entries), others)

    def _densities(self, one: RuledComponent, entry: int, column: int | None) -> Numbers:
        conditioned = self._conditioned(one, entry)
        return conditioned.totals() if column is None else conditioned.densities(column, [0], 1)[0]

    def _densities_of_others(self, one: RuledComponent, ruled: int, column: int | None) -> Numbers:
        conditioned = self._conditioned(one, one.component.n_entries - 1)
        edges = self._engine.edges
        if column is None:
            return conditioned.densities(ruled, [0], 1)[0][:, None]
        cells = [np.arange(len(edges[j]), dtype=np.uint32) for j in (ruled, column)]
        masses = conditioned.pair_masses(ruled, cells[0], column, cells[1])
        return masses / np.diff(edges[ruled])[:, None] / np.diff(edges[column])

    def _conditioned(self, one: RuledComponent, entry: int) -> _core.Conditioned:
        """Return the leaves where the root has the value of one entry, or one of the others."""
        engine = self._engine
        return _core.Conditioned(engine.tables, [([], [], [one.entry_event(entry)], 1.0)], engine.n_threads)
