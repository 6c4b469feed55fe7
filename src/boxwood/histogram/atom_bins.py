"""Atoms among bins: each has a bin of its own, from the value to the next float."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Lattice

__all__ = ["cut_at_atoms", "cut_at_spikes"]


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


def cut_at_spikes(
    edges: NDArray[np.float64], spikes: NDArray[np.float64], lattice: Lattice
) -> NDArray[np.float64]:
    """Return edges between a lattice's points, cut so that each spike, by its place, has a bin of one step.

    In a wider bin the probability of a point that stands out would be that of its neighbours.

    Examples
    --------
    >>> cut_at_spikes(np.array([-0.5, 4.5, 9.5]), np.array([4.0, 7.0]), Lattice(0.0, 1.0))
    array([-0.5,  3.5,  4.5,  6.5,  7.5,  9.5])
    """
    own = lattice.origin + lattice.step * np.concatenate([spikes - 0.5, spikes + 0.5])
    own = own[(own > edges[0]) & (own < edges[-1])]
    if len(own) == 0:
        return edges
    # An edge that is there already may differ in its last bits.
    near = np.abs(own[:, None] - edges[None, :]).min(axis=1) < 0.25 * lattice.step
    return np.unique(np.concatenate([edges, own[~near]]))
