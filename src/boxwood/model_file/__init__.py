"""Model files: safe to load from a stranger, whole whatever happens while one is written."""

from boxwood.model_file.container import FORMAT_VERSION
from boxwood.model_file.errors import ModelFileError
from boxwood.model_file.model import load, load_without, save
from boxwood.model_file.saved import SavedModel, read_saved
from boxwood.model_file.state import State

__all__ = [
    "FORMAT_VERSION",
    "ModelFileError",
    "SavedModel",
    "State",
    "load",
    "load_without",
    "read_saved",
    "save",
]
