"""What a table of the zoo is: rows to fit, rows held out, and what is known about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

__all__ = ["SPECIES", "Table", "find", "species"]


@dataclass(frozen=True, eq=False)
class Table:
    """A table with its truth.

    Attributes
    ----------
    name : str
    train, held_out : array or frame
        Of the same columns; held-out rows are drawn anew, never copies of training rows.
    weights : array, optional
        Of the training rows.
    target : array, optional
        Classes of the training rows.
    log_density : callable, optional
        The true log-density of rows: by length where a column is continuous, by counting elsewhere.
    cells : array or frame, optional
        All rows that a discrete table can have: their probabilities sum to 1.
    atoms : array or frame, optional
        Rows that have a probability each, to be compared with their shares in training.
    reference : str, optional
        A table of which the model must be the same: this one is a copy of it, given otherwise.
    tags : frozenset of str
    """

    name: str
    train: Any
    held_out: Any
    weights: Any = None
    target: Any = None
    log_density: Callable[[Any], np.ndarray] | None = None
    cells: Any = None
    atoms: Any = None
    reference: str | None = None
    tags: frozenset[str] = field(default_factory=frozenset)

    @property
    def n_columns(self) -> int:
        """How many columns the table has."""
        return int(np.shape(self.train)[1])


Maker = Callable[[], Table]
SPECIES: dict[str, Maker] = {}
"""All tables by name; made when they are asked for."""

_MADE: dict[str, Table] = {}


def species(*tags: str) -> Callable[[Callable[[np.random.Generator], dict[str, Any]]], Maker]:
    """Register a function that makes a table of a generator; the table has the function's name."""

    def register(make: Callable[[np.random.Generator], dict[str, Any]]) -> Maker:
        name = make.__name__

        def made() -> Table:
            seed = sum(ord(letter) * 31**k for k, letter in enumerate(name)) % 2**32
            return Table(name=name, tags=frozenset(tags), **make(np.random.default_rng(seed)))

        SPECIES[name] = made
        return made

    return register


def find(name: str) -> Table:
    """Return a table by name."""
    if name not in _MADE:
        _MADE[name] = SPECIES[name]()
    return _MADE[name]
