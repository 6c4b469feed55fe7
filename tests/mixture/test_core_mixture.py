"""Everything asked of a mixture, against a plain sum over its leaves."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from core_tables import Table, grow_and_fit, grow_options, leaf_options, make_table, tables
from hypothesis import given
from hypothesis import strategies as st
from reference_leaves import ReferenceMixture
from reference_trees import bins_of_points
from scipy.integrate import quad
from scipy.stats import chisquare

from boxwood import _core
from properties import examples

KINDS = ("uniform", "histogram", "gaussian")


def fit_several(table: Table, kind: str, n_trees: int = 3) -> tuple[Any, dict[str, Any], np.ndarray]:
    """Trees on parts of the rows, as one mixture with unequal weights; their bin edges are the table's."""
    rng = np.random.default_rng(0)
    flats = []
    for t in range(n_trees):
        part = table.rows(rng.random(len(table.bins)) < 0.7)
        options = grow_options(max_depth=3, max_features=1, seed=t)
        flats.append(grow_and_fit(part, options, leaf_options(kind, n_leaf_bins=5, deviation_floor=0.3))[1])
    weights = np.arange(1.0, n_trees + 1.0)
    return table.columns, join(flats), weights / weights.sum()


def join(flats: list[dict[str, Any]]) -> dict[str, Any]:
    joined = dict(flats[0])
    for name, value in flats[0].items():
        if isinstance(value, np.ndarray) and not name.endswith("_start"):
            joined[name] = np.concatenate([flat[name] for flat in flats])
    for name in ("node_start", "set_start"):
        lengths = [int(flat[name][-1]) for flat in flats]
        joined[name] = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return joined


def make_both(table: Table, kind: str) -> tuple[_core.Mixture, ReferenceMixture]:
    parts = fit_several(table, kind)
    return _core.make_mixture(*parts), ReferenceMixture(*parts)


@pytest.mark.parametrize("kind", KINDS)
@given(table=tables(exact=False), seed=st.integers(0, 2**32 - 1))
@examples(25)
def test_the_density_is_the_sum_over_leaves(kind: str, table: Table, seed: int) -> None:
    fast, reference = make_both(table, kind)
    rng = np.random.default_rng(seed)
    points = rng.random((30, len(table.columns)))
    points[0], points[1] = 0.0, 1.0
    points[2] = [u[rng.integers(len(u))] for u, _ in table.columns]
    np.testing.assert_allclose(
        fast.log_density(points), np.log(reference.density(points)), rtol=1e-9, atol=1e-9
    )


@pytest.mark.parametrize("kind", KINDS)
@given(table=tables(exact=False), seed=st.integers(0, 2**32 - 1))
@examples(25)
def test_columns_that_are_nan_are_summed_out(kind: str, table: Table, seed: int) -> None:
    fast, reference = make_both(table, kind)
    rng = np.random.default_rng(seed)
    points = rng.random((30, len(table.columns)))
    points[rng.random(points.shape) < 0.5] = np.nan
    points[0] = np.nan
    log_density = fast.log_density(points)
    np.testing.assert_allclose(log_density, np.log(reference.density(points)), rtol=1e-9, atol=1e-9)
    assert log_density[0] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_summing_out_is_the_integral_over_the_column(kind: str) -> None:
    table = make_table(1, 60, 2, 1, n_bins=6)
    fast = _core.make_mixture(*fit_several(table, kind))
    for column in range(3):
        point = np.array([0.3, 0.7, 0.4])

        def density(x: float, column: int = column, point: np.ndarray = point) -> float:
            moved = point.copy()
            moved[column] = x
            return float(np.exp(fast.log_density(moved[None, :])[0]))

        u = table.columns[column][0]
        integral = sum(quad(density, a, np.nextafter(b, 0.0), epsabs=1e-12)[0] for a, b in pairwise(u))
        unknown = point.copy()
        unknown[column] = np.nan
        assert np.exp(fast.log_density(unknown[None, :])[0]) == pytest.approx(integral, rel=1e-8)


