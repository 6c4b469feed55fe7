"""Few rows cannot have p-values below the false alarm rate: `predict` warns of it, and `fit` does not."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

import boxwood as bw

NUMBERS = np.random.default_rng(0).normal(size=(18, 2))
PENS = [[1, 0], [1, 1], [0, 1], [1, 0], [0, 0], [1, 1], [1, 0]]

DETECTORS: dict[str, Any] = {
    "tree": bw.DensityTree(),
    "forest": bw.DensityForest(8, random_state=0),
    "boosted": bw.BoostedDensity("quick", n_estimators=3, random_state=0),
    "gaussian": bw.GaussianDensity(),
    "histogram": bw.Histogram(),
    "grid": bw.GridHistogram(bins=2),
    "product": bw.ProductDensity(),
    "neighbours": bw.NeighborDensity(),
    "anomalies": bw.AnomalyDetector(),
    "novelty": bw.NoveltyDetector(bw.GaussianDensity()),
}


@pytest.mark.parametrize("name", list(DETECTORS))
@pytest.mark.parametrize("rows", [PENS, NUMBERS], ids=["pens", "numbers"])
def test_only_predict_warns_of_too_few_rows(name: str, rows: Any, tmp_path: Any) -> None:
    if name == "neighbours" and rows is PENS:
        pytest.skip("coinciding rows have no density by neighbours")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = clone(DETECTORS[name]).fit(rows)
        model.score_samples(rows[:2])
        model.decision_function(rows[:2])
    with pytest.warns(UserWarning, match="too few to call one row in 20 odd: `predict` calls none odd"):
        assert (model.predict(rows) == 1).all()
    if len(model.calibration_scores_) > 3:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model.set_params(false_alarm_rate=0.3).fit(rows).predict(rows)
