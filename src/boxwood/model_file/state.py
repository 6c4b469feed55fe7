"""Reading a model's state with suspicion: every entry is asked for by type, shape and range."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.model_file.errors import ModelFileError
from boxwood.parameters import shown

__all__ = ["State"]


class State:
    """A dictionary of saved values whose getters check what they give.

    Every getter raises `ModelFileError` with the entry's path where the entry is missing or is not
    what the model means.

    Examples
    --------
    >>> state = State({"mean": np.zeros(3), "count": 7}, "GaussianDensity")
    >>> state.integer("count", low=1)
    7
    >>> state.array("mean", np.float64, (2,))
    Traceback (most recent call last):
        ...
    boxwood.model_file.errors.ModelFileError: GaussianDensity.mean has the shape (3,), not (2,)
    """

    def __init__(self, values: Any, path: str) -> None:
        if not isinstance(values, dict):
            raise ModelFileError(f"{path} is not a dictionary")
        self._values = values
        self._read: set[str] = set()
        self._within: list[State] = []
        self.path = path

    def __contains__(self, name: str) -> bool:
        return self._values.get(name) is not None

    def error(self, name: str, what: str) -> ModelFileError:
        """Return the error that says what is wrong with an entry."""
        return ModelFileError(f"{self.path}.{name} {what}")

    def array(
        self,
        name: str,
        dtype: Any,
        shape: Sequence[int | None],
        *,
        low: float | None = None,
        high: float | None = None,
        finite: bool = True,
    ) -> NDArray[Any]:
        """Return an array of that dtype and shape (None: any length), within bounds, without NaN."""
        value = self._get(name)
        if not isinstance(value, np.ndarray):
            raise self.error(name, "is not an array")
        if value.dtype != np.dtype(dtype):
            raise self.error(name, f"has the dtype {value.dtype}, not {np.dtype(dtype)}")
        fits = len(value.shape) == len(shape) and all(
            want is None or have == want for have, want in zip(value.shape, shape, strict=True)
        )
        if not fits:
            sizes = ", ".join("?" if n is None else str(n) for n in shape)
            comma = "," if len(shape) == 1 else ""
            raise self.error(name, f"has the shape {value.shape}, not ({sizes}{comma})")
        if value.dtype.kind == "f" and finite and not np.isfinite(value).all():
            raise self.error(name, "holds NaN or inf")
        if value.dtype.kind == "f" and not finite and np.isnan(value).any():
            raise self.error(name, "holds NaN")
        if low is not None and value.size and value.min() < low:
            raise self.error(name, f"holds {value.min()}, below {low}")
        if high is not None and value.size and value.max() > high:
            raise self.error(name, f"holds {value.max()}, above {high}")
        return value

    def number(self, name: str, *, low: float = -math.inf, high: float = math.inf) -> float:
        """Return a number between bounds (which may be infinite), not NaN."""
        value = self._get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(name, "is not a number")
        too_large = isinstance(value, int) and abs(value) > sys.float_info.max
        if too_large or not low <= value <= high:
            raise self.error(name, f"is {shown(value)}, not between {low} and {high}")
        return float(value)

    def integer(self, name: str, *, low: int = 0, high: int = 2**53) -> int:
        """Return an integer between bounds."""
        value = self._get(name)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.error(name, "is not an integer")
        if not low <= value <= high:
            raise self.error(name, f"is {shown(value)}, not between {low} and {high}")
        return value

    def flag(self, name: str) -> bool:
        """Return a boolean."""
        value = self._get(name)
        if not isinstance(value, bool):
            raise self.error(name, "is not true or false")
        return value

    def text(self, name: str, choices: Sequence[str] | None = None) -> str:
        """Return a string, one of `choices` where these are given."""
        value = self._get(name)
        if not isinstance(value, str) or (choices is not None and value not in choices):
            raise self.error(
                name, f"is {shown(value)}" + (f", not one of {list(choices)}" if choices else ", not text")
            )
        return value

    def labels(self, name: str) -> list[Any]:
        """Return a list of strings, numbers or booleans."""
        value = self._get(name)
        if not isinstance(value, list) or not all(isinstance(v, str | int | float | bool) for v in value):
            raise self.error(name, "is not a list of labels")
        return value

    def child(self, name: str) -> State:
        """Return a dictionary within."""
        child = State(self._get(name), f"{self.path}.{name}")
        self._within.append(child)
        return child

    def children(self, name: str, length: int | None = None) -> list[State]:
        """Return the dictionaries of a list within."""
        values = self._get(name)
        if not isinstance(values, list):
            raise self.error(name, "is not a list")
        if length is not None and len(values) != length:
            raise self.error(name, f"has {len(values)} entries, not {length}")
        children = [State(value, f"{self.path}.{name}.{i}") for i, value in enumerate(values)]
        self._within.extend(children)
        return children

    def check_all_read(self) -> None:
        """Raise for an entry that nobody asked for: a reader that ignores it would misread the model."""
        unread = sorted(set(self._values) - self._read)
        if unread:
            raise ModelFileError(f"{self.path} holds the unknown entry {shown(unread[0])}")
        for state in self._within:
            state.check_all_read()

    def _get(self, name: str) -> Any:
        self._read.add(name)
        if name not in self._values:
            raise self.error(name, "is missing")
        return self._values[name]
