"""A stage goes into the native core once, whatever the number of columns."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest

import boxwood as bw
from boxwood.margins import fit_margins
from crossings import Crossings, count_crossings

FOLDS = 10
"""Of the margins, which are fitted and scored without each of them: two crossings a fold."""
MOST_OF_A_FOREST = 9 + 2 * FOLDS


@pytest.fixture
def crossings(monkeypatch) -> Crossings:
    return count_crossings(monkeypatch, attributes=True)


def table_of(n_columns: int, mixed: bool = False) -> object:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 1)) + rng.normal(size=(300, n_columns))
    if not mixed:
        return X
    table: dict[str, object] = {f"x{j}": X[:, j] for j in range(n_columns)}
    table["x0"] = np.where(X[:, 0] > 1.5, np.nan, X[:, 0])
    table["k"] = np.round(X[:, 0] * 10.0).astype(int)
    table["c"] = np.array(["u", "v", "w"])[np.digitize(X[:, 1], [-0.5, 0.5])]
    return pd.DataFrame(table)


def stages(crossings: Crossings, *, reading: bool = True) -> Counter[str]:
    """Return the calls; options are structures that a call takes along, and no stage."""
    kept = crossings.outside() if reading else crossings.outside("columns")
    crossings.calls.clear()
    return Counter({name: n for name, n in kept.items() if "Options" not in name.split(".")[0]})


@pytest.mark.parametrize("weighted", [False, True])
def test_a_forest_is_fitted_in_few_crossings_for_any_number_of_columns(crossings, weighted):
    weights = np.random.default_rng(0).integers(1, 5, 300) if weighted else None
    found = []
    for n_columns in (5, 50):
        # What draws are corrected by is another stage.
        bw.DensityForest(10, random_state=0, correction=None).fit(table_of(n_columns), sample_weight=weights)
        found.append(stages(crossings))
    print(f"DensityForest: {found[0].total()} crossings: {dict(found[0])}")
    assert found[0] == found[1]
    assert found[0].total() <= MOST_OF_A_FOREST
    assert {"fit_margins", "bin_rows", "fit_table_forest"} <= set(found[0])


def test_columns_of_all_kinds_add_no_crossing(crossings):
    found = []
    for n_columns in (3, 20):
        # Gaps of x0 follow from k where no other column has as few values; rules and what draws are corrected
        # by are stages of their own.
        forest = bw.DensityForest(10, random_state=0, dependencies=None, correction=None)
        forest.fit(table_of(n_columns, mixed=True))
        found.append(stages(crossings, reading=False))
    assert found[0] == found[1]
    assert found[0].total() <= MOST_OF_A_FOREST - 1


@pytest.mark.parametrize(
    ("prune", "most"), [("loo", 46 + 2 * FOLDS), ("cv", 72 + 2 * FOLDS), (None, 35 + 2 * FOLDS)]
)
def test_crossings_of_a_tree_are_those_of_its_folds(crossings, prune, most):
    """Growth, pruning and leaves of the whole table and of each of the five folds that calibrate it."""
    found = []
    for n_columns in (5, 50):
        bw.DensityTree(random_state=0, prune=prune).fit(table_of(n_columns))
        found.append(stages(crossings))
    print(f"DensityTree({prune}): {found[0].total()} crossings: {dict(found[0])}")
    assert found[0] == found[1]
    assert found[0].total() <= most


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize("make", [bw.DensityForest, bw.DensityTree])
def test_rows_are_scored_and_drawn_in_one(crossings, make, mixed):
    table = table_of(5, mixed)
    model = make(random_state=0).fit(table)
    crossings.calls.clear()
    model.score_samples(table)
    assert stages(crossings, reading=False) == {"table_log_density": 1}
    model.score_samples(table[:1])
    assert stages(crossings, reading=False) == {"table_log_density": 1}
    model.sample(20, random_state=0)
    assert stages(crossings) == {"sample_table": 1}


def test_one_crossing_reads_a_small_frame_with_the_fitted_schema(crossings):
    frame = pd.DataFrame(table_of(5), columns=list("abcde"))
    model = bw.DensityForest(5, random_state=0).fit(frame)
    crossings.calls.clear()
    model.score_samples(frame[:1])
    assert stages(crossings) == {"scan_values": 1, "table_log_density": 1}


def test_margins_of_a_table_are_one_crossing_each_way(crossings):
    table = bw.read_columns(table_of(7, mixed=True))
    crossings.calls.clear()
    margins = fit_margins(table)
    assert stages(crossings) == {"merge_rows": 1, "fit_margins": 1}
    points = margins.encode(table)
    assert stages(crossings) == {"Margins.encode": 1}
    margins.log_derivative(table)
    assert stages(crossings) == {"Margins.log_derivative": 1}
    margins.decode(points)
    assert stages(crossings) == {"Margins.decode": 1}
