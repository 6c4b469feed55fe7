"""The service and the explorer: a table's density over HTTP, in a browser, and to assistants."""

from boxwood.serve.app import explorer_app, service_app
from boxwood.serve.limits import Limits
from boxwood.serve.served_model import ServedModel

__all__ = ["Limits", "ServedModel", "explorer_app", "service_app"]
