"""Draws the figures of boosted.md: three models of a spiral, and the maps that level it."""

from __future__ import annotations

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from saving import save

import boxwood as bw


def spiral(n: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    angle = 3.0 * np.pi * np.sqrt(rng.uniform(0.05, 1.0, n))
    rows = np.stack([angle * np.cos(angle), angle * np.sin(angle)], axis=1)
    return rows + rng.normal(scale=0.35, size=rows.shape)


def draw_models() -> None:
    train, new = spiral(5000, 0), spiral(5000, 1)
    models = {
        "DensityTree": bw.DensityTree(margins="smooth"),
        "DensityForest": bw.DensityForest(random_state=0),
        "BoostedDensity": bw.BoostedDensity(random_state=0),
    }
    side = np.linspace(-12.0, 12.0, 300)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    figure, axes = plt.subplots(1, 4, figsize=(15, 4), layout="constrained", sharex=True, sharey=True)
    axes[0].scatter(*train.T, s=1, color="0.3")
    axes[0].set_title("5,000 rows")
    for ax, (title, model) in zip(axes[1:], models.items(), strict=True):
        model.fit(train)
        density = np.exp(model.score_samples(grid)).reshape(300, 300)
        ax.imshow(density**0.5, extent=(-12, 12, -12, 12), origin="lower", cmap="viridis", vmax=0.17)
        ax.set_title(f"{title}: {model.score(new):.2f} nats a row")
    for ax in axes:
        ax.set_aspect("equal")
        ax.set(xlim=(-12, 12), ylim=(-12, 12))
    save(figure, "boosted_models")


def draw_maps() -> None:
    train = spiral(3000, 0)
    model = bw.BoostedDensity(components=["margins"], random_state=0).fit(train)
    columns = bw.read_columns(train)
    chain, u = model.chains_[0], model.margins_.encode(columns)
    angle = np.arctan2(train[:, 1], train[:, 0])
    stages = [0, 10, 40, chain.trees.n_trees]
    figure, axes = plt.subplots(1, 4, figsize=(15, 4), layout="constrained", sharex=True, sharey=True)
    for ax, n_rounds in zip(axes, stages, strict=True):
        moved = u.copy()
        chain.trees.move(moved, 0, n_rounds)
        ax.scatter(*moved.T, s=2, c=angle, cmap="twilight")
        ax.set_title("after the margins" if n_rounds == 0 else f"after {n_rounds} rounds")
        ax.set_aspect("equal")
        ax.set(xlim=(0, 1), ylim=(0, 1))
    save(figure, "boosted_maps")


if __name__ == "__main__":
    draw_models()
    draw_maps()
