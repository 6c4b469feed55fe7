"""Gaussians: moments that merge, normal densities, one a class."""
