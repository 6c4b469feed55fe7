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
    assert log_mass[0] == pytest.approx(
        np.log(2.0 / 5.0)
    )  # of three rows one is the only one of its category
    assert 0 < margins.encode(new)[0, 0] < 1


def test_categories_never_seen_have_the_good_turing_mass() -> None:
    margin = fit_category_margin([5, 1, 1, 0, 3, 0], closed=False)
    assert margin.unseen_mass + margin.mass[3] == pytest.approx(3 / 12)
    assert margin.mass[3] == pytest.approx(0.5 / 12)  # declared, it counts as half a row
    assert margin.mass[1] == pytest.approx(0.75 * 1.5 / 12)
    rare = fit_category_margin([50, 0, 0, 0, 40, 0], closed=False)
    assert rare.mass[1:4].tolist() == pytest.approx([1 / 92 / 4] * 3)


def test_samples_show_known_categories_in_their_fractions() -> None:
    codes = np.random.default_rng(0).permutation(np.r_[np.repeat(np.arange(4), 60), np.arange(100, 200)])
    table = {"c": [f"c{code}" for code in codes], "x": np.random.default_rng(1).normal(size=340)}
    model = bw.DensityForest(5, min_samples_split=1e9, random_state=0).fit(table)
    assert model.margins_.columns[0].unseen_mass == pytest.approx(101 / 342)
    drawn = np.asarray(model.sample(4000, random_state=0)["c"])
    known = model.margins_.columns[0].mass / model.margins_.columns[0].mass.sum()
    fractions = np.array([(drawn == name).mean() for name in model.schema_.fields[0].categories])
    assert np.abs(fractions - known).max() < 0.03


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
