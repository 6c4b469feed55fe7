"""Random and mutated expressions: each is an event or an ExpressionError, and none takes long."""

import random
import time
import warnings

import pytest
from event_tables import fitted

from boxwood.query.event import Event
from boxwood.query.expression import ExpressionError, read_expression, read_question, to_text
from boxwood.query.sum_column import SumColumn

TABLE = fitted()
SCHEMA = TABLE.schema
LONGEST = 10.0
"""Seconds that one expression may take beside other tests; on an idle machine the slowest takes 0.1."""

WORDS = [
    *[
        "and",
        "or",
        "not",
        "in",
        "is",
        "missing",
        "null",
        "true",
        "false",
        "P",
        "(",
        ")",
        "[",
        "]",
        ",",
        "|",
        "+",
        "-",
        "*",
        "/",
        "==",
        "=",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        ".",
        "`",
        "'",
        '"',
        "\\",
        "&",
        "!",
        "~",
        "@",
        "#",
    ],
    *[
        "age",
        "height",
        "city",
        "member",
        "size",
        "`born on`",
        "born",
        "aeg",
        "x0",
        "ß",
        "\n",
        "\0",
        "\ud800",
        "٣",
    ],
    *[
        "0",
        "1",
        "-2",
        "1e3",
        "1_000",
        ".5",
        "1e-400",
        "1e308",
        "9" * 50,
        "0x1",
        "1.",
        "inf",
        "nan",
        "__import__",
    ],
    *[
        "'Ulm'",
        '"Bonn"',
        "'2024-01-01'",
        "'2024-01-01T12:00+02:00'",
        "'0001-01-01'",
        "'9999-12-31'",
        "''",
        "'S'",
    ],
]
SENTENCES = [
    "30 <= age < 40 and city in ['Ulm', 'Bonn']",
    "not (member or `born on` > '2024-01-02') and height is not missing",
    "P(age > 40 | size <= 'M', city == \"it's\")",
    "2 * age - height / 3 + 1.5 <= -1e3 and member",
    "(age in [1, 2, 3] or age > 60) and (city != 'Ulm' or city is missing) and size not in ('S', 'L')",
]


def random_words(generator: random.Random) -> str:
    return generator.choice([" ", ""]).join(generator.choices(WORDS, k=generator.randint(1, 30)))


def mutated(generator: random.Random) -> str:
    """Return a sentence of which some places are cut out, doubled, swapped or written over."""
    text = generator.choice(SENTENCES)
    for _ in range(generator.randint(1, 4)):
        i, j = sorted(generator.choices(range(len(text) + 1), k=2))
        kind = generator.randrange(5)
        if kind == 0:
            text = text[:i] + text[j:]
        elif kind == 1:
            text = text[:j] + text[i:j] * generator.choice([1, 1, 2, 20]) + text[j:]
        elif kind == 2:
            text = text[:i] + generator.choice(WORDS) + text[i:]
        elif kind == 3:
            text = (
                text[:i]
                + chr(generator.choice([generator.randrange(128), generator.randrange(0x11_0000)]))
                + text[i:]
            )
        else:
            text = text[:i] + generator.choice(SENTENCES)[i:]
    return text


def grown(generator: random.Random, depth: int = 0) -> str:
    """Return an expression that the grammar has, of comparisons that fit and of some that do not."""
    kind = generator.randrange(8 if depth < 6 else 1)
    if kind in (1, 2):
        word = " and " if kind == 1 else " or "
        return "(" + word.join(grown(generator, depth + 1) for _ in range(generator.randint(2, 4))) + ")"
    if kind == 3:
        return "not " + grown(generator, depth + 1)
    column = generator.choice(["age", "height", "`born on`", "city", "member", "size"])
    value = generator.choice(["1", "-2.5", "'2024-01-03'", "'Ulm'", "'M'", "true", "age", "2 * height + 1"])
    if generator.random() < 0.9:
        fitting = {"age": "3", "height": "-2.5", "`born on`": "'2024-01-03'", "city": "'Ulm'", "size": "'M'"}
        value = fitting.get(column, "true")
    sign = generator.choice(["==", "!=", "<", "<=", ">", ">="])
    if column in ("city", "member") and generator.random() < 0.95:
        sign = generator.choice(["==", "!="])
    return f"{column} {sign} {value}" if kind != 4 else f"{column} is {generator.choice(['', 'not '])}missing"


def answer_of(text: str) -> Event | ExpressionError:
    """Read an expression as both readers do."""
    try:
        event, evidence = read_question(SCHEMA, text)
        assert isinstance(event, Event)
        assert evidence is None or isinstance(evidence, Event)
        boxes = read_expression(SCHEMA, text)
    except ExpressionError as error:
        return error
    assert boxes == event
    return boxes


def check(text: str) -> bool:
    """Check that an expression is an event or an error, and soon; return whether it is an event."""
    start = time.process_time()
    answer = answer_of(text)
    assert time.process_time() - start < LONGEST, f"slow: {text[:200]!r}"
    if isinstance(answer, ExpressionError):
        assert "^" in str(answer)
        assert len(str(answer)) < 2_000
        return False
    if len(answer.boxes) < 20:
        again = read_expression(SCHEMA, to_text(answer, SCHEMA))
        assert (again.contains(TABLE) == answer.contains(TABLE)).all()
        if not any(isinstance(j, SumColumn) for box in answer.boxes for j in box.sets):
            assert again.columns == answer.columns
    return True


def check_many(n_expressions: int, seed: int) -> None:
    generator = random.Random(seed)
    n_found = {random_words: 0, mutated: 0, grown: 0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i in range(n_expressions):
            make = [random_words, mutated, grown][i % 3]
            n_found[make] += check(make(generator))  # type: ignore[operator]
    assert n_found[mutated] > n_expressions / 3 / 50  # mutations that leave an expression are tested too
    assert n_found[grown] > n_expressions / 3 / 4


def test_malformed_expressions_are_events_or_errors() -> None:
    check_many(5_000, seed=0)


@pytest.mark.slow
def test_very_many_malformed_expressions_are_events_or_errors() -> None:
    check_many(100_000, seed=1)
