"""How long HistogramNB takes to fit and to predict, beside scikit-learn's GaussianNB. Bar: a ratio of 2."""

from __future__ import annotations

import numpy as np
import sklearn.naive_bayes
from ratio import best_times, shown

import boxwood as bw

TABLES = [(100_000, 10, 2), (100_000, 10, 3), (100_000, 10, 10), (10_000, 10, 3)]


def main() -> str:
    """Return the table in Markdown."""
    lines = [
        "| rows × columns, classes | task | GaussianNB | HistogramNB | ratio |",
        "| --- | --- | ---: | ---: | ---: |",
    ]
    for n_rows, n_columns, n_classes in TABLES:
        rng = np.random.default_rng(0)
        y = rng.integers(0, n_classes, n_rows)
        X = rng.normal(size=(n_rows, n_columns)) + 0.5 * y[:, None]
        ours, theirs = bw.HistogramNB().fit(X, y), sklearn.naive_bayes.GaussianNB().fit(X, y)
        times = best_times(
            {
                "fit theirs": lambda theirs=theirs, X=X, y=y: theirs.fit(X, y),
                "fit ours": lambda ours=ours, X=X, y=y: ours.fit(X, y),
                "predict_proba theirs": lambda theirs=theirs, X=X: theirs.predict_proba(X),
                "predict_proba ours": lambda ours=ours, X=X: ours.predict_proba(X),
            }
        )
        for task in ("fit", "predict_proba"):
            peer, own = times[f"{task} theirs"], times[f"{task} ours"]
            table = f"{n_rows:,} × {n_columns}, {n_classes}"
            lines.append(f"| {table} | {task} | {shown(peer)} | {shown(own)} | {own / peer:.2f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(main())
