"""What others use to draw synthetic rows, in the form of boxwood's densities."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import pandas as pd


class ForestRows:
    """Adversarial random forests (arfpy), with their defaults. arfpy needs a numpy before 2.4.

    It takes no gaps: those of categories are a category of their own. It draws whole numbers as any others:
    they are rounded.
    """

    requires = "arfpy"

    def __init__(self, random_state: int = 0) -> None:
        self._seed = random_state

    def fit(self, rows: pd.DataFrame) -> Self:
        """Grow forests until they cannot tell real rows from drawn ones, and fit densities to the leaves."""
        from arfpy import arf

        numbers = rows.rename(columns=str).select_dtypes("number")
        self._whole = [name for name in numbers if (numbers[name] % 1 == 0).all()]
        np.random.seed(self._seed)  # noqa: NPY002 (what arfpy draws from)
        self._forest = arf.arf(x=_with_gap_category(rows), random_state=self._seed, verbose=False)
        self._forest.forde()
        return self

    def sample(self, n_rows: int, random_state: int) -> Any:
        """Draw rows."""
        np.random.seed(random_state)  # noqa: NPY002
        drawn = self._forest.forge(n=n_rows).replace(GAP, np.nan)
        return drawn.round(dict.fromkeys(self._whole, 0))


class CopulaRows:
    """SDV's ``GaussianCopulaSynthesizer`` with its defaults: margins are beta distributions."""

    requires = "sdv"

    def __init__(self, random_state: int = 0) -> None:
        """Take the seed of the draws alone: the fit has none."""

    def fit(self, rows: pd.DataFrame) -> Self:
        """Fit the margins and the correlations."""
        from sdv.metadata import Metadata
        from sdv.single_table import GaussianCopulaSynthesizer

        table = rows.rename(columns=str)
        kinds = {
            name: {"sdtype": "numerical" if table[name].dtype.kind in "iuf" else "categorical"}
            for name in table
        }
        self._copula = GaussianCopulaSynthesizer(
            Metadata.load_from_dict({"tables": {"rows": {"columns": kinds}}})
        )
        self._copula.fit({"rows": table})
        return self

    def sample(self, n_rows: int, random_state: int) -> Any:
        """Draw rows."""
        self._copula._set_random_state(random_state)  # there is no public way to choose a seed
        return self._copula.sample(n_rows)["rows"]


GAP = "gap"


def _with_gap_category(rows: pd.DataFrame) -> pd.DataFrame:
    table = rows.rename(columns=str)
    categories = table.select_dtypes(exclude="number").columns
    return table.assign(**{name: table[name].astype(object).fillna(GAP) for name in categories})
