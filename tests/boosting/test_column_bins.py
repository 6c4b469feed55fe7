"""Bins of points and of intervals, beside a loop over rows and bins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.boosting.ratio.column_bins import ColumnBins
from boxwood.boosting.ratio.raking import EDGES
from properties import examples


def reference_fractions(lower, width):
    """Return how much of a value lies in each bin."""
    if width == 0.0:
        return [float(EDGES[b] <= lower and (lower < EDGES[b + 1] or b == len(EDGES) - 2)) for b in bins()]
    inside = [max(0.0, min(lower + width, EDGES[b + 1]) - max(lower, EDGES[b])) for b in bins()]
    return [part / sum(inside) for part in inside]


def bins():
    return range(len(EDGES) - 1)


@examples(40)
@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.5, 1.0]))
def test_fractions_factors_and_counts_are_those_of_a_loop(seed, fraction):
    rng = np.random.default_rng(seed)
    n = 30
    kinds = rng.integers(0, 4, n)  # of four intervals
    lower = np.where(rng.random(n) < fraction, np.array([0.0, 0.02, 0.3, 0.7])[kinds], rng.random(n))
    width = np.where(np.isin(lower, [0.0, 0.02, 0.3, 0.7]), np.array([0.02, 0.28, 0.4, 0.3])[kinds], 0.0)
    found = ColumnBins.of_intervals(lower, width, EDGES)
    wanted = np.array([reference_fractions(*of) for of in zip(lower, width, strict=True)])
    np.testing.assert_allclose(found.by_row(len(EDGES) - 1), wanted, atol=1e-12)
    factors, weights = rng.uniform(0.2, 2.0, len(EDGES) - 1), rng.uniform(0.5, 3.0, n)
    np.testing.assert_allclose(found.factors(factors), wanted @ factors, rtol=1e-12)
    divided = wanted * factors / (wanted @ factors)[:, None]
    np.testing.assert_allclose(found.counts(weights, factors), weights @ divided, rtol=1e-9, atol=1e-12)


def test_few_distinct_intervals_are_kept_once():
    lower = np.tile([0.0, 0.25, 0.5], 1000)
    found = ColumnBins.of_intervals(lower, np.full(3000, 0.25), EDGES)
    assert found.fractions.shape == (len(EDGES) - 1 + 3, len(EDGES) - 1)


def test_the_ends_of_the_cube_belong_to_the_outer_bins():
    found = ColumnBins.of_intervals(np.array([0.0, 1.0]), np.zeros(2), EDGES)
    assert found.of_row.tolist() == [0, len(EDGES) - 2]
    assert found.counts(np.ones(2), np.ones(len(EDGES) - 1)).sum() == pytest.approx(2.0)
