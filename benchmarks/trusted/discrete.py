"""Discrete tables: forest and boosted density beside what is best known of such a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import boxwood as bw
from trusted.tables import discrete_tables

__all__ = ["discrete_section"]

N_TRAIN, N_TEST = 2_000, 4_000
SPLITS = (6.0, 10.0, 30.0, 100.0, 300.0)
PRIORS = (1.0, 10.0, 100.0, 1_000.0)
MARGIN = 0.02


def discrete_section(data: Path, n_seeds: int) -> list[str]:
    """Return the lines of a table in Markdown."""
    lines = [
        f"Discrete tables, {n_seeds} seeds: nats below the best of independence, empirical fractions with a "
        f"Dirichlet prior and the forest at its best fixed `min_samples_split`, the best of each being "
        "chosen on the test rows. Bar: 0.02, or two paired standard errors.",
        "",
        "| table | best | nats | forest | boosted | forest meets | boosted meets |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, draw in discrete_tables(data).items():
        seeds = [_measure(draw, seed) for seed in range(n_seeds)]
        nats = np.mean([seed["nats"] for seed in seeds])
        best = pd.Series([seed["best"] for seed in seeds]).mode()[0]
        behind = [np.mean([seed[model][0] for seed in seeds]) for model in ("forest", "boosted")]
        meets = [sum(seed[model][1] for seed in seeds) for model in ("forest", "boosted")]
        lines.append(
            f"| {name} | {best} | {nats:.3f} | {behind[0]:+.3f} | {behind[1]:+.3f} "
            f"| {meets[0]} of {n_seeds} | {meets[1]} of {n_seeds} |"
        )
    return lines


def _measure(draw: Any, seed: int) -> dict[str, Any]:
    rows = draw(np.random.default_rng(seed), N_TRAIN + N_TEST)
    train, test = rows.iloc[:N_TRAIN], rows.iloc[N_TRAIN:]
    one_leaf = bw.DensityForest(1, min_samples_split=1e18, random_state=0).fit(train).score_samples(test)
    rivals = {"independence": one_leaf}
    for prior in PRIORS:
        rivals[f"empirical, prior {prior:g}"] = _empirical(train, test, one_leaf, prior)
    for split in SPLITS:
        forest = bw.DensityForest(50, min_samples_split=split, random_state=seed).fit(train)
        rivals[f"forest, split {split:g}"] = forest.score_samples(test)
    best = max(rivals, key=lambda name: rivals[name].mean())
    models = {
        "forest": bw.DensityForest(50, random_state=seed),
        "boosted": bw.BoostedDensity(random_state=seed),
    }
    found: dict[str, Any] = {"best": best.split(",")[0], "nats": rivals[best].mean()}
    for name, model in models.items():
        behind = rivals[best] - model.fit(train).score_samples(test)
        error = behind.std() / np.sqrt(len(behind))
        found[name] = (behind.mean(), bool(behind.mean() <= max(MARGIN, 2.0 * error)))
    return found


def _empirical(train: pd.DataFrame, test: pd.DataFrame, independent: Any, prior: float) -> np.ndarray:
    counts = train.astype(str).agg("|".join, axis=1).value_counts()
    seen = counts.reindex(test.astype(str).agg("|".join, axis=1)).fillna(0.0).to_numpy()
    return np.log((seen + prior * np.exp(independent)) / (len(train) + prior))
