"""List places of the source that share twenty lines of the same shape: alike but for names and values.

``python tools/same_shape.py`` prints a line a pair. Not counted: blank lines, comments, docstrings, imports,
constructors of Python classes (scikit-learn wants each parameter assigned there), and tables, whose lines all
have the same few shapes.
"""

from __future__ import annotations

import ast
import io
import keyword
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["LENGTH", "Run", "Shape", "cpp_shapes", "pairs", "python_shapes", "shapes_of", "sources"]

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "cpp", "bindings")
LENGTH = 20
"""So many lines of the same shape are a pair."""
FEWEST_SHAPES = 8
"""A run with fewer different lines than these is a table, a list of arguments or the like."""

CPP_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<string>R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    |(?P<number>\b\d[\w.']*)
    |(?P<name>[A-Za-z_]\w*)
    |(?P<mark>[^\s\w])
    |(?P<newline>\n)""",
    re.VERBOSE | re.DOTALL,
)
CPP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """auto bool break case catch class concept const constexpr continue default do double else enum
        explicit false float for if inline int namespace new noexcept nullptr operator private public requires
        return sizeof static static_cast struct switch template this throw true try typename unsigned using
        void while""",
    )
)


@dataclass(frozen=True)
class Shape:
    """A line without its names, numbers and strings."""

    line: int
    text: str


@dataclass(frozen=True)
class Run:
    """Two places of the same shape: files, first and last lines."""

    first: str
    second: str
    first_lines: tuple[int, int]
    second_lines: tuple[int, int]
    length: int

    def __str__(self) -> str:
        left, right = ("{}:{}-{}".format(*at) for at in self._places())
        return f"{left} ~ {right} ({self.length} lines)"

    def _places(self) -> Iterator[tuple[str, int, int]]:
        yield (self.first, *self.first_lines)
        yield (self.second, *self.second_lines)


def python_shapes(source: str) -> list[Shape]:
    """Return the shapes of a module's lines."""
    left_out = set(_lines_left_out(ast.parse(source)))
    lines: dict[int, list[str]] = defaultdict(list)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.start[0] not in left_out and (text := _python_token(token)):
            lines[token.start[0]].append(text)
    return [Shape(line, " ".join(texts)) for line, texts in sorted(lines.items())]


def _lines_left_out(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_constructor = isinstance(node, ast.FunctionDef) and node.name == "__init__"
        if is_text or is_constructor or isinstance(node, ast.Import | ast.ImportFrom):
            yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _python_token(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.NAME:
        return token.string if keyword.iskeyword(token.string) else "n"
    if token.type == tokenize.NUMBER:
        return "0"
    if token.type == tokenize.OP:
        return token.string
    # Since Python 3.12 a formatted string is several tokens; its text is a string like others.
    name = tokenize.tok_name[token.type]
    return "s" if name in ("STRING", "FSTRING_START") else ""


def cpp_shapes(source: str) -> list[Shape]:
    """Return the shapes of a C++ file's lines."""
    lines: dict[int, list[str]] = defaultdict(list)
    line = 1
    for found in CPP_TOKEN.finditer(source):
        kind, text = str(found.lastgroup), found.group()
        if kind == "name":
            lines[line].append(text if text in CPP_WORDS else "n")
        elif kind in ("string", "number", "mark"):
            lines[line].append({"string": "s", "number": "0", "mark": text}[kind])
        line += text.count("\n")
    return [Shape(at, " ".join(texts)) for at, texts in sorted(lines.items()) if texts[0] != "#"]


def shapes_of(path: Path) -> list[Shape]:
    """Return the shapes of a file's lines."""
    source = path.read_text(encoding="utf-8")
    return python_shapes(source) if path.suffix == ".py" else cpp_shapes(source)


def sources(root: Path = ROOT) -> dict[str, list[Shape]]:
    """Return the shapes of every file of the package, the core and the bindings, tests of the core aside.

    The ``__init__.py`` of packages are left out: lists of names are all alike.
    """
    paths = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*"))]
    kept = (path for path in paths if path.suffix in (".py", ".cpp", ".hpp") and path.name != "__init__.py")
    named = ((path.relative_to(root).as_posix(), path) for path in kept)
    return {name: shapes_of(path) for name, path in named if not name.startswith("cpp/tests/")}


def pairs(files: dict[str, list[Shape]], length: int = LENGTH) -> list[Run]:
    """Return every two places that share ``length`` lines of the same shape, each as long as it goes."""
    places = _windows(files, length)
    matches = {
        (at, other) for same in places.values() for i, at in enumerate(same) for other in same[i + 1 :]
    }
    runs = [_run(files, start, matches, length) for start in sorted(_starts(matches))]
    return [run for run in runs if run is not None]


Place = tuple[str, int]


def _windows(files: dict[str, list[Shape]], length: int) -> dict[tuple[str, ...], list[Place]]:
    found: dict[tuple[str, ...], list[Place]] = defaultdict(list)
    for name, shapes in files.items():
        texts = [shape.text for shape in shapes]
        for i in range(len(texts) - length + 1):
            window = tuple(texts[i : i + length])
            if len(set(window)) >= FEWEST_SHAPES:
                found[window].append((name, i))
    return found


def _starts(matches: set[tuple[Place, Place]]) -> Iterable[tuple[Place, Place]]:
    return (((a, i), (b, j)) for (a, i), (b, j) in matches if ((a, i - 1), (b, j - 1)) not in matches)


def _run(
    files: dict[str, list[Shape]], start: tuple[Place, Place], matches: set[tuple[Place, Place]], length: int
) -> Run | None:
    (a, i), (b, j) = start
    more = 0
    while ((a, i + more + 1), (b, j + more + 1)) in matches:
        more += 1
    last = length + more - 1
    if a == b and i + last >= j:
        return None  # a run that overlaps itself repeats a short pattern
    return Run(
        a,
        b,
        (files[a][i].line, files[a][i + last].line),
        (files[b][j].line, files[b][j + last].line),
        last + 1,
    )


if __name__ == "__main__":
    for run in pairs(sources()):
        print(run)
