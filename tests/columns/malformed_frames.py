"""Malformed pandas, polars and pyarrow frames."""

from __future__ import annotations

import decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from malformed_values import TEXTS, names, shape, values

PANDAS_DTYPES = [
    None,
    object,
    "Int64",
    "UInt64",
    "Int8",
    "Float64",
    "Float32",
    "boolean",
    "string",
    "str",
    "category",
    "complex128",
    "float16",
    "datetime64[s]",
    "datetime64[ns]",
    "datetime64[us, UTC]",
    "timedelta64[ns]",
    "Sparse[float]",
    "Sparse[int]",
    "period[M]",
    "interval",
    pd.CategoricalDtype(ordered=True),
    pd.CategoricalDtype(["b", "a", "unused"], ordered=True),
    pd.CategoricalDtype([1, 2.5, "a"]),
]
ARROW_TYPES = [
    pa.null(),
    pa.bool_(),
    pa.int8(),
    pa.int64(),
    pa.uint64(),
    pa.float16(),
    pa.float64(),
    pa.decimal128(20, 3),
    pa.decimal256(60, 3),
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.binary(),
    pa.date32(),
    pa.date64(),
    pa.timestamp("s"),
    pa.timestamp("ns", "UTC"),
    pa.time64("us"),
    pa.duration("ms"),
    pa.list_(pa.int64()),
    pa.struct({"a": pa.int64()}),
    pa.map_(pa.string(), pa.int64()),
    pa.dictionary(pa.int8(), pa.string()),
    pa.dictionary(pa.uint32(), pa.string(), ordered=True),
    pa.dictionary(pa.int32(), pa.int64()),
    None,
]
POLARS_TYPES = [
    None,
    pl.Null,
    pl.Boolean,
    pl.Int8,
    pl.Int64,
    pl.UInt64,
    pl.Int128,
    getattr(pl, "UInt128", pl.Int128),
    getattr(pl, "Float16", pl.Float32),
    pl.Float32,
    pl.Float64,
    pl.Decimal(38, 3),
    pl.String,
    pl.Categorical,
    pl.Enum(["b", "a", ""]),
    pl.Binary,
    pl.Date,
    pl.Time,
    pl.Datetime("ms"),
    pl.Datetime("ns", "Europe/Berlin"),
    pl.Duration("ns"),
    pl.List(pl.Int64),
    pl.Array(pl.Int64, 2),
    pl.Struct({"a": pl.Int64}),
    pl.Object,
]


def pandas_series(rng: np.random.Generator, n: int) -> pd.Series:
    if rng.random() < 0.2:
        return _arrow_backed(rng, n)
    dtype = PANDAS_DTYPES[rng.integers(len(PANDAS_DTYPES))]
    for column in (values(rng, n), rng.integers(0, 3, n).tolist(), [None] * n):
        try:
            return pd.Series(column, dtype=dtype)
        except Exception:
            continue
    return pd.Series(values(rng, n), dtype=object)


def _arrow_backed(rng: np.random.Generator, n: int) -> pd.Series:
    array = arrow_array(rng, n)
    return pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([array])))


def pandas_frame(rng: np.random.Generator) -> Any:
    n, d = shape(rng)
    index = pd.RangeIndex(n) if rng.random() < 0.7 else pd.Index(["same"] * n)
    series = [pandas_series(rng, n).set_axis(index) for _ in range(d)]
    frame = pd.DataFrame(dict(enumerate(series)), index=index)
    labels = names(rng, d)
    try:
        frame.columns = pd.Index(labels) if d else frame.columns
    except Exception:
        return frame
    return frame


def arrow_array(rng: np.random.Generator, n: int) -> Any:
    dtype = ARROW_TYPES[rng.integers(len(ARROW_TYPES))]
    for column in (values(rng, n), [TEXTS[1 + i % 2] for i in range(n)], rng.integers(0, 3, n).tolist()):
        try:
            return pa.array(column, type=dtype)
        except Exception:
            continue
    return pa.array([None] * n, type=dtype)


def arrow_table(rng: np.random.Generator) -> Any:
    n, d = shape(rng)
    labels = [str(name).encode("utf-8", "replace").decode() for name in names(rng, d)]
    arrays = [arrow_array(rng, n) for _ in range(d)]
    table = pa.Table.from_arrays(arrays, names=labels)
    choice = rng.random()
    if choice < 0.2 and d:
        return pa.RecordBatch.from_arrays(arrays, names=labels)
    if choice < 0.5 and n > 1:
        return pa.concat_tables([table.slice(0, n // 2), table.slice(n // 2)])
    return table


def polars_series(rng: np.random.Generator, n: int) -> pl.Series:
    dtype = POLARS_TYPES[rng.integers(len(POLARS_TYPES))]
    # polars panics where it is given a decimal that is not finite.
    drawn = [None if isinstance(value, decimal.Decimal) else value for value in values(rng, n)]
    for column in (drawn, [TEXTS[1 + i % 2] for i in range(n)], rng.integers(0, 3, n).tolist()):
        try:
            return pl.Series(column, dtype=dtype)
        except Exception:
            continue
    return pl.Series([None] * n, dtype=dtype if dtype != pl.Object else pl.Null)


def polars_frame(rng: np.random.Generator) -> Any:
    n, d = shape(rng)
    frame = pl.DataFrame({f"col{j}": polars_series(rng, n) for j in range(d)})
    if rng.random() < 0.2 and pl.Object not in frame.dtypes:
        lazy = frame.lazy()
        return lazy.select(pl.col("absent")) if rng.random() < 0.3 else lazy
    return frame
