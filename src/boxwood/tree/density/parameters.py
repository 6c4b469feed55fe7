"""Parameters of growth that density trees and forests share."""

from __future__ import annotations

from typing import Any

from boxwood.parameters import Choice, Effect, Flag, Integer, Parameter, Real, declare, only_with
from boxwood.tree.leaf_bound import LEAF_FACTOR, max_leaf_nodes

__all__ = ["FOREST", "GROWTH", "MAX_FEATURES", "MIN_SAMPLES_SPLIT", "leaf_kind"]

MAX_FEATURES = Parameter(
    "max_features",
    Integer(1) | Real(0.0, 1.0, open_low=True) | "sqrt" | "half" | None,
    'Columns tried at a node, drawn anew at each; "half" is half of them, at most 8, and None all.',
)

MIN_SAMPLES_SPLIT = Parameter(
    "min_samples_split", Real(0.0), "Weight of the rows of a node from which on it may be split."
)

GROWTH = declare(
    Parameter(
        "criterion",
        Choice(
            "log_likelihood",
            "loo",
            "squared_error",
            "nonuniformity",
            "gaussian_entropy",
            "product_likelihood",
        ),
        'What a split should gain. "loo" is the leave-one-out squared error, the only one that can stop '
        'growth by itself; "product_likelihood" looks for parts within which columns are independent, and '
        'goes with ``leaf="histogram"``. "gaussian_entropy" looks for parts that are Gaussian, and goes with '
        '``leaf="gaussian"``.',
    ),
    Parameter(
        "margins",
        Choice("linear", "smooth"),
        "Boxes of constant density in x inside the bounding box, or boxes that follow the columns' own "
        "smooth distributions, with tails beyond the data.",
    ),
    Parameter(
        "leaf",
        Choice("uniform", "histogram", "gaussian", "gaussian_full", None),
        "The density inside a leaf's box: constant, a product of smoothed histograms, a product of "
        "Gaussians, or a Gaussian of full covariance, both cut off at the box (constant along columns of "
        "categories, atoms, integers or missing values). Full covariances have no closed form of "
        "probabilities, so that ``to_mixture`` is refused. None chooses Gaussians if the criterion is "
        '"gaussian_entropy"; otherwise trees have uniform leaves, and forests have histograms.',
    ),
    Parameter(
        "splitter",
        Choice("auto", "exact", "binned", "random"),
        "Cuts between any two neighbouring values and between the outermost ones and the box's edges, at up "
        'to 1,024 bin edges, or at `random_splits` random ones a column. "auto" is exact up to 10,000 rows. '
        "Through an empty stretch thresholds keep away from rows, by one of their mean spacings or halfway "
        "to the next ones: a box that ends at its outermost row is too small. Atoms (values that many rows "
        "share), integers and missing values are never cut: a table that has any is cut at bin edges.",
    ),
    Parameter("max_depth", Integer(1) | None, "Most cuts between the root and a leaf; None sets no limit."),
    max_leaf_nodes(1),
    LEAF_FACTOR,
    MIN_SAMPLES_SPLIT,
    Parameter(
        "min_samples_leaf",
        Real(0.0),
        "Smallest weight of the rows of a leaf. A leaf may also be empty if a uniform density would have put "
        "this weight, and at least five rows, into it: cuts take empty margins off. If 0, any side may be "
        "empty.",
    ),
    MAX_FEATURES,
    Parameter(
        "max_candidates",
        Integer(2, 1024),
        "Cuts tried a column at bin edges.",
        only_with(splitter=("auto", "exact", "binned")),
    ),
    Parameter(
        "random_splits",
        Integer(1, 1024) | None,
        "Cuts tried a column by the random splitter. None is 10.",
        only_with(splitter="random"),
    ),
    Parameter(
        "max_aspect",
        Real(1.0) | None,
        "Most that a box may be longer along one column than along another, relative to the root's.",
    ),
    Parameter(
        "uniformity_level",
        Real(0.0, 1.0) | None,
        "A node is a leaf where a Kolmogorov–Smirnov test of uniformity of every column, corrected for "
        "their number, does not reject at this level.",
    ),
    Parameter(
        "min_gain", Real() | None, 'Smallest gain of a split; by default 0 for "loo" and none for others.'
    ),
    Parameter(
        "mass_prior",
        Real(0.0),
        "Strength of the prior by which the masses of two halves are pulled towards their volumes: no leaf "
        "has density zero, unless this is 0.",
    ),
    Parameter(
        "n_bins",
        Integer(1, 256) | None,
        "Bins of histogram leaves. None is 16.",
        Effect(lambda estimator: leaf_kind(estimator) == "histogram", 'leaf="histogram"'),
    ),
    Parameter(
        "histogram_prior",
        Real(0.0, open_low=True),
        "Rows that a parent's histogram, or Gaussian, counts for in its child's.",
        Effect(
            lambda estimator: leaf_kind(estimator) != "uniform",
            'leaf="histogram", "gaussian" or "gaussian_full"',
        ),
    ),
)

FOREST = declare(
    Parameter("max_samples", Real(0.0, 1.0, open_low=True), "Fraction of the rows in a tree's sample."),
    Parameter("bootstrap", Flag(), "Draw the sample with replacement."),
    MIN_SAMPLES_SPLIT.but(
        'Weight of the rows of a node from which on it may be split; "auto" chooses it, from 6 to all rows, '
        "by the likelihood of rows that none of 16 pilot trees saw.",
        MIN_SAMPLES_SPLIT.kind | "auto",
    ),
)
"""What a forest of density trees has beside the growth of its trees."""


def leaf_kind(estimator: Any) -> str:
    """Return what the leaves of a density tree or forest are: ``leaf``, or what goes with its criterion.

    Examples
    --------
    >>> import boxwood as bw
    >>> leaf_kind(bw.DensityTree()), leaf_kind(bw.DensityTree(criterion="gaussian_entropy"))
    ('uniform', 'gaussian')
    >>> leaf_kind(bw.DensityForest(criterion="gaussian_entropy", leaf="histogram"))
    'histogram'
    """
    if estimator.leaf is not None:
        return str(estimator.leaf)
    return "gaussian" if estimator.criterion == "gaussian_entropy" else str(estimator._usual_leaf)
