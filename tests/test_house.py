"""The house stays small: short files, folders that fit on a screen, and nothing written twice."""

import importlib.util
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("src", "cpp", "bindings", "tests", "benchmarks", "tools")
SOURCES = {".py", ".cpp", ".hpp"}
MOST_LINES = 450
MOST_FILES = 25

LONG: set[str] = set()
"""Files that are still longer: shorten them and strike them out; nothing is added here."""
ALIKE: set[tuple[str, str]] = set()
"""Pairs of files that still have twenty lines of the same shape: likewise."""


def load_tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


same_shape = load_tool("same_shape")


def files() -> list[Path]:
    return [
        path for room in ROOMS for path in sorted((ROOT / room).rglob("*")) if "__pycache__" not in path.parts
    ]


def test_no_file_is_long() -> None:
    lines = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8").count("\n")
        for path in files()
        if path.suffix in SOURCES
    }
    assert len(lines) > 400
    assert {name for name, n in lines.items() if n > MOST_LINES} == LONG


def test_no_folder_is_full() -> None:
    counts = Counter(path.parent.relative_to(ROOT).as_posix() for path in files() if path.suffix in SOURCES)
    assert {folder: n for folder, n in counts.items() if n > MOST_FILES} == {}


def test_no_two_modules_of_tests_have_one_name() -> None:
    names = Counter(path.name for path in (ROOT / "tests").rglob("*.py") if path.name != "conftest.py")
    assert [name for name, n in names.items() if n > 1] == []


def test_nothing_is_written_twice() -> None:
    found = same_shape.pairs(same_shape.sources())
    assert {(run.first, run.second) for run in found} == ALIKE, "\n".join(map(str, found))


PYTHON = """
def scale(rows, by):
    total = 0
    for row in rows:
        if row.weight > {number}:
            total += row.{name} * by
        elif row.{name}:
            raise ValueError("{text}")
    while total:
        total -= 1
        print(total, by)
    try:
        return [total]
    except KeyError:
        return None
    finally:
        print({{}})
"""
CPP = """
int {name}(const Rows& rows, double by) {{
    int total = {number};
    for (const auto& row : rows) {{
        if (row.{name} > 2.0) total += row.{name};  // {text}
        else return 3;
    }}
    while (total > 0) {{
        total -= by;
        print("{text}");
    }}
    return total;
}}
"""


@pytest.mark.parametrize(
    ("source", "shapes"),
    [(PYTHON, same_shape.python_shapes), (CPP, same_shape.cpp_shapes)],
    ids=["py", "cpp"],
)
def test_lines_alike_but_for_names_and_values_are_found(source: str, shapes) -> None:
    one = shapes(source.format(name="count", number=1, text="no rows"))
    other = shapes("\n" + source.format(name="width", number=0.5, text="nothing, 'at' all"))
    assert [shape.text for shape in one] == [shape.text for shape in other]
    (run,) = same_shape.pairs({"a": one, "b": other}, len(one) - 1)
    assert (run.first, run.second, run.length) == ("a", "b", len(one))
    assert run.second_lines == (run.first_lines[0] + 1, run.first_lines[1] + 1)
    assert same_shape.pairs({"a": one, "b": other}, len(one) + 1) == []


def test_docstrings_imports_and_constructors_do_not_count() -> None:
    source = '''"""Of a module."""

import os

class A:
    """Of a class."""

    def __init__(self, a):
        self.a = a

    def b(self):
        """Of a method."""
        # a comment
        return self.a
'''
    assert [(shape.line, shape.text) for shape in same_shape.python_shapes(source)] == [
        (5, "class n :"),
        (11, "def n ( n ) :"),
        (14, "return n . n"),
    ]


def test_tables_are_no_pairs() -> None:
    table = same_shape.python_shapes("TABLE = {\n" + '    "a": 1,\n' * 30 + "}\n")
    assert same_shape.pairs({"a": table, "b": table}) == []
