"""Choosing among functions: each column has one parent, and nothing follows from itself."""

from __future__ import annotations

from boxwood.dependencies.search import Feature, log_chance, log_level

__all__ = ["choose_rules"]


def choose_rules(features: list[Feature], pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the pairs (parent, child) that become rules.

    A column follows from one of more values, or of as many that stands before it: of two that follow from
    each other the first is the parent. Among several parents that of fewest values is taken, which tells
    most about values that come: a city's state follows from the county rather than from the street.

    Whether a column is missing follows only where its values do not, and where no other column follows from
    it: then all that follows from a column, directly or by others, is a function of its value.
    """
    choice = _Choice(features)
    later = _later_gaps(features, pairs)
    parents: dict[int, list[int]] = {}
    for a, b in pairs:
        if _rank(features[a]) < _rank(features[b]) and (features[a].column, b) not in later:
            parents.setdefault(b, []).append(a)
    for of_missing in (False, True):
        for b in sorted(parents, key=lambda b: _rank(features[b])):
            if features[b].of_missing == of_missing:
                choice.give_parent(b, sorted(parents[b], key=lambda a: _preference(features[a])))
    return choice.rules


def _later_gaps(features: list[Feature], pairs: list[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return (column, feature) where a column stands behind another one that is missing in the same rows.

    Of such columns the first leads: that it is missing does not follow from values of the other.
    """
    gaps = {(a, b) for a, b in pairs if features[a].of_missing and features[b].of_missing}
    return {
        (features[a].column, b) for a, b in gaps if (b, a) in gaps and features[a].column > features[b].column
    }


class _Choice:
    """The rules chosen so far."""

    def __init__(self, features: list[Feature]) -> None:
        self.features = features
        self.level = log_level(features)
        self.rules: list[tuple[int, int]] = []
        self.parent_of: dict[int, int] = {}  # of columns
        self.half_ruled: set[int] = set()  # columns of which only gaps follow

    def give_parent(self, b: int, candidates: list[int]) -> None:
        child = self.features[b]
        if child.column in self.parent_of:
            return
        if child.of_missing and child.column in self.parent_of.values():
            return
        for a in candidates:
            parent = self.features[a]
            if parent.column in self.half_ruled or self._comes_from(parent.column, child.column):
                continue
            if log_chance(parent, child) < self.level:
                self.rules.append((a, b))
                self.parent_of[child.column] = parent.column
                if child.of_missing:
                    self.half_ruled.add(child.column)
                return

    def _comes_from(self, column: int, ancestor: int) -> bool:
        while column != ancestor and column in self.parent_of:
            column = self.parent_of[column]
        return column == ancestor


def _rank(feature: Feature) -> tuple[int, int, bool]:
    return -len(feature.values), feature.column, feature.of_missing


def _preference(feature: Feature) -> tuple[int, int, bool]:
    return len(feature.values), feature.column, feature.of_missing
