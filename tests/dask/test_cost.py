"""The page shows what the cost model and the simulation say."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "tasks" / "dask.md").read_text(encoding="utf-8")


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / "scaling" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_table_of_costs_is_current() -> None:
    assert load("dask_cost").table() in PAGE


def test_the_table_of_the_simulation_is_current(capsys: pytest.CaptureFixture[str]) -> None:
    load("reduce_simulation").main()
    assert capsys.readouterr().out in PAGE


def test_bytes_of_the_shuffle_are_those_that_are_sent() -> None:
    from boxwood.dask.equal_rows import BYTES_A_ROW

    cost = load("dask_cost")
    one_worker = cost.forest(1e6, 1)
    assert one_worker.worker == (BYTES_A_ROW + 28.0 + 80.0) * 1e6


def test_bytes_of_a_level_are_those_that_are_counted() -> None:
    from boxwood.tree.levels.rounds import SUBTREES_OF_A_TABLE

    cost = load("dask_cost")
    assert cost.NODES == 3 * SUBTREES_OF_A_TABLE
    assert cost.level_bytes(2, n_bins=4) == 2 * cost.COLUMNS * 4 * 8
    few, many = cost.forest_by_levels(1e9, 10), cost.forest_by_levels(1e9, 1000)
    assert many.driver == few.driver  # which still gathers the rows
    assert many.worker < few.worker / 10
