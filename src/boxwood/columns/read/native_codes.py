"""Codes and labels of strings and categories by the frame library's own hashing."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from boxwood.columns.column import MISSING_CODE

__all__ = ["codes_of_arrow", "native_codes"]


def native_codes(series: nw.Series[Any]) -> tuple[NDArray[Any], list[Any], bool]:
    """Return codes (−1 where missing), labels, and whether the labels' order is declared.

    The library's own hash tables are used because no Python loop over the rows can match them.
    """
    if series.implementation.is_polars():
        return _of_polars(series.to_native())
    if series.implementation.is_pandas():
        return _of_pandas(series.to_native())
    return _of_pyarrow(series.to_arrow())


def _of_pandas(native: Any) -> tuple[NDArray[Any], list[Any], bool]:
    import pandas as pd

    if isinstance(native.dtype, pd.CategoricalDtype):
        return native.cat.codes.to_numpy(), native.cat.categories.tolist(), bool(native.cat.ordered)
    storage = getattr(native.dtype, "pyarrow_dtype", None)
    if storage is not None:
        import pyarrow as pa

        return _of_pyarrow(pa.array(native, type=storage))
    codes, labels = pd.factorize(native)
    return codes, labels.tolist(), False


def _of_polars(native: Any) -> tuple[NDArray[Any], list[Any], bool]:
    import polars as pl

    declared = isinstance(native.dtype, pl.Enum)
    if not declared:
        # The physical codes of a Categorical depend on what else the process has seen; those of an
        # Enum over the sorted values do not.
        texts = native.cast(pl.String)
        native = texts.cast(pl.Enum(texts.unique().drop_nulls().sort()))
    labels = native.dtype.categories.to_list()
    codes = native.to_physical().cast(pl.Int32).fill_null(MISSING_CODE).to_numpy()
    return np.asarray(codes), labels, declared


def _of_pyarrow(native: Any) -> tuple[NDArray[Any], list[Any], bool]:
    codes, labels = codes_of_arrow(native)
    return codes, labels, bool(getattr(native.type, "ordered", False))


def codes_of_arrow(native: Any) -> tuple[NDArray[Any], list[Any]]:
    """Return codes (−1 where missing) and labels of an array of pyarrow's, in chunks or whole."""
    import pyarrow as pa

    if not pa.types.is_dictionary(native.type):
        native = native.dictionary_encode()
    if isinstance(native, pa.ChunkedArray):
        native = native.unify_dictionaries().combine_chunks()
    # Signed, because −1 stands for missing and dictionaries may be indexed by unsigned integers.
    codes = native.indices.cast(pa.int64()).fill_null(MISSING_CODE).to_numpy(zero_copy_only=False)
    return codes, native.dictionary.to_pylist()
