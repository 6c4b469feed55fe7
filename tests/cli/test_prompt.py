import pytest

import boxwood as bw
from boxwood.cli.prompt import answer_line, completions

TABLE = {"age": [31, 44, 50, 61] * 10, "home town": ["Ulm", "Bonn", "Köln", "Ulm"] * 10}


@pytest.fixture(scope="module")
def model() -> bw.TableModel:
    return bw.TableModel(bw.DensityTree(random_state=0)).fit(TABLE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("P(ag", ["age"]),
        ("P(hom", ["`home town`"]),
        ("P(`home town` == 'K", ["'Köln'"]),
        ("P(`home town` in ['Ulm', 'B", ["'Bonn'"]),
        ("mea", ["mean("]),
        ("P(age > 3 an", ["and"]),
        ("P(age == 'x", []),
    ],
)
def test_completions(model: bw.TableModel, text: str, expected: list[str]) -> None:
    assert [word for word, _ in completions(model.schema, text)] == expected


def test_completions_replace_the_word(model: bw.TableModel) -> None:
    text = "P(`home town` == 'K"
    [(word, length)] = completions(model.schema, text)
    assert text[: len(text) - length] + word == "P(`home town` == 'Köln'"


def test_a_conversation_goes_on_after_an_error(model: bw.TableModel) -> None:
    said: list[str] = []
    for line in ("mean(aage)", "", "columns", "mode(`home town`)"):
        answer_line(model, line, said.append)
    assert "Did you mean 'age'?" in said[0]
    assert said[1] == "age: integer\n`home town`: categorical"
    assert said[2] == "mode(`home town`) = Ulm"
