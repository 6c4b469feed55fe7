"""Histograms against boost-histogram, fast-histogram and numpy: filling, and choosing the width.

Filling: 10⁷ doubles into 100 bins, uniform and not; one thread, and two. "boxwood fill" is the native
fill, as the peers' are; "boxwood fit" all of ``Histogram.fit``: input validation, the fill, the density, the
novelty threshold. Choosing: ``Histogram(bins="loo")`` over 200 widths on 10⁶ rows against one
``np.sort`` of them. Counts are compared before anything is timed.
"""

from __future__ import annotations

import argparse

import boost_histogram as bh
import fast_histogram
import numpy as np
import sklearn.naive_bayes
from ratio import best_times, ratio_table, shown

import boxwood as bw
from boxwood import _core

LOW, HIGH, N_BINS = -6.0, 6.0, 100


def uniform_fill(x: np.ndarray, repeats: int) -> str:
    edges = np.linspace(LOW, HIGH, N_BINS + 1)
    X = x[:, None]
    native = _core.Bins(edges)
    boost = bh.Histogram(bh.axis.Regular(N_BINS, LOW, HIGH), storage=bh.storage.Int64())
    model = bw.Histogram(bins=N_BINS, range=(LOW, HIGH))
    assert np.array_equal(native.count(x)[:-1], np.histogram(x, N_BINS, (LOW, HIGH))[0])
    tasks = {
        "fast-histogram": lambda: fast_histogram.histogram1d(x, N_BINS, (LOW, HIGH)),
        "boost-histogram": lambda: boost.reset().fill(x),
        "numpy": lambda: np.histogram(x, N_BINS, (LOW, HIGH)),
        "boxwood fill": lambda: native.count(x),
        "boxwood fit": lambda: model.fit(X),
        "np.sum, memory's speed": x.sum,
    }
    return ratio_table(tasks, repeats, f"{len(x):.0e} values, {N_BINS} uniform bins")


def other_fill(x: np.ndarray, repeats: int) -> str:
    edges = np.concatenate([[LOW], np.sort(np.random.default_rng(1).normal(size=N_BINS - 1)), [HIGH]])
    X = x[:, None]
    native = _core.Bins(edges)
    boost = bh.Histogram(bh.axis.Variable(edges), storage=bh.storage.Int64())
    model = bw.Histogram(bins=edges)
    assert np.array_equal(native.count(x)[:-1], np.histogram(x, edges)[0])
    tasks = {
        "boost-histogram": lambda: boost.reset().fill(x),
        "numpy": lambda: np.histogram(x, edges),
        "boxwood fill": lambda: native.count(x),
        "boxwood fit": lambda: model.fit(X),
    }
    return ratio_table(tasks, max(3, repeats // 3), f"{len(x):.0e} values, {N_BINS} bins of any width")


def threads(x: np.ndarray, repeats: int) -> str:
    native = _core.Bins(np.linspace(LOW, HIGH, N_BINS + 1))
    other = _core.Bins(np.concatenate([[LOW], np.linspace(-3.0, 3.0, N_BINS - 1) ** 3 / 9.0, [HIGH]]))
    assert np.array_equal(native.count(x, None, 1), native.count(x, None, 2))
    tasks = {
        "uniform bins, 1 thread": lambda: native.count(x, None, 1),
        "uniform bins, 2 threads": lambda: native.count(x, None, 2),
        "bins of any width, 1 thread": lambda: other.count(x, None, 1),
        "bins of any width, 2 threads": lambda: other.count(x, None, 2),
    }
    return ratio_table(tasks, repeats, f"{len(x):.0e} values, threads")


def choosing(x: np.ndarray, repeats: int) -> str:
    X = x[:, None]
    model = bw.Histogram(bins="loo", candidates=200)
    assert len(model.fit(X).selection_[0].scores) == 200
    tasks = {"np.sort": lambda: np.sort(x), "LOO over 200 widths, all of fit": lambda: model.fit(X)}
    for rule in ("scott", "fd", "shimazaki", "loo_likelihood", "cv"):
        other = bw.Histogram(bins=rule, estimate="map")
        tasks[f'bins="{rule}"'] = lambda other=other: other.fit(X)
    return ratio_table(tasks, repeats, f"{len(x):.0e} values")


TABLES = [(100_000, 10, 2), (100_000, 10, 3), (100_000, 10, 10), (10_000, 10, 3)]


def naive_bayes() -> str:
    """Compare HistogramNB with scikit-learn's GaussianNB. Bar: a ratio of 2 at 100,000 rows."""
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


def main() -> str:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--repeats", type=int, default=15)
    options = parser.parse_args()
    x = np.random.default_rng(0).normal(size=options.rows)
    few = np.ascontiguousarray(x[: max(options.rows // 10, 1000)])
    return "\n\n".join(
        [
            uniform_fill(x, options.repeats),
            other_fill(x, options.repeats),
            threads(x, options.repeats),
            choosing(few, max(3, options.repeats // 3)),
            naive_bayes(),
        ]
    )


if __name__ == "__main__":
    print(main())
