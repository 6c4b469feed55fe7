"""Small fitted models of the shapes that the committed model files lack: rules, rotations, other leaves."""

from __future__ import annotations

import shutil
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import boxwood as bw

COMMITTED = Path(__file__).parents[1] / "data" / "models"


def table(n: int = 150) -> pd.DataFrame:
    """Return a table with a rule, gaps, atoms, a lattice, dates and categories."""
    rng = np.random.default_rng(0)
    city = np.array(["Bonn", "Ulm", "Graz"])[rng.integers(0, 3, n)]
    spike = np.where(rng.random(n) < 0.3, 0.0, rng.exponential(size=n))
    return pd.DataFrame(
        {
            "x": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
            "price": rng.integers(0, 40, n) / 4.0,
            "spike": spike,
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 200, n), unit="D"),
            "city": city,
            "country": np.where(city == "Graz", "Austria", "Germany"),
        }
    )


def models() -> dict[str, Any]:
    """Return models by name, not fitted yet."""
    return {
        "TableModel": bw.TableModel(bw.DensityForest(2, random_state=0)),
        "DensityTree-rules": bw.DensityTree(random_state=0),
        "DensityForest-gaussian": bw.DensityForest(2, leaf="gaussian", random_state=0),
        "DensityForest-uniform": bw.DensityForest(2, leaf="uniform", random_state=0),
        "ProductDensity-rules": bw.ProductDensity(),
    }


def models_of_numbers() -> dict[str, Any]:
    """Return models by name that take continuous numbers alone."""
    return {
        "DensityForest-full": bw.DensityForest(2, leaf="gaussian_full", random_state=0),
        "DensityTree-rotated": bw.DensityTree(rotation="pca", random_state=0),
        "BoostedDensity-quick": bw.BoostedDensity(preset="quick", random_state=0, n_estimators=5),
        "NoveltyDetector-forest": bw.NoveltyDetector(bw.DensityForest(2, random_state=0), cv=2),
    }


def save_all(folder: Path) -> None:
    """Write the committed files and those of small models to a folder."""
    for path in COMMITTED.glob("*.boxwood"):
        shutil.copy(path, folder)
    numbers = np.random.default_rng(1).normal(size=(60, 2)) @ [[1.0, 0.5], [0.0, 1.0]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of so few rows
        for name, model in models().items():
            model.fit(table()).save(folder / f"{name}.boxwood")
        for name, model in models_of_numbers().items():
            model.fit(numbers).save(folder / f"{name}.boxwood")
