"""One typed column."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.kind import Kind
from boxwood.columns.source import Source

__all__ = ["MISSING_CODE", "Column", "Field", "Label"]

MISSING_CODE = -1

Label = str | int | float | bool
"""What a category may be; anything else is kept as its ``str``."""


@dataclass(frozen=True, slots=True)
class Field:
    """A column's name, kind and, for coded kinds, its categories in order.

    The source, where it is known, says how the column looked in its table. Fields that differ in nothing else
    are equal: the container does not matter.
    """

    name: str
    kind: Kind
    categories: tuple[Label, ...] = ()
    source: Source | None = field(default=None, compare=False, repr=False)

    def __setstate__(self, state: list[Any]) -> None:
        # skops writes an enumerated string as the string that it is.
        for name, value in zip(("name", "kind", "categories", "source"), state, strict=True):
            object.__setattr__(self, name, Kind(value) if name == "kind" else value)


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A field and its values.

    Attributes
    ----------
    field : Field
    values : ndarray
        float64 with NaN for missing where ``kind.is_number`` (datetimes as microseconds since 1970
        in UTC), else int32 codes into ``field.categories``: −1 missing, ``len(categories)`` a category
        that the field does not know.
    n_missing : int
    """

    field: Field
    values: NDArray[Any]
    n_missing: int

    @property
    def name(self) -> str:
        """The field's name."""
        return self.field.name

    @property
    def kind(self) -> Kind:
        """The field's kind."""
        return self.field.kind

    def with_source(self, source: Source | None) -> Column:
        """Return the same column with another source."""
        return Column(replace(self.field, source=source), self.values, self.n_missing)

    def renamed(self, name: str) -> Column:
        """Return the same column under another name."""
        return Column(replace(self.field, name=name), self.values, self.n_missing)

    def missing(self) -> NDArray[np.bool_]:
        """Return the mask of missing values."""
        return np.isnan(self.values) if self.kind.is_number else self.values == MISSING_CODE

    def numbers(self) -> NDArray[np.float64]:
        """Return the values as float64: codes of ordinals and booleans become numbers, missing NaN."""
        if self.kind.is_number:
            return self.values
        numbers = self.values.astype(np.float64)
        numbers[self.values == MISSING_CODE] = np.nan
        return numbers
