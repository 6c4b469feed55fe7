"""Flat arrays that are no mixture are refused with a ValueError, and never crash."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from core_tables import grow_and_fit, grow_options, leaf_options, make_table
from hypothesis import given
from hypothesis import strategies as st

from boxwood import _core
from properties import examples

KINDS = ("uniform", "histogram", "gaussian")
Flat = dict[str, Any]


def honest(kind: str) -> tuple[list[tuple[np.ndarray, bool]], Flat]:
    table = make_table(1, 60, 2, 2, n_categories=5)
    grown, flat = grow_and_fit(table, grow_options(max_depth=5), leaf_options(kind, n_leaf_bins=4))
    assert {0, 2} <= set(flat["feature"].tolist())
    return grown.columns(), flat


def inner(flat: Flat, columns: set[int]) -> int:
    return int(np.flatnonzero(np.isin(flat["feature"], list(columns)))[0])


def change(name: str, at: Callable[[Flat], Any], value: Any) -> Callable[[Flat], None]:
    def apply(flat: Flat) -> None:
        flat[name] = flat[name].copy()
        flat[name][at(flat)] = value(flat) if callable(value) else value

    return apply


def resize(name: str, by: int) -> Callable[[Flat], None]:
    def apply(flat: Flat) -> None:
        array = flat[name]
        flat[name] = array[:by] if by < 0 else np.concatenate([array, np.zeros(by, array.dtype)])

    return apply


def put(name: str, value: Any) -> Callable[[Flat], None]:
    def apply(flat: Flat) -> None:
        flat[name] = value

    return apply


def first_leaf(flat: Flat) -> int:
    return int(np.flatnonzero(flat["feature"] < 0)[0])


def last_inner(flat: Flat) -> int:
    return int(np.flatnonzero(flat["feature"] >= 0)[-1])


STRUCTURE = {
    "child out of range": change("left", lambda f: 0, lambda f: len(f["feature"])),
    "second child out of range": change("left", lambda f: 0, lambda f: len(f["feature"]) - 1),
    "huge child": change("left", lambda f: 0, 2**32 - 1),
    "own child": change("left", lambda f: 0, 0),
    "cycle": change("left", last_inner, 0),
    "two parents": change("left", last_inner, 1),
    "later two parents": change("left", lambda f: 0, lambda f: int(f["left"][last_inner(f)])),
    "column that is not there": change("feature", lambda f: 0, 4),
    "huge column": change("feature", lambda f: 0, 2**31 - 1),
    "inner node as leaf": change("feature", lambda f: 0, -1),
    "leaf as inner node": change("feature", first_leaf, 0),
    "cut at the low edge": change("cut", lambda f: inner(f, {0, 1}), 0),
    "cut beyond the high edge": change("cut", lambda f: inner(f, {0, 1}), 12),
    "huge cut": change("cut", lambda f: inner(f, {0, 1}), 2**32 - 1),
    "set that is not there": change("cut", lambda f: inner(f, {2, 3}), lambda f: len(f["sets"])),
    "huge set": change("cut", lambda f: inner(f, {2, 3}), 2**32 - 1),
    "empty set": change("sets", lambda f: slice(None), 0),
    "full set": change("sets", lambda f: slice(None), 2**64 - 1),
    "NaN mass": change("mass", first_leaf, np.nan),
    "negative mass": change("mass", first_leaf, -0.1),
    "mass above one": change("mass", first_leaf, 1.5),
    "infinite mass": change("mass", first_leaf, np.inf),
    "children that do not sum up": change("mass", first_leaf, lambda f: 0.9 * f["mass"][first_leaf(f)]),
    "root of another mass": change("mass", lambda f: slice(None), lambda f: 0.5 * f["mass"]),
    "NaN count": change("count", lambda f: 0, np.nan),
    "negative count": change("count", lambda f: 0, -1.0),
    "infinite count": change("count", lambda f: 0, np.inf),
    "short left": resize("left", -1),
    "short cut": resize("cut", -1),
    "long mass": resize("mass", 1),
    "long count": resize("count", 3),
    "short feature": resize("feature", -1),
    "starts that are too long": put("node_start", np.array([0, 10**12], dtype=np.int64)),
    "starts that are negative": put("node_start", np.array([-1, 3], dtype=np.int64)),
    "starts that descend": put("node_start", np.array([0, 5, 3], dtype=np.int64)),
    "no starts": put("node_start", np.zeros(0, dtype=np.int64)),
    "one start": put("node_start", np.zeros(1, dtype=np.int64)),
    "starts of sets that differ": put("set_start", np.array([0, 0, 0], dtype=np.int64)),
    "starts of sets that are too long": put("set_start", np.array([0, 2**62], dtype=np.int64)),
    "no words": put("words_per_set", 0),
    "too many words": put("words_per_set", 1025),
    "huge words": put("words_per_set", 2**63),
    "unknown leaves": put("leaf_kind", "cubic"),
    "short sets": resize("sets", -1),
}
PAYLOAD = {
    ("histogram", "short levels"): resize("levels", -1),
    ("histogram", "long levels"): resize("levels", 1),
    ("histogram", "no levels"): put("levels", np.zeros(0, dtype=np.uint8)),
    ("histogram", "no bins"): put("n_bins", 0),
    ("histogram", "more bins"): put("n_bins", 5),
    ("histogram", "huge bins"): put("n_bins", 2**62),
    ("gaussian", "no means"): put("mean", np.zeros(0, dtype=np.float32)),
    ("gaussian", "short means"): resize("mean", -1),
    ("gaussian", "short deviations"): resize("deviation", -1),
    ("gaussian", "NaN mean"): change("mean", lambda f: 0, np.nan),
    ("gaussian", "infinite mean"): change("mean", lambda f: 0, np.inf),
    ("gaussian", "mean far away"): change("mean", lambda f: 0, 1e30),
    ("gaussian", "NaN deviation"): change("deviation", lambda f: 0, np.nan),
    ("gaussian", "no deviation"): change("deviation", lambda f: 0, 0.0),
    ("gaussian", "negative deviation"): change("deviation", lambda f: 0, -1.0),
    ("gaussian", "infinite deviation"): change("deviation", lambda f: 0, np.inf),
}


@pytest.mark.parametrize("kind", KINDS)
def test_honest_arrays_are_a_mixture(kind: str) -> None:
    bin_edges, flat = honest(kind)
    _core.make_mixture(bin_edges, flat, np.ones(1))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", STRUCTURE)
def test_nodes_that_are_no_tree_are_refused(name: str, kind: str) -> None:
    bin_edges, flat = honest(kind)
    STRUCTURE[name](flat)
    with pytest.raises(ValueError, match=r"."):
        _core.make_mixture(bin_edges, flat, np.ones(1))


@pytest.mark.parametrize(("kind", "name"), PAYLOAD)
def test_payload_that_does_not_fit_is_refused(kind: str, name: str) -> None:
    bin_edges, flat = honest(kind)
    PAYLOAD[kind, name](flat)
    with pytest.raises(ValueError, match=r"."):
        _core.make_mixture(bin_edges, flat, np.ones(1))


@pytest.mark.parametrize(
    "weights", [[], [0.5], [1.0, 0.0], [np.nan], [np.inf], [-1.0], [1.0 + 1e-6]], ids=str
)
def test_weights_that_are_none_are_refused(weights: list[float]) -> None:
    bin_edges, flat = honest("uniform")
    with pytest.raises(ValueError, match=r"."):
        _core.make_mixture(bin_edges, flat, np.array(weights, dtype=float))


@pytest.mark.parametrize(
    "u",
    [
        [],
        [0.0],
        [0.0, 0.5],
        [0.1, 1.0],
        [0.0, 0.6, 0.4, 1.0],
        [0.0, 0.5, 0.5, 1.0],
        [0.0, np.nan, 1.0],
        [np.nan, 1.0],
        [0.0, np.nan],
        [0.0, np.inf, 1.0],
    ],
    ids=str,
)
def test_bin_edges_that_do_not_ascend_from_0_to_1_are_refused(u: list[float]) -> None:
    bin_edges, flat = honest("uniform")
    with pytest.raises(ValueError, match="bin edges"):
        _core.make_mixture([(np.array(u, dtype=float), False), *bin_edges[1:]], flat, np.ones(1))
    with pytest.raises(ValueError, match="bin edges"):
        _core.find_bins((np.array(u, dtype=float), False), np.zeros(3))


def test_fewer_bin_edges_than_columns_are_refused() -> None:
    bin_edges, flat = honest("uniform")
    with pytest.raises(ValueError, match=r"."):
        _core.make_mixture(bin_edges[:2], flat, np.ones(1))


def test_bins_that_do_not_fit_16_bits_are_refused() -> None:
    u = np.linspace(0.0, 1.0, 70_001)
    with pytest.raises(ValueError, match="16 bits"):
        _core.find_bins((u, False), np.array([0.99]))
    assert _core.find_bins((u[::2], False), np.array([0.99]))[0] == 34_650
    huge = np.linspace(0.0, 1.0, 2**20 + 2)
    with pytest.raises(ValueError, match="too many bins"):
        _core.find_bins((huge, False), np.array([0.99]))


@pytest.mark.parametrize("name", ["feature", "levels", "mass", "n_bins", "leaf_kind", "words_per_set"])
@pytest.mark.parametrize("value", [None, -1, "a", np.zeros(3, dtype=complex), np.zeros((2, 2))], ids=str)
def test_values_of_another_type_raise(name: str, value: Any) -> None:
    bin_edges, flat = honest("histogram")
    flat[name] = value
    with pytest.raises((ValueError, RuntimeError, TypeError)):
        _core.make_mixture(bin_edges, flat, np.ones(1))
    del flat[name]
    with pytest.raises(KeyError):
        _core.make_mixture(bin_edges, flat, np.ones(1))


@pytest.mark.parametrize("name", ["feature", "left", "mass", "levels", "node_start"])
def test_arrays_of_another_number_type_are_converted_or_refused(name: str) -> None:
    """A converted array must live as long as it is read."""
    bin_edges, flat = honest("histogram")
    points = np.random.default_rng(0).random((50, 4))
    expected = _core.make_mixture(bin_edges, flat, np.ones(1)).log_density(points)
    for dtype in (np.int64, np.float64, np.longdouble):
        if flat[name].dtype == dtype or (name == "mass" and dtype == np.int64):
            continue
        try:
            mixture = _core.make_mixture(bin_edges, {**flat, name: flat[name].astype(dtype)}, np.ones(1))
        except (ValueError, RuntimeError, TypeError):
            continue
        assert np.array_equal(mixture.log_density(points), expected)


@given(kind=st.sampled_from(KINDS), seed=st.integers(0, 2**32 - 1), n_changes=st.integers(1, 4))
@examples(150)
def test_random_damage_is_refused_or_harmless(kind: str, seed: int, n_changes: int) -> None:
    """Where damaged arrays still are a mixture, everything that is asked of it has an answer."""
    bin_edges, flat = honest(kind)
    rng = np.random.default_rng(seed)
    arrays = [name for name, value in flat.items() if isinstance(value, np.ndarray) and value.size]
    for _ in range(n_changes):
        name = arrays[rng.integers(len(arrays))]
        damaged = flat[name].copy()
        damaged.view(np.uint8)[rng.integers(damaged.nbytes)] = rng.integers(256)
        flat[name] = damaged
    try:
        mixture = _core.make_mixture(bin_edges, flat, np.ones(1))
    except ValueError:
        return
    points = rng.random((20, 4))
    points[::3, rng.integers(4)] = np.nan
    assert not np.isnan(mixture.log_density(points)).any()
    assert not np.isnan(mixture.sample(20, 0)).any()
    assert mixture.probability([None] * 4) == pytest.approx(1.0)
    for j in range(4):
        assert mixture.marginal(j).sum() == pytest.approx(1.0)
