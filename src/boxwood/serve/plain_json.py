"""Values as JSON: numbers that read back to the same double, infinities as text, dates as ISO text."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from boxwood.query.answer import Answer

__all__ = ["answer", "encode", "plain"]


def plain(value: Any) -> Any:
    """Return a value as JSON has it.

    Examples
    --------
    >>> plain({"p": np.float64(0.1), "of": [np.inf, np.nan, None], "on": np.datetime64("2024-02-29")})
    {'p': 0.1, 'of': ['inf', 'nan', None], 'on': '2024-02-29'}
    """
    if isinstance(value, bool | str | None):
        return value
    if isinstance(value, float):
        number = float(value)
        return number if math.isfinite(number) else str(number)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, np.ndarray):
        return _plain_array(value)
    if isinstance(value, np.generic) and not isinstance(value, np.datetime64):
        return plain(value.item())
    return str(value)


def _plain_array(array: Any) -> list[Any]:
    if array.dtype.kind == "f" and array.ndim == 1 and np.isfinite(array).all():
        return np.asarray(array).tolist()
    return [plain(part) for part in np.asarray(array)]


def answer(value: float) -> dict[str, Any]:
    """Return a number with how sure it is.

    Examples
    --------
    >>> answer(Answer(0.25)), answer(Answer.weighed(0.5, 0.01, 2500.0))["standard_error"]
    ({'value': 0.25, 'exact': True}, 0.01)
    """
    exact = bool(getattr(value, "exact", True))
    found: dict[str, Any] = {"value": plain(float(value)), "exact": exact}
    if not exact:
        assert isinstance(value, Answer)
        found["standard_error"] = plain(value.standard_error)
        found["effective_sample_size"] = plain(value.effective_sample_size)
    return found


def encode(value: Any) -> bytes:
    """Return plain values as JSON text: ASCII, so that text which is no valid Unicode passes, too."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii")
