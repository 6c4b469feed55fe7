"""A seeded generator of malformed tables: every container, dtype, oddity of values, names and weights."""

from __future__ import annotations

import gzip
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from malformed_arrays import mapping, nested_list, numpy_array, sparse_matrix, structured_array
from malformed_frames import arrow_table, pandas_frame, polars_frame
from malformed_values import names, shape, values, weights

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


def malformed_table(seed: int, folder: Path, connection: Any) -> tuple[str, Any, dict[str, Any]]:
    """Return a table's kind, the table and the other arguments of `read_columns`, all from one seed."""
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
