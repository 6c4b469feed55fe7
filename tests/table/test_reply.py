import json

import numpy as np
import pandas as pd
import pytest

import boxwood as bw


@pytest.fixture(scope="module")
def model() -> bw.TableModel:
    rng = np.random.default_rng(0)
    city = rng.choice(["Bonn", "Ulm"], 400)
    day = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, 400), "D")
    x = rng.normal(size=400) + 3.0 * (city == "Ulm")
    return bw.TableModel(bw.DensityTree(random_state=0)).fit(pd.DataFrame({"x": x, "city": city, "day": day}))


def test_answers_are_those_of_the_methods(model: bw.TableModel) -> None:
    ulm = model.given(city="Ulm")
    expected = {
        "P(x > 1 | city == 'Ulm')": ulm.prob("x > 1"),
        "x > 1": model.prob("x > 1"),
        "mean(x | city == 'Ulm')": ulm.mean("x"),
        "std(x | city == 'Ulm')": ulm.std("x"),
        "quantile(x, 0.1, 0.9)": model.quantile("x", [0.1, 0.9]),
        "median(x)": model.quantile("x", 0.5),
        "interval(x, 0.5)": model.interval("x", 0.5),
        "probabilities(city)": model.probabilities("city"),
        "entropy(city)": model.query.entropy("city"),
        "mi(x, city)": model.query.mutual_information("x", "city"),
    }
    for question, answer in expected.items():
        assert model.ask(question).value == pytest.approx(answer, rel=1e-9), question
    assert model.ask("mode(city | x > 2)").value == model.given("x > 2").mode("city")


def test_densities_are_those_of_the_query(model: bw.TableModel) -> None:
    under = model.query.given(city="Ulm")
    assert model.ask("density(x == 1.5 | city == 'Ulm')").value == pytest.approx(
        under.density("x", 1.5), rel=1e-9
    )
    assert model.ask("density(city == 'Bonn')").value == pytest.approx(model.prob(city="Bonn"), rel=1e-12)
    joint = model.ask("density(x == 1.5, city == 'Ulm')").value
    assert joint == pytest.approx(under.density("x", 1.5) * model.prob(city="Ulm"), rel=1e-9)


@pytest.mark.filterwarnings("ignore:.*unseen")
def test_what_cannot_be_has_density_zero(model: bw.TableModel) -> None:
    assert model.ask("density(x == 1e9)").value == 0.0


def test_answers_are_json(model: bw.TableModel) -> None:
    for question in ("median(day)", "interval(day)", "probabilities(city)", "mean(x)"):
        found = json.loads(json.dumps(model.ask(question).to_json()))
        assert found["question"] == question
        assert found["exact"] is True
    assert model.ask("median(day)").to_json()["value"].startswith("2024-")
    assert str(model.ask("median(day)")).startswith("median(day) = 2024-")


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("mean(y)", "no column 'y'"),
        ("mean(x, 3)", "mean takes one column"),
        ("mean(x > 3)", "mean takes one column"),
        ("quantile(x)", "quantile takes a column and probabilities"),
        ("quantile(x, 1.5)", "between 0 and 1"),
        ("quantile(x, 'a')", "quantile takes a column"),
        ("interval(x, 0.1, 0.2)", "interval takes a column"),
        ("mi(x)", "mi takes two columns"),
        ("average(x)", "there is no function 'average'; there are P, mean"),
        ("mean(x", "ends too early"),
        ("mean()", "cannot stand here"),
        ("mean(city)", "categorical"),
    ],
)
def test_wrong_questions_are_explained(model: bw.TableModel, question: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        model.ask(question)


def test_functions_are_no_events(model: bw.TableModel) -> None:
    with pytest.raises(bw.ExpressionError):
        model.prob("mean(x)")


def test_dates_by_draws_have_an_error_in_seconds() -> None:
    rows = pd.DataFrame({"when": pd.date_range("2020-01-01", periods=300, freq="D"), "x": np.arange(300) % 7})
    model = bw.TableModel(bw.GaussianDensity()).fit(rows[["x"]].astype(float))
    assert " s" not in str(model.ask("mean(x)"))
    density = bw.BoostedDensity("quick", n_trees=5, components=["forest"], random_state=0)
    by_draws = bw.TableModel(density).fit(rows)
    for question in ("mean(when)", "median(when)"):
        reply = by_draws.ask(question)
        assert isinstance(reply.value, np.datetime64)
        assert abs(reply.value - np.datetime64("2020-05-30")) < np.timedelta64(30, "D")
        assert str(reply).endswith(" s")


def test_answers_by_draws_do_not_call_themselves_exact() -> None:
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 3, 300)
    days = pd.date_range("2020-01-01", periods=300, freq="D")
    rows = pd.DataFrame(
        {"c": np.array(["a", "b", "c"])[kind], "x": rng.normal(size=300) + kind, "when": days}
    )
    density = bw.BoostedDensity("quick", n_trees=5, components=["forest"], random_state=0)
    model = bw.TableModel(density).fit(rows)
    exact = bw.TableModel(bw.DensityForest(5, random_state=0)).fit(rows)
    for question in ("probabilities(c)", "interval(x, 0.9)", "std(x)", "quantile(x, 0.5)"):
        assert not model.ask(question).exact
        assert model.ask(question).standard_error > 0.0
        assert exact.ask(question).exact
    for question in ("mode(c)", "interval(when, 0.9)"):
        assert not model.ask(question).exact
        assert "±" not in str(model.ask(question))
        assert exact.ask(question).exact
