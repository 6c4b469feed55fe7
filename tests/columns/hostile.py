"""A seeded generator of hostile tables: every container, dtype, oddity of values, names and weights."""

from __future__ import annotations

import datetime as dt
import decimal
import fractions
import gzip
import json
import math
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import scipy.sparse as sp

UTC = dt.UTC
FLOATS = [0.0, -0.0, 1.5, -2.0, 5e-324, 1e-310, 1e299, 1e308, -1e308, math.inf, -math.inf, math.nan]
INTEGERS = [0, 1, -1, 7, 255, 2**31, 2**53, 2**53 + 1, -(2**63), 2**64 - 1, 2**70, 10**400]
TEXTS = ["", "a", "b", "NA", "nan", "1", "true", "ü", "日本", "x,y", 'q"u', "line\nbreak", "\x00", "a" * 500]
DATES = [
    dt.date(2020, 1, 1),
    dt.datetime(1, 1, 1),
    dt.datetime(9999, 12, 31, 23, 59, 59, 999999),
    dt.datetime(1969, 7, 20, 20, 17),
    dt.datetime(2020, 2, 29, tzinfo=UTC),
    dt.datetime(1, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=14))),
    np.datetime64("2020-01-01", "ns"),
    np.datetime64(10**17, "Y"),
    np.datetime64("NaT"),
    pd.Timestamp("2020-01-01", tz="Europe/Berlin"),
    pd.NaT,
]
MISSING = [
    None,
    math.nan,
    pd.NA,
    pd.NaT,
    np.datetime64("NaT"),
    decimal.Decimal("NaN"),
    decimal.Decimal("sNaN"),
]
STRANGE = [
    object(),
    [1, 2],
    {"a": 1},
    b"bytes",
    1j,
    np.complex64(1),
    decimal.Decimal("1e999"),
    decimal.Decimal("-Infinity"),
    fractions.Fraction(1, 3),
    fractions.Fraction(10**400, 7),
    np.array([1.0]),
    dt.time(1, 2),
    dt.timedelta(days=1),
    np.timedelta64(1, "Y"),
    pd.Interval(0, 1),
    pd.Period("2020-01"),
    "\ud800",
    np.str_("numpy"),
    np.float16(2),
    np.longdouble("1e4000"),
    int,
    len,
    ...,
]
POOLS: list[list[Any]] = [FLOATS, INTEGERS, TEXTS, DATES, [True, False], [np.bool_(True), 1, 0.5], STRANGE]


