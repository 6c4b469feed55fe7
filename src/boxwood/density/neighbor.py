"""Densities by the distance of the K-th neighbour."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns, Schema
from boxwood.columns.as_numbers import (
    LARGEST_SQUARABLE,
    check_number_kinds,
    columns_of_numbers,
    number_matrix,
    refuse_large_numbers,
)
from boxwood.columns.columns import concatenated
from boxwood.density.base import EVIDENCE, DensityEstimator
from boxwood.evidence import Evidence, shared_table
from boxwood.evidence.weights import UNIT
from boxwood.model_file import State
from boxwood.neighbors.ball_density import BallDensity
from boxwood.neighbors.balls import draw_in_balls
from boxwood.neighbors.box_cells import BoxCells, cells_of_rows
from boxwood.neighbors.index import RowIndex
from boxwood.neighbors.metric import Metric, read_metric, spread_scale
from boxwood.neighbors.search import ALGORITHMS
from boxwood.parameters import (
    Choice,
    Flag,
    Integer,
    Parameter,
    Real,
    Unchecked,
    check_integer,
    declare,
    n_jobs,
    only_with,
    shown,
)
from boxwood.randomness import generator

if TYPE_CHECKING:
    from boxwood.query.weighed.proposal import Proposal

__all__ = ["NeighborDensity"]

_METRICS = ("euclidean", "manhattan", "chebyshev", "minkowski")
_N_POINTS = 2**14
"""Points by which the integral over the box is estimated: to about 1%."""

_PROPOSALS = 20
"""Points drawn for each sample that is wanted, of which one is taken."""

_FEWEST_PROPOSALS = 2**12
"""Of few points the weights are too uneven: what is taken would follow the proposals."""

_SAMPLES_A_TIME = 2**14
"""So that proposals for a large sample do not fill the memory."""


class NeighborDensity(DensityEstimator):
    """Density by the distance of the K-th neighbour: p(x) = K/(N·V), V the smallest ball with K rows.

    It follows the data's own scale everywhere and has no bandwidth, but it is no density: outside the data it
    falls like 1/distance^D, so that its integral is infinite. ``normalize=True`` gives a proper one on a box.
    Log-densities of the plain form do not compare with those of other models.

    Numbers, integers, booleans, ordinals (as ranks) and datetimes are taken as numbers; categorical columns
    and missing values are refused.

    Attributes
    ----------
    n_neighbors_ : int
        K: what "sqrt" chose, or the number that was given.
    offset_ : float
        Log-density below which a row is odd.
    calibration_scores_ : ndarray
        Log-densities of training rows, each without itself, in ascending order; behind the p-values.
    log_normalizer_ : float
        Logarithm of the integral over the box; 0 without `normalize`.
    normalizer_error_ : float
        Its standard error: the integral is estimated by importance sampling with a fixed seed.
    schema_ : Schema
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Notes
    -----
    A row that coincides with a training row is taken for that row: it is not counted, and N − 1 takes the
    place of N. So training rows get their leave-one-out scores. Where all of the K nearest coincide with x,
    the ball grows to the next distinct row and holds that too: the density stays finite. Where a table
    has but one distinct row, the ball's radius is a billionth of its size.

    K counts what rows are worth: copies of a continuous row count once, and weights of any scale are those
    of as many rows as they are worth.

    `sample` draws from the normalised form where there is one: of twenty points a row, drawn from cells of
    the box, some are taken without repeats, by their density over the cells'. Else it draws a training row
    and a point of the ball that reaches its K-th neighbour: a proper density with the same scale, though not
    this one, which has none to draw from.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(1000, 1))
    >>> model = bw.NeighborDensity(n_neighbors=50).fit(X)
    >>> np.exp(model.score_samples([[0.0], [1.0]])).round(2)
    array([0.4, 0.2])
    >>> proper = bw.NeighborDensity(n_neighbors=50, normalize=True, bounds=[[-4, 4]]).fit(X)
    >>> grid = np.linspace(-4, 4, 1001)[:, None]
    >>> round(float(np.trapezoid(np.exp(proper.score_samples(grid)), grid[:, 0])), 1)
    1.0
    """

    _parameters = declare(
        *EVIDENCE,
        Parameter("n_neighbors", Integer(1) | "sqrt", 'K; "sqrt" takes round(√N).'),
        Parameter(
            "metric",
            Choice(*_METRICS),
            "The norm whose balls hold the neighbours.",
        ),
        Parameter(
            "p",
            Real(0.0, open_low=True) | None,
            "The exponent of the norm. None is 2.",
            only_with(metric="minkowski"),
        ),
        Parameter(
            "standardize",
            Flag(),
            "Whether balls are round in columns divided by their standard deviation.",
        ),
        Parameter(
            "unbiased",
            Flag(),
            "Whether to take (K − 1)/(N·V), which is right on average; K must be 2 or more.",
        ),
        Parameter(
            "normalize",
            Flag(),
            "Whether to divide by the integral over `bounds` and to be 0 outside; K must be 2 or more. "
            "Balls then hold two distinct rows at least: around K rows that coincide the integral would be "
            "infinite.",
        ),
        Parameter(
            "bounds",
            Unchecked("array-like of shape (n_features, 2)") | None,
            "The box; by default that of the training rows.",
            only_with(normalize=True),
        ),
        Parameter(
            "algorithm", Choice(*(name for name in ALGORITHMS if name != "ann")), "See `NeighborIndex`."
        ),
        n_jobs("Threads of searches."),
    )

    _allow_missing = False

    estimate_: BallDensity
    rows_: NDArray[np.float64]
    _given_weights: NDArray[np.float64]
    radii_: NDArray[np.float64]
    bounds_: NDArray[np.float64] | None
    log_normalizer_: float
    normalizer_error_: float

    def __init__(
        self,
        n_neighbors: Any = "sqrt",
        *,
        metric: str = "euclidean",
        p: float | None = None,
        standardize: bool = False,
        unbiased: bool = False,
        normalize: bool = False,
        bounds: Any = None,
        algorithm: str = "auto",
        duplicates: str = "auto",
        weight_kind: str = "auto",
        false_alarm_rate: float = 0.05,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.p = p
        self.standardize = standardize
        self.unbiased = unbiased
        self.normalize = normalize
        self.bounds = bounds
        self.algorithm = algorithm
        self.duplicates = duplicates
        self.weight_kind = weight_kind
        self.false_alarm_rate = false_alarm_rate
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Keep the rows and make their index.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        self._check_parameters()
        return self._fit_columns(self._read_fit(X, sample_weight))

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Add rows. The result equals one `fit` of all rows.

        K, the scale and the p-values follow from all rows, so each call takes as long as a `fit` of all rows
        so far: add rows in a few large parts. With fractional weights, a row that occurs in several parts has
        one weight, the sum.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        self._check_parameters()
        if not self.__sklearn_is_fitted__():
            return self._fit_columns(self._read_fit(X, sample_weight))
        added = self._read(X, sample_weight)
        kept = columns_of_numbers(self.schema_, self.rows_)
        weights = np.concatenate([self._given_weights, added.row_weights])
        columns = concatenated([kept, added.without_weights()])
        return self._fit_columns(columns if (weights == 1.0).all() else columns.with_weights(weights))

    def _fit_columns(self, columns: Columns) -> Self:
        evidence = self._weigh(columns)
        rows, weights, given = _distinct(_training_rows(columns), evidence)
        estimate = self._estimate(rows, weights)
        of_box = rows if self.bounds is not None else _with_range(rows, columns)
        box = self._box(of_box) if self.normalize else None
        log_integral, error = (0.0, 0.0) if box is None else _integral(estimate, rows, box, self.n_jobs)
        balls = estimate.balls(rows, self.n_jobs)
        scores = _within(estimate.log_density(rows, self.n_jobs), rows, box) - log_integral
        self._set_fitted(
            columns.schema,
            estimate_=estimate,
            rows_=rows,
            _given_weights=given,
            radii_=balls.radius,
            bounds_=box,
            log_normalizer_=log_integral,
            normalizer_error_=error,
            **self._novelty(scores, None if (weights == 1.0).all() else weights, of_rows=False),
        )
        return self

    @property
    def n_neighbors_(self) -> int:
        """K."""
        return self.estimate_.n_neighbors

    def _check_combinations(self) -> None:
        super()._check_combinations()
        if self.n_neighbors != "sqrt" and (self.unbiased or self.normalize):
            check_integer(self, "n_neighbors", 2)

    def _estimate(self, rows: NDArray[np.float64], weights: NDArray[np.float64]) -> BallDensity:
        total = float(weights.sum())
        least = 2 if self.unbiased or self.normalize else 1
        k = max(least, round(math.sqrt(total))) if self.n_neighbors == "sqrt" else int(self.n_neighbors)
        if k > total - 1.0:
            raise ValueError(
                f"n_neighbors = {k} needs more than {k} rows, since a row is not its own neighbour; "
                f"got n_samples = {total:g}."
            )
        metric = read_metric(self.metric, 2.0 if self.p is None else self.p, None)
        if self.standardize:
            metric = metric.scaled(spread_scale(rows, weights))
        index = RowIndex(metric, self.algorithm, np.zeros(rows.shape[1], dtype=np.uint8), False)
        index.add(rows)
        return BallDensity(index, weights, k, bool(self.unbiased), bounded=bool(self.normalize))

    def _box(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.bounds is None:
            low, high = rows.min(axis=0), rows.max(axis=0)
            # A column without spread has no length; it is given the least that counts.
            least = 1e-9 * np.maximum(np.abs(low), 1.0)
            high = np.where(high - low > least, high, low + least)
            return np.column_stack([low, high])
        box = np.asarray(self.bounds, dtype=np.float64)
        if box.shape != (rows.shape[1], 2) or not (box[:, 0] < box[:, 1]).all() or not np.isfinite(box).all():
            raise ValueError(f"bounds must hold a lower and an upper end a column; got {shown(self.bounds)}.")
        outside = ((rows < box[:, 0]) | (rows > box[:, 1])).any(axis=1)
        if outside.any():
            raise ValueError(
                f"bounds leave out row {shown(rows[int(np.argmax(outside))].tolist())} of the table."
            )
        return box

    def _make_proposal(self) -> Proposal:
        if self.bounds_ is None:
            raise ValueError(
                "the plain form of NeighborDensity has an infinite integral, so that no event has a "
                "probability: fit it with normalize=True."
            )
        return super()._make_proposal()

    def _score(self, columns: Columns) -> NDArray[np.float64]:
        refuse_large_numbers(columns)
        rows = number_matrix(columns, missing=False)
        scores = self.estimate_.log_density(rows, self.n_jobs)
        return _within(scores, rows, self.bounds_) - self.log_normalizer_

    def _sample(self, n_samples: int, rng: np.random.Generator) -> Columns:
        if self.bounds_ is None:
            return columns_of_numbers(self.schema_, self._draw_in_balls(n_samples, rng))
        cells = cells_of_rows(self.rows_, self.estimate_.weights, self.bounds_, self.n_neighbors_)
        sizes = [min(_SAMPLES_A_TIME, n_samples - n) for n in range(0, n_samples, _SAMPLES_A_TIME)]
        parts = [self._draw_in_cells(cells, size, rng) for size in sizes]
        return columns_of_numbers(self.schema_, np.concatenate(parts))

    def _draw_in_cells(
        self, cells: BoxCells, n_samples: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Take some of many points without repeats, by their weights: the largest Gumbel keys."""
        points, log_drawn = cells.draw(max(_PROPOSALS * n_samples, _FEWEST_PROPOSALS), rng)
        log_weights = self.estimate_.log_density(points, self.n_jobs) - log_drawn
        keys = log_weights + rng.gumbel(size=len(points))
        return points[rng.permutation(np.argpartition(-keys, n_samples - 1)[:n_samples])]

    def _draw_in_balls(self, n_samples: int, rng: np.random.Generator) -> NDArray[np.float64]:
        weights = self.estimate_.weights
        drawn = rng.choice(len(weights), size=n_samples, p=weights / weights.sum())
        scale = self.estimate_.index.metric.scale
        mapped = self.estimate_.index.metric.map(self.rows_[drawn])
        points = draw_in_balls(mapped, self.radii_[drawn], self.estimate_.p, rng)
        return points if scale is None else points / scale

    def _bounds_of_columns(self) -> Any:
        return None  # `bounds` is the box of the normalised form

    def _get_state(self) -> dict[str, Any]:
        state = {
            "rows": self.rows_,
            "weights": self.estimate_.weights,
            "given_weights": self._given_weights,
            "n_neighbors": self.n_neighbors_,
            "unbiased": self.estimate_.unbiased,
            "norm": self.estimate_.index.metric.norm,
            "p": self.estimate_.index.metric.p,
            "radii": self.radii_,
            "log_normalizer": self.log_normalizer_,
            "normalizer_error": self.normalizer_error_,
            **self._get_novelty_state(),
        }
        if self.bounds_ is not None:
            state["bounds"] = self.bounds_
            state["bounded"] = self.estimate_.bounded
        if self.estimate_.index.metric.scale is not None:
            state["scale"] = self.estimate_.index.metric.scale
        return state

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        check_number_kinds(schema, "a density by neighbours")
        d, largest = len(schema), LARGEST_SQUARABLE
        rows = state.array("rows", np.float64, (None, d), low=-largest, high=largest)
        weights = state.array("weights", np.float64, (len(rows),), low=5e-324)
        if len(rows) == 0 or not weights.sum() < np.inf:
            raise state.error("weights", "is empty, or too large to add up")
        k = state.integer("n_neighbors", low=1)
        unbiased = state.flag("unbiased")
        if k > weights.sum() - 1.0 or (unbiased and k < 2):
            raise state.error("n_neighbors", f"is {k}, which the rows do not have")
        scale = state.array("scale", np.float64, (d,), low=5e-324) if "scale" in state else None
        metric = Metric(state.text("norm", _METRICS), state.number("p", low=5e-324, high=1e300), scale)
        index = RowIndex(metric, self.algorithm, np.zeros(d, dtype=np.uint8), False)
        index.add(rows)
        box = state.array("bounds", np.float64, (d, 2)) if "bounds" in state else None
        if box is not None and not (box[:, 0] < box[:, 1]).all():
            raise state.error("bounds", "has an upper end that is not above the lower")
        bounded = "bounded" in state and state.flag("bounded")  # models of before have it not
        return {
            "estimate_": BallDensity(index, weights, k, unbiased, bounded),
            "rows_": rows,
            "_given_weights": state.array("given_weights", np.float64, (len(rows),), low=5e-324),
            "radii_": state.array("radii", np.float64, (len(rows),), low=5e-324, high=1e150),
            "bounds_": box,
            "log_normalizer_": state.number("log_normalizer", low=-1e300, high=1e300),
            "normalizer_error_": state.number("normalizer_error", low=0.0),
            **self._novelty_of_state(state),
        }


