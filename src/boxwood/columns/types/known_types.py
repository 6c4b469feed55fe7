"""Which words are types of a library's columns: a model file may claim any."""

from __future__ import annotations

import re
from typing import Any

from boxwood.columns.source import TypeName

__all__ = ["is_type"]

_NUMBERS = re.compile(r"bool|u?int(8|16|32|64)|float(16|32|64)")
_OF_PYARROW = re.compile(_NUMBERS.pattern + r"|string|large_string|string_view|null")
_OF_POLARS = re.compile(_NUMBERS.pattern + r"|u?int128|string|date|null|enum|categorical")
_INDICES = re.compile(r"u?int(8|16|32|64)")
_ZONE = re.compile(r"[\w+\-/:.() ]{1,64}")
_UNITS = ("s", "ms", "us", "ns")
_HELD = ("string", "boolean", "integer", "float", "date", "timedelta", "Timedelta")


def is_type(name: TypeName, container: str) -> bool:
    """Return whether a type in words is one of a container's, or of any library for other containers.

    Examples
    --------
    >>> is_type(("masked", ("int8",)), "pandas"), is_type(("masked", ("int7",)), "pandas")
    (True, False)
    """
    if not name or not isinstance(name[0], str):
        return not name
    libraries = {"pandas": _is_of_pandas, "polars": _is_of_polars, "pyarrow": _is_of_pyarrow}
    if container in libraries:
        return libraries[container](name)
    return any(check(name) for check in libraries.values())


def _is_of_pandas(name: Any) -> bool:
    word, arguments = name[0], name[1:]
    if word in ("arrow", "masked", "sparse", "category") and not (arguments and _is_name(arguments[0])):
        return False
    if word == "arrow":
        return len(arguments) == 1 and _is_of_pyarrow(arguments[0])
    if word == "masked":
        return len(arguments) == 1 and _is_plain(arguments[0], _NUMBERS)
    if word == "sparse":
        filled = len(arguments) == 2 and (arguments[1] is None or _is_float(arguments[1]))
        return filled and _is_plain(arguments[0], _NUMBERS)
    if word == "category":
        return len(arguments) == 2 and isinstance(arguments[1], bool) and _is_of_pandas(arguments[0])
    if word == "string":
        return len(arguments) == 2 and arguments[0] in ("python", "pyarrow") and arguments[1] in ("NA", "nan")
    return (word == "object" and _are_objects(arguments)) or _is_time(name) or _is_plain(name, _NUMBERS)


def _is_of_pyarrow(name: Any) -> bool:
    word, arguments = name[0], name[1:]
    if word == "dictionary":
        whole = len(arguments) == 3 and _is_name(arguments[0]) and _is_name(arguments[1])
        return (
            whole
            and isinstance(arguments[2], bool)
            and _is_plain(arguments[0], _INDICES)
            and _is_of_pyarrow(arguments[1])
        )
    if word == "date":
        return arguments in ((32,), (64,))
    if word == "decimal":
        digits = {32: 9, 64: 18, 128: 38, 256: 76}
        return (
            len(arguments) == 3
            and arguments[2] in digits
            and _is_decimal(arguments[:2], digits[arguments[2]])
        )
    return _is_time(name) or _is_plain(name, _OF_PYARROW)


def _is_of_polars(name: Any) -> bool:
    word, arguments = name[0], name[1:]
    if word == "object":
        return _are_objects(arguments)
    if word == "decimal":
        return len(arguments) == 2 and _is_decimal(arguments, 38)
    if word == "categorical" and arguments:
        texts = len(arguments) == 3 and all(isinstance(part, str) for part in arguments)
        return texts and arguments[2] in ("uint8", "uint16", "uint32")
    return _is_time(name) or _is_plain(name, _OF_POLARS)


def _is_name(part: Any) -> bool:
    return isinstance(part, tuple) and bool(part) and isinstance(part[0], str)


def _is_plain(name: TypeName, words: re.Pattern[str]) -> bool:
    return len(name) == 1 and isinstance(name[0], str) and words.fullmatch(name[0]) is not None


def _is_time(name: TypeName) -> bool:
    if name[0] == "datetime":
        return len(name) == 3 and name[1] in _UNITS and _is_zone(name[2])
    return name[0] == "duration" and len(name) == 2 and name[1] in _UNITS


def _is_zone(part: Any) -> bool:
    return part is None or (isinstance(part, str) and _ZONE.fullmatch(part) is not None)


def _is_decimal(digits: TypeName, most: int) -> bool:
    precision, scale = digits
    return (
        type(precision) is int and type(scale) is int and 1 <= precision <= most and 0 <= scale <= precision
    )


def _is_float(text: Any) -> bool:
    try:
        float(text)
    except (TypeError, ValueError):
        return False
    return True


def _are_objects(arguments: TypeName) -> bool:
    """Return whether these are what `name_of_objects` tells of the values of an object column."""
    if not arguments:
        return True
    held, *more = arguments
    if held in ("datetime", "Timestamp"):
        return len(more) == 1 and _is_zone(more[0])
    if held == "decimal":
        return len(more) == 1 and type(more[0]) is int and 0 <= more[0] <= 100
    return held in _HELD and not more
