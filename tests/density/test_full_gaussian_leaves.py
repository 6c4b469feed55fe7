"""Leaves of full covariance: normalised over their boxes, sampled as they score, diagonal for few rows."""

from __future__ import annotations

import numpy as np
import pytest
from core_tables import grow_and_fit, grow_options, leaf_options, make_table
from reference_trees import bins_of_points, walk_trees
from scipy.stats import kstest

import boxwood as bw
from boxwood import _core


def correlated(n: int, d: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 1)) + 0.4 * rng.normal(size=(n, d))


def fitted(d: int, depth: int, seed: int = 0, categories: int = 0):
    """A mixture of one tree, its flat arrays and the rows that it was fitted to."""
    table = make_table(seed, 300, d, categories, exact=True)
    options = leaf_options("gaussian_full", deviation_floor=0.05)
    grown, flat = grow_and_fit(table, grow_options(max_depth=depth), options)
    return _core.make_mixture(grown.columns(), flat, np.ones(1)), flat, table, grown.columns()


def midpoints(n: int) -> np.ndarray:
    return (np.arange(n) + 0.5) / n


def gauss(n: int, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points and weights of a quadrature between each two of the edges."""
    x, w = np.polynomial.legendre.leggauss(n)
    half = 0.5 * np.diff(edges)
    return (edges[:-1, None] + half[:, None] * (1.0 + x)).ravel(), (half[:, None] * w).ravel()


def integrals_of_leaves(mixture: _core.Mixture, edges: list[np.ndarray], n: int) -> np.ndarray:
    """The integral of the density over each leaf, by products of quadratures between all cuts."""
    sides = [gauss(n, np.unique(u)) for u in edges]
    grid = np.stack(np.meshgrid(*(x for x, _ in sides), indexing="ij"), axis=-1).reshape(-1, len(sides))
    weights = np.ones(1)
    for _, w in sides:
        weights = np.multiply.outer(weights, w)
    density = np.exp(mixture.log_density(np.ascontiguousarray(grid), 1))
    return np.bincount(mixture.apply(grid)[:, 0], weights=weights.ravel() * density)


@pytest.mark.parametrize("seed", range(4))
def test_in_two_dimensions_every_leaf_integrates_to_its_mass(seed: int) -> None:
    mixture, flat, _, columns = fitted(2, 3, seed)
    found = integrals_of_leaves(mixture, [u for u, _ in columns], 40)
    np.testing.assert_allclose(found, flat["mass"][flat["feature"] < 0], rtol=1e-9)


def test_in_three_dimensions_up_to_the_lattice() -> None:
    mixture, flat, _, columns = fitted(3, 2)
    found = integrals_of_leaves(mixture, [u for u, _ in columns], 24)
    np.testing.assert_allclose(found, flat["mass"][flat["feature"] < 0], rtol=1e-4)


def test_log_densities_are_those_of_the_normal_up_to_a_constant() -> None:
    mixture, flat, _, columns = fitted(3, 2, seed=1)
    (nodes,) = walk_trees(flat, columns)
    points = np.random.default_rng(0).random((200, 3))
    leaves, scores = mixture.apply(points)[:, 0], mixture.log_density(points, 1)
    for leaf in range(len(nodes) // 2 + 1):
        factor = np.zeros((3, 3))
        factor[np.tril_indices(3)] = flat["deviation"][leaf * 6 : leaf * 6 + 6]
        away = points[leaves == leaf] - flat["mean"][leaf * 3 : leaf * 3 + 3]
        expected = -0.5 * np.einsum("ij,jk,ik->i", away, np.linalg.inv(factor @ factor.T), away)
        constant = scores[leaves == leaf] - expected
        assert np.ptp(constant) < 1e-9 if len(constant) else True


def test_covariances_are_those_of_the_rows_shrunk() -> None:
    mixture, flat, table, _ = fitted(2, 1, seed=2)
    for leaf, rows in ((k, mixture.apply(table.points)[:, 0] == k) for k in range(2)):
        w = table.weights[rows]
        correlation = np.cov(table.points[rows].T, aweights=w, ddof=0)
        correlation = correlation[0, 1] / np.sqrt(correlation[0, 0] * correlation[1, 1])
        a, b, c = flat["deviation"][3 * leaf : 3 * leaf + 3].astype(float)
        fraction = w.sum() / (w.sum() + 4.0 + 2.0)
        assert b / np.hypot(b, c) == pytest.approx(correlation * fraction, rel=1e-5)
        assert a > 0.0


def test_few_rows_leave_a_diagonal() -> None:
    x = np.array([[0.1, 0.2], [0.8, 0.7]])
    table = _core.BinnedTable([(np.array([0.0, 1.0]), False)] * 2, np.zeros((2, 2), np.uint16), x, None)
    grown = _core.grow_tree(table, grow_options(max_depth=1, min_samples_split=100.0))
    flat = grown.fit_leaves(table, leaf_options("gaussian_full"))
    _a, b, c = flat["deviation"].astype(float)
    assert b / np.hypot(b, c) == pytest.approx(2.0 / (2.0 + 4.0 + 2.0), rel=1e-5)  # of rows on a line


@pytest.mark.parametrize("d", [2, 3])
def test_samples_are_drawn_as_they_score(d: int) -> None:
    mixture, _, _, _ = fitted(d, 2, seed=3)
    drawn = mixture.sample(20_000, 0)
    n = 60 if d == 3 else 300
    grid = np.stack(np.meshgrid(*[midpoints(n)] * d, indexing="ij"), axis=-1).reshape(-1, d)
    density = np.exp(mixture.log_density(np.ascontiguousarray(grid), 1))
    density /= density.sum()
    for j in range(d):
        upper = np.r_[0.0, np.cumsum(np.bincount((grid[:, j] * n).astype(int), weights=density, minlength=n))]
        places = np.linspace(0.0, 1.0, n + 1)
        assert kstest(drawn[:, j], lambda x, at=places, up=upper: np.interp(x, at, up)).pvalue > 1e-3
    # The columns' products too: a sampler that forgot correlations would have the right margins alone.
    product = (density * grid.prod(axis=1)).sum()
    sampled = drawn.prod(axis=1)
    assert sampled.mean() == pytest.approx(product, abs=4.0 * sampled.std() / np.sqrt(len(sampled)))


@pytest.mark.parametrize("unknown", [[0], [1], [2], [0, 2], [0, 1, 2]])
def test_columns_that_are_nan_are_summed_out(unknown: list[int]) -> None:
    mixture, _, _, columns = fitted(3, 2, seed=4)
    point = np.array([0.31, 0.52, 0.44])
    sides = [
        gauss(24, np.unique(columns[j][0])) if j in unknown else (point[j : j + 1], np.ones(1))
        for j in range(3)
    ]
    grid = np.stack(np.meshgrid(*(x for x, _ in sides), indexing="ij"), axis=-1).reshape(-1, 3)
    weights = np.multiply.outer(np.multiply.outer(sides[0][1], sides[1][1]), sides[2][1]).ravel()
    expected = (weights * np.exp(mixture.log_density(np.ascontiguousarray(grid), 1))).sum()
    asked = point.copy()
    asked[unknown] = np.nan
    assert np.exp(mixture.log_density(asked[None], 1)[0]) == pytest.approx(expected, rel=2e-4)


def test_along_categories_leaves_are_level() -> None:
    mixture, flat, _table, columns = fitted(2, 2, seed=5, categories=1)
    factors = flat["deviation"].reshape(-1, 6)
    assert (factors[:, 3:] == 0.0).all()
    sides = [gauss(40, np.unique(columns[j][0])) for j in range(2)] + [gauss(1, columns[2][0])]
    grid = np.stack(np.meshgrid(*(x for x, _ in sides), indexing="ij"), axis=-1).reshape(-1, 3)
    weights = np.multiply.outer(np.multiply.outer(sides[0][1], sides[1][1]), sides[2][1]).ravel()
    assert (weights * np.exp(mixture.log_density(np.ascontiguousarray(grid), 1))).sum() == pytest.approx(
        1.0, rel=1e-8
    )
    one = np.array([[0.4, 0.6, np.nan]])
    values, widths = sides[2]
    levels = np.array([[0.4, 0.6, v] for v in values])
    summed = (widths * np.exp(mixture.log_density(levels, 1))).sum()
    assert np.exp(mixture.log_density(one, 1)[0]) == pytest.approx(summed, rel=1e-9)


# ---- estimators ---------------------------------------------------------------------------------------


def test_correlated_normals_need_one_leaf() -> None:
    rows, new = correlated(800, 4, 0), correlated(3000, 4, 1)
    scores = {
        leaf: bw.DensityTree(leaf=leaf, margins="linear", prune="loo", random_state=0).fit(rows)
        for leaf in ("gaussian", "gaussian_full")
    }
    inside = np.isfinite(scores["gaussian"].score_samples(new))
    full, diagonal = (scores[k].score_samples(new[inside]).mean() for k in ("gaussian_full", "gaussian"))
    assert scores["gaussian_full"].n_leaves_ < scores["gaussian"].n_leaves_
    assert full > diagonal + 0.3
    normal = bw.GaussianDensity().fit(rows).score_samples(new[inside]).mean()
    assert full > normal - 0.05


@pytest.mark.parametrize(
    "model",
    [
        bw.DensityTree(leaf="gaussian_full", random_state=0),
        bw.DensityTree(leaf="gaussian_full", prune="cv", prune_score="squared_error", random_state=0),
        bw.DensityForest(5, leaf="gaussian_full", random_state=0),
    ],
    ids=["tree", "squared error", "forest"],
)
def test_save_load_and_refusals(model, tmp_path) -> None:
    rng = np.random.default_rng(0)
    rows = np.column_stack(
        [correlated(300, 2, 0), rng.integers(0, 3, 300), np.where(rng.random(300) < 0.3, 0.0, 1.5)]
    )
    model.fit(rows)
    model.save(tmp_path / "model")
    again = bw.load(tmp_path / "model")
    np.testing.assert_array_equal(again.score_samples(rows), model.score_samples(rows))
    np.testing.assert_array_equal(again.sample(50, random_state=0), model.sample(50, random_state=0))
    with pytest.raises(ValueError, match=r"gaussian_full.*closed form"):
        model.to_mixture()
    with pytest.raises(ValueError, match="closed form"):
        model.mixture_.marginal(0)
    with pytest.raises(ValueError, match="closed form"):
        model.mixture_.probability([None] * 4)
    assert np.isfinite(model.score_samples(np.c_[rows[:5, :1], np.full((5, 1), np.nan), rows[:5, 2:]])).all()


@pytest.mark.parametrize(
    ("name", "change", "what"),
    [
        ("deviation", lambda x: x[:-1], "payload"),
        ("deviation", lambda x: -x, "positive"),
        ("deviation", lambda x: np.where(np.arange(len(x)) == 0, np.float32(0.0), x), "covariance"),
        ("mean", lambda x: np.full_like(x, np.nan), "finite"),
    ],
)
def test_malformed_payloads_are_refused(name: str, change, what: str) -> None:
    _, flat, _, columns = fitted(2, 2)
    with pytest.raises(ValueError, match=what):
        _core.make_mixture(columns, {**flat, name: change(flat[name])}, np.ones(1))


def test_losses_of_nodes_are_those_of_the_tree_that_is_cut_off() -> None:
    table = make_table(6, 200, 2, 0, exact=True)
    options = leaf_options("gaussian_full", deviation_floor=0.05)
    native = table.native()
    grown = _core.grow_tree(native, grow_options(max_depth=2))
    (nodes,) = walk_trees(grown.fit_leaves(native, options), grown.columns())
    points = np.random.default_rng(0).random((50, 2))
    bins = bins_of_points(grown.columns(), points)
    likelihood = grown.fitted_losses(native, options, points, None, False)
    squared = grown.fitted_losses(native, options, points, None, True)
    sides = [gauss(40, np.unique(u)) for u, _ in grown.columns()]
    grid = np.stack(np.meshgrid(*(x for x, _ in sides), indexing="ij"), axis=-1).reshape(-1, 2)
    weights = np.multiply.outer(sides[0][1], sides[1][1]).ravel()
    in_grid = bins_of_points(grown.columns(), grid)
    for i, node in nodes.items():
        losses = np.zeros(grown.n_nodes)
        losses[i] = -1.0
        small = grown.pruned(losses, 0.0)
        mixture = _core.make_mixture(small.columns(), small.fit_leaves(native, options), np.ones(1))
        scores = mixture.log_density(points, 1)[node.contains(bins)]
        assert likelihood[i] == pytest.approx(-scores.sum(), rel=1e-9)
        density = np.exp(mixture.log_density(np.ascontiguousarray(grid), 1))
        own = (weights * density**2)[node.contains(in_grid)].sum()
        assert squared[i] == pytest.approx(own - 2.0 * np.exp(scores).sum() / 50.0, rel=1e-6, abs=1e-8)


def test_columns_that_follow_from_others_are_kept() -> None:
    rng = np.random.default_rng(0)
    pair = correlated(600, 2, 0)
    kind = rng.integers(0, 4, 600)
    rows = np.column_stack([pair, kind, 10 * (kind % 2)])
    tree = bw.DensityTree(leaf="gaussian_full", margins="linear", random_state=0).fit(rows)
    assert len(tree.dependencies_) > 0
    drawn = tree.sample(2000, random_state=0)
    known = drawn[np.isin(drawn[:, 2], range(4))]  # between its atoms a column has a little density too
    assert len(known) > 1990
    np.testing.assert_array_equal(known[:, 3], 10 * (known[:, 2] % 2))
    assert np.corrcoef(drawn[:, :2].T)[0, 1] == pytest.approx(np.corrcoef(pair.T)[0, 1], abs=0.08)
    assert np.isfinite(tree.score_samples(rows)).all()
