"""The base measure that models of parts of one table share: which values have a probability of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

__all__ = ["Atoms", "BaseMeasure"]

Atoms = list[NDArray[np.float64] | None]
"""For each column the values that are atoms, ascending; None where a model finds them by itself."""


class BaseMeasure:
    """The atoms of a table's columns, on which models of parts of its rows agree.

    A table hands its measure on to the parts that are taken of it. The atoms are found when a model first
    asks for them: many never do.

    Parameters
    ----------
    find : callable
        Returns the atoms; it should be picklable, as a table is.

    Examples
    --------
    >>> measure = BaseMeasure(lambda: [np.zeros(1), None])
    >>> measure.of_columns([0]).atoms
    [array([0.])]
    """

    def __init__(self, find: Callable[[], Atoms]) -> None:
        self._find = find

    @cached_property
    def atoms(self) -> Atoms:
        """The atoms of each column."""
        return self._find()

    def of_columns(self, columns: Sequence[int]) -> BaseMeasure:
        """Return the measure of some of the columns, by their positions."""
        return BaseMeasure(partial(_chosen, self, columns))


def _chosen(measure: BaseMeasure, columns: Sequence[int]) -> Atoms:
    return [measure.atoms[j] for j in columns]
