"""The namespace ``df.boxwood`` of polars; importing this module registers it."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import polars as pl

from boxwood.plugs.frame_methods import FrameMethods

__all__ = ["PolarsMethods"]


@pl.api.register_dataframe_namespace("boxwood")
class PolarsMethods(FrameMethods):
    """The namespace ``df.boxwood`` of a polars frame; importing ``boxwood.plugs.polars`` registers it.

    Its methods are those of :class:`boxwood.plugs.frame_methods.FrameMethods`.

    Parameters
    ----------
    frame : polars.DataFrame
        The rows that are asked about; polars hands it over.

    Examples
    --------
    >>> import polars as pl
    >>> import boxwood as bw
    >>> import boxwood.plugs.polars
    >>> df = pl.DataFrame({"x": [1.0, 2.0, 2.5, 9.0]})
    >>> df.boxwood.score(bw.GaussianDensity().fit(df)).arg_min()
    3
    """

    def _series(self, values: Any, name: str) -> Any:
        return pl.Series(name, values)

    def _own(self, frame: Any) -> Any:
        return nw.from_native(frame).to_polars()
