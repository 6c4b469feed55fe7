"""A map of log-densities: its colours, and contours of the regions of highest density."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.plot.slices.slice_axis import Axes

__all__ = ["colour_range", "draw_map", "draw_regions", "draw_threshold", "region_levels"]

LEFT_TO_TAILS = 0.01
"""Fraction of the rows, or of the mass, that lies where the map has its last colour."""

FEWEST_ROWS = 100
"""Rows from which on their own log-densities say where the colours end."""

_STYLES = ("-", "--", ":")


def region_levels(log_density: NDArray[np.float64], axes: Axes, fractions: Sequence[float]) -> list[float]:
    """Return the log-density down to which each fraction of the shown mass lies.

    Where the density is at least that is the region of highest density: the smallest that holds so much.

    Parameters
    ----------
    log_density : ndarray of shape (n_x,) or (n_y, n_x)
    axes : tuple of SliceAxis
        Across and, of two columns, up.
    fractions : sequence of float
        Each in (0, 1).
    """
    values = log_density.ravel()
    order = np.argsort(-values, kind="stable")
    area = axes[0].sizes if len(axes) == 1 else np.outer(axes[1].sizes, axes[0].sizes)
    sizes = area.ravel()[order]
    mass = np.exp(values[order] - values[order[0]]) * sizes
    held = np.cumsum(mass)
    # Rounding may leave the last sum below the whole.
    at = np.minimum(np.searchsorted(held, np.array(fractions) * held[-1]), len(held) - 1)
    return [float(level) for level in values[order[at]]]


def colour_range(
    log_density: NDArray[np.float64],
    axes: Axes,
    points: NDArray[np.float64] | None,
) -> tuple[float | None, float | None]:
    """Return where the colours begin and end: a hundredth of the rows lies below.

    Without rows, or with few, it is a hundredth of the shown mass. All that is below has one colour:
    a map down to its least value would spend its colours on tails in which there is nothing.
    """
    if not np.isfinite(log_density).any():
        return None, None
    high = float(log_density.max())
    low = region_levels(log_density, axes, [1.0 - LEFT_TO_TAILS])[0]
    if points is not None:
        across, up = (axis.bins_of(points[:, k]) for k, axis in enumerate(axes))
        inside = (across >= 0) & (up >= 0)
        found = log_density[up[inside], across[inside]]
        found = found[np.isfinite(found)]
        if len(found) >= FEWEST_ROWS:
            low = float(np.quantile(found, LEFT_TO_TAILS))
    low = max(low, float(log_density[np.isfinite(log_density)].min()))
    return (low, high) if low < high else (high - 1.0, high)


def draw_map(
    ax: Any,
    axes: Axes,
    log_density: NDArray[np.float64],
    limits: tuple[float | None, float | None],
    cmap: Any,
) -> Any:
    """Draw the bins; those of density 0 are left blank."""
    shown = np.ma.masked_invalid(log_density)
    drawn = ax.pcolormesh(axes[0].edges, axes[1].edges, shown, cmap=cmap, rasterized=True)
    drawn.set_clim(*limits)
    return drawn


def draw_regions(ax: Any, axes: Axes, log_density: NDArray[np.float64], fractions: Sequence[float]) -> Any:
    """Draw the borders of the regions of highest density, and what each of them holds.

    Returns
    -------
    contours or None
        None where there are none: along categories or whole numbers, or where nothing is dense.
    """
    if not fractions or min(log_density.shape) < 2 or not all(axis.is_continuous for axis in axes):
        return None
    if not np.isfinite(log_density).any():
        return None
    by_level = dict(zip(region_levels(log_density, axes, fractions), fractions, strict=True))
    levels = sorted(by_level)
    lowest = float(log_density[np.isfinite(log_density)].min())
    filled = np.where(np.isfinite(log_density), log_density, lowest - 1.0)
    middles = [0.5 * (axis.edges[:-1] + axis.edges[1:]) for axis in axes]
    # Of the least level the last style: borders of the outermost region are dotted.
    styles = [_STYLES[min(k, len(_STYLES) - 1)] for k in range(len(levels))][::-1]
    drawn = ax.contour(*middles, filled, levels=levels, colors="white", linewidths=0.9, linestyles=styles)
    handles, _ = drawn.legend_elements()
    names = [f"{by_level[level]:.0%}" for level in levels]
    # On a dark ground, as the map's own is where nothing lies: labels on the lines hid small regions.
    style = {"facecolor": "0.25", "labelcolor": "white", "framealpha": 0.7}
    ax.legend(handles[::-1], names[::-1], loc="best", fontsize="x-small", **style)
    return drawn


def draw_threshold(ax: Any, axes: Axes, scores: NDArray[np.float64], threshold: float) -> Any:
    """Draw where a detector's score passes its threshold; return None if it does nowhere."""
    if min(scores.shape) < 2 or not all(axis.is_continuous for axis in axes):
        return None
    if not scores.min() < threshold < scores.max():
        return None
    middles = [0.5 * (axis.edges[:-1] + axis.edges[1:]) for axis in axes]
    drawn = ax.contour(*middles, scores, levels=[threshold], colors="tab:red", linewidths=1.2)
    handles, _ = drawn.legend_elements()
    ax.legend(handles, ["threshold"], loc="best", fontsize="x-small", framealpha=0.85)
    return drawn
