"""What all forests share, of density, decision and regression trees: how many trees, threads, progress."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from boxwood.parameters import (
    MOST,
    DeclaredParameters,
    Flag,
    Integer,
    Parameter,
    declare,
    n_jobs,
    random_state,
    verbose,
)
from boxwood.progress import CallbackSupportMixin, Progress, fit_progress
from boxwood.threads import n_threads

__all__ = ["Forest"]


class Forest(CallbackSupportMixin, DeclaredParameters):
    """Trees grown on samples of the rows, on several threads."""

    _parameters = declare(
        Parameter("n_estimators", Integer(1, MOST), "Trees of the forest."),
        Parameter("bootstrap", Flag(), "Draw each tree's rows with replacement, else every tree sees all."),
        n_jobs("Threads; the fitted model is the same to the byte for any number of them."),
        random_state("Of the rows and columns that each tree sees."),
        verbose("1 shows a progress bar on standard error; see `DensityForest` for callbacks."),
    )

    n_estimators: int
    bootstrap: bool
    n_jobs: int | None
    random_state: Any
    verbose: int

    def _n_threads(self) -> int:
        return n_threads(self.n_jobs)

    def _progress(self, X: Any, n_trees: int) -> AbstractContextManager[Progress | None]:
        """Return what is told of the growth of so many trees; `X` is the table as it came, for callbacks."""
        return fit_progress(self, X, n_trees, self.verbose)
