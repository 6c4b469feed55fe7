"""Densities of columns whose values are listed by `support=`: nothing beside them, something for each."""

from __future__ import annotations

import itertools
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import boxwood as bw

FACES = range(1, 7)
COINS = [1, 2, 5, 10]
SUPPORT = {"face": FACES, "ball": ["red", "blue", "green"], "coin": COINS}

DENSITIES: dict[str, Any] = {
    "tree": bw.DensityTree(random_state=0),
    "smooth tree": bw.DensityTree(margins="smooth", leaf="histogram", random_state=0),
    "forest": bw.DensityForest(8, random_state=0),
    "linear forest": bw.DensityForest(8, margins="linear", leaf="uniform", random_state=0),
}
HISTOGRAMS: dict[str, Any] = {
    "histogram": bw.Histogram(estimate="bayes"),
    "grid": bw.GridHistogram(estimate="bayes"),
    "product": bw.ProductDensity(marginal=bw.Histogram(estimate="bayes")),
}
SLOW: dict[str, Any] = {"boosted": bw.BoostedDensity("quick", n_estimators=8, random_state=0)}


def throws(n: int = 60, seed: int = 0) -> np.ndarray:
    """Throw a die that never shows its six."""
    return np.random.default_rng(seed).integers(1, 6, (n, 1))


def table(n: int = 300) -> pd.DataFrame:
    """Return rows that depend on each other, with gaps, without a six, a green ball and a coin of ten."""
    rng = np.random.default_rng(0)
    face = rng.integers(1, 6, n)
    ball = np.where(rng.random(n) < 0.7, np.where(face > 2, "red", "blue"), rng.choice(["red", "blue"], n))
    coin = rng.choice([1.0, 2.0, 5.0], n)
    frame = pd.DataFrame({"face": face, "ball": ball.astype(object), "coin": coin})
    frame.loc[::17, "coin"] = np.nan
    frame.loc[3, "ball"] = None
    return frame


def every_row() -> tuple[pd.DataFrame, np.ndarray]:
    """Return rows of listed and other values, and which of them are in the support."""
    columns = [*range(8), np.nan], ["red", "blue", "green", "violet", None], [1, 1.5, 2, 3, 5, 10, 11, np.nan]
    rows = pd.DataFrame([*itertools.product(*columns)], columns=["face", "ball", "coin"])
    inside = [rows[name].isin(list(SUPPORT[name])) | rows[name].isna() for name in rows]
    return rows, np.logical_and.reduce(inside)


@pytest.mark.parametrize("n", [1, 18, 60])
@pytest.mark.parametrize("name", [*DENSITIES, *SLOW])
@pytest.mark.parametrize("support", [FACES, [1, 2, 3, 4, 5, 6, 8.0, 100]])
def test_a_die_has_the_faces_of_its_support(name: str, n: int, support: Any) -> None:
    density = clone((DENSITIES | SLOW)[name]).set_params(support=support).fit(throws(n))
    values = np.append(np.arange(-5.0, 120.0), [1.5, 6.5, np.nan])
    p = np.exp(density.score_samples(values[:, None]))
    listed = np.isin(values, list(support))
    assert p.sum() == pytest.approx(1.0, abs=2e-3)
    assert (p[listed] > 1e-4).all()
    assert (p[~listed & ~np.isnan(values)] == 0.0).all()
    assert set(density.sample(500, random_state=0)[:, 0]) <= set(support)


@pytest.mark.parametrize("name", [*DENSITIES, *SLOW])
def test_all_rows_of_the_support_have_all_the_mass(name: str) -> None:
    density = clone((DENSITIES | SLOW)[name]).set_params(support=SUPPORT).fit(table())
    rows, inside = every_row()
    p = np.exp(density.score_samples(rows))
    assert p[inside].sum() == pytest.approx(1.0, abs=1e-9 if name in DENSITIES else 0.01)
    assert (p[inside] > 0.0).all()
    assert (p[~inside] == 0.0).all()


