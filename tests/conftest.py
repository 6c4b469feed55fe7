"""Settings before anything is imported, the folders of the tests on the path, and limits of a run.

Here are the settings of hypothesis (`properties`) and the memory that the process may take (`memory_limit`).
"""

import os
import sys
from pathlib import Path
from typing import Any

import pytest

# Before anything imports scipy: without it scikit-learn skips its array-API check.
os.environ.setdefault("SCIPY_ARRAY_API", "1")
# A worker for each core is there already: threads of linear algebra and of OpenMP would wait for each other.
if "PYTEST_XDIST_WORKER" in os.environ:
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")

HERE = Path(__file__).parent
for folder in sorted({path.parent for path in HERE.rglob("*.py")}):
    if folder != HERE:
        sys.path.append(str(folder))
# Modules of laws and reference implementations hold assertions, which pytest is to explain.
pytest.register_assert_rewrite(
    *(path.stem for path in HERE.rglob("*.py") if not path.stem.startswith(("test_", "conftest")))
)

# After the variables above, which libraries read when they are imported.
import memory_limit  # noqa: E402
import properties  # noqa: E402


def pytest_configure(config: pytest.Config) -> None:
    """Limit the memory of this process and of those that it starts."""
    if config.option.markexpr != "browser":  # a browser's processes would have the limit too
        memory_limit.limit_memory()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say what repeats the failures of random examples."""
    failed = [report.nodeid for report in terminalreporter.stats.get("failed", [])]
    if failed and config.getoption("--hypothesis-profile") == properties.RANDOM:
        terminalreporter.section("how to repeat these failures")
        for line in properties.how_to_repeat(failed, config.getoption("--hypothesis-seed")):
            terminalreporter.write_line(line)


properties.register_profiles()
