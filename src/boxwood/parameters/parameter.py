"""The declaration of one parameter."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from boxwood.parameters.effect import Effect
from boxwood.parameters.kind import Kind

__all__ = ["Parameter", "declare"]


@dataclass(frozen=True)
class Parameter:
    """A parameter as an estimator's class declares it; its default stands in the signature of ``__init__``.

    Parameters
    ----------
    name : str
    kind : Kind
        What it may be.
    sentence : str
        What it does, for the docstring. Lines that begin with "- " are the items of a list.
    effect : Effect or None
        When it has an effect; None: always. ``fit`` warns of a value without an effect unless it is the
        default.

    Examples
    --------
    >>> from boxwood.parameters import Integer
    >>> depth = Parameter("max_depth", Integer(1) | None, "Most cuts between the root and a leaf.")
    >>> depth.kind.text
    'int ≥ 1 or None'
    """

    name: str
    kind: Kind
    sentence: str
    effect: Effect | None = None

    def but(
        self, sentence: str | None = None, kind: Kind | None = None, effect: Effect | None = None
    ) -> Parameter:
        """Return the declaration with another sentence, kind or effect, for a class that differs a little."""
        return replace(
            self,
            sentence=sentence or self.sentence,
            kind=kind or self.kind,
            effect=effect or self.effect,
        )

    @property
    def described(self) -> str:
        """The sentence, and when the parameter has an effect."""
        only = "" if self.effect is None else f" Only with ``{self.effect.words}``."
        return self.sentence + only

    def check(self, estimator: Any) -> None:
        """Raise unless the estimator's value may be; the error names estimator, parameter and value."""
        self.kind.check(f"{type(estimator).__name__}: {self.name}", getattr(estimator, self.name))


def declare(*parameters: Parameter) -> tuple[Parameter, ...]:
    """Return the declarations of a class, for its ``_parameters``."""
    return parameters
