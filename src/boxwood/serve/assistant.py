"""What an assistant may ask: exact numbers in place of guesses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from boxwood.serve.answers.about_rows import explain
from boxwood.serve.answers.asking import Asking
from boxwood.serve.answers.conditionals import conditionals
from boxwood.serve.answers.describe import describe
from boxwood.serve.answers.explorer import sample
from boxwood.serve.deadline import Deadline
from boxwood.serve.limits import Limits
from boxwood.serve.members import Expression, Member, Rows, Whole, read_members
from boxwood.serve.refusal import RefusedError
from boxwood.serve.rows import read_rows
from boxwood.serve.served_model import LoadedModel
from boxwood.table.outliers import usual_surprise

__all__ = ["Assistant"]

MOST_ROWS = 100
"""Rows that a tool takes or returns: an assistant reads them all."""

MOST_CATEGORIES = 50


class Assistant:
    """What the tools do, as plain functions of JSON values.

    Parameters
    ----------
    models : mapping of name to LoadedModel
    limits : Limits
    """

    def __init__(self, models: Mapping[str, LoadedModel], limits: Limits) -> None:
        self._models, self._limits = dict(models), limits

    def describe_table(self, table: str | None = None) -> dict[str, Any]:
        """Describe a table: its columns, their kinds and categories, and what they are like.

        Parameters
        ----------
        table : str, optional
            The table's name; may be left out where there is but one.
        """
        found = describe(self._asking(table))
        for column in found["columns"]:
            column["categories"] = column["categories"][:MOST_CATEGORIES]
            del column["literals"]
        return {"tables": list(self._models), **found}

    def ask_probability(
        self, event: str, given: str | None = None, table: str | None = None
    ) -> dict[str, Any]:
        """Return how probable an event is, given evidence where there is some.

        The answer has the probability, whether it is exact, the 90 % interval that the fitted rows leave, and
        how many rows are behind the evidence.

        Parameters
        ----------
        event : str
            What may happen, such as "income == '>50K'".
        given : str, optional
            What is known, such as "age > 40 and sex == 'Male'".
        table : str, optional
            The table's name; may be left out where there is but one.
        """
        found = self._conditional(table, event, given)
        if not found["possible"]:
            raise RefusedError("impossible", f"{given}: no row can be so under this model.")
        return {"event": found["event"], "given": found["given"], "evidence": found["evidence"]}

    def compare_groups(self, event: str, group: str, other: str, table: str | None = None) -> dict[str, Any]:
        """Compare how probable an event is in two groups: both probabilities, their difference and ratio.

        Parameters
        ----------
        event : str
            What may happen, such as "income == '>50K'".
        group : str
            One group, such as "sex == 'Male'".
        other : str
            The other one, such as "sex == 'Female'".
        table : str, optional
            The table's name; may be left out where there is but one.
        """
        parts = [self.ask_probability(event, given, table) for given in (group, other)]
        first, second = (float(part["event"]["probability"]["value"]) for part in parts)
        return {
            "group": parts[0],
            "other": parts[1],
            "difference": first - second,
            "ratio": first / second if second > 0.0 else None,
            "intervals_overlap": _overlap(parts),
        }

    def explain_row(self, row: dict[str, Any], table: str | None = None) -> dict[str, Any]:
        """Explain a row: how surprising each cell is given the others (in nats), and what was expected.

        Compare a surprise with what is usual in its column; cells that exceed it most come first.

        Parameters
        ----------
        row : dict
            Values by column; what is left out is missing.
        table : str, optional
            The table's name; may be left out where there is but one.
        """
        rows = Rows(name="rows", required=True)
        asking = self._asking(table, [rows], {"rows": [row]})
        found: dict[str, Any] = explain(asking)["rows"][0]
        usual = usual_surprise(asking.model, read_rows(asking.model.schema, [row]))
        for cell, number in zip(found["cells"], usual, strict=True):
            cell["usual"] = float(number)
        found["cells"].sort(key=lambda cell: cell["usual"] - float(cell["surprise"]))
        return {**found, "exact": not self._weighed(table)}

    def sample_rows(
        self, n: int = 5, given: str | None = None, seed: int = 0, table: str | None = None
    ) -> dict[str, Any]:
        """Simulate rows that satisfy the evidence; they are drawn from the model, not real.

        Parameters
        ----------
        n : int, default=5
            How many, at most 100.
        given : str, optional
            What the rows satisfy.
        seed : int, default=0
            The same seed, the same rows.
        table : str, optional
            The table's name; may be left out where there is but one.
        """
        members = [
            Whole(name="n", low=1, high=MOST_ROWS, required=True),
            Expression(name="given"),
            Whole(name="seed", default=0),
        ]
        asking = self._asking(table, members, {"n": n, "given": given, "seed": seed})
        return {"simulated": True, **sample(asking)}

    @property
    def tools(self) -> list[Callable[..., dict[str, Any]]]:
        """All of them."""
        return [
            self.describe_table,
            self.ask_probability,
            self.compare_groups,
            self.explain_row,
            self.sample_rows,
        ]

    def _loaded(self, table: str | None) -> LoadedModel:
        if table is None and len(self._models) == 1:
            return next(iter(self._models.values()))
        if table not in self._models:
            raise RefusedError("invalid", f"'table' must be one of {', '.join(self._models)}.")
        return self._models[table]

    def _weighed(self, table: str | None) -> bool:
        return self._loaded(table).is_weighed

    def _asking(
        self, table: str | None, members: Sequence[Member] = (), body: dict[str, Any] | None = None
    ) -> Asking:
        read = read_members(members, body or {}, self._limits)
        return Asking(self._loaded(table), read, self._limits, Deadline(self._limits.seconds))

    def _conditional(self, table: str | None, event: str, given: str | None) -> dict[str, Any]:
        members = [Expression(name="event", required=True), Expression(name="given")]
        asking = self._asking(table, members, {"event": event, "given": given})
        asking.members.update(axes=False, columns=False, intervals=True, level=0.9)
        return conditionals(asking)


def _overlap(parts: list[dict[str, Any]]) -> bool | None:
    ends = [(part["event"]["low"], part["event"]["high"]) for part in parts]
    if any(low is None for low, _ in ends):
        return None
    return bool(ends[0][0] <= ends[1][1] and ends[1][0] <= ends[0][1])
