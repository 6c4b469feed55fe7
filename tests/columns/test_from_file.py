from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from boxwood.columns import read_columns, to_native
from boxwood.columns.read.from_duckdb import read_relation
from boxwood.columns.read.from_file import offline_connection, open_file

CSV = "name,size,when,ok\nann,1.5,2020-01-01,true\nbob,NA,2020-01-02,false\n,2.5,,\n"


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.mark.parametrize("words", [("yes", "no"), ("t", "f"), ("Y", "N"), ("yes", "true")])
def test_words_are_no_truth_values(write: Any, words: tuple[str, str]) -> None:
    column = read_columns(
        write("a.csv", "x,k\n" + "".join(f"{i},{words[i % 2]}\n" for i in range(9)) + "9,\n")
    )[1]
    assert column.kind.value == "categorical"
    assert set(column.field.categories) == set(words)
    assert column.n_missing == 1


def test_a_word_among_numbers_is_a_warning(write: Any) -> None:
    path = write("a.csv", "x,k\n" + "".join(f"{i}.5,{i}\n" for i in range(30)) + "n/a?,30\n")
    with pytest.warns(UserWarning, match="column 'x': 30 of 31 different values are numbers, but 'n/a[?]'"):
        assert read_columns(path)[0].kind.value == "categorical"
    assert read_columns(path, missing_values=["n/a?"])[0].kind.value == "numeric"


def test_decimal_commas_between_commas_are_a_warning(write: Any) -> None:
    path = write("a.csv", "x,k\n" + "".join(f'"{i},5",{i}\n' for i in range(30)))
    with pytest.warns(UserWarning, match="column 'x': values such as '0,5' have a decimal comma"):
        read_columns(path)


@pytest.mark.parametrize("large", [False, True])  # all rows say what columns are, or the first do
def test_decimal_commas_between_semicolons_are_numbers(
    write: Any, monkeypatch: pytest.MonkeyPatch, large: bool
) -> None:
    monkeypatch.setattr("boxwood.columns.read.from_file.LARGE", 0)
    rows = "".join(f"{i},5;{i};Größe {i % 3};{i},25\n" for i in range(30))
    path = write("a.csv", "Gewicht;n;Wort;Größe\n" + rows)
    with offline_connection() as connection:
        columns = read_relation(open_file(connection, str(path), in_batches=large))
    assert columns.schema.names == ("Gewicht", "n", "Wort", "Größe")
    assert [column.kind.value for column in columns] == ["numeric", "integer", "categorical", "numeric"]
    np.testing.assert_array_equal(columns[3].values, np.arange(30) + 0.25)


def test_points_between_semicolons_stay_numbers(write: Any) -> None:
    path = write("a.csv", "x;y\n" + "".join(f"{i}.5;w{i % 2}, and more\n" for i in range(30)))
    assert [column.kind.value for column in read_columns(path)] == ["numeric", "categorical"]


def test_few_values_and_codes_with_zeros_are_no_warning(write: Any) -> None:
    rows = "".join(f"{i % 4 if i % 5 else 'other'},0{i}123,{i}\n" for i in range(30))
    kinds = [column.kind.value for column in read_columns(write("a.csv", "room,code,k\n" + rows))]
    assert kinds[0] == "categorical"


def test_another_encoding_has_a_remedy(write: Any) -> None:
    rows = "name,city\n" + "a,Köln\n" * 50
    for encoding in ("latin-1", "utf-16"):
        with pytest.raises(ValueError, match="Save text as UTF-8"):
            read_columns(write("a.csv", rows.encode(encoding)))


def test_csv_and_its_disguises(write: Any) -> None:
    columns = read_columns(write("a.csv", CSV))
    assert [column.kind.value for column in columns] == ["categorical", "numeric", "datetime", "boolean"]
    assert [column.n_missing for column in columns] == [1, 1, 1, 1]
    assert read_columns(str(write("b.tsv", CSV.replace(",", "\t")))) == columns
    assert read_columns(write("c.txt", CSV.replace(",", ";"))) == columns
    assert read_columns(write("d.csv.gz", gzip.compress(CSV.encode()))) == columns
    assert read_columns(write("e[1].csv", CSV)) == columns
    assert read_columns(write("UPPER.CSV", CSV)) == columns
    assert read_columns(to_native(columns)) == columns


