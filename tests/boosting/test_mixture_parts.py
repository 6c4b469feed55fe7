"""The parts of a boosted density: a forest of all rows, Gaussians, raked margins, and what weighs them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.special import logsumexp

import boxwood as bw
from boxwood.boosting.forest_part import ENOUGH_TREES, fit_forest_part
from boxwood.boosting.gaussian_scores import begin_gaussians
from boxwood.boosting.normal_scores import normal_scores
from boxwood.boosting.ratio.raking import MOST, MOST_OF_FORESTS
from boxwood.boosting.weights import best_weights, cross_fitted_weights
from boxwood.evidence import weigh_rows
from boxwood.margins import fit_margins
from boxwood.tree.density.forest import ForestParameters

FIXED = {"random_state": 0, "n_jobs": 1}
SMALL = {"n_estimators": 30, **FIXED}
FEW_TREES = {"components": ["forest"], "n_trees": 5, **FIXED}


def correlated(n, seed, d=5):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) + 1.5 * rng.normal(size=(n, 1))


def moons(n, seed):
    rng = np.random.default_rng(seed)
    angle, upper = rng.uniform(0.0, np.pi, n), rng.random(n) < 0.5
    x = np.where(upper, np.cos(angle), 1.0 - np.cos(angle))
    y = np.where(upper, np.sin(angle), 0.5 - np.sin(angle))
    return np.column_stack([x, y]) + 0.1 * rng.normal(size=(n, 2))


@pytest.fixture(scope="module")
def gaussian_model():
    return bw.BoostedDensity(**SMALL, n_trees=100).fit(correlated(600, 0))


@pytest.mark.parametrize("make", [correlated, moons])
def test_it_is_not_behind_the_forest(make):
    train, test = make(400, 0), make(2000, 1)
    forest = bw.DensityForest(random_state=0, n_jobs=1).fit(train)
    model = bw.BoostedDensity(**SMALL).fit(train)
    assert model.score(test) > forest.score(test) - 0.03


def test_a_mixture_that_is_the_forest_alone_is_that_forest():
    train, test = moons(500, 0), moons(500, 1)
    alone = bw.BoostedDensity(**FIXED, n_trees=100, components=["forest"]).fit(train)
    forest = bw.DensityForest(random_state=0, n_jobs=1).fit(train)
    assert alone.forest_.n_trees == 100
    assert alone.score(test) == pytest.approx(forest.score(test), abs=0.03)
    np.testing.assert_allclose(alone.margins_.encode(alone._read(test)).mean(), 0.5, atol=0.05)


def test_gaussians_are_a_part_of_normal_tables(gaussian_model):
    assert gaussian_model.gaussians_ is not None
    test = correlated(3000, 1)
    cov = np.eye(5) + 2.25
    truth = -0.5 * np.einsum("ni,ij,nj->n", test, np.linalg.inv(cov), test)
    truth -= 0.5 * np.linalg.slogdet(2.0 * np.pi * cov)[1]
    assert gaussian_model.score(test) > truth.mean() - 0.05


def test_gaussians_stay_out_of_tables_with_values_that_have_a_probability():
    rows = np.column_stack([correlated(300, 0, 2), np.arange(300) % 3])
    model = bw.BoostedDensity(**SMALL, n_trees=5).fit(rows)
    assert model.gaussians_ is None
    frame = pd.DataFrame(correlated(300, 0, 2), columns=["a", "b"])
    frame.loc[:20, "a"] = np.nan
    assert bw.BoostedDensity(**SMALL, n_trees=5).fit(frame).gaussians_ is None


def test_outer_twentieths_keep_their_mass():
    train = correlated(3000, 0)
    model = bw.BoostedDensity(**{**SMALL, "n_estimators": 100}, components=["margins"]).fit(train)
    plain = replace(model.model_, raking=None)
    outer = []
    for of_model in (plain, model.model_):
        drawn = of_model.sample(160_000, np.random.default_rng(0), 1).matrix()
        low, high = np.quantile(train, [0.05, 0.95], axis=0)
        outer.append(((drawn < low).mean(axis=0) + (drawn > high).mean(axis=0)) / 0.1)
    assert outer[0].mean() < 0.92
    np.testing.assert_allclose(outer[1], 1.0, atol=0.06)


def test_only_forests_of_continuous_columns_have_the_larger_bound():
    rows = moons(2500, 0)
    counted = np.column_stack([rows, np.arange(2500) % 3])
    chains = {"components": ["margins"], **SMALL}
    for table, settings, most in (
        (rows, FEW_TREES, MOST_OF_FORESTS),
        (rows, chains, MOST),
        (counted, FEW_TREES, MOST),
    ):
        model = bw.BoostedDensity(**settings).fit(table)
        assert model.model_.raking.most == most


@pytest.mark.parametrize(
    "settings",
    [
        {**SMALL, "components": ["margins"]},
        FEW_TREES,
        {**SMALL, **FEW_TREES, "components": ["margins", "forest"]},
    ],
    ids=["margins", "forest", "both"],
)
def test_raked_draws_have_the_density(settings):
    model = bw.BoostedDensity(**settings).fit(moons(2500, 0))
    assert model.model_.raking is not None
    axis = (np.arange(400) + 0.5) / 400
    x, y = np.meshgrid(-2.5 + 6.0 * axis, -2.0 + 4.5 * axis)
    grid = np.column_stack([x.ravel(), y.ravel()])
    mass = np.exp(model.score_samples(grid)) * (6.0 / 400) * (4.5 / 400)
    assert mass.sum() == pytest.approx(1.0, abs=0.02)
    drawn = np.asarray(model.sample(20_000, random_state=0))
    for column in (0, 1):
        for at in (-0.5, 0.0, 0.5, 1.0):
            assert (drawn[:, column] < at).mean() == pytest.approx(
                mass[grid[:, column] < at].sum() / mass.sum(), abs=0.015
            )


def test_files_keep_every_part(gaussian_model, tmp_path):
    gaussian_model.save(tmp_path / "model.boxwood")
    loaded = bw.load(tmp_path / "model.boxwood")
    test = correlated(50, 1)
    np.testing.assert_array_equal(loaded.score_samples(test), gaussian_model.score_samples(test))
    np.testing.assert_array_equal(loaded.sample(9, random_state=0), gaussian_model.sample(9, random_state=0))
    assert loaded.cross_fitted_score_ == gaussian_model.cross_fitted_score_


@pytest.mark.parametrize("n", [100, 3000])  # rows of folds, and rows held out
def test_left_out_scores_are_those_of_the_cross_fitted_mean(n):
    rows = correlated(n, 0)
    parts = {"n_trees": 5, "components": ["forest", "margins"]}
    model = bw.BoostedDensity(**SMALL, **parts).fit(rows)
    left_out = model.left_out_log_density_
    assert np.nanmean(left_out) == pytest.approx(model.cross_fitted_score_)
    assert np.isnan(left_out).mean() == pytest.approx(0.0 if n == 100 else 0.9, abs=0.02)
    np.testing.assert_array_equal(model.left_out_fraction_, np.isfinite(left_out))
    other = bw.BoostedDensity(**SMALL, **parts).fit(rows[::-1])
    np.testing.assert_array_equal(other.left_out_log_density_, left_out[::-1])


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize(("n", "d"), [(300, 4), (6000, 6)])  # rows of folds, and rows held out
def test_equal_rows_count_as_far_as_they_were_left_out(n, d, grouped):
    cells = np.random.default_rng(0).geometric(0.6, size=(n, d)).astype(float)  # few that are frequent
    groups = np.arange(n) % 100 if grouped else None
    model = bw.BoostedDensity(**FEW_TREES).fit(cells, groups=groups)
    known = np.isfinite(model.left_out_log_density_)
    fraction = model.left_out_fraction_
    np.testing.assert_array_equal(known, fraction > 0.0)
    assert fraction.max() < 1.0 + 1e-9
    assert (fraction[known] < 0.9).any() == (d == 6 and not grouped)
    mean = np.average(model.left_out_log_density_[known], weights=fraction[known])
    assert mean == pytest.approx(model.cross_fitted_score_)


def test_without_held_out_rows_no_scores_of_a_fit_before_stay():
    rows = correlated(300, 0)
    weights, groups = (np.arange(300) % 3 > 0).astype(float), np.arange(300) % 20
    model = bw.BoostedDensity(**FEW_TREES).fit(rows)
    assert len(model.left_out_log_density_) == 300
    model.set_params(validation_fraction=0.0).fit(rows, sample_weight=weights, groups=groups)
    assert not hasattr(model, "left_out_log_density_")
    assert not hasattr(model, "left_out_fraction_")


def test_cross_fitted_score_is_the_lower_one(gaussian_model):
    assert gaussian_model.cross_fitted_score_ <= gaussian_model.validation_score_ + 1e-9


def test_cross_fitted_weights_are_those_of_the_other_half():
    logs = np.random.default_rng(0).normal(size=(40, 3))
    weights = cross_fitted_weights(logs, None)
    np.testing.assert_array_equal(weights[0], best_weights(logs[1::2], None))
    np.testing.assert_array_equal(weights[1], best_weights(logs[::2], None))
    own = logsumexp(logs + np.log(best_weights(logs, None)), axis=1).mean()
    assert logsumexp(logs + np.log(weights), axis=1).mean() < own


def test_cross_fitted_weights_know_no_row_of_the_group():
    logs = np.random.default_rng(0).normal(size=(40, 3))
    groups = np.repeat(np.arange(8), 5)
    found = cross_fitted_weights(logs, None, groups)
    even = groups % 2 == 0
    np.testing.assert_array_equal(found[even], np.tile(best_weights(logs[~even], None), (20, 1)))


def test_impossible_rows_say_nothing_about_weights():
    logs = np.log([[0.9, 0.1]] * 98)
    with_impossible = np.vstack([logs, [[-np.inf, -np.inf]]])
    np.testing.assert_array_equal(best_weights(with_impossible, None), best_weights(logs, None))


@pytest.mark.parametrize(("n_trees", "knows_all"), [(ENOUGH_TREES, True), (ENOUGH_TREES - 1, False)])
def test_many_trees_see_all_rows(n_trees, knows_all):
    evidence = weigh_rows(bw.read_columns(correlated(200, 0)))
    is_held = np.arange(200) < 20
    train, held = (evidence.part(evidence.weights * kept) for kept in (~is_held, is_held))
    parameters = ForestParameters(n_trees, n_jobs=1)
    margins = fit_margins(train.columns, "smooth")
    part = fit_forest_part(margins, evidence, train, held, parameters, 0, lambda n_done, n_left: None)
    assert (part.unseen is not None) == knows_all
    if part.unseen is not None:  # about as likely as rows that nobody has seen
        new = weigh_rows(bw.read_columns(correlated(2000, 1))).columns
        score = part.forest.log_density(part.margins.encode(new), 1) + part.margins.log_derivative(new)
        assert part.unseen.mean() == pytest.approx(score.mean(), abs=0.8)


def test_margins_know_all_rows_only_of_tables_without_dependence():
    independent = np.random.default_rng(0).normal(size=(300, 30))
    for rows, refitted in ((independent, True), (correlated(300, 0), False)):
        model = bw.BoostedDensity(**SMALL, n_trees=5, components=["forest", "margins", "network"]).fit(rows)
        columns = model._read(rows)
        of_all = fit_margins(weigh_rows(bw.read_columns(rows)).columns, "smooth")
        same = np.array_equal(model.margins_.log_derivative(columns), of_all.log_derivative(columns))
        assert same == refitted


def test_groups_are_left_out_together_of_the_model_that_calibrates():
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(40), 10)
    rows = np.repeat(rng.normal(size=(40, 3)), 10, axis=0) + 0.01 * rng.normal(size=(400, 3))
    options = {**SMALL, "n_trees": 5, "validation_fraction": 0.0}
    apart = bw.BoostedDensity(**options).fit(rows)
    together = bw.BoostedDensity(**options).fit(rows, groups=groups)
    assert together.calibration_scores_.mean() < apart.calibration_scores_.mean() - 3.0


def test_gaussians_sum_gaps_out():
    rows = correlated(400, 3)
    columns = bw.read_columns(rows)
    u = fit_margins(columns, "smooth").encode(columns)
    scores = normal_scores(u)
    found = begin_gaussians(scores, np.ones(400), 2, np.random.default_rng(0)).fitted(scores, np.ones(400))
    one = u[:1].copy()
    one[0, 2] = np.nan
    places = (np.arange(20_000) + 0.5) / 20_000
    line = np.repeat(one, len(places), axis=0)
    line[:, 2] = places
    assert found.log_density(one, columns)[0] == pytest.approx(
        np.log(np.exp(found.log_density(line, columns)).mean()), abs=1e-3
    )
    assert found.log_density(np.full((1, 5), np.nan), columns)[0] == 0.0
