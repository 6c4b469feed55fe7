"""The boosted density: chains of trees in several coordinates, mixed with a forest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.boosting.all_rows import with_all_rows
from boxwood.boosting.cross_fit import (
    WeighingRows,
    cross_fitted_rows,
    folds_of,
    held_out_rows,
    parts_of,
    splits_of,
)
from boxwood.boosting.fit_options import FitOptions
from boxwood.boosting.fit_steps import FitSteps
from boxwood.boosting.forest_part import MARGINS, fit_forest_part
from boxwood.boosting.gaussian_search import Split, fit_gaussians
from boxwood.boosting.model import BoostedModel
from boxwood.boosting.parameters import BOOSTING
from boxwood.boosting.ratio.rake import rake_weighed
from boxwood.boosting.settings import SCORING, Settings, settings_of
from boxwood.boosting.training import held_out_fraction, hold_out
from boxwood.boosting.weighed_model import WeighedModel, weigh_parts
from boxwood.boosting.weights import is_positive
from boxwood.columns import Columns, Schema
from boxwood.density.base import BOUNDS, EVIDENCE, MISSING_VALUES
from boxwood.density.boosted_parts import BoostedParts
from boxwood.density.boxes import fractions_of
from boxwood.density.dependent import DependentDensity
from boxwood.density.id_columns import IdColumnsMixin
from boxwood.density.unseen_gaps import UnseenGapsMixin
from boxwood.density.weighable import boosted_model
from boxwood.evidence import Evidence, kept_labels
from boxwood.evidence.support import SUPPORT
from boxwood.gaps import UnseenGaps
from boxwood.margins import Margins
from boxwood.model_file import State
from boxwood.parameters import Flag, Parameter, declare, n_jobs, random_state, verbose
from boxwood.progress import CallbackSupportMixin, fit_progress, with_callbacks
from boxwood.threads import n_threads
from boxwood.tree.density.growth import features_a_node, seed_for

if TYPE_CHECKING:
    from boxwood.query.weighed.proposal import Proposal

__all__ = ["BoostedDensity"]

CALIBRATION_FRACTION = 0.2
"""Fraction of the rows that a second model holds out if the first model holds out none."""

SCORES = ("validation_score", "cross_fitted_score")


class BoostedDensity(CallbackSupportMixin, BoostedParts, UnseenGapsMixin, IdColumnsMixin, DependentDensity):
    """Boosted density: the likeliest model of a table, for scores and samples.

    Each round grows a tree on points of the unit cube and maps the cube so that what the tree has found is
    evened out; the next round sees the mapped points. The density of a row is the product of the rounds'
    densities. Chains of such rounds in different coordinates and a density forest are mixed with the
    weights that make held-out rows likeliest.

    It has no exact marginals or conditionals: `query` answers by weighing draws of its forest, with a
    standard error. Use `DensityForest` where answers are to be exact.

    Attributes
    ----------
    id_columns_ : list of str
        Columns that number or name the rows: ids and free text. A warning names them; samples have new
        numbers, or nothing, in them.
    chains_ : list of Chain
        Each with ``coordinates`` and ``trees``.
    forest_ : Mixture or None
    weights_ : ndarray
        Of the chains, of the Gaussians and, last, of the forest, where they are there.
    gaussians_ : GaussianScores or None
        A mixture of Gaussians of the columns' normal scores, or of the values themselves.
    n_estimators_ : list of int
        Rounds of each chain.
    validation_score_ : float
        Mean log-density of the held-out rows; NaN without any. Optimistic: the weights were chosen and, but
        for small tables that are weighed by folds, chains ended on the same rows.
    cross_fitted_score_ : float
        The same with weights that each half of these rows chose for the other: free of their choice, and only
        by folds free of where chains, and trees of the density ratio, ended.
    left_out_log_density_ : ndarray of shape (n_samples,)
        By row what `cross_fitted_score_` is the mean of; NaN of rows that were not left out. Rows of weight 0
        are not among them. Not there without held-out rows, nor in a model that was loaded.
    left_out_fraction_ : ndarray of shape (n_samples,)
        What of a row counts there: 0 or 1, or of equal discrete rows the fraction that was held out.
    dependencies_ : list of Dependency
        Columns that follow from others: `score_samples` knows them and `sample` keeps to them.
    feature_importances_ : ndarray of shape (n_features,)
    margins_ : Margins
    offset_ : float
    schema_ : Schema
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    See Also
    --------
    DensityForest : Exact answers to any question about events, marginals and conditionals.

    Notes
    -----
    If a row has discrete or missing values, its density is estimated by a mean over random points. The
    estimate has no bias, and is the same whenever the same model scores the same row. Its relative standard
    error is 1 to 5% in most rows. Tables of continuous columns without missing values have exact ones.

    References
    ----------
    N. Awaya and L. Ma, "Unsupervised tree boosting for learning probability distributions", JMLR 25 (2024).

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> angle = rng.uniform(0.0, 2.0 * np.pi, 2000)
    >>> ring = np.stack([np.cos(angle), np.sin(angle)], axis=1) + rng.normal(scale=0.1, size=(2000, 2))
    >>> model = bw.BoostedDensity("quick", random_state=0).fit(ring)
    >>> inside, on_it = model.score_samples([[0.0, 0.0], [1.0, 0.0]])
    >>> bool(on_it > inside + 3.0)
    True
    >>> model.sample(3, random_state=1).shape
    (3, 2)
    """

    _parameters = declare(
        *BOOSTING,
        MISSING_VALUES,
        BOUNDS,
        SUPPORT,
        *EVIDENCE,
        Parameter(
            "warm_start",
            Flag(),
            "A further ``fit`` on the same table adds rounds up to `n_estimators` to the chains of the last "
            "one.",
        ),
        n_jobs("Threads; the fitted model is the same to the byte for any number of them."),
        random_state("Of the forest, the columns tried and the rows held out."),
        verbose(
            "1 shows a progress bar on standard error, whose end comes nearer when chains stop early. Its "
            "steps are the margins, trees of the forest, coordinates, rounds of chains and scoring; "
            "callbacks (see `DensityForest`) have a task for each."
        ),
    )

    model_: BoostedModel
    validation_score_: float
    cross_fitted_score_: float
    feature_importances_: NDArray[np.float64]

    def __init__(
        self,
        preset: str = "default",
        *,
        n_estimators: int | None = None,
        learning_rate: float | None = None,
        depth_decay: float = 1.0,
        max_depth: int | None = None,
        split_penalty: float | None = None,
        min_samples_split: float | None = None,
        max_features: int | float | str | None = "half",
        components: Any = None,
        n_chains: int | None = None,
        n_networks: int | None = None,
        n_trees: int | None = None,
        validation_fraction: float | str = "auto",
        n_iter_no_change: int | None = None,
        n_points: int = 32,
        dependencies: str | None = "auto",
        missing: str = "event",
        bounds: Any = None,
        support: Any = None,
        duplicates: str = "auto",
        weight_kind: str = "auto",
        warm_start: bool = False,
        false_alarm_rate: float = 0.05,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.preset = preset
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.depth_decay = depth_decay
        self.max_depth = max_depth
        self.split_penalty = split_penalty
        self.min_samples_split = min_samples_split
        self.max_features = max_features
        self.components = components
        self.n_chains = n_chains
        self.n_networks = n_networks
        self.n_trees = n_trees
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.n_points = n_points
        self.dependencies = dependencies
        self.missing = missing
        self.bounds = bounds
        self.support = support
        self.duplicates = duplicates
        self.weight_kind = weight_kind
        self.warm_start = warm_start
        self.false_alarm_rate = false_alarm_rate
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @with_callbacks
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None) -> Self:
        """Grow the forest and the chains, and weigh them.

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
        columns = self._read_fit(X, sample_weight)
        evidence = self._weigh(columns, groups, sample_weight)
        settings = settings_of(self, evidence.n_rows * len(columns))
        before = self._begun(columns)
        seed = seed_for(self) % 2**62 if before is None else self._seed
        fraction = held_out_fraction(self.validation_fraction, evidence.n, len(columns))
        train, held_out = hold_out(evidence, fraction, seed)
        held = held_out.columns
        options = self._fit_options(settings, seed, len(columns), fraction)
        gaps = UnseenGaps.of_table(evidence.n, evidence.columns)
        with fit_progress(self, X, self._most_steps(settings, before), self.verbose, "step") as progress:
            steps = FitSteps(progress)
            n_after = self._most_steps_of_chains(settings, before)
            margins = options.margins(train) if before is None else before.margins
            part = fit_forest_part(
                margins, evidence, train, held_out, options.forest, seed, steps.stage(n_after)
            )
            start = () if before is None else before.chains
            chains = options.chains(train, held_out, margins, steps, start)
            gaussians, folds = None, folds_of(evidence, options)
            is_continuous = all(margins.continuous) and not evidence.columns.n_missing
            if "gaussians" in settings.components and is_continuous:
                whole = Split(train, held_out, margins)
                gaussians = fit_gaussians(whole, splits_of(evidence, folds, options), seed)
            rules = self._find_dependencies(evidence), self._missing_values()
            mixture = None if gaussians is None else gaussians.mixture
            model = BoostedModel.mix(margins, chains, mixture, part, *rules, seed)
            if held.n_rows:
                if folds:
                    weighing = cross_fitted_rows(model, part, gaussians, evidence, folds, options)
                else:
                    weighing = held_out_rows(model, part, evidence, held_out, options)
                weighed = weigh_parts(model, weighing.columns, weighing.logs, weighing.groups)
                parts = parts_of(evidence, folds, options)
                raked, added = rake_weighed(
                    weighed.model, train, held_out, evidence, parts, weighing.groups, options
                )
                model, scored = self._validated(weighed, raked, added, weighing, evidence, gaps)
                if is_continuous:
                    dependence = weighed.dependence(weighing.columns, self._missing_values())
                    model = with_all_rows(model, evidence, dependence, seed, self.n_jobs)
            else:
                can_leave_out = fraction == 0.0 and evidence.n >= 2.0  # else there is one row, or one group
                labels = kept_labels(groups, sample_weight)
                scored = self._calibrated(columns, labels, seed, can_leave_out)
            steps.stage(n_after=0)(SCORING, 0)
        self._set_fitted(
            columns.schema,
            model_=model,
            _dependencies=model.dependencies,
            feature_importances_=fractions_of(model.importances(part.gains)),
            _seed=seed,
            _forest_importances=part.gains,
            _gaps=gaps,
            **self._ids_of(evidence),
            **scored,
        )
        return self

    def _fit_options(self, settings: Settings, seed: int, d: int, fraction: float) -> FitOptions:
        grow = settings.grow_options(features_a_node(self, d), float(self.depth_decay))
        missing = self._missing_values()
        return FitOptions(settings, grow, fraction, self.missing, missing, self.n_points, self.n_jobs, seed)

    def _most_steps(self, settings: Settings, before: BoostedModel | None) -> int:
        """Return the largest number of steps: margins, trees, coordinates, rounds and scoring."""
        return MARGINS + settings.n_trees_of_forest + self._most_steps_of_chains(settings, before)

    def _most_steps_of_chains(self, settings: Settings, before: BoostedModel | None) -> int:
        if before is None or not before.chains:  # of a mixture without chains these begin anew
            return settings.most_steps_of_chains
        return SCORING + sum(settings.n_estimators - n_rounds for n_rounds in self.n_estimators_)

    def _begun(self, columns: Columns) -> BoostedModel | None:
        """Return the model to go on with, where there is one and it is of such a table."""
        if not self.warm_start or not hasattr(self, "model_"):
            return None
        self._check_names(columns.schema)
        n_rounds = settings_of(self).n_estimators
        done = max(self.n_estimators_, default=0)
        if n_rounds < done:
            message = f"n_estimators={n_rounds} must be at least the {done} rounds that are there"
            raise ValueError(f"{message} when warm_start=True.")
        return self.model_

    def _validated(
        self,
        weighed: WeighedModel,
        raked: BoostedModel,
        added: NDArray[np.float64],
        weighing: WeighingRows,
        evidence: Evidence,
        gaps: UnseenGaps,
    ) -> tuple[BoostedModel, dict[str, Any]]:
        """Return the raked model unless held-out rows say no, with what novelty and validation need.

        `added`: what raking adds to the log-density of the rows that weighed the parts.
        """
        held = weighing.columns
        if is_positive(-added, held.weights):
            raked, added = weighed.model, np.zeros(held.n_rows)
        unseen, cross_fitted = (
            self._with_unseen_gaps(scores + added, gaps, held)
            for scores in (weighed.log_density, weighed.cross_fitted)
        )
        left_out = weighing.by_row(cross_fitted, evidence)
        return raked, {
            "validation_score_": float(np.average(unseen, weights=held.weights)),
            "cross_fitted_score_": float(np.average(cross_fitted, weights=held.weights)),
            "left_out_log_density_": left_out.log_density,
            "left_out_fraction_": left_out.fraction,
            **self._novelty(unseen, held.weights, of_rows=False),
        }

    def _calibrated(self, columns: Columns, groups: Any, seed: int, can_leave_out: bool) -> dict[str, Any]:
        """Return what novelty and validation need where no rows are held out."""
        for name in ("left_out_log_density_", "left_out_fraction_"):  # of a fit before
            self.__dict__.pop(name, None)
        nothing = {"validation_score_": float("nan"), "cross_fitted_score_": float("nan")}
        if not can_leave_out:
            return {**nothing, **self._novelty(np.zeros(1), None, of_rows=False)}
        # Rows that a model has seen look far less odd to it than others.
        other = {"validation_fraction": CALIBRATION_FRACTION, "random_state": seed}
        other |= {"warm_start": False, "verbose": 0}
        of_part = type(self)(**{**self.get_params(), **other}).fit(columns, groups=groups)
        return {
            **nothing,
            "offset_": of_part.offset_,
            "calibration_scores_": of_part.calibration_scores_,
        }

    def staged_score(self, X: Any, sample_weight: Any = None) -> Iterator[float]:
        """Return the mean log-density of the rows after each round of the chains; without chains, once.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
        sample_weight : array-like of shape (n_samples,), optional

        Yields
        ------
        float
        """
        columns = self._read(X, sample_weight)
        staged = self.model_.staged_log_density(
            columns, self.n_points, n_threads(self.n_jobs), self._missing_values()
        )
        for scores in staged:
            whole = self._with_unseen_gaps(scores, self._gaps, columns)
            yield float(np.average(whole, weights=columns.weights))

    def _make_proposal(self) -> Proposal:
        from boxwood.query.weighed import fit_proposal, own_proposal
        from boxwood.query.weighed.measures import measures_of_margins

        fitted, threads, gaps = self.model_, n_threads(self.n_jobs), self._gaps
        model, rules = boosted_model(fitted, gaps, self.n_points, threads), fitted.dependencies
        if fitted.forest is not None:
            return own_proposal(fitted.margins_of_forest, fitted.forest, model, gaps, rules, threads)
        measures = measures_of_margins(fitted.margins)
        return fit_proposal(self.schema_, model, measures, threads, self._seed, rules, gaps)

    def _score(self, columns: Columns) -> NDArray[np.float64]:
        scores = self.model_.log_density(
            columns, self.n_points, n_threads(self.n_jobs), self._missing_values()
        )
        return self._with_unseen_gaps(scores, self._gaps, columns)

    def _score_of(self, columns: Columns, kept: Sequence[int]) -> NDArray[np.float64]:
        scores = super()._score_of(columns, kept)
        if self.missing == "ignore":
            return scores
        hidden = [j for j in range(len(columns)) if j not in set(kept)]
        return scores - self._gaps.log_presence(hidden)  # margins have no place for gaps never seen

    def _margins_of_columns(self) -> Margins:
        return self.model_.margins

    def _sample(self, n_samples: int, rng: np.random.Generator) -> Columns:
        return self._with_fresh_ids(self.model_.sample(n_samples, rng, n_threads(self.n_jobs)))

    def _check_combinations(self) -> None:
        super()._check_combinations()
        if self.n_points & (self.n_points - 1):
            raise ValueError(f"BoostedDensity: n_points must be a power of two; got {self.n_points}.")

    def _get_state(self) -> dict[str, Any]:
        state = {
            "model": self.model_.to_state(),
            "feature_importances": self.feature_importances_,
            "forest_importances": self._forest_importances,
            "seed": self._seed,
            **self._get_gaps_state(),
            **self._get_ids_state(),
            **self._get_novelty_state(),
        }
        scores = {name: getattr(self, f"{name}_") for name in SCORES}
        return {**state, **{name: score for name, score in scores.items() if not np.isnan(score)}}

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        d = len(schema)
        seed = state.integer("seed", high=2**62)
        model = BoostedModel.from_state(state.child("model"), schema, seed)
        return {
            "model_": model,
            "_dependencies": model.dependencies,
            "_gaps": self._gaps_of_state(state, model.margins),
            **self._ids_of_state(state, schema),
            "feature_importances_": state.array("feature_importances", np.float64, (d,), low=0.0, high=1.0),
            "_forest_importances": state.array("forest_importances", np.float64, (d,), low=0.0, high=1.0),
            "_seed": seed,
            **{f"{name}_": state.number(name) if name in state else np.nan for name in SCORES},
            **self._novelty_of_state(state),
        }
