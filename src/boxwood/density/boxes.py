"""What density trees and forests share: a mixture on the cube under margins."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from boxwood.binning import check_bin_edges
from boxwood.columns import Columns, Schema
from boxwood.density.base import EVIDENCE, MISSING_VALUES
from boxwood.density.dependent import DependentDensity
from boxwood.density.queryable import Asked, QueryableDensity
from boxwood.density.unseen_gaps import UnseenGapsMixin
from boxwood.dependencies import Dependencies, RuledDensity
from boxwood.gaps import UnseenGaps
from boxwood.margins import Margins
from boxwood.mixture import Mixture, TableMixture
from boxwood.mixture.inspect import boxes_of_tree, decision_paths, leaves_frame, rule_of_leaf, tree_as_text
from boxwood.model_file import State
from boxwood.parameters import declare, n_jobs
from boxwood.progress import CallbackSupportMixin
from boxwood.randomness import seed_of
from boxwood.threads import n_threads
from boxwood.tree.density.parameters import GROWTH

__all__ = ["BoxDensity"]


class BoxDensity(CallbackSupportMixin, UnseenGapsMixin, QueryableDensity, DependentDensity):
    """A density whose fitted form is a mixture of products of 1-D pieces."""

    _parameters = declare(
        *GROWTH,
        MISSING_VALUES,
        *EVIDENCE,
        n_jobs("Threads; the fitted model is the same to the byte for any number of them."),
    )

    margins_: Margins
    mixture_: Mixture
    _gaps: UnseenGaps
    feature_importances_: NDArray[np.float64]
    n_jobs: int | None
    _ruled: RuledDensity

    def apply(self, X: Any) -> NDArray[np.uint32]:
        """Return the number of the leaf that each row falls into, in every tree.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            A missing value goes where missing values went in training.

        Returns
        -------
        ndarray of shape (n_samples,) for a tree, (n_samples, n_estimators) for a forest
        """
        return self.mixture_.apply(self.margins_.encode(self._read(X), self.n_jobs))

    def decision_path(self, X: Any) -> Any:
        """Return the nodes that each row passes on its way to the leaves.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        indicator : csr_matrix of shape (n_samples, n_nodes)
            1 where a row passes a node; the trees' nodes side by side.
        n_nodes_ptr : ndarray of shape (n_estimators + 1,)
            The nodes of tree t are those from ``n_nodes_ptr[t]`` to ``n_nodes_ptr[t + 1]``.
        """
        return decision_paths(self.mixture_, self.margins_.encode(self._read(X), self.n_jobs))

    def leaves_frame(self, tree: int = 0) -> Any:
        """Return the leaves of a tree as a frame, one row a leaf.

        Parameters
        ----------
        tree : int, default=0
            Which tree of a forest.

        Returns
        -------
        frame
            Of the library that the fitted table came from, else of an installed one, else a dict of
            arrays. Its columns are

            - ``leaf``, the number that `apply` gives;
            - ``<name>_lower`` and ``<name>_upper`` of numbers: infinite where a tail reaches (of dates: the
              years 1 and 9999), NaN where the leaf holds none but missing values; the upper bound of whole
              numbers belongs to the leaf;
            - ``<name>_in`` of categories, a tuple, and ``<name>_unseen``: whether other categories are in it;
            - ``<name>_missing``, where the column had missing values: whether they are in it;
            - ``mass``, the leaf's probability, and ``count``, the weight of its rows;
            - ``volume`` in the base measure, ``density`` = mass / volume, the mean density (of a date: a
              microsecond), and its ``standard_error``;
            - ``lift``: mass over what the leaf would have if columns were independent with these margins.
        """
        check_is_fitted(self)
        return leaves_frame(boxes_of_tree(self.margins_, self.mixture_, tree), self.schema_)

    def rules(self, leaf: int, tree: int = 0, decimals: int | None = None) -> str:
        """Describe in words which rows fall into a leaf.

        Parameters
        ----------
        leaf : int
            Its number, as `apply` gives it.
        tree : int, default=0
            Which tree of a forest.
        decimals : int, optional
            Of the numbers; without it as many as tell apart ten thousandths of a column's range.
            `leaves_frame` has the bounds to the last digit.

        Returns
        -------
        str
            One condition for each column that was cut on the way to the leaf. A comparison does not hold
            for a missing value; where missing values belong to the leaf, the condition says so.
        """
        check_is_fitted(self)
        return rule_of_leaf(boxes_of_tree(self.margins_, self.mixture_, tree), leaf, decimals)

    def export_text(self, tree: int = 0, max_depth: int | None = None, decimals: int | None = None) -> str:
        """Write a tree as indented text: its cuts, and of each leaf mass, density and rows.

        Parameters
        ----------
        tree : int, default=0
            Which tree of a forest.
        max_depth : int, optional
            Cuts below this depth are left out.
        decimals : int, optional
            Of the cuts, as in `rules`.

        Returns
        -------
        str
            Where tails make a leaf's volume infinite, its lift stands in place of its density (see
            `leaves_frame`).
        """
        check_is_fitted(self)
        return tree_as_text(boxes_of_tree(self.margins_, self.mixture_, tree), max_depth, decimals)

    def to_mixture(self) -> TableMixture:
        """Return the density in the form of which everything is asked.

        Returns
        -------
        TableMixture
        """
        check_is_fitted(self)
        return TableMixture(self.margins_, self.mixture_)

    def _asked(self) -> Asked:
        gaps = self._gaps if self.missing == "event" else None
        return Asked(self.mixture_, gaps, self._ruled if len(self._dependencies) else None, self._n_threads())

    @property
    def memory_report_(self) -> dict[str, int]:
        """Bytes of the fitted form: structure (32 a node), category sets, leaves and bin edges."""
        return self.mixture_.memory_report()

    def _score(self, columns: Columns) -> NDArray[np.float64]:
        density = TableMixture(self.margins_, self.mixture_, self._missing_values())
        scores = self._ruled.score(columns, lambda kept: density.log_density(kept, self._n_threads()))
        return self._with_unseen_gaps(scores, self._gaps, columns)

    def _sample(self, n_samples: int, rng: np.random.Generator) -> Columns:
        if len(self._dependencies):
            return self._ruled.sample(n_samples, rng, self.n_jobs)
        return TableMixture(self.margins_, self.mixture_).sample(n_samples, seed_of(rng), self._n_threads())

    def _rule(self, found: Dependencies, margins: Margins, mixture: Mixture) -> RuledDensity:
        """Return a mixture under the rules whose values have a probability under the margins."""
        return RuledDensity(found.with_mass(margins), margins, mixture, self.missing == "event")

    def _fitted_rules(self, ruled: RuledDensity) -> dict[str, Any]:
        return {"_ruled": ruled, "_dependencies": ruled.dependencies}

    def _n_threads(self) -> int:
        return n_threads(self.n_jobs)

    def _get_state(self) -> dict[str, Any]:
        return {
            "margins": self.margins_.to_state(),
            "mixture": self.mixture_.to_state(),
            "feature_importances": self.feature_importances_,
            **self._get_dependencies_state(),
            **self._get_gaps_state(),
            **self._get_novelty_state(),
        }

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        margins = Margins.from_state(state, "margins", schema)
        mixture = Mixture.from_state(state.child("mixture"), len(schema))
        unfit = check_bin_edges(margins, mixture.bin_edges)
        if unfit is not None:
            raise state.error("mixture", f"has bin edges that do not fit the column {unfit!r}")
        importances = state.array("feature_importances", np.float64, (len(schema),), low=0.0, high=1.0)
        if importances.any() and abs(float(importances.sum()) - 1.0) > 1e-9:
            raise state.error("feature_importances", "does not sum to 1")
        dependencies = Dependencies.from_state(state, "dependencies", schema)
        return {
            "margins_": margins,
            "mixture_": mixture,
            **self._fitted_rules(self._rule(dependencies, margins, mixture)),
            "feature_importances_": importances,
            "_gaps": self._gaps_of_state(state, margins),
            **self._novelty_of_state(state),
        }


def fractions_of(gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return importances as fractions of their sum; all zero where nothing was split."""
    total = float(gains.sum())
    return gains / total if total > 0.0 else np.zeros_like(gains)
