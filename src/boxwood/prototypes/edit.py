"""Edited nearest neighbours: rows that their neighbours contradict are dropped."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from boxwood.neighbors.base import without_itself
from boxwood.neighbors.index import RowIndex
from boxwood.neighbors.metric import Metric
from boxwood.parameters import (
    Checked,
    Choice,
    Integer,
    Parameter,
    Real,
    Unchecked,
    declare,
    n_jobs,
    only_with,
    random_state,
)
from boxwood.prototypes.sampler import Sampler, chosen_classes
from boxwood.randomness import generator

__all__ = ["EditedNearestNeighbours", "RepeatedEditedNearestNeighbours"]


def check_neighbors(where: str, value: object) -> None:
    """Raise unless `value` is K, or an estimator that finds neighbours."""
    if not hasattr(value, "kneighbors"):
        Integer(1).check(where, value)


SAMPLING_STRATEGY = Parameter(
    "sampling_strategy",
    Unchecked("str or list of classes"),
    'Classes from which rows may be dropped: "all", "majority", "not majority", "not minority". "auto" is '
    '"all" for "holdout", and "not minority" for "wilson", as in imbalanced-learn.',
)

KIND_SEL = Parameter(
    "kind_sel",
    Choice("all", "mode"),
    'For "wilson": a row stays where all of its neighbours are of its class, or where most of them are. '
    '"holdout" follows the majority.',
    only_with(method="wilson"),
)

METHOD = Parameter(
    "method",
    Choice("holdout", "wilson"),
    '"holdout" splits the rows at random into A and B, keeps of B what K-NN on A gets right, and drops A: '
    "then rows and reference rows are independent, as the theory of editing has it. "
    "\"wilson\" asks each row's K nearest others; it is imbalanced-learn's class of this name.",
)

EDITING = declare(
    METHOD,
    SAMPLING_STRATEGY,
    Parameter(
        "n_neighbors",
        Checked("int ≥ 1 or estimator with kneighbors", check_neighbors),
        'K; or an unfitted estimator, whose first neighbour "wilson" takes to be the row itself.',
    ),
    KIND_SEL,
    n_jobs("Threads of the search."),
)


class EditedNearestNeighbours(Sampler):
    """Drop rows that their neighbours contradict, so that 1-NN on the others errs less.

    Attributes
    ----------
    sample_indices_ : ndarray of int
        Rows that stay, class by class, ascending within each.
    sampling_strategy_ : dict
        Number of rows of each class from which rows may be dropped.
    classes_ : ndarray
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [0.3], [5.0], [5.1], [5.2], [0.15]])
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> wilson = bw.EditedNearestNeighbours(method="wilson", sampling_strategy="all", kind_sel="mode")
    >>> wilson.fit(X, y).sample_indices_
    array([0, 1, 2, 3, 4, 5, 6])
    >>> holdout = bw.EditedNearestNeighbours(random_state=0)
    >>> len(holdout.fit(X, y).sample_indices_) <= 4  # what stays of B
    True
    """

    _parameters = declare(
        *EDITING,
        Parameter(
            "fraction",
            Real(0.0, 1.0, open_low=True, open_high=True) | None,
            "Fraction of the rows that go into B. None is 0.5.",
            only_with(method="holdout"),
        ),
        random_state("Of the split."),
    )

    sampling_strategy_: dict[Any, int]

    def __init__(
        self,
        *,
        method: str = "holdout",
        sampling_strategy: Any = "auto",
        n_neighbors: Any = 3,
        kind_sel: str = "all",
        fraction: float | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.method = method
        self.sampling_strategy = sampling_strategy
        self.n_neighbors = n_neighbors
        self.kind_sel = kind_sel
        self.fraction = fraction
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _select(
        self, rows: NDArray[np.float64], codes: NDArray[np.int64], classes: NDArray[Any]
    ) -> dict[str, Any]:
        may_drop = _may_drop(self, classes, codes)
        if self.method == "holdout":
            stays = self._by_holdout(rows, codes, may_drop)
        else:
            stays = self._by_neighbors(rows, codes, may_drop)
        if not stays.any():
            raise ValueError(
                f"every row is contradicted by its neighbours (n_samples = {len(rows)}): classes do not lie "
                "apart in these columns, or the rows are too few; method='wilson' keeps the smallest class."
            )
        return {
            "sample_indices_": _by_class(np.flatnonzero(stays), codes),
            "sampling_strategy_": _counts(classes, codes, may_drop),
        }

    def _by_neighbors(
        self, rows: NDArray[np.float64], codes: NDArray[np.int64], may_drop: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        labels = codes[self._neighbors(rows)]
        if self.kind_sel == "all":
            right = (labels == codes[:, None]).all(axis=1)
        else:
            right = _majority(labels, len(may_drop)) == codes
        return np.asarray(right | ~may_drop[codes])

    def _neighbors(self, rows: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the nearest others of each row."""
        if hasattr(self.n_neighbors, "kneighbors"):
            asked = clone(self.n_neighbors).fit(rows)
            return np.asarray(asked.kneighbors(rows, return_distance=False)[:, 1:])
        k = int(self.n_neighbors)
        if k >= len(rows):
            raise ValueError(f"n_neighbors = {k} needs more than {k} rows; got n_samples = {len(rows)}.")
        return without_itself(*_index(rows).query(rows, k + 1, self.n_jobs))[1]

    def _by_holdout(
        self, rows: NDArray[np.float64], codes: NDArray[np.int64], may_drop: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        order = generator(self.random_state).permutation(len(rows))
        fraction = 0.5 if self.fraction is None else self.fraction
        n_validated = min(max(1, round(fraction * len(rows))), len(rows) - 1)
        validated, reference_rows = order[:n_validated], order[n_validated:]
        stays = np.zeros(len(rows), dtype=bool)
        stays[validated] = self._by_reference_rows(rows, codes, may_drop, validated, reference_rows)
        return stays

    def _by_reference_rows(
        self,
        rows: NDArray[np.float64],
        codes: NDArray[np.int64],
        may_drop: NDArray[np.bool_],
        validated: NDArray[np.int64],
        reference_rows: NDArray[np.int64],
    ) -> NDArray[np.bool_]:
        """Return which of some rows stay when K-NN on others judges them."""
        found = self._neighbors_among(rows[reference_rows], rows[validated])
        right = _majority(codes[reference_rows][found], len(may_drop)) == codes[validated]
        return np.asarray(right | ~may_drop[codes[validated]])

    def _neighbors_among(
        self, reference_rows: NDArray[np.float64], rows: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        if hasattr(self.n_neighbors, "kneighbors"):
            asked = clone(self.n_neighbors).fit(reference_rows)
            return np.asarray(asked.kneighbors(rows, return_distance=False))
        k = int(self.n_neighbors)
        if k > len(reference_rows):
            n = len(rows) + len(reference_rows)
            raise ValueError(f"n_neighbors = {k}, but A has {len(reference_rows)} rows; n_samples = {n}.")
        return _index(reference_rows).query(np.ascontiguousarray(rows), k, self.n_jobs)[1]


class RepeatedEditedNearestNeighbours(Sampler):
    """Edit again and again, until no row is dropped.

    It also ends once a class is gone or, where the smallest class is kept whole, smaller than that.

    Attributes
    ----------
    sample_indices_ : ndarray of int
        Rows that stay, class by class.
    sampling_strategy_ : dict
        Number of rows of each class from which rows may be dropped.
    n_iter_ : int
    classes_ : ndarray
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> editing = bw.RepeatedEditedNearestNeighbours(random_state=0).fit(X, y)
    >>> editing.n_iter_ > 1, len(editing.sample_indices_) > 130
    (True, True)
    """

    _parameters = declare(
        *EDITING,
        METHOD.but(
            '"holdout" splits the rows that are left into two halves, anew each time, and drops what K-NN on '
            "the other half gets wrong (two-part multiedit of Devijver and Kittler): the halves change from "
            'round to round, and no half is lost. "wilson" asks each row\'s K nearest others, as '
            "imbalanced-learn does."
        ),
        Parameter("max_iter", Integer(1), "Most times that the rows are edited."),
        random_state("Of the splits."),
    )

    sampling_strategy_: dict[Any, int]
    n_iter_: int

    def __init__(
        self,
        *,
        method: str = "holdout",
        sampling_strategy: Any = "auto",
        n_neighbors: Any = 3,
        max_iter: int = 100,
        kind_sel: str = "all",
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.method = method
        self.sampling_strategy = sampling_strategy
        self.n_neighbors = n_neighbors
        self.max_iter = max_iter
        self.kind_sel = kind_sel
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _editing(self) -> EditedNearestNeighbours:
        return EditedNearestNeighbours(
            method=self.method, n_neighbors=self.n_neighbors, kind_sel=self.kind_sel, n_jobs=self.n_jobs
        )

    def _select(
        self, rows: NDArray[np.float64], codes: NDArray[np.int64], classes: NDArray[Any]
    ) -> dict[str, Any]:
        editing, rng = self._editing(), generator(self.random_state)
        first = np.bincount(codes, minlength=len(classes))
        smallest = int(first.argmin())
        # Each half needs K judges.
        least = int(getattr(self.n_neighbors, "n_neighbors", self.n_neighbors))
        least = 2 * least - 1 if self.method == "holdout" else least
        left, n_iter, ends = np.arange(len(rows)), 0, False
        while not ends and n_iter < self.max_iter:
            may_drop = _may_drop(self, classes, codes[left])
            if self.method == "holdout":
                right = _by_halves(editing, rows[left], codes[left], may_drop, rng)
            else:
                right = editing._by_neighbors(rows[left], codes[left], may_drop)
            stays = left[right]
            counts = np.bincount(codes[stays], minlength=len(classes))
            floor = 1 if may_drop[smallest] else first[smallest]
            ends = len(stays) == len(left) or len(stays) <= least or bool((counts < floor).any())
            left, n_iter = stays, n_iter + 1
        return {
            "sample_indices_": _by_class(left, codes),
            "sampling_strategy_": _counts(classes, codes, _may_drop(self, classes, codes)),
            "n_iter_": n_iter,
        }


def _by_halves(
    editing: EditedNearestNeighbours,
    rows: NDArray[np.float64],
    codes: NDArray[np.int64],
    may_drop: NDArray[np.bool_],
    rng: np.random.Generator,
) -> NDArray[np.bool_]:
    """Return which rows stay when two random halves judge each other.

    Measured over 15 draws of five tables: three and five parts are no better with two classes, and with
    ten they leave too few reference rows.
    """
    order = rng.permutation(len(rows))
    one, other = order[: len(rows) // 2], order[len(rows) // 2 :]
    stays = np.empty(len(rows), dtype=bool)
    for validated, reference_rows in ((one, other), (other, one)):
        stays[validated] = editing._by_reference_rows(rows, codes, may_drop, validated, reference_rows)
    return stays


def _may_drop(sampler: Any, classes: NDArray[Any], codes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return from which classes rows may be dropped; "auto" is "all" where independent rows judge."""
    strategy = sampler.sampling_strategy
    if sampler.method == "holdout" and isinstance(strategy, str) and strategy == "auto":
        strategy = "all"
    return chosen_classes(strategy, classes, codes)


def _index(rows: NDArray[np.float64]) -> RowIndex:
    index = RowIndex(Metric("euclidean"), "auto", np.zeros(rows.shape[1], dtype=np.uint8), False)
    index.add(np.ascontiguousarray(rows))
    return index


def _majority(labels: NDArray[np.int64], n_classes: int) -> NDArray[np.int64]:
    """Return the most frequent class of each row of labels; the first where several are."""
    n = len(labels)
    cells = (labels + n_classes * np.arange(n)[:, None]).ravel()
    return np.bincount(cells, minlength=n * n_classes).reshape(n, n_classes).argmax(axis=1)


def _by_class(rows: NDArray[np.int64], codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return rows class by class, in their order within each."""
    return rows[np.argsort(codes[rows], kind="stable")]


def _counts(classes: NDArray[Any], codes: NDArray[np.int64], chosen: NDArray[np.bool_]) -> dict[Any, int]:
    counts = np.bincount(codes, minlength=len(classes)).tolist()
    labels = classes.tolist()
    return {labels[i]: counts[i] for i in np.flatnonzero(chosen)}
