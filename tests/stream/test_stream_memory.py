"""A table that is larger than the limit does not need more memory than the limit."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

RUNNER = Path(__file__).with_name("memory_runner.py")
CELL = 8

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc")


def write_numbers(path: Path, n_bytes: int, n_columns: int = 10) -> None:
    """Write a table that decodes to so many bytes, a part at a time; half of its columns have few values."""
    rng = np.random.default_rng(0)
    names = [f"x{j}" for j in range(n_columns)]
    n_rows, part = n_bytes // (CELL * n_columns), 100_000
    schema = pa.schema([(name, pa.float64()) for name in names])
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:
        for first in range(0, n_rows, part):
            rows = rng.normal(size=(min(part, n_rows - first), n_columns))
            rows[:, 1::2] = np.round(rows[:, 1::2] + rows[:, ::2], 1)
            writer.write_table(pa.table(dict(zip(names, rows.T, strict=True)), schema=schema))


def peak(path: Path, limit: str, name: str, parameters: str) -> int:
    command = [sys.executable, str(RUNNER), str(path), limit, name, parameters]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return int(done.stdout)


def test_a_table_of_60_mb_within_80(tmp_path: Path) -> None:
    """In memory a fit takes several times its table."""
    write_numbers(tmp_path / "table.parquet", 60_000_000)
    assert peak(tmp_path / "table.parquet", "16MB", "DensityTree", "{'random_state': 0}") < 80_000_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("DensityForest", "{'n_estimators': 2, 'random_state': 0}"),
        ("ProductDensity", "{}"),
        ("BoostedDensity", "{'preset': 'quick', 'n_estimators': 2, 'random_state': 0}"),
    ],
)
def test_a_table_of_a_gigabyte_within_200_mb(tmp_path: Path, name: str, parameters: str) -> None:
    write_numbers(tmp_path / "table.parquet", 10**9)
    assert peak(tmp_path / "table.parquet", "128MB", name, parameters) < 200_000_000


@pytest.mark.slow
def test_a_table_of_10_gib_within_1(tmp_path: Path) -> None:
    room = shutil.disk_usage(tmp_path).free
    if room < 60 * 2**30:  # the table, and mapped files of up to five times its size
        pytest.skip(f"60 GiB of disk are needed, {room / 2**30:.0f} are free")
    write_numbers(tmp_path / "table.parquet", 10 * 2**30)
    assert (
        peak(tmp_path / "table.parquet", "512MiB", "DensityForest", "{'n_estimators': 2, 'random_state': 0}")
        < 2**30
    )
