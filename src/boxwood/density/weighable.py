"""Densities without closed forms: what they need to answer questions by weighing."""

from __future__ import annotations

import copy
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import CATEGORIES, ColumnMeasure, Columns, Kind, Schema
from boxwood.gaps import UnseenGaps
from boxwood.histogram.bin_measure import BinMeasure

if TYPE_CHECKING:
    from boxwood.boosting.model import BoostedModel
    from boxwood.query.weighed import WeighedQuery
    from boxwood.query.weighed.forest_proposal import WeighedModel
    from boxwood.query.weighed.proposal import Proposal

__all__ = [
    "boosted_model",
    "fitted_proposal",
    "measures_of_bins",
    "weighed_model",
    "weighed_query",
    "with_missing",
]

FEW_POINTS = 8
"""Points of a row's intervals, where densities along one of its columns are compared."""

_PROPOSALS: weakref.WeakKeyDictionary[Any, tuple[list[Any], Any]] = weakref.WeakKeyDictionary()


def weighed_query(density: Any) -> WeighedQuery:
    """Return what answers by weighing; draws are kept until the density is fitted anew."""
    from boxwood.query.weighed import WeighedQuery
    from boxwood.query.weighed.bank import DrawBank

    fitted = [value for name, value in sorted(vars(density).items()) if name.endswith("_")]
    kept = _PROPOSALS.get(density)
    if kept is None or list(map(id, kept[0])) != list(map(id, fitted)):
        kept = (fitted, DrawBank(density._make_proposal()))
        _PROPOSALS[density] = kept
    return WeighedQuery(kept[1].proposal, density._score, density._read, bank=kept[1])


def weighed_model(density: Any, normalised: bool = True) -> WeighedModel:
    """Return what of a density is weighed, which does not keep the density itself alive."""
    from boxwood.query.weighed.forest_proposal import WeighedModel

    event, shown = (density._scored_as(missing) for missing in ("event", "ignore"))

    def score(columns: Columns, rng: np.random.Generator | None) -> NDArray[np.float64]:
        return np.asarray(event._score(columns))

    def draw(n: int, rng: np.random.Generator) -> tuple[Columns, NDArray[np.float64]]:
        columns = event._sample(n, rng)
        return columns, event._score(columns)

    return WeighedModel(score, shown._score, event._sample, draw, normalised)


def fitted_proposal(
    density: Any, n_threads: int = 1, dependencies: Any = None, gaps: UnseenGaps | None = None
) -> Proposal:
    """Fit a forest to rows that a density draws, on the density's own base measure."""
    from boxwood.query.weighed import fit_proposal

    schema: Schema = density.schema_
    # The densities of integers with respect to length add up to 1 only nearly.
    normalised = all(field.kind is not Kind.INTEGER for field in schema.fields)
    model = weighed_model(density, normalised)
    measures = density._base_measure()
    return fit_proposal(schema, model, measures, n_threads, dependencies=dependencies, gaps=gaps)


def with_missing(density: Any, missing: str) -> Any:
    """Return a copy of a fitted density that scores gaps as events, or sums them out."""
    made = copy.copy(density)
    if "missing" in density.get_params(deep=False):
        made.missing = missing
    return made


def measures_of_bins(bins: list[BinMeasure | None]) -> list[ColumnMeasure]:
    """Return the base measure of histograms; None stands for categories."""
    return [
        CATEGORIES if one is None else ColumnMeasure(one.lattice is not None, one.lattice, one.atoms)
        for one in bins
    ]


def boosted_model(fitted: BoostedModel, gaps: UnseenGaps, n_points: int, n_threads: int) -> WeighedModel:
    """Return what of a boosted density is weighed.

    A draw's density is estimated at one random point of its intervals on the cube: of a mean over many the
    weights vary a little less, for the cost of many. Along a row's column the same points serve all values,
    and a few of them are enough.
    """
    from boxwood.boosting.intervals.shifted_points import row_keys
    from boxwood.query.weighed.forest_proposal import WeighedModel

    few = min(n_points, FEW_POINTS)

    def score(columns: Columns, rng: np.random.Generator | None) -> NDArray[np.float64]:
        if rng is None:
            scores = fitted.log_density(columns, n_points, n_threads)
        else:
            scores = fitted.log_density_at_random(columns, rng, few, n_threads)
        return scores + gaps.log_probability(columns)

    def score_shown(columns: Columns) -> NDArray[np.float64]:
        return fitted.log_density(columns, n_points, n_threads, "marginal")

    def compare(columns: Columns, column: int, shown: bool) -> NDArray[np.float64]:
        keys = row_keys(columns, without=column)
        scores = fitted.log_density(columns, few, n_threads, "marginal" if shown else "event", keys)
        return scores if shown else scores + gaps.log_probability(columns)

    def simulate(n: int, rng: np.random.Generator) -> Columns:
        return fitted.sample(n, rng, n_threads)

    def draw(n: int, rng: np.random.Generator) -> tuple[Columns, NDArray[np.float64]]:
        columns, scores = fitted.sample_scored(n, rng, few, n_threads)
        return columns, scores + gaps.log_probability(columns)

    return WeighedModel(score, score_shown, simulate, draw, compare=compare)
