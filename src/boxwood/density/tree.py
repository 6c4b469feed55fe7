"""The density tree: boxes of constant density, found by recursive subdivision."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Columns, Schema
from boxwood.density.base import thinned
from boxwood.density.boxes import BoxDensity, fractions_of
from boxwood.margins import Margins
from boxwood.mixture import Mixture, observed_points
from boxwood.model_file import State
from boxwood.parameters import check_choice, check_integer, check_number, shown
from boxwood.progress import fit_progress, with_callbacks
from boxwood.tree.density.folds import Fold, given_folds, shuffled_folds, validation_fold
from boxwood.tree.density.growth import (
    MOST,
    EncodedTable,
    check_growth,
    encode_table,
    grow_options,
    leaf_options,
    seed_for,
)
from boxwood.tree.density.pruning import (
    PruningPath,
    choose_subtree,
    leave_one_out_change,
    prune_by,
    pruning_path,
)

__all__ = ["DensityTree"]

DEFAULT_PENALTY = 3.0
"""Nats per leaf by which "loo" judges a subtree's log-likelihood."""

FEW_ROWS = 5000
"""Up to so many rows all are held out, in five folds, to calibrate p-values; of more, a fifth in one."""

MANY_ROWS = 20_000
"""Of more rows p-values come from each leaf's masses with one row less, in closed form: growing again to
hold rows out would take most of the fit. Measured on 100,000 rows: 13% of new rows get one below 0.1."""

CALIBRATION_SEED = 0
"""Of these folds: a tree without random splits is the same whatever its random state."""


