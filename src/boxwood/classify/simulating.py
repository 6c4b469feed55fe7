"""What classifiers by Bayes' rule share, whatever their densities: simulation of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from boxwood.classify.classes import codes_in, read_labels
from boxwood.columns import Columns, to_native
from boxwood.columns.precision import rounded_to_source
from boxwood.estimator import TableEstimator
from boxwood.parameters import check_count
from boxwood.randomness import generator

__all__ = ["Simulating"]


class Simulating(TableEstimator):
    """A classifier that simulates rows of its classes.

    A subclass implements `_sampled_rows`.
    """

    classes_: NDArray[Any]
    priors_: NDArray[np.float64]

    def sample(
        self, n_samples: int = 1, y: Any = None, random_state: Any = None, *, return_y: bool = False
    ) -> Any:
        """Simulate rows, of one class or of all.

        Parameters
        ----------
        n_samples : int, default=1
        y : class, or array-like of shape (n_samples,), optional
            The class of the rows, or of each row; without it classes are drawn by their priors.
        random_state : int, RandomState, Generator or None, default=None
        return_y : bool, default=False
            Whether to give the classes of the rows too.

        Returns
        -------
        array or frame, or a tuple of it and an ndarray of shape (n_samples,)
            Rows like those of the fitted table, in the same container.
        """
        check_is_fitted(self)
        check_count("n_samples", n_samples)
        rng = generator(random_state)
        codes = self._sampled_codes(int(n_samples), y, rng)
        rows = to_native(rounded_to_source(self._sampled_rows(codes, rng)))
        return (rows, self.classes_[codes]) if return_y else rows

    def _sampled_rows(self, codes: NDArray[Any], rng: np.random.Generator) -> Columns:
        """Draw a row of each of these classes."""
        raise NotImplementedError

    def _sampled_codes(self, n_samples: int, y: Any, rng: np.random.Generator) -> NDArray[Any]:
        if y is None:
            return rng.choice(len(self.classes_), size=n_samples, p=self.priors_)
        labels = np.full(n_samples, y) if np.ndim(y) == 0 else read_labels(self, y)
        if len(labels) != n_samples:
            raise ValueError(f"y has {len(labels)} entries for {n_samples} rows.")
        return codes_in(self.classes_, labels)
