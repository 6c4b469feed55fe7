"""The rules of a table, as a fitted density has them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Columns, Field, Schema
from boxwood.columns.errors import LARGEST_NUMBER
from boxwood.dependencies.agreement import have_mass
from boxwood.dependencies.choose import choose_rules
from boxwood.dependencies.component import Component, components_of
from boxwood.dependencies.dependency import Dependency
from boxwood.dependencies.rule import Rule
from boxwood.dependencies.ruled_rows import RuledRows
from boxwood.dependencies.search import features_of, find_functions, make_rule
from boxwood.evidence import Evidence
from boxwood.margins import Margins
from boxwood.model_file import State

__all__ = ["Dependencies", "find_dependencies"]


class Dependencies:
    """Rules of which each column has at most one, without cycles.

    A density keeps to them as p(rest)·p(what follows | what it follows from). The first part is a model of
    all columns, asked at the values that rules call for and divided by how far it agrees with them by itself
    (`Agreement`): so the model may use a column that follows, and what it knows of it is not lost.

    Parameters
    ----------
    schema : Schema
    rules : sequence of Rule
    """

    def __init__(self, schema: Schema, rules: Sequence[Rule]) -> None:
        self.schema = schema
        self.rules = tuple(rules)

    def __len__(self) -> int:
        return len(self.rules)

    def described(self) -> list[Dependency]:
        """Return what a user sees, in the order of the columns that follow."""
        return [rule.described(self.schema) for rule in sorted(self.rules, key=lambda rule: rule.child)]

    def components(self, gaps: bool) -> list[Component]:
        """Return the rules by what everything follows from.

        Where gaps are not values (they are summed out) there are no rules of them.
        """
        return self._components if gaps else self._without_gaps

    @cached_property
    def _components(self) -> list[Component]:
        return components_of(self.rules)

    @cached_property
    def _without_gaps(self) -> list[Component]:
        known = [
            rule.of_present_values() for rule in self.rules if not (rule.of_missing or rule.from_missing)
        ]
        return components_of([rule for rule in known if len(rule.keys)])

    def with_mass(self, margins: Margins) -> Dependencies:
        """Return the rules whose values have a probability under margins, and not a density."""
        wrong = [component for component in self._components if not have_mass(component, margins)]
        left_out = {ruled.column for component in wrong for ruled in component.ruled}
        if not left_out:
            return self
        return Dependencies(self.schema, [rule for rule in self.rules if rule.child not in left_out])

    def unknown_gaps(self, margins: Margins) -> str | None:
        """Return a column of whose gaps a rule knows, but not the margin; None where there is none."""
        known = {column for rule in self.rules for column in rule.columns_with_gaps}
        without = sorted(column for column in known if not margins.columns[column].missing_mass)
        return self.schema.names[without[0]] if without else None

    def rows(self, columns: Columns, gaps: bool) -> RuledRows:
        """Return the rows of a table beside the rules."""
        return RuledRows(columns, self.components(gaps), gaps)

    def training_rows(self, columns: Columns, gaps: bool) -> RuledRows:
        """Return the same of training rows as they are when they are left out.

        Where no other row has a row's value from which others follow, no rule is about it.
        """
        once = np.zeros(columns.n_rows, dtype=np.bool_)
        for component in self.components(gaps):
            counts = np.append(component.counts, 2)  # other values may be many
            once |= counts[component.entries_of(columns)] == 1
        return RuledRows(columns, self.components(gaps), gaps, once)

    def to_state(self) -> list[dict[str, Any]]:
        """Return what a model file keeps."""
        return [rule.to_state() for rule in self.rules]

    @classmethod
    def from_state(cls, state: State, name: str, schema: Schema) -> Dependencies:
        """Read what `to_state` gave from the entry `name`, after checking it; old files have none."""
        if name not in state:
            return cls(schema, [])
        rules = [Rule.from_state(child, len(schema)) for child in state.children(name)]
        for rule in rules:
            for end, numbers in (("values", rule.child_codes), ("keys", rule.parent_codes)):
                field = schema.fields[rule.child if end == "values" else rule.parent]
                if not _are_of(field, numbers):
                    raise state.error(name, f"has {end} of a rule that the column {field.name!r} cannot have")
        parent_of = {rule.child: rule.parent for rule in rules}
        if len(parent_of) < len(rules):
            raise state.error(name, "has two rules of one column")
        for child in parent_of:
            column, n_steps = child, 0
            while column in parent_of and n_steps <= len(rules):
                column, n_steps = parent_of[column], n_steps + 1
            if n_steps > len(rules):
                raise state.error(name, "lets a column follow from itself")
        if {rule.child for rule in rules if rule.of_missing} & set(parent_of.values()):
            raise state.error(name, "lets columns follow from one of which only gaps follow")
        return cls(schema, rules)


def _are_of(field: Field, numbers: NDArray[np.float64]) -> bool:
    """Return whether a column's values can be these: categories are known by their codes."""
    if field.kind.is_number:
        return bool((np.abs(numbers) < LARGEST_NUMBER).all())
    return bool(np.isin(numbers, np.arange(len(field.categories))).all())


def find_dependencies(evidence: Evidence) -> Dependencies:
    """Find the columns of a table that follow from others.

    b follows from a where every value of a comes with one b, where that could have failed in at least 100
    observations, and where independent columns would show it with a probability below 0.001 over the pairs
    of columns tested. Whether a column is missing counts as a column.

    Examples
    --------
    >>> import boxwood as bw
    >>> from boxwood.evidence import weigh_rows
    >>> city = np.array(["Bonn", "Ulm", "Graz"])[np.arange(300) % 3]
    >>> country = np.where(city == "Graz", "Austria", "Germany")
    >>> height = np.random.default_rng(0).normal(size=300)
    >>> table = bw.read_columns({"country": country, "city": city, "height": height})
    >>> find_dependencies(weigh_rows(table)).described()
    [country follows from city (300 rows, 3 values)]
    """
    features = features_of(evidence)
    pairs = choose_rules(features, find_functions(features))
    return Dependencies(evidence.columns.schema, [make_rule(features[a], features[b]) for a, b in pairs])
