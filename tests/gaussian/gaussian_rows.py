"""Rows for the tests of GaussianDensity: three correlated columns, whole and with holes."""

from __future__ import annotations

import warnings

import numpy as np

import boxwood as bw

TYPES = ["full", "diag", "spherical"]
MIXING = np.array([[2.0, 0.6, 0.0], [0.0, 1.0, -0.5], [0.0, 0.0, 0.3]])


def rows(n, seed=0, d=3):
    return (np.random.default_rng(seed).normal(size=(n, 3)) @ MIXING + [5.0, -2.0, 100.0])[:, :d]


def with_holes(n, fraction=0.25, seed=0, d=3):
    X = rows(n, seed, d)
    X[np.random.default_rng(seed + 1).random(X.shape) < fraction] = np.nan
    return X


def fit_quietly(X, **params):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return bw.GaussianDensity(**params).fit(X)
