"""What a proposal does: draw under events, and say what each draw weighs in the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from boxwood.columns import ColumnMeasure, Columns, Schema
from boxwood.query.event import Event
from boxwood.query.weighed.draws import Draws

__all__ = ["Proposal"]


class Proposal(Protocol):
    """Draws under events.

    Attributes
    ----------
    schema : Schema
    normalised : bool
        Whether the model's probabilities of an event and of its complement add up to 1 for certain.
    """

    schema: Schema
    normalised: bool

    def read(self, event: Any, columns: Mapping[str, Any]) -> Event:
        """Read an event."""

    def prepare(self, event: Event, rank: int | None) -> Any:
        """Return what draws under an event need, with its `rank`; None where it is impossible."""

    def draw(self, prepared: Any, n: int, seed: int, shared_seed: int) -> Draws:
        """Draw rows under a prepared event; `shared_seed` is that of rows which all events share."""

    def simulate(self, n: int, rng: np.random.Generator) -> Columns:
        """Draw rows of the model itself, without evidence."""

    def rounded(self, prepared: Any, columns: Columns, rng: np.random.Generator) -> Columns:
        """Return draws with the decimals of the table, where that leaves them inside the event."""

    def conditionals(self, columns: Columns) -> Any:
        """Return the distributions of each row's columns given the rest of the row."""

    def measure(self, column: int) -> ColumnMeasure:
        """Return where a column has probabilities of single values."""

    def closed_law(self, event: Event, column: int) -> Any:
        """Return the law of a column under an event where it has a closed form, else None."""

    def closed_covariance(self, event: Event, a: int, b: int) -> float | None:
        """Return the covariance of two columns where it has a closed form, else None."""

    def closed_information(self, event: Event, a: int, b: int) -> float | None:
        """Return the mutual information of two columns where it has a closed form, else None."""
