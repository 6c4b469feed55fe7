"""One rule: the value of a column for each value of its parent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Schema
from boxwood.dependencies.dependency import Dependency
from boxwood.model_file import State

__all__ = ["Rule", "positions_among", "same_values"]


@dataclass(frozen=True, eq=False)
class Rule:
    """A function from one column's values to another's, as tables have them (see ``Column.numbers``).

    Attributes
    ----------
    child, parent : int
        Positions of the columns.
    of_missing, from_missing : bool
        The function is of whether a column is missing, 0 or 1, in place of its values.
    keys : ndarray of shape (n_values,)
        Values of the parent, ascending; NaN, its gap, comes last.
    values : ndarray of shape (n_values,)
        The child's value for each of them.
    counts : ndarray of int64, shape (n_values,)
        Observations of each key.
    """

    child: int
    parent: int
    of_missing: bool
    from_missing: bool
    keys: NDArray[np.float64]
    values: NDArray[np.float64]
    counts: NDArray[np.int64]

    @property
    def support(self) -> int:
        """How often the rule could have been broken: observations beyond the first of each key."""
        return int(self.counts.sum()) - len(self.keys)

    @property
    def exception_rate(self) -> float:
        """The probability of rows that break it."""
        return 1.0 / (self.support + 2.0)

    @property
    def child_codes(self) -> NDArray[np.float64]:
        """The values of the child that the rule tells, without gaps; none where it tells of gaps."""
        return self.values[:0] if self.of_missing else self.values[~np.isnan(self.values)]

    @property
    def parent_codes(self) -> NDArray[np.float64]:
        """The values of the parent that the rule knows, without gaps; none where it knows of gaps."""
        return self.keys[:0] if self.from_missing else self.keys[~np.isnan(self.keys)]

    @property
    def columns_with_gaps(self) -> set[int]:
        """Its columns of whose gaps it says something."""
        ends = (self.child, self.of_missing, self.values), (self.parent, self.from_missing, self.keys)
        return {column for column, of_gaps, numbers in ends if of_gaps or np.isnan(numbers).any()}

    def positions_of(self, numbers: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return which key each value of the parent is; −1 where it was not seen."""
        return positions_among(
            self.keys, np.isnan(numbers).astype(np.float64) if self.from_missing else numbers
        )

    def of_present_values(self) -> Rule:
        """Return the rule without gaps of the parent and of the child."""
        known = ~(np.isnan(self.keys) | np.isnan(self.values))
        parts = self.keys[known], self.values[known], self.counts[known]
        return Rule(self.child, self.parent, self.of_missing, self.from_missing, *parts)

    def described(self, schema: Schema) -> Dependency:
        """Return what a user sees."""
        return Dependency(
            schema.names[self.child],
            schema.names[self.parent],
            self.of_missing,
            self.from_missing,
            int(self.counts.sum()),
            len(self.keys),
            self.support,
        )

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps: gaps apart, since numbers of a file are never NaN."""
        absent = np.isnan(self.values)
        return {
            "child": self.child,
            "parent": self.parent,
            "of_missing": self.of_missing,
            "from_missing": self.from_missing,
            "keys": self.keys[~np.isnan(self.keys)],
            "values": np.where(absent, 0.0, self.values),
            "gaps": absent.astype(np.uint8),
            "counts": self.counts,
        }

    @classmethod
    def from_state(cls, state: State, n_columns: int) -> Rule:
        """Read what `to_state` gave, after checking it."""
        child = state.integer("child", high=n_columns - 1)
        parent = state.integer("parent", high=n_columns - 1)
        if child == parent:
            raise state.error("child", "is its own parent")
        counts = state.array("counts", np.int64, (None,), low=1)
        n = len(counts)
        keys = state.array("keys", np.float64, (None,))
        if n == 0 or len(keys) not in (n - 1, n) or np.any(keys[1:] <= keys[:-1]):
            raise state.error("keys", "are not ascending, one a count or one less")
        if len(keys) < n:
            keys = np.append(keys, np.nan)
        values = state.array("values", np.float64, (n,))
        values = np.where(state.array("gaps", np.uint8, (n,), low=0, high=1) == 1, np.nan, values)
        flags = state.flag("of_missing"), state.flag("from_missing")
        for name, of_flag, numbers in (("values", flags[0], values), ("keys", flags[1], keys)):
            if of_flag and not np.isin(numbers, (0.0, 1.0)).all():
                raise state.error(name, "are not whether a value is missing")
        return cls(child, parent, *flags, keys, values, counts)


def same_values(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return where values are equal; gaps equal each other."""
    return np.asarray((a == b) | (np.isnan(a) & np.isnan(b)))


def positions_among(keys: NDArray[np.float64], numbers: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return where numbers stand among ascending keys, NaN among them last; −1 where they do not.

    Examples
    --------
    >>> positions_among(np.array([1.0, 4.0, np.nan]), np.array([4.0, 2.0, np.nan, 9.0]))
    array([ 1, -1,  2, -1])
    """
    found = np.minimum(np.searchsorted(keys, numbers), len(keys) - 1)  # NaN is sorted last there too
    return np.where(same_values(keys[found], numbers), found, -1)
