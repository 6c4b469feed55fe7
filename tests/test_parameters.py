"""Parameter checks: what passes, and that each error names estimator, parameter and value."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from boxwood.parameters import check_choice, check_integer, check_number, shown


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


def test_an_open_end_and_no_end_are_shown():
    with pytest.raises(ValueError, match=r"a must lie in \(0, 0.5\]; got 0"):
        check_number(Model(a=0), "a", 0.0, 0.5, open_low=True)
    with pytest.raises(ValueError, match=r"a must lie in \[0, ∞\); got inf"):
        check_number(Model(a=float("inf")), "a", 0.0)


def test_whole_numbers():
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


def test_what_is_shown_is_short():
    assert len(shown(list(range(10**6)))) < 60
    assert shown(10**5000) == "a huge int"
    assert shown({"a": 1}) == "{'a': 1}"
