"""The documents: their examples run, and their links lead somewhere."""

import doctest
import re
import shutil
from pathlib import Path

import matplotlib.pyplot
import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*(ROOT / "docs").glob("*.md"), *(ROOT / "docs").glob("[a-z]*/*.md")])
DOCUMENTS = sorted([*ROOT.glob("*.md"), *PAGES, *(ROOT / "benchmarks").glob("*.md")])
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def code_only(text: str) -> str:
    """Blank out what is not inside a fence, so that line numbers stay and a fence ends an example."""
    lines, inside = [], False
    for line in text.splitlines():
        fence = line.lstrip().startswith("```")
        inside = inside != fence
        lines.append(line if inside and not fence else "")
    return "\n".join(lines) + "\n"


def examples(path: Path) -> doctest.DocTest:
    text = code_only(path.read_text(encoding="utf-8"))
    return doctest.DocTestParser().get_doctest(text, {}, named(path), str(path), 0)


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if examples(path).examples], ids=named)
def test_examples_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    report: list[str] = []
    with matplotlib.rc_context({"backend": "agg", "figure.max_open_warning": 0}):
        result = doctest.DocTestRunner(optionflags=OPTIONS).run(examples(path), out=report.append)
        matplotlib.pyplot.close("all")
    assert result.failed == 0, "".join(report)


@pytest.mark.parametrize("path", DOCUMENTS, ids=named)
def test_links_lead_somewhere(path: Path) -> None:
    text = re.sub(
        r"`[^`\n]*`", "", re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    )
    targets = [target.split("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text)]
    # The gallery and the pages of classes are there once the site is built; its own test follows their links.
    local = [target for target in targets if target and not re.search(r"://|(^|/)(api|gallery)/", target)]
    assert [target for target in local if not (path.parent / target).exists()] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=named)
def test_code_is_no_wider_than_a_page(path: Path) -> None:
    lines = code_only(path.read_text(encoding="utf-8")).splitlines()
    assert [line for line in lines if len(line) > 95] == []


def test_a_fence_ends_an_example() -> None:
    parsed = doctest.DocTestParser().get_examples(code_only("text\n```python\n>>> 1 + 1\n2\n```\nmore\n"))
    assert [(example.source, example.want) for example in parsed] == [("1 + 1\n", "2\n")]
