"""Moments of classes against numpy, and the laws that merging must keep."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from boxwood.gaussian.class_moments import ColumnMoments, PooledMoments, moments_by_class
from properties import examples

tables = arrays(np.float64, st.tuples(st.integers(1, 12), st.just(2)), elements=st.floats(-1e3, 1e3))


def codes_of(X: np.ndarray, n_classes: int = 3, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, n_classes, len(X)).astype(np.uint32)


def reference_moments(X, codes, n_classes, weights=None):
    """Return weight, mean and covariance of each class, as the formulas say."""
    weights = np.ones(len(X)) if weights is None else weights
    found = []
    for k in range(n_classes):
        rows, w = X[codes == k], weights[codes == k]
        if len(rows) == 0:
            found.append((0.0, np.zeros(X.shape[1]), np.zeros((X.shape[1], X.shape[1]))))
            continue
        mean = np.average(rows, axis=0, weights=w)
        found.append((w.sum(), mean, (rows - mean).T @ ((rows - mean) * (w / w.sum())[:, None])))
    return found


def assert_columns_close(one: ColumnMoments, two: ColumnMoments):
    for name in ("class_weight", "weight", "mean", "variance"):
        np.testing.assert_allclose(getattr(one, name), getattr(two, name), rtol=1e-9, atol=1e-8, err_msg=name)


def assert_pooled_close(one: PooledMoments, two: PooledMoments):
    for name in ("weights", "means", "covariance"):
        np.testing.assert_allclose(getattr(one, name), getattr(two, name), rtol=1e-9, atol=1e-8, err_msg=name)


@pytest.mark.parametrize("n", [1, 5, 4095, 4097, 9000])
@pytest.mark.parametrize("weighted", [False, True])
def test_all_three_against_the_formulas(n, weighted):
    rng = np.random.default_rng(n)
    X = rng.normal(3.0, [1.0, 2.0, 0.1], size=(n, 3))
    codes = codes_of(X, 4)
    weights = rng.random(n) + 0.1 if weighted else None
    reference = reference_moments(X, codes, 4, weights)
    columns = ColumnMoments.of_rows(X, codes, 4, weights)
    pooled = PooledMoments.of_rows(X, codes, 4, weights)
    full = moments_by_class(X, codes, 4, weights)
    whole = sum(weight for weight, _, _ in reference)
    for k, (weight, mean, covariance) in enumerate(reference):
        np.testing.assert_allclose(columns.weight[k], weight, rtol=1e-12)
        np.testing.assert_allclose(pooled.weights[k], weight, rtol=1e-12)
        assert full[k].weight == pytest.approx(weight)
        if weight:
            for found in (columns.mean[k], pooled.means[k], full[k].mean):
                np.testing.assert_allclose(found, mean, rtol=1e-10)
        np.testing.assert_allclose(columns.variance[k], covariance.diagonal(), atol=1e-12)
        np.testing.assert_allclose(full[k].covariance, covariance, atol=1e-12)
    within = sum(weight / whole * covariance for weight, _, covariance in reference)
    np.testing.assert_allclose(pooled.covariance, within, atol=1e-12)


@given(tables, tables, st.integers(0, 9))
def test_merged_parts_are_the_whole(one, two, seed):
    both = np.vstack([one, two])
    codes = codes_of(both, 3, seed)
    parts = [(one, codes[: len(one)]), (two, codes[len(one) :])]
    columns = [ColumnMoments.of_rows(X, c, 3) for X, c in parts]
    assert_columns_close(columns[0].merge(columns[1]), ColumnMoments.of_rows(both, codes, 3))
    pooled = [PooledMoments.of_rows(X, c, 3) for X, c in parts]
    assert_pooled_close(pooled[0].merge(pooled[1]), PooledMoments.of_rows(both, codes, 3))


@given(tables, st.data())
def test_weights_are_repetitions(X, data):
    weights = data.draw(st.lists(st.integers(1, 5), min_size=len(X), max_size=len(X)))
    codes = codes_of(X)
    w = np.array(weights, dtype=float)
    many, their_codes = np.repeat(X, weights, axis=0), np.repeat(codes, weights)
    assert_columns_close(ColumnMoments.of_rows(X, codes, 3, w), ColumnMoments.of_rows(many, their_codes, 3))
    assert_pooled_close(PooledMoments.of_rows(X, codes, 3, w), PooledMoments.of_rows(many, their_codes, 3))
    for one, two in zip(
        moments_by_class(X, codes, 3, w), moments_by_class(many, their_codes, 3), strict=True
    ):
        np.testing.assert_allclose(one.covariance, two.covariance, rtol=1e-9, atol=1e-8)


@given(tables, st.data())
@examples(50)
def test_missing_values_leave_their_column_alone(X, data):
    holes = data.draw(arrays(bool, X.shape))
    gappy = np.where(holes, np.nan, X)
    codes = codes_of(X)
    found = ColumnMoments.of_rows(gappy, codes, 3)
    for j in range(X.shape[1]):
        seen = ~holes[:, j]
        alone = ColumnMoments.of_rows(np.ascontiguousarray(X[seen, j : j + 1]), codes[seen], 3)
        np.testing.assert_allclose(found.weight[:, j], alone.weight[:, 0])
        np.testing.assert_allclose(found.mean[:, j], alone.mean[:, 0], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(found.variance[:, j], alone.variance[:, 0], rtol=1e-9, atol=1e-8)
    np.testing.assert_allclose(found.class_weight, np.bincount(codes, minlength=3))


def test_far_from_zero_every_digit_counts():
    X = np.round(np.random.default_rng(0).normal(size=(20_000, 1)), 3) + 1e9
    exact = [Fraction(x) for x in X[:, 0].tolist()]
    mean = sum(exact) / len(exact)
    variance = float(sum((x - mean) ** 2 for x in exact) / len(exact))
    codes = np.zeros(len(X), dtype=np.uint32)
    assert ColumnMoments.of_rows(X, codes, 1).variance[0, 0] == pytest.approx(variance, rel=1e-9)
    assert PooledMoments.of_rows(X, codes, 1).covariance[0, 0] == pytest.approx(variance, rel=1e-9)
    assert moments_by_class(X, codes, 1)[0].covariance[0, 0] == pytest.approx(variance, rel=1e-9)


def test_classes_far_apart_keep_their_own_digits():
    rng = np.random.default_rng(0)
    near, far = rng.normal(0.0, 1e-3, (500, 1)), rng.normal(1e9, 1.0, (500, 1))
    codes = np.repeat(np.array([0, 1], dtype=np.uint32), 500)
    order = rng.permutation(1000)
    X, codes = np.vstack([near, far])[order], codes[order]
    full = moments_by_class(X, codes, 2)
    assert full[0].covariance[0, 0] == pytest.approx(near.var(), rel=1e-9)
    assert full[1].covariance[0, 0] == pytest.approx((far - 1e9).var(), rel=1e-6)


def test_many_classes_in_one_block():
    rng = np.random.default_rng(0)
    X, codes = rng.normal(size=(5000, 2)), rng.integers(0, 700, 5000).astype(np.uint32)
    for found, (weight, mean, covariance) in zip(
        moments_by_class(X, codes, 700), reference_moments(X, codes, 700), strict=True
    ):
        assert found.weight == weight
        if weight:
            np.testing.assert_allclose(found.mean, mean, atol=1e-12)
        np.testing.assert_allclose(found.covariance, covariance, atol=1e-12)


def test_pooled_columns_are_those_of_all_rows():
    X = np.random.default_rng(0).normal(size=(100, 3))
    codes = codes_of(X)
    whole = ColumnMoments.of_rows(X, codes, 3).pooled()
    assert_columns_close(whole, ColumnMoments.of_rows(X, np.zeros(100, dtype=np.uint32), 1))
