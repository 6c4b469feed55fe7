"""What a part of a table tells of the open nodes of decision trees is what loops over its rows tell."""

import pickle
from typing import Any

import numpy as np
import pytest

from boxwood import _core

N_BINS, N_CLASSES = (9, 300, 5), 3


def small_table(n_rows: int, seed: int) -> tuple[list[Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return columns as the core takes them, of one and two bytes and categories, codes, and classes."""
    rng = np.random.default_rng(seed)
    codes = np.column_stack([rng.integers(0, n, n_rows) for n in N_BINS])
    codes[:, 2] = 3  # nothing to part
    specs = [
        (
            codes[:, j].astype(np.uint16 if n > 256 else np.uint8).view(np.uint8),
            2 if n > 256 else 1,
            n,
            j == 2,
            0,
        )
        for j, n in enumerate(N_BINS)
    ]
    return specs, codes, rng.integers(0, N_CLASSES, n_rows).astype(np.uint32)


def test_counts_sums_and_rows_are_those_of_loops() -> None:
    specs, codes, classes = small_table(200, 0)
    weights = np.random.default_rng(1).integers(1, 4, 200).astype(float)
    options = _core.SupervisedForestOptions()
    options.bootstrap = False
    table = _core.SupervisedTable(specs, classes, N_CLASSES, None, weights)
    part = _core.DecisionLevelPart(table, options)
    growth = _core.DecisionLevelGrowth([spec[1:] for spec in specs], N_CLASSES, options, 50)
    root, state = growth.root(0, 1.0), part.sample(0)
    n_rows, weight, counts, most = part.count(root, *state, N_CLASSES, np.zeros(0))
    assert weight[0] == weights.sum()
    assert counts.tolist() == [weights[classes == k].sum() for k in range(N_CLASSES)]
    assert (most.reshape(3, 2).sum(axis=1) > 0).tolist() == [True, True, False]
    planned, step, tried = growth.plan(root, n_rows, weight, counts, most)
    assert tried.tolist() == [1, 1, 0]
    rows, _, n_taken, sums = part.take(root, *state, step, np.zeros_like(step), tried)
    assert len(rows) == 0
    assert n_taken.tolist() == [0]
    wanted = [
        weights[(codes[:, j] == code) & (classes == k)].sum()
        for j in (0, 1)
        for code in range(N_BINS[j])
        for k in range(N_CLASSES)
    ]
    np.testing.assert_array_equal(sums, wanted)
    tree, subtrees = growth.deepen(planned, [(rows, np.zeros(0), n_taken)], sums)
    assert subtrees == []
    assert tree.n_open == 2
    for value in (root, planned, tree):
        assert pickle.loads(pickle.dumps(value)).__getstate__() == value.__getstate__()
        with pytest.raises(ValueError, match="end too early"):
            type(value).__new__(type(value)).__setstate__(value.__getstate__()[:-1])


def test_rows_of_small_nodes_are_given_as_they_are() -> None:
    specs, _, classes = small_table(40, 2)
    options = _core.SupervisedForestOptions()
    part = _core.DecisionLevelPart(_core.SupervisedTable(specs, classes, N_CLASSES, None, None), options)
    growth = _core.DecisionLevelGrowth([spec[1:] for spec in specs], N_CLASSES, options, 50)
    root, state = growth.root(3, 1.0), part.sample(3)
    planned, step, tried = growth.plan(root, *part.count(root, *state, N_CLASSES, np.zeros(0)))
    rows, weights, n_taken, sums = part.take(root, *state, step, np.zeros_like(step), tried)
    assert len(rows) == len(state[0]) == n_taken.sum()
    assert len(sums) == 0
    assert np.bincount(rows[:, -2], weights, N_CLASSES).tolist() == [
        state[1][_classes_of(rows) == k].sum() for k in range(N_CLASSES)
    ]
    tree, [subtree] = growth.deepen(planned, [(rows, weights, n_taken)], sums)
    assert tree.n_open == 0
    assert pickle.loads(pickle.dumps(subtree)).__getstate__() == subtree.__getstate__()


def _classes_of(rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the classes of rows that were given: their last four bytes."""
    return np.ascontiguousarray(rows[:, -2:]).view(np.uint32).ravel()
