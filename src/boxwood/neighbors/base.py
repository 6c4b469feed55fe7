"""What neighbour estimators share: reading, the index, the neighbours, the model file."""

from __future__ import annotations

import math
import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from boxwood.columns import Columns, Schema
from boxwood.estimator import TableEstimator
from boxwood.model_file import State
from boxwood.neighbors.index import RowIndex, as_function, categorical_of, check_metric, numbers_of
from boxwood.neighbors.metric import Metric, read_metric, spread_scale
from boxwood.neighbors.search import ALGORITHMS
from boxwood.neighbors.votes import distance_weights, frequencies
from boxwood.parameters import (
    Choice,
    Flag,
    Function,
    Integer,
    Parameter,
    Unchecked,
    declare,
    n_jobs,
    shown,
)

__all__ = ["METRIC", "METRIC_PARAMS", "NeighborEstimator", "log_neighbors", "without_itself"]


METRIC = Parameter(
    "metric",
    Unchecked("str or callable"),
    'Those of `NeighborIndex`, "nan_euclidean" (Euclid\'s with ``missing="partial"``), or "precomputed".',
)

METRIC_PARAMS = Parameter("metric_params", Unchecked("dict") | None, "Of the metric.")


def log_neighbors(n_rows: float, n_classes: int | None = None) -> int:
    """Return max(1, round(ln N)), for two classes the next odd number.

    Then K → ∞ and K/N → 0 as N grows, which makes K-NN consistent.

    Examples
    --------
    >>> log_neighbors(1000), log_neighbors(3000), log_neighbors(3000, 2)
    (7, 8, 9)
    """
    k = max(1, round(math.log(n_rows))) if n_rows >= 1 else 1
    if n_classes == 2 and k % 2 == 0:
        k += 1 if k + 1 <= n_rows else -1
    return k


