from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import numpy as np
import pytest

from boxwood.columns import read_columns


@pytest.fixture
def connection() -> Iterator[Any]:
    with duckdb.connect() as connection:
        yield connection


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ("1::TINYINT", "integer", 1.0),
        ("9007199254740992::UBIGINT", "integer", 2.0**53),
        ("3::HUGEINT", "integer", 3.0),
        ("3::UHUGEINT", "integer", 3.0),
        ("1.5::FLOAT", "numeric", 1.5),
        ("1.25::DECIMAL(10, 2)", "numeric", 1.25),
        ("INTERVAL 90 SECOND", "numeric", 90.0),
        ("true", "boolean", 1),
        ("'a'", "categorical", 0),
        ("'00000000-0000-0000-0000-000000000001'::UUID", "categorical", 0),
        ("'a'::ENUM('b', 'a')", "ordinal", 1),
        ("DATE '1970-01-02'", "datetime", 86400e6),
        ("TIMESTAMP_NS '1970-01-01 00:00:01'", "datetime", 1e6),
        ("TIMESTAMPTZ '1970-01-01 02:00:00+02'", "datetime", 0.0),
    ],
)
def test_types(connection: Any, value: str, kind: str, expected: Any) -> None:
    column = read_columns(connection.sql(f"SELECT {value} AS a UNION ALL SELECT NULL"))["a"]
    assert column.kind == kind
    assert (column.values[0], column.n_missing) == (expected, 1)


def test_a_column_of_nulls(connection: Any) -> None:
    assert read_columns(connection.sql("SELECT NULL AS a FROM range(2)"))["a"].n_missing == 2


@pytest.mark.parametrize(
    "value", ["[1]", "[1]::INTEGER[1]", "{'a': 1}", "MAP {'a': 1}", "'a'::BLOB", "TIME '12:00'", "'1'::BIT"]
)
def test_refused_types(connection: Any, value: str) -> None:
    with pytest.raises(TypeError, match=r"column 'a' has the type .*, which boxwood does not take"):
        read_columns(connection.sql(f"SELECT {value} AS a"))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("9007199254740993", "9007199254740993 does not fit"),
        ("9007199254740993::HUGEINT", "the integer does not fit"),
        ("'infinity'::DATE", "the date lies outside"),
        ("'-infinity'::TIMESTAMP", "the date lies outside"),
        ("'inf'::DOUBLE", "the value is infinity"),
    ],
)
def test_refused_values_name_the_row(connection: Any, value: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"column 'a', row 1: {message}"):
        read_columns(connection.sql(f"SELECT NULL AS a UNION ALL SELECT {value}"))


def test_names(connection: Any) -> None:
    columns = read_columns(connection.sql("""SELECT 1 AS a, 2 AS "A", 3 AS "q""u;" """))
    assert columns.schema.names == ("a", "A", 'q"u;')
    np.testing.assert_array_equal(columns.matrix(), [[1, 2, 3]])
    with pytest.raises(ValueError, match="column 'a' stands twice"):
        read_columns(connection.sql("SELECT 1 AS a, 2 AS a"))


def test_what_duckdb_itself_refuses(connection: Any) -> None:
    failing = connection.sql("SELECT CAST(t AS INTEGER) AS a FROM (VALUES ('1'), ('x')) v(t)")
    with pytest.raises(ValueError, match="the DuckDB relation could not be read: Conversion Error"):
        read_columns(failing)
    other = duckdb.connect()
    relation = other.sql("SELECT 1 AS a")
    other.close()
    with pytest.raises(ValueError, match="the DuckDB relation could not be read"):
        read_columns(relation)
