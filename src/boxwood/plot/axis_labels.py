"""Labels of axes that do not overlap: dates, categories, and numbers on a logarithmic scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from boxwood.columns import Kind
from boxwood.plot.slices.slice_axis import SliceAxis

__all__ = ["label_axis", "label_categories", "label_dates", "label_logarithms", "shortened"]

MOST_ACROSS, MOST_UP = 10, 20
"""Labels on an axis; of more categories every second, third, … has one."""

LONGEST = 16
"""Characters of a label; longer ones end in an ellipsis."""

LEVEL_CHARACTERS = 26
"""Characters that fit side by side below a panel; labels with more in all are turned."""


def label_axis(axis: Any, shown: SliceAxis) -> None:
    """Name an axis and label what is no number."""
    axis.set_label_text(shown.field.name)
    if shown.field.kind is Kind.DATETIME:
        label_dates(axis)
    elif not shown.field.kind.is_number:
        label_categories(axis, [str(label) for label in shown.field.categories])


def label_categories(axis: Any, labels: Sequence[str]) -> None:
    """Label 0, 1, 2, … with categories: shortened, some left out, turned where they are long."""
    step = -(-len(labels) // (MOST_ACROSS if axis.axis_name == "x" else MOST_UP))
    texts = [shortened(label) for label in labels[::step]]
    axis.set_ticks(range(0, len(labels), step), texts)
    if axis.axis_name == "x" and sum(len(text) + 1 for text in texts) > LEVEL_CHARACTERS:
        _turn(axis)


def label_dates(axis: Any) -> None:
    """Label days since 1970 with few dates, each telling only what the one before it does not."""
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    axis.axis_date()
    # With fewer there is no step for some ranges, such as 30 months.
    locator = AutoDateLocator(minticks=3, maxticks=7)
    axis.set_major_locator(locator)
    axis.set_major_formatter(ConciseDateFormatter(locator))


def label_logarithms(axis: Any, values: Any) -> None:
    """Label a logarithmic axis at some of its values, at least a factor of two apart."""
    from matplotlib.ticker import NullFormatter

    ticks: list[float] = []
    spread = max(float(np.log2(max(values) / min(values))), 1.0)
    for value in sorted(values, reverse=True):
        # Six labels at most; the largest always has one.
        if not ticks or np.log2(ticks[-1] / value) >= max(0.9, spread / 6.0):
            ticks.append(float(value))
    axis.set_ticks(ticks, [f"{tick:,.0f}" for tick in ticks])
    axis.set_minor_formatter(NullFormatter())


def shortened(label: str, longest: int = LONGEST) -> str:
    """Return a label, cut where it is long."""
    return label if len(label) <= longest else label[: longest - 1] + "…"


def _turn(axis: Any) -> None:
    for text in axis.get_ticklabels():
        text.set(rotation=40, ha="right", rotation_mode="anchor")
