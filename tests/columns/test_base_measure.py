"""The base measure: found once, when it is asked for, and handed on."""

import pickle
from functools import partial

import numpy as np

from boxwood.columns import BaseMeasure


def two_columns(asked: list[int]) -> list[np.ndarray | None]:
    asked.append(1)
    return [np.array([0.5]), None]


def test_atoms_are_found_once_when_they_are_asked_for():
    asked: list[int] = []
    measure = BaseMeasure(partial(two_columns, asked))
    second = measure.of_columns([1])
    assert not asked
    assert second.atoms == [None]
    assert measure.atoms[0].tolist() == [0.5]
    assert asked == [1]


def test_it_travels_with_a_table():
    measure = pickle.loads(pickle.dumps(BaseMeasure(partial(two_columns, [])).of_columns([0])))
    assert measure.atoms[0].tolist() == [0.5]
