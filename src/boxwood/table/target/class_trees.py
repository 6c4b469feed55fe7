"""Gradient-boosted trees of a class: what they say of a row and a class adds to its log-probability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax

from boxwood import _core
from boxwood.boosting.ratio.trees import codes_of, edges_of, sum_of, trees_from_state, trees_to_state
from boxwood.evidence import Fold
from boxwood.model_file import State

__all__ = ["ClassRows", "ClassTrees"]

MOST_OTHERS = 3
"""Other classes that each row's own one is compared with; of more classes these are drawn."""

LEAST_GAIN = 2.0
"""Standard errors of what trees of several folds are to gain on rows held out; less may be chance."""

Numbers = NDArray[np.float64]
Pairs = tuple[NDArray[np.uint8], NDArray[np.uint8], Numbers, Numbers]


@dataclass(frozen=True, eq=False)
class ClassRows:
    """Rows with classes.

    Attributes
    ----------
    rows : ndarray of shape (n_rows, n_columns)
        Numbers and codes of categories; NaN where there is a gap.
    codes : ndarray of shape (n_rows,)
        Of their classes.
    weights : ndarray of shape (n_rows,)
    log_base : ndarray of shape (n_rows, n_classes)
        Log-probabilities that are known before, by what has not seen the rows.
    keys : ndarray of shape (n_rows,)
        Of what the rows hold: random numbers that do not depend on their order.
    """

    rows: Numbers
    codes: NDArray[np.intp]
    weights: Numbers
    log_base: Numbers
    keys: NDArray[np.uint64]

    def weighing(self, weights: Numbers) -> ClassRows:
        """Return the rows that weigh something, with these weights."""
        kept = np.flatnonzero(weights > 0.0)
        return ClassRows(
            self.rows[kept], self.codes[kept], weights[kept], self.log_base[kept], self.keys[kept]
        )


@dataclass(frozen=True, eq=False)
class ClassTrees:
    """Trees on the columns and the class.

    Attributes
    ----------
    trees : RatioTrees
        Native: the columns, where gaps lie above all values, and last the class's code.
    gaps : ndarray of shape (n_columns,)
        Where gaps lie.
    """

    trees: _core.RatioTrees
    gaps: Numbers

    @classmethod
    def fit(cls, train: ClassRows, held: ClassRows) -> Self | None:
        """Grow trees as long as held-out rows gain; None where they gain nothing.

        By the likelihood of pairs: given that a row has its own or another class, that it is its own. The
        classes' probabilities are what makes it largest, as with the likelihood of all classes.
        """
        return cls._grown(train, held, _above(train.rows))

    @classmethod
    def cross_fit(cls, known: ClassRows, folds: list[Fold]) -> Self | None:
        """Grow trees for each fold and take their mean; None where rows held out gain no more than by chance.

        In small tables a few held-out rows end trees by chance, and a mean over folds evens that out.
        """
        gaps, grown, gains = _above(known.rows), [], []
        for fold in folds:
            held = known.weighing(fold.held)
            trees = cls._grown(known.weighing(fold.train), held, gaps)
            if trees is not None:
                grown.append(trees.trees)
                gains.append(np.stack([trees._gains(held), held.weights]))
        if not grown:
            return None
        gain, weights = np.concatenate(gains, axis=1)
        by_chance = np.sqrt((weights * gain**2).sum())
        return cls(sum_of(grown, 1.0 / len(folds)), gaps) if weights @ gain > LEAST_GAIN * by_chance else None

    @classmethod
    def _grown(cls, train: ClassRows, held: ClassRows, gaps: Numbers) -> Self | None:
        points = _points(train.rows, gaps)
        edges = [edges_of(points[:, j]) for j in range(points.shape[1])]
        edges.append(np.arange(train.log_base.shape[1] - 1) + 0.5)
        trees = _core.grow_ratio_trees(
            [of_column.tolist() for of_column in edges],
            _pairs(edges, train, gaps),
            _pairs(edges, held, gaps),
            _core.RatioOptions(),
        )
        return cls(trees, gaps) if trees.n_trees else None

    def log_probabilities(self, rows: Numbers, log_base: Numbers) -> Numbers:
        """Return the log-probability of each class of each row: (n_rows, n_classes)."""
        points = _points(rows, self.gaps)
        with_class = np.column_stack([points, np.zeros(len(points))])
        found = log_base.copy()
        for k in range(log_base.shape[1]):
            with_class[:, -1] = k
            found[:, k] += self.trees.log_ratio(with_class)
        return np.asarray(log_softmax(found, axis=1))

    def _gains(self, known: ClassRows) -> Numbers:
        """Return what the trees add to the log-probability of each row's own class."""
        own = np.arange(len(known.codes)), known.codes
        return np.asarray(
            self.log_probabilities(known.rows, known.log_base)[own] - log_softmax(known.log_base, axis=1)[own]
        )

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "trees": (self.trees.n_columns, self.trees.flat())}

    def __setstate__(self, state: dict[str, Any]) -> None:
        n_columns, flat = state["trees"]
        self.__dict__.update(state, trees=_core.RatioTrees(n_columns, *flat))

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {"trees": trees_to_state(self.trees), "gaps": self.gaps}

    @classmethod
    def from_state(cls, state: State, n_columns: int) -> Self:
        """Read what `to_state` gave, after checking it."""
        gaps = state.array("gaps", np.float64, (n_columns,))
        return cls(trees_from_state(state.child("trees"), n_columns + 1), gaps)


def _above(rows: Numbers) -> Numbers:
    """Return a number of each column far above all of its values: a larger one of a new row is no gap."""
    highest = np.where(np.isnan(rows), -np.inf, rows).max(axis=0, initial=-np.inf)
    highest = np.where(np.isfinite(highest), highest, 0.0)
    largest = np.finfo(np.float64).max
    return np.asarray(highest + np.minimum(0.5 * largest, largest - np.maximum(highest, 0.0)))


def _points(rows: Numbers, gaps: Numbers) -> Numbers:
    return np.where(np.isnan(rows), gaps, rows)


def _pairs(edges: list[Numbers], known: ClassRows, gaps: Numbers) -> Pairs:
    """Return each row with its own class and, in turn, with others, and what is known of these pairs.

    Every other class is as likely to be compared with: else likelihoods would have to allow for the choice.
    """
    n, n_classes = known.log_base.shape
    n_others = min(n_classes - 1, MOST_OTHERS)
    first = (known.keys % np.uint64(n_classes - 1)).astype(np.intp)
    codes = np.empty((n, n_others, 2, len(edges)), dtype=np.uint8)
    codes[..., :-1] = codes_of(edges[:-1], _points(known.rows, gaps))[:, None, None, :]
    bases = np.empty((n, n_others))
    at = np.arange(n)
    for k in range(n_others):
        other = (known.codes + 1 + (first + k) % (n_classes - 1)) % n_classes
        codes[:, k, 0, -1], codes[:, k, 1, -1] = known.codes, other
        bases[:, k] = known.log_base[at, known.codes] - known.log_base[at, other]
    is_real = np.tile(np.array([1, 0], dtype=np.uint8), n * n_others)
    weights = np.repeat(known.weights / n_others, 2 * n_others)
    return codes.reshape(-1, len(edges)), is_real, weights, bases.ravel()
