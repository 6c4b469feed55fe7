"""Every public parameter has a sentence, every public class and function an example."""

from __future__ import annotations

import inspect

import pytest
from docstring_sections import described, sections

import boxwood as bw
import boxwood.datasets
from boxwood import dask
from boxwood.parameters import doc_link
from boxwood.parameters.arguments import ARGUMENTS, IGNORED, with_arguments
from boxwood.parameters.doc_link import SITE_VARIABLE, site_address
from boxwood.plugs import frame_methods, mlflow, pandas, polars, pyod, shap

MODULES = [bw.datasets, dask, frame_methods, mlflow, pandas, polars, pyod, shap]
"""Modules with public names of their own."""
PUBLIC = [
    *((name, getattr(bw, name)) for name in bw.__all__),
    *((f"{one.__name__}.{name}", getattr(one, name)) for one in MODULES for name in one.__all__),
]
CLASSES = [(name, cls) for name, cls in PUBLIC if inspect.isclass(cls)]
ERRORS = [cls for _, cls in CLASSES if issubclass(cls, Exception)]


def is_ours(name, member):
    """Say whether a member of a class is a public method that a file of ours defines."""
    routed = name.endswith("_request") or name == "get_metadata_routing"
    module = getattr(member, "__module__", None) or ""
    return (
        inspect.isroutine(member) and not name.startswith("_") and not routed and module.startswith("boxwood")
    )


def callables():
    """Return name, object and signature of everything public that is called."""
    for name, value in PUBLIC:
        if value in ERRORS:
            continue
        yield name, value, inspect.signature(value)
        for method, member in inspect.getmembers(value) if inspect.isclass(value) else []:
            if is_ours(method, member):
                yield f"{name}.{method}", member, inspect.signature(member)


CALLABLES = list(callables())


@pytest.mark.parametrize(
    ("value", "signature"), [each[1:] for each in CALLABLES], ids=[n for n, *_ in CALLABLES]
)
def test_every_parameter_has_a_sentence(value, signature):
    known = described(inspect.getdoc(value))
    assert [name for name in signature.parameters if name != "self" and not known.get(name)] == []


@pytest.mark.parametrize(
    "value", [value for _, value in PUBLIC if value not in ERRORS], ids=lambda v: v.__name__
)
def test_everything_public_has_an_example(value):
    assert ">>> " in sections(inspect.getdoc(value)).get("Examples", "")


@pytest.mark.parametrize(("name", "value", "signature"), CALLABLES, ids=[name for name, *_ in CALLABLES])
def test_a_docstring_names_no_argument_that_is_not_there(name, value, signature):
    """Parameters in a docstring stand in the signature, in its order."""
    listed = list(described(sections(inspect.getdoc(value)).get("Parameters", ""), sections_in=False))
    there = [each for each in signature.parameters if each in listed]
    assert listed == there


def test_entries_without_a_sentence_get_that_of_the_argument():
    text = "Score.\n\nParameters\n----------\nX : table\ny : ignored\nz : int\nX : table\n    Its own.\n"
    text += "\nReturns\n"
    assert with_arguments(text + "-------\nX : float\n") == (
        f"Score.\n\nParameters\n----------\nX : table\n    {ARGUMENTS['X']}\ny : ignored\n    {IGNORED}\n"
        "z : int\nX : table\n    Its own.\n\nReturns\n-------\nX : float"
    )


def test_a_docstring_without_parameters_stays():
    assert (
        with_arguments("Score rows.\n\nReturns\n-------\nX : float\n")
        == "Score rows.\n\nReturns\n-------\nX : float\n"
    )
    assert with_arguments("Parameters") == "Parameters"


def test_the_html_of_an_estimator_links_to_its_page(monkeypatch):
    monkeypatch.setenv(SITE_VARIABLE, "https://docs.example.org/")
    assert "https://docs.example.org/api/DensityForest.html" in bw.DensityForest()._repr_html_()
    link = bw.EditedNearestNeighbours()._get_doc_link()
    assert link == "https://docs.example.org/api/EditedNearestNeighbours.html"


def test_without_an_address_there_is_no_link(monkeypatch):
    monkeypatch.delenv(SITE_VARIABLE, raising=False)
    monkeypatch.setattr(doc_link, "_published", lambda: "")
    assert 'rel="noreferrer"' not in bw.DensityForest()._repr_html_()
    assert bw.DensityForest()._get_doc_link() == ""


def test_an_address_of_the_metadata(monkeypatch):
    class Metadata:
        @staticmethod
        def get_all(name):
            return ["Source, https://example.org/code", "Documentation, https://example.org/docs"]

    monkeypatch.setattr(doc_link, "metadata", lambda name: Metadata)
    doc_link._published.cache_clear()
    monkeypatch.delenv(SITE_VARIABLE, raising=False)
    assert site_address() == "https://example.org/docs"
    doc_link._published.cache_clear()
