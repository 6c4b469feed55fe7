"""How long the commands take from the shell, and how much memory a long table needs.

Times are of the processor, start of the interpreter included; memory is the highest resident size.
Run it with ``BOXWOOD_DATA=folder python tools/cli_times.py``; the folder has adult.csv.gz.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

QUESTION = "P(age > 50 | income == '>50K')"
LENGTHS = (100_000, 1_000_000)
PROGRAM = """
import atexit, sys, time
def report():
    sys.stdout.flush()
    [high] = [line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')]
    print(f'{time.process_time()} {high}', file=sys.stderr)
atexit.register(report)
from boxwood.cli import main
main(sys.argv[1:])
"""


def main() -> str:
    """Return the table: each command in a process of its own."""
    adult = str(Path(os.environ["BOXWOOD_DATA"]) / "adult.csv.gz")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model, report = str(folder / "adult.boxwood"), folder / "adult.html"
        lines = [_best("boxwood --help", ["--help"])]
        fit = ["fit", adult, "--target", "income", "-o", model, "--report", str(report), "--threads", "2"]
        lines.append(_line("boxwood fit adult --target income --report", *_run(fit)))
        lines.append(_best("boxwood query adult.boxwood, one probability", ["query", model, QUESTION]))
        numbers = folder / "numbers.boxwood"
        _run(["fit", str(_numbers(folder, 5_000)), "-o", str(numbers)])
        for n_rows in LENGTHS:
            score = ["score", str(numbers), str(_numbers(folder, n_rows)), "-o", str(folder / "scored.csv")]
            lines.append(_line(f"boxwood score, {n_rows:,} rows × 10", *_run(score)))
        size = report.stat().st_size / 1e6
    heads = ["| command | processor | wall | memory |", "| --- | ---: | ---: | ---: |"]
    return "\n".join([*heads, *lines, "", f"The report of adult has {size:.1f} MB."])


def _best(name: str, arguments: list[str], repeats: int = 5) -> str:
    return _line(
        name, *(min(found) for found in zip(*(_run(arguments) for _ in range(repeats)), strict=True))
    )


def _line(name: str, processor: float, wall: float, memory: float) -> str:
    return f"| {name} | {processor:.2f} s | {wall:.2f} s | {memory / 1e3:.0f} MB |"


def _run(arguments: list[str]) -> tuple[float, float, float]:
    """Run a command; return seconds of the processor, seconds, and kilobytes."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": "2"},
    )
    wall = time.perf_counter() - start
    processor, memory = map(float, done.stderr.splitlines()[-1].split())
    return processor, wall, memory


def _numbers(folder: Path, n_rows: int) -> Path:
    path = folder / f"numbers_{n_rows}.csv"
    rng = np.random.default_rng(0)
    with path.open("w") as file:
        file.write(",".join(f"x{k}" for k in range(10)) + "\n")
        for _ in range(0, n_rows, 5_000):
            base = rng.normal(size=(5_000, 1))
            np.savetxt(file, base + rng.normal(size=(5_000, 10)), fmt="%.3f", delimiter=",")
    return path


if __name__ == "__main__":
    print(main())
