"""The margins of a whole table."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import boxwood as bw
from boxwood.columns import Columns
from boxwood.margins import Margins, fit_margins


@pytest.fixture
def table() -> Columns:
    rng = np.random.default_rng(0)
    return bw.read_columns(
        {
            "x": np.where(rng.random(300) < 0.1, np.nan, rng.normal(size=300)),
            "k": rng.poisson(40, 300),
            "c": np.array(["a", "b", None], dtype=object)[rng.integers(0, 3, 300)],
            "b": rng.random(300) < 0.5,
            "t": np.datetime64("2020-01-01") + rng.integers(0, 900, 300).astype("timedelta64[D]"),
        }
    )


@pytest.mark.parametrize("kind", ["smooth", "linear"])
def test_rows_come_back(table: Columns, kind: str) -> None:
    margins = fit_margins(table, kind)
    u = margins.encode(table)
    assert u.flags.c_contiguous
    assert ((u >= 0) & (u < 1)).all()
    again = margins.decode(u)
    for name in ("k", "c", "b"):
        np.testing.assert_array_equal(again[name].values, table[name].values)
    for name in ("x", "t"):
        np.testing.assert_allclose(again[name].values, table[name].values, rtol=1e-9)
    assert again.n_missing == table.n_missing


def test_the_log_derivative_is_the_sum_over_columns(table: Columns) -> None:
    margins = fit_margins(table)
    total = np.zeros(table.n_rows)
    event = np.zeros(table.n_rows)
    for margin, column in zip(margins.columns, table, strict=True):
        logs = margin.log_derivative(column.values)
        total += np.where(column.missing(), 0.0, logs)
        event += np.where(column.missing(), np.log(max(margin.missing_mass, 1e-300)), logs)
    np.testing.assert_allclose(margins.log_derivative(table), total)
    np.testing.assert_allclose(margins.log_derivative(table, missing="event"), event)


def test_decoded_uniforms_look_like_the_table(table: Columns) -> None:
    margins = fit_margins(table)
    drawn = margins.decode(np.random.default_rng(1).random((5000, 5)))
    assert drawn["x"].n_missing / 5000 == pytest.approx(table["x"].n_missing / 300, abs=0.03)
    assert drawn["k"].values.mean() == pytest.approx(table["k"].values.mean(), abs=0.5)
    assert (drawn["k"].values == np.floor(drawn["k"].values)).all()
    assert drawn["b"].values.mean() == pytest.approx(table["b"].values.mean(), abs=0.03)


def test_unknown_words_are_refused(table: Columns) -> None:
    with pytest.raises(ValueError, match="one of"):
        fit_margins(table, "wavy")
    with pytest.raises(ValueError, match="missing must be one of"):
        fit_margins(table).log_derivative(table, missing="mean")


def test_missing_is_left_to_others_where_none_was_fitted() -> None:
    margins = fit_margins(bw.read_columns([[1.0], [2.0]]))
    gone = bw.read_columns([[np.nan]])
    assert margins.log_derivative(gone, missing="event") == [0.0]
    assert margins.log_derivative(gone) == [0.0]


def test_pickled_margins_are_the_same(table: Columns) -> None:
    margins = fit_margins(table)
    again: Margins = pickle.loads(pickle.dumps(margins))
    assert again.encode(table).tobytes() == margins.encode(table).tobytes()


@pytest.mark.parametrize("order", ["C", "F"])
def test_any_layout_of_the_points_decodes_alike(order: str) -> None:
    margins = fit_margins(bw.read_columns(np.random.default_rng(0).normal(size=(50, 3))))
    u = np.asarray(np.random.default_rng(1).random((20, 3)), order=order)
    assert margins.decode(u) == margins.decode(u.copy(order="C"))
    assert margins.decode(u[::-2]) == margins.decode(u[::-2].copy())
