"""Every value of a declared kind to try, and what a fit of it gives."""

from __future__ import annotations

import hashlib
import inspect
import pickle
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

import boxwood as bw
from boxwood.parameters import AnyOf, Choice, Flag, Integer, Kind, Real, declared_parameters

TWINS = {
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "GaussianNB",
    "KNeighborsClassifier",
    "KNeighborsRegressor",
    "LinearDiscriminantAnalysis",
    "LinearRegression",
    "LogisticRegression",
    "QuadraticDiscriminantAnalysis",
    "RandomForestClassifier",
    "RandomForestRegressor",
}
"""Classes with a scikit-learn twin."""

EXEMPT = {"n_jobs", "verbose", "random_state"}

SMALL: dict[str, dict[str, Any]] = {
    "BoostedDensity": {"preset": "quick", "n_estimators": 4, "n_trees": 4},
    "DensityForest": {"n_estimators": 4, "min_samples_split": 8},
}
"""What makes a fit of a class fast."""

CHECKED: dict[str, list[Any]] = {
    "alpha": [0.5, 1.0, 3.0],
    "bins": ["scott", "fd", "shimazaki", "loo", "loo_likelihood", "cv", 4, [-4.0, 0.0, 4.0]],
    "bounds": [{0: (-20.0, 20.0)}],
    "candidates": [7, [2, 3]],
    "components": [["forest"], ["margins"], ["network"], ["forest", "margins"]],
    "cv": [2, 3],
    "density": [bw.GaussianDensity(), bw.ProductDensity()],
    "marginal": [bw.GaussianDensity(), bw.Histogram(estimate="bayes")],
    "model": [bw.GaussianDensity(), bw.DensityTree()],
    "priors": [[0.2, 0.8]],
    "range": [(-9.0, 9.0)],
    "support": [{0: range(4)}],
}
"""Values of parameters that a rule of their own checks."""

CHECKED_OF: dict[tuple[str, str], list[Any]] = {
    ("NeighborDensity", "bounds"): [[[-9.0, 9.0], [-9.0, 9.0]]],
    ("NoveltyDetector", "model"): [bw.GaussianDensity(), bw.DensityTree()],
}


def estimators() -> list[type]:
    """Return the classes whose parameters are swept."""
    public = [getattr(bw, name) for name in bw.__all__]
    return [
        one
        for one in public
        if inspect.isclass(one) and hasattr(one, "fit") and declared_parameters_of(one) and one.__name__ not in TWINS
    ]


def declared_parameters_of(cls: type) -> dict[str, Any]:
    """Return the declarations that are swept, by name."""
    if not hasattr(cls, "_parameters"):
        return {}
    return {name: one for name, one in declared_parameters(cls).items() if name not in EXEMPT}


def default_of(cls: type, name: str) -> Any:
    """Return the default of a parameter."""
    return inspect.signature(cls.__init__).parameters[name].default


def values_of(cls: type, name: str) -> list[Any]:
    """Return values of a parameter other than its default, from its declaration."""
    kind = declared_parameters(cls)[name].kind
    default = default_of(cls, name)
    found = CHECKED_OF.get((cls.__name__, name), CHECKED.get(name, []))
    listed = [*found, *_values(kind, default)] if found and not isinstance(kind, Choice) else [*_values(kind, default)]
    return [value for value in listed if type(value) is not type(default) or not np.array_equal(value, default)]


def _values(kind: Kind, default: Any) -> Iterator[Any]:
    if isinstance(kind, AnyOf):
        for one in kind.kinds:
            yield from _values(one, default)
    elif isinstance(kind, Flag):
        yield from (True, False)
    elif isinstance(kind, Choice):
        yield from kind.choices
    elif isinstance(kind, Integer):
        near = [default // 2, default * 3] if isinstance(default, int) and not isinstance(default, bool) else [2, 5]
        yield from (min(max(value, kind.low), kind.high) for value in near)
    elif isinstance(kind, Real):
        start = default if isinstance(default, int | float) and not isinstance(default, bool) else 0.3
        yield from (v for v in (start * 0.4, start * 3.0 + 0.01, 0.5) if _may_be(kind, v))


def _may_be(kind: Kind, value: Any) -> bool:
    try:
        kind.check("value", value)
    except (TypeError, ValueError):
        return False
    return True


def mixed_table(n: int = 80) -> pd.DataFrame:
    """Return dependent columns of several kinds, with gaps, copies and values of one sign."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=n)
    table = pd.DataFrame(
        {
            "count": rng.poisson(1.0 + (x > 0.0), n).clip(max=3),
            "x": x,
            "y": np.where(rng.random(n) < 0.2, 0.0, x**2 + 0.3 * rng.normal(size=n)),
            "label": np.where(x + 0.5 * rng.normal(size=n) > 0.0, "a", "b").astype(object),
        }
    )
    table.loc[::9, "y"] = np.nan
    return pd.concat([table, table[:4]], ignore_index=True)


def numbers(n: int = 84) -> np.ndarray:
    """Return two dependent columns of numbers."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=n)
    return np.column_stack([x, 0.5 * x + rng.normal(size=n) ** 3])


def outcome(cls: type, params: dict[str, Any], table: str) -> tuple[str, list[str]]:
    """Return a fingerprint of a fit and of what it answers, and the warnings; or the error's type."""
    X: Any = mixed_table() if table == "mixed" else numbers()
    y = np.random.default_rng(2).permutation(np.arange(len(X)) % 3 == 0)
    y = np.where(y, "p", "q") if cls is not bw.ConditionalRegressor else numbers()[:, 0] + y
    weights = 1.0 + np.arange(len(X)) % 3
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        known = inspect.signature(cls.__init__).parameters
        seed = {"random_state": 0} if "random_state" in known else {}
        model = cls(**{**seed, **params})
        try:
            found = [_fitted(model, X, y, weights)]
        except (TypeError, ValueError) as error:
            found = [type(error).__name__, str(error)]
    text = hashlib.sha256(pickle.dumps(found)).hexdigest() if len(found) == 1 else ": ".join(found)
    return text, [str(one.message) for one in caught]


def _fitted(model: Any, X: Any, y: Any, weights: Any) -> list[Any]:
    if hasattr(model, "fit_resample"):
        rows, labels = model.fit_resample(X, y)
        return [np.asarray(rows), np.asarray(labels)]
    takes_y = hasattr(model, "predict_proba") or isinstance(model, bw.ConditionalRegressor)
    arguments = (X, y) if takes_y else (X,)
    try:
        model.fit(*arguments, sample_weight=weights)
    except TypeError:
        model.fit(*arguments)
    if getattr(model, "warm_start", False):
        model.set_params(n_estimators=8).fit(*arguments, sample_weight=weights)
    answers: list[Any] = []
    for name in ("score_samples", "predict", "predict_proba", "transform", "p_values"):
        if hasattr(model, name) and not (name == "predict" and isinstance(model, bw.TableModel)):
            answers.append(np.asarray(getattr(model, name)(X)))
    if hasattr(model, "score") and takes_y:
        answers.append(model.score(X, y))
    if hasattr(model, "offset_"):
        answers.append(model.offset_)
    if hasattr(model, "sample") and not takes_y:
        answers.append(np.asarray(model.sample(40, random_state=0)))
    return answers
