"""Draws the pictures of a page by the page's own code.

A line ``<!-- picture: what it shows -->`` in a Markdown page becomes the last figure that the examples above
it have drawn. The examples run whenever the page is built; tests/test_docs.py checks what they print.
"""

import contextlib
import doctest
import io
import re
import warnings
from pathlib import Path

import matplotlib.pyplot as plt

PICTURE = re.compile(r"^<!-- picture: (.+?) -->$", re.MULTILINE)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FOLDER = "pictures"
DPI = 100


def with_pictures(text: str, folder: Path, name: str) -> str:
    """Run a page's examples, save its pictures, and return its text with images in place of the marks."""
    names: dict[str, object] = {"__name__": "__main__"}
    parts = PICTURE.split(text)
    for k, caption in enumerate(parts[1::2]):
        plt.close("all")
        run(parts[2 * k], names)
        if not plt.get_fignums():
            raise ValueError(f"{name}: the code above {caption!r} draws no figure")
        plt.figure(plt.get_fignums()[-1]).savefig(folder / f"{name}-{k + 1}.png", dpi=DPI)
        parts[2 * k + 1] = f"![{caption}](/{FOLDER}/{name}-{k + 1}.png)"
    plt.close("all")
    return "".join(parts)


def run(text: str, names: dict[str, object]) -> None:
    """Run the examples of some Markdown; those that show an exception are expected to raise it."""
    for block in PYTHON.findall(text):
        for example in doctest.DocTestParser().get_examples(block):
            raises = contextlib.suppress(Exception) if example.exc_msg else contextlib.nullcontext()
            with raises, contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile(example.source, "<page>", "single"), names)


def draw_pictures(app, docname, source):
    if PICTURE.search(source[0]):
        folder = Path(app.srcdir) / FOLDER
        folder.mkdir(exist_ok=True)
        source[0] = with_pictures(source[0], folder, docname.replace("/", "-"))


def setup(app):
    app.connect("source-read", draw_pictures)
    return {"parallel_read_safe": True, "version": "1"}
