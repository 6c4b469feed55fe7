"""How strong a logistic regression is penalised, and which solvers can do it."""

from __future__ import annotations

import math
import numbers
import warnings
from dataclasses import dataclass
from typing import Any

from boxwood.parameters import shown

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
    """Read `C`, `l1_ratio` and `penalty`, in scikit-learn's words old and new; raise where they cannot be."""
    C = _number(estimator, "C", 0.0, math.inf)
    if C == 0.0:
        raise ValueError(f"{type(estimator).__name__}: C must be positive; got {shown(estimator.C)}.")
    penalty, ratio = estimator.penalty, estimator.l1_ratio
    if ratio is not None:
        ratio = _number(estimator, "l1_ratio", 0.0, 1.0)
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
    if penalty not in ("l1", "l2"):
        raise ValueError(
            f"{type(estimator).__name__}: penalty must be 'l1', 'l2', 'elasticnet' or None; "
            f"got {shown(penalty)}."
        )
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


def _number(estimator: Any, name: str, low: float, high: float) -> float:
    value = getattr(estimator, name)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{type(estimator).__name__}: {name} must be a number; got {shown(value)}.")
    if not low <= float(value) <= high:
        raise ValueError(
            f"{type(estimator).__name__}: {name} must lie in [{low:g}, {high:g}]; got {shown(value)}."
        )
    return float(value)
