"""The promise: the same model file for any number of threads, workers and partitions."""

import warnings
from typing import Any

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pytest
from dask_tables import PARTITIONINGS, discrete_frame, in_parts, mixed_frame, numbers, sha256, states_of
from sklearn.base import clone

import boxwood as bw
import boxwood.dask

EDGES = {"size": [-5, -1, 0, 1, 5], "count": [0, 2, 7], "wait": [0, 1, 20], "grade": [0, 4, 10]}

DENSITIES = [
    bw.DensityForest(n_estimators=6, random_state=0),
    bw.DensityForest(n_estimators=3, bootstrap=True, min_samples_split=20, random_state=1),
    bw.DensityForest(n_estimators=3, splitter="exact", dependencies=None, random_state=1),
    bw.DensityTree(random_state=0),
    bw.Histogram(),
    bw.Histogram(bins=EDGES),
    bw.ProductDensity(),
]

COUNTED_CLASSES = [
    bw.HistogramNB(bins=5, range=(-3.0, 9.0)),
    bw.HistogramNB(),
    bw.RandomForestClassifier(n_estimators=5, oob_score=True, random_state=0),
    bw.DecisionTreeClassifier(random_state=0),
]

MOMENTS = [bw.GaussianNB(), bw.LinearDiscriminantAnalysis(), bw.QuadraticDiscriminantAnalysis()]


