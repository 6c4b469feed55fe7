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

__all__ = ["DeclaredParameters", "declared_parameters", "idle_messages", "idle_parameters", "set_effective"]


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


def idle_parameters(estimator: Any) -> dict[str, Any]:
    """Return the defaults of the parameters that differ from them and have no effect."""
    signature = inspect.signature(type(estimator).__init__).parameters
    return {
        name: signature[name].default
        for name in _without_effect(estimator)
        if differs(getattr(estimator, name), signature[name].default)
    }


def idle_messages(estimator: Any) -> list[str]:
    """Return a sentence for each parameter that differs from its default and has no effect."""
    declared = declared_parameters(type(estimator))
    return [idle_message(estimator, name, declared[name].effect) for name in idle_parameters(estimator)]


def set_effective(estimator: Any, **params: Any) -> Any:
    """Set those of some parameters that have an effect, and return the estimator.

    The user should not be warned of parameters that the library sets by itself.
    """
    idle = _without_effect(estimator)
    return estimator.set_params(**{name: value for name, value in params.items() if name not in idle})


def _without_effect(estimator: Any) -> list[str]:
    declared = declared_parameters(type(estimator)).values()
    return [one.name for one in declared if one.effect is not None and not one.effect.holds(estimator)]


def declared_parameters(cls: type) -> Mapping[str, Parameter]:
    """Return the declarations of a class and its bases by name, in the order of ``__init__``."""
    known: dict[str, Parameter] = {}
    for base in reversed(cls.__mro__):
        known.update((parameter.name, parameter) for parameter in vars(base).get("_parameters", ()))
    names = inspect.signature(cls.__init__).parameters  # type: ignore[misc]
    return {name: known[name] for name in names if name in known}
