"""What `boxwood` exports is what `__all__` says, and `import boxwood` alone imports nothing heavy."""

import importlib
import pkgutil
import re
import subprocess
import sys
from types import ModuleType

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


def test_a_name_is_never_the_module_that_it_comes_from() -> None:
    """Packages that import names at first use: a module of the same name would stand in the way."""
    for info in pkgutil.walk_packages(bw.__path__, "boxwood."):
        module = importlib.import_module(info.name)
        for name in getattr(module, "__all__", []):
            if info.ispkg and info.name != "boxwood":
                assert not isinstance(getattr(module, name), ModuleType), f"{info.name}.{name}"
