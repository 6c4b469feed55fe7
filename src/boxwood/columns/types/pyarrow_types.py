"""Types of pyarrow in words, and back."""

from __future__ import annotations

import re
from typing import Any

from boxwood.columns.source import TypeName

__all__ = ["name_of_pyarrow", "pyarrow_type"]

_PLAIN = re.compile(r"u?int(8|16|32|64)|float(16|32|64)|bool|string|large_string|string_view|null")
_TO_NAME = {"halffloat": "float16", "float": "float32", "double": "float64"}


def name_of_pyarrow(dtype: Any) -> TypeName:
    """Return a type of pyarrow in words, empty for one that boxwood gives back as another.

    Examples
    --------
    >>> import pyarrow as pa
    >>> name_of_pyarrow(pa.dictionary(pa.int8(), pa.string()))
    ('dictionary', ('int8',), ('string',), False)
    """
    import pyarrow as pa

    text = _TO_NAME.get(str(dtype), str(dtype))
    if _PLAIN.fullmatch(text):
        return (text,)
    if pa.types.is_dictionary(dtype):
        index, values = name_of_pyarrow(dtype.index_type), name_of_pyarrow(dtype.value_type)
        return ("dictionary", index, values, bool(dtype.ordered)) if values else ()
    if pa.types.is_timestamp(dtype):
        return ("datetime", dtype.unit, dtype.tz)
    if pa.types.is_date(dtype):
        return ("date", dtype.bit_width)
    if pa.types.is_duration(dtype):
        return ("duration", dtype.unit)
    if pa.types.is_decimal(dtype):
        return ("decimal", dtype.precision, dtype.scale, dtype.bit_width)
    return ()


def pyarrow_type(name: TypeName) -> Any:
    """Return the type of pyarrow that `name_of_pyarrow` put into words."""
    import pyarrow as pa

    word, *arguments = name
    if _PLAIN.fullmatch(word):
        return getattr(pa, "bool_" if word == "bool" else word)()
    if word == "dictionary":
        index, values, ordered = arguments
        return pa.dictionary(pyarrow_type(index), pyarrow_type(values), ordered)
    if word == "datetime":
        return pa.timestamp(*arguments)
    if word == "date":
        return pa.date32() if arguments[0] == 32 else pa.date64()
    if word == "duration":
        return pa.duration(*arguments)
    if word == "decimal":
        precision, scale, bits = arguments
        return getattr(pa, f"decimal{bits:d}")(precision, scale)
    raise ValueError(f"pyarrow has no type {word!r}; the model file may be of a newer version.")
