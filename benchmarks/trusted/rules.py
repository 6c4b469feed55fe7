"""Adult: samples that contradict its rules, and the time of a forest."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pandas as pd

import boxwood as bw

__all__ = ["rules_section"]

N_SAMPLES = 100_000


def rules_section(data: Path) -> list[str]:
    """Return the lines of a table in Markdown."""
    adult = pd.read_csv(data / "adult.csv.gz", na_values="?")
    few = adult.iloc[np.random.default_rng(0).permutation(len(adult))[:4_000]]
    lines = [
        f"Rules of adult: of {N_SAMPLES:,} sampled rows, those with another `education_num` than their "
        "`education` has, and those with an occupation though none goes with their workclass. CPU seconds of "
        "the fit on one thread.",
        "",
        "| model | rows | education_num | occupation | rules | CPU seconds |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for rows in (adult, few):
        for model in (bw.DensityForest(100, random_state=0), bw.BoostedDensity("quick", random_state=0)):
            start = time.process_time()
            model.fit(rows)
            seconds = time.process_time() - start
            broken = _contradictions(adult, model.sample(N_SAMPLES, random_state=0))
            lines.append(
                f"| {type(model).__name__} | {len(rows):,} | {broken[0]} | {broken[1]} "
                f"| {len(model.dependencies_)} | {seconds:.1f} |"
            )
    return lines


def _contradictions(adult: pd.DataFrame, drawn: pd.DataFrame) -> tuple[int, int]:
    number = adult.drop_duplicates("education").set_index("education")["education_num"]
    of_education = drawn["education"].map(number)
    without = {"Never-worked"}
    idle = drawn["workclass"].isna() | drawn["workclass"].isin(without)
    return (
        int((of_education != drawn["education_num"]).sum()),
        int((idle & drawn["occupation"].notna()).sum()),
    )