class DensityTree(BoxDensity):
    """Density tree: the bounding box is split in two again and again; a leaf has constant density.

    Parameters
    ----------
    criterion : {"log_likelihood", "loo", "squared_error", "nonuniformity", "gaussian_entropy", \
"product_likelihood"}, default="log_likelihood"
        What a split should gain. "loo" is the leave-one-out squared error, the only one that can stop
        growth by itself; "product_likelihood" looks for parts within which columns are independent, and
        goes with ``leaf="histogram"``.
    margins : {"linear", "smooth"}, default="linear"
        Boxes of constant density in x inside the bounding box, or boxes that follow the columns' own
        smooth distributions, with tails beyond the data.
    leaf : {"uniform", "histogram", "gaussian"}, default="uniform"
        The density inside a leaf's box: constant, a product of smoothed histograms, or a product of
        Gaussians cut off at the box (constant along columns of categories, atoms, integers or missing
        values).
    splitter : {"auto", "exact", "binned", "random"}, default="auto"
        Cuts between any two neighbouring values and between the outermost ones and the box's edges, at
        up to 1,024 bin edges, or at `random_splits` random ones a column. "auto" is exact up to 10,000 rows.
        Through an empty stretch thresholds keep away from rows, by one of their mean spacings or halfway
        to the next ones: a box that ends at its outermost row is too small.
        Atoms (values that many rows share), integers and missing values are never cut: a table that
        has any is cut at bin edges.
    prune : {"loo", "cv", "validation"} or None, default="loo"
        How the subtree is chosen.
    prune_score : {"log_likelihood", "squared_error"}, default="log_likelihood"
    prune_penalty : float or None, default=None
        What "loo" adds per leaf; by default 3 nats for the log-likelihood and nothing for the squared error.
    cv : int, cross-validation generator or iterable, default=5
        Folds of ``prune="cv"``, as scikit-learn takes them; a number makes that many of shuffled rows.
        Which rows these are depends on their values, not on their order.
    validation_fraction : float, default=0.2
        Fraction of the rows that ``prune="validation"`` holds out.
    max_depth : int or None, default=None
    max_leaf_nodes : int or None, default=None
        Grows best-first, the leaf of largest gain next, until there are so many.
    min_samples_split : float, default=10
        Weight of the rows of a node from which on it may be split.
    min_samples_leaf : float, default=1
        Smallest weight of the rows of a leaf. A leaf may also be empty, where a uniform density would have
        put so many rows, and at least five, into it: cuts take empty margins off. 0 allows every cut.
    max_features : int, float, "sqrt", "half" or None, default=None
        Columns tried at a node; None for all.
    max_candidates : int, default=1024
        Cuts tried a column by the binned splitter.
    random_splits : int, default=10
        Cuts tried a column by the random splitter.
    max_aspect : float or None, default=None
        Most that a box may be longer along one column than along another, relative to the root's.
    uniformity_level : float or None, default=None
        A node is a leaf where a Kolmogorov–Smirnov test of uniformity of every column, corrected for
        their number, does not reject at this level.
    min_gain : float or None, default=None
        Smallest gain of a split; by default 0 for "loo" and none for others.
    mass_prior : float, default=1.0
        Strength of the prior by which the masses of two halves are pulled towards their volumes: no leaf
        has density zero, unless this is 0.
    n_bins : int, default=16
        Bins of histogram leaves.
    histogram_prior : float, default=4.0
        Rows that a parent's histogram counts for in its child's.
    false_alarm_rate : float in (0, 0.5], default=0.05
        The fraction of ordinary new rows that `predict` calls odd.
    n_jobs : int or None, default=None
        Threads of margins and of scoring; the fitted model is the same to the byte for any number of them.
    random_state : int, RandomState or None, default=None
        For random splits, feature subsets and folds.

    Attributes
    ----------
    n_leaves_ : int
    max_depth_ : int
    feature_importances_ : ndarray of shape (n_features,)
        Fraction of the gains that came from splits of each column.
    pruning_path_ : PruningPath
    margins_ : Margins
    mixture_ : Mixture
    memory_report_ : dict
    offset_ : float
        Log-density below which a row is odd.
    schema_ : Schema
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.uniform(0, 1, (500, 2)), rng.uniform(4, 5, (500, 2))])
    >>> tree = bw.DensityTree().fit(X)
    >>> np.exp(tree.score_samples([[0.5, 0.5], [4.5, 4.5], [2.5, 2.5]])).round(1)
    array([0.6, 0.5, 0. ])
    """

    pruning_path_: PruningPath
    max_depth_: int

    def __init__(
        self,
        *,
        criterion: str = "log_likelihood",
        margins: str = "linear",
        leaf: str = "uniform",
        splitter: str = "auto",
        prune: str | None = "loo",
        prune_score: str = "log_likelihood",
        prune_penalty: float | None = None,
        cv: Any = 5,
        validation_fraction: float = 0.2,
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: float = 10,
        min_samples_leaf: float = 1,
        max_features: int | float | str | None = None,
        max_candidates: int = 1024,
        random_splits: int = 10,
        max_aspect: float | None = None,
        uniformity_level: float | None = None,
        min_gain: float | None = None,
        mass_prior: float = 1.0,
        n_bins: int = 16,
        histogram_prior: float = 4.0,
        false_alarm_rate: float = 0.05,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.margins = margins
        self.leaf = leaf
        self.splitter = splitter
        self.prune = prune
        self.prune_score = prune_score
        self.prune_penalty = prune_penalty
        self.cv = cv
        self.validation_fraction = validation_fraction
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.max_candidates = max_candidates
        self.random_splits = random_splits
        self.max_aspect = max_aspect
        self.uniformity_level = uniformity_level
        self.min_gain = min_gain
        self.mass_prior = mass_prior
        self.n_bins = n_bins
        self.histogram_prior = histogram_prior
        self.false_alarm_rate = false_alarm_rate
        self.n_jobs = n_jobs
        self.random_state = random_state

    @with_callbacks
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Grow the tree and prune it.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            Frequencies.

        Returns
        -------
        self
        """
        self._check_parameters()
        columns = self._read_fit(X, sample_weight)
        table = encode_table(columns, self.margins, self.splitter, self.n_jobs)
        seed = seed_for(self)
        with fit_progress(self, X, 1):
            grown, path = self._prune(self._grow(table, seed), table, seed)
            mixture = self._mixture(grown, table)
            leaves = grown.leaves_of_rows(table.native)
            scores = self._training_scores(table.margins, mixture, columns, leaves)
            if columns.total_weight > MANY_ROWS:
                left_out = leave_one_out_change(grown, mixture.flat, float(self.mass_prior))
                held_out = thinned(scores + left_out[leaves], table.weights)
            else:
                held_out = self._held_out_scores(table, columns, path.chosen, seed)
        self._set_fitted(
            columns.schema,
            margins_=table.margins,
            mixture_=mixture,
            pruning_path_=path,
            max_depth_=_depth(mixture.flat),
            feature_importances_=_importances(grown, len(columns)),
            **self._novelty(held_out, None, of_rows=False),
        )
        return self

    def apply(self, X: Any) -> NDArray[np.uint32]:
        """Return the number of the leaf that each row falls into.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            A missing value goes where missing values went in training.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return super().apply(X)[:, 0]

    def decision_path(self, X: Any) -> Any:
        """Return the nodes that each row passes on its way to its leaf.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        csr_matrix of shape (n_samples, n_nodes)
            1 where a row passes a node.
        """
        return super().decision_path(X)[0]

    @property
    def n_leaves_(self) -> int:
        """The number of leaves."""
        return self.mixture_.n_leaves

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_growth(self)
        check_choice(self, "prune", ["loo", "cv", "validation", None])
        check_choice(self, "prune_score", ["log_likelihood", "squared_error"])
        if self.prune_penalty is not None:
            check_number(self, "prune_penalty", 0.0)
        check_number(self, "validation_fraction", 0.0, 0.9, open_low=True)
        check_number(self, "min_samples_split", 0.0)
        self._check_cv()

    def _check_cv(self) -> None:
        if self.cv is None or isinstance(self.cv, str):
            raise TypeError(
                f"DensityTree: cv must be a number, a splitter or an iterable; got {shown(self.cv)}."
            )
        if not hasattr(self.cv, "split") and not isinstance(self.cv, Iterable):
            check_integer(self, "cv", 2, MOST)

    def _grow(
        self, table: EncodedTable, seed: int, weights: NDArray[np.float64] | None = None
    ) -> _core.GrownTree:
        options = grow_options(self, len(table.bin_edges), float(self.min_samples_split), seed)
        return _core.grow_tree(table.native if weights is None else table.reweighted(weights), options)

    def _prune(
        self, grown: _core.GrownTree, table: EncodedTable, seed: int
    ) -> tuple[_core.GrownTree, PruningPath]:
        prior = float(self.mass_prior)
        squared_error = self.prune_score == "squared_error"
        if self.prune is None:
            kind = _core.LossKind.squared_error if squared_error else _core.LossKind.log_likelihood
            return grown, pruning_path(grown, grown.losses(kind, prior))
        return choose_subtree(
            grown,
            squared_error,
            prior,
            self._penalty(),
            lambda weights: self._grow(table, seed, weights),
            table.points,
            self._folds(table, seed),
        )

    def _mixture(
        self, grown: _core.GrownTree, table: EncodedTable, weights: NDArray[np.float64] | None = None
    ) -> Mixture:
        native = table.native if weights is None else table.reweighted(weights)
        flat = grown.fit_leaves(native, leaf_options(self, table.margins))
        return Mixture(grown.columns(), flat, np.ones(1))

    def _training_scores(
        self, margins: Margins, mixture: Mixture, columns: Columns, leaves: NDArray[np.uint32]
    ) -> NDArray[np.float64]:
        """Return what `score_samples` gives for the training rows, whose leaves are known."""
        if mixture.leaf_kind != "uniform" or any(column.n_missing for column in columns):
            return self._log_density(margins, mixture, columns)
        return mixture.native.leaf_scales(0)[leaves] + margins.log_derivative(columns)

    def _held_out_scores(
        self, table: EncodedTable, columns: Columns, alpha: float, seed: int
    ) -> NDArray[np.float64]:
        """Return sorted scores of rows by trees that were grown without them, and pruned alike."""
        few = columns.total_weight <= FEW_ROWS
        folds = (
            shuffled_folds(table.points, table.weights, 5, CALIBRATION_SEED)
            if few
            else validation_fold(table.points, table.weights, 0.2, CALIBRATION_SEED)
        )
        everything = np.ones(columns.n_rows) if table.weights is None else table.weights
        points, logs = observed_points(table.margins, columns), table.margins.log_derivative(columns)
        scores, weights = [], []
        for train, held in folds or [(everything, everything)]:
            grown = self._grow(table, seed, train)
            if self.prune is not None:
                squared_error, fraction = self.prune_score == "squared_error", train.sum() / everything.sum()
                scaled = alpha if squared_error or self.prune == "loo" else alpha * fraction
                grown = prune_by(grown, scaled, squared_error, self.prune == "loo", float(self.mass_prior))
            rows = np.flatnonzero(held)
            mixture = self._mixture(grown, table, train)
            scores.append(mixture.log_density(points[rows], self._n_threads()) + logs[rows])
            weights.append(held[rows])
        return thinned(np.concatenate(scores), np.concatenate(weights))

    def _penalty(self) -> float | None:
        if self.prune != "loo":
            return None
        if self.prune_penalty is not None:
            return float(self.prune_penalty)
        return 0.0 if self.prune_score == "squared_error" else DEFAULT_PENALTY

    def _folds(self, table: EncodedTable, seed: int) -> list[Fold]:
        if self.prune == "validation":
            return validation_fold(table.points, table.weights, float(self.validation_fraction), seed)
        if self.prune != "cv":
            return []
        if isinstance(self.cv, numbers.Integral):
            return shuffled_folds(table.points, table.weights, int(self.cv), seed)
        return given_folds(self.cv, len(table.points), table.weights)

    def _get_state(self) -> dict[str, Any]:
        return {**super()._get_state(), "pruning_path": self.pruning_path_.to_state()}

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        fitted = super()._fitted_of_state(schema, state)
        if fitted["mixture_"].n_trees != 1:
            raise state.error("mixture", "has more than one tree")
        return {
            **fitted,
            "pruning_path_": PruningPath.from_state(state.child("pruning_path")),
            "max_depth_": _depth(fitted["mixture_"].flat),
        }


def _importances(grown: _core.GrownTree, n_columns: int) -> NDArray[np.float64]:
    features, gains = grown.features(), grown.gains().clip(min=0.0)
    inner = features >= 0
    return fractions_of(
        np.bincount(features[inner], weights=gains[inner], minlength=n_columns).astype(np.float64)
    )


def _depth(flat: dict[str, Any]) -> int:
    depth, level = 0, np.zeros(1, dtype=np.int64)  # the nodes of one depth at a time
    while len(level := level[flat["feature"][level] >= 0]):
        depth += 1
        left = flat["left"][level].astype(np.int64)
        level = np.concatenate([left, left + 1])
    return depth
