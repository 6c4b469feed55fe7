"""--memory-limit: the same answers, from mapped files and smaller batches."""

import hashlib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from running import Run


@pytest.fixture
def table(tmp_path: Path) -> str:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=20_000), "b": rng.choice(list("xyz"), 20_000)})
    frame.to_parquet(tmp_path / "all.parquet")
    frame[:9_000].to_parquet(tmp_path / "part-1.parquet")
    frame[9_000:].to_parquet(tmp_path / "part-2.parquet")
    return str(tmp_path / "all.parquet")


def beside(path: str, name: str) -> str:
    return str(Path(path).with_name(name))


def sha(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def test_the_model_and_the_scores_are_the_same(table: str, run: Run) -> None:
    plain, mapped, parts = (beside(table, f"{name}.boxwood") for name in ("plain", "mapped", "parts"))
    quick = ("--time-budget", "1", "--threads", "1")
    code, _, err = run("fit", table, "-o", plain, *quick)
    assert code == 0, err
    code, _, err = run("fit", table, "-o", mapped, *quick, "--memory-limit", "1MB")
    assert code == 0, err
    code, _, err = run("fit", beside(table, "part-*.parquet"), "-o", parts, *quick, "--memory-limit", "1MB")
    assert code == 0, err
    assert sha(plain) == sha(mapped) == sha(parts)
    scores = [beside(table, f"{name}.csv") for name in ("plain", "small")]
    assert run("score", plain, table, "-o", scores[0])[0] == 0
    assert run("score", plain, table, "-o", scores[1], "--memory-limit", "4MB")[0] == 0
    assert sha(scores[0]) == sha(scores[1])
    odd = [beside(table, f"{name}.csv") for name in ("odd", "mapped-odd")]
    assert run("outliers", plain, table, "-o", odd[0])[0] == 0
    assert run("outliers", plain, table, "-o", odd[1], "--memory-limit", "1MB")[0] == 0
    assert sha(odd[0]) == sha(odd[1])


def test_a_limit_that_is_none(table: str, run: Run) -> None:
    code, _, err = run("fit", table, "--memory-limit", "much")
    assert code == 1
    assert "memory_limit must be a number of bytes" in err


def test_a_pattern_cannot_be_asked(table: str, run: Run) -> None:
    code, _, err = run("fit", beside(table, "part-*.parquet"), "--sql", "SELECT 1")
    assert code == 1
    assert "--sql asks one file" in err
