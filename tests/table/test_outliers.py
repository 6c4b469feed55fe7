"""Which rows are odd."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boxwood.table.outliers import discoveries, oddest


def test_the_oddest_come_first() -> None:
    assert oddest(np.array([0.0, -5.0, -1.0, -5.0]), 3).tolist() == [1, 3, 2]
    assert oddest(np.array([0.0]), 3).tolist() == [0]


@given(st.lists(st.floats(0.001, 1.0), max_size=20), st.floats(0.01, 0.5))
def test_discoveries_are_those_of_the_definition(listed: list[float], fdr: float) -> None:
    p = np.array(listed)
    best = 0
    for k in range(1, len(p) + 1):
        if sorted(listed)[k - 1] <= fdr * k / len(p):
            best = k
    found = discoveries(p, fdr)
    assert len(found) == best
    assert p[found].tolist() == sorted(listed)[:best]
