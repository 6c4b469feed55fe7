"""Tables for the tests of Gaussian classifiers, and reference posteriors."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn
from sklearn.utils.fixes import parse_version

beside_sklearn_1_9 = pytest.mark.skipif(
    parse_version(sklearn.__version__) < parse_version("1.9"),
    reason="compared with the answers of scikit-learn 1.9; earlier ones have other parameters and divisors",
)


def blobs(n=300, d=3, n_classes=3, seed=0, spread=1.5):
    """Return overlapping, correlated classes of unequal size."""
    rng = np.random.default_rng(seed)
    y = rng.choice(n_classes, n, p=np.arange(1, n_classes + 1) / (n_classes * (n_classes + 1) / 2))
    mixing = rng.normal(size=(n_classes, d, d)) + 2.0 * np.eye(d)
    X = np.einsum("ij,ijk->ik", rng.normal(size=(n, d)), mixing[y])
    return X + spread * rng.normal(size=(n_classes, d))[y], y


def reference_posterior(X, means, covariances, priors):
    """Return the posterior by Bayes' rule, class by class and row by row."""
    joint = np.empty((len(X), len(means)))
    for k, (mean, covariance, prior) in enumerate(zip(means, covariances, priors, strict=True)):
        inverse, log_det = np.linalg.inv(covariance), np.linalg.slogdet(covariance)[1]
        for i, row in enumerate(X):
            joint[i, k] = np.log(prior) - 0.5 * (log_det + (row - mean) @ inverse @ (row - mean))
    joint = np.exp(joint - joint.max(axis=1, keepdims=True))
    return joint / joint.sum(axis=1, keepdims=True)
