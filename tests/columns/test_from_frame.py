from __future__ import annotations

import datetime as dt
import decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from boxwood.columns import Column, Kind, read_columns


def of_pandas(values: Any, dtype: Any = None) -> Column:
    return read_columns(pd.DataFrame({"a": pd.Series(values, dtype=dtype)}))["a"]


def of_polars(values: Any, dtype: Any = None) -> Column:
    return read_columns(pl.DataFrame({"a": pl.Series(values, dtype=dtype)}))["a"]


def of_pyarrow(values: Any, dtype: Any = None) -> Column:
    return read_columns(pa.table({"a": pa.array(values, dtype)}))["a"]


@pytest.mark.parametrize(
    ("values", "dtype", "kind", "n_missing"),
    [
        ([1, None], "Int64", "integer", 1),
        ([None, None], "Int64", "integer", 2),
        ([1.5, None], "Float64", "numeric", 1),
        ([True, None], "boolean", "boolean", 1),
        (["a", None], "string", "categorical", 1),
        (["a", None], "str", "categorical", 1),
        ([None, None], "string", "categorical", 2),
        (["a", pd.NA], object, "categorical", 1),
        ([1, pd.NA], object, "integer", 1),
        ([1.0, 2.0], "float16", "numeric", 0),
        ([0, 1, 0], "Sparse[int]", "integer", 0),
        ([0.0, np.nan], "Sparse[float]", "numeric", 1),
        ([0, None], "datetime64[s]", "datetime", 1),
        ([0, None], "datetime64[ns, Europe/Berlin]", "datetime", 1),
        ([5, None], "timedelta64[ns]", "numeric", 1),
        (["b", None], "category", "categorical", 1),
        (pd.Categorical([2, 1], ordered=True), None, "ordinal", 0),
        ([1, None], pd.ArrowDtype(pa.int64()), "integer", 1),
        ([True, None], pd.ArrowDtype(pa.bool_()), "boolean", 1),
        (["a", None], pd.ArrowDtype(pa.string()), "categorical", 1),
        ([dt.date(2020, 1, 1), None], pd.ArrowDtype(pa.date32()), "datetime", 1),
        ([1, None], pd.ArrowDtype(pa.timestamp("us", "UTC")), "datetime", 1),
        ([decimal.Decimal(1), None], pd.ArrowDtype(pa.decimal128(5, 1)), "numeric", 1),
        ([None, None], pd.ArrowDtype(pa.null()), "numeric", 2),
    ],
)
def test_pandas_kinds(values: Any, dtype: Any, kind: str, n_missing: int) -> None:
    column = of_pandas(values, dtype)
    assert (column.kind.value, column.n_missing) == (kind, n_missing)


@pytest.mark.parametrize(
    ("values", "dtype", "kind", "n_missing"),
    [
        ([1, None], pl.Int128, "integer", 1),
        ([1, 2], getattr(pl, "UInt128", pl.Int128), "integer", 0),
        ([2**53, None], pl.UInt64, "integer", 1),
        ([1.5, None, float("nan")], pl.Float32, "numeric", 2),
        ([decimal.Decimal("1.5"), None], pl.Decimal(10, 2), "numeric", 1),
        (["b", "a", None], pl.Categorical, "categorical", 1),
        (["b", "a", None], pl.Enum(["b", "a", "c"]), "ordinal", 1),
        ([None, None], pl.Null, "numeric", 2),
        ([None, None], pl.List(pl.Int8), "numeric", 2),
        ([dt.date(2020, 1, 1), None], pl.Date, "datetime", 1),
        ([dt.datetime(2020, 1, 1), None], pl.Datetime("ms", "Europe/Berlin"), "datetime", 1),
        ([dt.timedelta(1), None], pl.Duration("us"), "numeric", 1),
        (["a", None], pl.Object, "categorical", 1),
        ([True, None], pl.Boolean, "boolean", 1),
    ],
)
def test_polars_kinds(values: Any, dtype: Any, kind: str, n_missing: int) -> None:
    column = of_polars(values, dtype)
    assert (column.kind.value, column.n_missing) == (kind, n_missing)


