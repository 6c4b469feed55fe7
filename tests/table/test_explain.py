"""explain() of every density: laws, and numbers beside integrals along a column."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import boxwood as bw
from boxwood.density.integrated import integrated
from boxwood.margins import fit_margins


def numbers(n: int = 300) -> np.ndarray:
    rng = np.random.default_rng(2)
    x = rng.normal(size=n)
    return np.column_stack([x, 0.8 * x + 0.5 * rng.normal(size=n), rng.normal(size=n)])


def mixed(n: int = 400) -> pd.DataFrame:
    """Return a table with gaps, atoms, categories, and a column that follows from another."""
    rng = np.random.default_rng(3)
    city = np.array(["Bonn", "Ulm", "Graz"])[rng.integers(0, 3, n)]
    x = rng.normal(size=n) + 2.0 * (city == "Ulm")
    return pd.DataFrame(
        {
            "x": np.where(rng.random(n) < 0.1, np.nan, x),
            "spike": np.where(rng.random(n) < 0.3, 0.0, rng.exponential(size=n)),
            "k": rng.poisson(3 + 2 * (city == "Ulm")),
            "city": city,
            "country": np.where(city == "Graz", "Austria", "Germany"),
        }
    )


OF_NUMBERS = {
    "tree": bw.DensityTree(random_state=0),
    "forest": bw.DensityForest(3, random_state=0),
    "forest of Gaussians": bw.DensityForest(3, leaf="gaussian", random_state=0),
    "forest of full Gaussians": bw.DensityForest(3, leaf="gaussian_full", random_state=0),
    "rotated tree": bw.DensityTree(rotation="pca", random_state=0),
    "histogram": bw.Histogram(bins=8),
    "grid": bw.GridHistogram(bins=3),
    "product": bw.ProductDensity(),
    "product of Gaussians": bw.ProductDensity(marginal="gaussian"),
    "rotated product": bw.ProductDensity(marginal="gaussian", rotation="pca"),
    "Gaussian": bw.GaussianDensity(),
    "neighbours": bw.NeighborDensity(10),
    "boosted": bw.BoostedDensity(preset="quick", n_estimators=10, random_state=0),
    "detector": bw.NoveltyDetector(bw.GaussianDensity(), cv=2),
}
OF_TABLES = {
    "tree": bw.DensityTree(random_state=0),
    "forest": bw.DensityForest(3, random_state=0),
    "forest without rules": bw.DensityForest(3, dependencies=None, random_state=0),
    "forest that ignores gaps": bw.DensityForest(3, missing="ignore", random_state=0),
    "product": bw.ProductDensity(),
    "histogram": bw.Histogram(bins=5),
    "boosted": bw.BoostedDensity(preset="quick", n_estimators=5, random_state=0),
    "boosted that ignores gaps": bw.BoostedDensity(
        preset="quick", n_estimators=5, missing="ignore", random_state=0
    ),
}


@cache
def of_numbers(name: str) -> Any:
    """Return a model that the tests share, and leave as it is."""
    return OF_NUMBERS[name].fit(numbers())


@cache
def of_table(name: str) -> Any:
    return OF_TABLES[name].fit(mixed())


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_by_order_cells_sum_to_the_score(name: str) -> None:
    X = numbers()
    model = of_numbers(name)
    cells = model.explain(X[:12], kind="order")
    assert isinstance(cells, np.ndarray)
    np.testing.assert_allclose(cells.sum(axis=1), -model.score_samples(X[:12]), rtol=1e-9, atol=1e-9)


@pytest.mark.filterwarnings("ignore:.*density 0")
@pytest.mark.parametrize("name", OF_TABLES)
def test_of_a_frame_a_frame(name: str) -> None:
    table = mixed()
    model = of_table(name)
    rows = table.iloc[:12]
    cells = model.explain(rows, kind="order")
    assert list(cells.columns) == list(table.columns)
    np.testing.assert_allclose(cells.to_numpy().sum(axis=1), -model.score_samples(rows), rtol=1e-9, atol=1e-9)
    rest = model.explain(rows)
    assert not np.isnan(rest.to_numpy()).any()


CLOSE = {"neighbours": 0.1, "boosted": 0.06, "rotated tree": 0.05}
"""Of densities without a formula, at 256 places a column."""


@pytest.mark.parametrize("name", sorted(set(OF_NUMBERS) - {"detector", "rotated product"}))
def test_the_surprise_given_the_rest_normalises_the_density_along_the_column(name: str) -> None:
    X = numbers()
    model = of_numbers(name)
    rows = X[:4]
    cells = model.explain(rows)
    for j in range(3):
        places = np.linspace(-9.0, 9.0, 6_001)
        for i, row in enumerate(rows):
            line = np.repeat(row[None], len(places), axis=0)
            line[:, j] = places
            mass = np.exp(model.score_samples(line)).sum() * (places[1] - places[0])
            expected = np.log(mass) - model.score_samples(row[None])[0]
            assert cells[i, j] == pytest.approx(expected, abs=CLOSE.get(name, 0.02))


@pytest.mark.parametrize("name", ["forest", "boosted", "forest without rules"])
def test_categories_and_gaps_given_the_rest_have_probabilities_that_sum_to_one(name: str) -> None:
    table = mixed()
    model = of_table(name)
    for row in (table.iloc[[0]], table.iloc[[5]]):
        rows = pd.concat([row.assign(city=city) for city in ("Bonn", "Ulm", "Graz", "Oslo", None)])
        cells = model.explain(rows)["city"].to_numpy()
        assert np.exp(-cells).sum() == pytest.approx(1.0, abs=0.02)


def test_order_is_the_chain_of_conditionals() -> None:
    """The first cell is told by its column alone, the second given the first, as the query has them."""
    table = mixed()
    model = of_table("forest")
    query = model.query()
    rows = table.iloc[[0, 3, 7]].dropna()
    cells = model.explain(rows, kind="order").to_numpy()
    for cell, (_, row) in zip(cells, rows.iterrows(), strict=True):
        assert cell[0] == pytest.approx(-np.log(query.density("x", row.x)), abs=1e-6)
        given = query.given(x=row.x)
        assert cell[1] == pytest.approx(-np.log(given.density("spike", row.spike)), abs=1e-6)


def test_a_gap_has_its_own_rate_where_gaps_are_independent() -> None:
    X = numbers()
    X[::10, 1] = np.nan
    model = bw.GaussianDensity().fit(X)
    assert model.explain(X[:1])[0, 1] == pytest.approx(-np.log(0.1))
    ignoring = bw.GaussianDensity(missing="ignore").fit(X)
    assert ignoring.explain(X[:1])[0, 1] == 0.0


def test_an_impossible_cell_is_infinitely_surprising() -> None:
    X = numbers()
    model = bw.GridHistogram(bins=3).fit(X)
    far = [[99.0, 0.0, 0.0]]
    assert np.isinf(model.explain(far)).all()
    np.testing.assert_array_equal(model.explain(far, kind="order"), [[np.inf, 0.0, 0.0]])


def test_integrals_over_all_columns_are_one() -> None:
    table = bw.read_columns(mixed())
    margins = fit_margins(table)
    found = integrated(lambda rows: margins.log_derivative(rows, "event"), table, [0], margins)
    expected = margins.columns[0].log_derivative(np.nan_to_num(table[0].values))
    there = ~table[0].missing()
    np.testing.assert_allclose(found[there], expected[there], atol=1e-9)


def test_a_detector_of_what_is_no_density_explains_nothing() -> None:
    assert not hasattr(bw.NoveltyDetector(bw.DecisionTreeClassifier()), "explain")


def test_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="kind must be one of"):
        bw.GaussianDensity().fit(numbers()).explain(numbers()[:1], kind="shapley")
