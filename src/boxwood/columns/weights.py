"""Row weights: frequencies, checked once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.errors import first_line

__all__ = ["read_weights"]


def read_weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64] | None:
    """Check row weights; None where every row counts once.

    Parameters
    ----------
    sample_weight : None, number or array-like of shape (n_rows,)
        Frequencies: weight 2 is the row twice, weight 0 no row at all.
    n_rows : int

    Raises
    ------
    ValueError
        For a wrong shape, a weight that is negative, missing or infinite (names the row), or weights
        that are all zero or too large to add up.
    TypeError
        For weights that are not numbers.

    Examples
    --------
    >>> read_weights([1, 2, 0], 3)
    array([1., 2., 0.])
    """
    if sample_weight is None:
        return None
    weights = _as_floats(sample_weight)
    if weights.ndim == 0:
        weights = np.full(n_rows, float(weights))
    if weights.ndim != 1:
        raise ValueError(f"Sample weights must be 1D array or scalar; got {weights.ndim} dimensions.")
    if weights.shape[0] != n_rows:
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected ({n_rows},): one weight a row.")
    bad = ~(np.isfinite(weights) & (weights >= 0.0))
    if bad.any():
        row = int(np.argmax(bad))
        raise ValueError(
            f"sample_weight, row {row}: {weights[row]} is not a frequency; weights must be finite "
            "and not negative."
        )
    if not (weights > 0.0).any():
        raise ValueError("sample_weight is zero in every row: nothing is left to fit.")
    with np.errstate(over="ignore"):
        if not np.isfinite(weights.sum()):
            raise ValueError("sample_weight: the weights are too large to add up. Rescale them.")
    return weights


def _as_floats(sample_weight: Any) -> NDArray[np.float64]:
    try:
        if isinstance(sample_weight, np.ma.MaskedArray):
            sample_weight = np.ma.filled(sample_weight.astype(np.float64), np.nan)
        array = np.asarray(sample_weight)
        if array.dtype.kind not in "biufO":
            raise TypeError(f"sample_weight must hold numbers, not {array.dtype}.")
        with np.errstate(over="ignore"):  # a long double may become infinite: the check reports it
            return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        reason = first_line(error)
        message = (
            reason if reason.startswith("sample_weight") else f"sample_weight must hold numbers: {reason}"
        )
        raise TypeError(message) from None
