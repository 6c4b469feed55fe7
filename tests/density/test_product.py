"""ProductDensity: factors, rotations and their determinants, the known weakness."""

import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import FastICA

import boxwood as bw
from boxwood.linear.rotation import fit_rotation


def correlated(n_rows=2000, d=2, seed=0):
    return np.random.default_rng(seed).normal(size=(n_rows, d)) @ (np.eye(d) + 0.8) + 5.0


def sources(n_rows=4000, seed=0):
    rng = np.random.default_rng(seed)
    S = np.column_stack([rng.uniform(-1, 1, n_rows), rng.laplace(size=n_rows)])
    return S, S @ np.array([[2.0, 1.0], [0.7, 1.5]]) + [10.0, -3.0]


def integral(model, X, n=400):
    low, high = X.min(axis=0) - 3, X.max(axis=0) + 3
    a, b = (np.linspace(low[j], high[j], n) for j in (0, 1))
    grid = np.stack(np.meshgrid(a, b, indexing="ij"), axis=-1).reshape(-1, 2)
    return np.exp(model.score_samples(grid)).sum() * (a[1] - a[0]) * (b[1] - b[0])


@pytest.mark.parametrize("rotation", [None, "pca", "ica"])
@pytest.mark.parametrize(
    "marginal", ["histogram", "gaussian", bw.Histogram(bins="fd", estimate="bayes")], ids=str
)
def test_it_integrates_to_one(marginal, rotation):
    _, X = sources()
    model = bw.ProductDensity(marginal=marginal, rotation=rotation).fit(X)
    assert integral(model, X) == pytest.approx(1.0, abs=0.01)


def test_without_rotation_it_is_the_histogram():
    X = correlated(d=3)
    product, histogram = bw.ProductDensity(marginal=bw.Histogram()).fit(X), bw.Histogram().fit(X)
    np.testing.assert_allclose(product.score_samples(X), histogram.score_samples(X))
    np.testing.assert_allclose(product.calibration_scores_, histogram.calibration_scores_)
    assert product.offset_ == pytest.approx(histogram.offset_)


@pytest.mark.parametrize("n_rows", [30, 300])
def test_the_default_marginals_are_positive_over_the_range_and_sum_to_one(n_rows):
    X = np.random.default_rng(0).standard_t(3, size=(n_rows, 1))
    model = bw.ProductDensity().fit(X)
    inside = np.linspace(X.min(), X.max(), 200_001)
    density = np.exp(model.score_samples(inside[:, None]))
    assert (density > 0.0).all()
    assert np.trapezoid(density, inside) == pytest.approx(1.0, abs=1e-3)
    doubled = bw.ProductDensity().fit(np.repeat(X, 2, axis=0))
    np.testing.assert_allclose(doubled.score_samples(X), model.score_samples(X))
    weighted = bw.ProductDensity().fit(X, sample_weight=np.full(n_rows, 0.25))
    np.testing.assert_allclose(weighted.score_samples(X), model.score_samples(X))


def test_gaussian_marginals_of_principal_components_are_the_gaussian():
    X = correlated(d=3)
    weights = np.random.default_rng(1).integers(0, 3, len(X))
    rotated = bw.ProductDensity(marginal="gaussian", rotation="pca").fit(X, sample_weight=weights)
    integer = bw.GaussianDensity().fit(X, sample_weight=weights)
    np.testing.assert_allclose(rotated.score_samples(X), integer.score_samples(X), rtol=1e-9)


def test_diagonal_gaussian():
    X = correlated()
    product = bw.ProductDensity(marginal="gaussian").fit(X)
    diagonal = bw.GaussianDensity(covariance_type="diag").fit(X)
    np.testing.assert_allclose(product.score_samples(X), diagonal.score_samples(X), rtol=1e-9)


def test_principal_components_are_those_of_numpy():
    X = correlated(d=4)
    rotation = fit_rotation(X, None, "pca", 0)
    variances, vectors = np.linalg.eigh(np.corrcoef(X.T))
    expected = np.abs(vectors.T[::-1] / X.std(axis=0))
    np.testing.assert_allclose(np.abs(rotation.matrix), expected, rtol=1e-6)
    np.testing.assert_allclose(rotation.apply(X).var(axis=0), variances[::-1])
    np.testing.assert_allclose(rotation.invert(rotation.apply(X)), X)
    assert rotation.log_determinant == pytest.approx(-np.log(X.std(axis=0)).sum())


def test_independent_components_are_the_sources():
    S, X = sources()
    Z = fit_rotation(X, None, "ica", 0).apply(X)
    assert np.abs(np.corrcoef(Z.T, S.T)[:2, 2:]).max(axis=1).min() > 0.99
    theirs = FastICA(random_state=0, whiten="unit-variance", tol=1e-6).fit_transform(X)
    np.testing.assert_allclose(np.abs(np.corrcoef(Z.T, theirs.T)[:2, 2:]).max(axis=1), 1.0, atol=1e-3)


