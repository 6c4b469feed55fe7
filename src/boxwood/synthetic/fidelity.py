"""How like real rows synthetic ones are: each column, each pair, and all columns at once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.columns.column import Column
from boxwood.synthetic.encoded import features_of, sampled, without_empty

__all__ = ["Fidelity", "column_distance", "expected_distance", "measure_fidelity", "pair_distance"]

MOST_ROWS = 20_000
"""Rows of each kind that a classifier is trained to tell apart."""
N_FOLDS = 3
PAIR_BINS = 10
"""Numbers of a pair are compared in tenths of the real ones."""
MOST_CODES = 20
N_NULL, MOST_LEVELS = 1_000, 300
"""Draws of what chance makes of a distance; values of a column from which on ties do not matter to it."""


@dataclass(frozen=True)
class Fidelity:
    """How like the rows are.

    Attributes
    ----------
    columns : dict of name to float
        Distance of the distributions of each column, from 0 to 1: Kolmogorov-Smirnov of numbers, total
        variation of categories, gaps included.
    expected : dict of name to float
        What two tables of these sizes from one distribution would have, about.
    pairs : dict of (name, name) to float
        Total variation of each pair in a grid of tenths of numbers and of categories.
    expected_pairs : dict of (name, name) to float
        What two tables of these sizes from one distribution would have, about.
    auc : float
        Of a classifier that tells real from synthetic rows, cross-validated; 0.5 is a coin.
    give_away : dict of name to float
        By how much that area falls where the column's values are shuffled.
    """

    columns: dict[str, float]
    expected: dict[str, float]
    pairs: dict[tuple[str, str], float]
    expected_pairs: dict[tuple[str, str], float]
    auc: float
    give_away: dict[str, float]

    @property
    def indistinguishable(self) -> float:
        """2·(1 − AUC): 1 where nothing tells the rows apart, 0 where everything does."""
        return float(min(1.0, 2.0 * (1.0 - self.auc)))


def measure_fidelity(real: Columns, synthetic: Columns, seed: int) -> Fidelity:
    """Compare two tables of one schema."""
    names = real.schema.names
    columns = {name: column_distance(real[j], synthetic[j]) for j, name in enumerate(names)}
    scale = np.sqrt(1.0 / real.n_rows + 1.0 / synthetic.n_rows)
    expected = {name: expected_distance(real[j], scale) for j, name in enumerate(names)}
    pairs, expected_pairs = {}, {}
    for i, j in combinations(range(len(names)), 2):
        joint = _joint((real[i], real[j]), (synthetic[i], synthetic[j]))
        pairs[names[i], names[j]] = _total_variation(*joint)
        expected_pairs[names[i], names[j]] = _expected_variation(np.concatenate(joint), scale)
    auc, give_away = _detected(real, synthetic, seed)
    return Fidelity(columns, expected, pairs, expected_pairs, auc, give_away)


def column_distance(real: Column, synthetic: Column) -> float:
    """Return how far the distributions of a column lie apart, from 0 to 1; a gap is a value of its own."""
    gaps = abs(float(real.missing().mean()) - float(synthetic.missing().mean()))
    if not real.kind.is_number:
        return _total_variation(_codes(real), _codes(synthetic))
    a, b = (np.sort(column.values[~column.missing()]) for column in (real, synthetic))
    if not len(a) or not len(b):
        return gaps
    at = np.concatenate([a, b])
    below = (np.searchsorted(x, at, "right") / len(x) for x in (a, b))
    return max(gaps, float(np.abs(next(below) - next(below)).max()))


def pair_distance(real: tuple[Column, Column], synthetic: tuple[Column, Column]) -> float:
    """Return the total variation of two columns in a grid of tenths and categories."""
    return _total_variation(*_joint(real, synthetic))


def _joint(
    real: tuple[Column, Column], synthetic: tuple[Column, Column]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the cells of a grid that real and synthetic rows lie in."""
    cells = []
    for one, other in zip(real, synthetic, strict=True):
        edges = _edges(one)
        cells.append((_cells(one, edges), _cells(other, edges)))
    (first, first_drawn), (second, second_drawn) = cells
    return first * 1_000 + second, first_drawn * 1_000 + second_drawn


def _edges(column: Column) -> NDArray[np.float64]:
    there = column.values[~column.missing()]
    if column.kind.is_number:
        if not len(there):
            return np.zeros(0)
        return np.unique(np.quantile(there, np.linspace(0.0, 1.0, PAIR_BINS + 1)[1:-1]))
    values, counts = np.unique(there, return_counts=True)
    return np.sort(values[np.argsort(-counts, kind="stable")[:MOST_CODES]]).astype(np.float64)