@pytest.mark.parametrize("kind", KINDS)
@given(table=tables(exact=False), seed=st.integers(0, 2**32 - 1))
@examples(25)
def test_probabilities_of_events_are_sums_over_leaves(kind: str, table: Table, seed: int) -> None:
    fast, reference = make_both(table, kind)
    rng = np.random.default_rng(seed)
    for _ in range(10):
        events: list[Any] = []
        for u, _ in table.columns:
            kind_of_event = rng.integers(4)
            if kind_of_event == 0:
                events.append(None)
            elif kind_of_event == 1:
                events.append(rng.random(len(u) - 1) < 0.5)
            else:
                events.append(tuple(np.sort(rng.random(2))))
        assert fast.probability(events) == pytest.approx(reference.probability(events), rel=1e-9, abs=1e-12)
    d = len(table.columns)
    assert fast.probability([None] * d) == pytest.approx(1.0, abs=1e-12)
    assert fast.probability([(0.0, 1.0)] * d) == pytest.approx(1.0, abs=1e-12)
    assert fast.probability([(0.8, 0.2)] * d) == 0.0
    assert fast.probability([(0.5, 0.5)] * d) == 0.0


@pytest.mark.parametrize("kind", KINDS)
@given(table=tables(exact=False))
@examples(25)
def test_marginals_are_the_probabilities_of_the_bins(kind: str, table: Table) -> None:
    fast, reference = make_both(table, kind)
    for j, (u, _) in enumerate(table.columns):
        marginal = fast.marginal(j)
        assert marginal.sum() == pytest.approx(1.0, abs=1e-12)
        for c in range(len(u) - 1):
            events: list[Any] = [None] * len(table.columns)
            events[j] = np.arange(len(u) - 1) == c
            assert marginal[c] == pytest.approx(reference.probability(events), rel=1e-9, abs=1e-13)


@given(table=tables(exact=False), seed=st.integers(0, 2**32 - 1))
@examples(25)
def test_apply_gives_the_leaf_whose_box_holds_the_point(table: Table, seed: int) -> None:
    fast, reference = make_both(table, "uniform")
    points = np.random.default_rng(seed).random((40, len(table.columns)))
    assert np.array_equal(fast.apply(points), reference.apply(points))


@pytest.mark.parametrize("kind", KINDS)
def test_samples_have_the_frequencies_of_the_mixture(kind: str) -> None:
    table = make_table(7, 80, 2, 1, n_bins=8)
    fast, reference = make_both(table, kind)
    n = 20_000
    points = fast.sample(n, 5)
    assert ((points >= 0.0) & (points <= 1.0)).all()
    bins = bins_of_points(table.columns, points)
    for j in range(3):
        counts = np.bincount(bins[:, j], minlength=len(table.columns[j][0]) - 1)
        assert chisquare(counts, n * fast.marginal(j)).pvalue > 1e-4
    # Pairs of columns, inside bins too.
    edges = [0.0, 0.13, 0.4, 0.77, 1.0]
    observed, expected = [], []
    for a, b in pairwise(edges):
        for c, d in pairwise(edges):
            inside = (points[:, 0] >= a) & (points[:, 0] < b) & (points[:, 1] >= c) & (points[:, 1] < d)
            observed.append(inside.sum())
            expected.append(n * reference.probability([(a, b), (c, d), None]))
    assert chisquare(observed, np.array(expected) * sum(observed) / sum(expected)).pvalue > 1e-4


def test_a_row_of_a_sample_depends_on_its_number_and_the_seed_alone() -> None:
    table = make_table(7, 80, 2, 1)
    fast = _core.make_mixture(*fit_several(table, "histogram"))
    long = fast.sample(100, 3)
    assert np.array_equal(fast.sample(10, 3), long[:10])
    assert not np.array_equal(fast.sample(10, 4), long[:10])
    assert fast.sample(0, 3).shape == (0, 3)


def test_samples_of_categories_stay_in_their_sets() -> None:
    """The end of a category's interval belongs to the next one."""
    table = make_table(3, 60, 0, 2, n_categories=5)
    parts = fit_several(table, "histogram")
    fast, reference = _core.make_mixture(*parts), ReferenceMixture(*parts)
    points = fast.sample(5000, 1)
    assert (reference.density(points) > 0.0).all()


