"""A fitted mixture under margins together with the rules of its table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.dependencies.agreement import Agreement, RuledMixture
from boxwood.dependencies.dependencies import Dependencies
from boxwood.dependencies.draws import keep_draws
from boxwood.margins import Margins, known_points
from boxwood.mixture import Mixture
from boxwood.randomness import seed_of

__all__ = ["RuledDensity"]


class RuledDensity:
    """The density p(rest)·p(what follows | what it follows from) of a mixture.

    Parameters
    ----------
    dependencies : Dependencies
    margins : Margins
    mixture : Mixture
    gaps : bool
        Whether scores have the probability of gaps in them; draws always do.
    """

    def __init__(self, dependencies: Dependencies, margins: Margins, mixture: Mixture, gaps: bool) -> None:
        self.dependencies, self.margins, self.gaps = dependencies, margins, gaps
        self._scored = RuledMixture(dependencies.components(gaps), margins, mixture)
        drawn = RuledMixture(dependencies.components(gaps=True), margins, mixture)
        self._drawn = self._scored if gaps else drawn

    @property
    def drawn(self) -> RuledMixture:
        """The mixture under all rules, those of gaps too, which draws follow."""
        return self._drawn

    @property
    def agreement(self) -> Agreement:
        """How far the mixture agrees with the rules by itself."""
        return self._scored.agreement

    def score(
        self, columns: Columns, log_density: Callable[[Columns], NDArray[np.float64]]
    ) -> NDArray[np.float64]:
        """Return the log-density of rows; `log_density` is that of the mixture."""
        if not self._scored.components:
            return log_density(columns)
        rows = self.dependencies.rows(columns, self.gaps)
        return (
            log_density(rows.kept()) - rows.log_agreement(self.agreement) + rows.log_probability(self.margins)
        )

    def training_terms(self, columns: Columns) -> Any:
        """Return what rules add to the mixture's log-density of training rows, which keep to them.

        Nothing for rows with a value that no other row has: left out, they would not be known.
        """
        if not self._scored.components:
            return 0.0
        rows = self.dependencies.training_rows(columns, self.gaps)
        return rows.log_probability(self.margins) - rows.log_agreement(self.agreement)

    def sample(self, n_rows: int, rng: np.random.Generator, n_jobs: int | None = None) -> Columns:
        """Draw rows that keep to the rules."""
        points = known_points(lambda n: self._drawn.sample(n, seed_of(rng)), n_rows, self.margins)
        return keep_draws(self.margins.decode(points, n_jobs), self.dependencies, self.margins, rng)
