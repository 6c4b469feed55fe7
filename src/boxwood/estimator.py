"""What every estimator shares: reading tables by its schema, saving itself."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from boxwood import model_file
from boxwood.columns import Columns, Schema, read_columns
from boxwood.columns.errors import at
from boxwood.columns.read.by_schema import columns_by_schema
from boxwood.columns.weights import read_weights
from boxwood.parameters import DeclaredParameters
from boxwood.stream.methods import TakesSources

__all__ = ["TableEstimator"]


class TableEstimator(TakesSources, DeclaredParameters, BaseEstimator):
    """A scikit-learn estimator whose tables come through input validation.

    A subclass reads with `_read_fit` in ``fit`` and with `_read` elsewhere; ``fit`` keeps what it has
    learnt by one call of `_set_fitted`, its last. `_get_state` and `_fitted_of_state` say what of it
    goes into a model file.
    """

    _accept_sparse = False
    _allow_missing = True

    schema_: Schema
    n_features_in_: int
    feature_names_in_: Any

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a file that `boxwood.load` reads.

        Parameters
        ----------
        path : str or path-like
            The file is replaced in one step: a crash leaves the old or the new one, whole.
        """
        check_is_fitted(self)
        model_file.save(self, path)

    @classmethod
    def _updated_params(cls, params: dict[str, Any]) -> dict[str, Any]:
        """Return the parameters of a model file in today's names."""
        return params

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "schema_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._accept_sparse
        tags.input_tags.allow_nan = self._allow_missing
        return tags

    def _read_fit(self, X: Any, sample_weight: Any = None) -> Columns:
        """Read the table of a fit, and how its columns look."""
        return self._read_table(X, sample_weight)

    def _read_table(self, X: Any, sample_weight: Any = None, *, sources: bool = True) -> Columns:
        """Read a table as it comes, and how its columns look unless a fitted schema tells it."""
        columns = read_columns(
            X,
            sample_weight=sample_weight,
            accept_sparse=self._accept_sparse,
            allow_missing=self._allow_missing,
            sources=sources,
        )
        if columns.weights is not None and not np.isfinite(columns.total_weight):
            raise ValueError("sample_weight: the sum of the weights is infinite. Rescale them.")
        return columns

    def _set_fitted(self, schema: Schema, **fitted: Any) -> None:
        """Become the fitted model with these attributes, all at once: a fit that fails changes nothing."""
        fitted.update(schema_=schema, n_features_in_=len(schema))
        if schema.named:
            fitted["feature_names_in_"] = np.array(schema.names, dtype=object)
        else:
            self.__dict__.pop("feature_names_in_", None)
        self.__dict__.update(fitted)

    def _read(self, X: Any, sample_weight: Any = None) -> Columns:
        """Read a new table by the schema of the fitted one."""
        if "schema_" not in self.__dict__:  # scikit-learn's check takes longer than scoring a row
            check_is_fitted(self)
        known = columns_by_schema(X, self.schema_) if sample_weight is None else None
        if known is not None and (self._allow_missing or not known.n_missing):
            return known
        columns = self._read_table(X, sample_weight, sources=False)
        if columns.schema is self.schema_:
            return columns
        self._check_names(columns.schema)
        return columns.matched(self.schema_)

    def _read_weighted(
        self, X: Any, y: NDArray[Any], weights: Any, *, fitted: bool = False
    ) -> tuple[Columns, NDArray[Any]]:
        """Read a table with its targets, by the fitted schema or anew; rows of weight zero leave both."""
        columns = self._read(X) if fitted else self._read_fit(X)
        if columns.n_rows != len(y):
            raise ValueError(
                "Found input variables with inconsistent numbers of samples: "
                f"[{columns.n_rows}, {len(y)}] rows in X and y."
            )
        checked = read_weights(weights, columns.n_rows)
        if checked is None:
            return columns, y
        return columns.with_weights(checked), y[checked > 0.0]

    def _check_names(self, schema: Schema) -> None:
        name = type(self).__name__
        self.schema_.check_columns(schema, name)
        if schema.named and not self.schema_.named:
            warnings.warn(f"X has feature names, but {name} was fitted without feature names", stacklevel=4)
        if self.schema_.named and not schema.named:
            warnings.warn(
                f"X does not have valid feature names, but {name} was fitted with feature names", stacklevel=4
            )

    def _restore(self, schema: Any, state: model_file.State) -> None:
        """Become the fitted model that a file describes."""
        self._check_parameters(warn=False)
        read = Schema.from_json(schema)
        if len(read) == 0:
            raise ValueError("the schema has no fields")
        if not self._allow_missing:
            _check_categories(read)
        self._set_fitted(read, **self._fitted_of_state(read, state))

    def _get_state(self) -> dict[str, Any]:
        """Return what a fit has learnt, as values that a model file can keep."""
        raise TypeError(f"{type(self).__name__} cannot be saved")

    def _fitted_of_state(self, schema: Schema, state: model_file.State) -> dict[str, Any]:
        """Return the fitted attributes of what `_get_state` gave, after checking it."""
        raise TypeError(f"{type(self).__name__} cannot be loaded")


def _check_categories(schema: Schema) -> None:
    """Raise for a column that can hold no value, where none may be missing."""
    for field in schema.fields:
        if not field.kind.is_number and not field.categories:
            raise ValueError(f"{at(field.name)} is {field.kind} and has no category")
