"""The margin of a categorical, ordinal or boolean column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import MISSING_CODE
from boxwood.model_file import State

__all__ = ["CategoryMargin"]


@dataclass(frozen=True, eq=False)
class CategoryMargin:
    """A map of category codes onto intervals of [0, 1], in the order of the categories.

    Attributes
    ----------
    mass : ndarray of shape (n_categories,)
        Probability of each category.
    unseen_mass : float
        Probability of a category that was not in the fitted table; 0 for booleans, which have none.
    missing_mass : float
        Probability of a missing value. Its interval lies at the top, that of unseen ones below it.
    """

    mass: NDArray[np.float64]
    unseen_mass: float
    missing_mass: float = 0.0

    @property
    def masses(self) -> NDArray[np.float64]:
        """Probability by code: the categories, unseen, missing (code −1 is the last entry)."""
        return np.concatenate([self.mass, [self.unseen_mass, self.missing_mass]])

    @property
    def knots(self) -> NDArray[np.float64]:
        """Where the intervals meet, ascending, from 0 to 1."""
        inner = self._upper[self.masses > 0.0][:-1]
        return np.concatenate([[0.0], inner, [1.0]])

    @property
    def is_continuous(self) -> bool:
        """False: a category is never cut."""
        return False

    @property
    def _upper(self) -> NDArray[np.float64]:
        """Upper end of each interval, of which sums may round to more than 1."""
        return np.minimum(np.cumsum(self.masses), 1.0)

    def encode(self, codes: NDArray[np.int32], out: NDArray[np.float64]) -> None:
        """Write the middle of each code's interval to `out`; NaN for missing where none is modelled."""
        middles = self._upper - 0.5 * self.masses
        if not self.missing_mass:
            middles[-1] = np.nan
        out[:] = middles[codes]

    def log_derivative(self, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the logarithm of each category's probability; NaN for missing."""
        with np.errstate(divide="ignore"):
            logs = np.log(self.masses)
        logs[-1] = np.nan
        return logs[codes]

    def decode(self, u: NDArray[np.float64]) -> NDArray[np.int32]:
        """Return the code at each u: never an unseen category, whose interval falls to the last known one.

        That is the neighbour, so that a point of a box decodes into the box. Where no category is known
        there is only missing.
        """
        upper = self._upper
        known = len(self.mass)
        codes = np.searchsorted(upper[:known], u, side="right").clip(max=known - 1).astype(np.int32)
        if self.missing_mass:
            codes[u >= upper[known]] = MISSING_CODE
        codes[np.isnan(u)] = MISSING_CODE
        return codes

    def is_unseen(self, u: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which u lie in the interval of unseen categories, its lower end in it."""
        low = self._upper[len(self.mass) - 1] if len(self.mass) else 0.0
        return np.asarray((u >= low) & (u < self._upper[len(self.mass)]))

    def parts(self) -> tuple[NDArray[np.float64], float, float]:
        """Return what the native core makes the map of."""
        return self.mass, self.unseen_mass, self.missing_mass

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        return {
            "kind": "category",
            "mass": self.mass,
            "unseen_mass": self.unseen_mass,
            "missing_mass": self.missing_mass,
        }

    @classmethod
    def from_state(cls, state: State, n_categories: int, closed: bool) -> CategoryMargin:
        """Read what `to_state` gave, after checking that it is a distribution with no impossible value."""
        mass = state.array("mass", np.float64, (n_categories,), low=0.0, high=1.0)
        if not mass.all():
            raise state.error("mass", "holds a category of probability zero")
        unseen = state.number("unseen_mass", low=0.0, high=0.0 if closed else 1.0)
        missing = state.number("missing_mass", low=0.0, high=1.0)
        total = float(mass.sum()) + unseen + missing
        if abs(total - 1.0) > 1e-9:
            raise state.error("mass", f"sums to {total} with unseen and missing, not to 1")
        return cls(mass, unseen, missing)
