"""How the benchmarks time: candidates in turns in one process, on one thread, the best time of each."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from threadpoolctl import threadpool_limits

__all__ = ["best_times", "data_file", "ratio_table", "shown"]

SKIPPED = 77
"""The exit status of a benchmark whose data is not there."""
DEFAULT_DATA = Path(__file__).parents[2] / "shared" / "data"
"""Where the tables are unless ``BOXWOOD_DATA`` names another folder."""


def best_times(tasks: Mapping[str, Callable[[], object]], repeats: int = 5) -> dict[str, float]:
    """Run the tasks in turns on one thread and give the least time of each, in seconds.

    Turns, so that a slow moment of the machine meets all of them; the least, because noise only adds.
    """
    best = dict.fromkeys(tasks, float("inf"))
    with threadpool_limits(1):
        for _ in range(repeats):
            for name, task in tasks.items():
                start = time.perf_counter()
                task()
                best[name] = min(best[name], time.perf_counter() - start)
    return best


def ratio_table(tasks: Mapping[str, Callable[[], object]], repeats: int = 5, title: str = "task") -> str:
    """Time the tasks and give a table in Markdown; ratios are to the first task.

    A ratio above 1 is slower than the first task, below 1 faster.
    """
    times = best_times(tasks, repeats)
    base = next(iter(times.values()))
    rows = [f"| {name} | {shown(seconds)} | {seconds / base:.2f} |" for name, seconds in times.items()]
    return "\n".join([f"| {title} | time | ratio |", "| --- | ---: | ---: |", *rows])


def shown(seconds: float) -> str:
    """Return a time in a unit that suits it."""
    units = {"s": 1.0, "ms": 1e-3, "µs": 1e-6}
    unit = next((unit for unit, size in units.items() if seconds >= size), "µs")
    return f"{seconds / units[unit]:.3g} {unit}"


def data_file(name: str) -> Path:
    """Return a file of the folder that ``BOXWOOD_DATA`` names; where it is missing, say so and skip."""
    path = Path(os.environ.get("BOXWOOD_DATA") or DEFAULT_DATA) / name
    if not path.is_file():
        print(f"{path} is missing; set BOXWOOD_DATA to the folder of {name}", file=sys.stderr)
        raise SystemExit(SKIPPED)
    return path
