"""Questions to densities without closed forms: draws of a proposal, weighed by the ratio of densities."""

from boxwood.query.weighed.fit_proposal import fit_proposal, own_proposal
from boxwood.query.weighed.forest_proposal import ForestProposal
from boxwood.query.weighed.normal_proposal import NormalProposal
from boxwood.query.weighed.weighed_query import WeighedQuery
from boxwood.query.weighed.weighing import WeighingWarning

__all__ = [
    "ForestProposal",
    "NormalProposal",
    "WeighedQuery",
    "WeighingWarning",
    "fit_proposal",
    "own_proposal",
]
