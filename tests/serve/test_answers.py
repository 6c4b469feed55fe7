"""What the service answers is what the library says, to the bit."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from requesting import TABLE, TOKEN, Ask, ask_at

import boxwood as bw
from boxwood.plot.question_axis import axis_of_question, probabilities_of_bins
from boxwood.serve import ServedModel, explorer_app, service_app
from boxwood.serve.answers.drawn_dependence import drawn_dependence
from boxwood.serve.limits import Limits
from boxwood.serve.plain_json import plain
from boxwood.serve.server import BackgroundServer

QUESTIONS = [
    "P(body_mass_g > 4500 | species == 'Adelie')",
    "mean(body_mass_g | island == 'Dream')",
    "quantile(bill_length_mm, 0.1, 0.5, 0.9)",
    "probabilities(species | body_mass_g > 5000)",
    "density(bill_depth_mm == 17.3)",
    "mi(species, island)",
    "mode(sex)",
    "std(flipper_length_mm)",
]
FRAME = pd.read_csv(TABLE).iloc[::40]
ROWS = json.loads(FRAME.to_json(orient="records"))


def test_questions_are_answered_to_the_bit(model_file: Path) -> None:
    """Two copies that were asked the same before: what a model keeps moves the last bits of later answers."""
    library = bw.load(model_file)
    with BackgroundServer(service_app(ServedModel(bw.load(model_file)), TOKEN, threads=1)) as server:
        for question in QUESTIONS:
            assert ask_at(server.url, "/query", {"question": question}) == (
                200,
                library.ask(question).to_json(),
            )
        status, batch = ask_at(server.url, "/query", {"questions": QUESTIONS, "given": "year == 2008"})
    given = library.given("year == 2008")
    assert status == 200
    assert batch == {"answers": [given.ask(question).to_json() for question in QUESTIONS]}


def test_a_wrong_question_of_a_batch_leaves_the_others(ask: Ask) -> None:
    status, found = ask("/query", {"questions": ["mean(mass)", "P(sex == 'male')"]})
    assert status == 200
    assert found["answers"][0]["error"]["code"] == "expression"
    assert 0.4 < found["answers"][1]["value"] < 0.6


def test_scores_and_p_values(ask: Ask, model: Any) -> None:
    status, found = ask("/score", {"rows": ROWS})
    assert status == 200
    assert found["log_density"] == model.score_samples(FRAME).tolist()
    assert found["p_value"] == model.density_.p_values(FRAME).tolist()


def test_explanations(ask: Ask, model: Any) -> None:
    _, found = ask("/explain", {"rows": ROWS})
    frame = model.explain(FRAME)
    for j, name in enumerate(model.schema.names):
        cells = [row["cells"][j] for row in found["rows"]]
        assert {cell["column"] for cell in cells} == {name}
        assert [cell["surprise"] for cell in cells] == plain(frame[name].tolist())
        assert [cell["expected"] for cell in cells] == plain(frame[f"{name} expected"].tolist())


def test_predictions(ask: Ask, model: Any) -> None:
    _, found = ask("/predict", {"rows": ROWS, "column": "species", "proba": True})
    assert found["predicted"] == model.predict(FRAME, "species").tolist()
    assert found["probabilities"] == model.predict_proba(FRAME, "species").to_dict("records")
    _, found = ask("/predict", {"rows": ROWS, "column": "body_mass_g", "interval": 0.8})
    assert found["predicted"] == model.predict(FRAME, "body_mass_g").tolist()
    ends = model.predict_interval(FRAME, "body_mass_g", 0.8)
    assert (found["low"], found["high"]) == (ends["low"].tolist(), ends["high"].tolist())


@pytest.mark.parametrize("how", ["median", "draw"])
def test_gaps_are_filled(ask: Ask, model: Any, how: str) -> None:
    holes = [{**row, "body_mass_g": None, "sex": None} for row in ROWS]
    _, found = ask("/impute", {"rows": holes, "how": how, "seed": 3})
    filled = model.impute(FRAME.assign(body_mass_g=np.nan, sex=None), how=how, random_state=3)
    assert [row["body_mass_g"] for row in found["rows"]] == filled["body_mass_g"].tolist()
    assert [row["sex"] for row in found["rows"]] == filled["sex"].tolist()
    assert not any(value is None for row in found["rows"] for value in row.values())


def test_simulated_rows(ask: Ask, model: Any) -> None:
    _, found = ask("/sample", {"n": 7, "given": "species == 'Gentoo'", "seed": 5})
    frame = model.given("species == 'Gentoo'").sample(7, random_state=5)
    assert found["rows"] == json.loads(frame.to_json(orient="records", double_precision=15))


def test_many_rows_are_scored_in_blocks(ask: Ask, model: Any) -> None:
    rows = model.sample(500, random_state=0)
    _, found = ask("/score", {"rows": json.loads(rows.to_json(orient="records", double_precision=15))})
    assert found["log_density"] == model.score_samples(rows).tolist()


def test_the_table_is_described(ask: Ask, model: Any) -> None:
    _, found = ask("/describe")
    assert [column["name"] for column in found["columns"]] == list(model.schema.names)
    species = found["columns"][0]
    assert species["literals"] == ["'Adelie'", "'Chinstrap'", "'Gentoo'"]
    assert species["summary"]["top"] == "Adelie"
    assert found["n_rows"] == 344.0


def test_conditionals_are_those_of_bins(ask: Ask, model: Any) -> None:
    given, event = "island == 'Biscoe' and body_mass_g > 4000", "species == 'Gentoo'"
    _, found = ask("/conditionals", {"given": given, "event": event})
    under = model.given(given)
    for column in found["columns"]:
        axis = axis_of_question(model, column["name"])
        for questions, bins, missing in (
            (model, "before", "missing_before"),
            (under, "after", "missing_after"),
        ):
            values, gap = probabilities_of_bins(questions, axis)
            np.testing.assert_allclose(column[bins], values, atol=1e-12)
            assert math.isclose(column[missing], gap, abs_tol=1e-12)
        assert len(column["edges"]) == len(column["conditions"]) + 1 == len(column["after"]) + 1
    for part, interval in (
        (found["event"], model.interval_of(event, given=given)),
        (found["evidence"], model.interval_of(given)),
    ):
        assert math.isclose(part["probability"]["value"], interval.probability, rel_tol=1e-9)
        assert math.isclose(part["low"], interval.low, rel_tol=1e-9)
        assert math.isclose(part["tree_spread"], interval.tree_spread, rel_tol=1e-6)
    assert math.isclose(found["evidence"]["effective_rows"], under.query.effective_rows, rel_tol=1e-9)


def test_conditions_of_bins_have_the_probabilities_of_bins(ask: Ask, model: Any) -> None:
    _, found = ask("/conditionals", {})
    for column in found["columns"]:
        for k in (0, len(column["conditions"]) // 2, -1):
            assert math.isclose(model.prob(column["conditions"][k]), column["before"][k], abs_tol=1e-12)


def test_conditionals_without_what_does_not_change(ask: Ask) -> None:
    _, found = ask("/conditionals", {"given": "year == 2008", "axes": False, "intervals": False})
    assert set(found["columns"][0]) == {"name", "after", "missing_after"}
    assert found["evidence"]["low"] is None
    _, found = ask("/conditionals", {"given": "year == 2008", "columns": False})
    assert found["columns"] == []
    assert found["evidence"]["low"] < found["evidence"]["probability"]["value"] < found["evidence"]["high"]


def test_conditionals_of_some_columns_are_those_of_all(ask: Ask) -> None:
    asked = {"given": "year == 2008"}
    _, every = ask("/conditionals", asked)
    _, some = ask("/conditionals", {**asked, "only": ["sex", "species", "sex"]})
    by_name = {column["name"]: column for column in every["columns"]}
    assert some["columns"] == [by_name["sex"], by_name["species"]]
    assert [column["name"] for column in ask("/conditionals", {"only": ["sex"]})[1]["columns"]] == ["sex"]
    _, none = ask("/conditionals", {"given": "body_mass_g > 90000", "only": ["sex"]})
    assert [column["name"] for column in none["columns"]] == ["sex"]
    status, refused = ask("/conditionals", {"only": ["specis"]})
    assert status == 422
    assert "Did you mean 'species'?" in refused["error"]["message"]
    assert ask("/conditionals", {"only": []})[0] == 422
    assert ask("/conditionals", {"only": [1]})[0] == 422


def test_impossible_evidence_says_so(ask: Ask) -> None:
    status, found = ask("/conditionals", {"given": "body_mass_g > 90000"})
    assert status == 200
    assert not found["possible"]
    assert found["evidence"]["probability"]["value"] == 0.0
    assert found["columns"][0]["after"] is None
    assert (
        ask("/query", {"question": "P(sex == 'male' | body_mass_g > 90000)"})[1]["error"]["code"]
        == "impossible"
    )


def test_a_pair_is_the_joint_distribution(ask: Ask, model: Any) -> None:
    _, found = ask("/pair", {"x": "species", "y": "island", "given": "year == 2007"})
    for i, island in enumerate(found["y"]["labels"]):
        for j, species in enumerate(found["x"]["labels"]):
            p = model.prob({"species": species, "island": island}, given="year == 2007")
            assert math.isclose(found["probabilities"][i][j], p, abs_tol=1e-12)


def test_dependence_is_the_librarys(ask: Ask, model: Any) -> None:
    _, found = ask("/dependent", {"column": "species"})
    strongest = found["columns"][0]
    information = model.query.mutual_information("species", strongest["column"])
    assert math.isclose(strongest["dependence"], math.sqrt(-math.expm1(-2.0 * information)))
    assert found["exact"]
    _, pairs = ask("/dependent", {})
    assert len(pairs["columns"]) == len(model.schema)


def test_dependence_of_a_large_model_is_drawn(ask: Ask, model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    body = {"column": "species", "given": "year > 2007"}
    _, exact = ask("/dependent", body)
    monkeypatch.setattr("boxwood.serve.answers.explorer.MOST_PIECES", 0)
    _, drawn = ask("/dependent", body)
    assert exact["exact"]
    assert not drawn["exact"]
    known = {line["column"]: line["dependence"] for line in exact["columns"]}
    for line in drawn["columns"]:  # a few cells show less than all
        assert known[line["column"]] - 0.2 <= line["dependence"] <= known[line["column"]] + 0.05
    assert drawn["columns"][0]["dependence"] > 0.8
    assert ask("/dependent", body)[1] == drawn


def test_drawn_columns_that_have_nothing_in_common_do_not_depend() -> None:
    rng = np.random.default_rng(0)
    cells = rng.integers(0, 11, size=(2, 10_000))
    assert drawn_dependence(cells[0], cells[1]) == 0.0
    assert drawn_dependence(cells[0], cells[0]) > 0.98
    flipped = np.where(rng.random(10_000) < 0.9, cells[0], cells[1])
    assert 0.8 < drawn_dependence(cells[0], flipped) < 0.99


def test_examples_fit_the_evidence(model: Any) -> None:
    with BackgroundServer(explorer_app(model, TABLE, "t")) as server:
        _, found = ask_at(server.url, "/examples", {"given": "island == 'Dream'", "n": 3})
        _, other = ask_at(server.url, "/examples", {"given": "island == 'Dream'", "n": 3, "seed": 1})
    real = pd.read_csv(TABLE)
    assert found["n_real"] == (real["island"] == "Dream").sum()
    assert [row["bill_length_mm"] for row in found["real"]] == real.loc[
        found["real_at"], "bill_length_mm"
    ].tolist()
    assert {row["island"] for row in [*found["real"], *found["simulated"]]} == {"Dream"}
    assert other["real_at"] != found["real_at"]


def test_numbers_that_are_not_finite_are_text(ask: Ask, model: Any) -> None:
    _, found = ask("/score", {"rows": [{"body_mass_g": 1e200}]})
    score = model.score_samples(pd.DataFrame([dict.fromkeys(model.schema.names)]).assign(body_mass_g=1e200))
    assert found["log_density"] == plain(score)
    assert plain([math.inf, -math.inf, math.nan]) == ["inf", "-inf", "nan"]


def test_dates_booleans_and_numbers_as_categories_come_and_go() -> None:
    rng = np.random.default_rng(0)
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, 200), unit="D")
    codes = pd.Categorical(rng.choice([3, 5, 8], 200))
    frame = pd.DataFrame(
        {"day": days, "open": rng.random(200) < 0.5, "code": codes, "x y": rng.normal(size=200)}
    )
    model = bw.TableModel(bw.DensityTree(random_state=0)).fit(frame)
    with BackgroundServer(service_app(ServedModel(model), TOKEN)) as server:
        _, sampled = ask_at(server.url, "/sample", {"n": 20, "seed": 0})
        _, scored = ask_at(server.url, "/score", {"rows": sampled["rows"]})
        _, found = ask_at(server.url, "/conditionals", {"given": "open == true and day > '2024-05-01'"})
        _, described = ask_at(server.url, "/describe")
    assert scored["log_density"] == model.score_samples(model.sample(20, random_state=0)).tolist()
    assert sampled["rows"][0]["code"] in (3, 5, 8)
    assert sampled["rows"][0]["open"] in (True, False)
    under = model.given("open == true and day > '2024-05-01'")
    for column in found["columns"]:
        values, _ = probabilities_of_bins(under, axis_of_question(model, column["name"]))
        np.testing.assert_allclose(column["after"], values, atol=1e-12)
    assert [column["written"] for column in described["columns"]][-1] == "`x y`"


def test_a_model_that_weighs_draws_says_how_sure_it_is() -> None:
    model = bw.TableModel(bw.BoostedDensity("quick", n_estimators=5, random_state=0)).fit(TABLE)
    with BackgroundServer(service_app(ServedModel(model), TOKEN, limits=Limits(seconds=300.0))) as server:
        status, found = ask_at(
            server.url, "/conditionals", {"given": "body_mass_g > 4000", "event": "species == 'Gentoo'"}
        )
    assert status == 200
    assert found["event"]["probability"]["exact"] is False
    assert found["event"]["probability"]["standard_error"] > 0.0
    assert found["evidence"]["effective_rows"] is None
