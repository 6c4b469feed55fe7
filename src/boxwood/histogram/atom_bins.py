"""Atoms among bins: each has a bin of its own, from the value to the next float."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["cut_at_atoms"]


def cut_at_atoms(
    edges: NDArray[np.float64], atoms: NDArray[np.float64], keep_ends: bool = False
) -> NDArray[np.float64]:
    """Return the edges of bins of one width, cut where atoms lie.

    What an atom leaves of a bin is no narrower than half of it: a smaller rest goes to the bin beside it, and
    where there is none the outermost edge moves. A row in a sliver would else have a density without bound.

    Parameters
    ----------
    edges : ndarray
        Ascending; empty where all values are atoms.
    atoms : ndarray
        Ascending.
    keep_ends : bool, default=False
        Whether the outermost edges stay where they are.

    Examples
    --------
    >>> cut_at_atoms(np.array([0.0, 1.0, 2.0, 3.0]), np.array([1.2])).round(6)
    array([0. , 1.2, 1.2, 2. , 3. ])
    >>> cut_at_atoms(np.array([0.0, 1.0, 2.0]), np.array([0.0])).round(6)
    array([0., 0., 1., 2.])
    """
    beyond = np.nextafter(atoms, np.inf)
    own = np.concatenate([atoms, beyond])
    if len(edges) == 0 or len(atoms) == 0:
        return np.unique(np.concatenate([edges, own]))
    least = 0.5 * float(np.diff(edges).min())
    near = np.abs(edges[:, None] - atoms[None, :]).min(axis=1) < least
    if keep_ends:
        near[[0, -1]] = False
    kept = np.concatenate([edges[~near], own])
    # Where an outermost edge was near an atom within the bins, their end moves away from it.
    if near[0] and atoms[0] > edges[0]:
        kept = np.append(kept, atoms[0] - least)
    if near[-1] and beyond[-1] < edges[-1]:
        kept = np.append(kept, beyond[-1] + least)
    return np.unique(kept)
