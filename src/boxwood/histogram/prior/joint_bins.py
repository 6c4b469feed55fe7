"""Bins that classes share are judged by each class, by `alpha="loo"` together with the prior."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Column, ColumnMeasure, Columns
from boxwood.histogram.atom_bins import cut_at_atoms
from boxwood.histogram.bin_measure import LENGTH, BinMeasure
from boxwood.histogram.plan import ChosenBins, ColumnPlan
from boxwood.histogram.prior.loo_prior import binned_moments, losses_of_priors
from boxwood.histogram.rules import SEARCHED
from boxwood.histogram.selection import ClassValues, HeldOut, Search, Selection, Spans, default_candidates
from boxwood.histogram.sorted_sample import SortedSample
from boxwood.histogram.uniform_grid import MOST_BINS, BinGrid, uniform_edges

__all__ = ["ClassesOfColumn", "among_classes", "choose_jointly", "is_joint"]

Numbers = NDArray[np.float64]

MOST_CANDIDATES = 48
"""Numbers of bins that are compared. Neighbouring ones differ by an eighth at most."""

MOST_SHIFTED = 0.05
"""Bins may move the mean of a class by this fraction of its standard deviation,"""

MOST_WIDENED = 0.08
"""and its standard deviation by this fraction: simulated rows are uniform within their bin."""


def is_joint(plan: ColumnPlan) -> bool:
    """Return whether the bins and the prior of a column are chosen together."""
    by_likelihood = isinstance(plan.bins, str) and plan.bins == "loo_likelihood"
    return plan.is_by_loo and by_likelihood and plan.field.kind.is_number and plan.support is None


def among_classes(
    plan: ColumnPlan, search: Search, j: int, classes: Sequence[Columns], held_out: Sequence[HeldOut]
) -> Search:
    """Return a search that judges the bins of column j by each class's rows and their folds."""
    if plan.is_fixed or not isinstance(plan.bins, str) or plan.bins not in SEARCHED:
        return search
    found = [
        ClassValues(plan.sample(rows[j], rows.weights), rows[j].values, held)
        for rows, held in zip(classes, held_out, strict=True)
    ]
    return replace(search, classes=found)


@dataclass(frozen=True, eq=False)
class ClassesOfColumn:
    """A column's values in each class, and how well bins predict them.

    Attributes
    ----------
    samples : list of SortedSample
        One for each class with values.
    means, spreads : ndarray of shape (n_classes,)
        Mean and standard deviation of each class.
    """

    samples: list[SortedSample]
    means: Numbers
    spreads: Numbers

    @classmethod
    def of_columns(cls, plan: ColumnPlan, parts: Sequence[tuple[Column, Numbers | None]]) -> ClassesOfColumn:
        """Read the column of each class, with the weights of its rows."""
        samples = [plan.sample(column, weights) for column, weights in parts]
        samples = [sample for sample in samples if len(sample)]
        means = [float(np.average(sample.values, weights=sample.weights())) for sample in samples]
        return cls(samples, np.array(means), np.array([one.standard_deviation() for one in samples]))

    def loss(self, edges: Numbers, measure: BinMeasure = LENGTH) -> tuple[float, float]:
        """Return minus the left-out log-likelihood of bins, and by how much they pass the limits.

        The second number is the largest of the classes' changes of mean and of standard deviation, as a
        multiple of what they may be.
        """
        counts = np.stack([_counts(sample, edges) for sample in self.samples])
        losses = losses_of_priors(edges, counts, measure).min(axis=0)
        loss = float(losses.sum() + counts.sum(axis=0) @ np.log(measure.sizes(edges)))
        if measure.profile is not None:
            loss -= sum(_total(one, measure.log_weights(one.values)) for one in self.samples)
        return loss, self._moved(edges, counts)

    def _moved(self, edges: Numbers, counts: Numbers) -> float:
        extent = edges[-1] - edges[0]
        spreads = self.spreads / extent
        varies = spreads > 1e-9
        if not varies.any():
            return 0.0
        means, variances, _ = binned_moments((edges - edges[0]) / extent, counts[varies])
        spreads = spreads[varies]
        shifts = np.abs(means - (self.means[varies] - edges[0]) / extent) / spreads
        ratios = np.sqrt(variances) / spreads
        widened = np.maximum(ratios, 1.0 / np.maximum(ratios, 1e-9)) - 1.0
        return float(max(shifts.max() / MOST_SHIFTED, widened.max() / MOST_WIDENED))


