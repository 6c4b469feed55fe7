"""Writes llms.txt beside the pages: what the site has, a line a page, for programs that read text."""

from pathlib import Path

from docutils import nodes

SECTIONS = {
    "": "Start",
    "tasks": "Tasks",
    "explanation": "Explanations",
    "gallery": "Examples",
    "reference": "Reference",
    "about": "About",
    "background": "Background",
    "api": "Classes and functions",
}
INTRODUCTION = """\
# boxwood

> Densities of tables for Python: fit p(x) of a data frame once, then score, explain and simulate rows, fill
> gaps, predict whole distributions, answer probability questions. A C++ core under scikit-learn's interface.

Main class for data frames: `boxwood.TableModel`. Main density: `boxwood.DensityForest`. Three tables are in
the package: `boxwood.datasets.load_penguins`, `load_census`, `load_cars`.
"""


def write(app, exception) -> None:
    """Write the file after a build of HTML that went well."""
    if exception is not None or app.builder.name not in ("html", "dirhtml"):
        return
    lines = [INTRODUCTION]
    for folder, title in SECTIONS.items():
        names = sorted(name for name in app.env.all_docs if section_of(name) == folder)
        lines += [f"## {title}", "", *(entry(app, name) for name in names), ""]
    Path(app.outdir, "llms.txt").write_text("\n".join(lines), encoding="utf-8")


def section_of(docname: str) -> str:
    """Return the folder of a page, "" for those at the top."""
    return docname.split("/")[0] if "/" in docname else ""


def entry(app, docname: str) -> str:
    """Return the line of a page: title, address, first sentence."""
    title = app.env.titles[docname].astext()
    sentence = first_sentence(app.env.get_doctree(docname))
    return f"- [{title}]({app.builder.get_target_uri(docname)})" + (f": {sentence}" if sentence else "")


def first_sentence(document) -> str:
    """Return the first sentence of a page's text."""
    for paragraph in document.findall(nodes.paragraph):
        text = " ".join(paragraph.astext().split())
        if len(text) > 20 and not text.startswith(("Go to the end", "Bases:")):
            return text.split(". ")[0].rstrip(".:") + "."
    return ""


def setup(app) -> dict[str, bool]:
    app.connect("build-finished", write)
    return {"parallel_read_safe": True}
