"""Parameters that decision and regression trees and forests share."""

from __future__ import annotations

import numbers
from dataclasses import dataclass

from boxwood.parameters import Integer, Kind, Parameter, Real, Unchecked, declare, random_state, shown
from boxwood.tree.leaf_bound import LEAF_FACTOR, max_leaf_nodes

__all__ = ["CCP_ALPHA", "MAX_FEATURES", "MONOTONIC_CST", "TREES", "CountOrFraction"]


@dataclass(frozen=True)
class CountOrFraction(Kind):
    """A number of rows as an integer, or a fraction of them as a float below 1; `whole` allows 1.0 too."""

    name: str
    low: int
    whole: bool = False

    @property
    def text(self) -> str:
        """Both, with their bounds."""
        return f"int ≥ {self.low} or float in (0, 1{self._end}"

    @property
    def words(self) -> str:
        """Both."""
        return "an integer or a fraction"

    def takes(self, value: object) -> bool:
        """Return whether `value` is a number, and no bool."""
        return Real().takes(value)

    def check(self, where: str, value: object) -> None:
        """Raise unless `value` is a number of rows or a fraction."""
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise TypeError(f"{where} must be a number; got {shown(value)}.")
        if isinstance(value, numbers.Integral):
            fits = int(value) >= self.low
        else:
            fits = 0.0 < float(value) < 1.0 or (self.whole and float(value) == 1.0)
        if not fits:
            raise ValueError(  # scikit-learn's words
                f"The {self.name!r} parameter of {where.partition(':')[0]} must be an int in the range "
                f"[{self.low}, inf) or a float in the range (0.0, 1.0{self._end}. Got {shown(value)} instead."
            )

    @property
    def _end(self) -> str:
        return "]" if self.whole else ")"


MAX_FEATURES = Parameter(
    "max_features",
    Integer(1) | Real(0.0, 1.0, open_low=True) | "sqrt" | "log2" | None,
    "Columns tried at a node, drawn anew at each; None tries all.",
)

CCP_ALPHA = Parameter("ccp_alpha", Real(0.0), "Penalty per leaf by which a tree is pruned.")

MONOTONIC_CST = Parameter(
    "monotonic_cst",
    Unchecked("array-like of shape (n_features,), dict of column names") | None,
    "Direction in which what is told must go with each column of numbers: 1 up, −1 down, 0 any.",
)

TREES = declare(
    Parameter("max_depth", Integer(1) | None, "Most cuts between the root and a leaf; None sets no limit."),
    Parameter(
        "min_samples_split",
        # All rows may be needed for a split, but not in a leaf of one.
        CountOrFraction("min_samples_split", 2, whole=True),
        "Weight of the rows, or fraction of their number, from which on a node may be split.",
    ),
    Parameter(
        "min_samples_leaf",
        CountOrFraction("min_samples_leaf", 1),
        "Smallest weight of a leaf's rows, or fraction of their number.",
    ),
    Parameter(
        "min_weight_fraction_leaf",
        Real(0.0, 0.5),
        "Smallest weight of a leaf's rows as a fraction of that of all rows that its tree sees.",
    ),
    MAX_FEATURES,
    random_state("Of the columns tried, of random and oblique splits, and of the folds of `ccp_alpha`."),
    max_leaf_nodes(2),
    LEAF_FACTOR,
    Parameter(
        "min_impurity_decrease",
        Real(0.0),
        "Smallest decrease of impurity by a split, weighted by its node's fraction of the rows.",
    ),
    CCP_ALPHA,
    MONOTONIC_CST,
    Parameter(
        "oblique",
        Integer(0),
        "Oblique splits tried at a node beside the columns: each a direction x·w < t that mixes √n_features "
        "random columns of numbers, fitted to the node's targets.",
    ),
)
