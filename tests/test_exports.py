"""What `boxwood` exports is what `__all__` says, and `import boxwood` alone imports nothing heavy."""

import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import boxwood as bw


def test_all_is_sorted_and_is_the_lazy_table() -> None:
    assert bw.__all__ == sorted(bw.__all__)
    assert set(bw.__all__) == set(bw._HOMES)


@pytest.mark.parametrize("name", bw.__all__)
def test_each_name_is_its_home_s_own(name: str) -> None:
    home = importlib.import_module(bw._HOMES[name])
    assert name in home.__all__
    assert getattr(bw, name) is getattr(home, name)
    assert getattr(bw, name).__doc__


def test_dir_lists_the_lazy_names() -> None:
    assert set(bw.__all__) <= set(dir(bw))
    assert "__version__" in dir(bw)


def test_star_import_gives_all() -> None:
    names: dict[str, object] = {}
    exec("from boxwood import *", names)
    assert set(bw.__all__) <= set(names)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'boxwood' has no attribute 'Densitree'"):
        _ = bw.Densitree


def test_every_module_s_all_exists() -> None:
    for info in pkgutil.walk_packages(bw.__path__, "boxwood."):
        module = importlib.import_module(info.name)
        for name in getattr(module, "__all__", []):
            assert hasattr(module, name), f"{info.name}.{name}"


def test_import_alone_is_light() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "import boxwood"],
        capture_output=True,
        text=True,
        check=True,
    )
    imported = {line.split("|")[-1].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert "boxwood" in imported
    heavy = {"numpy", "scipy", "sklearn", "pandas", "polars", "pyarrow", "duckdb", "narwhals", "safetensors"}
    assert imported & heavy == set()
    assert not re.search(r"boxwood\.(columns|density|_core)", done.stderr)


LAZY = [
    path.parent
    for path in Path(bw.__file__).parent.rglob("__init__.py")
    if "at_first_use(" in path.read_text()
]


@pytest.mark.parametrize("folder", LAZY, ids=lambda folder: folder.name)
def test_no_name_is_hidden_by_a_module_of_the_same_name(folder: Path) -> None:
    """An import of the module would put it in the place of the name that is to be found at first use."""
    package = importlib.import_module(".".join(folder.relative_to(Path(bw.__file__).parents[1]).parts))
    modules = {path.stem for path in folder.iterdir()}
    assert [name for name in package.__all__ if name in modules] == []
