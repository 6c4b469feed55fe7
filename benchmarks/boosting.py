"""What a round of boosting costs: 10⁶ rows of 10 columns, a level of the tree beside a pass over the data.

The bar: a round costs less than three passes a level. A pass is one ``sum`` of the array, which reads it from
front to back. Rounds of trees of 10 and of 20 levels are timed, and their difference is shared out to the
levels. Then the same rounds of two chains, on one thread and on two. CPU times but for the last.
"""

from __future__ import annotations

import time

import numpy as np
from ratio import shown
from threadpoolctl import threadpool_limits

from boxwood import _core

N_ROWS, N_COLUMNS, N_ROUNDS = 1_000_000, 10, 3
LEVELS = (10, 20)


def rows() -> np.ndarray:
    """Points of the cube that hang together."""
    rng = np.random.default_rng(0)
    common = rng.normal(size=(N_ROWS, 1))
    return 1.0 / (1.0 + np.exp(-(common + rng.normal(size=(N_ROWS, N_COLUMNS)))))


def boosters(points: np.ndarray, max_depth: int, n_chains: int = 1) -> _core.Boosters:
    options = _core.MapGrowOptions()
    options.learning_rate, options.max_depth = 0.25, max_depth
    options.max_features = N_COLUMNS // 2
    made = _core.Boosters(options)
    made.add([points] * n_chains, [np.empty((0, N_COLUMNS))] * n_chains, range(n_chains))
    return made


def cpu(task) -> float:
    start = time.process_time()
    task()
    return time.process_time() - start


def rounds_beside_a_pass(points: np.ndarray) -> str:
    with threadpool_limits(1):
        one_pass = min(cpu(points.sum) for _ in range(5))
        rounds = {}
        for depth in LEVELS:
            grown = boosters(points, depth)
            rounds[depth] = cpu(lambda grown=grown: grown.run(N_ROUNDS)) / N_ROUNDS
    shallow, deep = LEVELS
    level = (rounds[deep] - rounds[shallow]) / (deep - shallow)
    lines = [
        "| 10⁶ rows × 10 columns | time | in passes |",
        "| --- | ---: | ---: |",
        f"| one pass (sum) | {shown(one_pass)} | 1.00 |",
    ]
    for depth, seconds in rounds.items():
        ratio = seconds / one_pass / depth
        lines.append(f"| a round of {depth} levels | {shown(seconds)} | {ratio:.2f} a level |")
    return "\n".join([*lines, f"| each further level | {shown(level)} | {level / one_pass:.2f} |"])


def two_threads(points: np.ndarray) -> str:
    walls = {}
    for n_threads in (1, 2):
        both = boosters(points, LEVELS[-1], 2)
        start = time.perf_counter()
        both.run(N_ROUNDS, 0, n_threads)
        walls[n_threads] = time.perf_counter() - start
    return f"Two chains on two threads take {walls[2] / walls[1]:.2f} of the wall time of one thread."


def main() -> str:
    points = rows()
    return f"{rounds_beside_a_pass(points)}\n\n{two_threads(points)}"


if __name__ == "__main__":
    print(main())
