"""TableModel.register: what DuckDB's functions answer is what the model answers."""

from __future__ import annotations

import sys
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import boxwood as bw

pytest.importorskip("pyarrow")


def frame(n_rows: int = 300) -> pd.DataFrame:
    """Return a table with a column of each kind, gaps, and a name that SQL must quote."""
    rng = np.random.default_rng(0)
    size = rng.choice(["S", "M", "L"], n_rows)
    x = rng.normal(size=n_rows) + (size == "L") * 3.0
    return pd.DataFrame(
        {
            "x": np.where(rng.random(n_rows) < 0.1, np.nan, x + 0.25),
            "count": rng.poisson(3, n_rows),
            'it\'s "so"': rng.random(n_rows) < 0.3,
            "city": rng.choice(["Ulm", "Bonn"], n_rows),
            "size": pd.Categorical(size, ["S", "M", "L"], ordered=True),
            "code": pd.Categorical(rng.choice([3, 7], n_rows)),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 9, n_rows), unit="D"),
        }
    )


FRAME = frame()
ROWS = FRAME.astype({"size": str, "code": int})
"""The rows as tables of SQL have them."""


@pytest.fixture(scope="module")
def model() -> bw.TableModel:
    forest = bw.DensityForest(n_estimators=10, random_state=0)
    return bw.TableModel(forest).fit(FRAME)


@pytest.fixture
def con(model: bw.TableModel) -> Any:
    with duckdb.connect() as connection:
        connection.register("t", ROWS)
        model.register(connection, "shop")
        yield connection


def column(con: Any, sql: str) -> np.ndarray:
    return np.array([row[0] for row in con.execute(sql).fetchall()], dtype=float)


def test_probabilities_of_expressions(con: Any, model: bw.TableModel) -> None:
    sql = "SELECT shop_prob('x > 1'), shop_prob('x > 1', given := 'size == ''L'''), shop_prob(NULL)"
    plain, given, nothing = con.execute(sql).fetchall()[0]
    # a question that is repeated is answered from tables, whose sums differ in the last bits
    assert plain == pytest.approx(model.prob("x > 1"), rel=1e-12)
    assert given == pytest.approx(model.prob("x > 1", given="size == 'L'"), rel=1e-12)
    assert nothing is None


def test_expressions_may_come_from_rows(con: Any, model: bw.TableModel) -> None:
    found = column(con, "SELECT shop_prob('city == ''' || city || '''') FROM t")
    np.testing.assert_allclose(found, [model.prob(city=city) for city in ROWS.city], rtol=1e-12)


def test_log_density_of_rows_with_more_columns_in_another_order(con: Any, model: bw.TableModel) -> None:
    wanted = model.score_samples(FRAME)
    np.testing.assert_allclose(column(con, "SELECT shop_logp(t) FROM t"), wanted, rtol=1e-12)
    con.register("other", ROWS[ROWS.columns[::-1]].assign(more=1))
    np.testing.assert_allclose(column(con, "SELECT shop_logp(o) FROM other o"), wanted, rtol=1e-12)
    assert column(con, "SELECT shop_logp(t) FROM t WHERE count < 0").shape == (0,)


def test_a_fraction_is_not_rounded_to_an_integer(con: Any) -> None:
    con.register("halves", ROWS.assign(count=2.5))
    assert np.all(column(con, "SELECT shop_logp(h) FROM halves h") == -np.inf)


def test_times_with_a_zone_are_taken_in_utc(con: Any, model: bw.TableModel) -> None:
    con.execute("SET TimeZone = 'Asia/Tokyo'")
    con.register("zoned", ROWS.assign(day=ROWS.day.dt.tz_localize("UTC")))
    np.testing.assert_allclose(
        column(con, "SELECT shop_logp(z) FROM zoned z"), model.score_samples(FRAME), rtol=1e-12
    )


def test_surprise_has_a_field_a_column(con: Any, model: bw.TableModel) -> None:
    found = con.execute("SELECT unnest(shop_surprise(t)) FROM t").fetchall()
    wanted = model.query.conditionals(bw.read_columns(FRAME)).surprise()
    np.testing.assert_allclose(np.array(found, dtype=float), wanted, rtol=1e-9, atol=1e-12)
    city = column(con, "SELECT shop_surprise(t).city FROM t")
    np.testing.assert_allclose(city, wanted[:, 3], rtol=1e-9, atol=1e-12)


def test_samples_are_a_table_of_the_columns_types(con: Any, model: bw.TableModel) -> None:
    drawn = con.sql("SELECT * FROM shop_sample(2500, seed := 3)")
    assert drawn.columns == list(FRAME.columns)
    types = ["DOUBLE", "BIGINT", "BOOLEAN", "VARCHAR", "VARCHAR", "BIGINT", "TIMESTAMP"]
    assert [str(kind) for kind in drawn.types] == types
    wanted = model.sample(2500, 3).astype({"size": str, "code": int})
    pd.testing.assert_frame_equal(drawn.df(), wanted, check_dtype=False)
    assert con.sql("FROM shop_sample(0)").fetchall() == []
    assert np.all(np.isfinite(column(con, "SELECT shop_logp(s) FROM shop_sample(50) s")))


def test_samples_without_a_seed_differ(con: Any) -> None:
    both = [con.execute("SELECT x FROM shop_sample(20)").fetchall() for _ in range(2)]
    assert both[0] != both[1]


def test_what_is_wrong_is_said(con: Any) -> None:
    with pytest.raises(duckdb.Error, match="Did you mean 'count'"):
        con.execute("SELECT shop_prob('coun > 1')").fetchall()
    with pytest.raises(duckdb.Error, match='"count"'):
        con.execute("SELECT shop_logp({'x': 1.0})").fetchall()
    with pytest.raises(duckdb.Error, match="0 or more; got -1"):
        con.execute("SELECT * FROM shop_sample(-1)").fetchall()


def test_a_later_model_of_the_same_name_replaces_the_functions(con: Any) -> None:
    table = np.random.default_rng(1).normal(size=(60, 2))
    other = bw.TableModel(bw.DensityForest(n_estimators=3, random_state=0)).fit(table)
    other.register(con, "shop")
    found = column(con, "SELECT shop_logp({'x1': 0.5, 'x0': 0.25})")
    np.testing.assert_allclose(found, other.score_samples([[0.25, 0.5]]), rtol=1e-12)


def test_names_that_sql_cannot_hold_are_refused(model: bw.TableModel) -> None:
    with duckdb.connect() as con:
        with pytest.raises(ValueError, match="plain SQL name"):
            model.register(con, "a b; DROP")
        twins = bw.TableModel(bw.DensityForest(n_estimators=2)).fit(
            pd.DataFrame({"a": [1.0, 2], "A": [1.0, 3]})
        )
        with pytest.raises(ValueError, match="'a' and 'A'"):
            twins.register(con, "twins")
        with pytest.raises(NotFittedError):
            bw.TableModel().register(con, "new")


def test_pyarrow_is_asked_for_at_once(model: bw.TableModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with duckdb.connect() as con, pytest.raises(ImportError, match="pip install pyarrow"):
        model.register(con, "shop")
