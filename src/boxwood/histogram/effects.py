"""When parameters of histograms have an effect: some rules of bins do not ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from boxwood.histogram.rules import SEARCHED
from boxwood.histogram.spec import is_one_bins
from boxwood.parameters import Effect

__all__ = ["BY_BINS", "BY_CV", "BY_RANGE", "BY_ROWS", "BY_SEARCH", "WITH_PRIOR"]


def _entries(estimator: Any) -> list[Any]:
    """Return what is asked for the columns; None stands for the default rule."""
    bins = estimator.bins
    if isinstance(bins, Mapping):
        return [*bins.values(), None]  # columns that are not named have the default
    return [bins] if is_one_bins(bins) else list(bins)


def _by_search(estimator: Any) -> bool:
    return any(one is None or (isinstance(one, str) and one in SEARCHED) for one in _entries(estimator))


def _by_cv(estimator: Any) -> bool:
    return any(isinstance(one, str) and one == "cv" for one in _entries(estimator))


def _by_range(estimator: Any) -> bool:
    return any(one is None or isinstance(one, int | np.integer | str) for one in _entries(estimator))


def _by_rows(estimator: Any) -> bool:
    """Return whether bins may follow from the rows, which then count what they are worth."""
    is_by_rule = any(one is None or isinstance(one, str) for one in _entries(estimator))
    return is_by_rule or (_by_range(estimator) and estimator.range is None)


def _with_prior(estimator: Any) -> bool:
    by_likelihood = any(isinstance(one, str) and one == "loo_likelihood" for one in _entries(estimator))
    return estimator.estimate != "ml" or by_likelihood


def _by_bins(estimator: Any) -> bool:
    is_for_all = estimator.support is not None and not isinstance(estimator.support, Mapping)
    return not (is_for_all and isinstance(estimator.bins, str))


BY_BINS = Effect(_by_bins, "a column without a support, or a number of bins")

BY_SEARCH = Effect(_by_search, f"one of the rules {', '.join(SEARCHED)} in bins")

BY_CV = Effect(_by_cv, 'bins="cv"')

BY_RANGE = Effect(_by_range, "a rule or a number in bins")

BY_ROWS = Effect(_by_rows, "bins that follow from the rows")

WITH_PRIOR = Effect(_with_prior, 'estimate="map" or "bayes", or bins="loo_likelihood"')
