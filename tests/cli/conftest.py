import shutil
from pathlib import Path

import pytest
from running import Run

from boxwood.cli import main

PENGUINS = Path(__file__).parents[2] / "examples" / "penguins.csv"


@pytest.fixture(scope="session")
def fitted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with penguins.csv and a model of it."""
    folder = tmp_path_factory.mktemp("fitted")
    shutil.copy(PENGUINS, folder)
    with pytest.raises(SystemExit) as end:
        main(["fit", str(folder / "penguins.csv"), "-o", str(folder / "penguins.boxwood"), "--threads", "1"])
    assert end.value.code == 0
    return folder


@pytest.fixture
def folder(fitted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own with penguins.csv and a model of it, to work in."""
    for name in ("penguins.csv", "penguins.boxwood"):
        shutil.copy(fitted / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Runs a command in this process: its exit code, what it printed, and its complaints."""

    def run_command(*arguments: str) -> tuple[int, str, str]:
        capfdbinary.readouterr()
        with pytest.raises(SystemExit) as end:
            main(arguments)
        out, err = capfdbinary.readouterr()
        assert isinstance(end.value.code, int)
        return end.value.code, out.decode(), err.decode()

    return run_command
