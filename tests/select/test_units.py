"""Folds of densities: what is left out does not depend on how rows are written down."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.neighbors import KernelDensity

import boxwood as bw
from properties import examples

RNG = np.random.default_rng(0)
CONTINUOUS = RNG.normal(size=(120, 2))
DISCRETE = pd.DataFrame({"kind": list("abcd") * 30, "count": RNG.poisson(1.0, 120)})

DENSITIES = [bw.Histogram(estimate="bayes"), bw.GaussianDensity(), bw.DensityTree(random_state=0)]


@pytest.mark.parametrize("cv", [4, 0.3, "loo"])
@pytest.mark.parametrize("density", DENSITIES[:2], ids=lambda density: type(density).__name__)
def test_copies_of_continuous_rows_are_left_out_together(density, cv):
    once = bw.cross_val_log_likelihood(density, CONTINUOUS, cv=cv)
    twice = bw.cross_val_log_likelihood(density, np.tile(CONTINUOUS, (2, 1)), cv=cv)
    weighted = bw.cross_val_log_likelihood(density, CONTINUOUS, cv=cv, sample_weight=np.full(120, 2.0))
    assert twice.mean == pytest.approx(once.mean, rel=1e-12)
    assert weighted.mean == pytest.approx(once.mean, rel=1e-12)
    assert twice.variance == pytest.approx(once.variance, rel=1e-9, nan_ok=True)


@examples(10)
@given(st.lists(st.integers(1, 3), min_size=120, max_size=120))
def test_weight_two_is_the_row_twice(weights):
    repeated = DISCRETE.loc[np.repeat(DISCRETE.index, weights)]
    density = bw.Histogram(estimate="bayes")
    by_weight = bw.cross_val_log_likelihood(density, DISCRETE, sample_weight=np.array(weights))
    by_rows = bw.cross_val_log_likelihood(density, repeated)
    np.testing.assert_allclose(by_weight.test_scores, by_rows.test_scores, rtol=1e-12)


def test_discrete_rows_leave_one_by_one():
    """A value does not leave training with all its copies: a table of one column is judged as it is."""
    table = pd.DataFrame({"kind": ["a"] * 300 + ["b"] * 100})
    found = bw.cross_val_log_likelihood(bw.Histogram(), table)
    fraction = np.array([0.75, 0.25])
    assert found.mean == pytest.approx(float(fraction @ np.log(fraction)), abs=0.02)
    assert found.n_floored == 0


def test_groups_stay_together():
    centres = RNG.normal(size=(30, 1))
    rows = np.repeat(centres, 8, axis=0) + 1e-3 * RNG.normal(size=(240, 1))
    groups = np.repeat(np.arange(30), 8)
    density = bw.NeighborDensity(2)
    alone = bw.cross_val_log_likelihood(density, rows)
    together = bw.cross_val_log_likelihood(density, rows, groups=groups)
    assert alone.mean > together.mean + 1.0


MODELS = [bw.GaussianDensity(), bw.Histogram(), bw.DensityForest(8, random_state=0)]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_the_threshold_of_weights_is_that_of_repeated_rows(model):
    weights = RNG.integers(1, 4, 120)
    for table in (CONTINUOUS, DISCRETE.assign(more=RNG.integers(0, 3, 120))):
        if isinstance(table, pd.DataFrame) and isinstance(model, bw.GaussianDensity):
            table = table[["count", "more"]]
        repeated = bw.read_columns(table).take(np.repeat(np.arange(120), weights))
        one = bw.NoveltyDetector(model).fit(table, sample_weight=weights)
        two = bw.NoveltyDetector(model).fit(repeated)
        assert one.offset_ == pytest.approx(two.offset_, rel=1e-9)
        np.testing.assert_allclose(one.p_values(table), two.p_values(table), rtol=1e-9)


@pytest.mark.parametrize("scale", [2.0, 1.0 / 120.0])
def test_the_threshold_does_not_depend_on_the_scale_of_weights(scale):
    plain = bw.NoveltyDetector().fit(CONTINUOUS)
    scaled = bw.NoveltyDetector().fit(CONTINUOUS, sample_weight=np.full(120, scale))
    assert plain.offset_ == scaled.offset_
    assert np.array_equal(plain.p_values(CONTINUOUS), scaled.p_values(CONTINUOUS))


def test_classes_keep_rows_apart_and_other_libraries_models_need_no_weights():
    labels = np.arange(120) % 2
    twice = np.tile(DISCRETE, (2, 1))
    detector = bw.NoveltyDetector(bw.BayesClassifier(bw.Histogram(estimate="bayes")))
    assert np.isfinite(detector.fit(DISCRETE, labels).offset_)
    assert len(twice) == 240
    other = bw.NoveltyDetector(KernelDensity()).fit(DISCRETE[["count"]].to_numpy(float))
    assert np.isfinite(other.offset_)


def test_ordinary_new_rows_are_flagged_at_the_rate():
    flagged = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        rows = rng.choice(6, size=(400, 1), p=[0.5, 0.3, 0.1, 0.06, 0.03, 0.01])
        table = np.hstack([rows, rng.normal(size=(400, 1))])
        detector = bw.NoveltyDetector(bw.Histogram(estimate="bayes")).fit(table[:200])
        flagged.append(np.mean(detector.predict(table[200:]) == -1))
    assert 0.03 <= np.mean(flagged) <= 0.07
