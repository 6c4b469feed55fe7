"""Margins of coded columns: intervals in the order of the categories, unseen ones, missing ones."""

from __future__ import annotations

import numpy as np
import pytest
import reference_margins
from hypothesis import given
from hypothesis import strategies as st

import boxwood as bw
from boxwood import _core
from boxwood.columns import MISSING_CODE, Schema
from boxwood.margins import CategoryMargin, Margins, fit_margins

COUNTS = st.lists(st.integers(0, 2**40) | st.integers(0, 5), min_size=1, max_size=9).filter(any)
# No smaller unit than the last: the fraction of one row beside others would not be a double.
UNITS = st.sampled_from([1.0, 2.0**-30, 2.0**100, 2.0**-600])


def fit_category_margin(counts: list[int], closed: bool, unit: float = 1.0) -> CategoryMargin:
    kind = _core.FieldKind.boolean if closed else _core.FieldKind.category
    field = ("c", kind, len(counts) - 1)
    native, _ = _core.margins_of_summaries([np.array(counts)], [field], unit, _core.MarginKind.smooth)
    margin = Margins.of_native(Schema(()), native, [False]).columns[0]
    assert isinstance(margin, CategoryMargin)
    return margin


def encoded(margin: CategoryMargin, codes: list[int]) -> np.ndarray:
    u = np.empty(len(codes))
    margin.encode(np.array(codes, dtype=np.int32), u)
    return u


@given(COUNTS, st.booleans(), UNITS)
def test_any_counts_make_a_distribution_without_zeros(counts: list[int], closed: bool, unit: float) -> None:
    closed = closed and len(counts) == 3  # only booleans are
    margin = fit_category_margin(counts, closed, unit)
    expected = reference_margins.fit_category_margin(np.array(counts) * unit, closed)
    np.testing.assert_array_equal(margin.masses, expected.masses)
    assert margin.masses.sum() == pytest.approx(1.0)
    assert (margin.mass > 0).all()
    assert (margin.unseen_mass > 0) != closed
    known = list(range(len(counts) - 1))
    u = encoded(margin, known)
    assert (np.diff(u) >= 0).all()
    wide = margin.mass > 1e-9
    assert (margin.decode(u)[wide] == np.array(known)[wide]).all()
    assert np.isfinite(margin.log_derivative(np.array(known, dtype=np.int32))).all()
    drawn = margin.decode(np.linspace(0, 1, 999))
    assert set(drawn.tolist()) <= {*known, MISSING_CODE}
    assert (np.diff(margin.knots) >= 0).all()


def test_an_unseen_category_has_a_finite_log_mass() -> None:
    columns = bw.read_columns({"c": ["a", "b", "b"]})
    margins = fit_margins(columns)
    new = bw.read_columns({"c": ["z", "a"]}).matched(columns.schema)
    log_mass = margins.log_derivative(new)
    assert np.isfinite(log_mass).all()
    assert log_mass[0] == pytest.approx(np.log(0.5 / 4.5))
    assert 0 < margins.encode(new)[0, 0] < 1


def test_the_unseen_interval_decodes_to_its_known_neighbour() -> None:
    margin = fit_category_margin([3, 2, 4], closed=False)
    start, end = margin.mass.sum(), margin.mass.sum() + margin.unseen_mass
    assert margin.decode(np.array([start + 1e-12, 0.5 * (start + end), end - 1e-12])).tolist() == [1, 1, 1]
    assert margin.decode(np.array([end + 1e-12, 1.0, np.nan])).tolist() == [MISSING_CODE] * 3


def test_without_missing_the_top_is_a_category() -> None:
    margin = fit_category_margin([3, 2, 0], closed=False)
    assert margin.decode(np.array([0.0, 1.0, -1.0, 2.0])).tolist() == [0, 1, 0, 1]
    assert np.isnan(encoded(margin, [MISSING_CODE])).all()


def test_a_column_without_categories_decodes_to_missing() -> None:
    columns = bw.read_columns({"c": [None, None]}, kinds={"c": "categorical"})
    margins = fit_margins(columns)
    assert margins.decode(np.linspace(0, 1, 11)[:, None])["c"].n_missing == 11
    assert np.isfinite(margins.log_derivative(columns, missing="event")).all()


def test_booleans_have_no_unseen_value() -> None:
    margin = fit_margins(bw.read_columns({"b": [True, True, False]})).columns[0]
    assert isinstance(margin, CategoryMargin)
    assert margin.masses.tolist() == pytest.approx([1.5 / 4, 2.5 / 4, 0.0, 0.0])


def test_the_order_of_an_ordinal_column_is_kept() -> None:
    columns = bw.read_columns({"s": [3, 1, 2, 3]}, kinds={"s": "ordinal"})
    u = fit_margins(columns).encode(columns)[:, 0]
    assert u[1] < u[2] < u[0] == u[3]
