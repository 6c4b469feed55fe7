"""scikit-learn's own checks of the estimator contract, for every estimator, none dodged."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks

import boxwood

SMALL: dict[str, dict[str, Any]] = {
    "BayesClassifier": {"density": boxwood.DensityForest(5, random_state=0)},
    "BoostedDensity": {"preset": "quick", "n_estimators": 5},
    "ConditionalRegressor": {"model": boxwood.DensityForest(5, random_state=0)},
    "DensityImputer": {"model": boxwood.DensityForest(5, random_state=0)},
    "NoveltyDetector": {"model": boxwood.DensityForest(5, random_state=0)},
}
"""Parameters with which the quick tests check estimators whose defaults take seconds a check."""


def classes() -> list[type[BaseEstimator]]:
    exported = (getattr(boxwood, name) for name in boxwood.__all__)
    return [cls for cls in exported if inspect.isclass(cls) and issubclass(cls, BaseEstimator)]


def estimators() -> list[BaseEstimator]:
    return [cls(**SMALL.get(cls.__name__, {})) for cls in classes()]


# The checks feed degenerate tables on purpose, of which estimators warn.
@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(estimators())
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks([cls() for cls in classes() if cls.__name__ in SMALL])
def test_scikit_learn_contract_of_defaults(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", estimators(), ids=lambda e: type(e).__name__)
def test_no_check_is_dodged(estimator):
    checks = list(estimator_checks_generator(estimator))
    assert len(checks) >= 40
    tags = get_tags(estimator)
    assert tags.input_tags.two_d_array
    assert not any([tags.no_validation, tags.non_deterministic, tags._skip_test])
