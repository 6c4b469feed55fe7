"""An array that grows at its end."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["GrowingArray"]


class GrowingArray:
    """Values that are added to the end, in memory twice as large whenever they do not fit.

    Parameters
    ----------
    dtype : numpy dtype
    capacity : int
        How many values are expected.

    Examples
    --------
    >>> growing = GrowingArray(np.int32, 2)
    >>> growing.append(np.array([1, 2]))
    >>> growing.append(np.array([3]))
    >>> growing.values
    array([1, 2, 3], dtype=int32)
    """

    def __init__(self, dtype: Any, capacity: int) -> None:
        self._held: NDArray[Any] = np.empty(capacity, dtype)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def values(self) -> NDArray[Any]:
        """What was added so far; a view."""
        return self._held[: self._size]

    def append(self, values: NDArray[Any]) -> None:
        """Add values."""
        end = self._size + len(values)
        if end > len(self._held):
            wider = np.empty(max(end, 2 * len(self._held)), self._held.dtype)
            wider[: self._size] = self.values
            self._held = wider
        self._held[self._size : end] = values
        self._size = end

    def as_floats(self) -> GrowingArray:
        """Return an array of floats, all NaN, of as many values, in place of one without any other value."""
        floats = GrowingArray(np.float64, len(self._held))
        floats._held[: self._size] = np.nan
        floats._size = self._size
        return floats
