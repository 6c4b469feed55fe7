"""What forests of decision and regression trees share."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from boxwood.binning.thresholds import rows_of
from boxwood.columns import Columns, Schema
from boxwood.parameters import Flag, Function, Integer, Parameter, Real, declare
from boxwood.tree.forest import Forest
from boxwood.tree.supervised.base import SupervisedEstimator, n_outputs
from boxwood.tree.supervised.inspect import SingleTree
from boxwood.tree.supervised.trees import SupervisedTrees, joined

__all__ = ["SupervisedForest", "of_all_rows"]


class SupervisedForest(Forest, SupervisedEstimator):
    """Sampling, out-of-bag scores and warm starts."""

    _parameters = declare(
        Parameter(
            "oob_score",
            Flag() | Function(),
            "Score the forest on the rows that each tree did not see, as `score` does or by ``oob_score(y, "
            "told)``.",
        ),
        Parameter("warm_start", Flag(), "Add trees to those of the last fit, which stay."),
        Parameter(
            "max_samples",
            Integer(1) | Real(0.0, open_low=True) | None,
            "Number, or fraction, of the rows drawn for a tree; None draws as many as there are.",
        ),
    )
    _tree_class: type[SingleTree]

    oob_score: Any
    warm_start: bool
    max_samples: Any
    seed_: int

    def __len__(self) -> int:
        check_is_fitted(self)
        return self.trees_.n_trees

    def __getitem__(self, t: Any) -> Any:
        chosen = range(len(self))[t]
        return [self._single(k) for k in chosen] if isinstance(chosen, range) else self._single(chosen)

    def __iter__(self) -> Iterator[SingleTree]:
        return iter(self.estimators_)

    @property
    def estimators_(self) -> list[Any]:
        """The trees, each as an estimator of its own that tells the classes themselves."""
        check_is_fitted(self)
        return [self._single(t) for t in range(self.trees_.n_trees)]

    def to_sklearn(self) -> Any:
        """Return the forest as a fitted scikit-learn one, for SHAP, ONNX converters and the like.

        Its predictions are the same for rows of single-precision numbers; others scikit-learn rounds to
        single precision first. A forest that votes by majority stays one.

        Returns
        -------
        sklearn.ensemble.RandomForestClassifier or sklearn.ensemble.RandomForestRegressor

        Raises
        ------
        ValueError
            Where a tree splits a column into sets of categories, or obliquely.
        """
        from boxwood.tree.supervised.export_forest import sklearn_forest

        check_is_fitted(self)
        return sklearn_forest(
            self.trees_, self.schema_, self.get_params(), self._class_labels(), self.n_outputs_
        )

    def _single(self, t: int) -> SingleTree:
        tree = self._tree_class(**{**self._tree_parameters(), "random_state": None})
        own = {"trees_": self.trees_.only(t), "ccp_alpha_": float(self.ccp_alpha)}
        tree._set_fitted(self.schema_, **own, **self._fitted_of_every_tree())
        return tree

    def _tree_parameters(self) -> dict[str, Any]:
        """Return the parameters of a single tree."""
        wanted = self._tree_class().get_params()
        return {name: value for name, value in self.get_params().items() if name in wanted}

    def _fitted_of_every_tree(self) -> dict[str, Any]:
        """Return the fitted attributes that each tree has as well."""
        return {"cuts_": self.cuts_, "n_outputs_": self.n_outputs_}

    def _sampled_fraction(self, n_rows: int) -> float | None:
        if not self.bootstrap:
            return None
        wanted = 1.0 if self.max_samples is None else self.max_samples
        return float(wanted) / n_rows if isinstance(wanted, int | np.integer) else float(wanted)

    def _check_combinations(self) -> None:
        super()._check_combinations()
        if self.oob_score and not self.bootstrap:
            raise ValueError("Out of bag estimation only available if bootstrap=True")
        if self.max_samples is not None and not self.bootstrap:
            raise ValueError(
                "`max_sample` cannot be set if `bootstrap=False`. "
                "Either switch to `bootstrap=True` or set `max_sample=None`."
            )

    def _fit_forest(self, X: Any, columns: Columns, targets: NDArray[Any], n_classes: int) -> dict[str, Any]:
        """Return the fitted attributes, and under "oob" the predictions out of bag where they are asked for.

        `X` is the table as it came, for callbacks.
        """
        before = self._trees_before(columns.schema, n_classes or n_outputs(targets))
        seed, n_trees = self.seed_ if before else self._seed(), int(self.n_estimators)
        if before == n_trees:
            warnings.warn(
                "Warm-start fitting without increasing n_estimators does not fit new trees.", stacklevel=3
            )
        # A tree depends on the table, the seed and its number alone, so that only new ones are grown.
        with self._progress(X, n_trees - before) as progress:
            cuts, trees, table, options = self._grow(
                columns, targets, n_classes, seed, n_trees - before, before, progress
            )
        trees = self._finished(trees) if before < n_trees else self.trees_
        if 0 < before < n_trees:
            trees = joined([self.trees_, trees])
        oob = None
        if self.oob_score:
            oob = trees.native.predict_out_of_bag(rows_of(columns), table, options)
        if oob is not None and np.isnan(oob).any():
            warnings.warn(
                "Some inputs do not have OOB scores. This probably means too few trees were used to compute "
                "any reliable OOB estimates.",
                stacklevel=3,
            )
        return {"cuts_": cuts, "trees_": trees, "seed_": seed, "n_outputs_": n_outputs(targets), "oob": oob}

    def _trees_before(self, schema: Schema, n_outputs: int) -> int:
        before = self.trees_.n_trees if self.warm_start and self.__sklearn_is_fitted__() else 0
        if before > self.n_estimators:
            raise ValueError(
                f"n_estimators={self.n_estimators} must be larger or equal to the {before} trees of the "
                "last fit when warm_start==True."
            )
        if before and schema.fields != self.schema_.fields:
            raise ValueError(
                "warm_start=True adds trees to those of the last fit, but this table has other columns, "
                "kinds or categories. Fit it with warm_start=False."
            )
        n_before = self.trees_.value.shape[1] if before else n_outputs
        if n_before != n_outputs:
            raise ValueError(
                f"warm_start=True adds trees to those of the last fit, which predict {n_before} classes or "
                f"values, but y has {n_outputs}. Fit it with warm_start=False."
            )
        return before

    def _finished(self, trees: SupervisedTrees) -> SupervisedTrees:
        """Prune the trees."""
        return trees.pruned(float(self.ccp_alpha))

    def _get_state(self) -> dict[str, Any]:
        return {**super()._get_state(), "seed": str(self.seed_)}

    def _trees_of_state(self, schema: Any, state: Any, n_classes: int) -> dict[str, Any]:
        seed = state.text("seed")
        if not (seed.isascii() and seed.isdigit() and len(seed) <= 20 and int(seed) < 2**64):
            raise state.error("seed", "is no integer from 0 to 2**64 - 1")
        return {**super()._trees_of_state(schema, state, n_classes), "seed_": int(seed)}


def of_all_rows(predicted: NDArray[np.float64], weights: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """Return what is told of the rows that have weight in the places of all rows; NaN for the others.

    Examples
    --------
    >>> of_all_rows(np.array([0.5, 0.7]), np.array([1.0, 0.0, 2.0]))
    array([0.5, nan, 0.7])
    """
    if weights is None:
        return predicted
    everywhere = np.full((len(weights), *predicted.shape[1:]), np.nan)
    everywhere[weights > 0.0] = predicted
    return everywhere
