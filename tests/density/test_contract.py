"""The contract of every density."""

from contract import DensityContract, densities

import boxwood as bw


class TestEveryDensity(DensityContract):
    pass


def test_the_first_density_is_found():
    assert bw.GaussianDensity in densities()
