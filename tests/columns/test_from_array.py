from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from boxwood.columns import Kind, read_columns


def kind_of(values: Any) -> Kind:
    return read_columns({"a": values})["a"].kind


@pytest.mark.parametrize(
    ("dtype", "kind"),
    [
        ("f2", "numeric"),
        ("f4", "numeric"),
        (">f8", "numeric"),
        ("g", "numeric"),
        ("i1", "integer"),
        ("u8", "integer"),
        (">i4", "integer"),
        ("?", "boolean"),
        ("U3", "categorical"),
        ("S3", "categorical"),
        ("M8[D]", "datetime"),
        ("M8[as]", "datetime"),
        ("m8[s]", "numeric"),
        ("O", "integer"),
    ],
)
def test_kind_by_dtype(dtype: str, kind: str) -> None:
    array = np.array([[0, 1], [1, 0]]).astype(dtype)
    columns = read_columns(array)
    assert {column.kind.value for column in columns} == {kind}
    assert columns.schema.names == ("x0", "x1")


def test_a_row_major_float64_array_is_not_copied() -> None:
    X = np.ones((3, 2))
    assert read_columns(X).matrix() is X


def test_numpy_strings_of_any_length() -> None:
    values = np.array(["b", None, "a"], dtype=np.dtypes.StringDType(na_object=None))
    assert read_columns({"a": values})["a"].values.tolist() == [1, -1, 0]


