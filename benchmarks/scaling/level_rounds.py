"""What travels when forests are grown level by level: rounds, and bytes of each kind of task.

    python benchmarks/scaling/level_rounds.py 200000

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
from boxwood.tree.levels.rounds import GROUPS_A_THREAD

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
    """Return tables of what travels, of a density forest and of a decision forest."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(n_rows, n_columns)) @ rng.normal(size=(n_columns, n_columns))
    classes = (rows[:, 0] + rng.normal(size=n_rows) > 0.0).astype(int)
    density, decisions = (
        bw.DensityForest(N_TREES, random_state=0),
        bw.RandomForestClassifier(N_TREES, random_state=0),
    )
    title = f"{n_rows:,} rows × {n_columns}, {N_TREES} trees"
    tables = [
        travelling(f"{title} of a density", lambda: density.fit(rows)),
        travelling(f"{title} of decisions", lambda: decisions.fit(rows, classes)),
    ]
    return "\n\n".join(tables)


def travelling(title: str, fit: Callable[[], Any]) -> str:
    """Fit by levels, and return a table of what travels."""
    runner: Any = LevelRunner()
    with growing_by(runner):
        fit()
    graph = runner.graph
    n_groups = GROUPS_A_THREAD * graph.n_threads
    lines = [
        f"| {title} | tasks | MB |",
        "| --- | ---: | ---: |",
        f"| table in bins, to each worker that grows whole trees | | {runner.table / 1e6:.1f} |",
    ]
    lines += [
        f"| by levels: {what} (`{name}`) | {graph.n_calls[name]} | {graph.n_bytes[name] / 1e6:.1f} |"
        for name, what in KINDS.items()
        if graph.n_calls[name]
    ]
    lines.append(f"\nAbout {graph.n_calls['deepen'] / n_groups:.0f} levels.")
    return "\n".join(lines)


if __name__ == "__main__":
    print(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200_000))
