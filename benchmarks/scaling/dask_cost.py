"""What a fit on a cluster costs, computed from measured constants: passes, bytes over the network, seconds.

    python benchmarks/scaling/dask_cost.py

Constants are of one core and rows of ten numbers (an Intel Xeon core at 2 to 3 GHz), measured with
`time.process_time` at 100,000 to 500,000 rows.
"""

from __future__ import annotations

from dataclasses import dataclass

COLUMNS = 10
BANDWIDTH = 1.25e9
"""Bytes a second of a machine: 10 Gbit/s."""

READ, HASH, ANSWER, PICKLE = 55e-9, 820e-9, 190e-9, 110e-9
"""Seconds a row: typed columns of a frame, hash and local merge, a bucket's answer, sending."""

WEIGH, ENCODE = 1.8e-6, 6.2e-6
"""Seconds a row on the driver: what rows are worth; margins, bins and codes."""

TREE, SCORE = 4.1e-6, 0.33e-6
"""Seconds a row and tree: growth with its share of the pilot; the scores of the training rows."""

LEVELS = 1.4
"""Times the seconds of a tree, where it is grown level by level: measured with two workers at 10⁶ rows."""

PILOT_TREES, NODES = 16, 3 * 256
"""Trees that choose `min_samples_split`; nodes of a tree of many rows above those that are handed over."""

COUNT, MOMENTS = 0.5e-6, 0.25e-6
"""Seconds a row: histograms of ten columns; moments of two classes."""


@dataclass(frozen=True)
class Cost:
    """Of one fit.

    Attributes
    ----------
    passes : int
        Over the rows of a partition, on its worker.
    driver : float
        Bytes that reach the driver.
    worker : float
        Bytes that reach a worker.
    seconds : float
    """

    passes: int
    driver: float
    worker: float
    seconds: float


def grid_histogram(n_rows: float, n_workers: int, n_cells: float = 1e5) -> Cost:
    """Return the cost of counts in a grid of so many cells, 16 bytes each."""
    summary = 16.0 * n_cells
    seconds = n_rows / n_workers * (READ + COUNT)
    return Cost(2, summary, 8 * summary, seconds + reduce_seconds(n_workers, summary))


def discriminant(n_rows: float, n_workers: int) -> Cost:
    """Return the cost of linear discriminant analysis of two classes: labels, then moments."""
    summary = (COLUMNS * COLUMNS + 4 * COLUMNS) * 8.0
    seconds = n_rows / n_workers * (READ + 2 * MOMENTS)
    return Cost(3, summary, 8 * summary, seconds + reduce_seconds(n_workers, summary))


def forest(n_rows: float, n_workers: int, n_trees: int = 100) -> Cost:
    """Return the cost of a density forest: shuffle of hashes, gathered rows, bins to all, trees as tasks."""
    shuffled, gathered, bins = 32.0 * n_rows, 8.0 * COLUMNS * n_rows, (2.0 * COLUMNS + 8.0) * n_rows
    scored = gathered
    on_workers = n_rows / n_workers * (READ + HASH + ANSWER + PICKLE + n_trees * (TREE + SCORE))
    on_driver = n_rows * (WEIGH + ENCODE + 2 * PICKLE)
    sent = (gathered + scored) / BANDWIDTH + (shuffled / n_workers + bins) / BANDWIDTH
    return Cost(2, gathered, shuffled / n_workers + bins + scored / n_workers, on_workers + on_driver + sent)


def forest_by_levels(n_rows: float, n_workers: int, n_trees: int = 100) -> Cost:
    """Return the cost of the same forest by levels: parts of the bins, counts, rows that are handed over."""
    trees, sampled = n_trees + PILOT_TREES, 0.8 * n_rows
    gathered, own = 8.0 * COLUMNS * n_rows, n_rows / n_workers
    handed_over = trees * sampled / n_workers * 2.0 * COLUMNS
    counts = trees * NODES * level_bytes(1)  # what a worker's own rows are counted in, merged or not
    received = own * (32.0 + 28.0 + 8.0 * COLUMNS) + handed_over + counts
    on_workers = own * (READ + HASH + ANSWER + PICKLE + n_trees * (LEVELS * TREE + SCORE))
    on_driver = n_rows * (WEIGH + ENCODE + 2 * PICKLE)
    sent = 2.0 * gathered / BANDWIDTH + received / BANDWIDTH
    return Cost(2, gathered, received, on_workers + on_driver + sent)


def level_bytes(n_nodes: int, n_bins: int = 16) -> float:
    """Return the bytes of the counts of some open nodes of a tree, from one part."""
    return 8.0 * n_nodes * COLUMNS * n_bins


def reduce_seconds(n_workers: int, summary: float, arity: int = 8) -> float:
    """Return the time of a tree reduce over as many results as there are workers."""
    rounds, left = 0, n_workers
    while left > 1:
        left, rounds = -(-left // arity), rounds + 1
    return rounds * (0.005 + arity * summary / BANDWIDTH)


def table() -> str:
    """Return the costs as a table in Markdown."""
    lines = [
        "| model | rows × 10 | workers | passes | to the driver | to a worker | time |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, cost_of in (
        ("grid of 10⁵ cells, given bins", grid_histogram),
        ("linear discriminant analysis", discriminant),
        ("density forest of 100 trees", forest),
        ("the same level by level", forest_by_levels),
    ):
        for n_rows, n_workers in ((1e9, 100), (1e12, 1000)):
            cost = cost_of(n_rows, n_workers)
            lines.append(
                f"| {name} | {power_of_ten(n_rows)} | {n_workers:,} | {cost.passes} | {size(cost.driver)} | "
                f"{size(cost.worker)} | {duration(cost.seconds)} |"
            )
    return "\n".join(lines)


def power_of_ten(n: float) -> str:
    """Return 10⁹ for 1e9."""
    return "10" + str(len(str(int(n))) - 1).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def size(n_bytes: float) -> str:
    """Return bytes in a unit that suits them."""
    for unit, one in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n_bytes >= one:
            return f"{n_bytes / one:.3g} {unit}"
    return f"{n_bytes:.0f} bytes"


def duration(seconds: float) -> str:
    """Return a time in a unit that suits it."""
    for unit, one in (("days", 86_400.0), ("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 2.0 * one:
            return f"{seconds / one:.3g} {unit}"
    return f"{seconds:.3g} s"


if __name__ == "__main__":
    print(table())
