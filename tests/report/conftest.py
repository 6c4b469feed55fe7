from pathlib import Path

import pytest

import boxwood as bw

PENGUINS = Path(__file__).parents[2] / "examples" / "penguins.csv"


@pytest.fixture(scope="session")
def penguins() -> bw.Columns:
    return bw.read_columns(PENGUINS)


@pytest.fixture(scope="session")
def model(penguins: bw.Columns) -> bw.TableModel:
    return bw.TableModel(bw.DensityForest(n_estimators=20, random_state=0)).fit(penguins)
