"""Questions to a model file, without the estimator that wrote it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boxwood as bw
from boxwood.density.fitted_boxes import query_of_file
from boxwood.model_file import ModelFileError

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "tests" / "data" / "models").glob("*.boxwood"))


def _table() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    city = np.array(["Bonn", "Ulm", "Graz"])[rng.integers(0, 3, 400)]
    x = np.where(rng.random(400) < 0.1, np.nan, rng.normal(size=400) + (city == "Ulm"))
    return {"city": city, "country": np.where(city == "Graz", "A", "D"), "x": x, "k": rng.poisson(3, 400)}


MODELS = {
    "forest": bw.DensityForest(5, random_state=0),
    "tree": bw.DensityTree(random_state=0),
    "without gaps": bw.DensityForest(5, random_state=0, missing="ignore"),
    "histograms": bw.DensityForest(5, random_state=0, leaf="histogram"),
}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("in_table", [False, True])
def test_answers_are_those_of_the_loaded_model(name: str, in_table: bool, tmp_path: Path) -> None:
    path = tmp_path / "model.boxwood"
    table = _table()
    model = bw.TableModel(MODELS[name]).fit(table, target="city") if in_table else MODELS[name].fit(table)
    model.save(path)
    found = query_of_file(path)
    assert found is not None
    query, schema = found
    loaded = bw.load(path)
    density = loaded.density_ if in_table else loaded
    whole = density.query()
    assert schema == density.schema_
    for event, given in [("x > 0.3", "city == 'Ulm'"), ("country == 'A'", "k > 2"), ("x is missing", None)]:
        assert query.given(given).probability(event) == whole.given(given).probability(event)
    assert query.given("city == 'Graz'").mean("x") == whole.given("city == 'Graz'").mean("x")
    assert query.mutual_information("city", "x") == whole.mutual_information("city", "x")
    np.testing.assert_array_equal(query.log_density(table), density.score_samples(table))
    np.testing.assert_array_equal(query.dependence(), whole.dependence())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_of_other_models_are_left_to_their_classes(path: Path) -> None:
    found = query_of_file(path)
    if found is not None:
        np.testing.assert_array_equal(found[0].dependence(), bw.load(path).query().dependence())
        assert path.stem.startswith(("DensityForest", "DensityTree"))


def test_what_is_wrong_with_a_file_is_said(tmp_path: Path) -> None:
    path = tmp_path / "model.boxwood"
    bw.DensityTree(random_state=0).fit(_table()).save(path)
    content = path.read_bytes()
    path.write_bytes(content.replace(b'\\"rotation\\": null', b'\\"rotation\\":[[[1]', 1))
    with pytest.raises(ModelFileError, match=r"model\.boxwood"):
        query_of_file(path)
