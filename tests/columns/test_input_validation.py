from __future__ import annotations

import copy
import pickle
import timeit
from typing import Any

import numpy as np
import pandas as pd
import pytest

from boxwood.columns import read_columns, to_native

TABLE = {"n": [1.5, None, 2.5], "i": [1, 2, 1], "s": ["a", "b", "a"], "b": [True, False, None]}


def test_columns_pass_through() -> None:
    columns = read_columns(TABLE)
    assert read_columns(columns) is columns


@pytest.mark.parametrize(
    ("column", "kind", "categories", "values"),
    [
        ("i", "numeric", (), [1, 2, 1]),
        ("i", "categorical", (1, 2), [0, 1, 0]),
        ("i", "ordinal", (1, 2), [0, 1, 0]),
        ("n", "categorical", (1.5, 2.5), [0, -1, 1]),
        ("s", "ordinal", ("a", "b"), [0, 1, 0]),
        ("b", "categorical", (False, True), [1, 0, -1]),
    ],
)
def test_kinds(column: str, kind: str, categories: Any, values: list[float]) -> None:
    read = read_columns(TABLE, kinds={column: kind})[column]
    assert (read.kind.value, read.field.categories, read.values.tolist()) == (kind, categories, values)


def test_booleans_from_numbers() -> None:
    read = read_columns({"a": [0.0, 1.0, None]}, kinds={"a": "boolean"})["a"]
    assert read.values.tolist() == [0, 1, -1]


@pytest.mark.parametrize(
    ("kinds", "error", "message"),
    [
        ({"n": "integer"}, ValueError, "column 'n', row 0: 1.5 is not an integer"),
        ({"s": "numeric"}, ValueError, "column 's', row 0: a categorical column cannot be read as numeric"),
        ({"s": "datetime"}, ValueError, "column 's', row 0: a categorical column cannot be read as datetime"),
        ({"i": "boolean"}, ValueError, "column 'i', row 1: the column is boolean, 2 is neither"),
        ({"i": "fruit"}, ValueError, "column 'i': kinds gives 'fruit', which is not one of numeric"),
        ({"z": "numeric"}, ValueError, r"kinds names \['z'\], but the table has the columns"),
        (["n"], TypeError, "kinds must map column names to kinds"),
    ],
)
def test_bad_kinds(kinds: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        read_columns(TABLE, kinds=kinds)


def test_a_whole_number_must_fit() -> None:
    with pytest.raises(ValueError, match=r"column 'x0', row 0: .* does not fit"):
        read_columns([[1e300]], kinds={"x0": "integer"})


def test_zero_weights_leave_rows_out() -> None:
    columns = read_columns(TABLE, sample_weight=[2, 0, 1])
    assert columns.n_rows == 2
    assert columns.total_weight == 3.0
    assert columns.n_missing == 1
    assert read_columns(np.eye(3), sample_weight=[0, 1, 1]).matrix().tolist() == [[0, 1, 0], [0, 0, 1]]


def test_weights_are_given_once() -> None:
    with pytest.raises(ValueError, match="sample_weight is given twice"):
        read_columns(read_columns(TABLE, sample_weight=2.0), sample_weight=[1, 1, 1])


def test_missing_values_may_be_refused() -> None:
    with pytest.raises(ValueError, match=r"column 'n', row 1: the value is missing \(NaN\)"):
        read_columns(TABLE, allow_missing=False)
    assert read_columns(TABLE, sample_weight=[1, 0, 0], allow_missing=False).n_rows == 1


def test_constant_columns_pass() -> None:
    assert read_columns({"a": [1.0, 1.0], "b": ["x", "x"]}).n_missing == 0


def test_pickle_and_copy() -> None:
    columns = read_columns(TABLE, sample_weight=[1, 2, 3])
    assert pickle.loads(pickle.dumps(columns)) == columns
    assert copy.deepcopy(columns) == columns


def test_equality() -> None:
    columns = read_columns(TABLE)
    assert columns == read_columns(pd.DataFrame(TABLE).astype({"s": "str", "b": "boolean"}))
    assert columns != read_columns(TABLE, sample_weight=2.0)
    assert columns != read_columns(TABLE, kinds={"i": "numeric"})
    assert columns != read_columns({**TABLE, "s": ["a", "b", "b"]})
    assert columns != "columns"
    with pytest.raises(TypeError, match="unhashable"):
        hash(columns)


def test_take() -> None:
    columns = read_columns(TABLE, sample_weight=[1, 2, 3])
    part = columns.take(np.array([2, 0]))
    assert part["s"].values.tolist() == [0, 0]
    assert part.weights is not None
    assert part.weights.tolist() == [3, 1]
    assert columns.take(np.array([False, True, False])).n_missing == 1


def test_repr() -> None:
    assert repr(read_columns(TABLE)).splitlines() == [
        "3 rows × 4 columns",
        "  n  numeric      1 missing",
        "  i  integer",
        "  s  categorical  2 categories",
        "  b  boolean      1 missing",
    ]


def test_unknown_categories_leave_as_missing() -> None:
    schema = read_columns({"a": ["x", "y"]}).schema
    columns = read_columns({"a": ["z", "y"]}).matched(schema)
    assert columns["a"].values.tolist() == [2, 1]
    for container in ("numpy", "pandas", "polars", "pyarrow"):
        assert read_columns(to_native(columns, container)).n_missing == 1


def test_containers_are_checked() -> None:
    with pytest.raises(ValueError, match="container must be numpy, pandas, polars or pyarrow, not 'R'"):
        to_native(read_columns(TABLE), "R")


def test_one_row_passes_in_microseconds() -> None:
    row = np.ones((1, 20))
    read_columns(row)
    best = min(timeit.repeat(lambda: read_columns(row), number=1000, repeat=7)) / 1000
    assert best < 50e-6  # 3 µs on an idle machine: only a lost fast path fails here
