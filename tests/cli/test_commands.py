import csv
import io
import json
import sqlite3
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet
import pytest
from running import Run

import boxwood as bw
from boxwood.randomness import generator

QUESTION = "P(body_mass_g > 4500 | species == 'Adelie')"


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


class TestFit:
    def test_the_summary_is_printed(self, folder: Path, run: Run) -> None:
        code, out, _ = run("fit", "penguins.csv", "--threads", "1")
        assert code == 0
        assert "344 rows × 8 columns" in out
        assert "product of the margins" in out

    def test_with_a_target_families_are_compared(self, folder: Path, run: Run) -> None:
        sql = "SELECT species, bill_length_mm, bill_depth_mm FROM input"
        code, out, _ = run(
            *(
                "fit",
                "penguins.csv",
                "--target",
                "species",
                "--sql",
                sql,
                "--time-budget",
                "3",
                "--threads",
                "1",
            )
        )
        assert code == 0
        assert "species from the other columns" in out
        assert "Bayes error between" in out

    def test_the_model_is_that_of_the_library(self, folder: Path, run: Run) -> None:
        loaded = bw.load("penguins.boxwood")
        fitted = bw.TableModel(bw.DensityForest(random_state=0)).fit("penguins.csv")
        assert loaded.prob(QUESTION) == fitted.prob(QUESTION)

    def test_json_is_json(self, folder: Path, run: Run) -> None:
        _, out, _ = run("fit", "penguins.csv", "--json", "--threads", "1")
        assert json.loads(out)["n_rows"] == 344


class TestQuery:
    def test_answers_are_those_of_the_library(self, folder: Path, run: Run) -> None:
        model = bw.load("penguins.boxwood")
        code, out, _ = run("query", "penguins.boxwood", QUESTION, "mode(species)", "--json")
        answers = [json.loads(line) for line in out.splitlines()]
        assert code == 0
        assert answers[0] == {
            "question": QUESTION,
            "value": model.prob(QUESTION),
            "unit": "probability",
            "exact": True,
        }
        assert answers[1]["value"] == model.mode("species")

    def test_questions_come_from_a_file(self, folder: Path, run: Run) -> None:
        Path("questions.txt").write_text("# of mass\nmean(body_mass_g)\n\nmedian(body_mass_g)\n")
        _, out, _ = run("query", "penguins.boxwood", "--file", "questions.txt", "--given", "sex == 'male'")
        assert [line.split(" = ")[0] for line in out.splitlines()] == [
            "mean(body_mass_g)",
            "median(body_mass_g)",
        ]

    def test_questions_come_by_a_pipe(self, folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO("mode(species)\n# nothing\n"))
        assert run("query", "penguins.boxwood") == (0, "mode(species) = Adelie\n", "")
        monkeypatch.setattr("sys.stdin", io.StringIO("mode(species)\n"))
        assert json.loads(run("query", "penguins.boxwood", "--json")[1])["value"] == "Adelie"


