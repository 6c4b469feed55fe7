"""Every public name has a page of the reference, with its parameters and methods."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import sys
from pathlib import Path

import pytest

import boxwood as bw
from boxwood import plugs

sys.path.insert(0, str(Path(__file__).parents[2] / "docs" / "_ext"))

import reference_pages

MODULES = ["datasets", "dask", *(f"plugs.{found.name}" for found in pkgutil.iter_modules(plugs.__path__))]
"""Modules whose public names are not in ``boxwood.__all__``."""
CLASSES = [name for name in bw.__all__ if inspect.isclass(getattr(bw, name))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("api")
    reference_pages.write_pages(path)
    return path


@pytest.mark.parametrize("name", bw.__all__)
def test_every_public_name_has_a_page(name, folder):
    text = (folder / f"{name}.rst").read_text(encoding="utf-8")
    assert re.search(rf"^\.\. auto(class|function|exception):: boxwood\.{name}$", text, re.MULTILINE)
    assert f"   {name}\n" in (folder / "index.rst").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CLASSES)
def test_a_page_has_the_class_s_own_methods(name, folder):
    cls, text = getattr(bw, name), (folder / f"{name}.rst").read_text(encoding="utf-8")
    own = [key for key, value in vars(cls).items() if not key.startswith("_") and inspect.isfunction(value)]
    listed = re.findall(rf"^\.\. automethod:: boxwood\.{name}\.(\w+)$", text, re.MULTILINE)
    assert set(own) <= set(listed)
    assert not any(reference_pages.is_hidden(key) for key in listed)


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_of_a_module_has_a_page(module, folder):
    library = module.rpartition(".")[2]
    if library in ("dask", "pandas", "polars"):
        pytest.importorskip(library)
    names = importlib.import_module(f"boxwood.{module}").__all__
    assert names
    index = (folder / "index.rst").read_text(encoding="utf-8")
    for name in names:
        text = (folder / f"{module}.{name}.rst").read_text(encoding="utf-8")
        assert re.search(rf"^\.\. auto(class|function):: boxwood\.{module}\.{name}$", text, re.MULTILINE)
        assert f"   {module}.{name}\n" in index


def test_code_links_to_functions_but_not_to_methods_of_the_same_name():
    targets = reference_pages.link_targets()
    assert targets["DensityForest"] == "boxwood.DensityForest"
    assert targets["BoxwoodDetector"] == "boxwood.plugs.pyod.BoxwoodDetector"
    assert targets["dask.sample"] == "boxwood.dask.sample"
    assert "sample" not in targets


def test_names_are_grouped_once_and_exist():
    names = [name for group in reference_pages.groups().values() for name in group]
    assert len(names) == len(set(names))
    for name in names:
        assert reference_pages.value_of(name) is not None


def test_a_name_that_nobody_grouped_has_a_page(monkeypatch):
    monkeypatch.setattr(reference_pages, "GROUPS", {"Some": ["load"]})
    assert "DensityForest" in reference_pages.groups()["More"]


def test_pages_that_are_gone_are_removed(tmp_path):
    (tmp_path / "Gone.rst").write_text("Gone")
    reference_pages.write_pages(tmp_path)
    assert not (tmp_path / "Gone.rst").exists()
    assert (tmp_path / "TableModel.rst").exists()
