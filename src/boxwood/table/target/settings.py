"""How much work forests of a target are."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["QUICK", "THOROUGH", "TargetSettings"]


@dataclass(frozen=True)
class TargetSettings:
    """Sizes of a target's forests.

    Attributes
    ----------
    n_trees : int
        Of each forest.
    rounds : int
        Forests of residuals, at most.
    most_bins : int
        Of a number; more than 200 changed log-likelihoods by less than 0.005 nats.
    rows_to_choose : int
        Which choose bandwidths and weights, at equal distances in the order of the rows' hashes.
    value_leaves : tuple of (int, float)
        Least rows of a leaf, and fraction of the columns that a split looks at, of each forest of values.
    class_leaves : tuple of int
        Least rows of a leaf of each forest of classes: small leaves tell classes apart, large ones know
        probabilities.
    boosted : bool
        Whether gradient-boosted trees correct the forests of classes.
    n_jobs : int, optional
        Threads that grow a forest, as joblib counts them; results do not depend on it.
    """

    n_trees: int
    rounds: int
    most_bins: int
    rows_to_choose: int
    value_leaves: tuple[tuple[int, float], ...]
    class_leaves: tuple[int, ...]
    boosted: bool
    n_jobs: int | None = None


THOROUGH = TargetSettings(100, 6, 200, 3000, ((2, 0.8), (10, 0.5)), (2, 10), True)
"""Of one target."""

QUICK = TargetSettings(40, 2, 100, 1000, ((5, 0.5),), (5,), False)
"""Where every column of a table is one."""
