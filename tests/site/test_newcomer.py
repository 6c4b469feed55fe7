"""A newcomer who follows the tutorial gets what it shows."""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATH = ROOT / "tools" / "newcomer.py"
spec = importlib.util.spec_from_file_location("newcomer", PATH)
newcomer = importlib.util.module_from_spec(spec)
spec.loader.exec_module(newcomer)
PYTHON = Path(sys.executable)


def test_the_tutorial_holds_in_this_environment(tmp_path):
    assert list(newcomer.follow(PYTHON, tmp_path)) == []
    assert {"penguins.boxwood", "drawn.csv", "report.html"} <= {path.name for path in tmp_path.iterdir()}


def test_the_commands_of_the_readme_run(tmp_path):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^boxwood (.*?)(?: +#.*)?$", text, re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["fit", "explore"]
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    fit = [PYTHON, "-m", "boxwood.cli", *shlex.split(commands[0]), "--time-budget", "20"]
    subprocess.run(fit, cwd=tmp_path, check=True)
    assert (tmp_path / "report.html").stat().st_size > 100_000
    assert (tmp_path / commands[1].split()[1]).exists()  # what is explored is what was fitted


def test_the_tutorial_has_code_and_commands():
    text = newcomer.TUTORIAL.read_text(encoding="utf-8")
    assert newcomer.python_blocks(text).count(">>> ") > 25
    assert [command.split()[:2] for command, _ in newcomer.console_examples(text)] == [
        ["boxwood", "query"],
        ["boxwood", "sample"],
        ["boxwood", "report"],
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("```python\n>>> 1 + 1\n3\n```\n", "1 failed"),
        ("```python\n>>> import boxwood\n```\n```console\n$ echo two\none\n```\n", "two"),
        ("```console\n$ false\n```\n", "exit code 1"),
    ],
)
def test_what_differs_from_the_tutorial_is_listed(text, said, tmp_path):
    problems = list(newcomer.follow(PYTHON, tmp_path, text))
    assert len(problems) == 1
    assert said in problems[0]


def test_what_is_as_shown_is_silent(tmp_path):
    text = "```python\n>>> 1 + 1\n2\n```\nand\n```console\n$ echo one\none\n$ echo two; echo three\n"
    text += "two\n...\n```\n"
    assert list(newcomer.follow(PYTHON, tmp_path, text)) == []
