"""Anomaly detection for tables of any kind."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from boxwood.anomaly.encoding import Coordinates
from boxwood.anomaly.parts import VIEW_WEIGHTS, Parts, fit_parts
from boxwood.anomaly.scale import CommonScale, fit_scale
from boxwood.columns import Columns, Schema
from boxwood.density.base import EVIDENCE
from boxwood.estimator import TableEstimator
from boxwood.evidence import Evidence, in_groups, shuffled_folds, weigh_rows
from boxwood.evidence.groups import kept_labels
from boxwood.model_file import State
from boxwood.novelty import FALSE_ALARM_RATE, NoveltyMixin, weighted_quantile
from boxwood.parameters import Parameter, Real, declare, n_jobs, only_with, random_state
from boxwood.randomness import seed_of
from boxwood.table.frames import frame_of

__all__ = ["AnomalyDetector"]

FOLDS = 5

OFTEN = 10.0
"""Copies of a point, from which on each fold's views know it. Views of all rows then score it as they will
score a new copy, to the last bit: else a die's sixes might all fall short of their own threshold."""


class AnomalyDetector(NoveltyMixin, TableEstimator):
    """Finds rows that are unlike the others, with p-values, and says which of their cells are to blame.

    Four views of a row are brought to one scale: the distance to the nearest of 16 and to that of 512 rows,
    over many samples of them; the density under trees of 256 rows, with columns smoothed so that rounded,
    continuous and categorical ones compare; and how few random cuts isolate the row. A row that is odd by
    one of them is odd. Small samples thin out anomalies in the training table, so that these do not vouch
    for each other.

    Numbers, integers, booleans, ordinals, dates, categories and missing values are taken as they come. A
    category, a gap or a value of a constant column that training never showed counts against a row.

    Attributes
    ----------
    offset_ : float
        Score below which a row is an anomaly.
    calibration_scores_ : ndarray
        Scores of training rows by models that did not see them, ascending; behind the p-values.
    training_p_values_ : ndarray of shape (n_samples,)
        Not kept in a model file.
    schema_ : Schema
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    See Also
    --------
    NoveltyDetector : p-values for the score of a model of your own.
    DensityForest : a density, which tells odd rows too, and answers questions of all kinds.

    Examples
    --------
    >>> import boxwood as bw
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 1)) + 0.3 * rng.normal(size=(500, 3))
    >>> detector = bw.AnomalyDetector(random_state=0).fit(X)
    >>> rows = [[0.0, 0.0, 0.0], [1.5, -1.5, 1.5]]
    >>> detector.predict(rows)
    array([ 1, -1])
    >>> bool(detector.p_values(rows)[1] < 0.01)
    True
    >>> blame = detector.explain(rows)
    >>> int(np.argmax(blame.to_numpy()[1]))
    1
    """

    _parameters = declare(
        FALSE_ALARM_RATE.but(effect=only_with(contamination="auto")),
        *EVIDENCE,
        Parameter(
            "contamination",
            Real(0.0, 0.5, open_low=True) | "auto",
            'The fraction of the training rows that `predict` calls anomalies. "auto" leaves the threshold '
            "to `false_alarm_rate`.",
        ),
        n_jobs("Threads of the density trees."),
        random_state("Draws the samples and the cuts."),
    )

    _parts: Parts
    _scale: CommonScale

    def __init__(
        self,
        *,
        contamination: float | str = "auto",
        false_alarm_rate: float = 0.05,
        duplicates: str = "auto",
        weight_kind: str = "auto",
        n_jobs: int | None = None,
        random_state: Any = 0,
    ) -> None:
        self.contamination = contamination
        self.false_alarm_rate = false_alarm_rate
        self.duplicates = duplicates
        self.weight_kind = weight_kind
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None) -> Self:
        """Fit the views to all rows, and to all but each of five folds, whose scores calibrate p-values.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)
            Ordinary rows, or rows with anomalies among them.
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            What they are `weight_kind` says.
        groups : array-like of shape (n_samples,), optional
            Labels; rows of a group are left out together.

        Returns
        -------
        self
        """
        self._check_parameters()
        columns, seed = self._read_fit(X, sample_weight), seed_of(self.random_state) % 2**31
        evidence = weigh_rows(columns, weight_kind=self.weight_kind, duplicates=self.duplicates)
        labels = kept_labels(groups, sample_weight)
        evidence = evidence if labels is None else in_groups(evidence, labels)
        parts = fit_parts(evidence, seed, self.n_jobs)
        left_out = self._left_out(evidence, parts, seed)
        weights = evidence.columns.weights
        scale = fit_scale(left_out, weights, VIEW_WEIGHTS)
        novelty = self._novelty(scale.combine(left_out), weights)
        novelty["_training_p_values"] = evidence.of_given_rows(novelty["_training_p_values"])
        if self.contamination != "auto":
            seen = scale.combine(parts.score(evidence.columns))
            level = float(self.contamination)
            given_weights = None if (evidence.given_weights == 1.0).all() else evidence.given_weights
            novelty["offset_"] = weighted_quantile(evidence.of_given_rows(seen), given_weights, level)
        self._set_fitted(columns.schema, _parts=parts, _scale=scale, **novelty)
        return self

    def _left_out(self, evidence: Evidence, parts: Parts, seed: int) -> NDArray[np.float64]:
        """Return scores of the distinct rows by views that were fitted without them."""
        rows = evidence.columns.without_weights()
        folds = shuffled_folds(evidence, FOLDS, seed) if evidence.n >= 2 * FOLDS else []
        if not folds:  # of so few rows the scores of the views themselves have to do
            return parts.score(rows)
        total, weight = np.zeros((evidence.n_rows, len(VIEW_WEIGHTS))), np.zeros(evidence.n_rows)
        for fold in folds:
            others = fit_parts(evidence.part(fold.train), seed, self.n_jobs, evidence.n)
            held = np.flatnonzero(fold.held)
            total[held] += fold.held[held, None] * others.score(rows.take(held))
            weight[held] += fold.held[held]
        copies = _copies(parts.encoding.encode(rows).points, evidence.weights)
        known = np.flatnonzero((weight == 0.0) | (copies >= OFTEN))
        if len(known):
            total[known], weight[known] = parts.score(rows.take(known)), 1.0
        return total / weight[:, None]

    def score_samples(self, X: Any) -> NDArray[np.float64]:
        """Return the score of each row: low for anomalies.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
            Minus the soft maximum of four normal scores: 0 for a row that is as odd as the median one by
            each view.
        """
        return self._score(self._read(X))

    def explain(self, X: Any) -> Any:
        """Return how far each cell is to blame: what the score would gain if it agreed with the others.

        The cell gets the value of the row that is nearest in all other columns, and the row is scored
        again.

        Parameters
        ----------
        X : table of shape (n_samples, n_features)

        Returns
        -------
        frame of shape (n_samples, n_features)
            In the fitted table's library, one column a column, in units of the score (about one standard
            deviation of ordinary rows). Large where a cell makes its row odd. Cells of ordinary rows have
            values on both sides of 0, most of them between −2 and 2: the largest of a row tells something
            where the row is odd.
        """
        columns = self._read(X)
        before = self._score(columns)
        encoding = self._parts.encoding
        rows, starts = encoding.encode(columns), encoding.starts
        matrix = columns.matrix()
        found: dict[str, Any] = {}
        for j, field in enumerate(self.schema_.fields):
            cell = slice(int(starts[j]), int(starts[j + 1]))
            points = rows.points.copy()
            points[:, cell] = self._parts.nearest[-1].donors(rows.points, cell)[:, cell]
            own = encoding.columns[j].encode(matrix[:, j])[1] * encoding.unseen_square
            agreed = Coordinates(points, rows.unseen - own)
            found[field.name] = self._scale.combine(self._parts.score_points(agreed)) - before
        return frame_of(self.schema_, found)

    def _score(self, columns: Columns) -> NDArray[np.float64]:
        return self._scale.combine(self._parts.score(columns))

    @classmethod
    def _updated_params(cls, params: dict[str, Any]) -> dict[str, Any]:
        return params

    def _get_state(self) -> dict[str, Any]:
        return {
            "parts": self._parts.to_state(),
            "scale": self._scale.to_state(),
            **self._get_novelty_state(),
        }

    def _fitted_of_state(self, schema: Schema, state: State) -> dict[str, Any]:
        parts = Parts.of_state(schema, state.child("parts"), 0)
        return {
            "_parts": parts,
            "_scale": CommonScale.of_state(parts.n_views, state.child("scale")),
            **self._novelty_of_state(state),
        }


def _copies(points: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weight of all rows that lie where each row lies."""
    place = np.unique(points, axis=0, return_inverse=True)[1].ravel()
    return np.asarray(np.bincount(place, weights)[place], dtype=np.float64)
