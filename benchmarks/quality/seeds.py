"""Several seeds: how many are asked for, and what a cell says of their figures."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

__all__ = ["add_seeds", "mean_and_range", "parse_seeds"]

N_SEEDS = 3


def add_seeds(parser: argparse.ArgumentParser) -> None:
    """Let a benchmark take ``--seeds``: how many, from 0 on."""
    parser.add_argument(
        "--seeds", type=int, default=N_SEEDS, metavar="N", help=f"0 to N − 1; without it {N_SEEDS}"
    )


def parse_seeds(description: str, arguments: Sequence[str]) -> range:
    """Return the seeds of a benchmark that takes nothing else."""
    parser = argparse.ArgumentParser(description=description)
    add_seeds(parser)
    return range(parser.parse_args(arguments).seeds)


def mean_and_range(values: Sequence[float], spec: str) -> str:
    """Return the mean, and the least and the most in brackets where there are several values."""
    mean = format(float(np.mean(values)), spec)
    if len(values) < 2:
        return mean
    return f"{mean} ({min(values):{spec}} to {max(values):{spec}})"
