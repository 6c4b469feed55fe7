"""The families of classifiers with small boosted densities: the defaults take 3 s for any few rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import boxwood as bw
from boxwood.select.families import FAMILIES, Family


def small_boosted(seed: int) -> bw.BayesClassifier:
    return bw.BayesClassifier(bw.BoostedDensity("quick", components=["margins"], random_state=seed))


@contextmanager
def quick_families() -> Iterator[None]:
    """Let comparisons inside take small boosted densities."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(FAMILIES, "Bayes, boosted densities", Family(small_boosted))
        yield
