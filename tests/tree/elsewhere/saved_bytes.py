"""Models as the bytes of their files."""

import tempfile
import warnings
from pathlib import Path
from typing import Any

from sklearn.base import clone


def state(model: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.boxwood"
        model.save(path)
        return path.read_bytes()


def fitted(model: Any, *args: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clone(model).fit(*args)
