"""Is the smooth margin a good density? Its test log-likelihood against tuned one-dimensional estimators.

Each column of five tables by itself. Peers: a Gaussian kernel density estimate whose bandwidth maximises
the leave-one-out likelihood, and histograms whose number of bins (and pseudo-count) is chosen by the
leave-one-out likelihood or the leave-one-out squared error. The best of the three *on the test rows* is the
bar, which favours the peers; the margin has nothing to tune. Times are those of fitting, tuning included.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from ratio import data_file

import boxwood as bw
from boxwood.margins import fit_margins

Vector = NDArray[np.float64]
Density = Callable[[Vector], Vector]
"""What a fit gives: log-densities of points."""

TABLES = ("magic", "protein", "housing", "cover", "shuttle")
BAR = -0.05
"""Nats per row that a column may be behind the best peer."""

MOST_ROWS_TUNED = 700
"""The bandwidth is validated on all rows up to here, else on evenly ranked ones and the outermost."""
RANKED_ROWS, OUTER_ROWS = 450, 25


def fit_smooth_margin(train: Vector) -> Density:
    margins = fit_margins(bw.read_columns(train[:, None]))
    return lambda test: margins.log_derivative(bw.read_columns(test[:, None]))


# ---- kernel density estimate --------------------------------------------------------------------------


def kde_log_density(
    rows: Vector, at: Vector, bandwidth: float, left_out: NDArray[np.intp] | None = None
) -> Vector:
    """Return the log-density of a Gaussian kernel estimate; at point i without the row `left_out[i]`."""
    out = np.empty(len(at))
    for start in range(0, len(at), 256):
        part = slice(start, start + 256)
        squares = ((at[part, None] - rows) / bandwidth) ** 2
        if left_out is not None:
            squares[np.arange(len(squares)), left_out[part]] = np.inf
        least = squares.min(axis=1)
        out[part] = np.log(np.exp(0.5 * (least[:, None] - squares)).sum(axis=1)) - 0.5 * least
    n = len(rows) - (left_out is not None)
    return out - np.log(n * bandwidth * np.sqrt(2 * np.pi))


def tuning_rows(n: int) -> tuple[NDArray[np.intp], Vector]:
    """Return ranks on which a bandwidth is validated, and how many rows each stands for."""
    if n <= MOST_ROWS_TUNED:
        return np.arange(n), np.ones(n)
    inner = np.unique(np.linspace(OUTER_ROWS, n - OUTER_ROWS - 1, RANKED_ROWS).astype(np.intp))
    ranks = np.r_[0:OUTER_ROWS, inner, n - OUTER_ROWS : n]
    outer = np.ones(OUTER_ROWS)
    return ranks, np.r_[outer, np.full(len(inner), (n - 2 * OUTER_ROWS) / len(inner)), outer]


def fit_kde(train: Vector) -> Density:
    """Tune the bandwidth over nine octaves, then to a quarter of one."""
    rows = np.sort(train)
    ranks, counts = tuning_rows(len(rows))
    quartiles = np.quantile(rows, [0.25, 0.75])
    spread = min(rows.std(), (quartiles[1] - quartiles[0]) / 1.34) or rows.std()
    reference = 0.9 * spread * len(rows) ** -0.2
    known: dict[float, float] = {}

    def validated(octave: float) -> float:
        if octave not in known:
            logs = kde_log_density(rows, rows[ranks], reference * 2.0**octave, left_out=ranks)
            known[octave] = float(np.average(logs, weights=counts))
        return known[octave]

    best = max(range(-5, 4), key=validated)
    for step in (0.5, 0.25):
        best = max([best - step, best, best + step], key=validated)
    return lambda test: kde_log_density(rows, test, reference * 2.0**best)


# ---- histograms ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Histogram:
    """Equal bins over the range of the data, and what leave-one-out says of them."""

    low: float
    high: float
    n_rows: int
    density: Vector
    squared_error: float
    likelihood: float

    def __call__(self, test: Vector) -> Vector:
        """Return log-densities; a row outside the range is one row spread over the range."""
        inside = (test >= self.low) & (test <= self.high)
        n_bins = len(self.density)
        bins = np.floor((test - self.low) / (self.high - self.low) * n_bins).astype(int)
        logs = np.log(self.density[np.clip(bins, 0, n_bins - 1)])
        return np.where(inside, logs, -np.log((self.n_rows + 1) * (self.high - self.low)))


def fit_histogram(train: Vector, n_bins: int, pseudo: float) -> Histogram:
    low, high, n = float(train.min()), float(train.max()), len(train)
    width = (high - low) / n_bins
    counts = np.bincount(np.minimum(((train - low) / width).astype(int), n_bins - 1), minlength=n_bins)
    squared_error = (2 - (n + 1) * ((counts / n) ** 2).sum()) / ((n - 1) * width)
    left_out = np.maximum(counts - 1 + pseudo, 1e-9) / (n - 1 + pseudo * n_bins) / width
    density = (counts + pseudo) / (n + pseudo * n_bins) / width
    return Histogram(low, high, n, density, squared_error, float((counts * np.log(left_out)).sum() / n))


def all_histograms(train: Vector) -> list[Histogram]:
    sizes = np.unique(np.round(2.0 ** np.arange(1, 14.51, 0.25)).astype(int))
    return [
        fit_histogram(train, int(size), pseudo)
        for size in sizes[sizes <= 8 * len(train)]
        for pseudo in (0.02, 0.1, 0.5, 1.0)
    ]


def fit_likely_histogram(train: Vector) -> Density:
    return max(all_histograms(train), key=lambda h: h.likelihood)


def fit_close_histogram(train: Vector) -> Density:
    # The squared error knows no pseudo-count: the likelihood chooses that.
    return min(all_histograms(train), key=lambda h: (h.squared_error, -h.likelihood))


# ---- comparison ---------------------------------------------------------------------------------------

PEERS = (fit_kde, fit_likely_histogram, fit_close_histogram)


@dataclass(frozen=True)
class Outcome:
    """Of one column: nats per row over the best peer, and seconds of the margin and of each peer."""

    ahead: float
    seconds: tuple[float, ...]


def validate(fit: Callable[[Vector], Density], train: Vector, test: Vector) -> tuple[float, float]:
    """Return the test log-likelihood and the seconds of the fit."""
    start = time.perf_counter()
    density = fit(train)
    seconds = time.perf_counter() - start
    return float(density(test).mean()), seconds


def compare(train: Vector, test: Vector) -> Outcome:
    validated = [validate(fit, train, test) for fit in (fit_smooth_margin, *PEERS)]
    likelihoods = [likelihood for likelihood, _ in validated]
    return Outcome(likelihoods[0] - max(likelihoods[1:]), tuple(seconds for _, seconds in validated))


def compare_table(name: str, n_rows: int | None) -> tuple[str, list[Outcome]]:
    """Return one line of the result, and the outcome of each column."""
    with np.load(data_file(f"{name}.npz")) as file:
        train, test = file["train"].astype(np.float64)[:n_rows], file["test"].astype(np.float64)
    outcomes = [compare(a, b) for a, b in zip(train.T.copy(), test.T.copy(), strict=True)]
    ahead = np.array([outcome.ahead for outcome in outcomes])
    ours, kernels, likely, _ = np.sum([outcome.seconds for outcome in outcomes], axis=0)
    cells = [
        f"{name}, {len(train):,} × {train.shape[1]}",
        f"{ahead.mean():+.3f}",
        f"{ahead.min():+.3f}",
        f"{int((ahead < BAR).sum())}",
        f"{ours / kernels:.3f}",
        f"{ours / likely:.2f}",
    ]
    return "| " + " | ".join(cells) + " |", outcomes


def summary(n_rows: int | None, outcomes: list[Outcome]) -> str:
    ahead = np.array([outcome.ahead for outcome in outcomes])
    return (
        f"- {'All rows' if n_rows is None else f'{n_rows:,} rows'}, {len(ahead)} columns: mean "
        f"{ahead.mean():+.4f}, worst {ahead.min():+.4f}; {int((ahead < 0).sum())} behind the best peer, "
        f"{int((ahead < BAR).sum())} by more than {-BAR}."
    )


def main() -> str:
    """Return the table in Markdown, for few rows and for all."""
    lines = [
        f"| table | mean | worst column | columns below {BAR} | fit time / KDE | fit time / histogram |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    summaries = []
    for n_rows in (200, 1_000, None):
        outcomes: list[Outcome] = []
        for name in TABLES:
            line, of_table = compare_table(name, n_rows)
            lines.append(line)
            outcomes += of_table
        summaries.append(summary(n_rows, outcomes))
    return "\n".join([*lines, "", *summaries])


if __name__ == "__main__":
    print(main())
