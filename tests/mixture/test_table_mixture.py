"""A mixture under margins, in one native call: against its points, its margins and its mixture one by one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import boxwood as bw
from boxwood import _core
from boxwood.evidence import weigh_rows
from boxwood.mixture import observed_points
from boxwood.tree.density.forest import ForestParameters, fit_forest


def table_of(n_rows: int) -> pd.DataFrame:
    rng = np.random.default_rng(n_rows)
    x = rng.normal(size=n_rows)
    return pd.DataFrame(
        {
            "x": np.where(rng.random(n_rows) < 0.1, np.nan, x),
            "k": rng.poisson(5.0 + np.abs(x)),
            "c": pd.Categorical.from_codes(rng.integers(-1, 3, n_rows), list("abc")),
            "z": x + rng.normal(size=n_rows),
        }
    )


@pytest.fixture(scope="module", params=["forest", "tree", "product"])
def model(request):
    kind = {
        "forest": bw.DensityForest(10, random_state=0),
        "tree": bw.DensityTree(margins="smooth", leaf="gaussian", random_state=0),
        "product": bw.ProductDensity(),
    }[request.param]
    return kind.fit(table_of(600))


@pytest.mark.parametrize("n_threads", [1, 3])
@pytest.mark.parametrize("n_rows", [1, 700, 9000])
def test_log_densities_are_those_of_points_and_margins(model, n_rows, n_threads):
    form = model.to_mixture()
    columns = bw.read_columns(table_of(n_rows)).matched(model.schema_)
    on_cube = form.mixture.log_density(observed_points(form.margins, columns))
    expected = on_cube + form.margins.log_derivative(columns)
    np.testing.assert_array_equal(form.log_density(columns, n_threads), expected)


@pytest.mark.parametrize("n_threads", [1, 3])
def test_samples_are_decoded_points(model, n_threads):
    form = model.to_mixture()
    points = form.mixture.sample(5000, 7)
    known = np.flatnonzero(~form.margins.native.is_unseen(points))  # the others are drawn again
    assert len(known) > 4900
    assert form.sample(5000, 7, n_threads).take(known) == form.margins.decode(points[known])


def test_training_rows_are_scored_by_all_trees_and_by_those_that_did_not_see_them():
    evidence = weigh_rows(bw.read_columns(table_of(500)))
    columns, parameters = evidence.columns, ForestParameters(10, missing="ignore")
    fitted = fit_forest(evidence, parameters, 0)
    points, logs = observed_points(fitted.margins, columns), fitted.margins.log_derivative(columns)
    np.testing.assert_array_equal(fitted.log_density, fitted.mixture.log_density(points) + logs)
    n_unseen, on_cube, of_halves, of_quarters = fitted.unseen.reshape(-1, 4).T
    assert 1.0 < n_unseen.mean() < 3.0
    assert (on_cube + logs != fitted.log_density).mean() > 0.5
    some = n_unseen == 4.0  # then quarters are single trees
    assert (of_quarters[some] <= of_halves[some] + 1e-12).all()
    assert (of_halves[some] <= on_cube[some] + 1e-12).all()
    unscored = fit_forest(evidence, parameters, 0, score=False)
    assert len(unscored.log_density) == len(unscored.unseen) == 0
    np.testing.assert_array_equal(unscored.mixture.log_density(points) + logs, fitted.log_density)


def test_n_jobs_changes_no_score():
    table = table_of(3000)
    scores = [
        bw.DensityForest(5, random_state=0, n_jobs=n).fit(table).score_samples(table) for n in (None, 2)
    ]
    np.testing.assert_array_equal(*scores)


def test_margins_of_another_table_are_refused(model):
    form = model.to_mixture()
    other = bw.DensityForest(2, random_state=0).fit(np.random.default_rng(0).normal(size=(50, 2)))
    columns = bw.read_columns(np.zeros((1, 2)))
    with pytest.raises(ValueError, match="same number of columns"):
        _core.table_log_density(
            other.margins_.native, form.mixture.native, columns.arrays(), _core.MissingValues.event
        )
    with pytest.raises(ValueError, match="too few or too many"):
        form.log_density(columns)
