"""Answers that say how sure they are: numbers with a standard error, and arrays of them."""

from __future__ import annotations

import math
from typing import Any, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray

__all__ = ["Answer", "Answers"]


class Answer(float):
    """A number like any other, which knows how sure it is.

    Attributes
    ----------
    standard_error : float
        0 where the answer is exact.
    effective_sample_size : float
        How many rows of the model itself the weighed draws are worth; infinite where the answer is exact.
    exact : bool

    Examples
    --------
    >>> half = Answer.weighed(0.5, 0.01, 2500.0)
    >>> half, half + 1, half.standard_error, half.exact
    (0.5, 1.5, 0.01, False)
    >>> Answer(0.5).exact
    True
    """

    standard_error: float = 0.0
    effective_sample_size: float = math.inf
    exact: bool = True

    @classmethod
    def weighed(
        cls, value: float, standard_error: float, effective_sample_size: float, exact: bool = False
    ) -> Self:
        """Return an answer that was estimated."""
        made = cls(value)
        if not exact:
            made.standard_error = float(standard_error)
            made.effective_sample_size = float(effective_sample_size)
            made.exact = False
        return made

    def root(self) -> Answer:
        """Return the square root, with the error that follows."""
        value = math.sqrt(self)
        error = 0.5 * self.standard_error / value if value > 0.0 else 0.0
        return Answer.weighed(value, error, self.effective_sample_size, self.exact)


class Answers(np.ndarray[Any, np.dtype[Any]]):
    """An array of answers; its elements are `Answer`, what is computed from it is a plain array.

    Attributes
    ----------
    standard_error : ndarray
        Of the same shape; of dates in seconds.
    effective_sample_size : float
    exact : bool

    Examples
    --------
    >>> ends = Answers.of([0.1, 0.9], [0.01, 0.02], 400.0)
    >>> ends[1].standard_error, ends.exact, type(ends + 1).__name__
    (0.02, False, 'ndarray')
    """

    standard_error: NDArray[np.float64]
    effective_sample_size: float
    exact: bool

    @classmethod
    def of(
        cls,
        values: Any,
        standard_error: Any = 0.0,
        effective_sample_size: float = math.inf,
        exact: bool = False,
    ) -> Answers:
        """Return values with their standard errors."""
        made = np.asarray(values).view(cls)
        made.standard_error = np.broadcast_to(np.asarray(standard_error, dtype=np.float64), made.shape)
        made.effective_sample_size, made.exact = float(effective_sample_size), exact
        return made

    @classmethod
    def exactly(cls, values: Any) -> Answers:
        """Return values that are exact."""
        return cls.of(values, exact=True)

    @classmethod
    def joined(cls, answers: list[Answer]) -> Answers:
        """Return single answers as an array; it is as sure as the least sure of them."""
        size = min((one.effective_sample_size for one in answers), default=math.inf)
        exact = all(one.exact for one in answers)
        values = np.array([float(one) for one in answers])
        return cls.of(values, [one.standard_error for one in answers], size, exact)

    def __getitem__(self, key: Any) -> Any:
        """Return answers; a single number as an `Answer`."""
        found = np.asarray(self)[key]
        if isinstance(found, np.ndarray):
            errors = self.standard_error[key]
            return Answers.of(found, errors, self.effective_sample_size, self.exact)
        if not isinstance(found, np.floating):
            return found
        error = float(self.standard_error[key])
        return Answer.weighed(float(found), error, self.effective_sample_size, self.exact)

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        plain = np.asarray(array)
        return plain[()] if plain.ndim == 0 else plain

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        return np.asarray(self).__reduce_ex__(protocol)
