"""What a model file keeps of margins: the same bytes after reading, and a refusal for what cannot be."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import boxwood as bw
from boxwood.columns import INTEGERS, Columns
from boxwood.margins import Margins, fit_margins
from boxwood.model_file import ModelFileError, State

X, K, C, B, D = range(5)


@pytest.fixture(scope="module")
def table() -> Columns:
    rng = np.random.default_rng(0)
    return bw.read_columns(
        {
            "x": np.where(rng.random(200) < 0.2, np.nan, rng.normal(size=200)),
            "k": rng.poisson(3, 200),
            "c": np.array(["a", "b", None], dtype=object)[rng.integers(0, 3, 200)],
            "b": rng.random(200) < 0.5,
            "d": np.round(rng.normal(size=200), 1),
        }
    )


@pytest.fixture(scope="module")
def states(table: Columns) -> list[dict[str, Any]]:
    return fit_margins(table).to_state()


def read(states: Any, table: Columns) -> Margins:
    state = State({"margins": states}, "Model")
    margins = Margins.from_state(state, "margins", table.schema)
    state.check_all_read()
    return margins


@pytest.mark.parametrize("kind", ["smooth", "linear"])
def test_the_same_margins_come_back(table: Columns, kind: str) -> None:
    margins = fit_margins(table, kind)
    again = read(copy.deepcopy(margins.to_state()), table)
    assert again.encode(table).tobytes() == margins.encode(table).tobytes()
    assert again.log_derivative(table).tobytes() == margins.log_derivative(table).tobytes()


def put(j: int, name: str, value: Any) -> Callable[[list[dict[str, Any]]], None]:
    def change(states: list[dict[str, Any]]) -> None:
        states[j][name] = value(states[j][name]) if callable(value) else value

    return change


def put_old(j: int, whole: Any) -> Callable[[list[dict[str, Any]]], None]:
    def change(states: list[dict[str, Any]]) -> None:
        for name in ("lattice", "off_mass"):
            states[j].pop(name, None)
        states[j]["whole"] = whole

    return change


def test_an_older_file_has_integers_and_numbers(table: Columns, states: list[dict[str, Any]]) -> None:
    old = copy.deepcopy(states)
    put_old(X, False)(old)
    put_old(K, True)(old)
    margins, new = read(old, table), read(states, table)
    assert margins.columns[K].lattice == INTEGERS
    assert margins.log_derivative(table).tobytes() == new.log_derivative(table).tobytes()


def at(index: int, value: float) -> Callable[[Any], Any]:
    def change(array: Any) -> Any:
        array = array.copy()
        array[index] = value
        return array

    return change


WRONG = {
    "x NaN": put(X, "x", at(3, np.nan)),
    "x inf": put(X, "x", at(-1, np.inf)),
    "x descending": put(X, "x", lambda x: x[::-1].copy()),
    "x empty": put(X, "x", np.empty(0)),
    "x one knot": put(X, "x", np.zeros(1)),
    "x of float32": put(X, "x", lambda x: x.astype(np.float32)),
    "x a list": put(X, "x", [1.0, 2.0]),
    "x too short": put(X, "x", lambda x: x[:-1]),
    "x thrice": put(X, "x", lambda x: np.r_[x[:1], x[:1], x[:1], x[3:]]),
    "mass NaN": put(X, "mass", at(0, np.nan)),
    "mass negative": put(X, "mass", at(0, -0.1)),
    "mass zero": put(X, "mass", at(0, 0.0)),
    "mass too large": put(X, "mass", lambda m: m * 1.5),
    "mass too small": put(X, "mass", lambda m: m * 0.5),
    "mass huge": put(X, "mass", at(0, 1e300)),
    "density not positive": put(X, "shape_left", at(0, 0.0)),
    "density negative within": put(X, "shape_left", at(0, 9.0)),
    "density NaN": put(X, "shape_right", at(0, np.nan)),
    "tails of three": put(X, "tails", [0.0, 0.0, 0.0]),
    "tails of text": put(X, "tails", ["a"] * 4),
    "tails of truth": put(X, "tails", [True] * 4),
    "tails NaN": put(X, "tails", lambda t: [float("nan"), *t[1:]]),
    "tails huge": put(X, "tails", lambda t: [1e300, *t[1:]]),
    "tail rate zero": put(X, "tails", lambda t: [t[0], 0.0, *t[2:]]),
    "tail rate inf": put(X, "tails", lambda t: [*t[:3], float("inf")]),
    "missing too large": put(X, "missing_mass", 0.9),
    "missing negative": put(X, "missing_mass", -0.1),
    "missing NaN": put(X, "missing_mass", float("nan")),
    "missing a text": put(X, "missing_mass", "0"),
    "an old file's integers in a numeric column": put_old(X, True),
    "an old file's numbers in an integer column": put_old(K, False),
    "an old file's number for a flag": put_old(K, 1),
    "lattice of one number": put(K, "lattice", [0.0]),
    "lattice of text": put(K, "lattice", ["a", "b"]),
    "lattice NaN": put(K, "lattice", [float("nan"), 1.0]),
    "lattice inf": put(K, "lattice", [0.0, float("inf")]),
    "lattice without a step": put(K, "lattice", [0.0, 0.0]),
    "lattice of halves in an integer column": put(K, "lattice", [0.0, 0.5]),
    "no lattice in an integer column": put(K, "lattice", None),
    "values between integers": put(K, "off_mass", 0.1),
    "values beside a lattice alone": put(D, "off_mass", 1.0),
    "values beside a lattice NaN": put(D, "off_mass", float("nan")),
    "another kind": put(X, "kind", "category"),
    "no such kind": put(X, "kind", "spline"),
    "number for a category": put(C, "kind", "number"),
    "category mass NaN": put(C, "mass", at(0, np.nan)),
    "category mass negative": put(C, "mass", at(0, -0.1)),
    "category mass zero": put(C, "mass", lambda m: np.array([0.0, m.sum()])),
    "category mass of 3": put(C, "mass", lambda m: np.append(m, 0.0)),
    "category sum": put(C, "mass", lambda m: m * 0.9),
    "unseen zero": put(C, "unseen_mass", 0.0),
    "unseen negative": put(C, "unseen_mass", -0.1),
    "unseen boolean": put(B, "unseen_mass", 0.1),
    "category missing": put(C, "missing_mass", 2.0),
    "an unknown entry": put(C, "colour", 1.0),
}


def put_new(
    change: Callable[[list[dict[str, Any]]], None], states: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    states = copy.deepcopy(states)
    states[C].setdefault("colour", None)
    change(states)
    if states[C]["colour"] is None:
        del states[C]["colour"]
    return states


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG.keys())
def test_what_cannot_be_is_refused(
    change: Callable[[list[dict[str, Any]]], None], states: list[dict[str, Any]], table: Columns
) -> None:
    with pytest.raises(ModelFileError, match=r"^Model\.margins"):
        read(put_new(change, states), table)


@pytest.mark.parametrize("name", ["x", "mass", "shape_left", "tails", "missing_mass", "kind"])
def test_a_missing_entry_is_named(name: str, states: list[dict[str, Any]], table: Columns) -> None:
    states = copy.deepcopy(states)
    del states[X][name]
    with pytest.raises(ModelFileError, match=name):
        read(states, table)


def test_the_number_of_columns_is_checked(states: list[dict[str, Any]], table: Columns) -> None:
    with pytest.raises(ModelFileError):
        read(states[:-1], table)
