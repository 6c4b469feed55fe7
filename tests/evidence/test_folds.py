"""What is left out: by content alone, and in whole observations."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
import reference_folds
from evidence_tables import CONTINUOUS, DISCRETE, MIXED, columns_of, frame, tables
from hypothesis import given
from hypothesis import strategies as st

from boxwood import _core
from boxwood.evidence import (
    Evidence,
    Fold,
    in_groups,
    shuffled_folds,
    validation_fold,
    weigh_rows,
)
from boxwood.evidence.weights import UNIT
from properties import examples

seeds = st.integers(0, 2**63 - 1)


def all_ways(evidence: Evidence, seed: int) -> list[Fold]:
    return [
        *shuffled_folds(evidence, 3, seed),
        *validation_fold(evidence, 0.3, seed),
    ]


def same_bytes(a: list[Fold], b: list[Fold]) -> bool:
    return len(a) == len(b) and all(
        np.array_equal(x, y) for p, q in zip(a, b, strict=True) for x, y in zip(p, q, strict=True)
    )


class TestKernels:
    @examples(40)
    @given(
        keys=st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=20),
        n_units=st.integers(1, 50),
        n_folds=st.integers(2, 9),
        seed=seeds,
    )
    def test_draws_are_those_of_the_reference(
        self, keys: list[int], n_units: int, n_folds: int, seed: int
    ) -> None:
        packed, units = np.array(keys, dtype=np.uint64), np.full(len(keys), n_units)
        parts = _core.deal_folds(packed, units, n_folds, seed)
        assert parts.tolist() == [reference_folds.folds(key, n_units, n_folds, seed) for key in keys]
        held = _core.hold_out(packed, units, 0.3, seed)
        assert held.tolist() == [reference_folds.held_out(key, n_units, 0.3, seed) for key in keys]
        order = [reference_folds.Draws(seed, reference_folds.ORDER, key).uniform() for key in keys]
        assert _core.draw_uniform(packed, seed).tolist() == order

    @pytest.mark.parametrize("n_units", [50, 5_000])
    def test_counts_of_few_and_of_many_units_have_the_same_moments(self, n_units: int) -> None:
        n = 4_000
        keys, units = np.arange(n, dtype=np.uint64), np.full(n, n_units)
        parts = _core.deal_folds(keys, units, 4, 1)
        assert (parts.sum(axis=1) == n_units).all()
        assert (parts >= 0).all()
        error = 5.0 / np.sqrt(n)
        variance = n_units * 0.25 * 0.75
        assert np.abs(parts.mean(axis=0) - n_units / 4).max() < error * np.sqrt(variance)
        assert np.abs(parts.var(axis=0) / variance - 1.0).max() < error * 1.5

    @pytest.mark.parametrize(
        ("observations", "message"), [([1], "one number of observations"), ([1, 0], "at least one")]
    )
    def test_malformed_input_is_refused(self, observations: list[int], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            _core.deal_folds(np.zeros(2, dtype=np.uint64), np.array(observations), 2, 0)


class TestLaws:
    @examples(40)
    @given(table=tables, seed=seeds, shuffle=st.randoms(use_true_random=False))
    def test_the_order_of_rows_leaves_no_trace(self, table: pd.DataFrame, seed: int, shuffle: object) -> None:
        order = list(range(len(table)))
        shuffle.shuffle(order)  # type: ignore[attr-defined]
        weights = np.round(np.random.default_rng(seed).exponential(size=len(table)) + 0.01, 3)
        one, other = columns_of(table, weights), columns_of(table.iloc[order], weights[order])
        assert same_bytes(all_ways(weigh_rows(one), seed), all_ways(weigh_rows(other), seed))

    @examples(40)
    @given(table=tables, seed=seeds)
    def test_weight_two_is_the_row_twice(self, table: pd.DataFrame, seed: int) -> None:
        weights = np.random.default_rng(seed).integers(1, 4, len(table))
        repeated = table.iloc[np.repeat(np.arange(len(table)), weights)]
        one, other = weigh_rows(columns_of(table, weights)), weigh_rows(columns_of(repeated))
        assert np.array_equal(one.units, other.units)
        assert same_bytes(all_ways(one, seed), all_ways(other, seed))

    @examples(40)
    @given(seed=seeds, scale=st.floats(1e-200, 1e200), n_rows=st.integers(2, 60))
    def test_the_scale_of_weights_leaves_no_trace_on_continuous_tables(
        self, seed: int, scale: float, n_rows: int
    ) -> None:
        table = frame(CONTINUOUS, n_rows, seed % 10**6)
        weights = np.random.default_rng(seed).integers(1, 6, n_rows).astype(float)
        one, other = weigh_rows(columns_of(table, weights)), weigh_rows(columns_of(table, weights * scale))
        assert same_bytes(all_ways(one, seed), all_ways(other, seed))

    @examples(40)
    @given(table=tables, seed=seeds)
    def test_training_and_held_out_weights_sum_to_those_of_the_rows(
        self, table: pd.DataFrame, seed: int
    ) -> None:
        evidence = weigh_rows(columns_of(table))
        folds = shuffled_folds(evidence, 3, seed)
        for fold in [*folds, *validation_fold(evidence, 0.3, seed)]:
            assert np.array_equal(fold.train + fold.held, evidence.weights)
        if folds:
            assert np.array_equal(sum(fold.held for fold in folds), evidence.weights)

    @examples(40)
    @given(table=tables, seed=seeds)
    def test_a_continuous_row_leaves_with_all_its_copies(self, table: pd.DataFrame, seed: int) -> None:
        evidence = weigh_rows(columns_of(pd.concat([table, table])))
        for fold in all_ways(evidence, seed):
            alone = (fold.train == 0.0) | (fold.held == 0.0)
            assert alone[evidence.continuous].all()

    def test_a_discrete_row_is_split(self) -> None:
        evidence = weigh_rows(columns_of(frame(DISCRETE, 400, 0)))
        for fold in shuffled_folds(evidence, 4, 0):
            assert ((fold.train > 0.0) & (fold.held > 0.0)).all()

    @pytest.mark.parametrize("kind", [CONTINUOUS, DISCRETE, MIXED])
    def test_folds_have_about_the_same_size(self, kind: str) -> None:
        evidence = weigh_rows(columns_of(frame(kind, 5_000, 3)))
        sizes = [fold.held.sum() for fold in shuffled_folds(evidence, 5, 7)]
        assert len(sizes) == 5
        assert np.abs(np.array(sizes) - 1_000).max() < 5.0 * np.sqrt(5_000 * 0.2 * 0.8)
        [fold] = validation_fold(evidence, 0.1, 7)
        assert abs(fold.held.sum() - 500) < 5.0 * np.sqrt(5_000 * 0.1 * 0.9)

    @examples(40)
    @given(n_rows=st.integers(2, 6), seed=seeds)
    def test_validation_never_holds_out_nothing_or_all(self, n_rows: int, seed: int) -> None:
        [fold] = validation_fold(weigh_rows(columns_of(frame(CONTINUOUS, n_rows, 1))), 0.1, seed)
        assert fold.train.any()
        assert fold.held.any()

    def test_one_row_cannot_be_left_out(self) -> None:
        evidence = weigh_rows(columns_of(frame(CONTINUOUS, 1, 1)))
        assert validation_fold(evidence, 0.5, 0) == []
        assert shuffled_folds(evidence, 5, 0) == []

    def test_parts_of_a_table_are_held_out_as_all_of_it(self) -> None:
        table = columns_of(frame(CONTINUOUS, 200, 5))
        whole = weigh_rows(table)
        fold_of = np.argmax([fold.held > 0.0 for fold in shuffled_folds(whole, 4, 9)], axis=0)
        for part in (table.take(np.arange(70)), table.take(np.arange(70, 200))):
            own = weigh_rows(part)
            found = np.argmax([fold.held > 0.0 for fold in shuffled_folds(own, 4, 9)], axis=0)
            places = np.searchsorted(whole.keys, own.keys)
            assert np.array_equal(found, fold_of[places])

    def test_draws_differ_between_seeds(self) -> None:
        evidence = weigh_rows(columns_of(frame(CONTINUOUS, 100, 5)))
        assert not same_bytes(all_ways(evidence, 1), all_ways(evidence, 2))

    def test_parameters_are_checked(self) -> None:
        evidence = weigh_rows(columns_of(frame(CONTINUOUS, 10, 5)))
        with pytest.raises(ValueError, match="n_folds must be at least 2"):
            shuffled_folds(evidence, 1, 0)
        with pytest.raises(ValueError, match="fraction must lie between"):
            validation_fold(evidence, 1.0, 0)


class TestGroups:
    @examples(40)
    @given(table=tables, seed=seeds, n_groups=st.integers(1, 8))
    def test_groups_are_never_split(self, table: pd.DataFrame, seed: int, n_groups: int) -> None:
        groups = np.random.default_rng(seed).integers(0, n_groups, len(table))
        # With the group as a column no two groups share a row.
        marked = table.assign(group=groups.astype(str))
        evidence = in_groups(weigh_rows(columns_of(marked)), groups)
        group_of = np.zeros(evidence.n_rows, dtype=int)
        group_of[evidence.number] = groups
        for fold in all_ways(evidence, seed):
            for part, rest in itertools.pairwise([fold.train, fold.held, fold.train]):
                assert not set(group_of[part > 0.0]) & set(group_of[rest > 0.0])

    @examples(40)
    @given(table=tables, seed=seeds)
    def test_folds_of_groups_sum_to_the_rows(self, table: pd.DataFrame, seed: int) -> None:
        groups = np.random.default_rng(seed).integers(0, 4, len(table))
        evidence = in_groups(weigh_rows(columns_of(table)), groups)
        folds = shuffled_folds(evidence, 3, seed)
        if folds:
            assert np.array_equal(sum(fold.held for fold in folds), evidence.weights)
        for fold in folds:
            assert np.array_equal(fold.train + fold.held, evidence.weights)

    @examples(40)
    @given(table=tables, seed=seeds, shuffle=st.randoms(use_true_random=False))
    def test_neither_order_nor_names_type_matters(
        self, table: pd.DataFrame, seed: int, shuffle: object
    ) -> None:
        groups = np.random.default_rng(seed).integers(0, 5, len(table))
        order = list(range(len(table)))
        shuffle.shuffle(order)  # type: ignore[attr-defined]
        one = all_ways(in_groups(weigh_rows(columns_of(table)), groups), seed)
        shuffled = weigh_rows(columns_of(table.iloc[order]))
        other = all_ways(in_groups(shuffled, groups[order].astype(object)), seed)
        assert same_bytes(one, other)

    def test_groups_with_a_common_continuous_row_are_one(self) -> None:
        table = frame(CONTINUOUS, 40, 2)
        doubled = pd.concat([table, table.iloc[:1]])
        groups = np.r_[np.repeat([0, 1, 2, 3], 10), 1]  # the first row stands in groups 0 and 1
        evidence = in_groups(weigh_rows(columns_of(doubled)), groups)
        joined = evidence.number[:20]
        for fold in shuffled_folds(evidence, 3, 0):
            assert (fold.held[joined] > 0.0).all() or not fold.held[joined].any()

    def test_folds_of_many_groups_are_balanced(self) -> None:
        table = frame(MIXED, 1_000, 2)
        groups = [f"family {k // 4}" for k in range(1_000)]
        evidence = in_groups(weigh_rows(columns_of(table)), groups)
        sizes = [fold.held.sum() for fold in shuffled_folds(evidence, 5, 0)]
        assert np.ptp(sizes) <= 16.0

    def test_one_group_leaves_nothing_to_train_on(self) -> None:
        evidence = in_groups(weigh_rows(columns_of(frame(MIXED, 20, 2))), np.zeros(20))
        assert shuffled_folds(evidence, 3, 0) == []
        assert validation_fold(evidence, 0.3, 0) == []

    def test_the_wrong_number_of_labels_is_refused(self) -> None:
        evidence = weigh_rows(columns_of(frame(MIXED, 20, 2)))
        with pytest.raises(ValueError, match=r"groups has shape \(3,\), expected \(20,\)"):
            in_groups(evidence, [1, 2, 3])

    def test_weights_are_multiples_of_the_unit(self) -> None:
        table = frame(DISCRETE, 50, 4)
        weights = np.random.default_rng(0).exponential(size=50) + 0.1
        groups = np.arange(50) % 7
        for fold in all_ways(in_groups(weigh_rows(columns_of(table, weights)), groups), 3):
            for part in fold:
                assert np.array_equal(part / UNIT, np.rint(part / UNIT))
