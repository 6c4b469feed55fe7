"""Nearest neighbours of rows: metrics, searches, the index, and what estimators that ask it share."""

from boxwood.neighbors.index import NeighborIndex

__all__ = ["NeighborIndex"]
