"""Rules in a boosted density: how far each of its parts agrees with them, and draws that keep to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.chain import Chain
from boxwood.columns import Columns, Schema
from boxwood.dependencies import Agreement, Dependencies, RuledDensity, agreement_of_draws, draw_by_rules
from boxwood.dependencies.ruled_rows import RuledRows
from boxwood.margins import Margins, known_points
from boxwood.mixture import Mixture
from boxwood.model_file import State

__all__ = ["BoostedRules"]

N_DRAWS = 2**16
"""Of a chain, to see how far it agrees with rules: a probability of a hundredth is known to within 4%."""


@dataclass(frozen=True, eq=False)
class BoostedRules:
    """Rules, and how far the parts of a boosted density agree with them by themselves.

    A forest's agreement is exact, that of a chain is the fraction of its draws that agree.

    Attributes
    ----------
    dependencies : Dependencies
    agreements : list of Agreement
        Of the chains and, last, of the forest where there is one.
    gaps : bool
        Whether scores have the probability of gaps in them.
    """

    dependencies: Dependencies
    agreements: list[Agreement]
    gaps: bool

    @classmethod
    def fit(
        cls,
        dependencies: Dependencies,
        margins: Margins,
        chains: Sequence[Chain],
        forest: Mixture | None,
        forest_margins: Margins,
        missing: str,
        seed: int,
    ) -> Self | None:
        """Find how far each part agrees; None where there are no rules."""
        if not len(dependencies):
            return None
        agreements, gaps = [], missing == "event"
        for k, chain in enumerate(chains):
            v = np.random.default_rng([seed, k]).random((N_DRAWS, len(margins.schema)))
            drawn = margins.decode(chain.decode(v))
            agreements.append(agreement_of_draws(dependencies.rows(drawn, gaps), margins))
        if forest is not None:
            agreements.append(RuledDensity(dependencies, forest_margins, forest, gaps).agreement)
        return cls(dependencies, agreements, gaps)

    def of_parts(self, kept: NDArray[np.bool_]) -> Self:
        """Return the rules of some of the parts."""
        return replace(self, agreements=[a for a, used in zip(self.agreements, kept, strict=True) if used])

    def rows(self, columns: Columns, held_out: bool = False) -> RuledRows:
        """Return the rows of a table beside the rules; held-out ones without what is known by them alone."""
        of_rows = self.dependencies.training_rows if held_out else self.dependencies.rows
        return of_rows(columns, self.gaps)

    def log_agreements(self, rows: RuledRows) -> NDArray[np.float64]:
        """Return what each part's log-density of rows is too low by: (n_rows, n_parts)."""
        return np.stack([rows.log_agreement(agreement) for agreement in self.agreements], axis=1)

    def sample_chain(
        self,
        points: Callable[[int], NDArray[np.float64]],
        n_rows: int,
        margins: Margins,
        rng: np.random.Generator,
    ) -> Columns:
        """Draw rows of a chain; `points` draws so many of the cube."""

        def draw(n: int) -> Columns:
            return margins.decode(known_points(points, n, margins))

        return draw_by_rules(draw, n_rows, self.dependencies, margins, rng)

    def sample_forest(
        self, forest: Mixture, n_rows: int, margins: Margins, rng: np.random.Generator
    ) -> Columns:
        """Draw rows of the forest."""
        return RuledDensity(self.dependencies, margins, forest, gaps=True).sample(n_rows, rng)

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {
            "dependencies": self.dependencies.to_state(),
            "agreements": [agreement.to_state() for agreement in self.agreements],
            "gaps": self.gaps,
        }

    @classmethod
    def from_state(cls, state: State, schema: Schema, n_parts: int) -> Self:
        """Read what `to_state` gave, after checking it."""
        dependencies, gaps = Dependencies.from_state(state, "dependencies", schema), state.flag("gaps")
        components = dependencies.components(gaps)
        children = state.children("agreements", n_parts)
        return cls(dependencies, [Agreement.from_state(child, components) for child in children], gaps)
