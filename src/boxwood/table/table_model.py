"""The density of a data frame, with names and types."""

from __future__ import annotations

import os
from html import escape
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from boxwood import model_file
from boxwood.columns import Columns, Schema
from boxwood.columns.weights import read_weights
from boxwood.evidence.support import SUPPORT
from boxwood.model_file import ModelFileError, State
from boxwood.novelty import p_values_of
from boxwood.parameters import DeclaredParameters, check_count, declare, random_state, shown
from boxwood.randomness import generator, seed_of
from boxwood.stream.methods import TakesSources
from boxwood.table.drift import Drift, measure_drift
from boxwood.table.fitted_density import MODEL, ModelParameters, check_support_of, new_density
from boxwood.table.frames import frame_of
from boxwood.table.outliers import discoveries, most_surprising, oddest
from boxwood.table.sql import register_functions
from boxwood.table.target_rows import TargetRows
from boxwood.table.training_rows import TrainingRows

if TYPE_CHECKING:
    from boxwood.table.target_model import TargetModel

__all__ = ["TableModel"]


_KEPT = ("_query", "_asked")
"""What is made at the first question, and made again after a fit or a copy."""


class TableModel(TakesSources, TargetRows, ModelParameters, DeclaredParameters):
    """Answers questions about a data frame from a density that is fitted to it.

    Events and evidence are expressions, dictionaries or keywords (see :doc:`/reference/expressions`).

    Attributes
    ----------
    density_ : estimator
        The fitted density.
    empty_columns_ : list of str
        Columns without any value in the training rows: `impute` leaves their gaps.
    target_ : TargetModel
        The forests of the column that `fit` was told as target; only where there was one.
    schema_ : Schema

    Examples
    --------
    >>> import boxwood as bw
    >>> model = bw.TableModel(random_state=0).fit("examples/penguins.csv")
    >>> round(model.prob("species == 'Gentoo'"), 2)
    0.36
    >>> model.prob("species == 'Gentoo'", given="body_mass_g > 5500") > 0.9
    True
    >>> throws = {"face": [1, 2, 2, 3, 3, 4, 5] * 10}  # a die that never showed its 6
    >>> die = bw.TableModel(support={"face": range(1, 7)}, random_state=0).fit(throws)
    >>> 0.0 < die.prob("face == 6") < 0.1, die.prob("face > 6")
    (True, 0.0)
    """

    _parameters = declare(
        MODEL,
        SUPPORT.but(SUPPORT.sentence + " The model is given this support."),
        random_state("Of the forest that is fitted where no model is given."),
    )

    density_: Any
    empty_columns_: list[str]
    target_: TargetModel
    _training: TrainingRows

    def __init__(self, model: Any = None, *, support: Any = None, random_state: Any = None) -> None:
        self.model = model
        self.support = support
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, *, target: str | None = None) -> Self:
        """Fit the density to a table.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
        target : str, optional
            A column to tell from the others. Forests whose splits are spent on it are grown beside the
            density, as `ConditionalRegressor` and `ConditionalClassifier` grow them: `predict`,
            `predict_proba`, `predict_interval` and `impute` then ask them for that column. Rows without it
            are left out of them. A class is drawn by them, too: `sample` draws the other columns by the
            density and the class given these, and `score_samples` is the density of such rows. Questions
            about events and evidence, p-values and outliers ask the density of the whole table, as before.

        Returns
        -------
        self
        """
        self._check_parameters()
        if isinstance(y, str):
            raise TypeError(f"fit ignores y; to name a column as the target write target={y!r}.")
        density = self._new_model()
        columns = density._read_fit(X)
        density.fit(columns, sample_weight=sample_weight)
        n_jobs = getattr(density, "n_jobs", None)
        predicted = None if target is None else self._fit_target(columns, sample_weight, target, n_jobs)
        for kept in (*_KEPT, "target_", "_training"):
            self.__dict__.pop(kept, None)
        self.density_ = density
        training = TrainingRows.of_density(columns, density)
        if training is not None:
            self._training = training
        self.empty_columns_ = [column.name for column in columns if column.n_missing == columns.n_rows]
        if predicted is not None:
            self.target_ = predicted
        return self

    def _fit_target(
        self, columns: Columns, sample_weight: Any, target: str, n_jobs: int | None
    ) -> TargetModel:
        from boxwood.table.target_model import TargetModel

        weights = read_weights(sample_weight, columns.n_rows)
        weighted = columns if weights is None else columns.with_weights(weights)
        return TargetModel.fit(weighted, target, seed_of(self.random_state), n_jobs=n_jobs)

    @classmethod
    def of_density(cls, density: Any) -> Self:
        """Return a model that answers by a density which is fitted already.

        Parameters
        ----------
        density : estimator
            A fitted density.

        Examples
        --------
        >>> import boxwood as bw
        >>> density = bw.DensityTree(random_state=0).fit("examples/penguins.csv")
        >>> round(bw.TableModel.of_density(density).prob("island == 'Biscoe'"), 1)
        0.5
        """
        model = cls(clone(density))
        model._check_parameters(warn=False)
        model.density_ = density
        model.empty_columns_ = []
        return model

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a file that `boxwood.load` reads.

        Parameters
        ----------
        path : str or path-like
            The file is replaced in one step: a crash leaves the old or the new one, whole.
        """
        self._check_fitted()
        model_file.save(self, path)

    def register(self, con: Any, name: str) -> None:
        """Give a DuckDB connection functions that ask this model, for ordinary queries on ordinary tables.

        - ``<name>_prob(event, given := NULL)``: the probability of an expression;
        - ``<name>_logp(row)``: the log-density of a row, a table's name or a struct, its columns by name;
        - ``<name>_surprise(row)``: the surprise of each of its cells, as a struct;
        - ``<name>_sample(n, seed := NULL)``: a table of simulated rows.

        They live as long as the connection and replace those of a model that had the same name before.

        Parameters
        ----------
        con : duckdb.DuckDBPyConnection
            pyarrow must be installed: DuckDB hands rows over in its arrays.
        name : str
            A plain SQL name.
        """
        self._check_fitted()
        register_functions(self, con, name)

    def explore(self, table: Any = None, *, height: int = 800) -> Any:
        """Show the explorer in a notebook: every column, and what evidence makes of it.

        Parameters
        ----------
        table : table, optional
            Real rows to show.
        height : int, default=800
            Of the frame, in pixels.

        Returns
        -------
        frame
            Shown by the notebook; the page is served by this machine to itself as long as it lives. Where
            that cannot be, it is the static report.
        """
        self._check_fitted()
        from boxwood.serve.notebook import explore

        return explore(self, table, height)

    @property
    def query(self) -> Any:
        """The density's `Query`."""
        if "_query" not in self.__dict__:
            self._check_fitted()
            self._query = self.density_.query()
        return self._query

    @property
    def schema(self) -> Schema:
        """Names, kinds and categories of the columns."""
        self._check_fitted()
        return self.schema_

    @property
    def schema_(self) -> Schema:
        """Names, kinds and categories of the fitted table's columns."""
        return self.density_.schema_

    def score_rows(self, X: Any) -> Any:
        """Return a frame of the log-density and the p-value of each row.

        Both are of the density of the whole table, also where `fit` was told a class as target.

        The p-value is the probability that a row of the fitted distribution is as odd as this one.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The rows: a data frame, an array, the path of a file, or whatever else `read_columns` reads.
        """
        columns = self._read(X)
        found = {"log_density": self.density_.score_samples(columns)}
        return frame_of(self.schema_, {**found, "p_value": self.density_.p_values(columns)})

    def outliers(
        self, X: Any, n: int | None = 20, fdr: float | None = None, *, training: bool | None = None
    ) -> Any:
        """Return the odd rows of a table, oddest first.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        n : int or None, default=20
            How many rows at most.
        fdr : float, optional
            Only rows among which at most this fraction is expected to be ordinary (Benjamini-Hochberg).
        training : bool, optional
            Whether to judge rows of the fit by the scores that they had while they were left out: the model
            knows these rows, so that they look less odd to it than they are. By default that is done where
            at least half of the rows are known. Forests, and their model files, have these scores of up to a
            million rows; of boosted densities those of tables so small that all rows are left out in turns.
            True is an error where there are none.

        Returns
        -------
        frame
            The row's position, its p-value and its log-density, the column that is most to blame and its
            surprise, as of `explain`. Surprise depends on units and on how many values there are: to blame is
            the column that most exceeds what is usual in it, the median over rows of X. Where it hardly does,
            the row is odd as a whole.
        """
        if n is not None:
            check_count("n", n)
        if fdr is not None and not 0.0 < fdr < 1.0:
            raise ValueError(f"fdr must lie between 0 and 1; got {shown(fdr)}.")
        columns = self._read(X)
        scores, p_values = self._scores(columns, training)
        rows = oddest(scores, len(scores)) if fdr is None else discoveries(p_values, fdr)
        rows = rows[: len(rows) if n is None else n]
        blamed, surprise = most_surprising(self, columns, rows)
        names = [self.schema_.names[j] for j in blamed]
        found = {"row": rows, "p_value": p_values[rows], "log_density": scores[rows]}
        return frame_of(self.schema_, {**found, "column": names, "surprise": surprise})

    def drift(self, X: Any, fdr: float = 0.05, random_state: Any = None) -> Drift:
        """Measure how far a new table is from the fitted one.

        Columns are compared by their distributions, whole rows by their log-densities, which also tell where
        columns go together otherwise than before. p-values are of tables of the same size without drift.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        fdr : float, default=0.05
            Which fraction of the columns that are called drifted may be wrong (Benjamini-Hochberg).
        random_state : int, RandomState, Generator or None, default=None

        Returns
        -------
        Drift
        """
        if not 0.0 < fdr < 1.0:
            raise ValueError(f"fdr must lie between 0 and 1; got {shown(fdr)}.")
        columns = self._read(X)
        n_fitted = float(getattr(self.query, "n_rows", len(self.density_.calibration_scores_)))
        return measure_drift(self.density_, self.query, columns, n_fitted, fdr, generator(random_state))

    def similar(self, X: Any, rows: Any, n: int = 5, weights: str = "plain") -> Any:
        """Return the rows of a table that are most like others: those that share most leaves with them.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The rows to choose from, such as the fitted table.
        rows : table
            The rows that others are to be like.
        n : int, default=5
            How many rows.
        weights : {"plain", "rarity"}, default="plain"
            See `DensityForest.similarity`.

        Returns
        -------
        frame
            For each of `rows` n lines: its position, that of a row of X, and their similarity.
        """
        self._check_fitted()
        if not hasattr(self.density_, "nearest"):
            name = type(self.density_).__name__
            raise TypeError(f"{name} has no leaves that rows could share; take model=DensityForest().")
        found, similarity = self.density_.nearest(rows, X, n, weights)
        return frame_of(
            self.schema_,
            {
                "row": np.repeat(np.arange(len(found)), found.shape[1]),
                "similar": found.ravel(),
                "similarity": similarity.ravel(),
            },
        )

    def knows_rows(self, X: Any) -> bool:
        """Return whether at least half of a table's rows are rows of the fit with left-out scores.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The rows.
        """
        return self._known_scores(self._read(X), None) is not None

    def forget_rows(self) -> Self:
        """Drop the left-out scores of the fit's rows, and return the model.

        Model files keep a hash and a score of each row, by which `outliers` judges rows of the fit. Whoever
        has the file and a row can tell by the hash whether it was one of them: forget them before a file is
        given to others.
        """
        self.__dict__.pop("_training", None)
        return self

    def _scores(
        self, columns: Columns, training: bool | None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        scores = self.density_.score_samples(columns)
        known = self._known_scores(columns, training)
        if known is not None:
            scores = np.where(np.isnan(known), scores, known)
        return scores, p_values_of(scores, self.density_.calibration_scores_)

    def _known_scores(self, columns: Columns, training: bool | None) -> NDArray[np.float64] | None:
        if training and "_training" not in self.__dict__:
            raise ValueError(
                f"training=True: {type(self.density_).__name__} has no scores of all its rows from while "
                "they were left out. Fit a DensityForest of four trees or more, or leave `training` out to "
                "judge them as new rows."
            )
        if training is False or "_training" not in self.__dict__:
            return None
        known = self._training.scores_of(columns)
        half = 2 * np.count_nonzero(~np.isnan(known)) >= len(known)
        return known if training or half else None

    def __repr__(self) -> str:
        density = self.density_ if self.__sklearn_is_fitted__() else self._new_model()
        return f"TableModel({density!r})"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the first page of the report."""
        if not self.__sklearn_is_fitted__():
            return f"<pre>{escape(repr(self))}</pre>"
        from boxwood.report.notebook import first_page

        return first_page(self)

    def __sklearn_is_fitted__(self) -> bool:
        return "density_" in self.__dict__

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in _KEPT}

    def _check_fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise NotFittedError("this TableModel is not fitted yet. Call fit with a table first.")

    def _read(self, X: Any) -> Columns:
        self._check_fitted()
        return self.density_._read(X)

    def _new_model(self) -> Any:
        return new_density(self.model, self.random_state, self.support)

    def _check_combinations(self) -> None:
        super()._check_combinations()
        check_support_of(self)

    def _get_state(self) -> dict[str, Any]:
        if type(self._new_model()) is not type(self.density_):
            raise ModelFileError("TableModel: model was changed since the fit; fit it again")
        state = {"density": self.density_._get_state(), "empty_columns": self.empty_columns_}
        if "_training" in self.__dict__:
            state["training"] = self._training.to_state()
        return {**state, "target": self.target_.to_state()} if "target_" in self.__dict__ else state

    @classmethod
    def _updated_params(cls, params: dict[str, Any]) -> dict[str, Any]:
        """Return the parameters of a model file in today's names."""
        return params

    def _restore(self, schema: Any, state: State) -> None:
        """Become the fitted model that a file describes."""
        self._check_parameters(warn=False)
        density = self._new_model()
        density._restore(schema, state.child("density"))
        predicted = self._restored_target(density.schema_, state)
        if "training" in state:
            self._training = TrainingRows.from_state(state.child("training"))
        self.density_ = density
        # Files of the time before this list do not have it.
        self.empty_columns_ = state.labels("empty_columns") if "empty_columns" in state else []
        if predicted is not None:
            self.target_ = predicted

    @staticmethod
    def _restored_target(schema: Schema, state: State) -> TargetModel | None:
        if "target" not in state:
            return None
        from boxwood.table.target_model import TargetModel  # with the forests of all kinds of targets

        return TargetModel.from_state(state.child("target"), schema)
