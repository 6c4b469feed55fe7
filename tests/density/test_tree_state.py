"""Saved trees and forests: what a malformed file may change is found out, entry by entry."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from box_laws import make_table

import boxwood as bw
from boxwood.model_file import ModelFileError, State

TABLE = make_table(("number", "category", "spikes", "integer"), 120, 0)
TABLE["c0"] = 0.2 * TABLE["c0"] + 3.0 * TABLE["c1"].cat.codes
TABLE["c3"] += TABLE["c1"].cat.codes
TREE = bw.DensityTree(margins="smooth", leaf="histogram", prune="cv", min_samples_split=16, random_state=0)
TREE.fit(TABLE)
GAUSSIAN = bw.DensityTree(leaf="gaussian", prune=None, min_samples_split=40).fit(TABLE)
FOREST = bw.DensityForest(3, min_samples_split=20, random_state=0).fit(TABLE)


def restored(model, edit=None):
    state = copy.deepcopy(model._get_state())
    if edit is not None:
        edit(state)
    other = type(model)(**model.get_params())
    checked = State(state, type(model).__name__)
    other._restore(model.schema_.to_json(), checked)
    checked.check_all_read()
    return other


def put(*path_and_value):
    *path, last, value = path_and_value

    def edit(state):
        for key in path:
            state = state[key]
        state[last] = value(state[last]) if callable(value) else value

    return edit


def item(index, value):
    def change(array):
        array = array.copy()
        array[index] = value
        return array

    return change


INNER = int(np.flatnonzero(TREE.mixture_.flat["feature"] >= 0)[0])
LEAF = int(np.flatnonzero(TREE.mixture_.flat["feature"] < 0)[0])
CATEGORICAL = int(np.flatnonzero(FOREST.mixture_.flat["feature"] == 1)[0])

MIXTURE = {
    "child before its parent": ("left", item(INNER, 0)),
    "child that is its parent": ("left", item(INNER, INNER)),
    "child beyond the end": ("left", item(INNER, 10**6)),
    "two parents": ("left", lambda left: np.where(TREE.mixture_.flat["feature"] >= 0, left.max(), left)),
    "column that is not there": ("feature", item(INNER, 4)),
    "node without children": ("feature", item(INNER, -1)),
    "leaf that is cut": ("feature", item(LEAF, 0)),
    "cut outside the box": ("cut", item(INNER, 10**6)),
    "cut at the edge": ("cut", item(INNER, 0)),
    "mass NaN": ("mass", item(LEAF, np.nan)),
    "mass negative": ("mass", item(LEAF, -0.1)),
    "mass above one": ("mass", item(0, 1.5)),
    "mass not one": ("mass", lambda mass: 0.5 * mass),
    "mass of children": ("mass", item(LEAF, 1e-9)),
    "count NaN": ("count", item(LEAF, np.nan)),
    "count negative": ("count", item(LEAF, -1.0)),
    "count of children": ("count", lambda count: item(LEAF, count[LEAF] + 1.0)(count)),
    "arrays too short": ("mass", lambda mass: mass[:-1]),
    "arrays too long": ("feature", lambda feature: np.append(feature, feature[:1])),
    "start not zero": ("node_start", item(0, 1)),
    "starts beyond": ("node_start", item(-1, 10**12)),
    "starts negative": ("node_start", item(0, -5)),
    "no starts": ("node_start", lambda starts: starts[:0]),
    "set starts": ("set_start", item(-1, 10**12)),
    "levels too short": ("levels", lambda levels: levels[:-1]),
    "bins": ("n_bins", 8),
    "no bins": ("n_bins", 0),
    "bins beyond": ("n_bins", 10**6),
    "words": ("words_per_set", 0),
    "words beyond": ("words_per_set", 10**6),
    "other leaves": ("leaf_kind", "gaussian"),
    "unknown leaves": ("leaf_kind", "cubic"),
    "wrong dtype": ("left", lambda left: left.astype(np.int64)),
    "weights": ("weights", np.array([0.5])),
    "weights NaN": ("weights", np.array([np.nan])),
    "weights negative": ("weights", np.array([-1.0])),
    "two weights": ("weights", np.array([0.5, 0.5])),
    "no weights": ("weights", np.empty(0)),
    "an array missing": ("cut", None),
    "bin edges of too few columns": ("knots", lambda bin_edges: bin_edges[:-1]),
}


@pytest.mark.parametrize(("name", "change"), MIXTURE.values(), ids=MIXTURE)
def test_a_mixture_that_is_none_is_refused(name, change):
    with pytest.raises(ModelFileError, match="mixture"):
        restored(TREE, put("mixture", name, change))


BIN_EDGES = {
    "not from 0": item(0, 0.01),
    "not to 1": item(-1, 0.99),
    "NaN": item(1, np.nan),
    "beyond": item(1, 1.5),
    "not ascending": lambda u: u[::-1].copy(),
    "twice": lambda u: item(2, u[1])(u),
    "too few": lambda u: u[:1],
}


@pytest.mark.parametrize("column", [0, 1])
@pytest.mark.parametrize("change", BIN_EDGES.values(), ids=BIN_EDGES)
def test_bin_edges_that_are_none_are_refused(change, column):
    with pytest.raises(ModelFileError, match="mixture"):
        restored(TREE, put("mixture", "knots", column, "u", change))


def shift(u):
    """Move the inner bin edges a little, still ascending."""
    return np.concatenate([[0.0], 0.5 * (u[1:-1] + u[2:]), [1.0]])


@pytest.mark.parametrize("column", [1, 2, 3])
def test_bin_edges_inside_an_atom_a_whole_number_or_a_category_are_refused(column):
    with pytest.raises(ModelFileError, match=f"bin edges that do not fit the column 'c{column}'"):
        restored(TREE, put("mixture", "knots", column, "u", shift))


def test_bin_edges_of_the_wrong_kind_are_refused():
    for column in (0, 1):
        with pytest.raises(ModelFileError):
            restored(FOREST, put("mixture", "knots", column, "categorical", lambda flag: not flag))


@pytest.mark.parametrize("value", [np.nan, np.inf, 0.0, -1.0])
def test_gaussians_must_be_some(value):
    with pytest.raises(ModelFileError, match="mixture"):
        restored(GAUSSIAN, put("mixture", "deviation", item(0, value)))


@pytest.mark.parametrize("value", [0, 2**64 - 1])
def test_a_set_that_parts_nothing_is_refused(value):
    with pytest.raises(ModelFileError, match="mixture"):
        restored(FOREST, put("mixture", "sets", lambda sets: np.full_like(sets, value)))
    with pytest.raises(ModelFileError, match="mixture"):
        restored(FOREST, put("mixture", "cut", item(CATEGORICAL, 10**6)))


OTHERS = {
    "alpha descends": (TREE, ("pruning_path", "alpha", lambda alpha: alpha[::-1].copy())),
    "alpha from above": (TREE, ("pruning_path", "alpha", lambda alpha: alpha + 1.0)),
    "alpha NaN": (TREE, ("pruning_path", "alpha", item(0, np.nan))),
    "no path": (TREE, ("pruning_path", "alpha", np.empty(0))),
    "leaves ascend": (TREE, ("pruning_path", "n_leaves", lambda n: n[::-1].copy())),
    "leaves none": (TREE, ("pruning_path", "n_leaves", item(-1, 0))),
    "loss NaN": (TREE, ("pruning_path", "loss", item(0, np.nan))),
    "losses too few": (TREE, ("pruning_path", "loss", lambda loss: loss[:-1])),
    "held out too few": (TREE, ("pruning_path", "held_out_loss", lambda loss: loss[:-1])),
    "chosen negative": (TREE, ("pruning_path", "chosen", -1.0)),
    "chosen NaN": (TREE, ("pruning_path", "chosen", float("nan"))),
    "importances": (TREE, ("feature_importances", lambda fractions: 0.5 * fractions)),
    "importance negative": (TREE, ("feature_importances", item(0, -0.1))),
    "importances too few": (TREE, ("feature_importances", lambda fractions: fractions[:-1])),
    "offset NaN": (TREE, ("offset", float("nan"))),
    "scores not sorted": (FOREST, ("calibration_scores", lambda scores: scores[::-1].copy())),
    "scores none": (FOREST, ("calibration_scores", np.empty(0))),
    "out-of-bag NaN": (FOREST, ("oob_score", float("nan"))),
    "out-of-bag text": (FOREST, ("oob_score", "good")),
    "split negative": (FOREST, ("min_samples_split", -1.0)),
    "margins too few": (FOREST, ("margins", lambda margins: margins[:-1])),
}


@pytest.mark.parametrize(("model", "change"), OTHERS.values(), ids=OTHERS)
def test_other_entries(model, change):
    with pytest.raises(ModelFileError):
        restored(model, put(*change))


@pytest.mark.parametrize("model", [TREE, GAUSSIAN, FOREST], ids=["tree", "gaussian", "forest"])
def test_what_is_not_changed_is_read(model):
    np.testing.assert_array_equal(restored(model).score_samples(TABLE), model.score_samples(TABLE))
    with pytest.raises(ModelFileError, match="unknown entry"):
        restored(model, lambda state: state.update(more=1))
    for name in model._get_state():
        if name in ("oob_score", "offset", "n_rows"):  # may be left out
            continue
        with pytest.raises(ModelFileError, match="missing"):
            restored(model, lambda state, name=name: state.pop(name))


def test_a_tree_is_one():
    state = FOREST._get_state()
    with pytest.raises(ModelFileError, match="more than one tree"):
        restored(TREE, lambda own: own.update(mixture=state["mixture"], margins=state["margins"]))


def test_out_of_bag_densities_are_not_kept(tmp_path):
    FOREST.save(tmp_path / "m")
    again = bw.load(tmp_path / "m")
    assert again.oob_score_ == FOREST.oob_score_
    assert FOREST.oob_log_density_.shape == (120,)
    with pytest.raises(AttributeError, match="oob_log_density_ is not kept in a model file"):
        _ = again.oob_log_density_
    with pytest.raises(AttributeError, match="no attribute 'something_'"):
        _ = again.something_


def test_a_forest_whose_trees_saw_everything_has_no_out_of_bag_score(tmp_path):
    forest = bw.DensityForest(2, max_samples=1.0, min_samples_split=9, random_state=0).fit(TABLE)
    assert np.isnan(forest.oob_score_)
    assert np.isnan(forest.oob_log_density_).all()
    forest.save(tmp_path / "m")
    assert np.isnan(bw.load(tmp_path / "m").oob_score_)
