"""Draws the figures of comparing.md: families compared, and decisions on two diagonals."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from saving import save

import boxwood as bw

HERE = Path(__file__).parent
PENGUINS = HERE.parents[1] / "examples" / "penguins.csv"


def draw_comparison() -> None:
    table = bw.read_columns(PENGUINS)
    species = np.array(table["species"].field.categories)[table["species"].values]
    columns = {column.name: column.values for column in table if column.kind.is_number}
    for name in ("island", "sex"):
        column = table[name]
        columns[name] = [(*column.field.categories, None)[code] for code in column.values]
    display = bw.ComparisonDisplay.from_data(columns, species)
    save(display.figure_, "comparison")


def draw_diagonals() -> None:
    rng = np.random.default_rng(0)
    corners = np.array([[1.5, 1.5], [-1.5, -1.5], [1.5, -1.5], [-1.5, 1.5]])
    which = rng.integers(0, 4, 600)
    X, y = corners[which] + rng.normal(0.0, 0.5, (600, 2)), which // 2
    models = {
        "naive Bayes with histograms": bw.HistogramNB(),
        "a density tree a class": bw.BayesClassifier(bw.DensityTree(margins="smooth")),
        "Gaussians (quadratic discriminant)": bw.BayesClassifier(bw.GaussianDensity()),
    }
    figure, axes = plt.subplots(1, 3, figsize=(13, 4.2), layout="constrained")
    for ax, (title, model) in zip(axes, models.items(), strict=True):
        found = bw.cross_val_error(model, X, y)
        bw.DecisionRegionDisplay.from_estimator(model.fit(X, y), X, y, ax=ax)
        ax.set_title(f"{title}: error {found.error:.2f}")
    save(figure, "decision_regions")


if __name__ == "__main__":
    draw_comparison()
    draw_diagonals()
