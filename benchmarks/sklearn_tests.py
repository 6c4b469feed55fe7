"""Tests of scikit-learn and imbalanced-learn on boxwood's classes. Bar: nine of ten that count pass."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "outside"))

import run_sklearn_tests

TITLES = {
    "trees": "Trees and forests",
    "neighbors": "Neighbours, with imbalanced-learn's tests of CNN, ENN and RENN",
    "linear": "Linear models, discriminants and naive Bayes",
}


def main() -> str:
    found = {title: run_sklearn_tests.table(run_sklearn_tests.run(name)) for name, title in TITLES.items()}
    return "\n\n".join(f"{title}:\n\n{table}" for title, table in found.items())


if __name__ == "__main__":
    print(main())
