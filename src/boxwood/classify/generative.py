"""What classifiers by Bayes' rule share: posteriors, simulation, novelty, the model file."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from boxwood.classify.base import TableClassifier
from boxwood.classify.calibration import Calibration
from boxwood.classify.classes import classes_of_state, read_labels
from boxwood.classify.priors import PRIORS, class_counts, fit_priors, priors_of_state
from boxwood.classify.simulating import Simulating
from boxwood.columns import Columns, Schema
from boxwood.columns.columns import concatenated
from boxwood.density.base import DensityEstimator
from boxwood.model_file import State
from boxwood.parameters import declare, shown

__all__ = ["GenerativeClassifier"]

LARGEST_LOG = 1e300
"""In place of +inf, the log-density of bins as narrow as numbers can tell apart."""


class GenerativeClassifier(TableClassifier, Simulating):
    """A prior and a density for each class; a row of density zero under all of them has the priors.

    A subclass implements ``fit``, which ends with `_set_classes`, and `_new_density`, an unfitted density for
    the model file to restore.
    """

    _parameters = declare(PRIORS)

    priors: Any
    classes_: NDArray[Any]
    class_count_: NDArray[np.float64]
    priors_: NDArray[np.float64]
    densities_: list[DensityEstimator | None]
    calibration_: Calibration | None = None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags

    def predict_joint_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Return log prior plus log-density of each row under each class.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of `classes_`; −inf where a class holds a row impossible.
        """
        return self._joint(self._read(X))

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Return the log-density of each row, whatever its class: that of the classes' mixture.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        columns = self._read(X)
        likelihoods = self._by_class(columns.n_rows, lambda density: density._score_table(columns))
        return np.asarray(logsumexp(likelihoods + self._log_priors(), axis=1), dtype=np.float64)

    def class_p_values(self, X: Any) -> NDArray[np.float64]:
        """Return, for each class, the fraction of its unseen rows that are at most as dense as each row.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of `classes_`. The classes above a level α are a set that misses the true class
            of a row like the training data with probability α.
        """
        columns = self._read(X)
        values = self._by_class(columns.n_rows, lambda density: density.p_values(columns))
        return np.maximum(values, 0.0)  # a class without rows explains nothing

    def p_values(self, X: Any) -> NDArray[np.float64]:
        """Return the largest of the classes' p-values: small for a row that no class explains.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
            Below α for at most a fraction α of rows like the training data.
        """
        return np.asarray(self.class_p_values(X).max(axis=1), dtype=np.float64)

    def _joint(self, columns: Columns) -> NDArray[np.float64]:
        """Return log prior plus log-likelihood; one row a row, one column a class."""
        likelihoods = self._by_class(columns.n_rows, lambda density: density._score_table(columns))
        return np.minimum(likelihoods, LARGEST_LOG) + self._log_priors()

    def _joint_within(self, columns: Columns) -> NDArray[np.float64]:
        """Return the joint log-probabilities of rows that have density zero in every class."""
        return self._joint(columns)

    def _by_class(self, n_rows: int, ask: Any) -> NDArray[np.float64]:
        """Ask every class's density about the rows; −inf for a class without rows."""
        answers = np.full((n_rows, len(self.classes_)), -np.inf, order="F")  # a class at a time
        for k, density in enumerate(self.densities_):
            if density is not None:
                answers[:, k] = ask(density)
        return answers

    def _scores(self, columns: Columns) -> NDArray[np.float64]:
        """Return joint log-probabilities, in place of all impossible ones the priors' (with a warning)."""
        joint = self._calibrated(self._joint(columns))
        dead = np.asarray(np.isneginf(joint).all(axis=1))
        if dead.any():
            joint[dead] = self._calibrated(self._joint_within(columns.take(dead)))
            dead = np.asarray(np.isneginf(joint).all(axis=1))
        if dead.any():
            joint[dead] = self._log_priors()
            warnings.warn(
                f"{int(dead.sum())} of {len(joint)} rows, row {int(np.argmax(dead))} the first, have density "
                "zero under every class; their class probabilities are the priors.",
                stacklevel=4,
            )
        return joint

    def _calibrated(self, joint: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return log prior plus calibrated log-likelihood, where there is a calibration."""
        if self.calibration_ is None:
            return joint
        log_priors = self._log_priors()
        # A class of prior 0 stays impossible: −inf − (−inf) would be NaN.
        likelihoods = np.where(np.isneginf(log_priors), -np.inf, joint - np.maximum(log_priors, -1e300))
        return self.calibration_.apply(likelihoods) + log_priors

    def _log_priors(self) -> NDArray[np.float64]:
        with np.errstate(divide="ignore"):
            return np.log(self.priors_)

    def _sampled_rows(self, codes: NDArray[Any], rng: np.random.Generator) -> Columns:
        order = np.argsort(codes, kind="stable")
        parts = []
        for k in np.unique(codes):
            density = self.densities_[k]
            if density is None:
                label = shown(self.classes_.tolist()[k])
                raise ValueError(f"the class {label} has no rows to simulate it from.")
            parts.append(density._sample(int(np.count_nonzero(codes == k)), rng).matched(self.schema_))
        back = np.empty(len(codes), dtype=np.intp)
        back[order] = np.arange(len(codes))
        return concatenated(parts).take(back)

    def _read_rows(self, X: Any, y: Any, sample_weight: Any) -> tuple[Columns, NDArray[Any]]:
        """Read a table with its labels; rows of weight zero leave both, and so may classes."""
        labels = read_labels(self, y)
        return self._read_weighted(X, labels, sample_weight)

    def _set_classes(
        self,
        schema: Schema,
        classes: NDArray[Any],
        counts: NDArray[np.float64],
        densities: Sequence[DensityEstimator | None],
    ) -> None:
        self._set_fitted(
            schema,
            classes_=classes,
            class_count_=counts,
            priors_=fit_priors(self, counts),
            densities_=list(densities),
        )

    def _counts(self, columns: Columns, codes: NDArray[Any], n_classes: int) -> NDArray[np.float64]:
        return class_counts(codes, n_classes, columns.weights)

    def _new_density(self) -> DensityEstimator:
        raise NotImplementedError

    def _get_state(self) -> dict[str, Any]:
        return {
            "classes": self.classes_.tolist(),
            "class_count": self.class_count_,
            "priors": self.priors_,
            "densities": {
                str(k): density._get_state()
                for k, density in enumerate(self.densities_)
                if density is not None
            },
        }

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        classes = classes_of_state(state)
        saved = state.child("densities")
        densities: list[DensityEstimator | None] = []
        for k in range(len(classes)):
            density = self._new_density() if str(k) in saved else None
            if density is not None:
                density._restore(schema.to_json(), saved.child(str(k)))
            densities.append(density)
        fitted = priors_of_state(state, len(classes))
        if any((d is None) != (n == 0.0) for d, n in zip(densities, fitted["class_count_"], strict=True)):
            raise state.error("densities", "are not those of the classes that have rows")
        return {"classes_": classes, "densities_": densities, **fitted}
