"""How strong a logistic regression is penalised, and which solvers can do it."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

__all__ = ["Penalty", "read_penalty"]


@dataclass(frozen=True)
class Penalty:
    """Inverse strength and fraction of absolute values.

    Attributes
    ----------
    C : float
        Infinite for none.
    l1_ratio : float
    """

    C: float
    l1_ratio: float

    def ridge(self, weight: float) -> float:
        """Return the factor of half the squared coefficients, for a mean over that weight."""
        return (1.0 - self.l1_ratio) / (self.C * weight) if math.isfinite(self.C) else 0.0

    def lasso(self, weight: float) -> float:
        """Return the factor of the absolute coefficients."""
        return self.l1_ratio / (self.C * weight) if math.isfinite(self.C) else 0.0


def read_penalty(estimator: Any) -> Penalty:
    """Read `C`, `l1_ratio` and `penalty`, in scikit-learn's words old and new; raise for contradictions."""
    C, penalty = float(estimator.C), estimator.penalty
    ratio = None if estimator.l1_ratio is None else float(estimator.l1_ratio)
    if penalty == "deprecated":
        return Penalty(C, ratio or 0.0)
    if penalty is None:
        if C != 1.0:
            warnings.warn("Setting penalty=None will ignore the C and l1_ratio parameters", stacklevel=4)
        return Penalty(math.inf, 0.0)
    if penalty == "elasticnet":
        if ratio is None:
            raise ValueError("l1_ratio must be given with penalty='elasticnet'.")
        return Penalty(C, ratio)
    _warn_of_ratio(penalty, ratio)
    return Penalty(C, 1.0 if penalty == "l1" else 0.0)


def _warn_of_ratio(penalty: str, ratio: float | None) -> None:
    if ratio is not None and 0.0 < ratio < 1.0:
        warnings.warn(
            f"l1_ratio parameter is only used when penalty is 'elasticnet'. Got (penalty={penalty})",
            stacklevel=5,
        )
    elif penalty == "l2" and ratio == 1.0:
        warnings.warn(
            f"Inconsistent values: penalty={penalty} with l1_ratio={ratio}. The penalty counts.", stacklevel=5
        )
