"""Where columns are cut: quantiles without sorting are those of sorting."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood import _core
from boxwood.binning.thresholds import EXACT_VALUES, MOST_BINS, choose_thresholds, sorted_edges
from boxwood.columns import read_columns


def columns_of(n_rows: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(n_rows)
    x = rng.normal(size=n_rows)
    return {
        "normal": x,
        "skew": np.exp(5.0 * x),
        "ties": np.where(rng.random(n_rows) < 0.5, np.round(x), x),
        "lump at the top": np.where(rng.random(n_rows) < 0.3, 100.0, x),
        "missing": np.where(rng.random(n_rows) < 0.4, np.nan, x),
        "few": np.round(x, 1),
    }


@pytest.mark.parametrize("weighted", [False, True])
def test_edges_are_those_of_the_sorted_column(weighted):
    weights = np.random.default_rng(1).integers(1, 9, size=30_000) if weighted else None
    for name, values in columns_of(30_000).items():
        found = _core.quantile_edges(values, weights, MOST_BINS, EXACT_VALUES + 1)
        if name == "few":
            assert len(found[0]) == 0
            continue
        for side, wanted in zip(found, sorted_edges(values, weights), strict=True):
            np.testing.assert_array_equal(side, wanted)


def test_a_column_of_a_strided_table_is_cut_between_its_values():
    X = np.column_stack(list(columns_of(20_000).values()))
    cuts = choose_thresholds(read_columns(X)).columns
    for j, of_column in enumerate(cuts):
        assert np.all(np.diff(of_column) > 0.0)
        assert not np.isin(X[:, j], of_column).any()  # half-way between neighbours
        counts = np.bincount(np.searchsorted(of_column, X[:, j][~np.isnan(X[:, j])], side="right"))
        assert np.all(counts > 0)


def test_one_weight_a_value_is_needed():
    with pytest.raises(ValueError, match="one weight a value"):
        _core.quantile_edges(np.zeros(3), np.ones(2, dtype=np.int64), 4, 2)
