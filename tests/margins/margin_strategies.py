"""Hypothesis strategies: numeric columns that a margin must survive, and margins fitted to them."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

import boxwood as bw
from boxwood.columns import Columns, Kind
from boxwood.margins import NumberMargin, fit_margins

SCALES = (1.0, 1e-310, 1e-300, 1e300, 1e9, 1e-9)


def table_of(values: NDArray[np.float64], weights: object = None, integer: bool = False) -> Columns:
    """Make a table of one numeric column."""
    columns = bw.read_columns(
        np.asarray(values, dtype=np.int64 if integer else np.float64)[:, None], sample_weight=weights
    )
    assert (columns[0].kind is Kind.INTEGER) == integer
    return columns


def fitted(
    values: NDArray[np.float64], kind: str = "smooth", weights: object = None, integer: bool = False
) -> NumberMargin:
    """Fit the margin of one column."""
    margin = fit_margins(table_of(values, weights, integer), kind).columns[0]
    assert isinstance(margin, NumberMargin)
    return margin


@st.composite
def numbers(draw: st.DrawFn, max_size: int = 60) -> NDArray[np.float64]:
    """Draw columns: smooth and spiky laws, ties, neighbouring doubles, any scale and offset."""
    n = draw(st.integers(1, max_size))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    law = draw(st.sampled_from(["normal", "cauchy", "grid", "ulps", "spike", "floats", "decades"]))
    if law == "floats":
        size = 2.0**996
        listed = draw(st.lists(st.floats(-size, size), min_size=1, max_size=max_size))
        return np.array(listed)
    base = {
        "normal": lambda: rng.normal(size=n),
        "cauchy": lambda: rng.standard_cauchy(size=n),
        "grid": lambda: np.round(rng.normal(size=n), 1),
        "ulps": lambda: 1.0 + rng.integers(0, 5, n) * 2.0**-52,
        "spike": lambda: np.where(rng.random(n) < 0.7, 0.25, rng.normal(size=n)),
        "decades": lambda: 10.0 ** rng.uniform(-300.0, 5.0, n),
    }[law]()
    with np.errstate(under="ignore"):
        values = base * draw(st.sampled_from(SCALES)) + draw(st.sampled_from([0.0, 0.0, -1e9, 1e9]))
    return np.clip(values, -(2.0**996), 2.0**996)


@st.composite
def integers(draw: st.DrawFn) -> NDArray[np.float64]:
    """Draw integers, also where k + ½ is no double."""
    size = draw(st.sampled_from([1, 5, 1000, 2**51, 2**52 + 3, 2**53]))
    listed = draw(st.lists(st.integers(-size, size), min_size=1, max_size=50))
    return np.repeat(np.array(listed, dtype=np.float64), draw(st.sampled_from([1, 1, 12])))


def weights_for(n: int) -> st.SearchStrategy[list[float]]:
    """Draw weights: whole, fractional, of any size."""
    some = st.one_of(
        st.integers(1, 9).map(float), st.floats(1e-3, 5.0), st.sampled_from([1e-320, 1e-9, 1e12, 1e300])
    )
    return st.lists(some, min_size=n, max_size=n)
