"""Trees that add up to a logarithm of a ratio: the bins they are grown on, and what files keep of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.model_file import State

__all__ = ["codes_of", "edges_of", "sum_of", "trees_from_state", "trees_to_state"]

MOST_BINS = 255
"""Of a column: one a value, or quantiles where there are more values."""

_ARRAYS = {
    "cut": np.float64,
    "value": np.float64,
    "left_fraction": np.float32,
    "left": np.uint32,
    "column": np.int32,
    "roots": np.uint32,
}


def edges_of(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where the bins of a column end.

    Examples
    --------
    >>> edges_of(np.array([1.0, 2.0, 2.0, 4.0]))
    array([1.5, 3. ])
    """
    distinct = np.unique(values[~np.isnan(values)])
    if len(distinct) > MOST_BINS:
        levels = np.linspace(0.0, 1.0, MOST_BINS + 1)[1:-1]
        return np.unique(np.nanquantile(values, levels))
    return 0.5 * distinct[:-1] + 0.5 * distinct[1:]  # sums of the largest numbers would overflow


def codes_of(edges: list[NDArray[np.float64]], points: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return the bin of each coordinate."""
    codes = np.empty(points.shape, dtype=np.uint8)
    for j, of_column in enumerate(edges):
        codes[:, j] = np.searchsorted(of_column, points[:, j], side="right")
    return codes


def sum_of(parts: list[_core.RatioTrees], factor: float) -> _core.RatioTrees:
    """Return trees that say what all of the parts say together, times a factor."""
    flat: list[dict[str, Any]] = [dict(zip(_ARRAYS, part.flat(), strict=True)) for part in parts]
    before = np.cumsum([0, *(len(one["cut"]) for one in flat[:-1])])
    for one, n in zip(flat, before, strict=True):
        # Nodes are counted through all parts; leaves point nowhere.
        one["left"] = np.where(one["column"] >= 0, one["left"] + n, one["left"])
        one["roots"], one["value"] = one["roots"] + n, one["value"] * factor
    arrays = [np.concatenate([one[name] for one in flat]).astype(dtype) for name, dtype in _ARRAYS.items()]
    return _core.RatioTrees(parts[0].n_columns, *arrays)


def trees_to_state(trees: _core.RatioTrees) -> dict[str, Any]:
    """Return what a model file keeps."""
    return dict(zip(_ARRAYS, trees.flat(), strict=True))


def trees_from_state(state: State, n_columns: int) -> _core.RatioTrees:
    """Read what `trees_to_state` gave, after checking it."""
    arrays = [state.array(name, dtype, (None,)) for name, dtype in _ARRAYS.items()]
    try:
        return _core.RatioTrees(n_columns, *arrays)
    except ValueError as error:
        raise state.error("left", f"makes no trees: {error}") from None
