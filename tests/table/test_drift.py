"""Drift: p-values without drift are not too small, what shifted is found, and what did not is not."""

import numpy as np
import pandas as pd
import pytest

import boxwood as bw
from boxwood.table.drift.column_cells import ColumnCells
from boxwood.table.drift.measure import distance_p_value, score_distance


def table(n: int, rng: np.random.Generator, shift: float = 0.0, rho: float = 0.8) -> pd.DataFrame:
    x = rng.normal(size=n)
    y = rho * x + np.sqrt(1.0 - rho**2) * rng.normal(size=n)
    z = rng.exponential(size=n)
    z[rng.random(n) < 0.1] = np.nan
    c = np.array(list("abcde"))[rng.integers(0, 5, n)]
    return pd.DataFrame(
        {"x": x + shift, "y": y, "z": z, "k": rng.poisson(3, n), "c": c, "b": rng.random(n) < 0.3}
    )


def fitted(n: int = 1000, seed: int = 0) -> bw.TableModel:
    rng = np.random.default_rng(seed)
    return bw.TableModel(bw.DensityForest(12, random_state=seed, n_jobs=1)).fit(table(n, rng))


def test_without_drift_p_values_are_not_too_small() -> None:
    """Of 240 columns and 40 tables: 4 standard errors above the level are allowed."""
    columns, joint = [], []
    for seed in range(40):
        drift = fitted(600, seed).drift(table(600, np.random.default_rng(1000 + seed)), random_state=seed)
        columns += [one.p_value for one in drift.columns]
        joint.append(drift.joint_p_value)
    for level in (0.05, 0.2, 0.5):
        for found in (columns, joint):
            error = np.sqrt(level * (1.0 - level) / len(found))
            assert np.mean(np.array(found) <= level) <= level + 4.0 * error
    assert np.mean(np.array(columns) <= 0.5) > 0.25  # nor are all of them 1


def test_a_shifted_column_is_found_and_others_are_not() -> None:
    model = fitted()
    drift = model.drift(table(1000, np.random.default_rng(7), shift=0.4), random_state=0)
    assert drift.drifted == ["x"]
    assert drift["x"].distance == pytest.approx(0.16, abs=0.05)
    assert drift["x"].p_value <= 0.001
    assert min(one.p_value for one in drift.columns if one.column != "x") > 0.01
    text = repr(drift)
    assert "1 of 6 columns drifted" in text
    assert "* x" in text
    frame = drift.to_frame()
    assert frame.column[0] == "x"
    assert frame.drifted.tolist() == [True] + [False] * 5
    with pytest.raises(KeyError):
        drift["w"]


def test_columns_that_go_together_otherwise_are_found_in_whole_rows() -> None:
    drift = fitted().drift(table(1000, np.random.default_rng(8), rho=-0.5), random_state=0)
    assert drift.drifted == []
    assert drift.joint_p_value < 1e-6


def test_gaps_and_unseen_categories() -> None:
    new = table(500, np.random.default_rng(9))
    new.loc[::2, "z"] = np.nan
    new.loc[::5, "c"] = "new"
    drift = fitted().drift(new, random_state=0)
    assert set(drift.drifted) == {"z", "c"}
    assert drift["z"].missing == pytest.approx(0.55, abs=0.05)
    assert drift["z"].missing_before == pytest.approx(0.1, abs=0.03)
    assert drift["c"].unseen == pytest.approx(0.2)
    assert "20.0% unseen" in repr(drift)


def test_copies_of_rows_are_no_evidence() -> None:
    model, new = fitted(), table(300, np.random.default_rng(10), shift=0.1)
    once, twice = (model.drift(rows, random_state=0) for rows in (new, pd.concat([new, new])))
    assert twice.n_rows == pytest.approx(once.n_rows)
    assert twice.joint_p_value == pytest.approx(once.joint_p_value)


def test_dates_and_ordered_categories() -> None:
    rng = np.random.default_rng(0)
    days = pd.to_datetime("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, 600), unit="D")
    size = pd.Categorical.from_codes(rng.integers(0, 3, 600), ["S", "M", "L"], ordered=True)
    frame = pd.DataFrame({"day": days, "size": size})
    model = bw.TableModel(bw.DensityForest(5, random_state=0)).fit(frame)
    assert model.drift(frame, random_state=0).drifted == []
    later = frame.assign(day=frame.day + pd.Timedelta(days=90))
    assert model.drift(later, random_state=0).drifted == ["day"]


def test_other_densities() -> None:
    model = bw.TableModel(bw.ProductDensity()).fit(table(500, np.random.default_rng(0)))
    drift = model.drift(table(500, np.random.default_rng(1), shift=1.0), random_state=0)
    assert drift.drifted == ["x"]
    with pytest.raises(TypeError, match="ProductDensity has no leaves that rows could share"):
        model.similar(table(5, np.random.default_rng(0)), table(5, np.random.default_rng(0)))


def test_a_rate_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="fdr must lie between 0 and 1"):
        fitted().drift(table(10, np.random.default_rng(0)), fdr=0.0)


def test_distance_of_cells() -> None:
    ordered = ColumnCells(np.empty(0), np.empty(0), ordered=True)
    any_set = ColumnCells(np.empty(0), np.empty(0), ordered=False)
    p, q = np.array([0.5, 0.3, 0.2, 0.0]), np.array([0.3, 0.4, 0.2, 0.1])
    assert ordered.distance(q, p) == pytest.approx(0.2)
    assert any_set.distance(q, p) == pytest.approx(0.2)
    assert any_set.distance(np.array([0.6, 0.1, 0.3, 0.0]), p) == pytest.approx(0.2)
    assert ordered.distance(np.array([0.6, 0.1, 0.3, 0.0]), p) == pytest.approx(0.1)


def test_distance_of_scores_beside_scipy() -> None:
    from scipy.stats import ks_2samp

    rng = np.random.default_rng(0)
    for n, m in [(30, 200), (500, 80)]:
        a, b = np.round(rng.normal(size=n), 1), np.sort(np.round(rng.normal(0.2, size=m), 1))
        beside = ks_2samp(a, b, alternative="greater", method="asymp")
        distance = score_distance(a, np.ones(n), b)
        assert distance == pytest.approx(beside.statistic)
        assert distance_p_value(distance, n, m) == pytest.approx(beside.pvalue, abs=0.05)


@pytest.mark.parametrize("n_new", [200, 1000])
def test_rare_categories_are_no_drift(n_new: int) -> None:
    # Margins give rare categories more than their frequencies, and common ones pay for it.
    def words(rng: np.random.Generator, n: int) -> pd.DataFrame:
        return pd.DataFrame({"word": [f"w{k}" for k in np.minimum(rng.zipf(1.6, n), 2000)]})

    p_values = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        density = bw.DensityForest(2, random_state=0)
        model = bw.TableModel(density, random_state=0).fit(words(rng, 200))
        p_values.append(model.drift(words(rng, n_new), random_state=seed)["word"].p_value)
    assert np.mean(np.array(p_values) < 0.05) < 0.12
    assert 0.3 < np.mean(p_values) < 0.7
    other = words(np.random.default_rng(99), n_new)
    other.loc[: n_new // 4, "word"] = "w3"
    assert model.drift(other, random_state=0)["word"].p_value < 0.01
