"""Fit an ordinary estimator to a table that Dask holds."""

from __future__ import annotations

import warnings
from typing import Any

from boxwood.dask.cluster import Cluster
from boxwood.dask.partitions import partitions_of
from boxwood.dask.table import DaskTable, read_table
from boxwood.dask.trees import DaskRunner
from boxwood.density.base import DensityEstimator
from boxwood.in_parts import FitInParts
from boxwood.mapped_memory import MappedMemory
from boxwood.regress.least_squares_parts import RowsNeededError
from boxwood.tree.elsewhere import growing_by

__all__ = ["fit"]

_OF_ROWS = ("_training_p_values", "oob_log_density_", "left_out_log_density_", "left_out_fraction_")
"""Fitted attributes that have a value for each row of the table, which is not here."""


def fit(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    sample_weight: Any = None,
    rounds: str = "auto",
    memory_limit: int | str | None = None,
    client: Any = None,
    **others: Any,
) -> Any:
    """Fit an estimator to a dask dataframe, a dask array or delayed tables.

    The fitted estimator is an ordinary one, the same to the byte for models of counts as from its own `fit`
    to the whole table, for any number of workers and any partitions.

    Parameters
    ----------
    estimator : estimator of boxwood
        What is fitted.
    X : dask dataframe, dask array or list of delayed tables
        The rows.
    y : dask series or array, list of delayed arrays, name of a column of X, or None
        Targets, in the partitions of X.
    sample_weight : as y
        What each row counts; all count the same where it is not given.
    rounds : {"auto", "levels", "trees"}, default="auto"
        How forests grow: level by level, so that each worker has its part of the table, or tree by
        tree, for which each worker is sent the table in bins. "auto" is levels where three times that table
        is more than half of the smallest worker's memory. The model is the same. What cannot be grown by
        levels (see `docs/tasks/dask.md`) is grown tree by tree, with a warning where levels were asked for.
    memory_limit : int, str or None, default=None
        Bytes that this process is to stay within, as a number or as "4GB", where rows are brought here;
        larger blocks are mapped files, as of `boxwood.open_table`. None is half of what is free.
    client : distributed.Client, optional
        Default: the client of this process where there is one, else the scheduler that Dask is set to.
    **others
        What else the estimator's ``fit`` takes that is no value a row: ``target=`` of a `TableModel`.

    Returns
    -------
    estimator
        Itself, fitted. Values for each row of the training table (`training_p_values_`,
        `oob_log_density_`) are not there, as in a model that was loaded from a file.

    Examples
    --------
    >>> import boxwood as bw
    >>> import boxwood.dask
    >>> import dask.array as da
    >>> X = da.random.default_rng(0).normal(size=(400, 2), chunks=(100, 2))
    >>> density = bw.dask.fit(bw.DensityForest(n_estimators=5, random_state=0), X)
    >>> density.sample(3, random_state=0).shape
    (3, 2)
    """
    if rounds not in ("auto", "levels", "trees"):
        raise ValueError(f"rounds must be 'auto', 'levels' or 'trees'; got {rounds!r}.")
    memory = MappedMemory(memory_limit)
    cluster = Cluster(client)
    runner = DaskRunner(cluster, rounds)
    partitions = partitions_of(X, y, sample_weight)
    table = read_table(cluster, partitions)
    if others or not _fit_in_parts(estimator, table):
        with growing_by(runner), memory:
            _fit_gathered(estimator, table, others, memory)
    if rounds == "levels" and not runner.levels_grown:
        warnings.warn(f"rounds='levels': {runner.why_not_levels}.", UserWarning, stacklevel=2)
    for name in _OF_ROWS:
        estimator.__dict__.pop(name, None)
    return estimator


def _fit_in_parts(estimator: Any, table: DaskTable) -> bool:
    """Fit models of counts and moments by summaries of the partitions; false where all rows are needed."""
    if not isinstance(estimator, FitInParts):
        return False
    estimator._check_parameters(warn=False)  # type: ignore[attr-defined]
    if estimator._why_not_in_parts(table) is not None:
        return False
    try:
        estimator._fit_parts(table)
    except RowsNeededError:
        return False
    return True


def _fit_gathered(estimator: Any, table: DaskTable, others: dict[str, Any], memory: MappedMemory) -> None:
    """Fit by the rows, which are brought here: distinct ones where equal rows are counted."""
    if not others and _merges_rows(estimator, table):
        _fit_distinct(estimator, table, memory)
        return
    rows, targets = table.gather(memory)
    table.release()
    estimator.fit(rows, *(() if targets is None else (targets,)), **others)


def _merges_rows(estimator: Any, table: DaskTable) -> bool:
    """Return whether a density may be fitted to distinct rows with counts: whole ones are frequencies."""
    if not isinstance(estimator, DensityEstimator) or estimator.weight_kind == "survey":
        return False
    return table.has_whole_weights()


def _fit_distinct(estimator: Any, table: DaskTable, memory: MappedMemory) -> None:
    rows = table.gather_distinct(memory)
    table.release()
    with warnings.catch_warnings():
        if not table.weighted:  # counts that were made here are frequencies, however large
            warnings.filterwarnings("ignore", message="sample_weight: read as frequencies")
        estimator.fit(rows)
