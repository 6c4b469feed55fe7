"""Answers about a column that takes finitely many values are those of its list of probabilities."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import boxwood as bw

DENSITIES = {
    "histogram": bw.Histogram(),
    "product": bw.ProductDensity(),
    "forest": bw.DensityForest(5, random_state=0),
}


@pytest.mark.parametrize("family", DENSITIES)
@pytest.mark.parametrize("decimals", [0, 1, 2])
def test_moments_quantiles_and_mode(family: str, decimals: int) -> None:
    rng = np.random.default_rng(decimals)
    values = rng.normal(20.0, 0.5 * 10 ** (2 - decimals), 400).round(decimals)
    model = bw.TableModel(DENSITIES[family]).fit(pd.DataFrame({"a": values, "b": rng.normal(size=400)}))
    law = model.given("a is not missing")
    spread = values.std()
    step = 10.0**-decimals
    support = np.round(np.arange(values.min() - 20.0 * spread, values.max() + 20.0 * spread, step), decimals)
    p = np.asarray(law.query.density("a", support))
    assert 0.99 < p.sum() < 1.0001  # a forest keeps some for values between these
    p = p / p.sum()
    mean = float(p @ support)
    assert law.mean("a") == pytest.approx(mean, abs=0.02 * spread)
    assert law.std("a") == pytest.approx(np.sqrt(p @ (support - mean) ** 2), rel=0.05)
    assert p[np.argmin(np.abs(support - law.mode("a")))] == pytest.approx(p.max(), rel=1e-6)
    middle = support[np.searchsorted(np.cumsum(p), 0.5)]
    assert law.quantile("a", 0.5) == pytest.approx(middle, abs=1.01 * step)
