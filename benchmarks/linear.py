"""Parametric models beside scikit-learn's, in units of one ``X.T @ X``: 200,000 × 50 float64, one thread.

Bars: LinearDiscriminantAnalysis fit 2.5; QuadraticDiscriminantAnalysis fit 2.5, predict 3; GaussianNB fit 1,
predict 1; LinearRegression by Cholesky 1.2; LogisticRegression 6, its objective within 1e-6 of the tightest
run of scikit-learn's.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import sklearn.discriminant_analysis
import sklearn.linear_model
import sklearn.naive_bayes
from numpy.typing import NDArray
from ratio import best_times, shown

import boxwood as bw

BARS = {
    "GaussianNB fit": 1.0,
    "GaussianNB predict": 1.0,
    "LinearDiscriminantAnalysis fit": 2.5,
    "QuadraticDiscriminantAnalysis fit": 2.5,
    "QuadraticDiscriminantAnalysis predict": 3.0,
    "LinearRegression fit, cholesky": 1.2,
    "LogisticRegression fit": 6.0,
}


def table(n_rows: int, n_classes: int = 2, seed: int = 0) -> tuple[NDArray[Any], ...]:
    """Return correlated rows, classes by a logistic model of them, and values by a linear one."""
    rng = np.random.default_rng(seed)
    d = 50
    X = rng.normal(size=(n_rows, d)) @ (np.eye(d) + rng.normal(size=(d, d)) / 7.0)
    scores = X @ (0.3 * rng.normal(size=(d, n_classes))) + rng.gumbel(size=(n_rows, n_classes))
    return X, np.argmax(scores, axis=1), X @ rng.normal(size=d) + rng.normal(size=n_rows)


def peers() -> dict[str, tuple[Any, Any, str]]:
    """Return pairs of models, ours and theirs, and what to time of them."""
    lda, qda = sklearn.discriminant_analysis, sklearn.discriminant_analysis
    linear = sklearn.linear_model
    return {
        "GaussianNB": (bw.GaussianNB(), sklearn.naive_bayes.GaussianNB(), "fit predict"),
        "LinearDiscriminantAnalysis": (
            bw.LinearDiscriminantAnalysis(),
            lda.LinearDiscriminantAnalysis("lsqr"),
            "fit predict",
        ),
        "QuadraticDiscriminantAnalysis": (
            bw.QuadraticDiscriminantAnalysis(),
            qda.QuadraticDiscriminantAnalysis(solver="eigen"),
            "fit predict",
        ),
        "LinearRegression, cholesky": (
            bw.LinearRegression(solver="cholesky"),
            linear.LinearRegression(),
            "fit",
        ),
        "LogisticRegression": (bw.LogisticRegression(), linear.LogisticRegression(), "fit"),
    }


def tasks_of(X: NDArray[Any], y: NDArray[Any], values: NDArray[Any]) -> dict[str, Any]:
    tasks: dict[str, Any] = {"X.T @ X": lambda: X.T @ X}
    for name, (ours, theirs, what) in peers().items():
        target = values if name.startswith("LinearRegression") else y
        short, _, rest = name.partition(", ")
        label = f"{short} fit" + (f", {rest}" if rest else "")
        for whose, model in (("boxwood", ours), ("scikit-learn", theirs)):
            tasks[f"{label} | {whose}"] = lambda model=model, target=target: model.fit(X, target)
            if "predict" in what:
                model.fit(X, target)
                tasks[f"{short} predict | {whose}"] = lambda model=model: model.predict(X)
    return tasks


def objective(model: Any, X: NDArray[Any], y: NDArray[Any]) -> float:
    log_fractions = model.predict_log_proba(X)[np.arange(len(y)), y]
    return float(0.5 * np.sum(model.coef_**2) - log_fractions.sum())


def optimum(X: NDArray[Any], y: NDArray[Any]) -> str:
    """Describe how far the default fits are from the tightest."""
    tightest = sklearn.linear_model.LogisticRegression(solver="newton-cholesky", tol=1e-12, max_iter=1000)
    best = objective(tightest.fit(X, y), X, y)
    ours, theirs = bw.LogisticRegression().fit(X, y), sklearn.linear_model.LogisticRegression().fit(X, y)
    return (
        "Objective of the logistic regression above that of the tightest run of scikit-learn's "
        f"(newton-cholesky, tol=1e-12), relative: boxwood {objective(ours, X, y) / best - 1.0:.1e} after "
        f"{ours.n_iter_[0]} steps over all rows, scikit-learn {objective(theirs, X, y) / best - 1.0:.1e} "
        f"after {theirs.n_iter_[0]}."
    )


def unit_table(title: str, times: dict[str, float], bars: dict[str, float]) -> str:
    unit = times["X.T @ X"]
    lines = [
        f"| {title} | boxwood | scikit-learn | bar |",
        "| --- | ---: | ---: | ---: |",
        f"| one X.T @ X, {shown(unit)} | 1.00 | 1.00 | |",
    ]
    for name in dict.fromkeys(key.split(" | ")[0] for key in times if " | " in key):
        ours, theirs = (times[f"{name} | {whose}"] / unit for whose in ("boxwood", "scikit-learn"))
        bar = bars.get(name)
        lines.append(f"| {name} | {ours:.2f} | {theirs:.2f} | {'' if bar is None else f'{bar:g}'} |")
    return "\n".join(lines)


def main(n_rows: int = 200_000, repeats: int = 9) -> str:
    parts = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n_classes in (2, 5):
            X, y, values = table(n_rows, n_classes)
            times = best_times(tasks_of(X, y, values), repeats)
            bars = BARS if n_classes == 2 else {}
            parts.append(unit_table(f"{n_rows:,} × 50, {n_classes} classes", times, bars))
            if n_classes == 2:
                parts.append(optimum(X, y))
    return "\n\n".join(parts)


if __name__ == "__main__":
    print(main())
