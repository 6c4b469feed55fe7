"""Malformed tables: each is read, or refused with a sentence that names a column or says what to do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from malformed import malformed_table

from boxwood.columns import MISSING_CODE, Columns, read_columns, to_native

REFUSALS = re.compile(
    r"(batch \d+: )?(column |sample_weight|Sample weights must be|Found array with (0|dim)|"
    r"Expected (2D array|a table)|"
    r"kinds (names|must)|"
    r"Feature names are only|A sparse matrix was passed|the rows do not form a table: |"
    r"there is no file |the lazy frame could not be collected: |the DuckDB relation could not be read: |"
    r"""['"].*(could not be read: |is an address|is a directory|is empty|the ending does not tell))"""
)


def check_invariants(columns: Columns) -> None:
    assert columns.n_rows > 0
    for column in columns:
        assert len(column.values) == columns.n_rows
        assert column.n_missing == np.count_nonzero(column.missing())
        if column.kind.is_number:
            assert column.values.dtype == np.float64
            assert not np.isinf(column.values).any()
        else:
            assert column.values.dtype == np.int32
            assert column.values.min() >= MISSING_CODE
            assert column.values.max() < max(1, len(column.field.categories))
    assert columns.matrix().shape == (columns.n_rows, len(columns))
    assert columns.matched(columns.schema) == columns
    assert repr(columns)
    again = read_columns(to_native(columns), accept_sparse=True).matched(columns.schema)
    for before, after in zip(columns, again, strict=True):
        np.testing.assert_array_equal(after.values, before.values)


def run(seed: int, folder: Path, connection: Any) -> bool:
    maker, table, options = malformed_table(seed, folder, connection)
    try:
        columns = read_columns(table, **options)
    except (ValueError, TypeError, FileNotFoundError) as error:
        if not REFUSALS.match(str(error)):
            raise AssertionError(f"seed {seed} ({maker}): {error!r} tells too little") from error
        return False
    except Exception as error:
        raise AssertionError(f"seed {seed} ({maker}): {type(error).__name__} came through") from error
    try:
        check_invariants(columns)
    except Exception as error:
        raise AssertionError(f"seed {seed} ({maker}): {error}") from error
    return True


def run_all(seeds: range, folder: Path) -> None:
    with duckdb.connect() as connection:
        read = sum(run(seed, folder, connection) for seed in seeds)
    # Both ways out must be well used, else the generator has lost its teeth or its tables.
    assert 0.2 * len(seeds) < read < 0.8 * len(seeds)


def test_five_hundred_malformed_tables(tmp_path: Path) -> None:
    run_all(range(500), tmp_path)


@pytest.mark.slow
def test_ten_thousand_malformed_tables(tmp_path: Path) -> None:
    run_all(range(1_000, 11_000), tmp_path)
