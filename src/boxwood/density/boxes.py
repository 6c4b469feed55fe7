"""What density trees and forests share: a mixture on the cube under margins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from boxwood.columns import ColumnMeasure, Columns, Schema
from boxwood.density.base import BOUNDS, EVIDENCE, MISSING_VALUES
from boxwood.density.dependent import DEPENDENCIES, DependentDensity
from boxwood.density.fitted_boxes import FittedBoxes
from boxwood.density.id_columns import IdColumnsMixin
from boxwood.density.queryable import Asked, QueryableDensity
from boxwood.density.shared_leaves import SharedLeaves
from boxwood.density.unseen_gaps import UnseenGapsMixin
from boxwood.density.weighable import fitted_proposal
from boxwood.dependencies import Dependencies, RuledDensity
from boxwood.evidence.support import SUPPORT
from boxwood.gaps import UnseenGaps
from boxwood.linear.rotation import ROTATIONS, Rotation
from boxwood.linear.table_rotation import (
    check_continuous_kinds,
    check_rotatable,
    component_schema,
    fit_table_rotation,
    rotated,
    rotated_back,
)
from boxwood.margins import Margins
from boxwood.mixture import Mixture, NoMixtureError, TableMixture
from boxwood.mixture.inspect import (
    boxes_of_tree,
    decision_paths,
    leaves_frame,
    renamed_boxes,
    rule_of_leaf,
    tree_as_text,
)
from boxwood.model_file import ModelFileError, State
from boxwood.parameters import Choice, Parameter, check_count, declare, n_jobs, only_with, shown
from boxwood.progress import CallbackSupportMixin
from boxwood.randomness import seed_of
from boxwood.threads import n_threads
from boxwood.tree.density.parameters import GROWTH

if TYPE_CHECKING:
    from boxwood.query.weighed.proposal import Proposal

__all__ = ["BoxDensity"]


class BoxDensity(CallbackSupportMixin, UnseenGapsMixin, IdColumnsMixin, QueryableDensity, DependentDensity):
    """A density whose fitted form is a mixture of products of 1-D pieces."""

    _parameters = declare(
        *GROWTH,
        Parameter(
            "rotation",
            Choice(*ROTATIONS) | None,
            "Grow in the principal or independent components of the standardised columns, scaled to keep "
            "volumes: for continuous numbers without missing values.",
        ),
        MISSING_VALUES,
        DEPENDENCIES.but(effect=only_with(rotation=None)),
        BOUNDS,
        SUPPORT,
        *EVIDENCE,
        n_jobs("Threads; the fitted model is the same to the byte for any number of them."),
    )

    margins_: Margins
    rotation: str | None
    rotation_: Rotation | None
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
        return self.mixture_.apply(self._encode(X))

    def similarity(self, X: Any, Y: Any = None, weights: str = "plain") -> NDArray[np.float64]:
        """Return how similar rows are: in which fraction of the trees they fall into one leaf.

        Parameters
        ----------
        X, Y : tables
            Without Y the rows of X are compared with each other.
        weights : {"plain", "rarity"}, default="plain"
            With "rarity" a leaf counts by −log of its probability: rows that share a rare leaf are more alike
            than rows that share a common one.

        Returns
        -------
        ndarray of shape (n_samples of X, n_samples of Y)
            From 0 to 1; 1 for rows that share all leaves.
        """
        shared, a = self._shared_leaves(weights), self._leaves_of(X)
        return shared.similarity(a, a if Y is None else self._leaves_of(Y))

    def nearest(
        self, X: Any, Y: Any, n: int = 5, weights: str = "plain"
    ) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return the rows of Y that are most similar to each row of X, and their similarities.

        Parameters
        ----------
        X, Y : tables
            The rows whose neighbours are looked for, and those among which; without Y the rows of X among
            each other.
        n : int, default=5
            How many neighbours of each row.
        weights : {"plain", "rarity"}, default="plain"
            See `similarity`.

        Returns
        -------
        rows : ndarray of shape (n_samples of X, n)
            Positions in Y, the most similar first.
        similarities : ndarray of shape (n_samples of X, n)
        """
        shared, others = self._shared_leaves(weights), self._leaves_of(Y)
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 1 <= n <= len(others):
            raise ValueError(f"n must be an integer from 1 to {len(others)}, the rows of Y; got {shown(n)}.")
        return shared.nearest(self._leaves_of(X), others, int(n))

    def _shared_leaves(self, weights: str) -> SharedLeaves:
        check_is_fitted(self)
        return SharedLeaves(self.mixture_, weights, n_threads(self.n_jobs))

    def _leaves_of(self, X: Any) -> NDArray[np.uint32]:
        return self.mixture_.apply(self._encode(X))

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
        return decision_paths(self.mixture_, self._encode(X))

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

            In a rotation the columns are its components, ``component_0`` and so on: ``rotation_.apply``
            gives those of rows.
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

    def export_text(
        self,
        tree: int = 0,
        max_depth: int | None = None,
        decimals: int | None = None,
        *,
        feature_names: Sequence[str] | None = None,
        spacing: int = 3,
    ) -> str:
        """Write a tree as indented text: its cuts, and of each leaf mass, density and rows.

        Parameters
        ----------
        tree : int, default=0
            Which tree of a forest.
        max_depth : int, optional
            Cuts below this depth are left out.
        decimals : int, optional
            Of the cuts, as in `rules`.
        feature_names : sequence of str, optional
            Names of the columns: by default those of the fitted table.
        spacing : int, default=3
            Width of the lines between levels.

        Returns
        -------
        str
            Where tails make a leaf's volume infinite, its lift stands in place of its density (see
            `leaves_frame`).
        """
        check_is_fitted(self)
        check_count("spacing", spacing)
        boxes = renamed_boxes(boxes_of_tree(self.margins_, self.mixture_, tree), feature_names)
        return tree_as_text(boxes, max_depth, decimals, spacing)

    def plot_tree(
        self,
        *,
        tree: int = 0,
        max_depth: int | None = None,
        feature_names: Sequence[str] | None = None,
        filled: bool = True,
        decimals: int | None = None,
        ax: Any = None,
        fontsize: float | None = None,
    ) -> Any:
        """Draw a tree with matplotlib: its questions, and its leaves as boxes.

        Rows for which a question is true go left. The box of a leaf is as high as its mass.

        Parameters
        ----------
        tree : int, default=0
            Which tree of a forest.
        max_depth : int, optional
            Deeper parts are shown as one box each: by default only those of a tree of more than 32 leaves.
        feature_names : sequence of str, optional
            Names of the columns: by default those of the fitted table.
        filled : bool, default=True
            Whether a leaf's colour is the logarithm of its lift.
        decimals : int, optional
            Of the cuts, as in `rules`.
        ax : matplotlib Axes, optional
            Where to draw: by default a new figure that is large enough for all texts.
        fontsize : float, optional
            Of the questions, in points. By default the texts are as large as the axes allow.

        Returns
        -------
        TreeDisplay
        """
        from boxwood.plot.tree_display import TreeDisplay

        style = {"max_depth": max_depth, "decimals": decimals, "filled": filled, "fontsize": fontsize}
        return TreeDisplay.from_estimator(self, tree=tree, ax=ax, feature_names=feature_names, **style)

    def to_mixture(self) -> TableMixture:
        """Return the density in the form of which everything is asked.

        Returns
        -------
        TableMixture
            In a rotation there is none: a box of components is no box of columns; nor with leaves of full
            covariance, which are no products of columns.
        """
        check_is_fitted(self)
        if self.rotation_ is not None:
            raise NoMixtureError(
                f"a {type(self).__name__} with rotation={self.rotation!r} has boxes of components, which are "
                "no boxes of the table's columns: what is asked of columns has no closed form. Fit it with "
                "rotation=None, or ask `query`, which weighs draws."
            )
        if self.mixture_.leaf_kind == "gaussian_full":
            raise NoMixtureError(
                f'leaves of a {type(self).__name__} with leaf="gaussian_full" are no products of columns: '
                'what is asked of columns has no closed form. Fit it with leaf="gaussian" or '
                'leaf="histogram", or ask `query`, which weighs draws.'
            )
        return TableMixture(self.margins_, self.mixture_)

    def _make_proposal(self) -> Proposal:
        rules = self._dependencies if len(self._dependencies) else None
        gaps = self._gaps if self.rotation_ is None else None  # a rotation takes no gaps
        return fitted_proposal(self, self._n_threads(), rules, gaps)

    def _base_measure(self) -> list[ColumnMeasure]:
        from boxwood.query.weighed.measures import measures_of_margins

        return super()._base_measure() if self.rotation_ is not None else measures_of_margins(self.margins_)

    def _scored_as(self, missing: str) -> Any:
        made = super()._scored_as(missing)
        made._ruled = made._rule(self._dependencies, self.margins_, self.mixture_)
        return made

    def _asked(self) -> Asked:
        gaps = self._gaps if self.missing == "event" else None
        ruled = self._ruled if len(self._dependencies) else None
        n_rows = self._gaps.n if math.isfinite(self._gaps.n) else None  # files of before unseen gaps
        return Asked(self.mixture_, gaps, ruled, self._n_threads(), n_rows)

    @property
    def memory_report_(self) -> dict[str, int]:
        """Bytes of the fitted form: structure (32 a node), category sets, leaves and bin edges."""
        return self.mixture_.memory_report()

    def _rotate(self, columns: Columns, seed: int) -> tuple[Columns, Rotation | None]:
        """Return the table that is fitted: the components of the rows, where there is a rotation.

        The components have unit determinant, so that their density is that of the columns.
        """
        if self.rotation is None:
            return columns, None
        check_rotatable(columns, f"rotation={self.rotation!r}")  # before rows lose their numbers
        # Merged rows come in the order of their content: the rotation knows neither another nor repetition.
        rotation = fit_table_rotation(self._weigh(columns).columns, self.rotation, seed)
        return rotated(columns, rotation), rotation

    def _rotated(self, columns: Columns) -> Columns:
        return columns if self.rotation_ is None else rotated(columns, self.rotation_)

    def _encode(self, X: Any) -> NDArray[np.float64]:
        return self.margins_.encode(self._rotated(self._read(X)), self.n_jobs)

    def _score(self, columns: Columns) -> NDArray[np.float64]:
        rows = self._rotated(columns)
        density = TableMixture(self.margins_, self.mixture_, self._missing_values())
        scores = self._ruled.score(rows, lambda kept: density.log_density(kept, self._n_threads()))
        return self._with_unseen_gaps(scores, self._gaps, rows)

    def _margins_of_columns(self) -> Margins:
        return self.margins_ if self.rotation_ is None else super()._margins_of_columns()

    def _sample(self, n_samples: int, rng: np.random.Generator) -> Columns:
        return self._with_fresh_ids(self._drawn(n_samples, rng))

    def _drawn(self, n_samples: int, rng: np.random.Generator) -> Columns:
        if len(self._dependencies):
            return self._ruled.sample(n_samples, rng, self.n_jobs)
        form = TableMixture(self.margins_, self.mixture_)
        drawn = form.sample(n_samples, seed_of(rng), self._n_threads())
        return drawn if self.rotation_ is None else rotated_back(drawn, self.rotation_, self.schema_)

    def _rule(self, found: Dependencies, margins: Margins, mixture: Mixture) -> RuledDensity:
        """Return a mixture under the rules whose values have a probability under the margins."""
        return RuledDensity(found.with_mass(margins), margins, mixture, self.missing == "event")

    def _fitted_rules(self, ruled: RuledDensity) -> dict[str, Any]:
        return {"_ruled": ruled, "_dependencies": ruled.dependencies}

    def _n_threads(self) -> int:
        return n_threads(self.n_jobs)

    def _get_state(self) -> dict[str, Any]:
        if (self.rotation is None) != (self.rotation_ is None):
            raise ModelFileError(f"{type(self).__name__}: rotation was changed since the fit; fit it again")
        return {
            **({} if self.rotation_ is None else {"rotation": self.rotation_.to_state()}),
            "margins": self.margins_.to_state(),
            "mixture": self.mixture_.to_state(),
            "feature_importances": self.feature_importances_,
            **self._get_dependencies_state(),
            **self._get_gaps_state(),
            **self._get_ids_state(),
            **self._get_novelty_state(),
        }

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        rotation = Rotation.from_state(state.child("rotation"), len(schema)) if "rotation" in state else None
        if (rotation is None) != (self.rotation is None):
            raise state.error("rotation", "does not fit the parameter")
        if rotation is not None:
            check_continuous_kinds(schema, str(self.rotation))
            if abs(rotation.log_determinant) > 1e-6:
                raise state.error("rotation", "changes volumes")
        fitted_schema = schema if rotation is None else component_schema(len(schema))
        boxes = FittedBoxes.from_state(state, fitted_schema, self.missing)
        importances = state.array("feature_importances", np.float64, (len(schema),), low=0.0, high=1.0)
        if importances.any() and abs(float(importances.sum()) - 1.0) > 1e-9:
            raise state.error("feature_importances", "does not sum to 1")
        return {
            "margins_": boxes.margins,
            "rotation_": rotation,
            "mixture_": boxes.mixture,
            **self._fitted_rules(boxes.ruled),
            "feature_importances_": importances,
            "_gaps": boxes.gaps,
            **self._ids_of_state(state, schema),
            **self._novelty_of_state(state),
        }


def fractions_of(gains: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return importances as fractions of their sum; all zero where nothing was split."""
    total = float(gains.sum())
    return gains / total if total > 0.0 else np.zeros_like(gains)
