"""The accessor ``df.boxwood`` of pandas; importing this module registers it.

Examples
--------
>>> import pandas as pd
>>> import boxwood.plugs.pandas
>>> df = pd.DataFrame({"x": [1.0, 2.0, 2.5, 9.0]}, index=["a", "b", "c", "d"])
>>> import boxwood as bw
>>> df.boxwood.score(bw.GaussianDensity().fit(df)).idxmin()
'd'
"""

from __future__ import annotations

from typing import Any

import narwhals as nw
import pandas as pd

from boxwood.plugs.frame_methods import FrameMethods

__all__ = ["PandasMethods"]


@pd.api.extensions.register_dataframe_accessor("boxwood")
class PandasMethods(FrameMethods):
    """The methods of ``df.boxwood``; see :class:`boxwood.plugs.frame_methods.FrameMethods`."""

    def _series(self, values: Any, name: str) -> Any:
        return pd.Series(values, index=self._frame.index, name=name)

    def _own(self, frame: Any) -> Any:
        return nw.from_native(frame).to_pandas().set_axis(self._frame.index, axis=0)
