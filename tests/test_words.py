"""The field's words: names that were replaced by the literature's do not come back.

A word counts where it is a part of a name (``kept_rows``, ``KeptRows``) in the package, the core, the
bindings, their tests and the benchmarks; comments and docstrings are not looked at.
"""

import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

RETIRED = {
    "dealt": "weighted_folds",
    "deck": "weighted_folds",
    "duel": "pairwise_comparison",
    "duels": "pairwise_comparisons",
    "gate": "input_validation",
    "hostile": "malformed",
    "judge": "validate",
    "judged": "validated",
    "judges": "validation",
    "kept_rows": "row_partition",
    "ladder": "candidates",
    "leaf_finder": "traversal",
    "light_cells": "adaptive_grid",
    "numbers_first": "encoder",
    "rung": "candidate",
    "rungs": "candidates",
    "scanner": "split_finder",
    "scanners": "split_finders",
    "share": "fraction",
    "shares": "fractions",
    "side_by_side": "parallel_map",
    "slow_twin": "reference",
    "table_numbers": "encoder",
    "take_away": "subtract",
    "told": "predicted",
    "turned": "rotated",
    "twin": "reference",
    "watched": "held_out",
}
"""Each with the word that stands for it."""

OF_TREES = {"cell": "bin", "cells": "bins", "knot": "bin_edge", "knots": "bin_edges"}
"""Retired where trees grow. Product grids and counts have cells, and the CDFs of margins have knots."""
TREES = re.compile(r"(src/boxwood|cpp|cpp/tests)/(base|binning|tree|mixture)/")

ALLOWED = {
    "cpp/mixture/": {"share_bin_edges"},  # a verb
    "src/boxwood/classify/": {"share_measure"},  # a verb
    "tests/classify/": {"share_measure"},
    "src/boxwood/evidence/": {"share_measure"},
    "tests/margins/": {"share_measure"},
    "tests/evidence/": {"share_measure"},
    "cpp/binning/": {"knots"},  # those of margins
    "src/boxwood/mixture/": {"knots"},  # those of margins
}
"""Names in which a word has another sense, by the place where they may stand."""


def parts_of(name: str) -> list[str]:
    """Return the words of a name: ``KeptRows`` and ``kept_rows`` are both kept and rows."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return [part for part in spaced.lower().split("_") if part]


def retired_in(name: str, file: str = "") -> list[str]:
    """Return what should stand for the retired words that are a part of a name."""
    joined = f"_{'_'.join(parts_of(name))}_"
    words = RETIRED | OF_TREES if TREES.match(file) else RETIRED
    return [better for word, better in words.items() if f"_{word}_" in joined]


def names_in(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        yield from (token.string for token in tokens if token.type == tokenize.NAME)
    else:
        code = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', "", text, flags=re.DOTALL)
        yield from re.findall(r"[A-Za-z_]\w*", code)


@cache
def found() -> dict[tuple[str, str], str]:
    """Return each file with each of its names that has a retired word, and the better word."""
    names = {
        (path.relative_to(ROOT).as_posix(), name)
        for folder in ("src", "cpp", "bindings", "tests", "benchmarks")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".cpp", ".hpp") and path != Path(__file__)
        for name in {path.stem, *names_in(path)}
    }
    return {(file, name): better[0] for file, name in sorted(names) if (better := retired_in(name, file))}


def is_allowed(file: str, name: str) -> bool:
    return any(file.startswith(place) and name in names for place, names in ALLOWED.items())


def test_no_retired_word_comes_back() -> None:
    wrong = {place: better for place, better in found().items() if not is_allowed(*place)}
    assert [f"{file}: {name} (say {better})" for (file, name), better in wrong.items()] == []


@pytest.mark.parametrize("place", sorted(ALLOWED))
def test_every_allowed_name_is_still_used(place: str) -> None:
    used = {name for file, name in found() if file.startswith(place)}
    assert ALLOWED[place] - used == set()


@pytest.mark.parametrize("name", ["KeptRows", "kept_rows_", "n_told", "ToldRows", "HTTPGate"])
def test_retired_words_are_seen_in_names(name: str) -> None:
    assert retired_in(name) != []


def test_trees_have_bins() -> None:
    assert retired_in("n_cells", "src/boxwood/tree/supervised/base.py") == ["bins"]
    assert retired_in("n_cells", "src/boxwood/histogram/grid_cells.py") == []


@pytest.mark.parametrize("name", ["shared", "excellent", "navigate", "kept", "rows", "cells"])
def test_other_words_are_not(name: str) -> None:
    assert retired_in(name) == []
