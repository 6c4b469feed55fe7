"""One answer of a route: the model it is about, the members of the request, and until when it may take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from boxwood.serve.deadline import Deadline
from boxwood.serve.limits import Limits
from boxwood.serve.served_model import LoadedModel

__all__ = ["Asking", "given_of"]


@dataclass(frozen=True)
class Asking:
    """What a route answers.

    Attributes
    ----------
    loaded : LoadedModel
    members : dict
        Of the request, by name.
    limits : Limits
    deadline : Deadline
    """

    loaded: LoadedModel
    members: dict[str, Any]
    limits: Limits
    deadline: Deadline

    @property
    def model(self) -> Any:
        """The TableModel."""
        return self.loaded.model

    def __getitem__(self, name: str) -> Any:
        return self.members[name]


def given_of(asking: Asking) -> Any:
    """Return the model under the evidence of a request."""
    given = asking["given"]
    return asking.model if given is None else asking.model.given(given)
