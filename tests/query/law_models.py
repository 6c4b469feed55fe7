"""Fitted densities for laws at scale: gaps, rules, lattices, atoms, dates, categories, weights."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

import boxwood as bw
from boxwood.columns import Kind
from boxwood.query.column_set import CategorySet, NumberSet
from boxwood.query.event import Event
from boxwood.query.event_reader import read_event


def mixed(n: int = 500) -> pd.DataFrame:
    """Return a table with gaps, atoms, integers, dates and categories."""
    rng = np.random.default_rng(3)
    group = rng.integers(0, 3, n)
    x = rng.normal(size=n) + group
    day = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 10_000_000, n), unit="s")
    return pd.DataFrame(
        {
            "x": x,
            "y": np.where(rng.random(n) < 0.1, np.nan, 0.6 * x + rng.normal(size=n)),
            "spike": np.where(rng.random(n) < 0.3, 0.0, rng.exponential(size=n)),
            "k": rng.poisson(3 + group),
            "day": day,
            "group": np.array(list("abc"))[group],
        }
    )


def ruled(n: int = 800) -> pd.DataFrame:
    """Return a table where the country follows from the city, and gaps of the size from the kind."""
    rng = np.random.default_rng(4)
    city = np.array(["Bonn", "Ulm", "Graz", "Linz"])[rng.integers(0, 4, n)]
    kind = np.array(["a", "b", "c"])[rng.integers(0, 3, n)]
    size = np.where(kind == "a", np.nan, rng.normal(size=n) + (city == "Ulm"))
    return pd.DataFrame(
        {
            "city": city,
            "country": np.where(np.isin(city, ["Graz", "Linz"]), "Austria", "Germany"),
            "kind": kind,
            "size": size,
            "flag": rng.random(n) < np.where(city == "Ulm", 0.8, 0.3),
        }
    )


def priced(n: int = 600) -> pd.DataFrame:
    """Return a table on lattices: prices in quarters, days, counts, grades in an order."""
    rng = np.random.default_rng(5)
    grade = rng.integers(0, 3, n)
    price = (rng.integers(4, 40, n) + 8 * grade) / 4.0
    day = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 90, n) + 30 * grade, unit="D")
    return pd.DataFrame(
        {
            "price": np.where(rng.random(n) < 0.15, np.nan, price),
            "day": day,
            "pieces": rng.geometric(0.3, n),
            "grade": pd.Categorical.from_codes(grade, ["low", "mid", "high"], ordered=True),
        }
    )


NAMES = ("mixed", "mixed, uniform leaves", "mixed, weights", "ruled", "priced")


@cache
def fitted() -> dict[str, Any]:
    """Return the densities by name."""
    weights = np.random.default_rng(6).gamma(2.0, size=500)
    small = {"n_estimators": 4, "random_state": 0}
    forest = {**small, "n_bins": 6}
    return {
        "mixed": bw.DensityForest(**forest).fit(mixed()),
        "mixed, uniform leaves": bw.DensityForest(leaf="uniform", **small).fit(mixed()),
        "mixed, weights": bw.DensityForest(**forest).fit(mixed(), sample_weight=weights),
        "ruled": bw.DensityForest(**forest).fit(ruled()),
        "priced": bw.DensityTree(random_state=0).fit(priced()),
    }


RULES = {
    "ruled": "(country == 'Austria' and city in ['Graz', 'Linz'] "
    "or country == 'Germany' and city in ['Bonn', 'Ulm']) "
    "and (kind == 'a' and size is missing or kind in ['b', 'c'] and size is not missing)"
}
"""What samples keep to, and densities but for exceptions."""


def drawn_evidence(name: str) -> Event:
    """Return what all samples satisfy: no new gap, no unseen category, no exception."""
    density = fitted()[name]
    schema, rates = density.schema_, density.query()._engine.gap_rates
    event = read_event(schema, RULES[name]) if name in RULES else Event.everything()
    for j, field in enumerate(schema.fields):
        if field.kind.is_number:
            unseen: Any = NumberSet((), bool(rates[j] > 0.0), field.kind is Kind.INTEGER)
        else:
            n, boolean = len(field.categories), field.kind is Kind.BOOLEAN
            unseen = CategorySet(frozenset(), not boolean, bool(rates[j] > 0.0), n, boolean)
        event &= Event.of_column(j, ~unseen)
    return event
