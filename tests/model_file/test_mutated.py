"""Very many mutated model files: each loads or raises ModelFileError, and what loads answers.

They run in processes of their own (`mutant_runner.py`): a crash, a file that takes longer than a second, or
one that takes more memory than four times its size and 64 MB, is told by its seed.
"""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from pathlib import Path

import pytest
import small_models
from mutations import ODD_VALUES, Saved, mutated

HERE = Path(__file__).parent
N_BATCH = 1_000

SLOW_BATCHES = [pytest.param(first, marks=pytest.mark.slow) for first in range(N_BATCH, 10_000, N_BATCH)]
"""The first 1,000 mutants take 15 seconds of processor time; `make test-slow` goes on to 10,000."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    small_models.save_all(folder)
    return folder


def run(folder: Path, first: int, last: int) -> tuple[int, int]:
    """Check the mutants of some seeds; return how many were taken and how many refused."""
    # One thread a process, so that its CPU time is its own.
    environment = {**os.environ, "PYTHONPATH": str(HERE), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, str(HERE / "mutant_runner.py"), str(folder), str(first), str(last)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    wrong = [line for line in done.stdout.splitlines() if line.startswith("WRONG")]
    assert not wrong, "\n".join(wrong[:10])
    seed = folder / f"seed-{first}"
    at = seed.read_text(encoding="ascii") if seed.exists() else "none"
    assert done.returncode == 0, f"ended by {done.returncode} at seed {at}:\n{done.stderr[-3000:]}"
    taken, refused, _ = map(int, done.stdout.split("COUNTS ")[1].split())
    return taken, refused


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's limits of memory")
@pytest.mark.parametrize("first", [0, *SLOW_BATCHES])
def test_mutated_files(folder, first):
    taken, refused = run(folder, first, first + N_BATCH)
    assert taken + refused == N_BATCH
    assert taken > N_BATCH / 20  # mutations that leave a model are tested too
    assert refused > N_BATCH / 2


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's limits of memory")
@pytest.mark.parametrize("first", range(1_000_000, 2_000_000, 50_000))
def test_very_many_mutated_files(folder, first):
    taken, refused = run(folder, first, first + 50_000)
    assert taken + refused == 50_000


def test_a_seed_tells_a_mutant(folder):
    files = [Saved(path.stem, path.read_bytes()) for path in sorted(folder.glob("*.boxwood"))]
    assert len({mutated(files, seed)[1] for seed in range(200)}) > 150
    before = copy.deepcopy(ODD_VALUES)
    assert all(mutated(files, seed)[1] == mutated(files, seed)[1] for seed in range(50))
    for seed in range(1_000):
        mutated(files, seed)
    assert before == ODD_VALUES  # no seed changes what the next ones get
