"""The explorer's page: files of the package, read once, so that no path from outside reaches a file."""

from __future__ import annotations

from importlib.resources import files

__all__ = ["page_files"]

_MEDIA_TYPES = {
    "html": "text/html",
    "js": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml",
    "png": "image/png",
}


def page_files() -> dict[str, tuple[bytes, str]]:
    """Return the content and the media type of each file by its path in an address.

    Examples
    --------
    >>> all(path.startswith("/") for path in page_files())
    True
    """
    found = {}
    for file in files("boxwood.serve").joinpath("page").iterdir():
        media_type = _MEDIA_TYPES.get(file.name.rsplit(".", 1)[-1])
        if media_type is not None:
            path = "/" if file.name == "index.html" else f"/{file.name}"
            found[path] = (file.read_bytes(), media_type)
    return found