def _with_range(rows: NDArray[np.float64], columns: Columns) -> NDArray[np.float64]:
    """Return the rows and, if they are a part of a table, the ends of that table's columns."""
    shared = shared_table(columns)
    if shared is None:
        return rows
    whole = number_matrix(shared.columns, missing=False)
    return np.vstack([rows, whole.min(axis=0), whole.max(axis=0)])


def _training_rows(columns: Columns) -> NDArray[np.float64]:
    check_number_kinds(columns.schema, "a density by neighbours")
    refuse_large_numbers(columns)
    return number_matrix(columns, missing=False)


def _distinct(
    rows: NDArray[np.float64], evidence: Evidence
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the distinct rows in ascending order, with the scaled and the given weight of each."""
    first = np.zeros(evidence.n_rows, dtype=np.int64)
    first[evidence.number[::-1]] = np.arange(len(rows))[::-1]
    distinct, place = np.unique(rows[first], axis=0, return_inverse=True)
    worth = np.bincount(place.ravel(), evidence.units).astype(np.float64) * UNIT
    given = np.bincount(place.ravel(), evidence.merged_weights).astype(np.float64)
    return np.ascontiguousarray(distinct), worth, given


def _within(
    scores: NDArray[np.float64], rows: NDArray[np.float64], box: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    if box is None:
        return scores
    return np.where(((rows >= box[:, 0]) & (rows <= box[:, 1])).all(axis=1), scores, -np.inf)


def _integral(
    estimate: BallDensity, rows: NDArray[np.float64], box: NDArray[np.float64], n_jobs: int | None
) -> tuple[float, float]:
    """Return the logarithm of the integral over the box, and its standard error, by importance sampling."""
    cells = cells_of_rows(rows, estimate.weights, box, estimate.n_neighbors)
    points, log_drawn = cells.draw(_N_POINTS, generator(0))
    log_weights = estimate.log_density(points, n_jobs) - log_drawn
    largest = log_weights.max()
    weights = np.exp(log_weights - largest)
    mean = float(weights.mean())
    return float(largest + math.log(mean)), float(weights.std() / mean / math.sqrt(len(weights)))
