"""What a density of a table answers, with columns by name and values of their own types."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Field, Kind, Schema
from boxwood.columns.errors import at
from boxwood.query.answer import Answer
from boxwood.query.event import Event
from boxwood.query.event_reader import column_position, read_event
from boxwood.query.expression import read_question, to_text
from boxwood.table.frames import frame_of
from boxwood.table.reply import Reply, ask

__all__ = ["Condition", "GivenTable", "TableQuestions"]

MOST_KEPT = 64
"""Expressions whose events, or densities under them, are kept: reading one takes longer than answering it."""

Condition = str | Mapping[str, Any] | Event | None
"""An expression, values by column, or an event; None is always true."""


class TableQuestions:
    """Questions to a table's density; a subclass has the density's `Query`, the schema and the evidence."""

    @property
    def query(self) -> Any:
        """The density's `Query`, under the evidence."""
        raise NotImplementedError

    @property
    def schema(self) -> Schema:
        """Names, kinds and categories of the columns."""
        raise NotImplementedError

    @property
    def evidence(self) -> Event:
        """What is known to hold."""
        return self.query.evidence

    def prob(self, event: Condition = None, /, given: Condition = None, **columns: Any) -> Answer:
        """Return the probability of an event.

        Parameters
        ----------
        event : str, mapping or Event
            An expression, also ``"P(event | evidence)"``, or values by column.
        given : str, mapping or Event, optional
            More evidence.
        **columns
            Values by column, which belong to the event.

        Returns
        -------
        Answer
            A float with its ``standard_error``, 0 where the answer is ``exact``.
        """
        asked, query = self._asked_of(event, given, columns)
        found: Answer = query.probability(asked)
        return found

    def ask(self, question: str) -> Reply:
        """Answer a question in words.

        Parameters
        ----------
        question : str
            ``P(event | evidence)``, or one of ``mean``, ``median``, ``std``, ``mode``, ``probabilities``,
            ``entropy`` of a column, ``quantile(column, p, …)``, ``interval(column, level)``,
            ``density(column == value, …)`` and ``mi(column, column)``, each with ``| evidence`` where wanted.

        Returns
        -------
        Reply
            Prints as a line; `value` has the number.
        """
        return ask(self.query, self.schema, question)

    def probs(self, events: Sequence[Condition]) -> NDArray[np.float64]:
        """Return the probability of each of some events, on threads.

        Parameters
        ----------
        events : list of str, mapping or Event
            The events, as `prob` takes each.
        """
        return np.asanyarray(self.query.probabilities([read_event(self.schema, event) for event in events]))

    def interval_of(
        self, event: Condition = None, /, given: Condition = None, level: float = 0.9, **columns: Any
    ) -> Any:
        """Return the probability of an event with an interval.

        It tells how far the answer hangs on the rows that were fitted.

        Parameters
        ----------
        event : str, mapping or Event
            An expression, also ``"P(event | evidence)"``, or values by column.
        given : str, mapping or Event, optional
            More evidence.
        level : float, default=0.9
            How sure the interval is to hold the probability.
        **columns
            Values by column, which belong to the event.

        Returns
        -------
        ProbabilityInterval
            With ``probability``, ``low``, ``high`` and ``effective_rows``.
        """
        asked, query = self._asked_of(event, given, columns)
        return query.interval_of(asked, level=level)

    def leaves(self, event: Condition = None, /, given: Condition = None, n: int = 10, **columns: Any) -> Any:
        """Return a frame of the leaves that carry an answer: which rows they hold, and their share of it.

        Parameters
        ----------
        event : str, mapping or Event
            An expression, also ``"P(event | evidence)"``, or values by column.
        given : str, mapping or Event, optional
            More evidence.
        n : int, default=10
            How many leaves, those with the largest share first.
        **columns
            Values by column, which belong to the event.
        """
        asked, query = self._asked_of(event, given, columns)
        found = query.leaves(asked, n=n)
        names = ("tree", "leaf", "rule", "weight", "count", "fraction")
        return frame_of(self.schema, {name: [getattr(one, name) for one in found] for name in names})

    def distance(self, other: TableQuestions, n_draws: int = 20_000, random_state: Any = None) -> Any:
        """Return how far another model, or this one under other evidence, is apart.

        Parameters
        ----------
        other : TableModel or GivenTable
            What to compare with.
        n_draws : int, default=20_000
            For the distance of whole rows.
        random_state : int, RandomState, Generator or None, default=None
            Seed or generator: the same int gives the same result, None another one each time.

        Returns
        -------
        Distance
        """
        return self.query.distance(other.query, n_draws, random_state)

    def given(self, given: Condition = None, /, **columns: Any) -> GivenTable:
        """Return the density given more evidence.

        Parameters
        ----------
        given : str, mapping or Event, optional
            An expression, or values by column.
        **columns
            Values by column: ``(30, 40)`` is 30 <= x < 40, a list is one of its values, None is missing.
        """
        return GivenTable(self.query.given(given, **columns), self.schema)

    def weighing(
        self,
        error: float | None = None,
        relative: bool = True,
        n_draws: int = 4096,
        most_draws: int = 2**20,
        seed: int = 0,
    ) -> GivenTable:
        """Return the density with another number of draws behind its answers, where these are not exact.

        Parameters
        ----------
        error : float, optional
            Standard error to reach: draws are doubled until it is, or `most_draws` are made, of which a
            warning tells.
        relative : bool, default=True
            Whether the error is a fraction of the answer.
        n_draws : int, default=4096
            To begin with.
        most_draws : int, default=2**20
            Where doubling ends.
        seed : int, default=0
            Of the draws: the same question has the same answer.
        """
        how = {"n_draws": n_draws, "most_draws": most_draws, "seed": seed}
        return GivenTable(self.query.weighing(error=error, relative=relative, **how), self.schema)

    def mean(self, column: str) -> Any:
        """Return the mean of a column's values that are not missing.

        Parameters
        ----------
        column : str
            The column's name.
        """
        return self.query.mean(self._number_column(column, "mean"))

    def std(self, column: str) -> Answer:
        """Return the standard deviation of a column's values that are not missing.

        Parameters
        ----------
        column : str
            The column's name.
        """
        variance = self.query.variance(self._number_column(column, "standard deviation"))
        return (variance if isinstance(variance, Answer) else Answer(variance)).root()

    def quantile(self, column: str, p: Any) -> Any:
        """Return quantiles of a column's values that are not missing.

        Parameters
        ----------
        column : str
            The column's name.
        p : float or array-like
            Probabilities below the quantiles.
        """
        return self.query.quantile(self._number_column(column, "quantiles"), p)

    def interval(self, column: str, level: float = 0.9, kind: str = "central") -> Any:
        """Return the ends of an interval that holds a column's value with that probability.

        Parameters
        ----------
        column : str
            The column's name.
        level : float, default=0.9
            The probability that the value lies inside.
        kind : {"central", "hpd"}, default="central"
            Whether equal probabilities lie below and above, or the interval is as short as can be
            (highest density).
        """
        return self.query.interval(self._number_column(column, "interval"), level, kind)

    def mode(self, column: str) -> Any:
        """Return the most probable value of a column.

        Parameters
        ----------
        column : str
            The column's name.
        """
        return self.query.mode(column_position(self.schema, column))

    def probabilities(self, column: str) -> Any:
        """Return the probability of each category of a column.

        Parameters
        ----------
        column : str
            The column's name.
        """
        return self.query.probabilities_of(column_position(self.schema, column))

    def sample(self, n_samples: int = 1, random_state: Any = None, *, corrected: bool = True) -> Any:
        """Simulate rows that satisfy the evidence, in the fitted table's container.

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
        return self.query.sample(n_samples, random_state, corrected=corrected)

    def dependence(self) -> Any:
        """Return a frame of how far each pair of columns depends on each other, from 0 to 1."""
        matrix, names = self.query.dependence(), self.schema.names
        return frame_of(
            self.schema, {"column": names, **{name: matrix[:, j] for j, name in enumerate(names)}}
        )

    def describe(self) -> Any:
        """Return a frame with a line for each column: how often it is missing, and what it is like.

        Numbers have their mean, standard deviation, and quantiles; categories the most probable one and its
        probability.
        """
        lines = [self._described(j, field) for j, field in enumerate(self.schema.fields)]
        return frame_of(self.schema, {key: [line[key] for line in lines] for key in lines[0]})

    def _described(self, j: int, field: Field) -> dict[str, Any]:
        line: dict[str, Any] = {"column": field.name, "missing": float(self.query.missing_probability(j))}
        numeric = field.kind in (Kind.NUMERIC, Kind.INTEGER)
        quantiles = self.query.quantile(j, [0.05, 0.5, 0.95]) if numeric else [None] * 3
        line["mean"] = float(self.query.mean(j)) if numeric else None
        line["std"] = float(np.sqrt(self.query.variance(j))) if numeric else None
        line.update(zip(("5%", "50%", "95%"), quantiles, strict=True))
        top = None if field.kind.is_number or not field.categories else self.query.mode(j)
        line["top"] = None if top is None else str(top)
        most = None if top is None else read_event(self.schema, {field.name: top})
        line["top probability"] = None if most is None else float(self.query.probability(most))
        return line

    def _asked_of(self, event: Condition, given: Condition, columns: Mapping[str, Any]) -> tuple[Event, Any]:
        """Return what is asked, and the query under all evidence."""
        asked, evidence = self._question(event, columns)
        query = self._given(given)
        return asked, query if evidence is None else query.given(evidence)

    def _given(self, given: Condition) -> Any:
        if given is None:
            return self.query
        if not isinstance(given, str):
            return self.query.given(given)
        return self._kept("given", given, lambda: self.query.given(given))

    def _kept(self, what: str, text: str, make: Callable[[], Any]) -> Any:
        """Return what was made of an expression before, or make it; the last few are kept."""
        kept: dict[tuple[str, str], Any] = self.__dict__.setdefault("_asked", {})
        made = kept.get((what, text))
        if made is None:
            made = kept[what, text] = make()
            while len(oldest := list(kept)) > MOST_KEPT:  # threads may ask at the same time
                kept.pop(oldest[0], None)
        return made

    def _question(self, event: Condition, columns: Mapping[str, Any]) -> tuple[Event, Event | None]:
        if not isinstance(event, str):
            return read_event(self.schema, event, **columns), None
        asked, evidence = self._kept("event", event, lambda: read_question(self.schema, event))
        if not columns:
            return asked, evidence
        besides = read_event(self.schema, columns)
        return asked & besides, evidence

    def _number_column(self, column: str, what: str) -> int:
        j = column_position(self.schema, column)
        field = self.schema.fields[j]
        if not field.kind.is_number:
            raise TypeError(
                f"{at(field.name)} is {field.kind} and has no {what}. Ask for its probabilities or its mode."
            )
        return j


class GivenTable(TableQuestions):
    """The density of a table given evidence; made by ``given`` of a `TableModel`.

    Parameters
    ----------
    query : Query
        Of the density, under the evidence.
    schema : Schema
    """

    def __init__(self, query: Any, schema: Schema) -> None:
        self._query, self._schema = query, schema

    def __repr__(self) -> str:
        return f"{type(self).__name__}({to_text(self.evidence, self.schema)!r})"

    @property
    def query(self) -> Any:
        """The density's `Query`, under the evidence."""
        return self._query

    @property
    def schema(self) -> Schema:
        """Names, kinds and categories of the columns."""
        return self._schema
