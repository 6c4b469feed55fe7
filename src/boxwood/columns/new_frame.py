"""Results as a frame of the library that a table came from."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns.schema import Schema

__all__ = ["new_frame"]

_LIBRARIES = ("pandas", "polars", "pyarrow")


def new_frame(table: dict[str, Any], schema: Schema) -> Any:
    """Return columns of equal length as a frame.

    Parameters
    ----------
    table : dict of name to ndarray or list
        A list may hold strings, or tuples, which polars and pyarrow take as lists.
    schema : Schema
        Says which library the frame is of.

    Returns
    -------
    frame
        Of the schema's library, else of the first of pandas, polars and pyarrow that is installed; without
        any, a dict of arrays.

    Examples
    --------
    >>> from boxwood.columns import Schema
    >>> new_frame({"name": ["a", "b"], "size": np.array([1.0, 2.0])}, Schema((), "pandas"))
      name  size
    0    a   1.0
    1    b   2.0
    """
    library = schema.container
    if library not in _LIBRARIES:
        library = next((name for name in _LIBRARIES if importlib.util.find_spec(name)), "")
    if library == "pandas":
        import pandas as pd

        return pd.DataFrame(table)
    if not library:
        return {name: _objects(v) if isinstance(v, list) else v for name, v in table.items()}
    listed = {name: _listed(values) for name, values in table.items()}
    if library == "polars":
        import polars as pl

        return pl.DataFrame(listed)
    import pyarrow as pa

    return pa.table(listed)


def _listed(values: Any) -> Any:
    if not isinstance(values, list):
        return values
    return [list(entry) if isinstance(entry, tuple) else entry for entry in values]


def _objects(values: list[Any]) -> NDArray[Any]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
