"""Dates with a time zone and durations: what comes back means the moment that went in, wherever it goes."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import boxwood as bw
from boxwood.columns import read_columns, to_native
from boxwood.columns.columns import beside

pytest.importorskip("pyarrow")

BERLIN = "Europe/Berlin"


def frame(n_rows: int = 200) -> pd.DataFrame:
    """Return moments of a summer in Berlin, two hours before UTC, and durations that go with them."""
    rng = np.random.default_rng(0)
    hours = rng.exponential(100.0, n_rows)
    at = pd.Timestamp("2024-06-01", tz=BERLIN) + pd.to_timedelta(np.round(hours * 3600.0), unit="s")
    took = pd.to_timedelta(np.round(rng.exponential(3600.0, n_rows)), unit="s")
    return pd.DataFrame(
        {"at": at.as_unit("us"), "took": took.as_unit("us"), "x": hours + rng.normal(size=n_rows)}
    )


FRAME = frame()


@pytest.fixture(scope="module")
def model() -> bw.TableModel:
    return bw.TableModel(bw.DensityForest(5, random_state=0)).fit(FRAME)


def moments(values: Any) -> Any:
    return pd.Series(values).dt.tz_convert("UTC").dt.tz_localize(None).to_numpy()


def test_frames_of_predictions_have_the_zone(model: bw.TableModel) -> None:
    ends = model.predict_interval(FRAME, "at", 0.8)
    predicted = model.predict_rows(FRAME, "at", interval=0.8)
    assert {str(dtype) for dtype in [*ends.dtypes, *predicted.dtypes]} == {f"datetime64[us, {BERLIN}]"}
    assert np.array_equal(moments(predicted["predicted at"]), model.predict(FRAME, "at"))
    assert predicted[["low", "high"]].equals(ends)
    inside = (ends.low <= FRAME["at"]) & (FRAME["at"] <= ends.high)
    assert inside.mean() > 0.7
    assert str(model.explain(FRAME[:3])["at expected"].dtype) == f"datetime64[us, {BERLIN}]"


def test_intervals_of_plain_dates_beside_predictions_are_dates() -> None:
    rng = np.random.default_rng(0)
    day = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 60, 100), unit="D")
    table = pd.DataFrame({"day": day, "x": rng.normal(size=100)})
    model = bw.TableModel(bw.DensityForest(3, random_state=0)).fit(table)
    predicted = model.predict_rows(table, "day", interval=0.8)
    assert predicted[["low", "high"]].equals(model.predict_interval(table, "day", 0.8))


def test_replies_can_be_asked_again(model: bw.TableModel) -> None:
    reply = model.ask("quantile(at, 0.3)")
    assert reply.value.utcoffset() == dt.timedelta(hours=2)
    text = str(reply).removeprefix("quantile(at, 0.3) = ")
    assert text.endswith("+02:00")
    for again in (text, reply.to_json()["value"], text.removesuffix("+02:00")):
        assert model.prob(f"at < '{again}'", given="at is not missing") == pytest.approx(0.3, abs=1e-6)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_the_accessor_predicts_moments(model: bw.TableModel, library: str) -> None:
    import boxwood.plugs.pandas
    import boxwood.plugs.polars  # noqa: F401

    rows: Any = FRAME.set_axis(range(7, 7 + len(FRAME))) if library == "pandas" else pl.from_pandas(FRAME)
    predicted = rows.boxwood.predict(model, "at")
    expected = model.predict_rows(FRAME, "at")["predicted at"]
    assert predicted.name == "at"
    assert predicted.to_list() == expected.tolist()
    assert library == "polars" or predicted.index.equals(rows.index)


def test_another_library_gets_zone_and_durations() -> None:
    read = read_columns(FRAME)
    as_polars, as_arrow = to_native(read, "polars"), to_native(read, "pyarrow")
    assert as_polars.schema["at"] == pl.Datetime("us", BERLIN)
    assert as_polars.schema["took"] == pl.Duration("us")
    assert as_polars["at"].to_list() == FRAME["at"].dt.to_pydatetime().tolist()
    assert [str(field.type) for field in as_arrow.schema][:2] == [
        f"timestamp[us, tz={BERLIN}]",
        "duration[us]",
    ]
    back = to_native(read_columns(as_polars), "pandas")
    pd.testing.assert_frame_equal(back, FRAME)


def test_offsets_and_objects_in_another_library() -> None:
    fixed = dt.timezone(dt.timedelta(hours=3))
    stamps = [dt.datetime(2024, 1, 1 + k % 9, 12, tzinfo=fixed) for k in range(30)]
    table = pd.DataFrame(
        {"at": np.array(stamps, dtype=object), "took": [dt.timedelta(hours=k) for k in range(30)]}
    )
    for given in (table.astype({"took": object}), table.assign(at=pd.Series(stamps))):
        found = to_native(read_columns(given), "polars")
        assert found["at"].to_list() == stamps  # equal moments, whatever the zone is called
        assert found["took"].to_list() == [dt.timedelta(hours=k) for k in range(30)]


def test_seconds_are_milliseconds_in_polars() -> None:
    table = pd.DataFrame({"at": FRAME["at"].dt.as_unit("s"), "took": FRAME["took"].dt.as_unit("s")})
    found = to_native(read_columns(table), "polars")
    assert found.schema == {"at": pl.Datetime("ms", BERLIN), "took": pl.Duration("ms")}


def test_columns_beside_those_of_another_library_keep_the_zone() -> None:
    both = beside(read_columns(pl.DataFrame({"y": np.arange(len(FRAME))})), read_columns(FRAME))
    assert to_native(both).schema["at"] == pl.Datetime("us", BERLIN)


@pytest.mark.parametrize("unit", ["us", "ns"])
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_files_keep_moments(tmp_path: Path, ending: str, unit: str) -> None:
    path = tmp_path / f"table.{ending}"
    table = FRAME[["at", "x"]].assign(at=FRAME["at"].dt.as_unit(unit))
    if ending == "csv":
        table.assign(at=[stamp.isoformat() for stamp in table["at"]]).to_csv(path, index=False)
    else:
        table.to_parquet(path)
    model = bw.TableModel(bw.DensityForest(5, random_state=0)).fit(path)
    assert np.array_equal(model.score_samples(path), bw.load(_saved(model, tmp_path)).score_samples(path))
    assert str(model.sample(3, random_state=0)["at"].dtype) == "datetime64[us, UTC]"
    assert np.array_equal(moments(model.impute(path)["at"]), moments(table["at"].dt.as_unit("us")))
    noon = model.prob("at < '2024-06-02T12:00:00+02:00'")
    for same in ("2024-06-02T10:00:00", "2024-06-02T10:00:00Z"):
        assert model.prob(f"at < '{same}'") == pytest.approx(noon)
    streamed = bw.DensityForest(5, random_state=0).fit(bw.open_table(path))
    assert str(streamed.sample(3, random_state=0)["at"].dtype) == "datetime64[us, UTC]"


def _saved(model: bw.TableModel, folder: Path) -> Path:
    model.save(folder / "model.boxwood")
    return folder / "model.boxwood"


def test_whole_days_in_utc_stay_whole_days() -> None:
    days = pd.Timestamp("2024-01-01", tz="UTC") + pd.to_timedelta(np.arange(50) % 11, unit="D")
    drawn = bw.DensityForest(3, random_state=0).fit(pd.DataFrame({"day": days})).sample(50, random_state=0)
    assert (drawn["day"] == drawn["day"].dt.floor("D")).all()


def test_sql_takes_and_gives_zones_and_intervals(model: bw.TableModel) -> None:
    con = duckdb.connect()
    con.execute("SET TimeZone = 'America/New_York'")
    con.register("rows", FRAME)
    model.register(con, "m")
    found = con.execute("SELECT m_logp(rows) AS logp FROM rows").fetchnumpy()["logp"]
    assert np.allclose(found, model.score_samples(FRAME), rtol=0.0, atol=1e-9)
    seconds = 'SELECT m_logp(r) AS logp FROM (SELECT "at", epoch(took) AS took, x FROM rows) r'
    assert np.allclose(con.execute(seconds).fetchnumpy()["logp"], found, rtol=0.0, atol=1e-9)
    drawn = con.execute(
        'SELECT epoch_us("at"), epoch(took), typeof("at"), typeof(took) FROM m_sample(5, seed := 1)'
    )
    at, took, *types = zip(*drawn.fetchall(), strict=True)
    assert types == [("TIMESTAMP WITH TIME ZONE",) * 5, ("INTERVAL",) * 5]
    expected = model.sample(5, random_state=1)
    assert list(at) == [round(stamp.timestamp() * 1e6) for stamp in expected["at"]]
    assert np.allclose(took, expected["took"].dt.total_seconds())
