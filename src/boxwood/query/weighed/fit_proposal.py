"""Proposals of models: the forest that is part of one, or one that is fitted to rows it draws."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from boxwood.columns import BaseMeasure, ColumnMeasure, Columns, Schema
from boxwood.dependencies import Dependencies, RuledDensity
from boxwood.evidence import weigh_rows
from boxwood.gaps import UnseenGaps
from boxwood.margins import Margins
from boxwood.mixture import Mixture, TableMixture
from boxwood.query.weighed.forest_proposal import ForestProposal, WeighedModel
from boxwood.tree.density.forest import ForestParameters, fit_forest

__all__ = ["fit_proposal", "own_proposal"]

N_ROWS = 2**14
"""Rows of a model that a proposal is fitted to."""

N_TREES = 32


def own_proposal(
    margins: Margins,
    forest: Mixture,
    model: WeighedModel,
    gaps: UnseenGaps | None,
    dependencies: Dependencies | None,
    n_threads: int = 1,
) -> ForestProposal:
    """Return the proposal that is a forest inside the model."""
    ruled = None
    if dependencies is not None and len(dependencies):
        ruled = RuledDensity(dependencies, margins, forest, gaps=True)
    return ForestProposal(TableMixture(margins, forest, "event"), model, gaps, ruled, n_threads)


def fit_proposal(
    schema: Schema,
    model: WeighedModel,
    measures: Sequence[ColumnMeasure],
    n_threads: int = 1,
    seed: int = 0,
    dependencies: Dependencies | None = None,
    gaps: UnseenGaps | None = None,
) -> ForestProposal:
    """Fit a forest to rows that the model draws.

    Parameters
    ----------
    schema : Schema
    model : WeighedModel
    measures : sequence of ColumnMeasure
        The base measure of the model's density: where it has probabilities, and not densities.
    n_threads, seed : int
    dependencies : Dependencies, optional
        The rules that the model keeps to.
    gaps : UnseenGaps, optional
        What the model gives to gaps in columns that had none; without it nothing.
    """
    drawn = model.simulate(N_ROWS, np.random.default_rng(seed))
    columns = Columns(schema, drawn.n_rows, columns=list(drawn))
    columns = columns.with_measure(BaseMeasure.found(list(measures)))
    evidence = weigh_rows(columns, duplicates="evidence")
    fitted = fit_forest(
        evidence, ForestParameters(N_TREES, missing="event", n_jobs=n_threads), seed, score=False
    )
    return own_proposal(
        fitted.margins, Mixture.of_native(fitted.mixture), model, gaps, dependencies, n_threads
    )
