"""The recipes of docs/tasks/plugs.md run as they stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "tasks" / "plugs.md"


def recipes() -> dict[str, tuple[list[str], str]]:
    """Return of each section with code the packages that it needs, and the code."""
    found = {}
    for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        code = "\n".join(re.findall(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL))
        needs = re.search(r"<!-- needs: (.*?) -->", section)
        if code:
            found[section.splitlines()[0]] = (needs.group(1).split(", ") if needs else [], code)
    return found


@pytest.mark.filterwarnings("ignore")  # of other libraries
@pytest.mark.parametrize("title", recipes())
def test_a_recipe(title, tmp_path, monkeypatch):
    needs, code = recipes()[title]
    for package in needs:
        pytest.importorskip(package, reason=f"{package} is not installed: `make test-plugs` installs it")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    exec(compile(code, f"docs/tasks/plugs.md, {title}", "exec"), {})


def test_there_are_recipes():
    assert len(recipes()) >= 9
