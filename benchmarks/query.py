"""Questions to a forest of 100 trees on all of adult: times, peers, and how well it estimates COUNTs.

CPU time on one thread, since the machine is shared; the best of some turns. A first question is put to a copy
of the model that was asked nothing before but whose leaves are laid out; the first line says what that costs,
once. `education` is under a rule (it determines `education_num`). Questions on the same columns are asked
after four others on these, which make the columns' tables; they are read beforehand. DuckDB scans the rows in
memory for the same question, in the same process: its answer is of the rows, the model's of the density.
pylace (one state, 100 updates) and SPFlow (its learner builds no categorical leaves: Gaussians of codes) are
asked for income given education, values alone: neither takes ranges. Surprise is measured on 20,000 rows and
scaled to 100,000. COUNT estimates are the number of rows times the probability, floored at 1; a q-error is
the larger of estimate / count and count / estimate, over seeded predicates with a count of at least 10, of
adult and of cover. Bars: those of the table; a median q-error of 1.1 and a 99th percentile of 5.
"""

from __future__ import annotations

import copy
import importlib.util
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
from boxwood.query.event_reader import read_event

N_TREES, N_PREDICATES, N_SURPRISE = 100, 2_000, 20_000
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
        ("the same columns, values not asked before", new(ruled, 4), 5e-5, two),
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


def ask_lace(adult: pd.DataFrame) -> tuple[str, float, float]:
    """Fit pylace and ask it; return what it is, the time of the fit and that of a question."""
    import lace

    rows = adult.set_index(pd.Index([str(i) for i in range(len(adult))], name="ID"))
    start = time.process_time()
    codebook = lace.Codebook.from_df("adult", rows)
    engine = lace.Engine.from_df(rows, codebook=codebook, n_states=1, rng_seed=0)
    engine.update(100)
    took = time.process_time() - start
    asked, given = pd.DataFrame({"income": [">50K"]}), {"education": "Masters"}
    return "pylace", took, min(seconds(lambda: engine.logp(asked, given=given)) for _ in range(20))


def ask_spflow(adult: pd.DataFrame) -> tuple[str, float, float]:
    """Fit SPFlow and ask it; return what it is, the time of the fit and that of a question."""
    import torch
    from spflow.learn.learn_spn import learn_spn
    from spflow.meta import Scope
    from spflow.modules.leaves import Normal

    torch.set_num_threads(1)
    codes = [pd.factorize(adult[name])[0] if adult[name].dtype == object else adult[name] for name in adult]
    data = torch.tensor(np.stack(codes, axis=1).astype(np.float32))
    leaves = Normal(Scope(list(range(data.shape[1]))), out_channels=1)
    start = time.process_time()
    model = learn_spn(data, leaf_modules=leaves, min_instances_slice=1000)
    took = time.process_time() - start
    asked = torch.full((2, data.shape[1]), float("nan"))
    asked[:, adult.columns.get_loc("education")] = 1.0
    asked[0, adult.columns.get_loc("income")] = 1.0
    return "SPFlow", took, min(seconds(lambda: model.log_likelihood(asked)) for _ in range(20))


def peers(adult: pd.DataFrame) -> str:
    """Time peers on the question of two columns; say which are not installed."""
    lines = []
    for name, ask in (("pylace", ask_lace), ("SPFlow", ask_spflow)):
        if importlib.util.find_spec({"pylace": "lace", "SPFlow": "spflow"}[name]) is None:
            lines.append(f"| {name} is not installed | | |")
            continue
        who, fit, question = ask(adult)
        lines.append(f"| {who} | {shown(fit)} | {shown(question)} |")
    head = "| income given education | fit | a question |\n| --- | ---: | ---: |"
    return "\n".join([head, *lines])


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


def counts(model: bw.TableModel, con: Any, name: str, adult: pd.DataFrame, n_predicates: int) -> str:
    """Estimate COUNTs of a table and compare them with the rows'."""
    rng = np.random.default_rng(0)
    columns, errors = [], []
    while len(errors) < n_predicates:
        n, expression, sql = predicate(adult, rng)
        true = con.execute(f"SELECT count(*) FROM {name} WHERE {sql}").fetchall()[0][0]
        if true >= 10:
            estimate = max(1.0, len(adult) * model.prob(expression))
            columns.append(n)
            errors.append(max(estimate / true, true / estimate))
    found, of = np.array(errors), np.array(columns)
    lines = [
        f"| {part} | {np.count_nonzero(rows)} | {np.median(found[rows]):.3f} | "
        f"{np.quantile(found[rows], 0.9):.2f} | {np.quantile(found[rows], 0.99):.2f} | "
        f"{found[rows].max():.2f} |"
        for part, rows in [("all", of > 0), *((str(n), of == n) for n in range(1, 6))]
        if rows.any()
    ]
    head = (
        f"| q-error of COUNTs of {name}, columns | predicates | median | 90th percentile | 99th | largest |"
    )
    return "\n".join([head, "| --- | ---: | ---: | ---: | ---: | ---: |", *lines])


def cover_table() -> pd.DataFrame:
    """Return the numbers of cover as a frame."""
    with np.load(data_file("cover.npz")) as data:
        X = np.asarray(data["train"], dtype=np.float64)
    return pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])


def fitted(table: pd.DataFrame) -> bw.TableModel:
    return bw.TableModel(bw.DensityForest(n_estimators=N_TREES, n_jobs=1, random_state=0)).fit(table)


def main(path: Path | None = None, repeats: int = 5, n_predicates: int = N_PREDICATES) -> str:
    adult = pd.read_csv(path or data_file("adult.csv.gz"))
    con = duckdb.connect(config={"threads": 1})
    con.execute("CREATE TABLE adult AS SELECT * FROM adult")
    with threadpool_limits(1):
        model = fitted(adult)
        parts = [
            times(model, con, adult, repeats),
            peers(adult),
            counts(model, con, "adult", adult, n_predicates),
        ]
        cover = cover_table()
        con.execute("CREATE TABLE cover AS SELECT * FROM cover")
        parts.append(counts(fitted(cover), con, "cover", cover, n_predicates))
    return "\n\n".join(parts)


if __name__ == "__main__":
    print(main())
