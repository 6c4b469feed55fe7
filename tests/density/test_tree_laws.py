"""Laws of densities of boxes: normalised on every kind of table, whatever the options."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from box_laws import (
    KINDS,
    integral_of,
    leaf_masses,
    make_table,
    probability_of_presence,
    single_trees,
    total_of,
)
from hypothesis import Phase, given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import logsumexp

import boxwood as bw
from boxwood.binning import bin_edges as bin_edges
from boxwood.mixture import Mixture
from properties import examples

CRITERIA = (
    "log_likelihood",
    "loo",
    "squared_error",
    "nonuniformity",
    "gaussian_entropy",
    "product_likelihood",
)
LEAVES = ("uniform", "histogram", "gaussian")
SPLITTERS = ("exact", "binned", "random")

trees = st.builds(
    bw.DensityTree,
    criterion=st.sampled_from(CRITERIA),
    margins=st.sampled_from(["linear", "smooth"]),
    leaf=st.sampled_from(["uniform", "histogram"]),
    splitter=st.sampled_from(SPLITTERS),
    prune=st.sampled_from([None, "loo", "cv", "validation"]),
    prune_score=st.sampled_from(["log_likelihood", "squared_error"]),
    max_leaf_nodes=st.sampled_from([None, 5]),
    min_samples_leaf=st.sampled_from([0, 1, 3]),
    mass_prior=st.sampled_from([0.0, 1.0, 5.0]),
    n_bins=st.sampled_from([1, 4, 16]),
    random_state=st.just(0),
)


@pytest.mark.filterwarnings(
    "ignore:DensityTree.*has no effect:UserWarning"
)  # every option beside every other
@examples(80, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(
    model=trees,
    kinds=st.lists(st.sampled_from(KINDS), min_size=1, max_size=2).map(tuple),
    n=st.sampled_from([1, 2, 7, 40, 120]),
    seed=st.integers(0, 10**6),
)
def test_a_density_sums_to_one_over_all_rows(model, kinds, n, seed):
    model.fit(make_table(kinds, n, seed))
    assert leaf_masses(model).sum() == pytest.approx(1.0, abs=1e-12)
    assert model.mixture_.probability([None] * len(kinds)) == pytest.approx(1.0, abs=1e-12)
    assert total_of(model) == pytest.approx(probability_of_presence(model), abs=1e-6)


@pytest.mark.parametrize("margins", ["linear", "smooth"])
@pytest.mark.parametrize("leaf", LEAVES)
@pytest.mark.parametrize("prune", [None, "loo"])
def test_a_density_integrates_to_one_over_x(prune, leaf, margins):
    X = np.random.default_rng(0).normal(size=(80, 1)) ** 3
    for splitter in ("exact", "binned"):
        model = bw.DensityTree(leaf=leaf, margins=margins, prune=prune, splitter=splitter).fit(X)
        assert integral_of(model) == pytest.approx(1.0, abs=1e-4 if leaf == "gaussian" else 1e-7)


@pytest.mark.parametrize(
    "kinds", [("integer", "category"), ("spikes", "wide_integer"), ("constant", "boolean")]
)
@pytest.mark.parametrize("margins", ["linear", "smooth"])
def test_atoms_and_whole_numbers_in_gaussian_leaves_sum_to_one(kinds, margins):
    model = bw.DensityTree(leaf="gaussian", margins=margins, criterion="gaussian_entropy", prune=None)
    model.fit(make_table(kinds, 200, 0))
    assert model.n_leaves_ > 1
    assert total_of(model) == pytest.approx(probability_of_presence(model), abs=1e-6)


@pytest.mark.parametrize("margins", ["linear", "smooth"])
@pytest.mark.parametrize("leaf", LEAVES)
@pytest.mark.parametrize("splitter", SPLITTERS)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_every_combination_is_normalised(criterion, splitter, leaf, margins):
    X = make_table(("number", "holes"), 60, 3)
    for model in (
        bw.DensityTree(criterion=criterion, splitter=splitter, leaf=leaf, margins=margins, random_state=0),
        bw.DensityForest(
            3, criterion=criterion, splitter=splitter, leaf=leaf, margins=margins, random_state=0
        ),
    ):
        model.fit(X)
        for tree in range(model.mixture_.n_trees):
            assert leaf_masses(model, tree).sum() == pytest.approx(1.0, abs=1e-12)
        assert np.isfinite(model.score_samples(X)).all()


@examples(20, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(
    kinds=st.lists(st.sampled_from(KINDS), min_size=1, max_size=2).map(tuple),
    leaf=st.sampled_from(["uniform", "histogram"]),
    margins=st.sampled_from(["linear", "smooth"]),
    bootstrap=st.booleans(),
    seed=st.integers(0, 10**6),
)
def test_a_forest_is_normalised_and_the_mean_of_its_trees(kinds, leaf, margins, bootstrap, seed):
    X = make_table(kinds, 60, seed)
    forest = bw.DensityForest(4, leaf=leaf, margins=margins, bootstrap=bootstrap, random_state=0).fit(X)
    assert total_of(forest) == pytest.approx(probability_of_presence(forest), abs=1e-6)
    columns = bw.read_columns(X)
    points = forest.margins_.encode(columns)
    singles = [
        Mixture(forest.mixture_.bin_edges, flat, np.ones(1)).log_density(points)
        for flat in single_trees(forest.mixture_.flat, len(kinds))
    ]
    mean = logsumexp(singles, axis=0) - np.log(len(singles))
    np.testing.assert_allclose(forest.mixture_.log_density(points), mean, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("margins", ["linear", "smooth"])
@pytest.mark.parametrize("leaf", LEAVES)
def test_missing_values_are_summed_out(margins, leaf):
    X = make_table(("number", "number"), 150, 0)
    X["c1"] = X["c0"] + 0.5 * X["c1"]
    model = bw.DensityTree(
        margins=margins, leaf=leaf, prune=None, min_samples_split=20, missing="ignore"
    ).fit(X)
    first, second = model.margins_.columns
    edges = np.unique(np.concatenate([model.mixture_.bin_edges[1][0], np.linspace(0.0, 1.0, 20_001)]))
    middles, widths = 0.5 * (edges[1:] + edges[:-1]), np.diff(edges)
    for value in np.quantile(X["c0"], [0.2, 0.5, 0.8]):
        points = np.column_stack([np.full(len(middles), first.cdf.below(value)), middles])
        over_second = (np.exp(model.mixture_.log_density(points)) * widths).sum()
        expected = np.log(over_second) + first.log_derivative(np.array([value]))[0]
        alone = model.score_samples(pd.DataFrame({"c0": [value], "c1": [np.nan]}))[0]
        assert alone == pytest.approx(expected, abs=1e-3 if leaf == "gaussian" else 1e-9)
    assert second.missing_mass == 0.0
    nothing = model.score_samples(pd.DataFrame({"c0": [np.nan], "c1": [np.nan]}))[0]
    assert nothing == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("margins", ["linear", "smooth"])
def test_gaussian_leaves_leave_missing_values_their_mass(margins):
    """A Gaussian along the whole column would take most of it away: values do not end where holes begin."""
    x = make_table(("holes", "number"), 500, 3)
    model = bw.DensityTree(leaf="gaussian", margins=margins, max_depth=1, prune=None).fit(x)
    total = model.margins_.columns[0].cdf.total
    found = model.mixture_.probability([(total, 1.0), None])
    assert found == pytest.approx(x["c0"].isna().mean(), abs=0.02)


def test_missing_values_of_training_are_bins_of_their_own():
    rng = np.random.default_rng(0)
    flag = rng.random(400) < 0.5
    X = pd.DataFrame(
        {"a": np.where(flag, np.nan, rng.normal(size=400)), "b": rng.normal(size=400) + 5.0 * flag}
    )
    model = bw.DensityTree(min_samples_leaf=0).fit(X)
    missing, b = model.margins_.columns
    total = missing.cdf.total
    assert model.mixture_.probability([(total, 1.0), None]) == pytest.approx(flag.mean(), abs=0.02)
    high_b = (b.cdf.below(2.5), 1.0)
    joint = model.mixture_.probability([(total, 1.0), high_b])
    # b is high just where a is missing; cuts keep one spacing away from the rows, which are few here.
    assert joint / flag.mean() == pytest.approx(1.0, abs=0.08)
    assert (model.apply(X[flag]) != model.apply(X[~flag])[0]).all()


@pytest.mark.parametrize("margins", ["linear", "smooth"])
def test_outside_the_box(margins):
    X = make_table(("number", "category"), 100, 0)
    far = pd.DataFrame({"c0": [1e9, -1e9, 0.0], "c1": ["a", "b", "never seen"]})
    for model in (bw.DensityTree(margins=margins), bw.DensityForest(5, margins=margins, random_state=0)):
        scores = model.fit(X).score_samples(far)
        assert not np.isnan(scores).any()
        assert np.isfinite(scores[2])
        assert (np.isneginf(scores[:2]) if margins == "linear" else np.isfinite(scores[:2])).all()
        assert model.predict(far)[0] == -1


@pytest.mark.parametrize(
    "model",
    [
        bw.DensityTree(),
        bw.DensityTree(margins="smooth", leaf="histogram"),
        bw.DensityTree(leaf="gaussian", criterion="gaussian_entropy"),
        bw.DensityForest(5, random_state=0),
    ],
    ids=["uniform", "histogram", "gaussian", "forest"],
)
def test_samples_follow_the_density(model):
    X = make_table(("number", "number"), 400, 0)
    X["c1"] += X["c0"]
    model.fit(X)
    sample = model.sample(4000, random_state=0)
    u = model.margins_.encode(bw.read_columns(sample))
    for j, (edges, _) in enumerate(model.mixture_.bin_edges):
        cdf = np.concatenate([[0.0], np.cumsum(model.mixture_.marginal(j))])
        # The marginal is level within a bin but for Gaussian leaves: compared at the bin edges.
        below = (u[:, [j]] < edges).mean(axis=0)
        assert np.abs(below - cdf).max() < 1.63 / np.sqrt(len(u))
    # log p of two independent samples has the same distribution, and E log p its mean.
    scores, others = model.score_samples(sample), model.score_samples(model.sample(4000, random_state=1))
    assert stats.ks_2samp(scores, others).pvalue > 1e-3
