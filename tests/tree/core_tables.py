"""Small random tables on the unit cube, as the core reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from boxwood import _core

CRITERIA = (
    "log_likelihood",
    "loo",
    "squared_error",
    "nonuniformity",
    "gaussian_entropy",
    "product_likelihood",
)
COUNT_CRITERIA = CRITERIA[:4]


@dataclass
class Table:
    """Rows on the cube: bin edges a column, bins, points where growth is exact, weights."""

    columns: list[tuple[np.ndarray, bool]]
    bins: np.ndarray
    points: np.ndarray
    weights: np.ndarray
    exact: bool

    def native(self) -> _core.BinnedTable:
        return _core.BinnedTable(self.columns, self.bins, self.points if self.exact else None, self.weights)

    def is_exact(self, j: int) -> bool:
        return self.exact and not self.columns[j][1]

    def place(self, j: int) -> np.ndarray:
        """The rows' places along a column: their points, or the middles of their bins."""
        if self.exact:
            return self.points[:, j]
        u = self.columns[j][0]
        return 0.5 * (u[self.bins[:, j]] + u[self.bins[:, j] + 1])

    def rows(self, chosen: Any) -> Table:
        return Table(
            self.columns,
            np.ascontiguousarray(self.bins[chosen]),
            np.ascontiguousarray(self.points[chosen]),
            np.ascontiguousarray(self.weights[chosen]),
            self.exact,
        )


def make_bin_edges(rng: np.random.Generator, n_bins: int) -> np.ndarray:
    widths = rng.uniform(0.2, 1.0, n_bins)
    inner = np.cumsum(widths)[:-1] / widths.sum()
    return np.concatenate([[0.0], inner, [1.0]])


def make_table(
    seed: int,
    n_rows: int = 30,
    n_ordered: int = 2,
    n_categorical: int = 0,
    exact: bool = False,
    n_bins: int = 12,
    n_categories: int = 4,
    weighted: bool = False,
    tied: bool = False,
) -> Table:
    rng = np.random.default_rng(seed)
    d = n_ordered + n_categorical
    points = rng.beta(rng.uniform(0.5, 3.0, d), rng.uniform(0.5, 3.0, d), size=(n_rows, d))
    points[:, 1:] = np.where(rng.random((n_rows, d - 1)) < 0.5, points[:, :1], points[:, 1:])
    if tied:
        points = np.round(points * 8.0) / 8.0
    points = np.clip(points, 0.0, 1.0 - 1e-9)
    columns = []
    for j in range(d):
        if j >= n_ordered:
            columns.append((make_bin_edges(rng, n_categories), True))
        elif exact:
            columns.append((np.array([0.0, 1.0]), False))
        else:
            columns.append((make_bin_edges(rng, n_bins), False))
    bins = np.column_stack([_core.find_bins(c, points[:, j]) for j, c in enumerate(columns)])
    weights = rng.integers(1, 4, n_rows).astype(float) if weighted else np.ones(n_rows)
    return Table(columns, np.ascontiguousarray(bins), points, weights, exact)


@st.composite
def tables(draw: Any, exact: bool | None = None, most_rows: int = 25) -> Table:
    n_categorical = draw(st.integers(0, 2))
    return make_table(
        seed=draw(st.integers(0, 2**32 - 1)),
        n_rows=draw(st.integers(2, most_rows)),
        n_ordered=draw(st.integers(0 if n_categorical else 1, 3)),
        n_categorical=n_categorical,
        exact=draw(st.booleans()) if exact is None else exact,
        n_bins=draw(st.integers(1, 20)),
        n_categories=draw(st.integers(1, 5)),
        weighted=draw(st.booleans()),
        tied=draw(st.booleans()),
    )


def grow_options(criterion: str = "log_likelihood", **values: Any) -> _core.GrowOptions:
    options = _core.GrowOptions()
    options.criterion = getattr(_core.CriterionKind, criterion)
    for name, value in values.items():
        setattr(options, name, value)
    return options


def leaf_options(kind: str = "uniform", **values: Any) -> _core.LeafOptions:
    options = _core.LeafOptions()
    options.kind = getattr(_core.LeafKind, kind)
    for name, value in values.items():
        setattr(options, name, value)
    return options


def grow_and_fit(
    table: Table, options: _core.GrowOptions, leaf: _core.LeafOptions | None = None
) -> tuple[_core.GrownTree, dict[str, Any]]:
    native = table.native()
    grown = _core.grow_tree(native, options)
    return grown, grown.fit_leaves(native, leaf or leaf_options())
