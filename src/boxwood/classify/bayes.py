"""Bayes' rule with any density of the library."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from boxwood.classify.calibration import Calibration, calibration_of_state, fit_calibration
from boxwood.classify.classes import codes_in
from boxwood.classify.generative import LARGEST_LOG, GenerativeClassifier
from boxwood.classify.ranges import ranges_of, ranges_of_state, within_ranges
from boxwood.columns import Columns, Schema
from boxwood.density.base import DensityEstimator
from boxwood.density.forest import DensityForest
from boxwood.density.left_out import cross_fitted_scores, left_out_scores
from boxwood.density.unseen_gaps import pool_unseen_gaps
from boxwood.evidence import share_measure
from boxwood.histogram.available import available_unless
from boxwood.model_file import ModelFileError, State
from boxwood.parameters import Flag, Instance, Parameter, declare, set_effective

__all__ = ["BayesClassifier"]


def _why_not_in_parts(estimator: BayesClassifier) -> str | None:
    density = estimator.density
    if hasattr(density, "partial_fit"):
        return None
    name = "DensityForest" if density is None else type(density).__name__
    return f"this {name} has no partial_fit: it needs all rows at once."


class BayesClassifier(GenerativeClassifier):
    """Bayes' rule: the class of largest prior × density, one copy of a density fitted to each class's rows.

    With `GaussianDensity` it is quadratic discriminant analysis, with a product of densities naive Bayes.
    Categories, missing values and weights are as the density has them. All classes are measured alike: a
    value that is an atom for one of them is one for all (see ``boxwood.margins``).

    Densities of many correlated columns are too sure of their class. Where the density is a forest or a
    boosted one (or with ``calibrate=True``), an exponent and offsets of the likelihoods are fitted to scores
    of left-out rows: `predict`, `predict_proba` and `predict_log_proba` use them, while
    `predict_joint_log_proba`, `score_samples` and `sample` are of the densities as they are.

    All classes share the support of the whole table: bins, the ends of linear margins, and the probability of
    a missing value that a class has not shown, are those of all rows. A row of density zero under every class
    is classified as if its values beyond the table's range were at the ends of the range.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    class_count_ : ndarray of shape (n_classes,)
        Weight of each class's rows.
    priors_ : ndarray of shape (n_classes,)
    densities_ : list of densities
        One a class, fitted; None for a class of which `partial_fit` has seen no row.
    calibration_ : Calibration or None
        `exponent` and `offsets` of the classes' likelihoods, in the order of `classes_`.
    schema_ : Schema
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_iris
    >>> iris = load_iris(as_frame=True)
    >>> species = iris.target_names[iris.target]
    >>> model = bw.BayesClassifier(bw.DensityTree(margins="smooth")).fit(iris.data, species)
    >>> model.score(iris.data, species) > 0.95
    True
    >>> odd = iris.data[:1].assign(**{"petal width (cm)": 9.0})
    >>> bool(model.p_values(odd)[0] < 0.05)  # no species has such a petal
    True
    >>> model.sample(100, y="setosa", random_state=0).shape
    (100, 4)
    """

    _ranges: NDArray[np.float64] | None = None

    _parameters = declare(
        Parameter(
            "density",
            Instance(DensityEstimator, "density of boxwood's") | None,
            "Cloned for each class; without it ``DensityForest(random_state=0)``. Its parameters can be "
            "searched as ``density__max_depth`` and the like.",
        ),
        Parameter(
            "calibrate",
            Flag() | "auto",
            "Whether likelihoods get the exponent and offsets that suit rows left out of their class's "
            'density. "auto" does so where that costs no further fit: for forests, by their out-of-bag '
            "scores, and for boosted densities, by those of the rows they hold out. True fits every class "
            "five times more for other densities. Not with `partial_fit`.",
        ),
    )

    def __init__(
        self,
        density: DensityEstimator | None = None,
        *,
        priors: Any = None,
        calibrate: bool | str = "auto",
    ) -> None:
        self.density = density
        self.priors = priors
        self.calibrate = calibrate

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit one density a class.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Classes, of any type.
        sample_weight : array-like of shape (n_samples,), optional
            What they are the density's `weight_kind` says.

        Returns
        -------
        self
        """
        self._check_parameters()
        columns, labels = self._read_rows(X, y, sample_weight)
        classes, codes = np.unique(labels, return_inverse=True)
        parts = _rows_by_class(codes, len(classes))
        shared = share_measure(columns, parts)
        densities = [self._new_density().fit(shared.take(part)) for part in parts]
        pool_unseen_gaps(densities, columns)
        counts = self._counts(columns, codes, len(classes))
        calibration = self._fit_calibration(shared, codes, parts, densities)
        self._set_classes(columns.schema, classes, counts, densities)
        self.calibration_ = calibration
        self._ranges = ranges_of(columns)
        return self

    @available_unless(_why_not_in_parts)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add rows to what was fitted so far; where the density has a `partial_fit`.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Categories are those of the first part; others count as unknown.
        y : array-like of shape (n_samples,)
            The target of each row.
        classes : array-like of shape (n_classes,), optional
            All classes that may come; needed in the first call.
        sample_weight : array-like of shape (n_samples,), optional
            What each row counts; all count the same where it is not given.

        Returns
        -------
        self
        """
        self._check_parameters()
        known = self._part_classes(classes)
        columns, labels = self._read_rows(X, y, sample_weight)
        codes = codes_in(known, labels)
        fitted = self.__sklearn_is_fitted__()
        if fitted:
            self._check_names(columns.schema)
            columns = columns.matched(self.schema_)
        before = self.densities_ if fitted else [None] * len(known)
        parts = _rows_by_class(codes, len(known))
        densities = [self._grown(d, columns, part) for d, part in zip(before, parts, strict=True)]
        counts = self._counts(columns, codes, len(known)) + (self.class_count_ if fitted else 0.0)
        self._set_classes(columns.schema, known, counts, densities)
        self.calibration_ = None
        self._ranges = None
        return self

    def _fit_calibration(
        self,
        columns: Columns,
        codes: NDArray[np.intp],
        parts: list[NDArray[np.intp]],
        densities: list[Any],
    ) -> Calibration | None:
        """Fit an exponent and offsets to the scores of rows that their own class's density has not seen."""
        own = [left_out_scores(density) for density in densities]
        at_no_cost = self.calibrate == "auto"
        if len(parts) < 2 or self.calibrate is False or (at_no_cost and all(of is None for of in own)):
            return None
        bare = columns.without_weights()
        scores = np.column_stack([density._score_table(bare) for density in densities])
        for k, (known, part) in enumerate(zip(own, parts, strict=True)):
            if known is None and not at_no_cost:
                known = cross_fitted_scores(self._new_density(), columns.take(part))
            scores[part, k] = np.nan if known is None else known  # of a single row none is left out
        evidence = densities[0]._weigh(columns)
        worth = columns.row_weights * (evidence.n / columns.total_weight)
        for density, part in zip(densities, parts, strict=True):
            worth[part] *= getattr(density, "left_out_fraction_", 1.0)
        # A row of which nothing is known has the priors where gaps are summed out: no offsets there.
        offsets = densities[0].missing != "ignore"
        return fit_calibration(np.minimum(scores, LARGEST_LOG), codes, worth, offsets=offsets)

    def _joint_within(self, columns: Columns) -> NDArray[np.float64]:
        """Return the joint of rows of density zero, without what makes them impossible in every class.

        Values beyond the table's range count as its ends. If a row is still impossible, its missing values
        are summed out: densities without a place for them give them probability 0 in columns that had none.
        """
        within = columns if self._ranges is None else within_ranges(columns, self._ranges)
        joint = self._joint(within)
        dead = np.flatnonzero(np.isneginf(joint).all(axis=1))
        if len(dead) and within.n_missing:
            rows = within.take(dead)
            known = self._by_class(len(dead), lambda density: density._scored_as("ignore")._score_table(rows))
            joint[dead] = np.minimum(known, LARGEST_LOG) + self._log_priors()
        return joint

    def _grown(
        self, density: DensityEstimator | None, columns: Columns, rows: NDArray[np.intp]
    ) -> DensityEstimator | None:
        if len(rows) == 0:
            return density
        grown: Any = self._new_density() if density is None else deepcopy(density)
        return grown.partial_fit(columns.take(rows))

    def _new_density(self) -> Any:
        density = DensityForest(random_state=0) if self.density is None else clone(self.density)
        # Rules of one class that others do not have would be other measures: densities must compare.
        return set_effective(density, dependencies=None) if hasattr(density, "dependencies") else density

    def _get_state(self) -> dict[str, Any]:
        wanted = type(self._new_density())
        if any(density is not None and type(density) is not wanted for density in self.densities_):
            raise ModelFileError("BayesClassifier: density was changed since the fit; fit it again")
        known = self.calibration_
        state = {**super()._get_state(), **({} if known is None else {"calibration": known.to_state()})}
        return state if self._ranges is None else {**state, "ranges": self._ranges}

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        fitted = super()._fitted_of_state(schema, state)
        known = "calibration" in state  # files of before there was one have none
        found = calibration_of_state(state.child("calibration"), len(fitted["classes_"])) if known else None
        return {**fitted, "calibration_": found, "_ranges": ranges_of_state(state, len(schema))}


def _rows_by_class(codes: NDArray[Any], n_classes: int) -> list[NDArray[np.intp]]:
    return [np.flatnonzero(codes == k) for k in range(n_classes)]
