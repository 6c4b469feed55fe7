"""How often a fit of boosted densities goes into the native core, and through what."""

from __future__ import annotations

import ast
from inspect import signature

import numpy as np
import pandas as pd
import pytest

import boxwood as bw
from boxwood import _core
from boxwood.boosting.ratio.raking import MOST_BATCHES
from boxwood.tree.density.forest import ForestParameters
from crossings import PACKAGE, Crossings, count_crossings

CONSTANT = 36
"""Crossings of a fit beside one a round, of which networks in two orders take 14. Tables here are so large
that nothing is fitted again for folds."""


RAKING = (
    *("network_quantiles", "locate_by_networks", "MapChain.move_back", "Margins.is_unseen", "Mixture.sample"),
    *("RatioOptions", "RatioTrees.log_ratio", "grow_ratio_trees"),
)
"""What draws for raking go through: networks one column at a time."""


GAUSSIANS = ("gaussian_exponents", "gaussian_scatters")
"""Once each a step of expectation–maximisation: at most 40 of some thirty mixtures that are tried."""


@pytest.fixture
def crossings(monkeypatch) -> Crossings:
    return count_crossings(monkeypatch)


def bent(n: int, d: int) -> np.ndarray:
    """Columns of which each is a smooth function of the one before, with noise."""
    X = np.random.default_rng(0).normal(size=(n, d))
    for j in range(1, d):
        X[:, j] = np.sin(2.0 * X[:, j - 1]) + 0.3 * X[:, j]
    return X


def mixed(n: int) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 3, n)
    x = rng.normal(size=n) + kind
    x[rng.random(n) < 0.1] = np.nan
    return pd.DataFrame({"kind": np.array(["a", "b", "c"])[kind], "n": rng.poisson(3.0 + kind), "x": x})


def test_every_call_is_counted(crossings):
    options = _core.MapGrowOptions()
    boosters = _core.Boosters(options)
    boosters.add([np.full((3, 1), 0.5)], [np.empty((0, 1))], [0])
    bw.read_columns(np.zeros((2, 2)))
    assert crossings.outside() == {
        "MapGrowOptions": 1,
        "Boosters": 1,
        "Boosters.add": 1,
        "scan_values": 1,
    }
    assert not crossings.outside("columns")["scan_values"]


@pytest.mark.parametrize("table", [bent(1020, 5), bent(1010, 8), mixed(1500)], ids=["5", "8", "mixed"])
def test_a_fit_crosses_less_than_once_a_round(crossings, table):
    """Margins and bins are stages of their own, whose crossings the test of forests bounds."""
    model = bw.BoostedDensity(n_estimators=100, n_networks=2, random_state=0).fit(table)
    found, rounds = crossings.outside("margins", "binning"), sum(model.n_estimators_)
    for name in RAKING:
        assert found.pop(name, 0) <= 4 * (2 + table.shape[1])  # two networks, two sets of draws
    for name in GAUSSIANS:
        assert found.pop(name, 0) <= 40 * 30
    own = found.total()
    print(f"{len(crossings.calls)} crossings, {own} of them of boosting and trees; {rounds} rounds")
    assert own <= CONSTANT + rounds


def test_columns_and_rounds_add_no_crossing(crossings):
    found = []
    for d, n_estimators in ((3, 5), (12, 5), (3, 30)):
        crossings.calls.clear()
        bw.BoostedDensity(components=["forest", "margins"], n_estimators=n_estimators, random_state=0).fit(
            bent(1400, d)
        )
        found.append(crossings.outside("margins", "binning"))
        # Each batch of draws that finds the mean of the factors goes through the trees once.
        assert found[-1].pop("RatioTrees.log_ratio", 0) <= 4 + MOST_BATCHES
        for name in RAKING:  # once for each part that is kept and set of draws
            assert found[-1].pop(name, 0) <= 4
    assert found[0] == found[1] == found[2]
    assert found[0].total() <= CONSTANT + 5


def test_a_fit_reads_one_table_and_scores_no_rows_out_of_bag(crossings):
    bw.BoostedDensity("quick", n_estimators=10, random_state=0).fit(bent(1500, 4))
    everything = crossings.outside()
    assert everything["scan_values"] == 1
    assert everything["fit_table_forest"] == 1
    assert everything["Mixture.score_training"] == 0


@pytest.mark.parametrize("path", sorted((PACKAGE / "boosting").glob("*.py")), ids=lambda path: path.stem)
def test_boosting_knows_neither_estimators_nor_input_validation(path):
    imported = [
        f"{node.module}.{name.name}"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    ]
    assert not [name for name in imported if name.startswith("boxwood.density")]
    assert not [name for name in imported if name.endswith("read_columns")]


def test_the_stage_has_the_estimators_defaults():
    defaults = {name: value.default for name, value in signature(bw.DensityForest).parameters.items()}
    of_estimators = {"bounds", "correction", "dependencies", "duplicates", "weight_kind", "false_alarm_rate"}
    of_estimators |= {"rotation", "random_state", "support", "verbose"}
    stage = {name: value.default for name, value in signature(ForestParameters).parameters.items()}
    assert stage == {name: value for name, value in defaults.items() if name not in of_estimators}
