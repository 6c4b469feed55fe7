"""How good are densities of tables of zeros and ones, beside tractable models?

The score is the mean log-likelihood of held-out rows, in nats. The tables are four of the twenty binary
tables on which tractable density models are usually compared. Models are fitted to `train` and scored on
`test`; `valid` is not used. The column ID-SPN has the values usually quoted for it (Rooshenas and Lowd,
"Learning sum-product networks with direct and indirect variable interactions", ICML 2014). Models are fitted
with their defaults on one thread. Times are CPU seconds, and sizes are those of the saved models.

Select tables with ``--tables nltcs,dna`` and models with ``--models DensityForest``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from ratio import data_file
from threadpoolctl import threadpool_limits

import boxwood as bw

ID_SPN = {"nltcs": -6.02, "plants": -12.54, "jester": -52.86, "dna": -81.21}
"""Mean log-likelihood of `test` under ID-SPN, by table."""

MODELS: dict[str, Callable[[], Any]] = {
    "DensityForest": lambda: bw.DensityForest(random_state=0, n_jobs=1),
    "BoostedDensity quick": lambda: bw.BoostedDensity("quick", random_state=0, n_jobs=1),
    "BoostedDensity": lambda: bw.BoostedDensity(random_state=0, n_jobs=1),
}


def read_table(name: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    with np.load(data_file(f"binary/{name}.npz")) as arrays:
        parts = [arrays["train"].astype(np.bool_), arrays["test"].astype(np.bool_)]
    names = [f"x{j}" for j in range(parts[0].shape[1])]
    train, test = (pd.DataFrame(part, columns=names) for part in parts)
    return train, test


def line_of(name: str, model: str, train: pd.DataFrame, test: pd.DataFrame) -> str:
    start = time.process_time()
    density = MODELS[model]().fit(train)
    fitted = time.process_time()
    scores = density.score_samples(test)
    scored = time.process_time()
    error = scores.std(ddof=1) / np.sqrt(len(scores))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.boxwood"
        density.save(path)
        size = path.stat().st_size / 1e6
    shape = f"{len(train):,} × {train.shape[1]}"
    per_row = 1e3 * (scored - fitted) / len(test)
    return (
        f"| {name} | {shape} | {model} | {scores.mean():.2f} ± {error:.2f} | {ID_SPN[name]:.2f} "
        f"| {fitted - start:.1f} s | {per_row:.2g} ms | {size:.1f} MB |"
    )


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare densities of binary tables.")
    parser.add_argument("--tables", default=",".join(ID_SPN), help="default: all")
    parser.add_argument("--models", default=",".join(MODELS), help="default: all")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] = ()) -> str:
    options = parse(arguments)
    lines = [
        "| table | rows × columns | model | nats a held-out row | ID-SPN | fit | score a row | saved |",
        "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    with threadpool_limits(1):
        for name in options.tables.split(","):
            train, test = read_table(name)
            for model in options.models.split(","):
                lines.append(line_of(name, model, train, test))
                print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)


if __name__ == "__main__":
    print(main(sys.argv[1:]))
