"""The core of boosting against its reference implementation, and the laws of maps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reference_boosting import ReferenceTree

from boxwood import _core
from properties import examples


def options(**values):
    made = _core.MapGrowOptions()
    for name, value in values.items():
        setattr(made, name, value)
    return made


def no_points(d):
    return np.empty((0, d))


def boosted(points, weights=None, n_rounds=1, **values):
    made = options(**values)
    boosters = _core.Boosters(made, weights)
    boosters.add([points], [no_points(points.shape[1])], [made.seed])
    boosters.run(n_rounds)
    return boosters.best_chains()[0]


@given(
    n=st.integers(20, 80),
    d=st.integers(1, 3),
    seed=st.integers(0, 10**6),
    rate=st.sampled_from([0.1, 0.5, 0.9]),
    decay=st.sampled_from([0.0, 0.5, 1.0]),
    penalty=st.sampled_from([0.0, 0.7, 3.0]),
    weighted=st.booleans(),
)
@examples(40)
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
@examples(30)
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
    boosters = _core.Boosters(options(max_features=0))
    boosters.add([points] * 4, [no_points(3)] * 4, range(4))
    boosters.run(5, 0, n_threads)
    for chain, together in zip(chains, boosters.best_chains(), strict=True):
        for one, other in zip(chain.flat(), together.flat(), strict=True):
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


@pytest.mark.parametrize("n_threads", [1, 3])
@pytest.mark.parametrize("n_rows", [0, 1, 40_000])
def test_chains_move_together_as_each_alone(n_rows, n_threads):
    rng = np.random.default_rng(3)
    chains = [boosted(rng.beta(0.5, 2.0, (300, 2)), None, n_rounds) for n_rounds in (1, 4, 9)]
    points = [rng.random((n_rows, 2)) for _ in chains]
    alone = [own.copy() for own in points]
    logs = _core.move_chains(chains, points, n_threads)
    assert logs.shape == (n_rows, 3)
    for k, chain in enumerate(chains):
        np.testing.assert_array_equal(logs[:, k], chain.move(alone[k], 0, chain.n_trees))
        np.testing.assert_array_equal(points[k], alone[k])


def test_matrices_that_do_not_fit_the_chains_are_refused():
    chain = boosted(np.random.default_rng(0).random((50, 2)), None, 1)
    inside = np.full((3, 2), 0.5)
    with pytest.raises(ValueError, match="one matrix of points a chain"):
        _core.move_chains([chain], [inside, inside])
    for other in (np.full((2, 2), 0.5), np.full((3, 1), 0.5)):
        with pytest.raises(ValueError, match="too few or too many rows or columns"):
            _core.move_chains([chain, chain], [inside, other])
    with pytest.raises(ValueError, match=r"lie in \[0, 1\]"):
        _core.move_chains([chain], [inside + 1.0])


def test_what_cannot_be_boosted_together_is_refused():
    inside, held = np.full((3, 2), 0.5), np.full((1, 2), 0.5)
    boosters = _core.Boosters(options())
    with pytest.raises(ValueError, match="held-out points and a seed"):
        boosters.add([inside], [], [0])
    with pytest.raises(ValueError, match="differ in columns"):
        boosters.add([inside], [np.full((1, 3), 0.5)], [0])
    boosters.add([inside], [held], [0])
    with pytest.raises(ValueError, match="differ in held-out rows"):
        boosters.add([inside], [no_points(2)], [0])
    for kept in ([1], [0, 0]):
        with pytest.raises(ValueError, match="must be there and ascend"):
            boosters.keep(kept)
    with pytest.raises(ValueError, match="one weight a row"):
        _core.Boosters(options(), np.ones(2)).add([inside], [held], [0])


def test_rounds_that_are_left_only_become_fewer():
    rng = np.random.default_rng(0)
    boosters = _core.Boosters(options(split_penalty=0.0, min_samples_split=2.0, learning_rate=0.5))
    boosters.add([rng.random((400, 2))] * 2, [rng.random((100, 2))] * 2, [0, 1])
    reported = []
    boosters.run(500, 3, 1, lambda n_done, n_left: reported.append((n_done, n_left)))
    assert reported[-1] == (sum(boosters.n_rounds), 0)
    assert sum(boosters.n_rounds) < 1000  # there is nothing to find, and patience ends
    n_done, n_steps = np.array([(done, done + left) for done, left in reported]).T
    assert (np.diff(n_done) >= 0).all()
    assert (np.diff(n_steps) <= 0).all()


def test_a_failing_report_stops_the_rounds():
    boosters = _core.Boosters(options())
    boosters.add([np.random.default_rng(0).random((2000, 3))], [no_points(3)], [0])

    def fail(n_done, n_left):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        boosters.run(10_000, 0, 1, fail)
    assert boosters.n_rounds[0] < 10_000
