"""Which values become atoms."""

import numpy as np
import pytest
from margin_strategies import fitted

from boxwood.margins.atoms import Cells, find_atoms


def cells(count: list[float]) -> Cells:
    values = np.arange(len(count), dtype=np.float64)
    return Cells(values, values, np.array(count, dtype=np.float64))


def test_ten_rows_a_value_make_a_column_discrete() -> None:
    assert find_atoms(cells([10.0] * 30)).all()
    assert not find_atoms(cells([9.9] * 30)).any()
    assert find_atoms(cells([1.0, 29.0, 1.0, 9.0])).all()


def test_more_than_500_values_are_never_discrete() -> None:
    assert find_atoms(cells([50.0] * 500)).all()
    assert not find_atoms(cells([50.0] * 501)).any()


def test_a_constant_column_is_an_atom_but_one_row_is_not() -> None:
    assert find_atoms(cells([2.0])).all()
    assert not find_atoms(cells([1.0])).any()


@pytest.mark.parametrize(("rows", "is_spike"), [(200.0, True), (9.0, False), (4.0, False)])
def test_a_spike_has_one_percent_ten_rows_and_five_times_its_neighbours(rows: float, is_spike: bool) -> None:
    count = [1.0] * 400
    count[7] = rows
    assert find_atoms(cells(count))[7] == is_spike


def test_crowded_neighbours_are_no_spike() -> None:
    assert not find_atoms(cells([1.0] * 300 + [40.0] * 3 + [30.0] * 4)).any()


def test_rare_values_that_were_not_separated_leave_a_discrete_column_discrete() -> None:
    column = np.repeat(np.arange(1.0, 301.0), [20_000] * 40 + [3] * 260)
    margin = fitted(column)
    fractions = np.exp(margin.log_derivative(np.arange(1.0, 41.0)))
    assert fractions == pytest.approx(np.full(40, 20_000 / len(column)), rel=1e-4)
    assert np.isfinite(margin.log_derivative(column[-5:])).all()


def test_an_atom_has_the_probability_of_its_rows() -> None:
    rng = np.random.default_rng(0)
    margin = fitted(np.append(np.zeros(300), rng.exponential(size=700)))
    assert margin.atoms.tolist() == [0.0]
    assert np.exp(margin.log_derivative(np.zeros(1)))[0] == pytest.approx(0.3, abs=1e-3)
    assert margin.decode(np.array([0.15])) == [0.0]
    assert margin.decode(np.array([margin.cdf.below(0.0) + 1e-6])) == [0.0]
