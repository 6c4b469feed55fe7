"""The core's options come from the parameters of their names."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import boxwood as bw
from boxwood import _core
from boxwood.parameters import MOST, fill_options
from boxwood.tree.density.forest import ForestParameters
from boxwood.tree.density.growth import grow_options
from boxwood.tree.supervised.options import grow_options as supervised_grow_options

ODD = {
    "max_depth": 7,
    "max_leaf_nodes": 11,
    "min_samples_leaf": 3,
    "max_aspect": 5.5,
    "uniformity_level": 0.25,
    "max_candidates": 17,
    "mass_prior": 2.5,
    "histogram_prior": 3.5,
}


@pytest.mark.parametrize("cls", [bw.DensityTree, bw.DensityForest])
def test_numbers_of_densities_arrive(cls):
    options = grow_options(cls(**ODD), 4, 100.0, 6.0, 9)
    leaf = fill_options(_core.LeafOptions(), cls(**ODD))
    arrived = {name: getattr(options if hasattr(options, name) else leaf, name) for name in ODD}
    assert arrived == ODD
    assert (options.best_first, options.min_samples_split, options.seed) == (True, 6.0, 9)


def test_a_forest_without_its_estimator_has_the_estimator_s_parameters():
    names = [name for name in inspect.signature(ForestParameters).parameters if name != "self"]
    estimator, without = bw.DensityForest(), ForestParameters()
    assert {name: getattr(estimator, name) for name in names} == vars(without)
    of_both = [grow_options(parameters, 4, 100.0, 6.0, 9) for parameters in (estimator, without)]
    fields = [name for name in dir(_core.GrowOptions) if not name.startswith("_")]
    assert [getattr(of_both[0], name) for name in fields] == [getattr(of_both[1], name) for name in fields]
    assert ForestParameters(max_candidates=17) != without
    assert grow_options(ForestParameters(max_candidates=17), 4, 100.0, 6.0, 9).max_candidates == 17


def test_none_leaves_the_core_its_default():
    options, fresh = grow_options(bw.DensityTree(), 4, 100.0, 6.0, 9), _core.GrowOptions()
    for name in ("max_depth", "max_leaf_nodes", "max_aspect", "uniformity_level"):
        assert getattr(options, name) == getattr(fresh, name)


def test_computed_options_count_before_parameters():
    tree = bw.DensityTree(splitter="random", random_splits=4, max_features=0.5)
    options = grow_options(tree, 6, 100.0, 6.0, 9)
    assert (options.random_splits, options.max_features) == (4, 3)
    assert grow_options(tree.set_params(splitter="exact"), 6, 100.0, 6.0, 9).random_splits == 0


def test_types_are_the_core_s():
    forest = bw.DensityForest(bootstrap=np.True_, max_samples=1, max_depth=10**30)
    options = fill_options(_core.DensityForestOptions(), forest)
    assert (options.bootstrap, options.max_samples) == (True, 1.0)
    assert fill_options(_core.GrowOptions(), forest).max_depth == MOST


@pytest.mark.parametrize("cls", [bw.DecisionTreeClassifier, bw.RandomForestRegressor])
def test_numbers_of_supervised_trees_arrive(cls):
    options = supervised_grow_options(cls(max_depth=7, max_leaf_nodes=11, oblique=2), 9, 100.0, 1.0, 1.0)
    assert (options.max_depth, options.max_leaf_nodes, options.best_first) == (7, 11, True)
    assert (options.n_directions, options.direction_columns, options.random_splits) == (2, 3, 0)
