"""The chart of one column: its rows, the density as a curve, steps or bars, and levels that hold a mass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Kind
from boxwood.plot.axis_labels import label_axis, label_categories
from boxwood.plot.density_map import region_levels
from boxwood.plot.slices.density_curve import DensityCurve
from boxwood.plot.slices.slice_axis import SliceAxis

__all__ = ["draw_curve", "draw_rows", "draw_rug", "is_discrete", "name_of_heights"]

DENSITY, ROWS, CUTS, LEVELS = "tab:blue", "0.85", "0.6", "0.45"

MOST_BARS = 60
"""Discrete values that are drawn as bars; more are drawn as steps."""

MOST_IN_RUG = 300
"""Rows that are drawn as a rug; more are drawn as a histogram only."""

MOST_CUTS = 40
"""Cuts that are drawn as lines; more would cover the curve."""

MOST_NAMED_ATOMS = 3
"""Atoms whose probability is written beside their line; more texts would overlap."""

STYLES = ("-", "--", ":")

HEADROOM = 1.2
"""How far the vertical axis goes beyond the density, to make room for the legend."""

MOST_TICKS = 8
"""Discrete numbers that have a tick each; of more, matplotlib chooses some."""


def draw_curve(
    axes: Any,
    shown: SliceAxis,
    log_density: NDArray[np.float64],
    curve: DensityCurve,
    places: NDArray[np.float64] | None,
    regions: Sequence[float],
    name: str,
) -> tuple[Any, Any]:
    """Draw the density of one column.

    Parameters
    ----------
    axes : matplotlib Axes
    shown : SliceAxis
    log_density : ndarray of shape (n_x,)
    curve : DensityCurve
    places : ndarray or None
        Places of the rows; NaN for missing values.
    regions : sequence of float
        Fractions of the mass whose level is drawn.
    name : str
        Label of the vertical axis.

    Returns
    -------
    artist : matplotlib artist
        The curve, the steps or the bars.
    levels : list of matplotlib lines or None
    """
    heights = np.exp(log_density) if curve.threshold is None else log_density
    if is_discrete(shown):
        artist = _draw_bars(axes, shown, heights, curve, places)
        levels = None
    else:
        artist = _draw_line(axes, shown, heights, curve, places)
        levels = _draw_levels(axes, shown, log_density, regions)
    if curve.threshold is not None and np.isfinite(curve.threshold):
        axes.axhline(curve.threshold, color="tab:red", linewidth=1.0, linestyle="--", label="threshold")
    _label(axes, shown, curve, name)
    return artist, levels


def is_discrete(shown: SliceAxis) -> bool:
    """Return whether each value has a bar: categories, and numbers on a lattice of few points."""
    if not shown.field.kind.is_number:
        return True
    return (shown.counted or shown.step is not None) and len(shown.values) <= MOST_BARS


def _draw_bars(
    axes: Any,
    shown: SliceAxis,
    heights: NDArray[np.float64],
    curve: DensityCurve,
    places: NDArray[np.float64] | None,
) -> Any:
    at, errors = shown.places, curve.standard_errors
    if shown.step is not None:  # a probability, not a density
        heights = heights * shown.step / shown.unit
        errors = None if errors is None else errors * shown.step / shown.unit
    if _has_gap_bar(shown, curve):
        at, heights = np.append(at, len(at)), np.append(heights, curve.missing)
        errors = None if errors is None else np.append(errors, 0.0)
    if places is not None and curve.threshold is None:
        known = places[~np.isnan(places)]
        counts = np.array([np.count_nonzero(np.abs(known - x) <= 1e-9 * max(1.0, abs(x))) for x in at])
        if _has_gap_bar(shown, curve):
            counts[-1] = np.count_nonzero(np.isnan(places))
        fractions = counts / max(len(places), 1)
        axes.bar(at, fractions, _bar_width(at), color=ROWS, label="rows")
    artist = axes.vlines(at, 0.0, heights, color=DENSITY, linewidth=2.0, label="probability")
    axes.plot(at, heights, "o", color=DENSITY, markersize=4.5 if len(at) <= 30 else 3.0)
    if errors is not None:
        style = {"fmt": "none", "ecolor": "0.25", "elinewidth": 1.0, "capsize": 2.5, "zorder": 3}
        axes.errorbar(at, heights, yerr=errors, label="± standard error", **style)
    return artist


def _bar_width(at: NDArray[np.float64]) -> float:
    return 0.8 * float(np.diff(at).min()) if len(at) > 1 else 0.8


def _draw_line(
    axes: Any,
    shown: SliceAxis,
    heights: NDArray[np.float64],
    curve: DensityCurve,
    places: NDArray[np.float64] | None,
) -> Any:
    if places is not None:
        if curve.threshold is None:
            draw_rows(axes, shown, places, curve.atoms)
        draw_rug(axes, places[~np.isnan(places)])
    if 0 < len(curve.cuts) <= MOST_CUTS:
        span = axes.get_xaxis_transform()
        style = {"color": CUTS, "linewidth": 0.7, "linestyle": (0, (2, 2)), "zorder": 1}
        axes.vlines(curve.cuts, 0.0, 1.0, transform=span, label="cuts", **style)
    if curve.standard_errors is not None:
        low, high = (heights + sign * curve.standard_errors for sign in (-1.0, 1.0))
        at = np.repeat(shown.edges, 2)[1:-1]
        band = {"color": DENSITY, "alpha": 0.25, "linewidth": 0.0, "label": "± standard error"}
        axes.fill_between(at, np.repeat(low.clip(min=0.0), 2), np.repeat(high, 2), **band)
    name = "score" if curve.threshold is not None else "density"
    if curve.is_constant or shown.counted:
        artist = axes.stairs(heights, shown.edges, color=DENSITY, linewidth=1.6, label=name)
    else:
        (artist,) = axes.plot(shown.places, heights, color=DENSITY, linewidth=1.6, label=name)
    _draw_atoms(axes, curve, float(heights[np.isfinite(heights)].max(initial=0.0)))
    return artist


def draw_rows(axes: Any, shown: SliceAxis, places: NDArray[np.float64], atoms: NDArray[np.float64]) -> None:
    """Draw a histogram of the rows in the units of a density; rows at atoms and gaps count in the total."""
    known = places[~np.isnan(places) & ~np.isin(places, atoms)]
    if len(known) < 2:
        return
    low, high = shown.edges[[0, -1]]
    if shown.step is not None:  # bins of whole steps, lest some hold more points than others
        width = max(1.0, np.ceil((high - low) / shown.step / MOST_BARS)) * shown.step / shown.unit
        edges = low + width * np.arange(np.ceil((high - low) / width) + 1.0)
    else:
        n_bins = int(np.clip(round(2.5 * np.cbrt(len(known))), 8, MOST_BARS))
        edges = np.linspace(max(low, known.min()), min(high, known.max()), n_bins + 1)
    if not edges[0] < edges[-1]:
        return
    counts, edges = np.histogram(known, edges)
    heights = counts / (len(places) * np.diff(edges))
    axes.stairs(heights, edges, fill=True, color=ROWS, label="rows", zorder=0)


def draw_rug(axes: Any, places: NDArray[np.float64], color: Any = "0.3") -> None:
    """Draw a short line for each row at the foot of the chart, if there are few rows."""
    if 0 < len(places) <= MOST_IN_RUG:
        foot = axes.get_xaxis_transform()
        axes.vlines(places, 0.0, 0.03, transform=foot, color=color, linewidth=0.6, zorder=2.5)


def _draw_atoms(axes: Any, curve: DensityCurve, top: float) -> None:
    """Draw values with a probability of their own as lines: they have no height on an axis of densities."""
    if len(curve.atoms) == 0:
        return
    axes.vlines(
        curve.atoms, 0.0, top, color="tab:orange", linewidth=1.6, linestyle="--", label="single values"
    )
    if len(curve.atoms) <= MOST_NAMED_ATOMS:
        place: dict[str, Any] = {
            "xytext": (4.0, 0.0),
            "textcoords": "offset points",
            "va": "top",
            "fontsize": "small",
        }
        place["bbox"] = {"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 1.0}
        for k, (value, probability) in enumerate(zip(curve.atoms, curve.atom_probabilities, strict=True)):
            height = top * (1.0 - 0.08 * k)
            axes.annotate(f"P({value:g}) = {probability:.2g}", (value, height), **place)


def _draw_levels(
    axes: Any, shown: SliceAxis, log_density: NDArray[np.float64], regions: Sequence[float]
) -> Any:
    """Draw the density above which each fraction of the mass lies."""
    if not regions or not shown.is_continuous or not np.isfinite(log_density).any():
        return None
    heights = np.exp(region_levels(log_density, (shown,), regions))
    top, names = float(np.exp(log_density[np.isfinite(log_density)].max())), list[tuple[float, str]]()
    lines = []
    for k, (height, fraction) in enumerate(zip(heights.tolist(), regions, strict=True)):
        style = {"color": LEVELS, "linewidth": 0.8, "linestyle": STYLES[min(k, len(STYLES) - 1)], "zorder": 1}
        lines.append(axes.axhline(height, label="mass above" if k == 0 else None, **style))
        if names and abs(names[-1][0] - height) < 0.06 * top:  # two texts would overlap
            names[-1] = names[-1][0], f"{names[-1][1]}, {fraction:.0%}"
        else:
            names.append((height, f"{fraction:.0%}"))
    for height, name in names:
        place = {"xytext": (3.0, 0.0), "textcoords": "offset points", "va": "center", "fontsize": "x-small"}
        axes.annotate(name, (1.0, height), xycoords=axes.get_yaxis_transform(), color=LEVELS, **place)
    return lines


def _has_gap_bar(shown: SliceAxis, curve: DensityCurve) -> bool:
    return curve.missing > 0.0 and not shown.field.kind.is_number


def _label(axes: Any, shown: SliceAxis, curve: DensityCurve, name: str) -> None:
    label_axis(axes.xaxis, shown)
    if _has_gap_bar(shown, curve):
        label_categories(axes.xaxis, [*(str(label) for label in shown.field.categories), "missing"])
    elif curve.missing > 0.0:
        axes.plot([], [], " ", label=f"missing: {curve.missing:.2g}")
    axes.set_ylabel(name)
    if not shown.field.kind.is_number:
        axes.set_xlim(-0.6, len(shown.values) - 0.4 + _has_gap_bar(shown, curve))
    elif is_discrete(shown):
        half = 0.6 * float(np.diff(shown.places).min()) if len(shown.values) > 1 else 0.6
        axes.set_xlim(shown.places[0] - half, shown.places[-1] + half)
        if shown.field.kind is not Kind.DATETIME:
            _tick_values(axes, shown)
    else:
        low, high = shown.edges[[0, -1]]
        pad = 0.03 * (high - low) if curve.is_constant else 0.0  # the first and the last step have an end
        axes.set_xlim(min([low - pad, *(curve.atoms - pad)]), max([high + pad, *(curve.atoms + pad)]))
    if curve.threshold is None:
        axes.set_ylim(0.0, HEADROOM * axes.get_ylim()[1])
    axes.spines[["top", "right"]].set_visible(False)
    n_entries = len(axes.get_legend_handles_labels()[1])
    axes.legend(loc="best", fontsize="x-small", framealpha=0.85, ncols=2 if n_entries > 2 else 1)


def _tick_values(axes: Any, shown: SliceAxis) -> None:
    """Put the ticks at discrete values, not between them."""
    if len(shown.places) <= MOST_TICKS:
        axes.set_xticks(shown.places, [f"{place:g}" for place in shown.places])
    elif shown.field.kind is Kind.INTEGER:
        axes.xaxis.get_major_locator().set_params(integer=True)


def name_of_heights(shown: SliceAxis, is_normalized: bool, is_score: bool) -> str:
    """Return what the vertical axis shows."""
    if is_score:
        return "score"
    if not shown.field.kind.is_number:
        return "probability"
    if is_discrete(shown) or shown.counted:
        return "probability per value"
    name = "density per day" if shown.field.kind is Kind.DATETIME else "density"
    return name if is_normalized else f"{name}, not normalized"
