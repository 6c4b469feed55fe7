"""Values that training did not show: density 0 with a warning, or a part of the Good–Turing mass."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxwood as bw
from boxwood.histogram.unseen import good_turing
from properties import examples

SMOOTH = [bw.Histogram(unseen="smooth"), bw.ProductDensity(unseen="smooth")]


def column(model: Any) -> Any:
    return model.columns_[0] if isinstance(model, bw.Histogram) else model.marginals_[0].columns_[0]


@pytest.mark.parametrize(
    "model", [bw.Histogram(), bw.ProductDensity()], ids=lambda model: type(model).__name__
)
def test_a_warning_names_the_columns_and_counts_rows(model: Any) -> None:
    frame = pd.DataFrame({"x": np.random.default_rng(0).normal(size=200), "kind": list("ab") * 100})
    model.fit(frame)
    new = pd.DataFrame({"x": [0.0, 99.0, -99.0, 0.0], "kind": ["a", "b", "a", "c"]})
    with pytest.warns(
        UserWarning, match="'x' in 2 rows, the first one row 1; 'kind' in 1 row, the first one row 3"
    ):
        scores = model.score_samples(new)
    assert np.isneginf(scores).tolist() == [False, True, True, True]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.score_samples(frame)
        assert model.predict(new).tolist() == [1, -1, -1, -1]  # what is odd is no reason to warn


@pytest.mark.parametrize("model", SMOOTH, ids=lambda model: type(model).__name__)
def test_smooth_models_score_every_row(model: Any) -> None:
    rng = np.random.default_rng(0)
    table = {
        "x": rng.normal(size=200),
        "count": rng.poisson(3.0, 200),
        "tenths": np.round(rng.normal(size=200), 1),
    }
    frame = pd.DataFrame({**table, "kind": list("ab") * 100})
    model.fit(frame)
    new = pd.DataFrame(
        {"x": [1e9, -40.0], "count": [0, 5000], "tenths": [77.7, 0.0], "kind": ["never", "seen"]}
    )
    assert np.isfinite(model.score_samples(new)).all()
    assert np.isfinite(model.calibration_scores_).all()
    assert model.predict(new).tolist() == [-1, -1]


def test_unknown_categories_have_the_good_turing_mass() -> None:
    kinds = ["a"] * 7 + ["b"] * 9 + ["c", "d"]
    model = bw.Histogram(unseen="smooth").fit(pd.DataFrame({"kind": kinds}))
    p = np.exp(model.score_samples(pd.DataFrame({"kind": ["a", "b", "c", "d", "new"]})))
    assert p[-1] == pytest.approx(3.0 / 20.0)
    assert p.sum() == pytest.approx(1.0)


def test_the_good_turing_mass_is_about_what_new_rows_have() -> None:
    rng = np.random.default_rng(0)
    missed = []
    for _ in range(40):
        rows = 7 * rng.geometric(0.01, 600)
        new = rows[300:]
        model = bw.Histogram(bins=np.arange(-3.5, 8000.0, 7.0)[:, None].ravel().tolist(), unseen="smooth")
        model.fit(pd.DataFrame({"x": rows[:300]}))
        missed.append(np.mean(~np.isin(new, rows[:300])) / model.columns_[0].unseen)
    assert np.mean(missed) == pytest.approx(1.0, abs=0.1)


def check_mass_of_integers(values: list[int], step: int) -> None:
    model = bw.Histogram(unseen="smooth").fit(pd.DataFrame({"x": np.array(values) * step}))
    lattice = model.columns_[0].measure.lattice
    assert lattice is not None
    far = 2_000_000
    points = np.rint(lattice.origin + lattice.step * np.arange(-far, far)).astype(int)
    p = np.exp(model.score_samples(pd.DataFrame({"x": points})))
    unseen = model.columns_[0].unseen
    assert p.sum() == pytest.approx(1.0, abs=1e-4)
    is_seen = (
        model.columns_[0].mass[np.searchsorted(model.edges_[0], points).clip(1, len(model.edges_[0]) - 1) - 1]
        > 0
    )
    inside = (points > model.edges_[0][0]) & (points < model.edges_[0][-1])
    assert p[~(is_seen & inside)].sum() == pytest.approx(unseen, abs=1e-4)
    assert (p[points < 0] > 0.0).all() == (min(values) < 0)  # no value below 0 where none was


INTEGERS = given(st.lists(st.integers(-6, 30), min_size=5, max_size=60), st.sampled_from([1, 5]))


@examples(12)  # four million points each
@INTEGERS
def test_integers_have_mass_one(values: list[int], step: int) -> None:
    check_mass_of_integers(values, step)


@pytest.mark.slow
@examples(100)
@INTEGERS
def test_integers_have_mass_one_in_many_tables(values: list[int], step: int) -> None:
    check_mass_of_integers(values, step)


@examples(30)
@given(st.integers(0, 1000), st.sampled_from(["normal", "atom", "rounded", "positive", "count"]))
def test_cdf_quantile_density_and_sample_agree(seed: int, law: str) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=60)
    values = {
        "normal": x,
        "atom": np.where(rng.random(60) < 0.4, 0.0, x),
        "rounded": np.round(x, 1),
        "positive": np.exp(x),
        "count": rng.poisson(3.0, 60),
    }[law]
    model = bw.Histogram(unseen="smooth").fit(values[:, None])
    histogram = model.columns_[0]
    grid = np.sort(np.concatenate([values, np.linspace(-30.0, 60.0, 1001)]))
    if histogram.measure.lattice is not None:
        grid = np.unique(histogram.measure.nearest(grid))
    cdf = model.cdf(grid[:, None])[:, 0]
    assert np.all(np.diff(cdf) >= -1e-12)
    assert np.all((cdf >= 0.0) & (cdf <= 1.0))
    levels = np.array([0.001, 0.02, 0.3, 0.5, 0.9, 0.999])
    quantiles = np.asarray(model.quantile(levels))[:, 0]
    assert np.all(model.cdf(quantiles[:, None])[:, 0] >= levels - 1e-9)
    drawn = np.asarray(model.sample(4000, random_state=seed))[:, 0]
    below = np.mean(drawn[:, None] <= grid[::50], axis=0)
    np.testing.assert_allclose(below, cdf[::50], atol=0.045)
    assert np.isfinite(model.score_samples(drawn[:, None])).all()


def test_the_density_is_the_slope_of_the_cdf() -> None:
    rng = np.random.default_rng(0)
    model = bw.Histogram(unseen="smooth").fit(np.exp(rng.normal(size=(100, 1))))
    x = np.concatenate([rng.uniform(0.0, 30.0, 300), rng.uniform(30.0, 3000.0, 100)])
    inside = np.abs(x[:, None] - model.edges_[0]).min(axis=1) > 1e-3
    slope = (model.cdf((x + 1e-4)[:, None]) - model.cdf((x - 1e-4)[:, None]))[:, 0] / 2e-4
    np.testing.assert_allclose(
        np.exp(model.score_samples(x[:, None]))[inside], slope[inside], rtol=1e-3, atol=1e-9
    )


def test_with_a_prior_only_what_lies_beyond_is_unseen() -> None:
    rows = np.random.default_rng(0).normal(size=(98, 1))
    model = bw.Histogram(estimate="bayes", unseen="smooth").fit(rows)
    assert model.columns_[0].unseen == pytest.approx(0.01)


def test_smooth_models_survive_a_file_and_parts(tmp_path: Any) -> None:
    rows = np.abs(np.random.default_rng(0).normal(size=(300, 1)))
    new = np.array([[0.5], [77.0], [-1.0]])
    for model in SMOOTH:
        model.fit(rows).save(tmp_path / "model.bw")
        assert np.array_equal(bw.load(tmp_path / "model.bw").score_samples(new), model.score_samples(new))
    given = bw.Histogram(bins=8, range=(0, 4), unseen="smooth")
    parts = (
        bw.Histogram(bins=8, range=(0, 4), unseen="smooth").partial_fit(rows[:100]).partial_fit(rows[100:])
    )
    assert np.array_equal(given.fit(rows).score_samples(new), parts.score_samples(new))
    with pytest.raises(ValueError, match="no place in this form"):
        given.to_mixture()


def test_good_turing_is_never_more_than_half() -> None:
    assert good_turing(np.ones(100)) == 0.5
    assert good_turing(np.array([100.0])) == pytest.approx(1.0 / 102.0)
