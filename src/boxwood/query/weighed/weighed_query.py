"""Questions to a density without closed forms, answered by weighing draws of a proposal."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns, Kind, Schema
from boxwood.query.answer import Answer, Answers
from boxwood.query.column_set import missing_values
from boxwood.query.errors import QueryError
from boxwood.query.event import Event
from boxwood.query.event_reader import read_event
from boxwood.query.query import Query, Question, ZeroProbabilityError
from boxwood.query.weighed.bank import DrawBank
from boxwood.query.weighed.draws import Draws
from boxwood.query.weighed.proposal import Proposal
from boxwood.query.weighed.resampling import resampled
from boxwood.query.weighed.strata import conditional_probability
from boxwood.query.weighed.weighed_law import WeighedLaw
from boxwood.query.weighed.weighed_pairs import weighed_covariance, weighed_dependence, weighed_information
from boxwood.query.weighed.weighing import Weighing
from boxwood.query.weighed.without_leaves import WithoutLeaves

__all__ = ["WeighedQuery"]


class WeighedQuery(WithoutLeaves, Query):
    """The same questions as to `Query`, answered by importance sampling.

    A proposal draws rows under the evidence, and the ratio of the model's density to its own weighs them.
    Answers are numbers (`Answer`) or arrays of them (`Answers`) with their ``standard_error``,
    ``effective_sample_size`` and ``exact=False``; `weighing` asks for a smaller error. The same question has
    the same answer.

    Parameters
    ----------
    proposal : Proposal
    score : callable
        The log-density of rows without evidence.
    read : callable
        Reads a table by the fitted schema.
    evidence : Event
    said : sequence of str
    weighing : Weighing
    bank : DrawBank, optional
        Draws that queries share.
    """

    def __init__(
        self,
        proposal: Proposal,
        score: Callable[[Columns], NDArray[np.float64]],
        read: Callable[[Any], Columns],
        evidence: Event | None = None,
        said: Sequence[str] = (),
        weighing: Weighing | None = None,
        bank: DrawBank | None = None,
    ) -> None:
        super().__init__(cast(Any, proposal), score, read, evidence, said)
        self._proposal = proposal
        self._weighing = Weighing() if weighing is None else weighing
        self._bank = DrawBank(proposal) if bank is None else bank
        self._first: Draws | None = None

    def weighing(self, **how: Any) -> WeighedQuery:
        """Return the same questions, answered by another number of draws.

        Parameters
        ----------
        error : float, optional
            Standard error to reach: draws are doubled until it is, or `most_draws` are made.
        relative : bool, default=True
            Whether the error is a fraction of the answer.
        n_draws : int, default=4096
            To begin with, of each event that is asked about.
        most_draws : int, default=2**20
        seed : int, default=0
        """
        unknown = set(how) - set(Weighing.__dataclass_fields__)
        if unknown:
            raise TypeError(
                f"weighing takes {', '.join(Weighing.__dataclass_fields__)}; got {unknown.pop()}."
            )
        return self._like(self.evidence, self._said, replace(self._weighing, **how))

    def given(self, event: Question = None, /, **columns: Any) -> WeighedQuery:
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
            Where the evidence is impossible: the proposal has no such row, or the model gives none of its
            draws a density.
        """
        more = self._proposal.read(event, columns)
        if more.is_across:
            raise QueryError(
                "comparisons of columns with each other cannot be evidence where answers come by weighing; "
                "ask for their probability, or fit a DensityForest."
            )
        words = self._words(event, columns)
        query = self._like(self.evidence & more, (*self._said, *words), self._weighing)
        query._draws(query._weighing.n_draws)
        return query

    def probabilities(self, events: Iterable[Any]) -> Answers:
        """Return the probability of each of many events.

        Parameters
        ----------
        events : iterable of str, mapping or Event

        Returns
        -------
        Answers of shape (n_events,)
        """
        return Answers.joined([self._probability_of(event) for event in events])

    def probability(self, event: Question = None, /, **columns: Any) -> Answer:
        """Return the probability of an event under the evidence.

        The event and what is not in it are drawn apart, so that the error of a small probability is small
        too. Without evidence, that both add up to 1 is used as well.

        Parameters
        ----------
        event : str, mapping or Event, optional
        **columns
            Values by column.

        Returns
        -------
        Answer
        """
        return self._probability_of(self._proposal.read(event, columns))

    @property
    def evidence_probability(self) -> Answer:
        """The probability of the evidence; where it names continuous values its density."""
        if self.evidence.is_everything:
            return Answer(1.0)

        def total(n: int) -> Answer:
            draws = self._draws(n)
            value, error = math.exp(draws.log_total), draws.relative_error
            return Answer.weighed(value, value * error, draws.effective_sample_size, exact=error == 0.0)

        return self._reach(total, "the probability of the evidence")

    # One column.

    def is_closed(self, column: str | int) -> bool:
        """Return whether answers about a column are of closed form: others come by weighing."""
        return self._proposal.closed_law(self.evidence, self._position(column)) is not None

    def cdf(self, column: str | int, values: Any) -> Any:
        """Return P(column <= value)."""
        law = self._ordered(column)
        numbers = self._numbers(law, values)
        found = self._of_law(column, lambda one: one.cdf(numbers), "cdf")
        return found if np.ndim(values) else found[()]

    def quantile(self, column: str | int, p: Any) -> Any:
        """Return the smallest value whose `cdf` is at least p."""
        law = self._ordered(column)
        fractions = np.asarray(p, dtype=np.float64)
        return self._in_values(law, self._of_law(column, lambda one: one.quantile(fractions), "quantile"))

    def mean(self, column: str | int) -> Any:
        """Return the mean; of a boolean the probability of true."""
        law = self._numeric(column)
        found = self._of_law(column, lambda one: one.mean, "mean")
        if law.field.kind is not Kind.DATETIME:
            return found
        error, size = found.standard_error, found.effective_sample_size
        return self._in_values(law, Answers.of(float(found), error, size, found.exact))

    def variance(self, column: str | int) -> Answer:
        """Return the variance, of dates in seconds squared."""
        law = self._numeric(column)
        found: Answer = self._of_law(column, lambda one: one.variance, "variance")
        return _scaled(found, 1e-12 if law.field.kind is Kind.DATETIME else 1.0)

    def interval(self, column: str | int, level: float = 0.9, kind: str = "central") -> tuple[Any, Any]:
        """Return an interval that has the value with a probability of at least `level`.

        Parameters
        ----------
        column : str or int
        level : float
        kind : {"central", "hpd"}
            The quantiles (1 ± level)/2, or the shortest interval.
        """
        self._check_interval(level, kind)
        law = self._ordered(column)
        if kind == "central":
            p = np.array([0.5 - 0.5 * level, 0.5 + 0.5 * level])
            found = self._of_law(column, lambda one: one.quantile(p), "interval")
        else:
            found = self._of_law(column, lambda one: _shortest(one, level), "interval")
        return self._in_values(law, found[0:1])[0], self._in_values(law, found[1:2])[0]

    def probabilities_of(self, column: str | int) -> dict[Any, float]:
        """Return the probability of each category; what is left of 1 are unseen ones and gaps."""
        law = self._categories(column)
        found = self._of_law(column, lambda one: one.category_probabilities, "probabilities")
        return dict(zip(law.field.categories, found, strict=True))

    def missing_probability(self, column: str | int) -> Answer:
        """Return the probability that the value is missing."""
        j = self._position(column)
        return self._probability_of(Event.of_column(j, missing_values(self._proposal.schema.fields[j])))

    def entropy(self, column: str | int) -> Answer:
        """Return the entropy in nats; of continuous values the differential one, by a histogram of draws."""
        found: Answer = self._of_law(column, lambda one: one.entropy, "entropy")
        return found

    def density(self, column: str | int, values: Any) -> Any:
        """Return the density of values of a column; of discrete ones (and None, a gap) the probability."""
        j = self._position(column)
        listed = list(values) if np.ndim(values) else [values]
        found = Answers.joined([self._density_at(j, value) for value in listed])
        return found if np.ndim(values) else found[0]

    # Several columns.

    def covariance(self, a: str | int, b: str | int) -> Answer:
        """Return the covariance of two columns of numbers where both are there."""
        first, second = self._position(a), self._position(b)
        scale = 1.0
        for j in (first, second):
            scale *= 1e-6 if self._numeric(j).field.kind is Kind.DATETIME else 1.0
        closed = self._proposal.closed_covariance(self.evidence, first, second)
        if closed is not None:
            return Answer(scale * closed)
        found = self._reach(lambda n: weighed_covariance(self._draws(n), first, second), "covariance")
        return _scaled(found, scale)

    def mutual_information(self, a: str | int, b: str | int) -> Answer:
        """Return the mutual information of two columns in nats, gaps as values; of cells of the columns."""
        first, second = self._position(a), self._position(b)
        if first == second:
            raise ValueError("the mutual information of a column with itself is its entropy.")
        closed = self._proposal.closed_information(self.evidence, first, second)
        if closed is not None:
            return Answer(closed)
        return self._reach(lambda n: weighed_information(self._draws(n), first, second), "information")

    def dependence(self) -> Answers:
        """Return how far each pair of columns depends on each other: √(1 − exp(−2·information))."""
        found = np.eye(len(self._schema))
        for a, b in combinations(range(len(found)), 2):
            closed = self._proposal.closed_information(self.evidence, a, b)
            if closed is None:
                return self._reach(lambda n: weighed_dependence(self._draws(n)), "dependence")
            found[a, b] = found[b, a] = math.sqrt(-math.expm1(-2.0 * closed))
        return Answers.exactly(found)

    def log_density(self, X: Any) -> NDArray[np.float64]:
        """Return the log-density of whole rows under the evidence; −inf outside it."""
        columns = self._read(X)
        scores = self._score(columns)
        if self.evidence.is_everything:
            return Answers.exactly(scores)
        total = self.evidence_probability
        inside = np.where(self.evidence.contains(columns), scores - math.log(total), -np.inf)
        error = total.standard_error / float(total)
        return Answers.of(inside, error, total.effective_sample_size, total.exact)

    def sample_columns(self, n_samples: int, random_state: Any = None, *, corrected: bool = False) -> Columns:
        """Draw rows as columns: with evidence, draws of the proposal are resampled by their weights.

        There is nothing to correct: they are draws of the density that scores tell.
        """
        return resampled(self._proposal, self.evidence, n_samples, random_state)

    def conditionals(self, X: Any) -> Any:
        """Return the distributions of each row's columns given the rest of the row.

        By the model's own density along each column, which needs no draws.
        """
        self._check_no_evidence()
        return self._proposal.conditionals(self._read(X))

    # Inside.

    def _like(self, evidence: Event, said: Sequence[str], weighing: Weighing) -> WeighedQuery:
        return WeighedQuery(self._proposal, self._score, self._read, evidence, said, weighing, self._bank)

    def _reach(self, estimate: Callable[[int], Any], what: str) -> Any:
        given = f" given {' and '.join(self._said)}" if self._said else ""
        return self._weighing.reach(estimate, what + given)

    @property
    def _schema(self) -> Schema:
        return self._proposal.schema

    def _draws(self, n: int) -> Draws:
        """Return draws under the evidence."""
        draws = self._bank.draws(self.evidence, None, n, self._weighing.seed)
        said = " and ".join(self._said) or "the evidence"
        if draws is None:
            raise ZeroProbabilityError(f"{said}: no row can be so under this density.")
        if draws.is_impossible:
            raise ZeroProbabilityError(f"{said}: the density is 0 at each of {n} rows that are so.")
        return draws

    def _probability_of(self, event: Any) -> Answer:
        asked = self._proposal.read(event, {})
        found: Answer = self._reach(
            lambda n: conditional_probability(
                self._bank, self.evidence, asked, n, self._weighing.seed, self._draws
            ),
            "probability",
        )
        return found

    def _density_at(self, j: int, value: Any) -> Answer:
        name = self._proposal.schema.names[j]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an unseen category is asked for on purpose
            point = read_event(self._proposal.schema, {name: value})
        joint, seed = self.evidence & point, self._weighing.seed

        def ratio(n: int) -> Answer:
            whole, part = self._draws(n), self._bank.draws(joint, None, n, seed)
            if part is None or part.is_impossible:
                return Answer(0.0)
            found = math.exp(part.log_total - whole.log_total)
            error = math.hypot(part.relative_error, whole.relative_error)
            size = min(part.effective_sample_size, whole.effective_sample_size)
            return Answer.weighed(found, found * error, size, exact=error == 0.0)

        return self._reach(ratio, "density")

    def _of_law(self, column: str | int, ask: Callable[[Any], Any], what: str) -> Any:
        """Return what the law of a column says: that in closed form, or of enough draws."""
        j = self._position(column)
        closed = self._proposal.closed_law(self.evidence, j)
        if closed is not None:
            return ask(closed)
        field, measure = self._proposal.schema.fields[j], self._proposal.measure(j)
        asked = f"{what} of the column {field.name!r}"
        return self._reach(lambda n: ask(WeighedLaw(field, self._draws(n), j, measure)), asked)

    def _law(self, column: str | int) -> Any:
        """Return the law of a column by the first draws."""
        j = self._position(column)
        closed = self._proposal.closed_law(self.evidence, j)
        if closed is not None:
            return closed
        draws = self._draws(self._weighing.n_draws)
        return WeighedLaw(self._proposal.schema.fields[j], draws, j, self._proposal.measure(j))

    def _in_values(self, law: Any, found: Answers) -> Any:
        """Return answers as the column has them: dates, integers; a single number as an `Answer`."""
        own = np.asarray(self._values(law, np.asarray(found)))
        error, size = found.standard_error, found.effective_sample_size
        if law.field.kind is Kind.DATETIME:
            return Answers.of(own, 1e-6 * error, size, found.exact)
        made = Answers.of(own, error, size, found.exact)
        return made if found.ndim else Answer.weighed(float(own), float(error), size, found.exact)


def _scaled(found: Answer, scale: float) -> Answer:
    if scale == 1.0:
        return found
    error, size = found.standard_error * scale, found.effective_sample_size
    return Answer.weighed(float(found) * scale, error, size, found.exact)


def _shortest(law: Any, level: float) -> Answers:
    ends = law.shortest_interval(level)
    errors = [law.error_at(end) for end in ends]
    middle = law.quantile(np.array([0.5]))
    return Answers.of(np.array(ends), errors, middle.effective_sample_size, middle.exact)
