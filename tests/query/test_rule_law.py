"""Columns of one rule share what is found for the first of them that is asked."""

import numpy as np
import pandas as pd
import pytest

import boxwood as bw

EVIDENCE = [None, "x > 0", "x > 0 or c == 'a'", "code >= 2"]


@pytest.fixture(scope="module")
def model() -> bw.TableModel:
    rng = np.random.default_rng(0)
    c = rng.choice(list("abcd"), 600, p=[0.4, 0.3, 0.2, 0.1])
    code = np.array([{"a": 1, "b": 2, "c": 3, "d": 3}[letter] for letter in c])
    x = rng.normal(size=600) + code
    table = pd.DataFrame({"x": x, "c": c, "code": code})
    return bw.TableModel(bw.DensityForest(10, random_state=0)).fit(table)


def laws(model: bw.TableModel, given: str | None, names: list[str]) -> dict[str, list[float]]:
    """Return what is known of each column under the evidence, asked in this order."""
    under = model.given(given) if given else model
    found = [under.query._law(model.schema.names.index(name)) for name in names]
    return {name: [law.missing, *law.edges, *law.density] for name, law in zip(names, found, strict=True)}


@pytest.mark.parametrize("given", EVIDENCE)
def test_the_order_of_questions_changes_no_bit(model: bw.TableModel, given: str | None) -> None:
    assert len(model.density_.dependencies_) > 0
    assert laws(model, given, ["c", "code"]) == laws(model, given, ["code", "c"])


@pytest.mark.parametrize("given", EVIDENCE)
def test_what_follows_has_the_probability_of_its_cause(model: bw.TableModel, given: str | None) -> None:
    under = model.given(given) if given else model
    both = float(under.prob("c == 'a' and code == 1"))
    assert both == pytest.approx(float(under.prob("c == 'a'")), abs=0.01)
    assert float(under.prob("c == 'd' and code == 1")) < 0.01
