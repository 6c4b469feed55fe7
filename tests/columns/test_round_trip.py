"""Samples have the schema of the table that they are like, from every library and of every kind of column."""

from __future__ import annotations

import datetime as dt
import decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from round_trip_kinds import FLOATS, INTEGERS, PANDAS, POLARS, PYARROW, TENTHS, gaps

import boxwood as bw
from boxwood.columns import read_columns, to_native

CASES = {
    **{f"pandas: {name}": pd.DataFrame({"a": series}) for name, series in PANDAS.items()},
    **{f"polars: {name}": pl.DataFrame({"a": series}) for name, series in POLARS.items()},
    **{f"pyarrow: {name}": table for name, table in PYARROW.items()},
}
FAMILIES = {
    "forest": bw.DensityForest(3, random_state=0),
    "product": bw.ProductDensity(),
    "histogram": bw.Histogram(),
    "gaussian": bw.GaussianDensity(),
}


def assert_alike(drawn: Any, given: Any) -> None:
    """Fail unless two frames of one library have the same names and types in the same order."""
    assert type(drawn) is type(given)
    if isinstance(given, pa.Table):
        assert drawn.schema.equals(given.schema)
    elif isinstance(given, pl.DataFrame):
        assert drawn.schema == given.schema
    else:
        assert list(drawn.columns) == list(given.columns)
        assert drawn.columns.dtype == given.columns.dtype
        assert drawn.dtypes.tolist() == given.dtypes.tolist()
    for theirs, ours in zip(_objects(given), _objects(drawn), strict=True):
        assert {type(value) for value in ours} <= {type(value) for value in theirs}


def _objects(frame: Any) -> list[list[Any]]:
    if isinstance(frame, pa.Table):
        columns = [column.to_pylist() for column in frame.columns]
    else:
        columns = [list(frame[name]) for name in frame.columns]
    return [[value for value in column if not pd.isna(value)] for column in columns]


def refuses(model: Any, frame: Any) -> bool:
    return isinstance(model, bw.GaussianDensity) and "categorical" in repr(read_columns(frame))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("case", CASES)
def test_samples_have_the_schema_of_the_table(case: str, family: str, tmp_path: Path) -> None:
    frame, model = CASES[case], FAMILIES[family]
    if refuses(model, frame):
        pytest.skip("a Gaussian has no place for categories")
    fitted = model.fit(frame)
    drawn = fitted.sample(50, random_state=0)
    assert_alike(drawn, frame)
    fitted.save(tmp_path / "model.bw")
    again = bw.load(tmp_path / "model.bw").sample(50, random_state=0)
    assert_alike(again, frame)
    assert read_columns(again, sources=False) == read_columns(drawn, sources=False)
    assert np.isfinite(fitted.score_samples(drawn)).any()


@pytest.mark.parametrize("case", CASES)
def test_the_way_back_is_exact(case: str) -> None:
    frame = CASES[case]
    back = to_native(read_columns(frame))
    assert_alike(back, frame)
    assert read_columns(back) == read_columns(frame)
    assert _objects(back) == _objects(frame)


def test_there_are_thirty_kinds_of_each_library() -> None:
    assert min(len(PANDAS), len(POLARS), len(PYARROW)) >= 30


def test_a_frame_of_all_kinds_keeps_names_and_order() -> None:
    frame = pd.DataFrame(PANDAS)
    assert_alike(bw.DensityForest(2, random_state=0).fit(frame).sample(20, random_state=0), frame)


@pytest.mark.parametrize("labels", [range(3), [7, 3, 5]])
def test_integer_names_stay(labels: Any) -> None:
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 3)), columns=labels)
    drawn = bw.DensityForest(2, random_state=0).fit(frame).sample(5, random_state=0)
    assert drawn.columns.equals(frame.columns)
    assert_alike(drawn, frame)


def test_the_index_is_no_column() -> None:
    frame = pd.DataFrame({"a": FLOATS}, index=pd.Index(INTEGERS, name="id"))
    assert list(bw.DensityTree().fit(frame).sample(3, random_state=0).columns) == ["a"]


@pytest.mark.parametrize(
    "table",
    [{"a": TENTHS}, pd.DataFrame({"a": TENTHS}), pl.DataFrame({"a": TENTHS}), pa.table({"a": TENTHS})],
    ids=["mapping", "pandas", "polars", "pyarrow"],
)
def test_samples_have_the_decimals_of_the_table(table: Any) -> None:
    drawn = np.asarray(bw.DensityForest(3, random_state=0).fit(table).sample(200, random_state=0)["a"])
    np.testing.assert_array_equal(drawn, np.round(drawn, 1))
    assert (drawn != np.round(drawn)).any()


def test_samples_from_an_array_stay_as_they_are_drawn() -> None:
    numbers = np.random.default_rng(0).normal(size=(100, 1))
    drawn = bw.DensityForest(3, random_state=0).fit(numbers).sample(100, random_state=0)
    assert (drawn != np.round(drawn, 12)).any()


