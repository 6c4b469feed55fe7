"""Models that were saved once load for ever and answer as they did."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from safetensors import safe_open

import boxwood as bw
from boxwood.columns import Kind
from boxwood.model_file import FORMAT_VERSION

FOLDER = Path(__file__).parents[1] / "data" / "models"
SAVED = sorted(FOLDER.glob("*.boxwood"))


def make_module():
    spec = importlib.util.spec_from_file_location("make_models", FOLDER / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows_of(model, rows) -> pl.DataFrame:
    frame = pl.DataFrame(rows)
    days = [field.name for field in model.schema_.fields if field.kind is Kind.DATETIME]
    return frame.with_columns(pl.col(name).str.to_datetime(time_unit="us") for name in days)


@pytest.mark.parametrize("path", SAVED, ids=lambda path: path.stem)
def test_a_saved_model_answers_as_it_did(path):
    model = bw.load(path)
    assert type(model).__name__ == path.stem.split("-")[0]
    beside = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    rows = rows_of(model, beside.pop("rows"))
    assert beside
    for name, expected in beside.items():
        # Another machine's linear algebra rounds otherwise.
        np.testing.assert_allclose(getattr(model, name)(rows), expected, rtol=1e-7, err_msg=name)


def test_every_model_of_boxwood_has_a_saved_one():
    saved = {path.stem.split("-")[0] for path in SAVED}
    missing = {cls.__name__ for cls in make_module().classes()} - saved
    assert not missing, "run tests/data/models/make.py and commit what it writes"


def test_make_never_overwrites(tmp_path, monkeypatch, capsys):
    module = make_module()
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    module.main()
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(first) == 2 * len(module.classes())
    (tmp_path / f"GaussianDensity-{bw.__version__}.boxwood").write_bytes(b"precious")
    module.main()
    assert (tmp_path / f"GaussianDensity-{bw.__version__}.boxwood").read_bytes() == b"precious"
    assert {path.name for path in tmp_path.iterdir()} == set(first)


def test_the_policy_names_every_format_version():
    page = (FOLDER.parents[2] / "docs" / "reference" / "format.md").read_text(encoding="utf-8")
    named = {int(version) for version in re.findall(r"^\| (\d+) \| \d", page, re.MULTILINE)}
    written = set()
    for path in SAVED:
        with safe_open(path, framework="numpy") as file:
            written.add(json.loads(file.metadata()["boxwood"])["version"])
    assert written | {FORMAT_VERSION} == named
