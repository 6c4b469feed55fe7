"""The report of a table: its columns, how they depend on each other, what is odd, what can be predicted."""

from __future__ import annotations

import os
from html import escape
from typing import Any

import numpy as np

from boxwood.columns import Columns, read_columns
from boxwood.report.column_cards import column_cards
from boxwood.report.dependence import dependence_chart, strongest_pairs
from boxwood.report.how_made import how_made
from boxwood.report.odd_rows import odd_rows
from boxwood.report.page import Page, figures
from boxwood.report.pair_charts import pair_charts
from boxwood.report.target import target_section
from boxwood.report.tree_picture import tree_section
from boxwood.table.summary import TableSummary, summarize

__all__ = ["report_page", "write_report"]

MOST_DEPENDENT = 30
"""Columns of the matrix: those that depend on others most."""


def write_report(
    model: Any,
    path: str | os.PathLike[str],
    table: Any = None,
    *,
    target: str | None = None,
    summary: TableSummary | None = None,
    title: str = "",
    time_budget: float | None = 60.0,
    random_state: Any = 0,
    n_jobs: int | None = None,
) -> None:
    """Write the report of a fitted table as one HTML file that needs no network.

    Parameters
    ----------
    model : TableModel
        Fitted.
    path : str or path-like
        Of the HTML file, which appears whole or not at all.
    table : table, optional
        The rows that the model was fitted to; without them the report shows the model alone.
    target : str, optional
        A column that all families of classifiers or regressors are compared on.
    summary : TableSummary, optional
        Where it was made before.
    title : str, optional
        The page's heading.
    time_budget : float, optional
        Seconds for the comparison.
    random_state : int, RandomState or None, default=0
        Of the comparison: the same int gives the same result, None another one each time.
    n_jobs : int, optional
        How many threads, as joblib counts them; None is one, −1 all cores.

    Examples
    --------
    >>> import boxwood as bw
    >>> model = bw.TableModel(bw.DensityForest(random_state=0)).fit("examples/penguins.csv")
    >>> bw.write_report(model, "report.html", "examples/penguins.csv")  # doctest: +SKIP
    """
    columns = None if table is None else read_columns(table)
    if columns is not None and summary is None:
        summary = summarize(
            model, columns, target=target, time_budget=time_budget, random_state=random_state, n_jobs=n_jobs
        )
    report_page(model, columns, summary, title).save(path)


def report_page(model: Any, columns: Columns | None, summary: TableSummary | None, title: str = "") -> Page:
    """Return the report as a page."""
    names = model.schema.names
    subtitle = (
        f"{len(names)} columns" if columns is None else f"{columns.n_rows:,} rows × {len(names)} columns"
    )
    page = Page(title or "The distribution behind a table", subtitle)
    page.add("In short", _in_short(model, columns, summary))
    page.add("Columns", column_cards(model, columns))
    rules = [repr(rule) for rule in getattr(model.density_, "dependencies_", [])]
    if rules:
        page.add("Rules between columns", _listed(rules))
    if len(names) > 1:
        matrix = np.asarray(model.query.dependence())
        page.add("How columns depend on each other", dependence_chart(names, matrix, MOST_DEPENDENT))
        pairs = strongest_pairs(names, matrix)
        if pairs:
            page.add("The strongest pairs", pair_charts(model, pairs))
    if columns is not None:
        page.add("The tree that explains most", tree_section(columns))
        page.add("The most surprising rows", odd_rows(model, columns))
    if summary is not None and summary.comparison is not None and columns is not None:
        page.add(f"Predicting {summary.target}", target_section(summary, columns))
    elif summary is not None and summary.no_comparison:
        page.add(f"Predicting {summary.target}", f"<p>{escape(summary.no_comparison)}</p>")
    page.add("How this was made", how_made(model, summary))
    return page


def _in_short(model: Any, columns: Columns | None, summary: TableSummary | None) -> str:
    found = [(f"{len(model.schema.names)}", "columns")]
    if columns is not None:
        n_cells = max(1, columns.n_rows * len(columns))
        found = [
            (f"{columns.n_rows:,}", "rows"),
            *found,
            (f"{columns.n_missing / n_cells:.1%}", "of the cells missing"),
        ]
    if summary is None:
        return figures(found)
    name = type(model.density_).__name__
    if {name, "product of the margins"} <= summary.scores.keys():
        more = summary.scores[name] - summary.scores["product of the margins"]
        found.append((f"{more:+.2f} nats", f"a row that {name} knows beyond the columns one by one"))
    lines = [f"{name} {score:.3f}".replace("-", "−") for name, score in summary.scores.items()]
    lines += [f"{name} none ({reason})" for name, reason in summary.left_out.items()]
    said = (
        "Mean log-density of rows that were left out, in nats a row (higher is better): "
        + "; ".join(lines)
        + "."
    )
    return figures(found) + f"<p>{escape(said)}</p>"


def _listed(rules: list[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(rule)}</li>" for rule in rules) + "</ul>"
