"""Decision regions in the two numbers that tell most about a target, as a picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from boxwood.classify import BayesClassifier, LinearDiscriminantAnalysis
from boxwood.columns import Columns
from boxwood.density import GaussianDensity
from boxwood.report.picture import picture
from boxwood.table.target_column import split_target

__all__ = ["region_picture"]

MOST_ROWS, MOST_CLASSES, MOST_NUMBERS = 3_000, 10, 30


def region_picture(columns: Columns, numbers: Sequence[str], target: str) -> str:
    """Return the regions of a Bayes classifier of Gaussians, in the two numbers that it errs least with."""
    rows = columns
    if columns.n_rows > MOST_ROWS:
        rows = columns.take(
            np.sort(np.random.default_rng(0).choice(columns.n_rows, MOST_ROWS, replace=False))
        )
    others, labels = split_target(rows, target)
    cells = {name: others[name].numbers() for name in numbers[:MOST_NUMBERS]}
    there = np.all([np.isfinite(values) for values in cells.values()], axis=0)
    y = labels[there]
    varied = [name for name, values in cells.items() if np.ptp(values[there]) > 0.0] if there.any() else []
    if (
        len(varied) < 2
        or not 2 <= len(np.unique(y)) <= MOST_CLASSES
        or min(np.unique(y, return_counts=True)[1]) < 3
    ):
        return ""
    first, second = _best_two({name: cells[name][there] for name in varied}, y)
    return _drawn(first, second, {name: cells[name][there] for name in (first, second)}, y, target)


def _best_two(cells: dict[str, np.ndarray], y: np.ndarray) -> tuple[str, str]:
    """Return the number that tells most alone, and the one that tells most beside it."""

    def error(names: list[str]) -> float:
        X = np.column_stack([cells[name] for name in names])
        return 1.0 - float(LinearDiscriminantAnalysis().fit(X, y).score(X, y))

    first = min(cells, key=lambda name: error([name]))
    return first, min((name for name in cells if name != first), key=lambda name: error([first, name]))


def _drawn(first: str, second: str, cells: dict[str, np.ndarray], y: np.ndarray, target: str) -> str:
    from matplotlib.figure import Figure

    from boxwood.plot import DecisionRegionDisplay

    model = BayesClassifier(GaussianDensity()).fit(cells, y)
    figure = Figure(figsize=(7.0, 4.6))
    DecisionRegionDisplay.from_estimator(model, cells, y, ax=figure.subplots())
    title = f"Where a Bayes classifier of Gaussians says which {target}, from {first} and {second} alone"
    return picture(figure, title)
