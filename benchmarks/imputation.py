"""Gaps filled: 10% of the cells taken away at random, on one CPU thread.

Tables: adult, housing and protein, 1,000 rows each, and scikit-learn's diabetes, wine and breast cancer.
The mean error is the mean over columns of the root mean squared error in deviations (numbers) and of the
error rate (categories), of means and most probable categories. The energy distance is between rows with
gaps as they were and as draws fill them, numbers in deviations and categories as indicators; of peers that
draw nothing, of what they have. Both are means, and ranges in brackets, over seeds: of the gaps and of the
imputers; ``--seeds 5`` takes five. miceforest fills three tables, whose means and modes are expected; its
time is that of one. It matches categories by their probabilities ("fast"), since its default takes the
logarithm of 0 on adult and raises. Categories are codes for peers that know numbers alone. Bars: ahead of all
peers in both, in less time than miceforest.
"""

from __future__ import annotations

import importlib.util
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from quality.seeds import mean_and_range, parse_seeds
from ratio import data_file, shown
from scipy.spatial.distance import cdist
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer, KNNImputer
from threadpoolctl import threadpool_limits

import boxwood as bw

N_ROWS, FRACTION = 1000, 0.1
N_TABLES = 3
MOST_ROWS = 1000
"""With gaps, whose distances are measured."""
Numbers = Any
Filled = tuple[pd.DataFrame, pd.DataFrame]
"""What is expected, and draws."""
Fill = Callable[[pd.DataFrame, int], Filled]
"""Fills a table, with a seed."""


def of_file(name: str) -> pd.DataFrame:
    """Return rows of a table of numbers."""
    rows = np.load(data_file(f"{name}.npz"))["train"][:N_ROWS].astype(np.float64)
    return pd.DataFrame(rows).add_prefix("x")


def tables() -> dict[str, pd.DataFrame]:
    """Return the tables."""
    adult = pd.read_csv(data_file("adult.csv.gz"), na_values="?").sample(N_ROWS, random_state=0)
    return {
        "adult": adult.reset_index(drop=True),
        "housing": of_file("housing"),
        "protein": of_file("protein"),
        "diabetes": load_diabetes(as_frame=True).frame,
        "wine": load_wine(as_frame=True).data,
        "breast cancer": load_breast_cancer(as_frame=True).data,
    }


def numbers_of(table: pd.DataFrame) -> list[str]:
    """Return the names of the columns of numbers."""
    return [name for name in table if table[name].dtype.kind in "iuf"]


def with_gaps(table: pd.DataFrame, seed: int) -> tuple[pd.DataFrame, Numbers]:
    """Take cells away; return the table and which they were."""
    gone = np.random.default_rng(seed).random(table.shape) < FRACTION
    gone &= table.notna().to_numpy()
    floats = table.astype(dict.fromkeys(numbers_of(table), np.float64))
    return floats.mask(gone), gone


def by_boxwood(table: pd.DataFrame, seed: int) -> Filled:
    """Fill by `DensityImputer`; one fit serves both."""
    imputer = bw.DensityImputer(strategy="mean", random_state=seed).fit(table)
    mean = imputer.transform(table)
    return mean, imputer.set_params(strategy="draw").transform(table)


def by_codes(mean: Any, draw: Any = None) -> Fill:
    """Return what fills by imputers of numbers."""

    def fill(table: pd.DataFrame, seed: int) -> Filled:
        names = [name for name in table if name not in numbers_of(table)]
        kinds = {name: table[name].astype("category") for name in names}
        codes = table.assign(**{name: part.cat.codes.where(part.notna()) for name, part in kinds.items()})
        codes = codes.astype(np.float64)

        def predicted(imputer: Any) -> pd.DataFrame:
            if "random_state" in imputer.get_params():
                imputer.set_params(random_state=seed)
            found = pd.DataFrame(imputer.fit_transform(codes), columns=table.columns)
            for name, part in kinds.items():
                labels = part.cat.categories.to_numpy(dtype=object)
                found[name] = labels[found[name].round().clip(0, len(labels) - 1).astype(int)]
            return found

        filled = predicted(mean)
        return filled, filled if draw is None else predicted(draw)

    return fill


def by_medians(table: pd.DataFrame, seed: int) -> Filled:
    """Fill by medians and modes."""
    numbers = numbers_of(table)
    filled = table.fillna({n: table[n].median() if n in numbers else table[n].mode()[0] for n in table})
    return filled, filled


