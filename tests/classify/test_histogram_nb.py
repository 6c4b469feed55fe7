"""Naive Bayes with histograms."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.naive_bayes import CategoricalNB

import boxwood as bw
from boxwood.classify import class_counts
from boxwood.classify.class_counts import are_continuous
from properties import examples

ROOT = Path(__file__).parents[2]
PENGUINS = ROOT / "examples" / "penguins.csv"
RNG = np.random.default_rng(1)
X, y = load_iris(return_X_y=True)
EDGES = np.linspace(0.0, 8.0, 9)


def by_hand(rows, columns, labels, alpha, n_categories):
    """Count: the product over columns of (N_kcm + α)/(N_k + α·B), times the prior; None is left out."""
    classes = sorted(set(labels))
    joint = np.empty((len(rows), len(classes)))
    for k, label in enumerate(classes):
        members = [i for i, other in enumerate(labels) if other == label]
        for r, row in enumerate(rows):
            p = len(members) / len(labels)
            for j, value in enumerate(row):
                seen = [columns[j][i] for i in members if columns[j][i] is not None]
                if value is not None:
                    p *= (seen.count(value) + alpha) / (len(seen) + alpha * n_categories[j])
            joint[r, k] = p
    return joint / joint.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("alpha", [0.5, 1.0, 2.0])
def test_categories_are_counted_by_hand(alpha):
    colour = ["r", "r", "b", None, "g", "r", "b", "b"]
    taste = ["sour", "sweet", "sweet", "sweet", None, "sour", "sour", "sweet"]
    labels = ["plum", "plum", "plum", "cherry", "cherry", "cherry", "cherry", "plum"]
    model = bw.HistogramNB(alpha=alpha).fit({"colour": colour, "taste": taste}, labels)
    rows = [(c, t) for c in ("r", "g", "b", None) for t in ("sour", "sweet", None)]
    table = {"colour": [c for c, _ in rows], "taste": [t for _, t in rows]}
    expected = by_hand(rows, [colour, taste], labels, alpha, [3, 2])
    np.testing.assert_allclose(model.predict_proba(table), expected, rtol=1e-12)


def test_it_is_the_categorical_naive_bayes_of_others():
    codes = RNG.integers(0, 4, (200, 3))
    labels = (codes.sum(axis=1) + RNG.integers(0, 3, 200) > 6).astype(int)
    peer = CategoricalNB(alpha=1.0, min_categories=4).fit(codes, labels)
    table = pd.DataFrame(codes, columns=list("abc")).astype(str)
    model = bw.HistogramNB(alpha=1.0).fit(table, labels)
    np.testing.assert_allclose(model.predict_proba(table), peer.predict_proba(codes), rtol=1e-10)


def test_numbers_are_counted_in_the_same_bins_for_all_classes():
    model = bw.HistogramNB(bins=EDGES, alpha=1.0).fit(X, y)
    bins = np.digitize(X, EDGES[1:-1])
    peer = CategoricalNB(alpha=1.0, min_categories=8).fit(bins, y)
    np.testing.assert_allclose(model.predict_proba(X), peer.predict_proba(bins), rtol=1e-10)
    assert [len(edges) for edges in model.edges_] == [9] * 4
    rule = bw.HistogramNB(bins="fd").fit(X, y)
    alone = bw.Histogram(bins="fd").fit(X)
    for mine, theirs in zip(rule.edges_, alone.edges_, strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_a_bin_that_a_class_never_had_makes_nothing_impossible():
    model = bw.HistogramNB(bins=4).fit([[0.0], [0.1], [1.0], [0.9]], ["low", "low", "high", "high"])
    predicted = model.predict_log_proba([[0.0], [0.5], [1.0]])
    assert np.isfinite(predicted).all()
    assert model.predict([[0.0], [1.0]]).tolist() == ["low", "high"]


def test_beyond_the_edges_the_outermost_bin_counts():
    model = bw.HistogramNB(bins=EDGES).fit(X, y)
    inside, beyond = X[:1].copy(), X[:1].copy()
    inside[0, 2], beyond[0, 2] = 8.0, 1e9
    np.testing.assert_allclose(model.predict_proba(beyond), model.predict_proba(inside))
    # As a density the model is 0 there, and no class explains the row.
    assert np.isneginf(model.score_samples(beyond)[0])
    assert np.isfinite(model.score_samples(inside)[0])
    assert model.p_values(beyond)[0] < 0.05


def test_what_is_missing_or_unknown_leaves_its_factor_out():
    table = pd.DataFrame({"a": X[:, 0], "b": pd.Series(X[:, 2] > 3).map({True: "long", False: "short"})})
    table.loc[::7, "a"] = np.nan
    model = bw.HistogramNB().fit(table, y)
    alone = bw.HistogramNB().fit(table[["b"]], y)
    without = table.assign(a=np.nan)
    np.testing.assert_allclose(model.predict_proba(without), alone.predict_proba(table[["b"]]))
    unknown = without.assign(b="never seen")
    np.testing.assert_allclose(model.predict_proba(unknown), [model.priors_] * len(table))


def test_mixed_columns(tmp_path):
    table = pd.read_csv(PENGUINS)
    species = table.pop("species")
    table["seen"] = pd.date_range("2020-01-01", periods=len(table), freq="D")
    model = bw.HistogramNB().fit(table, species)
    assert model.score(table, species) > 0.97
    model.save(tmp_path / "m.boxwood")
    for again in (bw.load(tmp_path / "m.boxwood"), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(again.predict_proba(table), model.predict_proba(table))
        np.testing.assert_array_equal(again.p_values(table), model.p_values(table))
    simulated = model.sample(100, y="Gentoo", random_state=0)
    assert np.mean(simulated["island"] == "Biscoe") > 0.9
    assert np.mean(model.predict(simulated) == "Gentoo") > 0.9


@pytest.mark.parametrize("bins", ["loo", 6])
def test_weight_two_is_the_row_twice_and_order_leaves_no_trace(bins):
    weights = RNG.integers(0, 4, len(X))
    order = RNG.permutation(int(weights.sum()))
    weighted = bw.HistogramNB(bins=bins).fit(X, y, sample_weight=weights)
    repeated = bw.HistogramNB(bins=bins).fit(X.repeat(weights, axis=0)[order], y.repeat(weights)[order])
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), rtol=1e-10)


def frame(rows):
    rows = np.asarray(rows)
    letters = np.array(list("abcdef"))[(rows[:, 1] * 2).astype(int) % 6]
    return pd.DataFrame({"x": rows[:, 0], "letter": letters})


@examples(30)
@given(st.integers(0, 10**6), st.integers(1, 149))
def test_parts_and_merged_models_make_the_whole(seed, cut):
    order = np.random.default_rng(seed).permutation(150)
    table, labels = frame(X[order]), y[order]
    bins = {"x": EDGES}
    whole = bw.HistogramNB(bins=bins).fit(table, labels)
    parts = bw.HistogramNB(bins=bins).partial_fit(table[:cut], labels[:cut], classes=[0, 1, 2])
    parts.partial_fit(table[cut:], labels[cut:])
    first, second = (
        bw.HistogramNB(bins=bins).fit(table[rows], labels[rows]) for rows in (slice(cut), slice(cut, None))
    )
    for model in (parts, first.merge(second), second.merge(first)):
        np.testing.assert_allclose(model.predict_proba(table), whole.predict_proba(table), rtol=1e-10)
        np.testing.assert_array_equal(model.class_count_, whole.class_count_)
        assert model.schema_.fields == whole.schema_.fields


def test_a_rule_needs_all_rows():
    assert not hasattr(bw.HistogramNB(), "partial_fit")
    assert hasattr(bw.HistogramNB(bins=4, range=(0, 8)), "partial_fit")
    one, two = bw.HistogramNB().fit(X[::2], y[::2]), bw.HistogramNB().fit(X[1::2], y[1::2])
    with pytest.raises(ValueError, match="the bins differ"):
        one.merge(two)
    with pytest.raises(TypeError, match="only a HistogramNB can be merged"):
        one.merge(bw.BayesClassifier(bw.GaussianDensity()).fit(X, y))


def test_the_spurious_clusters_of_a_product():
    """Two clusters of one class on a diagonal: the product has four, and claims the other class's rows."""
    rng = np.random.default_rng(0)
    corner = np.array([[1.5, 1.5], [-1.5, -1.5], [1.5, -1.5], [-1.5, 1.5]])
    which = rng.integers(0, 4, 2000)
    table = rng.normal(0.0, 0.35, (2000, 2)) + corner[which]
    labels = which // 2
    naive = bw.HistogramNB().fit(table, labels)
    predicted = naive.predict_proba(corner)
    assert np.abs(predicted - 0.5).max() < 0.1  # its density is the same four clusters for both classes
    tree = bw.BayesClassifier(bw.DensityTree(margins="smooth")).fit(table, labels)
    assert np.mean(tree.predict(table) == labels) > 0.98


