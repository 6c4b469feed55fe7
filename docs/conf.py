"""How Sphinx builds the documentation."""

import os
import re
import sys
import warnings
from pathlib import Path

import boxwood

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))
os.environ["MPLBACKEND"] = "agg"
# Estimators that the gallery shows link to their pages, from two folders below.
os.environ["BOXWOOD_DOCS"] = "../.."

project = "boxwood"
author = "the boxwood developers"
copyright = "2026, the boxwood developers"
release = version = boxwood.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
    "sphinx_design",
    "sphinx_copybutton",
    "linked_names",
    "page_pictures",
    "llms_text",
]
exclude_patterns = ["_build", "**/GALLERY_HEADER.rst"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
default_role = "literal"  # a name between single backquotes in a docstring
pygments_dark_style = "github-dark"

html_theme = "furo"
html_title = f"boxwood {release}"
html_copy_source = False
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["boxwood.css"]
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#3d6b35", "color-brand-content": "#2f6a8c"},
    "dark_css_variables": {"color-brand-primary": "#9cc98f", "color-brand-content": "#8cc5e3"},
}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

autodoc_typehints = "none"  # the docstrings say it in words
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

sphinx_gallery_conf = {
    "examples_dirs": ["../examples/gallery"],
    "gallery_dirs": ["gallery"],
    "subsection_order": [f"../examples/gallery/{name}" for name in ("tables", "densities", "prediction")],
    "backreferences_dir": "api/backreferences",
    "doc_module": ("boxwood",),
    "reference_url": {"boxwood": None},
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
    "remove_config_comments": True,
    "download_all_examples": False,
    "show_memory": False,
    "write_computation_times": False,  # that page would load scripts from elsewhere
    "show_signature": False,
    "min_reported_time": 1e9,
    "matplotlib_animations": False,
    "capture_repr": ("_repr_html_", "__repr__"),
    "abort_on_example_error": True,
    "only_warn_on_example_error": False,
    "image_scrapers": ("matplotlib",),
    "default_thumb_file": str(HERE / "figures" / "report.png"),
}
# What the examples warn of is for readers of the terminal, not of the page.
warnings.filterwarnings("ignore", message="no two different rows share|read as integers")


def without_labels(app, what, name, obj, options, lines):
    """Make plain text of references to scikit-learn's guide, and of formulas, whose script is elsewhere."""
    for pattern, plain in ((r":ref:`([^`<]+?)\s*<[^`]*>`", r"\1"), (r":math:`([^`]*)`", r"``\1``")):
        lines[:] = [re.sub(pattern, plain, line) for line in lines]


def setup(app):
    import reference_pages

    app.connect("autodoc-process-docstring", without_labels)
    reference_pages.write_pages(HERE / "api")
    app.connect("autodoc-skip-member", lambda app, what, name, *rest: reference_pages.is_hidden(name) or None)