def by_miceforest(table: pd.DataFrame, seed: int) -> Filled:
    """Fill by miceforest: draws, and means or modes of the draws of three tables."""
    import miceforest

    names = [name for name in table if name not in numbers_of(table)]
    given = table.astype(dict.fromkeys(names, "category"))
    match = {name: "fast" if name in names else "normal" for name in table}
    kernel = miceforest.ImputationKernel(
        given, num_datasets=N_TABLES, mean_match_strategy=match, random_state=seed
    )
    kernel.mice(5, num_threads=1)
    found = [kernel.complete_data(k) for k in range(N_TABLES)]
    parts = {
        name: np.mean([one[name] for one in found], axis=0)
        if name not in names
        else pd.DataFrame([one[name].astype(object).to_numpy() for one in found]).mode().iloc[0].to_numpy()
        for name in table
    }
    return pd.DataFrame(parts), found[0]


PEERS: dict[str, Fill] = {
    "boxwood": by_boxwood,
    "medians and modes": by_medians,
    "KNNImputer": by_codes(KNNImputer()),
    "IterativeImputer": by_codes(IterativeImputer(), IterativeImputer(sample_posterior=True)),
    "miceforest": by_miceforest,
}


def mean_error(table: pd.DataFrame, filled: pd.DataFrame, gone: Numbers) -> float:
    """Return the mean over columns of the error of what was filled in."""
    errors = []
    for j, name in enumerate(table):
        rows = gone[:, j]
        truth, predicted = table[name].to_numpy()[rows], filled[name].to_numpy()[rows]
        if table[name].dtype.kind in "iuf":
            errors.append(np.sqrt(np.mean((truth - predicted.astype(np.float64)) ** 2)) / table[name].std())
        else:
            errors.append(np.mean(truth.astype(object) != predicted.astype(object)))
    return float(np.mean(errors))


def coded(table: pd.DataFrame, reference: pd.DataFrame) -> Numbers:
    """Return numbers in deviations, and categories as indicators."""
    parts = []
    for name in reference:
        if name in numbers_of(reference):
            scaled = (table[name].astype(np.float64) - reference[name].mean()) / reference[name].std()
            parts.append(scaled.to_numpy()[:, None])
        else:
            labels = sorted(reference[name].dropna().unique())
            own = table[name].astype(object).to_numpy()
            parts.append(np.stack([own == label for label in labels], axis=1) / np.sqrt(2.0))
    return np.nan_to_num(np.hstack(parts))


def energy_distance(table: pd.DataFrame, filled: pd.DataFrame, gone: Numbers) -> float:
    """Return the energy distance between rows with gaps as they were and as they are filled."""
    rows = np.flatnonzero(gone.any(axis=1))[:MOST_ROWS]
    a, b = coded(table, table)[rows], coded(filled, table)[rows]
    return float(2.0 * cdist(a, b).mean() - cdist(a, a).mean() - cdist(b, b).mean())


def line(label: str, name: str, table: pd.DataFrame, seeds: range) -> str:
    """Return the line of one imputer on one table."""
    errors, distances, spent = [], [], 0.0
    for seed in seeds:
        gaps, gone = with_gaps(table, seed)
        start = time.process_time()
        mean, draw = PEERS[name](gaps, seed)
        spent += (time.process_time() - start) / (N_TABLES if name == "miceforest" else 1)
        errors.append(mean_error(table, mean, gone))
        distances.append(1000.0 * energy_distance(table, draw, gone))
    cells = [mean_and_range(errors, ".3f"), mean_and_range(distances, ".2f"), shown(spent / len(seeds))]
    return f"| {label} | {name} | {' | '.join(cells)} |"


def main(arguments: Sequence[str] = ()) -> str:
    """Return the table in Markdown."""
    seeds = parse_seeds("Fill gaps that were made.", arguments)
    rows = ["| table | imputer | mean error | 1000 × energy distance | CPU time |"]
    rows.append("| --- | --- | ---: | ---: | ---: |")
    names = [name for name in PEERS if name != "miceforest" or importlib.util.find_spec(name)]
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for label, table in tables().items():
            for name in names:
                rows.append(line(label, name, table, seeds))
                print(rows[-1], file=sys.stderr, flush=True)
    said = ["", "miceforest is not installed and is left out."] if "miceforest" not in names else []
    return "\n".join([*rows, *said])


if __name__ == "__main__":
    print(main(sys.argv[1:]))
