"""Includes of the core never point upwards: a folder knows those below it, and nothing else."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORE = ROOT / "cpp"

LAYERS = [
    {"base"},
    {"table"},
    {"margins", "boosting", "histogram", "linear", "neighbors"},
    {"binning"},
    {"tree"},
    {"mixture"},
]
"""From the bottom up. Folders of one layer do not know each other."""

UPWARD = {
    ("binning/record_blocks.hpp", "tree/supervised/supervised_data.hpp"),
    ("binning/record_table.hpp", "tree/supervised/supervised_data.hpp"),
    ("tree/forest.hpp", "mixture/fit_leaves.hpp"),
}
"""Includes that still point upwards: turn them round and strike them out; nothing is added here."""


def layer_of(file: str) -> int:
    folder = file.split("/")[0]
    for rank, names in enumerate(LAYERS):
        if folder in names:
            return rank
    raise AssertionError(f"cpp/{folder} has no place in LAYERS: give it one")


def includes() -> list[tuple[str, str]]:
    return [
        (path.relative_to(CORE).as_posix(), included)
        for path in sorted(CORE.rglob("*.[ch]pp"))
        if path.relative_to(CORE).parts[0] != "tests"
        for included in re.findall(r'^#include "([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)
    ]


def test_includes_never_point_upwards() -> None:
    found = includes()
    assert len(found) > 200
    wrong = {
        (file, included)
        for file, included in found
        if layer_of(included) >= layer_of(file) and included.split("/")[0] != file.split("/")[0]
    }
    assert wrong == UPWARD


@pytest.mark.parametrize("folder", sorted(path.name for path in CORE.iterdir() if path.name != "tests"))
def test_every_folder_has_tests_and_a_binding_of_its_name(folder: str) -> None:
    assert list((CORE / "tests" / folder).rglob("test_*.cpp")) != []
    if folder != "base":
        assert list((ROOT / "bindings").glob(f"bind_{folder}*.cpp")) != []
