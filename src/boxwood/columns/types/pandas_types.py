"""Types of pandas in words, and back."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from boxwood.columns.source import TypeName, leaf_of
from boxwood.columns.types.pyarrow_types import name_of_pyarrow, pyarrow_type

__all__ = ["name_of_pandas", "numpy_name", "pandas_type", "zone_is_known"]

_TIMES = re.compile(r"(datetime|timedelta)64\[(s|ms|us|ns)\]")


def name_of_pandas(dtype: Any) -> TypeName:
    """Return a type of pandas in words, empty for one that boxwood gives back as another.

    What an object column holds is told by its values, not by its type (see `object_types`).

    Examples
    --------
    >>> import pandas as pd
    >>> name_of_pandas(pd.Int8Dtype()), name_of_pandas(pd.CategoricalDtype([3, 5], ordered=True))
    (('masked', ('int8',)), ('category', ('int64',), True))
    """
    import pandas as pd

    if isinstance(dtype, np.dtype):
        return numpy_name(dtype)
    if isinstance(dtype, pd.ArrowDtype):
        inner = name_of_pyarrow(dtype.pyarrow_dtype)
        return ("arrow", inner) if inner else ()
    if isinstance(dtype, pd.StringDtype):
        return ("string", dtype.storage, "nan" if dtype.na_value is not pd.NA else "NA")
    if isinstance(dtype, pd.CategoricalDtype):
        inner = name_of_pandas(dtype.categories.dtype)
        # Categories that are dates or durations are kept as their text.
        kept = inner and leaf_of(inner)[0] not in ("date", "datetime", "duration", "decimal")
        return ("category", inner, bool(dtype.ordered)) if kept else ()
    if isinstance(dtype, pd.DatetimeTZDtype):
        return ("datetime", dtype.unit, str(dtype.tz)) if zone_is_known(str(dtype.tz)) else ()
    if isinstance(dtype, pd.SparseDtype):
        return _sparse_name(dtype)
    if hasattr(dtype, "numpy_dtype"):  # masked: Int8, Float32, boolean, …
        return ("masked", numpy_name(dtype.numpy_dtype))
    return ()


def numpy_name(dtype: np.dtype[Any]) -> TypeName:
    """Return a dtype of numpy in words, empty for one that pandas' columns do not keep."""
    times = _TIMES.fullmatch(dtype.name)
    if times:
        return ("datetime", times[2], None) if times[1] == "datetime" else ("duration", times[2])
    if dtype.kind in "biuf":
        return (dtype.name,)
    return ("object",) if dtype.kind == "O" else ()


def pandas_type(name: TypeName) -> Any:
    """Return the type of pandas that `name_of_pandas` put into words, for those that categories have."""
    import pandas as pd

    word, *arguments = name
    if word == "arrow":
        return pd.ArrowDtype(pyarrow_type(*arguments))
    if word == "string":
        storage, missing = arguments
        return pd.StringDtype(storage) if missing == "NA" else pd.StringDtype(storage, na_value=np.nan)
    if word == "masked":
        plain = arguments[0][0]
        masked = plain.replace("uint", "UInt").replace("int", "Int").replace("float", "Float")
        return pd.api.types.pandas_dtype("boolean" if plain == "bool" else masked)
    return np.dtype(word)


def zone_is_known(zone: str) -> bool:
    """Return whether pandas makes a time zone of this name."""
    import pandas as pd

    try:
        return str(pd.DatetimeTZDtype("ns", zone).tz) == zone
    except (
        TypeError,
        ValueError,
        LookupError,
        ArithmeticError,
        OSError,
    ):  # no name, but a description or a folder
        return False


def _sparse_name(dtype: Any) -> TypeName:
    inner = numpy_name(dtype.subtype)
    if not inner or inner[0] in ("object", "datetime", "duration"):
        return ()
    return ("sparse", inner, None if dtype.fill_value != dtype.fill_value else str(float(dtype.fill_value)))
