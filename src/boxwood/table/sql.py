"""A table's density as functions of a DuckDB connection."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.columns import Field, Kind, Schema, read_columns, to_native
from boxwood.columns.source import shared_type

__all__ = ["register_functions"]

_TYPES = {Kind.NUMERIC: "DOUBLE", Kind.INTEGER: "BIGINT", Kind.BOOLEAN: "BOOLEAN", Kind.DATETIME: "TIMESTAMP"}


def register_functions(model: Any, con: Any, name: str) -> None:
    """Give a DuckDB connection functions that ask a fitted `TableModel`; see ``TableModel.register``."""
    _check_name(name)
    _check_columns(model.schema)
    _check_pyarrow()
    asked = _SqlModel(model)
    fields = model.schema.fields
    taken = _struct_type([(field.name, _taken_type(field)) for field in fields])
    given = _struct_type([(field.name, _type_of(field)) for field in fields])
    surprises = _struct_type([(field.name, "DOUBLE") for field in fields])
    _create(con, f"_{name}_prob", asked.prob, ["VARCHAR", "VARCHAR"], "DOUBLE")
    _create(con, f"_{name}_logp", asked.logp, [taken], "DOUBLE")
    _create(con, f"_{name}_surprise", asked.surprise, [taken], surprises)
    _create(con, f"_{name}_sample", asked.sample, ["BIGINT", "BIGINT"], f"{given}[]", side_effects=True)
    row = ", ".join(f"{_text(field.name)}: {_taken(field)}" for field in fields)
    for macro in (
        f"{name}_prob(event, given := NULL) AS _{name}_prob(event, given)",
        f'{name}_logp("row") AS _{name}_logp({{{row}}})',
        f'{name}_surprise("row") AS _{name}_surprise({{{row}}})',
        f"{name}_sample(n, seed := NULL) AS TABLE SELECT unnest(drawn, max_depth := 2) "
        f"FROM (SELECT _{name}_sample(n, seed) AS drawn)",
    ):
        con.execute(f"CREATE OR REPLACE TEMP MACRO {macro}")


class _SqlModel:
    """What the functions do: from arrays of pyarrow to an array of pyarrow."""

    def __init__(self, model: Any) -> None:
        self.model = model
        # DuckDB calls from threads of its own, which would share the tables that a question leaves behind.
        self.lock = threading.Lock()

    def prob(self, events: Any, given: Any) -> Any:
        pairs = list(zip(events.to_pylist(), given.to_pylist(), strict=True))
        with self.lock:
            found = {
                pair: None if pair[0] is None else self.model.prob(pair[0], given=pair[1])
                for pair in dict.fromkeys(pairs)
            }
        return _arrow_array([found[pair] for pair in pairs], "DOUBLE")

    def logp(self, rows: Any) -> Any:
        return _arrow_array(self._of_rows(rows, self.model.score_samples), "DOUBLE")

    def surprise(self, rows: Any) -> Any:
        import pyarrow as pa

        found = self._of_rows(rows, lambda X: self.model.query.conditionals(X).surprise())
        names = self.model.schema.names
        columns = found.reshape(len(rows), len(names)).T
        return pa.StructArray.from_arrays([_arrow_array(one, "DOUBLE") for one in columns], names=names)

    def sample(self, sizes: Any, seeds: Any) -> Any:
        import pyarrow as pa

        with self.lock:
            drawn = [
                self._drawn(n, seed) for n, seed in zip(sizes.to_pylist(), seeds.to_pylist(), strict=True)
            ]
        ends = np.cumsum([0, *(len(one) for one in drawn)])
        return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), pa.concat_arrays(drawn))

    def _drawn(self, n: int | None, seed: int | None) -> Any:
        import pyarrow as pa

        if n is None or n < 0:
            raise ValueError(f"the number of rows to sample must be 0 or more; got {n}")
        fields = self.model.schema.fields
        # one row is drawn where none is asked for: of it the types are known
        rows = read_columns(self.model.sample(max(n, 1), seed))
        table = to_native(rows, "pyarrow").slice(0, n)
        arrays = [
            # DuckDB's times and intervals are whole microseconds
            table.column(j).combine_chunks().cast(_arrow_type(_type_of(field)), safe=False)
            for j, field in enumerate(fields)
        ]
        return pa.StructArray.from_arrays(arrays, names=[field.name for field in fields])

    def _of_rows(self, rows: Any, ask: Callable[[Any], Any]) -> NDArray[np.float64]:
        import pyarrow as pa

        if not len(rows):
            return np.empty(0)
        whole = rows.combine_chunks() if isinstance(rows, pa.ChunkedArray) else rows
        table: Any = pa.Table.from_arrays(whole.flatten(), names=self.model.schema.names)
        if not self.model.schema.named:
            table = to_native(read_columns(table), "numpy")
        with self.lock:
            return np.asarray(ask(table), dtype=np.float64)


def _create(
    con: Any, name: str, function: Any, parameters: list[str], returned: str, side_effects: bool = False
) -> None:
    known = con.execute("SELECT 1 FROM duckdb_functions() WHERE lower(function_name) = lower(?)", [name])
    if known.fetchall():
        con.remove_function(name)
    con.create_function(
        name,
        function,
        parameters,
        returned,
        type="arrow",
        null_handling="special",
        side_effects=side_effects,
    )


def _check_name(name: str) -> None:
    if not (isinstance(name, str) and name.isidentifier() and name.isascii()):
        raise ValueError(f"name must be a plain SQL name such as 'adult'; got {name!r}.")


def _check_columns(schema: Schema) -> None:
    seen: dict[str, str] = {}
    for name in schema.names:
        other = seen.setdefault(name.lower(), name)
        if other != name:
            raise ValueError(f"SQL cannot tell columns {other!r} and {name!r} apart. Rename one of them.")


def _check_pyarrow() -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise ImportError("functions of DuckDB need pyarrow: pip install pyarrow") from None


def _type_of(field: Field) -> str:
    """Return DuckDB's type of a column's values."""
    shared = shared_type(() if field.source is None else field.source.dtype, "pyarrow")
    if shared:
        return "INTERVAL" if shared[0] == "duration" else "TIMESTAMP WITH TIME ZONE"
    if field.kind in _TYPES:
        return _TYPES[field.kind]
    kinds = {type(label) for label in field.categories}
    return {frozenset({int}): "BIGINT", frozenset({bool}): "BOOLEAN", frozenset({float}): "DOUBLE"}.get(
        frozenset(kinds), "VARCHAR"
    )


def _taken_type(field: Field) -> str:
    """Return the type that a function takes: a cast to integers would round 2.5, which is no integer."""
    if field.kind is Kind.DATETIME:
        return "TIMESTAMP"
    return "DOUBLE" if field.kind in (Kind.INTEGER, Kind.NUMERIC) else _type_of(field)


def _taken(field: Field) -> str:
    """Return the SQL of a row's value in the type that is taken."""
    value = f'struct_extract("row", {_text(field.name)})'
    if field.kind is Kind.DATETIME:  # a cast would take a time with a zone to the session's zone, not to UTC
        return f"make_timestamp(epoch_us({value}))"
    if _type_of(field) == "INTERVAL":  # or seconds; functions of the one do not take the other, so as text
        text = f"CAST({value} AS VARCHAR)"
        return f"coalesce(TRY_CAST({text} AS DOUBLE), epoch(CAST({text} AS INTERVAL)))"
    return f"CAST({value} AS {_taken_type(field)})"


def _struct_type(columns: list[tuple[str, str]]) -> str:
    return f"STRUCT({', '.join(f'{_quoted(name)} {kind}' for name, kind in columns)})"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"


def _arrow_type(kind: str) -> Any:
    import pyarrow as pa

    return {
        "DOUBLE": pa.float64(),
        "BIGINT": pa.int64(),
        "BOOLEAN": pa.bool_(),
        "VARCHAR": pa.string(),
        "TIMESTAMP": pa.timestamp("us"),
        "TIMESTAMP WITH TIME ZONE": pa.timestamp("us", "UTC"),
        "INTERVAL": pa.duration("us"),
    }[kind]


def _arrow_array(values: Any, kind: str) -> Any:
    import pyarrow as pa

    return pa.array(values, _arrow_type(kind))
