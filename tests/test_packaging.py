"""The package as files: versions agree, bounds are stated once, nothing of one machine is in it."""

import re
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import boxwood as bw

ROOT = Path(__file__).parents[1]
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