@pytest.mark.parametrize("name", list(DENSITIES))
def test_answers_keep_to_the_support(name: str) -> None:
    model = bw.TableModel(clone(DENSITIES[name]), support=SUPPORT).fit(table())
    for event in ("face == 6", "ball == 'green'", "coin == 10"):
        assert 0.0 < model.prob(event) < 0.05
    for event in ("face > 6", "face < 1", "coin == 3", "2 < coin < 5", "coin > 10", "5 < coin < 10"):
        assert model.prob(event) == 0.0
    balls = model.probabilities("ball")
    assert set(balls) == {"red", "blue", "green"}
    assert sum(balls.values()) + model.prob("ball is missing") == pytest.approx(1.0)
    given = model.given("ball == 'green' and coin == 10").sample(200, random_state=0)
    assert set(given["ball"]) == {"green"}
    assert set(given["face"].dropna()) <= set(FACES)
    assert model.prob("face == 6", given="ball == 'green' and coin == 10") > 0.0


@pytest.mark.parametrize("how", ["median", "mode", "draw"])
def test_gaps_are_filled_from_the_support(how: str) -> None:
    model = bw.TableModel(support=SUPPORT, random_state=0).fit(table())
    gaps = table(120)
    gaps.loc[:40, "ball"] = None
    gaps.loc[20:60, "coin"] = np.nan
    filled = model.impute(gaps, how=how, random_state=0)
    assert set(filled["ball"]) <= set(SUPPORT["ball"])
    assert set(filled["coin"]) <= set(COINS)


@pytest.mark.parametrize("name", list(HISTOGRAMS))
def test_each_unseen_face_has_the_probability_of_the_prior(name: str) -> None:
    X = throws()
    density = clone(HISTOGRAMS[name]).set_params(support=FACES).fit(X)
    values = np.append(np.arange(-5.0, 15.0), [1.5, 6.5])
    p = np.exp(density.score_samples(values[:, None]))
    counts = [np.sum(face == X) for face in FACES]
    np.testing.assert_allclose(p[np.isin(values, FACES)], (np.array(counts) + 2.0) / (60.0 + 12.0))
    assert p.sum() == pytest.approx(1.0)
    assert set(density.sample(3000, random_state=0)[:, 0]) == set(FACES)


@pytest.mark.parametrize("name", ["histogram", "product"])
@pytest.mark.parametrize(
    ("estimate", "expected"),
    [
        ("ml", [20 / 60, 20 / 60, 20 / 60, 0.0]),
        ("map", [21 / 64, 21 / 64, 21 / 64, 1 / 64]),
        ("bayes", [22 / 68, 22 / 68, 22 / 68, 2 / 68]),
    ],
)
def test_a_prior_adds_rows_to_listed_values_at_unequal_steps(
    name: str, estimate: str, expected: list[float]
) -> None:
    histogram = bw.Histogram(estimate=estimate)
    plain = histogram if name == "histogram" else bw.ProductDensity(marginal=histogram)
    density = plain.set_params(support=COINS).fit([[1], [2], [5]] * 20)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rows of density zero
        p = np.exp(density.score_samples(np.arange(12.0)[:, None]))
    np.testing.assert_allclose(p[COINS], expected)
    assert p.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["histogram", "product"])
def test_histograms_of_several_columns_have_all_mass_on_the_support(name: str, tmp_path: Path) -> None:
    density = clone(HISTOGRAMS[name]).set_params(support=SUPPORT).fit(table())
    rows, inside = every_row()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # gaps in a column without any
        p = np.exp(density.score_samples(rows))
    assert p.sum() == pytest.approx(1.0)
    assert (p[inside & rows["face"].notna()] > 0.0).all()
    assert (p[~inside] == 0.0).all()
    density.save(tmp_path / "model.boxwood")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert (np.exp(bw.load(tmp_path / "model.boxwood").score_samples(rows)) == p).all()
    model = bw.TableModel.of_density(density)
    present = 299 / 300 * 282 / 300
    assert model.prob("face == 6 and ball == 'green' and coin == 10") == pytest.approx(
        present * 2 / 312 * 2 / 305 * 2 / 290, rel=1e-6
    )


def test_a_number_of_bins_is_one_of_whole_steps() -> None:
    density = bw.Histogram(bins=2, support=FACES).fit(throws())
    assert density.edges_[0].tolist() == [0.5, 3.5, 6.5]
    assert np.isneginf(density.score_samples([[1.5]]))


