"""Questions to a forest of 100 trees on all of adult: times, and how well it estimates COUNTs.

CPU time on one thread, since the machine is shared; the best of some turns. A first question is put to a copy
of the model that was asked nothing before but whose leaves are laid out; the first line says what that costs,
once. `education` is under a rule (it determines `education_num`): such a question has no table of its
columns, its answer is kept whole. Questions not asked before are read beforehand. DuckDB scans the rows in
memory for the same question, in the same process: its answer is of the rows, the model's of the density.
Surprise is measured on 10,000 rows and scaled to 100,000. COUNT estimates are the number of rows times the
probability, floored at 1; a q-error is the larger of estimate / count and count / estimate, over 300 seeded
predicates with a count of at least 10. Bars: those of the table; a median q-error of 1.1 and
a 99th percentile of 5.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
from ratio import data_file, shown
from threadpoolctl import threadpool_limits

import boxwood as bw
from boxwood.query.read_event import read_event

N_TREES, N_PREDICATES, N_SURPRISE = 100, 300, 10_000
TWO = ("income == '>50K'", "education == 'Masters'")
OTHERS = [f"education == '{level}'" for level in ("Bachelors", "HS-grad", "Doctorate", "11th", "9th", "10th")]
RANGES = [(f"hours_per_week > {30 + k}", f"age >= {25 + k}") for k in range(12)]
FIVE = (
    "income == '>50K' and hours_per_week > 40",
    "education == 'Masters' and age >= 30 and sex == 'Female'",
)
EVIDENCE = "education == 'Masters' and age >= 30"
Predicate = tuple[int, str, str]
"""How many columns, the expression, and the same in SQL."""


def seconds(task: Callable[[], object]) -> float:
    """Return the CPU time of a task."""
    start = time.process_time()
    task()
    return time.process_time() - start


def untouched(model: bw.TableModel) -> bw.TableModel:
    """Return a copy that was asked nothing, its leaves laid out."""
    fresh = copy.deepcopy(model)
    fresh.query  # noqa: B018 (lays them out)
    return fresh


def describe_all(model: bw.TableModel) -> None:
    """Ask for each column's conditional: quantiles of numbers, probabilities of categories."""
    given = model.given(EVIDENCE)
    for field in model.schema.fields:
        if field.kind.is_number:
            given.quantile(field.name, [0.05, 0.5, 0.95])
        else:
            given.probabilities(field.name)


def per_new_question(model: bw.TableModel, questions: Sequence[tuple[str, str]], n_before: int) -> float:
    """Return the mean time of questions that were read beforehand, after the first few are asked."""
    fresh = untouched(model)
    events = [[read_event(model.schema, text) for text in question] for question in questions]
    for event, given in events[:n_before]:
        fresh.prob(event, given=given)
    asked = events[n_before:]
    return seconds(lambda: [fresh.prob(event, given=given) for event, given in asked]) / len(asked)


def scan(con: Any, event: str, given: str) -> Callable[[], object]:
    """Return the scan of the rows that answers the same question."""
    where = given.replace("==", "=")
    sql = f"SELECT avg(({event.replace('==', '=')})::INT) FROM adult WHERE {where}"
    return lambda: con.execute(sql).fetchall()


