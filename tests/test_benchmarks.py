"""The benchmarks: each answers with a table, and its last one stands in RESULTS.md."""

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
FILES = sorted([*FOLDER.glob("*.py"), *FOLDER.glob("overhead/*.py")])
QUESTIONS = [path for path in FILES if path.name not in {"ratio.py", "run.py"}]
BY_NAME = pytest.mark.parametrize("path", QUESTIONS, ids=lambda path: path.name)


@pytest.fixture
def ratio(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("ratio")


@BY_NAME
def test_main_returns_the_table(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    mains = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "main"]
    assert [ast.unparse(node.returns) for node in mains if node.returns] == ["str"]


@BY_NAME
def test_its_last_table_is_committed(path: Path) -> None:
    name = path.name
    results = (FOLDER / "RESULTS.md").read_text(encoding="utf-8")
    section = re.search(rf"<!-- {name} -->\n(.*?)<!-- end {name} -->", results, re.DOTALL)
    assert section is not None, f"run `python benchmarks/run.py {name}`"
    assert re.search(r"^\| ", section.group(1), re.MULTILINE)


def test_candidates_run_in_turns(ratio: ModuleType) -> None:
    order: list[str] = []
    ratio.best_times({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, repeats=2)
    assert order == ["a", "b", "a", "b"]


def test_ratios_are_to_the_first(ratio: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratio, "best_times", lambda tasks, repeats: {"old": 2.0, "new": 0.0005})
    table = ratio.ratio_table({}, title="job").splitlines()
    assert table == [
        "| job | time | ratio |",
        "| --- | ---: | ---: |",
        "| old | 2 s | 1.00 |",
        "| new | 500 µs | 0.00 |",
    ]


def test_missing_data_skips(ratio: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BOXWOOD_DATA", str(tmp_path))
    with pytest.raises(SystemExit) as stopped:
        ratio.data_file("magic.npz")
    assert stopped.value.code == ratio.SKIPPED


def test_a_table_takes_the_place_of_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    run = importlib.import_module("run")
    text = run.with_section("# Results\n", "a.py", "| old |")
    assert text == "# Results\n\n## a.py\n\n<!-- a.py -->\n| old |\n<!-- end a.py -->\n"
    assert run.with_section(text, "a.py", "| new |") == text.replace("old", "new")


@pytest.mark.slow
def test_the_benchmark_of_imports_runs() -> None:
    done = subprocess.run(
        [sys.executable, str(FOLDER / "overhead" / "import_time.py")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "| import boxwood |" in done.stdout
