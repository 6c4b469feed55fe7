"""Densities that keep to rules: what trees, forests and boosted densities share about them."""

from __future__ import annotations

from typing import Any

import numpy as np

from boxwood.columns import Columns
from boxwood.density.base import DensityEstimator
from boxwood.dependencies import Dependencies, Dependency, find_dependencies, with_exceptions
from boxwood.evidence import Evidence
from boxwood.margins import Margins
from boxwood.parameters import Choice, Parameter, declare

__all__ = ["DEPENDENCIES", "DependentDensity"]


DEPENDENCIES = Parameter(
    "dependencies",
    Choice("auto") | None,
    '"auto" finds columns that follow from others without exception, and whose gaps do: scores know '
    "them and samples keep to them; `dependencies_` lists them. None looks for none.",
)


class DependentDensity(DensityEstimator):
    """A density that knows which columns follow from others.

    A subclass finds them in ``fit`` by `_find_dependencies` and keeps them as ``_dependencies``; its
    ``_score`` and ``_sample`` keep to them.
    """

    _parameters = declare(DEPENDENCIES)

    dependencies: str | None
    _dependencies: Dependencies

    @property
    def dependencies_(self) -> list[Dependency]:
        """The columns that follow from others."""
        if "_dependencies" not in self.__dict__:
            raise AttributeError(f"this {type(self).__name__} is not fitted yet")
        return self._dependencies.described()

    def sample(self, n_samples: int = 1, random_state: Any = None, *, rules: bool = True) -> Any:
        """Simulate rows.

        Parameters
        ----------
        n_samples : int, default=1
        random_state : int, RandomState, Generator or None, default=None
        rules : bool, default=True
            Whether every row keeps to `dependencies_`. Else a rule is broken as often as scores have it: in
            a fraction 1 / (support + 2) of the rows.

        Returns
        -------
        array or frame
            Rows like those of the fitted table, in the same container, with its types and its decimals.
        """
        draw = self._sample if rules else self._sample_with_exceptions
        return self._simulate(n_samples, random_state, draw)

    def _sample_with_exceptions(self, n_samples: int, rng: np.random.Generator) -> Columns:
        margins: Margins = self.margins_
        return with_exceptions(self._sample(n_samples, rng), self._dependencies, margins, rng)

    def _find_dependencies(self, evidence: Evidence) -> Dependencies:
        if self.dependencies is None:
            return Dependencies(evidence.columns.schema, [])
        return find_dependencies(evidence)

    def _get_dependencies_state(self) -> dict[str, Any]:
        return {"dependencies": self._dependencies.to_state()} if len(self._dependencies) else {}

    @classmethod
    def _updated_params(cls, params: dict[str, Any]) -> dict[str, Any]:
        # Files of before rules were looked for hold models that know none.
        return {"dependencies": None, **super()._updated_params(params)}
