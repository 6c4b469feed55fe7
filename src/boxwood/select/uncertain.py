"""Active learning: which rows to ask about next."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from boxwood.parameters import shown

__all__ = ["query_most_uncertain"]

STRATEGIES = ("auto", "entropy", "margin", "least_confidence", "likelihood")


def query_most_uncertain(model: Any, pool: Any, n: int = 1, *, strategy: str = "auto") -> NDArray[np.intp]:
    """Return the rows of a pool that a model knows least about: those whose labels would teach it most.

    Parameters
    ----------
    model : fitted classifier or density
        Boxwood's or any other: with ``predict_proba``, or for "likelihood" with ``score_samples``.
    pool : table
        Rows without labels, as the model takes them.
    n : int, default=1
        How many rows to give.
    strategy : {"auto", "entropy", "margin", "least_confidence", "likelihood"}, default="auto"
        What is uncertain:

        - "entropy": −Σ p·log p of the class probabilities is largest;
        - "margin": the two most probable classes are closest;
        - "least_confidence": the most probable class is least probable;
        - "likelihood": the row's density is lowest, whatever its class;
        - "auto": "entropy" for a classifier, "likelihood" for a density.

        For two classes the first three agree.

    Returns
    -------
    ndarray of shape (n,)
        Row numbers, the most uncertain first; of equally uncertain rows the first.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> model = bw.BayesClassifier(bw.GaussianDensity()).fit([[0.0], [1.0], [9.0], [10.0]], [0, 0, 1, 1])
    >>> bw.query_most_uncertain(model, [[0.5], [5.0], [7.0]], 2)
    array([1, 2])
    """
    if strategy not in STRATEGIES:
        raise ValueError(
            f"strategy must be one of {', '.join(map(repr, STRATEGIES))}; got {shown(strategy)}."
        )
    uncertainty = _uncertainty(model, pool, strategy)
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 1 <= n <= len(uncertainty):
        raise ValueError(
            f"n must be an integer from 1 to the pool's {len(uncertainty)} rows; got {shown(n)}."
        )
    return np.argsort(-uncertainty, kind="stable")[:n]


def _uncertainty(model: Any, pool: Any, strategy: str) -> NDArray[np.float64]:
    if strategy == "auto":
        strategy = "entropy" if hasattr(model, "predict_proba") else "likelihood"
    method = "score_samples" if strategy == "likelihood" else "predict_proba"
    if not hasattr(model, method):
        raise TypeError(
            f"strategy={strategy!r} needs a model with {method}, which {type(model).__name__} has not."
        )
    predicted = np.asarray(getattr(model, method)(pool), dtype=np.float64)
    if strategy == "likelihood":
        return -predicted
    if strategy == "entropy":
        return np.asarray(-xlogy(predicted, predicted).sum(axis=1), dtype=np.float64)
    if strategy == "least_confidence":
        return np.asarray(1.0 - predicted.max(axis=1), dtype=np.float64)
    ranked = np.sort(np.column_stack([np.zeros(len(predicted)), predicted]), axis=1)  # one class has no rival
    return np.asarray(ranked[:, -2] - ranked[:, -1], dtype=np.float64)
