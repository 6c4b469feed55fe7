"""Values of declared parameters to try, and what a fit with them gives."""

from __future__ import annotations

import inspect
import pickle
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

import boxwood as bw
from boxwood.parameters import AnyOf, Choice, Integer, Kind, Parameter, Real, declared_parameters

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

BASES: dict[str, dict[str, Any]] = {
    "BoostedDensity": {"preset": "quick", "components": ["margins"], "n_estimators": 3},
    "DensityForest": {"n_estimators": 4, "min_samples_split": 8},
}
"""What makes the fits of a class fast."""

VALUES: dict[str, list[Any]] = {
    "alpha": [0.5, 3.0],
    "bins": ["scott", "cv", 4, [-4.0, 0.0, 4.0]],
    "candidates": [7, [2, 3]],
    "components": [["forest"], ["margins", "network"]],
    "cv": [2],
    "density": [bw.ProductDensity()],
    "depth_decay": [0.0],
    "marginal": [bw.Histogram(estimate="bayes")],
    "max_candidates": [2],
    "max_iter": [1],
    "model": [bw.DensityTree()],
    "n_points": [64],
    "priors": [[0.2, 0.8]],
    "range": [(-9.0, 9.0)],
    "sampling_strategy": ["majority"],
    "support": [{"count": range(8)}],
    "tol": [0.5],
}
"""Values of parameters that a rule of their own checks."""

VALUES_OF: dict[tuple[str, str], list[Any]] = {
    ("NeighborDensity", "bounds"): [[[-9.0, 9.0], [-9.0, 9.0]]],
    ("NoveltyDetector", "model"): [bw.DensityTree()],
    ("BoostedDensity", "preset"): ["default"],  # "thorough" takes many times as long
}


def swept_classes() -> list[type]:
    """Return the public estimators without a scikit-learn twin."""
    public = [getattr(bw, name) for name in bw.__all__]
    estimators = [one for one in public if inspect.isclass(one) and hasattr(one, "_parameters")]
    return [one for one in estimators if swept_parameters(one) and one.__name__ not in TWINS]


def swept_parameters(cls: type) -> dict[str, Parameter]:
    """Return the declarations of a class that are swept, by name."""
    return {name: one for name, one in declared_parameters(cls).items() if name not in EXEMPT}


def values_of(cls: type, name: str) -> list[Any]:
    """Return values of a parameter that differ from its default."""
    default = inspect.signature(cls.__init__).parameters[name].default
    given = VALUES_OF.get((cls.__name__, name), VALUES.get(name))
    listed = list(_values(declared_parameters(cls)[name].kind, default)) if given is None else given
    return [value for value in listed if type(value) is not type(default) or value != default]


def _values(kind: Kind, default: Any) -> Iterator[Any]:
    is_number = isinstance(default, int | float) and not isinstance(default, bool)
    if isinstance(kind, AnyOf):
        for one in kind.kinds:
            yield from _values(one, default)
    elif isinstance(kind, Choice):
        yield from kind.choices
    elif isinstance(kind, Integer):
        small = int(max(kind.low, default // 4 if is_number else 2))
        yield small if small != default else int(min(3 * small, kind.high))
    elif isinstance(kind, Real):
        start = default if is_number else max(0.3, 2.0 * kind.low)
        yield 0.25 * start if kind.low <= 0.25 * start else min(2.0 * start, kind.high)


def mixed_table(n: int = 120) -> pd.DataFrame:
    """Return dependent columns of several kinds, with gaps, copies and a column that follows from another."""
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
    table["other"] = table["label"].map({"a": "c", "b": "d"})
    table.loc[::9, "y"] = np.nan
    return pd.concat([table, table[:8]], ignore_index=True)


def discrete_table(n: int = 150) -> pd.DataFrame:
    """Return whole numbers and labels, of which many rows are equal."""
    rng = np.random.default_rng(1)
    face = rng.integers(1, 6, n)
    return pd.DataFrame({"count": face, "label": np.where(face + rng.integers(0, 3, n) > 4, "a", "b")})


def numbers(n: int = 100, gaps: bool = False) -> pd.DataFrame:
    """Return two dependent columns of numbers."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=n)
    table = pd.DataFrame({"x": x, "y": 0.5 * x + rng.normal(size=n) ** 3})
    if gaps:
        table.loc[::5, "y"] = np.nan
    return pd.concat([table, table[:7]], ignore_index=True)


def throws(n: int = 60) -> pd.DataFrame:
    """Return two dice, of which many throws are equal."""
    return pd.DataFrame(np.random.default_rng(4).integers(1, 7, (n, 2)), columns=["x", "count"])


TABLES: dict[str, pd.DataFrame] = {
    "numbers": numbers(),
    "mixed": mixed_table(),
    "discrete": discrete_table(),
    "throws": throws(),
    "gaps": numbers(gaps=True),
}

VALUES["bounds"] = [{"x": (-20.0, float(TABLES["numbers"]["x"].max()))}]


def outcome(cls: type, params: dict[str, Any], name: str) -> tuple[bytes | str, list[str]]:
    """Return what a fit gives, its answers in bytes or an error's words, and what it warned of."""
    X = TABLES[name]
    labels = np.where(X.iloc[:, 0].rank(pct=True) + np.random.default_rng(3).random(len(X)) > 0.8, "p", "q")
    y = X.iloc[:, 0].to_numpy() ** 2 if cls is bw.ConditionalRegressor else labels
    known = inspect.signature(cls.__init__).parameters
    seed = {"random_state": 0} if "random_state" in known else {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            model = cls(**{**seed, **{key: clone(one, safe=False) for key, one in params.items()}})
            found: bytes | str = pickle.dumps(_answers(model, X, y))
        except (TypeError, ValueError) as error:
            found = f"{type(error).__name__}: {error}"
    return found, [str(one.message) for one in caught]


def _weights(X: pd.DataFrame) -> np.ndarray:
    """Return whole weights, or fractions for the first table."""
    whole = 1.0 + np.arange(len(X)) % 2
    return whole - 0.25 if X is TABLES["numbers"] else whole


def _answers(model: Any, X: pd.DataFrame, y: Any) -> list[Any]:
    if hasattr(model, "fit_resample"):
        return [np.asarray(part) for part in model.fit_resample(X, y)]
    supervised = hasattr(model, "predict_proba") or isinstance(model, bw.ConditionalRegressor)
    is_table = isinstance(model, bw.TableModel)
    given = (X, y) if supervised and not is_table else (X,)
    weights = {} if isinstance(model, bw.NoveltyDetector) else {"sample_weight": _weights(X)}
    model.fit(*given, **weights)
    if getattr(model, "warm_start", False):
        model.set_params(n_estimators=8).fit(*given, **weights)
    asked = [] if is_table else ["score_samples", "predict", "predict_proba", "transform"]
    answers = [np.asarray(getattr(model, name)(X)) for name in asked if hasattr(model, name)]
    answers += [model.score(X, y)] if hasattr(model, "score") and supervised and not is_table else []
    answers += [[str(edges) for edges in model.edges_]] if hasattr(model, "edges_") else []
    marginals = getattr(model, "marginals_", [])
    answers += [str(one.edges_) for one in marginals if hasattr(one, "edges_")]
    answers += [model.offset_] if hasattr(model, "offset_") else []
    if hasattr(model, "sample") and (is_table or not supervised):
        answers.append(np.asarray(model.sample(30, random_state=0)))
    return answers
