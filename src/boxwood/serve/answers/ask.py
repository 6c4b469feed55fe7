"""Questions in words, one or many."""

from __future__ import annotations

from typing import Any

from boxwood.serve.answers.asking import Asking, given_of
from boxwood.serve.refusal import RefusedError, refusal_of

__all__ = ["ask"]


def ask(asking: Asking) -> dict[str, Any]:
    """Answer a question, or each of a batch; in a batch what is wrong with one does not touch the others."""
    one, many = asking["question"], asking["questions"]
    if (one is None) == (many is None):
        raise RefusedError("invalid", "a request has either 'question' or 'questions'.")
    table = given_of(asking)
    if one is not None:
        found: dict[str, Any] = table.ask(one).to_json()
        return found
    answers = []
    for question in many:
        asking.deadline.check()
        answers.append(_answer(table, question))
    return {"answers": answers}


def _answer(table: Any, question: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = table.ask(question).to_json()
        return found
    except Exception as error:
        refusal = refusal_of(error)
        if refusal is None or refusal.code == "busy":
            raise
        return {"question": question, **refusal.to_json()}
