"""Same bytes: rows in any order, cut up in any way, weighted or repeated, in any number of threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from margin_strategies import numbers, table_of, weights_for
from numpy.typing import NDArray

import boxwood as bw
from boxwood.columns import BaseMeasure, Columns
from boxwood.evidence.weights import integer_weights, largest_weight, measures_of, weight_unit
from boxwood.margins import Margins, fit_margins, margins_of_summary, summarize
from properties import examples


def bytes_of(margins: Margins) -> bytes:
    parts = []
    for state in margins.to_state():
        for name, value in state.items():
            parts.append(
                name.encode() + (value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode())
            )
    return b"".join(parts)


def mixed_table(n: int, seed: int, weights: Any = None) -> Columns:
    rng = np.random.default_rng(seed)
    table = {
        "smooth": rng.normal(size=n),
        "gaps": np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n)),
        "count": rng.poisson(3, n),
        "rain": np.where(rng.random(n) < 0.5, 0.0, rng.exponential(size=n)),
        "colour": np.array(["r", "g", "b", None], dtype=object)[rng.integers(0, 4, n)],
        "flag": rng.random(n) < 0.2,
    }
    return bw.read_columns(table, sample_weight=weights, kinds={"colour": "categorical"})


def measure_of(columns: Columns) -> BaseMeasure:
    return BaseMeasure.found(measures_of(columns))


def cut(columns: Columns, labels: NDArray[np.int64]) -> list[Columns]:
    return [columns.take(np.flatnonzero(labels == label)) for label in np.unique(labels)]


@examples(100)
@given(numbers(max_size=40), st.integers(0, 2**32 - 1), st.sampled_from(["smooth", "linear"]), st.data())
def test_the_whole_is_the_merge_of_its_parts(
    values: NDArray[np.float64], seed: int, kind: str, data: st.DataObject
) -> None:
    weights = data.draw(st.none() | weights_for(len(values)))
    columns = table_of(values, weights)
    labels = np.random.default_rng(seed).integers(0, 5, len(values))
    parts = cut(columns, labels)
    merged = margins_of_summary(summarize(parts), kind, measure=measure_of(columns))
    assert bytes_of(merged) == bytes_of(fit_margins(columns, kind))


@pytest.mark.parametrize("n", [1, 50, 20_000])
@pytest.mark.parametrize("weighted", [False, True])
def test_parts_of_a_mixed_table(n: int, weighted: bool) -> None:
    rng = np.random.default_rng(n)
    columns = mixed_table(n, n, rng.exponential(size=n) if weighted else None)
    integer = bytes_of(fit_margins(columns))
    for n_parts in (2, 7):
        parts = cut(columns, rng.integers(0, n_parts, n))
        assert bytes_of(margins_of_summary(summarize(parts), measure=measure_of(columns))) == integer
    assert bytes_of(fit_margins(columns.take(rng.permutation(n)))) == integer


@examples(100)
@given(numbers(max_size=30), st.data())
def test_a_whole_weight_is_that_many_rows(values: NDArray[np.float64], data: st.DataObject) -> None:
    counts = np.array(data.draw(st.lists(st.integers(0, 6), min_size=len(values), max_size=len(values))))
    if not counts.any():
        counts[0] = 1
    weighted = fit_margins(table_of(values, counts))
    assert bytes_of(weighted) == bytes_of(fit_margins(table_of(np.repeat(values, counts))))


@pytest.mark.parametrize("n", [40, 30_000])
def test_weight_two_is_the_row_twice_for_every_kind_of_column(n: int) -> None:
    columns = mixed_table(n, 1)
    twice = columns.take(np.repeat(np.arange(n), 2))
    assert bytes_of(fit_margins(columns.with_weights(np.full(n, 2.0)))) == bytes_of(fit_margins(twice))


def test_parts_with_and_without_weights() -> None:
    columns = table_of(np.arange(10.0))
    plain, weighted = columns.take(np.arange(4)), columns.take(np.arange(4, 10)).with_weights(np.full(6, 3.0))
    together = table_of(np.repeat(np.arange(10.0), np.repeat([1, 3], [4, 6])))
    merged = margins_of_summary(summarize([plain, weighted]), measure=measure_of(together))
    assert bytes_of(merged) == bytes_of(fit_margins(together))


@pytest.mark.parametrize("n_jobs", [2, 3, -1])
def test_threads_change_nothing(n_jobs: int) -> None:
    columns = mixed_table(5000, 3)
    margins = fit_margins(columns, n_jobs=n_jobs)
    assert bytes_of(margins) == bytes_of(fit_margins(columns))
    u = margins.encode(columns)
    assert u.tobytes() == margins.encode(columns, n_jobs=n_jobs).tobytes()
    assert (
        margins.log_derivative(columns).tobytes() == margins.log_derivative(columns, n_jobs=n_jobs).tobytes()
    )
    assert margins.decode(u) == margins.decode(u, n_jobs=n_jobs)


def test_no_threads_at_all_are_refused() -> None:
    with pytest.raises(ValueError, match="n_jobs must be"):
        fit_margins(table_of(np.arange(3.0)), n_jobs=0)


@pytest.mark.parametrize("weight", [5e-324, 1e-300, 0.1, 1.0, 3.0, 2.0**30, 1e300])
def test_the_unit_of_weight_is_a_power_of_two_that_keeps_30_bits(weight: float) -> None:
    unit = weight_unit(weight)
    assert unit > 0
    assert np.frexp(unit)[0] == 0.5
    counted = integer_weights(table_of(np.zeros(1), [weight]), unit)
    assert counted is not None
    assert 1 <= counted[0] <= 2**30
    assert counted[0] * unit == pytest.approx(weight, rel=2.0**-29)


def test_rows_of_tiny_weight_are_not_lost() -> None:
    columns = table_of(np.array([0.0, 5.0]), [1e-20, 1.0])
    margin = fit_margins(columns, "linear").columns[0]
    assert np.isfinite(margin.log_derivative(columns[0].values)).all()


def test_largest_weight_of_parts() -> None:
    columns = table_of(np.arange(3.0))
    assert largest_weight([columns]) is None
    assert largest_weight([columns, columns.with_weights(np.full(3, 0.25))]) == 1.0


def test_a_part_with_a_category_of_its_own_is_refused() -> None:
    first = bw.read_columns({"c": ["a", "b"]})
    second = bw.read_columns({"c": ["a", "z"]}).matched(first.schema)
    with pytest.raises(ValueError, match="'c' holds a category"):
        summarize([first, second])


def test_summaries_of_other_columns_do_not_merge() -> None:
    one, other = summarize([table_of(np.arange(3.0))]), summarize([mixed_table(3, 0)])
    with pytest.raises(ValueError, match="same columns"):
        one.merge(other)
