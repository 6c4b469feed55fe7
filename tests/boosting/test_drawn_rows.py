"""Rows drawn of a boosted density: margins, tails, how far out, and that they follow the scores."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ks_2samp

import boxwood as bw

N, MANY = 2500, 40_000
MORE = 120_000
"""Chance moves a twentieth of fewer draws by a tenth."""


def ring(rng):
    angle = rng.uniform(0.0, 2.0 * np.pi, N)
    return np.column_stack([np.cos(angle), np.sin(angle)]) + rng.normal(scale=0.15, size=(N, 2))


def thin_pair(rng):
    x = rng.normal(size=N)
    return np.column_stack([x, x**2 + rng.normal(scale=0.1, size=N), rng.exponential(size=N)])


def counts_beside_numbers(rng):
    x = rng.normal(size=N)
    return np.column_stack(
        [x, rng.poisson(np.exp(0.5 * x)), np.where(rng.random(N) < 0.3, 0.0, rng.random(N))]
    )


@pytest.fixture(
    scope="module", params=[ring, thin_pair, counts_beside_numbers], ids=lambda table: table.__name__
)
def drawn(request):
    rows = request.param(np.random.default_rng(0))
    model = bw.BoostedDensity("quick", random_state=0).fit(rows)
    return rows, np.asarray(model.sample(MORE, random_state=1))


def test_columns_have_the_distribution_of_the_table(drawn):
    rows, found = drawn
    for own, theirs in zip(rows.T, found.T, strict=True):
        assert ks_2samp(own, theirs).statistic < 1.36 / np.sqrt(N)


def test_outer_twentieths_keep_their_mass(drawn):
    rows, found = drawn
    for own, theirs in zip(rows.T, found.T, strict=True):
        if len(np.unique(own)) == N:
            low, high = np.quantile(own, [0.05, 0.95])
            assert (theirs < low).mean() == pytest.approx(0.05, rel=0.1)
            assert (theirs > high).mean() == pytest.approx(0.05, rel=0.1)


def test_no_row_lies_far_beyond_the_table(drawn):
    rows, found = drawn
    low, high = rows.min(axis=0), rows.max(axis=0)
    outside = np.maximum(low - found, found - high) / (high - low)
    # Margins keep 1/(16 n) beyond either end for what is far out, and networks and trees add nothing to it.
    assert outside.max() < 20.0
    assert (outside > 5.0).any(axis=1).mean() < 1e-4
    assert (outside > 0.5).any(axis=1).mean() < 2e-4


def test_cells_are_drawn_as_often_as_their_scores_say():
    rng = np.random.default_rng(2)
    a = rng.integers(0, 5, N)
    b = np.where(rng.random(N) < 0.6, a % 4, rng.integers(0, 4, N))
    frame = pd.DataFrame({"a": a.astype(str), "b": b.astype(str), "c": rng.integers(0, 2, N).astype(str)})
    model = bw.BoostedDensity("quick", random_state=0).fit(frame)
    cells = pd.DataFrame(list(product("01234", "0123", "01")), columns=list("abc"))
    chances = np.exp(model.score_samples(cells))
    assert chances.sum() == pytest.approx(1.0, abs=0.02)
    found = model.sample(MANY, random_state=0)
    counted = found.value_counts(normalize=True).reindex(pd.MultiIndex.from_frame(cells), fill_value=0.0)
    np.testing.assert_allclose(counted.to_numpy(), chances, atol=0.006)


def test_draws_have_the_same_bytes_for_any_number_of_threads():
    rows = thin_pair(np.random.default_rng(3))[:600]
    model = bw.BoostedDensity("quick", n_jobs=1, random_state=0).fit(rows)
    first = model.sample(5000, random_state=4)
    assert first.tobytes() == model.set_params(n_jobs=3).sample(5000, random_state=4).tobytes()
    other = bw.BoostedDensity("quick", n_jobs=2, random_state=0).fit(rows)
    assert first.tobytes() == other.sample(5000, random_state=4).tobytes()
