"""Bin edges: enough of them, never inside what has an interval of its own."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference_bin_edges import MOST_BINS, bin_edges_fit, choose_bin_edges, find_bins

import boxwood as bw
from boxwood.binning import bin_rows, check_bin_edges
from boxwood.columns import Schema
from boxwood.margins import CategoryMargin, Margins, fit_margins
from properties import examples


def bin_edges_of(table, kind, weights=None):
    columns = bw.read_columns(table, sample_weight=weights)
    margins = fit_margins(columns, kind)
    return columns, margins, bin_rows(margins, columns, columns.weights, kind)


def fits(margin, bin_edges):
    """Return whether the bin edges of a column fit it; the reference implementation says the same."""
    field = bw.read_columns({"x": [0.5] if hasattr(margin, "x") else ["a"]}).schema.fields[0]
    unfit = check_bin_edges(Margins(Schema((field,)), [margin]), [bin_edges])
    assert unfit in (None, "x")
    assert (unfit is None) == bin_edges_fit(margin, bin_edges)
    return unfit is None


def intervals(margin, values):
    """Return the interval of u of each value that has one."""
    if isinstance(margin, CategoryMargin):
        upper = np.cumsum(margin.masses)
        return np.column_stack([upper - margin.masses, upper])
    if margin.lattice is not None:
        places = np.unique(margin.lattice.places(np.asarray(values, dtype=np.float64)))
        edges = [(margin.cdf.below(k - 0.5), margin.cdf.below(k + 0.5)) for k in places]
    else:
        u = margin.cdf.u
        atom = margin.x[:-1] == margin.x[1:]
        edges = list(zip(u[:-1][atom], u[1:][atom], strict=True))
    return np.array([*edges, (margin.cdf.total, 1.0)])


@examples(150)
@given(
    kind=st.sampled_from(["linear", "smooth"]),
    values=st.lists(st.integers(-40, 40), min_size=1, max_size=80),
    make=st.sampled_from(["integer", "float", "tenth", "category", "holes"]),
    noise=st.booleans(),
)
def test_nothing_that_has_an_interval_is_cut(kind, values, make, noise):
    column = {
        "integer": lambda v: v,
        "float": lambda v: v.astype(float),
        "tenth": lambda v: v * 0.1,
        "category": lambda v: pd.Categorical(v.astype(str)),
        "holes": lambda v: np.where(v % 3 == 0, np.nan, v + 0.5),
    }[make](np.repeat(values, 12 if noise else 1))
    columns, margins, rows = bin_edges_of(pd.DataFrame({"x": column}), kind)
    (u, categorical), margin = rows.bin_edges[0], margins.columns[0]
    assert u[0] == 0.0
    assert u[-1] == 1.0
    assert (np.diff(u) > 0.0).all()
    assert len(u) <= MOST_BINS + 1
    assert categorical == isinstance(margin, CategoryMargin)
    present = columns[0].values[~columns[0].missing()]
    for low, high in intervals(margin, present):
        assert not ((u > low + 1e-9) & (u < high - 1e-9)).any()
    assert fits(margin, rows.bin_edges[0])


@pytest.mark.parametrize("kind", ["linear", "smooth"])
def test_more_than_1024_categories_fraction_bins(kind):
    table = pd.DataFrame({"c": [f"k{i:04}" for i in range(3000)] + [None] * 5, "x": np.arange(3005) * 0.5})
    _, margins, rows = bin_edges_of(table, kind)
    bin_edges = rows.bin_edges
    assert len(bin_edges[0][0]) <= MOST_BINS + 1
    assert np.isclose(bin_edges[0][0], 1.0 - margins.columns[0].missing_mass).any()
    assert fits(margins.columns[0], bin_edges[0])
    assert rows.bins.max() < MOST_BINS
    model = bw.DensityTree(margins=kind).fit(table)
    known = model.score_samples(
        pd.DataFrame({"c": [f"k{i:04}" for i in range(3000)], "x": np.full(3000, 3.0)})
    )
    assert np.isfinite(known).all()


@pytest.mark.parametrize("kind", ["linear", "smooth"])
def test_more_than_1024_whole_numbers_fraction_bins(kind):
    values = np.random.default_rng(0).permutation(20_000)[:5000]
    _, margins, rows = bin_edges_of(values[:, None], kind)
    bin_edges = rows.bin_edges
    assert MOST_BINS / 2 < len(bin_edges[0][0]) <= MOST_BINS + 1
    assert fits(margins.columns[0], bin_edges[0])
    model = bw.DensityTree(margins=kind, splitter="exact").fit(values[:, None])
    assert np.exp(model.score_samples(np.arange(-40_000, 60_000)[:, None])).sum() == pytest.approx(
        1.0, abs=2e-3
    )


@pytest.mark.parametrize("kind", ["linear", "smooth"])
def test_bin_edges_lie_between_neighbours_and_follow_the_rows(kind):
    x = np.random.default_rng(0).normal(size=5000)
    _, _, rows = bin_edges_of(x[:, None], kind)
    counts = np.bincount(rows.bins[:, 0])
    assert len(counts) > 900
    assert counts.max() < 40


def test_weights_are_repetitions():
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(3000, 1)), rng.integers(1, 4, 3000)
    for kind in ("linear", "smooth"):
        weighted = bin_edges_of(x, kind, w)[2].bin_edges
        repeated = bin_edges_of(np.repeat(x, w, axis=0), kind)[2].bin_edges
        np.testing.assert_array_equal(weighted[0][0], repeated[0][0])


def test_what_may_be_cut_anywhere():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "plain": rng.normal(size=100),
            "holes": np.where(np.arange(100) < 5, np.nan, rng.normal(size=100)),
            "spike": np.where(np.arange(100) < 50, 0.0, rng.normal(size=100)),
            "whole": np.arange(100),
            "label": ["x", "y"] * 50,
        }
    )
    margins = fit_margins(bw.read_columns(table))
    assert margins.continuous == [True, False, False, False, False]
    assert [margin.is_continuous for margin in margins.columns] == margins.continuous


def test_bin_edges_that_do_not_fit():
    table = pd.DataFrame(
        {"spike": np.where(np.arange(100) < 50, 0.0, np.arange(100) * 0.1), "label": ["x", "y"] * 50}
    )
    _, margins, rows = bin_edges_of(table, "linear")
    bin_edges = rows.bin_edges
    spike, label = margins.columns
    low = spike.cdf.below(0.0)
    assert not fits(spike, (np.array([0.0, low + 0.1, 1.0]), False))
    assert not fits(spike, (bin_edges[0][0], True))
    assert not fits(label, (np.array([0.0, 0.3, 1.0]), True))
    assert not fits(label, (bin_edges[1][0], False))


@pytest.mark.parametrize("column", [[0.3, 1.7, 2.2, np.nan], [1.0, 2.0, 3.0, np.nan], ["x", "y", "y", None]])
def test_missing_values_have_a_bin_of_their_own(column):
    _, margins, rows = bin_edges_of(pd.DataFrame({"x": column * 25}), "smooth")
    margin, (u, categorical) = margins.columns[0], rows.bin_edges[0]
    assert u[-2] == pytest.approx(1.0 - margin.missing_mass)
    assert not fits(margin, (np.delete(u, -2), categorical))


@examples(60)
@given(
    kind=st.sampled_from(["linear", "smooth"]),
    seed=st.integers(0, 999),
    n_rows=st.integers(1, 400),
    weighted=st.booleans(),
    n_jobs=st.sampled_from([None, 2]),
)
def test_all_columns_at_once_are_the_reference_implementation_s(kind, seed, n_rows, weighted, n_jobs):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "plain": rng.normal(size=n_rows),
            "spike": np.where(rng.random(n_rows) < 0.4, 0.0, rng.normal(size=n_rows)),
            "holes": np.where(rng.random(n_rows) < 0.1, np.nan, rng.normal(size=n_rows)),
            "whole": rng.poisson(3000, n_rows),
            "label": rng.choice(list("abcdef"), n_rows),
        }
    )
    columns = bw.read_columns(table, sample_weight=rng.integers(1, 4, n_rows) if weighted else None)
    margins = fit_margins(columns, kind)
    rows = bin_rows(margins, columns, columns.weights, kind, n_jobs=n_jobs)
    points = margins.encode(columns)
    expected = choose_bin_edges(margins, points, columns.weights, kind)
    np.testing.assert_array_equal(rows.points, points)
    for found, wanted in zip(rows.bin_edges, expected, strict=True):
        np.testing.assert_array_equal(found[0], wanted[0])
        assert found[1] == wanted[1]
    np.testing.assert_array_equal(rows.bins, find_bins(expected, points))
    assert check_bin_edges(margins, rows.bin_edges) is None
    assert not bin_rows(margins, columns, columns.weights, kind, exact=True).exact


def test_exact_cuts_leave_one_bin_to_numbers_and_theirs_to_categories():
    rng = np.random.default_rng(0)
    columns = bw.read_columns(pd.DataFrame({"x": rng.normal(size=50), "c": ["u", "v"] * 25}))
    margins = fit_margins(columns)
    rows = bin_rows(margins, columns, None, "smooth", exact=True)
    assert rows.exact
    assert rows.bin_edges[0][0].tolist() == [0.0, 1.0]
    assert len(rows.bin_edges[1][0]) > 2
    assert not rows.bins[:, 0].any()
