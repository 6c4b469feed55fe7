"""Choosing bins by a rule, with the candidates and their scores kept."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.evidence import Evidence, shuffled_folds
from boxwood.histogram.rules import RULES, SCORES, SEARCHED, Scoring, cv_error, width_of
from boxwood.histogram.sorted_sample import SortedSample, sorted_sample
from boxwood.histogram.uniform_grid import MOST_BINS, BinGrid, uniform_edges
from boxwood.model_file import State
from boxwood.parameters import Integer, shown
from boxwood.randomness import seed_of

__all__ = [
    "ClassValues",
    "HeldOut",
    "Search",
    "Selection",
    "check_candidates",
    "default_candidates",
    "select_bins",
]

N_CANDIDATES = 200

Spans = list[tuple[float, float, int]]
"""Candidates: lowest edge, highest edge, number of bins."""


@dataclass(frozen=True, eq=False)
class Selection:
    """How the bins of a column were chosen.

    Attributes
    ----------
    rule : str
    n_bins : ndarray of int
        The number of bins of each candidate.
    widths : ndarray of float
    origins : ndarray of float
        The lowest edge of each candidate.
    scores : ndarray of float
        What the rule minimises ("loo_likelihood": minus the log-likelihood); empty for a formula, if all
        values are the same, and if each value of a short range has a bin of its own.
    chosen : int
        Index of the candidate that was taken.
    resolution : float
        The smallest gap between the values of a rounded column, below which no width is tried; else 0.
    """

    rule: str
    n_bins: NDArray[np.int64]
    widths: NDArray[np.float64]
    origins: NDArray[np.float64]
    scores: NDArray[np.float64]
    chosen: int
    resolution: float

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return dict(vars(self))

    @classmethod
    def from_state(cls, state: State) -> Self:
        """Read what `to_state` gave, after checking it."""
        n_bins = state.array("n_bins", np.int64, (None,), low=1)
        if len(n_bins) == 0:
            raise state.error("n_bins", "is empty")
        rule = state.text("rule", RULES)
        scores = state.array("scores", np.float64, (None,), finite=False)
        if len(scores) not in (0, len(n_bins)):
            raise state.error("scores", f"has {len(scores)} entries for {len(n_bins)} candidates")
        return cls(
            rule,
            n_bins,
            state.array("widths", np.float64, (len(n_bins),), low=0.0),
            state.array("origins", np.float64, (len(n_bins),)),
            scores,
            state.integer("chosen", high=len(n_bins) - 1),
            state.number("resolution", low=0.0, high=np.finfo(np.float64).max),
        )


HeldOut = Callable[[], list[NDArray[np.float64]]]
"""Returns for each fold the weights of the rows that it holds out."""


@dataclass(frozen=True, eq=False)
class ClassValues:
    """The values of a column in one class of a table: in order, and as the rows have them."""

    sample: SortedSample
    column: NDArray[np.float64]
    held_out: HeldOut


@dataclass(frozen=True, eq=False)
class Search:
    """How rules look for bins: the candidates, the origins of each, the folds of "cv", and for whom.

    Attributes
    ----------
    candidates : int, ndarray or None
    n_origins : int
    held_out : callable
    classes : sequence of ClassValues
        If there are any, bins are judged by how well they suit each class, not the table as a whole.
    """

    candidates: int | NDArray[np.int64] | None = None
    n_origins: int = 1
    held_out: HeldOut = list
    classes: Sequence[ClassValues] = ()

    @property
    def has_given_candidates(self) -> bool:
        """Whether the numbers of bins to compare were listed."""
        return self.candidates is not None and not isinstance(self.candidates, int)

    @classmethod
    def by_folds(
        cls,
        evidence: Evidence,
        n_folds: int = 5,
        random_state: Any = 0,
        **search: Any,
    ) -> Self:
        """Return a search with folds by what rows are worth."""

        def held_out() -> list[NDArray[np.float64]]:
            folds = shuffled_folds(evidence, n_folds, seed_of(random_state))
            return [fold.held for fold in folds]

        return cls(**search, held_out=cache(held_out))


def select_bins(
    sample: SortedSample,
    grid: BinGrid,
    rule: str,
    search: Search,
    scoring: Scoring,
    column: NDArray[np.float64] | None = None,
) -> tuple[NDArray[np.float64], Selection]:
    """Choose bins of equal width by a rule; give their edges and how they were chosen.

    Parameters
    ----------
    sample : SortedSample
    grid : BinGrid
    rule : str
    search : Search
    scoring : Scoring
    column : ndarray, optional
        The values of the rows that the search's folds are of; "cv" needs them.
    """
    spread = sample.without_spikes()
    spans = _spans(spread, grid, rule, search)
    if rule in SEARCHED and spread.low < spread.high and spread.total > 1.0:
        scores = _scores_for_classes(spread, spans, rule, search, scoring, column)
        chosen = int(np.argmin(scores))
    else:
        scores, spans, chosen = np.zeros(0), spans[:1], 0
    low, high, n_bins = (np.array(part) for part in zip(*spans, strict=True))
    selection = Selection(
        rule, n_bins.astype(np.int64), (high - low) / n_bins, low, scores, chosen, float(sample.resolution)
    )
    return uniform_edges(*spans[chosen]), selection


def default_candidates(most: int, n_candidates: int = N_CANDIDATES) -> NDArray[np.int64]:
    """Return numbers of bins from 1 to `most`: all of the small ones, then in equal ratios.

    Examples
    --------
    >>> default_candidates(100, 9)
    array([  1,   2,   3,   6,  11,  19,  33,  57, 100])
    """
    if most <= n_candidates:
        return np.arange(1, most + 1)
    for small in range(1, n_candidates):
        ratio = (most / small) ** (1.0 / (n_candidates - small))
        if small * (ratio - 1.0) >= 1.0:
            break
    rest = np.round(small * ratio ** np.arange(1, n_candidates - small + 1)).astype(np.int64)
    return np.concatenate([np.arange(1, small + 1), rest])


def _spans(sample: SortedSample, grid: BinGrid, rule: str, search: Search) -> list[tuple[float, float, int]]:
    if rule not in SEARCHED:
        return [grid.span(grid.valid(_by_formula(sample, grid, rule)))]
    numbers = dict.fromkeys(grid.valid(int(n)) for n in _candidates(sample, search))
    shifts = np.arange(search.n_origins) / search.n_origins
    return list(dict.fromkeys(grid.span(n, float(shift)) for n in numbers for shift in shifts))


def _by_formula(sample: SortedSample, grid: BinGrid, rule: str) -> int:
    width = width_of(rule, sample)
    if width == 0.0:
        return 1
    if (grid.high - grid.low) / width > MOST_BINS:
        warnings.warn(
            f"bins={rule!r} asks for bins of width {width:.3g} from {grid.low:.6g} to {grid.high:.6g}; "
            f"{MOST_BINS} bins are made instead. A few far values may be the reason: leave them out with "
            "range=, or put the column on a log scale.",
            stacklevel=2,
        )
    return grid.n_bins(width)


def _candidates(sample: SortedSample, search: Search) -> NDArray[np.int64]:
    if search.candidates is not None and not isinstance(search.candidates, int):
        return search.candidates
    # Wide enough for heavy tails: the best number grows with the cube root of the rows.
    most = int(min(max(sample.total, 1.0), 10.0 * math.sqrt(sample.total), MOST_BINS))
    return default_candidates(most, search.candidates or N_CANDIDATES)


def _scores_for_classes(
    spread: SortedSample,
    spans: list[tuple[float, float, int]],
    rule: str,
    search: Search,
    scoring: Scoring,
    column: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """Return the score of each span: of the sample, or the sum over the classes that share its bins."""
    if not search.classes:
        folds = _folds(spread, column, search.held_out) if rule == "cv" else []
        return _scores_of(spread, spans, rule, folds, scoring)
    total = np.zeros(len(spans))
    for one in search.classes:
        sample = one.sample.only(np.isin(one.sample.values, spread.values))
        if sample.total > 1.0:
            folds = _folds(sample, one.column, one.held_out) if rule == "cv" else []
            total += sample.total ** _POWERS[rule] * _scores_of(sample, spans, rule, folds, scoring)
    return total


_POWERS = {"loo": 1.0, "cv": 1.0, "loo_likelihood": 0.0, "shimazaki": -1.0}
"""A class counts by its rows. Its errors of a density are multiplied by them; a log-likelihood is a sum over
them already; the cost of Shimazaki and Shinomoto is an error of counts, which has their square."""


def _scores_of(
    sample: SortedSample,
    spans: list[tuple[float, float, int]],
    rule: str,
    folds: list[SortedSample],
    scoring: Scoring,
) -> NDArray[np.float64]:
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        if rule == "cv":
            scores = [cv_error([fold.counts(*span) for fold in folds], _width(span)) for span in spans]
        else:
            score = SCORES[rule]
            scores = [score(sample.counts(*span), _width(span), scoring) for span in spans]
    listed = np.array(scores)
    return np.where(np.isnan(listed), np.inf, listed)  # widths so small that squares of them vanish


def _width(span: tuple[float, float, int]) -> float:
    low, high, n_bins = span
    return (high - low) / n_bins


def _folds(sample: SortedSample, column: NDArray[np.float64] | None, held_out: HeldOut) -> list[SortedSample]:
    """Return the values of a sample that each fold holds out."""
    if column is None:
        raise ValueError('the rule "cv" needs the rows that its folds are of.')
    kept = np.isin(column, sample.values)
    folds = [sorted_sample(column[kept], held[kept]) for held in held_out()]
    return [fold for fold in folds if 0.0 < fold.total < sample.total]


def check_candidates(where: str, candidates: Any) -> None:
    """Raise unless `candidates` is a number of candidates or a sequence of numbers of bins."""
    if np.ndim(candidates) == 0:
        Integer(1, 10**6).check(where, candidates)
    elif len(candidates) == 0 or not all(_is_bin_number(n) for n in candidates):
        raise ValueError(f"{where} must hold numbers of bins; got {shown(candidates)}.")


def _is_bin_number(n: Any) -> bool:
    return isinstance(n, int | np.integer) and not isinstance(n, bool) and bool(1 <= n <= 10**8)