class TestRows:
    def test_scores_stand_beside_the_rows(self, folder: Path, run: Run) -> None:
        _, out, _ = run("score", "penguins.boxwood", "penguins.csv")
        rows = rows_of(out)
        expected = bw.load("penguins.boxwood").score_samples("penguins.csv")
        assert rows[0]["species"] == "Adelie"
        assert np.array_equal([float(row["log_density"]) for row in rows], expected)

    def test_scores_alone_go_to_parquet(self, folder: Path, run: Run) -> None:
        assert run("score", "penguins.boxwood", "penguins.csv", "--only", "-o", "s.parquet")[0] == 0
        assert pyarrow.parquet.read_table("s.parquet").column_names == ["log_density", "p_value"]

    def test_batches_leave_no_trace(self, folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = run("score", "penguins.boxwood", "penguins.csv")[1]
        monkeypatch.setattr("boxwood.files.table_file.TableFile.batches.__defaults__", (100,))
        assert run("score", "penguins.boxwood", "penguins.csv")[1] == whole

    def test_explanations_have_the_expected_values(self, folder: Path, run: Run) -> None:
        _, out, _ = run("explain", "penguins.boxwood", "penguins.csv", "--sql", "SELECT * FROM input LIMIT 3")
        assert [float(row["species"]) >= 0.0 for row in rows_of(out)] == [True] * 3
        assert rows_of(out)[0]["species expected"] == "Adelie"

    def test_outliers_come_oddest_first(self, folder: Path, run: Run) -> None:
        _, out, _ = run("outliers", "penguins.boxwood", "penguins.csv", "-n", "4")
        scores = [float(row["log_density"]) for row in rows_of(out)]
        assert len(scores) == 4
        assert scores == sorted(scores)

    def test_no_outliers_are_a_table_without_rows(self, folder: Path, run: Run) -> None:
        argument = ("outliers", "penguins.boxwood", "penguins.csv", "--fdr", "1e-9")
        code, out, _ = run(*argument)
        assert (code, out) == (0, "row,p_value,log_density,column,surprise\n")
        assert run(*argument, "-o", "none.parquet")[0] == 0
        assert pyarrow.parquet.read_table("none.parquet").num_rows == 0

    def test_gaps_are_filled(self, folder: Path, run: Run) -> None:
        _, out, _ = run("impute", "penguins.boxwood", "penguins.csv")
        assert all(all(row.values()) for row in rows_of(out))

    def test_predictions_have_probabilities(self, folder: Path, run: Run) -> None:
        _, out, _ = run("predict", "penguins.boxwood", "penguins.csv", "-t", "species", "--proba", "--only")
        row = rows_of(out)[0]
        assert row["predicted species"] == "Adelie"
        assert sum(float(row[f"P({name})"]) for name in ("Adelie", "Chinstrap", "Gentoo")) == pytest.approx(
            1.0
        )

    def test_the_target_of_the_fit_is_predicted_by_default(self, folder: Path, run: Run) -> None:
        model = bw.TableModel(bw.DensityForest(3, random_state=0)).fit("penguins.csv", target="species")
        model.save("species.boxwood")
        _, out, _ = run("predict", "species.boxwood", "penguins.csv", "--only")
        assert list(rows_of(out)[0]) == ["predicted species"]
        code, _, err = run("predict", "penguins.boxwood", "penguins.csv")
        assert code == 1
        assert err == (
            "boxwood: 'penguins.boxwood' was fitted without a target: say by --target what to predict.\n"
        )

    def test_predictions_have_intervals(self, folder: Path, run: Run) -> None:
        _, out, _ = run(
            "predict", "penguins.boxwood", "penguins.csv", "-t", "body_mass_g", "--interval", "0.8"
        )
        row = rows_of(out)[0]
        assert float(row["low"]) < float(row["predicted body_mass_g"]) < float(row["high"])

    def test_rows_come_from_databases(self, folder: Path, run: Run) -> None:
        with sqlite3.connect("p.sqlite") as connection:
            rows = rows_of(Path("penguins.csv").read_text())
            connection.execute(f"CREATE TABLE p ({', '.join(rows[0])})")
            marks = ", ".join("?" * len(rows[0]))
            for row in rows:
                values = [None if value in ("", "NA") else value for value in row.values()]
                numbers = [float(v) if v is not None and v.replace(".", "").isdigit() else v for v in values]
                connection.execute(f"INSERT INTO p VALUES ({marks})", numbers)
        from_database = run("score", "penguins.boxwood", "p.sqlite", "--only")[1]
        assert from_database == run("score", "penguins.boxwood", "penguins.csv", "--only")[1]


class TestSample:
    def test_rows_satisfy_the_evidence(self, folder: Path, run: Run) -> None:
        _, out, _ = run("sample", "penguins.boxwood", "-n", "50", "--given", "species == 'Gentoo'")
        assert [row["species"] for row in rows_of(out)] == ["Gentoo"] * 50

    def test_a_seed_gives_the_same_rows(self, folder: Path, run: Run) -> None:
        first = run("sample", "penguins.boxwood", "-n", "9", "--seed", "5")[1]
        assert run("sample", "penguins.boxwood", "-n", "9", "--seed", "5", "--threads", "2")[1] == first
        assert run("sample", "penguins.boxwood", "-n", "9", "--seed", "6")[1] != first

    def test_rows_are_those_of_the_model(self, folder: Path, run: Run) -> None:
        """Corrected, or not; with the class drawn by what was grown for it where it was the target."""
        rng = np.random.default_rng(0)
        x = rng.normal(size=1500)
        table = pd.DataFrame(
            {"x": x, "y": np.sin(2 * x), "c": np.where(x + rng.normal(size=1500) > 0, "u", "d")}
        )
        forest = bw.DensityForest(5, min_samples_split=200, random_state=0)
        bw.TableModel(forest, random_state=0).fit(table, target="c").save("thin.boxwood")
        model = bw.load("thin.boxwood")
        for option, corrected in ((["--uncorrected"], False), ([], True)):
            found = [
                float(row["x"]) for row in rows_of(run("sample", "thin.boxwood", "-n", "40", *option)[1])
            ]
            rows = model.sample(40, random_state=generator(0), corrected=corrected)
            np.testing.assert_allclose(found, rows.x)
        classes = [row["c"] for row in rows_of(run("sample", "thin.boxwood", "-n", "40")[1])]
        assert classes == list(rows.c)


class TestCompareAndInfo:
    @pytest.mark.parametrize("form", ["--json", "--markdown"])
    def test_comparisons_are_printed(self, folder: Path, run: Run, form: str) -> None:
        sql = "SELECT species, bill_length_mm, bill_depth_mm FROM input"
        code, out, _ = run(
            *(
                "compare",
                "penguins.csv",
                "-t",
                "species",
                "--sql",
                sql,
                "--folds",
                "2",
                "--time-budget",
                "3",
                form,
            )
        )
        assert code == 0
        if form == "--json":
            assert json.loads(out)["task"] == "classification"
        else:
            assert out.startswith("| model | error |")

    def test_info_names_columns(self, folder: Path, run: Run) -> None:
        _, out, _ = run("info", "penguins.boxwood", "--describe")
        assert "DensityForest" in out
        assert "flipper_length_mm" in out
        found = json.loads(run("info", "penguins.boxwood", "--json")[1])
        assert len(found["columns"]) == 8
