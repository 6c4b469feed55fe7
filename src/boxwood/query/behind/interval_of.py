"""The interval of an answer: how far trees differ, and how many rows are behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from boxwood.query.engine import QueryEngine

__all__ = ["ProbabilityInterval", "answer_of", "effective_rows_of"]

Numbers = NDArray[np.float64]

UNRESOLVED = 3.0
"""Where evidence cuts leaves, columns count as independent within them. That was tested on halves of their
rows, so that an error of two standard errors could stay: three times the variance more allow for it."""

SPREAD = 2.0
"""By which the variance of single trees' answers counts: trees share most of their rows, and differ less than
forests of other tables would."""


@dataclass(frozen=True)
class ProbabilityInterval:
    """A probability with its interval.

    Attributes
    ----------
    probability : float
    low, high : float
        Ends of the interval.
    level : float
        With which probability the interval is meant to hold what an endless table would answer.
    effective_rows : float
        How many rows are behind the evidence.
    tree_spread : float
        Standard deviation of the answers of single trees.
    """

    probability: float
    low: float
    high: float
    level: float
    effective_rows: float
    tree_spread: float

    def __float__(self) -> float:
        return self.probability

    def __repr__(self) -> str:
        return (
            f"{self.probability:.4g} ({self.low:.4g} to {self.high:.4g}, {100 * self.level:g}%; "
            f"{self.effective_rows:.0f} rows)"
        )


def answer_of(engine: QueryEngine, joint: Numbers, evidence: Numbers, level: float) -> ProbabilityInterval:
    """Return an answer with its interval, from what each leaf contributes to both probabilities.

    The variance is that of a fraction of as many rows as are behind the evidence, and that of the answers of
    single trees, which is how far an answer hangs on where leaves were cut. The interval is that of the beta
    distribution with this mean and variance and half a row more on either side, as Jeffreys' prior has it.
    """
    from scipy import special  # other questions do without, and it takes 0.1 s

    trees, _, _ = engine.leaf_counts
    of_joint, of_evidence = (np.bincount(trees, part) for part in (joint, evidence))
    used = of_evidence > 0.0
    weight = of_evidence[used] / of_evidence.sum()
    p = min(float(of_joint.sum() / of_evidence.sum()), 1.0)
    each = np.clip(of_joint[used] / of_evidence[used], 0.0, 1.0)
    spread = float((weight * (each - p) ** 2).sum())
    n_trees = 1.0 / float((weight**2).sum())
    spread *= n_trees / (n_trees - 1.0) if n_trees > 1.5 else 0.0
    rows = effective_rows_of(engine, evidence)
    unresolved = UNRESOLVED * (1.0 - _covered(engine, evidence))
    variance = p * (1.0 - p) * (1.0 + unresolved) / (rows + 1.0) + SPREAD * spread
    size = rows if p * (1.0 - p) <= 0.0 else min(max(p * (1.0 - p) / variance - 1.0, 0.0), rows)
    ends = [0.5 - 0.5 * level, 0.5 + 0.5 * level]
    low, high = special.betaincinv(p * size + 0.5, (1.0 - p) * size + 0.5, ends)
    return ProbabilityInterval(
        p, min(float(low), p), max(float(high), p), level, rows, float(np.sqrt(spread))
    )


def effective_rows_of(engine: QueryEngine, evidence: Numbers) -> float:
    """Return how many rows are behind evidence, from what each leaf contributes to its probability.

    Of one tree Kish's count of its rows: those of a leaf share its weight equally. Trees that saw a part of
    the table stand for all of it. Where the evidence has whole leaves these are the rows in it. Leaves
    without rows count as those that their mass stands for, but all together are no more than the table has.
    """
    trees, counts, mass = engine.leaf_counts
    of_tree, seen = np.bincount(trees, evidence), np.bincount(trees, counts)
    # A leaf without rows has its mass from the prior, which stands for as many rows.
    squares = np.bincount(trees, evidence**2 / np.maximum(counts, mass * seen[trees]))
    used = squares > 0.0
    rows = np.minimum(of_tree[used] ** 2 / squares[used] / seen[used], 1.0) * engine.n_rows
    return float((of_tree[used] * rows).sum() / of_tree[used].sum())


def _covered(engine: QueryEngine, evidence: Numbers) -> float:
    """Return how much of the leaves that evidence meets lies in it, by their weights; 0 of a single value."""
    trees, _, mass = engine.leaf_counts
    mass = mass * engine.mixture.weights[trees]
    met = evidence > 0.0
    part = np.minimum(evidence[met] / np.maximum(mass[met], 1e-300), 1.0)
    return float((evidence[met] * part).sum() / evidence[met].sum())
