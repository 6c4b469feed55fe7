"""How a column looked in the table that it came from, beyond its kind: what comes back looks the same."""

from __future__ import annotations

import zoneinfo
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = [
    "FIRST_MICROSECOND",
    "LAST_MICROSECOND",
    "TIME_UNITS",
    "Source",
    "TypeName",
    "leaf_of",
    "limits_of",
    "shared_type",
]

# The years 1 to 9999, which every container can give back.
FIRST_MICROSECOND = -62_135_596_800_000_000
LAST_MICROSECOND = 253_402_300_799_999_999

TypeName = tuple[Any, ...]
"""A type in words: a name and its arguments, of which some are types again, as in
``("dictionary", ("int8",), ("string",), False)``. Libraries share names where they share types."""

TIME_UNITS = {
    "D": 86_400_000_000,
    "h": 3_600_000_000,
    "min": 60_000_000,
    "s": 1_000_000,
    "ms": 1_000,
    "us": 1,
}
"""Units that dates and durations are whole in, coarsest first, in microseconds."""

_WRAPPERS = ("arrow", "masked", "sparse")
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Source:
    """The type and the precision of a column where it came from.

    Attributes
    ----------
    dtype : tuple
        The type in words (see `TypeName`); empty where the container has none of its own.
    decimals : int or None
        Every number of the column has at most so many decimals; None where they have more than nine.
    unit : str or None
        Every date or duration of the column is whole in this unit (see `TIME_UNITS`).
    nullable : bool
        False where the table declares that no value is missing.
    """

    dtype: TypeName = ()
    decimals: int | None = None
    unit: str | None = None
    nullable: bool = True

    def to_json(self) -> dict[str, Any]:
        """Return what differs from a source of which nothing is known, as plain JSON values."""
        known = {"dtype": _listed(self.dtype), "decimals": self.decimals, "unit": self.unit}
        found = {key: value for key, value in known.items() if value is not None and value != []}
        return found if self.nullable else {**found, "nullable": False}

    @classmethod
    def from_json(cls, data: Any) -> Source:
        """Read what `to_json` wrote; ValueError says what is wrong with it."""
        if not isinstance(data, dict) or not set(data) <= {"dtype", "decimals", "unit", "nullable"}:
            raise ValueError("the source may hold dtype, decimals, unit and nullable")
        decimals, unit, nullable = data.get("decimals"), data.get("unit"), data.get("nullable", True)
        if decimals is not None and (type(decimals) is not int or not 0 <= decimals <= 100):
            raise ValueError(f"the source's decimals are {decimals!r}, not an integer from 0 to 100")
        if unit is not None and (not isinstance(unit, str) or unit not in TIME_UNITS):
            raise ValueError(f"the source's unit is {unit!r}, not one of {list(TIME_UNITS)}")
        if not isinstance(nullable, bool):
            raise ValueError("the source's 'nullable' must be a boolean")
        return cls(_type_name(data.get("dtype", [])), decimals, unit, nullable)


def leaf_of(dtype: TypeName) -> TypeName:
    """Return a type without the library's wrapper: that of ``("masked", ("int8",))`` is ``("int8",)``."""
    while dtype and dtype[0] in _WRAPPERS:
        dtype = dtype[1]
    return dtype


def shared_type(dtype: TypeName, container: str) -> TypeName:
    """Return the type of durations and of dates with a zone in another library, nothing of other types.

    As plain dates those with a zone would be hours off; all else has a type that its kind suggests.

    Examples
    --------
    >>> shared_type(("arrow", ("datetime", "s", "Europe/Berlin")), "polars"), shared_type(("int8",), "polars")
    (('datetime', 'ms', 'Europe/Berlin'), ())
    """
    word, *arguments = leaf_of(dtype) or ("",)
    if word == "object" and arguments:  # Python's own dates and durations
        word, arguments = arguments[0], ["us", *arguments[1:]]
    if word in ("duration", "timedelta", "Timedelta"):
        return ("duration", _unit_in(container, arguments[0]))
    if word in ("datetime", "Timestamp") and arguments[1] is not None:
        return ("datetime", _unit_in(container, arguments[0]), _region(arguments[1]))
    return ()


def _unit_in(container: str, unit: str) -> str:
    return "ms" if container == "polars" and unit == "s" else unit  # polars has no seconds


def _region(zone: str) -> str:
    """Return the name of a region's zone; plain offsets have another name in each library, and become UTC."""
    try:
        return zoneinfo.ZoneInfo(zone).key
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return "UTC"


def limits_of(dtype: TypeName) -> tuple[float, float] | None:
    """Return the smallest and the largest number that a column of this type holds, None where it holds all.

    Dates are in microseconds since 1970, as in `Column`, durations in seconds.

    Examples
    --------
    >>> limits_of(("masked", ("uint8",))), limits_of(("decimal", 4, 1)), limits_of(("float64",))
    ((0.0, 255.0), (-999.9, 999.9), None)
    """
    leaf = leaf_of(dtype)
    name = leaf[0] if leaf else ""
    if name.startswith(("int", "uint")):
        return _integer_limits(name)
    if name in ("float16", "float32"):
        largest = float(np.finfo(name).max)
        return -largest, largest
    if name == "decimal":
        largest = (10 ** leaf[1] - 1) / 10 ** leaf[2]
        return -largest, largest
    if name == "datetime" and leaf[1] == "ns":  # the years 1678 to 2261
        return -9.22e15, 9.22e15
    if name in ("datetime", "date"):
        return float(FIRST_MICROSECOND), float(LAST_MICROSECOND - 999_999)
    if name == "duration":
        ticks = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}[leaf[1]]
        return -9.2e18 / ticks, 9.2e18 / ticks
    return None


def _integer_limits(name: str) -> tuple[float, float]:
    bits = min(int(name.removeprefix("u").removeprefix("int")), 64)
    if name.startswith("u"):
        return 0.0, float(min(2**bits - 1, 2**53))
    return float(max(-(2 ** (bits - 1)), -(2**53))), float(min(2 ** (bits - 1) - 1, 2**53))


def _listed(dtype: TypeName) -> list[Any]:
    return [_listed(part) if isinstance(part, tuple) else part for part in dtype]


def _type_name(data: Any, depth: int = 0) -> TypeName:
    if not isinstance(data, list) or len(data) > 8 or depth > _DEEPEST:
        raise ValueError("the source's dtype must be a short list")
    if (data or depth) and not (data and isinstance(data[0], str)):
        raise ValueError("the source's dtype must begin with a name")
    if not all(part is None or isinstance(part, str | int | list) for part in data):
        raise ValueError("the source's dtype must hold names and integers")
    return tuple(_type_name(part, depth + 1) if isinstance(part, list) else part for part in data)