@pytest.mark.parametrize("kind", KINDS)
def test_the_number_of_threads_leaves_no_trace(kind: str) -> None:
    table = make_table(7, 80, 3, 1)
    fast = _core.make_mixture(*fit_several(table, kind))
    points = np.random.default_rng(0).random((3000, 4))
    points[::7, 1] = np.nan
    one = fast.log_density(points, 1)
    for n_threads in (2, 3, 16):
        assert np.array_equal(one, fast.log_density(points, n_threads))
    assert np.array_equal(one[1000:1100], fast.log_density(points[1000:1100]))
    assert fast.log_density(points[:0]).shape == (0,)


def test_densities_far_apart_do_not_underflow() -> None:
    """500 columns: each tree's density is far beyond the range of a double."""
    d, u = 500, np.array([0.0, 1e-3, 1.0])
    flat = single_leaves(d, [np.array([255, 0] * d), np.array([0, 255] * d)])
    mixture = _core.make_mixture([(u, False)] * d, flat, np.array([0.5, 0.5]))
    points = np.vstack([np.full(d, 0.5e-3), np.full(d, 0.5)])
    wide = 2.0 ** (-255.0 / 16.0)
    per_column = [1.0 / (1e-3 + wide * (1.0 - 1e-3)), 1.0 / (wide * 1e-3 + (1.0 - 1e-3))]
    expected = d * np.log(per_column) + np.log(0.5)
    np.testing.assert_allclose(mixture.log_density(points), expected, rtol=1e-12)
    points[:, 0] = np.nan
    np.testing.assert_allclose(mixture.log_density(points), expected - np.log(per_column), rtol=1e-12)


def test_gaussians_far_from_a_point_do_not_underflow() -> None:
    table = make_table(2, 40, 2, 0)
    table.points[:] = 0.25 + 1e-3 * table.points
    table.bins[:] = np.column_stack([_core.find_bins(c, table.points[:, 0]) for c in table.columns])
    _, flat = grow_and_fit(table, grow_options(max_depth=0), leaf_options("gaussian"))
    mixture = _core.make_mixture(table.columns, flat, np.ones(1))
    both, one = mixture.log_density(np.array([[0.99, 0.99], [0.99, np.nan]]))
    assert np.isfinite([both, one]).all()
    assert both == pytest.approx(2.0 * one, rel=0.5)


def single_leaves(d: int, levels: list[np.ndarray]) -> dict[str, Any]:
    """Trees of one leaf each, with two bins a column."""
    n = len(levels)
    return {
        "node_start": np.arange(n + 1, dtype=np.int64),
        "set_start": np.zeros(n + 1, dtype=np.int64),
        "feature": np.full(n, -1, dtype=np.int32),
        "left": np.zeros(n, dtype=np.uint32),
        "cut": np.zeros(n, dtype=np.uint32),
        "mass": np.ones(n),
        "count": np.ones(n),
        "sets": np.zeros(0, dtype=np.uint64),
        "words_per_set": 0,
        "leaf_kind": "histogram",
        "n_bins": 2,
        "levels": np.concatenate(levels).astype(np.uint8),
        "mean": np.zeros(0, dtype=np.float32),
        "deviation": np.zeros(0, dtype=np.float32),
    }


def test_points_with_too_few_columns_and_odd_events_are_refused() -> None:
    table = make_table(7, 30, 2, 1)
    fast = _core.make_mixture(*fit_several(table, "uniform"))
    with pytest.raises(ValueError, match="columns"):
        fast.log_density(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="columns"):
        fast.apply(np.zeros((3, 4)))
    with pytest.raises(ValueError, match="event"):
        fast.probability([None, None])
    with pytest.raises(ValueError, match="flag"):
        fast.probability([None, None, np.array([True])])
    with pytest.raises(ValueError, match="NaN"):
        fast.probability([(np.nan, 0.5), None, None])
    with pytest.raises(ValueError, match="column"):
        fast.marginal(3)
