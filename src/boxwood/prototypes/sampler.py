"""What samplers share: from a table and its classes to fewer rows, under imbalanced-learn's contract."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from boxwood.classify.classes import read_classes
from boxwood.columns import Columns, Kind, Schema, read_columns, to_native
from boxwood.neighbors.index import numbers_of
from boxwood.parameters import DeclaredParameters, shown

__all__ = ["Sampler", "chosen_classes", "coordinates_of"]


class Sampler(DeclaredParameters, BaseEstimator):
    """An estimator whose `fit_resample` gives fewer rows.

    A subclass implements ``_select(rows, codes, classes)``, which gives what `fit` learns, the numbers of
    the rows that stay among it. ``rows`` are coordinates whose Euclidean distances are those of the table.
    """

    sample_indices_: NDArray[np.int64]
    classes_: NDArray[Any]
    n_features_in_: int
    feature_names_in_: Any

    def fit(self, X: Any, y: Any) -> Self:
        """Choose the rows that stay.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Categorical columns differ by 1 or not at all; missing values are refused.
        y : array-like of shape (n_samples,)
            Classes.

        Returns
        -------
        self
        """
        self._check_parameters()
        columns, codes, classes = self._read(X, y)
        fitted = self._select(coordinates_of(columns), codes, classes)
        self._set_fitted(columns.schema, classes_=classes, **fitted)
        return self

    def fit_resample(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Choose the rows that stay, and give them.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)

        Returns
        -------
        X_resampled : table of shape (n_chosen, n_features)
            In the container of X.
        y_resampled : array or series of shape (n_chosen,)
        """
        self.fit(X, y)
        return take_rows(X, self.sample_indices_), take_rows(y, self.sample_indices_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def _select(
        self, rows: NDArray[np.float64], codes: NDArray[np.int64], classes: NDArray[Any]
    ) -> dict[str, Any]:
        raise NotImplementedError

    def _read(self, X: Any, y: Any) -> tuple[Columns, NDArray[np.int64], NDArray[Any]]:
        columns = read_columns(X, allow_missing=False)
        classes, codes = read_classes(self, y)
        if columns.n_rows != len(codes):
            raise ValueError(
                "Found input variables with inconsistent numbers of samples: "
                f"[{columns.n_rows}, {len(codes)}] rows in X and y."
            )
        return columns, codes.astype(np.int64), classes

    def _set_fitted(self, schema: Schema, **fitted: Any) -> None:
        """Take what was learnt, all at once: a fit that fails changes nothing."""
        self.__dict__.pop("feature_names_in_", None)
        if schema.named:
            fitted["feature_names_in_"] = np.array(schema.names, dtype=object)
        self.__dict__.update(fitted, n_features_in_=len(schema))


def coordinates_of(columns: Columns) -> NDArray[np.float64]:
    """Return coordinates whose Euclidean distances count a difference of categories as 1.

    A categorical column becomes one column a category that holds √½ or 0.
    """
    rows = numbers_of(columns)
    parts = []
    for j, field in enumerate(columns.schema.fields):
        if field.kind is Kind.CATEGORICAL:
            parts.append(np.sqrt(0.5) * (rows[:, j, None] == np.arange(len(field.categories))))
        else:
            parts.append(rows[:, j, None])
    return rows if columns.schema.all_numeric else np.ascontiguousarray(np.concatenate(parts, axis=1))


def chosen_classes(strategy: Any, classes: NDArray[Any], codes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return from which classes rows may be dropped: a word of imbalanced-learn's, or a list of classes.

    Examples
    --------
    >>> chosen_classes("not minority", np.array(["a", "b"]), np.array([0, 1, 1]))
    array([False,  True])
    """
    counts = np.bincount(codes, minlength=len(classes))
    every = np.arange(len(classes))
    words = {
        "all": every >= 0,
        "not minority": every != counts.argmin(),
        "auto": every != counts.argmin(),
        "not majority": every != counts.argmax(),
        "majority": every == counts.argmax(),
    }
    if isinstance(strategy, str) and strategy in words:
        return np.asarray(words[strategy])
    if isinstance(strategy, str) or not np.iterable(strategy) or isinstance(strategy, dict):
        raise ValueError(
            f"sampling_strategy must be one of {', '.join(words)} or a list of classes; "
            f"got {shown(strategy)}."
        )
    unknown = [label for label in strategy if label not in classes.tolist()]
    if unknown:
        raise ValueError(f"sampling_strategy: y has no class {shown(unknown[0])}.")
    return np.isin(classes, list(strategy))


def take_rows(X: Any, rows: NDArray[np.int64]) -> Any:
    """Return some rows of a table or a target, in its own container."""
    if isinstance(X, Columns):
        return X.take(rows)
    if isinstance(X, np.ndarray):
        return X[rows]
    import narwhals as nw

    native = nw.from_native(X, allow_series=True, pass_through=True)
    if isinstance(native, nw.LazyFrame):
        native = native.collect()
    if isinstance(native, nw.DataFrame | nw.Series):
        return native[rows].to_native()
    if isinstance(X, list | tuple):
        return np.asarray(X)[rows]
    return to_native(read_columns(X).take(rows))
