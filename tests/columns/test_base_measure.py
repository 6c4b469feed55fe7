"""The base measure: found once, when it is asked for, and handed on."""

import pickle
from functools import partial

import numpy as np

from boxwood.columns import CATEGORIES, BaseMeasure, ColumnMeasure


def two_columns(asked: list[int]) -> list[ColumnMeasure]:
    asked.append(1)
    return [ColumnMeasure(False, None, np.array([0.5])), CATEGORIES]


def test_atoms_are_found_once_when_they_are_asked_for():
    asked: list[int] = []
    measure = BaseMeasure(partial(two_columns, asked))
    second = measure.of_columns([1])
    assert not asked
    assert second.columns == [CATEGORIES]
    assert measure.columns[0].atoms.tolist() == [0.5]
    assert asked == [1]


def test_it_travels_with_a_table():
    measure = pickle.loads(pickle.dumps(BaseMeasure(partial(two_columns, [])).of_columns([0])))
    assert measure.columns[0].atoms.tolist() == [0.5]
