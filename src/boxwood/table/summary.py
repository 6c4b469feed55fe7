"""What a fitted table is like, in a few lines: rows, columns, rules, and how well the model knows it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from boxwood.columns import Columns, read_columns
from boxwood.columns.column import Column
from boxwood.density import GaussianDensity, ProductDensity
from boxwood.evidence.weights import measures_of
from boxwood.select import Comparison, compare, cross_val_log_likelihood
from boxwood.select.comparison import NothingComparedError
from boxwood.table.target_column import split_target

__all__ = ["ColumnSummary", "TableSummary", "column_summary", "summarize"]

MOST_ROWS = 100_000
"""Rows that the margins and the Gaussian are cross-validated on: more say the same."""


@dataclass(frozen=True)
class ColumnSummary:
    """A column in a line.

    Attributes
    ----------
    name : str
    kind : str
    missing : float
        The fraction of rows without a value.
    n_distinct : int
        Different values, without gaps.
    like : str
        The range of numbers, the commonest categories.
    """

    name: str
    kind: str
    missing: float
    n_distinct: int
    like: str


@dataclass(frozen=True, eq=False)
class TableSummary:
    """What `summarize` found.

    Attributes
    ----------
    n_rows : int
        How many rows the table has.
    columns : list of ColumnSummary
        Kind, gaps and values of each column.
    rules : list of str
        Columns that follow from others.
    scores : dict of name to float
        Mean log-density of rows that were left out, in nats a row: of the model, of the product of the
        margins, and of a Gaussian where all columns are numbers.
    target : str or None
        The column that families of models were compared on.
    comparison : Comparison or None
        Of all families, with a target.
    left_out : dict of name to str
        Which densities have no score, each with the reason.
    no_comparison : str
        Why there is no comparison in spite of a target, such as too little time for any model.

    Examples
    --------
    >>> import boxwood as bw
    >>> model = bw.TableModel(bw.DensityForest(5, random_state=0)).fit("examples/penguins.csv")
    >>> summary = bw.summarize(model, "examples/penguins.csv")
    >>> summary.n_rows, summary.columns[0].name
    (344, 'species')
    """

    n_rows: int
    columns: list[ColumnSummary]
    rules: list[str]
    scores: dict[str, float]
    target: str | None = None
    comparison: Comparison | None = None
    left_out: dict[str, str] = field(default_factory=dict)
    no_comparison: str = ""

    def __str__(self) -> str:
        missing = np.mean([column.missing for column in self.columns])
        lines = [
            f"{self.n_rows:,} rows × {len(self.columns)} columns, {missing:.1%} of the cells missing",
            "",
            *_table(self.columns),
        ]
        lines += ["", "rules between columns:", *(f"  {rule}" for rule in self.rules)] if self.rules else []
        lines += ["", "mean log-density of rows left out, nats a row (higher is better):"]
        shown = {name: f"{score:.3f}" for name, score in self.scores.items()}
        shown |= {name: f"none: {reason}" for name, reason in self.left_out.items()}
        width = max(map(len, shown))
        lines += [f"  {name:<{width}}  {said}" for name, said in shown.items()]
        if self.comparison is not None:
            lines += ["", f"{self.target} from the other columns:", repr(self.comparison)]
        if self.no_comparison:
            lines += ["", f"{self.target} from the other columns: {self.no_comparison}"]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """Return the summary as plain JSON values."""
        found: dict[str, Any] = {
            "n_rows": self.n_rows,
            "columns": [vars(column) for column in self.columns],
            "rules": self.rules,
            "scores": self.scores,
            "left_out": self.left_out,
            "target": self.target,
        }
        if self.no_comparison:
            found["no_comparison"] = self.no_comparison
        return found if self.comparison is None else {**found, "comparison": self.comparison.to_json()}


def summarize(
    model: Any,
    X: Any,
    *,
    target: str | None = None,
    time_budget: float | None = 60.0,
    random_state: Any = 0,
    n_jobs: int | None = None,
) -> TableSummary:
    """Describe a table and how well a model that was fitted to it knows it.

    Parameters
    ----------
    model : TableModel
        Fitted to the same table.
    X : table
        The rows: a data frame, an array, the path of a file, or whatever else `read_columns` reads.
    target : str, optional
        A column that all families of classifiers or regressors are compared on.
    time_budget : float, optional
        Seconds for that comparison.
    random_state : int, RandomState or None, default=0
        Seed or generator: the same int gives the same result, None another one each time.
    n_jobs : int, optional
        How many threads, as joblib counts them; None is one, −1 all cores.

    Returns
    -------
    TableSummary
        Prints as lines of text.

    Examples
    --------
    >>> import boxwood as bw
    >>> model = bw.TableModel(bw.DensityForest(5, random_state=0)).fit("examples/penguins.csv")
    >>> sorted(bw.summarize(model, "examples/penguins.csv").scores)
    ['DensityForest', 'product of the margins']
    """
    columns = read_columns(X)
    comparison, no_comparison = None, ""
    if target is not None:
        others, y = split_target(columns, target)
        how = {"time_budget": time_budget, "random_state": random_state, "n_jobs": n_jobs}
        try:
            comparison = compare(others, y, **how)
        except NothingComparedError as reason:  # the rest of the summary is worth having
            no_comparison = str(reason)
    rules = [repr(rule) for rule in getattr(model.density_, "dependencies_", [])]
    summaries = [column_summary(column) for column in columns]
    scores, left_out = _scores(model.density_, columns, random_state)
    return TableSummary(columns.n_rows, summaries, rules, scores, target, comparison, left_out, no_comparison)


def column_summary(column: Column) -> ColumnSummary:
    """Describe a column in a line."""
    there = column.values[~column.missing()]
    missing = 1.0 - len(there) / max(1, len(column.values))
    values, counts = np.unique(there, return_counts=True)
    if not len(values):
        like = "nothing but gaps"
    elif column.kind.is_number:
        low, high = (_shown(column, value) for value in (values[0], values[-1]))
        like = low if low == high else f"{low} to {high}"
    else:
        commonest = [column.field.categories[int(values[k])] for k in np.argsort(-counts, kind="stable")[:3]]
        like = ", ".join(map(str, commonest)) + (", …" if len(values) > 3 else "")
    return ColumnSummary(column.name, str(column.kind), missing, len(values), like)


def _shown(column: Column, value: float) -> str:
    if column.kind == "datetime":
        return str(np.datetime64(round(value), "us")).replace("T", " ").removesuffix(".000000")
    if not float(value).is_integer() or abs(value) >= 1e15:
        return f"{value:.6g}"
    return f"{value:.0f}" if abs(value) < 1e4 else f"{value:,.0f}"  # years have no comma


def _table(columns: list[ColumnSummary]) -> list[str]:
    heads = ("column", "kind", "missing", "distinct", "values")
    cells = [
        (column.name, column.kind, f"{column.missing:.1%}", f"{column.n_distinct:,}", column.like)
        for column in columns
    ]
    widths = [min(32, max(len(row[k]) for row in [heads, *cells])) for k in range(4)]
    lines = []
    for name, kind, missing, distinct, like in [heads, *cells]:
        like = " ".join(like.splitlines())  # a line a column, also where labels have several
        lines.append(
            f"{name[:32]:<{widths[0]}}  {kind:<{widths[1]}}  {missing:>{widths[2]}}  "
            f"{distinct:>{widths[3]}}  {like}"
        )
    return lines


def _scores(density: Any, columns: Columns, random_state: Any) -> tuple[dict[str, float], dict[str, str]]:
    """Return the score of each density, and why there is none of some."""
    name = type(density).__name__
    scores, left_out = {name: _left_out_score(density)}, {name: "no row was left out of its fit"}
    rows = columns
    if columns.n_rows > MOST_ROWS:
        chosen = np.random.default_rng(0).choice(columns.n_rows, MOST_ROWS, replace=False)
        rows = columns.take(np.sort(chosen))
    peers: dict[str, Any] = {"product of the margins": ProductDensity(), "Gaussian": GaussianDensity()}
    categories = [column.name for column in columns if not column.kind.is_number]
    if categories:
        more = f" and {len(categories) - 3} more" if len(categories) > 3 else ""
        left_out["Gaussian"] = f"it takes numbers, no categories ({', '.join(categories[:3])}{more})"
        del peers["Gaussian"]
    steps: float | str = 0.0 if categories else _gaussian_steps(rows)
    if isinstance(steps, str):
        left_out["Gaussian"] = steps
        del peers["Gaussian"]
    for name, peer in peers.items():
        scores[name] = float("nan")
        if rows.n_rows > 1:
            found = cross_val_log_likelihood(peer, rows, cv=5, random_state=random_state)
            scores[name] = float(found.mean) + (float(steps) if name == "Gaussian" else 0.0)
        few = "there are too few rows to leave some out"
        left_out[name] = few if np.isnan(scores[name]) else "it gives some rows no density"
    known = {name: score for name, score in scores.items() if np.isfinite(score)}
    return known, {name: reason for name, reason in left_out.items() if name not in known}


def _gaussian_steps(columns: Columns) -> float | str:
    """Return what is to be added to a Gaussian's mean log-density to compare it, or why nothing is.

    Of a value at equal steps (integers, rounded numbers, days) the other models tell the probability: a
    Gaussian's is its density times the step, where it is wider than that.
    """
    measures = measures_of(columns)
    present = [1.0 - column.n_missing / columns.n_rows for column in columns]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # columns without spread are what is looked for
        covariance = GaussianDensity().fit(columns).covariance_
    # Alone and given the other columns: where one follows from others, the inverse's diagonal is large.
    narrow = 1.0 / np.maximum(np.diag(covariance), 1e-300), np.diag(np.linalg.pinv(covariance))
    added = 0.0
    for column, measure, known, *inverse in zip(columns, measures, present, *narrow, strict=True):
        if measure.lattice is None and not measure.all_discrete and not len(measure.atoms):
            continue
        if measure.lattice is None or max(inverse) * measure.lattice.step**2 > 1.0:
            return f"it knows no single values with a probability, as of {column.name}"
        added += known * float(np.log(measure.lattice.step))
    return added


def _left_out_score(density: Any) -> float:
    """Return the mean log-density of rows that the density was not fitted to, as far as it knows it."""
    for name in ("oob_score_", "validation_score_"):
        score = getattr(density, name, None)
        if score is not None:
            return float(score)
    return float("nan")
