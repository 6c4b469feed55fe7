"""Laws of weighed answers: complements, evidence, determinism, errors that are asked for, warnings."""

import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from weighed_forest import exact, forests, proposal, weighed

from boxwood.query import ZeroProbabilityError
from boxwood.query.weighed import ForestProposal, WeighedQuery, WeighingWarning
from boxwood.query.weighed.event_key import event_key
from boxwood.query.weighed.forest_proposal import WeighedModel
from properties import examples

conditions = st.one_of(
    st.floats(-2.0, 2.0).map(lambda v: f"x > {v:.3f}"),
    st.floats(-2.0, 2.0).map(lambda v: f"y <= {v:.3f}"),
    st.integers(0, 7).map(lambda v: f"k >= {v}"),
    st.sampled_from(["c == 'red'", "c in ['blue', 'green']", "y is missing"]),
)
events = st.one_of(
    conditions,
    st.tuples(conditions, conditions).map(" and ".join),
    st.tuples(conditions, conditions).map(" or ".join),
)

few = examples(25)


@few
@given(events, st.none() | conditions)
def test_an_event_and_its_complement_add_up_to_one(event, evidence):
    query = weighed(n_draws=1024) if evidence is None else weighed(n_draws=1024).given(evidence)
    p, rest = query.probability(event), query.probability(f"not ({event})")
    assert 0.0 <= p <= 1.0
    assert p + rest == pytest.approx(1.0, abs=1e-9)
    assert p.standard_error == pytest.approx(rest.standard_error, abs=1e-9)


@few
@given(conditions, conditions)
def test_chain_rule(event, evidence):
    query = weighed()
    joint, first = query.probability(f"({event}) and ({evidence})"), query.probability(evidence)
    part = query.given(evidence).probability(event)
    error = np.hypot(joint.standard_error, np.hypot(part.standard_error * first, first.standard_error * part))
    assert abs(joint - part * first) <= 4.5 * error + 1e-9


@few
@given(st.floats(-2.0, 2.0), st.floats(0.0, 2.0))
def test_wider_ranges_are_not_less_probable(low, width):
    narrow, wide = (weighed(n_draws=1024).probability(f"x > {v:.4f}") for v in (low + width, low))
    assert narrow <= wide + 4.0 * np.hypot(narrow.standard_error, wide.standard_error) + 1e-12


@few
@given(st.lists(st.floats(0.01, 0.99), min_size=2, max_size=5))
def test_cdf_and_quantile_are_inverse(p):
    query = weighed(n_draws=1024).given("c == 'red'")
    below = query.cdf("y", np.asarray(query.quantile("y", p)))
    assert (np.asarray(below) >= np.asarray(p) - 1e-9).all()


def test_what_holds_for_certain_is_exact():
    query = weighed().given("x > 1")
    assert query.probability("x > 0.5") == 1.0
    assert query.probability("x < 0") == 0.0
    assert query.probability("x > 0.5").exact
    assert query.probability().exact
    assert weighed().evidence_probability.exact


def test_the_same_question_has_the_same_answer():
    first = weighed().given("x > 0").mean("y")
    other = weighed()
    other.probability("k > 3")
    other.given("c == 'red'").mean("y")
    assert other.given("x > 0").mean("y") == first
    assert other.given("x > 0").weighing(n_draws=8192).mean("y") != first
    assert other.given("x > 0").mean("y") == first
    assert weighed(seed=1).given("x > 0").mean("y") != first


def test_keys_of_events_do_not_depend_on_order():
    read = proposal().read
    assert event_key(read("x > 1 or k == 2", {})) == event_key(read("k == 2 or x > 1", {})) or read(
        "x > 1 or k == 2", {}
    ) != read("k == 2 or x > 1", {})
    keys = {event_key(read(text, {})) for text in ("x > 1", "x >= 1", "y > 1", "c == 'red'", "k > 1")}
    assert len(keys) == 5


