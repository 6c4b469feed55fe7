"""Property tests run the same examples each time unless asked otherwise. No test takes memory without end."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

from memory_limit import IS_LIMITED, MOST_MEMORY
from properties import RANDOM, SAME, TIMES_AS_MANY, examples

TESTS = Path(__file__).parent

FAILING = """
from hypothesis import given, strategies as st
from memory_limit import IS_LIMITED, MOST_MEMORY
from properties import examples

ran = []

@examples(7)
@given(st.integers(0, 10**9))
def test_of_many(number):
    ran.append(number)

def test_how_many():
    print("examples:", len(ran), "first:", ran[:3])

@examples(7)
@given(st.integers(0, 10**9))
def test_that_fails(number):
    assert number < 10
"""


def run_random(folder: Path, seed: int) -> str:
    """Run FAILING from a random seed in a process of its own; return what it prints."""
    file = folder / "test_failing.py"
    file.write_text(FAILING)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-s",
        "-p",
        "conftest",
        "-p",
        "_hypothesis_pytestplugin",
        "-p",
        "no:cacheprovider",
        "-c",
        os.devnull,
    ]
    options = [f"--hypothesis-profile={RANDOM}", f"--hypothesis-seed={seed}", f"--rootdir={folder}"]
    # Other plugins take most of the time to import.
    environment = {**os.environ, "PYTHONPATH": str(TESTS), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [*command, *options, str(file)], capture_output=True, text=True, env=environment, cwd=folder
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def test_a_random_run_has_more_examples_and_says_how_to_repeat_a_failure(tmp_path: Path) -> None:
    printed = run_random(tmp_path, 3)
    (found,) = re.findall(r"examples: (\d+) first: (.*)", printed)
    assert int(found[0]) == 7 * TIMES_AS_MANY
    assert "make test-random SEED=3" in printed
    assert "--hypothesis-profile=random --hypothesis-seed=3" in printed
    assert "test_failing.py::test_that_fails" in printed
    assert "@reproduce_failure(" in printed
    again, other = (re.findall(r"first: (.*)", run_random(tmp_path, seed))[0] for seed in (3, 4))
    assert again == found[1]
    assert other != found[1]


def test_an_ordinary_run_has_the_same_examples_whatever_the_time() -> None:
    profile = settings.get_profile(SAME)
    assert profile.derandomize
    assert profile.deadline is None
    assert profile.database is None
    assert examples(20).max_examples == 20 * settings.default.max_examples // 100


def test_every_number_of_examples_comes_from_one_place() -> None:
    setting = re.compile(r"\bmax_examples\b|import .*\bsettings\b.*|\bhypothesis\.settings\b")
    own = {"properties.py", "test_properties.py"}
    setters = [
        str(path.relative_to(TESTS))
        for path in sorted(TESTS.rglob("*.py"))
        if path.name not in own
        and any(
            setting.search(line) and ("hypothesis" in line or "max_examples" in line)
            for line in path.read_text().splitlines()
        )
    ]
    assert setters == [], "take the number of examples from tests/properties.py: @examples(30)"


@pytest.mark.skipif(not IS_LIMITED, reason="neither other systems nor sanitizers limit memory")
def test_an_allocation_without_end_fails_one_test() -> None:
    with pytest.raises(MemoryError):
        np.empty(MOST_MEMORY + 1, dtype=np.uint8)
