from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from boxwood.columns.weights import read_weights


@pytest.mark.parametrize(
    "weights",
    [
        [0, 1, 2.5],
        (0, 1, 2.5),
        np.array([0, 1, 2.5], np.float32),
        pd.Series([0, 1, 2.5]),
        pl.Series([0.0, 1.0, 2.5]),
        pd.array([0, 1, 2.5], dtype="Float64"),
        np.array([0, 1, 2.5], object),
    ],
)
def test_what_is_taken(weights: Any) -> None:
    read = read_weights(weights, 3)
    assert read is not None
    assert read.dtype == np.float64
    assert read.tolist() == [0.0, 1.0, 2.5]


def test_scalars_and_masks() -> None:
    assert read_weights(None, 3) is None
    assert np.array_equal(read_weights(2, 3), [2.0, 2.0, 2.0])  # type: ignore[arg-type]
    assert np.array_equal(read_weights([True, False], 2), [1.0, 0.0])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -1, -2], r"sample_weight, row 1: -1.0 is not a frequency"),
        ([1, 1, np.nan], r"sample_weight, row 2: nan"),
        ([np.inf, 1, 1], r"sample_weight, row 0: inf"),
        ([1, None, 1], r"sample_weight, row 1: nan"),
        (np.ma.masked_array([1, 1, 1], [0, 1, 0]), r"sample_weight, row 1: nan"),
        ([0, 0, 0], "zero in every row"),
        ([0, -0.0, 0], "zero in every row"),
        (0, "zero in every row"),
        (-1, "row 0: -1.0 is not a frequency"),
        ([1e308, 1e308, 1e308], "too large to add up"),
        ([1, 2], r"sample_weight.shape == \(2,\), expected \(3,\)"),
        ([[1], [2], [3]], "Sample weights must be 1D array or scalar; got 2 dimensions"),
    ],
)
def test_bad_values(weights: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_weights(weights, 3)


@pytest.mark.parametrize(
    "weights",
    [
        ["1", "2", "3"],
        ["a", "b", "c"],
        np.ones(3, complex),
        np.ones(3, "M8[s]"),
        {},
        "heavy",
        [pd.NA, 1, 1],
        [[1], [2, 3], 4],
        object(),
    ],
)
def test_what_is_not_a_number(weights: Any) -> None:
    with pytest.raises(TypeError, match="sample_weight must hold numbers"):
        read_weights(weights, 3)
