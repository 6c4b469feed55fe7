"""What densities refuse, and what they are known to owe: the second list must shrink to nothing."""

from __future__ import annotations

CATEGORIES = (
    *("five_categories", "ten_thousand_categories", "one_value", "rare_classes", "deterministic_column"),
    *("number_by_category", "mixed", "mixed_doubled"),
)
GAPS = ("random_gaps", "patterned_gaps", "whole_column_missing", "gaps_in_categories", "unseen_gap")

REFUSALS: dict[str, dict[str, str]] = {
    "gaussian": dict.fromkeys((*CATEGORIES, "gaps_in_categories"), "has no place for categories"),
    "neighbors": {
        **dict.fromkeys(CATEGORIES, "has no place for categories"),
        **dict.fromkeys(GAPS, "the value is missing"),
        "one_row": "needs more than 1 rows",
    },
    "grid": {"wide": "cells is more than 300 rows can fill"},
}
"""The message with which a family refuses a table."""

KNOWN_FAILURES: dict[tuple[str, str], frozenset[str]] = {}
"""The laws that a family breaks at a table. A law that holds again must be deleted here: a test says so."""
