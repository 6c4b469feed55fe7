"""The tables by name: five of the data folder, and those that are not in it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from ratio import data_file

from . import real, synthetic
from .table import Table

__all__ = ["FIVE", "OTHERS", "make_table"]

FIVE = ("magic", "protein", "housing", "cover", "shuttle")
OTHERS: dict[str, Callable[[], Table]] = {
    "athletes": real.athletes,
    "phonemes": real.phonemes,
    "lifts": real.lifts,
    "weather": real.weather,
    "flights": real.flights,
    "houses": real.houses,
    "pens": real.pens,
    "satellite": real.satellite,
    "patches": real.patches,
    "moons": synthetic.moons,
    "arm": synthetic.arm,
    "tails": synthetic.tails,
    "gaussian": synthetic.gaussian,
}


def make_table(name: str) -> Table:
    """Make a table of `OTHERS`, or read one of `FIVE`; where its file is missing the benchmark skips."""
    if name in OTHERS:
        return OTHERS[name]()
    with np.load(data_file(f"{name}.npz")) as file:
        return Table(file["train"].astype(np.float64), file["test"].astype(np.float64))
