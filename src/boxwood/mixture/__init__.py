"""Mixtures: the one fitted form of which everything is asked."""

from boxwood.mixture.mixture import Mixture
from boxwood.mixture.table_mixture import (
    NoMixtureError,
    TableMixture,
    hide_missing,
    observed_points,
    product_mixture,
)

__all__ = ["Mixture", "NoMixtureError", "TableMixture", "hide_missing", "observed_points", "product_mixture"]
