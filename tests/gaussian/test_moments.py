"""Moments against numpy, and the laws that merging must keep."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from boxwood.gaussian.moments import Moments

tables = arrays(np.float64, st.tuples(st.integers(1, 12), st.just(2)), elements=st.floats(-1e3, 1e3))


def assert_close(one: Moments, two: Moments, rtol=1e-10, atol=1e-9):
    assert one.weight == pytest.approx(two.weight, rel=1e-12)
    np.testing.assert_allclose(one.mean, two.mean, rtol=rtol, atol=atol)
    np.testing.assert_allclose(one.covariance, two.covariance, rtol=rtol, atol=atol)


@pytest.mark.parametrize("n", [1, 2, 4095, 4096, 4097, 10_000])
def test_moments_are_numpy_s(n):
    X = np.random.default_rng(n).normal(3.0, 2.0, size=(n, 3))
    w = np.random.default_rng(n).random(n) + 0.1
    assert_close(Moments.of_rows(X), Moments(n, X.mean(axis=0), np.cov(X.T, bias=True).reshape(3, 3)))
    expected = Moments(w.sum(), np.average(X, axis=0, weights=w), np.cov(X.T, aweights=w, ddof=0))
    assert_close(Moments.of_rows(X, w), expected)


@given(tables, tables)
def test_merged_parts_are_the_whole(one, two):
    merged = Moments.of_rows(one).merge(Moments.of_rows(two))
    assert_close(merged, Moments.of_rows(np.vstack([one, two])))


@given(tables, st.data())
def test_weights_are_repetitions(X, data):
    weights = data.draw(st.lists(st.integers(1, 5), min_size=len(X), max_size=len(X)))
    weighted = Moments.of_rows(X, np.array(weights, dtype=float))
    assert_close(weighted, Moments.of_rows(np.repeat(X, weights, axis=0)))


@given(tables, st.randoms())
def test_order_does_not_matter(X, random):
    order = list(range(len(X)))
    random.shuffle(order)
    assert_close(Moments.of_rows(X[order]), Moments.of_rows(X))


@given(tables)
def test_the_covariance_is_symmetric_to_the_bit(X):
    covariance = Moments.of_rows(X).covariance
    np.testing.assert_array_equal(covariance, covariance.T)
    assert (covariance.diagonal() >= 0.0).all()


def test_nothing_merges_as_nothing():
    X = np.random.default_rng(0).normal(size=(5, 2))
    nothing, some = Moments.of_rows(X[:0]), Moments.of_rows(X)
    assert nothing.merge(some) is some
    assert some.merge(nothing) is some
    assert nothing.weight == 0.0


@pytest.mark.parametrize("n", [3, 5000, 20_000])
def test_far_from_zero_every_digit_counts(n):
    X = np.round(np.random.default_rng(0).normal(size=(n, 1)), 3) + 1e9
    exact = [Fraction(x) for x in X[:, 0].tolist()]
    mean = sum(exact) / n
    variance = sum((x - mean) ** 2 for x in exact) / n
    moments = Moments.of_rows(X)
    assert float(Fraction(moments.mean[0]) - mean) == pytest.approx(0.0, abs=3e-7)
    assert moments.covariance[0, 0] == pytest.approx(float(variance), rel=1e-9)


@pytest.mark.parametrize("weight", [1e-300, 1.0, 1e300])
def test_large_numbers_and_weights_do_not_overflow(weight):
    X = np.tile([[1e150], [-1e150]], (5000, 1))
    moments = Moments.of_rows(X, np.full(10_000, weight))
    assert moments.covariance[0, 0] == pytest.approx(1e300, rel=1e-9)
    assert moments.weight == pytest.approx(weight * 1e4)
