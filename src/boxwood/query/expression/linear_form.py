"""Sums of columns with coefficients, reckoned exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

__all__ = ["LinearForm"]

_MOST_BITS = 4096


@dataclass(frozen=True, slots=True)
class LinearForm:
    """A constant and multiples of columns, by position; columns that cancel out keep the coefficient 0.

    Fractions keep 0.3 / 0.1 at 3, where floats would make it 2.9999999999999996.

    Examples
    --------
    >>> x, three = LinearForm(Fraction(0), {0: Fraction(1)}), LinearForm(Fraction(3))
    >>> x.plus(three, -1).times(three).coefficients
    {0: Fraction(3, 1)}
    """

    constant: Fraction
    coefficients: dict[int, Fraction] | None = None

    @property
    def terms(self) -> dict[int, Fraction]:
        """The coefficients by column."""
        return self.coefficients or {}

    def plus(self, other: LinearForm, sign: int) -> LinearForm:
        """Return the sum of two forms, or their difference for the sign −1."""
        terms = dict(self.terms)
        for j, coefficient in other.terms.items():
            terms[j] = terms.get(j, Fraction(0)) + sign * coefficient
        return LinearForm(self.constant + sign * other.constant, terms)._checked()

    def times(self, other: LinearForm) -> LinearForm:
        """Return the product of two forms, of which one must be a constant."""
        form, factor = (self, other) if not other.terms else (other, self)
        if factor.terms:
            raise ArithmeticError("columns cannot be multiplied with each other, only with numbers.")
        return form._scaled(factor.constant)

    def over(self, other: LinearForm) -> LinearForm:
        """Return the form divided by a constant."""
        if other.terms:
            raise ArithmeticError("only numbers can be divided by, not columns.")
        if not other.constant:
            raise ArithmeticError("this divides by zero.")
        return self._scaled(1 / other.constant)

    def _scaled(self, factor: Fraction) -> LinearForm:
        terms = {j: coefficient * factor for j, coefficient in self.terms.items()}
        return LinearForm(self.constant * factor, terms)._checked()

    def _checked(self) -> LinearForm:
        for number in (self.constant, *self.terms.values()):
            if number.numerator.bit_length() + number.denominator.bit_length() > _MOST_BITS:
                raise ArithmeticError("this number is too long to calculate with.")
        return self
