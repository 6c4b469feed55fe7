"""The routes: what each takes, what it answers, and in what words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from boxwood.serve.answers.about_rows import explain, impute, predict, score
from boxwood.serve.answers.ask import ask
from boxwood.serve.answers.asking import Asking
from boxwood.serve.answers.conditionals import conditionals
from boxwood.serve.answers.describe import describe
from boxwood.serve.answers.explorer import dependent, examples, pair, sample
from boxwood.serve.members import Boolean, Expression, Member, Name, Names, Number, Rows, Texts, Whole
from boxwood.table.expected import HOW

__all__ = ["ROUTES", "AnswerRoute"]

MOST_ROWS = 10_000
"""Rows that are simulated at most in one request."""

_GIVEN = Expression(name="given", says="Evidence that rows satisfy, an expression.")
_ROWS = Rows(name="rows", says="Values by column; what is left out is missing.", required=True)
_SEED = Whole(name="seed", says="The same seed, the same rows.", default=0)


@dataclass(frozen=True)
class AnswerRoute:
    """A route that a thread answers.

    Attributes
    ----------
    path : str
    says : str
    answer : callable
    members : tuple of Member
        Of the request's JSON object; none where it is a GET.
    """

    path: str
    says: str
    answer: Callable[[Asking], dict[str, Any]]
    members: tuple[Member, ...] = ()

    @property
    def method(self) -> str:
        """GET where nothing is sent."""
        return "POST" if self.members else "GET"


ROUTES = (
    AnswerRoute("/describe", "The columns: kinds, categories, and what they are like.", describe),
    AnswerRoute(
        "/query",
        "Answer a question, or each of a batch, as `boxwood query --json` does.",
        ask,
        (
            Expression(name="question", says="P(event | evidence), mean(column), quantile(column, 0.9), …"),
            Texts(name="questions", says="A batch, in place of one."),
            _GIVEN,
        ),
    ),
    AnswerRoute("/score", "The log-density and the p-value of each row.", score, (_ROWS,)),
    AnswerRoute(
        "/explain", "How surprising each cell is given the rest of its row, in nats.", explain, (_ROWS,)
    ),
    AnswerRoute(
        "/predict",
        "What is expected of a column given the rest of each row; its own values are not read.",
        predict,
        (
            _ROWS,
            Name(name="column", says="The column to predict.", required=True),
            Boolean(name="proba", says="The probability of each category too.", default=False),
            Number(name="interval", says="The ends of the central interval of this probability too."),
        ),
    ),
    AnswerRoute(
        "/impute",
        "The rows with their gaps filled by what is expected given the rest of each.",
        impute,
        (_ROWS, Name(name="how", says="What a gap is filled by.", words=HOW, default="median"), _SEED),
    ),
    AnswerRoute(
        "/sample",
        "Simulated rows that satisfy the evidence.",
        sample,
        (Whole(name="n", says="How many.", low=1, high=MOST_ROWS, default=1), _GIVEN, _SEED),
    ),
    AnswerRoute(
        "/conditionals",
        "Every column before and after evidence, how probable it is, and how probable an event is under it.",
        conditionals,
        (
            _GIVEN,
            Expression(name="event", says="An event to be probable under the evidence."),
            Boolean(name="axes", says="Whether what does not change is sent too.", default=True),
            Boolean(name="columns", says="Whether the columns are sent.", default=True),
            Names(name="only", says="The columns that are sent; without it all."),
            Boolean(name="intervals", says="Whether intervals are: they take as long again.", default=True),
            Number(name="level", says="Of intervals.", default=0.9),
        ),
    ),
    AnswerRoute(
        "/pair",
        "The probabilities of the cells of two columns under evidence.",
        pair,
        (
            Name(name="x", says="The column across.", required=True),
            Name(name="y", says="The column up.", required=True),
            _GIVEN,
            Whole(name="n_bins", says="Of numbers.", low=2, high=100, default=40),
        ),
    ),
    AnswerRoute(
        "/examples",
        "Real rows, where the service has a table, and simulated ones that satisfy the evidence.",
        examples,
        (_GIVEN, Whole(name="n", says="How many of each.", low=1, high=100, default=5), _SEED),
    ),
    AnswerRoute(
        "/dependent",
        "Columns by how far they depend on one under the evidence, from 0 to 1; or of each its partner.",
        dependent,
        (Name(name="column", says="Without it every pair is looked at."), _GIVEN),
    ),
)
"""All of them, in the order of the document."""
