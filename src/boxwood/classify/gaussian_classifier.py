"""What Gaussian classifiers share: moments that merge, priors, and simulation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from boxwood.classify.base import TableClassifier
from boxwood.classify.classes import codes_in, labels_of_part, read_classes, read_labels
from boxwood.classify.simulating import Simulating
from boxwood.columns import Columns, Schema
from boxwood.columns.as_numbers import (
    LARGEST_SQUARABLE,
    check_number_kinds,
    columns_of_numbers,
    refuse_large_numbers,
)
from boxwood.in_parts import FitInParts, TableInParts
from boxwood.parameters import shown

__all__ = ["GaussianClassifier"]


class GaussianClassifier(FitInParts, TableClassifier, Simulating):
    """A classifier that is a prior and a normal density a class.

    A subclass says how rows become moments (`_summarize`), how moments become the fitted model (`_finish`)
    and how rows of given classes are drawn (`_draw`).
    """

    priors: Any
    priors_: NDArray[np.float64]
    moments_: Any

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the classes' means and spreads.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Classes, of any type.
        sample_weight : array-like of shape (n_samples,), optional
            Frequencies.

        Returns
        -------
        self
        """
        self._check_parameters()
        classes, codes = read_classes(self, y)
        columns, codes = self._read_weighted(X, codes, sample_weight)
        self._check_classes(classes, *_counts_of(codes, len(classes), columns.weights))
        moments = self._summarized(columns, codes, len(classes))
        self._take(columns.schema, classes, moments)
        return self

    def _why_not_in_parts(self, table: TableInParts) -> str | None:
        try:
            self._check_mergeable()
        except ValueError as reason:
            return str(reason)
        return None

    def _fit_parts(self, table: TableInParts) -> Self:
        labels = table.fold(labels_of_part, self)
        self._check_classes(labels.classes, labels.n_rows, labels.weight)
        moments = table.fold(self._summarize_part, labels.classes)
        self._take(table.schema, labels.classes, moments)
        return self

    def _summarize_part(self, columns: Columns, targets: NDArray[Any] | None, classes: NDArray[Any]) -> Any:
        codes = codes_in(classes, read_labels(self, targets))
        return self._summarized(columns, codes, len(classes), self._summarize_mergeable)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add rows to what was fitted so far: the result is that of one `fit` of all rows, to rounding.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like of shape (n_classes,), optional
            All classes that there will be; needed in the first call.
        sample_weight : array-like of shape (n_samples,), optional
            Frequencies.

        Returns
        -------
        self
        """
        self._check_parameters()
        self._check_mergeable()
        fitted = self.__sklearn_is_fitted__()
        known = self._part_classes(classes)
        codes = codes_in(known, read_labels(self, y))
        columns, codes = self._read_weighted(X, codes, sample_weight, fitted=fitted)
        moments = self._summarized(columns, codes, len(known))
        self._take(columns.schema, known, self.moments_.merge(moments) if fitted else moments)
        return self

    def merge(self, other: Self) -> Self:
        """Return the model of the rows of both; they must know the same classes and columns.

        Parameters
        ----------
        other : fitted model of the same class
            One that was fitted to other rows of the same columns.

        Returns
        -------
        model
            A new one, with the parameters of this one.
        """
        check_is_fitted(self)
        if type(other) is not type(self):
            raise TypeError(f"only a {type(self).__name__} can be merged, not a {type(other).__name__}.")
        check_is_fitted(other)
        self._check_mergeable()
        self._check_names(other.schema_)
        if not np.array_equal(self.classes_, other.classes_):
            raise ValueError(f"the classes differ: {shown(self.classes_)} and {shown(other.classes_)}.")
        merged = clone(self)
        merged._take(self.schema_, self.classes_, self.moments_.merge(other.moments_))
        return merged

    def _summarized(
        self,
        columns: Columns,
        codes: NDArray[np.uint32],
        n_classes: int,
        summarize: Callable[..., Any] | None = None,
    ) -> Any:
        check_number_kinds(columns.schema, f"{type(self).__name__}")
        with np.errstate(over="ignore", invalid="ignore"):
            moments = (summarize or self._summarize)(columns, codes, n_classes)
        means, squares = self._checked(moments)
        if not (np.abs(means) <= LARGEST_SQUARABLE).all() or not np.isfinite(squares).all():
            refuse_large_numbers(columns)
            raise ValueError("the sums of squares overflow. Rescale the columns.")
        return moments

    def _take(self, schema: Schema, classes: NDArray[Any], moments: Any) -> None:
        fitted = self._finish(moments, classes)
        self._set_fitted(schema, classes_=classes, moments_=moments, **fitted)

    def _check_classes(
        self, classes: NDArray[Any], n_rows: NDArray[np.int64], weights: NDArray[np.float64]
    ) -> None:
        """Raise where a fit of classes with so many rows, of these weights, has no meaning."""

    def _check_mergeable(self) -> None:
        """Raise where the parameters need all rows at once."""

    def _summarize(self, columns: Columns, codes: NDArray[np.uint32], n_classes: int) -> Any:
        raise NotImplementedError

    def _summarize_mergeable(self, columns: Columns, codes: NDArray[np.uint32], n_classes: int) -> Any:
        """Return the moments of a part of a table, however few rows it has."""
        return self._summarize(columns, codes, n_classes)

    def _checked(self, moments: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the means and the second moments, which show where numbers were too large."""
        raise NotImplementedError

    def _finish(self, moments: Any, classes: NDArray[Any]) -> dict[str, Any]:
        raise NotImplementedError

    def _sampled_rows(self, codes: NDArray[Any], rng: np.random.Generator) -> Columns:
        unseen = np.setdiff1d(codes, self._seen())
        if len(unseen):
            label = shown(self.classes_.tolist()[unseen[0]])
            raise ValueError(f"the class {label} has no rows to simulate it from.")
        return columns_of_numbers(self.schema_, self._draw(codes, rng))

    def _seen(self) -> NDArray[np.intp]:
        """Return the classes that have rows."""
        raise NotImplementedError

    def _draw(self, codes: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.float64]:
        raise NotImplementedError


def _counts_of(
    codes: NDArray[np.uint32], n_classes: int, weights: NDArray[np.float64] | None
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    n_rows = np.bincount(codes, minlength=n_classes).astype(np.int64)
    return n_rows, np.bincount(codes, weights, n_classes).astype(np.float64)
