"""The native core of boxwood."""

from typing import Annotated

import numpy
from numpy.typing import NDArray


def scan_values(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), device='cpu', writable=False)]) -> tuple[int, int, int]:
    """
    Count of NaN, index of the first NaN and of the first oversized value (−1: none).
    """
