"""Model files that commands read and write."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

__all__ = ["load_model"]


def load_model(path: str | os.PathLike[str], threads: int = 1, *, with_target: bool = True) -> Any:
    """Return the TableModel of a file; a density that was saved alone is taken as one.

    Without the forests of its target, which questions do not ask, it is there in half the time.
    """
    from boxwood.density.base import DensityEstimator
    from boxwood.model_file import ModelFileError, load_without
    from boxwood.table import TableModel

    if Path(path).is_dir():
        raise ModelFileError(f"{os.fsdecode(path)!r} is a directory, not a model file.")
    if not Path(path).exists():
        raise FileNotFoundError(f"there is no model file {os.fsdecode(path)!r}.")
    model = load_without(path, () if with_target else ("target",))
    if isinstance(model, DensityEstimator):
        model = TableModel.of_density(model)
    if not isinstance(model, TableModel):
        raise ModelFileError(
            f"{os.fsdecode(path)!r} holds a {type(model).__name__}; a TableModel or a density is needed: "
            "write one by `boxwood fit`."
        )
    if "n_jobs" in model.density_.get_params():
        model.density_.set_params(n_jobs=threads)
    return model
