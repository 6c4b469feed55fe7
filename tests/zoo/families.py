"""The densities that visit the zoo, small ones, and the tables that they refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import boxwood as bw

FAMILIES: dict[str, Callable[[], Any]] = {
    "tree": lambda: bw.DensityTree(random_state=0),
    "pruned tree": lambda: bw.DensityTree(margins="smooth", leaf="histogram", prune="cv", random_state=0),
    "forest": lambda: bw.DensityForest(n_estimators=8, random_state=0),
    "boosted": lambda: bw.BoostedDensity(preset="quick", n_estimators=8, random_state=0),
    "default": lambda: bw.BoostedDensity(random_state=0),
    "networks": lambda: bw.BoostedDensity(
        preset="quick", n_estimators=8, components=["margins", "network"], random_state=0
    ),
    "product": lambda: bw.ProductDensity(),
    "histogram": lambda: bw.Histogram(),
    "grid": lambda: bw.GridHistogram(),
    "gaussian": lambda: bw.GaussianDensity(),
    "neighbors": lambda: bw.NeighborDensity(),
}

ADAPTIVE = frozenset({"tree", "pruned tree", "forest", "boosted", "networks", "default"})
"""Families that choose their shape by themselves: never much worse than independence or one leaf."""
