"""Ask a fitted estimator about tables that Dask holds: results are Dask's, computed when asked for."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from boxwood.dask.cluster import Cluster
from boxwood.dask.partitions import Partitions, partitions_of
from boxwood.randomness import derived_seed, seed_of
from boxwood.tree.elsewhere import as_it_is

__all__ = ["impute", "predict", "predict_proba", "sample", "score_samples"]

ROWS_A_PARTITION = 100_000
"""Of a sample, where nothing else is said."""


def score_samples(estimator: Any, X: Any, *, client: Any = None) -> Any:
    """Return the log-density of each row.

    Parameters
    ----------
    estimator : fitted estimator with ``score_samples``
        What is asked.
    X : dask dataframe, dask array or list of delayed tables
        The rows.
    client : distributed.Client, optional
        Its workers' versions are checked.

    Returns
    -------
    dask series with the index of a dataframe, dask array, or list of delayed arrays, as X
        Nothing is computed yet.

    Examples
    --------
    >>> import boxwood as bw
    >>> import boxwood.dask
    >>> import dask.array as da
    >>> X = da.random.default_rng(0).normal(size=(400, 2), chunks=(100, 2))
    >>> density = bw.GaussianDensity().fit(X.compute())
    >>> scores = bw.dask.score_samples(density, X)
    >>> bool((scores.compute() == density.score_samples(X.compute())).all())
    True
    """
    return _ask(estimator, "score_samples", X, client, {})


def predict(estimator: Any, X: Any, *, client: Any = None, **arguments: Any) -> Any:
    """Return what an estimator predicts for each row.

    Parameters
    ----------
    estimator : fitted estimator with ``predict``
        What is asked.
    X : dask dataframe, dask array or list of delayed tables
        The rows.
    client : distributed.Client, optional
        Its workers' versions are checked.
    **arguments
        Of the estimator's ``predict``: ``column="income"``, for a `TableModel`.

    Returns
    -------
    dask series with the index of a dataframe, dask array, or list of delayed arrays, as X
        Nothing is computed yet.

    Examples
    --------
    >>> import boxwood as bw
    >>> import boxwood.dask
    >>> import dask.array as da
    >>> X = da.random.default_rng(0).normal(size=(400, 2), chunks=(100, 2))
    >>> tree = bw.DecisionTreeClassifier().fit(X.compute(), X.compute()[:, 0] > 0)
    >>> bw.dask.predict(tree, X)[:3].compute()
    array([ True,  True,  True])
    """
    return _ask(estimator, "predict", X, client, arguments)


def predict_proba(estimator: Any, X: Any, *, client: Any = None, **arguments: Any) -> Any:
    """Return the probability of each class for each row; of a dataframe in columns named by the classes.

    Parameters
    ----------
    estimator : fitted estimator with ``predict_proba``
        What is asked.
    X : dask dataframe, dask array or list of delayed tables
        The rows.
    client : distributed.Client, optional
        Its workers' versions are checked.
    **arguments
        Of the estimator's ``predict_proba``: ``column="income"``, for a `TableModel`.

    Returns
    -------
    dask dataframe, dask array, or list of delayed arrays, as X
        Nothing is computed yet.

    Examples
    --------
    >>> import boxwood as bw
    >>> import boxwood.dask
    >>> import dask.array as da
    >>> X = da.random.default_rng(0).normal(size=(400, 2), chunks=(100, 2))
    >>> tree = bw.DecisionTreeClassifier().fit(X.compute(), X.compute()[:, 0] > 0)
    >>> bw.dask.predict_proba(tree, X).shape
    (400, 2)
    """
    return _ask(estimator, "predict_proba", X, client, arguments)


def impute(
    estimator: Any, X: Any, *, how: str = "median", random_state: Any = None, client: Any = None
) -> Any:
    """Return the table with its gaps filled by a `TableModel`, or by a `DensityImputer`.

    Parameters
    ----------
    estimator : fitted TableModel or DensityImputer
        What fills the gaps.
    X : dask dataframe, dask array or list of delayed tables
        The rows with gaps.
    how : str, default="median"
        See ``TableModel.impute``; a `DensityImputer` has its own.
    random_state : int, RandomState, Generator or None, default=None
        Of drawn values; every partition has draws of its own.
    client : distributed.Client, optional
        Its workers' versions are checked.

    Returns
    -------
    as X

    Examples
    --------
    >>> import boxwood as bw
    >>> import boxwood.dask
    >>> import dask.dataframe as dd
    >>> from boxwood.datasets import load_penguins
    >>> table = load_penguins(as_frame="pandas").frame
    >>> model = bw.TableModel(random_state=0).fit(table)
    >>> filled = bw.dask.impute(model, dd.from_pandas(table, npartitions=2))
    >>> int(filled.compute().isna().sum().sum())
    0
    """
    cluster, partitions = Cluster(client), partitions_of(X)
    if not hasattr(estimator, "impute"):
        return _asked(cluster, partitions, estimator, "transform", [{}] * len(partitions))
    seeds = _seeds(random_state, len(partitions))
    own = [{"how": how, "random_state": seed} for seed in seeds]
    return _asked(cluster, partitions, estimator, "impute", own)


def sample(
    estimator: Any,
    n_samples: int,
    *,
    random_state: Any = None,
    n_partitions: int | None = None,
    client: Any = None,
) -> Any:
    """Draw rows of a fitted density, in partitions.

    Parameters
    ----------
    estimator : fitted estimator with ``sample``
        What is drawn from.
    n_samples : int
        How many rows.
    random_state : int, RandomState, Generator or None, default=None
        What is drawn depends on it and on the number of partitions.
    n_partitions : int, optional
        Default: one for each 100,000 rows.
    client : distributed.Client, optional
        Its workers' versions are checked.

    Returns
    -------
    dask dataframe or dask array, as the fitted table was

    Examples
    --------
    >>> import boxwood as bw
    >>> import boxwood.dask
    >>> import numpy as np
    >>> density = bw.GaussianDensity().fit(np.random.default_rng(0).normal(size=(400, 2)))
    >>> bw.dask.sample(density, 1000, random_state=0, n_partitions=4).npartitions
    4
    """
    wanted = int(n_partitions or -(-int(n_samples) // ROWS_A_PARTITION))
    if not 1 <= wanted <= int(n_samples):
        raise ValueError(f"n_partitions must lie between 1 and n_samples={n_samples}; got {wanted}.")
    cluster = Cluster(client)
    model = cluster.lazy(as_it_is, estimator)
    sizes = [len(rows) for rows in np.array_split(np.empty(int(n_samples), dtype=np.int8), wanted)]
    seeds = _seeds(random_state, wanted)
    drawn = [cluster.lazy(_drawn, model, size, seed) for size, seed in zip(sizes, seeds, strict=True)]
    return _one_collection(drawn, estimator.sample(1, random_state=0), sizes)


def _ask(estimator: Any, method: str, X: Any, client: Any, arguments: dict[str, Any]) -> Any:
    partitions = partitions_of(X)
    return _asked(Cluster(client), partitions, estimator, method, [arguments] * len(partitions))


def _asked(
    cluster: Cluster, partitions: Partitions, estimator: Any, method: str, arguments: list[dict[str, Any]]
) -> Any:
    """Return what a method says of each partition, as one collection of the kind that the table is."""
    if not hasattr(estimator, method):
        raise AttributeError(f"{type(estimator).__name__} has no {method}.")
    like = _beginning(estimator, method, partitions, arguments[0])
    model = cluster.lazy(as_it_is, estimator)
    nothing = None if like is None else like[:0]
    tasks = [
        cluster.lazy(_answer, model, method, table, name, own, nothing)
        for table, name, own in zip(partitions.tables, partitions.names, arguments, strict=True)
    ]
    if like is None:
        return tasks
    if partitions.container == "array":
        return _one_collection(tasks, like, partitions.like.chunks[0])
    return _one_collection(tasks, like, None, partitions.like.divisions)


def _beginning(estimator: Any, method: str, partitions: Partitions, arguments: dict[str, Any]) -> Any:
    """Return how answers about rows of the table look, by asking about made-up ones; None for a list."""
    if partitions.container == "list":
        return None
    X = partitions.like
    rows = X._meta_nonempty if partitions.container == "frame" else np.ones((1, *X.shape[1:]), X.dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of values that nobody has
        return _answer(estimator, method, rows, "made-up rows", arguments, None)


def _answer(
    estimator: Any, method: str, table: Any, name: str, arguments: dict[str, Any], nothing: Any
) -> Any:
    """Ask about one partition; a frame's answers have its index."""
    if len(table) == 0 and nothing is not None:
        return nothing
    try:
        answer = getattr(estimator, method)(table, **arguments)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from error
    return (
        answer
        if not hasattr(table, "index") or hasattr(answer, "index")
        else _indexed(answer, estimator, table)
    )


