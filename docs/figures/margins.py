"""Draws margins.png: densities and maps onto [0, 1] of a linear and a smooth margin, and of an atom."""

from __future__ import annotations

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from saving import save

import boxwood as bw
from boxwood.margins import fit_margins


def curves(values, kind, grid):
    margins = fit_margins(bw.read_columns(values[:, None]), kind)
    points = bw.read_columns(grid[:, None])
    return margins.columns[0], np.exp(margins.log_derivative(points)), margins.encode(points)[:, 0]


def draw_column(axes, title, values, kinds, grid):
    density, cdf = axes
    width = (grid[-1] - grid[0]) / 60
    shown = values[values != 0.0]
    fraction = np.full(len(shown), 1 / len(values) / width)  # of all rows, atoms too
    density.hist(shown, bins=60, range=(grid[0], grid[-1]), weights=fraction, color="0.85")
    for kind, colour in kinds.items():
        margin, p, u = curves(values, kind, grid)
        density.plot(grid, np.where(np.isin(grid, margin.atoms), np.nan, p), color=colour, label=kind)
        cdf.plot(grid, u, color=colour, label=kind)
        for atom in margin.atoms:
            below = margin.cdf.below(atom)
            mass = np.exp(margin.log_derivative(np.array([atom])))[0]
            cdf.plot([atom, atom], [below, below + mass], color="tab:red", linewidth=4, label="atom")
            density.annotate(
                f"atom at {atom:g}:\nP = {mass:.2f}", (0.6, 0.75), xycoords="axes fraction", color="tab:red"
            )
    density.set_title(title)
    density.set_ylabel("density")
    cdf.set_ylabel("u")
    cdf.set_ylim(-0.02, 1.02)
    cdf.legend(loc="lower right", frameon=False)


def main() -> None:
    rng = np.random.default_rng(7)
    heights = np.append(rng.normal(-1.0, 0.5, 1400), rng.normal(1.2, 0.3, 600))
    rain = np.where(rng.random(2000) < 0.35, 0.0, rng.gamma(2.0, 1.5, 2000))
    figure, axes = plt.subplots(2, 2, figsize=(9, 5.5), sharex="col", layout="constrained")
    both = {"linear": "tab:orange", "smooth": "tab:blue"}
    draw_column(axes[:, 0], "two bumps: linear and smooth", heights, both, np.linspace(-4, 3, 1401))
    draw_column(axes[:, 1], "rain: an atom at 0", rain, {"smooth": "tab:blue"}, np.linspace(-1, 14, 1501))
    for axis in axes[1]:
        axis.set_xlabel("x")
    save(figure, "margins")


if __name__ == "__main__":
    main()
