"""What rows are worth: copies, observations and the scale of weights."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pandas as pd
import pytest
from evidence_tables import CONTINUOUS, DISCRETE, MIXED, columns_of, frame, tables
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_digits

import boxwood as bw
from boxwood import _core
from boxwood.columns import Columns
from boxwood.evidence import Evidence, weigh_rows
from boxwood.evidence.weights import UNIT, scaled_units
from properties import examples


def same_evidence(a: Evidence, b: Evidence) -> bool:
    return (
        np.array_equal(a.keys, b.keys)
        and np.array_equal(a.observations, b.observations)
        and np.array_equal(a.units, b.units)
    )


class TestMerging:
    @examples(60)
    @given(table=tables)
    def test_rows_are_merged_as_pandas_counts_them(self, table: pd.DataFrame) -> None:
        table = pd.concat([table, table.iloc[::2]])
        evidence = weigh_rows(columns_of(table), duplicates="evidence")
        counted = table.fillna(-1.0).value_counts()
        assert evidence.n_rows == len(counted)
        assert sorted(evidence.observations) == sorted(counted)
        assert evidence.columns.take(evidence.number).with_weights(None) is not None
        rows = evidence.columns.matrix()[evidence.number]
        assert np.array_equal(rows, columns_of(table).matrix(), equal_nan=True)

    def test_zeros_and_gaps_of_either_sign_are_equal(self) -> None:
        rows = np.array([[0.0, np.nan], [-0.0, -np.nan], [0.0, 1.0]])
        assert len(_core.merge_rows(rows, None)[0]) == 2

    @examples(60)
    @given(st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=30), st.randoms(use_true_random=False))
    def test_sums_of_weights_do_not_depend_on_the_order(self, weights: list[float], shuffle: object) -> None:
        rows = np.zeros((len(weights), 1))
        total = _core.merge_rows(rows, np.array(weights))[3][0]
        assert total == math.fsum(weights)
        shuffle.shuffle(weights)  # type: ignore[attr-defined]
        assert _core.merge_rows(rows, np.array(weights))[3][0] == total

    @pytest.mark.parametrize("scale", [5e-324, 1e-300, 1.0, 1e307])
    def test_weights_of_any_size_are_added(self, scale: float) -> None:
        weights = np.array([1.0, 2.0, 3.0]) * scale
        *_, total, kish = _core.merge_rows(np.zeros((3, 1)), weights)
        assert total[0] == weights.sum()
        assert kish[0] == pytest.approx(36.0 / 14.0)

    @pytest.mark.parametrize("weights", [[1.0], [1.0, -1.0], [1.0, np.nan], [0.0, 1.0]])
    def test_malformed_weights_are_refused(self, weights: list[float]) -> None:
        with pytest.raises(ValueError, match="weight"):
            _core.merge_rows(np.zeros((2, 1)), np.array(weights))


class TestObservations:
    def test_a_continuous_row_is_one_observation_whatever_its_weight(self) -> None:
        table = frame(CONTINUOUS, 50, 0).fillna(0.5)
        for weights in (None, np.full(50, 7.0), np.arange(1.0, 51.0)):
            assert (weigh_rows(columns_of(table, weights)).observations == 1).all()

    def test_a_discrete_row_is_as_many_as_it_came(self) -> None:
        evidence = weigh_rows(bw.read_columns({"a": ["x", "x", "y"] * 40}))
        assert sorted(evidence.observations) == [40, 80]
        assert evidence.n == 120.0
        assert sorted(evidence.weights) == [40.0, 80.0]

    def test_survey_weights_count_by_kish(self) -> None:
        columns = bw.read_columns({"a": ["x", "x", "x", "y"] * 20})
        weights = np.resize([1.0, 1.0, 4.0, 0.3], 80)
        evidence = weigh_rows(columns.with_weights(weights))
        assert sorted(evidence.observations) == [20, 40]  # (20·6)²/(20·18) = 40
        total = weights.sum()
        assert evidence.n == pytest.approx(total**2 / (120.0**2 / 40 + 6.0**2 / 20))
        assert evidence.weights.sum() == pytest.approx(evidence.n)

    @pytest.mark.parametrize("kind", [CONTINUOUS, MIXED])
    @pytest.mark.parametrize("scale", [2.0, 1e6, 1.0 / 400.0, 1e-9, np.pi])
    def test_the_scale_of_weights_has_no_meaning_beside_continuous_rows(
        self, kind: str, scale: float
    ) -> None:
        table = frame(kind, 400, 1)
        weights = np.random.default_rng(0).integers(1, 4, 400).astype(float)
        one = weigh_rows(columns_of(table, weights))
        assert same_evidence(one, weigh_rows(columns_of(table, weights * scale)))

    @examples(60)
    @given(st.integers(2, 60), st.integers(0, 10**6), st.floats(1e-300, 1e300))
    def test_scaled_weights_are_the_same_to_the_byte(self, n: int, seed: int, scale: float) -> None:
        weights = np.random.default_rng(seed).integers(1, 8, n).astype(float)
        worth = weights.sum() ** 2 / (weights**2).sum()
        assert np.array_equal(scaled_units(weights, worth), scaled_units(weights * scale, worth))

    @pytest.mark.parametrize("kind", [CONTINUOUS, MIXED])
    def test_doubling_changes_nothing_beside_continuous_rows(self, kind: str) -> None:
        table = frame(kind, 300, 2)
        one, twice = weigh_rows(columns_of(table)), weigh_rows(columns_of(pd.concat([table, table])))
        assert same_evidence(one, twice)
        assert one.n == pytest.approx(300.0)

    def test_a_bootstrap_of_a_mixed_table_is_worth_less_than_the_table(self) -> None:
        table = frame(MIXED, 2_000, 2)
        drawn = table.iloc[np.random.default_rng(0).integers(0, 2_000, 2_000)]
        evidence = weigh_rows(columns_of(drawn))
        assert 900.0 < evidence.n < 1_100.0  # Kish: a row of a bootstrap counts half on average

    def test_doubling_a_discrete_table_makes_it_surer(self) -> None:
        table = frame(DISCRETE, 300, 2)
        assert weigh_rows(columns_of(pd.concat([table, table]))).n == 600.0

    @pytest.mark.parametrize("kind", [CONTINUOUS, DISCRETE, MIXED])
    def test_copies_and_evidence_decide_otherwise(self, kind: str) -> None:
        table = pd.concat([frame(kind, 100, 4)] * 2)
        columns = columns_of(table)
        copies, evidence = (weigh_rows(columns, duplicates=way) for way in ("copies", "evidence"))
        assert (copies.observations == 1).all()
        assert evidence.n == 200.0
        assert np.array_equal(evidence.observations, np.bincount(evidence.number))

    @pytest.mark.parametrize("kind", ["frequency", "survey"])
    def test_weight_kinds_of_whole_weights(self, kind: str) -> None:
        columns = bw.read_columns({"a": ["x", "y"] * 50}).with_weights(np.full(100, 1_000.0))
        assert weigh_rows(columns, weight_kind=kind).n == (100_000.0 if kind == "frequency" else 100.0)

    def test_one_row(self) -> None:
        assert weigh_rows(bw.read_columns([[1.5]])).n == 1.0


@pytest.fixture(scope="module")
def digits() -> Columns:
    return bw.read_columns(load_digits().data)


class TestDigits:
    def test_all_values_are_discrete(self, digits: Columns) -> None:
        assert weigh_rows(digits).discrete.cells.all()

    def test_digits_given_twice_are_copies(self, digits: Columns) -> None:
        one = weigh_rows(digits)
        assert (one.observations == 1).all()
        n = digits.n_rows
        twice = digits.take(np.repeat(np.arange(n), 2))
        assert same_evidence(one, weigh_rows(twice))
        for weights in (np.full(n, 2.0), np.full(n, 1.0 / n), np.full(n, 1e6)):
            assert same_evidence(one, weigh_rows(digits.with_weights(weights)))

    def test_a_rough_model_that_expects_the_rows_keeps_them(self) -> None:
        rng = np.random.default_rng(0)
        shape = rng.integers(0, 2, 500)
        X = pd.DataFrame({f"c{j}": np.where(shape == 1, "a", "b") for j in range(60)})  # columns that agree
        assert weigh_rows(bw.read_columns(X)).n == 500.0


class TestChecks:
    def test_many_whole_weights_warn_and_say_which_to_choose(self) -> None:
        columns = bw.read_columns({"a": ["x", "y"] * 50}).with_weights(np.full(100, 190_000.0))
        with pytest.warns(UserWarning, match=r"100 rows worth 1.9e\+07.*weight_kind='survey'.*'frequency'"):
            weigh_rows(columns)

    @pytest.mark.parametrize("weight", [10.0, 2.0])
    def test_few_whole_weights_do_not(self, weight: float) -> None:
        columns = bw.read_columns({"a": ["x", "y"] * 50}).with_weights(np.full(100, weight))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert weigh_rows(columns).n == 100.0 * weight

    def test_frequencies_must_be_whole(self) -> None:
        columns = bw.read_columns({"a": ["x", "y"]}).with_weights(np.array([1.0, 0.5]))
        with pytest.raises(ValueError, match=r"sample_weight, row 1: 0\.5 is no frequency"):
            weigh_rows(columns, weight_kind="frequency")

    @pytest.mark.parametrize("parameter", ["weight_kind", "duplicates"])
    def test_choices_are_checked(self, parameter: str) -> None:
        with pytest.raises(ValueError, match=f"{parameter} must be one of 'auto'"):
            weigh_rows(bw.read_columns([[1.0]]), **{parameter: "no"})

    def test_a_table_without_rows(self) -> None:
        evidence = weigh_rows(bw.read_columns([[1.0]]).take(np.zeros(0, dtype=int)))
        assert (evidence.n, evidence.n_rows) == (0.0, 0)

    def test_weights_sum_to_n(self) -> None:
        weights = np.random.default_rng(1).exponential(size=300) + 1e-3
        evidence = weigh_rows(columns_of(frame(MIXED, 300, 8), weights))
        assert evidence.weights.sum() == pytest.approx(evidence.n, abs=300 * UNIT)
        assert np.array_equal(evidence.columns.row_weights, evidence.weights)
