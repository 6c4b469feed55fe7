"""Events across two columns: beside brute force, quadrature by draws, and the laws that they follow."""

import pickle
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.query.discrete_tables import every_row, query_of

import boxwood as bw
from boxwood.columns import read_columns
from boxwood.query import QueryError, SumColumn, ZeroProbabilityError, read_event, read_expression, to_text
from boxwood.query.across import Side, pair_areas
from boxwood.query.column_set import NumberSet
from boxwood.query.cube_set import CubeSet
from boxwood.query.interval import Interval
from properties import examples


def mixed(n: int = 1500, seed: int = 0) -> pd.DataFrame:
    """Continuous columns, one of them with gaps, one with an atom, integers, tenths and categories."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = 0.5 * x + rng.exponential(size=n)
    x[rng.random(n) < 0.1] = np.nan
    k = rng.poisson(3, n)
    z = np.where(rng.random(n) < 0.3, 0.0, rng.gamma(2, size=n))
    tenth = np.round(rng.normal(size=n), 1)
    c = np.where(y > 1, "b", "a")
    return pd.DataFrame({"x": x, "y": y, "k": k, "m": rng.poisson(2 + (k > 3)), "z": z, "t": tenth, "c": c})


@cache
def forest(leaf: str = "histogram") -> bw.DensityForest:
    return bw.DensityForest(6, leaf=leaf, random_state=0, n_jobs=1).fit(mixed())


@cache
def draws(leaf: str = "histogram") -> bw.Columns:
    n_draws = {"histogram": 300_000, "uniform": 200_000}[leaf]
    return forest(leaf)._read(forest(leaf).sample(n_draws, random_state=1, corrected=False))


ASKED = [
    "x < y",
    "z <= y",
    "k < m",
    "k == m",
    "k - m != 1",
    "2 * k + 3 * m <= 11",
    "x < k",
    "z > k and c == 'a'",
    "x + y > 1",
    "-1 < x - y < 0.5",
    "not x < y",
    "x < y or c == 'b'",
    "x > 0 and x < y",
    "0.5 * z <= 0.25 * k",
    "z + x > 0 and k < m",
    "t < x",
    "t <= z",
    "t + 0.1 * k == 0.3",
    "x < y and not x < 0.5 * y - 1 + 0.5 * y",
]


@pytest.mark.parametrize("leaf", ["histogram", "uniform"])
@pytest.mark.parametrize("text", ASKED)
def test_within_four_standard_errors_of_draws(text: str, leaf: str) -> None:
    p = forest(leaf).query().probability(text)
    rows = draws(leaf)
    found = read_event(rows.schema, text).contains(rows).mean()
    assert abs(p - found) <= 4.0 * np.sqrt(p * (1.0 - p) / rows.n_rows) + 1e-7


def test_a_gaussian_leaf_has_its_mean_density_in_a_bin() -> None:
    frame = mixed()[["x", "y"]]
    fitted = bw.DensityForest(4, leaf="gaussian", random_state=0).fit(frame)
    p = fitted.query().probability("x < y")
    rows = fitted.sample(400_000, random_state=0, corrected=False)
    assert p == pytest.approx((rows.x < rows.y).mean(), abs=0.004)


SIGNS = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])


@examples(60)
@given(data=st.data())
def test_beside_brute_force(data: st.DataObject) -> None:
    columns, p = every_row("plain")
    f, g, c = (data.draw(st.integers(low, 4)) for low in (1, -4, -5))
    text = f"{f} * k + {g or 1} * size {data.draw(SIGNS)} {c}"
    if data.draw(st.booleans()):
        text = f"not ({text}) or colour == 'red'"
    event = read_expression(columns.schema, text)
    expected = float(p[event.contains(columns)].sum())
    assert query_of("plain").probability(event) == pytest.approx(expected, abs=1e-7)
    if expected < 1e-3:
        return
    query, inside = query_of("plain").given(event), event.contains(columns)
    for j in (1, 3):  # columns of the sum, whose distributions it changes within leaves
        numbers = columns[j].numbers()
        there = inside & ~np.isnan(numbers)
        assert query.missing_probability(j) == pytest.approx(1.0 - p[there].sum() / expected, abs=1e-4)
        if p[there].sum() > 1e-3:
            mean = (p[there] * numbers[there]).sum() / p[there].sum()
            assert query.mean(j) == pytest.approx(mean, abs=1e-3)
    labels = query.probabilities_of("colour")
    red = p[inside & (columns[0].values == columns.schema.fields[0].categories.index("red"))].sum()
    assert labels["red"] == pytest.approx(red / expected, abs=1e-6)


def ruled_numbers(n: int = 600, seed: int = 0) -> dict[str, list[int]]:
    """The price follows from the kind."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(0, 5, n)
    return {"kind": kind, "price": np.array([3, 1, 4, 1, 5])[kind], "paid": rng.poisson(2 + kind)}


