"""One column from a pandas, polars or pyarrow series, by way of narwhals."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import MISSING_CODE, Column
from boxwood.columns.errors import at, first_line, integer_error, type_error
from boxwood.columns.kind import Kind
from boxwood.columns.labels import is_missing
from boxwood.columns.read.from_codes import boolean_column, column_from_codes
from boxwood.columns.read.from_numbers import LARGEST_INTEGER, as_float64, integer_column, number_column
from boxwood.columns.read.from_values import column_from_values
from boxwood.columns.read.native_codes import native_codes

__all__ = ["as_series", "column_from_series"]

_NESTED = (nw.List, nw.Array, nw.Struct, nw.Time, nw.Binary)

Maker = Callable[[str], Column]
"""What was taken out of a series: given the column's name it checks the values and makes the column."""


def column_from_series(name: str, values: Any) -> Column:
    """Make the typed column of a native series, or of narwhals' own.

    Examples
    --------
    >>> import pandas as pd
    >>> column_from_series("age", pd.Series([31, None], dtype="Int64")).values
    array([31., nan])
    """
    series = nw.from_native(values, series_only=True)
    try:
        maker = _taken_out(series)
    except Exception as error:
        # Foreign code: libraries raise errors of their own for types that they have but cannot convert.
        raise TypeError(
            f"{at(name)} has the type {series.dtype}, which could not be read: {first_line(error)}"
        ) from error
    return maker(name)


def as_series(values: Any) -> Any:
    """Return a native series of a series or of a frame library's array; None for anything else."""
    if nw.dependencies.is_into_series(values):
        return values
    pandas, pyarrow = nw.dependencies.get_pandas(), nw.dependencies.get_pyarrow()  # None: not imported
    if pandas is not None and isinstance(values, pandas.api.extensions.ExtensionArray | pandas.Index):
        return pandas.Series(values)
    if pyarrow is not None and isinstance(values, pyarrow.Array):
        return pyarrow.chunked_array([values])
    return None


def _taken_out(series: nw.Series[Any]) -> Maker:
    dtype = series.dtype
    if dtype == nw.Object or (dtype == nw.String and _is_object(series)):
        return _objects(series)
    if dtype.is_integer():
        return _integers(series)
    if dtype.is_float() or dtype == nw.Decimal:
        return partial(number_column, values=_floats(series))
    if dtype == nw.Boolean:
        return _booleans(series)
    if dtype in (nw.Datetime, nw.Date, nw.Duration):
        return partial(column_from_values, values=_times(series))
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return _categories(series)
    if dtype in _NESTED:
        return partial(_refused, series=series)
    return partial(column_from_values, values=np.asarray(series.to_numpy()))


def _is_object(series: nw.Series[Any]) -> bool:
    # narwhals calls pandas' object columns strings after a look at the first values only.
    return series.implementation.is_pandas() and series.to_native().dtype == object


def _is_plain_numpy(series: nw.Series[Any]) -> bool:
    return series.implementation.is_pandas() and isinstance(series.to_native().dtype, np.dtype)


def _objects(series: nw.Series[Any]) -> Maker:
    if series.implementation.is_pandas():
        import pandas as pd

        native = series.to_native()
        if pd.api.types.infer_dtype(native, skipna=True) == "string":
            return _categories(series)
        return partial(column_from_values, values=native.to_numpy())
    values = np.empty(len(series), dtype=object)
    values[:] = series.to_list()
    return partial(column_from_values, values=values)


def _integers(series: nw.Series[Any]) -> Maker:
    n_missing = series.null_count()
    if n_missing == len(series):
        return partial(number_column, values=np.full(n_missing, np.nan), kind=Kind.INTEGER)
    beyond_numpy = series.dtype in (nw.Int128, nw.UInt128)
    # A whole column of integers that numpy has is checked there; this one would be rounded on its way.
    if (n_missing or beyond_numpy) and max(int(series.max()), -int(series.min())) > LARGEST_INTEGER:
        return partial(_too_wide, listed=series.to_list())
    if n_missing:
        return partial(number_column, values=_floats(series), kind=Kind.INTEGER)
    if beyond_numpy:
        series = series.cast(nw.Int64)
    return partial(integer_column, values=np.asarray(series.to_numpy()))


def _too_wide(name: str, listed: list[Any]) -> Column:
    present = (row for row, value in enumerate(listed) if not is_missing(value))
    row = next(row for row in present if abs(listed[row]) > LARGEST_INTEGER)
    raise integer_error(name, row, int(listed[row]))


def _floats(series: nw.Series[Any]) -> NDArray[np.float64]:
    if _is_plain_numpy(series):
        return as_float64(series.to_native().to_numpy())
    if series.implementation.is_pandas():
        values = series.to_native().to_numpy(dtype=np.float64, na_value=np.nan)
    else:
        values = series.cast(nw.Float64).to_numpy()
    return np.asarray(values, dtype=np.float64)


def _booleans(series: nw.Series[Any]) -> Maker:
    if _is_plain_numpy(series):
        return partial(boolean_column, codes=series.to_native().to_numpy(), n_missing=0)
    if series.implementation.is_pandas():
        nullable = series.to_native().astype("boolean")  # of Arrow's booleans, which cannot hold −1
        codes = nullable.to_numpy(dtype=np.int8, na_value=MISSING_CODE)
    else:
        codes = series.cast(nw.Int8).fill_null(MISSING_CODE).to_numpy()
    return partial(boolean_column, codes=np.asarray(codes))


def _times(series: nw.Series[Any]) -> NDArray[Any]:
    dtype = series.dtype
    if not series.implementation.is_pandas() or dtype == nw.Date:
        return np.asarray(series.to_numpy())
    unit = dtype.time_unit  # type: ignore[attr-defined]
    kind = "M8" if dtype == nw.Datetime else "m8"
    return np.asarray(series.to_native().to_numpy(dtype=f"{kind}[{unit}]"))  # in UTC where it has a zone


def _categories(series: nw.Series[Any]) -> Maker:
    codes, labels, ordered = native_codes(series)
    kind = Kind.ORDINAL if ordered else Kind.CATEGORICAL
    return partial(column_from_codes, codes=codes, labels=labels, kind=kind)


def _refused(name: str, series: nw.Series[Any]) -> Column:
    if series.null_count() == len(series):
        return number_column(name, np.full(len(series), np.nan))
    row = next(i for i, value in enumerate(series.to_list()) if not is_missing(value))
    raise type_error(name, series.dtype, row)
