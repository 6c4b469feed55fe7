"""Scores, predictions, imputed tables and samples are those of the estimator itself."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pytest
from dask_tables import in_parts, mixed_frame, numbers

import boxwood as bw
import boxwood.dask
import dask

pytestmark = pytest.mark.usefixtures("here")


def test_scores_of_a_frame_have_its_index() -> None:
    frame = mixed_frame(200)
    frame.index += 1000
    model = bw.DensityForest(n_estimators=2, random_state=0).fit(frame)
    table = dd.from_pandas(frame, npartitions=3)
    scores = bw.dask.score_samples(model, table).compute()
    assert scores.index.equals(frame.index)
    np.testing.assert_array_equal(scores, model.score_samples(frame))
    np.testing.assert_array_equal(bw.dask.predict(model, table).compute(), model.predict(frame))


def test_answers_about_arrays_and_lists_are_what_these_are() -> None:
    X = numbers()
    y = np.where(X[:, 0] > 0.0, "yes", "no")
    model = bw.GaussianNB().fit(X, y)
    array = da.from_array(X, chunks=(250, 3))
    assert bw.dask.predict_proba(model, array).shape == (600, 2)
    np.testing.assert_array_equal(bw.dask.predict_proba(model, array), model.predict_proba(X))
    np.testing.assert_array_equal(bw.dask.predict(model, array), model.predict(X))
    listed = dask.compute(*bw.dask.predict(model, in_parts(X, 3)))
    np.testing.assert_array_equal(np.concatenate(listed), model.predict(X))


def test_probabilities_of_a_frame_are_named_by_classes() -> None:
    frame = mixed_frame(200)
    model = bw.GaussianNB().fit(frame[["size", "wait"]], frame["colour"])
    found = bw.dask.predict_proba(model, dd.from_pandas(frame[["size", "wait"]], npartitions=2)).compute()
    assert list(found.columns) == list(model.classes_)
    np.testing.assert_array_equal(found, model.predict_proba(frame[["size", "wait"]]))


def test_gaps_are_filled_as_the_model_fills_them() -> None:
    frame = mixed_frame(200)
    model = bw.TableModel(bw.DensityForest(n_estimators=2, random_state=0)).fit(frame)
    found = bw.dask.impute(model, dd.from_pandas(frame, npartitions=2)).compute()
    np.testing.assert_array_equal(found["grade"], model.impute(frame)["grade"])
    assert not found.isna().any(axis=None)
    predicted = bw.dask.predict(model, dd.from_pandas(frame, npartitions=2), column="colour").compute()
    np.testing.assert_array_equal(predicted, model.predict(frame, "colour"))


def test_samples_come_in_partitions_and_follow_their_seed() -> None:
    frame = mixed_frame(200)
    model = bw.DensityForest(n_estimators=2, random_state=0).fit(frame)
    drawn = bw.dask.sample(model, 50, random_state=3, n_partitions=4)
    assert drawn.npartitions == 4
    table = drawn.compute()
    assert table.shape == (50, 5)
    assert list(table.dtypes) == list(model.sample(1, random_state=0).dtypes)
    again = bw.dask.sample(model, 50, random_state=3, n_partitions=4).compute()
    np.testing.assert_array_equal(table["wait"], again["wait"])
    assert table["wait"].nunique() > 40
    with pytest.raises(ValueError, match="n_partitions must lie between 1 and n_samples=2"):
        bw.dask.sample(model, 2, n_partitions=3)


def test_a_partition_that_cannot_be_asked_about_is_named() -> None:
    model = bw.GaussianDensity().fit(numbers())
    bad = numbers()[:, :2]
    with pytest.raises(ValueError, match="partition 1: X has 2 features"):
        dask.compute(*bw.dask.score_samples(model, [dask.delayed(numbers()), dask.delayed(bad)]))
    with pytest.raises(AttributeError, match="GaussianNB has no score_samples"):
        bw.dask.score_samples(bw.GaussianNB(), [dask.delayed(bad)])


def test_empty_partitions_have_empty_answers() -> None:
    frame = mixed_frame(100)
    model = bw.DensityForest(n_estimators=2, random_state=0).fit(frame)
    table = dd.from_pandas(frame, npartitions=3)
    few = table[table["wait"] > frame["wait"].nlargest(2).iloc[1]]
    assert len(bw.dask.score_samples(model, few).compute()) == 1
