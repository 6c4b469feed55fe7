"""Load mutated model files and ask those that load; a program, so that a crash has a name.

``python mutant_runner.py folder first last`` takes the files of a folder and the seeds from first to last.
Before each mutant its seed is written to ``folder/seed-<first>``; what is wrong with one is a line of the
output.
"""

from __future__ import annotations

import faulthandler
import resource
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from mutations import Saved, mutated

import boxwood as bw
from boxwood.columns import Field, Kind
from boxwood.columns.columns import Columns
from boxwood.density.queryable import QueryableDensity
from boxwood.query import QueryError, ZeroProbabilityError

LONGEST = 5.0
"""Seconds of CPU time for loading a mutant and its answers."""

MEMORY = 64 * 2**20
"""Bytes that loading and answering may take beside four times the file."""

STUCK = 60
"""Seconds after which a mutant that holds the interpreter is ended, with a traceback."""


def first_rows(schema: Any, n_rows: int = 3) -> Columns:
    """Return rows of a schema: zeros and ones of numbers, the first categories, a gap."""
    from boxwood.columns.column import Column

    made = []
    for field in schema.fields:
        values = np.arange(n_rows, dtype=np.float64)
        if not field.kind.is_number:
            values = (np.arange(n_rows) % max(len(field.categories), 1)).astype(np.int32)
        made.append(Column(field, values, 0))
    return Columns(schema, n_rows, columns=made)


def ask_query(query: Any, fields: tuple[Field, ...]) -> None:
    """Ask a query about every column: probabilities, evidence, quantiles, draws."""
    for j, field in enumerate(fields[:4]):
        try:
            found = [query.missing_probability(j)]
            if field.kind.is_number:
                # Dates are named by text.
                end = "2024-02-01" if field.kind is Kind.DATETIME else 1.0
                found.append(query.cdf(j, end))
                low, high = query.quantile(j, [0.1, 0.9])
                assert low <= high
                event: Any = {field.name: (end, None)}
            else:
                found += query.probabilities_of(j).values()
                event = {field.name: field.categories[0]}
            query.mode(j)
            found.append(query.probability(event))
            under = query.given(event)
            under.sample(2, 0)
            found.append(under.probability({fields[-1].name: None}))
        except (QueryError, ZeroProbabilityError):
            continue
        assert all(-1e-6 <= p <= 1.0 + 1e-6 for p in found), f"{field.name}: probabilities {found}"


def ask(model: Any) -> None:
    """Ask what a model of its kind answers; raise where an answer cannot be."""
    if isinstance(model, bw.TableModel):
        ask_scores(model)
        model.explain(model.sample(2, random_state=0))
        ask_query(model.query, model.schema_.fields)
        return
    rows = first_rows(model.schema_)
    if hasattr(model, "score_samples") and hasattr(model, "sample"):
        ask_scores(model)
        p_values = model.p_values(rows)
        assert ((p_values >= 0.0) & (p_values <= 1.0)).all(), f"p-values {p_values}"
    if isinstance(model, bw.KNeighborsClassifier | bw.KNeighborsRegressor):
        model.set_params(n_neighbors=1)  # as scikit-learn has it, only a prediction needs as many rows
    if hasattr(model, "predict_proba"):
        try:
            fractions = model.predict_proba(rows)
        except ValueError as error:
            if "zero weights" not in str(error):  # classes that do not count, as scikit-learn has it
                raise
            return
        assert np.allclose(fractions.sum(axis=1), 1.0, atol=1e-6), f"probabilities {fractions}"
    elif hasattr(model, "predict"):
        assert not np.isnan(model.predict(rows)).any(), "predicts NaN"
    if hasattr(model, "transform"):
        model.transform(rows)
    # Models that answer by weighing (full Gaussians, rotations) draw first, which takes seconds each.
    if isinstance(model, QueryableDensity) and model._closed_form() is not None:
        try:
            query = model.query()
        except ValueError as error:
            if "closed form" not in str(error) and "infinite integral" not in str(error):
                raise
            return
        ask_query(query, model.schema_.fields)


def ask_scores(model: Any) -> None:
    """Ask for scores of the model's own samples, which fit whatever columns the file claims."""
    rows = model.sample(3, random_state=0)
    try:
        scores = model.score_samples(rows)
    except ValueError as error:
        if "too large to turn" not in str(error):  # a rotation by huge numbers draws such rows
            raise
        return
    assert not np.isnan(scores).any(), "a score of NaN"


def data_bytes() -> int:
    """Return the writable memory of this process."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmData:"):
            return 1024 * int(line.split()[1])
    raise OSError("no VmData in /proc/self/status")


def check(content: bytes, path: Path, memory: int = MEMORY) -> str | None:
    """Load a mutant and ask it; return whether it was taken. What is wrong is raised."""
    path.write_bytes(content)
    limit = data_bytes() + 4 * len(content) + memory
    start = time.process_time()
    resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.RLIM_INFINITY))
    try:
        model = bw.load(path)
    except bw.ModelFileError:
        return "refused"
    else:
        with np.errstate(all="ignore"):
            ask(model)
        return "taken"
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        spent = time.process_time() - start
        if spent > LONGEST and memory == MEMORY and sys.exc_info()[0] in (None, bw.ModelFileError):
            raise AssertionError(f"{spent:.1f} seconds")


def main(folder: Path, first: int, last: int) -> None:
    """Check the mutants of some seeds."""
    files = [Saved(path.stem, path.read_bytes()) for path in sorted(folder.glob("*.boxwood"))]
    with tempfile.TemporaryDirectory() as own:
        warm = Path(own) / "m"
        for saved in files:  # what is imported and allocated once is nobody's fault
            assert check(saved.content, warm, 2**40) == "taken"
        counts = {"taken": 0, "refused": 0, "wrong": 0}
        for seed in range(first, last):
            (folder / f"seed-{first}").write_text(str(seed), encoding="ascii")
            saved, content = mutated(files, seed)
            faulthandler.dump_traceback_later(STUCK, exit=True)
            try:
                counts[check(content, warm) or "wrong"] += 1
            except Exception as error:
                counts["wrong"] += 1
                places = traceback.extract_tb(error.__traceback__)
                inside = [place for place in places if "boxwood" in place.filename] or list(places)
                where = f"{Path(inside[-1].filename).name}:{inside[-1].lineno}"
                print(f"WRONG {seed} {saved.name} {type(error).__name__} at {where}: {str(error)[:200]}")
            faulthandler.cancel_dump_traceback_later()
    print(f"COUNTS {counts['taken']} {counts['refused']} {counts['wrong']}")


if __name__ == "__main__":
    faulthandler.enable()
    warnings.simplefilter("ignore")
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
