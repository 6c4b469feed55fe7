"""The networks of columns in numpy: the obvious implementation."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp
from scipy.stats import norm

HIDDEN, NORMALS, OUTPUTS, SKIPPED = 64, 8, 32, 16


def split(parameters, n_inputs):
    """Return weights and biases of the four layers, and the linear part."""
    shapes = [
        (n_inputs, HIDDEN),
        (HIDDEN,),
        (HIDDEN, HIDDEN),
        (HIDDEN,),
        (HIDDEN, HIDDEN),
        (HIDDEN,),
        (HIDDEN, OUTPUTS),
        (OUTPUTS,),
        (n_inputs, SKIPPED),
    ]
    ends = np.cumsum([np.prod(shape) for shape in shapes])
    assert ends[-1] == len(parameters)
    return [
        part.reshape(shape)
        for part, shape in zip(np.split(parameters.astype(float), ends[:-1]), shapes, strict=True)
    ]


def mixtures(parameters, x):
    """Return log-weights, means and deviations of the normals of each row."""
    w1, b1, w2, b2, w3, b3, w4, b4, skip = split(parameters, x.shape[1])
    h1 = np.sin(x @ w1 + b1)
    h2 = h1 + np.sin(h1 @ w2 + b2)
    h3 = h2 + np.sin(h2 @ w3 + b3)
    out = h3 @ w4 + b4
    out[:, :SKIPPED] += x @ skip
    means, logits, logs = out[:, :8], out[:, 8:16], out[:, 16:24]
    return logits - logsumexp(logits, axis=1, keepdims=True), means, np.exp(np.clip(logs, -7.0, 3.0))


def distribution(parameters, x, z):
    """Return the distribution function and the log-density of each row at its score."""
    log_weights, means, deviations = mixtures(parameters, x)
    normal = norm(means, deviations)
    at = z[:, None]
    return (
        (np.exp(log_weights) * normal.cdf(at)).sum(axis=1),
        logsumexp(log_weights + normal.logpdf(at), axis=1),
    )
