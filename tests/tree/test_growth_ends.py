"""Growth of density trees ends: there are at most so many leaves for each row, whatever the options."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from box_laws import KINDS
from box_laws import make_table as make_columns
from core_tables import CRITERIA, Table, grow_options, make_table, tables
from hypothesis import given
from hypothesis import strategies as st
from reference_growth import replay
from reference_trees import walk_trees

import boxwood as bw
from boxwood import _core
from properties import examples

LEAVES_A_ROW = 40
"""A cut that parts rows may be followed by cuts through each empty margin and around each empty category."""

options_of_growth = st.fixed_dictionaries(
    {
        "criterion": st.sampled_from(CRITERIA),
        "min_samples_leaf": st.sampled_from([0.0, 0.0, 0.5, 1.0, 4.0]),
        "min_samples_split": st.sampled_from([0.0, 2.0, 10.0]),
        "best_first": st.booleans(),
        "random_splits": st.sampled_from([0, 3]),
        "max_aspect": st.sampled_from([np.inf, np.inf, 4.0, 1e6]),
        "uniformity_level": st.sampled_from([0.0, 0.0, 0.5]),
        "max_features": st.sampled_from([0, 0, 1]),
        "max_candidates": st.sampled_from([1024, 5]),
        "min_gain": st.sampled_from([-np.inf, 0.0]),
    }
)


def n_leaves_of(table: Table, **values: Any) -> int:
    """Grow; return the number of leaves, at most one more than may be there."""
    most = LEAVES_A_ROW * len(table.bins) + 1
    options = grow_options(values.pop("criterion"), max_leaf_nodes=most, **values)
    return _core.grow_tree(table.native(), options).n_leaves


@given(table=tables(most_rows=40), values=options_of_growth)
@examples(150)
def test_leaves_are_few_for_each_row(table: Table, values: dict[str, Any]) -> None:
    assert n_leaves_of(table, **values) <= LEAVES_A_ROW * len(table.bins)


@given(
    place=st.floats(0.0, 1.0, exclude_max=True),
    n_rows=st.integers(1, 60),
    weight=st.sampled_from([1.0, 1000.0]),
    apart=st.sampled_from([0.0, 1e-300, 1e-16, 1e-9]),
    values=options_of_growth,
)
@examples(150)
def test_leaves_are_few_for_rows_at_one_point_or_close_to_it(
    place: float, n_rows: int, weight: float, apart: float, values: dict[str, Any]
) -> None:
    table = make_table(0, n_rows, 2, 0, exact=True)
    table.points[:] = np.minimum(place + apart * np.arange(n_rows)[:, None], 1.0)
    table.weights[:] = weight
    n_points = len(np.unique(table.points[:, 0]))
    # Rows with an extent, and enough of them, may have margins halved until the box is as narrow as they are.
    most = LEAVES_A_ROW if n_points == 1 else LEAVES_A_ROW * len(table.bins)
    assert n_leaves_of(table, **values) <= most


@given(
    criterion=st.sampled_from(CRITERIA),
    splitter=st.sampled_from(["exact", "binned", "random"]),
    margins=st.sampled_from(["linear", "smooth"]),
    leaf=st.sampled_from(["uniform", "histogram", "gaussian", "gaussian_full"]),
    smallest=st.sampled_from([0, 0, 0.5, 1]),
    split=st.sampled_from([0, 2, 10]),
    max_leaf_nodes=st.sampled_from([None, "cube_root"]),
    kinds=st.lists(st.sampled_from(KINDS), min_size=1, max_size=3).map(tuple),
    n=st.sampled_from([2, 7, 40, 120]),
    seed=st.integers(0, 10**6),
)
@examples(60)
def test_every_tree_can_be_fitted(
    criterion, splitter, margins, leaf, smallest, split, max_leaf_nodes, kinds, n, seed
) -> None:
    model = bw.DensityTree(
        criterion=criterion,
        splitter=splitter,
        margins=margins,
        leaf=leaf,
        prune=None,
        min_samples_leaf=smallest,
        min_samples_split=split,
        max_leaf_nodes=max_leaf_nodes,
        random_state=0,
    ).fit(make_columns(kinds, n, seed))
    assert model.n_leaves_ <= LEAVES_A_ROW * n


@pytest.mark.parametrize(
    ("kinds", "n", "seed", "margins"),
    [(("number", "date"), 120, 674404, "linear"), (("category", "number"), 40, 559257, "smooth")],
)
def test_the_tree_of_the_lecture_notes_ends(kinds: tuple[str, ...], n: int, seed: int, margins: str) -> None:
    columns = make_columns(kinds, n, seed)
    sizes = [
        bw.DensityTree(
            criterion="loo", splitter=splitter, min_samples_leaf=smallest, margins=margins, prune=None
        )
        .fit(columns)
        .n_leaves_
        for splitter, smallest in (("exact", 0), ("exact", 1), ("binned", 0))
    ]
    assert max(sizes) <= 3 * min(sizes)


def test_an_aspect_of_exactly_the_limit_is_allowed() -> None:
    """The right box is 1 − 0.9 wide, which is less than 0.1 by rounding: its aspect is 10.000000000000002."""
    assert 1.0 / (1.0 - 0.9) > 10.0
    bins = np.array([[0, 0]] + [[1, 0]] * 9, dtype=np.uint16)
    columns = [(np.array([0.0, 0.9, 1.0]), False), (np.array([0.0, 1.0]), False)]
    points = np.where(bins == 1, 0.95, 0.5)
    table = Table(columns, bins, points, np.ones(10), exact=False)
    for max_aspect, n_leaves in ((10.0, 2), (10.0 - 1e-9, 1)):
        options = grow_options(max_aspect=max_aspect)
        native = table.native()
        grown = _core.grow_tree(native, options)
        assert grown.n_leaves == n_leaves
        (nodes,) = walk_trees(grown.fit_leaves(native, _core.LeafOptions()), grown.columns())
        replay("log_likelihood", table, grown.columns(), nodes, grown.gains(), options)
