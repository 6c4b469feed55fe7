"""Anomalies of fifteen labelled tables: area under the ROC curve, beside detectors of scikit-learn and PyOD.

Two ways to train: on a random half of the normal rows, with the other rows as the test; and on everything,
anomalies included, with the same rows scored. Bars: mean AUROC ahead of the distance to the fifth neighbour
on normals, and of the isolation forest and ``NeighborDensity`` on everything. Tables: data/anomaly, at most
5,000 rows each; means over seeds, and ranges in brackets; ``--seeds 5`` takes five. ECOD and COPOD run where
PyOD is installed.
"""

from __future__ import annotations

import importlib.util
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from quality.seeds import mean_and_range, parse_seeds
from ratio import data_file
from sklearn.ensemble import IsolationForest
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import LocalOutlierFactor, NearestNeighbors
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

import boxwood as bw

TABLES = [
    "Cardiotocography",
    "Ionosphere",
    "Pima",
    "SpamBase",
    "WDBC",
    "Waveform",
    "annthyroid",
    "breastw",
    "fault",
    "mammography",
    "optdigits",
    "satellite",
    "thyroid",
    "vertebral",
    "yeast",
]

Rows = NDArray[np.float64]
Scores = Callable[[Rows, Rows, bool, int], Rows]
"""Scores, large for anomalies, of training rows, test rows, whether these are the same, and a seed."""


def neighbor_distance(train: Rows, test: Rows, same: bool, seed: int) -> Rows:
    scaler = StandardScaler().fit(train)
    # The nearest row of a training row is itself.
    search = NearestNeighbors(n_neighbors=5 + same).fit(scaler.transform(train))
    return search.kneighbors(scaler.transform(test))[0][:, -1]


def local_outlier_factor(train: Rows, test: Rows, same: bool, seed: int) -> Rows:
    scaler = StandardScaler().fit(train)
    model = LocalOutlierFactor(novelty=not same).fit(scaler.transform(train))
    found = model.negative_outlier_factor_ if same else model.score_samples(scaler.transform(test))
    return -found


def by_score_samples(make: Callable[[int], Any]) -> Scores:
    return lambda train, test, same, seed: -make(seed).fit(train).score_samples(test)


def by_pyod(name: str) -> Scores:
    models = importlib.import_module(f"pyod.models.{name.lower()}")
    return lambda train, test, same, seed: getattr(models, name)().fit(train).decision_function(test)


def detectors() -> dict[str, Scores]:
    found: dict[str, Scores] = {
        "AnomalyDetector": by_score_samples(lambda seed: bw.AnomalyDetector(random_state=seed, n_jobs=1)),
        "fifth neighbour": neighbor_distance,
        "isolation forest": by_score_samples(lambda seed: IsolationForest(random_state=seed)),
        "NeighborDensity": by_score_samples(lambda seed: bw.NeighborDensity()),
        "LOF": local_outlier_factor,
    }
    if importlib.util.find_spec("pyod") is None:
        print("PyOD is not installed: without ECOD and COPOD", file=sys.stderr)
        return found
    return {**found, "ECOD": by_pyod("ECOD"), "COPOD": by_pyod("COPOD")}


def parts_of(X: Rows, y: NDArray[Any], on_normals: bool, seed: int) -> tuple[Rows, Rows, NDArray[Any]]:
    """Return training rows, test rows, and which of these are anomalies."""
    if not on_normals:
        return X, X, y
    normal = np.flatnonzero(y == 0)
    half = np.random.default_rng(seed).choice(normal, len(normal) // 2, replace=False)
    rest = np.setdiff1d(np.arange(len(y)), half)
    return X[half], X[rest], y[rest]


def areas(name: str, scores: Scores, on_normals: bool, seeds: range) -> tuple[list[float], float]:
    """Return the AUROC of each seed in percent and the mean CPU seconds."""
    with np.load(data_file(f"anomaly/{name}.npz")) as table:
        X, y = table["X"].astype(np.float64), table["y"]
    found = []
    for seed in seeds:
        train, test, odd = parts_of(X, y, on_normals, seed)
        start = time.process_time()
        area = roc_auc_score(odd, scores(train, test, not on_normals, seed))
        found.append((100.0 * area, time.process_time() - start))
    return [area for area, _ in found], float(np.mean([seconds for _, seconds in found]))


def way(title: str, on_normals: bool, seeds: range) -> str:
    every = detectors()
    cells = {}
    for name in TABLES:
        cells[name] = [areas(name, scores, on_normals, seeds) for scores in every.values()]
        print(
            title,
            name,
            [round(float(np.mean(found)), 1) for found, _ in cells[name]],
            file=sys.stderr,
            flush=True,
        )
    means = np.mean([[(np.mean(found), spent) for found, spent in row] for row in cells.values()], axis=0)
    lines = [f"| {title} | {' | '.join(every)} |", "| --- |" + " ---: |" * len(every)]
    for name, row in cells.items():
        lines.append(f"| {name} | {' | '.join(mean_and_range(found, '.1f') for found, _ in row)} |")
    lines.append(f"| mean | {' | '.join(f'{area:.2f}' for area in means[:, 0])} |")
    lines.append(f"| CPU seconds | {' | '.join(f'{seconds:.2f}' for seconds in means[:, 1])} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] = ()) -> str:
    seeds = parse_seeds("Find the anomalies of labelled tables.", arguments)
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        ways = [way("trained on normals", True, seeds), way("trained on all", False, seeds)]
    return "\n\n".join(ways)


if __name__ == "__main__":
    print(main(sys.argv[1:]))
