"""The density tree: boxes of constant density, found by recursive subdivision."""

from __future__ import annotations

import numbers
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Schema
from boxwood.density.boxes import BoxDensity, fractions_of
from boxwood.dependencies import Dependencies
from boxwood.evidence import Fold, shuffled_folds, validation_fold, without_single_categories
from boxwood.gaps import UnseenGaps
from boxwood.margins import left_out_log_derivative
from boxwood.mixture import Mixture, TableMixture, hide_missing
from boxwood.model_file import State
from boxwood.parameters import Checked, Choice, Parameter, Real, declare, only_with, random_state
from boxwood.progress import fit_progress, with_callbacks
from boxwood.tree.density.folds import check_cv, given_folds
from boxwood.tree.density.growth import (
    EncodedTable,
    encode_table,
    grow_options,
    leaf_options,
    seed_for,
)
from boxwood.tree.density.node_losses import NodeLosses
from boxwood.tree.density.parameters import leaf_kind
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

PARTS = 10
"""In so many parts rows are left out of leaves that are not uniform, to judge these."""

CALIBRATION_SEED = 0
"""Of these folds: a tree without random splits is the same whatever its random state."""


class DensityTree(BoxDensity):
    """Density tree: the bounding box is split in two again and again; a leaf has constant density.

    Attributes
    ----------
    id_columns_ : list of str
        Columns that number or name the rows: ids and free text. A warning names them; samples have new
        numbers, or nothing, in them.
    n_leaves_ : int
    max_depth_ : int
    feature_importances_ : ndarray of shape (n_features,)
        Fraction of the gains that came from splits of each column.
    pruning_path_ : PruningPath
    dependencies_ : list of Dependency
        Columns that follow from others: `score_samples` knows them and `sample` keeps to them.
    rotation_ : Rotation or None
        Turns rows to the components that the tree has boxes of.
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

    _parameters = declare(
        Parameter("prune", Choice("loo", "cv", "validation") | None, "How the subtree is chosen."),
        Parameter(
            "prune_score",
            Choice("log_likelihood", "squared_error"),
            "By what a subtree is judged on rows.",
        ),
        Parameter(
            "prune_penalty",
            Real(0.0) | None,
            'What "loo" adds per leaf; by default 3 nats for the log-likelihood and nothing for the squared '
            "error.",
            only_with(prune="loo"),
        ),
        Parameter(
            "cv",
            Checked("int ≥ 2, cross-validation generator or iterable", check_cv) | None,
            'Folds of ``prune="cv"``, as scikit-learn takes them; a number makes that many of shuffled rows. '
            "Which rows these are depends on their values, not on their order. None is 5.",
            only_with(prune="cv"),
        ),
        Parameter(
            "validation_fraction",
            Real(0.0, 0.9, open_low=True) | None,
            'Fraction of the rows that ``prune="validation"`` holds out. None is 0.2.',
            only_with(prune="validation"),
        ),
        random_state("For random splits, feature subsets and folds."),
    )

    _releases_rows = True

    _usual_leaf = "uniform"

    pruning_path_: PruningPath
    max_depth_: int

    def __init__(
        self,
        *,
        criterion: str = "log_likelihood",
        margins: str = "linear",
        leaf: str | None = None,
        rotation: str | None = None,
        splitter: str = "auto",
        prune: str | None = "loo",
        prune_score: str = "log_likelihood",
        prune_penalty: float | None = None,
        cv: Any = None,
        validation_fraction: float | None = None,
        max_depth: int | None = None,
        max_leaf_nodes: int | str | None = None,
        leaf_factor: float | None = None,
        min_samples_split: float = 10,
        min_samples_leaf: float = 1,
        max_features: int | float | str | None = None,
        max_candidates: int = 1024,
        random_splits: int | None = None,
        max_aspect: float | None = None,
        uniformity_level: float | None = None,
        min_gain: float | None = None,
        mass_prior: float = 1.0,
        n_bins: int | None = None,
        histogram_prior: float = 4.0,
        dependencies: str | None = "auto",
        missing: str = "event",
        bounds: Any = None,
        support: Any = None,
        duplicates: str = "auto",
        weight_kind: str = "auto",
        false_alarm_rate: float = 0.05,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.margins = margins
        self.leaf = leaf
        self.rotation = rotation
        self.splitter = splitter
        self.prune = prune
        self.prune_score = prune_score
        self.prune_penalty = prune_penalty
        self.cv = cv
        self.validation_fraction = validation_fraction
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.leaf_factor = leaf_factor
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
        self.dependencies = dependencies
        self.missing = missing
        self.bounds = bounds
        self.support = support
        self.duplicates = duplicates
        self.weight_kind = weight_kind
        self.false_alarm_rate = false_alarm_rate
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _remedy_of_zeros(self) -> str | None:
        if self.margins != "linear" or self.support is not None:
            return None
        return 'The density is 0 outside the box of the fitted rows. margins="smooth" is positive there, too.'

    @with_callbacks
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None) -> Self:
        """Grow the tree and prune it.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            What they are `weight_kind` says.
        groups : array-like of shape (n_samples,), optional
            Labels; rows of a group are left out together wherever rows are left out.

        Returns
        -------
        self
        """
        self._check_parameters()
        given, seed = self._read_fit(X, sample_weight), seed_for(self)
        columns, rotation = self._rotate(given, seed)
        evidence = self._weigh(columns, groups, sample_weight)
        given.release()
        table = encode_table(evidence, self.margins, self.splitter, self.n_jobs)
        gaps = UnseenGaps.of_table(evidence.n, evidence.columns)
        with fit_progress(self, X, 1):
            grown, path = self._prune(self._grow(table.native, table, seed), table, seed)
            mixture = self._mixture(grown, table.native, table)
            ruled = self._rule(self._find_dependencies(evidence), table.margins, mixture)
            if evidence.n > MANY_ROWS:
                leaves = grown.leaves_of_rows(table.native)[: evidence.n_rows]
                scores = self._training_scores(table, mixture, leaves)
                left_out = leave_one_out_change(grown, mixture.flat, float(self.mass_prior))
                held_out = scores + left_out[leaves] + ruled.training_terms(evidence.columns)
                held_out = self._with_unseen_gaps(held_out, gaps, evidence.columns)
                novelty = self._novelty_of(evidence, held_out)
            else:
                scores, weights = self._held_out_scores(table, path.chosen, seed, gaps, ruled.dependencies)
                novelty = self._novelty(scores, weights, of_rows=False)
        self._set_fitted(
            given.schema,
            rotation_=rotation,
            margins_=table.margins,
            mixture_=mixture,
            **self._fitted_rules(ruled),
            pruning_path_=path,
            max_depth_=_depth(mixture.flat),
            feature_importances_=_importances(grown, len(columns)),
            _gaps=gaps,
            **self._ids_of(evidence),
            **novelty,
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

    def _grow(self, rows: _core.BinnedTable, table: EncodedTable, seed: int) -> _core.GrownTree:
        n_columns, smallest = len(table.bin_edges), float(self.min_samples_split)
        return _core.grow_tree(rows, grow_options(self, n_columns, table.evidence.n, smallest, seed))

    def _prune(
        self, grown: _core.GrownTree, table: EncodedTable, seed: int
    ) -> tuple[_core.GrownTree, PruningPath]:
        losses = self._losses(table)
        if self.prune is None:
            return grown, pruning_path(grown, losses.of_training(grown))
        return choose_subtree(
            grown,
            losses,
            self._penalty(),
            lambda weights: self._grow(table.reweighted(weights), table, seed),
            self._folds(table, seed),
        )

    def _losses(self, table: EncodedTable) -> NodeLosses:
        uniform = leaf_kind(self) == "uniform"
        parts = [] if uniform else shuffled_folds(table.evidence, PARTS, CALIBRATION_SEED)
        squared_error = self.prune_score == "squared_error"
        return NodeLosses(table, leaf_options(self, table), squared_error, parts)

    def _mixture(self, grown: _core.GrownTree, rows: _core.BinnedTable, table: EncodedTable) -> Mixture:
        return Mixture.of_native(grown.fit_mixture(rows, leaf_options(self, table)))

    def _training_scores(
        self, table: EncodedTable, mixture: Mixture, leaves: NDArray[np.uint32]
    ) -> NDArray[np.float64]:
        """Return the log-density of the distinct rows, whose leaves are known."""
        columns, missing = table.evidence.columns, self._missing_values()
        if mixture.leaf_kind != "uniform" or (missing == "marginal" and columns.n_missing):
            return TableMixture(table.margins, mixture, missing).log_density(columns, self._n_threads())
        return mixture.native.leaf_scales(0)[leaves] + table.margins.log_derivative(
            columns, missing, self.n_jobs
        )

    def _held_out_scores(
        self, table: EncodedTable, alpha: float, seed: int, gaps: UnseenGaps, dependencies: Dependencies
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return scores of rows by trees, pruned alike, and margins without them, and weights."""
        evidence, columns, missing = table.evidence, table.evidence.columns, self._missing_values()
        few = evidence.n <= FEW_ROWS
        folds = (
            shuffled_folds(evidence, 5, CALIBRATION_SEED)
            if few
            else validation_fold(evidence, 0.2, CALIBRATION_SEED)
        )
        everything = evidence.weights
        known = without_single_categories(evidence)
        points = table.points if known is columns else table.margins.encode(known, self.n_jobs)
        points = points if missing == "event" else hide_missing(points, columns)
        logs = left_out_log_derivative(evidence, table.margins, self.margins, missing, self.n_jobs)
        logs = self._with_unseen_gaps(logs, gaps, columns)
        losses = self._losses(table)
        scores, weights = [], []
        for train, held in folds or [Fold(everything, everything)]:
            native = table.reweighted(train)
            grown = self._grow(native, table, seed)
            if self.prune is not None:
                fraction = train.sum() / everything.sum()
                scaled = alpha if losses.squared_error or self.prune == "loo" else alpha * fraction
                grown = prune_by(grown, losses, train, scaled, self.prune == "loo")
            rows = np.flatnonzero(held)
            mixture = self._mixture(grown, native, table)
            ruled = self._rule(dependencies, table.margins, mixture)
            by_rules = ruled.training_terms(columns.take(rows))
            scores.append(mixture.log_density(points[rows], self._n_threads()) + logs[rows] + by_rules)
            weights.append(held[rows])
        return np.concatenate(scores), np.concatenate(weights)

    def _penalty(self) -> float | None:
        if self.prune != "loo":
            return None
        if self.prune_penalty is not None:
            return float(self.prune_penalty)
        return 0.0 if self.prune_score == "squared_error" else DEFAULT_PENALTY

    def _folds(self, table: EncodedTable, seed: int) -> list[Fold]:
        if self.prune == "validation":
            fraction = 0.2 if self.validation_fraction is None else float(self.validation_fraction)
            return validation_fold(table.evidence, fraction, seed)
        if self.prune != "cv":
            return []
        cv = 5 if self.cv is None else self.cv
        if isinstance(cv, numbers.Integral):
            return shuffled_folds(table.evidence, int(cv), seed)
        return given_folds(cv, table.evidence)

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