def test_without_a_prior_the_pens_are_those_of_the_notes():
    """p(marker|red) = 5/7 and p(marker|blue) = 2/7, with equal priors."""
    table = {"kind": ["marker"] * 5 + ["ballpoint"] * 2 + ["marker"] * 2 + ["ballpoint"] * 5}
    colours = ["red"] * 7 + ["blue"] * 7
    pens = bw.HistogramNB(alpha=0).fit(table, colours)
    np.testing.assert_allclose(pens.predict_proba({"kind": ["marker"]}), [[2 / 7, 5 / 7]])
    one = bw.HistogramNB(alpha=1).fit(table, colours)
    np.testing.assert_allclose(one.predict_proba({"kind": ["marker"]}), [[3 / 9, 6 / 9]])
    never = bw.HistogramNB(alpha=0).fit({"kind": ["a", "a", "b"]}, ["x", "x", "y"])
    assert np.isneginf(never.predict_joint_log_proba({"kind": ["b"]})[0, 0])


def continuous_classes(n_rows):
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, n_rows)
    return rng.normal(size=(n_rows, 4)) * [1.0, 2.0, 0.1, 1.0] + labels[:, None], labels


def test_large_tables_are_counted_at_once_and_as_class_by_class(monkeypatch):
    table, labels = continuous_classes(20_000)
    model = bw.HistogramNB().fit(table, labels)
    assert are_continuous(bw.read_columns(table))
    with monkeypatch.context() as patch:
        patch.setattr(class_counts, "FEWEST_ROWS", 10**9)
        by_class = bw.HistogramNB().fit(table, labels)
    new, classes = continuous_classes(3000)
    assert abs(model.score(new, classes) - by_class.score(new, classes)) < 0.01
    assert model.score_samples(table).mean() == pytest.approx(by_class.score_samples(table).mean(), abs=0.02)
    for k, density in enumerate(model.densities_):
        assert np.sum(density.counts_[0]) == np.sum(labels == k)
        given = bw.Histogram(bins=dict(enumerate(density.edges_)), estimate="bayes", alpha="loo")
        again = given.fit(table[labels == k])
        for mine, theirs in zip(density.columns_, again.columns_, strict=True):
            np.testing.assert_array_equal(mine.counts, theirs.counts)
            np.testing.assert_allclose(mine.mass, theirs.mass, rtol=1e-6)
        np.testing.assert_allclose(
            density.calibration_scores_[::500], again.set_params(missing="ignore").calibration_scores_[::500]
        )
    order = np.random.default_rng(1).permutation(len(table))
    shuffled = bw.HistogramNB().fit(table[order], labels[order])
    np.testing.assert_array_equal(shuffled.predict_proba(new), model.predict_proba(new))


@pytest.mark.parametrize("change", ["copies", "rounded", "an atom", "a gap"])
def test_only_continuous_tables_are_counted_at_once(change):
    table, _ = continuous_classes(20_000)
    if change == "copies":
        table = np.concatenate([table[:10_000], table[:10_000]])
    elif change == "rounded":
        table[:, 1] = table[:, 1].round(3)
    elif change == "an atom":
        table[:200, 2] = 0.25
    else:
        table[7, 3] = np.nan
    assert not are_continuous(bw.read_columns(table))


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"bins": "many"}, ValueError, "HistogramNB: bins must be a number of bins, edges or one of"),
        ({"alpha": -1.0}, ValueError, r"^HistogramNB: alpha must be at least 0; got -1.0\.$"),
        ({"alpha": {0: -1.0}}, ValueError, r"^HistogramNB: alpha must be at least 0; got -1.0\.$"),
        ({"alpha": "one"}, TypeError, "alpha must be a number"),
        ({"priors": "flat"}, ValueError, 'priors must be None, "uniform"'),
    ],
)
def test_parameters_are_checked(parameters, error, message):
    with pytest.raises(error, match=message):
        bw.HistogramNB(**parameters).fit(X, y)
