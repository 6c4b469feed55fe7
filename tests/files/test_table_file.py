import io
import sqlite3
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import boxwood as bw
from boxwood.columns.read.csv_types import by_first_rows, read_csv
from boxwood.columns.read.from_file import MISSING_STRINGS, offline_connection
from boxwood.files import TableFile, TableWriter

TABLE = {"name": ["Ann", 'B, "b"', None, "ü"], "size": [1.5, None, -2.0, 1e300], "n": [1, 2, 3, 2**40]}


def written(folder: Path, ending: str) -> Path:
    path = folder / f"table{ending}"
    with TableWriter(path) as writer:
        writer.write({name: values[:2] for name, values in TABLE.items()})
        writer.write({name: values[2:] for name, values in TABLE.items()})
    return path


def interrupted(path: Path) -> None:
    with TableWriter(path) as writer:
        writer.write(TABLE)
        raise KeyboardInterrupt


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".parquet"])
class TestFormats:
    def test_what_is_written_is_read(self, tmp_path: Path, ending: str) -> None:
        with TableFile(written(tmp_path, ending)) as file:
            assert file.read() == bw.read_columns(TABLE)

    def test_batches_are_the_table(self, tmp_path: Path, ending: str) -> None:
        with TableFile(written(tmp_path, ending)) as file:
            batches = list(file.batches(3))
            assert max(len(batch) for batch in batches) <= 3
            assert pa.concat_tables(batches).column("n").to_pylist() == TABLE["n"]

    def test_sql_reads_a_part(self, tmp_path: Path, ending: str) -> None:
        with TableFile(
            written(tmp_path, ending), sql="SELECT n FROM input WHERE n < 3 ORDER BY n DESC"
        ) as file:
            assert file.read()["n"].values.tolist() == [2, 1]

    def test_an_error_leaves_the_old_file_and_nothing_else(self, tmp_path: Path, ending: str) -> None:
        path = written(tmp_path, ending)
        before = path.read_bytes()
        with pytest.raises(KeyboardInterrupt):
            interrupted(path)
        assert path.read_bytes() == before
        assert list(tmp_path.iterdir()) == [path]


def test_only_parquet_knows_its_rows(tmp_path: Path) -> None:
    for ending, n_rows in ((".parquet", 4), (".csv", None)):
        with TableFile(written(tmp_path, ending)) as file:
            assert file.n_rows() == n_rows


class TestDatabases:
    @pytest.fixture
    def databases(self, tmp_path: Path) -> list[Path]:
        duck, lite = tmp_path / "a.duckdb", tmp_path / "a.sqlite"
        with duckdb.connect(str(duck)) as connection:
            connection.execute('CREATE TABLE "my rows" AS SELECT range AS n, range * 0.5 AS x FROM range(5)')
        connection = sqlite3.connect(lite)
        connection.execute('CREATE TABLE "my rows" (n INTEGER, x REAL)')
        connection.executemany('INSERT INTO "my rows" VALUES (?, ?)', [(i, i * 0.5) for i in range(5)])
        connection.commit()
        connection.close()
        return [duck, lite]

    def test_the_only_table_is_read(self, databases: list[Path]) -> None:
        for path in databases:
            with TableFile(path) as file:
                assert file.read()["x"].values.tolist() == [0.0, 0.5, 1.0, 1.5, 2.0]
                assert [bw.read_columns(batch).n_rows for batch in file.batches(2)] == [2, 2, 1]

    def test_queries_are_answered(self, databases: list[Path]) -> None:
        for path in databases:
            with TableFile(path, sql='SELECT n FROM "my rows" WHERE n > 2') as file:
                assert file.read()["n"].values.tolist() == [3, 4]

    def test_of_several_tables_one_must_be_named(self, databases: list[Path]) -> None:
        duck, lite = databases
        with duckdb.connect(str(duck)) as connection:
            connection.execute("CREATE TABLE other AS SELECT 1 AS a")
        with sqlite3.connect(lite) as connection:
            connection.execute("CREATE TABLE other (a)")
        for path in databases:
            with TableFile(path) as file, pytest.raises(ValueError, match="say by an SQL query"):
                file.read()

    def test_a_wrong_query_is_named(self, databases: list[Path]) -> None:
        for path in databases:
            with (
                TableFile(path, sql="SELECT y FROM nothing") as file,
                pytest.raises(ValueError, match="nothing"),
            ):
                file.read()

    def test_nothing_is_written_to_them(self, databases: list[Path]) -> None:
        for path in databases:
            with (
                TableFile(path, sql="CREATE TABLE more (a INTEGER)") as file,
                pytest.raises(ValueError, match="could not"),
            ):
                list(file.batches())


