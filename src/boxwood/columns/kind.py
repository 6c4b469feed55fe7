"""The kinds of column that a table can have."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Kind"]


class Kind(StrEnum):
    """What the values of a column mean.

    Examples
    --------
    >>> from boxwood.columns import Kind
    >>> Kind("integer").is_number, Kind.BOOLEAN.is_number
    (True, False)
    """

    NUMERIC = "numeric"
    INTEGER = "integer"
    ORDINAL = "ordinal"
    CATEGORICAL = "categorical"
    BOOLEAN = "boolean"
    DATETIME = "datetime"

    @property
    def is_number(self) -> bool:
        """True where values are float64 (NaN where missing), False where they are category codes."""
        return self in (Kind.NUMERIC, Kind.INTEGER, Kind.DATETIME)
