"""Write a saved model for each class that has none yet; never overwrite one.

Run as ``python tests/data/models/make.py`` and commit what it writes. Such a file must load for ever:
where a test of it fails, the reader is wrong, not the file.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from sklearn.base import is_classifier, is_regressor

import boxwood as bw
from boxwood.estimator import TableEstimator

FOLDER = Path(__file__).parent

N_COLUMNS: dict[str, int] = {"NeighborDensity": 3}
"""Classes of a fixed number of numeric columns; all others get a column of every kind they can take."""


PARAMETERS: dict[str, dict[str, Any]] = {
    "BayesClassifier": {"density": bw.DensityTree(margins="smooth")},
    "ConditionalClassifier": {"model": bw.DensityForest(3, random_state=0)},
    "ConditionalRegressor": {"model": bw.DensityForest(3, random_state=0)},
    "DensityImputer": {"model": bw.DensityForest(3, random_state=0)},
    "NoveltyDetector": {"model": bw.Histogram(bins=4)},
    "QuadraticDiscriminantAnalysis": {"reg_param": 0.1},
    "KNeighborsClassifier": {"n_neighbors": 3, "standardize": True, "missing": "partial"},
    "KNeighborsRegressor": {"n_neighbors": 3, "standardize": True, "missing": "partial"},
    "RandomForestClassifier": {"n_estimators": 3, "random_state": 0},
    "RandomForestRegressor": {"n_estimators": 3, "random_state": 0},
}
"""Parameters that keep a file small, take what the table holds, or fit without warnings."""


def classes() -> list[type[TableEstimator]]:
    exported = (getattr(bw, name) for name in bw.__all__)
    return [cls for cls in exported if inspect.isclass(cls) and issubclass(cls, TableEstimator)]


def table(name: str, *, holes: bool = True) -> pl.DataFrame:
    """Return a small table: numbers with holes where the class takes them, integers, dates, ranks."""
    rng = np.random.default_rng(0)
    n = 40
    if name in N_COLUMNS:
        return pl.DataFrame({f"x{j}": rng.normal(size=n) for j in range(N_COLUMNS[name])})
    size = rng.normal(10.0, 2.0, n)
    days = np.datetime64("2024-01-01", "us") + rng.integers(0, 10**13, n)
    grades = ["low", "mid", "high"]
    return pl.DataFrame(
        {
            "size": [None if holes and i % 9 == 4 else float(value) for i, value in enumerate(size)],
            "count": rng.poisson(3.0 + size / 5.0),
            "flag": rng.random(n) < 0.4,
            "day": days.astype("datetime64[us]"),
            "grade": pl.Series([grades[i] for i in rng.integers(0, 3, n)], dtype=pl.Enum(grades)),
        }
    )


def targets(model: Any, data: pl.DataFrame) -> list[Any]:
    """Return what a supervised model is to tell: classes or values that the columns say something about."""
    if not is_classifier(model) and not is_regressor(model):
        return []
    values = data["count"].to_numpy() + 3.0 * data["flag"].to_numpy()
    if is_classifier(model):
        return [np.array(["few", "some", "many"])[np.digitize(values, [4.0, 7.0])]]
    return [values]


def expected(model: Any, rows: pl.DataFrame) -> dict[str, Any]:
    """Return the answers that the model must always give about some rows."""
    asked = [name for name in ("score_samples", "p_values", "predict") if hasattr(model, name)]
    if hasattr(model, "predict_proba"):  # labels are strings, which no tolerance compares
        asked = ["predict_proba"]
    return {name: np.asarray(getattr(model, name)(rows)).tolist() for name in asked}


def write(cls: type[TableEstimator]) -> None:
    model: Any = cls(**PARAMETERS.get(cls.__name__, {}))
    data = table(cls.__name__, holes=cls._allow_missing)
    model.fit(data, *targets(model, data))
    path = FOLDER / f"{cls.__name__}-{bw.__version__}.boxwood"
    model.save(path)
    rows = data.head(5)
    beside = {"rows": json.loads(rows.write_json()), **expected(model, rows)}
    path.with_suffix(".json").write_text(json.dumps(beside, indent=1) + "\n", encoding="utf-8")
    print(f"wrote {path.name}")


def main() -> None:
    for cls in classes():
        if not any(FOLDER.glob(f"{cls.__name__}-*.boxwood")):
            write(cls)


if __name__ == "__main__":
    main()
