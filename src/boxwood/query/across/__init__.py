"""Events across two columns: areas of half-planes in pairs of bins, boxes, laws and draws under them."""

from boxwood.query.across.areas import pair_areas
from boxwood.query.across.boxes import Tie, boxes_across
from boxwood.query.across.draws import inside_ties
from boxwood.query.across.law import tied_density
from boxwood.query.across.side import Side

__all__ = ["Side", "Tie", "boxes_across", "inside_ties", "pair_areas", "tied_density"]
