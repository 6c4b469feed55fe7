"""A forest that must be weighed by another one, beside its own exact answers."""

from functools import cache

import numpy as np
import pandas as pd

import boxwood as bw
from boxwood.density.weighable import weighed_model
from boxwood.mixture import TableMixture
from boxwood.query import Query
from boxwood.query.weighed import ForestProposal, WeighedQuery
from boxwood.query.weighed.weighing import Weighing


def table(n: int = 900) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    x = rng.normal(size=n)
    k = rng.poisson(np.exp(0.5 * x + 1.0)).astype(np.float64)
    c = np.where(x + rng.normal(size=n) > 0.5, "red", np.where(k > 2, "blue", "green"))
    y = np.where(c == "red", -x, x) + 0.5 * rng.normal(size=n)
    frame = pd.DataFrame({"x": x, "y": y, "k": k.astype(np.int64), "c": c})
    frame.loc[rng.random(n) < 0.1, "y"] = np.nan
    return frame


@cache
def forests() -> tuple[bw.DensityForest, bw.DensityForest]:
    """Return the model and the proposal, which do not know each other."""
    model = bw.DensityForest(8, random_state=0, n_jobs=1).fit(table())
    other = bw.DensityForest(30, max_depth=4, random_state=7, n_jobs=1).fit(table())
    return model, other


@cache
def proposal() -> ForestProposal:
    model, other = forests()
    form = TableMixture(other.margins_, other.mixture_)
    return ForestProposal(form, weighed_model(model), other._gaps)


def exact() -> Query:
    return forests()[0].query()


def weighed(seed: int = 0, n_draws: int = 4096) -> WeighedQuery:
    """Return a query without draws of other tests."""
    model = forests()[0]
    return WeighedQuery(proposal(), model._score, model._read, weighing=Weighing(seed=seed, n_draws=n_draws))


QUESTIONS = [
    ("x > 1", None),
    ("x > 2.4 and k >= 9", None),
    ("c == 'red'", None),
    ("y is missing", None),
    ("not (x > 0 and c in ['red', 'blue'])", None),
    ("c == 'red'", "x > 1"),
    ("k >= 4", "c == 'blue' and x < 0"),
    ("y > 1", "x == 0.8"),
    ("y > 1 or c == 'green'", "k == 3"),
    ("x < 0", "y is missing"),
    ("c == 'red'", "x == 0.8 and y == -0.5"),
    ("k > 3", "x > 2 or y < -1.5"),
]
