"""A column that others follow from, told by what they are."""

import numpy as np
import pandas as pd
import pytest

import boxwood as bw
from boxwood.query import row_conditionals

POSTCODES = np.array([1010, 1020, 1030, 2050, 2060, 3070])
TOWNS = np.array(["Wien", "Wien", "Linz", "Linz", "Graz", "Ulm"])


def table(n: int = 1500) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    k = rng.choice(len(POSTCODES), n, p=[0.3, 0.1, 0.2, 0.1, 0.2, 0.1])
    street = np.array(["Ring", "Gasse", "Weg", "Platz", "Allee", "Hof"])[k]
    return pd.DataFrame({"code": POSTCODES[k], "x": rng.normal(k % 3), "street": street, "town": TOWNS[k]})


@pytest.fixture(scope="module", params=["code", "street"])
def asked(request: pytest.FixtureRequest) -> tuple[bw.TableModel, pd.DataFrame, str]:
    """A model whose root is a number, or a category, and rows to ask about."""
    root = request.param
    frame = table()[[root, "x", "town"]]
    model = bw.TableModel(bw.DensityForest(10, random_state=0)).fit(frame)
    assert [repr(rule)[: len("town follows from")] for rule in model.density_.dependencies_] == [
        "town follows from"
    ]
    return model, frame[:60].reset_index(drop=True), root


def by_definition(model: bw.TableModel, rows: pd.DataFrame, root: str) -> np.ndarray:
    """Return p(value | rest) of each value of the root, from the surprise of the row that has it."""
    values = np.unique(rows[root])
    logs = [
        -model.query.conditionals(model._read(rows.assign(**{root: value}))).surprise()[:, 0]
        for value in values
    ]
    found = np.exp(np.stack(logs, axis=1))
    return found / found.sum(axis=1, keepdims=True)


def test_probabilities_are_those_of_the_surprise(
    asked: tuple[bw.TableModel, pd.DataFrame, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, rows, root = asked
    expected = by_definition(model, rows, root)
    values = np.unique(rows[root])
    for cells in (2**22, 20):  # in one block, and in blocks of few rows
        monkeypatch.setattr(row_conditionals, "CELLS_OF_BLOCK", cells)
        conditionals = model.query.conditionals(model._read(rows))
        if root == "street":
            found = conditionals.category_probabilities(0)
        else:
            ends = conditionals.cdf(0, values)
            found = np.diff(ends, axis=1, prepend=0.0)
            np.testing.assert_allclose(conditionals.means(0), expected @ values, rtol=1e-9)
        np.testing.assert_allclose(found, expected, atol=1e-9)
        middle = conditionals.medians(0)
        below = np.cumsum(expected, axis=1) < 0.5
        place = np.count_nonzero(below[:, :-1], axis=1)
        np.testing.assert_array_equal(middle, values[place] if root == "code" else place)


def test_filled_and_drawn_values_keep_to_the_rule(asked: tuple[bw.TableModel, pd.DataFrame, str]) -> None:
    model, rows, root = asked
    town_of = dict(zip(table()[root], table()["town"], strict=True))
    gaps = rows.assign(**{root: None})
    for how in ("median", "mode", "draw"):
        filled = model.impute(gaps, how, random_state=0)[root]
        assert [town_of[value] for value in filled] == rows["town"].tolist()


def test_a_gap_in_what_follows_tells_nothing(asked: tuple[bw.TableModel, pd.DataFrame, str]) -> None:
    model, rows, _ = asked
    half = rows.assign(town=rows["town"].where(rows.index % 2 == 0))
    whole, gaps = (model.query.conditionals(model._read(frame)) for frame in (rows, half))
    middle = [conditionals.quantiles(0, [0.1, 0.5, 0.9]) for conditionals in (whole, gaps)]
    np.testing.assert_array_equal(middle[0][::2], middle[1][::2])
    alone = model.query.conditionals(model._read(rows.assign(town=None)))
    np.testing.assert_array_equal(middle[1][1::2], alone.quantiles(0, [0.1, 0.5, 0.9])[1::2])
    assert (middle[0][1::2] != middle[1][1::2]).any()
