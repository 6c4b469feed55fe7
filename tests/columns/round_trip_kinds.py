"""Kinds of column of pandas, polars and pyarrow, each with a table of its own to be drawn from."""

from __future__ import annotations

import datetime as dt
import decimal
from collections.abc import Callable, Sequence
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

__all__ = ["PANDAS", "POLARS", "PYARROW"]

N_ROWS = 40
_RNG = np.random.default_rng(0)
_BASE = dt.datetime(2021, 3, 1)

INTEGERS = _RNG.integers(0, 100, N_ROWS).tolist()
FLOATS = _RNG.normal(size=N_ROWS).tolist()
TENTHS = np.round(_RNG.normal(20.0, 3.0, N_ROWS), 1).tolist()
BOOLEANS = (_RNG.random(N_ROWS) < 0.4).tolist()
TEXTS = _RNG.choice(["red", "green", "blue"], N_ROWS).tolist()
DAYS = [_BASE.date() + dt.timedelta(days=int(days)) for days in _RNG.integers(0, 500, N_ROWS)]
STAMPS = [_BASE + dt.timedelta(seconds=int(s)) for s in _RNG.integers(0, 10**7, N_ROWS)]
SPANS = [dt.timedelta(seconds=int(s)) for s in _RNG.integers(60, 10**5, N_ROWS)]
PRICES = [decimal.Decimal(int(cents)).scaleb(-2) for cents in _RNG.integers(100, 9999, N_ROWS)]


def gaps(values: Sequence[Any]) -> list[Any]:
    """Leave every fifth value out."""
    return [None if row % 5 == 2 else value for row, value in enumerate(values)]


def _series(values: Sequence[Any], dtype: Any) -> pd.Series:
    return pd.Series(list(values), dtype=dtype)


def _zoned(values: Sequence[Any], zone: Any, unit: str = "us") -> pd.Series:
    return _series(values, f"datetime64[{unit}]").dt.tz_localize("UTC").dt.tz_convert(zone)


def _arrow(values: Sequence[Any], dtype: pa.DataType) -> pd.Series:
    return pd.Series(pd.arrays.ArrowExtensionArray(pa.array(values, type=dtype)))


_BERLIN = ZoneInfo("Europe/Berlin")
_LOCAL = [stamp.replace(tzinfo=dt.UTC).astimezone(_BERLIN) for stamp in STAMPS]

PANDAS: dict[str, pd.Series] = {
    **{name: _series(INTEGERS, name) for name in ("int8", "int16", "int32", "int64", "uint8", "uint64")},
    **{name: _series(gaps(INTEGERS), name) for name in ("Int8", "Int64", "UInt16")},
    **{name: _series(gaps(FLOATS), name) for name in ("float32", "float64", "Float32", "Float64")},
    "tenths": _series(TENTHS, "float64"),
    "tenths of float32": _series(TENTHS, "float32"),
    "whole floats": _series([float(value) for value in INTEGERS], "float64"),
    "bool": _series(BOOLEANS, "bool"),
    "boolean": _series(gaps(BOOLEANS), "boolean"),
    "strings of objects": _series(gaps(TEXTS), object),
    "booleans of objects": _series(gaps(BOOLEANS), object),
    "integers of objects": _series(gaps(INTEGERS), object),
    "floats of objects": _series(gaps(FLOATS), object),
    "decimals of objects": _series(gaps(PRICES), object),
    "dates of objects": _series(gaps(DAYS), object),
    "datetimes of objects": _series(gaps(STAMPS), object),
    "zoned datetimes of objects": _series(gaps(_LOCAL), object),
    "durations of objects": _series(gaps(SPANS), object),
    "string": _series(gaps(TEXTS), "string"),
    "string of Python": _series(gaps(TEXTS), "string[python]"),
    "inferred strings": pd.Series(TEXTS),
    "categories": pd.Series(pd.Categorical(gaps(TEXTS))),
    "declared categories": pd.Series(pd.Categorical(TEXTS, ["green", "violet", "red", "blue"])),
    "ordered categories": pd.Series(pd.Categorical(TEXTS, ["red", "green", "blue"], ordered=True)),
    "categories of integers": pd.Series(pd.Categorical([value % 3 for value in INTEGERS])),
    "categories of objects": pd.Series(pd.Categorical(pd.Index(TEXTS, dtype=object))),
    **{f"datetime64[{unit}]": _series(STAMPS, f"datetime64[{unit}]") for unit in ("s", "ms", "us", "ns")},
    "days": _series(DAYS, "datetime64[us]"),
    "zoned": _zoned(gaps(STAMPS), "Europe/Berlin"),
    "zoned ns": _zoned(STAMPS, "America/New_York", "ns"),
    "UTC": _zoned(STAMPS, "UTC"),
    "fixed offset": _zoned(STAMPS, dt.timezone(dt.timedelta(hours=-3, minutes=-30))),
    **{f"timedelta64[{unit}]": _series(gaps(SPANS), f"timedelta64[{unit}]") for unit in ("s", "us", "ns")},
    "sparse": pd.Series(pd.arrays.SparseArray([value % 3 for value in INTEGERS], dtype="Sparse[int64]")),
    "arrow int16": _arrow(gaps(INTEGERS), pa.int16()),
    "arrow float": _arrow(gaps(FLOATS), pa.float32()),
    "arrow bool": _arrow(gaps(BOOLEANS), pa.bool_()),
    "arrow string": _arrow(gaps(TEXTS), pa.string()),
    "arrow large string": _arrow(gaps(TEXTS), pa.large_string()),
    "arrow dictionary": _arrow(gaps(TEXTS), pa.dictionary(pa.int32(), pa.string())),
    "arrow timestamp": _arrow(gaps(STAMPS), pa.timestamp("ms", "Asia/Tokyo")),
    "arrow date": _arrow(gaps(DAYS), pa.date32()),
    "arrow duration": _arrow(gaps(SPANS), pa.duration("ms")),
    "arrow decimal": _arrow(gaps(PRICES), pa.decimal128(9, 2)),
}


