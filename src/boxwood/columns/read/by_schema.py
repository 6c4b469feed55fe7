"""A short way in for small tables that a fitted schema describes, such as one row to score."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from boxwood import _core
from boxwood.columns.columns import Columns
from boxwood.columns.schema import Schema

__all__ = ["columns_by_schema"]

MOST_VALUES = 10_000
"""Of a larger table the short way saves nothing, and it copies."""

FIRST_INEXACT = 2.0**53
"""From here on an integer may have been rounded on its way into an array of floats."""


def columns_by_schema(X: Any, schema: Schema) -> Columns | None:
    """Read a small pandas frame of plain numbers with a schema's names; None for all else.

    What it reads is what :func:`boxwood.read_columns` and `Columns.matched` would give, and whatever these
    might refuse or convert it leaves to them: their messages name the column and the row. One row of ten
    columns takes a twentieth of their time.

    Examples
    --------
    >>> import pandas as pd
    >>> import boxwood as bw
    >>> frame = pd.DataFrame({"age": [31.0, 44.5]})
    >>> schema = bw.read_columns(frame).schema
    >>> columns_by_schema(frame, schema).matrix()
    array([[31. ],
           [44.5]])
    >>> columns_by_schema(frame.astype(str), schema) is None
    True
    """
    pandas = sys.modules.get("pandas")  # where it is not imported nobody can have made a frame
    if pandas is None or type(X) is not pandas.DataFrame or not (schema.named and schema.all_numeric):
        return None
    n_rows, n_columns = X.shape
    if n_columns != len(schema) or not 0 < n_rows * n_columns <= MOST_VALUES:
        return None
    if tuple(X.columns) != schema.names:
        return None
    values = X.to_numpy()
    if values.dtype.kind not in "fiu" or values.dtype.itemsize > 8:
        return None
    matrix = np.ascontiguousarray(values, dtype=np.float64)
    n_missing, _, oversized = _core.scan_values(matrix.reshape(-1))
    if oversized >= 0 or (np.abs(matrix) >= FIRST_INEXACT).any():
        return None
    return Columns(schema, n_rows, None, matrix, None, n_missing)
