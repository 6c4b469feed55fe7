"""The data sheet as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boxwood.report.chart import chart, values_of
from boxwood.report.page import Page, figures, html_table

if TYPE_CHECKING:
    from boxwood.synthetic.report import SyntheticReport

__all__ = ["sheet_of"]

MOST_COLUMNS, MOST_PAIRS = 60, 40


def sheet_of(report: SyntheticReport) -> Page:
    """Return the page of a report."""
    beside = f", {report.n_holdout:,} rows held out" if report.n_holdout else ", no rows held out"
    page = Page(
        "Data sheet of synthetic rows",
        f"{report.n_synthetic:,} synthetic rows against {report.n_real:,} real ones{beside}",
    )
    page.add("In short", _in_short(report))
    page.add("Fidelity: how like real rows they are", _fidelity(report))
    page.add("Usefulness: what models learn from them", _usefulness(report))
    page.add("Privacy: whom they give away", _privacy(report))
    return page


def _in_short(report: SyntheticReport) -> str:
    fidelity, privacy = report.fidelity, report.privacy
    found = [(f"{fidelity.indistinguishable:.2f}", "2·(1 − AUC): 1 where nothing tells them apart")]
    if report.usefulness:
        loss = sum(each.loss for each in report.usefulness) / len(report.usefulness)
        found.append((f"{loss:+.3f}", "mean loss by training on synthetic rows"))
    found.append((f"{privacy.copies:.2%}", "of the synthetic rows are copies of real ones"))
    if privacy.membership_auc is not None:
        found.append((f"{privacy.membership_auc:.2f}", "membership inference AUC: 0.5 gives nothing away"))
    return figures(found)


def _fidelity(report: SyntheticReport) -> str:
    fidelity = report.fidelity
    columns = sorted(fidelity.columns.items(), key=lambda item: -item[1])[:MOST_COLUMNS]
    above = [name for name, distance in columns if distance > 3.0 * fidelity.expected[name]]
    said = (
        f"{', '.join(above[:3])} differ{'s' if len(above) == 1 else ''} more than chance would have it"
        if above
        else "No column differs by much more than chance would have it"
    )
    pairs = sorted(fidelity.pairs.items(), key=lambda item: -item[1])[:MOST_PAIRS]
    blame = sorted(fidelity.give_away.items(), key=lambda item: -item[1])[:10]
    return "".join(
        [
            _bars(
                [name for name, _ in columns],
                [distance for _, distance in columns],
                [fidelity.expected[name] for name, _ in columns],
                f"{said}: distances of columns, and a mark for what chance makes of them",
            ),
            "<p class='soft'>Kolmogorov–Smirnov distance of numbers, total variation of categories; a gap is "
            "a value. What this does not show: how columns go together.</p>",
            html_table(
                ("column", "and", "total variation", "by chance"),
                [(a, b, float(distance), fidelity.expected_pairs[a, b]) for (a, b), distance in pairs[:10]],
                "The pairs that differ most, in a grid of tenths and categories",
            ),
            "<p>A classifier (gradient boosting, three folds) that tells real from synthetic rows reaches an "
            f"AUC of {fidelity.auc:.3f}; 0.5 is a coin.</p>",
            html_table(
                ("column", "AUC lost where its values are shuffled"),
                [(name, float(drop)) for name, drop in blame],
                "The columns that give synthetic rows away",
            ),
            "<p class='soft'>What this does not show: whether the differences matter for your purpose, nor "
            "what a better classifier would find.</p>",
        ]
    )


def _usefulness(report: SyntheticReport) -> str:
    rows = [
        (e.target, e.measure, float(e.real), float(e.synthetic), float(e.loss)) for e in report.usefulness
    ]
    note = (
        "rows held out" if report.n_holdout else "three tenths of the real rows, which the generator has seen"
    )
    if not rows:
        return "<p>No column could be predicted from the others.</p>"
    return (
        html_table(
            ("target", "measure", "trained on real rows", "on synthetic rows", "loss"),
            rows,
            f"Gradient boosting, tested on {note}",
        )
        + "<p class='soft'>What this does not show: other models and questions; a good figure says that "
        "this target can be learnt from the synthetic rows, not that every one can.</p>"
    )


def _privacy(report: SyntheticReport) -> str:
    p = report.privacy
    rows: list[tuple[Any, ...]] = [
        (
            "exact copies of real rows",
            p.copies,
            p.copies_of_holdout,
            "Copies of common rows give nobody away.",
        ),
        (
            "median distance to the closest real row, in columns",
            p.distance,
            p.distance_of_holdout,
            "The nearest rows matter more than the median one.",
        ),
        (
            "combinations of two values that one real row has, shown again",
            p.singular,
            p.singular_of_holdout,
            "Of pairs of columns only; more columns single out more people.",
        ),
    ]
    if p.closer_to_training is not None:
        rows.append(
            (
                "closer to training than to held-out rows",
                p.closer_to_training,
                0.5,
                "An average over all rows.",
            )
        )
    if p.membership_auc is not None:
        rows.append(
            ("membership inference AUC", p.membership_auc, 0.5, "One simple attack; others may do better.")
        )
    missing = (
        ""
        if report.n_holdout
        else "<p>Give rows that were held out to see what chance makes of these figures.</p>"
    )
    heads = ("figure", "synthetic rows", "where nothing is given away", "what it does not show")
    return html_table(heads, rows, "Synthetic rows beside the rows that they were learnt from") + missing


def _bars(names: list[str], distances: list[float], expected: list[float], title: str) -> str:
    spec = {
        "data": values_of(column=names, distance=distances, expected=expected),
        "height": 18 * len(names) + 4,
        "encoding": {"y": {"field": "column", "type": "nominal", "sort": None, "title": None}},
        "layer": [
            {
                "mark": {"type": "bar", "color": "var(--first)", "tooltip": True},
                "encoding": {"x": {"field": "distance", "type": "quantitative", "title": "distance, 0 to 1"}},
            },
            {
                "mark": {"type": "tick", "color": "var(--second)", "thickness": 2, "tooltip": True},
                "encoding": {"x": {"field": "expected", "type": "quantitative"}},
            },
        ],
    }
    worst = f"{names[0]} with {distances[0]:.3f}" if names else "nothing"
    return chart(spec, title, f"Bars of the distance of each column, largest first: {worst}.")
