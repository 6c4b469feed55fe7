"""Types of polars in words, and back."""

from __future__ import annotations

import re
from typing import Any

from boxwood.columns.source import TypeName
from boxwood.columns.types.object_types import known_zone

__all__ = ["name_of_polars", "polars_type"]

_PLAIN = re.compile(r"U?Int(8|16|32|64|128)|Float(16|32|64)|Boolean|String|Date|Null|Object")
_TO_NAME = {"Boolean": "bool", "Date": "date", "Null": "null"}
_TO_CLASS = {name: known for known, name in _TO_NAME.items()} | {"string": "String", "object": "Object"}


def name_of_polars(dtype: Any) -> TypeName:
    """Return a type of polars in words, empty for one that boxwood gives back as another.

    Examples
    --------
    >>> import polars as pl
    >>> name_of_polars(pl.Datetime("ms", "Europe/Berlin"))
    ('datetime', 'ms', 'Europe/Berlin')
    """
    import polars as pl

    if _PLAIN.fullmatch(str(dtype)):
        return (_TO_NAME.get(str(dtype), str(dtype).lower()),)
    if isinstance(dtype, pl.Datetime):
        return ("datetime", dtype.time_unit, dtype.time_zone)
    if isinstance(dtype, pl.Duration):
        return ("duration", dtype.time_unit)
    if isinstance(dtype, pl.Decimal):
        return ("decimal", 38 if dtype.precision is None else dtype.precision, dtype.scale)
    if isinstance(dtype, pl.Enum):
        return ("enum",)
    if isinstance(dtype, pl.Categorical):
        if dtype == pl.Categorical():
            return ("categorical",)
        codes = dtype.categories
        return ("categorical", codes.name(), codes.namespace(), str(codes.physical()).lower())
    return ()


def polars_type(name: TypeName, categories: list[str]) -> Any:
    """Return the type of polars that `name_of_polars` put into words; an Enum has these categories."""
    import polars as pl

    word, *arguments = name
    if word == "datetime":
        unit, zone = arguments
        return pl.Datetime(unit, zone if zone is None else known_zone(zone))
    if word == "duration":
        return pl.Duration(*arguments)
    if word == "decimal":
        return pl.Decimal(*arguments)
    if word == "enum":
        return pl.Enum(categories)
    if word == "categorical":
        return pl.Categorical(_categories(*arguments)) if arguments else pl.Categorical()
    known = _TO_CLASS.get(word) or word.replace("uint", "UInt").replace("int", "Int").replace(
        "float", "Float"
    )
    if not _PLAIN.fullmatch(known):
        raise ValueError(f"polars has no type {word!r}; the model file may be of a newer version.")
    return getattr(pl, known)()


def _categories(name: str, namespace: str, physical: str) -> Any:
    import polars as pl

    return pl.Categories(name, namespace, polars_type((physical,), []))