def test_whole_days_stay_whole_days() -> None:
    drawn = bw.DensityForest(3, random_state=0).fit(CASES["pandas: days"]).sample(50, random_state=0)["a"]
    assert (drawn == drawn.dt.normalize()).all()


def test_decimals_keep_their_trailing_zeros() -> None:
    frame = pd.DataFrame(
        {"a": [decimal.Decimal("1.50"), decimal.Decimal("2.00"), decimal.Decimal("3.25")] * 9}
    )
    drawn = bw.DensityForest(3, random_state=0).fit(frame).sample(20, random_state=0)["a"]
    assert {value.as_tuple().exponent for value in drawn} == {-2}


def test_numbers_that_a_type_cannot_hold_are_not_drawn() -> None:
    frame = pl.DataFrame({"a": pl.Series([0, 1, 255, 254, 0, 255] * 5, dtype=pl.UInt8)})
    drawn = bw.GaussianDensity().fit(frame).sample(300, random_state=0)
    assert drawn.schema == frame.schema
    assert drawn["a"].min() == 0
    assert drawn["a"].max() == 255


def test_whole_floats_with_gaps_are_integers_and_say_so(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": np.array(gaps(INTEGERS), dtype=float), "b": FLOATS})
    with pytest.warns(
        UserWarning, match=r"read as integers.*'a'\. To keep floats.*kinds=\{'a': 'numeric'\}"
    ) as caught:
        model = bw.DensityForest(3, random_state=0).fit(frame)
    assert len(caught) == 1
    path = tmp_path / "table.csv"
    frame.assign(a=frame["a"].astype("Int64")).to_csv(path, index=False)
    assert read_columns(path)["a"].kind == model.schema_.fields[0].kind == "integer"
    from_file = bw.DensityForest(3, random_state=0).fit(path)
    np.testing.assert_array_equal(model.score_samples(frame), from_file.score_samples(frame))
    assert_alike(model.sample(9, random_state=0), frame)


@pytest.mark.parametrize(
    "series",
    [
        pd.Series(gaps(INTEGERS), dtype="Float64"),
        pd.Series(INTEGERS, dtype="float64"),
        pd.Series([0.5, None, 1.0]),
        pd.Series([1e300, None]),
        pd.Series([None, None], dtype="float64"),
    ],
)
def test_other_floats_stay_numeric(series: pd.Series) -> None:
    assert read_columns(pd.DataFrame({"a": series}))["a"].kind == "numeric"


def test_a_stated_kind_is_neither_changed_nor_warned_of() -> None:
    frame = pd.DataFrame({"a": np.array(gaps(INTEGERS), dtype=float)})
    columns = read_columns(frame, kinds={"a": "numeric"})
    assert columns["a"].kind == "numeric"
    assert bw.DensityTree().fit(columns).schema_.fields[0].kind == "numeric"


@pytest.mark.parametrize("case", ["pandas: int8", "polars: UInt8", "pyarrow: int8"])
def test_a_new_table_that_the_type_does_not_hold_is_not_cut(case: str) -> None:
    frame = CASES[case]
    schema = read_columns(frame).schema
    large = read_columns({"a": [1000, 2000]}).matched(schema)
    assert np.asarray(to_native(large)["a"]).tolist() == [1000, 2000]


def test_a_column_read_as_another_kind_comes_back_as_it_was() -> None:
    frame = pd.DataFrame({"zip": [89073, 53111, 89073, 53111] * 5})
    columns = read_columns(frame, kinds={"zip": "categorical"})
    assert_alike(bw.DensityTree().fit(columns).sample(9, random_state=0), frame)


@pytest.mark.parametrize("labels", [[1, 3, 2], [True, False], [0.5, 0.25], [False, 2], [1.5, True]], ids=repr)
@pytest.mark.parametrize("container", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("ordered", [True, False])
def test_categories_that_are_numbers_are_known_again_in_every_library(
    labels: list[Any], container: str, ordered: bool
) -> None:
    values = pd.Categorical([*labels, None], categories=pd.Index(labels, dtype=object), ordered=ordered)
    columns = read_columns(pd.DataFrame({"a": values}))
    again = read_columns(to_native(columns, container), sources=False).matched(columns.schema)
    np.testing.assert_array_equal(again["a"].values, columns["a"].values)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": [dt.time(8, 30)]}),
        pl.DataFrame({"a": [dt.time(8, 30)]}),
        pa.table({"a": pa.array([dt.time(8, 30)])}),
        pd.DataFrame({"a": pd.array([b"x"], dtype=object)}),
        pl.DataFrame({"a": [b"x"]}),
        pa.table({"a": [b"x"]}),
    ],
)
def test_times_of_day_and_bytes_are_refused(frame: Any) -> None:
    with pytest.raises(TypeError, match=r"column 'a', row 0.*(not time|not bytes|does not take)"):
        read_columns(frame)