@pytest.mark.parametrize(
    ("values", "dtype", "kind", "n_missing"),
    [
        ([1, None], pa.uint64(), "integer", 1),
        ([np.float16(1), None], pa.float16(), "numeric", 1),
        ([decimal.Decimal(1), None], pa.decimal256(50, 1), "numeric", 1),
        (["a", None], pa.string_view(), "categorical", 1),
        (["a", None], pa.dictionary(pa.uint8(), pa.string()), "categorical", 1),
        ([None, None], pa.null(), "numeric", 2),
        ([dt.date(2020, 1, 1), None], pa.date64(), "datetime", 1),
        ([0, None], pa.timestamp("s", "UTC"), "datetime", 1),
        ([0, None], pa.duration("ns"), "numeric", 1),
    ],
)
def test_pyarrow_kinds(values: Any, dtype: Any, kind: str, n_missing: int) -> None:
    column = of_pyarrow(values, dtype)
    assert (column.kind.value, column.n_missing) == (kind, n_missing)


@pytest.mark.parametrize(
    ("read", "values", "dtype", "message"),
    [
        (of_pandas, ["2020-01", "2020-02"], "period[M]", "row 0: .* not Period"),
        (of_pandas, pd.interval_range(0, 2), None, "row 0: .* not Interval"),
        (of_pandas, [1, "a"], object, "row 1: the column mixes types"),
        (of_polars, [None, dt.time(1)], pl.Time, "row 1 has the type Time"),
        (of_polars, [None, [1]], pl.List(pl.Int8), "row 1 has the type List"),
        (of_polars, [{"a": 1}], pl.Struct({"a": pl.Int8}), "row 0 has the type Struct"),
        (of_polars, [b"a"], pl.Binary, "row 0 has the type Binary"),
        (of_polars, [object()], pl.Object, "row 0: .* not object"),
        (of_pyarrow, [None, dt.time(1)], pa.time64("us"), "row 1 has the type Time"),
        (of_pyarrow, [{"a": 1}], pa.struct({"a": pa.int8()}), "row 0 has the type Struct"),
        (of_pyarrow, [[("a", 1)]], pa.map_(pa.string(), pa.int8()), "row 0: .* not list"),
    ],
)
def test_refused_types_name_the_row(read: Any, values: Any, dtype: Any, message: str) -> None:
    with pytest.raises(TypeError, match=f"column 'a', {message}"):
        read(values, dtype)


@pytest.mark.parametrize(
    ("read", "values", "dtype"),
    [
        (of_pandas, [1, None, 2**53 + 1, 2**60], "Int64"),
        (of_pandas, [1, 2, 2**53 + 1, 2**64 - 1], "uint64"),
        (of_polars, [1, None, 2**53 + 1, 2**64 - 1], pl.UInt64),
        (of_polars, [1, 2, 2**53 + 1, 2**100], pl.Int128),
        (of_polars, [1, None, 2**53 + 1, 2**100], pl.Int128),
        (of_pyarrow, [1, None, 2**53 + 1, 2**63], pa.uint64()),
    ],
)
def test_wide_integers_name_the_first_row(read: Any, values: Any, dtype: Any) -> None:
    with pytest.raises(ValueError, match="column 'a', row 2: 9007199254740993 does not fit"):
        read(values, dtype)


@pytest.mark.parametrize("read", [of_pandas, of_polars, of_pyarrow])
def test_infinity_names_the_row(read: Any) -> None:
    with pytest.raises(ValueError, match="column 'a', row 1: the value is infinity"):
        read([0.0, np.inf])


def test_an_object_column_is_looked_at_to_its_end() -> None:
    with pytest.raises(TypeError, match="column 'a', row 500: the column mixes types, str in row 0"):
        of_pandas(["text"] * 500 + [1], object)


def test_dates_far_away_are_refused_not_wrapped() -> None:
    far = pd.Series(np.array([0, 10**17], "M8[s]"))
    with pytest.raises(ValueError, match="column 'a', row 1: the date lies outside"):
        of_pandas(far)


