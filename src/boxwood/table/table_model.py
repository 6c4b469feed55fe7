"""The density of a data frame, with names and types."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from boxwood.columns import Columns, Schema
from boxwood.density.base import DensityEstimator
from boxwood.density.forest import DensityForest
from boxwood.estimator import TableEstimator
from boxwood.model_file import ModelFileError, State
from boxwood.parameters import Checked, Parameter, declare, random_state, shown
from boxwood.table.frames import frame_of
from boxwood.table.outliers import discoveries, oddest
from boxwood.table.predictions import TablePredictions

__all__ = ["TableModel"]


def check_model(where: str, model: object) -> None:
    """Raise unless a model is a density that answers queries."""
    if not isinstance(model, DensityEstimator) or not hasattr(model, "query"):
        raise TypeError(
            f"{where} must be a density with a query method, such as DensityForest; got {shown(model)}."
        )


class TableModel(TablePredictions, TableEstimator):
    """Answers questions about a data frame from a density that is fitted to it.

    Events and evidence are expressions, dictionaries or keywords (see :doc:`expressions`).

    Attributes
    ----------
    density_ : estimator
        The fitted density.
    schema_ : Schema
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> model = bw.TableModel(random_state=0).fit("examples/penguins.csv")
    >>> round(model.prob("species == 'Gentoo'"), 2)
    0.36
    >>> model.prob("species == 'Gentoo'", given="body_mass_g > 5500") > 0.9
    True
    """

    _parameters = declare(
        Parameter(
            "model",
            Checked("density", check_model) | None,
            "Cloned and fitted; without it ``DensityForest(random_state=random_state)``.",
        ),
        random_state("Of the forest that is fitted where no model is given."),
    )

    density_: Any

    def __init__(self, model: Any = None, *, random_state: Any = None) -> None:
        self.model = model
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit the density to a table.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        self._check_parameters()
        density = self._new_model().fit(X, sample_weight=sample_weight)
        self.__dict__.pop("_query", None)
        self._set_fitted(density.schema_, density_=density)
        return self

    def _read(self, X: Any, sample_weight: Any = None) -> Columns:
        return TableEstimator._read(self, X, sample_weight)

    @property
    def query(self) -> Any:
        """The density's `Query`."""
        if "_query" not in self.__dict__:
            check_is_fitted(self)
            self._query = self.density_.query()
        return self._query

    @property
    def schema(self) -> Schema:
        """Names, kinds and categories of the columns."""
        check_is_fitted(self)
        return self.schema_

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Return the log-density of each row."""
        return np.asarray(self.density_.score_samples(self._read(X)))

    def outliers(self, X: Any, n: int | None = 20, fdr: float | None = None) -> Any:
        """Return the odd rows of a table, oddest first.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        n : int or None, default=20
            How many rows at most.
        fdr : float, optional
            Only rows among which at most this fraction is expected to be ordinary (Benjamini-Hochberg).

        Returns
        -------
        frame
            The row's position, its p-value and its log-density, and the column that surprises most.
        """
        columns = self._read(X)
        scores, p_values = self.density_.score_samples(columns), self.density_.p_values(columns)
        rows = oddest(scores, len(scores)) if fdr is None else discoveries(p_values, fdr)
        rows = rows[: len(rows) if n is None else n]
        found = {"row": rows, "p_value": p_values[rows], "log_density": scores[rows]}
        if len(rows):
            surprise = self.query.conditionals(columns.take(rows)).surprise()
            most = np.argmax(surprise, axis=1)
            found["column"] = np.array(self.schema_.names, dtype=object)[most]
            found["surprise"] = surprise[np.arange(len(rows)), most]
        return frame_of(self.schema_, found)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name != "_query"}

    def _new_model(self) -> Any:
        if self.model is None:
            return DensityForest(random_state=self.random_state)
        return clone(self.model)

    def _get_state(self) -> dict[str, Any]:
        if type(self._new_model()) is not type(self.density_):
            raise ModelFileError("TableModel: model was changed since the fit; fit it again")
        return {"density": self.density_._get_state()}

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        density = self._new_model()
        density._restore(schema.to_json(), state.child("density"))
        return {"density_": density}
