"""A pytest plugin that puts boxwood's classes where scikit-learn's are, before its test modules import them.

``pytest -p swap_classes --pyargs sklearn.tree.tests.test_tree``, with this folder on the path. The outcome of
each test goes, as JSON, to the file that ``$OUTSIDE_OUTCOMES`` names.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import sklearn.ensemble
import sklearn.tree

import boxwood

SWAPPED = {
    sklearn.tree: ("DecisionTreeClassifier", "DecisionTreeRegressor"),
    sklearn.ensemble: ("RandomForestClassifier", "RandomForestRegressor"),
}

OUTCOMES: dict[str, dict[str, str]] = {}


def pytest_configure() -> None:
    # Not at import: pytest imports this file too where it looks for examples.
    for module, names in SWAPPED.items():
        for name in names:
            setattr(module, name, getattr(boxwood, name))


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
