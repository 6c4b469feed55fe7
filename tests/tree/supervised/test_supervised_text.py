"""export_text of decision trees: every line holds for the rows below it, and for no others."""

import re

import numpy as np
import pandas as pd
import pytest

import boxwood as bw


def mixed(n=300):
    rng = np.random.default_rng(0)
    group = rng.integers(0, 4, n)
    table = pd.DataFrame(
        {
            "size": rng.normal(size=n) + 2.0 * group,
            "count": rng.poisson(3 + 4 * group),
            "city": np.array(["Bonn", "Kiel", "Ulm", "Trier"])[group],
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.random(n) * 100, unit="D"),
        }
    )
    table.loc[rng.random(n) < 0.1, "size"] = np.nan
    table.loc[rng.random(n) < 0.1, "city"] = None
    return table, np.array(["a", "b", "c"])[(group + (rng.random(n) < 0.2)) % 3]


def holds(condition, table):
    """Return for which rows a condition holds, read as a person reads it."""
    name, rest = re.fullmatch(r"(\w+) (.*)", condition).groups()
    column = table[name]
    missing = column.isna()
    if rest in ("missing", "not missing"):
        return missing if rest == "missing" else ~missing
    with_missing = rest.startswith("missing or ")
    rest = rest.removeprefix("missing or ")
    if rest.startswith(("in {", "= ")):
        labels = rest.removeprefix("in {").removeprefix("= ").removesuffix("}").split(", ")
        found = column.isin(labels)
    else:
        sign, bound = rest.split(" ", 1)
        value = pd.Timestamp(bound) if name == "day" else float(bound)
        found = column < value if sign == "<" else column >= value
    return np.where(missing, with_missing, found.fillna(False).astype(bool))


@pytest.mark.parametrize("make", [bw.DecisionTreeClassifier, bw.DecisionTreeRegressor])
def test_every_line_holds_for_the_rows_of_its_leaves_and_for_no_others(make):
    table, labels = mixed()
    targets = labels if make is bw.DecisionTreeClassifier else np.searchsorted(["a", "b", "c"], labels)
    tree = make(max_leaf_nodes=12, random_state=0).fit(table, targets)
    leaves = tree.apply(table)
    lines = tree.export_text().splitlines()
    assert lines[0] == "300 rows in 12 leaves"
    path, seen = [], []
    for line in lines[1:]:
        indent, text = re.fullmatch(r"((?:\|   )*)\|--- (.*)", line).groups()
        depth = len(indent) // 4
        leaf = re.match(r"leaf (\d+): (.*)", text)
        if leaf is None:
            path = [*path[:depth], text]
            continue
        inside = np.logical_and.reduce([holds(condition, table) for condition in path[:depth]])
        np.testing.assert_array_equal(inside, leaves == int(leaf[1]))
        assert leaf[2].endswith(f"{inside.sum()} rows" if inside.sum() != 1 else "1 row")
        if make is bw.DecisionTreeClassifier:
            fractions = pd.Series(targets[inside]).value_counts(normalize=True)
            assert leaf[2].startswith(f"class {tree.predict(table[inside])[0]}, {fractions.max():.0%} of ")
        else:
            assert float(re.match(r"value (\S+),", leaf[2])[1]) == pytest.approx(
                targets[inside].mean(), rel=1e-3
            )
        seen.append(int(leaf[1]))
    assert sorted(seen) == sorted(set(leaves))


def test_oblique_splits_are_sums_of_columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    tree = bw.DecisionTreeClassifier(oblique=4, max_depth=1, random_state=0).fit(X, y)
    first = tree.export_text().splitlines()[1]
    a, sign, b, bound = re.fullmatch(r"\|--- (−?[\d.]+)·x0 ([+−]) ([\d.]+)·x1 < (\S+)", first).groups()
    weights = float(a.replace("−", "-")), float(b) * (1.0 if sign == "+" else -1.0)
    left = X @ weights < float(bound.replace("−", "-"))
    assert (left == (tree.apply(X) == 1)).mean() > 0.99
    assert "·x0 " in tree.export_text(decimals=1)


def test_arguments():
    X = np.random.default_rng(0).normal(size=(100, 2))
    y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0)
    tree = bw.DecisionTreeClassifier(max_depth=2).fit(X, y)
    text = tree.export_text(feature_names=["width", "height"], class_names=["no", "one", "two"], decimals=1)
    assert "width" in text
    assert "x0" not in text
    assert "class two" in text
    assert tree.export_text(spacing=1).splitlines()[1].startswith("|- x")
    weights = tree.export_text(show_weights=True).splitlines()[-1]
    counts = np.array(re.search(r"weights \[(.*)\]", weights)[1].split(", "), dtype=float)
    assert counts.sum() == pytest.approx(float(re.search(r"of (\d+) rows", weights)[1]))
    top = tree.export_text(max_depth=1).splitlines()
    assert len(top) == 5
    assert re.fullmatch(r"\|   \|--- 2 leaves: class \d, \d+% of \d+ rows", top[2])
    regressor = bw.DecisionTreeRegressor(max_depth=1).fit(X, np.column_stack([y, -y]))
    assert re.search(r"leaf 1: value \[\S+, -\S+\], \d+ rows", regressor.export_text())
    for wrong in ({"class_names": ["a"]}, {"show_weights": True}):
        with pytest.raises(ValueError, match="class"):
            regressor.export_text(**wrong)
    forest = bw.RandomForestRegressor(2, max_depth=1, random_state=0).fit(X, y)
    assert forest.export_text(tree=0) != forest.export_text(tree=1)
    with pytest.raises(ValueError, match="tree must be an integer from 0 to 1"):
        forest.export_text(tree=2)
    with pytest.raises(ValueError, match="not fitted"):
        bw.DecisionTreeClassifier().export_text()
