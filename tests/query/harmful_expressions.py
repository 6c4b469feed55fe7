"""Expressions that want to do harm: deep, long, huge, in odd letters and odd quotes."""

from __future__ import annotations

import random

ODD_LETTERS = [
    *[
        "\u202e",
        "\u200b",
        "\ufeff",
        "\u0301",
        "\x00",
        "\x1b[31m",
        "\ud800",
        "\U0001f600",
        "ﬀ",
        "ı",
        "ẞ",
        "\xa0",
    ],
    *[
        "٣",
        "１",
        "²",
        "Ⅷ",
        "a\u0304",
        "\r\n",
        "\u2028",
        "\x85",
        "－",
        "‘Ulm’",
        "«Ulm»",
        "“Ulm”",
        "´",
        "＝＝",
        "≤",
        "≠",
    ],
]
HUGE_NUMBERS = [
    *[
        "1e308",
        "-1e308",
        "1e309",
        "1e-400",
        "9" * 400,
        "0." + "0" * 400 + "1",
        "1" + "0" * 5000,
        "1e" + "9" * 50,
    ],
    *[
        "0x7fffffffffffffff",
        "1_0_0",
        "1__0",
        "00001",
        "1e+",
        "1.2.3",
        "--1",
        "+-+-1",
        "inf",
        "nan",
        "1j",
        "2**9999",
    ],
]
QUOTES = [
    "'",
    '"',
    "`",
    "''",
    '""',
    "``",
    "'''",
    '"""',
    "\\'",
    '\\"',
    "\\`",
    "'\\",
    "b'x'",
    "f'{age}'",
    "r'\\'",
    "'\\x41'",
]
CODE = [
    "__import__('os')",
    "age.__class__",
    "lambda: 0",
    "exec('1')",
    "@age",
    "age[0]",
    "age if 1 else 2",
    "{age}",
    "age;age",
]
SIMPLE = [
    "age > 3",
    "city == 'Ulm'",
    "member",
    "height is missing",
    "size <= 'M'",
    "`born on` > '2024-01-02'",
]


def deep(generator: random.Random) -> str:
    """Return an expression that nests deeply, closed or not."""
    n = generator.choice([10, 60, 300, 3_000, 50_000])
    inner = generator.choice(SIMPLE)
    opening, closing = generator.choice(
        [
            ("(", ")"),
            ("not ", ""),
            ("not (", ")"),
            ("-", ""),
            ("[", "]"),
            ("P(", ")"),
            ("((", "))"),
            ("(age > 1 or ", ")"),
        ]
    )
    return opening * n + inner + closing * generator.choice([n, n, 0, n - 1, n + 1])


def long(generator: random.Random) -> str:
    """Return an expression of very many parts."""
    n = generator.choice([50, 500, 5_000])
    kind = generator.randrange(5)
    if kind == 0:
        return generator.choice([" and ", " or ", " "]).join(generator.choices(SIMPLE, k=n))
    if kind == 1:
        return f"age in [{', '.join(str(generator.randrange(10**6)) for _ in range(n))}]"
    if kind == 2:
        return " < ".join(["age", *(str(i) for i in range(n))])
    if kind == 3:
        return " + ".join(["age"] * n) + " < 3"
    return "`" + generator.choice(["a", "ß", "`", " "]) * n + "` == 1"


def different(generator: random.Random) -> str:
    """Return a union or an intersection of ranges that differ, whose boxes multiply."""
    n = generator.choice([5, 20, 60])
    parts = [
        f"({generator.choice(['age', 'height'])} > {generator.randrange(90)} "
        f"{generator.choice(['or', 'and'])} {generator.choice(SIMPLE)})"
        for _ in range(n)
    ]
    return generator.choice([" and ", " or "]).join(parts)


def odd(generator: random.Random) -> str:
    """Return words, odd letters, huge numbers, quotes and code in any order."""
    words = [
        *ODD_LETTERS,
        *HUGE_NUMBERS,
        *QUOTES,
        *CODE,
        *SIMPLE,
        "age",
        "==",
        "<",
        "in",
        "and",
        "(",
        ")",
        ",",
    ]
    return generator.choice(["", " "]).join(generator.choices(words, k=generator.randint(1, 12)))


def compared(generator: random.Random) -> str:
    """Return a comparison of a column with something odd."""
    column = generator.choice(["age", "height", "city", "member", "size", "`born on`", "nobody"])
    other = generator.choice([*ODD_LETTERS, *HUGE_NUMBERS, *QUOTES, *CODE])
    quote = generator.choice(["", "'", '"', "`"])
    return f"{column} {generator.choice(['==', '<', '>=', '!=', 'in', 'is', 'not in'])} {quote}{other}{quote}"


CHEAP = [odd, compared, compared, odd, different]
DEAR = [deep, long]


def harmful(generator: random.Random, number: int) -> str:
    """Return the n-th harmful expression; one in fifty is very deep or long, which takes a hundred times."""
    makers = DEAR if number % 50 == 0 else CHEAP
    return generator.choice(makers)(generator)