def test_parts_of_a_table_are_counted_in_the_bins_of_a_support() -> None:
    X = throws(100)
    whole = bw.Histogram(support=FACES).fit(X)
    parts = bw.Histogram(support=FACES).partial_fit(X[:30]).partial_fit(X[30:])
    assert parts.counts_[0].tolist() == whole.counts_[0].tolist()
    both = bw.Histogram(support=FACES).fit(X[:30]).merge(bw.Histogram(support=FACES).fit(X[30:]))
    assert both.counts_[0].tolist() == whole.counts_[0].tolist()
    with pytest.raises(ValueError, match="row 0: 7 is not in the column's support"):
        parts.partial_fit([[7]])


def test_smoothing_gives_unseen_labels_nothing_beyond_the_support() -> None:
    density = bw.Histogram(unseen="smooth", support=SUPPORT).fit(table())
    model = bw.TableModel.of_density(density)
    for event in ("face == 6", "ball == 'green'", "coin == 10"):
        assert 0.0 < model.prob(event) < 0.02
    rows, inside = every_row()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert np.isneginf(density.score_samples(rows[~inside])).all()


@pytest.mark.parametrize(
    ("density", "support", "message"),
    [
        (bw.Histogram(bins=[0, 3, 6]), FACES, r"column 'x0' has a support= and edges in bins=: leave one"),
        (bw.Histogram(bins=3, range=(1, 6)), FACES, r"column 'x0' has a support= and range=: leave one"),
        (bw.Histogram(bins=2), [*COINS, 3, 4], r"unequal steps, so each has its own bin. Leave out bins=2"),
        (bw.GridHistogram(), [*COINS, 3, 4], r"\(1, 2, 3, 4, 5, 10\) lie at unequal steps"),
        (bw.Histogram(alpha=[1.0, 2.0], estimate="bayes"), [*COINS, 3, 4], r"2 entries for 6 values"),
    ],
)
def test_histograms_refuse_what_a_support_contradicts(density: Any, support: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        clone(density).set_params(support=support).fit(throws())


def test_draws_of_a_table_model_without_a_support_do_not_keep_to_it() -> None:
    plain = bw.TableModel(random_state=0).fit(throws())
    drawn = plain.sample(20_000, random_state=0)[:, 0]
    assert drawn.min() < 1  # the reason for support=
    listed = bw.TableModel(support=FACES, random_state=0).fit(throws())
    assert set(listed.sample(20_000, random_state=0)[:, 0]) == set(FACES)


@pytest.mark.parametrize("name", [*DENSITIES, *SLOW])
def test_files_keep_the_support(name: str, tmp_path: Path) -> None:
    density = clone((DENSITIES | SLOW)[name]).set_params(support={0: COINS}).fit([[1], [2], [5]] * 20)
    density.save(tmp_path / "model.boxwood")
    read = bw.load(tmp_path / "model.boxwood")
    rows = np.arange(12.0)[:, None]
    assert (read.score_samples(rows) == density.score_samples(rows)).all()
    assert read.support == {0: COINS}
    assert set(read.sample(300, random_state=0)[:, 0]) <= set(COINS)


def test_files_keep_ranges_and_labels(tmp_path: Path) -> None:
    model = bw.TableModel(support=SUPPORT, random_state=0).fit(table())
    model.save(tmp_path / "model.boxwood")
    read = bw.load(tmp_path / "model.boxwood")
    rows, _ = every_row()
    assert read.support == SUPPORT
    np.testing.assert_array_equal(read.density_.score_samples(rows), model.density_.score_samples(rows))
    assert read.prob("ball == 'green'") == model.prob("ball == 'green'")


def test_a_column_without_any_value_has_its_support() -> None:
    density = bw.DensityForest(3, support={"a": COINS, "b": FACES}, random_state=0)
    density.fit(pd.DataFrame({"a": [np.nan] * 20, "b": [np.nan] * 20}))
    rows = pd.DataFrame([*itertools.product([*range(12), np.nan], [*range(12), np.nan])], columns=["a", "b"])
    p = np.exp(density.score_samples(rows))
    assert p.sum() == pytest.approx(1.0)
    assert (p[rows["a"].isin([3, 4, 11])] == 0.0).all()
    assert (p[rows["a"].isin(COINS) & rows["b"].isin(FACES)] > 0.0).all()


def test_weights_count_faces() -> None:
    faces = np.repeat([1, 2, 3, 4, 5], [3, 1, 4, 1, 5])[:, None]
    repeated = bw.DensityForest(4, support=FACES, random_state=0).fit(np.repeat(faces, 4, axis=0))
    weighted = bw.DensityForest(4, support=FACES, random_state=0).fit(faces, sample_weight=np.full(14, 4))
    rows = np.arange(1, 7)[:, None]
    np.testing.assert_array_equal(repeated.score_samples(rows), weighted.score_samples(rows))


def test_supports_are_parameters_as_others_are() -> None:
    tree = bw.DensityTree(support=FACES)
    assert clone(tree).support is FACES
    assert repr(tree) == "DensityTree(support=range(1, 7))"
    search = GridSearchCV(bw.DensityTree(), {"support": [FACES, range(1, 1000)]}, cv=3).fit(throws(200))
    assert search.best_params_ == {"support": FACES}
    model = bw.TableModel(bw.DensityTree(), support=FACES)
    assert model.get_params()["support"] is FACES
    assert clone(model).support is FACES
    assert model.set_params(support=None).support is None


def test_a_support_for_a_model_that_takes_none_is_refused() -> None:
    with pytest.raises(TypeError, match="GaussianDensity has no parameter support"):
        bw.TableModel(bw.GaussianDensity(), support=FACES).fit(throws())
    with pytest.raises(ValueError, match="support is given twice, to TableModel and to DensityTree"):
        bw.TableModel(bw.DensityTree(support=FACES), support=FACES).fit(throws())


def test_listed_labels_are_no_free_text() -> None:
    names = [f"n{i}" for i in range(80)]
    density = bw.DensityForest(4, support={"name": names}, random_state=0).fit({"name": names})
    assert density.id_columns_ == []
    assert set(density.sample(100, random_state=0)["name"]) <= set(names)


def test_draws_have_the_types_of_the_table() -> None:
    frame = pd.DataFrame(
        {
            "ball": pd.Categorical(["red", "blue"] * 30),
            "face": np.array([1, 2, 3] * 20, dtype=np.uint8),
            "half": [0.0, 1.0] * 30,
        }
    )
    support = {"ball": ["red", "blue", "green"], "face": FACES, "half": [0.0, 0.5, 1.0]}
    drawn = bw.DensityForest(4, support=support, random_state=0).fit(frame).sample(5000, random_state=0)
    assert drawn["face"].dtype == np.uint8
    assert list(drawn["ball"].cat.categories) == ["blue", "green", "red"]
    assert set(drawn["half"]) == {0.0, 0.5, 1.0}


def test_classes_have_one_support() -> None:
    X, y = throws(200), np.arange(200) % 3 == 0
    model = bw.BayesClassifier(bw.DensityTree(support=FACES)).fit(X, y)
    posterior = model.predict_proba([[6]])
    assert np.isfinite(posterior).all()
    assert all(np.isfinite(density.score_samples([[6]])).all() for density in model.densities_)


@pytest.mark.parametrize("alpha", ["loo", 1.0])
def test_naive_bayes_has_a_bin_for_each_listed_value(alpha: Any, tmp_path: Path) -> None:
    X, y = table().fillna({"coin": 1.0, "ball": "red"}), np.arange(300) % 3 == 0
    support = {"face": FACES, "ball": SUPPORT["ball"], "coin": range(1, 11)}
    model = bw.HistogramNB(support=support, alpha=alpha).fit(X, y)
    assert [len(density.counts_[0]) for density in model.densities_] == [6, 6]
    assert list(model.edges_[1]) == ["blue", "green", "red"]
    unseen = pd.DataFrame({"face": [6], "ball": ["green"], "coin": [10.0]})
    assert np.isfinite(model.predict_proba(unseen)).all()
    assert all(np.isfinite(density.score_samples(unseen)).all() for density in model.densities_)
    drawn = model.sample(500, random_state=0)
    rows = drawn[0] if isinstance(drawn, tuple) else drawn
    assert set(rows["face"]) <= set(FACES)
    model.save(tmp_path / "model.boxwood")
    np.testing.assert_array_equal(
        bw.load(tmp_path / "model.boxwood").predict_proba(X), model.predict_proba(X)
    )
    with pytest.raises(ValueError, match=r"\(1, 2, 5, 10\) lie at unequal steps"):
        bw.HistogramNB(support={"coin": COINS}).fit(X, y)


def test_bins_of_a_listed_column_have_no_effect() -> None:
    with pytest.warns(UserWarning, match="Histogram: bins='scott' has no effect"):
        bw.Histogram(bins="scott", support=FACES).fit(throws())