def values(rng: np.random.Generator, n: int) -> list[Any]:
    """Draw one column's values: mostly from one pool, some missing, sometimes a second pool."""
    pool = POOLS[rng.integers(len(POOLS))]
    if rng.random() < 0.6:
        pool = pool[: max(1, len(pool) // 3)]
    drawn = [pool[rng.integers(len(pool))] for _ in range(n)]
    if rng.random() < 0.5:
        drawn = [MISSING[rng.integers(len(MISSING))] if rng.random() < 0.3 else value for value in drawn]
    if n and rng.random() < 0.1:
        drawn[rng.integers(n)] = STRANGE[rng.integers(len(STRANGE))]
    if rng.random() < 0.05:
        drawn = [None] * n
    return drawn


def names(rng: np.random.Generator, n: int) -> list[Any]:
    """Draw column names: plain, odd, repeated, numbers, tuples or a mix."""
    odd = ["", " ", "a", "A", "x0", 'q"u', "a;DROP", "ü", "n\nl", "\ud800", "c0", "select"]
    choice = rng.random()
    if choice < 0.6:
        return [f"col{j}" for j in range(n)]
    if choice < 0.8:
        return [odd[rng.integers(len(odd))] for _ in range(n)]
    if choice < 0.9:
        return list(range(n))
    if choice < 0.95:
        return [("a", j) for j in range(n)]
    return [j if j % 2 else f"col{j}" for j in range(n)]


def weights(rng: np.random.Generator, n: int) -> Any:
    """Draw weights: mostly none, else good or bad ones."""
    if rng.random() < 0.6:
        return None
    plain = rng.integers(0, 3, n).astype(float)
    bad = plain.copy()
    bad[: 1 if n else 0] = [-1.0, math.nan, math.inf, 1e308, -0.0][rng.integers(5)]
    options = [
        plain,
        bad,
        plain[:-1],
        np.zeros(n),
        np.full(n, 1e308),
        plain.reshape(-1, 1),
        plain.tolist(),
        plain > 0,
        plain.astype(complex),
        plain.astype("M8[s]"),
        plain.astype(str),
        np.ma.masked_array(plain, plain > 1),
        pd.Series(plain),
        pd.array(plain, dtype="Float64"),
        pl.Series(plain),
        ["a"] * n,
        [None] * n,
        [pd.NA] * n,
        2.0,
        0,
        -1,
        "heavy",
        {},
        object(),
    ]
    return options[rng.integers(len(options))]


def shape(rng: np.random.Generator) -> tuple[int, int]:
    return int(rng.choice([0, 1, 2, 5, 12], p=[0.06, 0.14, 0.2, 0.3, 0.3])), int(
        rng.choice([0, 1, 2, 4], p=[0.05, 0.35, 0.35, 0.25])
    )


UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as", "25s"]
NUMPY_DTYPES = [
    *"?bBhHiIlLqQefdgFDG",
    "U3",
    "S3",
    ">f8",
    ">i4",
    "V4",
    "O",
    *(f"{kind}[{unit}]" for kind in ("M8", "m8") for unit in UNITS),
    "M8",
    "m8",
]


def numpy_array(rng: np.random.Generator) -> Any:
    n, d = shape(rng)
    dtype = np.dtype(NUMPY_DTYPES[rng.integers(len(NUMPY_DTYPES))])
    if dtype.kind == "O":
        array = np.empty((n, d), dtype=object)
        for j in range(d):
            column = np.empty(n, dtype=object)
            column[:] = values(rng, n)
            array[:, j] = column
    elif rng.random() < 0.5:
        array = np.frombuffer(rng.bytes(max(1, n * d * dtype.itemsize)), np.uint8)[: n * d * dtype.itemsize]
        array = (array & 1 if dtype.kind == "b" else array & 0x7F if dtype.kind == "U" else array).copy()
        if dtype.kind == "U":
            array.reshape(-1, 4)[:, 1:] = 0
        array = array.view(dtype).reshape(n, d) if array.size else np.empty((n, d), dtype)
    else:
        array = rng.integers(0, 3, (n, d)).astype(dtype if dtype.kind not in "V" else "i4")
    twist = rng.random()
    if twist < 0.1:
        array = np.asfortranarray(array)
    elif twist < 0.15:
        array = array[::-1]
    elif twist < 0.2:
        array = array.reshape(-1)
    elif twist < 0.25:
        array = array.reshape(n, d, 1)
    elif twist < 0.4 and dtype.kind != "V":
        array = np.ma.masked_array(array, rng.random(array.shape) < 0.3)
    return array


def structured_array(rng: np.random.Generator) -> Any:
    n, d = shape(rng)
    dtypes = ["f8", "i4", "?", "U2", "M8[us]", "O", "c8", ("f4", (2,)), [("inner", "f8")], "S2"]
    fields = [(f"col{j}", *_as_field(dtypes[rng.integers(len(dtypes))])) for j in range(d)]
    array = np.zeros(n, dtype=fields)
    return np.ma.masked_array(array) if rng.random() < 0.2 else array


def _as_field(dtype: Any) -> tuple[Any, ...]:
    return dtype if isinstance(dtype, tuple) else (dtype,)


def nested_list(rng: np.random.Generator) -> Any:
    n, d = shape(rng)
    columns = [values(rng, n) for _ in range(d)]
    rows = [[column[i] for column in columns] for i in range(n)]
    if n and rng.random() < 0.15:
        rows[rng.integers(n)].append(1)
    return [tuple(row) for row in rows] if rng.random() < 0.3 else rows


def mapping(rng: np.random.Generator) -> Any:
    n, d = shape(rng)
    makers: list[Callable[[list[Any]], Any]] = [list, tuple, pd.Series, pd.Categorical, set, iter, np.asarray]
    table = {}
    for name in names(rng, d):
        length = n + 1 if rng.random() < 0.05 else n
        column = values(rng, length)
        table[name] = _tried(makers[rng.integers(len(makers))], column)
    return table


def _tried(make: Callable[..., Any], column: list[Any], *arguments: Any) -> Any:
    """Make a column; where the library itself refuses these values, fall back to the plain list."""
    try:
        return make(column, *arguments)
    except Exception:
        return column


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
    pl.UInt128,
    pl.Float16,
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


DUCKDB_VALUES = [
    "1",
    "1::HUGEINT",
    "'170141183460469231731687303715884105727'::HUGEINT",
    "18446744073709551615::UBIGINT",
    "9007199254740993",
    "1.5",
    "1.5::DECIMAL(38, 3)",
    "'inf'::DOUBLE",
    "'nan'::FLOAT",
    "1e308",
    "NULL",
    "true",
    "'a'",
    "''",
    "'b'::ENUM('b', 'a')",
    "'a'::BLOB",
    "'101'::BIT",
    "uuid()",
    "INTERVAL 3 MONTH",
    "INTERVAL '1 day 2 seconds'",
    "DATE '2020-01-01'",
    "'infinity'::DATE",
    "'-infinity'::TIMESTAMP",
    "TIMESTAMP '290000-01-01'",
    "TIMESTAMP_NS '2020-01-01 00:00:00.123456789'",
    "TIMESTAMPTZ '2020-01-01 00:00:00+02'",
    "TIME '12:00'",
    "[1, 2]",
    "[1]::INTEGER[1]",
    "{'a': 1}",
    "MAP {'a': 1}",
    "'x'::INTEGER",
    "1 / 0",
    *("1", "2.5", "'a'", "true", "NULL", "DATE '2020-01-01'") * 4,
]


def relation(rng: np.random.Generator, connection: Any) -> Any:
    _, d = shape(rng)
    d = max(1, d)
    labels = [
        str(name).encode("utf-8", "replace").decode().replace('"', '""') or "e" for name in names(rng, d)
    ]
    cells = [DUCKDB_VALUES[rng.integers(len(DUCKDB_VALUES))] for _ in range(d)]
    select = ", ".join(f'{cell} AS "{label}"' for cell, label in zip(cells, labels, strict=True))
    tail = ["", " WHERE false", " FROM range(3)", f" UNION ALL SELECT {', '.join(['NULL'] * d)}"]
    try:
        return connection.sql(f"SELECT {select}{tail[rng.integers(len(tail))]}")
    except duckdb.Error:
        return connection.sql("SELECT 1 AS a, 2 AS a")


def file(rng: np.random.Generator, folder: Path) -> Any:
    n, d = shape(rng)
    ending = [".csv", ".tsv", ".txt", ".jsonl", ".json", ".parquet", ".csv.gz", ".xlsx", "", ".csv.zst"][
        rng.integers(10)
    ]
    path = folder / f"table{ending}"
    columns = [values(rng, n) for _ in range(d)]
    sign = [",", ";", "\t", "|"][rng.integers(4)]
    if ".json" in ending:
        rows = [json.dumps({f"col{j}": str(c[i]) for j, c in enumerate(columns)}) for i in range(n)]
        content = "\n".join(rows).encode("utf-8", "replace")
    else:
        rows = [sign.join(_cell(rng, column[i]) for column in columns) for i in range(n)]
        content = "\n".join([sign.join(f"col{j}" for j in range(d)), *rows]).encode("utf-8", "replace")
    damage = rng.random()
    if damage < 0.1:
        content = content[: len(content) // 2]
    elif damage < 0.2:
        content = content + b"\xff\xfe\x80"
    elif damage < 0.3:
        content = rng.bytes(60)
    elif damage < 0.35:
        content = b""
    if ending.endswith(".gz") and damage < 0.9:
        content = gzip.compress(content)
    path.write_bytes(content)
    choice = rng.random()
    if choice < 0.05:
        return folder / "absent.csv"
    if choice < 0.1:
        return str(folder)
    return str(path) if choice < 0.6 else path


def _cell(rng: np.random.Generator, value: Any) -> str:
    try:
        text = str(value)[:600]
    except ValueError:  # an integer too long for Python to print
        text = "0"
    return '"' + text.replace('"', '""') + '"' if rng.random() < 0.7 else text


def sparse_matrix(rng: np.random.Generator) -> Any:
    n, d = shape(rng)
    pool = np.array(FLOATS if rng.random() < 0.5 else [0.0, 1.0, 2.0])
    dense = pool[rng.integers(len(pool), size=(n, d))] * (rng.random((n, d)) < 0.5)
    make = [sp.csr_matrix, sp.csc_matrix, sp.coo_array, sp.csr_array, sp.dok_matrix, sp.lil_matrix][
        rng.integers(6)
    ]
    matrix = make(dense)
    return matrix.astype(complex) if rng.random() < 0.1 else matrix


def junk(rng: np.random.Generator) -> Any:
    things = [
        None,
        1,
        "text",
        b"bytes",
        "https://example.org/a.csv",
        "a\x00b.csv",
        "x" * 5000 + ".csv",
        object(),
        object,
        {1, 2},
        iter([[1]]),
        [],
        [[]],
        {},
        [[[1]]],
        [{"a": 1}],
        np.float64(1),
        np.array(1),
        pd.Series([1.0]),
        pl.Series([1.0]),
        pa.array([1]),
        pd.DataFrame(),
        pl.DataFrame(),
        pa.table({}),
        Path("."),
        len,
        range(3),
        memoryview(b"abc"),
        "a.csv",
        [1, [2, 3]],
        ["a", "b"],
    ]
    return things[rng.integers(len(things))]


def _n_rows(table: Any) -> int:
    if isinstance(table, duckdb.DuckDBPyRelation):
        return 3  # asking it would run the query, which may fail
    if hasattr(table, "shape"):
        return int(table.shape[0]) if len(table.shape) else 1
    if isinstance(table, dict):
        return (
            len(next(iter(table.values()), ())) if all(hasattr(v, "__len__") for v in table.values()) else 2
        )
    return len(table) if hasattr(table, "__len__") else 2


def hostile_table(seed: int, folder: Path, connection: Any) -> tuple[str, Any, dict[str, Any]]:
    """Give a table's kind, the table and the other arguments of `read_columns`, all from one seed."""
    rng = np.random.default_rng(seed)
    makers: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
        (numpy_array, ()),
        (structured_array, ()),
        (nested_list, ()),
        (mapping, ()),
        (pandas_frame, ()),
        (pandas_frame, ()),
        (polars_frame, ()),
        (arrow_table, ()),
        (relation, (connection,)),
        (file, (folder,)),
        (sparse_matrix, ()),
        (junk, ()),
    ]
    make, arguments = makers[rng.integers(len(makers))]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # what the libraries say while the table is made
        table = make(rng, *arguments)
        n_rows = _n_rows(table)
        options: dict[str, Any] = {"sample_weight": weights(rng, n_rows)}
    if rng.random() < 0.1:
        options["kinds"] = [{"col0": "categorical"}, {"col0": "integer"}, {"x0": "fruit"}, ["x0"]][
            rng.integers(4)
        ]
    if rng.random() < 0.1:
        options["allow_missing"] = False
    if rng.random() < 0.7:
        options["accept_sparse"] = True
    return make.__name__, table, options
