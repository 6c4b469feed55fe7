"""Draws the figures of neighbors.md: the two Gaussians of the notes under four rules, and their bracket."""

from __future__ import annotations

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
from saving import save

import boxwood as bw

NEAR, FAR, APART = 14.77, 49.87, 107.67


def draw(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return n points of each of the two Gaussians."""
    rng = np.random.default_rng(seed)
    near = rng.normal(scale=NEAR, size=(n, 2))
    far = rng.normal(scale=FAR, size=(n, 2)) + np.array([APART, 0.0])
    return np.concatenate([near, far]), np.repeat([0, 1], n)


def log_ratio(points: np.ndarray) -> np.ndarray:
    """Return log p(x|far) − log p(x|near): the Bayes rule cuts it at 0."""
    to_near = (points**2).sum(axis=1) / (2.0 * NEAR**2)
    to_far = ((points - np.array([APART, 0.0])) ** 2).sum(axis=1) / (2.0 * FAR**2)
    return to_near - to_far + 2.0 * np.log(NEAR / FAR)


def draw_rules() -> None:
    X, y = draw(100, 10)
    X_new, y_new = draw(20_000, 1)
    editing = bw.RepeatedEditedNearestNeighbours(random_state=0)
    edited = editing.fit_resample(X, y)
    condensed = bw.CondensedNearestNeighbour(random_state=0).fit_resample(*edited)
    cases = {
        "1-NN": (1, X, y),
        "5-NN": (5, X, y),
        "1-NN, edited": (1, *edited),
        "1-NN, edited and condensed": (1, *condensed),
    }
    across, up = np.meshgrid(np.linspace(-80, 240, 320), np.linspace(-130, 130, 260))
    grid = np.column_stack([across.ravel(), up.ravel()])
    figure, axes = plt.subplots(2, 2, figsize=(9.6, 7.9), layout="constrained", sharex=True, sharey=True)
    for ax, (name, (k, rows, labels)) in zip(axes.ravel(), cases.items(), strict=True):
        model = bw.KNeighborsClassifier(k).fit(rows, labels)
        predicted = model.predict(grid).reshape(across.shape)
        ax.contourf(
            across, up, predicted, levels=[-0.5, 0.5, 1.5], colors=["tab:blue", "tab:orange"], alpha=0.2
        )
        ax.contour(across, up, log_ratio(grid).reshape(across.shape), [0.0], colors="black", linestyles="--")
        for code, colour in enumerate(("tab:blue", "tab:orange")):
            ax.plot(*rows[labels == code].T, ".", color=colour, markersize=5)
        error = 1.0 - model.score(X_new, y_new)
        ax.set_title(f"{name}: {len(rows)} rows, error {error:.3f}", fontsize="medium")
        ax.set(xlim=(-80, 240), ylim=(-130, 130), aspect="equal")
    save(figure, "neighbor_rules")


def draw_bracket() -> None:
    X, y = draw(2000, 2)
    display = bw.BayesErrorDisplay.from_data(X, y, random_state=0)
    for ax in display.axes_:
        ax.axhline(0.026, color="black", linestyle="--", linewidth=1.0, label="Bayes error")
        ax.legend(frameon=False, fontsize="small")
    save(display.figure_, "bayes_error")


def main() -> None:
    draw_rules()
    draw_bracket()


if __name__ == "__main__":
    main()
