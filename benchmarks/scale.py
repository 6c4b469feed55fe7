"""Time and memory of a fit against the size of its table: in memory, out of core, and with Dask.

A density forest of ten trees, ten columns, on one thread; out of core within 32 MB. Every fit is in a process
of its own, of which the processor's time and the largest growth of anonymous memory are shown. Dask has two
workers of one thread each; its time is the driver's and that of the busier worker, one after the other, as on
machines that do nothing else. Their event loops tick while they wait, 5 seconds of a hundred: on a busy
machine, where a fit lasts longer, what they tick longer is taken off. Bars: linear growth with the rows; out
of core at most twice the time in memory; Dask 1.3 times as fast as one thread at 10⁸ cells. Beside it, what
one does who has no such method: a sample of 100,000 rows, to which scikit-learn fits a mixture of normals or
an isolation forest. Up to 10⁷ cells; with BOXWOOD_SCALE=8 up to 10⁸, for which an hour and 10 GB of disk are
needed.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

N_COLUMNS = 10
SAMPLE = 100_000
LIMIT = "32MB"
LARGEST = int(os.environ.get("BOXWOOD_SCALE", "7"))


def write_table(path: Path, n_rows: int) -> None:
    """Write numbers, some of them rounded, whole or dependent, and a category."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    names = [f"x{j}" for j in range(N_COLUMNS - 1)]
    schema = pa.schema([*((name, pa.float64()) for name in names), ("kind", pa.string())])
    with pq.ParquetWriter(path, schema) as writer:
        for first in range(0, n_rows, SAMPLE):
            n = min(SAMPLE, n_rows - first)
            x = rng.normal(size=(n, N_COLUMNS - 1))
            x[:, 1] += x[:, 0]
            x[:, 2] = np.exp(x[:, 2])
            x[:, 3] = np.round(x[:, 3], 1)
            columns = dict(zip(names, x.T, strict=True))
            writer.write_table(pa.table({**columns, "kind": rng.choice(list("abcde"), n)}, schema=schema))


# ---- one fit, in a process of its own ------------------------------------------------------------------


def forest() -> Any:
    import boxwood as bw

    return bw.DensityForest(n_estimators=10, random_state=0, n_jobs=1)


def fit_in_memory(path: str) -> None:
    import boxwood as bw

    forest().fit(bw.read_columns(path))


def fit_out_of_core(path: str) -> None:
    import boxwood as bw

    forest().fit(bw.open_table(path, LIMIT))


@functools.cache
def cluster() -> tuple[Any, float]:
    """Start two workers of one thread, before the fit: a client, and what a second of waiting costs.

    That is the processor's time of this process and of a worker.
    """
    from distributed import Client, LocalCluster

    client = Client(LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0"))
    time.sleep(2.0)  # what starting leaves to be done
    before, began, clock = client.run(time.process_time), time.process_time(), time.perf_counter()
    time.sleep(5.0)
    driver, clock = time.process_time() - began, time.perf_counter() - clock
    return client, (driver + busiest(before, client.run(time.process_time))) / clock


def busiest(before: dict[str, float], after: dict[str, float]) -> float:
    """Return the seconds of the worker that had most to do."""
    return max(after[worker] - before[worker] for worker in after)


def fit_with_dask(path: str) -> float:
    """Fit on a cluster, and return what is to be added to this process's seconds."""
    import dask.dataframe

    import boxwood.dask

    client, waiting = cluster()
    before, began, clock = client.run(time.process_time), time.process_time(), time.perf_counter()
    table = dask.dataframe.read_parquet(path, split_row_groups=True)
    boxwood.dask.fit(forest(), table, client=client)
    driver, clock = time.process_time() - began, time.perf_counter() - clock
    used = driver + busiest(before, client.run(time.process_time))
    # Of t seconds on a machine that does nothing else t · waiting are ticks; here it were clock · waiting.
    return (used - clock * waiting) / (1.0 - waiting) - driver


def sampled(path: str) -> Any:
    import duckdb

    drawn = duckdb.sql(
        f"SELECT * EXCLUDE (kind) FROM read_parquet('{path}') USING SAMPLE reservoir({SAMPLE} ROWS)"
    )
    return np.column_stack(list(drawn.fetchnumpy().values()))


def fit_normals_to_a_sample(path: str) -> None:
    from sklearn.mixture import GaussianMixture

    GaussianMixture(10, random_state=0).fit(sampled(path))


def fit_isolation_to_a_sample(path: str) -> None:
    from sklearn.ensemble import IsolationForest

    IsolationForest(random_state=0).fit(sampled(path))


ROADS: dict[str, Callable[[str], float | None]] = {
    "in memory": fit_in_memory,
    "out of core": fit_out_of_core,
    "Dask, 2 workers": fit_with_dask,
    "normals, a sample": fit_normals_to_a_sample,
    "isolation forest, a sample": fit_isolation_to_a_sample,
}


def anonymous() -> int:
    """Return the bytes of anonymous memory that are resident."""
    with open("/proc/self/status") as file:
        [kilobytes] = [line.split()[1] for line in file if line.startswith("RssAnon")]
    return 1024 * int(kilobytes)


def measure(road: str, path: str, warm_up: str) -> None:
    """Print the processor's time of a fit in seconds, and by how many bytes anonymous memory grew."""
    ROADS[road](warm_up)  # imports
    start, highest, done = anonymous(), 0, threading.Event()

    def watch() -> None:
        nonlocal highest
        while not done.wait(0.02):
            highest = max(highest, anonymous())

    watching = threading.Thread(target=watch)
    watching.start()
    began = time.process_time()
    elsewhere = ROADS[road](path) or 0.0
    seconds = time.process_time() - began + elsewhere
    done.set()
    watching.join()
    print(json.dumps([seconds, max(highest - start, 0)]))


# ---- all of them -----------------------------------------------------------------------------------------


def measured(road: str, path: Path, warm_up: Path) -> tuple[float, float]:
    command = [sys.executable, __file__, road, str(path), str(warm_up)]
    seconds, n_bytes = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return seconds, n_bytes


def main() -> str:
    lines = [
        f"| cells | {' | '.join(ROADS)} | out of core / in memory | in memory / Dask | "
        "memory, in memory | memory, out of core |",
        f"| ---: |{' ---: |' * (len(ROADS) + 4)}",
    ]
    with tempfile.TemporaryDirectory() as folder:
        warm_up = Path(folder) / "warm_up.parquet"
        write_table(warm_up, 1_000)
        for power in range(5, LARGEST + 1):
            path = Path(folder) / "table.parquet"
            write_table(path, 10**power // N_COLUMNS)
            found = {road: measured(road, path, warm_up) for road in ROADS}
            times = " | ".join(f"{seconds:.2f} s" for seconds, _ in found.values())
            whole = found["in memory"][0]
            ratios = f"{found['out of core'][0] / whole:.2f} | {whole / found['Dask, 2 workers'][0]:.2f}"
            memory = " | ".join(f"{found[road][1] / 1e6:.0f} MB" for road in ("in memory", "out of core"))
            lines.append(f"| 10^{power} | {times} | {ratios} | {memory} |")
    return "\n".join(lines)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(*sys.argv[1:])
    else:
        print(main())