def test_a_column_that_follows_from_another() -> None:
    fitted = bw.DensityForest(4, random_state=0).fit(ruled_numbers())
    assert len(fitted.dependencies_)
    query, rows = fitted.query(), fitted._read(fitted.sample(200_000, random_state=0, corrected=False))
    for text in ["price < paid", "kind <= price", "price + paid == 5"]:
        p, found = query.probability(text), read_event(rows.schema, text).contains(rows).mean()
        assert abs(p - found) <= 4.0 * np.sqrt(p * (1.0 - p) / rows.n_rows) + 0.01, text
    three = sum(query.probability(f"price {sign} paid") for sign in ("<", "==", ">"))
    both = query.probability("price is not missing and paid is not missing")
    assert three == pytest.approx(both, abs=1e-9)


@pytest.mark.parametrize("pair", ["x y", "k m", "z k", "x t", "z y", "k t"])
def test_less_equal_and_greater_are_all_where_both_are_there(pair: str) -> None:
    a, b = pair.split()
    query = forest().query().given("c == 'a'")
    parts = [query.probability(f"{a} {sign} {b}") for sign in ("<", "==", ">")]
    there = query.probability(f"{a} is not missing and {b} is not missing")
    assert sum(parts) == pytest.approx(there, abs=1e-12)
    assert query.probability(f"{a} <= {b}") == pytest.approx(parts[0] + parts[1], abs=1e-12)
    assert query.probability(f"not {a} < {b}") == pytest.approx(1.0 - parts[0], abs=1e-12)


@pytest.mark.parametrize("text", ["x < y", "k == m and x < 0", "z < k", "not x < y", "x - y > 2 or c == 'b'"])
def test_under_evidence_across_columns(text: str) -> None:
    query = forest().query().given(text)
    rows = draws()
    inside = rows.take(read_event(rows.schema, text).contains(rows))
    n, names = inside.n_rows, inside.schema.names
    for event in ["x > 0", "c == 'a'", "k < 2", "y < 1 or z > 2"]:
        p, found = query.probability(event), read_event(rows.schema, event).contains(inside).mean()
        assert abs(p - found) <= 4.5 * np.sqrt(p * (1.0 - p) / n) + 1e-7, event
    for j in range(5):
        values = inside[j].values
        values = values[~np.isnan(values)]
        error = 4.5 * values.std() / np.sqrt(len(values))
        assert abs(query.mean(j) - values.mean()) <= error + 2e-3, names[j]
        assert query.cdf(j, np.quantile(values, 0.3)) == pytest.approx(
            (values <= np.quantile(values, 0.3)).mean(), abs=4.0 / np.sqrt(len(values)) + 2e-3
        )


@pytest.mark.parametrize("text", ["x < y", "k == m", "z < k and c == 'a'", "x + y > 3", "t == x or k < m"])
def test_draws_lie_inside_and_have_the_right_law(text: str) -> None:
    query = forest().query().given(text)
    rows = query.sample_columns(20_000, random_state=3)
    assert read_event(rows.schema, text).contains(rows).all()
    for name in ("x", "y", "k", "z"):
        values = rows[rows.schema.index(name)].values
        values = values[~np.isnan(values)]
        error = 4.5 * values.std() / np.sqrt(len(values))
        assert abs(query.mean(name) - values.mean()) <= error + 2e-3, name


def test_a_continuous_value_makes_the_other_column_a_range() -> None:
    query = forest().query()
    assert query.given(x=0.5).probability("x < y") == pytest.approx(query.given(x=0.5).probability("y > 0.5"))
    assert query.given("x < y").given(x=0.5).probability("y > 0.5") == pytest.approx(1.0)


