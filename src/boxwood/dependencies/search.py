"""Finding columns that follow from others: pairs of columns without an exception, beyond chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.dependencies.rule import Rule
from boxwood.evidence import Evidence

__all__ = ["LEAST_SUPPORT", "Feature", "features_of", "find_functions", "log_chance", "make_rule"]

LEAST_SUPPORT = 100
"""A rule must have had so many chances to be broken."""

LEVEL = 0.001
"""Probability that a table of independent columns has any rule."""


@dataclass(frozen=True, eq=False)
class Feature:
    """A column, or whether it is missing, as codes of its discrete values.

    Attributes
    ----------
    column : int
    of_missing : bool
    codes : ndarray of int32, shape (n_rows,)
        −1 where a value is continuous.
    values : ndarray
        The value of each code, ascending; NaN, a gap, comes last.
    counts : ndarray of int64
        Observations of each code.
    """

    column: int
    of_missing: bool
    codes: NDArray[np.int32]
    values: NDArray[np.float64]
    counts: NDArray[np.int64]

    @property
    def support(self) -> int:
        """Observations beyond the first of each value."""
        return int(self.counts.sum()) - len(self.counts)

    @property
    def may_lead(self) -> bool:
        """Whether others may follow from it."""
        return self.support >= LEAST_SUPPORT

    @property
    def may_follow(self) -> bool:
        """Whether it may follow from others: constant columns follow from everything."""
        return len(self.values) > 1 and bool((self.codes >= 0).all())


def features_of(evidence: Evidence) -> list[Feature]:
    """Return the columns of a table, and of those that have some gaps whether they are missing."""
    observations = evidence.observations
    found = []
    for j, column in enumerate(evidence.columns):
        numbers = column.numbers() + 0.0
        cells = evidence.discrete.cells[:, j]
        found.append(_feature(j, False, numbers, cells, observations))
        if 0 < column.n_missing < evidence.n_rows:
            gaps = np.isnan(numbers).astype(np.float64)
            found.append(_feature(j, True, gaps, np.ones_like(cells), observations))
    return found


def _feature(
    column: int,
    of_missing: bool,
    numbers: NDArray[np.float64],
    cells: NDArray[np.bool_],
    observations: NDArray[np.int64],
) -> Feature:
    codes = np.full(len(numbers), -1, dtype=np.int32)
    values, codes[cells] = np.unique(numbers[cells], return_inverse=True)
    # Whole numbers below 2**53: sums of doubles are exact.
    counts = np.bincount(codes[cells], observations[cells], minlength=len(values)).astype(np.int64)
    return Feature(column, of_missing, codes, values, counts)


def find_functions(features: list[Feature]) -> list[tuple[int, int]]:
    """Return the pairs (a, b) of features of which b is a function of a, within different columns."""
    if not features or not any(feature.may_lead for feature in features):
        return []
    pairs = _core.functional_pairs(
        np.stack([feature.codes for feature in features]),
        np.array([len(feature.values) for feature in features], dtype=np.int32),
        np.array([feature.may_lead for feature in features], dtype=np.uint8),
        np.array([feature.may_follow for feature in features], dtype=np.uint8),
    )
    return [(a, b) for a, b in pairs if features[a].column != features[b].column]


def log_level(features: list[Feature]) -> float:
    """Return the logarithm of what chance must stay below: `LEVEL` over the pairs that were tested."""
    n_pairs = sum(f.may_lead for f in features) * sum(f.may_follow for f in features)
    return float(np.log(LEVEL / max(n_pairs, 1)))


def log_chance(parent: Feature, child: Feature) -> float:
    """Return the logarithm of the probability that independent columns agree so: Π_v Σ_y p_y^o_v.

    p is the child's margin, o_v the observations of the parent's value v.

    Examples
    --------
    >>> codes = np.zeros(3, dtype=np.int32)
    >>> coin = Feature(0, False, codes, np.array([0.0, 1.0]), np.array([50, 50]))
    >>> float(round(log_chance(coin, coin) / np.log(0.5), 3))  # each side must bring fifty equal faces
    98.0
    """
    from scipy import special  # questions to a saved model do without

    with np.errstate(divide="ignore"):
        log_p = np.log(child.counts / child.counts.sum())
    sizes, n_sizes = np.unique(parent.counts, return_counts=True)
    each = np.array([special.logsumexp(size * log_p) for size in sizes])
    return float(np.minimum(each, 0.0) @ n_sizes)


def make_rule(parent: Feature, child: Feature) -> Rule:
    """Return the rule of a pair that is a function."""
    values = np.empty(len(parent.values))
    known = parent.codes >= 0
    values[parent.codes[known]] = child.values[child.codes[known]]
    return Rule(
        child.column,
        parent.column,
        child.of_missing,
        parent.of_missing,
        parent.values,
        values,
        parent.counts,
    )