class NeighborEstimator(TableEstimator):
    """A classifier or regressor that asks the nearest rows."""

    _parameters = declare(
        Parameter("n_neighbors", Integer(1) | "log", 'K. "log" takes max(1, round(ln N)).'),
        Parameter(
            "weights",
            Choice("uniform", "distance", None) | Function(),
            "Of the neighbours in the mean: equal, or 1/distance, or what the function of distances gives.",
        ),
        Parameter(
            "algorithm",
            Choice(*ALGORITHMS),
            'See `NeighborIndex`. "ball_tree" is the k-d tree; "ann" needs the extra ``ann``.',
        ),
        Parameter(
            "leaf_size",
            Integer(1),
            "Accepted for scikit-learn's sake; leaves hold as many rows as suit the machine.",
        ),
        Parameter("p", Unchecked("float > 0"), 'Of "minkowski".'),
        METRIC,
        METRIC_PARAMS,
        Parameter("standardize", Flag(), "Whether columns are divided by their standard deviation first."),
        Parameter(
            "missing",
            Choice("error", "partial"),
            '"partial" takes missing values: distances are those of the columns that both rows have, scaled '
            "up to all columns. Rows that have none in common are farthest.",
        ),
        n_jobs("Threads of predictions."),
    )

    n_neighbors: Any
    weights: Any
    algorithm: str
    leaf_size: int
    p: float
    metric: Any
    metric_params: dict[str, Any] | None
    standardize: bool
    missing: str
    n_jobs: int | None

    index_: RowIndex
    weights_: NDArray[np.float64] | None
    n_samples_fit_: int

    _accept_sparse = True

    @property
    def _allow_missing(self) -> bool:  # type: ignore[override]
        return self.missing == "partial" or self.metric == "nan_euclidean"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.target_tags.required = True
        return tags

    def _read_table(self, X: Any, sample_weight: Any = None, *, sources: bool = True) -> Columns:
        try:
            return super()._read_table(X, sample_weight, sources=sources)
        except ValueError as error:
            if "is missing (NaN)" in str(error):
                raise ValueError(f"{error} Or take them by partial distance: missing='partial'.") from None
            raise

    def kneighbors(self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True) -> Any:
        """Find the nearest training rows.

        Parameters
        ----------
        X : table of shape (n_queries, n_features), optional
            Without it, the training rows; none of them is its own neighbour.
        n_neighbors : int, optional
            By default that of the estimator.
        return_distance : bool, default=True
            Whether distances come before the positions.

        Returns
        -------
        distances : ndarray of shape (n_queries, n_neighbors)
            Where `return_distance` is true.
        indices : ndarray of shape (n_queries, n_neighbors)
            Numbers of training rows (without those of weight zero), nearest first, ties by number.
        """
        check_is_fitted(self)
        k = self._n_neighbors() if n_neighbors is None else self._checked(n_neighbors)
        distances, rows = self._nearest(X, k)
        return (distances, rows) if return_distance else rows

    def kneighbors_graph(
        self, X: Any = None, n_neighbors: int | None = None, mode: str = "connectivity"
    ) -> Any:
        """Return the graph of nearest training rows as a sparse matrix.

        Parameters
        ----------
        X : table of shape (n_queries, n_features), optional
        n_neighbors : int, optional
            How many neighbours of each row; those of the constructor where it is not given.
        mode : {"connectivity", "distance"}, default="connectivity"
            What the entries are: ones, or distances.

        Returns
        -------
        csr_matrix of shape (n_queries, n_samples)
        """
        if mode not in ("connectivity", "distance"):
            raise ValueError(
                'Unsupported mode, must be one of "connectivity", or "distance" '
                f"but got {shown(mode)} instead"
            )
        distances, rows = self.kneighbors(X, n_neighbors)
        values = distances if mode == "distance" else np.ones(distances.shape)
        starts = np.arange(0, rows.size + 1, rows.shape[1])
        shape = (len(rows), self.n_samples_fit_)
        return sparse.csr_matrix((values.ravel(), rows.ravel(), starts), shape=shape)

    @property
    def n_neighbors_(self) -> int:
        """K: what "log" chose from the rows so far, or the number that was given."""
        check_is_fitted(self)
        return self._n_neighbors()

    @property
    def effective_metric_(self) -> Any:
        """The norm that measures, after the metric's own map; or the function that does."""
        check_is_fitted(self)
        return self.index_.metric.norm or self.index_.metric.function

    def _make_index(self, columns: Columns, codes: NDArray[np.int64] | None = None) -> RowIndex:
        rows = numbers_of(columns)
        metric = self._read_metric(columns, rows, codes)
        partial = self._allow_missing
        check_metric(metric, columns.schema, self.algorithm, partial, columns.is_sparse)
        if columns.is_sparse:
            metric = as_function(metric)
        if metric.function == "precomputed" and rows.shape[0] != rows.shape[1]:
            raise ValueError(
                "metric='precomputed' needs a square table of distances; got "
                f"{rows.shape[0]} × {rows.shape[1]}."
            )
        index = RowIndex(metric, self.algorithm, categorical_of(columns.schema), partial)
        index.add(rows)
        return index

    def _read_metric(self, columns: Columns, rows: Any, codes: NDArray[np.int64] | None) -> Metric:
        self._check_p()
        scale = self._scale(columns, rows) if self.standardize else None
        scaled = rows if scale is None else rows * scale
        if self.metric == "nca":
            return self._learnt_metric(scaled, codes).scaled(scale)
        return read_metric(self.metric, self.p, self.metric_params, scaled, columns.weights).scaled(scale)

    def _scale(self, columns: Columns, rows: Any) -> NDArray[np.float64]:
        if columns.is_sparse:
            raise ValueError("standardize=True needs a dense table; pass '.toarray()'.")
        scale = spread_scale(rows, columns.weights)
        return np.where(categorical_of(columns.schema) == 1, 1.0, scale)

    def _check_p(self) -> None:
        """Describe what is odd about p, in scikit-learn's words."""
        p = (self.metric_params or {}).get("p", self.p)
        if p is not self.p:
            message = (
                "Parameter p is found in metric_params. The corresponding parameter from __init__ is ignored."
            )
            warnings.warn(message, SyntaxWarning, stacklevel=6)
        if self.metric != "minkowski" or not isinstance(p, int | float) or not 0.0 < p < 1.0:
            return
        if self.algorithm in ("kd_tree", "ball_tree"):
            raise ValueError(
                f'algorithm="{self.algorithm}" does not support 0 < p < 1 for the Minkowski metric. To '
                'resolve this problem either set p >= 1 or algorithm="brute".'
            )
        message = (
            "Mind that for 0 < p < 1, Minkowski metrics are not distance metrics. Continuing the execution "
            "with `algorithm='brute'`."
        )
        warnings.warn(message, stacklevel=6)

    def _learnt_metric(self, rows: Any, codes: NDArray[np.int64] | None) -> Metric:
        raise ValueError("metric='nca' learns from classes; a regressor has none.")

    def _n_neighbors(self) -> int:
        if self.n_neighbors == "log":
            return log_neighbors(self._total_weight(), self._n_classes())
        return int(self.n_neighbors)

    def _n_classes(self) -> int | None:
        return None

    def _total_weight(self) -> float:
        return float(self.n_samples_fit_) if self.weights_ is None else float(self.weights_.sum())

    def _checked(self, k: Any) -> int:
        if isinstance(k, bool) or not isinstance(k, int | np.integer):
            raise TypeError(f"n_neighbors does not take {type(k)} value, enter integer value")
        if k < 1:
            raise ValueError(f"Expected n_neighbors > 0. Got {k}")
        return int(k)

    def _nearest(self, X: Any, k: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the k nearest training rows; of X=None the training rows', without themselves."""
        itself = X is None
        n_left = self.n_samples_fit_ - int(itself)
        if k > n_left:
            message = "n_neighbors < n_samples_fit" if itself else "n_neighbors <= n_samples_fit"
            raise ValueError(
                f"Expected {message}, but n_neighbors = {k}, n_samples_fit = {self.n_samples_fit_}."
            )
        if not itself:
            return self.index_.query(numbers_of(self._read(X)), k, self.n_jobs)
        return without_itself(*self.index_.query_itself(k + 1, self.n_jobs))

    def _neighborhood(self, X: Any) -> tuple[NDArray[np.int64], NDArray[np.float64] | None]:
        """Return the training rows that count for each row, and how much each of them counts.

        With sample weights a row of weight w takes w of the K places, so that as many rows are asked
        as fill them.
        """
        check_is_fitted(self)
        k = self._n_neighbors()
        if self.weights_ is None:
            distances, rows = self._nearest(X, k)
            return rows, distance_weights(distances, self.weights)
        queries = None if X is None else self._read(X)
        n_left = self.n_samples_fit_ - int(X is None)
        asked = min(k, n_left)
        while True:
            distances, rows = self._nearest(queries, asked)
            weights = self.weights_[rows]
            if asked == n_left or weights.sum(axis=1).min() >= k:
                break
            asked = min(2 * asked, n_left)
        if weights.sum(axis=1).min() < k * (1.0 - 1e-9):
            raise ValueError(
                f"Expected n_neighbors <= n_samples_fit, but n_neighbors = {k} and the weights add up to "
                f"{self._total_weight():g}."
            )
        places = frequencies(weights, k)
        by_distance = distance_weights(distances, self.weights)
        return rows, places if by_distance is None else places * by_distance

    def _add_rows(self, columns: Columns, **fitted: Any) -> Self:
        """Add rows to what was fitted; scales and learnt metrics stay as they are."""
        if self.index_.metric.function == "precomputed":
            raise ValueError("partial_fit cannot add rows to precomputed distances.")
        old, new = self.weights_, columns.weights
        weights = None
        if old is not None or new is not None:
            old = np.ones(self.n_samples_fit_) if old is None else old
            weights = np.concatenate([old, np.ones(columns.n_rows) if new is None else new])
        self.index_.add(numbers_of(columns))
        n_samples = self.n_samples_fit_ + columns.n_rows
        self._set_fitted(self.schema_, weights_=weights, n_samples_fit_=n_samples, **fitted)
        return self

    def _get_state(self) -> dict[str, Any]:
        metric = self.index_.metric
        rows = self.index_.rows()
        if not isinstance(rows, np.ndarray):
            raise TypeError("a model of a sparse table cannot be saved; fit it on '.toarray()'.")
        missing = np.isnan(rows)
        state: dict[str, Any] = {
            "rows": np.where(missing, 0.0, rows),
            "norm": metric.norm or "",
            "p": metric.p,
            "function": "" if metric.function is None else metric.function,
        }
        if missing.any():
            state["missing"] = missing.astype(np.uint8)
        if metric.scale is not None:
            state["scale"] = metric.scale
        if metric.matrix is not None:
            state["matrix"] = metric.matrix
        if self.weights_ is not None:
            state["weights"] = self.weights_
        return state

    def _index_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        d = len(schema)
        norm = state.text("norm", ("", "euclidean", "manhattan", "chebyshev", "minkowski"))
        function = state.text("function")
        if (norm == "") == (function == ""):
            raise state.error("norm", "or function must be given, and not both")
        matrix = state.array("matrix", np.float64, (d, None)) if "matrix" in state else None
        scale = state.array("scale", np.float64, (d,), low=0.0) if "scale" in state else None
        metric = Metric(norm or None, state.number("p", low=1e-300), scale, matrix, function or None)
        if function:
            metric = read_metric(function, 2.0, self.metric_params)
        width = d if matrix is None else matrix.shape[1]
        rows = state.array("rows", np.float64, (None, width))
        if len(rows) == 0:
            raise state.error("rows", "is empty")
        if "missing" in state:
            missing = state.array("missing", np.uint8, rows.shape, high=1)
            rows = np.where(missing == 1, np.nan, rows)
        weights = None
        if "weights" in state:
            weights = state.array("weights", np.float64, (len(rows),), low=5e-324)
        partial = self._allow_missing
        if np.isnan(rows).any() and not partial:
            raise state.error("missing", "is there, but the parameters allow no missing values")
        check_metric(metric, schema, self.algorithm, partial, False)
        index = RowIndex(metric, self.algorithm, categorical_of(schema), partial)
        index.add_mapped(np.ascontiguousarray(rows))
        return {"index_": index, "weights_": weights, "n_samples_fit_": len(rows)}

    def _fit_rows(self, columns: Columns, index: RowIndex, **fitted: Any) -> Self:
        self._set_fitted(
            columns.schema,
            index_=index,
            weights_=columns.weights,
            n_samples_fit_=columns.n_rows,
            **fitted,
        )
        return self


def without_itself(
    distances: NDArray[np.float64], rows: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Leave each row out of its own neighbours; where copies pushed it out, the last."""
    n, k = rows.shape
    other = rows != np.arange(n)[:, None]
    other[other.all(axis=1), -1] = False
    return distances[other].reshape(n, k - 1), rows[other].reshape(n, k - 1)
