"""Points of intervals that are shifted by a hash of each row, and means over them."""

import numpy as np
import pandas as pd

import boxwood as bw
from boxwood.boosting.cube_intervals import CubeIntervals
from boxwood.boosting.intervals.interval_means import LARGEST_ERROR, Mixing, mean_over_intervals
from boxwood.boosting.intervals.shifted_points import ShiftedPoints, row_keys


def intervals(n_rows: int = 50) -> CubeIntervals:
    rng = np.random.default_rng(0)
    lower = rng.random((n_rows, 3)) * 0.5
    width = np.where([True, True, False], rng.random((n_rows, 3)) * 0.5, 0.0)
    return CubeIntervals(lower, width)


def test_points_lie_in_the_intervals_and_follow_the_keys():
    cells = intervals()
    points = ShiftedPoints(cells, np.arange(50, dtype=np.uint64), 7)
    found = points.points(0, 0, np.full(50, 16)).u.reshape(50, 16, 3)
    assert (found >= cells.lower[:, None]).all()
    assert (found <= (cells.lower + cells.width)[:, None]).all()
    assert len(np.unique((found[:, 0, 0] - cells.lower[:, 0]) / cells.width[:, 0])) == 50
    chosen = np.array([30, 4])
    again = points.take(chosen).points(0, 0, np.array([16, 16])).u.reshape(2, 16, 3)
    np.testing.assert_array_equal(again, found[chosen])
    for other in (
        points.points(1, 0, np.full(50, 16)),
        ShiftedPoints(cells, points.keys, 8).points(0, 0, np.full(50, 16)),
    ):
        assert not np.isclose(other.u.reshape(50, 16, 3)[:, :, 0], found[:, :, 0]).any(axis=1).all()


def test_later_points_go_on_where_the_first_end():
    points = ShiftedPoints(intervals(2), np.arange(2, dtype=np.uint64), 0)
    whole = points.points(0, 0, np.array([8, 16]))
    first = points.points(0, 0, np.array([4, 4]))
    rest = points.points(0, 4, np.array([8, 16]))
    assert rest.counts.tolist() == [4, 12]
    np.testing.assert_array_equal(whole.u[:8], np.concatenate([first.u[:4], rest.u[:4]]))
    np.testing.assert_array_equal(whole.u[8:], np.concatenate([first.u[4:], rest.u[4:]]))


def test_keys_are_of_the_content():
    table = pd.DataFrame({"a": ["x", "y", "x", None], "b": [1, 2, 1, 2]})
    keys = row_keys(bw.read_columns(table))
    assert keys[0] == keys[2]
    assert len(np.unique(keys)) == 3
    assert (row_keys(bw.read_columns(table.astype({"b": float}))) == keys).all()
    without = row_keys(bw.read_columns(table), without=0)
    assert without[1] == without[3] != without[0]


def test_further_points_leave_means_without_bias():
    # Over many seeds the mean of the densities is that of very many points, and errors keep to the bound.
    rng = np.random.default_rng(0)
    bits = rng.random((600, 8)) < 0.4
    bits[:, 1:] ^= bits[:, :-1]
    density = bw.BoostedDensity("quick", components=["margins"], random_state=0, n_jobs=1)
    model = density.fit(pd.DataFrame(bits, columns=list("abcdefgh"))).model_
    columns = density._read(pd.DataFrame(bits[:4], columns=list("abcdefgh")))
    cells, keys = model._intervals(columns, "event"), row_keys(columns)
    mixing = Mixing(np.zeros((4, 1)), np.full(4, -np.inf))

    def means(n_points: int, seed: int, more: Mixing | None) -> np.ndarray:
        return mean_over_intervals(model.chains, ShiftedPoints(cells, keys, seed), n_points, 1, more)[:, 0]

    true = np.exp(means(2**14, 0, None))
    found = np.exp([means(16, seed, mixing) for seed in range(1, 201)]) / true
    error = found.std(axis=0, ddof=1)
    assert (np.abs(found.mean(axis=0) - 1.0) <= 4.5 * error / np.sqrt(200) + 0.005).all()
    few = np.exp([means(16, seed, None) for seed in range(1, 101)]) / true
    assert few.std(axis=0).max() > 1.5 * LARGEST_ERROR
    assert np.median(error) < 1.5 * LARGEST_ERROR
