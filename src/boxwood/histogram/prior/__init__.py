"""Priors that follow from the counts, and bins that are chosen together with them."""
