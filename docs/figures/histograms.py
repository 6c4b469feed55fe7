"""Draw the figures of histograms.md and product.md: ``python docs/figures/histograms.py``."""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from saving import save

import boxwood as bw

HERE = Path(__file__).parent
PENGUINS = HERE.parents[1] / "examples" / "penguins.csv"


def columns() -> None:
    """Histograms of every column of the penguins."""
    model = bw.Histogram().fit(PENGUINS)
    shown = ["bill_length_mm", "flipper_length_mm", "species"]
    display = bw.HistogramDisplay.from_estimator(model, columns=shown)
    save(display.figure_, "histogram_columns")


def rules() -> None:
    """Rules compared on two clusters, and the scores behind one of them."""
    rng = np.random.default_rng(0)
    x = np.where(rng.random(2000) < 0.5, rng.normal(0.0, 1.0, 2000), rng.normal(4.0, 0.3, 2000))[:, None]
    figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 3.6), layout="constrained")
    model = bw.Histogram(bins="loo").fit(x)
    bw.HistogramDisplay.from_estimator(model, x, rules=["scott", "fd", "loo"], ax=left, error_bars=False)
    selection = model.selection_[0]
    right.plot(selection.n_bins, selection.scores, linewidth=1.0)
    best = selection.chosen
    right.plot(selection.n_bins[best], selection.scores[best], "o", label=f"{selection.n_bins[best]} bins")
    right.set_xscale("log")
    right.set_xlabel("bins")
    right.set_ylabel("leave-one-out error")
    right.legend(frameon=False)
    save(figure, "histogram_rules")


def clusters() -> None:
    """The spurious clusters of a product, and what avoids them."""
    rng = np.random.default_rng(0)
    X = rng.normal(0.0, 0.35, (4000, 2)) + np.where(rng.random(4000) < 0.5, 1.5, -1.5)[:, None]
    models = {
        "4000 rows": None,
        "product": bw.ProductDensity().fit(X),
        'product, rotation="pca"': bw.ProductDensity(rotation="pca").fit(X),
        "grid": bw.GridHistogram(bins=30).fit(X),
    }
    figure, axes = plt.subplots(1, 4, figsize=(12.0, 3.3), layout="constrained", sharex=True, sharey=True)
    side = np.linspace(-3.2, 3.2, 400)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    for ax, (title, model) in zip(axes, models.items(), strict=True):
        if model is None:
            ax.plot(*X.T, ".", markersize=1.0, alpha=0.4)
        else:
            density = np.exp(model.score_samples(grid)).reshape(400, 400)
            ax.imshow(density, extent=(-3.2, 3.2, -3.2, 3.2), origin="lower", cmap="Blues", vmax=0.7)
        ax.set_title(title, fontsize="medium")
        ax.set_aspect("equal")
    save(figure, "product_clusters")


if __name__ == "__main__":
    columns()
    rules()
    clusters()
