"""Every public name has a page of the reference, with its parameters and methods."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

import pytest

import boxwood as bw

sys.path.insert(0, str(Path(__file__).parents[2] / "docs" / "_ext"))

import reference_pages

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