def _polars(values: Sequence[Any], dtype: Any) -> pl.Series:
    return pl.Series(values, dtype=dtype)


POLARS: dict[str, pl.Series] = {
    **{
        str(dtype): _polars(gaps(INTEGERS), dtype)
        for dtype in (
            pl.Int8,
            pl.Int16,
            pl.Int32,
            pl.Int64,
            pl.UInt8,
            pl.UInt16,
            pl.UInt32,
            pl.UInt64,
            pl.Int128,
        )
    },
    "Float32": _polars(gaps(FLOATS), pl.Float32),
    "Float64": _polars(gaps(FLOATS), pl.Float64),
    "tenths": _polars(gaps(TENTHS), pl.Float64),
    "whole floats": _polars(gaps([float(value) for value in INTEGERS]), pl.Float64),
    "Boolean": _polars(gaps(BOOLEANS), pl.Boolean),
    "String": _polars(gaps(TEXTS), pl.String),
    "Categorical": _polars(gaps(TEXTS), pl.Categorical),
    "named Categorical": _polars(TEXTS, pl.Categorical(pl.Categories("colours", "", pl.UInt8))),
    "Enum": _polars(gaps(TEXTS), pl.Enum(["red", "violet", "green", "blue"])),
    "Date": _polars(gaps(DAYS), pl.Date),
    **{f"Datetime {unit}": _polars(gaps(STAMPS), pl.Datetime(unit)) for unit in ("ms", "us", "ns")},  # type: ignore[arg-type]
    "Datetime of days": _polars([dt.datetime(d.year, d.month, d.day) for d in DAYS], pl.Datetime("us")),
    "zoned": _polars(gaps(STAMPS), pl.Datetime("us"))
    .dt.replace_time_zone("UTC")
    .dt.convert_time_zone("Asia/Tokyo"),
    "UTC": _polars(STAMPS, pl.Datetime("ms")).dt.replace_time_zone("UTC"),
    **{f"Duration {unit}": _polars(gaps(SPANS), pl.Duration(unit)) for unit in ("ms", "us", "ns")},  # type: ignore[arg-type]
    "Decimal": _polars(gaps(PRICES), pl.Decimal(9, 2)),
    "wide Decimal": _polars(PRICES, pl.Decimal(38, 6)),
    "Object of dates": pl.Series(DAYS, dtype=pl.Object),
    "Object of strings": pl.Series(TEXTS, dtype=pl.Object),
}


def _pyarrow(values: Sequence[Any], dtype: pa.DataType, nullable: bool = True) -> pa.Table:
    schema = pa.schema([pa.field("a", dtype, nullable=nullable)])
    return pa.table([pa.array(values, type=dtype)], schema=schema)


_FOURTHS = [np.float16(value) for value in FLOATS]

PYARROW: dict[str, pa.Table] = {
    **{
        str(dtype): _pyarrow(gaps(INTEGERS), dtype)
        for dtype in (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint64())
    },
    "not nullable": _pyarrow(INTEGERS, pa.int32(), nullable=False),
    "not nullable strings": _pyarrow(TEXTS, pa.string(), nullable=False),
    "float16": _pyarrow(_FOURTHS, pa.float16()),
    "float32": _pyarrow(gaps(FLOATS), pa.float32()),
    "float64": _pyarrow(gaps(FLOATS), pa.float64()),
    "tenths": _pyarrow(gaps(TENTHS), pa.float64()),
    "bool": _pyarrow(gaps(BOOLEANS), pa.bool_()),
    "string": _pyarrow(gaps(TEXTS), pa.string()),
    "large string": _pyarrow(gaps(TEXTS), pa.large_string()),
    "string view": _pyarrow(gaps(TEXTS), pa.string_view()),
    "dictionary": _pyarrow(gaps(TEXTS), pa.dictionary(pa.int8(), pa.string())),
    "unsigned dictionary": _pyarrow(TEXTS, pa.dictionary(pa.uint16(), pa.large_string())),
    "ordered dictionary": pa.table(
        {
            "a": pa.DictionaryArray.from_arrays(
                [row % 3 for row in range(N_ROWS)], ["S", "M", "L"], ordered=True
            )
        }
    ),
    "dictionary of integers": _pyarrow([v % 3 for v in INTEGERS], pa.dictionary(pa.int32(), pa.int64())),
    "date32": _pyarrow(gaps(DAYS), pa.date32()),
    "date64": _pyarrow(gaps(DAYS), pa.date64()),
    **{f"timestamp {unit}": _pyarrow(gaps(STAMPS), pa.timestamp(unit)) for unit in ("s", "ms", "us", "ns")},
    "zoned": _pyarrow(gaps(STAMPS), pa.timestamp("us", "Europe/Berlin")),
    "zoned ns": _pyarrow(STAMPS, pa.timestamp("ns", "+02:00")),
    **{f"duration {unit}": _pyarrow(gaps(SPANS), pa.duration(unit)) for unit in ("s", "ms", "us", "ns")},
    "decimal128": _pyarrow(gaps(PRICES), pa.decimal128(9, 2)),
    "decimal256": _pyarrow(PRICES, pa.decimal256(40, 3)),
}

Frame = pd.DataFrame | pl.DataFrame | pa.Table
Maker = Callable[[], Frame]
