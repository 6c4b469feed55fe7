"""Makes links of public names: code that is nothing but ``DensityForest`` leads to its page."""

from docutils import nodes
from reference_pages import link_targets
from sphinx import addnodes
from sphinx.transforms import SphinxTransform


class LinkPublicNames(SphinxTransform):
    """Turns a literal that is a public name, with or without ``bw.`` or arguments, into a reference."""

    default_priority = 300

    def apply(self, **options) -> None:
        targets = link_targets()
        for literal in list(self.document.findall(nodes.literal)):
            text = literal.astext().removeprefix("bw.").removeprefix("boxwood.").split("(")[0]
            inside = literal.parent
            if text in targets and not in_link(inside):
                literal.replace_self(reference_to(targets[text], literal, self.env.docname))


def in_link(node) -> bool:
    """Say whether a node is part of a link or of a heading."""
    while node is not None:
        if isinstance(node, (nodes.reference, nodes.title, addnodes.pending_xref, addnodes.desc_signature)):
            return True
        node = node.parent
    return False


def reference_to(target: str, literal, docname: str):
    """Return the reference, to be resolved when all pages are read."""
    wrapper = addnodes.pending_xref(
        "", refdomain="py", reftype="obj", reftarget=target, refexplicit=True, refdoc=docname, refwarn=False
    )
    wrapper += literal.deepcopy()
    return wrapper


def setup(app) -> dict[str, bool]:
    app.add_transform(LinkPublicNames)
    return {"parallel_read_safe": True}
