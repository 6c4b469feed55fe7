"""docs/reference/cli.md is what the commands say, and its commands run as written."""

import shlex
import sys
from pathlib import Path

import pytest
from quick_families import quick_families
from running import Run

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import cli_page

sys.path.pop(0)


def test_the_page_is_current() -> None:
    assert cli_page.PAGE.read_text(encoding="utf-8") == cli_page.page(), "run `python tools/cli_page.py`"


def test_every_command_has_an_example() -> None:
    assert len(cli_page.examples()) == cli_page.page().count("\n## boxwood ")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("example", [line for line in cli_page.ending_examples() if " compare " not in line])
def test_examples_run_as_written(run: Run, example: str) -> None:
    program, *arguments = shlex.split(example)
    assert program == "boxwood"
    with quick_families():
        code, _, err = run(*arguments)
    assert code == 0, err
