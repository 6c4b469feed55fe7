"""Check what `make wheel` left in dist/ before a release: versions, contents, sizes and the time to install.

python tools/release_check.py dist
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
import zipfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST_MEGABYTES = 10.0
MOST_SECONDS = 20.0

WHEEL_NEEDS = (
    r"boxwood/_core\.(abi3|cpython-\w+)?[\w.-]*\.(so|pyd)",
    r"boxwood/_core\.pyi",
    r"boxwood/py\.typed",
    r"boxwood/datasets/tables/(penguins|census|cars)\.csv",
    r"boxwood/datasets/tables/LICENCES\.md",
    r"boxwood-[^/]+\.dist-info/licenses/LICENSE",
)
WHEEL_LACKS = r"(^|/)(tests|benchmarks|cpp|bindings)/|\.(cpp|hpp|o|a|pyc)$"
SDIST_NEEDS = (
    r"CMakeLists\.txt",
    r"cpp/tree/tree\.hpp",
    r"bindings/module\.cpp",
    r"src/boxwood/datasets/tables/census\.csv",
    r"LICENSE",
    r"README\.md",
)
SDIST_LACKS = r"(^|/)(build|dist|\.venv|\.ci|\.github)/|\.(so|o|pyc)$"


def versions(root: Path = ROOT) -> dict[str, str]:
    """Return the version that each place states."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    places = {
        "CITATION.cff": r"^version: (\S+)$",
        "CHANGELOG.md": r"^## \[?(\d+\.\d+\.\d+\w*)",
        "src/boxwood/__init__.py": r'^__version__ = "(\S+)"$',
        "packaging/conda/recipe.yaml": r'^  version: "(\S+)"$',
        "docs/about/cite.md": r"^  version = \{(\S+)\},$",
    }
    found = {"pyproject.toml": project["project"]["version"]}
    for path, pattern in places.items():
        match = re.search(pattern, (root / path).read_text(encoding="utf-8"), re.MULTILINE)
        found[path] = match.group(1) if match else "none"
    return found


def wrong_names(names: Iterable[str], needs: Iterable[str], lacks: str) -> list[str]:
    """Return what is missing among an archive's files, and what should not be there."""
    listed = list(names)
    missing = [f"{need} is missing" for need in needs if not any(re.fullmatch(need, n) for n in listed)]
    return missing + [f"{name} should not be in it" for name in listed if re.search(lacks, name)]


def wheel_names(path: Path) -> list[str]:
    """Return the files of a wheel."""
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


def sdist_names(path: Path) -> list[str]:
    """Return the files of a source distribution, without its folder."""
    with tarfile.open(path) as archive:
        return [name.partition("/")[2] for name in archive.getnames()]


def install_seconds(wheel: Path) -> float:
    """Return the processor time that pip takes to install a wheel and all it needs where nothing is.

    Processor time, so that a busy machine or a slow network says nothing about the wheel.
    """
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [f"{folder}/bin/pip", "install", "--quiet", "--only-binary", ":all:", "--no-compile"]
        subprocess.run([*command, str(wheel)], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def failures(dist: Path) -> list[str]:
    """Return everything that stands against a release, and print the figures on the way."""
    found = []
    stated = versions()
    if len(set(stated.values())) > 1:
        found.append(f"versions differ: {stated}")
    wheels, sdists = sorted(dist.glob("*.whl")), sorted(dist.glob("*.tar.gz"))
    if not wheels or len(sdists) != 1:
        return [*found, f"{dist} needs wheels and one source distribution: run `make wheel`"]
    for path in [*wheels, *sdists]:
        size = path.stat().st_size / 1e6
        print(f"{path.name}: {size:.1f} MB")
        if size > MOST_MEGABYTES:
            found.append(f"{path.name} is larger than {MOST_MEGABYTES:.0f} MB")
        if stated["pyproject.toml"] not in path.name:
            found.append(f"{path.name} is of another version")
        if path.suffix == ".whl":
            wrong = wrong_names(wheel_names(path), WHEEL_NEEDS, WHEEL_LACKS)
        else:
            wrong = wrong_names(sdist_names(path), SDIST_NEEDS, SDIST_LACKS)
        found += [f"{path.name}: {problem}" for problem in wrong]
    seconds = install_seconds(wheels[0])
    print(f"installing {wheels[0].name} and what it needs: {seconds:.1f} s of processor time")
    if seconds > MOST_SECONDS:
        found.append(f"installing takes longer than {MOST_SECONDS:.0f} s")
    return found


def main() -> int:
    """Print what is wrong; 1 where something is."""
    found = failures(Path(sys.argv[1] if len(sys.argv) > 1 else "dist"))
    for problem in found:
        print(problem, file=sys.stderr)
    print("not ready" if found else "ready")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