def test_an_error_that_is_asked_for_is_reached():
    rough = weighed().given("k > 2").probability("c == 'red'")
    fine = weighed().weighing(error=0.003).given("k > 2").probability("c == 'red'")
    assert rough.standard_error > 0.003 * rough >= fine.standard_error
    assert abs(fine - rough) <= 4.0 * rough.standard_error
    mean = weighed().weighing(error=0.01, relative=False).given("x == 0.8").mean("y")
    assert mean.standard_error <= 0.01


def test_an_error_out_of_reach_warns():
    query = weighed().weighing(error=1e-6, most_draws=8192)
    with pytest.warns(WeighingWarning, match=r"8192 draws reach a relative error of .*, not 1e-06"):
        found = query.probability("c == 'red'")
    assert found.standard_error > 0.0


def test_weighing_checks_what_it_is_asked():
    with pytest.raises(ValueError, match="error must be a number above 0"):
        weighed().weighing(error=-1.0)
    with pytest.raises(ValueError, match="n_draws must be an integer of at least 2"):
        weighed().weighing(n_draws=0)
    with pytest.raises(TypeError, match="weighing takes error, relative"):
        weighed().weighing(draws=3)
    assert exact().weighing(error=0.1).probability("x > 1").exact


def test_impossible_evidence():
    query = weighed()
    with pytest.raises(ZeroProbabilityError, match="x > 1 and x < 0: no row can be so"):
        query.given("x > 1 and x < 0")
    with pytest.raises(ZeroProbabilityError, match=r"x > 1 and x < 0\.5: no row"):
        query.given("x > 1").given("x < 0.5")


def reweighed(change):
    """Return the query of a model whose log-density is that of the forest and a change."""
    model, known = forests()[0], proposal()

    def score(columns, rng=None):
        return known.score(columns) + change(columns)

    def draw(n, rng):
        columns = forests()[1]._sample(n, rng)
        return columns, score(columns)

    made = WeighedModel(score, score, lambda n, rng: draw(n, rng)[0], draw, normalised=False)
    return WeighedQuery(ForestProposal(known._form, made, known._gaps), score, model._read)


def test_evidence_that_the_model_has_impossible():
    with np.errstate(divide="ignore"):
        query = reweighed(lambda columns: np.log(columns[0].values < 0.0))
        with pytest.raises(ZeroProbabilityError, match="the density is 0 at each of"):
            query.given("x > 0.5")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert query.probability("x > 0.5") == 0.0


def test_draws_that_are_worth_few_rows_warn():
    query = reweighed(lambda columns: 40.0 * columns[0].values)
    with pytest.warns(WeighingWarning, match=r"32768 draws are worth \d+ rows of the model"):
        query.given("y == 0.5").probability("c == 'red'")
    with pytest.warns(WeighingWarning, match="some come more than once"):
        query.given("y == 0.5").sample(1000, random_state=0)


def test_events_across_columns_are_counted():
    found = weighed().given("c == 'red'").probability("x < y")
    rows = exact().given("c == 'red'").sample(40_000, random_state=0)
    assert found == pytest.approx(np.mean(rows["x"] < rows["y"]), abs=4.0 * found.standard_error + 0.01)


def test_questions_that_do_not_fit_are_refused():
    query = weighed()
    with pytest.raises(ValueError, match="ask `conditionals` before `given`"):
        query.given("x > 0").conditionals(None)
    with pytest.raises(ValueError, match="column 'c' is categorical"):
        query.quantile("c", 0.5)
    with pytest.raises(ValueError, match="column 'x' holds numbers"):
        query.probabilities_of("x")
    with pytest.raises(ValueError, match="p must lie in"):
        query.quantile("x", 1.5)
    with pytest.raises(ValueError, match="column 'y' is missing for certain"):
        query.given("y is missing").mean("y")
    with pytest.raises(ValueError, match="with itself"):
        query.mutual_information("x", "x")
    with pytest.raises(ValueError, match="cannot be evidence"):
        query.given("x < y")
    with pytest.raises(ValueError, match="this model has no leaves"):
        query.leaves("x > 0")


def test_answers_survive_pickling():
    found = weighed().probability("x > 1")
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert again.standard_error == found.standard_error
    assert not again.exact
