"""Boosted densities: mass 1, laws of weights and order, early stopping, tables of every kind."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.base import clone

import boxwood as bw
from boxwood.boosting.cube_intervals import cube_intervals_of
from boxwood.boosting.weights import best_weights
from boxwood.margins import fit_margins

# The settings are shared by models of some components only.
pytestmark = pytest.mark.filterwarnings("ignore:BoostedDensity.*has no effect:UserWarning")

SMALL = {"n_estimators": 40, "n_trees": 5, "random_state": 0}


def ring(n, seed=0):
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0.0, 2.0 * np.pi, n)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1) + rng.normal(scale=0.1, size=(n, 2))


def correlated(n, d, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) @ np.random.default_rng(9).normal(size=(d, d))


@pytest.fixture(scope="module")
def ring_model():
    return bw.BoostedDensity(**SMALL).fit(ring(1500))


# A forest has steps, some of them narrow, hence its finer grid.
@pytest.mark.parametrize(
    ("component", "n_cells"), [("margins", 600), ("network", 600), ("forest", 1800), ("gaussians", 600)]
)
def test_mass_is_one_on_a_grid(component, n_cells):
    model = bw.BoostedDensity(**SMALL, components=[component]).fit(ring(800))
    few = n_cells // 6
    # Most cells are where the rows are.
    parts = (-6.0, -1.5, few), (-1.5, 1.5, n_cells - 2 * few), (1.5, 6.0, few)
    edges = np.unique(np.concatenate([np.linspace(low, high, n + 1) for low, high, n in parts]))
    middles, widths = 0.5 * (edges[1:] + edges[:-1]), np.diff(edges)
    grid = np.stack(np.meshgrid(middles, middles), axis=-1).reshape(-1, 2)
    mass = (np.exp(model.score_samples(grid)) * np.outer(widths, widths).ravel()).sum()
    assert mass == pytest.approx(1.0, abs=0.01)


def test_mass_is_one_in_ten_dimensions():
    X = correlated(2000, 10)
    model = bw.BoostedDensity(**SMALL).fit(X)
    wide = stats.multivariate_t(X.mean(axis=0), 2.0 * np.cov(X.T), df=4)
    points = wide.rvs(30_000, random_state=1)
    ratio = np.exp(model.score_samples(points) - wide.logpdf(points))
    error = ratio.std() / np.sqrt(len(ratio))
    assert abs(ratio.mean() - 1.0) < 4.0 * error + 0.01
    assert error < 0.1


def test_chains_map_rows_onto_uniform_points(ring_model):
    model = bw.BoostedDensity("quick", random_state=0, components=["margins", "network"]).fit(ring(4000))
    u = model.margins_.encode(bw.read_columns(ring(4000, seed=5)))
    for chain in model.chains_:
        uniform = chain.encode(u)
        for j in range(2):
            # New rows; the chain is an estimate, hence no exact test.
            assert stats.kstest(uniform[:, j], "uniform").statistic < 0.05
        np.testing.assert_allclose(chain.decode(uniform), u, atol=1e-6)


def test_samples_follow_the_density(ring_model):
    sample = ring_model.sample(4000, random_state=1)
    radius = np.hypot(*sample.T)
    expected = np.hypot(*ring(4000, seed=3).T)
    assert stats.ks_2samp(radius, expected).statistic < 0.06
    # The entropy of the model from its own rows, and from an integral over a grid.
    edges = np.linspace(-2.0, 2.0, 401)
    middles = 0.5 * (edges[1:] + edges[:-1])
    grid = np.stack(np.meshgrid(middles, middles), axis=-1).reshape(-1, 2)
    logs = ring_model.score_samples(grid)
    integral = float((np.exp(logs) * logs).sum() * (edges[1] - edges[0]) ** 2)
    assert ring_model.score(sample) == pytest.approx(integral, abs=0.1)


def test_it_is_better_than_what_it_is_made_of():
    X, new = correlated(3000, 5), correlated(1500, 5, seed=4)
    integer = bw.BoostedDensity(n_trees=10, n_estimators=150, random_state=0).fit(X)
    assert integer.score(new) > bw.DensityForest(10, random_state=0).fit(X).score(new) + 0.3
    product = fit_margins(bw.read_columns(X)).log_derivative(bw.read_columns(new)).mean()
    assert integer.score(new) > product + 1.0


def test_heavy_tails_and_far_points_stay_finite():
    X = stats.cauchy.rvs(size=(500, 3), random_state=0)
    model = bw.BoostedDensity(**SMALL).fit(X)
    far = np.array([[1e300, 0.0, 0.0], [-1e300, 1e300, 1e8], [1e-300, 0.0, 1e30]])
    assert np.isfinite(model.score_samples(far)).all()
    assert np.isfinite(model.score_samples(X)).all()


def test_weights_are_repetition():
    X = ring(150)
    weights = np.random.default_rng(0).integers(0, 4, len(X))
    weighted = bw.BoostedDensity(**SMALL).fit(X, sample_weight=weights)
    repeated = bw.BoostedDensity(**SMALL).fit(np.repeat(X, weights, axis=0))
    new = ring(50, seed=1)
    np.testing.assert_array_equal(weighted.score_samples(new), repeated.score_samples(new))
    assert weighted.offset_ == repeated.offset_


@pytest.mark.parametrize("fraction", [0.0, 0.2])
def test_order_of_rows_does_not_matter(fraction):
    X, new = ring(200), ring(50, seed=1)
    model = bw.BoostedDensity(**SMALL, validation_fraction=fraction)
    shuffled = np.random.default_rng(0).permutation(X)
    one, other = clone(model).fit(X), clone(model).fit(shuffled)
    np.testing.assert_array_equal(one.score_samples(new), other.score_samples(new))


def test_threads_change_nothing(tmp_path):
    X = correlated(1200, 4)
    files = []
    for n_jobs in (1, 3):
        model = bw.BoostedDensity(**SMALL, n_jobs=n_jobs, n_chains=2).fit(X)
        model.set_params(n_jobs=1).save(tmp_path / "model")
        files.append((tmp_path / "model").read_bytes())
    assert files[0] == files[1]


def test_cells_of_two_categorical_columns_sum_to_one():
    rng = np.random.default_rng(0)
    colour = rng.integers(0, 4, 600)
    shape = np.where(rng.random(600) < 0.7, colour % 3, rng.integers(0, 3, 600))
    names = np.array(["a", "b", "c", "d"])
    frame = pd.DataFrame({"colour": names[colour], "shape": names[shape]})
    cells = pd.DataFrame([(c, s) for c in "abcd" for s in "abc"], columns=["colour", "shape"])
    for components in (["margins"], None):
        model = bw.BoostedDensity(**{**SMALL, "n_estimators": 300}, components=components).fit(frame)
        p = np.exp(model.score_samples(cells))
        unseen = 2 * 0.5 / 600  # what is kept for categories that no row had
        assert p.sum() == pytest.approx(1.0 - unseen, abs=0.01)
        counts = frame.value_counts(["colour", "shape"], normalize=True)
        found = counts.reindex(pd.MultiIndex.from_frame(cells), fill_value=0.0).to_numpy()
        alone = np.outer(found.reshape(4, 3).sum(axis=1), found.reshape(4, 3).sum(axis=0)).ravel()
        assert found @ np.log(p) > found @ np.log(alone) + 0.2


def test_missing_values_are_summed_out():
    rng = np.random.default_rng(0)
    X = correlated(800, 2)
    X[rng.random(800) < 0.2, 1] = np.nan
    model = bw.BoostedDensity(**SMALL, n_points=256, missing="ignore").fit(X)
    at = np.array([[0.3, np.nan]])
    y = np.linspace(-15.0, 15.0, 4001)
    given = np.column_stack([np.full_like(y, 0.3), y])
    present = np.exp(model.score_samples(given)).sum() * (y[1] - y[0])
    fraction = 1.0 - np.isnan(X[:, 1]).mean()
    # What is missing has its fraction beside what is there; at x = 0.3 it need not be the overall one.
    assert np.exp(model.score_samples(at))[0] * fraction == pytest.approx(present, rel=0.15)


def test_whole_numbers_sum_to_one():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.poisson(3.0, 500), rng.poisson(2.0, 500)])
    model = bw.BoostedDensity(**SMALL).fit(X)
    grid = np.stack(np.meshgrid(np.arange(-5, 40), np.arange(-5, 40)), axis=-1).reshape(-1, 2)
    assert np.exp(model.score_samples(grid)).sum() == pytest.approx(1.0, abs=0.01)


def test_early_stopping_stops():
    X = np.random.default_rng(0).normal(size=(600, 3))  # nothing to find
    model = bw.BoostedDensity(components=["margins"], n_iter_no_change=5, random_state=0).fit(X)
    assert model.n_estimators_[0] < 100
    longer = bw.BoostedDensity(components=["margins"], n_estimators=7, validation_fraction=0.0).fit(X)
    assert longer.n_estimators_ == [7]
    assert np.isnan(longer.validation_score_)


def test_staged_score_ends_with_the_score():
    model, new = bw.BoostedDensity(**SMALL, components=["margins"]).fit(ring(1500)), ring(300, seed=2)
    stages = list(model.staged_score(new))
    assert len(stages) == max(model.n_estimators_)
    assert stages[-1] == pytest.approx(model.score(new), rel=1e-12)
    assert stages[-1] > stages[0]


def test_a_model_without_chains_has_one_stage():
    model = bw.BoostedDensity(components=["gaussians"], random_state=0).fit(ring(300))
    [stage] = model.staged_score(ring(100, seed=2))
    assert stage == pytest.approx(model.score(ring(100, seed=2)), rel=1e-12)


def test_warm_start_goes_on_as_if_it_had_never_stopped():
    X, new = ring(400), ring(100, seed=1)
    model = bw.BoostedDensity(**SMALL, validation_fraction=0.0, warm_start=True)
    model.set_params(n_estimators=5).fit(X).set_params(n_estimators=15).fit(X)
    at_once = bw.BoostedDensity(**SMALL, validation_fraction=0.0).set_params(n_estimators=15).fit(X)
    assert model.n_estimators_ == at_once.n_estimators_
    np.testing.assert_array_equal(model.score_samples(new), at_once.score_samples(new))
    np.testing.assert_allclose(model.feature_importances_, at_once.feature_importances_)
    with pytest.raises(ValueError, match="at least the 15 rounds"):
        model.set_params(n_estimators=3).fit(X)


def test_importances_see_which_columns_matter():
    rng = np.random.default_rng(0)
    X = np.column_stack([ring(1500), rng.normal(size=1500)])
    fractions = bw.BoostedDensity(**SMALL).fit(X).feature_importances_
    assert fractions.sum() == pytest.approx(1.0)
    assert fractions[2] < 0.5 * fractions[:2].min()


def test_constant_and_dependent_columns():
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    X = np.column_stack([x, 2.0 * x, np.ones(300)])
    model = bw.BoostedDensity(**SMALL).fit(X)
    assert np.isfinite(model.score_samples(X)).all()
    assert (model.sample(20, random_state=0)[:, 2] == 1.0).mean() > 0.8


@pytest.mark.parametrize("n_rows", [1, 2, 3])
def test_a_handful_of_rows(n_rows):
    X = np.arange(2.0 * n_rows).reshape(n_rows, 2)
    assert np.isfinite(bw.BoostedDensity(**SMALL).fit(X).score_samples(X)).all()


@pytest.mark.parametrize("component", ["network", "gaussians"])
def test_where_there_is_nothing_of_a_kind_columns_are_independent(component):
    X = np.random.default_rng(0).exponential(size=(200, 1))
    model = bw.BoostedDensity(**SMALL, components=[component]).fit(X)
    assert len(model.chains_) == 1
    assert np.isfinite(model.score(X))


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ({"preset": "fast"}, "preset must be one of"),
        ({"components": "network"}, "components must be a list"),
        ({"components": []}, "components must be a list"),
        ({"components": ["margins", "margins"]}, "different names"),
        ({"components": ["pca"]}, "components must be a list"),
        ({"components": ["trees"]}, "components must be a list"),
        ({"learning_rate": 0.0}, r"learning_rate must lie in \(0, 1\]"),
        ({"learning_rate": 1.5}, "learning_rate must lie"),
        ({"n_estimators": 0}, "n_estimators must be from 1"),
        ({"max_depth": 0}, "max_depth must be from 1"),
        ({"n_points": 12}, "power of two"),
        ({"validation_fraction": 1.0}, "validation_fraction must lie"),
        ({"split_penalty": -1.0}, "split_penalty must lie"),
        ({"n_jobs": 0}, "n_jobs"),
    ],
)
def test_parameters_are_checked(wrong, what):
    with pytest.raises(ValueError, match=what):
        bw.BoostedDensity(**wrong).fit(ring(30))


def test_a_file_with_other_weights_is_refused(ring_model, tmp_path):
    broken = clone(ring_model).fit(ring(100))
    broken.model_.weights[:] *= 0.5
    broken.save(tmp_path / "model")
    with pytest.raises(bw.ModelFileError, match=r"weights do not sum to 1"):
        bw.load(tmp_path / "model")


def test_weights_of_a_mixture_climb_the_likelihood():
    rng = np.random.default_rng(0)
    logs = np.log(rng.dirichlet(np.ones(3), 200))
    best = best_weights(logs, None)
    likelihood = np.log(np.exp(logs) @ best).sum()
    for _ in range(20):
        assert np.log(np.exp(logs) @ rng.dirichlet(np.ones(3))).sum() < likelihood + 1.0
    counts = rng.integers(1, 4, 200).astype(float)
    repeated = best_weights(np.repeat(logs, counts.astype(int), axis=0), None)
    np.testing.assert_allclose(best_weights(logs, counts), repeated, atol=1e-9)


def test_intervals_lie_where_the_margins_put_them():
    frame = pd.DataFrame(
        {"kind": ["a", "b", "b", "a"] * 10, "n": [1, 2, 3, 4] * 10, "x": np.arange(40.0) ** 2}
    )
    columns = bw.read_columns(frame)
    margins = fit_margins(columns)
    intervals = cube_intervals_of(margins, columns, margins.encode(columns), "event")
    assert (intervals.width[:, :2] > 0.0).all()
    assert (intervals.width[:, 2] == 0.0).all()
    points, _ = intervals.spread_points(np.ones(40, dtype=int), np.random.default_rng(0))
    again = margins.decode(points)
    np.testing.assert_array_equal(again["kind"].values, columns["kind"].values)
    np.testing.assert_array_equal(again["n"].values, columns["n"].values)


def test_without_held_out_rows_a_second_model_calibrates():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(1_600, 3)) + rng.normal(size=(1_600, 1))
    model = bw.BoostedDensity(**SMALL, validation_fraction=0.0).fit(rows[:400])
    assert len(model.calibration_scores_) == 400  # a small table: rows of all folds
    assert (model.predict(rows[400:]) < 0).mean() == pytest.approx(0.05, abs=0.05)
    assert np.isnan(model.validation_score_)
