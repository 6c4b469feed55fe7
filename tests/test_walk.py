"""The walk of a record in ARCHITECTURE.md is the one that a fit takes."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType

import numpy as np
import pandas as pd
import pytest

import boxwood as bw

ROOT = Path(__file__).parents[1]
PACKAGE = Path(bw.__file__).parent
ASIDE = {PACKAGE, PACKAGE / "parameters"}
"""Folders whose files every stage uses."""
TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


def walk(name: str, column: int) -> list[str]:
    """Return the files of a column of the table behind ``<!-- walk: name -->``, in order."""
    table = TEXT.partition(f"<!-- walk: {name} -->\n")[2].partition("\n\n")[0]
    rows = [line.strip("|").split("|") for line in table.splitlines()[2:]]
    return [file for row in rows for file in re.findall(r"`([^`]+)`", row[column])]


def entered(task: Callable[[], object]) -> list[str]:
    """Run a task; return the files of the package's folders by when they are first entered."""
    found: dict[str, None] = {}
    seen: set[CodeType] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event == "call" and code not in seen:
            seen.add(code)
            path = Path(code.co_filename)
            if path.is_relative_to(PACKAGE) and path.parent not in ASIDE:
                found[path.relative_to(PACKAGE).as_posix()] = None

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        task()
    finally:
        sys.setprofile(before)
    return list(found)


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "length": rng.normal(size=60),
            "width": rng.normal(size=60),
            "colour": rng.choice(["red", "blue"], 60),
        }
    )


@pytest.fixture(scope="module")
def forest(table: pd.DataFrame) -> bw.DensityForest:
    # The first fit imports modules, whose class bodies would count as entered.
    model = bw.DensityForest(n_estimators=2, random_state=0).fit(table)
    model.score_samples(table)
    return model


def test_fit(forest: bw.DensityForest, table: pd.DataFrame) -> None:
    taken = entered(lambda: forest.fit(table))
    assert taken == walk("fit", 1), f"ARCHITECTURE.md should have, in order: {taken}"


def test_score_samples(forest: bw.DensityForest, table: pd.DataFrame) -> None:
    taken = entered(lambda: forest.score_samples(table))
    assert taken == walk("score_samples", 1), f"ARCHITECTURE.md should have, in order: {taken}"


@pytest.mark.parametrize("name", ["fit", "score_samples"])
def test_the_files_of_the_core_exist(name: str) -> None:
    files = walk(name, 2)
    assert len(files) > 3
    assert [file for file in files if not (ROOT / "cpp" / file).is_file()] == []
