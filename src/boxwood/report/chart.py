"""Charts in Vega-Lite: specifications as plain dictionaries, drawn by the page itself."""

from __future__ import annotations

import json
from html import escape
from typing import Any

import numpy as np

__all__ = ["chart", "scale_of", "script_of", "values_of"]


def chart(spec: dict[str, Any], title: str, description: str) -> str:
    """Return a figure.

    Parameters
    ----------
    spec : dict
        In Vega-Lite, with its data; colours may be named by the page's variables, as ``"var(--first)"``.
    title : str
        Says what is to be seen.
    description : str
        The same for whom does not see it.
    """
    whole = {"width": "container", **spec}
    # A page cannot have </script> inside of a script, whatever the data hold.
    text = json.dumps(_plain(whole), ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")
    return (
        f"<figure data-chart role='group'><figcaption>{escape(title)}</figcaption>"
        f"<div class='chart' role='img' aria-label='{escape(description, quote=True)}'></div>"
        f"<script type='application/json'>{text}</script></figure>"
    )


def values_of(**columns: Any) -> dict[str, Any]:
    """Return columns of equal length as Vega-Lite's inline data."""
    # Text stays as it is: an array of it would drop trailing zero bytes.
    arrays = {
        name: values.tolist() if isinstance(values, np.ndarray) else list(values)
        for name, values in columns.items()
    }
    return {"values": [dict(zip(arrays, row, strict=True)) for row in zip(*arrays.values(), strict=True)]}


def scale_of(dates: bool) -> dict[str, bool]:
    """Return a scale that ends where its values do; scales of dates know no zero, and would say so."""
    return {"nice": False} if dates else {"nice": False, "zero": False}


def script_of(own: str) -> str:
    """Return the charts' library with the page's own script behind it."""
    try:
        import vl_convert
    except ImportError:
        raise ImportError("reports need vl-convert: install it with `pip install boxwood[report]`.") from None
    bundle = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return f"{bundle}\n{own}".replace("</script", "<\\/script")


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return float(f"{value:.5g}") if np.isfinite(value) else None
    return value
