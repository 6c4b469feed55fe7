"""Estimators that answer by a density which they fit."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import clone

from boxwood.columns import Schema
from boxwood.density.base import DensityEstimator
from boxwood.density.forest import DensityForest
from boxwood.estimator import TableEstimator
from boxwood.model_file import ModelFileError, State
from boxwood.parameters import Checked, Parameter, shown

__all__ = ["MODEL", "FittedDensity", "HasModel", "new_density"]


def check_model(where: str, model: object) -> None:
    """Raise unless a model is a density that answers queries."""
    if not isinstance(model, DensityEstimator) or not hasattr(model, "query"):
        raise TypeError(
            f"{where} must be a density with a query method, such as DensityForest; got {shown(model)}."
        )


MODEL = Parameter(
    "model",
    Checked("density", check_model) | None,
    "Cloned and fitted; without it ``DensityForest(random_state=random_state)``.",
)

TARGET_MODEL = Parameter(
    "model",
    MODEL.kind,
    "A density of the columns and the target together, cloned and fitted; without it forests are grown for "
    "the target.",
)


def new_density(model: Any, random_state: Any) -> Any:
    """Return a density to fit: a copy of the model, or a forest where there is none.

    Examples
    --------
    >>> new_density(None, 0)
    DensityForest(random_state=0)
    """
    return DensityForest(random_state=random_state) if model is None else clone(model)


class HasModel:
    """An estimator whose parameter `model` is a density, or None."""

    model: Any

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name; ``model__<name>`` is one of the density.

        Parameters
        ----------
        **params : dict
            The new values.
        """
        inner = [name for name in params if name.startswith("model__")]
        if inner and params.get("model", self.model) is None:
            raise ValueError(f"{inner[0]} is a parameter of a density, and model is None: give one, too.")
        super().set_params(**params)  # type: ignore[misc]
        return self


class FittedDensity(HasModel, TableEstimator):
    """An estimator with a fitted density of its columns, or of these and a target."""

    model: Any
    random_state: Any
    density_: Any

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags

    def _new_density(self) -> Any:
        return new_density(self.model, self.random_state)

    def _get_state(self) -> dict[str, Any]:
        if type(self._new_density()) is not type(self.density_):
            raise ModelFileError(f"{type(self).__name__}: model was changed since the fit; fit it again")
        return {"density": self.density_._get_state()}

    def _density_of_state(self, schema: Schema, state: State) -> Any:
        """Return the fitted density of a table with this schema."""
        density = self._new_density()
        density._restore(schema.to_json(), state.child("density"))
        return density
