"""Settings before anything is imported, the folders of the tests on the path, and limits of a run.

A test process may not take more than `MOST_MEMORY` bytes: a fault that allocates without end then fails one
test with a MemoryError. Without a limit it would slow down or stop the whole machine.
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

import properties  # noqa: E402 (after the variables above, which count when libraries are imported)

# Four times what the largest test process of the suite takes.
MOST_MEMORY = 6 << 30


def pytest_configure(config: pytest.Config) -> None:
    """Limit the memory of this process and of those that it starts."""
    # The tests of a browser start one, and a sanitizer's shadow of the memory is larger than any limit.
    if config.option.markexpr != "browser" and "asan" not in os.environ.get("LD_PRELOAD", ""):
        limit_memory(MOST_MEMORY)


def limit_memory(n_bytes: int) -> None:
    """Let allocations of more than so many bytes fail. Other systems than Linux do not count them."""
    if sys.platform != "linux":
        return
    import resource

    # RLIMIT_DATA counts private writable memory. RLIMIT_AS would count mapped files and reserved addresses.
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard != resource.RLIM_INFINITY:
        n_bytes = min(n_bytes, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (n_bytes, hard))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say what repeats the failures of random examples."""
    failed = [report.nodeid for report in terminalreporter.stats.get("failed", [])]
    if failed and config.getoption("--hypothesis-profile") == properties.RANDOM:
        terminalreporter.section("how to repeat these failures")
        for line in properties.how_to_repeat(failed, config.getoption("--hypothesis-seed")):
            terminalreporter.write_line(line)


properties.register_profiles()
