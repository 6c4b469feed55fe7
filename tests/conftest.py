"""Settings before anything is imported, and the folders of the tests on the path."""

import os
import sys
from pathlib import Path

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
