"""The core of boosting against its reference implementation, and the laws of maps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference_boosting import ReferenceTree

from boxwood import _core


def options(**values):
    made = _core.MapGrowOptions()
    for name, value in values.items():
        setattr(made, name, value)
    return made


def no_points(d):
    return np.empty((0, d))


def boosted(points, weights=None, n_rounds=1, **values):
    booster = _core.Booster(points, weights, no_points(points.shape[1]), None, options(**values))
    _core.run_boosters([booster], n_rounds, 0)
    return booster.best_chain()


@given(
    n=st.integers(20, 80),
    d=st.integers(1, 3),
    seed=st.integers(0, 10**6),
    rate=st.sampled_from([0.1, 0.5, 0.9]),
    decay=st.sampled_from([0.0, 0.5, 1.0]),
    penalty=st.sampled_from([0.0, 0.7, 3.0]),
    weighted=st.booleans(),
)
@settings(max_examples=40, deadline=None)
def test_rounds_equal_the_reference_implementation(n, d, seed, rate, decay, penalty, weighted):
    rng = np.random.default_rng(seed)
    points = rng.beta(0.7, 1.3, size=(n, d))
    weights = rng.integers(1, 4, n).astype(float) if weighted else None
    grow = {"learning_rate": rate, "depth_decay": decay, "split_penalty": penalty}
    chain = boosted(points, weights, 3, max_depth=3, min_samples_split=10.0, **grow)

    reference_points, reference_weights = points, np.ones(n) if weights is None else weights
    new = rng.random((20, d))
    images, logs = new, np.zeros(20)
    for _ in range(3):
        tree = ReferenceTree(reference_points, reference_weights, rate, decay, penalty, 3, 10.0)
        assume(not tree.tied)
        reference_points = np.clip([tree.move(point)[0] for point in reference_points], 0.0, 1.0)
        moved = [tree.move(point) for point in images]
        images = np.clip([point for point, _ in moved], 0.0, 1.0)
        logs = logs + [log_density for _, log_density in moved]

    found = new.copy()
    np.testing.assert_allclose(chain.move(found, 0, 3), logs, atol=1e-9)
    np.testing.assert_allclose(found, images, atol=1e-9)


@given(n=st.integers(5, 300), d=st.integers(1, 4), seed=st.integers(0, 10**6), features=st.integers(0, 3))
@settings(max_examples=30, deadline=None)
def test_maps_have_an_inverse(n, d, seed, features):
    rng = np.random.default_rng(seed)
    chain = boosted(rng.beta(0.5, 2.0, (n, d)), None, 30, max_features=features, seed=seed)
    points = rng.random((50, d))
    moved = points.copy()
    chain.move(moved, 0, chain.n_trees)
    assert ((moved >= 0.0) & (moved <= 1.0)).all()
    chain.move_back(moved)
    np.testing.assert_allclose(moved, points, atol=1e-9)


@pytest.mark.parametrize("n_threads", [2, 3])
def test_threads_change_nothing(n_threads):
    rng = np.random.default_rng(0)
    points = rng.beta(0.5, 2.0, (2000, 3))
    chains = [boosted(points, None, 5, seed=seed) for seed in range(4)]
    boosters = [
        _core.Booster(points, None, no_points(3), None, options(seed=seed, max_features=0))
        for seed in range(4)
    ]
    _core.run_boosters(boosters, 5, 0, n_threads)
    for chain, booster in zip(chains, boosters, strict=True):
        for one, other in zip(chain.flat(), booster.best_chain().flat(), strict=True):
            np.testing.assert_array_equal(one, other)
    many = rng.random((50_000, 3))
    one, two = many.copy(), many.copy()
    np.testing.assert_array_equal(chains[0].move(one, 0, 5, 1), chains[0].move(two, 0, 5, n_threads))
    np.testing.assert_array_equal(one, two)


def test_a_few_rows_are_moved_as_many_are():
    rng = np.random.default_rng(1)
    chain = boosted(rng.beta(0.5, 2.0, (3000, 2)), None, 10)
    many = rng.random((3000, 2))
    alone = many.copy()
    logs = chain.move(many, 0, 10)
    for i in range(0, 3000, 100):
        row = alone[i : i + 1].copy()
        assert chain.move(row, 0, 10)[0] == logs[i]
        np.testing.assert_array_equal(row[0], many[i])


def test_the_order_of_rows_changes_nothing():
    rng = np.random.default_rng(2)
    points = rng.beta(0.5, 2.0, (500, 3))
    one = boosted(points, None, 10, max_features=2, seed=3)
    other = boosted(np.ascontiguousarray(points[::-1]), None, 10, max_features=2, seed=3)
    for a, b in zip(one.flat(), other.flat(), strict=True):
        np.testing.assert_array_equal(a, b)


def test_what_is_no_chain_is_refused():
    chain = boosted(np.random.default_rng(0).beta(0.5, 2.0, (300, 2)), None, 2)
    cut, mass, right, column, left_is_node, ends = chain.flat()
    assert _core.MapChain(2, cut, mass, right, column, left_is_node, ends).n_trees == 2
    for arrays, what in [
        ((cut[:-1], mass, right, column, left_is_node, ends), "differ in length"),
        ((cut, mass, right, column, left_is_node, ends[::-1].copy()), "parent|not in order"),
        ((cut, mass, right, column, left_is_node, ends[:-1].copy()), "belongs to no tree"),
        ((cut, mass, right, column + np.uint16(7), left_is_node, ends), "not there"),
        ((cut * np.float32(np.nan), mass, right, column, left_is_node, ends), "not in its box"),
        ((cut, mass + np.float32(1), right, column, left_is_node, ends), "mass"),
        ((cut, mass, np.zeros_like(right), column, left_is_node, ends), "no parent"),
    ]:
        with pytest.raises(ValueError, match=what):
            _core.MapChain(2, *arrays)
    with pytest.raises(ValueError, match="no columns"):
        _core.MapChain(0, cut, mass, right, column, left_is_node, ends)


def test_points_outside_of_the_cube_are_refused():
    chain = boosted(np.random.default_rng(0).random((50, 2)), None, 1)
    for points in (np.array([[0.5, 1.5]]), np.array([[np.nan, 0.5]])):
        with pytest.raises(ValueError, match=r"lie in \[0, 1\]"):
            chain.move(points, 0, 1)
        with pytest.raises(ValueError, match=r"lie in \[0, 1\]"):
            boosted(points)
    with pytest.raises(ValueError, match="no such trees"):
        chain.move(np.array([[0.5, 0.5]]), 0, 9)
    with pytest.raises(ValueError, match="columns"):
        chain.move(np.array([[0.5]]), 0, 1)
    with pytest.raises(ValueError, match="weights"):
        boosted(np.full((2, 1), 0.5), np.array([1.0, -1.0]))
