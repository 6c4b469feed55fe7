"""The core's options, from the parameters that have their names."""

from __future__ import annotations

import numbers
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

import numpy as np

from boxwood import _core
from boxwood.parameters.declared import declared_parameters
from boxwood.parameters.standard import MOST

__all__ = ["PackedOptions", "fill_options", "pack_options"]

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


@dataclass(frozen=True)
class PackedOptions:
    """Options of the core in a form that travels: the name of their type, and each value by name."""

    kind: str
    values: dict[str, Any]

    def unpacked(self) -> Any:
        """Return the options."""
        made = getattr(_core, self.kind)()
        for name, value in self.values.items():
            setattr(made, name, _unpacked(value))
        return made


def pack_options(options: Any) -> PackedOptions:
    """Return the core's options, and those inside of them, in a form that travels.

    Examples
    --------
    >>> options = _core.GrowOptions()
    >>> options.max_depth = 3
    >>> pack_options(options).unpacked().max_depth
    3
    """
    names = [name for name in dir(options) if not name.startswith("_")]
    return PackedOptions(type(options).__name__, {name: _packed(getattr(options, name)) for name in names})


def _packed(value: Any) -> Any:
    if isinstance(value, Enum):  # those of the core do not travel by themselves
        return PackedChoice(type(value).__name__, value.name)
    return pack_options(value) if type(value).__module__ == _core.__name__ else value


def _unpacked(value: Any) -> Any:
    return value.unpacked() if isinstance(value, PackedOptions | PackedChoice) else value


@dataclass(frozen=True)
class PackedChoice:
    """A choice of the core's, by name."""

    kind: str
    name: str

    def unpacked(self) -> Any:
        """Return the choice."""
        return getattr(getattr(_core, self.kind), self.name)


def _native(value: Any, wanted: type) -> Any:
    return min(int(value), MOST) if wanted is int else wanted(value)
