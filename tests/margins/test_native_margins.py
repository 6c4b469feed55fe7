"""The margins of all columns in one native call, against those of one column after another."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from margin_strategies import numbers, weights_for
from reference_margins import encode_columns, fit_columns

import boxwood as bw
from boxwood import _core
from boxwood.columns import CATEGORIES, BaseMeasure, Column, Columns
from boxwood.evidence import share_measure
from boxwood.evidence.weights import measures_of
from boxwood.margins import Margins, NumberMargin, fit_margins, margins_of_summary, summarize
from boxwood.margins.fields import field_specs
from properties import examples


@st.composite
def tables(draw: st.DrawFn) -> Columns:
    """Draw tables with columns of every kind, with missing values or without, with weights or without."""
    drawn = draw(numbers(max_size=40))
    n = len(drawn)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    missing = draw(st.sampled_from([0.0, 0.3, 1.0]))
    table = {
        "x": np.where(rng.random(n) < missing, np.nan, drawn),
        "plain": rng.normal(size=n),
        "k": rng.integers(-50, 50, n) * draw(st.sampled_from([1, 2**45])),
        "c": np.where(rng.random(n) < missing, None, rng.choice(list("abcd"), n)),
        "b": rng.random(n) < 0.5,
        "t": np.datetime64("2020-01-01") + rng.integers(0, 900, n).astype("timedelta64[D]"),
    }
    weights = draw(st.none() | weights_for(n))
    return bw.read_columns(table, sample_weight=weights)


def assert_same(margins: Margins, expected: list) -> None:
    assert len(margins.columns) == len(expected)
    for margin, wanted in zip(margins.columns, expected, strict=True):
        assert type(margin) is type(wanted)
        found, state = margin.to_state(), wanted.to_state()
        for name in state:
            np.testing.assert_array_equal(found[name], state[name])


@examples(80)
@given(tables(), st.sampled_from(["smooth", "linear"]), st.sampled_from([None, 2]))
def test_fitted_encoded_and_decoded_as_column_by_column(
    table: Columns, kind: str, n_jobs: int | None
) -> None:
    margins = fit_margins(table, kind, n_jobs)
    expected = fit_columns(table, kind)
    assert_same(margins, expected)
    assert margins.continuous == [margin.is_continuous for margin in expected]
    points = margins.encode(table, n_jobs)
    np.testing.assert_array_equal(points, encode_columns(expected, table))
    again = margins.decode(points, n_jobs)
    for j, margin in enumerate(expected):
        values = margin.decode(np.ascontiguousarray(points[:, j]))
        np.testing.assert_array_equal(again[j].values, values)
        assert again[j].values.dtype == values.dtype
        assert again[j].n_missing == np.count_nonzero(again[j].missing())


@examples(40)
@given(tables(), st.sampled_from(["smooth", "linear"]))
def test_counts_of_parts_make_the_same_margins(table: Columns, kind: str) -> None:
    parts = [part for rows in np.array_split(np.arange(table.n_rows), 3) if (part := table.take(rows)).n_rows]
    measures = measures_of(table)
    found = margins_of_summary(summarize(parts), kind, measure=BaseMeasure.found(measures))
    assert_same(found, fit_columns(table, kind))
    from_counts = [None if field.kind.is_number else CATEGORIES for field in table.schema.fields]
    assert_same(margins_of_summary(summarize(parts), kind), fit_columns(table, kind, from_counts))


@examples(40)
@given(tables(), st.sampled_from(["smooth", "linear"]))
def test_shared_atoms_reach_every_column(table: Columns, kind: str) -> None:
    halves = np.array_split(np.arange(table.n_rows), 2)
    shared = share_measure(table, halves)
    for part in [shared.take(rows) for rows in halves if len(rows)]:
        assert_same(fit_margins(part, kind), fit_columns(part, kind))


def large_table() -> Columns:
    rng = np.random.default_rng(0)
    return bw.read_columns(
        {
            "x": np.where(rng.random(20_000) < 0.1, np.nan, rng.normal(size=20_000)),
            "k": rng.poisson(40, 20_000),
            "c": rng.choice(["a", "b", "c"], 20_000),
        }
    )


@pytest.mark.parametrize("kind", ["smooth", "linear"])
def test_threads_change_no_bit(kind: str) -> None:
    table = large_table()
    margins = [fit_margins(table, kind, n_jobs) for n_jobs in (None, 3)]
    assert_same(margins[0], list(margins[1].columns))
    for missing in ("marginal", "event"):
        logs = [margins[0].log_derivative(table, missing, n_jobs) for n_jobs in (None, 3)]
        np.testing.assert_array_equal(*logs)
    points = [margins[0].encode(table, n_jobs) for n_jobs in (None, 3)]
    np.testing.assert_array_equal(*points)
    decoded = [margins[0].decode(points[0], n_jobs) for n_jobs in (None, 3)]
    assert decoded[0] == decoded[1]


def test_a_matrix_and_its_columns_are_the_same_table() -> None:
    X = np.random.default_rng(0).normal(size=(100, 3))
    whole, listed = bw.read_columns(X), bw.read_columns({f"x{j}": X[:, j] for j in range(3)})
    assert isinstance(whole.arrays(), np.ndarray)
    assert isinstance(listed.arrays(), list)
    margins = fit_margins(whole)
    assert_same(margins, list(fit_margins(listed).columns))
    np.testing.assert_array_equal(margins.encode(whole), margins.encode(listed))


def test_a_matrix_that_has_codes_in_it_is_not_taken_for_numbers() -> None:
    table = bw.read_columns({"x": [0.5, 1.5, 2.5], "c": ["u", "v", "u"]})
    before = fit_margins(table).encode(table)
    table.matrix()  # kept by the table from now on
    np.testing.assert_array_equal(fit_margins(table).encode(table), before)


def test_a_category_that_the_schema_does_not_know_is_named() -> None:
    table = bw.read_columns({"c": ["u", "v", "u"]})
    strange = Columns(table.schema, 1, columns=[Column(table.schema.fields[0], np.array([2], np.int32), 0)])
    with pytest.raises(ValueError, match="column 'c' holds a category that is not in the schema"):
        fit_margins(strange)
    assert np.isfinite(fit_margins(table).log_derivative(strange)).all()


def test_malformed_input_is_refused() -> None:
    table = bw.read_columns({"x": [0.5, 1.5, 2.5], "c": ["u", "v", "u"]})
    margins = fit_margins(table)
    numbers_, codes = table.arrays()
    fields = field_specs(table.schema)
    smooth, event = _core.MarginKind.smooth, _core.MissingValues.event
    for arrays in ([numbers_], [codes, numbers_], [numbers_[:2], codes], np.zeros((2, 3))):
        with pytest.raises(ValueError, match=r"columns|kind|rows"):
            margins.native.encode(arrays)
        with pytest.raises(ValueError, match=r"columns|kind|rows"):
            margins.native.log_derivative(arrays, event)
        with pytest.raises(ValueError, match=r"field|rows"):
            _core.fit_margins(arrays, fields, None, 1.0, smooth)
    with pytest.raises(ValueError, match="one weight a row"):
        _core.fit_margins([numbers_, codes], fields, np.ones(2, np.int64), 1.0, smooth)
    with pytest.raises(ValueError, match="too few or too many"):
        margins.native.decode(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="no category"):
        margins.native.encode([numbers_, np.array([0, 1, 3], np.int32)])
    with pytest.raises(ValueError, match="one summary a column"):
        _core.margins_of_summaries([], fields, 1.0, smooth)
    with pytest.raises(ValueError, match="of another column"):
        _core.margins_of_summaries([np.ones(4, np.int64), np.ones(3, np.int64)], fields, 1.0, smooth)
    with pytest.raises(ValueError, match="negative"):
        _core.make_margins([(np.array([-0.5]), 0.0, 0.0)])
    with pytest.raises(TypeError):
        margins.native.encode([numbers_.astype(np.float32), codes])


def test_margins_are_made_of_their_columns() -> None:
    table = large_table()
    margins = fit_margins(table)
    again = Margins(table.schema, margins.columns)
    np.testing.assert_array_equal(again.encode(table), margins.encode(table))
    assert isinstance(margins.columns[0], NumberMargin)
    assert again.continuous == margins.continuous
