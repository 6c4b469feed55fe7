"""scikit-learn's names of solvers and algorithms are known, and lead to the same result."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification
from sklearn.utils import all_estimators
from sklearn.utils._param_validation import Options

import boxwood as bw

THEIRS = dict(all_estimators())
X, Y = make_classification(200, 4, n_informative=3, n_redundant=0, random_state=0)
WAYS = ("solver", "algorithm", "splitter", "weights", "max_features", "class_weight", "shrinkage")
"""Parameters that say how; what a criterion or a penalty is, is another model."""


def named_ways() -> list[tuple[str, str, str]]:
    return [
        (name, parameter, option)
        for name in bw.__all__
        for parameter, kinds in getattr(THEIRS.get(name), "_parameter_constraints", {}).items()
        if parameter in WAYS
        for kind in kinds
        if isinstance(kind, Options)
        for option in sorted(option for option in kind.options if isinstance(option, str))
    ]


@pytest.mark.parametrize(("name", "parameter", "option"), named_ways())
def test_every_name_of_scikit_learn_is_known(name, parameter, option):
    getattr(bw, name)(**{parameter: option})._check_parameters()


@pytest.mark.parametrize("solver", ["lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga"])
def test_solvers_of_logistic_regression(solver):
    ours = bw.LogisticRegression(solver=solver, tol=1e-8, max_iter=1000).fit(X, Y)
    # liblinear penalises the intercept, which the others, and ours, do not.
    reference = "lbfgs" if solver == "liblinear" else solver
    theirs = THEIRS["LogisticRegression"](solver=reference, tol=1e-10, max_iter=10_000).fit(X, Y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)


@pytest.mark.parametrize("solver", ["svd", "lsqr", "eigen"])
def test_solvers_of_discriminant_analysis(solver):
    X, y = load_iris(return_X_y=True)
    ours = bw.LinearDiscriminantAnalysis(solver=solver).fit(X, y)
    theirs = THEIRS["LinearDiscriminantAnalysis"](solver=solver).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-6)


@pytest.mark.parametrize("algorithm", ["auto", "ball_tree", "kd_tree", "brute"])
def test_algorithms_of_neighbours(algorithm):
    ours = bw.KNeighborsClassifier(algorithm=algorithm).fit(X, Y)
    theirs = THEIRS["KNeighborsClassifier"](algorithm=algorithm).fit(X, Y)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
