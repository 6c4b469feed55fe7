"""What can be predicted: the comparison, the best model's confusion and calibration, its regions."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns
from boxwood.report.chart import chart, values_of
from boxwood.report.page import html_table
from boxwood.table.summary import TableSummary
from boxwood.table.target_column import split_target

__all__ = ["target_section"]

MOST_CLASSES = 20
N_CALIBRATION_BINS = 10
PRIORS = ("prior", "mean")
"""The models that know the target alone."""


def target_section(summary: TableSummary, columns: Columns) -> str:
    """Return the comparison of all families and pictures of the best one."""
    comparison = summary.comparison
    assert comparison is not None
    found = comparison.to_json()
    heads = [name for name in found["models"][0] if name != "model"]
    rows = [(each["model"], *(float(each[name]) for name in heads)) for each in found["models"]]
    parts = [
        _comparison_chart(found),
        html_table(
            ("model", *(name.replace("_", " ") for name in heads)), rows, "Cross-validated on the same folds"
        ),
    ]
    if comparison.bayes_error is not None:
        low, high = comparison.bayes_error.lower, comparison.bayes_error.upper
        parts.append(
            f"<p>No classifier errs less than the Bayes error, between {low:.3f} and {high:.3f} if "
            "the nearest neighbour errs as with many more rows.</p>"
        )
    if comparison.task == "classification":
        best = comparison.validations[comparison.best]
        labels = split_target(columns, str(summary.target))[1]
        seen = ~np.isnan(best.probabilities[:, 0])
        codes, probabilities = np.searchsorted(best.classes, labels)[seen], best.probabilities[seen]
        named = [str(label) for label in best.classes]
        charts = [
            _confusion(comparison.best, named, codes, probabilities),
            _calibration(comparison.best, codes, probabilities),
            _regions(summary, columns),
        ]
        parts.append(f"<div class='wide'>{''.join(charts)}</div>")
    left_out = "".join(f"<li>{escape(name)}: {escape(why)}</li>" for name, why in comparison.left_out.items())
    parts.append(f"<p>Left out:</p><ul>{left_out}</ul>" if left_out else "")
    return "".join(parts)


def _comparison_chart(found: dict[str, Any]) -> str:
    measure = "error" if found["task"] == "classification" else "rmse"
    # The prior errs so much more than the models that their differences would not be seen beside it.
    models = [each for each in found["models"] if each["model"] not in PRIORS] or found["models"]
    names = [each["model"] for each in models]
    values = [each[measure] for each in models]
    spread = [each[f"{measure}_std"] for each in models]
    low = [max(0.0, value - each) for value, each in zip(values, spread, strict=True)]
    high = [value + each for value, each in zip(values, spread, strict=True)]
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "rule", "color": "var(--pale)", "strokeWidth": 3},
            "encoding": {
                "x": {"field": "low", "type": "quantitative", "title": measure, "axis": {"tickCount": 8}},
                "x2": {"field": "high"},
            },
        },
        {
            "mark": {"type": "point", "filled": True, "size": 70, "color": "var(--first)", "tooltip": True},
            "encoding": {"x": {"field": measure, "type": "quantitative"}},
        },
    ]
    if found["bayes_error"] is not None:
        bracket = {"values": [{"from": found["bayes_error"][0], "to": found["bayes_error"][1]}]}
        layers.insert(
            0,
            {
                "data": bracket,
                "mark": {"type": "rect", "color": "var(--second)", "opacity": 0.25},
                "encoding": {
                    "x": {"field": "from", "type": "quantitative"},
                    "x2": {"field": "to"},
                    "y": {"value": 0},
                    "y2": {"value": 22 * len(names)},
                },
            },
        )
    y = {"field": "model", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 200}}
    for layer in layers:
        if "data" not in layer:
            layer["encoding"]["y"] = y
    data = values_of(**{"model": names, measure: values, "low": low, "high": high})
    title = f"{names[0]} errs least: {measure} {values[0]:.3g}"
    if found["bayes_error"] is not None:
        title += "; shaded: the bracket of the Bayes error"
    prior = [each[measure] for each in found["models"] if each["model"] in PRIORS]
    if prior and len(found["models"]) > 1:
        title += f"; without the other columns it is {prior[0]:.3g}"
    return chart(
        {"height": 22 * len(names), "data": data, "layer": layers},
        title,
        f"Points of each model's {measure}, lines of its spread over folds. {title}.",
    )


def _confusion(
    name: str, labels: list[str], codes: NDArray[np.int64], probabilities: NDArray[np.float64]
) -> str:
    k = len(labels)
    if k > MOST_CLASSES:
        return ""
    counts = np.bincount(codes * k + np.argmax(probabilities, axis=1), minlength=k * k).reshape(k, k)
    i, j = (part.ravel() for part in np.meshgrid(range(k), range(k), indexing="ij"))
    fraction = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
    data = values_of(
        true=[labels[k] for k in i],
        said=[labels[k] for k in j],
        rows=counts.ravel(),
        fraction=fraction.ravel(),
    )
    axis = {"type": "nominal", "sort": labels, "axis": {"labelLimit": 120, "labelAngle": 0}}
    encoding = {
        "x": {"field": "said", "title": "predicted", **axis},
        "y": {"field": "true", "title": "true", **axis},
    }
    colour = {
        "field": "fraction",
        "type": "quantitative",
        "scale": {"domain": [0, 1], "range": ["var(--panel)", "var(--pale)"]},
        "legend": None,
    }
    layer = [
        {"mark": {"type": "rect", "tooltip": True}, "encoding": {"color": colour}},
        {
            "mark": {"type": "text", "color": "var(--ink)"},
            "encoding": {"text": {"field": "rows", "type": "quantitative", "format": ",.0f"}},
        },
    ]
    wrong = fraction - np.diag(np.diag(fraction))
    a, b = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
    title = f"{name} takes {wrong[a, b]:.1%} of {labels[a]} for {labels[b]}, its commonest confusion"
    spec = {"height": max(80, 34 * len(labels)), "data": data, "encoding": encoding, "layer": layer}
    return chart(spec, title, f"A table of true against predicted classes. {title}.")


def _calibration(name: str, codes: NDArray[np.int64], probabilities: NDArray[np.float64]) -> str:
    said = probabilities.max(axis=1)
    right = (np.argmax(probabilities, axis=1) == codes).astype(np.float64)
    edges = np.unique(np.quantile(said, np.linspace(0.0, 1.0, N_CALIBRATION_BINS + 1)))
    bins = np.clip(np.searchsorted(edges, said, "right") - 1, 0, max(0, len(edges) - 2))
    counts = np.bincount(bins)
    kept = counts > 0
    mean_said, mean_right = (np.bincount(bins, part)[kept] / counts[kept] for part in (said, right))
    gap = float(np.average(mean_right - mean_said, weights=counts[kept]))
    verdict = (
        "about as often right as it says"
        if abs(gap) < 0.02
        else ("more" if gap > 0 else "less") + " often right than it says"
    )
    layer = [
        {
            "data": {"values": [{"said": 0, "right": 0}, {"said": 1, "right": 1}]},
            "mark": {"type": "line", "color": "var(--line)"},
        },
        {
            "data": values_of(said=mean_said, right=mean_right, rows=counts[kept]),
            "mark": {
                "type": "line",
                "point": {"color": "var(--first)"},
                "color": "var(--first)",
                "tooltip": True,
            },
        },
    ]
    encoding = {
        "x": {"field": "said", "type": "quantitative", "title": "probability that it gives its answer"},
        "y": {"field": "right", "type": "quantitative", "title": "fraction right"},
    }
    title = f"{name} is {verdict}"
    spec = {"height": 260, "encoding": encoding, "layer": layer}
    return chart(spec, title, f"A line of how often answers are right against their probability. {title}.")


def _regions(summary: TableSummary, columns: Columns) -> str:
    """Return the regions of a Bayes classifier in the two numbers that tell most about the target."""
    import importlib.util

    numbers = [column.name for column in columns if column.kind.is_number and column.name != summary.target]
    if len(numbers) < 2 or importlib.util.find_spec("matplotlib") is None:
        return ""
    from boxwood.report.regions import region_picture

    return region_picture(columns, numbers, str(summary.target))
