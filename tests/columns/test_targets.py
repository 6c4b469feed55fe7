"""Targets that cannot be learnt: the error names the row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import boxwood as bw

CLASSIFIERS = [
    bw.DecisionTreeClassifier(),
    bw.RandomForestClassifier(n_estimators=2),
    bw.LogisticRegression(),
    bw.KNeighborsClassifier(n_neighbors=1),
    bw.GaussianNB(),
]
REGRESSORS = [
    bw.DecisionTreeRegressor(),
    bw.RandomForestRegressor(n_estimators=2),
    bw.LinearRegression(),
    bw.KNeighborsRegressor(n_neighbors=1),
]
X = np.arange(8.0).reshape(4, 2)


def name(model) -> str:
    return type(model).__name__


@pytest.mark.parametrize("model", CLASSIFIERS, ids=name)
@pytest.mark.parametrize(
    "y",
    [
        [0.0, 1.0, np.nan, 1.0],
        np.array(["a", "b", None, "b"], dtype=object),
        np.array([True, False, np.nan, True], dtype=object),
        pd.Series(["a", "b", None, "b"], dtype="string"),
        pd.Series(["a", "b", None, "b"], dtype="category"),
        pd.Series([0, 1, None, 1], dtype="Int64"),
        pd.to_datetime(["2024-01-01", "2024-01-02", None, "2024-01-02"]),
    ],
    ids=["floats", "objects", "booleans", "strings", "categories", "integers", "dates"],
)
def test_a_missing_class(model, y):
    with pytest.raises(ValueError, match=r"y, row 2: .* is no class.*Input y contains NaN\."):
        model.fit(X, y)


@pytest.mark.parametrize("model", CLASSIFIERS, ids=name)
def test_an_infinite_class(model):
    with pytest.raises(ValueError, match=r"y, row 3: inf is no class.*Input y contains infinity"):
        model.fit(X, [0.0, 1.0, 0.0, np.inf])


@pytest.mark.parametrize("model", REGRESSORS, ids=name)
@pytest.mark.parametrize(("value", "words"), [(np.nan, "NaN"), (-np.inf, "infinity")])
def test_a_value_that_is_none(model, value, words):
    with pytest.raises(ValueError, match=rf"y, row 2: {value} is no value.*Input y contains {words}"):
        model.fit(X, [0.0, 1.0, value, 1.0])


@pytest.mark.parametrize("model", REGRESSORS, ids=name)
def test_one_of_several_values_that_is_none(model):
    Y = np.zeros((4, 3))
    Y[1, 2] = np.nan
    with pytest.raises(ValueError, match="y, row 1, column 2: nan is no value"):
        model.fit(X, Y)


@pytest.mark.parametrize(
    "regressor", [*REGRESSORS, bw.ConditionalRegressor()], ids=lambda one: type(one).__name__
)
def test_dates_and_words_are_no_values(regressor: Any) -> None:
    X = np.random.default_rng(0).normal(size=(30, 2))
    days = np.datetime64("2024-01-01") + np.arange(30)
    with pytest.raises(TypeError, match="y holds dates, and a regressor takes numbers"):
        regressor.fit(X, days)
    with pytest.raises(TypeError, match="y holds durations, and a regressor takes numbers"):
        regressor.fit(X, pd.Series(days - days[0]))
    for words in (["1.5"] * 4 + ["many"] * 26, np.array(["1.5"] * 4 + ["many"] * 26)):
        with pytest.raises(ValueError, match=r"y, row 4: .*many.* is no number"):
            regressor.fit(X, words)
