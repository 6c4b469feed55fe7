"""A loader a table, with scikit-learn's parameters."""

from __future__ import annotations

from typing import Any

from boxwood.datasets.bunch import load_table

__all__ = ["load_cars", "load_census", "load_penguins"]


def load_penguins(*, return_X_y: bool = False, as_frame: bool | str = True) -> Any:
    """Return 344 penguins: their species, where they live, four measures, sex and year; 19 cells are missing.

    For densities, questions and classification. Gorman, Williams and Fraser (2014), by way of palmerpenguins;
    CC0 1.0.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` instead of a Bunch.
    as_frame : bool or {"pandas", "polars", "pyarrow"}, default=True
        Which frame the tables are. True is the first of the three libraries that is installed. False, or
        True where none is installed, gives a :class:`boxwood.Columns`, which every estimator reads.

    Returns
    -------
    bunch : sklearn.utils.Bunch
        ``frame`` (all columns), ``data`` (without the target), ``target`` (the species), ``target_name``,
        ``feature_names``, ``DESCR`` (source, licence and changes) and ``filename`` (the CSV file).

    Examples
    --------
    >>> import boxwood as bw
    >>> from boxwood.datasets import load_penguins
    >>> penguins = load_penguins()
    >>> penguins.frame.shape
    (344, 8)
    >>> model = bw.TableModel(random_state=0).fit(penguins.frame)
    >>> model.prob("species == 'Gentoo'", given="body_mass_g > 5000") > 0.9
    True
    """
    return load_table("penguins", "species", return_X_y=return_X_y, as_frame=as_frame)


def load_census(*, return_X_y: bool = False, as_frame: bool | str = True) -> Any:
    """Return 2,000 people of a census: 14 columns, most of them categories, and 262 missing cells.

    For filling gaps, finding what is odd, synthetic rows and classification. A sample of Adult: Becker and
    Kohavi (1996), UCI Machine Learning Repository; CC BY 4.0.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` instead of a Bunch.
    as_frame : bool or {"pandas", "polars", "pyarrow"}, default=True
        As in :func:`load_penguins`.

    Returns
    -------
    bunch : sklearn.utils.Bunch
        As of :func:`load_penguins`; ``target`` is the column income (``<=50K`` or ``>50K``).

    Examples
    --------
    >>> from boxwood.datasets import load_census
    >>> load_census(as_frame=False).data["occupation"].n_missing
    111
    """
    return load_table("census", "income", return_X_y=return_X_y, as_frame=as_frame)


def load_cars(*, return_X_y: bool = False, as_frame: bool | str = True) -> Any:
    """Return 398 cars: miles per gallon, and seven columns to predict it from; 6 cells are missing.

    For regression and predicted distributions. Auto MPG: Quinlan (1993), UCI Machine Learning Repository;
    CC BY 4.0.

    Parameters
    ----------
    return_X_y : bool, default=False
        Return ``(data, target)`` instead of a Bunch.
    as_frame : bool or {"pandas", "polars", "pyarrow"}, default=True
        As in :func:`load_penguins`.

    Returns
    -------
    bunch : sklearn.utils.Bunch
        As of :func:`load_penguins`; ``target`` is the column mpg. The cars' names, which are almost all
        different, are no column of ``frame``, but the list ``names``.

    Examples
    --------
    >>> from boxwood.datasets import load_cars
    >>> cars = load_cars()
    >>> cars.feature_names
    ['cylinders', 'displacement_in3', 'horsepower', 'weight_lb', 'acceleration_s', 'year', 'origin']
    >>> cars.names[cars.target.argmax()]
    'mazda glc'
    """
    return load_table("cars", "mpg", return_X_y=return_X_y, as_frame=as_frame, names="name")
