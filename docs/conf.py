"""How Sphinx builds the documentation."""

import boxwood

project = "boxwood"
author = "the boxwood developers"
copyright = "2026, the boxwood developers"
release = version = boxwood.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"boxwood {release}"
html_copy_source = False

autodoc_typehints = "none"  # the docstrings say it in words
numpydoc_show_class_members = False
numpydoc_xref_param_type = False


def skip_member(app, what, name, member, skip, options):
    """Leave out scikit-learn's metadata routing, whose docstrings refer to its own glossary."""
    return skip or name.endswith("_request") or name == "get_metadata_routing"


def setup(app):
    app.connect("autodoc-skip-member", skip_member)
