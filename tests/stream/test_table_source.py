"""Batches make the table that they are parts of, however it is cut."""

import itertools
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.stream.tables import mixed_frame

import boxwood as bw
from properties import examples

FRAME = mixed_frame(500)


def cut(table: Any, cuts: list[int]) -> list[Any]:
    ends = sorted({0, *cuts, len(table)})
    return [table[a:b] for a, b in itertools.pairwise(ends)]


def same(read: bw.Columns, whole: bw.Columns) -> bool:
    return read == whole and read.schema.to_json() == whole.schema.to_json()


CUTS = st.lists(st.integers(1, len(FRAME) - 1), max_size=6)


@examples(25)
@given(CUTS, st.sampled_from(["pandas", "polars", "pyarrow", "numpy"]))
def test_any_cut_is_the_whole(cuts: list[int], container: str) -> None:
    table: Any = FRAME
    if container == "polars":
        table = pl.from_pandas(FRAME)
    if container == "pyarrow":
        arrow = pa.Table.from_pandas(FRAME)
        ends = sorted({0, *cuts, len(FRAME)})
        parts = [arrow.slice(a, b - a) for a, b in itertools.pairwise(ends)]
        assert same(bw.read_columns(bw.open_table(parts)), bw.read_columns(arrow))
        return
    if container == "numpy":
        table = FRAME[["x", "y", "price"]].to_numpy()
    assert same(bw.read_columns(bw.open_table(cut(table, cuts))), bw.read_columns(table))


def test_a_relation_and_files_are_as_they_are_read_at_once(tmp_path: Path) -> None:
    FRAME.to_parquet(tmp_path / "all.parquet")
    FRAME.to_csv(tmp_path / "all.csv", index=False)
    for name in ("all.parquet", "all.csv"):
        whole = bw.read_columns(tmp_path / name)
        source = bw.open_table(tmp_path / name)
        source.batch_rows = 77
        assert len(list(source.batches())) > 1
        assert same(bw.read_columns(source), whole)
    relation = duckdb.connect().from_df(FRAME)
    assert same(bw.read_columns(relation), bw.read_columns(bw.open_table(relation)))
    assert bw.read_columns(relation).n_rows == 500


@pytest.mark.parametrize(
    ("sql", "n_missing"),
    [
        ("SELECT unnest(['b', NULL, 'a'])::ENUM('c', 'b', 'a') AS v", 1),
        ("SELECT unnest([true, NULL])", 1),
        ("SELECT unnest([1, NULL, 9007199254740992])", 1),
        ("SELECT unnest([1.25, 2.5])::DECIMAL(9, 2)", 0),
        ("SELECT unnest([DATE '2024-05-01', NULL])", 1),
        ("SELECT unnest([INTERVAL 3 DAY, INTERVAL 2 HOUR])", 0),
        ("SELECT unnest([1, 2])::HUGEINT", 0),
        ("SELECT NULL", 1),
        ("SELECT unnest(['', 'ü', NULL])", 1),
    ],
)
def test_every_type_of_duckdb(sql: str, n_missing: int) -> None:
    from boxwood.columns.read.from_duckdb import columns_from_relation

    columns = bw.read_columns(bw.open_table(duckdb.sql(sql)))
    assert columns == columns_from_relation(duckdb.sql(sql))
    assert columns.n_missing == n_missing


def test_a_pattern_is_all_its_files(tmp_path: Path) -> None:
    for number, part in enumerate(cut(FRAME, [100, 300])):
        part.to_parquet(tmp_path / f"part-{number}.parquet")
    FRAME.to_parquet(tmp_path / "whole.parquet")
    source = bw.open_table(tmp_path / "part-*.parquet")
    assert source.n_rows == 500
    assert same(bw.read_columns(source), bw.read_columns(tmp_path / "whole.parquet"))
    forest = bw.DensityForest(n_estimators=2, random_state=0).fit(str(tmp_path / "part-*.parquet"))
    assert forest.n_features_in_ == 7
    with pytest.raises(FileNotFoundError, match="no file fits"):
        bw.read_columns(str(tmp_path / "other-*.parquet"))


