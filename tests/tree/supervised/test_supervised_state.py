"""Saved trees and forests: what a malformed file may change is found out, entry by entry."""

from __future__ import annotations

import copy

import numpy as np
import pandas as pd
import pytest

import boxwood as bw
from boxwood.model_file import ModelFileError, State

TABLE = pd.DataFrame({"x": np.arange(40.0) % 7, "c": list("abcd") * 10})
CODES = (np.arange(40) % 7 > 3).astype(int) + 2 * (np.arange(40) % 4 == 1)
TREE = bw.DecisionTreeClassifier(random_state=0).fit(TABLE, CODES)
FOREST = bw.RandomForestRegressor(3, random_state=0).fit(TABLE, CODES)


def restored(model, edit=None):
    state = copy.deepcopy(model._get_state())
    if edit is not None:
        edit(state)
    other = type(model)(**model.get_params())
    checked = State(state, type(model).__name__)
    other._restore(model.schema_.to_json(), checked)
    checked.check_all_read()
    return other


def changed(array: np.ndarray, index, value) -> np.ndarray:
    copied = np.array(array)
    copied[index] = value
    return copied


@pytest.mark.parametrize("model", [TREE, FOREST], ids=lambda model: type(model).__name__)
def test_an_honest_state_is_the_model(model):
    np.testing.assert_array_equal(restored(model).predict(TABLE), model.predict(TABLE))


NODES = {
    "start": [(0, 1), (-1, 10**9), (-1, -1)],
    "feature": [(0, 2), (0, -2), (0, -1), (-1, 0)],
    "left": [(0, 0), (0, 2**32 - 1), (0, 2), (0, 10**6)],
    "threshold": [(slice(None), np.nan), (slice(None), 1e9), (slice(None), 0.5), (slice(None), -1.0)],
    "count": [(0, 0.0), (1, -1.0), (2, np.nan)],
    "impurity": [(0, -5.0), (0, np.inf)],
    "missing_left": [(0, 2)],
    "value": [(0, np.nan), (1, 2.0), (1, -1.0)],
}


@pytest.mark.parametrize(
    ("name", "index", "value"), [(name, *change) for name, changes in NODES.items() for change in changes]
)
def test_nodes_that_are_no_tree_are_refused(name, index, value):
    def edit(state):
        state["trees"][name] = changed(state["trees"][name], index, value)

    with pytest.raises(ModelFileError):
        restored(TREE, edit)


@pytest.mark.parametrize(
    "edit",
    [
        lambda state: state["trees"].update(sets=np.empty(0, np.uint32)),
        lambda state: state["trees"].update(sets=state["trees"]["sets"][:-1]),
        lambda state: state["trees"].update(sets=np.full_like(state["trees"]["sets"], 2**32 - 1)),
        lambda state: state["trees"].update(value=state["trees"]["value"][:, :1]),
        lambda state: state["trees"].pop("impurity"),
        lambda state: state.update(classes=[0, 0, 1, 2]),
        lambda state: state.update(classes=[]),
        lambda state: state.update(classes=[0, 1]),
        lambda state: state.update(ccp_alpha=-1.0),
        lambda state: state.update(cuts=state["cuts"][:1]),
        lambda state: state["cuts"][0].update(cuts=np.array([1.0, 0.0])),
        lambda state: state["cuts"][0].update(has_missing="no"),
    ],
)
def test_other_entries_that_cannot_be_are_refused(edit):
    with pytest.raises(ModelFileError):
        restored(TREE, edit)


@pytest.mark.parametrize("seed", ["", "-1", "1.5", "x", str(2**64), "9" * 30, "²", 3, None])
def test_seeds_that_cannot_be_are_refused(seed):
    with pytest.raises(ModelFileError):
        restored(FOREST, lambda state: state.update(seed=seed))


def test_the_largest_seed_is_kept():
    assert restored(FOREST, lambda state: state.update(seed=str(2**64 - 1))).seed_ == 2**64 - 1


@pytest.mark.parametrize("seed", range(60))
def test_random_damage_is_refused_or_harmless(seed):
    rng = np.random.default_rng(seed)

    def edit(state):
        trees = state["trees"]
        name = rng.choice(["start", "feature", "left", "threshold", "sets"])
        array = np.array(trees[name])
        raw = array.view(np.uint8)
        raw[rng.integers(len(raw))] ^= 1 << rng.integers(8)
        trees[name] = array

    try:
        model = restored(FOREST, edit)
    except ModelFileError:
        return
    assert np.isfinite(model.predict(TABLE)).all()
    model.decision_path(TABLE)
    for tree in range(3):
        model.rules(int(model.apply(TABLE)[0, tree]), tree)
