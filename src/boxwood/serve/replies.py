"""JSON schemas of what routes answer, for the OpenAPI document."""

from __future__ import annotations

from typing import Any

__all__ = ["COMPONENTS", "REPLIES"]

Schema = dict[str, Any]


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _listed(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties)}


_NUMBER, _TEXT, _FLAG, _WHOLE = _ref("Number"), {"type": "string"}, {"type": "boolean"}, {"type": "integer"}
_ROWS = _listed(_ref("Row"))
_SURE = {name: _or_null(_NUMBER) for name in ("low", "high", "effective_rows", "tree_spread")}
_AXIS: Schema = {
    "kind": _TEXT,
    "counted": _FLAG,
    "edges": _listed(_NUMBER),
    "labels": _listed(_TEXT),
    "conditions": _listed(_TEXT),
    "missing_condition": _TEXT,
}

COMPONENTS: dict[str, Schema] = {
    "Number": {
        "description": "A number that reads back to the same double; what is not finite is text.",
        "anyOf": [{"type": "number"}, {"enum": ["inf", "-inf", "nan"]}],
    },
    "Cell": {
        "description": "A value of a column; dates are ISO 8601 text, null is a missing one.",
        "type": ["string", "number", "boolean", "null"],
    },
    "Row": {"type": "object", "additionalProperties": _ref("Cell")},
    "Answer": {
        "description": "A number, and how sure it is where it was found by weighing draws.",
        "type": "object",
        "properties": {
            "value": _NUMBER,
            "exact": _FLAG,
            "standard_error": _NUMBER,
            "effective_sample_size": _NUMBER,
        },
        "required": ["value", "exact"],
    },
    "Reply": {
        "type": "object",
        "properties": {
            "question": _TEXT,
            "value": {"description": "A number, text, a list, or probabilities by category."},
            "unit": {"enum": ["probability", "density", "nats", ""]},
            "exact": _FLAG,
            "standard_error": _NUMBER,
            "error": _object(code=_TEXT, message=_TEXT),
        },
        "required": ["question"],
    },
    "Axis": _object(name=_TEXT, **_AXIS),
    "Error": _object(
        error={
            "type": "object",
            "properties": {"code": _TEXT, "message": _TEXT, "start": _WHOLE, "end": _WHOLE},
            "required": ["code", "message"],
        }
    ),
}

REPLIES: dict[str, Schema] = {
    "/describe": _object(
        model=_TEXT,
        boxwood=_TEXT,
        n_rows=_or_null(_NUMBER),
        exact=_FLAG,
        has_table=_FLAG,
        n_table=_or_null(_WHOLE),
        columns=_listed(
            _object(
                name=_TEXT,
                written=_TEXT,
                kind=_TEXT,
                categories=_listed(_ref("Cell")),
                n_categories=_WHOLE,
                literals=_listed(_TEXT),
                summary={"type": "object"},
            )
        ),
    ),
    "/query": {"anyOf": [_ref("Reply"), _object(answers=_listed(_ref("Reply")))]},
    "/score": _object(log_density=_listed(_NUMBER), p_value=_listed(_NUMBER)),
    "/explain": _object(
        rows=_listed(
            _object(
                log_density=_NUMBER,
                p_value=_NUMBER,
                cells=_listed(
                    _object(column=_TEXT, value=_ref("Cell"), surprise=_NUMBER, expected=_ref("Cell"))
                ),
            )
        )
    ),
    "/predict": _object(
        predicted=_listed(_ref("Cell")),
        probabilities=_or_null(_listed({"type": "object", "additionalProperties": _NUMBER})),
        low=_or_null(_listed(_ref("Cell"))),
        high=_or_null(_listed(_ref("Cell"))),
    ),
    "/impute": _object(rows=_ROWS),
    "/sample": _object(rows=_ROWS),
    "/conditionals": _object(
        possible=_FLAG,
        given=_or_null(_TEXT),
        message=_or_null(_TEXT),
        evidence=_object(probability=_ref("Answer"), is_density=_FLAG, **_SURE),
        event=_or_null(_object(event=_TEXT, probability=_ref("Answer"), level=_NUMBER, **_SURE)),
        copy=_object(python=_TEXT, cli=_TEXT, sql=_TEXT),
        columns=_listed(
            {
                "type": "object",
                "properties": {
                    "name": _TEXT,
                    "after": _or_null(_listed(_NUMBER)),
                    "missing_after": _or_null(_NUMBER),
                    **_AXIS,
                    "before": _listed(_NUMBER),
                    "missing_before": _NUMBER,
                },
                "required": ["name", "after", "missing_after"],
            }
        ),
    ),
    "/pair": _object(
        x=_ref("Axis"), y=_ref("Axis"), probabilities=_listed(_listed(_NUMBER)), missing=_NUMBER
    ),
    "/examples": _object(real=_ROWS, real_at=_listed(_WHOLE), n_real=_or_null(_WHOLE), simulated=_ROWS),
    "/dependent": _object(
        column=_or_null(_TEXT),
        exact=_FLAG,
        columns=_listed({**_object(column=_TEXT, dependence=_NUMBER), "additionalProperties": _TEXT}),
    ),
    "/health": _object(status={"enum": ["ok"]}, version=_WHOLE),
    "/openapi.json": {"type": "object"},
}
"""By path."""
