"""What others use to draw synthetic rows, in the form of boxwood's densities."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import pandas as pd


class ForestRows:
    """Adversarial random forests (arfpy), with their defaults. arfpy needs a numpy before 2.4."""

    requires = "arfpy"

    def fit(self, rows: pd.DataFrame) -> Self:
        """Grow forests until they cannot tell real rows from drawn ones, and fit densities to the leaves."""
        from arfpy import arf

        np.random.seed(0)  # noqa: NPY002 (what arfpy draws from)
        self._forest = arf.arf(x=rows.rename(columns=str), random_state=0, verbose=False)
        self._forest.forde()
        return self

    def sample(self, n_rows: int, random_state: int) -> Any:
        """Draw rows."""
        np.random.seed(random_state)  # noqa: NPY002
        return self._forest.forge(n=n_rows)


class CopulaRows:
    """The Gaussian copula that SDV is known for (copulas), each margin the best of its families."""

    requires = "copulas"

    def fit(self, rows: pd.DataFrame) -> Self:
        """Choose the margins and find the correlations."""
        from copulas.multivariate import GaussianMultivariate

        self._copula = GaussianMultivariate(random_state=0)
        self._copula.fit(rows.rename(columns=str))
        return self

    def sample(self, n_rows: int, random_state: int) -> Any:
        """Draw rows."""
        self._copula.set_random_state(random_state)
        return self._copula.sample(n_rows)
