"""Pictures of a page are drawn by the code above them."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("page_pictures", ROOT / "docs" / "_ext" / "page_pictures.py")
page_pictures = importlib.util.module_from_spec(spec)
spec.loader.exec_module(page_pictures)

PAGE = """\
```python
>>> import matplotlib.pyplot as plt
>>> figure, ax = plt.subplots(figsize=(2, 1))
>>> line = ax.plot([0, 1])
>>> 1 / 0
Traceback (most recent call last):
    ...
ZeroDivisionError: division by zero
```

<!-- picture: a line -->

text
"""


def test_a_mark_becomes_what_the_code_above_draws(tmp_path):
    text = page_pictures.with_pictures(PAGE, tmp_path, "page")
    assert "![a line](/pictures/page-1.png)\n\ntext" in text
    assert plt.imread(tmp_path / "page-1.png").shape[:2] == (100, 200)


def test_code_that_draws_nothing_is_an_error(tmp_path):
    with pytest.raises(ValueError, match="the code above 'a line' draws no figure"):
        page_pictures.with_pictures("```python\n>>> 1\n```\n\n<!-- picture: a line -->\n", tmp_path, "page")
    with pytest.raises(ZeroDivisionError):
        page_pictures.with_pictures(
            PAGE.replace("Traceback (most recent call last):\n    ...\n", ""), tmp_path, "p"
        )


def entries() -> dict[str, str]:
    text = (ROOT / "docs" / "background" / "exercises.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^### (.+?)\n(.*?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("title", entries())
def test_each_exercise_has_class_code_picture_and_weakness(title):
    text = entries()[title]
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert re.search(r"`[A-Za-z_]+(\(.*?\))?`", text.split("```")[0])
    assert all(sum(line.startswith((">>>", "...")) for line in block.splitlines()) <= 11 for block in blocks)
    assert page_pictures.PICTURE.search(text)
    assert "**What goes wrong.**" in text


def test_the_exercises_of_the_notes_are_there():
    text = (ROOT / "docs" / "background" / "exercises.md").read_text(encoding="utf-8")
    words = (
        "die",
        "pens",
        "7/20",
        "0.026",
        "5-NN",
        "spurious clusters",
        "Pruning",
        "Condensing",
        "pseudo-inverse",
    )
    assert [word for word in words if word.lower() not in text.lower()] == []
    for document in ("README.md", "docs/index.md"):
        assert "background/exercises.md" in (ROOT / document).read_text(encoding="utf-8")
