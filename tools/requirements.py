"""Print what pyproject.toml asks for, one requirement a line, for pip to read.

Without options: the runtime dependencies, for tools that need them but not the package itself.
With ``--extras plot,report``: the runtime dependencies and those of the extras.
With ``--lowest``: the runtime, optional, build and test dependencies, each at its lower bound.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"


def runtime(project: dict[str, Any]) -> list[str]:
    """Return the dependencies of the installed package."""
    return list(project["project"]["dependencies"])


def with_extras(project: dict[str, Any], names: str) -> list[str]:
    """Return the dependencies of the package installed with some extras.

    Examples
    --------
    >>> extras = {"plot": ["matplotlib"], "ann": ["usearch"], "all": ["boxwood[ann,plot]"]}
    >>> project = {"name": "boxwood", "dependencies": ["numpy"], "optional-dependencies": extras}
    >>> with_extras({"project": project}, "all")
    ['numpy', 'usearch', 'matplotlib']
    """
    wanted = runtime(project)
    for name in names.split(","):
        for requirement in project["project"]["optional-dependencies"][name]:
            own = re.fullmatch(rf"{project['project']['name']}\[(.*)\]", requirement)
            wanted += with_extras(project, own[1])[len(runtime(project)) :] if own else [requirement]
    return wanted


def lowest(project: dict[str, Any]) -> list[str]:
    """Return every dependency that the tests meet, pinned to its lower bound."""
    extras = project["project"]["optional-dependencies"].values()
    wanted = [
        *runtime(project),
        *(requirement for extra in extras for requirement in extra),
        *group(project, "build"),
        *group(project, "test"),
    ]
    own = project["project"]["name"]
    return sorted({pinned(requirement) for requirement in wanted if not requirement.startswith(own)})


def group(project: dict[str, Any], name: str) -> Iterator[str]:
    """Return the requirements of a dependency group and of those that it includes."""
    for entry in project["dependency-groups"][name]:
        if isinstance(entry, str):
            yield entry
        else:
            yield from group(project, entry["include-group"])


def pinned(requirement: str) -> str:
    """Return ``name==bound`` of ``name>=bound``.

    Examples
    --------
    >>> pinned("numpy>=2.1")
    'numpy==2.1'
    >>> pinned("uvloop>=0.21; sys_platform != 'win32'")
    "uvloop==0.21; sys_platform != 'win32'"
    """
    found = re.fullmatch(r"([A-Za-z0-9_.-]+)>=([0-9.]+)(;.*)?", requirement)
    if found is None:
        raise SystemExit(f"{requirement!r} is not of the form name>=version")
    name, bound, marker = found.groups()
    return f"{name}=={bound}{marker or ''}"


if __name__ == "__main__":
    pyproject = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))
    if sys.argv[1:2] == ["--extras"]:
        wanted = with_extras(pyproject, sys.argv[2])
    else:
        wanted = lowest(pyproject) if "--lowest" in sys.argv[1:] else runtime(pyproject)
    print(*wanted, sep="\n")
