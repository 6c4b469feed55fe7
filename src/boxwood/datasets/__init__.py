"""Datasets: three small real tables inside the package, so that every example runs offline."""

from boxwood.datasets.loaders import load_cars, load_census, load_penguins

__all__ = ["load_cars", "load_census", "load_penguins"]
