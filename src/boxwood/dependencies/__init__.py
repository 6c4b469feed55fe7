"""Columns that follow from others: finding them, and densities and samples that keep to them."""

from boxwood.dependencies.agreement import Agreement, RuledMixture, cube_parts, log_margin
from boxwood.dependencies.component import Component
from boxwood.dependencies.dependencies import Dependencies, find_dependencies
from boxwood.dependencies.dependency import Dependency
from boxwood.dependencies.draws import agreement_of_draws, draw_by_rules, keep_draws, with_exceptions
from boxwood.dependencies.ruled_density import RuledDensity

__all__ = [
    "Agreement",
    "Component",
    "Dependencies",
    "Dependency",
    "RuledDensity",
    "RuledMixture",
    "agreement_of_draws",
    "cube_parts",
    "draw_by_rules",
    "find_dependencies",
    "keep_draws",
    "log_margin",
    "with_exceptions",
]
