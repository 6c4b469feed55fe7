"""The error of everything that is wrong with a model file."""

from __future__ import annotations

__all__ = ["ModelFileError"]


class ModelFileError(ValueError):
    """A model file that cannot be read, or a model that cannot be written to one.

    Examples
    --------
    >>> import boxwood as bw
    >>> bw.load(__file__)
    Traceback (most recent call last):
        ...
    boxwood.model_file.errors.ModelFileError: ...: not a boxwood model file (...)
    """
