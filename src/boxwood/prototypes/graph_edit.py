"""Editing by graphs: rows whose neighbours in the graph all share their class are dropped."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.parameters import declare, n_jobs
from boxwood.prototypes.sampler import Sampler
from boxwood.prototypes.voronoi import MOST_DIMS, MOST_PROGRAMS, voronoi_pairs
from boxwood.threads import n_threads

__all__ = ["GabrielEditing", "VoronoiEditing"]


class VoronoiEditing(Sampler):
    """Keep the rows that have a Voronoi neighbour of another class.

    The boundary between the classes under 1-NN stays exactly where it was. For few columns: the Voronoi
    diagram grows like n^(D/2).

    Attributes
    ----------
    sample_indices_ : ndarray of int
        Rows that stay, ascending.
    classes_ : ndarray
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Notes
    -----
    Neighbours are those of Qhull's Delaunay triangulation (scipy), up to 5 columns. Tables of more columns
    may have at most 60 distinct rows: a linear program decides about each pair. Where more rows than D + 1
    lie on one empty sphere, Qhull joins some of them and not others. Copies of a row count as one place; a
    place with several classes keeps all its rows. Rows in a flat are triangulated within it. Of a table with
    one class the row nearest the mean stays.

    Examples
    --------
    >>> import boxwood as bw
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0]]
    >>> bw.VoronoiEditing().fit(X, [0, 0, 0, 1, 1]).sample_indices_
    array([2, 3])
    """

    def _select(
        self, rows: NDArray[np.float64], codes: NDArray[np.int64], classes: NDArray[Any]
    ) -> dict[str, Any]:
        if len(classes) == 1:
            return {"sample_indices_": _representative(rows)}
        places, place = np.unique(rows, axis=0, return_inverse=True)
        if rows.shape[1] > MOST_DIMS and len(places) > MOST_PROGRAMS:
            raise ValueError(
                f"VoronoiEditing takes at most {MOST_DIMS} columns, or {MOST_PROGRAMS} distinct rows; got "
                f"{rows.shape[1]} columns (a categorical one counts once a category) and {len(places)} rows. "
                "GabrielEditing does the same in any dimension, a little coarser."
            )
        place = place.ravel()
        has = np.zeros((len(places), len(classes)), dtype=bool)
        has[place, codes] = True
        around = has.copy()
        a, b = voronoi_pairs(places).T
        np.logical_or.at(around, a, has[b])
        np.logical_or.at(around, b, has[a])
        others = around[place]
        others[np.arange(len(rows)), codes] = False
        return {"sample_indices_": np.flatnonzero(others.any(axis=1))}


class GabrielEditing(Sampler):
    """Keep the rows that have a Gabriel neighbour of another class.

    Two rows are Gabriel neighbours where no third lies inside the ball that has them as its ends. They are
    Voronoi neighbours too, so that fewer rows stay than with `VoronoiEditing`, and the boundary under 1-NN
    moves a little. Works in any number of columns.

    Attributes
    ----------
    sample_indices_ : ndarray of int
        Rows that stay, ascending.
    classes_ : ndarray
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only where the table had column names.

    Notes
    -----
    Rows on a ball's surface do not part its ends. Of a table with one class the row nearest the mean stays.

    Examples
    --------
    >>> import boxwood as bw
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0]]
    >>> bw.GabrielEditing().fit(X, [0, 0, 0, 1, 1]).sample_indices_
    array([2, 3])
    """

    _parameters = declare(n_jobs("Threads of the search for neighbours."))

    def __init__(self, *, n_jobs: int | None = None) -> None:
        self.n_jobs = n_jobs

    def _select(
        self, rows: NDArray[np.float64], codes: NDArray[np.int64], classes: NDArray[Any]
    ) -> dict[str, Any]:
        if len(classes) == 1:
            return {"sample_indices_": _representative(rows)}
        keeps = _core.gabriel_enemies(rows, codes, n_threads(self.n_jobs))
        return {"sample_indices_": np.flatnonzero(keeps)}


def _representative(rows: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the row nearest the mean."""
    return np.array([np.argmin(((rows - rows.mean(axis=0)) ** 2).sum(axis=1))])
