"""Trees that tell rows from draws: their sum is the logarithm of a density ratio."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood import _core
from boxwood.boosting.cube_intervals import CubeIntervals
from boxwood.boosting.ratio.density_ratio import CubeRows, PlacedRows, fit_density_ratio, places_of
from boxwood.boosting.ratio.raking import Raking, counted_bins, wanted_masses
from boxwood.model_file import ModelFileError, State
from properties import examples


def points(u):
    return CubeIntervals(u, np.zeros_like(u))


def rows(u):
    return PlacedRows(u, np.ones(len(u)))


def correlated(n, seed):
    """Points of density 1.8 where both coordinates are on one side of a half, 0.2 elsewhere."""
    rng = np.random.default_rng(seed)
    u = rng.random((n, 3))
    apart = (u[:, 0] < 0.5) != (u[:, 1] < 0.5)
    moved = apart & (rng.random(n) < 0.8)
    u[moved, 1] = (u[moved, 1] + 0.5) % 1.0
    return u


def options(**chosen):
    found = _core.RatioOptions()
    for name, value in chosen.items():
        setattr(found, name, value)
    return found


NO_PAIRS = np.zeros(0)


def reference_tree(codes, first, second, edges, wanted):
    """Return the nodes of the first tree by the obvious search: (cut, column) or the value of a leaf."""

    def score(of):
        return first[of].sum() ** 2 / (second[of].sum() + wanted.prior)

    def grow(of, depth):
        best = (0.0, None)
        for j, of_column in enumerate(edges):
            for b, cut in enumerate(of_column):
                left = of[codes[of, j] <= b]
                right = of[codes[of, j] > b]
                enough = [second[side].sum() >= wanted.least_leaf for side in (left, right)]
                gain = score(left) + score(right) - score(of)
                if depth < wanted.max_depth and all(enough) and gain > best[0] * (1.0 + 1e-12):
                    best = (gain, (left, right, cut, j))
        if best[1] is None:
            return wanted.learning_rate * first[of].sum() / (second[of].sum() + wanted.prior)
        left, right, cut, j = best[1]
        return (cut, j, grow(left, depth + 1), grow(right, depth + 1))

    return grow(np.arange(len(codes)), 0)


def reference_value(tree, point):
    while isinstance(tree, tuple):
        cut, j, left, right = tree
        tree = left if point[j] < cut else right
    return tree


@examples(20)
@given(st.integers(0, 10_000))
def test_a_tree_is_that_of_the_obvious_search(seed):
    rng = np.random.default_rng(seed)
    n, edges = 300, [np.array([0.2, 0.5, 0.7]), np.array([0.5]), np.array([0.1, 0.3, 0.6, 0.9])]
    u = rng.random((n, 3))
    is_real = (rng.random(n) < 0.3 + 0.4 * ((u[:, 0] < 0.5) == (u[:, 2] < 0.6))).astype(np.uint8)
    weights = rng.uniform(0.5, 2.0, n)
    codes = np.column_stack([np.searchsorted(e, u[:, j], side="right") for j, e in enumerate(edges)])
    given_rows = (np.ascontiguousarray(codes, dtype=np.uint8), is_real, weights, NO_PAIRS)
    wanted = options(n_trees=1, max_depth=3, least_leaf=2.0)
    trees = _core.grow_ratio_trees([e.tolist() for e in edges], given_rows, given_rows, wanted)
    tree = reference_tree(codes, weights * (is_real - 0.5), weights * 0.25, edges, wanted)
    expected = [reference_value(tree, point) for point in u]
    # Derivatives are rounded to 2⁻³⁰ of what all rows weigh.
    np.testing.assert_allclose(trees.log_ratio(u), expected, rtol=1e-6, atol=1e-8)


@examples(20)
@given(st.integers(0, 10_000), st.sampled_from([0, 40]))
def test_a_tree_of_pairs_is_that_of_the_obvious_search(seed, n_singles):
    rng = np.random.default_rng(seed)
    n_pairs, edges = 150, [np.array([0.2, 0.5, 0.7]), np.array([0.5]), np.array([0.1, 0.3, 0.6, 0.9])]
    n = n_singles + 2 * n_pairs
    u = rng.random((n, 3))
    u[n_singles + 1 :: 2, :2] = u[n_singles::2, :2]  # the other of a pair differs in one column
    codes = np.column_stack([np.searchsorted(e, u[:, j], side="right") for j, e in enumerate(edges)])
    single = (rng.random(n_singles) < 0.5).astype(np.uint8)
    is_real = np.concatenate([single, np.tile([1, 0], n_pairs)]).astype(np.uint8)
    weights = np.concatenate([rng.uniform(0.5, 2.0, n_singles), np.repeat(rng.uniform(0.5, 2.0, n_pairs), 2)])
    bases = rng.normal(size=n_pairs)
    given_rows = (np.ascontiguousarray(codes, dtype=np.uint8), is_real, weights, bases)
    wanted = options(n_trees=1, max_depth=3, least_leaf=2.0)
    trees = _core.grow_ratio_trees([e.tolist() for e in edges], given_rows, given_rows, wanted)
    right = np.concatenate([np.full(n_singles, 0.5), np.repeat(1.0 / (1.0 + np.exp(-bases)), 2)])
    first = weights * (1.0 - right) * np.where(is_real == 1, 1.0, -1.0)
    tree = reference_tree(codes, first, weights * right * (1.0 - right), edges, wanted)
    expected = [reference_value(tree, point) for point in u]
    if trees.n_trees:  # a tree that held-out rows lose by is cut off
        np.testing.assert_allclose(trees.log_ratio(u), expected, rtol=1e-6, atol=1e-8)
    margin = bases + np.diff(np.reshape(expected[n_singles:], (-1, 2)))[:, 0] * -1.0
    own = np.where(single == 1, 1.0, -1.0) * expected[:n_singles]
    loss = weights[n_singles::2] @ (2.0 * np.logaddexp(0.0, -margin)) + weights[:n_singles] @ np.logaddexp(
        0.0, -own
    )
    before = weights[n_singles::2] @ (2.0 * np.logaddexp(0.0, -bases)) + weights[:n_singles].sum() * np.log(2)
    assert bool(trees.n_trees) == (loss < before)


@pytest.mark.parametrize(
    ("is_real", "bases", "match"),
    [
        ([1, 0, 1, 1], [0.0, 0.0], "pair"),
        ([1, 0, 1, 0], [0.0, np.nan], "finite"),
        ([1, 0], [0.0] * 2, "fewer"),
    ],
)
def test_pairs_are_a_real_row_and_another(is_real, bases, match):
    n = len(is_real)
    wrong = (np.zeros((n, 1), np.uint8), np.array(is_real, np.uint8), np.ones(n), np.array(bases))
    with pytest.raises(ValueError, match=match):
        _core.grow_ratio_trees([[0.5]], wrong, wrong, options(n_trees=1))


@pytest.mark.parametrize("edges", [[0.5, np.inf], [np.nan], [0.7, 0.2]])
def test_edges_are_finite_and_ascending(edges):
    rows = (np.zeros((4, 1), dtype=np.uint8), np.array([0, 1, 0, 1], dtype=np.uint8), np.ones(4), NO_PAIRS)
    with pytest.raises(ValueError, match="edges"):
        _core.grow_ratio_trees([edges], rows, rows, options(n_trees=1))


def test_the_ratio_of_known_densities_is_found():
    rng = np.random.default_rng(5)
    trees = fit_density_ratio(
        rows(correlated(8_000, 0)), rows(correlated(1_500, 1)), points(rng.random((20_000, 3)))
    )
    u = rng.random((4_000, 3))
    together = (u[:, 0] < 0.5) == (u[:, 1] < 0.5)
    logs = trees.log_ratio(u)
    assert logs[together].mean() == pytest.approx(np.log(1.8), abs=0.1)
    assert logs[~together].mean() == pytest.approx(np.log(0.2), abs=0.4)


def test_there_is_no_ratio_of_a_density_to_itself():
    found = fit_density_ratio(
        rows(correlated(3_000, 0)), rows(correlated(600, 1)), points(correlated(9_000, 2))
    )
    if found is not None:
        assert np.abs(found.log_ratio(correlated(500, 3))).mean() < 0.05


def test_a_coordinate_that_is_not_known_has_the_mean_of_both_sides():
    trees = _core.RatioTrees(
        2,
        np.array([0.5, 0.0, 0.0]),
        np.array([0.0, 1.0, -1.0]),
        np.array([0.25, 0.0, 0.0], dtype=np.float32),
        np.array([1, 0, 0], dtype=np.uint32),
        np.array([0, -1, -1], dtype=np.int32),
        np.array([0], dtype=np.uint32),
    )
    nowhere = places_of(CubeIntervals(np.zeros((1, 2)), np.ones((1, 2))))
    assert np.isnan(nowhere).all()
    np.testing.assert_allclose(trees.log_ratio(nowhere), [0.25 - 0.75])
    np.testing.assert_allclose(trees.log_ratio(np.array([[0.4, 0.0], [0.5, 0.0]])), [1.0, -1.0])


def test_threads_change_nothing():
    rng = np.random.default_rng(0)
    trees = fit_density_ratio(
        rows(correlated(3_000, 0)), rows(correlated(500, 1)), points(rng.random((6_000, 3)))
    )
    u = rng.random((40_000, 3))
    assert trees.log_ratio(u, 1).tobytes() == trees.log_ratio(u, 3).tobytes()


def test_raking_by_trees_keeps_the_mass_and_goes_through_files():
    rng = np.random.default_rng(1)
    train, held = rows(correlated(6_000, 0)), rows(correlated(1_000, 1))
    trees = fit_density_ratio(train, held, points(rng.random((12_000, 3))))
    wanted = wanted_masses(counted_bins(CubeRows(points(train.places), train.weights)))
    raking = Raking.fit(points(rng.random((20_000, 3))), wanted, trees)
    fresh = points(rng.random((100_000, 3)))
    logs = raking.log_factor(fresh)
    assert np.exp(logs).mean() == pytest.approx(1.0, abs=0.01)
    assert logs.max() <= raking.log_most + 1e-12
    for other in (
        Raking.from_state(State(raking.to_state(), "model"), 3),
        pickle.loads(pickle.dumps(raking)),
    ):
        np.testing.assert_array_equal(other.log_factor(fresh), logs)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("left", 0, "children"),
        ("column", 7, "column"),
        ("cut", np.nan, "NaN"),
        ("left_fraction", 2.0, "fraction"),
    ],
)
def test_trees_of_a_file_are_checked(name, value, message):
    rng = np.random.default_rng(1)
    trees = fit_density_ratio(
        rows(correlated(2_000, 0)), rows(correlated(500, 1)), points(rng.random((4_000, 3)))
    )
    state = Raking(np.ones((3, 22)), 0.0, trees).to_state()
    state["trees"][name] = state["trees"][name].copy()
    state["trees"][name][0] = value
    with pytest.raises(ModelFileError, match=message):
        Raking.from_state(State(state, "model"), 3)
