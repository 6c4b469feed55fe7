"""Splits by Gaussian entropy: bounds and lanes find what trying everything finds."""

from __future__ import annotations

import numpy as np
import pytest
from core_tables import Table, grow_and_fit, grow_options, make_bin_edges
from hypothesis import given
from hypothesis import strategies as st
from reference_growth import best_split, cut_of, whole_region
from reference_trees import walk_trees

from boxwood import _core
from properties import examples


def clustered_table(seed: int, n_rows: int, n_columns: int, exact: bool, weighted: bool) -> Table:
    """Rows around three centres, with more of them than the candidates that are evaluated at once."""
    rng = np.random.default_rng(seed)
    centres = rng.uniform(0.2, 0.8, (3, n_columns))
    points = centres[rng.integers(0, 3, n_rows)] + 0.06 * rng.normal(size=(n_rows, n_columns))
    points = np.clip(points, 0.0, 1.0 - 1e-9)
    edges = [np.array([0.0, 1.0]) if exact else make_bin_edges(rng, 300) for _ in range(n_columns)]
    columns = [(edge, False) for edge in edges]
    bins = np.column_stack([_core.find_bins(c, points[:, j]) for j, c in enumerate(columns)])
    weights = rng.integers(1, 4, n_rows).astype(float) if weighted else np.ones(n_rows)
    return Table(columns, np.ascontiguousarray(bins), points, weights, exact)


@given(
    seed=st.integers(0, 2**32 - 1),
    n_rows=st.integers(40, 220),
    n_columns=st.integers(1, 4),
    exact=st.booleans(),
    weighted=st.booleans(),
    least=st.sampled_from([1.0, 2.0, 15.0]),
)
@examples(30)
def test_candidates_that_bounds_skip_are_not_the_best(
    seed: int, n_rows: int, n_columns: int, exact: bool, weighted: bool, least: float
) -> None:
    table = clustered_table(seed, n_rows, n_columns, exact, weighted)
    options = grow_options("gaussian_entropy", max_depth=1, min_samples_leaf=least)
    grown, flat = grow_and_fit(table, options)
    best = best_split("gaussian_entropy", table, whole_region(table), 0, options)
    (nodes,) = walk_trees(flat, grown.columns())
    cut = cut_of(table, grown.columns(), nodes[0])
    assert grown.gains()[0] == pytest.approx(best.gain, abs=1e-9)
    assert best.gain_of(nodes[0].feature, cut) == pytest.approx(best.gain, abs=1e-9)


@pytest.mark.parametrize("exact", [False, True])
@given(seed=st.integers(0, 2**32 - 1), n_rows=st.integers(40, 150))
@examples(15)
def test_a_weight_is_a_number_of_rows(exact: bool, seed: int, n_rows: int) -> None:
    table = clustered_table(seed, n_rows, 3, exact, weighted=True)
    repeated = table.rows(np.repeat(np.arange(n_rows), table.weights.astype(int)))
    repeated.weights[:] = 1.0
    options = grow_options("gaussian_entropy", max_depth=2, min_samples_leaf=4.0)
    (once, of_once), (often, of_often) = grow_and_fit(table, options), grow_and_fit(repeated, options)
    np.testing.assert_array_equal(once.features(), often.features())
    np.testing.assert_allclose(once.gains(), often.gains(), rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(of_once["count"], of_often["count"])


def test_a_cut_through_an_empty_stretch_keeps_away_from_both_sides() -> None:
    columns = [(np.linspace(0.0, 1.0, 101), False)]
    points = np.concatenate([np.linspace(0.1, 0.2, 30), np.linspace(0.8, 0.9, 30)])[:, None]
    bins = _core.find_bins(columns[0], points[:, 0])[:, None]
    table = Table(columns, np.ascontiguousarray(bins), points, np.ones(60), exact=False)
    grown, flat = grow_and_fit(table, grow_options("gaussian_entropy", max_depth=1))
    (nodes,) = walk_trees(flat, grown.columns())
    cut = nodes[0].left_bins[-1] + 1
    assert 40 <= cut <= 60
