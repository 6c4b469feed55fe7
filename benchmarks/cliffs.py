"""Where time grows faster than rows or columns, and what each switch of algorithm costs.

Every estimator of `boxwood.__all__` is fitted with its defaults to one kind of table: three correlated
Gaussian clusters of 5 columns, from 10³ rows on. A series ends at 10⁶ rows, or earlier if the next fit is
expected to take longer than the cap. "exponent" is the largest growth between two sizes: 1 if ten times the
rows take ten times as long. Estimators above 1.3 are named below the table.

The library changes its algorithm at some sizes (`SWITCHES` names each with the file that has it). The second
table fits both sides of each switch: the last size before it and the first one behind it. A ratio of 1 means
that the switch costs nothing. The third table does the same for columns instead of rows.

The last table compares density trees by Gaussian entropy with those by likelihood (bars: 5 times as long on 5
columns, 20 times on 20), and `GridHistogram` with ``numpy.histogramdd`` for as many bins (bar: twice). Times
are CPU seconds on one thread: the machine is shared.
"""

from __future__ import annotations

import argparse
import math
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from ratio import shown
from sklearn.base import clone
from threadpoolctl import threadpool_limits

import boxwood as bw

ROWS = (1_000, 10_000, 100_000, 1_000_000)
CAP = 20.0
"""Seconds that one fit may take."""

NAMED_FROM = 1.3
"""Exponents from here on are named."""

SHORT = 0.02
"""Seconds below which times say nothing about growth."""

OF_OTHERS = {
    "NoveltyDetector": "an ensemble of other estimators",
    "TargetEncoder": "of columns of categories",
}

TREE = "src/boxwood/density/tree.py"
FOREST_SMALL: dict[str, Any] = {"n_estimators": 10, "random_state": 0}
SWITCHES: list[tuple[str, Callable[[], Any], int, str]] = [
    ("DensityTree, exact or binned cuts", bw.DensityTree, 10_000, "src/boxwood/tree/density/growth.py"),
    (
        'DensityTree(criterion="gaussian_entropy"), the same',
        lambda: bw.DensityTree(criterion="gaussian_entropy"),
        10_000,
        "src/boxwood/tree/density/growth.py",
    ),
    ("DensityTree, five folds or one for p-values", bw.DensityTree, 5_000, TREE),
    ("DensityTree, a fold or closed form for p-values", bw.DensityTree, 20_000, TREE),
    (
        "DensityForest, all rows of a node or some choose its split",
        lambda: bw.DensityForest(**FOREST_SMALL),
        512,
        "cpp/tree/grow_options.hpp",
    ),
    (
        "NeighborDensity, search by a tree or by products",
        bw.NeighborDensity,
        1_999,
        "src/boxwood/neighbors/search.py",
    ),
]


def table(n_rows: int, n_columns: int, seed: int = 0) -> np.ndarray:
    """Draw rows of three correlated Gaussians; the same three for every number of rows."""
    shape = np.random.default_rng(1)
    means = 2.0 * shape.normal(size=(3, n_columns))
    roots = shape.normal(size=(3, n_columns, n_columns)) / math.sqrt(n_columns)
    rng = np.random.default_rng(seed)
    part = rng.integers(0, 3, n_rows)
    noise = rng.normal(size=(n_rows, n_columns))
    rows = np.empty((n_rows, n_columns))
    for k in range(3):
        rows[part == k] = means[k] + noise[part == k] @ roots[k].T
    return rows


def fit_time(model: Any, n_rows: int, n_columns: int = 5, repeats: int = 1) -> float:
    """Return the least CPU time of fits to a table, in seconds."""
    X = table(n_rows, n_columns)
    score = X.sum(axis=1)
    regressor = getattr(model, "_estimator_type", None) == "regressor" or "Regress" in type(model).__name__
    y = score if regressor and type(model).__name__ != "LogisticRegression" else (score > 0.0).astype(int)
    best = math.inf
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(repeats):
            start = time.process_time()
            clone(model).fit(X, y)
            best = min(best, time.process_time() - start)
    return best


def estimators() -> dict[str, Any]:
    """Return every public estimator that is made without arguments, on one thread."""
    found: dict[str, Any] = {}
    for name in sorted(bw.__all__):
        kind = getattr(bw, name)
        if not isinstance(kind, type) or not hasattr(kind, "fit") or name in OF_OTHERS:
            continue
        try:
            model = kind()
        except TypeError:  # needs an argument
            continue
        if "n_jobs" in model.get_params():
            model.set_params(n_jobs=1)
        found[name] = model
    return found


def grown(model: Any, rows: tuple[int, ...], cap: float) -> tuple[list[float], str]:
    """Return the times of a series of sizes, and why it ended before the last one."""
    times: list[float] = []
    for i, n in enumerate(rows):
        if i > 0:
            exponent = exponent_of(times[-2:], rows[max(i - 2, 0) : i]) if i > 1 else 1.0
            expected = times[-1] * (n / rows[i - 1]) ** max(exponent, 1.0)
            if expected > cap:
                return times, f"over {cap:g} s"
        try:
            times.append(fit_time(model, n))
        except (ValueError, TypeError, MemoryError) as error:
            return times, str(error).split(":")[0].split(". ")[0][:60]
    return times, ""


def exponent_of(times: list[float], rows: tuple[int, ...]) -> float:
    """Return the largest exponent between two neighbouring sizes; times that are short are passed over."""
    pairs = zip(times, times[1:], rows, rows[1:], strict=False)
    found = [math.log(b / a) / math.log(n / m) for a, b, m, n in pairs if a >= SHORT]
    return max(found, default=0.0)


