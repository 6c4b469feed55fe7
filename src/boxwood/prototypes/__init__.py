"""Fewer instances, and better ones: condensing, editing, prototypes."""

from boxwood.prototypes.condense import CondensedNearestNeighbour
from boxwood.prototypes.edit import EditedNearestNeighbours, RepeatedEditedNearestNeighbours
from boxwood.prototypes.graph_edit import GabrielEditing, VoronoiEditing
from boxwood.prototypes.reduce import PrototypeReduction

__all__ = [
    "CondensedNearestNeighbour",
    "EditedNearestNeighbours",
    "GabrielEditing",
    "PrototypeReduction",
    "RepeatedEditedNearestNeighbours",
    "VoronoiEditing",
]