@pytest.mark.parametrize(
    ("categories", "labels"),
    [
        (pd.Index([3, 1, 2]), (1, 2, 3)),
        (pd.interval_range(0, 2), ("(0, 1]", "(1, 2]")),
        (pd.DatetimeIndex(["2020-01-02", "2020-01-01"]), ("2020-01-01 00:00:00", "2020-01-02 00:00:00")),
        (pd.Index([np.inf, 1.5]), (1.5, "inf")),
        (pd.Index([True, False]), (False, True)),
    ],
)
def test_categories_of_other_types(categories: Any, labels: tuple[Any, ...]) -> None:
    column = of_pandas(pd.Categorical.from_codes([0, -1, 1], categories))
    assert column.field.categories == labels
    assert column.n_missing == 1


def test_declared_categories_stay_though_unused() -> None:
    column = of_pandas(pd.Categorical(["b"], ["c", "b", "a"], ordered=True))
    assert (column.kind, column.field.categories) == (Kind.ORDINAL, ("c", "b", "a"))
    assert of_pandas(pd.Categorical(["b"], ["c", "b"])).field.categories == ("b", "c")


def test_an_ordered_dictionary_is_ordinal() -> None:
    array = pa.DictionaryArray.from_arrays(pa.array([1, 0, None]), pa.array(["b", "a"]), ordered=True)
    column = read_columns(pa.table({"a": array}))["a"]
    assert (column.kind, column.field.categories) == (Kind.ORDINAL, ("b", "a"))
    assert column.values.tolist() == [1, 0, -1]


def test_null_inside_a_dictionary_is_missing() -> None:
    array = pa.DictionaryArray.from_arrays(pa.array([0, 1, None]), pa.array(["a", None]))
    column = read_columns(pa.table({"a": array}))["a"]
    assert (column.field.categories, column.n_missing) == (("a",), 2)


def test_chunks_with_different_dictionaries() -> None:
    chunks = [pa.array(["b", "a"]).dictionary_encode(), pa.array(["c", "a"]).dictionary_encode()]
    assert read_columns(pa.table({"a": pa.chunked_array(chunks)}))["a"].values.tolist() == [1, 0, 2, 0]


def test_names() -> None:
    frame = pd.DataFrame([[1, 2]], columns=["a", "a"])
    with pytest.raises(ValueError, match="column 'a' stands twice"):
        read_columns(frame)
    with pytest.raises(ValueError, match="column 'a' stands twice"):
        read_columns(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"]))
    with pytest.raises(TypeError, match="column 1 is not a string"):
        read_columns(frame.set_axis(["a", 1], axis=1))
    columns = read_columns(frame.set_axis([5, 7], axis=1))
    assert columns.schema.names == ("x0", "x1")
    assert not columns.schema.named
    assert columns.schema.labels == (5, 7)
    with pytest.raises(TypeError, match=r"column \('a', 1\) has a name of several levels"):
        read_columns(frame.set_axis(pd.MultiIndex.from_tuples([("a", 1), ("a", 2)]), axis=1))


@pytest.mark.parametrize("frame", [pd.DataFrame(), pl.DataFrame(), pa.table({}), pl.LazyFrame()])
def test_frames_without_columns(frame: Any) -> None:
    with pytest.raises(ValueError, match="0 feature"):
        read_columns(frame)


def test_frames_without_rows() -> None:
    with pytest.raises(ValueError, match="0 sample"):
        read_columns(pl.DataFrame({"a": []}))


def test_a_lazy_frame_that_fails() -> None:
    with pytest.raises(ValueError, match="the lazy frame could not be collected"):
        read_columns(pl.LazyFrame({"a": [1]}).select("absent"))


def test_a_series_is_not_a_table() -> None:
    for series in (pd.Series([1.0]), pl.Series([1.0]), pa.array([1.0])):
        with pytest.raises(ValueError, match="Expected 2D array, got 1D"):
            read_columns(series)
