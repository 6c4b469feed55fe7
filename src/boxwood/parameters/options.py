"""The core's options, from the parameters that have their names."""

from __future__ import annotations

import numbers
from typing import Any, TypeVar

import numpy as np

from boxwood.parameters.declared import declared_parameters
from boxwood.parameters.standard import MOST

__all__ = ["fill_options"]

Options = TypeVar("Options")


def fill_options(options: Options, estimator: Any, **computed: Any) -> Options:
    """Set the core's options to an estimator's numbers and flags of the same names.

    Parameters
    ----------
    options : options of the core
        They keep their own default where a parameter is None.
    estimator : estimator
    **computed
        Options that are not a parameter as it stands: names of choices, rules of a table's size.

    Returns
    -------
    options
    """
    for name in declared_parameters(type(estimator)):
        value = getattr(estimator, name)
        if name not in computed and isinstance(value, numbers.Real | np.bool_) and hasattr(options, name):
            setattr(options, name, _native(value, type(getattr(options, name))))
    for name, value in computed.items():
        setattr(options, name, value)
    return options


def _native(value: Any, wanted: type) -> Any:
    return min(int(value), MOST) if wanted is int else wanted(value)
