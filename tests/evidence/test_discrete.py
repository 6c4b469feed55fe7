"""Which values are discrete: found on distinct values and rows, so that repetition does not make them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boxwood as bw
from boxwood.columns import ColumnMeasure, Lattice
from boxwood.evidence import find_lattice, weigh_rows
from boxwood.evidence.atoms import find_atoms
from properties import examples


def rng_of(name: str) -> np.random.Generator:
    return np.random.default_rng(len(name))


def rounded_normals() -> np.ndarray:
    return np.round(rng_of("rounded").normal(size=20_000), 1)


def die() -> np.ndarray:
    return rng_of("die").integers(1, 7, 300).astype(float)


def quarter_atom() -> np.ndarray:
    rng = rng_of("atom")
    return np.where(rng.random(4_000) < 0.25, 0.7, rng.normal(size=4_000))


def penguin_masses() -> np.ndarray:
    return 25.0 * np.round(rng_of("penguins").normal(4200.0, 800.0, 342) / 25.0)


def orders_of_magnitude() -> np.ndarray:
    return 10.0 ** rng_of("orders").uniform(-6.0, 6.0, 3_000)


def prices() -> np.ndarray:
    return rng_of("prices").geometric(0.04, 2_000) - 0.01


def normals() -> np.ndarray:
    return rng_of("normals").normal(size=3_000)


def rounded_cauchy() -> np.ndarray:
    return np.round(rng_of("cauchy").standard_cauchy(20_000), 1)


def thirds() -> np.ndarray:
    return rng_of("thirds").integers(0, 40, 2_000) / 3.0


def single_precision() -> np.ndarray:
    return np.round(rng_of("single").normal(size=5_000), 1).astype(np.float32).astype(np.float64)


def fine_decimals() -> np.ndarray:
    return np.round(rng_of("fine").normal(size=1_000), 6)


LATTICES = {
    rounded_normals: 0.1,
    die: 1.0,
    penguin_masses: 25.0,
    prices: 1.0,
    rounded_cauchy: 0.1,
    thirds: 1.0 / 3.0,
    single_precision: 0.1,
}
CONTINUOUS = [orders_of_magnitude, normals, fine_decimals]


def doubled(values: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    return np.repeat(values, 2), None


def bootstrapped(values: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    return np.random.default_rng(7).choice(values, len(values)), None


def weight_ten(values: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    return values, np.full(len(values), 10.0)


def tiny_weights(values: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    return values, np.full(len(values), 1.0 / len(values))


def as_they_are(values: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    return values, None


WAYS = [as_they_are, doubled, bootstrapped, weight_ten, tiny_weights]
Way = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray | None]]


def measure_of(values: np.ndarray, weights: np.ndarray | None) -> ColumnMeasure:
    columns = bw.read_columns(values[:, None]).with_weights(weights)
    return weigh_rows(columns, weight_kind="frequency" if weights is None else "survey").discrete.measures[0]


@pytest.mark.parametrize("way", WAYS)
class TestOneColumn:
    @pytest.mark.parametrize("make", LATTICES)
    def test_lattices(self, make: Callable[[], np.ndarray], way: Way) -> None:
        measure = measure_of(*way(make()))
        assert measure.all_discrete
        assert measure.lattice is not None
        assert measure.lattice.step == pytest.approx(LATTICES[make], rel=1e-12)
        assert measure.lattice.holds(make()).all()

    @pytest.mark.parametrize("make", CONTINUOUS)
    def test_continuous_columns(self, make: Callable[[], np.ndarray], way: Way) -> None:
        measure = measure_of(*way(make()))
        assert (measure.all_discrete, measure.lattice, len(measure.atoms)) == (False, None, 0)

    def test_an_atom_in_a_continuous_column(self, way: Way) -> None:
        measure = measure_of(*way(quarter_atom()))
        assert (measure.all_discrete, measure.lattice, measure.atoms.tolist()) == (False, None, [0.7])

    def test_an_atom_beside_a_lattice(self, way: Way) -> None:
        values = np.where(
            np.arange(5_000) % 5 == 0, 0.123456789, np.round(rng_of("beside").normal(size=5_000), 1)
        )
        given, weights = way(values)
        measure = measure_of(given, weights)
        assert measure.all_discrete
        assert measure.lattice is None
        assert measure.atoms.tolist() == np.unique(given).tolist()

    def test_an_atom_beside_a_lattice_of_many_values(self, way: Way) -> None:
        values = np.where(
            np.arange(9_000) % 5 == 0, 0.123456789, np.round(rng_of("many").normal(size=9_000), 3)
        )
        measure = measure_of(*way(values))
        assert (measure.all_discrete, measure.lattice, measure.atoms.tolist()) == (False, None, [0.123456789])

    def test_days(self, way: Way) -> None:
        days = rng_of("days").integers(0, 1_500, 1_000)
        values, weights = way(days)
        frame = pd.DataFrame({"day": np.datetime64("2020-01-01", "us") + values * np.timedelta64(1, "D")})
        columns = bw.read_columns(frame).with_weights(weights)
        kind = "frequency" if weights is None else "survey"
        measure = weigh_rows(columns, weight_kind=kind).discrete.measures[0]
        assert measure.all_discrete
        assert measure.lattice is not None
        assert measure.lattice.step == 86_400e6

    def test_seconds_of_a_year_are_continuous(self, way: Way) -> None:
        values, weights = way(rng_of("seconds").integers(0, 365 * 86_400, 1_000))
        frame = pd.DataFrame({"at": np.datetime64("2020-01-01", "us") + values * np.timedelta64(1, "s")})
        columns = bw.read_columns(frame).with_weights(weights)
        kind = "frequency" if weights is None else "survey"
        assert not weigh_rows(columns, weight_kind=kind).discrete.measures[0].all_discrete


class TestTables:
    def test_frequencies_find_what_repeated_rows_do(self) -> None:
        values, counts = np.unique(quarter_atom(), return_counts=True)
        columns = bw.read_columns(values[:, None]).with_weights(counts.astype(float))
        assert weigh_rows(columns).discrete.measures[0].atoms.tolist() == [0.7]

    def test_an_atom_beside_categories(self) -> None:
        frame = pd.DataFrame({"x": quarter_atom(), "city": np.resize(["Ulm", "Bonn", "Kiel"], 4_000)})
        found = weigh_rows(bw.read_columns(frame))
        assert found.discrete.measures[0].atoms.tolist() == [0.7]
        assert (~found.continuous).sum() == 3

    def test_columns_that_are_zero_together(self) -> None:
        rng = rng_of("together")
        X = np.where(rng.random((2_000, 1)) < 0.25, 0.0, rng.normal(size=(2_000, 2)))
        found = weigh_rows(bw.read_columns(X))
        assert [measure.atoms.tolist() for measure in found.discrete.measures] == [[0.0], [0.0]]
        assert found.n == 2_000.0

    def test_rows_repeated_to_balance_classes_make_no_atoms(self) -> None:
        X = rng_of("balance").normal(size=(1_000, 3))
        found = weigh_rows(bw.read_columns(np.r_[X, np.repeat(X[:10], 60, axis=0)]))
        assert [len(measure.atoms) for measure in found.discrete.measures] == [0, 0, 0]
        assert (found.observations == 1).all()

    def test_one_huge_survey_weight_makes_no_atom(self) -> None:
        X = rng_of("huge").normal(size=(200, 1))
        weights = np.ones(200)
        weights[3] = 1e6 + 0.5
        found = weigh_rows(bw.read_columns(X).with_weights(weights))
        assert len(found.discrete.measures[0].atoms) == 0

    def test_few_values_of_any_kind_are_discrete(self) -> None:
        rng = rng_of("few")
        X = np.c_[rng.choice([0.1234567, 0.7654321, np.pi, np.e, 9.87654321], 500), rng.normal(size=500)]
        measure = weigh_rows(bw.read_columns(X)).discrete.measures[0]
        assert measure.all_discrete
        assert len(measure.atoms) == 5

    @pytest.mark.parametrize(("values", "discrete"), [([0.0, 1.0], True), ([np.pi, np.e], False)])
    def test_two_values(self, values: list[float], discrete: bool) -> None:
        found = weigh_rows(bw.read_columns(np.resize(values, 60)[:, None]))
        assert found.discrete.measures[0].all_discrete is discrete
        assert found.n == (60.0 if discrete else 2.0)

    def test_one_value(self) -> None:
        assert weigh_rows(bw.read_columns(np.full((50, 1), np.pi))).n == 50.0
        assert not weigh_rows(bw.read_columns(np.full((1, 1), np.pi))).discrete.measures[0].all_discrete

    def test_categories_booleans_integers_and_gaps(self) -> None:
        frame = pd.DataFrame(
            {
                "city": ["Ulm", None, "Bonn", "Ulm"],
                "flag": [True, False, True, True],
                "count": [1, 10**6, 3, 17],
                "empty": [np.nan] * 4,
            }
        )
        found = weigh_rows(bw.read_columns(frame))
        assert found.discrete.cells.all()
        assert found.discrete.measures[2].lattice == Lattice(0.0, 1.0)

    def test_integers_on_a_comb(self) -> None:
        masses = penguin_masses().astype(int)
        found = weigh_rows(bw.read_columns({"mass": masses}))
        assert found.discrete.measures[0].lattice == Lattice(0.0, 25.0)

    def test_a_gap_is_discrete_and_a_number_beside_it_is_not(self) -> None:
        X = np.where(rng_of("gaps").random((100, 1)) < 0.5, np.nan, rng_of("g").normal(size=(100, 1)))
        found = weigh_rows(bw.read_columns(X))
        assert found.discrete.rows.sum() == 1
        assert found.observations.max() == np.isnan(X).sum()


class TestLattice:
    @examples(100)
    @given(
        st.integers(1, 999),
        st.integers(0, 3),
        st.integers(-(10**6), 10**6),
        st.lists(st.integers(0, 30), min_size=10, max_size=30, unique=True),
    )
    def test_the_step_of_decimals_is_found(
        self, step: int, digits: int, start: int, places: list[int]
    ) -> None:
        places = sorted(places)
        places = [k - places[0] for k in places]
        common = np.gcd.reduce(places)
        values = np.array([(start + step * k) / 10.0**digits for k in places])
        lattice = find_lattice(values)
        assert lattice is not None
        assert lattice.step == step * common / 10.0**digits
        assert 0.0 <= lattice.origin < lattice.step
        assert np.diff(lattice.places(values)).tolist() == (np.diff(places) / common).tolist()

    @examples(100)
    @given(st.integers(0, 10**6), st.integers(4, 200))
    def test_full_precision_has_none(self, seed: int, size: int) -> None:
        assert find_lattice(np.sort(np.random.default_rng(seed).normal(size=size))) is None

    @examples(100)
    @given(st.floats(0.01, 100.0), st.floats(-1e3, 1e3), st.integers(0, 10**6))
    def test_standardised_integers_have_one(self, scale: float, shift: float, seed: int) -> None:
        whole = np.unique(np.random.default_rng(seed).poisson(5.0, 300)).astype(float)
        lattice = find_lattice((whole - shift) / scale)
        assert lattice is not None
        assert lattice.step == pytest.approx(np.gcd.reduce(np.diff(whole).astype(int)) / scale, rel=1e-6)

    @pytest.mark.parametrize("values", [[], [1.0], [1.0, 2.0, 3.0], [1e-300, 1e100, 1e200, 1e300]])
    def test_too_little_to_tell(self, values: list[float]) -> None:
        assert find_lattice(np.sort(np.array(values))) is None

    def test_numbers_past_the_exact_integers(self) -> None:
        values = 2.0**60 + 2.0**40 * np.arange(20)
        lattice = find_lattice(values)
        assert lattice is not None
        assert lattice.step == 2.0**40


def test_atoms_are_known_by_the_median_count() -> None:
    counts = np.array([1.0, 2.0, 1.0, 1.0, 10.0, 1.0, 1.0])
    assert np.flatnonzero(find_atoms(counts)).tolist() == [4]
    assert not find_atoms(counts, 30.0).any()
    assert not find_atoms(np.full(7, 10.0)).any()
    assert len(find_atoms(np.zeros(0))) == 0


def test_constant_columns_of_one_row_given_often_are_discrete() -> None:
    found = weigh_rows(bw.read_columns(np.full((40, 2), 2.5)))
    assert [measure.atoms.tolist() for measure in found.discrete.measures] == [[2.5], [2.5]]
    once = weigh_rows(bw.read_columns(np.full((1, 2), 2.5)))
    assert not any(measure.all_discrete for measure in once.discrete.measures)
