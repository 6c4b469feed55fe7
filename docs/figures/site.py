"""Draws the pictures of README and of the explanations: spiral, missing, exactness, overlap.

Run it with ``python docs/figures/site.py``.
"""

from __future__ import annotations

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle
from saving import save
from sklearn.mixture import GaussianMixture

import boxwood as bw
from boxwood.datasets import load_penguins

BLUE, ORANGE, GREEN = "#2f6a8c", "#c8642b", "#3d6b35"


def two_turns(n: int, seed: int) -> np.ndarray:
    """Return rows along a spiral of two turns."""
    rng = np.random.default_rng(seed)
    angle = 2.0 * np.pi * (0.25 + 1.85 * np.sqrt(rng.uniform(0.0, 1.0, n)))
    rows = np.stack([angle * np.cos(angle), angle * np.sin(angle)], axis=1) / 4.4
    return rows + rng.normal(scale=0.1, size=rows.shape)


def draw_spiral() -> None:
    """Rows, a mixture of Gaussians, boxwood's density, and rows drawn from it."""
    train, new = two_turns(5000, 0), two_turns(5000, 1)
    mixture = GaussianMixture(10, random_state=0).fit(train)
    model = bw.BoostedDensity(random_state=0).fit(train)
    side = np.linspace(-3.4, 3.4, 320)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    figure, axes = plt.subplots(1, 4, figsize=(13, 3.7), layout="constrained", sharex=True, sharey=True)
    dots = {"s": 1.5, "c": BLUE, "alpha": 0.5, "linewidths": 0}
    axes[0].scatter(*train.T, **dots)
    axes[0].set_title("5,000 rows")
    scored = [
        ("a mixture of 10 Gaussians", mixture.score_samples(grid), mixture.score(new)),
        ("boxwood's density", model.score_samples(grid), model.score(new)),
    ]
    top = max(np.quantile(np.exp(scores), 0.995) for _, scores, _ in scored)
    for ax, (name, scores, level) in zip(axes[1:3], scored, strict=True):
        ax.imshow(
            np.exp(scores).reshape(320, 320) ** 0.6,
            extent=(-3.4, 3.4, -3.4, 3.4),
            origin="lower",
            cmap="magma",
            vmax=top**0.6,
        )
        ax.set_title(f"{name}: {level:.2f} nats")
    axes[3].scatter(*model.sample(5000, random_state=0).T, **dots)
    axes[3].set_title("5,000 rows drawn from it")
    for ax in axes:
        ax.set(xticks=[], yticks=[], xlim=(-3.4, 3.4), ylim=(-3.4, 3.4), aspect="equal")
    save(figure, "spiral")


def draw_missing() -> None:
    """How often sex is missing, and what body mass is like where it is."""
    table = load_penguins().frame
    model = bw.TableModel(bw.DensityForest(random_state=0)).fit(table)
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
    events = ["sex == 'female'", "sex == 'male'", "sex is missing"]
    names = ["female", "male", "missing"]
    axes[0].bar(names, [model.prob(event) for event in events], color=[BLUE, BLUE, ORANGE])
    axes[0].set(ylabel="probability", title="sex")
    masses = np.arange(2600, 6700, 200)
    for given, colour in (("sex is not missing", BLUE), ("sex is missing", ORANGE)):
        under = model.given(given)
        below = np.array([under.prob(f"body_mass_g <= {mass}") for mass in masses])
        axes[1].stairs(np.diff(below), masses, label=given, color=colour)
    axes[1].set(xlabel="body_mass_g", ylabel="probability of 200 g", title="body mass", ylim=(0, 0.17))
    axes[1].legend(frameon=False)
    save(figure, "missing")


def draw_exactness() -> None:
    """Leaves of a small tree, an event, and what of each leaf lies inside it."""
    table = load_penguins().frame[["bill_length_mm", "bill_depth_mm"]].dropna()
    tree = bw.DensityTree(max_leaf_nodes=9, prune=None).fit(table)
    leaves = tree.leaves_frame()
    event = (41.0, 15.2, 52.0, 18.4)
    figure, ax = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    for _, leaf in leaves.iterrows():
        left, right = leaf["bill_length_mm_lower"], leaf["bill_length_mm_upper"]
        low, high = leaf["bill_depth_mm_lower"], leaf["bill_depth_mm_upper"]
        box = Rectangle((left, low), right - left, high - low, fill=False, edgecolor="#777777")
        ax.add_patch(box)
        inner = max(left, event[0]), max(low, event[1]), min(right, event[2]), min(high, event[3])
        if inner[0] < inner[2] and inner[1] < inner[3]:
            size = (inner[2] - inner[0], inner[3] - inner[1])
            part = leaf["mass"] * size[0] * size[1] / ((right - left) * (high - low))
            ax.add_patch(Rectangle(inner[:2], *size, facecolor=BLUE, alpha=0.15 + 4 * part, linewidth=0))
            if part > 0.005:
                middle = (inner[0] + size[0] / 2, inner[1] + size[1] / 2)
                ax.text(*middle, f"{part:.3f}", ha="center", va="center", size=9)
    ax.add_patch(Rectangle(event[:2], 11.0, 3.2, fill=False, edgecolor=ORANGE, linewidth=2))
    ax.scatter(table.bill_length_mm, table.bill_depth_mm, s=4, c="#333333", alpha=0.4, linewidths=0)
    ax.set(
        xlabel="bill_length_mm",
        ylabel="bill_depth_mm",
        title="P(orange box) = the sum of its parts of leaves",
    )
    save(figure, "exactness")


def draw_overlap() -> None:
    """Two classes, and the area that the better rule gets wrong."""
    x = np.linspace(-4, 6, 400)
    first, second = (0.5 * np.exp(-0.5 * (x - m) ** 2) / np.sqrt(2 * np.pi) for m in (0.0, 2.0))
    error = np.trapezoid(np.minimum(first, second), x)
    figure, ax = plt.subplots(figsize=(6.4, 3.0), layout="constrained")
    ax.plot(x, first, color=BLUE, label="class 0")
    ax.plot(x, second, color=GREEN, label="class 1")
    ax.fill_between(x, np.minimum(first, second), color=ORANGE, alpha=0.5, label=f"Bayes error {error:.2f}")
    ax.axvline(1.0, color="#777777", linestyle=":")
    ax.set(xlabel="x", ylabel="prior · density", ylim=(0, None))
    ax.legend(frameon=False)
    save(figure, "overlap")


if __name__ == "__main__":
    draw_spiral()
    draw_missing()
    draw_exactness()
    draw_overlap()
