"""``boxwood fit --dask``: workers read the files of a pattern."""

from pathlib import Path
from typing import Any

import pytest
from dask_tables import mixed_frame
from typer.testing import CliRunner

import boxwood as bw
from boxwood.cli.app import app


def test_files_are_fitted_on_a_cluster(cluster: Any, tmp_path: Path) -> None:
    frame = mixed_frame(200)
    for k, part in enumerate((frame[:80], frame[80:])):
        part.to_parquet(tmp_path / f"part-{k}.parquet")
    output = tmp_path / "model.boxwood"
    pattern = str(tmp_path / "part-*.parquet")
    address = cluster.scheduler_address
    asked = ["fit", pattern, "--dask", address, "-o", str(output), "--memory-limit"]
    done = CliRunner().invoke(app, [*asked, "lots"])
    assert done.exit_code != 0
    assert "memory_limit" in done.output + str(done.exception)
    done = CliRunner().invoke(app, [*asked, "64MB"])
    assert done.exit_code == 0, done.output
    assert "fitted to 2 files" in done.output
    assert bw.load(output).density_.schema_.names == tuple(frame.columns)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["nothing-*.parquet", "-o", "m.boxwood"], "no file matches"), (["x.parquet"], "say where, with -o")],
)
def test_what_is_missing_is_said(arguments: list[str], message: str) -> None:
    done = CliRunner().invoke(app, ["fit", *arguments, "--dask", "tcp://127.0.0.1:1"])
    assert done.exit_code != 0
    assert message in done.output + str(done.exception)