def _cells(column: Column, edges: NDArray[np.float64]) -> NDArray[np.int64]:
    gap = column.missing()
    if column.kind.is_number:
        return np.where(gap, 999, np.searchsorted(edges, column.values, "right")).astype(np.int64)
    at = np.searchsorted(edges, column.values)
    known = (
        (at < len(edges)) & (edges[np.minimum(at, len(edges) - 1)] == column.values) if len(edges) else gap
    )
    return np.where(gap, 999, np.where(known, at, 998)).astype(np.int64)


def _codes(column: Column) -> NDArray[np.int64]:
    return np.where(column.missing(), -1, column.values).astype(np.int64)


def _total_variation(a: NDArray[np.int64], b: NDArray[np.int64]) -> float:
    values = np.concatenate([a, b])
    _, code = np.unique(values, return_inverse=True)
    p, q = (
        np.bincount(part, minlength=code.max() + 1) / len(part) for part in (code[: len(a)], code[len(a) :])
    )
    return float(0.5 * np.abs(p - q).sum())


def expected_distance(real: Column, scale: float) -> float:
    """Return about what chance makes of a column's distance: the mean of its null distribution."""
    if not real.kind.is_number:
        return _expected_variation(_codes(real), scale)
    there = real.values[~real.missing()]
    gap = float(real.missing().mean())
    rng = np.random.default_rng(0)
    of_gaps = scale * np.sqrt(gap * (1.0 - gap)) * np.abs(rng.normal(size=N_NULL))
    if not len(there):
        return 0.0
    of_values = scale / np.sqrt(1.0 - gap) * _largest_steps(there, rng)
    return float(np.maximum(of_gaps, of_values).mean())


def _largest_steps(values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw the largest difference of two samples' distribution functions, by their limit.

    A Brownian bridge at the levels of the values: ties leave fewer places for a difference.
    """
    from scipy.special import kolmogi

    fractions = np.unique(values, return_counts=True)[1] / len(values)
    if len(fractions) > MOST_LEVELS:
        return np.asarray(kolmogi(rng.random(N_NULL)))
    steps = rng.normal(size=(N_NULL, len(fractions))) * np.sqrt(fractions)
    bridge = np.cumsum(steps, axis=1) - np.cumsum(fractions) * steps.sum(axis=1, keepdims=True)
    return np.asarray(np.abs(bridge).max(axis=1))


def _expected_variation(codes: NDArray[np.int64], scale: float) -> float:
    _, counts = np.unique(codes, return_counts=True)
    p = counts / counts.sum()
    return float(0.5 * np.sqrt(2.0 / np.pi) * np.sqrt(p * (1.0 - p)).sum() * scale)


def _detected(real: Columns, synthetic: Columns, seed: int) -> tuple[float, dict[str, float]]:
    """Return the area of a classifier that tells the rows apart, and what each column adds to it."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedKFold

    rng = np.random.default_rng(seed)
    n = min(real.n_rows, synthetic.n_rows, MOST_ROWS)
    parts = [features_of(sampled(table, n, rng)) for table in (real, synthetic)]
    X, y = np.concatenate([part[0] for part in parts]), np.repeat([0, 1], [len(part[0]) for part in parts])
    if n < 2 * N_FOLDS:
        return 0.5, {}
    areas, drops = [], []
    for train, test in StratifiedKFold(N_FOLDS, shuffle=True, random_state=seed).split(X, y):
        X = without_empty(X, train)
        model = HistGradientBoostingClassifier(categorical_features=parts[0][1], random_state=seed)
        model.fit(X[train], y[train])
        area = roc_auc_score(y[test], model.predict_proba(X[test])[:, 1])
        areas.append(area)
        drops.append([area - _area_without(model, X[test], y[test], j, rng) for j in range(X.shape[1])])
    means = np.mean(drops, axis=0)
    return float(np.mean(areas)), dict(zip(real.schema.names, map(float, means), strict=True))


def _area_without(
    model: object, X: NDArray[np.float64], y: NDArray[np.int64], j: int, rng: np.random.Generator
) -> float:
    from sklearn.metrics import roc_auc_score

    shuffled = X.copy()
    shuffled[:, j] = rng.permutation(shuffled[:, j])
    return float(roc_auc_score(y, model.predict_proba(shuffled)[:, 1]))  # type: ignore[attr-defined]
