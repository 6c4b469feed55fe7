"""The Chow–Liu tree: against one that is written out, and at its limits."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import minimum_spanning_tree

from boxwood import _core
from properties import examples


def entropy(counts: np.ndarray) -> float:
    fraction = counts[counts > 0] / counts.sum()
    return float(-(fraction * np.log(fraction)).sum())


def gain(a: np.ndarray, b: np.ndarray, weights: np.ndarray, n: float) -> float:
    """Mutual information of all observations, less half a log n for each free parameter."""
    both = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(both, (a, b), weights)
    known = entropy(both.sum(axis=1)) + entropy(both.sum(axis=0)) - entropy(both.ravel())
    return n * known - 0.5 * np.log(max(2.0, n)) * (both.shape[0] - 1) * (both.shape[1] - 1)


def log_probability(codes: np.ndarray, parent: np.ndarray, weights: np.ndarray) -> np.ndarray:
    total = np.zeros(codes.shape[1])
    for j, p in enumerate(parent):
        for i in range(codes.shape[1]):
            given_rows = np.ones(codes.shape[1], bool) if p < 0 else codes[p] == codes[p, i]
            same = given_rows & (codes[j] == codes[j, i])
            total[i] += np.log(weights[same].sum() / weights[given_rows].sum())
    return total


def fit(codes: np.ndarray, weights: np.ndarray, n: float) -> tuple[np.ndarray, np.ndarray]:
    levels = (codes.max(axis=1) + 1).astype(np.int32)
    return _core.fit_chow_liu(codes.astype(np.int32), levels, weights, n)


@examples(60)
@given(seed=st.integers(0, 10**6), d=st.integers(1, 6), n=st.integers(1, 80))
def test_the_tree_is_the_best_of_all_trees(seed: int, d: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (d, n))
    for j in range(1, d):  # columns that follow another one, more or less
        copied = rng.random(n) < rng.random()
        codes[j, copied] = codes[rng.integers(0, j), copied]
    codes = np.stack([np.unique(row, return_inverse=True)[1] for row in codes])
    weights = rng.integers(1, 5, n)
    total = float(weights.sum())
    parent, log_p = fit(codes, weights, total)
    gains = np.zeros((d, d))
    for a, b in itertools.combinations(range(d), 2):
        gains[a, b] = max(0.0, gain(codes[a], codes[b], weights, total))
    best = -minimum_spanning_tree(-gains).sum()
    own = sum(max(gains[j, p], gains[p, j]) for j, p in enumerate(parent) if p >= 0)
    assert own == pytest.approx(best, abs=1e-8)
    np.testing.assert_allclose(log_p, log_probability(codes, parent, weights), atol=1e-9)


def test_columns_of_many_levels_do_not_explain_each_other() -> None:
    codes = np.stack([np.arange(500), np.arange(500)])
    parent, log_p = fit(codes, np.ones(500, dtype=np.int64), 500.0)
    assert parent.tolist() == [-1, -1]
    np.testing.assert_allclose(log_p, -2.0 * np.log(500.0))


def test_probabilities_of_all_cells_sum_to_one() -> None:
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 4_000)
    codes = np.stack([a, np.where(rng.random(4_000) < 0.8, a, 1 - a), rng.integers(0, 3, 4_000)])
    parent, log_p = fit(codes, np.ones(4_000, dtype=np.int64), 4_000.0)
    assert parent.tolist() == [-1, 0, -1]
    cells = np.unique(np.column_stack([*codes, np.exp(log_p)]), axis=0)
    assert cells[:, -1].sum() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("codes", "weights"), [([[0, 2]], [1, 1]), ([[0, -1]], [1, 1]), ([[0, 1]], [1, 0]), ([[0, 1]], [1])]
)
def test_malformed_input_is_refused(codes: list[list[int]], weights: list[int]) -> None:
    with pytest.raises(ValueError, match=r"code|weight"):
        _core.fit_chow_liu(
            np.array(codes, dtype=np.int32), np.array([2], dtype=np.int32), np.array(weights), 2.0
        )