def choose_jointly(
    plan: ColumnPlan,
    column: Column,
    weights: Numbers | None,
    search: Search,
    measure: ColumnMeasure,
    parts: Sequence[tuple[Column, Numbers | None]],
) -> ChosenBins:
    """Return the bins of a column that predict the rows of each class best, each under its own best prior.

    Parameters
    ----------
    plan : ColumnPlan
    column : Column
        All rows, with their `weights`.
    search : Search
    measure : ColumnMeasure
    parts : sequence of (Column, ndarray or None)
        The rows of each class and their weights.
    """
    by_rule = plan.choose_bins(column, weights, replace(search, candidates=_numbers(search)), measure)
    searched = by_rule.selection is not None and len(by_rule.selection.scores) > 0
    if not searched:
        return by_rule
    # Heaped points and spikes have bins of their own by the rule. Plain bins may still keep moments better.
    within = replace(by_rule.measure, profile=None)
    spread = plan.sample(column, weights)
    spread = spread.only(~np.isin(spread.values, within.atoms))
    spans = _spans(plan.grid(spread, within.lattice), spread.total, search)
    keep_ends = plan.limits is not None
    plain = [
        ChosenBins(cut_at_atoms(uniform_edges(*span), within.atoms, keep_ends), None, within)
        for span in spans
    ]
    candidates = [*plain, by_rule]
    classes = ClassesOfColumn.of_columns(plan, parts)
    found = np.array([classes.loss(one.edges, one.measure) for one in candidates if one.edges is not None])
    losses = np.where(found[:, 1] <= max(1.0, float(found[:, 1].min())), found[:, 0], np.inf)
    best = int(np.argmin(losses))
    if best == len(spans):
        return by_rule
    return replace(candidates[best], selection=_selection(spans, losses[:-1], best, spread.resolution))


def _numbers(search: Search) -> int | NDArray[np.int64]:
    return MOST_CANDIDATES if search.candidates is None else search.candidates


def _spans(grid: BinGrid, n_rows: float, search: Search) -> Spans:
    numbers = _numbers(search)
    if isinstance(numbers, int):
        # As many as the rules of `Histogram` compare: the best number grows with the cube root of the rows.
        most = int(min(max(n_rows, 1.0), 10.0 * np.sqrt(n_rows), MOST_BINS))
        numbers = default_candidates(most, numbers)
    return [grid.span(n) for n in dict.fromkeys(grid.valid(int(n)) for n in numbers)]


def _selection(spans: Spans, losses: Numbers, best: int, resolution: float) -> Selection:
    low, high, n_bins = (np.array(part) for part in zip(*spans, strict=True))
    widths = (high - low) / n_bins
    return Selection("loo_likelihood", n_bins.astype(np.int64), widths, low, losses, best, float(resolution))


def _counts(sample: SortedSample, edges: Numbers) -> Numbers:
    """Return the weight in each bin. The values are sorted, and all lie within the edges."""
    places = np.searchsorted(sample.values, edges)
    places[-1] = len(sample)
    if sample.cumulative is None:
        return np.diff(places).astype(np.float64)
    return np.diff(sample.cumulative[places])


def _total(sample: SortedSample, values: Numbers) -> float:
    weights = sample.weights()
    return float(values.sum() if weights is None else weights @ values)
