"""The base of estimators whose parameters are declared: one check for all, one docstring from all."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Mapping
from typing import Any, ClassVar

from boxwood.parameters.arguments import describe_arguments
from boxwood.parameters.doc_link import DocLink
from boxwood.parameters.docstring import with_parameters
from boxwood.parameters.effect import differs, idle_message
from boxwood.parameters.parameter import Parameter

__all__ = ["DeclaredParameters", "declared_parameters"]


class DeclaredParameters(DocLink):
    """Checks and describes parameters by their declarations.

    ``_parameters`` of a class has the declarations that are new in it or differ from those of its bases. A
    class with an ``__init__`` gets the section "Parameters" of its docstring from them; entries of its
    methods without a sentence get that of `boxwood.parameters.arguments`.
    """

    _parameters: ClassVar[tuple[Parameter, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        describe_arguments(cls)
        if "__init__" in vars(cls) and cls.__doc__:
            signature = inspect.signature(cls.__init__)
            cls.__doc__ = with_parameters(cls.__doc__, signature, declared_parameters(cls))

    def _check_parameters(self, warn: bool = True) -> None:
        """Raise for a parameter that cannot be; ``fit`` begins with it, saving and loading ask it too.

        With `warn` it also warns of parameters that are set but have no effect under the others.
        """
        for parameter in declared_parameters(type(self)).values():
            parameter.check(self)
        self._check_combinations()
        if warn:
            for message in idle_messages(self):
                warnings.warn(message, UserWarning, stacklevel=4)

    def _check_combinations(self) -> None:
        """Raise for parameters that cannot be together."""


def idle_messages(estimator: Any) -> list[str]:
    """Return a sentence for each parameter that differs from its default and has no effect."""
    signature = inspect.signature(type(estimator).__init__).parameters
    return [
        idle_message(estimator, name, parameter.effect)
        for name, parameter in declared_parameters(type(estimator)).items()
        if parameter.effect is not None
        and differs(getattr(estimator, name), signature[name].default)
        and not parameter.effect.holds(estimator)
    ]


def declared_parameters(cls: type) -> Mapping[str, Parameter]:
    """Return the declarations of a class and its bases by name, in the order of ``__init__``."""
    known: dict[str, Parameter] = {}
    for base in reversed(cls.__mro__):
        known.update((parameter.name, parameter) for parameter in vars(base).get("_parameters", ()))
    names = inspect.signature(cls.__init__).parameters  # type: ignore[misc]
    return {name: known[name] for name in names if name in known}
