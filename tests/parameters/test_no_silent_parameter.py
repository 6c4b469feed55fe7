"""No argument is ignored silently: a value changes the outcome, or ``fit`` warns that it has no effect."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from parameter_sweep import BASES, TABLES, outcome, swept_classes, swept_parameters, values_of

import boxwood as bw
from boxwood.parameters import Effect, Integer, Parameter, declared_parameters, only_with
from boxwood.parameters.declared import idle_messages
from boxwood.parameters.effect import differs

SLOW = {"AnomalyDetector", "BoostedDensity", "ConditionalRegressor", "DensityImputer"}

SAME: dict[tuple[str, str], str] = {
    ("BayesClassifier", "calibrate"): '"auto" calibrates the default density, too',
    ("BoostedDensity", "n_iter_no_change"): "needs more rounds than those of BASES",
    ("DensityForest", "leaf"): "without a leaf the criterion decides: None is histogram",
    ("DensityTree", "leaf"): "without a leaf the criterion decides: None is uniform",
    ("DensityForest", "correction"): "needs a table of more than 4,000 cells",
    ("DensityTree", "splitter"): '"auto" is "exact" up to 10,000 rows',
    ("NeighborDensity", "algorithm"): "decides about the speed alone",
    ("NeighborDensity", "metric"): '"minkowski" with the default p is "euclidean"',
}
"""Values that give the same model on small tables by their very meaning."""

ENABLED: dict[str, dict[str, dict[str, Any]]] = {
    "AnomalyDetector": {"false_alarm_rate": {"contamination": "auto"}},
    "BoostedDensity": {
        "n_iter_no_change": {"n_estimators": 8},
        "n_networks": {"components": ["network"]},
        "n_trees": {"components": ["forest", "margins"]},
    },
    "DensityForest": {
        "leaf_factor": {"max_leaf_nodes": "cube_root"},
        "random_splits": {"splitter": "random"},
    },
    "DensityTree": {
        "cv": {"prune": "cv"},
        "validation_fraction": {"prune": "validation"},
        "leaf_factor": {"max_leaf_nodes": "cube_root", "prune": None},
        "random_splits": {"splitter": "random"},
        "n_bins": {"leaf": "histogram"},
        "histogram_prior": {"leaf": "histogram"},
    },
    "EditedNearestNeighbours": {"kind_sel": {"method": "wilson"}},
    "GridHistogram": {"alpha": {"estimate": "bayes"}},
    "Histogram": {"alpha": {"estimate": "bayes"}, "n_folds": {"bins": "cv"}},
    "NeighborDensity": {"p": {"metric": "minkowski"}, "bounds": {"normalize": True}},
    "RepeatedEditedNearestNeighbours": {"kind_sel": {"method": "wilson"}},
}
"""Other parameters under which a parameter without an effect by default has one."""

DISABLED: dict[str, dict[str, dict[str, Any]]] = {
    "AnomalyDetector": {"false_alarm_rate": {"contamination": 0.1}},
    "BoostedDensity": {"n_iter_no_change": {"validation_fraction": 0.0}},
    "DensityForest": {
        "n_bins": {"leaf": "uniform", "criterion": "log_likelihood"},
        "histogram_prior": {"leaf": "uniform", "criterion": "log_likelihood"},
        "correction": {"margins": "linear"},
    },
    "DensityTree": {
        "prune_penalty": {"prune": None},
        "dependencies": {"rotation": "pca"},
        "max_candidates": {"splitter": "random"},
    },
    "EditedNearestNeighbours": {"fraction": {"method": "wilson"}},
    "Histogram": {
        "candidates": {"bins": "scott"},
        "n_origins": {"bins": "fd"},
        "range": {"bins": [-9.0, 0.0, 9.0]},
    },
    "GaussianDensity": {"shrinkage": {"covariance_type": "diag"}, "tol": {"covariance_type": "diag"}},
    "GridHistogram": {"range": {"bins": [-9.0, 0.0, 9.0]}},
    "ProductDensity": {"unseen": {"marginal": bw.Histogram()}, "missing": {"rotation": "pca"}},
}
"""Other parameters under which a parameter that has an effect by default has none."""


def marked(cls: type) -> Any:
    return pytest.param(cls, marks=pytest.mark.slow) if cls.__name__ in SLOW else cls


def warned(cls: type, name: str, messages: list[str]) -> bool:
    return any(one.startswith(f"{cls.__name__}: {name}=") and "has no effect" in one for one in messages)


def silent(cls: type, name: str, value: Any, params: dict[str, Any]) -> bool:
    """Return whether a value neither changes the outcome for any table, nor makes a warning or an error."""
    for table in TABLES:
        found, messages = outcome(cls, {**params, name: value}, table)
        if warned(cls, name, messages):
            return False
        if isinstance(found, str):
            if f"{name}=" in found:  # the value is refused by name
                return False
            continue
        if found != outcome(cls, params, table)[0]:
            return False
    return True


@pytest.mark.parametrize("cls", [marked(cls) for cls in swept_classes()])
def test_each_parameter_has_an_effect_or_a_warning(cls: type) -> None:
    params = BASES.get(cls.__name__, {})
    ignored = [
        f"{name}={value!r}"
        for name in swept_parameters(cls)
        if (cls.__name__, name) not in SAME
        for value in values_of(cls, name)
        if silent(cls, name, value, params)
    ]
    assert not ignored


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        pytest.param(name, parameter, marks=[pytest.mark.slow] if name in SLOW else [])
        for name, parameters in ENABLED.items()
        for parameter in parameters
    ],
)
def test_a_parameter_has_an_effect_where_it_is_said_to_have_one(name: str, parameter: str) -> None:
    cls, context = getattr(bw, name), ENABLED[name][parameter]
    params = {**BASES.get(name, {}), **context}
    value = values_of(cls, parameter)[0]
    outcomes = [outcome(cls, {**params, parameter: value}, table) for table in TABLES]
    assert not any(warned(cls, parameter, messages) for _, messages in outcomes)
    assert not silent(cls, parameter, value, params)


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        pytest.param(name, parameter, marks=[pytest.mark.slow] if name in SLOW else [])
        for name, parameters in DISABLED.items()
        for parameter in parameters
    ],
)
def test_a_warning_is_right_that_there_is_no_effect(name: str, parameter: str) -> None:
    cls, context = getattr(bw, name), DISABLED[name][parameter]
    params = {**BASES.get(name, {}), **context}
    value = values_of(cls, parameter)[0]
    fitted = 0
    for table in TABLES:
        found, messages = outcome(cls, {**params, parameter: value}, table)
        if isinstance(found, str):
            continue
        fitted += 1
        assert warned(cls, parameter, messages)
        assert found == outcome(cls, params, table)[0]
    assert fitted


def test_messages_name_the_class_the_value_and_the_condition() -> None:
    rows = np.random.default_rng(0).normal(size=(50, 1))
    with pytest.warns(UserWarning, match='DensityTree: cv=3 has no effect. .* prune="cv"'):
        bw.DensityTree(cv=3).fit(rows)
    with pytest.warns(UserWarning, match=r'Histogram: alpha=2 has no effect. .* estimate="map" or "bayes"'):
        bw.Histogram(alpha=2).fit(rows)


def test_a_model_that_is_read_from_a_file_does_not_warn_again(tmp_path: Any) -> None:
    with pytest.warns(UserWarning, match="has no effect"):
        model = bw.DensityTree(cv=3).fit([[1.0], [2.0], [4.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.save(tmp_path / "model.boxwood")
        bw.load(tmp_path / "model.boxwood").score_samples([[1.5]])


@pytest.mark.parametrize("cls", swept_classes())
def test_defaults_do_not_warn(cls: type) -> None:
    made = cls()
    assert not hasattr(made, "get_params") or not idle_messages(made)


def test_docstrings_say_when_a_parameter_has_an_effect() -> None:
    assert 'Only with ``prune="cv"``.' in (bw.DensityTree.__doc__ or "")


def test_arrays_differ_from_other_defaults() -> None:
    assert differs(np.zeros(2), None)
    assert differs(True, 1)
    assert differs([1.0], (1.0,))
    assert not differs(0.5, 0.5)
    assert differs(np.zeros(2), np.zeros(2))


def test_a_declaration_keeps_its_condition_with_another_sentence() -> None:
    first = Parameter("n", Integer(1), "First.", only_with(a=(1, 2), b=None))
    assert first.effect is not None
    assert first.effect.words == "a=1 or 2 and b=None"
    assert first.but("Second.").effect is first.effect
    other = Effect(lambda estimator: True, "always")
    assert first.but(effect=other).effect is other
    assert declared_parameters(bw.DensityTree)["cv"].effect is not None


@pytest.mark.parametrize(
    "model",
    [
        bw.BayesClassifier(bw.DensityTree(rotation="pca")),
        bw.ProductDensity(marginal=bw.GridHistogram(bins=[-9.0, 0.0, 9.0])),
    ],
)
def test_what_the_library_sets_by_itself_is_no_news(model: Any) -> None:
    X = np.random.default_rng(0).normal(size=(80, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(X, X[:, 0] > 0.0)


def test_rules_that_are_compared_get_what_they_ask_for() -> None:
    X = np.random.default_rng(0).normal(size=(80, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bw.HistogramDisplay.from_estimator(
            bw.Histogram(bins="cv", n_folds=3).fit(X), X, rules=["scott", "cv"]
        )
