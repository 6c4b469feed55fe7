"""Rules of leaves in words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import boxwood as bw


def rules_of(X, y, **parameters) -> list[str]:
    model = bw.DecisionTreeClassifier(random_state=0, **parameters).fit(X, y)
    return [model.rules(int(leaf)) for leaf in np.unique(model.apply(X))]


@pytest.mark.parametrize(
    ("column", "y", "expected"),
    [
        ([1.0, 2.5], [0, 1], {"x < 1.75", "x ≥ 1.75"}),
        ([1, 2], [0, 1], {"x < 2", "x ≥ 2"}),
        ([0.0, 1.0, 2.0], [0, 1, 0], {"x < 0.5", "0.5 ≤ x < 1.5", "x ≥ 1.5"}),
        ([1.0, 2.0, np.nan], [0, 0, 1], {"x not missing", "x missing"}),
        ([1.25, 1.75, np.nan], [0, 1, 1], {"x < 1.5", "(x missing or x ≥ 1.5)"}),
        ([1.0, 2.0, np.nan], [0, 1, 1], {"x < 2", "(x missing or x ≥ 2)"}),
        (["a", "b"], [0, 1], {"x = a", "x = b"}),
        (["a", "b", "c"], [0, 0, 1], {"x in {a, b}", "x = c"}),
        (["a", "b", None], [0, 0, 1], {"x not missing", "x missing"}),
        (["a", "b", None], [0, 1, 1], {"x = a", "(x missing or x = b)"}),
        ([True, False], [0, 1], {"x = False", "x = True"}),
        (
            pd.to_datetime(["2024-01-01", "2024-01-03"]),
            [0, 1],
            {"x < 2024-01-02", "x ≥ 2024-01-02"},
        ),
        (
            pd.to_datetime(["2024-01-01", "2024-01-02"]),
            [0, 1],
            {"x < 2024-01-01 12:00", "x ≥ 2024-01-01 12:00"},
        ),
        ([1.0, 1.0], [0, 1], {"any row"}),
    ],
)
def test_what_a_leaf_says(column, y, expected):
    assert set(rules_of(pd.DataFrame({"x": column}), y)) == expected


def test_columns_are_joined_by_and():
    X = pd.DataFrame({"a": [0.0, 0.0, 1.0, 1.0], "b": [0.0, 1.0, 0.0, 1.0]})
    assert "a < 0.5 and b < 0.5" in rules_of(X, [0, 1, 2, 3])


def test_rules_of_a_forest_and_decimals():
    X, y = np.array([[0.123456789], [1.0]] * 20), [0, 1] * 20
    forest = bw.RandomForestClassifier(n_estimators=3, random_state=0).fit(X, y)
    leaf = int(forest.apply(X[:1])[0, 2])
    assert forest.rules(leaf, tree=2, decimals=2) == f"{forest.schema_.names[0]} < 0.56"


@pytest.mark.parametrize(("leaf", "tree"), [(-1, 0), (99, 0), (True, 0), ("a", 0), (0, 1)])
def test_leaves_and_trees_that_are_not_there(leaf, tree):
    model = bw.DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="must be an integer from 0 to"):
        model.rules(leaf, tree)
