"""Estimators that answer by a density which they fit."""

from __future__ import annotations

from typing import Any, Self, cast

from sklearn.base import BaseEstimator, clone

from boxwood.columns import Schema
from boxwood.density.base import DensityEstimator
from boxwood.density.forest import DensityForest
from boxwood.estimator import TableEstimator
from boxwood.model_file import ModelFileError, State
from boxwood.parameters import Checked, Parameter, shown

__all__ = ["MODEL", "FittedDensity", "ModelParameters", "check_support_of", "new_density"]


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


def new_density(model: Any, random_state: Any, support: Any = None) -> Any:
    """Return a density to fit: a copy of the model, or a `DensityForest` if the model is None.

    `support` replaces the density's own support, unless it is None.

    Examples
    --------
    >>> new_density(None, 0)
    DensityForest(random_state=0)
    >>> new_density(None, 0, range(1, 7))
    DensityForest(random_state=0, support=range(1, 7))
    """
    density: Any = DensityForest(random_state=random_state) if model is None else clone(model)
    return density if support is None else density.set_params(support=support)


def check_support_of(estimator: Any) -> None:
    """Raise if a support cannot be handed on to the model of an estimator."""
    if estimator.support is None or estimator.model is None:
        return
    known = estimator.model.get_params(deep=False)
    name, own = type(estimator.model).__name__, type(estimator).__name__
    if "support" not in known:
        raise TypeError(
            f"{own}: support is given, but {name} has no parameter support. Use DensityForest, DensityTree, "
            "BoostedDensity, Histogram, GridHistogram or ProductDensity as the model."
        )
    if known["support"] is not None:
        raise ValueError(f"{own}: support is given twice, to {own} and to {name}. Leave one of them out.")


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
        BaseEstimator.set_params(cast(Any, self), **params)  # a TableModel is none
        return self


class ModelParameters(HasModel):
    """The parameters of a `TableModel` for scikit-learn's searches.

    It is no BaseEstimator: its `predict` takes the name of a column, which is not scikit-learn's contract.
    """

    random_state: Any
    support: Any

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name.

        Parameters
        ----------
        deep : bool, default=True
            Whether the parameters of the density come too, as ``model__<name>``.
        """
        own = {"model": self.model, "support": self.support, "random_state": self.random_state}
        if not deep or not hasattr(self.model, "get_params"):
            return own
        return own | {f"model__{name}": value for name, value in self.model.get_params().items()}

    def __sklearn_tags__(self) -> Any:
        tags = BaseEstimator().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.allow_nan = True
        return tags

    @classmethod
    def _get_param_names(cls) -> list[str]:
        return ["model", "support", "random_state"]


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
