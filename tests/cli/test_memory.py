"""Long tables are scored batch by batch: the memory is that of a batch."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import boxwood as bw

PROGRAM = """
import atexit, sys
def report():
    [high] = [line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')]
    print(high, file=sys.stderr)
atexit.register(report)
from boxwood.cli import main
main(sys.argv[1:])
"""


def numbers(path: Path, n_rows: int) -> None:
    """Write a table of ten columns of numbers."""
    rng = np.random.default_rng(0)
    names = [f"x{k}" for k in range(10)]
    schema = pa.schema([(name, pa.float64()) for name in names])
    make = pyarrow.parquet.ParquetWriter if path.suffix == ".parquet" else pyarrow.csv.CSVWriter
    with make(path, schema) as writer:
        for _ in range(0, n_rows, 10_000):
            writer.write_table(pa.table({name: rng.normal(size=10_000) for name in names}, schema=schema))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc")
@pytest.mark.parametrize("ending", [".parquet", ".csv"])
def test_ten_times_the_rows_need_no_more_memory(tmp_path: Path, ending: str) -> None:
    rng = np.random.default_rng(1)
    forest = bw.DensityForest(n_estimators=10, random_state=0)
    bw.TableModel(forest).fit({f"x{k}": rng.normal(size=1_000) for k in range(10)}).save(
        tmp_path / "m.boxwood"
    )
    kilobytes = []
    for n_rows in (100_000, 1_000_000):
        numbers(tmp_path / f"rows{ending}", n_rows)
        arguments = ["score", tmp_path / "m.boxwood", tmp_path / f"rows{ending}", "-o", tmp_path / "out.csv"]
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *map(str, arguments)],
            stderr=subprocess.PIPE,
            text=True,
            check=True,
        )
        kilobytes.append(int(done.stderr.splitlines()[-1]))
        with (tmp_path / "out.csv").open() as file:
            assert sum(1 for _ in file) == n_rows + 1
    # The whole table would be 80 MB of numbers.
    assert kilobytes[1] < kilobytes[0] + 60_000
