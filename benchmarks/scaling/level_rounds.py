"""What travels when a density forest is grown level by level: rounds, and bytes of each kind of task.

    python benchmarks/scaling/level_rounds.py 100000

Tasks are run in this process, one after another, and what they give is pickled: these are the bytes that
leave a worker where the task that needs them runs on another. Beside them stands what growth tree by tree
sends: the table in bins to every worker.
"""

from __future__ import annotations

import pickle
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import boxwood as bw
from boxwood.tree.elsewhere import growing_by

N_TREES = 20
KINDS = {
    "sample": "rows of the samples, which stay",
    "count": "counts of the open nodes",
    "merge": "merged, eight at a time",
    "plan": "upper parts of the trees",
    "take": "rows that choose splits, or are handed over",
    "deepen": "upper parts and subtrees",
    "route": "rows of the open nodes, which stay",
    "join": "trees to the driver",
    "densities": "densities of the pilot to the driver",
}
"""Tasks that a level is made of, in order, and what they give."""


class CountingGraph:
    """Calls functions at once; counts calls and the bytes of what they give."""

    n_threads = 2

    def __init__(self) -> None:
        self.n_calls: dict[str, int] = defaultdict(int)
        self.n_bytes: dict[str, int] = defaultdict(int)

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the function."""
        answer = function(*arguments)
        self.n_calls[function.__name__] += 1
        self.n_bytes[function.__name__] += len(pickle.dumps(answer, protocol=5))
        return answer

    def start(self, tasks: Sequence[Any]) -> list[Any]:
        """Return what was called."""
        return list(tasks)

    results = start


class LevelRunner:
    """Has all trees grown by levels."""

    n_threads = 2

    def __init__(self) -> None:
        self.graph = CountingGraph()
        self.table = 0

    def by_levels(self, n_bytes: int) -> CountingGraph:
        """Return the graph, and note how large the table in bins is."""
        self.table = n_bytes
        return self.graph

    def refuse_levels(self, reason: str) -> None:
        """Stop: nothing else is measured here."""
        raise RuntimeError(reason)


def main(n_rows: int, n_columns: int = 10) -> str:
    """Return a table of what travels."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(n_rows, n_columns)) @ rng.normal(size=(n_columns, n_columns))
    runner: Any = LevelRunner()
    with growing_by(runner):
        bw.DensityForest(N_TREES, random_state=0).fit(rows)
    graph = runner.graph
    n_groups = 2 * graph.n_threads
    lines = [
        f"| {n_rows:,} rows × {n_columns}, {N_TREES} trees | tasks | MB |",
        "| --- | ---: | ---: |",
        f"| table in bins, to each worker that grows whole trees | | {runner.table / 1e6:.1f} |",
    ]
    lines += [
        f"| by levels: {what} (`{name}`) | {graph.n_calls[name]} | {graph.n_bytes[name] / 1e6:.1f} |"
        for name, what in KINDS.items()
    ]
    lines.append(
        f"\nAbout {graph.n_calls['deepen'] / n_groups:.0f} levels, of the pilot's trees and the forest's."
    )
    return "\n".join(lines)


if __name__ == "__main__":
    print(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000))
