"""The index: nearest rows of a table to which rows are added and from which they are removed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Columns, Kind, Schema, read_columns
from boxwood.columns.as_numbers import refuse_large_numbers
from boxwood.columns.errors import at
from boxwood.neighbors.metric import Metric, read_metric
from boxwood.neighbors.search import ALGORITHMS, Search, make_search
from boxwood.parameters import check_count, shown
from boxwood.threads import n_threads

__all__ = ["NeighborIndex", "RowIndex", "as_function", "categorical_of", "check_metric", "numbers_of"]


def numbers_of(columns: Columns) -> Any:
    """Return a table as numbers for distances: codes of categories as they are, NaN where missing.

    Raises
    ------
    ValueError
        For numbers whose squares overflow.
    """
    if columns.is_sparse:
        return columns.sparse()
    refuse_large_numbers(columns)
    return columns.matrix()


def categorical_of(schema: Schema) -> NDArray[np.uint8]:
    """Return 1 for each column whose values differ or do not, without more or less."""
    return np.array([field.kind is Kind.CATEGORICAL for field in schema.fields], dtype=np.uint8)


class _Part:
    """Rows that are searched together: their numbers in the index, ascending, and a search."""

    def __init__(self, ids: NDArray[np.int64], rows: Any, index: RowIndex) -> None:
        self.ids = ids
        self.rows = rows
        self.there = np.ones(len(ids), dtype=bool)
        self._index = index
        self._search: Search | None = None
        self.name = ""

    @property
    def search(self) -> Search:
        # Made when it is first asked: a part that is merged at once, or a loaded model, never needs it.
        if self._search is None:
            index = self._index
            search, self.name = make_search(
                self.rows, index.metric, index.algorithm, index.categorical, index.partial
            )
            for row in np.flatnonzero(~self.there):
                search.remove(int(row))
            self._search = search
        return self._search

    def remove(self, row: int) -> None:
        self.there[row] = False
        if self._search is not None:
            self._search.remove(row)

    def query(self, queries: Any, k: int, threads: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        distances, rows = self.search.query(queries, min(k, self.n_left), threads)
        rows = rows.view(np.int64)  # the core's is numpy's "longlong", which prints otherwise
        first = int(self.ids[0])
        if self.ids[-1] - first + 1 == len(self.ids):  # numbers in a row, as after a fit
            return distances, rows if first == 0 else rows + first
        return distances, self.ids[rows]

    @property
    def n_left(self) -> int:
        return int(np.count_nonzero(self.there))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_search": None}


class RowIndex:
    """Nearest rows of a matrix, with rows added and removed; what `NeighborIndex` is for tables.

    Rows come in parts, each with a search of its own. A new part is merged with the one before as long as
    that is less than twice its size, so that a row takes part in O(log n) builds and a query asks O(log n)
    parts.
    """

    def __init__(self, metric: Metric, algorithm: str, categorical: NDArray[np.uint8], partial: bool) -> None:
        self.metric = metric
        self.algorithm = algorithm
        self.categorical = categorical
        self.partial = partial
        self._next = 0
        self._parts: list[_Part] = []

    def __len__(self) -> int:
        return sum(part.n_left for part in self._parts)

    @property
    def algorithm_(self) -> str:
        """What searches the largest part: "kd_tree", "products", "partial", "pairwise" or "ann"."""
        part = max(self._parts, key=lambda part: len(part.ids))
        _ = part.search
        return part.name

    def add(self, rows: Any) -> NDArray[np.int64]:
        """Add rows; give their numbers."""
        return self.add_mapped(self.metric.map(self._as_stored(rows)))

    def add_mapped(self, rows: Any) -> NDArray[np.int64]:
        """Add rows that the metric has mapped already."""
        n = rows.shape[0]
        ids = np.arange(self._next, self._next + n, dtype=np.int64)
        self._next += n
        if n:
            self._parts.append(_Part(ids, rows, self))
        while len(self._parts) > 1 and len(self._parts[-2].ids) < 2 * len(self._parts[-1].ids):
            last = self._parts.pop()
            self._parts[-1] = self._merged([self._parts[-1], last])
        return ids

    def remove(self, ids: Any) -> None:
        """Take rows out by their numbers."""
        wanted = np.unique(np.atleast_1d(np.asarray(ids, dtype=np.int64)))
        found = [(part, np.searchsorted(part.ids, wanted)) for part in self._parts]
        owners = []
        for i, row in enumerate(wanted):
            at_part = [
                (part, int(places[i]))
                for part, places in found
                if places[i] < len(part.ids) and part.ids[places[i]] == row and part.there[places[i]]
            ]
            if not at_part:
                raise ValueError(f"row {row} is not in the index.")
            owners.append(at_part[0])
        for part, place in owners:
            part.remove(place)
        self._parts = [
            part if 2 * part.n_left >= len(part.ids) else self._merged([part])
            for part in self._parts
            if part.n_left
        ]

    def query(
        self, queries: Any, k: int, n_jobs: int | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return distances and numbers of the k nearest rows; ties by number."""
        mapped = self.metric.map(self._as_stored(queries))
        threads = n_threads(n_jobs)
        if len(self._parts) == 1:
            return self._parts[0].query(mapped, k, threads)
        found = [part.query(mapped, k, threads) for part in self._parts]
        distances = np.concatenate([d for d, _ in found], axis=1)
        ids = np.concatenate([r for _, r in found], axis=1)
        order = np.lexsort((ids, distances), axis=1)[:, :k]
        return np.take_along_axis(distances, order, axis=1), np.take_along_axis(ids, order, axis=1)

    def query_itself(
        self, k: int, n_jobs: int | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the k nearest rows of each row, in the order of their numbers."""
        part = self._merged(self._parts)
        if len(self._parts) == 1 and self._parts[0].there.all():
            part = self._parts[0]
        return part.query(part.rows, k, n_threads(n_jobs))

    def rows(self) -> Any:
        """Return the mapped rows that are there, in the order of their numbers."""
        return self._parts[0].rows if len(self._parts) == 1 else self._merged(self._parts).rows

    def exact_reach(self, queries: NDArray[np.float64], k: int) -> NDArray[np.float64]:
        """Return the Euclidean distance of each query's k-th nearest row, whatever the search."""
        rows = self._merged(self._parts).rows
        return _core.ProductSearch(rows).query(self.metric.map(queries), k)[0][:, -1:]

    def _as_stored(self, rows: Any) -> Any:
        """Return a sparse table dense, or a dense one sparse, where those before it are."""
        if not self._parts or isinstance(rows, np.ndarray) == isinstance(self._parts[0].rows, np.ndarray):
            return rows
        if isinstance(rows, np.ndarray):
            from scipy import sparse

            return sparse.csr_matrix(rows)
        return np.ascontiguousarray(rows.toarray())

    def _merged(self, parts: list[_Part]) -> _Part:
        ids = np.concatenate([part.ids[part.there] for part in parts])
        rows = [part.rows[part.there] for part in parts]
        if isinstance(rows[0], np.ndarray):
            return _Part(ids, np.ascontiguousarray(np.concatenate(rows)), self)
        from scipy import sparse

        return _Part(ids, sparse.vstack(rows, format="csr"), self)


class NeighborIndex:
    """Index of a table's rows: exact nearest neighbours, with rows added and removed.

    The search is chosen by metric, size and dimension: a k-d tree in few dimensions; products in single
    precision, with the distances of what they leave in double precision, in many (whichever of the two
    looks at less in a few searches); a scan by partial distance where values are missing or columns are
    categorical; approximate search by usearch where asked for. All but the last are exact, wherever the
    table lies.

    Parameters
    ----------
    X : table of shape (n_samples, n_features)
        Arrays of single or double precision, or frames. A categorical column differs by 1 or not at
        all; booleans, ordinals (as ranks) and dates (as microseconds) are numbers.
    metric : str or callable, default="euclidean"
        "euclidean", "manhattan", "chebyshev", "minkowski", "seuclidean", "mahalanobis", another metric
        of scikit-learn, or a function of two rows.
    p : float, default=2
        Of "minkowski".
    metric_params : dict, optional
        More arguments of the metric, as "V" of "seuclidean" and "VI" of "mahalanobis".
    algorithm : {"auto", "kd_tree", "brute", "ann"}, default="auto"
        The search; "ann" is approximate and needs usearch.
    missing : {"error", "partial"}, default="error"
        "partial" leaves out what is missing in either row and lets the rest count for all.
    n_jobs : int, optional
        Threads of queries.

    Notes
    -----
    Of rows at equal distance the one added first comes first.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> index = bw.NeighborIndex(np.array([[0.0], [1.0], [5.0]]))
    >>> distances, rows = index.query([[0.9]], 2)
    >>> rows
    array([[1, 0]])
    >>> index.add([[0.8]])
    array([3])
    >>> index.remove([1])
    >>> index.query([[0.9]], 2)[1]
    array([[3, 0]])
    """

    def __init__(
        self,
        X: Any,
        *,
        metric: Any = "euclidean",
        p: float = 2.0,
        metric_params: dict[str, Any] | None = None,
        algorithm: str = "auto",
        missing: str = "error",
        n_jobs: int | None = None,
    ) -> None:
        if algorithm not in ALGORITHMS:
            raise ValueError(f"algorithm must be one of {', '.join(ALGORITHMS)}; got {shown(algorithm)}.")
        if missing not in ("error", "partial"):
            raise ValueError(f"missing must be 'error' or 'partial'; got {shown(missing)}.")
        self.n_jobs = n_jobs
        self._missing = missing
        columns = read_columns(X, accept_sparse=True, allow_missing=missing == "partial")
        rows = numbers_of(columns)
        self._schema = columns.schema
        read = read_metric(metric, p, metric_params, rows)
        check_metric(read, columns.schema, algorithm, missing == "partial", columns.is_sparse)
        if columns.is_sparse:
            read = as_function(read)
        self._index = RowIndex(read, algorithm, categorical_of(columns.schema), missing == "partial")
        self._index.add(rows)

    def __len__(self) -> int:
        return len(self._index)

    @property
    def algorithm(self) -> str:
        """What searches: "kd_tree", "products", "partial", "pairwise" or "ann"."""
        return self._index.algorithm_

    def add(self, X: Any) -> NDArray[np.int64]:
        """Add rows.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The rows: a data frame, an array, the path of a file, or whatever else `read_columns` reads.

        Returns
        -------
        ndarray of shape (n_samples,)
            Their numbers, which go on from the last.
        """
        return self._index.add(self._read(X))

    def remove(self, rows: Any) -> None:
        """Take rows out; the numbers of the others stay.

        Parameters
        ----------
        rows : int or array-like of int
            Their positions, as `query` returns them.
        """
        self._index.remove(rows)

    def query(self, X: Any, n_neighbors: int = 5) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Find the nearest rows.

        Parameters
        ----------
        X : table of shape (n_queries, n_features)
            The rows whose neighbours are looked for.
        n_neighbors : int, default=5
            How many neighbours of each row.

        Returns
        -------
        distances : ndarray of shape (n_queries, n_neighbors)
            Ascending.
        rows : ndarray of shape (n_queries, n_neighbors)
            Numbers of the rows.
        """
        self._check_k(n_neighbors)
        return self._index.query(self._read(X), int(n_neighbors), self.n_jobs)

    def recall(self, X: Any, n_neighbors: int = 5) -> float:
        """Measure the fraction of the true nearest rows that `query` finds.

        Parameters
        ----------
        X : table of shape (n_queries, n_features)
            The rows whose neighbours are looked for, by the index and exactly.
        n_neighbors : int, default=5
            How many neighbours of each row.

        Returns
        -------
        float
            1 for exact searches, to rounding of equal distances.
        """
        self._check_k(n_neighbors)
        queries = self._read(X)
        index, k = self._index, int(n_neighbors)
        if index.algorithm != "ann":
            return 1.0
        return float(np.mean(index.query(queries, k, self.n_jobs)[0] <= index.exact_reach(queries, k)))

    def _read(self, X: Any) -> Any:
        columns = read_columns(X, accept_sparse=True, sources=False, allow_missing=self._missing == "partial")
        return numbers_of(columns.matched(self._schema))

    def _check_k(self, k: Any) -> None:
        check_count("n_neighbors", k)
        if k > len(self):
            raise ValueError(f"n_neighbors is {k}, but the index has {len(self)} rows.")


def as_function(metric: Metric) -> Metric:
    """Return a metric as scikit-learn's function, for sparse tables."""
    from sklearn.neighbors import VALID_METRICS_SPARSE

    if metric.scale is not None or metric.matrix is not None:
        raise ValueError("a sparse table takes metrics without scales; pass '.toarray()'.")
    function = metric.norm if metric.function is None else metric.function
    if isinstance(function, str) and function not in (*VALID_METRICS_SPARSE["brute"], "precomputed"):
        raise ValueError(f"Metric {function!r} not valid for sparse input.")
    return Metric(None, function=function, parameters=metric.parameters)


def check_metric(metric: Metric, schema: Schema, algorithm: str, partial: bool, sparse: bool) -> None:
    """Raise ValueError for a metric that cannot be with such a table or search."""
    coded = [field.name for field in schema.fields if field.kind is Kind.CATEGORICAL]
    if coded and (metric.norm is None or metric.matrix is not None):
        raise ValueError(
            f"{at(coded[0])} is categorical, and the metric knows numbers only. Use euclidean, manhattan, "
            "chebyshev or minkowski, which count a difference as 1, or drop the column."
        )
    if partial and (metric.matrix is not None or (metric.norm is None and not sparse)):
        raise ValueError(
            "missing='partial' needs a metric that adds up columns: euclidean, manhattan, chebyshev or "
            "minkowski."
        )
    if algorithm == "ann" and (metric.norm != "euclidean" or coded or partial or sparse):
        raise ValueError("algorithm='ann' takes Euclidean distances of complete numeric tables.")
