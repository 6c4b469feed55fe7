"""Margins of numeric columns: monotone, invertible, of mass 1, finite, for malformed columns too."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from margin_strategies import fitted, integers, numbers, table_of
from numpy.typing import NDArray

import boxwood as bw
from boxwood.margins import NumberMargin, fit_margins
from properties import examples

KINDS = st.sampled_from(["smooth", "linear"])
EPS = 2.0**-52


def encode(margin: NumberMargin, values: NDArray[np.float64]) -> NDArray[np.float64]:
    u = np.empty(len(values))
    margin.encode(np.asarray(values, dtype=np.float64), u)
    return u


def probes(margin: NumberMargin) -> NDArray[np.float64]:
    """Return knots, their neighbours, what lies between them and what lies beyond."""
    x = margin.x
    span = min(float(x[-1] - x[0]), 1e300)
    beyond = np.array([x[0] - 0.01 * span, x[0] - span, x[-1] + 0.01 * span, x[-1] + span])
    inner = np.concatenate([x[:-1] + f * np.diff(x) for f in (0.01, 0.3, 0.9)])
    near = np.concatenate([np.nextafter(x, -np.inf), np.nextafter(x, np.inf)])
    return np.unique(np.concatenate([x, beyond, inner, near]))


MALFORMED = [
    [0.0],
    [-0.0, 0.0],
    [3.5] * 2,
    [3.5] * 50,
    [0.0, 5e-324],
    [5e-324, 1e-323, 1.5e-323],
    [-5e-324, 0.0, 5e-324] * 20,
    [1e-310, 2e-310, 1.0],
    [2.0**996, -(2.0**996)],
    [2.0**996] * 3,
    [1.0, 1.0 + EPS],
    [1.0, 1.0 + EPS, 1.0 + 2 * EPS] * 30,
    [1e9 - 1, 1e9, 1e9 + 1],
    [*([0.0] * 30), *np.linspace(5, 6, 40)],
    [*([9.0] * 30), *np.linspace(5, 6, 40)],
    [*([5.0] * 30), *([5.0 + 5 * EPS] * 30), *np.linspace(4, 6, 40)],
]


@pytest.mark.parametrize("kind", ["smooth", "linear"])
@pytest.mark.parametrize("values", MALFORMED, ids=lambda values: f"{len(values)}x{values[0]:g}")
def test_malformed_columns_get_a_margin(values: list[float], kind: str) -> None:
    margin = fitted(np.array(values), kind)
    check_margin(margin, np.array(values))


@examples(300)
@given(numbers(), KINDS)
def test_any_column_gets_a_margin(values: NDArray[np.float64], kind: str) -> None:
    check_margin(fitted(values, kind), values)


def check_margin(margin: NumberMargin, values: NDArray[np.float64]) -> None:
    if margin.lattice is not None:
        check_total_mass(margin)
        check_points(margin, values)
        return
    check_monotone_within_bounds(margin)
    check_total_mass(margin)
    check_inverse(margin)
    logs = margin.log_derivative(values)
    assert np.isfinite(logs).all()
    if margin.tails[0] and margin.tails[2]:
        assert np.isfinite(margin.log_derivative(probes(margin))).all()


def check_monotone_within_bounds(margin: NumberMargin) -> None:
    u = encode(margin, probes(margin))
    assert np.diff(u).min() >= -2 * EPS
    assert u.min() >= 0.0
    assert u.max() < 1.0


def check_total_mass(margin: NumberMargin) -> None:
    assert margin.mass.sum() + margin.tails[0] + margin.tails[2] + margin.missing_mass == pytest.approx(
        1.0, abs=1e-12
    )
    assert np.log(margin.cdf.total) == pytest.approx(margin.cdf.log_mass_between(-np.inf, np.inf), abs=1e-12)


def check_inverse(margin: NumberMargin) -> None:
    """Check u → x → u: as exact as the doubles next to x allow, and the same interval for atoms."""
    cdf = margin.cdf
    inner = 0.5 * (cdf.u[:-1] + cdf.u[1:])
    u = np.clip(np.concatenate([np.linspace(1e-9, 1 - 1e-9, 101), inner]), 1e-12, cdf.total * (1 - 1e-12))
    x = margin.decode(u)
    below = encode(margin, np.nextafter(x, -np.inf))
    above = encode(margin, np.nextafter(x, np.inf))
    again = encode(margin, x)
    is_atom = np.isin(x, margin.atoms)
    slack = 1e-9 * (1.0 - u) + 16 * EPS  # beyond the last knot 1 − u is a difference
    assert (again[~is_atom] >= below[~is_atom] - slack[~is_atom]).all()
    assert (u[~is_atom] >= below[~is_atom] - slack[~is_atom]).all()
    assert (u[~is_atom] <= above[~is_atom] + slack[~is_atom]).all()
    assert (margin.decode(again)[is_atom] == x[is_atom]).all()


def check_points(margin: NumberMargin, values: NDArray[np.float64]) -> None:
    """Check that values of a lattice have a probability, and come back from their places."""
    assert np.isfinite(margin.log_derivative(values)).all()
    u = encode(margin, values)
    assert (np.diff(u[np.argsort(values)]) >= 0.0).all()
    wide = np.exp(margin.log_derivative(values)) > 1e-12
    lattice = margin.lattice
    assert lattice is not None
    assert lattice.holds(values).all()
    assert (lattice.places(margin.decode(u)) == lattice.places(values))[wide].all()
    drawn = margin.decode(np.linspace(0.01, 0.99, 101) * margin.cdf.total)
    assert lattice.holds(drawn).all()


@examples(100)
@given(st.integers(0, 2**32 - 1), st.sampled_from([2, 20, 300]), KINDS)
def test_encode_of_decode_is_the_identity(seed: int, n: int, kind: str) -> None:
    margin = fitted(np.random.default_rng(seed).normal(size=n), kind)
    u = np.linspace(1e-6, 1 - 1e-6, 1001)
    np.testing.assert_allclose(encode(margin, margin.decode(u)), u, rtol=0, atol=1e-13)


@examples(50)
@given(st.integers(0, 2**32 - 1), st.sampled_from([2, 20, 300]), KINDS)
def test_the_log_derivative_is_the_derivative(seed: int, n: int, kind: str) -> None:
    margin = fitted(np.random.default_rng(seed).normal(size=n), kind)
    x = margin.decode(np.linspace(0.001, 0.999, 501))
    step = 1e-6 * np.diff(margin.x)[np.clip(np.searchsorted(margin.x, x) - 1, 0, len(margin.mass) - 1)]
    slope = (encode(margin, x + step) - encode(margin, x - step)) / (2 * step)
    np.testing.assert_allclose(np.exp(margin.log_derivative(x)), slope, rtol=1e-4)


@examples(100)
@given(numbers(), KINDS)
def test_the_density_integrates_to_the_mass_of_each_piece(values: NDArray[np.float64], kind: str) -> None:
    margin = fitted(values, kind)
    assume(margin.lattice is None)
    width = np.diff(margin.x)
    nodes, weights = np.polynomial.legendre.leggauss(3)  # exact for the quadratic density
    at = margin.x[:-1, None] + width[:, None] * (0.5 + 0.5 * nodes)
    wide = width > 1e3 * np.spacing(np.abs(margin.x).max())  # else x is too coarse to integrate over
    logs = margin.log_derivative(at[wide].ravel()).reshape(-1, 3) + np.log(width[wide, None])
    mass = (np.exp(logs) * weights / 2).sum(axis=1)
    np.testing.assert_allclose(mass, margin.mass[wide], rtol=1e-2, atol=1e-290)
    for i in np.flatnonzero(wide)[:20]:
        low, high = margin.x[i], margin.x[i + 1]
        atom = margin.mass[i - 1] if i and margin.x[i - 1] == low else 0.0
        assert np.exp(margin.cdf.log_mass_between(low, high)) == pytest.approx(
            margin.mass[i] + atom, rel=1e-9
        )


@examples(100)
@given(numbers(max_size=20), st.floats(0, 1), st.floats(0, 1))
def test_mass_between_is_the_difference_of_encodings(values: NDArray[np.float64], a: float, b: float) -> None:
    cdf = fitted(values).cdf
    low, high = sorted(cdf.decode(np.array([a, b])).tolist())
    difference = cdf.below(high) - cdf.below(low)
    assert np.exp(cdf.log_mass_between(low, high)) == pytest.approx(difference, abs=1e-12, rel=1e-9)


@pytest.mark.parametrize("n", [1, 2, 10, 1000])
def test_moments_are_finite_and_near_those_of_many_rows(n: int) -> None:
    rows = np.random.default_rng(n).normal(size=n)
    margin = fitted(rows)
    u = (np.arange(200_000) + 0.5) / 200_000
    sample = margin.decode(u)
    assert np.isfinite(sample).all()
    if n == 1000:
        assert sample.mean() == pytest.approx(rows.mean(), abs=0.02)
        assert sample.std() == pytest.approx(rows.std(), rel=0.1)


@pytest.mark.parametrize("kind", ["smooth", "linear"])
def test_the_ends_of_the_unit_interval_decode_to_finite_values(kind: str) -> None:
    margin = fitted(np.array([1.0, 2.0, 4.0]), kind)
    assert np.isfinite(margin.decode(np.array([0.0, 1.0, -1.0, 2.0]))).all()


def test_far_values_have_a_density_but_no_infinite_logarithm() -> None:
    margin = fitted(np.random.default_rng(0).normal(size=100))
    far = np.array([-1e6, 1e6, -1e300, 1e300])
    assert np.isfinite(margin.log_derivative(far)).all()
    assert (encode(margin, far) >= 0).all()
    assert (encode(margin, far) < 1).all()


def test_outside_a_linear_margin_there_is_nothing() -> None:
    margin = fitted(np.array([0.0, 1.0, 3.0]), "linear")
    assert (margin.log_derivative(np.array([-5.0, 9.0])) == -np.inf).all()
    assert encode(margin, np.array([-5.0])) == [0.0]
    assert margin.log_derivative(np.array([0.0, 3.0])) == pytest.approx(np.log(1 / 4.5))


# ---- missing ------------------------------------------------------------------------------------------


@examples(100)
@given(numbers(max_size=20), st.integers(1, 30), KINDS)
def test_missing_values_have_the_top_interval(values: NDArray[np.float64], gone: int, kind: str) -> None:
    column = np.append(values, np.full(gone, np.nan))
    margin = fitted(column, kind)
    u = encode(margin, column)
    assert margin.missing_mass == pytest.approx(gone / len(column))
    assert (u[len(values) :] == u[-1]).all()
    assert (u[: len(values)] < margin.cdf.total).all()
    assert u[-1] == pytest.approx(1 - margin.missing_mass / 2)
    assert np.isnan(margin.decode(u)).tolist() == np.isnan(column).tolist()
    assert np.any(np.abs(margin.knots - margin.cdf.total) < 1e-15)


@pytest.mark.parametrize("kind", ["smooth", "linear"])
def test_a_column_without_values_keeps_half_a_row_for_them(kind: str) -> None:
    margin = fitted(np.full(3, np.nan), kind)
    assert margin.missing_mass == pytest.approx(3 / 3.5)
    assert np.isfinite(margin.log_derivative(np.zeros(1))).all()
    check_total_mass(margin)


def test_missing_is_nan_where_none_was_fitted() -> None:
    margin = fitted(np.array([1.0, 2.0]))
    assert np.isnan(encode(margin, np.array([np.nan]))).all()


# ---- integers ------------------------------------------------------------------------------------


@examples(200)
@given(integers(), KINDS)
@example(np.array([2.0**53, 2.0**53 - 1, 2.0**52, 2.0**52 + 1]), "smooth")
@example(np.array([-(2.0**53), 2.0**53]), "linear")
@example(np.array([7.0]), "smooth")
@example(np.full(40, 7.0), "linear")
def test_whole_numbers_come_back(values: NDArray[np.float64], kind: str) -> None:
    margin = fitted(values, kind, integer=True)
    assert np.isfinite(margin.log_derivative(values)).all()
    u = encode(margin, values)
    assert (u >= 0).all()
    assert (u < 1).all()
    wide = np.exp(margin.log_derivative(values)) > 1e-12
    assert (margin.decode(u)[wide] == values[wide]).all()
    order = np.argsort(values)
    assert (np.diff(u[order]) >= 0).all()
    drawn = margin.decode(np.linspace(0, 1, 1001))
    assert (drawn == np.floor(drawn)).all()
    if kind == "linear":
        half = np.abs(values[0]) + 2 if values.min() == values.max() else 0
        assert drawn.min() >= values.min() - half
        assert drawn.max() <= values.max() + half


@pytest.mark.parametrize("offset", [0, 2**52 - 3, 2**53 - 9, -(2**52) - 3, -(2**53)])
def test_probabilities_of_whole_numbers_sum_to_one(offset: int) -> None:
    values = offset + np.array([0, 1, 1, 2, 3, 3, 3, 8], dtype=np.int64)
    margin = fitted(values, integer=True)
    total = np.exp(margin.log_derivative(np.arange(offset - 400, offset + 400).astype(np.float64)))
    if abs(offset) < 2**52 - 1000:
        assert total.sum() == pytest.approx(1.0, abs=1e-6)
    else:
        assert total.sum() <= 2.0  # beyond 2**53 every other number is no double, and counts twice


def test_what_is_not_whole_has_no_probability() -> None:
    margin = fitted(np.array([1, 2, 2, 9]), integer=True)
    assert margin.log_derivative(np.array([1.5])) == [-np.inf]


def test_narrow_intervals_of_wide_pieces_keep_their_digits() -> None:
    margin = fitted(np.array([0, 2**50]), "linear", integer=True)
    assert margin.log_derivative(np.array([2.0**49])) == pytest.approx(-np.log(2.0**50 + 1), rel=1e-12)


def test_knots_of_whole_numbers_lie_between_them() -> None:
    values = np.random.default_rng(0).poisson(30, 500)
    margin = fitted(values, integer=True)
    at = margin.cdf.decode(margin.knots[2:-2])
    np.testing.assert_allclose(at % 1.0, 0.5, atol=1e-6)
    assert len(margin.knots) <= 1026


@pytest.mark.parametrize("n", [5, 100, 5000])
def test_knots_are_where_pieces_meet(n: int) -> None:
    margin = fitted(np.random.default_rng(n).normal(size=n))
    assert margin.knots.tolist() == [0.0, *margin.cdf.u.tolist(), 1.0]
    assert len(margin.knots) <= 1025


# ---- files and copies ---------------------------------------------------------------------------------


def test_a_pickled_margin_gives_the_same_bytes() -> None:
    values = np.random.default_rng(0).normal(size=200)
    margins = fit_margins(bw.read_columns(values[:, None]))
    again = pickle.loads(pickle.dumps(margins))
    assert (again.encode(table_of(values)) == margins.encode(table_of(values))).all()
