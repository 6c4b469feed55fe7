"""The schema of parts that are merged is that of the whole table."""

import datetime
import decimal
import itertools
import warnings
from functools import reduce
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.columns import Columns, read_columns
from boxwood.columns.columns import concatenated
from boxwood.columns.input_validation import read_part
from boxwood.columns.part_schema import PartSchema, read_by
from properties import examples

N = 40


def frame() -> pd.DataFrame:
    """Return a frame of every kind of column."""
    rng = np.random.default_rng(0)
    gaps = rng.random(N) < 0.3
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 900, N), unit="D")
    return pd.DataFrame(
        {
            "fine": rng.normal(size=N),
            "coarse": rng.integers(0, 50, N) / 4.0,
            "single": rng.integers(0, 50, N).astype(np.float32) / np.float32(10.0),
            "whole": np.where(gaps, np.nan, rng.integers(0, 9, N)),
            "count": rng.integers(0, 9, N).astype(np.int16),
            "nullable": pd.array(np.where(gaps, None, rng.integers(0, 9, N)), dtype="Int32"),
            "text": rng.choice(list("abcdefg"), N),
            "object": pd.Series(np.where(gaps, None, rng.choice(["x", "y", "zz"], N)), dtype=object),
            "price": pd.Series(
                [decimal.Decimal(int(v)) / 100 for v in rng.integers(0, 999, N)], dtype=object
            ),
            "flag": rng.random(N) < 0.5,
            "rank": pd.Categorical(
                rng.choice(["low", "mid", "high"], N), ["low", "mid", "high"], ordered=True
            ),
            "kind": pd.Categorical(rng.choice(["p", "q"], N), ["p", "q", "never"]),
            "day": days,
            "late": pd.Series([None] * (N - 3) + [1.5, 2.25, 3.0]),
            "wait": pd.to_timedelta(rng.integers(0, 9000, N), unit="s"),
            "empty": [None] * N,
        }
    )


def polars_frame() -> pl.DataFrame:
    rng = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "x": rng.normal(size=N).round(2),
            "k": [None if i % 7 == 0 else i for i in range(N)],
            "c": rng.choice(["a", "b", "c"], N).tolist(),
            "d": [datetime.date(2024, 1, 1) + datetime.timedelta(days=i) for i in range(N)],
        }
    )


TABLES: dict[str, Any] = {
    "pandas": frame(),
    "polars": polars_frame(),
    "numpy": np.random.default_rng(0).normal(size=(N, 3)),
    "pyarrow": polars_frame().to_arrow(),
}


def whole(table: Any) -> Columns:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read_columns(table)


@pytest.mark.parametrize("name", TABLES)
@examples(20)
@given(cuts=st.lists(st.integers(0, N), max_size=4), order=st.randoms())
def test_parts_have_the_schema_of_the_whole(name: str, cuts: list[int], order: Any) -> None:
    table = TABLES[name]
    edges = [0, *sorted(cuts), N]
    parts = [read_part(table[begin:end]) for begin, end in itertools.pairwise(edges)]
    shown = [PartSchema.of_part(part, f"part {k}") for k, part in enumerate(parts)]
    order.shuffle(shown)
    merged = reduce(PartSchema.merge, shown)
    wanted = whole(table)
    assert merged.schema().to_json() == wanted.schema.to_json()
    assert merged.n_rows == N
    assert concatenated([read_by(part, merged.schema()) for part in parts]) == wanted


def of(table: Any, part: str) -> PartSchema:
    return PartSchema.of_part(read_part(table), part)


def test_integers_beside_floats_are_floats() -> None:
    ints, floats = of(pd.DataFrame({"a": [1, 2]}), "part 0"), of(pd.DataFrame({"a": [0.5, 2.0]}), "part 1")
    wanted = read_columns(pd.concat([pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": [0.5, 2.0]})]))
    assert ints.merge(floats).schema().to_json() == wanted.schema.to_json()
    assert floats.merge(ints).schema().to_json() == wanted.schema.to_json()


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ({"a": [1.5]}, {"b": [1.5]}, "part 1 has the columns 'b', part 0 has 'a'"),
        ({"a": [1.5]}, {"a": ["x"]}, "column 'a': part 1 holds categorical values, part 0 holds numeric"),
        (
            {"a": pd.Categorical(["p"], ["p", "q"], ordered=True)},
            {"a": pd.Categorical(["p"], ["q", "p"], ordered=True)},
            "part 1 has the ordered categories 'q', 'p', part 0 has 'p', 'q'",
        ),
        (
            {"a": pd.array(["p"], dtype="string")},
            {"a": pd.Categorical(["p"])},
            "column 'a': part 1 has the type category",
        ),
    ],
)
def test_what_cannot_be_one_table_is_named_with_the_part(first: Any, second: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        of(pd.DataFrame(first), "part 0").merge(of(pd.DataFrame(second), "part 1"))


@pytest.mark.parametrize("library", [pl.DataFrame, pa.table])
def test_a_column_of_nulls_is_of_the_other_s_type(library: Any) -> None:
    nulls, numbers = library({"a": [None, None]}), library({"a": [1, 2]})
    for parts in ([nulls, numbers], [numbers, nulls]):
        first, second = (of(part, f"part {k}") for k, part in enumerate(parts))
        assert first.merge(second).schema().fields == read_columns(numbers).schema.fields


def test_what_is_missing_and_new_is_named() -> None:
    first, second = ({name: [1.5] for name in names} for names in ("abcdefghij", "bcdefghijk"))
    with pytest.raises(ValueError, match=r"in the same order \(missing 'a', new 'k'\)\.$"):
        of(first, "part 0").merge(of(second, "part 1"))


def test_parts_of_two_libraries_are_refused() -> None:
    with pytest.raises(TypeError, match="part 1 is a table of polars, part 0 of pandas"):
        of(pd.DataFrame({"a": [1.5]}), "part 0").merge(of(pl.DataFrame({"a": [1.5]}), "part 1"))
