"""Questions about leaves, which models that answer by weighing do not have."""

from __future__ import annotations

from typing import Any, NoReturn

from boxwood.query.errors import QueryError

__all__ = ["WithoutLeaves"]


class WithoutLeaves:
    """Refuses what only a mixture of boxes can tell."""

    def leaves(self, event: Any = None, /, n: int = 10, **columns: Any) -> NoReturn:
        """Raise: there are no leaves."""
        raise _no_leaves("the leaves behind an answer")

    def interval_of(self, event: Any = None, /, level: float = 0.9, **columns: Any) -> NoReturn:
        """Raise: the interval comes from trees and their leaves."""
        raise _no_leaves("the interval of an answer")

    @property
    def effective_rows(self) -> NoReturn:
        """Raise: rows are counted in leaves."""
        raise _no_leaves("the rows behind the evidence")


def _no_leaves(what: str) -> QueryError:
    return QueryError(f"{what} is what a DensityTree or a DensityForest tells; this model has no leaves.")
