"""Malformed arrays, lists, mappings and sparse matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp
from malformed_values import FLOATS, names, shape, values

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


def sparse_matrix(rng: np.random.Generator) -> Any:
    n, d = shape(rng)
    pool = np.array(FLOATS if rng.random() < 0.5 else [0.0, 1.0, 2.0])
    dense = pool[rng.integers(len(pool), size=(n, d))] * (rng.random((n, d)) < 0.5)
    make = [sp.csr_matrix, sp.csc_matrix, sp.coo_array, sp.csr_array, sp.dok_matrix, sp.lil_matrix][
        rng.integers(6)
    ]
    matrix = make(dense)
    return matrix.astype(complex) if rng.random() < 0.1 else matrix
