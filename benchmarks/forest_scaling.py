"""How a forest of 50 trees grows with the rows: 10⁴, 10⁵ and 10⁶ of 10 columns, on two threads.

The rows are drawn from a Gaussian mixture fitted to magic, so that their structure is real at every size.
Every size runs in a process of its own, which measures its time and its peak of memory. Bars: minutes for
10⁶ rows within 4 GiB, time linear in the rows, fit's peak at most 3 times the encoded data (8 bytes a bin)
plus the model.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from ratio import data_file
from sklearn.mixture import GaussianMixture

import boxwood as bw

SIZES = (10_000, 100_000, 1_000_000)
N_TREES = 50
N_JOBS = 2
MIB = 2**20


def make_rows(n_rows: int) -> np.ndarray:
    """Draw rows of 10 columns from a mixture fitted to magic."""
    train = np.load(data_file("magic.npz"))["train"].astype(np.float64)
    mixture = GaussianMixture(30, random_state=0, reg_covar=1e-4).fit(train)
    rows, _ = mixture.sample(n_rows)
    return np.random.default_rng(0).permutation(rows)


def measure_fit(path: str, n_rows: int) -> dict[str, float]:
    """Fit the first rows of a file and give times in seconds and sizes in bytes; for a process of its own."""
    rows = np.array(np.load(path, mmap_mode="r")[:n_rows])
    warm_up = rows[:: max(1, n_rows // 200)]
    bw.DensityForest(2, random_state=0, n_jobs=N_JOBS).fit(warm_up).score(warm_up)
    before = memory("VmRSS")
    forget_peak()
    start, used = time.perf_counter(), cpu_seconds()
    forest = bw.DensityForest(N_TREES, random_state=0, n_jobs=N_JOBS).fit(rows)
    seconds, used = time.perf_counter() - start, cpu_seconds() - used
    return {
        "rows": n_rows,
        "seconds": seconds,
        "cpu": used,
        "before": before,
        "peak": memory("VmHWM"),
        "after": memory("VmRSS"),
        "encoded": 8 * rows.size,
        "model": float(sum(forest.memory_report_.values())),
        "leaves": float(forest.mixture_.n_leaves),
        "split": forest.min_samples_split_,
    }


def memory(field: str) -> int:
    """Return a field of this process's status, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def forget_peak() -> None:
    """Let the peak start anew, where the kernel allows it."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def cpu_seconds() -> float:
    """Return what this process used on all cores."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measure_apart(path: str, n_rows: int, repeats: int) -> dict[str, float]:
    """Measure in fresh processes and give the run of least CPU time."""
    command = [sys.executable, __file__, path, str(n_rows)]
    runs = [
        json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout)
        for _ in range(repeats)
    ]
    return min(runs, key=lambda run: run["cpu"])


def table(runs: list[dict[str, float]]) -> str:
    head = (
        "| rows | seconds | CPU seconds | CPU µs a row | min_samples_split | leaves a tree | model | "
        "3 × encoded + model | peak of fit | peak of process |\n"
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    )
    lines = [
        f"| {run['rows']:,} | {run['seconds']:.2f} | {run['cpu']:.2f} | "
        f"{1e6 * run['cpu'] / run['rows']:.0f} | {run['split']:g} | {run['leaves'] / N_TREES:,.0f} | "
        f"{mib(run['model'])} | {mib(allowed(run))} | "
        f"{mib(run['peak'] - run['before'])} | {mib(run['peak'])} |"
        for run in runs
    ]
    return "\n".join([head, *lines])


def allowed(run: dict[str, float]) -> float:
    """Return the bytes that fit may take at its peak."""
    return 3 * run["encoded"] + run["model"]


def mib(n_bytes: float) -> str:
    return f"{n_bytes / MIB:,.0f} MiB"


def bars(runs: list[dict[str, float]]) -> str:
    """Describe how each bar was met by the largest run."""
    last = runs[-1]
    growth = [f"{b['cpu'] / b['rows'] / (a['cpu'] / a['rows']):.2f}" for a, b in itertools.pairwise(runs)]
    peak = last["peak"] - last["before"]
    return "\n".join(
        [
            f"- {last['rows']:,} rows: {last['seconds']:.0f} s on {N_JOBS} threads, the whole process at "
            f"most {last['peak'] / 2**30:.2f} GiB (bar: minutes, 4 GiB).",
            f"- CPU time a row, each size over the one before: {', '.join(growth)} (1 is linear).",
            f"- Peak of fit {peak / allowed(last):.2f} of 3 × encoded data plus model (bar: 1).",
        ]
    )


def main(sizes: tuple[int, ...] = SIZES, repeats: int = 1) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "rows.npy")
        np.save(path, make_rows(max(sizes)))
        runs = [measure_apart(path, n, repeats if n == max(sizes) else repeats + 2) for n in sizes]
    return f"{table(runs)}\n\n{bars(runs)}"


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(json.dumps(measure_fit(sys.argv[1], int(sys.argv[2]))))
    else:
        print(main())