def test_the_seed_and_the_scale_do_not_matter_to_ica():
    _, X = sources()
    one = bw.ProductDensity(rotation="ica").fit(X)
    two = bw.ProductDensity(rotation="ica", random_state=7).fit(X * [1e-6, 1e6])
    assert one.score(X) == pytest.approx(two.score(X * [1e-6, 1e6]), abs=0.02)


def test_a_weight_is_a_repetition_for_components():
    _, X = sources(500)
    weights = np.random.default_rng(1).integers(0, 3, len(X))
    for rotation in ("pca", "ica"):
        weighted = bw.ProductDensity(rotation=rotation, marginal="gaussian").fit(X, sample_weight=weights)
        repeated = bw.ProductDensity(rotation=rotation, marginal="gaussian").fit(
            np.repeat(X, weights, axis=0)
        )
        np.testing.assert_allclose(weighted.score_samples(X), repeated.score_samples(X), rtol=1e-6)


def test_rotations_help_where_columns_depend_linearly():
    _, X = sources()
    _, new = sources(seed=1)
    scores = {
        rotation: bw.ProductDensity(
            marginal=bw.Histogram(estimate="map"), rotation=rotation, false_alarm_rate=0.1
        )
        .fit(X)
        .score_samples(new)
        for rotation in (None, "pca", "ica")
    }
    means = {name: np.mean(s[np.isfinite(s)]) for name, s in scores.items()}
    assert means["ica"] > means["pca"] > means[None]


def test_spurious_clusters():
    """Two clusters on a diagonal: the product has four."""
    rng = np.random.default_rng(0)
    X = rng.normal(0.0, 0.3, (1000, 2)) + np.where(rng.random(1000) < 0.5, 2.0, -2.0)[:, None]
    model = bw.ProductDensity().fit(X)
    there, spurious = np.exp(model.score_samples([[2.0, 2.0], [2.0, -2.0]]))
    assert spurious == pytest.approx(there, rel=0.5)
    rotated = bw.ProductDensity(marginal=bw.Histogram(estimate="map"), rotation="pca").fit(X)
    there, gone = rotated.score_samples([[2.0, 2.0], [2.0, -2.0]])
    assert there > gone + 3.0


def test_samples_follow_the_density():
    _, X = sources()
    model = bw.ProductDensity(rotation="ica").fit(X)
    drawn = model.sample(20_000, random_state=0)
    np.testing.assert_allclose(np.cov(drawn.T), np.cov(X.T), rtol=0.1)
    assert np.isfinite(model.score_samples(drawn)).mean() > 0.999


def test_whole_numbers_and_dates_turn_too():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "n": rng.poisson(50, 300),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.random(300), unit="D"),
        }
    )
    drawn = bw.ProductDensity(rotation="pca").fit(frame).sample(5, random_state=0)
    assert drawn.dtypes.astype(str).tolist()[0] == "int64"
    assert drawn["day"].dt.year.between(2023, 2024).all()


def test_mixed_tables_have_marginals_of_their_own():
    frame = pd.DataFrame({"a": ["x", "y", None, "x"], "b": [1.5, 2.5, 2.0, np.nan]})
    model = bw.ProductDensity(marginal="gaussian").fit(frame)
    assert [type(m).__name__ for m in model.marginals_] == ["Histogram", "GaussianDensity"]
    assert np.isfinite(model.score_samples(frame)).all()


@pytest.mark.parametrize("rotation", ["pca", "ica"])
def test_what_cannot_be_rotated_is_refused(rotation):
    model = bw.ProductDensity(rotation=rotation)
    with pytest.raises(TypeError, match="column 'a' is categorical"):
        model.fit(pd.DataFrame({"a": ["x", "y"], "b": [1.0, 2.0]}))
    with pytest.raises(ValueError, match=r"column 'x1', row 1: the value is missing \(NaN\)"):
        model.fit([[1.0, 2.0], [3.0, np.nan]])
    with pytest.raises(ValueError, match="too large to turn"):
        model.fit([[1.0, 1e200], [3.0, 2.0], [1.5, 2.0]])
    fitted = model.fit(sources(200)[1])
    with pytest.raises(ValueError, match="missing"):
        fitted.score_samples([[np.nan, 1.0]])


def test_dependent_columns():
    X = correlated(200, 1)
    both = np.column_stack([X, 2 * X])
    with pytest.warns(UserWarning, match="depend on each other linearly"):
        assert np.isfinite(bw.ProductDensity(rotation="pca").fit(both).score(both))
    with pytest.raises(ValueError, match="needs columns that are not constant"):
        bw.ProductDensity(rotation="ica").fit(both)


