"""Print which part of the lines the tests reach, Python and C++, from the reports of `make coverage`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

__all__ = ["cpp_lines", "python_lines", "totals"]


def python_lines(report: Path) -> tuple[int, int]:
    """Return the lines that ran and all lines of a report by coverage.py."""
    found = json.loads(report.read_text(encoding="utf-8"))["totals"]
    return found["covered_lines"], found["num_statements"]


def cpp_lines(report: Path) -> tuple[int, int]:
    """Return the lines that ran and all lines of a summary by gcovr."""
    found = json.loads(report.read_text(encoding="utf-8"))
    return found["line_covered"], found["line_total"]


def totals(folder: Path) -> str:
    """Return two lines, one a language."""
    counted = {"Python": python_lines(folder / "python.json"), "C++": cpp_lines(folder / "cpp.json")}
    return "\n".join(
        f"{language:7}{ran / lines:6.1%}  {ran:,} of {lines:,} lines"
        for language, (ran, lines) in counted.items()
    )


if __name__ == "__main__":
    print(totals(Path(sys.argv[1])))
