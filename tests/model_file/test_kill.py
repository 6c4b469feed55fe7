"""kill -9 during a save: the old or the new file is there, whole."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def killed(folder: Path, rounds: int) -> int:
    program = Path(__file__).with_name("killed_saver.py")
    done = subprocess.run(
        [sys.executable, str(program), str(folder), str(rounds)],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
class TestKill:
    def test_a_few_kills(self, tmp_path):
        killed(tmp_path, 10)

    @pytest.mark.slow
    def test_two_hundred_kills(self, tmp_path):
        # A draft that is left behind shows that the kill fell into a save.
        assert killed(tmp_path, 200) > 20
