"""Pages made once, and a real browser to open them in."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nasty_tables import NASTY, nasty_table

import boxwood as bw
from boxwood.report import write_report

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api")
    path = next((found for found in map(shutil.which, BROWSERS) if found), None)
    assert path is not None, "install chromium, or run `make test-browser`"
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=sandbox)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The report of penguins with a target, that of a nasty table, and two data sheets."""
    folder = tmp_path_factory.mktemp("pages")
    paths = {name: folder / f"{name}.html" for name in ("penguins", "nasty", "model", "sheet", "nasty_sheet")}
    penguins = bw.read_columns(ROOT / "examples" / "penguins.csv")
    model = bw.TableModel(random_state=0).fit(penguins, target="species")
    write_report(model, paths["penguins"], penguins, target="species", time_budget=10.0)
    write_report(model, paths["model"])
    held = np.arange(penguins.n_rows) % 3 == 0
    train, rest = penguins.take(np.flatnonzero(~held)), penguins.take(np.flatnonzero(held))
    drawn = bw.TableModel(random_state=0).fit(train).sample(200, random_state=0)
    bw.synthetic_report(train, drawn, rest).save(paths["sheet"])
    table = bw.read_columns(nasty_table())
    forest = bw.TableModel(bw.DensityForest(n_estimators=20, random_state=0)).fit(table)
    write_report(forest, paths["nasty"], table, target=NASTY[0], time_budget=3.0)
    bw.synthetic_report(table, forest.sample(100, random_state=0)).save(paths["nasty_sheet"])
    return paths
