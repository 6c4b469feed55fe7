"""The public estimators, whose parameters are declared."""

from __future__ import annotations

import inspect

import boxwood as bw

ESTIMATORS = [
    cls
    for cls in (getattr(bw, name) for name in bw.__all__)
    if inspect.isclass(cls) and hasattr(cls, "get_params")
]


def parameters_of_init(cls):
    """Return the parameters of ``__init__``, without self."""
    return (
        dict(list(inspect.signature(cls.__init__).parameters.items())[1:]) if "__init__" in vars(cls) else {}
    )
