"""The namespace ``df.boxwood`` of polars; importing this module registers it.

Examples
--------
>>> import polars as pl
>>> import boxwood.plugs.polars
>>> df = pl.DataFrame({"x": [1.0, 2.0, 2.5, 9.0]})
>>> import boxwood as bw
>>> df.boxwood.score(bw.GaussianDensity().fit(df)).arg_min()
3
"""

from __future__ import annotations

from typing import Any

import narwhals as nw
import polars as pl

from boxwood.plugs.frame_methods import FrameMethods

__all__ = ["PolarsMethods"]


@pl.api.register_dataframe_namespace("boxwood")
class PolarsMethods(FrameMethods):
    """The methods of ``df.boxwood``; see :class:`boxwood.plugs.frame_methods.FrameMethods`."""

    def _series(self, values: Any, name: str) -> Any:
        return pl.Series(name, values)

    def _own(self, frame: Any) -> Any:
        return nw.from_native(frame).to_polars()
