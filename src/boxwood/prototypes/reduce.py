"""Prototypes: a few means in place of each class's rows."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, Columns, Field, Kind, Schema, to_native
from boxwood.columns.errors import at
from boxwood.neighbors.index import numbers_of
from boxwood.parameters import Integer, Parameter, Real, declare, random_state
from boxwood.prototypes.sampler import Sampler
from boxwood.randomness import seed_of

__all__ = ["PrototypeReduction"]


class PrototypeReduction(Sampler):
    """A few prototypes a class in place of its rows: the centres of k-means.

    With one a class, 1-NN on the prototypes is the nearest-mean classifier.

    Attributes
    ----------
    prototypes_ : ndarray of shape (n_prototypes, n_features)
    prototype_classes_ : ndarray of shape (n_prototypes,)
    classes_ : ndarray
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Notes
    -----
    Prototypes are means, no rows of the table: there are no `sample_indices_`, and every column becomes one
    of real numbers. Categorical columns are refused.

    Examples
    --------
    >>> import boxwood as bw
    >>> X = [[0.0], [1.0], [5.0], [7.0]]
    >>> bw.PrototypeReduction().fit_resample(X, ["a", "a", "b", "b"])
    (array([[0.5], [6. ]]), array(['a', 'b'], dtype='<U1'))
    """

    _parameters = declare(
        Parameter(
            "n_prototypes",
            Integer(1) | Real(0.0, 1.0, open_low=True, open_high=True),
            "Of each class; a number between 0 and 1 is a fraction of its rows. A class of fewer distinct "
            "rows gets as many as it has.",
        ),
        random_state("Of k-means."),
    )

    prototypes_: NDArray[np.float64]
    prototype_classes_: NDArray[Any]

    def __init__(self, n_prototypes: int | float = 1, *, random_state: Any = None) -> None:
        self.n_prototypes = n_prototypes
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Find the prototypes.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Classes.

        Returns
        -------
        self
        """
        self._check_parameters()
        columns, codes, classes = self._read(X, y)
        for field in columns.schema.fields:
            if field.kind is Kind.CATEGORICAL:
                raise TypeError(f"{at(field.name)} is categorical, and categories have no mean. Drop it.")
        rows = numbers_of(columns)
        seed = seed_of(self.random_state) % 2**32
        centres = [self._centres(rows[codes == code], seed) for code in range(len(classes))]
        self._set_fitted(
            columns.schema,
            classes_=classes,
            prototypes_=np.concatenate(centres),
            prototype_classes_=np.repeat(classes, [len(part) for part in centres]),
            schema_=columns.schema,
        )
        return self

    def fit_resample(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Find the prototypes, and give them with their classes.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)

        Returns
        -------
        prototypes : table of shape (n_prototypes, n_features)
            In the container of X.
        classes : ndarray of shape (n_prototypes,)
        """
        self.fit(X, y)
        return _table_of(self.prototypes_, self.schema_), self.prototype_classes_

    def _centres(self, rows: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
        n: Any = self.n_prototypes
        wanted = int(n) if isinstance(n, int | np.integer) else max(1, round(float(n) * len(rows)))
        if wanted == 1:
            return rows.mean(axis=0, keepdims=True)
        distinct = np.unique(rows, axis=0)
        if len(distinct) <= wanted:
            return distinct
        from sklearn.cluster import KMeans

        return np.asarray(KMeans(wanted, n_init=1, random_state=seed).fit(rows).cluster_centers_)


def _table_of(rows: NDArray[np.float64], schema: Schema) -> Any:
    """Return a matrix in a table's container, all columns as numbers."""
    fields = tuple(Field(field.name, Kind.NUMERIC) for field in schema.fields)
    columns = [Column(field, rows[:, j].copy(), 0) for j, field in enumerate(fields)]
    return to_native(Columns(Schema(fields, schema.container, schema.named), len(rows), columns=columns))
