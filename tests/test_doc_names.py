"""Names that documents mention exist: files, commands of make, and names of the source."""

import io
import re
import tokenize
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs").glob("[a-z]*/*.md")]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *PAGES, ROOT / "benchmarks" / "RESULTS.md"])
FOLDERS = ["", "src", "src/boxwood", "cpp", "tests", "benchmarks", "docs"]
"""What a path in a document may be relative to."""
SOURCES = ["src", "cpp", "bindings", "benchmarks", "tests", "examples", "tools", "docs/_ext"]
FILE = re.compile(r"[\w.*-]+\.(py|pyi|cpp|hpp|md|toml|yaml|csv)")
PATH = re.compile(r"[\w.*/-]*/[\w.*/-]*")
NAME = re.compile(r"[A-Za-z_]\w*")

ELSEWHERE = {
    "ModelProto",
    "MultiOutputClassifier",
    "Origin",
    "TMPDIR",
    "chunksize",
    "estimators_samples_",
    "histplot",
    "mplhep",
    "outlier_detector",
    "sales",
    "xfail",
}
"""Names of other libraries that no file of ours uses."""


def code_of(path: Path) -> list[str]:
    """Return what stands between backquotes, fences aside."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return sorted({" ".join(code.split()) for code in re.findall(r"(?<!`)`([^`]+)`(?!`)", text)})


@cache
def words_of_source() -> frozenset[str]:
    """Return the names and the words of strings in the source, and the names of its files; no comments."""
    found: set[str] = set()
    for folder in SOURCES:
        for path in (ROOT / folder).rglob("*"):
            if path == Path(__file__):
                continue  # it names what is not there
            if path.suffix in (".py", ".pyi"):
                found |= {path.stem, *_python_words(path.read_text(encoding="utf-8"))}
            elif path.suffix in (".cpp", ".hpp"):
                text = re.sub(r"//.*|/\*.*?\*/", "", path.read_text(encoding="utf-8"))
                found |= {path.stem, *NAME.findall(text)}
    for name in ("Makefile", "CMakeLists.txt", "pyproject.toml"):
        found |= set(NAME.findall((ROOT / name).read_text(encoding="utf-8")))
    return frozenset(found)


def _python_words(text: str) -> set[str]:
    kept = (tokenize.NAME, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING))
    tokens = [
        token.string for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type in kept
    ]
    # Docstrings name parameters of other places too; strings in one line are options and keys.
    return {word for token in tokens if not token.startswith('"""') for word in NAME.findall(token)}


def is_there(path: str) -> bool:
    """Say whether a path exists, relative to any of `FOLDERS`; ``<noun>`` stands for anything."""
    pattern = re.sub(r"<\w+>", "*", path).rstrip("/")
    anywhere = "/" not in pattern and FILE.fullmatch(pattern)
    places = [ROOT / folder for folder in ([*SOURCES, "docs"] if anywhere else FOLDERS)]
    return (
        any(
            next(place.rglob(pattern) if anywhere else place.glob(pattern), None) is not None
            for place in places
        )
        or (ROOT / pattern).exists()
    )


def missing(code: str) -> list[str]:
    """Return what a piece of code mentions and the repository has not."""
    plain = re.sub(r"<\w+>", "*", code)
    if FILE.fullmatch(plain) or (PATH.fullmatch(plain) and re.search(r"[a-z]", plain)):
        return [] if is_there(code) else [code]
    if command := re.fullmatch(r"(?:\w+=\S+ )*make ([a-z-]+)(?: \w+=\S+)*", code):
        known = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        return [] if command[1] in known else [code]
    whole = re.fullmatch(r"[A-Za-z_][\w.]*(\([^()]*\))?", code)
    names = [name for name in NAME.findall(code) if whole or re.search(r"[a-z][A-Z]|[a-z]_[a-z]", name)]
    return [name for name in names if name not in words_of_source() and name not in ELSEWHERE]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_documents_mention_exists(path: Path) -> None:
    assert {code: gone for code in code_of(path) if (gone := missing(code))} == {}


@pytest.mark.parametrize(
    "code",
    [
        "density/forest.py",
        "cpp/tree/",
        "cpp/<folder>/<noun>.cpp",
        "growth.hpp",
        "make test",
        "CXX=clang++ make test",
        "boxwood.DensityForest",
        "n_estimators=100",
        "SupervisedPolicy",
    ],
)
def test_what_is_there_is_found(code: str) -> None:
    assert missing(code) == []


@pytest.mark.parametrize(
    "code",
    [
        "density/woods.py",
        "cpp/include/boxwood/<noun>.hpp",
        "gate.py",
        "make coffee",
        "DensityBush",
        "n_bushes=3",
        "boxwood.read_tea_leaves(x)",
        "knots_of_bushes",
    ],
)
def test_what_is_gone_is_noticed(code: str) -> None:
    assert missing(code) != []
