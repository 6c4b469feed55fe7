"""Gaps filled by what a density of the table expects of them."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import OneToOneFeatureMixin, TransformerMixin

from boxwood.columns import Columns, Schema, to_native
from boxwood.model_file import State
from boxwood.parameters import Choice, Flag, Parameter, declare, random_state
from boxwood.randomness import generator, seed_of
from boxwood.table.chained_forests import ChainedForests
from boxwood.table.expected import HOW
from boxwood.table.filling import with_index_of, with_new_categories
from boxwood.table.fitted_density import MODEL, FittedDensity
from boxwood.table.imputation import impute

__all__ = ["DensityImputer"]


class DensityImputer(OneToOneFeatureMixin, TransformerMixin, FittedDensity):
    """Fills gaps by what a density expects of them, given all that their row shows.

    One fit serves every pattern of gaps, those too that the training rows did not have, in numbers,
    categories and dates alike. The density fills all gaps. In rows that show at least half of their cells,
    forests that are grown for each column then tell its gaps anew, in turns, from what the others are filled
    with (fully conditional specification, as in MICE). Columns that follow from others, and those that others
    follow from, are left to the density, which keeps to their rules.

    Attributes
    ----------
    density_ : estimator
        The fitted density.
    forests_ : ChainedForests or None
        Of the columns; None with ``forests=False``.
    empty_columns_ : list of str
        Columns without any value in the training rows: their gaps stay.
    schema_ : Schema
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Notes
    -----
    A category that the training rows did not have stays where it was.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> x = np.random.default_rng(0).normal(size=500)
    >>> imputer = bw.DensityImputer(random_state=0).fit(np.column_stack([x, 3.0 * x]))
    >>> filled = imputer.transform([[1.0, np.nan], [np.nan, -3.0]])
    >>> bool(2.5 < filled[0, 1] < 3.5), bool(-1.2 < filled[1, 0] < -0.8)
    (True, True)
    """

    _parameters = declare(
        MODEL,
        Parameter(
            "strategy",
            Choice(*HOW),
            "What a gap is filled by. Categories without an order get the most probable one unless they are "
            "drawn; draws of several gaps of a row are joint.",
        ),
        Parameter(
            "forests",
            Flag(),
            "Grow forests for each column beside the density; without them the density alone tells gaps.",
        ),
        random_state("Of the forest that is fitted where no model is given, and of draws."),
    )

    empty_columns_: list[str]
    forests_: ChainedForests | None

    def __init__(
        self,
        model: Any = None,
        *,
        strategy: str = "median",
        forests: bool = True,
        random_state: Any = None,
    ) -> None:
        self.model = model
        self.strategy = strategy
        self.forests = forests
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit the density to a table, gaps and all.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            What they are the density's `weight_kind` says; for forests, whole numbers are frequencies.

        Returns
        -------
        self
        """
        self._check_parameters()
        columns = self._read_fit(X, sample_weight)
        density = self._new_density().fit(columns)
        empty = [column.name for column in columns if column.n_missing == columns.n_rows]
        forests = self._grow_forests(columns, density, empty) if self.forests else None
        self._set_fitted(columns.schema, density_=density, forests_=forests, empty_columns_=empty)
        return self

    def _grow_forests(self, columns: Columns, density: Any, empty: list[str]) -> ChainedForests:
        """Grow the forests on the table as the density fills it."""
        rules = [rule for rule in getattr(density, "dependencies_", []) if not rule.of_missing]
        by_rule = {name for rule in rules for name in (rule.column, rule.parent)}
        names = columns.schema.names
        asked = [j for j, name in enumerate(names) if name not in by_rule and name not in empty]
        seed = seed_of(self.random_state)
        rng = np.random.default_rng(seed % 2**32)
        filled = impute(density.query(), columns, "median", rng, set(empty))
        return ChainedForests.fit(columns, filled, asked if len(names) > 1 else [], seed)

    def transform(self, X: Any) -> Any:
        """Return a table with its gaps filled.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        table of shape (n_samples, n_features)
            In the fitted table's container, or in that of `set_output`.
        """
        self._check_parameters()
        columns = self._read(X)
        rng = generator(self.random_state)
        refill = None if self.forests_ is None else self.forests_.refill
        filled = impute(self.density_.query(), columns, self.strategy, rng, set(self.empty_columns_), refill)
        return with_index_of(X, to_native(with_new_categories(X, filled), output_of(self)))

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Return the log-density of each row: whether rows are such as the imputer knows.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return np.asarray(self.density_.score_samples(self._read(X)))

    def _get_state(self) -> dict[str, Any]:
        state = {**super()._get_state(), "empty_columns": self.empty_columns_}
        return state if self.forests_ is None else {**state, "forests": self.forests_.to_state()}

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        empty = state.labels("empty_columns")
        if not set(empty) <= set(schema.names):
            raise state.error("empty_columns", "names a column that the table does not have")
        density, forests = self._density_of_state(schema, state), None
        if "forests" in state:  # not in files of the time when the density alone told gaps
            forests = ChainedForests.from_state(state.children("forests"), schema)
        return {"density_": density, "forests_": forests, "empty_columns_": empty}


def output_of(transformer: Any) -> str | None:
    """Return the container that ``set_output`` or scikit-learn's configuration asks for, if any."""
    own = vars(transformer).get("_sklearn_output_config", {})
    asked = own.get("transform", get_config()["transform_output"])
    return None if asked == "default" else str(asked)
