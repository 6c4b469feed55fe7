"""What a preset stands for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from boxwood import _core
from boxwood.parameters import shown

__all__ = ["COMPONENTS", "PRESETS", "SCORING", "Settings", "check_components", "settings_of"]

SCORING = 1
"""The step of a fit that follows the chains."""

FEW_CELLS = 2**14
"""Rows times columns up to which all presets grow the forest of the default: it takes less than a second, and
the 16 trees of quick were behind `DensityForest` by more than 0.05 nats on a third of 300 tables of up to 300
rows."""

COMPONENTS = ("forest", "gaussians", "margins", "network")
QUICK_COMPONENTS = ("forest", "margins", "network")


@dataclass(frozen=True)
class Settings:
    """The parameters of a fit that a preset chooses.

    `n_orders` of the columns are tried for networks, fewer of large tables; those of an order visit
    `most_visits` rows at most, some 10 seconds of 16 million on one thread. There are `n_networks` orders,
    fewer of large tables but not fewer than `fewest_networks`. At most `most_draws` show how far the mixture
    keeps to its margins: of 2¹⁸ the worst of twenty outer twentieths is about 2% off, of 2¹⁷ 2 to 4%, of 2¹⁵
    5%, by chance of these draws.
    """

    n_estimators: int
    learning_rate: float
    max_depth: int
    split_penalty: float
    min_samples_split: float
    components: tuple[str, ...]
    n_chains: int
    n_trees: int
    n_iter_no_change: int
    n_networks: int
    fewest_networks: int = 2
    n_orders: int = 24
    most_visits: int = 16_000_000
    most_draws: int = 2**18

    def n_networks_for(self, visits: int) -> int:
        """Return how many orders are affordable that visit so many rows each: about two as a whole."""
        affordable = round(2 * self.most_visits / max(1, visits))
        return min(self.n_networks, max(self.fewest_networks, affordable))

    @property
    def kinds_of_chains(self) -> list[str]:
        """The coordinates in which chains are begun, those of networks in every order."""
        others = [kind for kind in self.components if kind not in ("forest", "gaussians", "network")]
        return others + ["network"] * self.n_networks_wanted

    @property
    def n_networks_wanted(self) -> int:
        """Orders of columns, none where networks are not wanted."""
        return self.n_networks if "network" in self.components else 0

    @property
    def most_rounds(self) -> int:
        """Rounds of all chains together, at most."""
        return self.n_estimators * self.n_chains * len(self.kinds_of_chains)

    @property
    def n_trees_of_forest(self) -> int:
        """Trees of the forest, none where it is not wanted."""
        return self.n_trees if "forest" in self.components else 0

    @property
    def most_steps_of_chains(self) -> int:
        """Steps from the coordinates to the end of a fit, at most."""
        return len(self.kinds_of_chains) + self.most_rounds + SCORING

    def grow_options(self, n_features: int, depth_decay: float) -> _core.MapGrowOptions:
        """Return the core's options of all chains; seeds are their own."""
        options = _core.MapGrowOptions()
        options.learning_rate = self.learning_rate
        options.depth_decay = depth_decay
        options.split_penalty = self.split_penalty
        options.max_depth = self.max_depth
        options.min_samples_split = self.min_samples_split
        options.max_features = n_features
        return options


PRESETS = {
    "quick": Settings(100, 0.4, 20, 4.0, 20.0, QUICK_COMPONENTS, 1, 16, 10, 1, 1, 24, 500_000, 2**15),
    "default": Settings(500, 0.25, 30, 3.0, 10.0, COMPONENTS, 1, 100, 15, 6),
    "thorough": Settings(2000, 0.1, 40, 3.0, 10.0, COMPONENTS, 3, 100, 30, 6, fewest_networks=3),
}


def check_components(where: str, wanted: Any) -> None:
    """Raise unless the parameter ``components`` lists different components, at least one."""
    known = isinstance(wanted, Collection) and not isinstance(wanted, str) and set(wanted) <= set(COMPONENTS)
    if not known or not len(wanted) or len(set(wanted)) < len(wanted):
        listed = ", ".join(repr(name) for name in COMPONENTS)
        raise ValueError(f"{where} must be a list of different names, of {listed}; got {shown(wanted)}.")


def settings_of(estimator: Any, n_cells: int | None = None) -> Settings:
    """Return the preset's settings with what the estimator's own parameters say instead.

    `n_cells`, rows times columns, are those of the table, of which small ones get all trees.
    """
    preset = PRESETS[estimator.preset]
    if n_cells is not None and n_cells <= FEW_CELLS:
        preset = replace(preset, n_trees=max(preset.n_trees, PRESETS["default"].n_trees))
    own = {name: getattr(estimator, name, None) for name in Settings.__dataclass_fields__}
    chosen = {name: value for name, value in own.items() if value is not None}
    if "n_networks" in chosen:
        chosen["fewest_networks"] = chosen["n_networks"]
    if "components" in chosen:
        chosen["components"] = tuple(chosen["components"])
    return replace(preset, **chosen)
