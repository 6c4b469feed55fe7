"""The Gaussian conditional entropy: its quadrature, its closed cases, and the trees that it chooses."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats
from sklearn.datasets import load_iris

import boxwood as bw
from boxwood._core import gaussian_conditional_entropy
from properties import examples

NAME = "gaussian_conditional_entropy"


def entropy(fractions, means, deviations) -> float:
    return gaussian_conditional_entropy(*(np.array(a, dtype=float) for a in (fractions, means, deviations)))


def reference_entropy(fractions, means, deviations) -> float:
    """The entropy of the posterior, averaged over x by scipy's quadrature."""
    fractions, means, deviations = (np.array(a, dtype=float) for a in (fractions, means, deviations))

    def integrand(x: float) -> float:
        parts = fractions * stats.norm.pdf(x, means, deviations)
        if parts.sum() == 0.0:
            return 0.0
        posterior = parts / parts.sum()
        predicted = posterior[posterior > 0.0]
        return float(-parts.sum() * (predicted * np.log2(predicted)).sum())

    steps = np.unique(np.concatenate([means + k * deviations for k in range(-9, 10)]).round(9))
    return sum(integrate.quad(integrand, a, b, epsabs=1e-12, epsrel=1e-10)[0] for a, b in pairwise(steps))


@examples(25)
@given(
    st.lists(
        st.tuples(st.floats(0.05, 1.0), st.floats(-3.0, 3.0), st.sampled_from([0.01, 0.3, 1.0, 2.0])),
        min_size=2,
        max_size=4,
    )
)
def test_against_the_quadrature_of_scipy(classes):
    fractions, means, deviations = np.array(classes).T
    fractions = fractions / fractions.sum()
    expected = reference_entropy(fractions, means, deviations)
    assert entropy(fractions, means, deviations) == pytest.approx(expected, abs=1e-7)


def test_closed_cases():
    assert entropy([1.0], [3.0], [2.0]) == 0.0
    assert entropy([1.0, 0.0], [3.0, 0.0], [2.0, 1.0]) == 0.0
    # A feature that says nothing leaves the classes' own entropy,
    assert entropy([0.5, 0.5], [1.0, 1.0], [2.0, 2.0]) == pytest.approx(1.0, abs=1e-12)
    assert entropy([0.25] * 4, [0.0] * 4, [1.0] * 4) == pytest.approx(2.0, abs=1e-12)
    # one that parts them all leaves nothing.
    assert entropy([0.3, 0.7], [0.0, 100.0], [1.0, 1.0]) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("shift", [0.0, 1e6])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_place_and_scale_do_not_matter(shift, scale):
    predicted = entropy([0.2, 0.8], [shift, shift + scale], [scale, 2.0 * scale])
    assert predicted == pytest.approx(entropy([0.2, 0.8], [0.0, 1.0], [1.0, 2.0]), abs=1e-6)


def reference_choice(X: np.ndarray, y: np.ndarray, weights: np.ndarray) -> tuple[int, float]:
    """The column of least entropy, and its mean."""
    entropies = []
    for x in X.T:
        floor = 1e-3 * np.sqrt(np.cov(x, aweights=weights, bias=True))
        classes = [(w := weights[y == c], np.average(x[y == c], weights=w)) for c in np.unique(y)]
        deviations = [
            max(floor, np.sqrt(np.average((x[y == c] - m) ** 2, weights=w)))
            for c, (w, m) in zip(np.unique(y), classes, strict=True)
        ]
        fractions = [w.sum() / weights.sum() for w, _ in classes]
        entropies.append(reference_entropy(fractions, [m for _, m in classes], deviations))
    best = int(np.argmin(entropies))
    return best, float(np.average(X[:, best], weights=weights))


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_the_root_is_cut_at_the_mean_of_the_best_column(n_classes):
    rng = np.random.default_rng(n_classes)
    y = rng.integers(0, n_classes, 200)
    X = rng.normal(size=(200, 4)) + np.outer(y, [0.1, 1.0, 0.5, 0.0])
    weights = rng.integers(1, 4, 200).astype(float)
    model = bw.DecisionTreeClassifier(criterion=NAME, max_depth=1).fit(X, y, sample_weight=weights)
    column, mean = reference_choice(X, y, weights)
    assert model.trees_.feature[0] == column
    assert model.trees_.threshold[0] == pytest.approx(mean)


def test_trees_and_forests_of_it_work(tmp_path):
    X, y = load_iris(return_X_y=True)
    holes = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    for model in (
        bw.DecisionTreeClassifier(criterion=NAME, random_state=0),
        bw.RandomForestClassifier(20, criterion=NAME, random_state=0),
    ):
        assert model.fit(X, y).score(X, y) > 0.95
        assert model.fit(holes, y).score(holes, y) > 0.9
        model.save(tmp_path / "model.boxwood")
        loaded = bw.load(tmp_path / "model.boxwood")
        np.testing.assert_array_equal(loaded.predict_proba(holes), model.predict_proba(holes))
    tree = bw.DecisionTreeClassifier(criterion=NAME, max_depth=3).fit(X.astype(np.float32), y)
    np.testing.assert_array_equal(
        tree.to_sklearn().predict(X.astype(np.float32)), tree.predict(X.astype(np.float32))
    )


def test_what_it_does_not_take():
    with pytest.raises(ValueError, match="column 'c' has categories"):
        bw.DecisionTreeClassifier(criterion=NAME).fit(pd.DataFrame({"c": ["a", "b"]}), [0, 1])
    with pytest.raises(ValueError, match="oblique"):
        bw.DecisionTreeClassifier(criterion=NAME, oblique=1).fit([[0.0], [1.0]], [0, 1])
    constant = bw.DecisionTreeClassifier(criterion=NAME).fit([[1.0], [1.0]], [0, 1])
    assert constant.get_n_leaves() == 1