def times(model: bw.TableModel, con: Any, adult: pd.DataFrame, repeats: int) -> str:
    """Time the questions beside DuckDB's scans."""

    def best(task: Callable[[], object]) -> float:
        return min(seconds(task) for _ in range(repeats))

    def first(task: Callable[[bw.TableModel], object]) -> float:
        """Return the best time of a task on models that were asked nothing before."""
        found = []
        for _ in range(repeats):
            fresh = untouched(model)
            found.append(seconds(lambda fresh=fresh: task(fresh)))
        return min(found)

    def layout() -> float:
        fresh = copy.deepcopy(model)
        return seconds(lambda: fresh.query)

    some = adult.iloc[np.random.default_rng(0).permutation(len(adult))[:N_SURPRISE]]
    ruled = [TWO, *((TWO[0], other) for other in OTHERS)]

    def new(questions: Sequence[tuple[str, str]], n_before: int) -> float:
        return min(per_new_question(model, questions, n_before) for _ in range(repeats))

    two, five, ranges = (best(scan(con, *question)) for question in (TWO, FIVE, RANGES[0]))
    model.prob(*TWO)
    repeated = best(lambda: [model.prob(*TWO) for _ in range(100)]) / 100
    model.query.conditionals(some.iloc[:10]).surprise()
    surprise = min(seconds(lambda: model.query.conditionals(some).surprise()) for _ in range(2))
    rows: list[tuple[str, float, float | None, float | None]] = [
        ("layout of the leaves, once", min(layout() for _ in range(repeats)), None, None),
        (
            "first conditional of two columns, one under a rule",
            first(lambda fresh: fresh.prob(*TWO)),
            3e-3,
            two,
        ),
        ("the same, repeated", repeated, 5e-5, two),
        ("the same columns, values not asked before", new(ruled, 1), 5e-5, two),
        (
            "first conditional of two columns without rules",
            first(lambda fresh: fresh.prob(*RANGES[0])),
            3e-3,
            ranges,
        ),
        ("the same columns, ranges not asked before", new(RANGES, 4), 5e-5, ranges),
        ("first conditional of five columns", first(lambda fresh: fresh.prob(*FIVE)), 5e-3, five),
        (f"conditionals of all {adult.shape[1]} columns under evidence", first(describe_all), 0.1, None),
        ("surprise of every cell of 100,000 rows", surprise * 100_000 / len(some), 10.0, None),
    ]
    lines = [
        f"| {name} | {shown(took)} | {'' if bar is None else shown(bar)} | "
        f"{'' if bar is None else 'yes' if took <= bar else 'no'} | {'' if peer is None else shown(peer)} |"
        for name, took, bar, peer in rows
    ]
    head = f"| {N_TREES} trees, {len(adult):,} × {adult.shape[1]} | CPU time | bar | meets | DuckDB's scan |"
    return "\n".join([head, "| --- | ---: | ---: | --- | ---: |", *lines])


def predicate(adult: pd.DataFrame, rng: np.random.Generator) -> Predicate:
    """Draw a conjunction over 1 to 5 columns; its range ends and categories are those of rows."""
    n = int(rng.integers(1, 6))
    ours, sql = [], []
    for name in rng.choice(adult.columns, n, replace=False):
        first, second = adult[name].iloc[rng.integers(0, len(adult), 2)]
        if pd.isna(first):
            ours.append(f"{name} is missing")
            sql.append(f"{name} IS NULL")
        elif isinstance(first, str):
            ours.append(f"{name} == '{first}'")
            sql.append(f"{name} = '{first}'")
        else:
            low, high = sorted((first, second))
            ours.append(f"{low} <= {name} <= {high}")
            sql.append(f"{name} BETWEEN {low} AND {high}")
    return n, " and ".join(ours), " AND ".join(sql)


def counts(model: bw.TableModel, con: Any, adult: pd.DataFrame, n_predicates: int) -> str:
    """Estimate COUNTs and compare them with the rows'."""
    rng = np.random.default_rng(0)
    columns, errors = [], []
    while len(errors) < n_predicates:
        n, expression, sql = predicate(adult, rng)
        true = con.execute(f"SELECT count(*) FROM adult WHERE {sql}").fetchall()[0][0]
        if true >= 10:
            estimate = max(1.0, len(adult) * model.prob(expression))
            columns.append(n)
            errors.append(max(estimate / true, true / estimate))
    found, of = np.array(errors), np.array(columns)
    lines = [
        f"| {name} | {np.count_nonzero(rows)} | {np.median(found[rows]):.3f} | "
        f"{np.quantile(found[rows], 0.9):.2f} | {np.quantile(found[rows], 0.99):.2f} | "
        f"{found[rows].max():.2f} |"
        for name, rows in [("all", of > 0), *((str(n), of == n) for n in range(1, 6))]
        if rows.any()
    ]
    head = "| q-error of COUNTs, columns | predicates | median | 90th percentile | 99th | largest |"
    return "\n".join([head, "| --- | ---: | ---: | ---: | ---: | ---: |", *lines])


def main(path: Path | None = None, repeats: int = 5, n_predicates: int = N_PREDICATES) -> str:
    adult = pd.read_csv(path or data_file("adult.csv.gz"))
    con = duckdb.connect(config={"threads": 1})
    con.execute("CREATE TABLE adult AS SELECT * FROM adult")
    with threadpool_limits(1):
        forest = bw.DensityForest(n_estimators=N_TREES, n_jobs=1, random_state=0)
        model = bw.TableModel(forest).fit(adult)
        return f"{times(model, con, adult, repeats)}\n\n{counts(model, con, adult, n_predicates)}"


if __name__ == "__main__":
    print(main())
