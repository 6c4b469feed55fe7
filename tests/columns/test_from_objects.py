from __future__ import annotations

import datetime as dt
import decimal
import enum
import fractions
from typing import Any

import numpy as np
import pandas as pd
import pytest

from boxwood.columns import Column, Kind, read_columns

BERLIN = dt.timezone(dt.timedelta(hours=1))


def read(*values: Any) -> Column:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return read_columns({"a": array})["a"]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, None, True], "integer"),
        ([1, 2.5, np.float32(1)], "numeric"),
        ([decimal.Decimal("1.5"), fractions.Fraction(1, 3)], "numeric"),
        ([True, None, np.bool_(False)], "boolean"),
        (["a", np.str_("b"), pd.NA], "categorical"),
        ([dt.date(2020, 1, 1), dt.datetime(2020, 1, 1, 5), np.datetime64("2020", "Y")], "datetime"),
        ([pd.Timestamp("2020-01-01"), pd.NaT], "datetime"),
        ([dt.timedelta(1), np.timedelta64(5, "ns"), pd.Timedelta("1h")], "numeric"),
        ([None, np.nan, pd.NA, pd.NaT, decimal.Decimal("sNaN")], "numeric"),
    ],
)
def test_kind_by_what_it_holds(values: list[Any], kind: str) -> None:
    assert read(*values).kind == kind


def test_every_missing_value_is_missing() -> None:
    missing = [
        None,
        float("nan"),
        np.float32("nan"),
        pd.NA,
        pd.NaT,
        np.datetime64("NaT", "us"),
        decimal.Decimal("NaN"),
    ]
    assert read("a", *missing).n_missing == len(missing)


def test_time_zones_become_utc() -> None:
    column = read(dt.datetime(1970, 1, 1, 1, tzinfo=BERLIN), pd.Timestamp(0, tz="UTC"))
    assert column.values.tolist() == [0.0, 0.0]


def test_durations_keep_their_units() -> None:
    assert read(dt.timedelta(1), np.timedelta64(5, "ns")).values.tolist() == [86400.0, 5e-9]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, "a"], "column 'a', row 1: the column mixes types, int in row 0 and str here"),
        ([None, "a", 2.5], "column 'a', row 2: the column mixes types, str in row 1 and float here"),
        ([dt.date(2020, 1, 1), 5], "row 1: the column mixes types"),
        (["a", b"b"], "row 1: argument must be a string, a number, a boolean or a date, not bytes"),
        ([[1], [2]], "row 0: argument must be a string, .* not list"),
        ([1, object()], "row 1: .* not object"),
        ([dt.time(1)], "row 0: .* not time"),
        ([pd.Period("2020")], "row 0: .* not Period"),
    ],
)
def test_refused_types(values: list[Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        read(*values)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, 2, 10**400], "row 2: the integer does not fit"),
        ([decimal.Decimal("1e999")], "row 0: the value is infinity"),
        ([fractions.Fraction(10**400, 7)], "row 0: the Fraction is too large"),
        ([1.5, 1j], "row 1: Complex data not supported"),
        (["a", "\ud800"], "row 1: the string .* is not valid Unicode"),
        ([dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 1, tzinfo=BERLIN)], "row 1: dates with and without"),
        ([dt.datetime(1, 1, 1, tzinfo=BERLIN)], "row 0: the date lies outside the years 1 to 9999"),
        ([np.datetime64(10**15, "Y")], "the date lies outside"),
        ([np.timedelta64(1, "Y")], "a duration in years has no fixed length"),
    ],
)
def test_refused_values(values: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(*values)


def test_subclasses_of_strings_become_strings() -> None:
    class Size(enum.StrEnum):
        SMALL = "S"

    (label,) = read(Size.SMALL).field.categories
    assert type(label) is str


def test_kind_of_an_empty_column_is_numeric() -> None:
    column = read(None, None)
    assert (column.kind, column.n_missing) == (Kind.NUMERIC, 2)
