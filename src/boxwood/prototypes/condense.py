"""Hart's condensed nearest neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.parameters import Flag, Parameter, declare, random_state
from boxwood.prototypes.sampler import Sampler
from boxwood.randomness import generator

__all__ = ["CondensedNearestNeighbour"]


class CondensedNearestNeighbour(Sampler):
    """Subset by which 1-NN tells every training row's class: Hart's condensation.

    In a random order each row that the subset so far gets wrong moves into it at once, pass after pass
    until one moves none. Then 1-NN on the subset classifies the whole training set rightly, identical rows
    of different classes excepted.

    Attributes
    ----------
    sample_indices_ : ndarray of int
        Rows of the subset, ascending.
    classes_ : ndarray
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Notes
    -----
    imbalanced-learn's class of this name is another algorithm: it keeps the minority class whole and makes
    one pass a class, after which 1-NN on the subset need not be right.

    Examples
    --------
    >>> import boxwood as bw
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> few, labels = bw.CondensedNearestNeighbour(random_state=0).fit_resample(X, y)
    >>> len(few) < 30, bw.KNeighborsClassifier(1).fit(few, labels).score(X, y)
    (True, 1.0)
    """

    _parameters = declare(
        Parameter(
            "one_pass",
            Flag(),
            "Stop after one pass: a row is memorised only if those memorised before get it wrong. Smaller "
            "and no longer consistent.",
        ),
        random_state("Of the order."),
    )

    def __init__(self, *, one_pass: bool = False, random_state: Any = None) -> None:
        self.one_pass = one_pass
        self.random_state = random_state

    def _select(
        self, rows: NDArray[np.float64], codes: NDArray[np.int64], classes: NDArray[Any]
    ) -> dict[str, Any]:
        order = generator(self.random_state).permutation(len(rows)).astype(np.int64)
        kept = _core.condense(rows, codes, order, bool(self.one_pass)).view(np.int64)
        return {"sample_indices_": np.sort(kept)}
