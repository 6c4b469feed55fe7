"""What is wrong is said in one sentence, with an exit code; a pipe that ends, ends the program quietly."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from running import Run

PROGRAM = [sys.executable, "-m", "boxwood.cli"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("fit", "nothing.csv"), "there is no file 'nothing.csv'"),
        (("fit", "."), "'.' is a directory"),
        (("fit", "empty.csv"), "'empty.csv' is empty"),
        (("fit", "header.csv"), "'header.csv' has no rows"),
        (("fit", "binary.csv"), "'binary.csv' could not be read: it is a binary file"),
        (("fit", "one.csv", "-t", "x"), "no column besides the target 'x'"),
        (("fit", "penguins.csv", "-t", "speces"), "Did you mean 'species'?"),
        (
            ("fit", "penguins.csv", "-o", "no/a.boxwood"),
            "there is no folder 'no' to write 'no/a.boxwood' to.",
        ),
        (("fit", "penguins.csv", "--report", "."), "'.' is a directory: give the path of a file."),
        (
            ("report", "penguins.boxwood", "-o", "no/a.html"),
            "there is no folder 'no' to write 'no/a.html' to.",
        ),
        (
            ("sample", "penguins.boxwood", "--sheet", "no/a.html", "--compare", "penguins.csv"),
            "there is no folder 'no' to write 'no/a.html' to.",
        ),
        (("fit", "penguins.csv", "--sql", "SELECT nothing FROM input"), "nothing"),
        (("query", "nothing.boxwood", "mean(x)"), "there is no model file 'nothing.boxwood'"),
        (("query", ".", "mean(x)"), "is a directory, not a model file"),
        (("query", "broken.boxwood", "mean(x)"), "'broken.boxwood'"),
        (("query", "penguins.csv", "mean(x)"), "not a boxwood model file"),
        (("query", "penguins.boxwood", "mean(boddy_mass_g)"), "Did you mean 'body_mass_g'?"),
        (("query", "penguins.boxwood", "P(sex == 'male' | year > 3000)"), "year"),
        (("score", "penguins.boxwood", "header.csv"), "'header.csv' has no rows"),
        (
            ("score", "penguins.boxwood", "one.csv"),
            "passed during fit. Feature names unseen at fit time: x. Feature names seen at fit time, yet now "
            "missing: bill_depth_mm, bill_length_mm,",
        ),
        (("score", "penguins.boxwood", "penguins.csv", "-o", "a.xyz"), "the ending must be one of"),
        (("score", "penguins.boxwood", "penguins.csv", "-o", "no/a.csv"), "there is no folder 'no'"),
        (("impute", "penguins.boxwood", "penguins.csv", "--how", "guess"), "how must be one of"),
        (("predict", "penguins.boxwood", "penguins.csv", "-t", "spcies"), "Did you mean 'species'?"),
        (("query", "penguins.boxwood", "mean(species)"), "ask for its probabilities or its mode"),
        (("score", "penguins.boxwood", "penguins.csv", "--format", "xlsx"), "format must be csv, tsv,"),
    ],
)
def test_what_is_wrong_is_said(folder: Path, run: Run, arguments: tuple[str, ...], sentence: str) -> None:
    Path("empty.csv").write_text("")
    Path("header.csv").write_text("a,b\n")
    Path("one.csv").write_text("x\n1\n2\n3\n")
    Path("binary.csv").write_bytes(np.random.default_rng(0).bytes(4_000))
    Path("broken.boxwood").write_bytes(Path("penguins.boxwood").read_bytes()[:5_000])
    code, out, err = run(*arguments)
    assert code == 1
    assert sentence in err
    assert "Traceback" not in err
    assert not out
    assert not list(folder.glob("*.part"))


def test_a_newer_model_file_is_named(folder: Path, run: Run) -> None:
    data = Path("penguins.boxwood").read_bytes()
    assert b'version\\": ' in data
    at = data.index(b'version\\": ') + len(b'version\\": ')
    Path("newer.boxwood").write_bytes(data[:at] + b"9" + data[at + 1 :])
    code, _, err = run("query", "newer.boxwood", "mean(year)")
    assert code == 1
    assert "newer.boxwood" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("fit",), "TABLE"),
        (("fit", "penguins.csv", "--seed", "-1"), "--seed"),
        (("fit", "penguins.csv", "--threads", "0"), "--threads"),
        (("nothing",), "nothing"),
        (("score", "a.boxwood"), "TABLE"),
        (("outliers", "penguins.boxwood", "penguins.csv", "-n", "-3"), "-n"),
        (("outliers", "penguins.boxwood", "penguins.csv", "--fdr", "7"), "--fdr"),
        (("predict", "penguins.boxwood", "penguins.csv", "--interval", "90"), "--interval"),
        (("drift", "penguins.boxwood", "penguins.csv", "--threshold", "2"), "--threshold"),
        (("sample", "a", "-n", "0"), "-n"),
        (("sample", "penguins.boxwood", "--target", "species"), "--sheet"),
    ],
)
def test_wrong_usage_ends_with_two(folder: Path, run: Run, arguments: tuple[str, ...], said: str) -> None:
    code, out, err = run(*arguments)
    assert code == 2
    assert "Usage: boxwood" in err
    assert said in err
    assert not out


def test_without_arguments_help_is_shown(run: Run) -> None:
    _, out, err = run()
    assert "Commands" in out + err


def test_a_table_of_one_column_is_fitted(folder: Path, run: Run) -> None:
    Path("one.csv").write_text("x\n" + "\n".join(str(k % 7) for k in range(60)))
    assert run("fit", "one.csv", "-o", "one.boxwood", "--threads", "1")[0] == 0
    assert run("query", "one.boxwood", "P(x > 3)")[0] == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_said(folder: Path) -> None:
    with open("/dev/full", "wb") as full:
        found = subprocess.run(
            [*PROGRAM, "score", "penguins.boxwood", "penguins.csv"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert found.returncode == 1
    assert found.stderr.decode().strip() == "boxwood: no space left on device."


def test_a_closed_pipe_ends_quietly(folder: Path) -> None:
    command = [*PROGRAM, "sample", "penguins.boxwood", "-n", "100000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_an_interrupt_leaves_nothing_half_written(folder: Path) -> None:
    command = [*PROGRAM, "sample", "penguins.boxwood", "-n", "100000000", "-o", "rows.csv"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        while process.poll() is None and not Path("rows.csv.part").exists():
            os.sched_yield()
        process.send_signal(signal.SIGINT)
        assert process.stderr.read().decode().strip() == "boxwood: interrupted."
        assert process.wait() == 130
    assert not list(folder.glob("rows.csv*"))
