"""Laws of input validation: container and order of rows do not matter, and the way back is exact."""

from __future__ import annotations

import datetime as dt
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.columns import Columns, read_columns, to_native
from properties import examples

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=4)
NUMBERS = st.floats(-1e300, 1e300)
INTEGERS = st.integers(-(2**53), 2**53)
DATES = st.datetimes(dt.datetime(1700, 1, 1), dt.datetime(2250, 1, 1))

FAMILIES = {
    "number": (NUMBERS, "Float64", pl.Float64, pa.float64(), "DOUBLE"),
    "integer": (INTEGERS, "Int64", pl.Int64, pa.int64(), "BIGINT"),
    "text": (TEXT, "str", pl.String, pa.string(), "VARCHAR"),
    "boolean": (st.booleans(), "boolean", pl.Boolean, pa.bool_(), "BOOLEAN"),
    "date": (DATES, "datetime64[us]", pl.Datetime("us"), pa.timestamp("us"), "TIMESTAMP"),
}


@st.composite
def tables(draw: Any) -> dict[str, list[Any]]:
    """Draw a column of each family, each with a value that is there."""
    n = draw(st.integers(1, 8))
    table = {}
    for name, (values, *_) in FAMILIES.items():
        column = draw(st.lists(st.none() | values, min_size=n, max_size=n))
        table[name] = [draw(values), *column]
    return table


def in_pandas(table: dict[str, list[Any]]) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(table[name], dtype=FAMILIES[name][1]) for name in table})


def in_polars(table: dict[str, list[Any]]) -> pl.DataFrame:
    return pl.DataFrame({name: pl.Series(table[name], dtype=FAMILIES[name][2]) for name in table})


def in_pyarrow(table: dict[str, list[Any]]) -> pa.Table:
    return pa.table({name: pa.array(table[name], FAMILIES[name][3]) for name in table})


def in_objects(table: dict[str, list[Any]]) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(table[name], dtype=object) for name in table})


CONTAINERS = {
    "pandas": in_pandas,
    "objects": in_objects,
    "polars": in_polars,
    "lazy": lambda table: in_polars(table).lazy(),
    "pyarrow": in_pyarrow,
    "batch": lambda table: in_pyarrow(table).to_batches()[0],
    "chunks": lambda table: pa.concat_tables([in_pyarrow(table).slice(0, 1), in_pyarrow(table).slice(1)]),
    "arrow in pandas": lambda table: in_pyarrow(table).to_pandas(types_mapper=pd.ArrowDtype),
    "series": lambda table: dict(in_pandas(table).items()),
}


@pytest.mark.parametrize("container", CONTAINERS)
@examples(40)
@given(table=tables())
def test_the_container_does_not_matter(container: str, table: dict[str, list[Any]]) -> None:
    assert read_columns(CONTAINERS[container](table)) == read_columns(table)


@examples(25)
@given(table=tables())
def test_duckdb_gives_the_same_columns(table: dict[str, list[Any]]) -> None:
    with duckdb.connect() as connection:
        types = ", ".join(f'"{name}" {FAMILIES[name][4]}' for name in table)
        connection.execute(f"CREATE TABLE t ({types})")
        marks = ", ".join("?" * len(table))
        connection.executemany(f"INSERT INTO t VALUES ({marks})", list(zip(*table.values(), strict=True)))
        assert read_columns(connection.table("t")) == read_columns(table)


@examples(25)
@given(table=tables())
def test_parquet_gives_the_same_columns(table: dict[str, list[Any]], tmp_path_factory: Any) -> None:
    path = tmp_path_factory.mktemp("parquet") / "table.parquet"
    in_polars(table).write_parquet(path)
    assert read_columns(path) == read_columns(table)


@examples(40)
@given(table=tables(), data=st.data())
def test_row_order_does_not_change_the_schema(table: dict[str, list[Any]], data: st.DataObject) -> None:
    n = len(table["number"])
    order = data.draw(st.permutations(range(n)))
    shuffled = {name: [column[i] for i in order] for name, column in table.items()}
    before, after = read_columns(table), read_columns(shuffled)
    assert after.schema == before.schema
    assert after == before.take(np.array(order))


@pytest.mark.parametrize("container", ["pandas", "polars", "pyarrow"])
@examples(40)
@given(table=tables())
def test_the_way_back_is_exact(container: str, table: dict[str, list[Any]]) -> None:
    columns = read_columns(table)
    again = read_columns(to_native(columns, container), kinds={"number": "numeric"})
    assert again == columns
    assert again.schema.container == container


@examples(40)
@given(table=tables())
def test_the_way_back_to_an_array_keeps_all_but_names(table: dict[str, list[Any]]) -> None:
    columns = read_columns(table)
    again = read_columns(to_native(columns, "numpy"))
    assert _without_names(again) == _without_names(columns)


def _without_names(columns: Columns) -> list[Any]:
    return [
        (column.kind, column.field.categories, np.nan_to_num(column.values, nan=-0.5).tolist())
        for column in columns
    ]


def test_a_structured_array_comes_back_as_one() -> None:
    array = np.array([(1.5, 2, True, "a")], dtype=[("w", "f8"), ("i", "i8"), ("b", "?"), ("s", "U1")])
    columns = read_columns(array)
    again = to_native(columns)
    assert again.dtype.names == ("w", "i", "b", "s")
    assert read_columns(again) == columns


@pytest.mark.parametrize("container", ["pandas", "pyarrow"])
def test_categories_of_numbers_come_back(container: str) -> None:
    frame = pd.DataFrame(
        {"n": pd.Categorical([3, None, 1], [3, 1, 2], ordered=True), "f": pd.Categorical([2.5, 1, 1])}
    )
    columns = read_columns(frame)
    assert read_columns(to_native(columns, container)) == columns


def test_ordinals_come_back_from_polars() -> None:
    columns = read_columns(
        pl.DataFrame({"size": pl.Series(["S", None, "L"], dtype=pl.Enum(["S", "M", "L"]))})
    )
    assert read_columns(to_native(columns)) == columns
