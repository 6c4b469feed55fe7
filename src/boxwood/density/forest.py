"""The density forest: the average of many density trees."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Schema
from boxwood.density.boxes import fractions_of
from boxwood.density.corrected_draws import CorrectedDraws
from boxwood.evidence import Evidence
from boxwood.gaps import UnseenGaps
from boxwood.margins import left_out_log_derivative
from boxwood.mixture import Mixture
from boxwood.model_file import State
from boxwood.parameters import declare, verbose
from boxwood.progress import with_callbacks
from boxwood.tree.density.forest import FittedForest, fit_forest
from boxwood.tree.density.growth import seed_for
from boxwood.tree.density.parameters import FOREST
from boxwood.tree.density.unseen import unseen_scores
from boxwood.tree.forest import Forest

__all__ = ["DensityForest"]


class DensityForest(Forest, CorrectedDraws):
    """Density forest: the mean of the densities of trees that saw different rows and columns.

    Every query of the fitted model has a closed form: it is a mixture of products of 1-D pieces. In a leaf
    columns are independent, by which a classifier tells draws from rows; so `sample` corrects draws by the
    density ratio that such a classifier finds. Scores and answers stay those of the forest:
    ``BoostedDensity(components=["forest"])`` has the same correction in its scores, too.

    Attributes
    ----------
    id_columns_ : list of str
        Columns that number or name the rows: ids and free text. A warning names them; samples have new
        numbers, or nothing, in them.
    oob_score_ : float
        Mean log-density of the training rows by trees and margins that did not see them, as if there were
        as many of these trees as the forest has.
    oob_log_density_ : ndarray of shape (n_samples,)
        The same for each row; NaN where every tree saw it. Not kept in a model file.
    min_samples_split_ : float
        As given, or chosen.
    feature_importances_ : ndarray of shape (n_features,)
    dependencies_ : list of Dependency
        Columns that follow from others: `score_samples` knows them and `sample` keeps to them.
    rotation_ : Rotation or None
        Turns rows to the components that the trees have boxes of.
    margins_ : Margins
    mixture_ : Mixture
    memory_report_ : dict
    offset_ : float
    schema_ : Schema
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 1)) + 0.3 * rng.normal(size=(500, 2))
    >>> forest = bw.DensityForest(n_estimators=20, random_state=0).fit(X)
    >>> bool(forest.score(X) > bw.GaussianDensity(covariance_type="diag").fit(X).score(X))
    True
    >>> forest.sample(3, random_state=1).shape
    (3, 2)
    """

    _parameters = declare(
        *FOREST,
        verbose(
            "1 shows a progress bar on standard error. From scikit-learn 1.9 on ``set_callbacks`` takes "
            "callbacks too (``sklearn.callback.ProgressBar``); each tree is a task. They cannot stop a fit "
            "early."
        ),
    )

    _releases_rows = True
    _usual_leaf = "histogram"

    oob_score_: float
    oob_log_density_: NDArray[np.float64]
    min_samples_split_: float

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: str = "product_likelihood",
        margins: str = "smooth",
        leaf: str | None = None,
        rotation: str | None = None,
        splitter: str = "binned",
        max_samples: float = 0.8,
        bootstrap: bool = False,
        min_samples_split: float | str = "auto",
        max_depth: int | None = None,
        max_leaf_nodes: int | str | None = None,
        leaf_factor: float | None = None,
        min_samples_leaf: float = 1,
        max_features: int | float | str | None = "half",
        max_candidates: int = 32,
        random_splits: int | None = None,
        max_aspect: float | None = None,
        uniformity_level: float | None = None,
        min_gain: float | None = None,
        mass_prior: float = 1.0,
        n_bins: int | None = None,
        histogram_prior: float = 4.0,
        dependencies: str | None = "auto",
        correction: str | None = "auto",
        missing: str = "event",
        bounds: Any = None,
        support: Any = None,
        duplicates: str = "auto",
        weight_kind: str = "auto",
        false_alarm_rate: float = 0.05,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.margins = margins
        self.leaf = leaf
        self.rotation = rotation
        self.splitter = splitter
        self.max_samples = max_samples
        self.bootstrap = bootstrap
        self.min_samples_split = min_samples_split
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.leaf_factor = leaf_factor
        self.min_samples_leaf = min_samples_leaf
        self.max_features = max_features
        self.max_candidates = max_candidates
        self.random_splits = random_splits
        self.max_aspect = max_aspect
        self.uniformity_level = uniformity_level
        self.min_gain = min_gain
        self.mass_prior = mass_prior
        self.n_bins = n_bins
        self.histogram_prior = histogram_prior
        self.dependencies = dependencies
        self.correction = correction
        self.missing = missing
        self.bounds = bounds
        self.support = support
        self.duplicates = duplicates
        self.weight_kind = weight_kind
        self.false_alarm_rate = false_alarm_rate
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @with_callbacks
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            What they are `weight_kind` says.
        groups : array-like of shape (n_samples,), optional
            Labels; rows of a group are left out together wherever rows are left out.

        Returns
        -------
        self
        """
        self._check_parameters()
        given, seed = self._read_fit(X, sample_weight), seed_for(self)
        columns, rotation = self._rotate(given, seed)
        evidence = self._weigh(columns, groups, sample_weight)
        given.release()
        with self._progress(X, int(self.n_estimators)) as progress:
            fitted = fit_forest(evidence, self, seed, progress)
        mixture = Mixture.of_native(fitted.mixture)
        ruled = self._rule(self._find_dependencies(evidence), fitted.margins, mixture)
        by_rules = ruled.training_terms(evidence.columns)
        gaps = UnseenGaps.of_table(evidence.n, evidence.columns)
        out_of_bag = self._out_of_bag(evidence, fitted) + by_rules
        unseen = self._with_unseen_gaps(out_of_bag, gaps, evidence.columns)
        seen = self._with_unseen_gaps(fitted.log_density + by_rules, gaps, evidence.columns)
        self._set_fitted(
            given.schema,
            rotation_=rotation,
            margins_=fitted.margins,
            mixture_=mixture,
            **self._fitted_rules(ruled),
            min_samples_split_=fitted.min_samples_split,
            feature_importances_=fractions_of(fitted.gains),
            oob_log_density_=evidence.of_given_rows(unseen),
            oob_score_=_mean_present(unseen, evidence.columns.weights),
            _gaps=gaps,
            **self._rows_to_correct(evidence, fitted.margins, ruled, seed % 2**62),
            **self._ids_of(evidence),
            **self._novelty_of(evidence, np.where(np.isnan(unseen), seen, unseen)),
        )
        return self

    def _out_of_bag(self, evidence: Evidence, fitted: FittedForest) -> NDArray[np.float64]:
        """Return the log-density of each distinct row by trees and margins that did not see it."""
        weights = evidence.columns.weights
        on_cube = unseen_scores(fitted.unseen.reshape(-1, 4), int(self.n_estimators), weights)
        if np.isnan(on_cube).all():
            return on_cube
        kind, missing = self.margins, self._missing_values()
        return on_cube + left_out_log_derivative(evidence, fitted.margins, kind, missing, self.n_jobs)

    def __getattr__(self, name: str) -> Any:
        if name == "oob_log_density_" and "oob_score_" in self.__dict__:
            raise AttributeError(
                "oob_log_density_ is not kept in a model file: it has a value for each row of the training "
                "table. oob_score_ is their mean."
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _get_state(self) -> dict[str, Any]:
        state = {
            **super()._get_state(),
            **self._get_correction_state(),
            "min_samples_split": self.min_samples_split_,
        }
        return state if np.isnan(self.oob_score_) else {**state, "oob_score": self.oob_score_}

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        known = "oob_score" in state  # every tree may have seen every row
        return {
            **super()._fitted_of_state(schema, state),
            **self._correction_of_state(state, len(schema)),
            "oob_score_": state.number("oob_score") if known else float("nan"),
            "min_samples_split_": state.number("min_samples_split", low=0.0),
        }


def _mean_present(values: NDArray[np.float64], weights: NDArray[np.float64] | None) -> float:
    """Return the mean without NaN, rounded once: neither the order of rows nor repetition changes a bit."""
    there = ~np.isnan(values)
    values = values[there]
    if not len(values) or np.isneginf(values).any():
        return float("-inf") if len(values) else float("nan")
    if weights is None:
        return math.fsum(values) / len(values)
    # The halves of a number have 26 bits, so that their products with a frequency are exact.
    large = values * (2.0**27 + 1.0)
    high = large - (large - values)
    products = np.concatenate([high * weights[there], (values - high) * weights[there]])
    return math.fsum(products) / math.fsum(weights[there])
