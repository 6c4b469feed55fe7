"""Leaves, rules, text and paths of trees, against what the rows themselves say."""

import importlib.util
import itertools

import numpy as np
import pandas as pd
import pytest
from rule_reader import satisfies
from sklearn.exceptions import NotFittedError

import boxwood as bw

KINDS = [
    {"splitter": splitter, "margins": margins}
    for splitter in ("exact", "binned", "random")
    for margins in ("linear", "smooth")
]


def named(kind):
    return "-".join(str(value) for value in kind.values())


ON_LATTICES = ("eggs", "day", "rain", "whole")


def mixed(n=300, seed=0):
    """Return a table of every kind of column, with missing values in all but one."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 3, n)
    table = pd.DataFrame(
        {
            "size": rng.normal(size=n) + 2.0 * group,
            "rain": np.where(rng.random(n) < 0.4, 0.0, rng.gamma(2.0, 1.0, n).round(2)),
            "eggs": pd.array(rng.poisson(3 + 20 * group), dtype="Int64"),
            "city": pd.Categorical.from_codes(group, ["Bonn", "Kiel", "Ulm"]),
            "open": pd.array(rng.random(n) < 0.2 + 0.3 * group, dtype="boolean"),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 500, n) // 4, unit="D"),
            "whole": rng.normal(size=n).round(2),
        }
    )
    for name in table.columns[:-1]:
        table.loc[rng.random(n) < 0.1, name] = None
    return table


def grown(kind, table=None, **parameters):
    options = {"min_samples_split": 8, "prune": None, "random_state": 0} | parameters
    return bw.DensityTree(**kind, **options).fit(mixed() if table is None else table)


def plain_rows(table):
    """Return rows as dicts of Python values, None for missing."""
    rows = table.astype(object).to_dict("records")
    return [{name: None if pd.isna(value) else value for name, value in row.items()} for row in rows]


def in_leaf(leaf, row):
    """Return whether a row lies within the bounds of a row of the frame."""
    for name, value in row.items():
        if value is None:
            if f"{name}_missing" in leaf and not leaf[f"{name}_missing"]:
                return False
        elif f"{name}_in" in leaf:
            if value not in leaf[f"{name}_in"]:
                return False
        elif not between(leaf, name, value):
            return False
    return True


def between(leaf, name, value):
    low, high = leaf[f"{name}_lower"], leaf[f"{name}_upper"]
    value = pd.Timestamp(value) if isinstance(low, pd.Timestamp) else value
    return low <= value and (value < high or (name in ON_LATTICES and value == high))


@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_every_row_satisfies_the_rule_of_its_leaf_and_no_other(kind):
    table = mixed()
    tree = grown(kind, table)
    assert tree.n_leaves_ > 20
    leaves = tree.apply(table)
    rules = [tree.rules(leaf, decimals=12) for leaf in range(tree.n_leaves_)]
    for row, leaf in zip(plain_rows(table), leaves, strict=True):
        assert [satisfies(rule, row) for rule in rules].count(True) == 1, row
        assert satisfies(rules[leaf], row), (rules[leaf], row)


@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_every_row_lies_in_the_bounds_of_its_leaf(kind):
    table = mixed().drop(columns="rain")
    tree = grown(kind, table)
    frame = tree.leaves_frame().to_dict("records")
    for row, leaf in zip(plain_rows(table), tree.apply(table), strict=True):
        assert [in_leaf(box, row) for box in frame].count(True) == 1, row
        assert in_leaf(frame[leaf], row)


@pytest.mark.parametrize("kind", KINDS, ids=named)
@pytest.mark.parametrize("leaf", ["uniform", "histogram", "gaussian"])
def test_masses_sum_to_one_and_densities_are_masses_over_volumes(kind, leaf):
    table = mixed()
    tree = grown(kind, table, leaf=leaf, prune="loo")
    frame = tree.leaves_frame()
    assert frame["mass"].sum() == pytest.approx(1.0, abs=1e-12)
    assert frame["count"].sum() == pytest.approx(len(table))
    assert frame["leaf"].tolist() == list(range(tree.n_leaves_))
    finite = np.isfinite(frame["volume"])
    np.testing.assert_allclose(
        (frame["density"] * frame["volume"])[finite], frame["mass"][finite], rtol=1e-12
    )
    np.testing.assert_array_equal(frame["count"], np.bincount(tree.apply(table), minlength=len(frame)))
    if kind["margins"] == "linear":
        assert finite.all()
        integer = frame["mass"].sum() / frame["volume"].sum()
        root = grown(kind, table, max_depth=1, min_samples_split=1e9).leaves_frame()
        assert root["density"][0] == pytest.approx(integer)


@pytest.mark.parametrize("splitter", ["exact", "binned"])
def test_density_is_the_classical_one_and_what_is_scored(splitter):
    X = np.random.default_rng(1).normal(size=(500, 3))
    tree = bw.DensityTree(mass_prior=0.0, splitter=splitter, missing="ignore").fit(X)
    frame = tree.leaves_frame()
    lengths = [frame[f"x{j}_upper"] - frame[f"x{j}_lower"] for j in range(3)]
    volume = np.prod(lengths, axis=0)
    np.testing.assert_allclose(frame["volume"], volume, rtol=1e-12)
    np.testing.assert_allclose(frame["density"], frame["count"] / (500 * volume), rtol=1e-9)
    fraction = frame["count"] / 500
    np.testing.assert_allclose(
        frame["standard_error"], np.sqrt(fraction * (1 - fraction) / 500) / volume, rtol=1e-9
    )
    np.testing.assert_allclose(np.exp(tree.score_samples(X)), frame["density"][tree.apply(X)], rtol=1e-9)


def test_the_mean_density_of_a_box_is_that_of_its_values():
    """With atoms, integers, categories and missing values: summed over all that can be."""
    table = pd.DataFrame({"k": [1, 1, 2, 2, 2, 3, 3, 3, 3, 7] * 5, "c": list("aabbabbbba") * 5})
    tree = bw.DensityTree(min_samples_split=2, prune=None, missing="ignore").fit(table)
    everything = pd.DataFrame([(k, c) for k in range(1, 8) for c in ("a", "b", "unseen")], columns=["k", "c"])
    density = np.exp(tree.score_samples(everything))
    leaves = tree.apply(everything)
    frame = tree.leaves_frame()
    np.testing.assert_allclose(np.bincount(leaves, density, len(frame)), frame["mass"], rtol=1e-9)
    np.testing.assert_array_equal(np.bincount(leaves, minlength=len(frame)), frame["volume"])


def test_smooth_margins_reach_everywhere():
    frame = (
        bw.DensityTree(margins="smooth").fit(np.random.default_rng(0).normal(size=(200, 2))).leaves_frame()
    )
    assert frame["x0_lower"].min() == -np.inf
    assert frame["x0_upper"].max() == np.inf
    assert (frame["density"] >= 0.0).all()
    assert (frame["lift"] > 0.0).all()


def test_missing_values_may_be_all_that_a_leaf_holds():
    x = np.append(np.linspace(0.0, 1.0, 50), np.full(150, np.nan))
    y = np.append(np.zeros(50), np.ones(150)) + np.random.default_rng(0).normal(scale=0.1, size=200)
    tree = grown({"splitter": "exact"}, {"x": x, "y": y}, prune="loo")
    frame = tree.leaves_frame()
    alone = frame[frame["x_lower"].isna()]
    assert len(alone)
    assert alone["x_missing"].all()
    assert any(tree.rules(leaf).startswith("x missing") for leaf in alone["leaf"])
    assert "x missing" in tree.export_text()


@pytest.mark.parametrize("kind", KINDS, ids=named)
def test_decision_path_ends_in_the_leaf_of_apply(kind):
    table = mixed()
    tree = grown(kind, table)
    path = tree.decision_path(table)
    flat = tree.mixture_.flat
    node_of_leaf = np.flatnonzero(flat["feature"] < 0)
    assert path.shape == (len(table), len(flat["feature"]))
    np.testing.assert_array_equal(np.asarray(path.sum(axis=0)).ravel(), flat["count"])
    for row, leaf in enumerate(tree.apply(table)):
        nodes = path.indices[path.indptr[row] : path.indptr[row + 1]]
        assert nodes[0] == 0
        assert nodes[-1] == node_of_leaf[leaf]
        for parent, child in itertools.pairwise(nodes):
            assert child - flat["left"][parent] in (0, 1)


def test_forest_paths_are_concatenated():
    table = mixed()
    forest = bw.DensityForest(4, random_state=0).fit(table)
    path, start = forest.decision_path(table)
    assert start.tolist() == forest.mixture_.flat["node_start"].tolist()
    leaves = forest.apply(table)
    for tree in range(4):
        part = path[:, start[tree] : start[tree + 1]]
        feature = forest.mixture_.flat["feature"][start[tree] : start[tree + 1]]
        reached = part[:, np.flatnonzero(feature < 0)]
        np.testing.assert_array_equal(reached.indices, leaves[:, tree])
        assert forest.leaves_frame(tree)["mass"].sum() == pytest.approx(1.0)
        assert forest.rules(0, tree)
    with pytest.raises(ValueError, match="tree must be an integer from 0 to 3"):
        forest.leaves_frame(4)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_the_frame_is_of_the_table_s_library(library):
    table = mixed()
    if library == "polars":
        table = pytest.importorskip("polars").from_pandas(table)
    elif library == "pyarrow":
        table = pytest.importorskip("pyarrow").Table.from_pandas(table)
    frame = grown({"splitter": "binned"}, table).leaves_frame()
    assert type(frame).__module__.startswith(library)
    again = bw.read_columns(
        frame[["leaf", "size_lower", "day_upper"]]
        if library == "pandas"
        else frame.select(["leaf", "size_lower", "day_upper"])
    )
    assert again["day_upper"].kind == "datetime"
    first = frame["city_in"][0]
    assert set(first.as_py() if library == "pyarrow" else first) <= {"Bonn", "Kiel", "Ulm"}


def test_without_a_frame_library_a_dict_of_arrays(monkeypatch):
    tree = grown({"splitter": "binned"}, {"a": [1.5, 2.5, 3.0] * 10, "c": ["x", "y", "y"] * 10})
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    frame = tree.leaves_frame()
    assert type(frame) is dict
    assert {len(values) for values in frame.values()} == {tree.n_leaves_}
    assert isinstance(frame["c_in"][0], tuple)


def test_text_shows_the_whole_tree_or_its_top():
    tree = bw.DensityTree(max_leaf_nodes=6, prune=None).fit(np.random.default_rng(0).normal(size=(200, 2)))
    text = tree.export_text()
    assert text.startswith("200 rows in 6 leaves\n")
    assert [f"leaf {leaf}:" in text for leaf in range(6)] == [True] * 6
    top = tree.export_text(max_depth=1, decimals=1)
    assert len(top.splitlines()) == 5
    assert "leaves: mass" in top


def test_rules_are_readable():
    table = mixed()
    tree = grown({"splitter": "binned"}, table)
    text = " ".join(tree.rules(leaf) for leaf in range(tree.n_leaves_))
    for words in ("(size missing or ≥ ", "day ≤ 2024-", " eggs ≤ ", "city = ", "open = "):
        assert words in text, words
    stump = bw.DensityTree(min_samples_split=1e9).fit(table)
    assert stump.rules(0) == "any row"
    assert stump.export_text().count("\n") == 2
    with pytest.raises(ValueError, match="leaf must be an integer from 0 to 0; got 1"):
        stump.rules(1)
    with pytest.raises(ValueError, match="tree must be an integer from 0 to 0"):
        stump.rules(0, tree=True)


@pytest.mark.parametrize("method", ["leaves_frame", "export_text"])
def test_only_fitted_trees_are_inspected(method):
    with pytest.raises(NotFittedError):
        getattr(bw.DensityTree(), method)()


def test_a_loaded_tree_says_the_same(tmp_path):
    table = mixed()
    tree = grown({"splitter": "binned"}, table)
    tree.save(tmp_path / "tree.boxwood")
    again = bw.load(tmp_path / "tree.boxwood")
    assert again.export_text() == tree.export_text()
    pd.testing.assert_frame_equal(again.leaves_frame(), tree.leaves_frame())
