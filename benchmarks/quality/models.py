"""The models by name, all with ``fit(X)`` and ``score_samples(X)``, on one thread, made with a seed.

To add one, add a line to `MODELS`. A model whose package is not installed is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sklearn.mixture import GaussianMixture

import boxwood as bw

from .flows import Flow, has_flows
from .kernels import TunedKernels
from .mlpack_tree import MlpackTree, has_mlpack

__all__ = ["MODELS", "Model"]


@dataclass(frozen=True)
class Model:
    """How a model is made from a seed, and whether it can be.

    ``boxed``: rows outside of the training box have no density. ``seeded``: the seed moves it.
    """

    make: Callable[[int], Any]
    is_installed: bool = True
    boxed: bool = False
    seeded: bool = True


def boosted(**options: Any) -> Model:
    return Model(
        lambda seed: bw.BoostedDensity(n_jobs=1, random_state=seed, **options),
        hasattr(bw, "BoostedDensity"),
    )


MODELS: dict[str, Model] = {
    "Gaussian": Model(lambda seed: bw.GaussianDensity(), seeded=False),
    "GMM-10": Model(lambda seed: GaussianMixture(10, random_state=seed)),
    "GMM-50": Model(lambda seed: GaussianMixture(50, random_state=seed)),
    "KDE": Model(lambda seed: TunedKernels(), seeded=False),
    "det": Model(lambda seed: MlpackTree(), has_mlpack(), boxed=True, seeded=False),
    "MAF": Model(lambda seed: Flow("MAF", seed), has_flows()),
    "NSF": Model(lambda seed: Flow("NSF", seed), has_flows()),
    "DensityTree": Model(lambda seed: bw.DensityTree(random_state=seed), boxed=True),
    "DensityForest": Model(lambda seed: bw.DensityForest(n_jobs=1, random_state=seed)),
    "BoostedDensity-quick": boosted(preset="quick"),
    "BoostedDensity": boosted(),
}
