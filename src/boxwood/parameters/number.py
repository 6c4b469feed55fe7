"""Kinds of parameters that are numbers between bounds."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass

from boxwood.parameters.kind import Kind
from boxwood.parameters.shown import shown

__all__ = ["Integer", "Real"]

LARGE = 2**31 - 1
"""From here on an upper bound is the machine's and no docstring's business."""


@dataclass(frozen=True)
class Integer(Kind):
    """An integer from `low` to `high`.

    Examples
    --------
    >>> Integer(1).text, Integer(1, 256).text
    ('int ≥ 1', 'int in [1, 256]')
    """

    low: int
    high: float = math.inf

    @property
    def text(self) -> str:
        """The type and its bounds."""
        return f"int ≥ {self.low}" if self.high >= LARGE else f"int in [{self.low}, {self.high}]"

    @property
    def words(self) -> str:
        """The type alone."""
        return "an integer"

    def takes(self, value: object) -> bool:
        """Return whether `value` is an integer, and no bool."""
        return not isinstance(value, bool) and isinstance(value, numbers.Integral)

    def check(self, where: str, value: object) -> None:
        """Raise unless `value` is an integer from `low` to `high`."""
        if isinstance(value, bool) or not isinstance(value, numbers.Integral):
            raise TypeError(f"{where} must be an integer; got {shown(value)}.")
        if not self.low <= int(value) <= self.high:
            limits = f"at least {self.low}" if math.isinf(self.high) else f"from {self.low} to {self.high}"
            raise ValueError(f"{where} must be {limits}; got {shown(value)}.")


@dataclass(frozen=True)
class Real(Kind):
    """A number from `low` to `high`, either of which may be left out; finite, unless `infinite` allows ∞.

    Examples
    --------
    >>> Real(0.0, 1.0, open_low=True).text, Real(0.0).text, Real().text
    ('float in (0, 1]', 'float ≥ 0', 'float')
    """

    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False
    infinite: bool = False

    @property
    def text(self) -> str:
        """The type and its bounds."""
        if math.isfinite(self.high):
            return f"float in {self._interval}"
        return f"float {'>' if self.open_low else '≥'} {self.low:g}" if math.isfinite(self.low) else "float"

    @property
    def words(self) -> str:
        """The type alone."""
        return "a number"

    def takes(self, value: object) -> bool:
        """Return whether `value` is a number, and no bool."""
        return not isinstance(value, bool) and isinstance(value, numbers.Real)

    def check(self, where: str, value: object) -> None:
        """Raise unless `value` is a number in the interval."""
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise TypeError(f"{where} must be a number; got {shown(value)}.")
        number = _as_float(value)
        above = number > self.low if self.open_low else number >= self.low
        below = number < self.high if self.open_high else number <= self.high
        if not (above and below and (self.infinite or math.isfinite(number))):
            raise ValueError(f"{where} must lie in {self._interval}; got {shown(value)}.")

    @property
    def _interval(self) -> str:
        end = (
            f"{self.high:g}{')' if self.open_high else ']'}"
            if math.isfinite(self.high)
            else f"∞{']' if self.infinite else ')'}"
        )
        return f"{'(' if self.open_low else '['}{self.low:g}, {end}"


def _as_float(value: numbers.Real) -> float:
    try:
        return float(value)
    except OverflowError:  # an integer of 400 digits
        return math.inf
