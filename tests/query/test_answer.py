"""Answers: floats and arrays that know their errors."""

import math
import pickle

import numpy as np
import pytest

from boxwood.query.answer import Answer, Answers


def test_an_answer_is_a_float():
    answer = Answer.weighed(0.25, 0.01, 300.0)
    assert isinstance(answer, float)
    assert answer == 0.25
    assert repr(answer) == "0.25"
    assert f"{answer:.1f}" == "0.2"
    assert type(round(answer, 1)) is float
    assert np.asarray([answer]).dtype == np.float64
    assert (answer.standard_error, answer.effective_sample_size, answer.exact) == (0.01, 300.0, False)


def test_an_exact_answer_has_no_error():
    answer = Answer(0.5)
    assert (answer.standard_error, answer.effective_sample_size, answer.exact) == (0.0, math.inf, True)
    assert Answer.weighed(0.5, 0.1, 3.0, exact=True).standard_error == 0.0


def test_the_root_of_a_variance():
    root = Answer.weighed(4.0, 0.4, 100.0).root()
    assert root == 2.0
    assert root.standard_error == pytest.approx(0.1)
    assert Answer(0.0).root() == 0.0


def test_parts_of_an_array_keep_their_errors():
    answers = Answers.of([1.0, 2.0, 3.0], [0.1, 0.2, 0.3], 50.0)
    assert answers[1].standard_error == 0.2
    assert answers[1:].standard_error.tolist() == [0.2, 0.3]
    assert [one.standard_error for one in answers] == [0.1, 0.2, 0.3]
    assert answers[answers > 1.5].effective_sample_size == 50.0


def test_what_is_computed_is_plain():
    answers = Answers.of([1.0, 2.0], 0.1, 50.0)
    for computed in (answers + 1.0, np.exp(answers), answers > 1.0, pickle.loads(pickle.dumps(answers))):
        assert type(computed) is np.ndarray
    assert isinstance(answers.sum(), float)
    assert answers.tolist() == [1.0, 2.0]


def test_an_array_is_as_sure_as_its_least_sure():
    joined = Answers.joined([Answer(1.0), Answer.weighed(2.0, 0.5, 10.0)])
    assert not joined.exact
    assert joined.effective_sample_size == 10.0
    assert joined.standard_error.tolist() == [0.0, 0.5]
    assert Answers.joined([Answer(1.0)]).exact
    assert Answers.exactly([1.0])[0].exact