def fitted(model: Any, *args: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clone(model).fit(*args)


def fitted_by_dask(model: Any, *args: Any, **kwargs: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return bw.dask.fit(clone(model), *args, **kwargs)


def short(model: Any) -> str:
    return repr(model)[:60]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("model", DENSITIES, ids=short)
def test_densities_are_the_same_to_the_byte(model: Any) -> None:
    frame = mixed_frame()
    wanted = sha256(fitted(model, frame))
    assert {sha256(fitted_by_dask(model, in_parts(frame, k))) for k in PARTITIONINGS} == {wanted}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("model", [DENSITIES[0], bw.GridHistogram(), bw.Histogram()], ids=short)
def test_rows_that_come_again_are_counted_across_partitions(model: Any) -> None:
    frame = discrete_frame()
    wanted = sha256(fitted(model, frame))
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # counts that Dask made are no weights to warn of
        warnings.filterwarnings("ignore", message=".*rows are too few")
        found = {sha256(bw.dask.fit(clone(model), in_parts(frame, k))) for k in PARTITIONINGS}
    assert found == {wanted}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("model", COUNTED_CLASSES, ids=short)
def test_classifiers_of_counts_are_the_same_to_the_byte(model: Any) -> None:
    X = numbers()
    y = np.where(X[:, 0] + X[:, 1] ** 2 > 1.0, "yes", "no")
    wanted = sha256(fitted(model, X, y))
    found = {sha256(fitted_by_dask(model, in_parts(X, k), in_parts(y, k))) for k in PARTITIONINGS}
    assert found == {wanted}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("model", MOMENTS, ids=short)
def test_models_of_moments_agree_to_ten_digits(model: Any) -> None:
    X = numbers()
    y = np.where(X[:, 0] + X[:, 1] > 1.0, "yes", "no")
    wanted = states_of(fitted(model, X, y))
    for k in PARTITIONINGS:
        found = states_of(fitted_by_dask(model, in_parts(X, k), in_parts(y, k)))
        for mine, theirs in zip(found, wanted, strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-10, atol=1e-10)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("n_targets", [1, 2])
def test_linear_regression_agrees_to_ten_digits(intercept: bool, n_targets: int) -> None:
    X = numbers() + 100.0
    y = X[:, :n_targets] * 2.0 + numbers(seed=1)[:, :n_targets]
    y = y[:, 0] if n_targets == 1 else y
    model = bw.LinearRegression(fit_intercept=intercept)
    wanted = fitted(model, X, y)
    for k in PARTITIONINGS:
        found = fitted_by_dask(model, in_parts(X, k), in_parts(y, k))
        for name in ("coef_", "intercept_", "residual_variance_", "coef_std_error_"):
            np.testing.assert_allclose(getattr(found, name), getattr(wanted, name), rtol=1e-10, atol=1e-10)


@pytest.mark.usefixtures("here")
def test_an_exact_fit_is_measured_by_residuals_of_the_rows() -> None:
    X = numbers()
    found = fitted_by_dask(bw.LinearRegression(), in_parts(X, 3), in_parts(X @ [1.0, 2.0, 3.0], 3))
    assert found.residual_variance_ < 1e-25


@pytest.mark.usefixtures("here")
def test_columns_that_depend_on_each_other_are_solved_by_the_rows() -> None:
    X = numbers()
    X[:, 2] = X[:, 0]
    y = X[:, 1]
    with pytest.warns(UserWarning, match="collinear"):
        found = bw.dask.fit(bw.LinearRegression(), in_parts(X, 3), in_parts(y, 3))
    with pytest.warns(UserWarning, match="collinear"):
        wanted = bw.LinearRegression().fit(X, y)
    assert sha256(found) == sha256(wanted)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("kind", ["frequency", "survey"])
def test_weights_are_those_of_the_rows(kind: str) -> None:
    X = numbers(300)
    weights = np.random.default_rng(0).integers(0, 4, 300).astype(float)
    if kind == "survey":
        weights += 0.37
    model = bw.DensityForest(n_estimators=3, weight_kind=kind, random_state=0)
    wanted = sha256(fitted(model, X, None, weights))
    found = {
        sha256(fitted_by_dask(model, in_parts(X, k), sample_weight=in_parts(weights, k)))
        for k in PARTITIONINGS
    }
    assert found == {wanted}


@pytest.mark.usefixtures("here")
def test_collections_of_dask_give_the_same_as_their_tables() -> None:
    model = bw.DensityForest(n_estimators=3, random_state=0)
    frame = dd.from_pandas(mixed_frame(), npartitions=4)
    assert sha256(fitted_by_dask(model, frame)) == sha256(fitted(model, frame.compute()))
    array = da.from_array(numbers(), chunks=(170, 2))
    assert sha256(fitted_by_dask(model, array)) == sha256(fitted(model, array.compute()))


@pytest.mark.usefixtures("here")
def test_a_target_may_be_named_as_a_column() -> None:
    frame = mixed_frame()[["size", "wait", "colour"]]
    found = fitted_by_dask(bw.GaussianNB(), dd.from_pandas(frame, npartitions=2), "colour")
    wanted = fitted(bw.GaussianNB(), frame[["size", "wait"]], frame["colour"])
    np.testing.assert_allclose(found.theta_, wanted.theta_, rtol=1e-10)


@pytest.mark.usefixtures("here")
def test_table_models_and_boosted_densities_are_fitted_by_gathered_rows() -> None:
    frame = mixed_frame(200)
    for model, others in (
        (
            bw.TableModel(bw.DensityForest(n_estimators=3, random_state=0), random_state=0),
            {"target": "colour"},
        ),
        (bw.BoostedDensity(preset="quick", random_state=0), {}),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = sha256(clone(model).fit(frame, **others))
        assert sha256(fitted_by_dask(model, in_parts(frame, 3), **others)) == wanted


@pytest.mark.parametrize(
    "partitionings",
    [
        pytest.param([(3,), (7,), (1,)], id="one each"),
        pytest.param([PARTITIONINGS] * 3, id="all", marks=pytest.mark.slow),
    ],
)
def test_threads_workers_and_partitions_leave_no_trace(
    cluster: Any, client: Any, partitionings: list[tuple[int, ...]]
) -> None:
    frame = mixed_frame()
    model = bw.DensityForest(n_estimators=6, random_state=0)
    hashes = {sha256(fitted(model, frame))}
    in_two_threads = fitted(clone(model).set_params(n_jobs=2), frame)
    hashes.add(sha256(in_two_threads.set_params(n_jobs=None)))  # a parameter that the file would tell of
    for n_workers, ks in enumerate(partitionings, start=1):
        cluster.scale(n_workers)
        client.wait_for_workers(n_workers, timeout=120)
        for k in ks:
            hashes.add(sha256(fitted_by_dask(model, in_parts(frame, k), client=client)))
    assert len(hashes) == 1
