"""Densities that answer questions: P(event | evidence), quantiles, draws under evidence."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.density.base import DensityEstimator
from boxwood.dependencies import RuledDensity
from boxwood.gaps import UnseenGaps
from boxwood.mixture import NoMixtureError, TableMixture

if TYPE_CHECKING:
    from boxwood.query import Query, QueryEngine

__all__ = ["Asked", "QueryableDensity"]


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
    n_rows : float, optional
        How many rows the fitted table was worth.
    """

    fitted: object
    gaps: UnseenGaps | None = None
    ruled: RuledDensity | None = None
    n_threads: int = 1
    n_rows: float | None = None


class QueryableDensity(DensityEstimator):
    """A density whose fitted form is a mixture, of which everything can be asked.

    A subclass implements ``to_mixture`` and ``_asked``.
    """

    def query(self) -> Query:
        """Return what answers questions about the fitted density, exactly where it has closed forms.

        The leaves are laid out for it at the first call and kept beside the density until it is fitted
        anew; tables of columns and of pairs of columns that are asked often are kept with them.

        Returns
        -------
        Query
        """
        from boxwood.query import Query

        try:
            engine = _engine_of(self)
        except NoMixtureError:
            return super().query()
        fitted = self._asked().fitted

        def correct() -> Any:
            """Return what corrects draws of this fit, not of another one."""
            return self._correct() if self._asked().fitted is fitted else None

        return Query(engine, self._score, self._read, correct=correct)

    def _correct(self) -> Any:
        """Return what corrects draws; of most densities nothing does."""
        return None

    def _surprise(self, columns: Columns, kind: str) -> NDArray[np.float64]:
        if kind == "rest" and self.missing == "event" and self._closed_form() is not None:
            return self.query().surprise(columns)
        return super()._surprise(columns, kind)

    def _score_of(self, columns: Columns, kept: Sequence[int]) -> NDArray[np.float64]:
        from boxwood.query.row_marginals import log_marginal

        if self.missing == "ignore" or self._closed_form() is None:
            return super()._score_of(columns, kept)
        return log_marginal(_engine_of(self), columns, kept)

    def _closed_form(self) -> TableMixture | None:
        """Return the density as a mixture, or None where it has no such form: a rotation, other leaves."""
        try:
            return self.to_mixture()
        except ValueError:
            return None

    def to_mixture(self) -> TableMixture:
        """Return the density in the form of which everything is asked."""
        raise NotImplementedError

    def _asked(self) -> Asked:
        raise NotImplementedError


_ENGINES: weakref.WeakKeyDictionary[QueryableDensity, tuple[object, QueryEngine]] = (
    weakref.WeakKeyDictionary()
)


def _engine_of(density: QueryableDensity) -> QueryEngine:
    from boxwood.query import QueryEngine

    mixture = density.to_mixture()
    asked = density._asked()
    kept = _ENGINES.get(density)
    if kept is None or kept[0] is not asked.fitted:
        n_rows = asked.n_rows
        if n_rows is None:  # of old files: at most so many are kept
            n_rows = float(len(density.calibration_scores_))
        parts = (mixture.margins, mixture.mixture, asked.gaps, asked.ruled, asked.n_threads)
        engine = QueryEngine(*parts, n_rows)
        kept = (asked.fitted, engine)
        _ENGINES[density] = kept
    return kept[1]
