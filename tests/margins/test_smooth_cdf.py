"""The native smooth CDF against its reference implementation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from reference_smooth_cdf import reference_smooth_cdf

from boxwood import _core
from properties import examples


def native(rows: NDArray[np.float64], max_bin_edges: int = 1024) -> _core.PiecewiseCdf:
    low, high, count = _core.count_cells(rows).cells()
    none = np.empty(0)
    return _core.fit_smooth_cdf(
        low, high, count.astype(np.float64), 1.0, none, none, none, max_bin_edges=max_bin_edges
    )


def check_twins(rows: NDArray[np.float64], max_bin_edges: int = 1024) -> None:
    fast, reference = native(rows, max_bin_edges), reference_smooth_cdf(rows.tolist(), max_bin_edges)
    np.testing.assert_allclose(fast.x, reference.x, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(fast.mass, reference.mass, rtol=1e-9)
    mean = fast.mass / np.diff(fast.x)
    np.testing.assert_allclose(
        np.c_[fast.shape_left, fast.shape_right] * mean[:, None], reference.slopes, rtol=1e-8
    )
    tails = (fast.left_mass, fast.left_rate, fast.right_mass, fast.right_rate)
    np.testing.assert_allclose(tails, reference.tails, rtol=1e-9)


@pytest.mark.parametrize("n", [2, 3, 7, 30, 400])
@pytest.mark.parametrize("law", ["normal", "standard_cauchy", "random", "standard_exponential"])
def test_twins_agree_on_smooth_laws(law: str, n: int) -> None:
    check_twins(getattr(np.random.default_rng(n), law)(size=n))


@pytest.mark.parametrize("n", [5, 60, 500])
def test_twins_agree_on_ties(n: int) -> None:
    check_twins(np.round(np.random.default_rng(n).normal(size=n), 1))


@pytest.mark.parametrize("max_bin_edges", [8, 16, 64])
def test_twins_agree_on_the_knots_that_are_kept(max_bin_edges: int) -> None:
    check_twins(np.random.default_rng(1).normal(size=300), max_bin_edges)


@examples(40)
@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=80).filter(lambda v: len(set(v)) > 1))
def test_twins_agree_on_any_column(values: list[int]) -> None:
    check_twins(np.array(values) / 8.0)


@pytest.mark.parametrize("law", ["normal", "standard_exponential", "standard_t"])
@pytest.mark.parametrize("n", [1000, 5000])
def test_the_density_does_not_follow_the_gaps_between_single_rows(law: str, n: int) -> None:
    """Such a density drew a grid of lines over pictures: it was 0.06 to 0.09 nats from its own mean."""
    rng = np.random.default_rng(0)
    rows = rng.standard_t(3, n) if law == "standard_t" else getattr(rng, law)(size=n)
    at = np.quantile(rows, np.linspace(0.1, 0.9, 2000))
    logs = native(rows).log_density(at)
    means = np.convolve(np.pad(logs, 50, "edge"), np.full(101, 1 / 101), "valid")
    assert np.sqrt(np.mean((logs - means) ** 2)) < 0.05


def test_a_comb_keeps_its_teeth() -> None:
    rng = np.random.default_rng(0)
    rows, new = (rng.integers(0, 100, 5000) + rng.normal(scale=0.05, size=5000) for _ in range(2))
    truth = -np.log(100 * 0.05 * np.sqrt(2 * np.pi)) - 0.5
    assert native(rows).log_density(new).mean() > truth - 0.1
