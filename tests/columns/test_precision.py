from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.columns.precision import MOST_DECIMALS, decimals_of, unit_of
from boxwood.columns.source import TIME_UNITS, Source, limits_of


def written_decimals(values: list[float]) -> int | None:
    """Count decimals as they are written: the slow way, for numbers below 2**50 in the last decimal."""
    exponents = [Decimal(repr(value)).normalize().as_tuple().exponent for value in values]
    most = max(max(-int(exponent), 0) for exponent in exponents)
    return most if most <= MOST_DECIMALS else None


@given(st.lists(st.integers(-(10**5), 10**5), min_size=1, max_size=200), st.integers(0, 12))
def test_decimals_are_those_that_are_written(units: list[int], decimals: int) -> None:
    values = [unit / 10**decimals for unit in units]
    assert decimals_of(np.array(values)) == written_decimals(values)


@given(st.lists(st.floats(-1e5, 1e5), min_size=1, max_size=30))
def test_decimals_of_any_numbers(values: list[float]) -> None:
    assert decimals_of(np.array(values)) in (written_decimals(values), None)


@given(st.lists(st.integers(-2000, 2000), min_size=1, max_size=50), st.integers(0, 3))
def test_decimals_of_narrow_floats(units: list[int], decimals: int) -> None:
    values = [unit / 10**decimals for unit in units]
    narrow = np.array(values, dtype=np.float32).astype(np.float64)
    assert decimals_of(narrow, np.float32) == written_decimals(values)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], None),
        ([np.nan], None),
        ([1e300], None),
        ([0.0, np.nan], 0),
        ([1.0] * 100 + [0.25], 2),
        ([1 / 3], None),
    ],
)
def test_decimals_of_special_columns(values: list[float], expected: int | None) -> None:
    assert decimals_of(np.array(values)) == expected


@given(st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=100), st.sampled_from(list(TIME_UNITS)))
def test_units_are_the_coarsest(counts: list[int], unit: str) -> None:
    micros = [count * TIME_UNITS[unit] for count in counts]
    expected = next(name for name, step in TIME_UNITS.items() if all(value % step == 0 for value in micros))
    assert unit_of(np.array(micros, dtype=float)) == expected
    seconds = np.array([dt.timedelta(microseconds=value).total_seconds() for value in micros])
    assert unit_of(seconds, micros=1e6) == expected


def test_units_without_values() -> None:
    assert unit_of(np.array([np.nan])) is None
    assert unit_of(np.array([0.5])) is None


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        (("int8",), (-128.0, 127.0)),
        (("arrow", ("uint16",)), (0.0, 65535.0)),
        (("int64",), (-(2.0**53), 2.0**53)),
        (("decimal", 3, 2, 128), (-9.99, 9.99)),
        (("string",), None),
        ((), None),
    ],
)
def test_limits(dtype: Any, expected: Any) -> None:
    assert limits_of(dtype) == expected


@pytest.mark.parametrize(
    "source",
    [
        Source(),
        Source(("dictionary", ("int8",), ("string",), False), nullable=False),
        Source(("datetime", "us", None), unit="D"),
        Source(decimals=3),
    ],
)
def test_sources_in_json(source: Source) -> None:
    assert Source.from_json(source.to_json()) == source


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "may hold dtype"),
        ({"colour": 1}, "may hold dtype"),
        ({"decimals": -1}, "decimals are -1"),
        ({"decimals": True}, "decimals are True"),
        ({"unit": "fortnight"}, "unit is 'fortnight'"),
        ({"unit": []}, "unit is"),
        ({"nullable": 1}, "must be a boolean"),
        ({"dtype": "int8"}, "short list"),
        ({"dtype": ["int8"] * 9}, "short list"),
        ({"dtype": [8]}, "begin with a name"),
        ({"dtype": ["category", []]}, "begin with a name"),
        ({"dtype": ["decimal", 1.5]}, "names and integers"),
        ({"dtype": ["a", ["a", ["a", ["a", ["a", ["a"]]]]]]}, "short list"),
    ],
)
def test_bad_sources_in_json(data: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Source.from_json(data)