def _indexed(answer: Any, estimator: Any, table: Any) -> Any:
    import pandas as pd

    if answer.ndim == 1:
        return pd.Series(answer, index=table.index)
    return pd.DataFrame(answer, index=table.index, columns=getattr(estimator, "classes_", None))


def _drawn(estimator: Any, n_samples: int, seed: int) -> Any:
    return estimator.sample(n_samples, random_state=seed)


def _one_collection(tasks: list[Any], like: Any, sizes: Any, divisions: Any = None) -> Any:
    """Return tasks that give arrays or frames as one Dask collection; `like` is the beginning of one."""
    if isinstance(like, np.ndarray):
        import dask.array as da

        arrays = [
            da.from_delayed(task, (size, *like.shape[1:]), dtype=like.dtype)
            for task, size in zip(tasks, sizes, strict=True)
        ]
        return da.concatenate(arrays, allow_unknown_chunksizes=True)
    import dask.dataframe as dd

    known = divisions is not None and None not in divisions
    return dd.from_delayed(
        tasks, meta=like[:0], verify_meta=False, **({"divisions": divisions} if known else {})
    )


def _seeds(random_state: Any, n: int) -> list[int]:
    """Return a seed for each partition: different ones of one random state."""
    seed = seed_of(random_state)
    return [derived_seed(seed, k) % 2**32 for k in range(n)]
