"""Every density at every table of the zoo: what it owes, and what is known to fail."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from threadpoolctl import threadpool_limits

import boxwood as bw
from zoo import continuous, copies, discrete, gaps, rounded
from zoo.families import FAMILIES
from zoo.known_failures import KNOWN_FAILURES, REFUSALS
from zoo.laws import LAWS, Visit
from zoo.table import SPECIES, find

HOUSES = (continuous, copies, discrete, gaps, rounded)


@cache
def fitted(family: str, name: str) -> Any:
    table = find(name)
    return FAMILIES[family]().fit(table.train, sample_weight=table.weights)


@cache
def one_leaf(name: str, margins: str) -> Any:
    table = find(name)
    tree = bw.DensityTree(max_leaf_nodes=1, prune=None, margins=margins)
    return tree.fit(table.train, sample_weight=table.weights)


def broken_laws(family: str, name: str, folder: Path) -> frozenset[str]:
    """Return the names of the laws that a density breaks at a table; "fits" where there is no model."""
    table = find(name)
    try:
        model = fitted(family, name)
    except (ValueError, TypeError):
        return frozenset({"fits"})
    reference = None if table.reference is None else fitted(family, table.reference)
    leaf = one_leaf(name, "linear" if family == "tree" else "smooth")
    visit = Visit(family, table, model, fitted("product", name), leaf, reference, folder)
    return frozenset(law for law, holds in LAWS.items() if not holds(visit))


QUICK_OF_DEFAULT = frozenset(
    {"normal", "two_clusters", "doubled", "near_copies", "one_row", "mixed", "noisy_xor", "unseen_gap"}
)
"""Tables at which the quick tests see `BoostedDensity()` itself; at others it takes up to half a minute."""

QUICK_OF_NETWORKS = QUICK_OF_DEFAULT | {"wide"}
"""Of networks without a forest, which take as long as all trees and forests of the zoo together."""

QUICK = {"default": QUICK_OF_DEFAULT, "networks": QUICK_OF_NETWORKS}


def all_pairs() -> Iterator[Any]:
    """List the families at all tables, the slow ones with their mark."""
    for family in FAMILIES:
        for name in SPECIES:
            is_slow = name not in QUICK.get(family, SPECIES)
            marks = [pytest.mark.slow] if is_slow else []
            yield pytest.param(family, name, marks=marks)


@pytest.mark.parametrize(("family", "name"), list(all_pairs()))
def test_exactly_the_known_failures_fail(family: str, name: str, tmp_path: Path) -> None:
    refusal = REFUSALS.get(family, {}).get(name)
    # Tables are small: threads of a busy machine would only wait for each other.
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        if refusal is not None:
            with pytest.raises((ValueError, TypeError), match=refusal):
                fitted(family, name).score_samples(find(name).held_out)
            return
        broken = broken_laws(family, name, tmp_path)
    known = KNOWN_FAILURES.get((family, name), frozenset())
    assert not broken - known, f"new failures: {sorted(broken - known)}"
    assert not known - broken, f"these hold now, delete them from known_failures.py: {sorted(known - broken)}"


def test_known_failures_name_what_there_is() -> None:
    assert all(family in FAMILIES and name in SPECIES for family, name in KNOWN_FAILURES)
    assert all(laws <= {"fits", *LAWS} for laws in KNOWN_FAILURES.values())
    assert all(family in FAMILIES and set(names) <= set(SPECIES) for family, names in REFUSALS.items())


@pytest.mark.parametrize("name", SPECIES)
def test_tables_are_as_they_say(name: str) -> None:
    table = find(name)
    assert len(table.held_out) > 0
    assert table.weights is None or len(table.weights) == len(table.train)
    if table.log_density is not None:
        truth = table.log_density(table.held_out)
        assert truth.shape == (len(table.held_out),)
        assert (truth < 1e6).all()
    if table.cells is not None and table.log_density is not None and table.n_columns > 1:
        assert sum(2.718281828459045**x for x in table.log_density(table.cells)) == pytest.approx(1.0)


def test_the_zoo_has_its_houses() -> None:
    assert len(SPECIES) >= 40
    assert {make.__module__ for make in SPECIES.values()} == {"zoo.table"}
    assert all(house.__doc__ for house in HOUSES)
