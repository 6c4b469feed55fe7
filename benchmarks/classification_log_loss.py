"""Log-loss of new rows on ten tables: Bayes' rule over density forests, random forests, boosted trees.

Bar: the calibrated ``BayesClassifier(DensityForest())`` ahead of the random forest on eight of the ten. Each
table is divided into 60% for training and 40% for the test, by class; means over the seeds, and ranges in
brackets; ``--seeds 5`` takes five. Random forests and histogram gradient boosting are scikit-learn's, as they
come.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from quality.seeds import mean_and_range, parse_seeds
from ratio import data_file
from sklearn import datasets
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from threadpoolctl import threadpool_limits

import boxwood as bw

LABELLED = ("Pima", "satellite", "SpamBase", "Cardiotocography", "mammography")
"""Tables of data/anomaly whose labels serve as classes."""


def adult(n_rows: int = 4000) -> tuple[Any, Any]:
    """Return the numbers and categories of a part of adult, as codes, which all models take."""
    table = pd.read_csv(data_file("adult.csv.gz")).sample(n_rows, random_state=0)
    target = table.columns[-1]
    rows = table.drop(columns=target).apply(lambda column: pd.factorize(column, sort=True)[0])
    return rows.to_numpy(np.float64), table[target].to_numpy()


def penguins() -> tuple[Any, Any]:
    table = pd.read_csv(data_file("penguins.csv")).dropna()
    return table.select_dtypes("number").to_numpy(np.float64), table["species"].to_numpy()


def tables() -> dict[str, tuple[Any, Any]]:
    """Return the rows and classes of each table."""
    found = {
        "wine": datasets.load_wine(return_X_y=True),
        "breast cancer": datasets.load_breast_cancer(return_X_y=True),
        "digits": datasets.load_digits(return_X_y=True),
        "penguins": penguins(),
        "adult": adult(),
    }
    for name in LABELLED:
        with np.load(data_file(f"anomaly/{name}.npz")) as table:
            found[name] = table["X"].astype(np.float64), table["y"]
    return found


def models(seed: int) -> dict[str, Any]:
    forest = bw.DensityForest(random_state=seed, n_jobs=1)
    return {
        "calibrated": bw.BayesClassifier(forest),
        "as it is": bw.BayesClassifier(forest, calibrate=False),
        "random forest": RandomForestClassifier(random_state=seed),
        "boosted trees": HistGradientBoostingClassifier(random_state=seed),
    }


def losses(X: Any, y: Any, seeds: range) -> dict[str, list[tuple[float, float]]]:
    """Return the log-loss of new rows and the CPU seconds of fit and prediction, by model and seed."""
    found: dict[str, list[tuple[float, float]]] = {}
    for seed in seeds:
        train, test, y_train, y_test = train_test_split(X, y, test_size=0.4, random_state=seed, stratify=y)
        for name, model in models(seed).items():
            start = time.process_time()
            proba = model.fit(train, y_train).predict_proba(test)
            seconds = time.process_time() - start
            found.setdefault(name, []).append((log_loss(y_test, proba, labels=model.classes_), seconds))
    return found


def cell(pairs: Sequence[tuple[float, float]]) -> str:
    """Return the mean, the range where there are several seeds, and the time."""
    losses, times = zip(*pairs, strict=True)
    mean, *rest = mean_and_range(losses, ".3f").rstrip(")").split(" (")
    return f"{mean} ({'; '.join([*rest, f'{np.mean(times):.1f} s'])})"


def main(arguments: Sequence[str] = ()) -> str:
    seeds = parse_seeds("Compare probabilities of classes.", arguments)
    lines = []
    ahead = 0
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        every = tables()
        for name, (X, y) in every.items():
            found = losses(X, y, seeds)
            means = {name: np.mean([loss for loss, _ in pairs]) for name, pairs in found.items()}
            ahead += means["calibrated"] < means["random forest"]
            cells = [cell(pairs) for pairs in found.values()]
            lines.append(f"| {name}, {X.shape[0]:,} × {X.shape[1]} | {' | '.join(cells)} |")
            print(lines[-1], file=sys.stderr, flush=True)
    heading = "| table | BayesClassifier | not calibrated | random forest | boosted trees |"
    rule = "| --- | ---: | ---: | ---: | ---: |"
    return "\n".join([heading, rule, *lines, "", f"Ahead of the random forest on {ahead} of {len(every)}."])


if __name__ == "__main__":
    print(main(sys.argv[1:]))
