"""The committed stub of the native module is the one that would be generated now."""

import subprocess
import sys
from pathlib import Path

import pytest

STUB = Path(__file__).parents[1] / "src" / "boxwood" / "_core.pyi"


def test_the_stub_is_up_to_date(tmp_path: Path) -> None:
    nanobind = pytest.importorskip("nanobind")
    if int(nanobind.__version__.split(".")[0]) < 3:
        pytest.skip("older versions of nanobind write stubs differently")
    fresh = tmp_path / "_core.pyi"
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "boxwood._core", "-o", str(fresh)], check=True
    )
    assert fresh.read_text(encoding="utf-8") == STUB.read_text(encoding="utf-8"), "run `make stub`"
