"""The package as files: versions agree, bounds are stated once, nothing of one machine is in it."""

import re
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import boxwood as bw
from test_house import load_tool

ROOT = Path(__file__).parents[1]
release_check = load_tool("release_check")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def tracked() -> list[str]:
    """Return the paths of the files in the repository."""
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip("git is not installed")
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    return [path for path in listed.stdout.split("\0") if path and (ROOT / path).exists()]


def test_the_version_is_one() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    found = re.search(r"^version: (\S+)$", citation, re.MULTILINE)
    assert found is not None
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert bw.__version__ == PROJECT["project"]["version"] == found.group(1)
    assert re.search(rf"^## \[?{re.escape(bw.__version__)}\b", changelog, re.MULTILINE)


def test_every_place_states_the_same_version() -> None:
    stated = release_check.versions()
    assert len(stated) == 6
    assert set(stated.values()) == {bw.__version__}


def test_the_conda_recipe_needs_what_the_package_needs() -> None:
    recipe = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    listed = re.search(r"^  run:\n((?:    - .*\n)+)", recipe, re.MULTILINE)
    assert listed is not None
    named = {line.strip(" -").replace(" ", "") for line in listed.group(1).splitlines()}
    own = {re.sub(r"^duckdb", "python-duckdb", line) for line in PROJECT["project"]["dependencies"]}
    assert named == own | {f"python{PROJECT['project']['requires-python']}"}
    build = {line.strip(" -").replace(" ", "") for line in recipe.splitlines()}
    assert set(PROJECT["build-system"]["requires"]) <= build


def test_the_workflow_builds_for_every_platform() -> None:
    workflow = (ROOT / ".github" / "workflows" / "wheels.yml").read_text(encoding="utf-8")
    systems = set(re.findall(r"^ +- ((?:ubuntu|macos|windows)[\w.-]+)", workflow, re.MULTILINE))
    assert {name.split("-")[0] for name in systems} == {"ubuntu", "macos", "windows"}
    assert len(systems) == 5
    wheels = PROJECT["tool"]["cibuildwheel"]
    assert wheels["build"] == ["cp311-*", "cp312-*", "cp314t-*"]
    assert PROJECT["tool"]["scikit-build"]["wheel"]["py-api"] == "cp312"


@pytest.mark.parametrize(
    ("names", "problems"),
    [
        (["a/x.so", "LICENSE"], []),
        (["a/x.so"], ["LICENSE is missing"]),
        (["a/x.so", "LICENSE", "tests/t.py"], ["tests/t.py should not be in it"]),
    ],
)
def test_what_an_archive_holds(names: list[str], problems: list[str]) -> None:
    assert release_check.wrong_names(names, (r"a/.*\.so", "LICENSE"), r"^tests/") == problems


def test_the_installed_package_is_this_one() -> None:
    assert metadata.version("boxwood") == bw.__version__
    requires = metadata.requires("boxwood") or []
    base = {re.sub(r"\s", "", line) for line in requires if "extra" not in line}
    assert base == set(PROJECT["project"]["dependencies"])


def test_the_build_requirements_are_the_build_group() -> None:
    assert set(PROJECT["build-system"]["requires"]) <= set(PROJECT["dependency-groups"]["build"])


def test_every_dependency_has_a_lower_bound() -> None:
    extras = PROJECT["project"]["optional-dependencies"].values()
    for requirement in [*PROJECT["project"]["dependencies"], *(r for extra in extras for r in extra)]:
        assert re.search(r">=\d|^boxwood\[", requirement), requirement


def test_the_package_is_typed() -> None:
    assert (Path(bw.__file__).parent / "py.typed").exists()
    assert (Path(bw.__file__).parent / "_core.pyi").exists()


def test_file_names_say_something() -> None:
    paths = tracked()
    odd = [path for path in paths if not re.fullmatch(r"[A-Za-z0-9._/-]+", path)]
    empty = re.compile(r"(^|/)(utils?|common|helpers?|misc)(\.\w+)?$", re.IGNORECASE)
    assert odd + [path for path in paths if empty.search(path)] == []


def test_no_file_knows_this_machine() -> None:
    folders = "|".join(["work", "root", "farm", "home", "tmp/bash", "opt/pypi"])
    pattern = re.compile(rf"(?<![\w.~)])/(?:{folders})/")
    indexes = re.compile(
        "|".join(["--index-" + "url", "extra-index-" + "url", "https?_" + "proxy"]), re.IGNORECASE
    )
    found = []
    for path in tracked():
        data = (ROOT / path).read_bytes()
        if b"\0" in data:
            continue
        for number, line in enumerate(data.decode("utf-8").splitlines(), 1):
            if pattern.search(line) or indexes.search(line):
                found.append(f"{path}:{number}: {line.strip()[:80]}")
    assert found == []
