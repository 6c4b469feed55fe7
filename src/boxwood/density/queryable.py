"""Densities that answer questions: P(event | evidence), quantiles, draws under evidence."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.dependencies import RuledDensity
from boxwood.gaps import UnseenGaps
from boxwood.mixture import TableMixture

if TYPE_CHECKING:
    from boxwood.query import Query, QueryEngine

__all__ = ["Asked", "QueryableMixin"]


@dataclass(frozen=True, eq=False)
class Asked:
    """What of a fitted density questions need beside its mixture.

    Attributes
    ----------
    fitted : object
        What a new `fit` replaces: answers that are kept belong to it.
    gaps : UnseenGaps, optional
    ruled : RuledDensity, optional
    n_threads : int
    """

    fitted: object
    gaps: UnseenGaps | None = None
    ruled: RuledDensity | None = None
    n_threads: int = 1


class QueryableMixin:
    """Adds `query` to a density that has ``to_mixture``."""

    to_mixture: Callable[[], TableMixture]
    _score: Callable[[Columns], NDArray[np.float64]]
    _read: Callable[[Any], Columns]

    def query(self) -> Query:
        """Return what answers questions about the fitted density, exactly.

        The leaves are laid out for it at the first call and kept beside the density until it is fitted
        anew; tables of columns and of pairs of columns that are asked often are kept with them.

        Returns
        -------
        Query
        """
        from boxwood.query import Query

        return Query(_engine_of(self), self._score, self._read)

    def _asked(self) -> Asked:
        raise NotImplementedError


_ENGINES: weakref.WeakKeyDictionary[QueryableMixin, tuple[object, QueryEngine]] = weakref.WeakKeyDictionary()


def _engine_of(density: QueryableMixin) -> QueryEngine:
    from boxwood.query import QueryEngine

    mixture = density.to_mixture()
    asked = density._asked()
    kept = _ENGINES.get(density)
    if kept is None or kept[0] is not asked.fitted:
        engine = QueryEngine(mixture.margins, mixture.mixture, asked.gaps, asked.ruled, asked.n_threads)
        kept = (asked.fitted, engine)
        _ENGINES[density] = kept
    return kept[1]