def test_what_is_not_answered_is_named() -> None:
    query = forest().query()
    with pytest.raises(QueryError, match="'x', 'y', 'z' are compared together; at most two"):
        query.probability("x + y < z")
    with pytest.raises(QueryError, match="column 'y' is compared with other columns twice"):
        query.probability("x < y and y < z")
    with pytest.raises(ZeroProbabilityError):
        query.given("x == y")  # continuous values are never equal


def test_too_many_bins_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boxwood.query.across.boxes.MOST_PAIRS", 100)
    with pytest.raises(QueryError, match=r"columns 'y' and 'z' have .* bins, too many to compare"):
        forest().query().probability("y - 1.75 * z < 0.1")


def test_products_and_histograms_compare_columns() -> None:
    rows = mixed()[["y", "z"]]
    for density in (bw.ProductDensity(), bw.Histogram(bins=8)):
        fitted = density.fit(rows)
        drawn = fitted.sample(100_000, random_state=0)
        p = fitted.query().probability("y < z")
        assert abs(p - (drawn.y < drawn.z).mean()) <= 4.0 * np.sqrt(p * (1.0 - p) / 100_000)


def test_labels() -> None:
    table = pd.DataFrame({"a": list("uvuvw") * 40, "b": list("uuvvx") * 40})
    query = bw.DensityForest(3, random_state=0).fit(table).query()
    same = query.probability("a == b")
    assert same == pytest.approx(sum(query.probability({"a": one, "b": one}) for one in "uv"))
    there = query.probability("a is not missing and b is not missing")
    assert same + query.probability("a != b") == pytest.approx(there)


@examples(60)
@given(text=st.sampled_from(ASKED))
def test_text_reads_as_the_same_event(text: str) -> None:
    schema = forest().schema_
    event = read_expression(schema, text)
    rows = read_columns(mixed())
    again = read_expression(schema, to_text(event, schema))
    assert (again.contains(rows) == event.contains(rows)).all()


def test_a_sum_of_columns_is_one_column_however_it_is_written() -> None:
    schema = forest().schema_
    assert read_expression(schema, "2*x - 2*y < 4") == read_expression(schema, "y > x - 2")
    column = SumColumn(((0, 1.0), (1, -1.0)))
    assert pickle.loads(pickle.dumps(column)) == column
    assert pickle.loads(pickle.dumps(column)).coefficients == column.coefficients


def areas_by_counting(
    first: Side, second: Side, factor: float, allowed: NumberSet, n: int = 4000
) -> np.ndarray:
    """Return the areas by a midpoint rule on a fine grid of the square."""
    places = (np.arange(n) + 0.5) / n
    x, y = (side.margin.decode(places) for side in (first, second))
    fits = [side.cube.inside(places) & (places < side.margin.cdf.total) for side in (first, second)]
    cells = [np.searchsorted(side.edges, places, side="right") - 1 for side in (first, second)]
    found = np.zeros((len(first.cover), len(second.cover)))
    for i in np.flatnonzero(fits[0]):
        inside = allowed.contains(x[i] + factor * y) & fits[1]
        found[cells[0][i]] += np.bincount(cells[1][inside], minlength=found.shape[1])
    return found / n**2


@pytest.mark.parametrize("pair", ["x y", "z y", "k y", "k m", "t z"])
@pytest.mark.parametrize("factor", [-1.0, 0.7])
def test_areas_beside_counting(pair: str, factor: float) -> None:
    names = forest().schema_.names
    margins = forest().query()._engine.margins.columns
    # The first column of a pair may have gaps, above 0.8.
    cubes = (
        CubeSet(np.array([0.0, 0.6]), np.array([0.35, 0.8]), False),
        CubeSet(np.array([0.1]), np.ones(1), False),
    )
    edges = np.array([0.0, 0.2, 0.5, 0.8, 1.0])
    sides = [
        Side(margins[names.index(name)], edges, cube) for name, cube in zip(pair.split(), cubes, strict=True)
    ]
    allowed = NumberSet((Interval(-1.0, 0.5, True, False), Interval(1.0, np.inf, False, False)))
    found = pair_areas(sides[0], sides[1], factor, allowed)
    assert found == pytest.approx(areas_by_counting(sides[0], sides[1], factor, allowed), abs=3e-4)
