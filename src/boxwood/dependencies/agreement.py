"""How far a model agrees with rules by itself: what its density must be divided by to keep to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.boosting.cube_intervals import cube_intervals_of
from boxwood.dependencies.cells import columns_of_numbers
from boxwood.dependencies.component import PRESENT, VALUE, Component
from boxwood.margins import Margins
from boxwood.mixture import Mixture
from boxwood.model_file import State

__all__ = ["Agreement", "RuledMixture", "cube_parts", "have_mass", "log_margin"]


@dataclass(frozen=True, eq=False)
class Agreement:
    """Under a model, the probability of what rules ask.

    Attributes
    ----------
    log_all : list of ndarray of shape (n_entries,)
        Of each component: log P(all that an entry asks | the entry); of values the density on the cube.
    log_but : list of ndarray of shape (n_ruled, n_entries)
        The same without what is asked of one column.
    """

    log_all: list[NDArray[np.float64]]
    log_but: list[NDArray[np.float64]]

    def to_state(self) -> dict[str, Any]:
        """Return what a model file keeps."""
        parts = zip(self.log_all, self.log_but, strict=True)
        return {"components": [{"log_all": log_all, "log_but": but.ravel()} for log_all, but in parts]}

    @classmethod
    def from_state(cls, state: State, components: Sequence[Component]) -> Agreement:
        """Read what `to_state` gave, after checking it."""
        found = cls([], [])
        for child, component in zip(state.children("components", len(components)), components, strict=True):
            n, k = component.n_entries, len(component.ruled)
            found.log_all.append(child.array("log_all", np.float64, (n,)))
            found.log_but.append(child.array("log_but", np.float64, (k * n,)).reshape(k, n))
        return found


class RuledMixture:
    """A mixture under margins that keeps to rules: p(root)·p(others | root, what follows from it).

    Parameters
    ----------
    components : sequence of Component
    margins : Margins
    mixture : Mixture
    """

    def __init__(self, components: Sequence[Component], margins: Margins, mixture: Mixture) -> None:
        self.components, self.margins, self.mixture = list(components), margins, mixture

    def __getstate__(self) -> dict[str, Any]:
        kept = ("components", "margins", "mixture")  # native objects are not pickled, but made anew
        return {name: self.__dict__[name] for name in kept}

    @cached_property
    def native(self) -> _core.RuledMixture:
        """The mixture under rules, which walks through all leaves when it is made."""
        parts = [cube_parts(component, self.margins) for component in self.components]
        return _core.RuledMixture(self.mixture.native, parts)

    @cached_property
    def agreement(self) -> Agreement:
        """How far the mixture agrees with the rules by itself."""
        found = [self.native.agreement(c) for c in range(len(self.components))]
        return Agreement([log_all for log_all, _ in found], [log_but for _, log_but in found])

    def sample(self, n_rows: int, seed: int) -> NDArray[np.float64]:
        """Draw points of the cube."""
        return self.native.sample(n_rows, seed)


def log_margin(margins: Margins, column: int, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of what a column's margin gives values; of a gap, of its probability."""
    margin, kind = margins.columns[column], margins.schema.fields[column].kind
    values = numbers if kind.is_number else np.where(np.isnan(numbers), -1, numbers).astype(np.int32)
    with np.errstate(divide="ignore"):
        return np.where(
            np.isnan(numbers),
            np.log(margin.missing_mass),
            margin.log_derivative(np.ascontiguousarray(values)),
        )


def have_mass(component: Component, margins: Margins) -> bool:
    """Return whether the margins give a probability to every value that a component knows."""
    _, _, width = _on_cube(component, margins)
    known = width[:-1, component.root]
    asked = [width[ruled.kind == VALUE, ruled.column] for ruled in component.ruled]
    return bool((known > 0.0).all() and all((part > 0.0).all() for part in asked))


def _on_cube(component: Component, margins: Margins) -> tuple[NDArray[np.float64], ...]:
    """Return points, lower ends and widths of the values of each entry: (n_entries, n_columns)."""
    n = component.n_entries
    asked = {component.root: np.append(component.keys, np.nan)}
    for ruled in component.ruled:
        asked[ruled.column] = np.where(ruled.kind == VALUE, ruled.value, np.nan)
    unknown = np.full(n, np.nan)
    table = columns_of_numbers(margins.schema, [asked.get(j, unknown) for j in range(len(margins.schema))])
    points = margins.encode(table)
    intervals = cube_intervals_of(margins, table, points, "event")
    return points, intervals.lower, intervals.width


def cube_parts(component: Component, margins: Margins) -> tuple[Any, ...]:
    """Return a component as the core takes it: root, points and widths of entries, and ruled columns."""
    points, _, width = _on_cube(component, margins)
    root, n = component.root, component.n_entries
    columns = []
    for ruled in component.ruled:
        low, high = np.full(n, np.nan), np.full(n, np.nan)
        of_value, present = ruled.kind == VALUE, ruled.kind == PRESENT
        low[of_value] = high[of_value] = points[of_value, ruled.column]
        low[present], high[present] = 0.0, 1.0 - margins.columns[ruled.column].missing_mass
        columns.append((ruled.column, low, high))
    at_root = np.append(points[:-1, root], np.nan)
    return root, at_root, np.minimum(width[:, root], 1.0), columns
