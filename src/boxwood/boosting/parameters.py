"""Parameters of chains: what is boosted, how far, and which rows are held out."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from boxwood.boosting.settings import PRESETS, check_components
from boxwood.parameters import MOST, Checked, Choice, Effect, Integer, Parameter, Real, declare
from boxwood.tree.density.parameters import MAX_FEATURES, MIN_SAMPLES_SPLIT

__all__ = ["BOOSTING"]


def _has(estimator: Any, names: Collection[str]) -> bool:
    return estimator.components is None or any(name in estimator.components for name in names)


def _with_components(*names: str) -> Effect:
    """Return the condition that one of some components is mixed."""
    quoted = " or ".join(f'"{name}"' for name in names)
    return Effect(lambda estimator: _has(estimator, names), f"{quoted} among the components")


def _may_stop(estimator: Any) -> bool:
    return _has(estimator, CHAINS) and estimator.validation_fraction != 0


CHAINS = ("margins", "network")

WITH_CHAINS = _with_components(*CHAINS)

BOOSTING = declare(
    Parameter(
        "preset",
        Choice(*PRESETS),
        '"quick" takes a tenth to a third of the default\'s time; "thorough" runs more and slower '
        "rounds of three chains a kind. It decides about every parameter that is None.",
    ),
    Parameter("n_estimators", Integer(1, MOST) | None, "Rounds of a chain at most.", WITH_CHAINS),
    Parameter(
        "learning_rate",
        Real(0.0, 1.0, open_low=True) | None,
        "How far a tree moves the mass at its root towards that of its rows.",
        WITH_CHAINS,
    ),
    Parameter(
        "depth_decay",
        Real(0.0),
        "Within a box of volume v the rate is ``learning_rate * (1 - log2(v)) ** -depth_decay``.",
        WITH_CHAINS,
    ),
    Parameter(
        "max_depth", Integer(1, 500) | None, "Most cuts between the root and a leaf of a round.", WITH_CHAINS
    ),
    Parameter(
        "split_penalty",
        Real(0.0) | None,
        "Log-likelihood that a cut must gain to survive pruning.",
        WITH_CHAINS,
    ),
    MIN_SAMPLES_SPLIT.but(kind=MIN_SAMPLES_SPLIT.kind | None, effect=WITH_CHAINS),
    MAX_FEATURES.but(effect=WITH_CHAINS),
    Parameter(
        "components",
        Checked("sequence of str", check_components) | None,
        'What is mixed: "forest", a mixture of "gaussians" of the columns\' scores (for tables of continuous '
        'columns), and chains in the coordinates of the "margins" or of each column\'s distribution given '
        'others by a small neural network ("network"). A short pilot shows which of these are of use.',
    ),
    Parameter(
        "n_chains",
        Integer(1, MOST) | None,
        "Chains in each of the coordinates, which differ by the columns tried.",
        WITH_CHAINS,
    ),
    Parameter(
        "n_networks",
        Integer(1, MOST) | None,
        "Orders of the columns in which networks explain each by those before it. By default two to six: "
        "the smaller the table, the more.",
        _with_components("network"),
    ),
    Parameter("n_trees", Integer(1, MOST) | None, "Trees of the forest.", _with_components("forest")),
    Parameter(
        "validation_fraction",
        Real(0.0, 0.9) | Choice("auto"),
        "Fraction of the rows that is held out of training: to stop early, to weigh the components and "
        "for p-values; components of small tables are weighed by folds beside. "
        '"auto" is 500 rows, or 50 for each of more than ten columns, but no less '
        "than a twentieth and no more than a tenth. With 0 "
        "all rounds are run, all components weigh the same, and p-values come from a second model, fitted "
        "to four fifths of the rows.",
    ),
    Parameter(
        "n_iter_no_change",
        Integer(1, MOST) | None,
        "A chain ends when so many rounds have not raised the likelihood of held-out rows.",
        Effect(_may_stop, "chains among the components and a validation_fraction above 0"),
    ),
    Parameter(
        "n_points",
        Integer(4, 4096),
        "A power of two. Values with a probability (categories, integers, atoms, missing ones) are "
        "intervals of the cube. A row's density is the mean over this many points of its intervals, which "
        "are shifted at random by the row's content. Rows whose log-density has a standard error above 0.05 "
        "get up to 64 times as many.",
    ),
)
