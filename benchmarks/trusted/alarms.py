"""Alarms: how many unseen rows are called odd, and whether p-values are uniform."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

import boxwood as bw
from trusted.tables import alarm_tables

__all__ = ["alarm_section"]

N_TRAIN = {"300": 300}
ROWS = 2_000
"""Of other tables that are drawn; real ones are parted 2 to 1."""


def alarm_section(data: Path, n_splits: int) -> list[str]:
    """Return the lines of a table in Markdown."""
    lines = [
        f"Alarms of `DensityForest` at `false_alarm_rate=0.05`, mean over {n_splits} splits (bar: 0.03 to "
        "0.07), the fraction of p-values below ½, Kolmogorov–Smirnov distance of p-values (randomised at "
        "ties) pooled over splits, and the out-of-bag score less that of unseen rows.",
        "",
        "| table | rows × columns | flagged | p < ½ | distance | out of bag | less unseen | meets |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |",
    ]
    for name, draw in alarm_tables(data).items():
        splits = [_split(name, draw, seed) for seed in range(n_splits)]
        flagged = np.mean([split["flagged"] for split in splits])
        p = np.concatenate([split["p"] for split in splits])
        oob, unseen = (np.array([split[key] for split in splits]) for key in ("oob", "unseen"))
        allowed = max(0.05, 0.02 * abs(unseen.mean()), 3.0 * np.mean([split["error"] for split in splits]))
        off = float((oob - unseen).mean())
        meets = 0.03 <= flagged <= 0.07 and abs(off) <= allowed
        lines.append(
            f"| {name} | {splits[0]['shape']} | {flagged:.3f} | {(p < 0.5).mean():.2f} "
            f"| {stats.kstest(p, 'uniform').statistic:.3f} | {oob.mean():.2f} | {off:+.2f} "
            f"| {'yes' if meets else 'no'} |"
        )
    return lines


def _split(name: str, draw: Any, seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    rows = draw(rng, 300 + ROWS if name.startswith("300") else 2 * ROWS)
    n_train = 300 if name.startswith("300") else min(ROWS, 2 * len(rows) // 3)
    train, test = rows.iloc[:n_train], rows.iloc[n_train:]
    forest = bw.DensityForest(100, random_state=seed).fit(train)
    scores = forest.score_samples(test)
    return {
        "shape": f"{train.shape[0]} × {train.shape[1]}",
        "flagged": (forest.predict(test) < 0).mean(),
        "p": _randomised(scores, forest.calibration_scores_, rng),
        "oob": forest.oob_score_,
        "unseen": scores.mean(),
        "error": scores.std() / np.sqrt(len(scores)),
    }


def _randomised(scores: np.ndarray, calibration: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return p-values that are uniform where scores have ties, too."""
    below, upto = (np.searchsorted(calibration, scores, side=side) for side in ("left", "right"))
    return (below + rng.random(len(scores)) * (upto - below + 1.0)) / (1.0 + len(calibration))
