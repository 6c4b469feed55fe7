"""What every Display needs of matplotlib, which is imported only when something is drawn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__all__ = ["panels"]


def panels(n_panels: int, ax: Any = None, width: float = 4.8, height: float = 3.6) -> tuple[Any, list[Any]]:
    """Return a figure and one axes a panel: those that were given, or new ones in rows of three.

    Raises
    ------
    ImportError
        Where matplotlib is not installed.
    ValueError
        Where other than one axes a panel is given.
    """
    plt = _pyplot()
    if ax is not None:
        axes = list(np.atleast_1d(np.asarray(ax, dtype=object)).ravel())
        if len(axes) != n_panels:
            raise ValueError(f"{n_panels} axes are needed, one a panel; got {len(axes)}.")
        return axes[0].figure, axes
    n_columns = min(n_panels, 3)
    n_rows = math.ceil(n_panels / n_columns)
    figure, grid = plt.subplots(
        n_rows, n_columns, figsize=(width * n_columns, height * n_rows), squeeze=False, layout="constrained"
    )
    flat = list(grid.ravel())
    for unused in flat[n_panels:]:
        unused.set_visible(False)
    return figure, flat[:n_panels]


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("charts need matplotlib: pip install 'boxwood[plot]'") from None
    return plt
