"""The tables of the package: what they hold, in every container, and where they come from."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import boxwood as bw
from boxwood import datasets

ROOT = Path(__file__).parents[2]
SHAPES = {"penguins": (344, 8, 19), "census": (2000, 14, 262), "cars": (398, 8, 6)}
TARGETS = {"penguins": "species", "census": "income", "cars": "mpg"}
CONTAINERS = [False, True, "pandas", "polars", "pyarrow"]


def load(name, **options):
    return getattr(datasets, f"load_{name}")(**options)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("as_frame", CONTAINERS)
def test_rows_columns_and_gaps(name, as_frame):
    if isinstance(as_frame, str):
        pytest.importorskip(as_frame)
    bunch = load(name, as_frame=as_frame)
    columns = bw.read_columns(bunch.frame)
    assert (columns.n_rows, len(columns), columns.n_missing) == SHAPES[name]
    assert list(columns.schema.names) != bunch.feature_names
    assert sorted(columns.schema.names) == sorted([*bunch.feature_names, bunch.target_name])
    assert bunch.target_name == TARGETS[name]
    assert len(bunch.target) == columns.n_rows
    assert list(bw.read_columns(bunch.data).schema.names) == bunch.feature_names


@pytest.mark.parametrize("name", SHAPES)
def test_every_container_holds_the_same_values(name):
    table = load(name, as_frame=False).frame
    for as_frame in ("pandas", "polars", "pyarrow"):
        pytest.importorskip(as_frame)
        other = bw.read_columns(load(name, as_frame=as_frame).frame)
        for column, same in zip(table, other, strict=True):
            np.testing.assert_array_equal(column.numbers(), same.numbers())


@pytest.mark.parametrize("name", SHAPES)
def test_features_and_target_alone(name):
    bunch = load(name)
    data, target = load(name, return_X_y=True)
    assert data.equals(bunch.data)
    assert target.equals(bunch.target)
    assert bunch.frame[bunch.target_name].equals(target)


def test_targets_of_columns_are_arrays():
    species = load("penguins", as_frame=False).target
    assert species.dtype.kind == "U"
    assert load("cars", as_frame=False).target.dtype == float
    data, target = datasets.load_penguins(return_X_y=True, as_frame=False)
    assert bw.DecisionTreeClassifier().fit(data, target).score(data, target) > 0.9


def test_names_of_cars():
    cars = datasets.load_cars()
    assert len(cars.names) == 398
    assert cars.names[0] == "chevrolet chevelle malibu"
    assert "name" not in cars.frame.columns


def test_education_has_its_number():
    census = datasets.load_census().frame
    assert census.groupby("education", observed=True)["education_num"].nunique().max() == 1


@pytest.mark.parametrize("name", SHAPES)
def test_the_description_has_source_licence_and_changes(name):
    bunch = load(name)
    assert all(
        word in bunch.DESCR
        for word in ("Source: ", "Licence: CC0" if name == "penguins" else "CC BY", "Changes: ")
    )
    assert "##" not in bunch.DESCR
    assert Path(bunch.filename).is_file()


def test_every_table_has_a_description():
    folder = Path(datasets.__file__).parent / "tables"
    assert {path.stem for path in folder.glob("*.csv")} == set(SHAPES)


def test_the_penguins_of_the_examples_are_the_same():
    assert (
        Path(datasets.load_penguins().filename).read_bytes() == (ROOT / "examples/penguins.csv").read_bytes()
    )


def test_an_unknown_frame():
    with pytest.raises(ValueError, match=r"as_frame must be True, False, .* not 'dask'"):
        datasets.load_cars(as_frame="dask")


def test_without_a_frame_library(monkeypatch):
    monkeypatch.setattr("boxwood.datasets.bunch._LIBRARIES", ())
    assert isinstance(datasets.load_cars().frame, bw.Columns)


def test_importing_it_is_light():
    heavy = {"sklearn", "pandas", "polars", "duckdb"}
    script = f"import sys, boxwood.datasets; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
