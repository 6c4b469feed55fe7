"""Questions to a fitted mixture, before and after evidence."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.columns import Columns, Kind, Schema
from boxwood.columns.dates import dates_of
from boxwood.query.answer import Answer, Answers
from boxwood.query.behind import AnswerQuestions
from boxwood.query.column_law import ColumnLaw
from boxwood.query.dates import is_date, microseconds
from boxwood.query.draws import QueryDraws
from boxwood.query.engine import CubeBox, QueryEngine
from boxwood.query.errors import QueryError, shown
from boxwood.query.event import Event
from boxwood.query.event_reader import column_position
from boxwood.query.evidence_law import law_of
from boxwood.query.expression.write import to_text
from boxwood.query.pairs import covariance_of, dependence_of, mutual_information_of
from boxwood.query.row_conditionals import RowConditionals

__all__ = ["Query", "ZeroProbabilityError"]

Score = Callable[[Columns], NDArray[np.float64]]
Question = str | Mapping[str, Any] | Event | None


class ZeroProbabilityError(ValueError):
    """Raised for evidence that a density has impossible."""


class Query(QueryDraws, AnswerQuestions):
    """Questions to a density, exact: `given` adds evidence and returns another one.

    Columns are named by name or position. Answers are in a column's own values: dates are dates. What is
    asked of a column's values (`cdf`, `mean`, …) is given that the value is not missing;
    `missing_probability` is apart.

    Parameters
    ----------
    engine : QueryEngine
    score : callable
        The log-density of rows without evidence.
    read : callable
        Reads a table by the fitted schema.
    evidence : Event
    said : sequence of str
        The evidence in words.
    correct : callable, optional
        Gives what corrects draws, or None.
    """

    def __init__(
        self,
        engine: QueryEngine,
        score: Score,
        read: Callable[[Any], Columns],
        evidence: Event | None = None,
        said: Sequence[str] = (),
        correct: Callable[[], Any] | None = None,
    ) -> None:
        self._correct = correct
        self._engine, self._score, self._read = engine, score, read
        self.evidence = Event.everything() if evidence is None else evidence
        self._said = tuple(said)
        self._laws: dict[int, ColumnLaw] = {}

    def __repr__(self) -> str:
        given = f" given {' and '.join(self._said)}" if self._said else ""
        names = self._engine.schema.names
        return f"Query({', '.join(names[:6])}{', …' * (len(names) > 6)}{given})"

    # Probabilities and evidence.

    def given(self, event: Question = None, /, **columns: Any) -> Query:
        """Return the same questions under more evidence.

        Parameters
        ----------
        event : str, mapping or Event, optional
            An expression, or values by column. A continuous value conditions on the density at it.
        **columns
            Values by column.

        Raises
        ------
        ZeroProbabilityError
            Where the evidence is impossible.
        """
        more = self._engine.read(event, columns)
        words = self._words(event, columns)
        both = more if self.evidence.is_everything else self.evidence & more
        said = (*self._said, *words)
        query = Query(self._engine, self._score, self._read, both, said, self._correct)
        query._boxes  # noqa: B018 (raises where nothing is left)
        return query

    def weighing(self, **how: Any) -> Query:
        """Return these questions: answers are exact, and draws of any number would not better them.

        Of a density without closed forms, see `WeighedQuery.weighing`.
        """
        return self

    def probability(self, event: Question = None, /, **columns: Any) -> Answer:
        """Return the probability of an event under the evidence.

        Parameters
        ----------
        event : str, mapping or Event, optional
        **columns
            Values by column.

        Returns
        -------
        Answer
            A float with ``exact=True`` and a ``standard_error`` of 0.
        """
        asked = self._engine.read(event, columns)
        boxes = self._joint_boxes(asked)
        found = self._engine.look_up(boxes)
        if found is None and "_conditioned" in self.__dict__:
            found = self._engine.jointly(self._conditioned, self._boxes, asked, boxes)
        if found is None:
            found = self._engine.probabilities(boxes)
        return Answer(min(float(found.sum()) / self._total, 1.0))

    def probabilities(self, events: Iterable[Question]) -> NDArray[np.float64]:
        """Return the probability of each of many events; they share threads.

        Parameters
        ----------
        events : iterable of str, mapping or Event

        Returns
        -------
        ndarray of shape (n_events,)
        """
        return Answers.exactly(self._probabilities(events))

    def _probabilities(self, events: Iterable[Question]) -> NDArray[np.float64]:
        total = self._total
        boxes: list[CubeBox] = []
        ends = []
        for event in events:
            boxes += self._joint_boxes(self._engine.read(event, {}))
            ends.append(len(boxes))
        found = self._engine.probabilities(boxes) if boxes else np.zeros(0)
        parts = [found[a:b].sum() for a, b in zip([0, *ends[:-1]], ends, strict=True)]
        return np.minimum(np.array(parts) / total, 1.0)

    @property
    def evidence_probability(self) -> float:
        """The probability of the evidence; where it names continuous values its density."""
        return Answer(self._total)

    # One column.

    def cdf(self, column: str | int, values: Any) -> Any:
        """Return P(column <= value)."""
        law = self._ordered(column)
        found = law.cdf(self._numbers(law, values))
        return Answers.exactly(found) if np.ndim(values) else Answer(found)

    def quantile(self, column: str | int, p: Any) -> Any:
        """Return the smallest value whose `cdf` is at least p."""
        law = self._ordered(column)
        return self._values(law, law.quantile(np.asarray(p, dtype=np.float64)))

    def mean(self, column: str | int) -> Any:
        """Return the mean; of a boolean the probability of true."""
        law = self._numeric(column)
        return self._values(law, np.float64(law.moments[0]), whole=False)

    def variance(self, column: str | int) -> float:
        """Return the variance, of dates in seconds squared."""
        law = self._numeric(column)
        return Answer(law.moments[1] / (1e12 if law.field.kind is Kind.DATETIME else 1.0))

    def mode(self, column: str | int) -> Any:
        """Return the value of highest probability, or of highest density."""
        law = self._law(column)
        return self._values(law, np.float64(law.mode()))

    def interval(self, column: str | int, level: float = 0.9, kind: str = "central") -> tuple[Any, Any]:
        """Return an interval that has the value with a probability of at least `level`.

        Parameters
        ----------
        column : str or int
        level : float
        kind : {"central", "hpd"}
            The quantiles (1 ± level)/2, or the shortest interval (of highest density where there is one
            mode), to an eighth of a bin.
        """
        self._check_interval(level, kind)
        law = self._ordered(column)
        if kind == "hpd":
            low, high = law.shortest_interval(level)
            return self._values(law, np.float64(low)), self._values(law, np.float64(high))
        ends = law.quantile(np.array([0.5 - 0.5 * level, 0.5 + 0.5 * level]))
        return self._values(law, ends[0]), self._values(law, ends[1])

    def probabilities_of(self, column: str | int) -> dict[Any, float]:
        """Return the probability of each category; what is left of 1 are unseen ones and gaps."""
        law = self._categories(column)
        probabilities = (1.0 - law.missing) * law.category_probabilities[:-1]
        return dict(zip(law.field.categories, map(Answer, probabilities), strict=True))

    def missing_probability(self, column: str | int) -> float:
        """Return the probability that the value is missing."""
        return Answer(self._law(column).missing)

    def entropy(self, column: str | int) -> float:
        """Return the entropy in nats; of continuous values the differential one, by quadrature (1e-3)."""
        return Answer(self._law(column).entropy)

    def density(self, column: str | int, values: Any) -> Any:
        """Return the density of values of a column; of discrete ones (and None, a gap) the probability."""
        law = self._law(column)
        found = np.exp(law.log_density(self._column_values(law, values)))
        return Answers.exactly(found) if np.ndim(values) else Answer(found[0])

    # Several columns.

    def covariance(self, a: str | int, b: str | int) -> float:
        """Return the covariance of two columns of numbers where both are there."""
        first, second = self._position(a), self._position(b)
        self._numeric(a), self._numeric(b)
        return Answer(covariance_of(self, first, second))

    def mutual_information(self, a: str | int, b: str | int) -> float:
        """Return the mutual information of two columns in nats, gaps as values."""
        return Answer(mutual_information_of(self, self._position(a), self._position(b)))

    def dependence(self) -> NDArray[np.float64]:
        """Return how far each pair of columns depends on each other: √(1 − exp(−2·information)).

        Of at most 32 cells a column; 0 where they are independent, and that of a Gaussian pair is its
        correlation.
        """
        return dependence_of(self)

    def log_density(self, X: Any) -> NDArray[np.float64]:
        """Return the log-density of whole rows under the evidence; −inf outside it."""
        columns = self._read(X)
        scores = self._score(columns)
        if self.evidence.is_everything:
            return scores
        inside = self.evidence.contains(columns)
        return np.where(inside, scores - math.log(self._total), -np.inf)

    def conditionals(self, X: Any) -> RowConditionals:
        """Return the distributions of each row's columns given the rest of the row.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        RowConditionals
        """
        self._check_no_evidence()
        return RowConditionals(self._engine, self._read(X))

    def surprise(self, X: Any) -> NDArray[np.float64]:
        """Return −log p(value | rest of its row) of every cell: shape (n_samples, n_features)."""
        return self.conditionals(X).surprise()

    # Inside.

    @property
    def _schema(self) -> Schema:
        return self._engine.schema

    def _words(self, event: Question, columns: Mapping[str, Any]) -> list[str]:
        """Return evidence in words."""
        words = [] if event is None else [str(event)]
        if isinstance(event, Event):
            words = [to_text(event, self._schema)]
        return words + [f"{name} = {value!r}" for name, value in columns.items()]

    @staticmethod
    def _check_interval(level: float, kind: str) -> None:
        if not 0.0 < level < 1.0:
            raise ValueError(f"level must lie between 0 and 1; got {shown(level)}.")
        if kind not in ("central", "hpd"):
            raise ValueError(f"kind must be 'central' or 'hpd'; got {shown(kind)}.")

    def _check_no_evidence(self) -> None:
        if not self.evidence.is_everything:
            raise QueryError("the rest of a row is all the evidence: ask `conditionals` before `given`.")

    def _categories(self, column: str | int) -> ColumnLaw:
        law = self._law(column)
        if law.field.kind.is_number:
            raise QueryError(f"column {law.field.name!r} holds numbers: ask for `quantile` or `cdf`.")
        return law

    def _joint_boxes(self, asked: Event) -> list[CubeBox]:
        """Return the boxes of an event and the evidence together, those that count."""
        joint = asked if self.evidence.is_everything else asked & self.evidence
        rank = self._rank
        return [box for box in self._engine.boxes_of(joint) if box.n_points == rank]

    @cached_property
    def _boxes(self) -> list[CubeBox]:
        """The boxes of the evidence that count: those with the fewest continuous values."""
        boxes = self._engine.boxes_of(self.evidence)
        for rank in sorted({box.n_points for box in boxes}):
            of_rank = [box for box in boxes if box.n_points == rank]
            found, conditioned = self._engine.weighed(of_rank)
            kept = [box for box, p in zip(of_rank, found, strict=True) if p > 0.0]
            if kept:
                if conditioned is not None and len(kept) == len(of_rank):
                    self.__dict__["_conditioned"] = conditioned
                self.__dict__["_total"] = float(found.sum())
                return kept
        said = " and ".join(self._said) or "the evidence"
        raise ZeroProbabilityError(f"{said}: no row can be so under this density.")

    @cached_property
    def _total(self) -> float:
        self._boxes  # noqa: B018 (finds it)
        return float(self.__dict__["_total"])

    @cached_property
    def _rank(self) -> int:
        return self._boxes[0].n_points

    @cached_property
    def _conditioned(self) -> _core.Conditioned:
        return self._engine.condition(self._boxes)

    @cached_property
    def _tied(self) -> frozenset[int]:
        """Columns that are not independent within a leaf: of rules, and of conditions on two columns."""
        ties = {j for box in self._boxes for tie in box.ties for j in tie.column.columns}
        return frozenset(ties | set(self._engine.component_of))

    def _position(self, column: str | int) -> int:
        if isinstance(column, int | np.integer) and not isinstance(column, bool):
            if not 0 <= column < len(self._engine.schema):
                raise QueryError(
                    f"there is no column {column}: the table has {len(self._engine.schema)} columns."
                )
            return int(column)
        return column_position(self._engine.schema, column)

    def _law(self, column: str | int) -> ColumnLaw:
        j = self._position(column)
        if j not in self._laws:
            self._laws[j] = law_of(self._engine, self._conditioned, self._boxes, j)
        return self._laws[j]

    def _ordered(self, column: str | int) -> ColumnLaw:
        law = self._law(column)
        if not law.field.kind.is_number:
            raise QueryError(
                f"column {law.field.name!r} is {law.field.kind}: ask for its probabilities or its mode."
            )
        return law

    def _numeric(self, column: str | int) -> ColumnLaw:
        law = self._law(column)
        return law if law.field.kind is Kind.BOOLEAN else self._ordered(column)

    def _numbers(self, law: ColumnLaw, values: Any) -> NDArray[np.float64]:
        if law.field.kind is not Kind.DATETIME:
            return np.asarray(values, dtype=np.float64)
        flat = [values] if isinstance(values, str) or is_date(values) else list(values)
        found = np.array([microseconds(law.field, value) for value in flat])
        return found if np.ndim(values) else found[0]

    def _column_values(self, law: ColumnLaw, values: Any) -> NDArray[Any]:
        flat = list(values) if np.ndim(values) else [values]
        missing = [value is None or (isinstance(value, float) and math.isnan(value)) for value in flat]
        if law.field.kind.is_number:
            known = [0.0 if gap else value for gap, value in zip(missing, flat, strict=True)]
            return np.where(missing, np.nan, self._numbers(law, known))
        position = {label: code for code, label in enumerate(law.field.categories)}
        unseen = len(position)
        codes = [-1 if gap else position.get(value, unseen) for gap, value in zip(missing, flat, strict=True)]
        return np.array(codes, dtype=np.int32)

    def _values(self, law: ColumnLaw, numbers: Any, whole: bool = True) -> Any:
        """Return numbers as the column has them."""
        kind = law.field.kind
        if kind is Kind.DATETIME:
            return dates_of(numbers)
        if not kind.is_number and whole:
            return law.field.categories[int(numbers)]
        if kind is Kind.INTEGER and whole and np.all(np.abs(numbers) < 2.0**53):
            return np.asarray(numbers).astype(np.int64) if np.ndim(numbers) else int(numbers)
        return Answers.exactly(numbers) if np.ndim(numbers) else Answer(numbers)
