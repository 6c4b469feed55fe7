"""All that follows from one column: what each of its values asks of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.dependencies.rule import Rule, positions_among

__all__ = ["NOTHING", "PRESENT", "VALUE", "Component", "RuledColumn", "components_of"]

NOTHING, VALUE, PRESENT = 0, 1, 2
"""What is asked of a column: anything goes, one value (NaN: its gap), or any value but no gap."""


@dataclass(frozen=True, eq=False)
class RuledColumn:
    """What is asked of a column by each entry of its component, and the rule that asks."""

    rule: Rule
    kind: NDArray[np.int8]
    value: NDArray[np.float64]

    @property
    def column(self) -> int:
        """The position of the column."""
        return self.rule.child


@dataclass(frozen=True, eq=False)
class Component:
    """A column from which others follow, directly or by others.

    Attributes
    ----------
    root : int
    keys : ndarray
        Values of the root that were seen, ascending, NaN last. Entry i is key i; one more entry, the last,
        is every other value.
    counts : ndarray of int64
        Observations of each key.
    ruled : tuple of RuledColumn
    """

    root: int
    keys: NDArray[np.float64]
    counts: NDArray[np.int64]
    ruled: tuple[RuledColumn, ...]

    @property
    def n_entries(self) -> int:
        """How many entries there are."""
        return len(self.keys) + 1

    def entries_of(self, columns: Columns) -> NDArray[np.intp]:
        """Return the entry of each row."""
        found = positions_among(self.keys, columns[self.root].numbers())
        return np.where(found < 0, len(self.keys), found)


def components_of(rules: Sequence[Rule]) -> list[Component]:
    """Return rules by the columns that everything follows from, in the order of these."""
    children: dict[int, list[Rule]] = {}
    for rule in rules:
        children.setdefault(rule.parent, []).append(rule)
    ruled = {rule.child for rule in rules}
    return [_component(root, children) for root in sorted(children) if root not in ruled]


def _component(root: int, children: dict[int, list[Rule]]) -> Component:
    by_value = [rule for rule in children[root] if not rule.from_missing]
    if by_value:
        keys, first = np.unique(np.concatenate([rule.keys for rule in by_value]), return_index=True)
        counts = np.concatenate([rule.counts for rule in by_value])[first]
    else:
        keys, counts = np.array([np.nan]), children[root][0].counts[1:]
    # Of values that were not seen it is known that they are not missing.
    kind = np.append(np.full(len(keys), VALUE, dtype=np.int8), np.int8(PRESENT))
    ruled: list[RuledColumn] = []
    _ask(root, kind, np.append(keys, 0.0), children, ruled)
    return Component(root, keys, counts, tuple(ruled))


def _ask(
    parent: int,
    kind: NDArray[np.int8],
    value: NDArray[np.float64],
    children: dict[int, list[Rule]],
    ruled: list[RuledColumn],
) -> None:
    """Add all that follows from a column, by what each entry says of the column."""
    for rule in children.get(parent, []):
        known = (kind == VALUE) | ((kind == PRESENT) & rule.from_missing)
        found = np.where(known, rule.positions_of(value), -1)
        values = np.where(found >= 0, rule.values[found], 0.0)
        kinds = np.where(found >= 0, VALUE, NOTHING).astype(np.int8)
        if rule.of_missing:
            kinds[(kinds == VALUE) & (values == 0.0)] = PRESENT
            values = np.where(values == 1.0, np.nan, 0.0)
        ruled.append(RuledColumn(rule, kinds, values))
        _ask(rule.child, kinds, values, children, ruled)
