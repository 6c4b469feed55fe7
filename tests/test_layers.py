"""Imports never point upwards: a layer knows what lies below it, and nothing else."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "boxwood"

LAYERS = [
    {"_core"},
    {
        "first_use",
        "mapped_memory",
        "model_file",
        "novelty",
        "parameters",
        "progress",
        "randomness",
        "threads",
    },
    {"columns", "stream"},
    {"datasets", "evidence", "files"},
    {"gaps", "gaussian", "linear"},
    {"estimator", "in_parts"},
    {"margins"},
    {"binning"},
    {"tree"},
    {"mixture"},
    {"boosting", "dependencies", "histogram", "neighbors"},
    {"query"},
    {"density", "classify", "regress"},
    {"anomaly", "select", "table", "prototypes", "bayes_error"},
    {"plot"},
    {"cli", "dask", "plugs", "report", "serve", "synthetic"},
    {"boxwood"},
]
"""From the bottom up; within a layer imports are free. ``boxwood`` is the top package itself."""

ALLOWED = {
    # A file names its class; the public names are the list of classes that a file may name.
    ("model_file.model", "boxwood"),
    # A notebook shows the explorer by a method of the model; nothing else of a model knows the service.
    ("table.table_model", "serve.notebook"),
    # And its first page, where a notebook shows the model itself.
    ("table.table_model", "report.notebook"),
    # A tree is drawn by a method of its own, where scikit-learn's users look for it.
    ("density.boxes", "plot.tree_display"),
    ("tree.supervised.base", "plot.tree_display"),
}
"""Upward imports inside a function that are meant, each with its reason."""


def layer_of(module: str) -> int:
    part = module.split(".")[0]
    for rank, names in enumerate(LAYERS):
        if part in names:
            return rank
    raise AssertionError(f"boxwood.{part} has no place in LAYERS: give it one")


def modules() -> dict[str, Path]:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(part for part in parts if part != "__init__")
        found[name or "boxwood"] = path
    return found


def is_module(name: str) -> bool:
    base = PACKAGE.joinpath(*name.split("."))
    return any(path.exists() for path in (base, base.with_suffix(".py"), base.with_suffix(".pyi")))


def imports(tree: ast.AST) -> Iterator[tuple[str, bool]]:
    """Return each module of the package that is imported, and whether inside a function."""
    inside = {
        child
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for child in ast.walk(node)
    }
    for node in ast.walk(tree):
        for name in imported_names(node):
            if name == "boxwood" or name.startswith("boxwood."):
                yield name.removeprefix("boxwood.") or "boxwood", node in inside


def imported_names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, f"line {node.lineno}: write the whole name instead of a relative import"
        for alias in node.names:
            submodule = node.module == "boxwood" and is_module(alias.name)
            yield f"boxwood.{alias.name}" if submodule else str(node.module)


@pytest.mark.parametrize("module", modules())
def test_imports_never_point_upwards(module: str) -> None:
    tree = ast.parse(modules()[module].read_text(encoding="utf-8"))
    upward = [
        target
        for target, in_function in imports(tree)
        if layer_of(target) > layer_of(module) and not (in_function and (module, target) in ALLOWED)
    ]
    assert upward == []


def test_every_allowed_import_is_still_there() -> None:
    present = {
        (module, target)
        for module, path in modules().items()
        for target, _ in imports(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert present >= ALLOWED


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import boxwood", [("boxwood", False)]),
        ("from boxwood import model_file, load", [("model_file", False), ("boxwood", False)]),
        ("from boxwood.density.base import x", [("density.base", False)]),
        ("def f():\n    import boxwood.columns as c", [("columns", True)]),
        ("if TYPE_CHECKING:\n    from boxwood.columns import Columns", [("columns", False)]),
        ("import numpy\nfrom boxwoods import x", []),
    ],
)
def test_how_imports_are_found(source: str, found: list[tuple[str, bool]]) -> None:
    assert list(imports(ast.parse(source))) == found


CPP = ROOT / "cpp"

BELOW = {
    "base": set(),
    "table": {"base"},
    "margins": {"base", "table"},
    "binning": {"base", "table", "margins"},
    "tree": {"base", "table", "margins", "binning"},
    "tree/density": {"base", "table", "margins", "binning", "tree"},
    "tree/supervised": {"base", "table", "margins", "binning", "tree"},
    "tree/shapley": {"base", "table", "margins", "binning", "tree", "tree/supervised"},
    "mixture": {"base", "table", "margins", "binning", "tree", "tree/density", "tree/supervised"},
    "boosting": {"base", "table", "margins", "binning", "tree", "tree/density", "tree/supervised", "mixture"},
    "networks": {"base"},
    "query": {"base", "table", "margins", "binning", "tree", "tree/density", "tree/supervised", "mixture"},
    "histogram": {"base"},
    "linear": {"base"},
    "neighbors": {"base"},
}
"""The folders of the core, and which others each may include."""


def sources() -> list[Path]:
    return sorted(path for path in CPP.rglob("*.[ch]pp") if "tests" not in path.relative_to(CPP).parts)


def stage_of(path: str) -> str:
    """Return the folder of `BELOW` that a file lies in: the innermost."""
    inside = [folder for folder in BELOW if path.startswith(f"{folder}/")]
    assert inside, f"cpp/{path} lies in no folder of BELOW: give it one"
    return max(inside, key=len)


def includes(text: str) -> list[str]:
    """Return what a file includes, the standard library and our own headers alike."""
    return re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)', text, re.MULTILINE)


def own_includes(text: str) -> list[str]:
    return re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.MULTILINE)


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_includes_never_point_upwards(path: Path) -> None:
    stage = stage_of(str(path.relative_to(CPP)))
    included = own_includes(path.read_text(encoding="utf-8"))
    assert [name for name in included if not (CPP / name).is_file()] == []
    assert [name for name in included if stage_of(name) not in BELOW[stage] | {stage}] == []


def test_every_stage_has_files() -> None:
    assert {stage_of(str(path.relative_to(CPP))) for path in sources()} == set(BELOW)


@pytest.mark.parametrize("stage", BELOW)
def test_stages_stand_above_one_another_and_never_in_a_circle(stage: str) -> None:
    for below in BELOW[stage]:
        assert BELOW[below] < BELOW[stage] | {below}
        assert stage not in BELOW[below]


@pytest.mark.parametrize(
    ("path", "stage"),
    [
        ("tree/growth.hpp", "tree"),
        ("tree/density/split.hpp", "tree/density"),
        ("tree/density/split_finders/split_finder.hpp", "tree/density"),
        ("base/random.hpp", "base"),
    ],
)
def test_which_stage_a_file_belongs_to(path: str, stage: str) -> None:
    assert stage_of(path) == stage


@pytest.mark.parametrize("path", sorted(CPP.rglob("*.[ch]pp")), ids=lambda path: str(path.relative_to(ROOT)))
def test_the_core_knows_neither_python_nor_the_bindings(path: Path) -> None:
    forbidden = re.compile(r"Python\.h|nanobind|numpy|bindings/|sys/socket|netinet")
    included = includes(path.read_text(encoding="utf-8"))
    assert [name for name in included if forbidden.search(name)] == []
