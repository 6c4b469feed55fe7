"""The models by name, all with ``fit(X)`` and ``score_samples(X)``, on one thread and with fixed seeds.

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
    """How a model is made, whether it can be, and whether rows outside the training box have no density."""

    make: Callable[[], Any]
    is_installed: bool = True
    boxed: bool = False


def boosted(**options: Any) -> Model:
    return Model(
        lambda: bw.BoostedDensity(n_jobs=1, random_state=0, **options), hasattr(bw, "BoostedDensity")
    )


MODELS: dict[str, Model] = {
    "Gaussian": Model(bw.GaussianDensity),
    "GMM-10": Model(lambda: GaussianMixture(10, random_state=0)),
    "GMM-50": Model(lambda: GaussianMixture(50, random_state=0)),
    "KDE": Model(TunedKernels),
    "det": Model(MlpackTree, has_mlpack(), boxed=True),
    "MAF": Model(lambda: Flow("MAF"), has_flows()),
    "NSF": Model(lambda: Flow("NSF"), has_flows()),
    "DensityTree": Model(lambda: bw.DensityTree(random_state=0), boxed=True),
    "DensityForest": Model(lambda: bw.DensityForest(n_jobs=1, random_state=0)),
    "BoostedDensity-quick": boosted(preset="quick"),
    "BoostedDensity": boosted(),
}