@pytest.mark.parametrize("unit", ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns"])
def test_datetime_units(unit: str) -> None:
    moment = np.datetime64("1969-01-01", unit)
    column = read_columns({"t": np.array([moment, np.datetime64("NaT", unit)])})["t"]
    assert column.values[0] == moment.astype("M8[us]").astype(np.int64)
    assert column.n_missing == 1


def test_nanoseconds_are_cut_down() -> None:
    assert read_columns({"t": np.array([-1, 1999], "M8[ns]")})["t"].values.tolist() == [-1, 1]


@pytest.mark.parametrize("ticks", [np.array([0, 10**9], "M8[Y]"), np.array([0, 10**18], "M8[s]")])
def test_dates_out_of_range_are_refused_not_wrapped(ticks: Any) -> None:
    with pytest.raises(ValueError, match=r"column 't', row 1: the date lies outside the years 1 to 9999"):
        read_columns({"t": ticks})


def test_the_last_microsecond_passes() -> None:
    assert kind_of([dt.datetime.max, dt.datetime.min]) is Kind.DATETIME


def test_durations_are_seconds() -> None:
    assert read_columns({"d": np.array([1500, "NaT"], "m8[ms]")})["d"].values[0] == 1.5
    with pytest.raises(ValueError, match="column 'd', row 0: a duration in months has no fixed length"):
        read_columns({"d": np.array([1], "m8[M]")})


@pytest.mark.parametrize("dtype", ["f8", "i4", "?", "U2", "M8[ns]", "m8[s]", "O"])
def test_masked_cells_are_missing(dtype: str) -> None:
    plain = np.array([[1, 0], [0, 1]]).astype(dtype)
    columns = read_columns(np.ma.masked_array(plain, [[True, False], [False, False]]))
    assert [column.n_missing for column in columns] == [1, 0]


def test_masked_infinity_is_not_seen() -> None:
    assert read_columns(np.ma.masked_invalid([[np.inf], [1.0]])).n_missing == 1


@pytest.mark.parametrize("value", [np.inf, -np.inf, 1e308, -1e308, np.longdouble("1e400")])
def test_oversized_numbers_name_the_cell(value: Any) -> None:
    with pytest.raises(ValueError, match="column 'x1', row 2: "):
        read_columns(np.array([[0, 1], [2, 3], [4, value]], dtype=np.longdouble))


@pytest.mark.parametrize("value", [1e300, -1e300, 5e-324, -0.0])
def test_large_and_small_numbers_pass(value: float) -> None:
    assert read_columns([[value]])["x0"].values.tolist() == [value]


@pytest.mark.parametrize("dtype", ["i8", "u8", "O"])
def test_the_first_wide_integer_is_named(dtype: str) -> None:
    values = np.array([1, 2**53, 2**53 + 1, 2**60], dtype=dtype)
    with pytest.raises(ValueError, match=r"column 'a', row 2: 9007199254740993 does not fit"):
        read_columns({"a": values})


@pytest.mark.parametrize("X", [np.ones((1, 1), complex), [[1j]], {"x0": [1j, None]}])
def test_complex_is_refused(X: Any) -> None:
    with pytest.raises(ValueError, match="column 'x0', row 0: Complex data not supported"):
        read_columns(X)


def test_rows_of_mixed_types() -> None:
    columns = read_columns([[1, "a", True, None], [2, "b", None, 2.5]])
    assert [column.kind.value for column in columns] == ["integer", "categorical", "boolean", "numeric"]


def test_ragged_rows_are_named() -> None:
    with pytest.raises(ValueError, match="row 2 has 1 values, row 0 has 2"):
        read_columns([[1, 2], [3, 4], [5]])


@pytest.mark.parametrize("X", [[1, 2], np.ones(3), np.ones((1, 1, 1)), 5, None, b"a", {1, 2}, ["a", "b"]])
def test_what_is_not_a_table(X: Any) -> None:
    with pytest.raises(ValueError, match="Expected"):
        read_columns(X)


@pytest.mark.parametrize(("shape", "what"), [((0, 2), "0 sample"), ((2, 0), "0 feature")])
def test_empty_arrays(shape: tuple[int, int], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        read_columns(np.ones(shape))


def test_mapping_lengths_and_names() -> None:
    with pytest.raises(ValueError, match="column 'b' has 1 rows, column 'a' has 2"):
        read_columns({"a": [1, 2], "b": [1]})
    with pytest.raises(TypeError, match=r"column 1 is not a string"):
        read_columns({"a": [1], 1: [2]})
    with pytest.raises(ValueError, match="column 'a' must have one dimension, it has 0"):
        read_columns({"a": "text"})
    assert read_columns({0: [1], 1: [2]}).schema.names == ("x0", "x1")


@pytest.mark.parametrize("dtype", [[("a", "f8", (2,))], [("a", [("inner", "f8")])]])
def test_nested_structured_arrays_are_refused(dtype: Any) -> None:
    with pytest.raises((ValueError, TypeError), match="column 'a'"):
        read_columns(np.zeros(2, dtype))


def test_packed_records() -> None:
    array = np.array([(1, 2.5), (2, np.nan)], dtype=[("i", "i1"), ("f", "f8")])
    assert read_columns(array)["f"].n_missing == 1


def test_bytes_must_be_text() -> None:
    with pytest.raises(ValueError, match=r"column 'a', row 1: the bytes .* are not UTF-8"):
        read_columns({"a": np.array([b"ok", b"\xff"])})


@pytest.mark.parametrize("make", [sp.csr_matrix, sp.csc_matrix, sp.coo_array, sp.dok_matrix])
def test_sparse(make: Any) -> None:
    dense = np.array([[0.0, 1.0], [np.nan, 0.0]])
    columns = read_columns(make(dense), accept_sparse=True)
    assert columns.is_sparse
    assert columns.n_missing == 1
    assert columns == read_columns(dense)
    assert columns.take(np.array([1])).n_missing == 1
    with pytest.raises(TypeError, match="toarray"):
        read_columns(columns)
    with pytest.raises(TypeError, match="toarray"):
        read_columns(make(dense))


def test_sparse_duplicates_add_up_and_errors_name_the_cell() -> None:
    matrix = sp.csr_matrix(([1.0, 2.0], [1, 1], [0, 0, 2]), shape=(2, 2))
    assert read_columns(matrix, accept_sparse=True)["x1"].values.tolist() == [0, 3]
    with pytest.raises(ValueError, match="column 'x1', row 1: the value is infinity"):
        read_columns(sp.csc_matrix([[0.0, 0.0], [0.0, np.inf]]), accept_sparse=True)
    with pytest.raises(ValueError, match="Complex data not supported"):
        read_columns(sp.csr_matrix([[1j]]), accept_sparse=True)


def test_a_million_categories() -> None:
    values = np.array([f"id {i}" for i in range(10**6)], dtype=object)
    column = read_columns({"id": values})["id"]
    assert len(column.field.categories) == 10**6
    assert column.field.categories[column.values[123_456]] == "id 123456"