def test_parquet_and_json_lines(write: Any, tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [1, None], "b": ["x", "y"]})
    frame.write_parquet(tmp_path / "a.parquet")
    lines = write("a.jsonl", '{"a": 1, "b": "x"}\n{"b": "y"}\n')
    listed = write("a.json", '[{"a": 1, "b": "x"}, {"b": "y"}]')
    assert read_columns(tmp_path / "a.parquet") == read_columns(frame)
    assert read_columns(lines) == read_columns(frame)
    assert read_columns(listed) == read_columns(frame)


def test_quoting(write: Any) -> None:
    columns = read_columns(write("a.csv", 'a,b\n"x, ""y""",1\n"line\nbreak",2\n'))
    assert columns["a"].field.categories == ("line\nbreak", 'x, "y"')


def test_missing_values(write: Any) -> None:
    path = write("a.csv", "a,b\n1,NA\n-,x\n")
    assert read_columns(path, missing_values=["-"])["a"].values[0] == 1
    assert read_columns(path, missing_values=["-"])["b"].n_missing == 0
    assert read_columns(path)["a"].kind == "categorical"
    with pytest.raises(TypeError, match="missing_values must be strings"):
        read_columns(path, missing_values=[5])  # type: ignore[list-item]


def test_a_folder_adds_no_column(write: Any) -> None:
    assert read_columns(write("year=2020/a.csv", "a\n1\n")).schema.names == ("a",)


def test_a_star_in_the_name_is_no_pattern(write: Any) -> None:
    write("ab.csv", "a\n5\n")
    assert read_columns(write("a*.csv", "a\n1\n")).n_rows == 1


def test_names_that_stand_twice_are_renamed(write: Any) -> None:
    assert read_columns(write("a.csv", "a,a\n1,2\n")).schema.names == ("a", "a_1")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("broken.csv", 'a,b\n1,x\n2,y,z\n3,"q\n', r"could not be read: .*Line: 3"),
        ("empty.csv", "", "is empty"),
        ("header.csv", "a,b\n", "0 sample"),
        ("latin.csv", b"a,b\n1,\xff\xfe\n", "Line: 2.*Invalid unicode"),
        ("fake.csv.gz", "a\n1\n", "could not be read"),
        ("broken.jsonl", '{"a": 1}\n{"a":\n', r"could not be read: .*line 3"),
        ("broken.parquet", "not parquet", "could not be read"),
        ("table.xlsx", "?", "the ending does not tell the format"),
        ("table", "?", "the ending does not tell the format"),
    ],
)
def test_files_that_cannot_be_read(write: Any, name: str, content: str | bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_columns(write(name, content))


def test_paths_without_a_file(tmp_path: Path) -> None:
    for absent in (tmp_path / "absent.csv", "a\x00b.csv", "x" * 5000 + ".csv"):
        with pytest.raises(FileNotFoundError, match="there is no file"):
            read_columns(absent)
    with pytest.raises(ValueError, match="is a directory"):
        read_columns(tmp_path)
    with pytest.raises(ValueError, match="is an address"):
        read_columns("https://example.org/table.csv")


def test_nested_json_is_refused(write: Any) -> None:
    with pytest.raises(TypeError, match="column 'a' has the type STRUCT"):
        read_columns(write("a.jsonl", '{"a": {"b": 1}}\n'))


def test_plus_signs_among_numbers_are_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("x,phone,zip\n" + "".join(f"{k - 9:+d},+49{k},{k:05d}\n" for k in range(20)))
    with pytest.warns(UserWarning, match="column 'x': values such as '[+]0' have a plus sign") as warned:
        read_columns(path)
    assert len(warned) == 1  # nothing of phone numbers and postcodes
