"""scikit-learn's own tests of naive Bayes, discriminants and linear models, on boxwood's classes.

Bar: nine of ten that count pass.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "outside"))

import run_sklearn_tests


def main() -> str:
    return run_sklearn_tests.table(run_sklearn_tests.run("linear"))


if __name__ == "__main__":
    print(main())
