"""What a table's density says about each row: predictions, imputation, explanation."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns, Field, read_columns, to_native
from boxwood.columns.errors import at
from boxwood.columns.schema import all_missing
from boxwood.parameters import check_count, shown
from boxwood.query.event_reader import column_position
from boxwood.randomness import generator
from boxwood.table.expected import HOW, expected_values, own_column, own_values
from boxwood.table.filling import with_index_of, with_new_categories
from boxwood.table.frames import frame_of
from boxwood.table.imputation import impute
from boxwood.table.questions import TableQuestions

__all__ = ["TablePredictions"]


class TablePredictions(TableQuestions):
    """Questions about rows of a new table; a subclass reads tables by `_read`."""

    def _read(self, X: Any) -> Columns:
        raise NotImplementedError

    def predict(self, X: Any, column: str | None = None) -> NDArray[Any]:
        """Return the mean of a column given the rest of each row; of categories the most probable one.

        Dates are numpy's, in UTC; `predict_rows` has them in the column's own time zone.

        Parameters
        ----------
        X : table
            With or without that column, whose values are not read.
        column : str, optional
            The column to predict, by name; by default the target that `fit` was told.
        """
        j, field = self._predicted(column)
        return own_values(field, self._expected_of(X, j, field))

    def predict_proba(self, X: Any, column: str | None = None) -> Any:
        """Return a frame of the probabilities of a column's categories given the rest of each row.

        Parameters
        ----------
        X : table
            With or without that column, whose values are not read.
        column : str, optional
            The column to predict, by name; by default the target that `fit` was told.
        """
        j, field = self._predicted(column)
        if field.kind.is_number:
            raise TypeError(
                f"{at(field.name)} is {field.kind}: ask `predict_interval` for it, "
                "or fit it as categories (strings) for a probability of each value."
            )
        found = self._conditionals_of(self._read_rest(X, j), j).category_probabilities(j)
        return frame_of(self.schema, {str(label): found[:, k] for k, label in enumerate(field.categories)})

    def predict_interval(self, X: Any, column: str | None = None, level: float = 0.9) -> Any:
        """Return a frame of the ends of central intervals of a column given the rest of each row.

        Parameters
        ----------
        X : table
            With or without that column, whose values are not read.
        column : str, optional
            The column to predict, by name; by default the target that `fit` was told.
        level : float, default=0.9
            The probability that the value lies inside.
        """
        j, field = self._predicted(column)
        if not field.kind.is_number:
            raise TypeError(f"{at(field.name)} is {field.kind}: ask `predict_proba` for it.")
        if not 0.0 < level < 1.0:
            raise ValueError(f"level must lie between 0 and 1; got {shown(level)}.")
        ends = [0.5 - 0.5 * level, 0.5 + 0.5 * level]
        found = self._conditionals_of(self._read_rest(X, j), j).quantiles(j, ends)
        ends_of = {name: own_column(name, field, found[:, k]) for k, name in enumerate(("low", "high"))}
        return frame_of(self.schema, ends_of)

    def predict_rows(
        self, X: Any, column: str | None = None, *, proba: bool = False, interval: float | None = None
    ) -> Any:
        """Return a frame of predictions, with what is asked for beside them.

        Parameters
        ----------
        X : table
            With or without that column, whose values are not read.
        column : str, optional
            The column to predict, by name; by default the target that `fit` was told.
        proba : bool, default=False
            The probability of each category too, in columns such as ``P(yes)``.
        interval : float, optional
            The ends of the central interval of this probability too, as ``low`` and ``high``.
        """
        columns, (j, field) = read_columns(X), self._predicted(column)
        name = f"predicted {field.name}"
        found = {name: own_column(name, field, self._expected_of(columns, j, field))}
        if proba:
            table = read_columns(self.predict_proba(columns, field.name))
            found |= {f"P({each.name})": each for each in table}
        if interval is not None:
            ends = read_columns(self.predict_interval(columns, field.name, interval))
            found |= {each.name: each for each in ends}
        return frame_of(self.schema, found)

    def impute(self, X: Any, how: str = "median", n: int = 1, random_state: Any = None) -> Any:
        """Return a table with its gaps filled by what is expected given what their rows show.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The rows: a data frame, an array, the path of a file, or whatever else `read_columns` reads.
        how : {"median", "mean", "mode", "draw"}, default="median"
            Categories without an order get the most probable one; draws of several gaps of a row are joint.
        n : int, default=1
            More than one draw makes as many tables (multiple imputation).
        random_state : int, RandomState, Generator or None, default=None
            Seed or generator: the same int gives the same result, None another one each time.

        Returns
        -------
        table, or list of n tables
            In the fitted table's container, with the index of a pandas frame. Columns without any value in
            the training rows are left as they are.
        """
        if how not in HOW:
            raise ValueError(f"how must be one of {HOW}; got {shown(how)}.")
        if n != 1 and how != "draw":
            raise ValueError(f"n={shown(n)} tables would be the same with how={how!r}; take how='draw'.")
        check_count("n", n)
        columns, rng = self._read(X), generator(random_state)
        empty = set(self.__dict__.get("empty_columns_", ()))
        filled = (impute(self.query, columns, how, rng, empty, self._refill()) for _ in range(n))
        tables = [with_index_of(X, to_native(with_new_categories(X, one))) for one in filled]
        return tables[0] if n == 1 else tables

    def _refill(self) -> Any:
        """Return what tells a target's gaps anew, where there is a target."""
        target = self.__dict__.get("target_")
        if target is None:
            return None
        from boxwood.table.chained_forests import ChainedForests

        return ChainedForests([target]).refill

    def explain(self, X: Any) -> Any:
        """Return a frame of how surprising each cell is, and what was expected in its place.

        The surprise is −log p(value | rest of the row) in nats; a gap is a value like others. For each column
        there are two, the surprise under the column's name and the expected value beside it.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            The rows: a data frame, an array, the path of a file, or whatever else `read_columns` reads.
        """
        columns = self._read(X)
        conditionals = self.query.conditionals(columns)
        surprise = conditionals.surprise()
        found: dict[str, Any] = {}
        empty = set(self.__dict__.get("empty_columns_", ()))
        for j, field in enumerate(self.schema.fields):
            if field.name in empty or (not field.kind.is_number and not field.categories):
                expected = np.full(columns.n_rows, np.nan)  # nothing is known of it
            else:
                expected = expected_values(conditionals, j, field, "median")
            found[field.name] = surprise[:, j]
            found[f"{field.name} expected"] = own_column(f"{field.name} expected", field, expected)
        return frame_of(self.schema, found)

    def _expected_of(self, X: Any, j: int, field: Field) -> NDArray[np.float64]:
        """Return what `predict` tells of a column, as its numbers or codes."""
        conditionals = self._conditionals_of(self._read_rest(X, j), j)
        if not field.kind.is_number:
            return expected_values(conditionals, j, field, "mode")
        return np.asarray(conditionals.means(j), dtype=np.float64)

    def _conditionals_of(self, columns: Columns, j: int) -> Any:
        """Return what tells of a column of rows: the forests of a target, or the density."""
        target: Any = self.__dict__.get("target_")
        if target is not None and target.column == j:
            from boxwood.table.target_model import TargetConditionals

            return TargetConditionals(target, columns)
        return self.query.conditionals(columns)

    def _predicted(self, column: str | None) -> tuple[int, Any]:
        """Return the place and the field of a column to predict."""
        target: Any = self.__dict__.get("target_")
        if column is None and target is None:
            raise ValueError("say which column to predict, by its name: fit was told no target.")
        j = target.column if column is None else column_position(self.schema, column)
        field = self.schema.fields[j]
        empty = field.name in self.__dict__.get("empty_columns_", ())
        if empty or (not field.kind.is_number and not field.categories):
            raise ValueError(f"{at(field.name)} has no values in the fitted table: there is nothing to tell.")
        return j, field

    def _read_rest(self, X: Any, j: int) -> Columns:
        """Read a table with or without one of its columns, which is left unknown."""
        name = self.schema.names[j]
        columns = read_columns(X)
        if columns.schema.named and name not in columns.schema.names and len(columns) == len(self.schema) - 1:
            gap = all_missing(self.schema.fields[j], columns.n_rows)
            parts = list(columns)
            parts.insert(j, gap)
            fields = tuple(part.field for part in parts)
            columns = Columns(_replaced(columns.schema, fields), columns.n_rows, columns=parts)
        return self._read(columns)


def _replaced(schema: Any, fields: tuple[Any, ...]) -> Any:
    return type(schema)(fields, schema.container, schema.named)
