"""Linear and quadratic discriminant analysis: formulas, equalities, weights, parts, degenerate tables."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.discriminant_analysis as theirs
from gaussian_tables import beside_sklearn_1_9, blobs, reference_posterior
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit

import boxwood as bw
from properties import examples

LDA, QDA = bw.LinearDiscriminantAnalysis, bw.QuadraticDiscriminantAnalysis


def of_classes(X, y):
    """Return means, covariances and fractions of the classes."""
    n_classes = int(y.max()) + 1
    means = [X[y == k].mean(axis=0) for k in range(n_classes)]
    covariances = [np.cov(X[y == k].T, bias=True).reshape(X.shape[1], -1) for k in range(n_classes)]
    return means, covariances, np.bincount(y) / len(y)


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@beside_sklearn_1_9
def test_quadratic_is_bayes_rule(n_classes):
    X, y = blobs(n_classes=n_classes)
    model = QDA(store_covariance=True).fit(X, y)
    means, covariances, priors = of_classes(X, y)
    np.testing.assert_allclose(
        model.predict_proba(X), reference_posterior(X, means, covariances, priors), rtol=1e-7
    )
    np.testing.assert_allclose(model.means_, means)
    np.testing.assert_allclose(model.covariance_, covariances, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(
        model.predict(X), theirs.QuadraticDiscriminantAnalysis().fit(X, y).predict(X)
    )


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("solver", ["gaussian", "fisher"])
@beside_sklearn_1_9
def test_linear_is_bayes_rule_with_the_pooled_covariance(n_classes, solver):
    X, y = blobs(n_classes=n_classes)
    model = LDA(solver).fit(X, y)
    means, covariances, priors = of_classes(X, y)
    pooled = [np.einsum("k,kij->ij", priors, covariances)] * n_classes
    np.testing.assert_allclose(
        model.predict_proba(X), reference_posterior(X, means, pooled, priors), rtol=1e-7
    )
    sklearn_s = theirs.LinearDiscriminantAnalysis(solver="svd").fit(X, y)
    np.testing.assert_allclose(
        model.decision_function(X), sklearn_s.decision_function(X), rtol=1e-6, atol=1e-9
    )
    np.testing.assert_allclose(model.coef_, sklearn_s.coef_, rtol=1e-6, atol=1e-10)
    np.testing.assert_allclose(model.intercept_, sklearn_s.intercept_, rtol=1e-6, atol=1e-10)
    np.testing.assert_allclose(
        np.abs(model.transform(X)), np.abs(sklearn_s.transform(X)), rtol=1e-6, atol=1e-9
    )
    np.testing.assert_allclose(
        model.explained_variance_ratio_, sklearn_s.explained_variance_ratio_, rtol=1e-6
    )


@given(st.integers(0, 100), st.integers(1, 6), st.booleans())
@examples(40)
def test_three_derivations_agree(seed, d, weighted):
    X, y = blobs(n=60 + 10 * d, d=d, n_classes=2, seed=seed)
    weights = np.random.default_rng(seed).random(len(y)) + 0.5 if weighted else None
    models = [LDA(solver).fit(X, y, weights) for solver in ("gaussian", "fisher", "lstsq")]
    directions = [model.coef_[0] / np.linalg.norm(model.coef_) for model in models]
    np.testing.assert_allclose(directions[1], directions[0], rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(directions[2], directions[0], rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(models[2].coef_, models[0].coef_, rtol=1e-6, atol=1e-8)


def test_the_three_have_one_threshold_on_balanced_data():
    X, y = blobs(n_classes=2, n=600)
    kept = np.concatenate([np.flatnonzero(y == k)[:150] for k in (0, 1)])
    scores = [
        LDA(solver).fit(X[kept], y[kept]).decision_function(X) for solver in ("gaussian", "fisher", "lstsq")
    ]
    np.testing.assert_allclose(scores[1], scores[0], rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(scores[2], scores[0], rtol=1e-8, atol=1e-9)
    unequal = [LDA(solver).fit(X, y).intercept_ for solver in ("gaussian", "lstsq")]
    assert abs(unequal[0] - unequal[1]) > 1e-3


def test_lstsq_is_a_regression_of_labels():
    X, y = blobs(n_classes=2)
    model = LDA("lstsq").fit(X, y)
    design = np.column_stack([np.ones(len(X)), X])
    beta = np.linalg.lstsq(design, 2.0 * y - 1.0, rcond=None)[0]
    np.testing.assert_array_equal(model.predict(X), (design @ beta > 0.0).astype(int))
    ratio = np.append(model.intercept_, model.coef_) / beta
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-8)
    with pytest.raises(ValueError, match="two classes"):
        LDA("lstsq").fit(*blobs(n_classes=3))
    with pytest.raises(ValueError, match="priors"):
        LDA("lstsq", priors=[0.5, 0.5]).fit(X, y)


def test_the_posterior_is_logistic():
    X, y = blobs(n_classes=2)
    model = LDA().fit(X, y)
    means, covariances, priors = of_classes(X, y)
    inverse = np.linalg.inv(np.einsum("k,kij->ij", priors, covariances))
    w = inverse @ (means[1] - means[0])
    b = np.log(priors[1] / priors[0]) - 0.5 * (means[1] @ inverse @ means[1] - means[0] @ inverse @ means[0])
    np.testing.assert_allclose(model.coef_[0], w, rtol=1e-9)
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], expit(X @ w + b), rtol=1e-9)


@pytest.mark.filterwarnings("ignore:Variables are collinear")  # a part may have few rows of a class
@pytest.mark.parametrize("make", [LDA, QDA], ids=["LDA", "QDA"])
@given(seed=st.integers(0, 50), n_parts=st.integers(1, 4))
@examples(15)
def test_parts_are_the_whole(make, seed, n_parts):
    X, y = blobs(n=90, seed=seed)
    weights = np.random.default_rng(seed).random(len(y)) + 0.1
    whole = make().fit(X, y, weights)
    parts = np.array_split(np.random.default_rng(seed).permutation(len(y)), n_parts)
    online, merged = make(), None
    for part in parts:
        online.partial_fit(X[part], y[part], classes=whole.classes_, sample_weight=weights[part])
        one = make().partial_fit(X[part], y[part], classes=whole.classes_, sample_weight=weights[part])
        merged = one if merged is None else merged.merge(one)
    for other in (online, merged):
        np.testing.assert_allclose(other.predict_proba(X), whole.predict_proba(X), rtol=1e-6, atol=1e-9)


@pytest.mark.filterwarnings("ignore:Variables are collinear")  # a class may have few rows
@pytest.mark.parametrize("make", [LDA, QDA], ids=["LDA", "QDA"])
@given(seed=st.integers(0, 50))
@examples(15)
def test_weights_are_repetitions_in_any_order(make, seed):
    X, y = blobs(n=60, seed=seed)
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 4, len(y))
    rows = rng.permutation(np.repeat(np.arange(len(y)), weights))
    for parameters in ({}, {"shrinkage": 0.3}, {"shrinkage": "auto"}):
        one = make(**parameters).fit(X, y, weights.astype(float))
        two = make(**parameters).fit(X[rows], y[rows])
        np.testing.assert_allclose(one.predict_proba(X), two.predict_proba(X), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("make", [LDA, QDA], ids=["LDA", "QDA"])
def test_far_from_zero_digits_stay(make):
    X, y = blobs(n=3000, spread=0.5)
    near, far = make().fit(X, y), make().fit(X + 1e9, y)
    np.testing.assert_allclose(far.predict_proba(X + 1e9), near.predict_proba(X), atol=1e-5)


def test_classes_far_apart_in_units_of_their_spread():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(0.0, 1e-3, (200, 2)), rng.normal(1e6, 1.0, (200, 2))])
    y = np.repeat([0, 1], 200)
    model = QDA().fit(X, y)
    means, covariances, _ = of_classes(X, y)
    inverse = np.linalg.inv(covariances[0])
    expected = [-0.5 * (r - means[0]) @ inverse @ (r - means[0]) for r in X[:5]]
    scores = model._scores(bw.read_columns(X[:5]))[:, 0]
    np.testing.assert_allclose(scores - scores[0], np.array(expected) - expected[0], rtol=1e-6)


def degenerate_tables():
    X, y = blobs(n=120, n_classes=2)
    return (
        {
            "redundant": np.column_stack([X, X[:, 0]]),
            "sum": np.column_stack([X, X @ [1.0, 2.0, -1.0]]),
            "constant": np.column_stack([X, np.full(len(X), 7.0)]),
            "zeros": np.column_stack([X, np.zeros(len(X))]),
        },
        X,
        y,
    )


@pytest.mark.parametrize("name", list(degenerate_tables()[0]))
@pytest.mark.parametrize("make", [LDA, QDA, lambda: LDA("fisher"), lambda: LDA("lstsq")])
def test_redundant_and_constant_columns_change_nothing(name, make):
    tables, X, y = degenerate_tables()
    plain = make().fit(X, y)
    with pytest.warns(UserWarning, match="collinear"):
        model = make().fit(tables[name], y)
    np.testing.assert_allclose(
        model.predict_proba(tables[name]), plain.predict_proba(X), rtol=1e-4, atol=1e-6
    )


def test_a_column_constant_in_one_class_only():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=200), np.where(np.arange(200) < 100, 0.0, rng.normal(size=200))])
    y = np.repeat([0, 1], 100)
    with pytest.warns(UserWarning, match="collinear"):
        model = QDA().fit(X, y)
    assert model.score(X, y) == 1.0


@pytest.mark.parametrize("solver", ["gaussian", "fisher", "lstsq"])
@beside_sklearn_1_9
def test_many_columns_and_few_rows(solver):
    rng = np.random.default_rng(0)
    y = np.repeat(["cat", "dog"], 50)
    X = rng.normal(size=(100, 10_000)) + rng.normal(size=10_000) * np.where(y == "dog", 1.0, 0.0)[:, None]
    with pytest.warns(UserWarning, match="collinear"):
        model = LDA(solver).fit(X, y)
    sklearn_s = theirs.LinearDiscriminantAnalysis().fit(X, y)
    np.testing.assert_allclose(
        model.decision_function(X), sklearn_s.decision_function(X), rtol=1e-6, atol=1e-6
    )
    assert model.transform(X).shape == (100, 1)
    with pytest.raises(ValueError, match="keep no moments"):
        model.merge(model)
    assert bw.GaussianNB().fit(X, y).score(X, y) == 1.0
    with pytest.raises(ValueError, match="too large to keep"):
        QDA().fit(X, y)


@beside_sklearn_1_9
def test_wide_tables_are_those_of_the_covariance():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 50)), np.arange(30) % 3
    with pytest.warns(UserWarning, match="collinear"):
        wide = LDA().fit(X, y)
    sklearn_s = theirs.LinearDiscriminantAnalysis().fit(X, y)
    np.testing.assert_allclose(wide.decision_function(X), sklearn_s.decision_function(X), rtol=1e-5)
    shrunk = LDA(shrinkage=0.2).fit(X, y)
    expected = theirs.LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.2).fit(X, y)
    np.testing.assert_allclose(shrunk.predict_proba(X), expected.predict_proba(X), rtol=1e-6)


@pytest.mark.parametrize("shrinkage", [0.0, 0.3, 1.0, "auto"])
@beside_sklearn_1_9
def test_shrinkage_is_scikit_learn_s(shrinkage):
    X, y = blobs(n=60, d=5)
    for ours, other in (
        (LDA(shrinkage=shrinkage), theirs.LinearDiscriminantAnalysis("eigen", shrinkage=shrinkage)),
        (QDA(shrinkage=shrinkage), theirs.QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=shrinkage)),
    ):
        np.testing.assert_allclose(
            ours.fit(X, y).predict_proba(X), other.fit(X, y).predict_proba(X), rtol=1e-6
        )
    regular = QDA(reg_param=0.2).fit(X, y)
    other = theirs.QuadraticDiscriminantAnalysis(solver="svd", reg_param=0.2).fit(X, y)
    np.testing.assert_allclose(regular.predict_proba(X), other.predict_proba(X), rtol=1e-6)


def test_what_needs_all_rows_does_not_merge():
    X, y = blobs()
    for make in (LDA, QDA):
        with pytest.raises(ValueError, match="all rows at once"):
            make(shrinkage="auto").partial_fit(X, y, classes=[0, 1, 2])


def test_priors():
    X, y = blobs()
    for make in (LDA, QDA):
        np.testing.assert_allclose(make(priors="uniform").fit(X, y).priors_, 1 / 3)
        with pytest.raises(ValueError, match="non-negative"):
            make(priors=[-0.1, 0.6, 0.5]).fit(X, y)
        with pytest.warns(UserWarning, match="do not sum to 1"):
            model = make(priors=[1.0, 2.0, 1.0]).fit(X, y)
        np.testing.assert_allclose(model.priors_, [0.25, 0.5, 0.25])


def test_separable_data():
    X = np.vstack(
        [np.random.default_rng(0).normal(size=(30, 2)), np.random.default_rng(1).normal(1e3, 1.0, (30, 2))]
    )
    y = np.repeat([False, True], 30)
    for make in (LDA, QDA):
        proba = make().fit(X, y).predict_proba(X)
        assert np.isfinite(proba).all()
        np.testing.assert_allclose(proba[:, 1], y, atol=1e-12)


def test_one_class_and_single_rows():
    assert LDA().fit([[0.0, 1.0], [1.0, 0.0], [2.0, 5.0]], ["a"] * 3).predict([[9.0, 9.0]]).tolist() == ["a"]
    with pytest.raises(ValueError, match="greater than one"):
        QDA().fit([[0.0], [1.0]], [0, 0])
    with pytest.raises(ValueError, match="only 1 sample in class b"):
        QDA().fit([[0.0], [1.0], [2.0]], list("aab"))
    for make in (LDA, QDA):
        with pytest.raises(ValueError, match="class"):
            make().fit([[0.0, 1.0]], [0])


def test_samples_have_the_model_s_moments():
    X, y = blobs()
    quadratic, linear = QDA(store_covariance=True).fit(X, y), LDA(store_covariance=True).fit(X, y)
    for model, covariance in ((quadratic, quadratic.covariance_[2]), (linear, linear.covariance_)):
        rows = model.sample(40_000, y=2, random_state=0)
        np.testing.assert_allclose(rows.mean(axis=0), model.means_[2], atol=0.1)
        np.testing.assert_allclose(np.cov(rows.T), covariance, atol=0.25)
        rows, labels = model.sample(1000, random_state=1, return_y=True)
        assert rows.shape == (1000, 3)
        np.testing.assert_allclose(np.bincount(labels) / 1000, model.priors_, atol=0.06)


@pytest.mark.parametrize(
    "model",
    [LDA(), LDA("lstsq"), LDA("fisher", shrinkage="auto"), QDA(), QDA(shrinkage="auto"), QDA(reg_param=0.1)],
    ids=str,
)
def test_save_and_load(model, tmp_path):
    X, y = blobs(n_classes=2)
    labels = np.array(["x", "y"])[y]
    model.fit(X, labels)
    model.save(tmp_path / "m")
    again = bw.load(tmp_path / "m")
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    np.testing.assert_array_equal(again.sample(3, random_state=0), model.sample(3, random_state=0))
    if model.shrinkage is None:
        again.partial_fit(X, labels)
        np.testing.assert_allclose(again.predict_proba(X), model.predict_proba(X), rtol=1e-6)
    if isinstance(model, LDA):
        np.testing.assert_array_equal(again.transform(X), model.transform(X))