@pytest.mark.parametrize(
    ("parameters", "error"),
    [({"marginal": "kde"}, ValueError), ({"marginal": 3}, TypeError), ({"rotation": "svd"}, ValueError)],
)
def test_parameters_are_checked(parameters, error):
    with pytest.raises(error, match=next(iter(parameters))):
        bw.ProductDensity(**parameters).fit(correlated())


@pytest.mark.parametrize("rotation", [None, "pca", "ica"])
@pytest.mark.parametrize("marginal", ["gaussian", bw.Histogram(bins=7)], ids=str)
def test_saved_models_are_equal(marginal, rotation, tmp_path):
    _, X = sources(300)
    model = bw.ProductDensity(marginal=marginal, rotation=rotation).fit(X)
    model.save(tmp_path / "m")
    again = bw.load(tmp_path / "m")
    np.testing.assert_array_equal(again.score_samples(X), model.score_samples(X))
    np.testing.assert_array_equal(again.sample(5, random_state=0), model.sample(5, random_state=0))


@pytest.mark.parametrize("change", [{"marginal": "gaussian"}, {"rotation": "pca"}])
def test_a_changed_parameter_is_not_saved(change, tmp_path):
    model = bw.ProductDensity().fit(correlated()).set_params(**change)
    with pytest.raises(bw.ModelFileError, match="changed since the fit"):
        model.save(tmp_path / "m")
    assert not (tmp_path / "m").exists()


def parts_of(table, n_parts=4):
    return [table.iloc[part] for part in np.array_split(np.arange(len(table)), n_parts)]


def mixed_table(n_rows=400, seed=0):
    rng = np.random.default_rng(seed)
    heights = rng.normal(170.0, 10.0, n_rows).round(1)
    heights[rng.random(n_rows) < 0.1] = np.nan
    colours = rng.choice(["red", "green", "blue"], n_rows)
    colours[: n_rows // 2] = "red"  # other colours come in later parts
    table = pd.DataFrame({"height": heights, "weight": rng.normal(70.0, 9.0, n_rows), "colour": colours})
    return pd.concat([table, table.iloc[:20]], ignore_index=True)  # with copies of rows


@pytest.mark.parametrize(
    "marginal",
    [
        bw.Histogram(bins=[0.0, 65.0, 75.0, 160.0, 170.0, 300.0]),
        bw.Histogram(bins=50, range=(0, 300), estimate="bayes"),
    ],
    ids=str,
)
def test_partial_fit_of_given_edges_is_the_fit_of_all_rows(marginal):
    table = mixed_table()
    whole = bw.ProductDensity(marginal=marginal).fit(table)
    grown = bw.ProductDensity(marginal=marginal)
    for part in parts_of(table):
        grown.partial_fit(part)
    for one, other in zip(grown.marginals_, whole.marginals_, strict=True):
        np.testing.assert_array_equal(one.counts_[0], other.counts_[0])
    np.testing.assert_array_equal(grown.score_samples(table), whole.score_samples(table))
    if marginal.estimate == "ml":  # a smoothed model draws rows where the table has none
        assert abs(grown.p_values(table).mean() - whole.p_values(table).mean()) < 0.03


def test_partial_fit_of_gaussians_is_the_fit_of_all_rows(tmp_path):
    table = mixed_table()[["weight", "colour"]].drop_duplicates()
    whole = bw.ProductDensity(marginal="gaussian").fit(table)
    grown = bw.ProductDensity(marginal="gaussian")
    for part in parts_of(table[:300]):
        grown.partial_fit(part)
    grown.save(tmp_path / "m")
    grown = bw.load(tmp_path / "m").partial_fit(table[300:])
    np.testing.assert_allclose(grown.score_samples(table), whole.score_samples(table), rtol=1e-9)


def test_bayes_classifier_adds_rows_to_products():
    table = mixed_table()[["height", "weight"]]
    labels = np.where(table["weight"] > 70.0, "heavy", "light")
    density = bw.ProductDensity(marginal=bw.Histogram(bins=30, range=(0, 300), estimate="bayes"))
    model = bw.BayesClassifier(density)
    for part in np.array_split(np.arange(len(table)), 3):
        model.partial_fit(table.iloc[part], labels[part], classes=["heavy", "light"])
    whole = bw.BayesClassifier(density).fit(table, labels)
    assert (model.predict(table) == whole.predict(table)).mean() > 0.95


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, r"marginal=Histogram\(bins=edges\)"),
        ({"marginal": bw.Histogram(bins="fd")}, r"marginal=Histogram\(bins=edges\)"),
        ({"marginal": "gaussian", "rotation": "pca"}, "rotation='pca' needs all rows at once"),
        ({"marginal": bw.DensityTree()}, "this DensityTree has no partial_fit"),
    ],
)
def test_why_a_product_has_no_partial_fit(parameters, message):
    model = bw.ProductDensity(**parameters)
    assert not hasattr(model, "partial_fit")
    with pytest.raises(AttributeError, match=message):
        _ = model.partial_fit
