"""The anomaly detector: calibration, contract, kinds of columns, explanations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_diabetes, load_wine
from sklearn.metrics import roc_auc_score

import boxwood as bw

PENGUINS = Path(__file__).parents[2] / "examples" / "penguins.csv"


def correlated(n, seed=0, d=4):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 1)) + 0.3 * rng.normal(size=(n, d))


def counts(n, seed=0):
    return np.random.default_rng(seed).poisson([1.0, 3.0, 8.0], size=(n, 3)).astype(float)


def mixed(n, seed=0):
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 3, n)
    size = rng.normal(10.0 * kind, 1.0)
    size[rng.random(n) < 0.1] = np.nan
    return pd.DataFrame(
        {
            "kind": np.array(["a", "b", "c"])[kind],
            "size": size,
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, n), unit="D"),
        }
    )


@pytest.fixture(scope="module")
def fitted():
    return bw.AnomalyDetector().fit(correlated(400))


@pytest.fixture(scope="module")
def of_mixed():
    return bw.AnomalyDetector().fit(mixed(400))


@pytest.mark.parametrize("draw", [correlated, counts, mixed], ids=lambda draw: draw.__name__)
@pytest.mark.parametrize("rate", [0.05, 0.2])
def test_ordinary_new_rows_are_flagged_at_the_asked_rate(draw, rate):
    detector = bw.AnomalyDetector(false_alarm_rate=rate).fit(draw(400))
    flagged = np.mean(detector.predict(draw(2000, seed=1)) == -1)
    # The threshold is a quantile of 400 rows: its own spread is √(rate/400), doubled for the parts'.
    assert abs(flagged - rate) < 4.0 * np.sqrt(rate * (1.0 - rate) / 400.0) + 0.01


def test_p_values_of_new_rows_are_uniform(fitted):
    p_values = np.sort(fitted.p_values(correlated(2000, seed=2)))
    uniform = (np.arange(2000) + 0.5) / 2000
    assert np.abs(p_values - uniform).max() < 1.63 * np.sqrt(1 / 400 + 1 / 2000)


@pytest.mark.parametrize("load", [load_wine, load_diabetes])
def test_planted_anomalies_are_found(load):
    X = load().data
    rng = np.random.default_rng(0)
    broken = np.column_stack([rng.permutation(column) for column in X.T])  # only the dependence is gone
    train = np.arange(len(X)) % 2 == 0
    detector = bw.AnomalyDetector().fit(X[train])
    test, odd = np.vstack([X[~train], broken]), np.repeat([0, 1], [int((~train).sum()), len(X)])
    assert roc_auc_score(odd, -detector.score_samples(test)) > 0.75


def test_anomalies_in_the_training_table_do_not_vouch_for_each_other():
    cluster = np.random.default_rng(1).normal([3.0, -3.0, 3.0, -3.0], 0.2, size=(15, 4))
    X = np.vstack([correlated(500), cluster])
    scores = bw.AnomalyDetector().fit(X).score_samples(X)
    assert roc_auc_score(np.arange(len(X)) >= 500, -scores) > 0.85


def test_explain_finds_the_planted_cell(fitted):
    rows = correlated(40, seed=3)
    j = np.arange(40) % 4
    rows[np.arange(40), j] += np.where(rows[:, 0] > 0.0, -3.0, 3.0)
    blame = fitted.explain(rows)
    assert list(blame.columns) == ["x0", "x1", "x2", "x3"]
    assert np.mean(np.argmax(blame.to_numpy(), axis=1) == j) > 0.9


def test_explain_blames_a_category_a_gap_and_a_value_never_seen(of_mixed):
    rows = mixed(3, seed=5)
    rows["kind"] = ["a", "b", "never seen"]
    rows["size"] = [20.0, 10.0, 0.0]
    rows.loc[1, "day"] = pd.NaT  # of which training has none
    blame = of_mixed.explain(rows)
    assert isinstance(blame, pd.DataFrame)
    assert blame.iloc[0][["kind", "size"]].min() > blame.iloc[0]["day"]
    assert blame.iloc[1].idxmax() == "day"
    assert blame.iloc[2].idxmax() == "kind"
    assert (of_mixed.predict(rows) == -1).all()


def test_frames_of_other_libraries_are_the_same(of_mixed):
    table = mixed(50, seed=4)
    np.testing.assert_allclose(
        of_mixed.score_samples(pl.from_pandas(table)), of_mixed.score_samples(table), rtol=1e-12
    )
    assert isinstance(
        bw.AnomalyDetector().fit(pl.from_pandas(table)).explain(pl.from_pandas(table[:2])), pl.DataFrame
    )


def test_contamination_is_the_fraction_of_training_rows():
    X = correlated(200)
    detector = bw.AnomalyDetector(contamination=0.1)
    labels = detector.fit_predict(X)
    assert np.sum(labels == -1) == 20
    np.testing.assert_array_equal(labels, detector.predict(X))
    np.testing.assert_allclose(detector.decision_function(X), detector.score_samples(X) - detector.offset_)


def test_row_order_and_copies_leave_no_trace(fitted):
    X, new = correlated(400), correlated(30, seed=6)
    backwards = bw.AnomalyDetector().fit(X[::-1])
    twice = bw.AnomalyDetector().fit(np.repeat(X, 2, axis=0))
    weighted = bw.AnomalyDetector().fit(X, sample_weight=np.full(400, 0.3))
    for other in (backwards, twice, weighted):
        np.testing.assert_allclose(other.score_samples(new), fitted.score_samples(new), rtol=1e-9)


def test_weight_two_is_the_row_twice():
    X, new = counts(200), counts(30, seed=6)
    repeated = np.vstack([X, X[:50]])
    weights = np.where(np.arange(200) < 50, 2.0, 1.0)
    one = bw.AnomalyDetector().fit(repeated)
    other = bw.AnomalyDetector().fit(X, sample_weight=weights)
    np.testing.assert_allclose(one.score_samples(new), other.score_samples(new), rtol=1e-9)


def test_a_point_that_comes_often_is_not_flagged_by_rounding():
    # By views of folds its score differs from that of the final views in the fourth digit.
    table = np.full((400, 2), 1.5)
    detector = bw.AnomalyDetector().fit(table)
    assert (detector.predict(table) == 1).all()
    np.testing.assert_array_equal(detector.p_values(table), 1.0)


def test_groups_are_left_out_together():
    centres = np.random.default_rng(0).normal(size=(40, 3)) * 5.0
    groups = np.repeat(np.arange(40), 10)
    X = centres[groups] + 0.1 * np.random.default_rng(1).normal(size=(400, 3))
    new = np.random.default_rng(2).normal(size=(200, 3)) * 5.0  # rows of groups never seen
    apart = bw.AnomalyDetector().fit(X, groups=groups)
    together = bw.AnomalyDetector().fit(X)
    assert np.mean(together.predict(new) == -1) > 0.3 + np.mean(apart.predict(new) == -1)


def test_training_p_values_are_of_left_out_scores():
    X = correlated(200)
    X[7] = [4.0, -4.0, 4.0, -4.0]
    detector = bw.AnomalyDetector().fit(X)
    assert np.argmin(detector.training_p_values_) == 7
    assert detector.training_p_values_.shape == (200,)


def test_few_rows_warn_and_flag_nothing():
    detector = bw.AnomalyDetector().fit(correlated(8))
    with pytest.warns(UserWarning, match="too few"):
        assert (detector.predict(correlated(8, seed=1)) == 1).all()


def test_saved_and_loaded(of_mixed, tmp_path):
    of_mixed.save(tmp_path / "detector.boxwood")
    loaded = bw.load(tmp_path / "detector.boxwood")
    table = mixed(50, seed=4)
    np.testing.assert_array_equal(loaded.score_samples(table), of_mixed.score_samples(table))
    np.testing.assert_array_equal(loaded.predict(table), of_mixed.predict(table))
    assert loaded.explain(table[:3]).equals(of_mixed.explain(table[:3]))


def test_penguins_as_they_come():
    table = pd.read_csv(PENGUINS)
    detector = bw.AnomalyDetector().fit(table)
    odd = table[:1].assign(species="Gentoo")  # an Adelie by its measures and island
    assert detector.p_values(odd)[0] < 0.05
    assert detector.explain(odd).iloc[0].idxmax() == "species"
