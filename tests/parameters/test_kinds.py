"""Kinds of parameters: what passes, what each error says, and how a docstring names the kind."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from boxwood.parameters import (
    Checked,
    Choice,
    Flag,
    Function,
    Instance,
    Integer,
    Real,
    Unchecked,
    check_choice,
    check_integer,
    check_number,
    shown,
)


class Model(SimpleNamespace):
    pass


@pytest.mark.parametrize("value", [0, 0.0, 1, 0.5, np.float32(0.5), np.int8(1), Fraction(1, 3)])
def test_numbers_within_the_range_pass(value):
    check_number(Model(a=value), "a", 0.0, 1.0)


@pytest.mark.parametrize(
    "value", [-1e-300, 1.1, float("nan"), float("inf"), 10**400, -(10**400), np.float32(2.0)]
)
def test_numbers_outside_are_value_errors(value):
    with pytest.raises(ValueError, match=r"Model: a must lie in \[0, 1\]; got"):
        check_number(Model(a=value), "a", 0.0, 1.0)


@pytest.mark.parametrize("value", [True, None, "1", [1.0], 1j, np.array([1.0]), np.bool_(True)])
def test_what_is_no_number_is_a_type_error(value):
    with pytest.raises(TypeError, match="Model: a must be a number; got"):
        check_number(Model(a=value), "a")


def test_open_ends_and_no_ends_are_shown():
    with pytest.raises(ValueError, match=r"a must lie in \(0, 0.5\]; got 0"):
        check_number(Model(a=0), "a", 0.0, 0.5, open_low=True)
    with pytest.raises(ValueError, match=r"a must lie in \[0, ∞\); got inf"):
        check_number(Model(a=float("inf")), "a", 0.0)
    with pytest.raises(ValueError, match=r"a must lie in \[0, 1\); got 1"):
        Real(0.0, 1.0, open_high=True).check("a", 1)
    with pytest.raises(ValueError, match=r"a must lie in \(0, ∞\]; got 0"):
        Real(0.0, open_low=True, infinite=True).check("a", 0)
    Real(0.0, open_low=True, infinite=True).check("a", float("inf"))


def test_integers():
    for value in (1, np.int64(5), 10**30):
        check_integer(Model(n=value), "n", 1)
    for value in (True, 1.0, "1", None):
        with pytest.raises(TypeError, match="Model: n must be an integer; got"):
            check_integer(Model(n=value), "n", 1)
    with pytest.raises(ValueError, match="n must be at least 1; got 0"):
        check_integer(Model(n=0), "n", 1)
    with pytest.raises(ValueError, match="n must be from 1 to 3; got 4"):
        check_integer(Model(n=4), "n", 1, 3)


def test_choices_are_compared_with_their_type():
    check_choice(Model(c="a"), "c", ["a", None, 1])
    check_choice(Model(c=None), "c", ["a", None, 1])
    for value in ("b", True, 1.0, np.array(["a"]), ["a"]):
        with pytest.raises(ValueError, match="Model: c must be one of 'a', None, 1; got"):
            check_choice(Model(c=value), "c", ["a", None, 1])


def test_flags_are_python_s_or_numpy_s():
    for value in (True, False, np.True_):
        Flag().check("f", value)
    for value in (1, 0.0, "yes", None):
        with pytest.raises(ValueError, match="f must be one of True, False; got"):
            Flag().check("f", value)


def test_objects():
    Instance(Model, "model").check("m", Model())
    with pytest.raises(TypeError, match="m must be a model; got 3"):
        Instance(Model, "model").check("m", 3)
    with pytest.raises(TypeError, match="e must be an estimator; got 3"):
        Instance(Model, "estimator").check("e", 3)
    Function().check("f", len)
    with pytest.raises(TypeError, match="f must be a function; got 3"):
        Function().check("f", 3)
    Unchecked("anything").check("x", object())


COLUMNS = Integer(1) | Real(0.0, 1.0, open_low=True) | "sqrt" | None


@pytest.mark.parametrize("value", [1, 5, 0.5, 1.0, "sqrt", None])
def test_one_of_several_kinds_passes(value):
    COLUMNS.check("n", value)


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (0, ValueError, "n must be at least 1; got 0"),
        (1.5, ValueError, r"n must lie in \(0, 1\]; got 1.5"),
        ("log", ValueError, "n must be one of 'sqrt', None; got 'log'"),
        ([1], TypeError, r"n must be an integer, a number, 'sqrt' or None; got \[1\]"),
        (True, TypeError, "n must be an integer, a number, 'sqrt' or None; got True"),
    ],
)
def test_the_kind_of_a_value_checks_it(value, error, message):
    with pytest.raises(error, match=message):
        COLUMNS.check("n", value)


def test_choices_come_before_checks_of_all_values():
    def refuse(where, value):
        raise ValueError(f"{where} refused {value}")

    kind = Checked("int", refuse) | None
    kind.check("n", None)
    with pytest.raises(ValueError, match="n refused 3"):
        kind.check("n", 3)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Integer(2), "int ≥ 2"),
        (Integer(1, 256), "int in [1, 256]"),
        (Integer(1, 2**31 - 1), "int ≥ 1"),
        (Real(), "float"),
        (Real(0.0, open_low=True), "float > 0"),
        (Real(0.0, 0.5, open_low=True), "float in (0, 0.5]"),
        (Choice("a", "b"), '{"a", "b"}'),
        (Choice("a", "b", None), '{"a", "b"} or None'),
        (Choice("a"), '"a"'),
        (Choice("a", "b") | Function() | None, '{"a", "b"}, callable or None'),
        (Flag() | Function(), "bool or callable"),
        (COLUMNS, 'int ≥ 1, float in (0, 1], "sqrt" or None'),
        (Unchecked("dict") | Choice(None, "balanced"), 'dict, "balanced" or None'),
        (Unchecked("dict") | Choice(None, "balanced") | "even", 'dict, "balanced", "even" or None'),
    ],
)
def test_kinds_in_docstrings(kind, text):
    assert kind.text == text


def test_what_is_shown_is_short():
    assert len(shown(list(range(10**6)))) < 60
    assert shown(10**5000) == "a huge int"
    assert shown({"a": 1}) == "{'a': 1}"