class TestStandardInput:
    @pytest.mark.parametrize("ending", [".csv", ".jsonl", ".parquet"])
    def test_the_beginning_says_the_format(
        self, tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stream = io.TextIOWrapper(io.BytesIO(written(tmp_path, ending).read_bytes()))
        monkeypatch.setattr("sys.stdin", stream)
        with TableFile("-") as file:
            assert file.read() == bw.read_columns(TABLE)
            copy = Path(file._path)
        assert not copy.exists()


class TestBadInput:
    def test_text_is_no_binary_file(self, tmp_path: Path) -> None:
        path = tmp_path / "a.csv"
        path.write_bytes(np.random.default_rng(0).bytes(5_000))
        with TableFile(path) as file, pytest.raises(ValueError, match="binary file"):
            file.read()

    def test_an_unknown_ending_to_write_to_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=r"the ending must be one of \.csv"):
            TableWriter(tmp_path / "table.xyz")

    def test_a_missing_folder_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError, match="no folder"), TableWriter(tmp_path / "no" / "a.csv"):
            pass

    def test_an_interrupt_just_after_the_draft_was_made(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupted_open(path: Path, mode: str) -> None:
            path.write_bytes(b"")
            raise KeyboardInterrupt

        monkeypatch.setattr("boxwood.files.table_writer.open", interrupted_open, raising=False)
        with pytest.raises(KeyboardInterrupt), TableWriter(tmp_path / "rows.csv"):
            pass
        assert not list(tmp_path.iterdir())

    def test_batches_of_other_types_are_refused(self, tmp_path: Path) -> None:
        with TableWriter(tmp_path / "b.parquet") as writer:
            writer.write({"a": [1.5]})
            with pytest.raises(pa.ArrowInvalid):
                writer.write({"a": ["x"]})


def large_csv(folder: Path, last_lines: str) -> Path:
    """Write a file whose first 5,000 rows (DuckDB looks at 2,048 or more) say little of what comes last."""
    path = folder / "large.csv"
    rows = "".join(f"{k},{k / 8},,2020-01-{k % 28 + 1:02d},a{k % 3}\n" for k in range(5_000))
    path.write_text("whole,real,gaps,day,label\n" + rows + last_lines)
    return path


@pytest.mark.parametrize(
    "last_lines",
    [
        "7,1.5,,2021-02-03,b\n",
        "7,1.5,3,2021-02-03,b\n",
        "7.5,1.5,,2021-02-03,b\n",
        "seven,1.5,x,2021-02-03,b\n",
        "7,1.5,,someday,b\n",
        "7,1.5,,2021-02-03 10:11:12,b\n",
        '7,NA,"3",2021-02-03,"b, c"\n',
        '7,1,,2021-02-03,"b"\n',
    ],
)
@pytest.mark.filterwarnings("ignore:.*but .seven. is none:UserWarning")
def test_a_large_csv_has_the_types_of_all_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last_lines: str
) -> None:
    path = large_csv(tmp_path, last_lines)
    with TableFile(path) as file:
        expected = file.read()
    monkeypatch.setattr("boxwood.columns.read.from_file.LARGE", 0)
    monkeypatch.setattr("boxwood.columns.read.csv_types.N_FIRST", 100)
    with TableFile(path) as file:
        batches = list(file.batches(1_024))
    assert bw.read_columns(pa.concat_tables(batches)) == expected


@pytest.mark.parametrize(
    ("last_line", "fits"),
    [
        ("7,1.5,b,true", True),
        ("NA,,,", True),
        ('7,1.5,"b, c",false', True),
        ("7,1.5,'b',false", False),
        ("7.5,1.5,b,true", False),
        ("x,1.5,b,true", False),
        ("7,1.5,b,1", False),
        ("7,1.5,b,true,7", False),
    ],
)
def test_a_large_csv_is_read_by_its_first_rows_where_they_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last_line: str, fits: bool
) -> None:
    monkeypatch.setattr("boxwood.columns.read.csv_types.N_FIRST", 100)
    path = tmp_path / "large.csv"
    rows = "".join(f"{k},{k / 8},a{k % 3},{str(k % 5 == 0).lower()}\n" for k in range(5_000))
    path.write_text(f"whole,real,label,flag\n{rows}{last_line}\n")
    with offline_connection() as connection:
        relation = by_first_rows(connection, str(path), MISSING_STRINGS)
        assert (relation is not None) == fits
        if relation is not None:
            everything = read_csv(connection, str(path), MISSING_STRINGS)
            assert relation.types == everything.types
            assert relation.fetchall() == everything.fetchall()


def test_a_long_query_draws_no_bar_into_the_output() -> None:
    with offline_connection() as connection:
        assert connection.execute("SELECT current_setting('enable_progress_bar')").fetchone() == (False,)
