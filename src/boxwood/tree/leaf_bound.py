"""The most leaves of a tree that grows best-first: a number, or a rule of how many rows there are."""

from __future__ import annotations

from typing import Any

from boxwood.parameters import Integer, Parameter, Real, only_with

__all__ = ["CUBE_ROOT", "LEAF_FACTOR", "max_leaf_nodes", "most_leaves"]

CUBE_ROOT = "cube_root"

LEAF_FACTOR = Parameter(
    "leaf_factor",
    Real(0.0, open_low=True) | None,
    'Leaves of ``max_leaf_nodes="cube_root"`` over N^⅓, N the weight of all rows (τ). None is 1.',
    only_with(max_leaf_nodes=CUBE_ROOT),
)


def max_leaf_nodes(smallest: int) -> Parameter:
    """Return the declaration of the parameter; fewer leaves than the smallest number make no sense."""
    return Parameter(
        "max_leaf_nodes",
        Integer(smallest) | CUBE_ROOT | None,
        "Grows best-first, the leaf of largest gain next, until there are so many. "
        '"cube_root" sets `leaf_factor` times the cube root of the number of rows.',
    )


def most_leaves(estimator: Any, n_rows: float) -> int | None:
    """Return how many leaves a tree of rows of this weight may have; None where that is not bounded.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> most_leaves(SimpleNamespace(max_leaf_nodes="cube_root", leaf_factor=2.0), 1000.0)
    20
    """
    wanted = estimator.max_leaf_nodes
    if wanted is None:
        return None
    if wanted != CUBE_ROOT:
        return int(wanted)
    factor = 1.0 if estimator.leaf_factor is None else float(estimator.leaf_factor)
    # The cube root of 1000 is 9.999… in floats.
    return max(1, int(factor * n_rows ** (1.0 / 3.0) + 1e-9))
