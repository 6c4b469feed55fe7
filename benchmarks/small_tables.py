"""Is a boosted density ever behind its forest, or behind Gaussians, on tables of few rows?

On the tables of ``tests/zoo`` with 200 rows and more, and on the first 200 and 1,000 rows of those of
`density_quality.py`, of adult and of penguins. Nats an unseen row of `BoostedDensity` less those of
`DensityForest` and, where all columns are continuous, of scikit-learn's mixture of 1 to 50 Gaussians (full or
diagonal covariances, chosen by five folds; a gap that was never seen has probability 1/(n + 2) a column in
all three). All with the same seed, with their defaults; behind each difference its standard error over the
unseen rows, paired. Bar: none below −0.02.

``--tables arm,skewed_categories`` chooses; ``--sizes 200,1000,4000`` takes other numbers of rows;
``--seeds 3`` takes three seeds, of which the means are shown; ``--json FILE`` keeps the figures.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from quality.gaussians import TunedGaussians
from quality.real import MissingTableError
from quality.tables import FIVE, OTHERS, make_table
from ratio import data_file
from threadpoolctl import threadpool_limits

import boxwood as bw

ZOO = Path(__file__).parents[1] / "tests"
HOUSES = ("continuous", "copies", "discrete", "gaps", "rounded")
FEWEST = 200
MOST_TEST = 3000
BAR = -0.02


@dataclass(frozen=True)
class Small:
    """A table of few rows: its name, rows to fit, rows to test, weights of the former."""

    name: str
    train: Any
    test: Any
    weights: Any = None


@dataclass(frozen=True)
class Found:
    """Nats a row, differences to peers with their standard errors, and CPU seconds of the fit."""

    name: str
    shape: tuple[int, int]
    seed: int
    nats: float
    forest: tuple[float, float]
    gaussians: tuple[float, float] | None
    seconds: float


def zoo_tables() -> Iterator[Small]:
    sys.path.insert(0, str(ZOO))
    for house in HOUSES:
        import_module(f"zoo.{house}")
    zoo = import_module("zoo.table")
    for name in zoo.SPECIES:
        table = zoo.find(name)
        if len(table.train) >= FEWEST:
            yield Small(name, table.train, table.held_out, table.weights)


def quality_tables(sizes: Sequence[int]) -> Iterator[Small]:
    for name in (*FIVE, *OTHERS):
        try:
            table = make_table(name)
        except MissingTableError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
            continue
        for n in sizes:
            yield Small(f"{name}, {n:,}", table.train[:n], table.test[:MOST_TEST])


def mixed_tables(sizes: Sequence[int]) -> Iterator[Small]:
    penguins = pd.read_csv(data_file("penguins.csv")).sample(frac=1.0, random_state=0)
    yield Small("penguins", penguins[:FEWEST], penguins[FEWEST:])
    adult = pd.read_csv(data_file("adult.csv.gz"), na_values="?", skipinitialspace=True)
    rows = adult.sample(frac=1.0, random_state=0).drop(columns="fnlwgt")
    for n in sizes:
        yield Small(f"adult, {n:,}", rows[:n], rows[-MOST_TEST:])


def compare(table: Small, seed: int) -> Found:
    """Fit the three and score unseen rows."""
    start = time.process_time()
    boosted = bw.BoostedDensity(n_jobs=1, random_state=seed).fit(table.train, sample_weight=table.weights)
    seconds = time.process_time() - start
    scores = boosted.score_samples(table.test)
    forest = bw.DensityForest(n_jobs=1, random_state=seed).fit(table.train, sample_weight=table.weights)
    gaussians = None
    if is_for_gaussians(table, boosted):
        gaussians = ahead(scores, TunedGaussians(seed).fit(table.train).score_samples(table.test))
    return Found(
        table.name,
        np.shape(table.train),
        seed,
        float(scores.mean()),
        ahead(scores, forest.score_samples(table.test)),
        gaussians,
        seconds,
    )


def is_for_gaussians(table: Small, boosted: bw.BoostedDensity) -> bool:
    """Return whether all columns are continuous and no rows are weighed, which Gaussians know nothing of."""
    is_whole = all(
        isinstance(rows, np.ndarray) and np.isfinite(rows).all() for rows in (table.train, table.test)
    )
    return is_whole and table.weights is None and all(boosted.margins_.continuous)


def ahead(ours: np.ndarray, theirs: np.ndarray) -> tuple[float, float]:
    """Return the mean difference and its standard error; a row that is impossible to both says nothing."""
    known = np.isfinite(ours) | np.isfinite(theirs)
    gain = ours[known] - theirs[known]
    return float(gain.mean()), float(gain.std() / np.sqrt(len(gain)))


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare densities of few rows.")
    parser.add_argument("--tables", help="names, as in the zoo or in density_quality.py; without it all")
    parser.add_argument("--sizes", default="200,1000", help="rows of the larger tables")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="0 to N − 1; without it 1")
    parser.add_argument("--json", type=Path, help="a file for the figures, written after each table")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] = ()) -> str:
    options = parse(arguments)
    sizes = [int(size) for size in options.sizes.split(",")]
    wanted = options.tables.split(",") if options.tables else None
    tables = [*zoo_tables(), *quality_tables(sizes), *mixed_tables(sizes)]
    found: list[list[Found]] = []
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        for table in tables:
            if wanted is None or table.name.split(",")[0] in wanted:
                found.append([compare(table, seed) for seed in range(options.seeds)])
                print(line(found[-1]), file=sys.stderr, flush=True)
                if options.json:
                    options.json.write_text(json.dumps([asdict(one) for of in found for one in of], indent=1))
    return report(found)


def line(of_seeds: Sequence[Found]) -> str:
    first = of_seeds[0]
    nats, seconds = np.mean([one.nats for one in of_seeds]), np.mean([one.seconds for one in of_seeds])
    cells = [mean_cell([one.forest for one in of_seeds]), mean_cell([one.gaussians for one in of_seeds])]
    shape = f"{first.shape[0]:,} × {first.shape[1]}"
    return f"| {first.name} | {shape} | {nats:.3f} | {cells[0]} | {cells[1]} | {seconds:.1f} |"


def mean_cell(gains: Sequence[tuple[float, float] | None]) -> str:
    known = [gain for gain in gains if gain is not None]
    if not known:
        return "–"
    mean, error = np.mean(known, axis=0)
    shown = f"{mean:+.3f} ± {error:.3f}"
    return f"**{shown}**" if mean < BAR else shown


def report(found: Sequence[Sequence[Found]]) -> str:
    head = "| table | rows × columns | nats a row | less the forest's | less the Gaussians' | fit, CPU s |"
    lines = [head, "| --- | --- | ---: | ---: | ---: | ---: |", *map(line, found), ""]
    for peer, what in (("forest", "the forest"), ("gaussians", "tuned Gaussians")):
        gains = {of[0].name: [getattr(one, peer) for one in of] for of in found}
        known = {name: np.mean(of, axis=0) for name, of in gains.items() if of[0] is not None}
        behind = [
            f"{name} ({mean:+.3f} ± {error:.3f})" for name, (mean, error) in known.items() if mean < BAR
        ]
        listed = f": {', '.join(behind)}" if behind else ""
        lines.append(f"- Behind {what} by more than {-BAR}: {len(behind)} of {len(known)}{listed}.")
    return "\n".join(lines)


if __name__ == "__main__":
    print(main(sys.argv[1:]))
