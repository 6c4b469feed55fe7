"""State: each getter gives what was asked for, or says what the entry is instead."""

from __future__ import annotations

import math

import numpy as np
import pytest

from boxwood.model_file import ModelFileError, State


def state(**values):
    return State(values, "M")


ARRAYS = [
    (np.zeros(2), {}, None),
    (None, {}, "is not an array"),
    ([0.0, 0.0], {}, "is not an array"),
    (np.zeros(2, np.float32), {}, "has the dtype float32, not float64"),
    (np.zeros(2, np.int64), {}, "has the dtype int64, not float64"),
    (np.zeros(3), {}, r"has the shape \(3,\), not \(2,\)"),
    (np.zeros((2, 1)), {}, r"has the shape \(2, 1\), not \(2,\)"),
    (np.array([0.0, np.nan]), {}, "holds NaN or inf"),
    (np.array([0.0, np.inf]), {}, "holds NaN or inf"),
    (np.array([0.0, np.inf]), {"finite": False}, None),
    (np.array([0.0, np.nan]), {"finite": False}, "holds NaN"),
    (np.array([0.0, -1.0]), {"low": 0.0}, "holds -1.0, below 0.0"),
    (np.array([0.0, 2.0]), {"high": 1.0}, "holds 2.0, above 1.0"),
]


@pytest.mark.parametrize(("value", "limits", "wrong"), ARRAYS)
def test_arrays(value, limits, wrong):
    if wrong is None:
        assert state(a=value).array("a", np.float64, (2,), **limits) is value
        return
    with pytest.raises(ModelFileError, match=f"^M.a {wrong}$"):
        state(a=value).array("a", np.float64, (2,), **limits)


def test_open_lengths_are_shown():
    assert state(a=np.zeros((5, 2))).array("a", np.float64, (None, 2)).shape == (5, 2)
    with pytest.raises(ModelFileError, match=r"not \(\?, 3\)"):
        state(a=np.zeros((5, 2))).array("a", np.float64, (None, 3))


def test_numbers():
    assert state(a=2).number("a") == 2.0
    assert state(a=-math.inf).number("a") == -math.inf
    for value in (True, "1", None, [1.0], np.zeros(1)):
        with pytest.raises(ModelFileError, match=r"M.a is not a number"):
            state(a=value).number("a")
    for value in (-1, 1.5, math.nan, 10**400, 10**5000):
        with pytest.raises(ModelFileError, match=r"M.a is .*, not between 0.0 and 1.0"):
            state(a=value).number("a", low=0.0, high=1.0)
    with pytest.raises(ModelFileError, match=r"M.a is"):
        state(a=10**400).number("a")


def test_whole_numbers_flags_text_and_labels():
    full = state(n=3, f=True, t="x", l=["a", 1, True])
    assert (full.integer("n"), full.flag("f"), full.text("t"), full.labels("l")) == (
        3,
        True,
        "x",
        ["a", 1, True],
    )
    for value in (True, 1.0, "1", None, -1, 2**60):
        with pytest.raises(ModelFileError, match=r"M.n is"):
            state(n=value).integer("n")
    with pytest.raises(ModelFileError, match=r"M.f is not true or false"):
        state(f=1).flag("f")
    with pytest.raises(ModelFileError, match=r"M.t is 3, not text"):
        state(t=3).text("t")
    with pytest.raises(ModelFileError, match=r"M.t is 'x', not one of \['y'\]"):
        state(t="x").text("t", ["y"])
    for value in ("abc", [None], [[1]], 3):
        with pytest.raises(ModelFileError, match=r"M.l is not a list of labels"):
            state(l=value).labels("l")


def test_what_lies_within():
    nested = state(c={"n": 1}, many=[{"n": 2}, {"n": 3}])
    assert nested.child("c").integer("n") == 1
    assert [child.integer("n") for child in nested.children("many", 2)] == [2, 3]
    with pytest.raises(ModelFileError, match=r"M.c.m is missing"):
        nested.child("c").integer("m")
    with pytest.raises(ModelFileError, match=r"M.many has 2 entries, not 3"):
        nested.children("many", 3)
    with pytest.raises(ModelFileError, match=r"M.c is not a list"):
        nested.children("c")
    with pytest.raises(ModelFileError, match=r"M.many.0 is not a dictionary"):
        state(many=[1]).children("many")
    with pytest.raises(ModelFileError, match=r"M.n is not a dictionary"):
        state(n=1).child("n")


def test_presence():
    assert "a" in state(a=0)
    assert "a" not in state(a=None)
    assert "a" not in state()


def test_entries_that_nobody_read_are_named():
    nested = state(n=1, c={"n": 1, "more": 2})
    nested.integer("n")
    with pytest.raises(ModelFileError, match=r"M holds the unknown entry 'c'"):
        nested.check_all_read()
    child = nested.child("c")
    child.integer("n")
    with pytest.raises(ModelFileError, match=r"M.c holds the unknown entry 'more'"):
        nested.check_all_read()
    child.integer("more")
    nested.check_all_read()
