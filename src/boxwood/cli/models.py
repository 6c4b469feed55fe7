"""Model files that commands read and write."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

__all__ = ["QUESTIONS", "load_model", "load_questions"]

QUESTIONS = ("target", "training")
"""What a model file has that questions do not need: forests of its target, scores of the rows of its fit."""


def load_model(path: str | os.PathLike[str], threads: int = 1, *, without: Collection[str] = ()) -> Any:
    """Return the TableModel of a file; a density that was saved alone is taken as one.

    Questions need neither the forests of its target nor the scores of the rows of its fit: without them it is
    there in half the time.
    """
    from boxwood.density.base import DensityEstimator
    from boxwood.model_file import ModelFileError, load_without
    from boxwood.table import TableModel

    _check_there(path)
    model = load_without(path, without)
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


def load_questions(path: str | os.PathLike[str], threads: int = 1) -> Any:
    """Return what answers questions to the model of a file.

    Of forests and trees it is made from the file alone: the estimators, and scikit-learn with them, would
    take as long to import as the answer takes.
    """
    from boxwood.density.fitted_boxes import query_of_file
    from boxwood.table.questions import GivenTable
    from boxwood.threads import n_threads

    _check_there(path)
    found = query_of_file(path, n_threads(threads), QUESTIONS)
    return load_model(path, threads, without=QUESTIONS) if found is None else GivenTable(*found)


def _check_there(path: str | os.PathLike[str]) -> None:
    if Path(path).is_dir():
        from boxwood.model_file import ModelFileError

        raise ModelFileError(f"{os.fsdecode(path)!r} is a directory, not a model file.")
    if not Path(path).exists():
        raise FileNotFoundError(f"there is no model file {os.fsdecode(path)!r}.")
