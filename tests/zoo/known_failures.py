"""What densities refuse, and what they are known to owe: the second list must shrink to nothing."""

from __future__ import annotations

CATEGORIES = (
    *("five_categories", "ten_thousand_categories", "one_value", "rare_classes", "deterministic_column"),
    *("number_by_category", "mixed", "mixed_doubled"),
)
TWINS = (
    *("doubled", "doubled_one_column", "weight_ten", "weights_that_sum_to_one"),
    *("weights_of_a_million", "mixed_doubled", "digits_doubled"),
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

_BY_LAW: dict[str, dict[str, tuple[str, ...]]] = {
    # Copies and the scale of weights change the model (METHODS §9.1).
    "reference": {
        **dict.fromkeys(("tree", "pruned tree", "forest", "boosted"), TWINS),
    },
    # Copies become 300 atoms, bin edges cut some of them, and loading refuses such edges.
    "file": {
        "tree": (
            "weight_ten",
            "weights_of_a_million",
        ),
        "pruned tree": ("weights_of_a_million",),
        "forest": ("weights_of_a_million",),
    },
    # Values of a discrete column leave training with all their copies (§9.1).
    "fractions": {
        "forest": ("noisy_xor",),
        "boosted": (
            "noisy_xor",
            "die",
            "rounded_normals",
            "die_as_floats",
        ),
    },
    # As above: held-out rows were never seen in training, so that one leaf looks best.
    "dependence": {
        "forest": (
            "five_categories",
            "noisy_xor",
        ),
        "boosted": (
            "five_categories",
            "noisy_xor",
        ),
    },
    # As above.
    "one leaf": {
        "tree": ("ten_thousand_categories",),
        "pruned tree": (
            "weight_ten",
            "weights_of_a_million",
            "digits_doubled",
        ),
        "boosted": (
            "wide",
            "counts_with_zeros",
            "rounded_normals",
        ),
    },
    # As above, and measures that differ between families.
    "independence": {
        "tree": ("rounded_normals",),
        "pruned tree": ("rounded_normals",),
        "forest": ("rounded_normals",),
        "boosted": ("rounded_normals",),
    },
    # Gaps without a probability (§9.2); rounded numbers with a density in place of a probability (§9.1).
    "truth": {
        "tree": (
            "gaps_in_categories",
            "rounded_cauchy",
        ),
        "pruned tree": (
            "random_gaps",
            "gaps_in_categories",
            "prices",
            "rounded_cauchy",
        ),
        "forest": (
            "random_gaps",
            "gaps_in_categories",
            "prices",
            "rounded_cauchy",
        ),
        "boosted": (
            "random_gaps",
            "gaps_in_categories",
            "rounded_cauchy",
        ),
    },
}

KNOWN_FAILURES: dict[tuple[str, str], frozenset[str]] = {
    (family, name): frozenset(law for law, families in _BY_LAW.items() if name in families.get(family, ()))
    for families in _BY_LAW.values()
    for family, names in families.items()
    for name in names
}
"""The laws that a family breaks at a table. A law that holds again must be deleted here: a test says so."""
