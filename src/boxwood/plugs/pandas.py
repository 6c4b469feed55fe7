"""The accessor ``df.boxwood`` of pandas; importing this module registers it."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import pandas as pd

from boxwood.plugs.frame_methods import FrameMethods

__all__ = ["PandasMethods"]


@pd.api.extensions.register_dataframe_accessor("boxwood")
class PandasMethods(FrameMethods):
    """The accessor ``df.boxwood`` of a pandas frame; importing ``boxwood.plugs.pandas`` registers it.

    Its methods are those of :class:`boxwood.plugs.frame_methods.FrameMethods`.

    Parameters
    ----------
    frame : pandas.DataFrame
        The rows that are asked about; pandas hands it over.

    Examples
    --------
    >>> import pandas as pd
    >>> import boxwood as bw
    >>> import boxwood.plugs.pandas
    >>> df = pd.DataFrame({"x": [1.0, 2.0, 2.5, 9.0]}, index=["a", "b", "c", "d"])
    >>> df.boxwood.score(bw.GaussianDensity().fit(df)).idxmin()
    'd'
    """

    def _series(self, values: Any, name: str) -> Any:
        return pd.Series(values, index=self._frame.index, name=name)

    def _own(self, frame: Any) -> Any:
        return nw.from_native(frame).to_pandas().set_axis(self._frame.index, axis=0)
