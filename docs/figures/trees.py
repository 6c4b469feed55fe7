"""Draws the figures of trees.md: a tree's partition beside a forest, a tree itself, its pruning."""

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


def ring_and_bar(n: int, seed: int = 0) -> np.ndarray:
    """Return points on a ring and, half as many, on a slanted bar inside it."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0.0, 2.0 * np.pi, n)
    ring = 3.0 * np.column_stack([np.cos(angle), np.sin(angle)]) + rng.normal(scale=0.25, size=(n, 2))
    along = rng.uniform(-1.2, 1.2, n // 2)
    bar = np.column_stack([along, 0.6 * along]) + rng.normal(scale=0.15, size=(n // 2, 2))
    return np.concatenate([ring, bar])


def draw_partition() -> None:
    X, new = ring_and_bar(1000), ring_and_bar(4000, seed=1)
    models = {
        "one tree": bw.DensityTree().fit(X),
        "100 trees": bw.DensityForest(random_state=0).fit(X),
    }
    new = new[models["one tree"].score_samples(new) > -np.inf]  # a few lie outside of the bounding box
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.4), layout="constrained")
    for ax, (title, model) in zip(axes, models.items(), strict=True):
        bw.DensityTreeDisplay.from_estimator(model, ax=ax)
        ax.set_title(f"{title}: {model.score(new):.2f} nats per new row")
        ax.set(xlim=(-4.2, 4.2), ylim=(-4.2, 4.2), aspect="equal")
    save(figure, "tree_partition")


def draw_penguins() -> None:
    tree = bw.DensityTree(max_leaf_nodes=8, prune=None).fit(PENGUINS)
    display = bw.DensityTreeDisplay.from_estimator(tree, columns=("bill_length_mm", "bill_depth_mm"))
    plt.close(display.figure_)
    display.plot_tree(max_depth=8)
    save(display.figure_, "tree_itself")


def draw_slices() -> None:
    forest = bw.DensityForest(random_state=0).fit(PENGUINS)
    shown = ("bill_length_mm", "bill_depth_mm")
    given = [None, {"species": "Adelie"}, {"species": "Gentoo", "sex": "male"}]
    figure, axes = plt.subplots(1, 3, figsize=(13, 3.9), layout="constrained", sharey=True)
    for ax, at in zip(axes, given, strict=True):
        bw.DensityTreeDisplay.from_estimator(forest, PENGUINS, columns=shown, at=at, ax=ax)
    save(figure, "forest_slices")


def draw_pruning() -> None:
    X, new = ring_and_bar(1000), ring_and_bar(4000, seed=1)
    tree = bw.DensityTree(prune="cv", random_state=0).fit(X)
    new = new[tree.score_samples(new) > -np.inf]
    path = tree.pruning_path_
    penalties = (0.0, 1.0, 3.0, 6.0, 12.0, 25.0)
    pruned = [bw.DensityTree(prune_penalty=penalty).fit(X) for penalty in penalties]
    figure, ax = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    ax.plot(path.n_leaves, path.loss / len(X), label="training rows", color="0.6")
    ax.plot(path.n_leaves, path.held_out_loss, label="cross-validation", color="tab:blue")
    ax.plot(
        [model.n_leaves_ for model in pruned],
        [-model.score(new) + shift(tree) for model in pruned],
        "o",
        color="tab:orange",
        label='4,000 new rows; "loo", penalties 25 to 0',
    )
    ax.axvline(tree.n_leaves_, color="tab:blue", linewidth=0.8, linestyle=":")
    ax.set(xscale="log", xlabel="leaves", ylabel="minus log-density on the unit square, per row")
    ax.legend(frameon=False)
    save(figure, "tree_pruning")


def shift(tree: bw.DensityTree) -> float:
    """Return the log-area of the bounding box: between densities in x and on the unit square."""
    return -float(np.log([margin.x[-1] - margin.x[0] for margin in tree.margins_.columns]).sum())


def main() -> None:
    draw_partition()
    draw_penguins()
    draw_slices()
    draw_pruning()


if __name__ == "__main__":
    main()