def series_table(rows: tuple[int, ...], cap: float) -> str:
    """Fit every estimator at every size, and name those whose time grows faster than the rows."""
    heads = " | ".join(f"{n:,} rows" for n in rows)
    lines = [f"| estimator, 5 columns | {heads} | exponent |", "| --- |" + " ---: |" * (len(rows) + 1)]
    steep, missed = [], []
    for name, model in estimators().items():
        times, why = grown(model, rows, cap)
        if not times:
            missed.append(f"{name} ({why})")
            continue
        exponent = exponent_of(times, rows)
        cells = [shown(t) for t in times] + [why if i == 0 else "" for i in range(len(rows) - len(times))]
        lines.append(f"| {name} | {' | '.join(cells)} | {f'{exponent:.2f}' if exponent else ''} |")
        if exponent >= NAMED_FROM:
            steep.append(f"{name} ({exponent:.2f})")
    named = f"Time grows faster than rows: {', '.join(steep) or 'nowhere'}."
    left = "; ".join([*(f"{name}: {why}" for name, why in OF_OTHERS.items()), *missed])
    return "\n".join([*lines, "", named, "", f"Not timed: {left}."])


def switch_table(repeats: int) -> str:
    """Fit on both sides of each switch."""
    lines = ["| switch | up to | behind it | ratio | in |", "| --- | ---: | ---: | ---: | --- |"]
    for name, make, last, file in SWITCHES:
        before, behind = (fit_time(make(), n, repeats=repeats) for n in (last, last + 1))
        times = f"{last:,} rows: {shown(before)} | {shown(behind)} | {behind / before:.2f}"
        lines.append(f"| {name} | {times} | `{file}` |")
    return "\n".join(lines)


def column_table(rows: int, repeats: int) -> str:
    """Fit at 5, 10 and 20 columns; quadratic growth has an exponent of 2."""
    names = ("DensityTree", "DensityForest", "GaussianDensity", "ProductDensity", "Histogram")
    lines = ["| estimator | 5 columns | 10 | 20 | exponent |", "| --- | ---: | ---: | ---: | ---: |"]
    made = {name: getattr(bw, name)() for name in names}
    made["DensityForest"] = bw.DensityForest(**FOREST_SMALL, n_jobs=1)
    made['DensityTree(criterion="gaussian_entropy")'] = bw.DensityTree(criterion="gaussian_entropy")
    for name, model in made.items():
        times = [fit_time(model, rows, d, repeats) for d in (5, 10, 20)]
        exponent = exponent_of(times, (5, 10, 20))
        cells = " | ".join(shown(t) for t in times)
        lines.append(f"| {name}, {rows:,} rows | {cells} | {f'{exponent:.2f}' if exponent else ''} |")
    return "\n".join(lines)


def bar_table(sizes: tuple[tuple[int, int], ...], grid_rows: int, repeats: int) -> str:
    """Return the table that compares each fit that has a bar with its baseline."""
    lines = ["| fit | time | against | ratio | bar |", "| --- | ---: | --- | ---: | ---: |"]
    for n, d in sizes:
        ours = fit_time(bw.DensityTree(criterion="gaussian_entropy", n_jobs=1), n, d, repeats)
        base = fit_time(bw.DensityTree(n_jobs=1), n, d, repeats)
        name = f'DensityTree(criterion="gaussian_entropy"), {n:,} × {d}'
        bar = 5 if d == 5 else 20
        lines.append(f"| {name} | {shown(ours)} | by likelihood: {shown(base)} | {ours / base:.1f} | {bar} |")
    X = np.random.default_rng(0).normal(size=(grid_rows, 2))
    numbers = [len(edges) - 1 for edges in bw.GridHistogram().fit(X).edges_]
    times = []
    for task in (lambda: bw.GridHistogram().fit(X), lambda: np.histogramdd(X, bins=numbers)):
        best = math.inf
        for _ in range(max(repeats, 3)):
            start = time.process_time()
            task()
            best = min(best, time.process_time() - start)
        times.append(best)
    against = f"histogramdd: {shown(times[1])}"
    name = f"GridHistogram, {grid_rows:,} × 2"
    lines.append(f"| {name} | {shown(times[0])} | {against} | {times[0] / times[1]:.1f} | 2 |")
    return "\n".join(lines)


def main(rows: tuple[int, ...] = ROWS, cap: float = CAP, repeats: int = 2, series: bool = True) -> str:
    fit_time(bw.DensityTree(), 500)  # what the first fit imports
    largest = rows[-1]
    sizes = tuple(
        (n, d) for n, d in ((1_000, 5), (10_000, 5), (10_001, 5), (9_000, 20), (100_000, 5)) if n <= largest
    )
    return "\n\n".join(
        [
            *([series_table(rows, cap)] if series else []),
            switch_table(repeats),
            column_table(min(largest, 10_000), repeats),
            bar_table(sizes, largest, repeats),
        ]
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=ROWS[-1], help="rows of the largest table")
    parser.add_argument("--cap", type=float, default=CAP, help="seconds that one fit may take")
    parser.add_argument("--no-series", action="store_true", help="leave the table of all estimators out")
    given = parser.parse_args()
    print(main(tuple(n for n in ROWS if n <= given.largest), given.cap, series=not given.no_series))
