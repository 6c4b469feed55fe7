"""Numerics of linear models: products in blocks, whitening, smooth minimisation."""
