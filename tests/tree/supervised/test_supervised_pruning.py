"""Cost-complexity pruning: the path, a penalty, and its choice on rows that the tree did not see."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.tree
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris

import boxwood as bw
from properties import examples

CLASSES = [bw.DecisionTreeClassifier, bw.DecisionTreeRegressor]


def noisy(cls, n_rows: int = 600, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4))
    signal = (X[:, 0] > 0.0) * 2.0 + (X[:, 1] > 0.5)
    if cls is bw.DecisionTreeRegressor:
        return X, signal + rng.normal(size=n_rows)
    return X, np.where(rng.random(n_rows) < 0.25, rng.integers(0, 4, n_rows), signal).astype(int)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
def test_the_path_is_scikit_learn_s_on_data_without_ties(criterion):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(150, 1)).astype(np.float32), rng.integers(0, 3, 150)
    ours = bw.DecisionTreeRegressor if criterion == "squared_error" else bw.DecisionTreeClassifier
    path = ours(criterion=criterion).cost_complexity_pruning_path(X, y)
    theirs = getattr(sklearn.tree, ours.__name__)(criterion=criterion).cost_complexity_pruning_path(X, y)
    assert path.ccp_alphas[0] == 0.0
    assert path.impurities[-1] == pytest.approx(theirs.impurities[-1])
    assert path.ccp_alphas[-1] == pytest.approx(theirs.ccp_alphas[-1])
    assert np.all(np.diff(path.ccp_alphas) > -1e-12)
    assert np.all(np.diff(path.impurities) > -1e-12)


@pytest.mark.parametrize("cls", CLASSES)
def test_penalties_along_the_path_give_ever_smaller_trees(cls):
    X, y = noisy(cls, 200)
    path = cls(random_state=0).cost_complexity_pruning_path(X, y)
    sizes = [cls(random_state=0, ccp_alpha=a + 1e-9).fit(X, y).get_n_leaves() for a in path.ccp_alphas]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("rule", ["cv", "validation"])
def test_a_chosen_penalty_is_better_on_new_rows(cls, rule):
    X, y = noisy(cls)
    X_new, y_new = noisy(cls, 2000, seed=1)
    integer = cls(random_state=0).fit(X, y)
    pruned = cls(random_state=0, ccp_alpha=rule).fit(X, y)
    assert pruned.ccp_alpha_ > 0.0
    assert pruned.get_n_leaves() < integer.get_n_leaves() / 4
    assert pruned.score(X_new, y_new) > integer.score(X_new, y_new) + 0.05
    again = cls(random_state=0, ccp_alpha=pruned.ccp_alpha_).fit(X, y)
    np.testing.assert_array_equal(again.predict(X_new), pruned.predict(X_new))


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("rule", ["cv", "validation"])
@given(seed=st.integers(0, 2**32 - 1), n_rows=st.integers(60, 200), n_steps=st.integers(2, 4))
@examples(25)
def test_a_perfect_tree_is_never_collapsed(cls, rule, seed, n_rows, n_steps):
    """Steps of one column with gaps between: a tree of some of the rows tells the others without fault."""
    rng = np.random.default_rng(seed)
    step = rng.permutation(np.arange(n_rows) % n_steps)
    X = np.column_stack([step + rng.uniform(0.0, 0.3, n_rows), rng.normal(size=n_rows)])
    y = step.astype(float) if cls is bw.DecisionTreeRegressor else step
    model = cls(ccp_alpha=rule, random_state=seed % 1000).fit(X, y)
    assert model.get_n_leaves() == n_steps
    assert model.score(X, y) == 1.0


@pytest.mark.parametrize("cls", CLASSES)
def test_separable_classes_are_never_collapsed_to_the_root(cls):
    for rule in ("cv", "validation"):
        for seed in range(25):
            X = np.random.default_rng(seed).normal(size=(200, 3))
            y = (X[:, 0] > 0.0).astype(float) + 2.0 * (X[:, 1] > 0.0)
            model = cls(ccp_alpha=rule, random_state=seed).fit(X, y)
            assert model.score(X, y) > 0.97


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize(("rule", "to_the_root"), [("cv", 0.8), ("validation", 0.55)])
def test_pure_noise_is_collapsed(cls, rule, to_the_root):
    """Measured over 30 seeds: "cv" leaves the root alone for 93% of them, "validation" for 70%."""
    sizes = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X, noise = rng.normal(size=(200, 3)), rng.normal(size=200)
        y = noise if cls is bw.DecisionTreeRegressor else (noise > 0.0).astype(int)
        sizes.append(cls(ccp_alpha=rule, random_state=seed).fit(X, y).get_n_leaves())
    assert np.mean(np.array(sizes) == 1) >= to_the_root
    assert np.mean(sizes) < 4.0  # of 50 to 200 leaves


@pytest.mark.parametrize("rule", ["cv", "validation"])
def test_on_known_tables(rule):
    X, y = load_breast_cancer(return_X_y=True)
    model = bw.DecisionTreeClassifier(ccp_alpha=rule, random_state=0).fit(X[:400], y[:400])
    assert model.score(X[400:], y[400:]) > 0.85
    X, y = load_diabetes(return_X_y=True)
    model = bw.DecisionTreeRegressor(ccp_alpha=rule, random_state=0).fit(X[:300], y[:300])
    assert model.score(X[300:], y[300:]) > 0.15


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("rule", ["cv", "validation"])
@pytest.mark.parametrize("n_rows", [1, 2, 3, 6])
def test_few_rows(cls, rule, n_rows):
    model = cls(ccp_alpha=rule, random_state=0).fit(np.arange(n_rows)[:, None], np.arange(n_rows) % 2)
    assert model.ccp_alpha_ >= 0.0


def test_weights_count_in_the_choice():
    X, y = load_iris(return_X_y=True)
    weights = np.random.default_rng(0).integers(1, 4, len(X))
    model = bw.DecisionTreeClassifier(ccp_alpha="cv", random_state=0).fit(X, y, sample_weight=weights)
    assert model.score(X, y) > 0.9


@pytest.mark.parametrize(("wrong", "error"), [("best", ValueError), (-1.0, ValueError), ([1.0], TypeError)])
def test_other_rules_are_refused(wrong, error):
    with pytest.raises(error, match="ccp_alpha"):
        bw.DecisionTreeClassifier(ccp_alpha=wrong).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises((TypeError, ValueError), match="ccp_alpha"):
        bw.RandomForestClassifier(ccp_alpha="cv").fit([[0.0], [1.0]], [0, 1])
