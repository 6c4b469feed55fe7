"""A density forest on a Dask cluster of this machine: seconds, and whether the bytes are those of one thread.

    python benchmarks/scaling/dask_fit.py 1000000

Workers are processes of one thread each and read Parquet files, one a partition. Starting them is not timed:
a cluster is there before the fit. Beside the time on the clock stands what the processors did: the driver's
seconds and those of the worker that had most to do, one after the other. That is the time of a machine that
does nothing else.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import boxwood as bw
import boxwood.dask

N_TREES = 20


class Fitted(NamedTuple):
    """Seconds on the clock, of the driver's processor and the busiest worker's; the model file's hash."""

    seconds: float
    driver: float
    worker: float
    sha256: str


def write_parts(folder: Path, n_rows: int, n_columns: int = 10, n_parts: int = 8) -> list[Path]:
    """Write rows of correlated columns as Parquet files."""
    rng = np.random.default_rng(0)
    turn = rng.normal(size=(n_columns, n_columns))
    files = []
    for k, part in enumerate(np.array_split(np.arange(n_rows), n_parts)):
        rows = np.random.default_rng(k).normal(size=(len(part), n_columns)) @ turn
        files.append(folder / f"part-{k:03}.parquet")
        pd.DataFrame(rows, columns=[f"x{j}" for j in range(n_columns)]).to_parquet(files[-1])
    return files


def in_memory(files: Sequence[Path]) -> Fitted:
    """Fit the whole table in this process."""
    start, used = time.perf_counter(), time.process_time()
    table = pd.concat([pd.read_parquet(file) for file in files], ignore_index=True)
    model = bw.DensityForest(N_TREES, random_state=0).fit(table)
    return Fitted(time.perf_counter() - start, time.process_time() - used, 0.0, sha256(model))


def on_cluster(files: Sequence[Path], client: Any, rounds: str) -> Fitted:
    """Fit the files on a cluster, whose workers read them, tree by tree or level by level."""
    import dask

    before = client.run(time.process_time)
    start, used = time.perf_counter(), time.process_time()
    tables = [dask.delayed(pd.read_parquet)(file) for file in files]
    model = bw.dask.fit(bw.DensityForest(N_TREES, random_state=0), tables, client=client, rounds=rounds)
    seconds, driver = time.perf_counter() - start, time.process_time() - used
    after = client.run(time.process_time)
    busiest = max(after[worker] - before[worker] for worker in after)
    return Fitted(seconds, driver, busiest, sha256(model))


@contextmanager
def workers(n_workers: int) -> Any:
    """Start so many worker processes of one thread."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=n_workers, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        client.wait_for_workers(n_workers)
        # What every worker imports at its first task is not part of a fit.
        client.run(_import_all)
        yield client


def _import_all() -> None:
    import boxwood.dask.fit  # noqa: F401


def sha256(model: Any) -> str:
    """Return the hash of a model's file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.boxwood"
        model.save(path)
        return hashlib.sha256(path.read_bytes()).hexdigest()


def main(n_rows: int) -> str:
    """Return a table of the times."""
    with tempfile.TemporaryDirectory() as folder:
        files = write_parts(Path(folder), n_rows)
        base = in_memory(files)
        lines = [
            f"| {n_rows:,} rows × 10, {N_TREES} trees | clock | driver | busiest worker | speed | same |",
            "| --- | ---: | ---: | ---: | ---: | --- |",
            f"| one thread in memory | {base.seconds:.1f} s | {base.driver:.1f} s | | 1.00 | |",
        ]
        for n_workers in (1, 2):
            for rounds in ("trees", "levels"):
                with workers(n_workers) as client:
                    found = on_cluster(files, client, rounds)
                speed = base.driver / (found.driver + found.worker)
                lines.append(
                    f"| Dask, {n_workers} of one thread, by {rounds} | {found.seconds:.1f} s | "
                    f"{found.driver:.1f} s | {found.worker:.1f} s | {speed:.2f} | "
                    f"{found.sha256 == base.sha256} |"
                )
    return "\n".join(lines)


if __name__ == "__main__":
    print(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
