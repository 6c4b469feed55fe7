"""Parameters of estimators, each declared once: name, kind, bounds and the sentence that describes it.

A class lists its own in ``_parameters``; those of its bases are inherited. The checks of ``fit``, the section
"Parameters" of the class's docstring and the core's options of the same names follow from the declarations.
"""

from boxwood.parameters.checks import (
    check_choice,
    check_count,
    check_integer,
    check_number,
    checked_names,
)
from boxwood.parameters.declared import (
    DeclaredParameters,
    declared_parameters,
    idle_parameters,
    set_effective,
)
from boxwood.parameters.effect import Effect, only_with
from boxwood.parameters.kind import AnyOf, Choice, Flag, Kind
from boxwood.parameters.number import Integer, Real
from boxwood.parameters.object import Checked, Function, Instance, Unchecked
from boxwood.parameters.options import fill_options
from boxwood.parameters.parameter import Parameter, declare
from boxwood.parameters.shown import shown
from boxwood.parameters.standard import MOST, n_jobs, random_state, verbose

__all__ = [
    "MOST",
    "AnyOf",
    "Checked",
    "Choice",
    "DeclaredParameters",
    "Effect",
    "Flag",
    "Function",
    "Instance",
    "Integer",
    "Kind",
    "Parameter",
    "Real",
    "Unchecked",
    "check_choice",
    "check_count",
    "check_integer",
    "check_number",
    "checked_names",
    "declare",
    "declared_parameters",
    "fill_options",
    "idle_parameters",
    "n_jobs",
    "only_with",
    "random_state",
    "set_effective",
    "shown",
    "verbose",
]
