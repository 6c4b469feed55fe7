"""Rows of a table whose class was named as target: the density's columns, the target's classes given them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from boxwood.columns import Column, Columns, to_native
from boxwood.columns.weights import read_weights
from boxwood.parameters import check_count
from boxwood.randomness import generator
from boxwood.table.predictions import TablePredictions

__all__ = ["TargetRows"]


class TargetRows(TablePredictions):
    """Scores and draws of rows; a subclass has `density_` and, where a target was named, `target_`."""

    density_: Any

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Return the log-density of each row.

        Where `fit` was told a class as target, that of the rows which `sample` draws: the density's
        probability of the other columns, times that of the class given them by `target_`.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The rows: a data frame, an array, the path of a file, or whatever else `read_columns` reads.
        """
        columns = self._read(X)
        scores = np.asarray(self.density_.score_samples(columns))
        target = self._redrawn_target()
        if target is None:
            return scores
        j = target.column
        codes = columns[j].values
        n_classes = len(columns[j].field.categories)
        # A gap and a class that was never seen have the density's own probability, as in `sample`.
        known = np.flatnonzero((codes >= 0) & (codes < n_classes))
        rows = columns.take(known)
        given_rest = np.log(target.probabilities(rows)[np.arange(len(known)), codes[known]])
        of_classes = [
            self.density_.score_samples(_with_codes(rows, j, np.full(len(known), k)))
            for k in range(n_classes if len(known) else 0)
        ]
        if of_classes:
            scores[known] = given_rest + logsumexp(np.stack(of_classes), axis=0)
        return scores

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Return the mean log-density of the rows, as searches over parameters compare models by it.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The rows: a data frame, an array, the path of a file, or whatever else `read_columns` reads.
        y : ignored
            Taken since scikit-learn gives one.
        sample_weight : array-like of shape (n_samples,), optional
            How much each row counts.
        """
        columns = self._read(X)
        weights = read_weights(sample_weight, columns.n_rows)
        return float(np.average(self.score_samples(columns), weights=weights))

    def sample(self, n_samples: int = 1, random_state: Any = None, *, corrected: bool = True) -> Any:
        """Simulate rows, in the fitted table's container.

        Where `fit` was told a class as target, the density draws the other columns, and `target_` the class
        given them: what a classifier learns from such rows is closer to what it learns from real ones. A
        class that follows from another column, or that another one follows from, is the density's.

        Parameters
        ----------
        n_samples : int, default=1
            How many rows.
        random_state : int, RandomState, Generator or None, default=None
            Seed or generator: the same int gives the same result, None another one each time.
        corrected : bool, default=True
            Whether draws of a forest are corrected so as to pass for real rows. Else answers are exactly the
            probabilities among them.
        """
        target = self._redrawn_target()
        if target is None:
            return super().sample(n_samples, random_state, corrected=corrected)
        check_count("n_samples", n_samples)
        rng = generator(random_state)
        drawn = self.query.sample_columns(int(n_samples), rng, corrected=corrected)
        j = target.column
        present = np.flatnonzero(~drawn[j].missing())
        if not len(present):
            return to_native(drawn)
        below = np.cumsum(target.probabilities(drawn.take(present)), axis=1)[:, :-1]
        codes = drawn[j].values.copy()
        codes[present] = (below <= rng.random((len(present), 1))).sum(axis=1)
        return to_native(_with_codes(drawn, j, codes))

    def _redrawn_target(self) -> Any:
        """Return the target where its classes are drawn given the other columns, else None."""
        target = self.__dict__.get("target_")
        if target is None or self.schema.fields[target.column].kind.is_number:
            return None
        name = self.schema.names[target.column]
        rules = getattr(self.density_, "dependencies_", [])
        return None if any(name in (rule.column, rule.parent) for rule in rules) else target


def _with_codes(columns: Columns, j: int, codes: NDArray[Any]) -> Columns:
    """Return a table with other codes in a column of categories."""
    parts = list(columns)
    values = codes.astype(parts[j].values.dtype)
    parts[j] = Column(parts[j].field, values, int(np.count_nonzero(values < 0)))
    return Columns(columns.schema, columns.n_rows, columns=parts)
