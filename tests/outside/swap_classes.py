"""A pytest plugin that puts boxwood's classes where scikit-learn's are, before its test modules import them.

``OUTSIDE_SWAPPED=sklearn.tree pytest -p swap_classes --pyargs sklearn.tree.tests.test_tree``, with this
folder on the path. The outcome of each test goes, as JSON, to the file that ``$OUTSIDE_OUTCOMES`` names.
"""

from __future__ import annotations

import importlib
import json
import os
import types
from pathlib import Path

import pytest

import boxwood

SWAPPED = {
    "sklearn.tree": ("DecisionTreeClassifier", "DecisionTreeRegressor"),
    "sklearn.ensemble": ("RandomForestClassifier", "RandomForestRegressor"),
    "sklearn.naive_bayes": ("GaussianNB",),
    "sklearn.discriminant_analysis": ("LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"),
    "sklearn.linear_model": ("LinearRegression", "LogisticRegression"),
    "sklearn.neighbors": ("KNeighborsClassifier", "KNeighborsRegressor"),
    "imblearn.under_sampling": (
        "CondensedNearestNeighbour",
        "EditedNearestNeighbours",
        "RepeatedEditedNearestNeighbours",
    ),
}

DEFAULTS = {"EditedNearestNeighbours": "wilson", "RepeatedEditedNearestNeighbours": "wilson"}
"""Classes whose default ``method`` is not that of the library whose tests they take."""

OUTCOMES: dict[str, dict[str, str]] = {}


def pytest_configure() -> None:
    # Not at import: pytest imports this file too where it looks for examples.
    wanted = os.environ.get("OUTSIDE_SWAPPED", "").split(",")
    # All modules first: scikit-learn's forests are made of its own trees when they are imported.
    modules = {name: importlib.import_module(name) for name in SWAPPED if name in wanted}
    for module, home in modules.items():
        for name in SWAPPED[module]:
            setattr(home, name, _swapped(name))


def _swapped(name: str) -> type:
    cls = getattr(boxwood, name)
    if name not in DEFAULTS:
        return cls
    code = cls.__init__
    other = types.FunctionType(code.__code__, code.__globals__, code.__name__, code.__defaults__)
    other.__kwdefaults__ = {**code.__kwdefaults__, "method": DEFAULTS[name]}
    return type(name, (cls,), {"__init__": other})


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" or report.outcome != "passed":
        crash = getattr(report.longrepr, "reprcrash", None)
        OUTCOMES[report.nodeid] = {
            "outcome": report.outcome,
            "message": "" if crash is None else str(crash.message)[:300],
        }


def pytest_sessionfinish() -> None:
    path = os.environ.get("OUTSIDE_OUTCOMES")
    if path:
        Path(path).write_text(json.dumps(OUTCOMES), encoding="utf-8")