def test_a_file_whose_name_is_a_pattern_is_itself(tmp_path: Path) -> None:
    FRAME.to_parquet(tmp_path / "year[2024].parquet")
    FRAME[:3].to_parquet(tmp_path / "year2.parquet")
    assert bw.read_columns(tmp_path / "year[2024].parquet").n_rows == 500


def test_batches_of_every_kind() -> None:
    parts = cut(FRAME, [200])
    arrow = pa.Table.from_pandas(FRAME)
    whole = bw.read_columns(FRAME)
    for batches in (parts, iter(parts), lambda: iter(parts), (part for part in parts)):
        assert same(bw.read_columns(batches), whole)
    for batches in (arrow.to_reader(100), pyarrow.dataset.dataset(arrow), arrow.to_batches(100)):
        assert bw.read_columns(batches).n_rows == 500
    assert bw.read_columns(bw.open_table([{"a": [1, 2]}, {"a": [3]}]))["a"].values.tolist() == [1, 2, 3]


def test_an_iterator_is_read_once() -> None:
    source = bw.open_table(iter(cut(FRAME, [200])))
    bw.DensityForest(n_estimators=2, random_state=0).fit(source)
    with pytest.raises(ValueError, match="can be read once only"):
        list(source.batches())


def test_kinds_widen_as_those_of_the_whole_table() -> None:
    parts = [{"a": [1, 2]}, {"a": [1.5]}, {"a": [None]}]
    assert bw.read_columns(bw.open_table(parts))["a"].kind.value == "numeric"
    parts = [{"a": [None, None]}, {"a": ["x"]}, {"a": [None]}]
    column = bw.read_columns(bw.open_table(parts))["a"]
    assert column.values.tolist() == [-1, -1, 0, -1]
    assert column.field.categories == ("x",)
    parts = [{"a": [float("nan")]}, {"a": [2]}]
    assert bw.read_columns(bw.open_table(parts))["a"].kind.value == "integer"
    frames = [pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": [3.0, None]})]
    with pytest.warns(UserWarning, match="read as integers"):
        read = bw.read_columns(bw.open_table(frames))
    with pytest.warns(UserWarning, match="read as integers"):
        assert same(read, bw.read_columns(pd.concat(frames)))


def test_labels_of_pandas_are_united() -> None:
    parts = [pd.DataFrame({"a": pd.Categorical(list("zx"))}), pd.DataFrame({"a": pd.Categorical(list("y"))})]
    column = bw.read_columns(bw.open_table(parts))["a"]
    assert column.field.categories == ("x", "y", "z")
    assert column.values.tolist() == [2, 0, 1]


def test_rows_are_known_where_the_source_knows(tmp_path: Path) -> None:
    FRAME.to_parquet(tmp_path / "a.parquet")
    FRAME.to_csv(tmp_path / "a.csv")
    assert bw.open_table(tmp_path / "a.parquet").n_rows == 500
    assert bw.open_table(tmp_path / "a.csv").n_rows is None
    assert bw.open_table(cut(FRAME, [10])).n_rows == 500
    assert "500 rows" in repr(bw.open_table(tmp_path / "a.parquet"))


def test_the_bar_knows_the_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    FRAME.to_parquet(tmp_path / "a.parquet")
    bw.DensityForest(n_estimators=2, random_state=0, verbose=1).fit(bw.open_table(tmp_path / "a.parquet"))
    assert "500/500 rows" in capsys.readouterr().err


def test_tables_that_are_there_are_no_sources() -> None:
    from boxwood.stream.opening import as_source

    for table in (np.zeros((2, 2)), [[1.0], [2.0]], FRAME, pa.Table.from_pandas(FRAME), {"a": [1]}):
        assert as_source(table) is None
