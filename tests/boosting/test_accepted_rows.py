"""Rejection sampling: what is accepted has the density of the product."""

import numpy as np
import pytest

import boxwood as bw
from boxwood.boosting.ratio import accepted_rows as module
from boxwood.boosting.ratio.accepted_rows import accepted_rows


def drawer(seed=0):
    rng = np.random.default_rng(seed)
    asked = []

    def draw(n):
        asked.append(n)
        return bw.read_columns(rng.random((n, 1)))

    return draw, asked


def log_linear(columns):
    """Return the logarithm of 2x, by which uniform draws get the density 2x."""
    return np.log(2.0 * columns.matrix()[:, 0])


def test_accepted_rows_have_the_density_of_the_product():
    draw, asked = drawer()
    rows = accepted_rows(draw, log_linear, np.log(2.0), 20_000, np.random.default_rng(1))
    assert rows.n_rows == 20_000
    assert sum(asked) < 50_000
    found = np.mean(rows.matrix()[:, 0] < 0.5)
    assert found == pytest.approx(0.25, abs=0.012)


@pytest.mark.parametrize("n_rows", [0, 1, 500])
def test_there_are_as_many_as_wanted(n_rows):
    draw, _ = drawer()
    assert accepted_rows(draw, log_linear, np.log(2.0), n_rows, np.random.default_rng(1)).n_rows == n_rows


def test_small_factors_under_evidence_are_taken_by_the_largest_seen():
    draw, asked = drawer()

    def tiny(columns):
        return log_linear(columns) - 12.0

    rows = accepted_rows(draw, tiny, np.log(2.0), 2_000, np.random.default_rng(1), by_largest=True)
    assert sum(asked) < 20_000
    assert np.mean(rows.matrix()[:, 0] < 0.5) == pytest.approx(0.25, abs=0.04)


def test_memory_is_bounded_where_few_are_accepted():
    draw, asked = drawer()
    rare = accepted_rows(
        draw,
        lambda rows: np.where(rows.matrix()[:, 0] < 1e-4, 0.0, -np.inf),
        0.0,
        20,
        np.random.default_rng(1),
    )
    assert rare.n_rows == 20
    assert max(asked) <= module.MOST_DRAWS
